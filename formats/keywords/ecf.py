"""ecf: the audio regions that a keyword search scores (experiment control file).

===============================  =======================================================
in the file                      in the schema
===============================  =======================================================
``excerpt``                      a `Segment` of kind ``scored``, without words
``audio_filename``               `Segment.recording`, without directories and audio suffix; if it
                                 has these, the full name is the property ``audio_filename``
``channel``, ``tbeg``, ``dur``   `Segment.channel`, `Segment.start`, `Segment.duration`
``source_type``                  the property ``source_type``
attributes of ``ecf``            properties of the transcript
===============================  =======================================================
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from formats.detection.spec import FormatSpec, Option, SegmentSource, decimals
from formats.io.messages import RULE_BARE_NAME, RULE_IN_REGIONS
from formats.io.sink import Sink
from formats.io.source import Source
from formats.keywords.elements import Shape, elements, nothing_there, number, one_of, whole_number
from formats.keywords.markup import attributes, channel_of, time_and_duration
from formats.keywords.model import SOURCE_TYPES, Ecf, Excerpt
from formats.reading.xml_document import line_of
from formats.schema.errors import SyntaxFormatError, quoted
from formats.schema.model import Segment
from formats.schema.times import nanoseconds
from formats.writing.out import Out

if TYPE_CHECKING:
    from lxml.etree import _Element

SHAPES = {
    "ecf": Shape("", ("source_signal_duration", "version", "language")),
    "excerpt": Shape(
        "ecf", ("audio_filename", "channel", "tbeg", "dur", "source_type"), is_record=True
    ),
}
HEADER = ("source_signal_duration", "language", "version")
AUDIO_ENDING = re.compile(
    r"\.(?:aac|aif|aiff|au|flac|m4a|mp3|mp4|ogg|opus|pcm|raw|sph|wav|wma)$", re.IGNORECASE
)


def stem(name: str) -> str:
    """Return the recording name that belongs to the name of an audio file."""
    base = name.rpartition("/")[2]
    return AUDIO_ENDING.sub("", base) or base


def file_of(out: Out, name: str) -> str:
    """Return the audio file of a segment: its property `name`, otherwise its recording.

    If the reader would derive another recording name from the file, this is counted as a loss.
    """
    named = out.segment.get(name)
    file = out.segment.recording if named is None else named
    if not stem(file):
        raise out.refuse("a recording named as a file can be named", quoted(file))
    is_other = int(stem(file) != out.segment.recording)
    out.lost("recordings", is_other, RULE_BARE_NAME)
    return file


def read_ecf(source: Source) -> Ecf:
    """Read the whole file and return it as one object."""
    header: dict[str, str] = {}
    excerpts = tuple(_excerpts(source, header))
    if not header:
        raise nothing_there(source, "ecf")
    return Ecf(excerpts, *(header[name] for name in HEADER))


def _excerpts(source: Source, header: dict[str, str]) -> Iterator[Excerpt]:
    for opens, element in elements(source, "ecf", SHAPES):
        if not opens:
            continue
        if element.tag == "ecf":
            number(source, element, "source_signal_duration")
            header.update({name: element.get(name, "") for name in HEADER})
            continue
        try:
            yield _excerpt(source, element)
        except SyntaxFormatError as error:
            source.log.reject("ECF-EXCERPT", error)


def _excerpt(source: Source, element: _Element) -> Excerpt:
    duration = number(source, element, "dur")
    if duration < 0:
        text = quoted(element.get("dur", ""))
        raise source.syntax_error(line_of(element), "a duration of 0 or more", text)
    return Excerpt(
        element.get("audio_filename", ""),
        whole_number(source, element, "channel"),
        number(source, element, "tbeg"),
        duration,
        one_of(source, element, "source_type", SOURCE_TYPES),
        line_of(element),
    )


def read(source: Source) -> Iterator[Segment]:
    """Yield one segment of kind ``scored`` per excerpt."""
    header: dict[str, str] = {}
    for excerpt in _excerpts(source, header):
        source.properties.update(header)
        recording = stem(excerpt.file)
        if not recording:
            raise source.syntax_error(excerpt.line, "the name of a file", '""')
        named = () if recording == excerpt.file else (("audio_filename", excerpt.file),)
        begin = nanoseconds(excerpt.begin)
        yield Segment(
            recording, (), channel=excerpt.channel, start_ns=begin,
            end_ns=begin + nanoseconds(excerpt.duration),
            properties=(*named, ("source_type", excerpt.source_type)), kind="scored",
            line=excerpt.line,
        )  # fmt: skip
    source.properties.update(header)


def write(
    segments: SegmentSource,
    sink: Sink,
    *,
    precision: int = 3,
    source_type: str = "cts",
    channel: str = "1",
) -> None:
    """Write the segments of kind ``scored`` as excerpts."""
    rows = []
    total = 0
    for segment in segments:
        if segment.kind != "scored":
            continue
        out = Out(segment, sink)
        begin, duration, length = time_and_duration(out, precision)
        total += length
        number_of_channel = channel_of(out, channel)
        file = file_of(out, "audio_filename")
        out.lost("words", len(segment.words), RULE_IN_REGIONS)
        kind = dict(segment.properties).get("source_type", source_type)
        if kind not in SOURCE_TYPES:
            raise out.refuse(f"a source type out of {', '.join(SOURCE_TYPES)}", quoted(kind))
        pairs = {
            "audio_filename": file,
            "channel": number_of_channel,
            "tbeg": begin,
            "dur": duration,
            "source_type": kind,
        }
        rows.append(f"<excerpt{attributes(pairs)}/>\n")
    properties = dict(segments.properties)
    header = {
        "source_signal_duration": properties.get("source_signal_duration", f"{total / 10**9:.3f}"),
        "language": properties.get("language", ""),
        "version": properties.get("version", "1"),
    }
    sink.write(f"<ecf{attributes(header)}>\n")
    for row in rows:
        sink.write(row)
    sink.write("</ecf>\n")


SPEC = FormatSpec(
    title="experiment control file of keyword search: which audio is scored",
    sign="the root element ecf",
    read=read,
    write=write,
    holds=("recordings", "channels", "segment times", "scored regions", "segment boundaries"),
    properties=("audio_filename", "source_type"),
    needs=("segment times",),
    write_options=(
        decimals(),
        Option(
            "source_type",
            "cts",
            "source type to write for segments that have none (ecf)",
            SOURCE_TYPES,
        ),
        Option("channel", "1", "channel to write for segments that have none (ecf, kwslist)"),
    ),
)
