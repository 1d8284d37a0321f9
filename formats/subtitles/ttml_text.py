"""The content of TTML other than times: speakers, styles, languages, text with markup.

A run is a piece of text with the same markup.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from formats.reading.lines import TEXT_BLANKS
from formats.reading.xml_document import Element, local_name
from formats.schema.words import Properties
from formats.subtitles.cues import Run
from formats.subtitles.ttml_times import TimeSpan

BLANKS = re.compile(r"[ \t\n\r]+")
NOT_SPOKEN = {"x-translation": "translation", "x-roman": "romanization"}
"""Roles of spans in lyrics that say a line again; they become properties of these names."""
RUBY_TEXT = ("text", "textContainer", "delimiter")
SILENT = ("metadata", "set", "animate", "desc", "title", "image", "audio", "information")
"""Elements whose text is no subtitle."""


def attributes(element: Element) -> dict[str, str]:
    """Return the attributes of an element by local name.

    An attribute without a namespace has priority.
    """
    named: dict[str, str] = {}
    for name, text in element.items():
        local = name.rpartition("}")[2]
        if local == name or local not in named:
            named[local] = text
    return named


class TtmlHead:
    """The agents and styles in the document header, by id."""

    def __init__(self) -> None:
        self.agents: dict[str, str] = {}
        self.styles: dict[str, dict[str, str]] = {}

    def read(self, head: Element) -> None:
        """Read the agents and styles that a ``head`` element declares."""
        for element in head.iter():
            kind, named = local_name(element), attributes(element)
            if kind == "style" and "id" in named:
                self.styles[named["id"]] = named
            elif kind == "agent" and "id" in named:
                names = (child for child in element if local_name(child) == "name")
                texts = (collapsed("".join(name.itertext())) for name in names)
                self.agents[named["id"]] = next(filter(None, texts), named["id"])

    def styled(self, named: Mapping[str, str], name: str) -> str | None:
        """Return the value of a style for an element: its own, or that of the last style with one.

        Styles refer to other styles.
        """
        if name in named:
            return named[name].strip() or None
        pending, seen = named.get("style", "").split(), set[str]()
        while pending:
            referred = pending.pop()
            style = self.styles.get(referred, {}) if referred not in seen else {}
            seen.add(referred)
            if value := style.get(name, "").strip():
                return value
            pending += style.get("style", "").split()
        return None


class Marks(NamedTuple):
    """The attributes that child elements inherit."""

    speaker: str | None = None
    color: str | None = None
    language: str | None = None
    role: str | None = None
    is_preserved: bool = False

    def within(self, named: Mapping[str, str], head: TtmlHead) -> "Marks":
        """Return the attributes that apply inside an element with the attributes `named`."""
        speaker, _, language, role, is_preserved = self
        if ids := named.get("agent", "").split():
            speaker = ", ".join(head.agents.get(name, name) for name in ids)
        if "lang" in named:
            language = named["lang"].strip() or None
        role = " ".join(named.get("role", "").split()) or role
        if "space" in named:
            is_preserved = named["space"] == "preserve"
        return Marks(
            speaker, head.styled(named, "color") or self.color, language, role, is_preserved
        )


class TextReader:
    """Reader of the runs in a ``p`` element.

    The function `timed` returns the times of a span; `None` if the span has none.
    """

    def __init__(
        self, head: TtmlHead, language: str | None, by_color: bool,
        timed: Callable[[Element, TimeSpan], TimeSpan | None],
    ) -> None:  # fmt: skip
        self.head, self.language, self.by_color, self.timed = head, language, by_color, timed
        self.chunks = 0

    def properties(self, marks: Marks) -> Properties:
        """Return the inherited attributes as properties, without the document's language."""
        language = None if marks.language == self.language else marks.language
        pairs = (("color", marks.color), ("language", language), ("role", marks.role))
        return tuple((name, text) for name, text in pairs if text is not None)

    def runs(self, paragraph: Element, marks: Marks, span: TimeSpan) -> tuple[Run, ...]:
        """Return the runs of a paragraph.

        White space is collapsed, unless the document preserves it.
        """
        self.chunks = 0
        runs = tuple(_without_needless_blanks(self._walk(paragraph, marks, span, None)))
        if len(runs) > 1 and all(run[1:] == runs[0][1:] for run in runs):
            runs = (runs[0]._replace(text="".join(run.text for run in runs)),)
        return runs or (Run("", marks.color if self.by_color else marks.speaker),)

    def _walk(
        self, element: Element, marks: Marks, span: TimeSpan, chunk: int | None
    ) -> Iterator[tuple[Run, bool]]:
        """Yield the runs in order, each with True if its white space is preserved."""
        start, end = (None, None) if chunk is None else span
        speaker = marks.color if self.by_color else marks.speaker
        empty = Run("", speaker, chunk, start, end, self.properties(marks))
        if element.text:
            yield empty._replace(text=element.text), marks.is_preserved
        for child in element:
            name = local_name(child)
            if name == "br":
                yield empty._replace(text="\n"), True
            elif name and name not in SILENT:
                named = attributes(child)
                inner = marks.within(named, self.head)
                times = self.timed(child, span) if name == "span" else None
                if name == "span" and self.head.styled(named, "ruby") in RUBY_TEXT:
                    text = collapsed("".join(child.itertext()))
                    speaker = inner.color if self.by_color else inner.speaker
                    yield Run("", speaker, chunk, start, end, (("ruby", text),)), True
                elif name == "span" and (written := NOT_SPOKEN.get(named.get("role", ""))):
                    text = collapsed("".join(child.itertext()))
                    yield Run("", empty.speaker, chunk, start, end, ((written, text),)), True
                elif times is not None:
                    self.chunks += 1
                    yield from self._walk(child, inner, times, self.chunks)
                else:
                    yield from self._walk(child, inner, span, chunk)
            if child.tail:
                yield empty._replace(text=child.tail), marks.is_preserved


def collapsed(text: str) -> str:
    """Replace white space by single blanks, and strip blanks at both ends."""
    return BLANKS.sub(" ", text).strip(" ")


def _without_needless_blanks(pieces: Iterator[tuple[Run, bool]]) -> Iterator[Run]:
    """Yield the runs without the white space of the layout.

    It becomes one blank, or nothing beside a line break.
    """
    is_at_blank = True
    for run, is_preserved in pieces:
        text = run.text if is_preserved else BLANKS.sub(" ", run.text)
        if is_at_blank and not is_preserved:
            text = text.lstrip(" ")
        if text:
            is_at_blank = text[-1] in TEXT_BLANKS + "\n"
        if text or run.properties or not run.text:
            yield run._replace(text=text)
