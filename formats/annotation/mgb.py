"""mgb: XML transcripts of the MGB challenges: TV programmes aligned with their subtitles.

======================================  ======================================================
in the file                             in the schema
======================================  ======================================================
``segment`` with its ``id``             `Segment.utterance`; the recording is the part of the id
                                        before ``_utt_``
``starttime``, ``endtime``              times in seconds; start 0 with end 0 means unknown
``who``                                 `Segment.speaker`
``element`` of type ``word``            a word, with times if present
``element`` ``#…``                      an ``event``; a segment with no other elements is
                                        ``ignored``
``WMER``, ``PMER``, ``AWD``             properties ``wmer``, ``pmer``, ``awd`` if they are numbers
======================================  ======================================================

If there are several lists of segments, the reader takes the one with ``align`` in its
``annotation_id``, or the first. The format is detected by the attribute ``WMER``; older files need
``--from mgb``.
"""

from collections.abc import Iterator
from functools import partial

from formats.annotation.messages import MGB_LISTS
from formats.detection.spec import FormatSpec, Option
from formats.io.source import Source
from formats.reading.lines import split_words
from formats.reading.xml_document import Element, line_of, parse_xml, xml_span
from formats.schema.errors import OptionError, quoted
from formats.schema.model import Segment
from formats.schema.times import is_time
from formats.schema.words import Token

RATES = (("AWD", "awd"), ("PMER", "pmer"), ("WMER", "wmer"))
NO_RATE = 999


def read(source: Source, *, annotation: str = "") -> Iterator[Segment]:
    """Yield one segment per ``segment`` element, followed by the events in this element."""
    root = parse_xml(source, ["transcript"])
    if root is None:
        return
    lists = {element.get("annotation_id") or "": element for element in root.iter("segments")}
    chosen = annotation or next((name for name in lists if "align" in name), next(iter(lists), ""))
    if chosen not in lists:
        found = quoted(annotation) if annotation else "none"
        there = ", ".join(map(quoted, lists)) or "of segments"
        raise OptionError(path=source.name, expected=f"a list {there}", found=found)
    others = [name for name in lists if name != chosen]
    if others and not annotation:
        source.log.say(MGB_LISTS, name=chosen, others=others)
    elements = lists[chosen].iter("segment")
    yield from source.log.accepted("MGB-SEGMENT", partial(_element_segments, source), elements)


def _element_segments(source: Source, element: Element) -> Iterator[Segment]:
    start, end = _span(source, element)
    name = element.get("id") or None
    tokens: list[Token] = []
    events: list[Token] = []
    for part in element.iter("element"):
        texts = split_words((part.text or "").replace("\n", " "))
        span = _span(source, part) if texts else (None, None)
        for text in texts:
            (events if text.startswith("#") else tokens).append(Token(text, *span))
    recording, mark, _ = (name or "").partition("_utt_")
    plain = Segment(
        recording if mark else source.recording, speaker=element.get("who") or None,
        utterance=name, start_ns=start, end_ns=end, line=line_of(element),
    )  # fmt: skip
    rates = [(shown, text) for rate, shown in RATES if _is_rate(text := element.get(rate, ""))]
    kind = "ignored" if events and not tokens else "segment"
    yield plain.with_items(tokens).replace(properties=tuple(rates), kind=kind)
    for event in events:
        times = {"start_ns": event.start_ns, "end_ns": event.end_ns}
        yield plain.replace(words=(event.text,), kind="event", **times)


def _is_rate(text: str) -> bool:
    """Return True if the text is a number other than the placeholder for an unknown rate."""
    return is_time(text) and float(text) != NO_RATE


def _span(source: Source, element: Element) -> tuple[int | None, int | None]:
    """Return start and end of an element; both are `None` if one is missing or the end is 0."""
    start, end = xml_span(source, element, "starttime", "endtime")
    return (start, end) if start is not None and end else (None, None)


SPEC = FormatSpec(
    title="transcripts of the MGB challenges: segments of broadcasts in XML",
    sign="the root element transcript",
    read=read,
    read_options=(
        Option("annotation", "", "in mgb files, read the list of segments with this annotation_id"),
    ),
)
