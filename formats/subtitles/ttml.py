r"""TTML: timed text in XML, with EBU-TT-D, IMSC, DFXP and the drafts of 2006.

::

    <tt xmlns="http://www.w3.org/ns/ttml" xmlns:ttm="http://www.w3.org/ns/ttml#metadata">
      <head><metadata><ttm:agent xml:id="a1"><ttm:name>Anne</ttm:name></ttm:agent></metadata></head>
      <body><div><p begin="0.5s" end="2.25s" ttm:agent="a1">hello<br/>world</p></div></body>
    </tt>

====================================  =====================================================
its word                              ours
====================================  =====================================================
a ``p`` without timed spans           a `Segment`; its times count from those of the elements
                                      around it, which may also begin, end, or be sequences
a ``span`` with times, of one word    a word's times, if every word has one
spans with times, of several words    a segment for each; text outside goes to its neighbour
``ttm:agent``                         `Segment.speaker`: the agent's name, or its id
``tts:color``, own or by style        property ``color``, or the speaker if so asked
``ttm:role``, ``region``, ``style``   properties ``role``, ``region``, ``style``
``xml:id``                            property ``id``; a warning where it is no name or not unique
``xml:lang``                          of the file: ``language``; where another, a property
``br``                                a line break: a blank; lines are the property ``lines``
``tts:ruby="text"``                   property ``ruby``, no words
``{…}``, ``\N``                       words, as any other text
====================================  =====================================================

Elements and attributes are known by their local names: the BBC's files of 2006/10, files without
any namespace and the newest read alike.

*Reading and writing are our own, on lxml.* pysubs2 1.8.1 finds no cue in the drafts' namespaces
and takes such files for srt, knows no frames, ticks, durations, sequences, timed spans or agents,
and makes a line break of a literal ``\N``.
"""

from __future__ import annotations

import re

from formats.errors import OptionError, SyntaxFormatError, quoted
from formats.spec import Option, Sniff, decimals
from formats.subtitles.cue_reading import segments_of
from formats.subtitles.cues import Cue, checked_times
from formats.subtitles.segmentation import TIMED_CUES, WORD_TIMES, cue_format
from formats.subtitles.ttml_text import (
    SILENT,
    TIMES,
    XML_ID,
    Marks,
    ParagraphShape,
    TextReader,
    TtmlHead,
    attributes,
    keep,
    shape_of,
)
from formats.subtitles.ttml_times import Clock, span_within
from formats.subtitles.ttml_writer import write
from formats.times import LARGEST, SECOND, format_time
from formats.xml_document import line_of, local_name, stream_xml, xml_error
from formats.xml_runs import AlikeParagraphs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any, TypeAlias

    from lxml.etree import _Element

    from formats.beginning import Head as FileHead
    from formats.model import Segment
    from formats.source import Source
    from formats.subtitles.cues import Properties
    from formats.subtitles.ttml_times import TimeSpan

    Place: TypeAlias = "_Element | int"
    Row: TypeAlias = "tuple[tuple[str, ...], Sequence[str], _Element | Sequence[str], Place]"
    Told: TypeAlias = "tuple[Marks, Properties, Properties]"
    """The marks of a paragraph, the properties of its text that follow, and its own."""

__all__ = ["SPEC", "read", "sniff", "write"]

SPEAKERS = ("agent", "color")
TIMED_SPANS = ("words", "segments")
NAMESPACE = "http://www.w3.org/ns/ttml"
APPLE = "http://music.apple.com/lyric-ttml-internal"
"""Whose players count all times from the begin of the song, nested or not."""
ID = re.compile(r"[^\W\d][\w.-]*\Z")
TIMED = frozenset(TIMES)
RATES = ("Rate", "Multiplier")


def read(
    source: Source,
    *,
    speaker_from: str = "agent",
    timed_spans: str = "words",
    **options: Any,
) -> Iterator[Segment]:
    """One segment per paragraph, or per voice or timed span of it, in the order of the file.

    Parameters
    ----------
    speaker_from: ``agent``, or ``color`` where a broadcaster gives every speaker a colour.
    timed_spans: ``words`` makes word times of spans if every word has its own; ``segments``
        makes a segment of every timed span.
    options: those of `formats.subtitles.cue_reading.CueReading`.

    Raises
    ------
    SyntaxFormatError: not XML, another root than ``tt``, entities, a time that is none, a
        document of images.
    """
    if speaker_from not in SPEAKERS:
        raise OptionError(
            expected=f"speaker from {' or '.join(SPEAKERS)}", found=quoted(speaker_from)
        )
    if timed_spans not in TIMED_SPANS:
        raise OptionError(
            expected=f"timed spans as {' or '.join(TIMED_SPANS)}", found=quoted(timed_spans)
        )
    return segments_of(
        source,
        _Reader(source, speaker_from == "color", timed_spans).cues(),
        **options,
    )


class _Container:
    """An element that holds others and is still open: its times and where a sequence stands."""

    def __init__(self, element: _Element, span: TimeSpan, marks: Marks) -> None:
        self.element = element
        self.span = span
        self.marks = marks
        self.is_sequence = element.get("timeContainer") == "seq"
        self.before: int = span[0]
        self.latest: int = span[0]
        self.told: dict[tuple[tuple[str, ...], tuple[str, ...]], Told] = {}

    def close_child(self, end: int | None) -> None:
        """Remember where a child ended."""
        if end is not None:
            self.before = end
            self.latest = max(self.latest, end)


class _Reader:
    """Paragraphs in the order of the document, inside their containers."""

    def __init__(self, source: Source, by_color: bool, pieces: str) -> None:
        self.source = source
        self.by_color = by_color
        self.pieces = pieces
        self.head = TtmlHead()
        self.containers: list[_Container] = []
        self.is_absolute = False
        self.ids: set[str] = set()
        self.shapes: dict[tuple[str, ...], ParagraphShape] = {}

    def cues(self) -> Iterator[Cue]:
        """All cues of the document."""
        alike = AlikeParagraphs()
        elements = stream_xml(
            self.source,
            ("tt",),
            ("head", "p"),
            texts=("head", "p", *SILENT),
            code="TTML-TEXT",
            alike=alike,
        )
        root = next(elements, None)
        if root is None:
            return
        self._begin(root)
        count = 0
        for element in elements:
            # kept while the element is looked at: made again each time, they would take longer
            inner = list(element)
            if any(map(len, inner)):
                inner = list(element.iterdescendants())
            self._check_ids((element, *inner))
            if local_name(element) == "head":
                self.head.read(element)
                for container in self.containers:
                    container.told.clear()
                continue
            count += 1
            own = tuple(element.keys()), element.values(), element, element
            yield from self._paragraphs(element, [own, *alike.following])
        if not count and _has_images(root):
            raise xml_error(self.source, root, "subtitles of text", "images only: no text")

    def _begin(self, root: _Element) -> None:
        named = attributes(root)
        try:
            self.clock = Clock(named)
        except ValueError as problem:
            raise self.source.syntax_error(
                root.sourceline,
                f"{problem}",
                " ".join(f'{k}="{v}"' for k, v in named.items() if k.endswith(RATES)),
            ) from None
        self.has_new_start = self.clock.time_base == "smpte"
        marks = Marks().within(named, self.head)
        self.language = marks.language
        if marks.language is not None:
            self.source.properties["language"] = marks.language
        if self.clock.time_base == "clock":
            message = "times are those of a clock, not of the recording"
            self.source.log.warn("TTML-CLOCK", message, root.sourceline)
        elif self.clock.time_base == "smpte" and named.get("markerMode") == "discontinuous":
            message = "time codes may jump: they are read as if they did not"
            self.source.log.warn("TTML-SMPTE", message, root.sourceline)
        self.is_absolute = APPLE in root.nsmap.values()
        if self.is_absolute:
            message = "times count from the begin of the song, as Apple's do, nested or not"
            self.source.log.note("TTML-ABSOLUTE", message, root.sourceline)
        self._check_ids((root,))
        namespace = str(root.tag).rpartition("}")[0].lstrip("{")
        if namespace != NAMESPACE:
            shown = quoted(namespace) if namespace else "none"
            self.source.log.note("TTML-NAMESPACE", f"namespace: {shown}", root.sourceline)
        self.containers = [_Container(root, (0, None), marks)]
        self.text = TextReader(self.head, self.language, self.by_color, self._span_of_text)

    def _span_of_text(self, element: _Element, outer: TimeSpan) -> TimeSpan | None:
        if TIMED.isdisjoint(element.keys()):
            return None
        return self._span(element, outer, outer[0], [*map(element.get, TIMES)])

    def _span(
        self, place: Place, outer: TimeSpan, reference: int, texts: Sequence[str | None]
    ) -> TimeSpan:
        """The times of an element whose attributes say these: begin, end and duration."""
        begin, end, duration = texts
        try:
            name = "begin"
            first = None if begin is None else self.clock.parse(begin)
            name = "end"
            last = None if end is None else self.clock.parse(end)
            name = "dur"
            length = None if duration is None else self.clock.parse(duration)
        except ValueError:
            text = texts[TIMES.index(name)] or ""
            expected = f"{name} as hh:mm:ss.fff, hh:mm:ss:ff or a number with h, m, s, ms, f, t"
            if text.strip().startswith("-"):
                expected = f"{name} of 0 or more"
            raise self._error(place, expected, quoted(text)) from None
        if self.is_absolute:
            reference, first = 0, outer[0] if first is None else first
        span = span_within(outer, reference, first, last, length)
        if span[0] > LARGEST or (span[1] or 0) > LARGEST:
            raise self._error(place, "times of at most 292 years", "a sum beyond")
        return span

    def _check_ids(self, elements: Iterable[_Element]) -> None:
        for element in elements:
            name = element.get(XML_ID)
            if name is not None:
                self._check_id(name, element.sourceline)

    def _check_id(self, name: str, line: int | None) -> None:
        """Remark an identifier that XML does not allow; nothing here depends on them."""
        if ID.match(name) is None or name in self.ids:
            found = "stands twice" if name in self.ids else "is no name of XML"
            self.source.log.warn("TTML-ID", f"the xml:id {quoted(name)} {found}", line)
        self.ids.add(name)

    def _error(self, place: Place, expected: str, found: str) -> SyntaxFormatError:
        line = place if isinstance(place, int) else line_of(place)
        return self.source.syntax_error(line, expected, found)

    def _enter(self, paragraph: _Element) -> _Container:
        """Close the containers that have ended, open those around the paragraph."""
        around: list[_Element] = []
        element = paragraph.getparent()
        if element is self.containers[-1].element:
            return self.containers[-1]
        while element is not None and element is not self.containers[0].element:
            around.append(element)
            element = element.getparent()
        around.reverse()
        same = 0
        for container, wanted in zip(self.containers[1:], around, strict=False):
            if container.element is not wanted:
                break
            same += 1
        while len(self.containers) > same + 1:
            gone = self.containers.pop()
            end = gone.latest if gone.span[1] is None else gone.span[1]
            self.containers[-1].close_child(end)
        self._check_ids(around[same:])
        for element in around[same:]:
            parent = self.containers[-1]
            reference = parent.before if parent.is_sequence else parent.span[0]
            span = self._span(element, parent.span, reference, [*map(element.get, TIMES)])
            self.containers.append(
                _Container(element, span, parent.marks.within(attributes(element), self.head))
            )
        return self.containers[-1]

    def _paragraphs(self, first: _Element, rows: Iterable[Row]) -> Iterator[Cue]:
        """The cues of a paragraph and of siblings after it, told by their attributes.

        What is in one is its element, or what is between its line breaks, where that is all.
        """
        parent = names = None
        for its_names, values, content, place in rows:
            if names is not its_names:
                names = its_names
                shape = self.shapes.get(names) or keep(self.shapes, names, shape_of(names), names)
            line = place if isinstance(place, int) else place.sourceline
            if shape.xml_id is not None and content is not first:
                self._check_id(values[shape.xml_id], line)
            try:
                parent = parent or self._enter(first)
                reference = parent.before if parent.is_sequence else parent.span[0]
                times = [None if at is None else values[at] for at in shape.times]
                span = self._span(place, parent.span, reference, times)
                start: int | None
                start, end = span
                properties: Properties = ()
                parent.close_child(end)
                if end is None:
                    self.source.log.warn("CUE-OPEN", "a cue without end", line)
                if self.has_new_start:
                    self.has_new_start = False
                    if start >= 3600 * SECOND:
                        message = f"time codes begin at {format_time(start)} s: --offset moves them"
                        self.source.log.note("TTML-SMPTE", message, line)
                if end is not None and end < start:
                    shown = f"{format_time(start)} to {format_time(end)}"
                    start, end, properties = checked_times(self.source, line, start, end, shown)
                said = tuple([values[at] for _, at in shape.others])
                told = parent.told.get((names, said)) or self._told(parent, names, shape, said)
                marks, marked, others = told
                if shape.id is not None and (own := " ".join(values[shape.id].split())):
                    properties = (*properties, ("id", own))
                runs = self.text.runs(content, marks, marked, span)
            except SyntaxFormatError as error:
                self.source.log.reject("TTML-SYNTAX", error)
                continue
            yield Cue(start, end, runs, line, properties + others, self.pieces)

    def _told(
        self,
        parent: _Container,
        names: tuple[str, ...],
        shape: ParagraphShape,
        said: tuple[str, ...],
    ) -> Told:
        """What the attributes of a paragraph tell other than times, as those of many do."""
        named = dict(zip([name for name, _ in shape.others], said, strict=True))
        marks = parent.marks.within(named, self.head)
        kept = [(name, " ".join(named.get(name, "").split())) for name in ("region", "style")]
        told = marks, marks.properties(self.language), tuple(pair for pair in kept if pair[1])
        return keep(parent.told, (names, said), told, names + said)


def _has_images(root: _Element) -> bool:
    return any(
        local_name(element) == "image" or "backgroundImage" in attributes(element)
        for element in root.iter()
    )


def sniff(head: FileHead) -> Sniff:
    """Sure if the root element is ``tt``."""
    return Sniff.SURE if head.shape == "xml" and head.root == "tt" else Sniff.NO


SPEC = cue_format(
    title="TTML subtitles: timed text in XML (EBU-TT-D, IMSC, DFXP)",
    sign="the root element tt",
    read=read,
    write=write,
    sniff=sniff,
    holds=TIMED_CUES,
    properties=("color", "id", "language", "lines", "role"),
    read_options=(
        Option("speaker_from", "agent", "what tells the speakers of ttml apart", SPEAKERS),
        Option("timed_spans", "words", "what timed spans of single words are", TIMED_SPANS),
    ),
    write_options=(decimals(), WORD_TIMES),
    manual="Paragraphs with begin, end, speaker and text; the words of one may have times.",
)
