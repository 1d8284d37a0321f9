"""kaldi-segments: times of utterances, ``utterance recording start end [channel]``, no words.

Times are decimal seconds. An end of ``-1`` means the end of the recording and becomes `None`. Each
line gives a `Segment` without words; the format ``kaldi`` reads words and times together.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import count, repeat
from operator import sub

from formats.detection.spec import FormatSpec, SegmentSource, Sniff, decimals
from formats.io.messages import RULE_SORTED_ID
from formats.io.sink import Sink
from formats.io.source import Source
from formats.kaldi.tables import SHORTEST, read_place, written_times
from formats.reading.lines import Line, SeenIds, cutter, read_in_bulk, split_fields, strip_blanks
from formats.schema.errors import quoted
from formats.schema.model import Segment
from formats.schema.times import parse_time
from formats.writing.out import Out


def read(source: Source) -> Iterator[Segment]:
    """Yield one segment per line, in the order of the file."""
    seen = SeenIds()
    cut = cutter("")

    def read_columns(first: int, text: str) -> list[Segment] | None:
        columns = cut(text, "sstt") or cut(text, "sstts")
        if columns is None:
            return None
        ids, recordings, starts, ends, *channels = columns
        if min(map(sub, ends, starts)) < SHORTEST or not seen.all_new(ids, first):
            return None
        channel_column = channels[0] if channels else repeat(None)
        rows = zip(recordings, channel_column, ids, starts, ends, count(first), strict=False)
        return [
            Segment(name, channel=channel, utterance=id_, start_ns=start, end_ns=end, line=line)
            for name, channel, id_, start, end, line in rows
        ]

    def read_line(line: Line) -> Iterator[Segment]:
        utterance, place = read_place(line)
        if not seen.all_new([utterance], line.number):
            found = f"{quoted(utterance)}, which line {seen.lines[utterance]} has"
            raise source.syntax_error(line.number, "a unique id", found, column=1)
        yield Segment(
            place.recording,
            channel=place.channel,
            utterance=utterance,
            start_ns=place.start_ns,
            end_ns=place.end_ns,
            line=line.number,
        )

    def read_lines(first: int, lines: list[str]) -> Iterator[Segment]:
        records = (Line(source, n, x) for n, x in enumerate(lines, first) if strip_blanks(x))
        return source.log.accepted("KALDI-SEGMENTS", read_line, records)

    return read_in_bulk(source, read_columns, read_lines)


def write(segments: SegmentSource, sink: Sink, *, precision: int = 3) -> None:
    """Write one line per segment, sorted by the bytes of the utterance id."""
    lines: dict[str, str] = {}
    for segment in segments:
        out = Out(segment, sink)
        utterance = out.name(segment.utterance, "utterance id")
        recording = out.name(segment.recording, "recording")
        if utterance in lines:
            raise out.refuse("a unique utterance id", quoted(utterance))
        channel = "" if segment.channel is None else f" {out.name(segment.channel, 'channel')}"
        lines[utterance] = f"{utterance} {recording} {written_times(out, precision)}{channel}\n"
    for utterance in sink.losses.in_order(list(lines), str, RULE_SORTED_ID, sink.source):
        sink.write(lines[utterance])


CHANNEL = re.compile(r"[AB0-9]|(?i:ch)[a-z]{0,5}[0-9]{1,2}")


def sniff(lines: Sequence[str]) -> Sniff:
    """Return `MAYBE` if every line has 4 or 5 fields, and the third and fourth are times.

    Return `SURE` if every line also has a fifth field that is a channel, not a word as in ctm.
    """
    records = [split_fields(x) for x in lines if strip_blanks(x)]
    if not records or len({r[0] for r in records}) < len(records):
        return Sniff.NO
    fitting = all(
        4 <= len(r) <= 5 and len(r[1]) > 1 and not r[1].isdecimal() and _are_times(r[2], r[3])
        for r in records
    )
    if not fitting:
        return Sniff.NO
    has_channels = all(len(r) == 5 and CHANNEL.fullmatch(r[4]) for r in records)
    return Sniff.SURE if has_channels else Sniff.MAYBE


def _are_times(start: str, end: str) -> bool:
    try:
        first, last = parse_time(start), parse_time(end)
    except ValueError:
        return False
    return 0 <= first < last or last == -1_000_000_000


SPEC = FormatSpec(
    title="Kaldi's segments: where utterances are, without words",
    sign="lines of id, recording, begin, end",
    read=read,
    write=write,
    sniff=sniff,
    holds="recordings, channels, utterance ids, segment times, empty segments, segment boundaries",
    needs=("recordings", "utterance ids"),
    write_options=(decimals(),),
    has_plain_names=True,
)
