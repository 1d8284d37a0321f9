"""What a TTML document says around its times: speakers, styles, languages, marked text."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from formats.lines import TEXT_BLANKS
from formats.subtitles.cues import Run
from formats.xml_document import local_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from lxml.etree import _Element

    from formats.subtitles.cues import Properties
    from formats.subtitles.ttml_times import TimeSpan

__all__ = ["SILENT", "Marks", "TextReader", "TtmlHead", "attributes", "collapsed"]

BLANKS = re.compile(r"[ \t\n\r]+")
AT_BLANK = TEXT_BLANKS + "\n"
MARKING = frozenset({"agent", "color", "style", "lang", "role", "space"})
RUBY_TEXT = frozenset({"text", "textContainer", "delimiter"})
MOST_SPEAKERS = 1000
SILENT = frozenset({"metadata", "set", "animate", "desc", "title", "image", "audio", "information"})
"""Elements whose text is no subtitle."""


def attributes(element: _Element, found: dict[str, str] | None = None) -> dict[str, str]:
    """Attributes by local name; one without a namespace wins over one with.

    `found` are those of the element as they are, if they are at hand.
    """
    raw: dict[str, str] = dict(element.items()) if found is None else found
    return {local: raw[name] for local, name in _local_names(tuple(raw))}


@lru_cache(maxsize=256)
def _local_names(names: tuple[str, ...]) -> list[tuple[str, str]]:
    """Local names with the names they stand for."""
    found: dict[str, str] = {}
    for name in names:
        local = name.rpartition("}")[2]
        if local == name or local not in found:
            found[local] = name
    return list(found.items())


class TtmlHead:
    """Agents and styles by their ids."""

    def __init__(self) -> None:
        self.agents: dict[str, str] = {}
        self.styles: dict[str, dict[str, str]] = {}
        self._colors: dict[str, str | None] = {"": None}
        self._speakers: dict[str, str | None] = {}

    def read(self, head: _Element) -> None:
        """Take what a ``head`` declares."""
        self._speakers.clear()
        for element in head.iter():
            kind = local_name(element)
            named = attributes(element) if kind in ("agent", "style") else {}
            if "id" not in named:
                continue
            if kind == "style":
                self.styles[named["id"]] = named
                continue
            names = (child for child in element if local_name(child) == "name")
            texts = (collapsed("".join(name.itertext())) for name in names)
            self.agents[named["id"]] = next(filter(None, texts), named["id"])

    def speaker(self, ids: str) -> str | None:
        """The names of the agents with these ids, joined by commas."""
        if ids not in self._speakers:
            if len(self._speakers) > MOST_SPEAKERS:
                self._speakers.clear()
            names = (self.agents.get(name, name) for name in ids.split())
            self._speakers[ids] = ", ".join(names) or None
        return self._speakers[ids]

    def color(self, named: Mapping[str, str]) -> str | None:
        """The text colour of an element: its own, or that of its styles."""
        if "color" in named:
            return named["color"].strip() or None
        wanted = named.get("style", "")
        if wanted not in self._colors:
            self._colors[wanted] = self._color_of_styles(wanted)
        return self._colors[wanted]

    def _color_of_styles(self, ids: str) -> str | None:
        """The colour of the last of the styles that has one, itself or by its own styles."""
        pending = ids.split()
        seen: set[str] = set()
        while pending:
            name = pending.pop()
            if name in seen:
                continue
            seen.add(name)
            style = self.styles.get(name, {})
            if style.get("color", "").strip():
                return style["color"].strip()
            pending.extend(style.get("style", "").split())
        return None


class Marks(NamedTuple):
    """What an element hands on to those inside it."""

    speaker: str | None = None
    color: str | None = None
    language: str | None = None
    role: str | None = None
    is_preserved: bool = False

    def within(
        self, element: _Element, head: TtmlHead, named: Mapping[str, str] | None = None
    ) -> Marks:
        """The marks inside of an element; `named` are its attributes, if they are at hand."""
        named = attributes(element) if named is None else named
        if MARKING.isdisjoint(named):
            return self
        speaker, color, language, role, is_preserved = self
        if (ids := named.get("agent")) and ids.strip():
            speaker = head.speaker(ids)
        color = head.color(named) or color
        if "lang" in named:
            language = named["lang"].strip() or None
        if (said := named.get("role")) and said.strip():
            role = " ".join(said.split())
        if "space" in named:
            is_preserved = named["space"] == "preserve"
        return Marks(speaker, color, language, role, is_preserved)

    def properties(self, language: str | None) -> Properties:
        """The marks as properties; a language only where it is not that of the document."""
        found = []
        if self.color is not None:
            found.append(("color", self.color))
        if self.language is not None and self.language != language:
            found.append(("language", self.language))
        if self.role is not None:
            found.append(("role", self.role))
        return tuple(found)


class TextReader:
    """Makes the runs of a ``p``; ``timed`` gives the times of a span that has some."""

    def __init__(
        self,
        head: TtmlHead,
        language: str | None,
        by_color: bool,
        timed: Callable[[_Element, TimeSpan], TimeSpan | None],
    ) -> None:
        self.head = head
        self.language = language
        self.by_color = by_color
        self.timed = timed

    def runs(self, paragraph: _Element, marks: Marks, span: TimeSpan) -> tuple[Run, ...]:
        """The runs, white space collapsed where the document does not say to preserve it."""
        plain = self._plain_run(paragraph, marks)
        if plain is not None:
            return (plain,)
        self._chunks = 0
        pieces = list(self._walk(paragraph, marks, span, None))
        return tuple(_without_needless_blanks(pieces))

    def _plain_run(self, paragraph: _Element, marks: Marks) -> Run | None:
        """All of a paragraph that has nothing but text and line breaks in it, or `None`."""
        if marks.is_preserved:
            return None
        pieces = [paragraph.text or ""]
        for child in paragraph if len(paragraph) else ():
            if local_name(child) != "br":
                return None
            pieces.append(child.tail or "")
        text = "\n".join(
            [
                piece if " ".join(piece.split()) == piece else BLANKS.sub(" ", piece).lstrip(" ")
                for piece in pieces
            ]
        )
        if not text.strip(AT_BLANK):
            return None
        return Run(text, self._speaker(marks), None, None, None, marks.properties(self.language))

    def _walk(
        self, element: _Element, marks: Marks, span: TimeSpan, chunk: int | None
    ) -> Iterator[tuple[Run, bool]]:
        """Runs in the order of the text, with whether their white space is preserved."""
        if element.text:
            yield self._run(element.text, marks, span, chunk), marks.is_preserved
        for child in element:
            name = local_name(child)
            if name == "br":
                yield self._run("\n", marks, span, chunk), True
            elif name == "span":
                yield from self._span(child, marks, span, chunk)
            elif name and name not in SILENT:
                yield from self._walk(child, marks.within(child, self.head), span, chunk)
            if child.tail:
                yield self._run(child.tail, marks, span, chunk), marks.is_preserved

    def _span(
        self, element: _Element, marks: Marks, span: TimeSpan, chunk: int | None
    ) -> Iterator[tuple[Run, bool]]:
        inner = marks.within(element, self.head)
        if attributes(element).get("ruby") in RUBY_TEXT:
            text = collapsed("".join(map(str, element.itertext())))
            ruby = Run("", self._speaker(inner), chunk, properties=(("ruby", text),))
            yield (ruby if chunk is None else ruby._replace(start_ns=span[0], end_ns=span[1])), True
            return
        times = self.timed(element, span)
        if times is None:
            yield from self._walk(element, inner, span, chunk)
            return
        self._chunks += 1
        yield from self._walk(element, inner, times, self._chunks)

    def _speaker(self, marks: Marks) -> str | None:
        return marks.color if self.by_color else marks.speaker

    def _run(self, text: str, marks: Marks, span: TimeSpan, chunk: int | None) -> Run:
        speaker, properties = self._speaker(marks), marks.properties(self.language)
        if chunk is None:
            return Run(text, speaker, properties=properties)
        return Run(text, speaker, chunk, span.begin, span.end, properties)


def collapsed(text: str) -> str:
    """The text with single blanks, none at its ends."""
    return BLANKS.sub(" ", text).strip(" ")


def _without_needless_blanks(pieces: list[tuple[Run, bool]]) -> Iterator[Run]:
    """White space of the document's layout is a single blank, none beside a line break."""
    is_at_blank = True
    for run, is_preserved in pieces:
        text = run.text if is_preserved else BLANKS.sub(" ", run.text)
        if is_at_blank and not is_preserved:
            text = text.lstrip(" ")
        if text:
            is_at_blank = text[-1] in AT_BLANK
        if text or run.properties or not run.text:
            yield run._replace(text=text)
