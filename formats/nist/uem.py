"""uem: the regions to score, ``recording channel begin end``, one per line.

Times are decimal seconds; comments begin with ``;`` or ``#``; additional fields are not read. Each
line gives a `Segment` of kind ``scored`` without words.

md-eval differs from this reader. It removes the directory and then the *first* suffix of a name
(``a.b.wav`` becomes ``a.wav``); this reader removes the directory and a known audio suffix at the
end. It deletes commas from times (``1,5`` becomes 15); here, a comma is an error.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from formats.detection.spec import FormatSpec, Option, SegmentSource, Sniff, decimals
from formats.io.messages import RULE_BARE_NAME, RULE_DROPPED, RULE_IN_REGIONS
from formats.io.source import Source
from formats.nist.messages import (
    RULE_SORTED_CHANNEL,
    RULE_UNITED,
    UEM_FIELDS,
    UEM_MERGED,
    UEM_NAME,
    UEM_OVERLAP,
)
from formats.reading.lines import Line, data_lines, is_header, split_fields, strip_blanks
from formats.schema.model import Segment
from formats.schema.times import format_time, parse_time
from formats.writing.out import Out

if TYPE_CHECKING:
    from formats.io.sink import Sink

AUDIO_ENDINGS = (".wav", ".sph", ".flac", ".mp3", ".ogg", ".aif", ".aiff", ".au", ".raw", ".m4a")


class UemLine(NamedTuple):
    """One line of a UEM file; times are in nanoseconds."""

    recording: str
    channel: str
    start: int
    end: int
    line: int


def read(source: Source, *, uem_merge: bool = False) -> Iterator[Segment]:
    """Yield one region per line, sorted by start within a recording and channel."""
    groups: dict[tuple[str, str], list[UemLine]] = {}
    for region in source.log.accepted("UEM-SYNTAX", _region, data_lines(source, (";", "#"))):
        groups.setdefault(region[:2], []).append(region)
    for regions in groups.values():
        for region in _apart(source, regions, uem_merge):
            yield Segment(
                region.recording,
                channel=region.channel,
                start_ns=region.start,
                end_ns=region.end,
                kind="scored",
                line=region.line,
            )


def _region(line: Line) -> Iterator[UemLine]:
    fields = line.fields(4, "recording, channel, begin and end")
    if len(fields) > 4:
        line.say(UEM_FIELDS, 4, text=" ".join(fields[4:]))
    start, end = line.time(2, "begin time"), line.time(3, "end time")
    if end <= start:
        raise line.error(3, f"an end time after {fields[2]}")
    name, stem = fields[0], _stem(fields[0])
    if stem != name:
        line.say(UEM_NAME, name=name, recording=stem)
    yield UemLine(stem, fields[1], start, end, line.number)


def _stem(name: str) -> str:
    """Remove the folders and the audio suffix from a file name."""
    stem = name.rsplit("/", 1)[-1]
    if stem.lower().endswith(AUDIO_ENDINGS):
        stem = stem.rpartition(".")[0]
    return stem or name


def _apart(source: Source, regions: list[UemLine], merge: bool) -> Iterator[UemLine]:
    """Yield the regions sorted by start; merge or reject regions that overlap."""
    regions.sort(key=itemgetter(2, 4))
    last = regions[0]
    for region in regions[1:]:
        if region.start >= last.end:
            yield last
            last = region
        elif merge:
            source.log.say(UEM_MERGED, region.line, first=last.line)
            last = last._replace(end=max(last.end, region.end))
        else:
            error = source.error_of(UEM_OVERLAP, region.line, before=last.line)
            source.log.reject("UEM-OVERLAP", error)
    yield last


def write(segments: SegmentSource, sink: Sink, *, precision: int = 3) -> None:
    """Write the regions to score, sorted by recording and channel (bytes), then by begin."""
    regions: list[tuple[str, str, int, int]] = []
    names: dict[str, str] = {}  # two names may be read as one recording
    for segment in segments:
        out = Out(segment, sink)
        recording = out.name(segment.recording, "recording")
        channel = out.name(segment.channel, "channel")
        start, end = out.round(precision, segment.start_ns or 0, segment.end_ns or 0)
        out.lost("words", len(segment.words), RULE_IN_REGIONS)
        if _stem(recording) != recording:
            out.lost("recordings", rule=RULE_BARE_NAME)
        if end <= start or recording[0] in ";#":
            reason = "empty regions" if end <= start else "recordings whose names begin like "
            "a comment"
            out.lost(reason, rule=RULE_DROPPED)
            continue
        regions.append((names.setdefault(_stem(recording), recording), channel, start, end))
    rule = RULE_SORTED_CHANNEL
    ordered = sink.losses.in_order(regions, lambda region: region, rule, segments.source)
    for key, group in groupby(ordered, itemgetter(0, 1)):
        for start, end in _united([region[2:] for region in group], sink):
            times = f"{format_time(start, precision)} {format_time(end, precision)}"
            sink.write(f"{' '.join(key)} {times}\n")


def _united(regions: list[tuple[int, int]], sink: Sink) -> Iterator[tuple[int, int]]:
    """Yield the regions; join regions that overlap, because the format allows no overlap."""
    start, end = regions[0]
    for begin, stop in regions[1:]:
        if begin < end:
            sink.losses.add("overlapping regions", 1, RULE_UNITED, sink.source)
            end = max(end, stop)
        else:
            yield start, end
            start, end = begin, stop
    yield start, end


def sniff(lines: Sequence[str]) -> Sniff:
    """Return `SURE` if 90 % of the records have four fields, with begin and end in order."""
    records = [split_fields(x) for x in lines if strip_blanks(x) and x[0] not in ";#"]
    if not records or is_header(next(filter(strip_blanks, lines))):
        return Sniff.NO
    fitting = [r for r in records if len(r) == 4 and _are_times_in_order(r[2], r[3])]
    if len(fitting) < 0.9 * len(records):
        return Sniff.NO
    return Sniff.SURE if all(_is_channel(r[1]) for r in fitting) else Sniff.MAYBE


def _is_channel(text: str) -> bool:
    return text.isdecimal() or len(text) == 1 or text.lower().startswith("ch")


def _are_times_in_order(begin: str, end: str) -> bool:
    try:
        return 0 <= parse_time(begin) < parse_time(end)
    except ValueError:
        return False


SPEC = FormatSpec(
    title="NIST regions to be scored",
    sign="lines of file, channel, begin, end",
    read=read,
    write=write,
    sniff=sniff,
    holds=("recordings", "channels", "segment times", "scored regions", "segment boundaries"),
    needs=("recordings", "channels", "segment times"),
    read_options=(
        Option("uem_merge", False, "merge overlapping regions (uem) (default: stop with an error)"),
    ),
    write_options=(decimals(),),
    has_plain_names=True,
)
