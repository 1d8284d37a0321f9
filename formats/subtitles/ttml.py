r"""TTML: timed text in XML, with EBU-TT-D, IMSC, DFXP and the drafts of 2006.

::

    <tt xmlns="http://www.w3.org/ns/ttml" xmlns:ttm="http://www.w3.org/ns/ttml#metadata">
      <head><metadata><ttm:agent xml:id="a1"><ttm:name>Anne</ttm:name></ttm:agent></metadata></head>
      <body><div><p begin="0.5s" end="2.25s" ttm:agent="a1">hello<br/>world</p></div></body>
    </tt>

====================================  =====================================================
in the file                           in the schema
====================================  =====================================================
a ``p`` without timed spans           a `Segment`; its times count from those of the enclosing
                                      elements, which may also have begins and ends, or be sequences
a ``span`` with times, of one word    the word's times, if every word has its own span with times
spans with times, of several words    a segment for each span; text outside spans belongs to the
                                      adjacent span
``ttm:agent``                         `Segment.speaker`: the agent's name, or its id
``tts:color``, own or by style        property ``color``; with ``speaker_from="color"``, the speaker
``ttm:role``, ``region``, ``style``   properties ``role``, ``region``, ``style``
``xml:id``                            property ``id``; a warning if it is not a valid or unique name
``xml:lang``                          in the root: property ``language`` of the file; a different
                                      language of a cue is a property of the segment
``br``                                a line break: a blank; lines are the property ``lines``
``tts:ruby="text"``                   property ``ruby``, not words
``{…}``, ``\N``                       words, like any other text
====================================  =====================================================

Elements and attributes are recognised by their local names, so that the BBC's files of 2006/10,
files without namespace and new files are read in the same way.

This package has its own parser and writer, because pysubs2 1.8.1 does not support frames, ticks,
timed spans and agents.
"""

import re
from collections.abc import Iterator
from itertools import takewhile

from formats.detection.spec import Option, decimals
from formats.io.source import Source
from formats.reading.frames import rate_text
from formats.reading.xml_document import Element, local_name, stream_xml, xml_error
from formats.schema.errors import SyntaxFormatError, quoted
from formats.schema.times import LARGEST, SECOND, format_time
from formats.subtitles.cue_reading import reads_cues
from formats.subtitles.cues import Cue, timed_cue
from formats.subtitles.messages import (
    CUE_CLASSES,
    TTML_ABSOLUTE,
    TTML_CLOCK,
    TTML_ID,
    TTML_ID_TWICE,
    TTML_NAMESPACE,
    TTML_OPEN,
    TTML_RATE,
    TTML_SMPTE,
    TTML_SMPTE_START,
    TTML_TEXT,
)
from formats.subtitles.segmentation import TIMED_CUES, WORD_TIMES, cue_format
from formats.subtitles.ttml_text import SILENT, Marks, TextReader, TtmlHead, attributes
from formats.subtitles.ttml_times import Clock, TimeSpan, span_within
from formats.subtitles.ttml_writer import write

SPEAKERS = ("agent", "color")
TIMED_SPANS = ("words", "segments")
NAMESPACE = "http://www.w3.org/ns/ttml"
APPLE = "http://music.apple.com/lyric-ttml-internal"
"""The namespace of Apple, whose players count times from the begin of the song, nested or not."""
XML_ID = "{http://www.w3.org/XML/1998/namespace}id"
ID = re.compile(r"[^\W\d][\w.-]*\Z")
TIMES = ("begin", "end", "dur")
RATES = ("Rate", "Multiplier")


@reads_cues
def read(
    source: Source, *, speaker_from: str = "agent", timed_spans: str = "words"
) -> Iterator[Cue]:
    """Yield one cue per paragraph, in the order of the file."""
    return _TtmlReader(source, speaker_from == "color", timed_spans).cues()


class _Container:
    """An open element with children: its times, and in a sequence the end of the last child."""

    def __init__(self, element: Element, span: TimeSpan, marks: Marks) -> None:
        self.element, self.span, self.marks = element, span, marks
        self.is_sequence = element.get("timeContainer") == "seq"
        self.before = self.latest = span[0]

    @property
    def reference(self) -> int:
        """The time in nanoseconds from which the next child's times count."""
        return self.before if self.is_sequence else self.span[0]

    def close_child(self, end: int | None) -> None:
        """Store the end of a child element."""
        if end is not None:
            self.before, self.latest = end, max(self.latest, end)


class _TtmlReader:
    """Reads the paragraphs in the order of the document, with the times of elements around them."""

    def __init__(self, source: Source, by_color: bool, pieces: str) -> None:
        self.source, self.by_color, self.pieces = source, by_color, pieces
        self.head = TtmlHead()
        self.ids: set[str] = set()
        self.starts: dict[str, set[int]] = {}
        """The starts of the paragraphs in each language."""

    def cues(self) -> Iterator[Cue]:
        """Yield the cues of the document."""
        texts = ("head", "p", *SILENT)
        elements = stream_xml(self.source, ("tt",), ("head", "p"), texts=texts, entry=TTML_TEXT)
        root = next(elements, None)
        if root is None:
            return
        self.begin(root)
        count = 0
        for element in elements:
            for inner in element.iter():
                self.check_id(inner)
            if local_name(element) == "head":
                self.head.read(element)
                continue
            count += 1
            try:
                yield self.cue(element)
            except SyntaxFormatError as error:
                self.source.log.reject("TTML-SYNTAX", error)
        self.say_languages()
        if not count and _has_images(root):
            raise xml_error(self.source, root, "subtitles of text", "images only: no text")

    def say_languages(self) -> None:
        """Warn if paragraphs of several languages have the same times."""
        first, *others = sorted(self.starts.values(), key=len, reverse=True) or [set()]
        if any(2 * len(first & other) > len(other) > 1 for other in others):
            names = ", ".join(self.starts)
            self.source.log.say(CUE_CLASSES, names=names, property="language")

    def begin(self, root: Element) -> None:
        named, line, log = attributes(root), root.sourceline, self.source.log
        try:
            self.clock = Clock(named)
        except ValueError as problem:
            rates = " ".join(f'{k}="{v}"' for k, v in named.items() if k.endswith(RATES))
            raise self.source.syntax_error(line, f"{problem}", rates) from None
        if self.clock.is_mended:
            written, rate = named["frameRateMultiplier"].strip(), self.clock.rate
            log.say(TTML_RATE, line, written=written, fps=rate_text(rate.above / rate.below))
        self.has_new_start = self.clock.time_base == "smpte"
        marks = Marks().within(named, self.head)
        if marks.language is not None:
            self.source.properties["language"] = marks.language
        if self.clock.time_base == "clock":
            log.say(TTML_CLOCK, line)
        elif self.clock.time_base == "smpte" and named.get("markerMode") == "discontinuous":
            log.say(TTML_SMPTE, line)
        self.is_absolute = APPLE in root.nsmap.values()
        if self.is_absolute:
            log.say(TTML_ABSOLUTE, line)
        self.check_id(root)
        namespace = str(root.tag).rpartition("}")[0].lstrip("{")
        if namespace != NAMESPACE:
            name = quoted(namespace) if namespace else "none"
            log.say(TTML_NAMESPACE, line, name=name)
        self.containers = [_Container(root, (0, None), marks)]
        self.text = TextReader(self.head, marks.language, self.by_color, self.span_of_text)

    def check_id(self, element: Element) -> None:
        """Warn about an identifier that XML does not allow; the reader does not use identifiers."""
        name = element.get(XML_ID)
        if name is not None and (name in self.ids or ID.match(name) is None):
            fault = TTML_ID_TWICE if name in self.ids else TTML_ID
            self.source.log.say(fault, element.sourceline, name=name)
        if name is not None:
            self.ids.add(name)

    def span_of_text(self, element: Element, outer: TimeSpan) -> TimeSpan | None:
        if all(element.get(name) is None for name in TIMES):
            return None
        return self.span(element, outer, outer[0])

    def span(self, element: Element, outer: TimeSpan, reference: int) -> TimeSpan:
        """Return the absolute times of an element, given the times of its container."""
        times: list[int | None] = []
        for name in TIMES:
            text = element.get(name)
            try:
                times.append(None if text is None else self.clock.parse(text))
            except ValueError:
                expected = f"{name} as hh:mm:ss.fff, hh:mm:ss:ff or a number with h, m, s, ms, f, t"
                if (text or "").strip().startswith("-"):
                    expected = f"{name} of 0 or more"
                raise xml_error(self.source, element, expected, quoted(text or "")) from None
        first, last, length = times
        if self.is_absolute:
            reference, first = 0, outer[0] if first is None else first
        span = span_within(outer, reference, first, last, length)
        if span[0] > LARGEST or (span[1] or 0) > LARGEST:
            raise xml_error(self.source, element, "times of at most 292 years", "a sum beyond")
        return span

    def enter(self, paragraph: Element) -> _Container:
        """Open the containers of a paragraph, and close those that have ended.

        Return the innermost container.
        """
        root = self.containers[0].element
        around = [element for element in paragraph.iterancestors() if element is not root][::-1]
        pairs = zip(self.containers[1:], around, strict=False)
        same = sum(1 for _ in takewhile(lambda pair: pair[0].element is pair[1], pairs))
        while len(self.containers) > same + 1:
            closed = self.containers.pop()
            end = closed.latest if closed.span[1] is None else closed.span[1]
            self.containers[-1].close_child(end)
        for element in around[same:]:
            self.check_id(element)
            parent = self.containers[-1]
            span = self.span(element, parent.span, parent.reference)
            marks = parent.marks.within(attributes(element), self.head)
            self.containers.append(_Container(element, span, marks))
        return self.containers[-1]

    def cue(self, element: Element) -> Cue:
        """Return the cue of a paragraph."""
        line, log, named = element.sourceline, self.source.log, attributes(element)
        parent = self.enter(element)
        span = self.span(element, parent.span, parent.reference)
        parent.close_child(span[1])
        if span[1] is None:
            log.say(TTML_OPEN, line)
        if self.has_new_start:
            self.has_new_start = False
            if span[0] >= 3600 * SECOND:
                log.say(TTML_SMPTE_START, line, seconds=format_time(span[0]))
        shown = f"{format_time(span[0])} to {format_time(span[1] or 0)}"
        cue = timed_cue(self.source, line, *span, shown)
        properties = tuple(
            (name, text)
            for name in ("id", "region", "style")
            if (text := " ".join(named.get(name, "").split()))
        )
        marks = parent.marks.within(named, self.head)
        self.starts.setdefault(marks.language or "", set()).add(span[0])
        runs = self.text.runs(element, marks, span)
        return cue._replace(runs=runs, properties=cue.properties + properties, pieces=self.pieces)


def _has_images(root: Element) -> bool:
    return any(
        local_name(element) == "image" or "backgroundImage" in attributes(element)
        for element in root.iter()
    )


SPEC = cue_format(
    title="TTML subtitles: timed text in XML (EBU-TT-D, IMSC, DFXP)",
    sign="the root element tt",
    read=read,
    write=write,
    holds=TIMED_CUES,
    properties=("color", "id", "language", "lines", "role"),
    read_options=(
        Option(
            "speaker_from",
            "agent",
            "source of the speakers: agent, or color (the colour of the text)",
            SPEAKERS,
        ),
        Option(
            "timed_spans",
            "words",
            "read timed spans of single words as words, or as segments (ttml)",
            TIMED_SPANS,
        ),
    ),
    write_options=(decimals(), WORD_TIMES),
)
