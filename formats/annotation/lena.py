"""its: speakers' turns that the LENA recorder detected, in XML; the segments have no words.

==================================  ============================================================
in the file                         in the schema
==================================  ============================================================
``Segment`` of ``CHN``, ``CXN``,    a segment without words; ``spkr`` is the speaker; the same for
``FAN``, ``MAN`` …                  distant voices (``CHF`` …)
``Segment`` of ``NON``, ``TVN``,    an ``event`` with this name; the same for distant sounds and
                                    ``SIL``
``OLN``
``startTime="PT1.50S"``             seconds of the recording
``Recording`` after a pause         its times continue those of the recording before, without the
                                    pause; a note reports this
counts (``femaleAdultWordCnt`` …)   properties, as written
``fileName``                        `Segment.recording`
==================================  ============================================================
"""

import re
from collections.abc import Iterator
from functools import partial

from formats.annotation.messages import ITS_RECORDINGS
from formats.detection.spec import FormatSpec
from formats.io.source import Source, recording_of
from formats.reading.xml_document import (
    Element,
    line_of,
    local_name,
    required,
    stream_xml,
    xml_error,
)
from formats.schema.errors import quoted
from formats.schema.model import Segment
from formats.schema.times import parse_time

TIME = re.compile(r"PT?([0-9]{1,9}(?:\.[0-9]{1,9})?)S\Z")
SOUNDS = ("NO", "TV", "OL", "SI")
"""Prefixes of the names of sounds and of speech of several people."""
COUNT = re.compile(r"\w+(?:Cnt|Len)\Z")


def read(source: Source) -> Iterator[Segment]:
    """Yield one segment per ``Segment`` element, in the order of the file."""
    recordings = set()
    parent = None
    for element in stream_xml(source, ["ITS"], ["Segment"]):
        if local_name(element) != "Segment":
            source.recording = recording_of(element.get("fileName") or "") or source.recording
            continue
        if parent is None or parent is not element.getparent():
            parent = element.getparent()
            recording = next(element.iterancestors("Recording"), None)
            recordings.add(None if recording is None else recording.get("num"))
        read_segment = partial(_segment, source)
        yield from source.log.accepted("ITS-SEGMENT", read_segment, [element])
    if len(recordings) > 1:
        source.log.say(ITS_RECORDINGS, recordings=len(recordings))


def _segment(source: Source, element: Element) -> Iterator[Segment]:
    who = required(source, element, "spkr")
    times = []
    for name in ("startTime", "endTime"):
        text = element.get(name, "")
        match = TIME.match(text)
        if match is None:
            raise xml_error(source, element, f"a {name} such as PT1.50S", quoted(text))
        times.append(parse_time(match[1]))
    if times[1] < times[0]:
        expected = f"an endTime not before {element.get('startTime')}"
        raise xml_error(source, element, expected, quoted(element.get("endTime", "")))
    is_sound = who.startswith(SOUNDS)
    counts = [(name, text) for name, text in element.items() if COUNT.match(name)]
    yield Segment(
        source.recording, (who,) if is_sound else (), speaker=None if is_sound else who,
        start_ns=times[0], end_ns=times[1], properties=tuple(sorted(counts)),
        kind="event" if is_sound else "segment", line=line_of(element),
    )  # fmt: skip


SPEC = FormatSpec(
    title="diarisation of LENA: who speaks when, without words, in XML",
    sign="the root element ITS",
    read=read,
)
