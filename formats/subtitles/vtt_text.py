"""The text of a WebVTT cue: tags, times and HTML references.

A run is a piece of text with the same markup.
"""

from __future__ import annotations

from functools import lru_cache

from formats.reading.lines import TEXT_BLANKS, split_words
from formats.schema import NamedTuple, lazy_pattern
from formats.schema.messages import Entry
from formats.schema.times import parse_clock
from formats.schema.words import Properties
from formats.subtitles.cues import Run, decode_entities
from formats.subtitles.messages import VTT_DEEP, VTT_LESS_THAN, VTT_STAMP, VTT_STAMP_ORDER, VTT_TAG

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

TAG = lazy_pattern(
    r"<(/?)(?:([A-Za-z]+)((?:\.[^ \t\n<>.]*)*)([ \t\n][^<>]*)?)?>|<([0-9][0-9:.,]*)>"
)
OVERRIDE = lazy_pattern(r"\{\\[^{}]{0,200}\}")
"""A mark of ASS, such as ``{\\an8}``."""
BLANKS = TEXT_BLANKS + "\n"
Irregularities: TypeAlias = "tuple[tuple[Entry, dict[str, Any]], ...]"
"""Entries with their fields."""
CutText: TypeAlias = tuple[tuple[Run, ...], Irregularities]
"""The runs of a text, and its irregularities."""
DEEPEST = 200
KNOWN = frozenset({"c", "i", "b", "u", "ruby", "rt", "v", "lang"})


class _State(NamedTuple):
    """The attributes that the open tags give to the text in them."""

    speaker: str | None = None
    language: str = ""
    classes: tuple[str, ...] = ()

    def properties(self) -> Properties:
        """Return the classes and the language, if any, as properties."""
        pairs = [("classes", " ".join(self.classes))] if self.classes else []
        if self.language:
            pairs.append(("language", self.language))
        return tuple(pairs)


class _CueTextReader:
    """Divides the text of a cue into runs.

    For each open tag, it stores the attributes outside the tag.
    """

    def __init__(self, start: int | None, end: int | None) -> None:
        self.runs: list[Run] = []
        self.odd: list[tuple[Entry, dict[str, Any]]] = []
        self.open: list[tuple[str, _State]] = []
        self.counts: dict[str, int] = {}
        self.stamps: list[int] = []
        self.start = start
        self.end = end
        self.state = _State()
        self.properties: Properties = ()

    def text(self, text: str) -> None:
        """Process the text between two tags."""
        if "<" in text:
            self.odd.append((VTT_LESS_THAN, {}))
        text = decode_entities(text)
        if self.counts.get("rt"):
            self._add("", (("ruby", text),))
        elif text:
            self._add(text, self.properties)

    def _add(self, text: str, properties: Properties) -> None:
        self.runs.append(Run(text, self.state.speaker, len(self.stamps), properties=properties))

    def tag(self, closing: str, name: str | None, classes: str | None, annotation: str) -> None:
        """Process a tag that is not a time."""
        name = (name or "").lower()
        if name and name not in KNOWN:
            self.odd.append((VTT_TAG, {"name": f"<{name}>"}))
        elif closing:
            self._close(name)
        else:
            self._open(name, (classes or "").split("."), annotation)

    def _open(self, name: str, classes: list[str], annotation: str) -> None:
        if name == "v":
            self._close("v")
        if len(self.open) == DEEPEST:
            self.odd.append((VTT_DEEP, {"levels": DEEPEST}))
            return
        self.open.append((name, self.state))
        self.counts[name] = self.counts.get(name, 0) + 1
        said = _name_of(decode_entities(annotation))
        if name == "v":
            self.state = self.state._replace(speaker=said or None)
        elif name == "lang":
            self.state = self.state._replace(language=said)
        new = dict.fromkeys(c for c in classes if c and c not in self.state.classes)
        self.state = self.state._replace(classes=(*self.state.classes, *new))
        self.properties = self.state.properties()
        if name == "v":
            self._add("", self.properties)

    def _close(self, name: str) -> None:
        """Close the last open tag with this name, and all tags inside it."""
        if not self.counts.get(name):
            return
        while True:
            gone, self.state = self.open.pop()
            self.counts[gone] -= 1
            if gone == name:
                break
        self.properties = self.state.properties()

    def stamp(self, text: str) -> None:
        """Process a time inside the text."""
        try:
            time = parse_clock(text)
        except ValueError:
            self.odd.append((VTT_STAMP, {"text": f"<{text}>"}))
            return
        low = self.stamps[-1] if self.stamps else self.start
        if low is None or self.end is None or not low <= time <= self.end:
            self.odd.append((VTT_STAMP_ORDER, {"text": f"<{text}>"}))
            return
        self.stamps.append(time)

    def finished(self) -> tuple[Run, ...]:
        """Return the runs, with times if the text has any."""
        if not self.stamps:
            return tuple(Run(run.text, run.speaker, properties=run.properties) for run in self.runs)
        bounds = (self.start, *self.stamps, self.end)
        return tuple(
            run._replace(start_ns=bounds[run.chunk or 0], end_ns=bounds[(run.chunk or 0) + 1])
            for run in self.runs
        )


@lru_cache(maxsize=256)
def _name_of(text: str) -> str:
    """Return the annotation of a tag, with single blanks between words."""
    return " ".join(split_words(text.replace("\n", " ")))


def cut_text(text: str, start: int | None, end: int | None) -> CutText:
    """Divide the text of a cue into runs, and decode HTML references.

    The times of the cue, `start` and `end`, are in nanoseconds.
    """
    if "{" in text:
        text = OVERRIDE.sub("", text)
    if "<" not in text:
        return (Run(decode_entities(text)),), ()
    if text[:3] == "<v ":
        name, _, said = (text[3:-4] if text[-4:] == "</v>" else text[3:]).partition(">")
        if "<" not in said and "<" not in name and "&" not in text and said.strip(BLANKS):
            # The most usual text: one voice, no other marks, no references.
            return (Run(said, _name_of(name) or None),), ()
    reader = _CueTextReader(start, end)
    done = 0
    for tag in TAG.finditer(text):
        if tag.start() > done:
            reader.text(text[done : tag.start()])
        closing, name, classes, annotation, stamp = tag.groups()
        if stamp is not None:
            reader.stamp(stamp)
        else:
            reader.tag(closing, name, classes, annotation or "")
        done = tag.end()
    if done < len(text):
        reader.text(text[done:])
    return reader.finished(), tuple(reader.odd)
