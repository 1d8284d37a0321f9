"""What a TTML document says around its times: speakers, styles, languages, marked text."""

from __future__ import annotations

import re
from typing import NamedTuple

from formats.lines import TEXT_BLANKS
from formats.subtitles.cues import Run
from formats.xml_document import local_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import TypeVar

    from lxml.etree import _Element

    from formats.subtitles.cues import Properties
    from formats.subtitles.ttml_times import TimeSpan

    K = TypeVar("K")
    V = TypeVar("V")

__all__ = [
    "SILENT",
    "TIMES",
    "XML_ID",
    "Marks",
    "ParagraphShape",
    "TextReader",
    "TtmlHead",
    "attributes",
    "collapsed",
    "keep",
    "shape_of",
]

BLANKS = re.compile(r"[ \t\n\r]+")
AT_BLANK = TEXT_BLANKS + "\n"
MARKING = frozenset({"agent", "color", "style", "lang", "role", "space"})
PARAGRAPHS = MARKING | {"region"}
RUBY_TEXT = frozenset({"text", "textContainer", "delimiter"})
MOST_KEPT, LONGEST_KEPT = 256, 256
"""Attributes that are remembered, and letters of one."""
TIMES = ("begin", "end", "dur")
XML_ID = "{http://www.w3.org/XML/1998/namespace}id"
SILENT = frozenset({"metadata", "set", "animate", "desc", "title", "image", "audio", "information"})
"""Elements whose text is no subtitle."""


def attributes(element: _Element) -> dict[str, str]:
    """Attributes by local name; one without a namespace wins over one with."""
    raw: dict[str, str] = dict(element.items())
    return {local: raw[name] for local, name in _local_names(raw).items()}


def _local_names(names: Iterable[str]) -> dict[str, str]:
    """Local names with the names they stand for."""
    found: dict[str, str] = {}
    for name in names:
        local = name.rpartition("}")[2]
        if local == name or local not in found:
            found[local] = name
    return found


class ParagraphShape(NamedTuple):
    """Where among the attributes of a paragraph those stand that say something.

    `others` are pairs with their local names.
    """

    times: tuple[int | None, ...]
    id: int | None
    xml_id: int | None
    others: tuple[tuple[str, int], ...]


def shape_of(names: tuple[str, ...]) -> ParagraphShape:
    """What attributes of these names are."""
    places = {name: place for place, name in enumerate(names)}
    said = {local: places[name] for local, name in _local_names(names).items()}
    return ParagraphShape(
        tuple(map(places.get, TIMES)),
        said.get("id"),
        places.get(XML_ID),
        tuple((local, place) for local, place in said.items() if local in PARAGRAPHS),
    )


def keep(known: dict[K, V], key: K, found: V, texts: Iterable[str]) -> V:
    """Remember what was made of some texts, if they are short, for those that follow."""
    if sum(map(len, texts)) < LONGEST_KEPT:
        if len(known) >= MOST_KEPT:
            known.clear()
        known[key] = found
    return found


class TtmlHead:
    """Agents and styles by their ids."""

    def __init__(self) -> None:
        self.agents: dict[str, str] = {}
        self.styles: dict[str, dict[str, str]] = {}
        self._colors: dict[str, str | None] = {}
        self._speakers: dict[str, str | None] = {}

    def read(self, head: _Element) -> None:
        """Take what a ``head`` declares."""
        self._speakers.clear()
        self._colors.clear()
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
        if ids in self._speakers:
            return self._speakers[ids]
        names = (self.agents.get(name, name) for name in ids.split())
        return keep(self._speakers, ids, ", ".join(names) or None, [ids])

    def color(self, named: Mapping[str, str]) -> str | None:
        """The text colour of an element: its own, or that of its styles."""
        if "color" in named:
            return named["color"].strip() or None
        wanted = named.get("style", "")
        if wanted in self._colors:
            return self._colors[wanted]
        return keep(self._colors, wanted, self._color_of_styles(wanted), [wanted])

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

    def within(self, named: Mapping[str, str], head: TtmlHead) -> Marks:
        """The marks inside of an element with these attributes."""
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

    def runs(
        self,
        content: _Element | Sequence[str],
        marks: Marks,
        properties: Properties,
        span: TimeSpan,
    ) -> tuple[Run, ...]:
        """The runs, white space collapsed where the document does not say to preserve it.

        Parameters
        ----------
        content: a ``p``, or what is between the line breaks of one that has nothing else in it.
        properties: those of the marks.
        """
        speaker = marks.color if self.by_color else marks.speaker
        pieces = content if isinstance(content, list) else _between_breaks(content)
        if pieces is not None and not marks.is_preserved:
            text = "\n".join(pieces)
            if (
                "  " in text
                or "\n " in text
                or "\t" in text
                or "\r" in text
                or text[:1] == " "
                or text.count("\n") >= len(pieces)
            ):
                text = "\n".join([BLANKS.sub(" ", piece).lstrip(" ") for piece in pieces])
            if text.strip(AT_BLANK):
                return (Run(text, speaker, None, None, None, properties),)
        paragraph = _paragraph_of(content) if isinstance(content, list) else content
        self._chunks = 0
        runs = list(self._walk(paragraph, marks, span, None))
        return tuple(_without_needless_blanks(runs)) or (Run("", speaker),)

    def _walk(
        self, element: _Element, marks: Marks, span: TimeSpan, chunk: int | None
    ) -> Iterator[tuple[Run, bool]]:
        """Runs in the order of the text, with whether their white space is preserved."""
        speaker = marks.color if self.by_color else marks.speaker
        start, end = (None, None) if chunk is None else span
        said = speaker, chunk, start, end, marks.properties(self.language)
        if element.text:
            yield Run(element.text, *said), marks.is_preserved
        for child in element:
            name = local_name(child)
            if name == "br":
                yield Run("\n", *said), True
            elif name == "span":
                yield from self._span(child, marks, span, chunk)
            elif name and name not in SILENT:
                yield from self._walk(
                    child, marks.within(attributes(child), self.head), span, chunk
                )
            if child.tail:
                yield Run(child.tail, *said), marks.is_preserved

    def _span(
        self, element: _Element, marks: Marks, span: TimeSpan, chunk: int | None
    ) -> Iterator[tuple[Run, bool]]:
        named = attributes(element)
        inner = marks.within(named, self.head)
        if named.get("ruby") in RUBY_TEXT:
            text = collapsed("".join(map(str, element.itertext())))
            speaker = inner.color if self.by_color else inner.speaker
            start, end = (None, None) if chunk is None else span
            yield Run("", speaker, chunk, start, end, (("ruby", text),)), True
            return
        times = self.timed(element, span)
        if times is None:
            yield from self._walk(element, inner, span, chunk)
            return
        self._chunks += 1
        yield from self._walk(element, inner, times, self._chunks)


def _between_breaks(paragraph: _Element) -> list[str] | None:
    """What is between its line breaks, if it has nothing else in it."""
    pieces = [paragraph.text or ""]
    for child in paragraph if len(paragraph) else ():
        if local_name(child) != "br":
            return None
        pieces.append(child.tail or "")
    return pieces


def _paragraph_of(pieces: Sequence[str]) -> _Element:
    from lxml.etree import Element, SubElement

    paragraph = Element("p")
    paragraph.text = pieces[0]
    for piece in pieces[1:]:
        SubElement(paragraph, "br").tail = piece
    return paragraph


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
            yield run if text == run.text else Run(text, *run[1:])
