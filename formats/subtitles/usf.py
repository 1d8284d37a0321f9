"""usf, ttxt: XML subtitles of the Universal Subtitle Format (usf) and of GPAC's MP4Box (ttxt).

======================================  =========================================================
in the file                             in the schema
======================================  =========================================================
``<subtitle start="…" stop="…">``       usf: a `Segment`; ``duration`` may replace ``stop``
``<text>hello<br/>world</text>``        words; line breaks are the property ``lines``
``<karaoke>``                           words; their times are dropped
``<language code="eng">``               property ``language`` of the file
``<TextSample sampleTime="…">``         ttxt: a `Segment` up to the next sample, with the text
                                        inside it or in its attribute ``text``; a sample without
                                        text ends the previous one
styles, images, comments                dropped
======================================  =========================================================
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from formats.detection.spec import FormatSpec, Sniff
from formats.io.source import Source
from formats.reading.lines import strip_blanks
from formats.reading.xml_document import (
    Element,
    line_of,
    local_name,
    required,
    stream_xml,
    xml_error,
)
from formats.schema.errors import quoted
from formats.schema.times import parse_clock, parse_time
from formats.subtitles.cue_reading import READ_OPTIONS, reads_cues
from formats.subtitles.cues import Cue, Run, timed_cue, until_next

SHOWN = ("text", "karaoke")


@reads_cues
def read_usf(source: Source) -> Iterator[Cue]:
    """Yield one cue per subtitle."""
    elements = stream_xml(source, ["USFSubtitles"], ["subtitle", "language"])
    return source.log.accepted("USF", partial(_subtitle, source), elements)


def _subtitle(source: Source, element: Element) -> Iterator[Cue]:
    name = local_name(element)
    if name == "language" and element.get("code"):
        source.properties["language"] = str(element.get("code"))
    if name != "subtitle":
        return
    start = _time(source, element, "start")
    has_stop = element.get("stop") is not None
    end = _time(source, element, "stop" if has_stop else "duration")
    if not has_stop:
        end += start
    texts = [_text(child) for child in element if local_name(child) in SHOWN]
    shown = f"{element.get('start')} - {element.get('stop') or element.get('duration')}"
    text = "\n".join(filter(strip_blanks, texts))
    yield timed_cue(source, line_of(element), start, end, shown, text)


def _time(source: Source, element: Element, name: str) -> int:
    text = required(source, element, name).strip()
    try:
        time = parse_clock(text) if ":" in text else parse_time(text)
    except ValueError:
        time = -1
    if time < 0:
        raise xml_error(source, element, f"a {name} in hh:mm:ss.mmm or seconds", quoted(text))
    return time


def _text(element: Element) -> str:
    """Return the text of an element. Line ends become blanks; ``<br/>`` becomes a line end."""
    pieces = [(element.text or "").replace("\n", " ")]
    for child in element:
        name = local_name(child)
        if name == "br":
            pieces.append("\n")
        elif name and name != "image":
            pieces.append(_text(child))
        pieces.append((child.tail or "").replace("\n", " "))
    return "".join(pieces)


@reads_cues
def read_ttxt(source: Source) -> Iterator[Cue]:
    """Yield one cue per sample with text."""
    elements = stream_xml(source, ["TextStream"], ["TextSample"])
    marks = list(source.log.accepted("TTXT", partial(_sample, source), elements))
    marks.sort(key=lambda mark: mark[0])
    yield from until_next(source, marks)


def _sample(source: Source, element: Element) -> Iterator[tuple[int, Cue | None]]:
    if local_name(element) != "TextSample":
        return
    start = _time(source, element, "sampleTime")
    pieces = [element.text or "", *(child.tail or "" for child in element)]
    text = "".join(pieces)
    if not strip_blanks(text.replace("\n", " ")):
        text = element.get("text") or ""
    has_text = bool(strip_blanks(text.replace("\n", " ")))
    yield start, Cue(start, None, (Run(text),), line_of(element)) if has_text else None


def _spec(title: str, sign: str, read: Any) -> FormatSpec:
    return FormatSpec(
        title=title,
        sign=sign,
        read=read,
        sniff=lambda head: Sniff.NO,
        has_one_recording=True,
        properties=("lines",),
        read_options=READ_OPTIONS,
    )


USF_SPEC = _spec(
    "Universal Subtitle Format: subtitles in XML", "the root element USFSubtitles", read_usf
)
TTXT_SPEC = _spec(
    "timed text of GPAC's MP4Box (3GPP): samples in XML, each up to the next",
    "the root element TextStream",
    read_ttxt,
)
