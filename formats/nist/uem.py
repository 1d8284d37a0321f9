"""uem: the regions to be scored, ``recording channel begin end``, one per line.

Times are decimal seconds; comments begin with ``;`` or ``#``; further fields are not read. Each
line is a `Segment` of kind ``scored`` without words.

Where md-eval differs: it removes the directory and then the *first* part of the name that begins
with a point (``a.b.wav`` becomes ``a.wav``), we the directory and one known ending of audio files;
it deletes commas from times (``1,5`` becomes 15), which are errors here.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import chain, groupby
from operator import itemgetter, lt

from formats.columns import cutter, read_in_bulk
from formats.errors import SyntaxFormatError, quoted
from formats.fields import RoundedTimes, field_count_error, field_error, written_name
from formats.lines import column_of_field, read_time, records_of, split_fields, strip_blanks
from formats.model import Segment
from formats.spec import FormatSpec, Option, Sniff, decimals
from formats.times import format_time, parse_time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any, TypeAlias

    from formats.sink import Sink
    from formats.source import Source
    from formats.spec import SegmentSource

    Columns: TypeAlias = "tuple[Iterable[Any], ...]"
    Row: TypeAlias = "tuple[int, int, int]"

__all__ = ["SPEC", "read", "sniff", "write"]

AUDIO_ENDINGS = (".wav", ".sph", ".flac", ".mp3", ".ogg", ".aif", ".aiff", ".au", ".raw", ".m4a")


def read(source: Source, *, uem_merge: bool = False) -> Iterator[Segment]:
    """One region per line, sorted by begin within a recording and channel.

    Parameters
    ----------
    uem_merge: unite regions that overlap, instead of refusing them.
    """
    cut = cutter(";#").cut

    def at_once(first: int, text: str) -> Iterable[Columns] | None:
        columns = cut(text, "sstt")
        if columns is None or not all(map(lt, columns[2], columns[3])):
            return None
        names = "\n".join(columns[0])
        # a name that is not its own stem has one of these
        if ("/" in names or "." in names) and any(_stem(x) != x for x in set(columns[0])):
            return None
        return [(*columns, range(first, first + len(columns[0])))]

    def one_by_one(first: int, lines: list[str]) -> Iterator[Columns]:
        for number, line in records_of(source, first, lines, (";", "#")):
            try:
                recording, channel, start, end = _read_line(source, number, line)
                yield [recording], [channel], [start], [end], [number]
            except SyntaxFormatError as error:
                source.log.reject("UEM-SYNTAX", error)

    pieces = list(read_in_bulk(source, at_once, one_by_one))
    if not pieces:
        return
    recordings, channels, starts, ends, lines = map(
        list, map(chain.from_iterable, zip(*pieces, strict=True))
    )
    places = list(zip(recordings, channels, strict=True))
    groups: defaultdict[tuple[str, str], list[Row]] = defaultdict(list)
    for place, *row in zip(places, starts, ends, lines, strict=True):
        groups[place].append(tuple(row))
    for (recording, channel), rows in groups.items():
        for start, end, number in _apart(source, rows, uem_merge):
            yield Segment(
                recording,
                channel=channel,
                start_ns=start,
                end_ns=end,
                kind="scored",
                line=number,
            )


def _read_line(source: Source, number: int, line: str) -> tuple[str, str, int, int]:
    fields = split_fields(line)
    if len(fields) < 4:
        expected = "recording, channel, begin and end"
        raise field_count_error(source, number, line, len(fields), 4, expected)
    if len(fields) > 4:
        source.log.note(
            "UEM-FIELDS",
            f"not read: {quoted(' '.join(fields[4:]))} after the end time",
            number,
            column_of_field(line, 4),
        )
    start = read_time(source, number, line, 2, fields[2], "begin time")
    end = read_time(source, number, line, 3, fields[3], "end time")
    if end <= start:
        raise field_error(source, number, line, 3, f"an end time after {fields[2]}", fields[3])
    return _recording(source, number, fields[0]), fields[1], start, end


def _recording(source: Source, number: int, name: str) -> str:
    """The recording a file name means: no directory, no ending of audio files."""
    stem = _stem(name)
    if stem != name:
        message = f"{quoted(name)} is taken for the recording {quoted(stem)}"
        source.log.note("UEM-NAME", message, number)
    return stem


def _stem(name: str) -> str:
    stem = name.rsplit("/", 1)[-1]
    if stem.lower().endswith(AUDIO_ENDINGS):
        stem = stem.rpartition(".")[0]
    return stem or name


def _apart(source: Source, rows: list[Row], merge: bool) -> Iterator[Row]:
    """Regions sorted by begin, none of them overlapping another."""
    rows.sort(key=itemgetter(0, 2))
    held: Row | None = None
    for row in rows:
        if held is not None and row[0] < held[1]:
            if not merge:
                error = source.syntax_error(
                    row[2],
                    "regions that do not overlap",
                    f"an overlap with line {held[2]} (--uem-merge unites them)",
                )
                source.log.reject("UEM-OVERLAP", error)
                continue
            source.log.note("UEM-MERGED", f"united with the region of line {held[2]}", row[2])
            held = held[0], max(held[1], row[1]), held[2]
            continue
        if held is not None:
            yield held
        held = row
    if held is not None:
        yield held


def write(segments: SegmentSource, sink: Sink, *, precision: int = 3) -> None:
    """Write the regions to be scored, sorted by recording and channel as bytes, then by begin.

    Parameters
    ----------
    precision: decimals of the times, 0 to 9; times that need more are counted lost.
    """
    path = segments.source
    times = RoundedTimes(sink, path, precision)
    regions: list[tuple[str, str, int, int]] = []
    names: dict[str, str] = {}  # two names may be read as one recording
    for segment in segments:
        line = segment.line
        recording = written_name(segment.recording, "recording", path, line)
        channel = written_name(segment.channel, "channel", path, line)
        start = times.round(segment.start_ns or 0, line)
        end = times.round(segment.end_ns or 0, line)
        sink.losses.add("words", len(segment.words), "in regions", path, line)
        if _stem(recording) != recording:
            sink.losses.add("recordings", 1, "read without directory and ending", path, line)
        if end <= start or recording[0] in ";#":
            what = "empty regions" if end <= start else "recordings that begin a comment"
            sink.losses.add(what, 1, "left out", path, line)
            continue
        regions.append((names.setdefault(_stem(recording), recording), channel, start, end))
    rule = "by recording, channel and begin"
    ordered = sink.losses.in_order(regions, lambda region: region, rule, path)
    for key, group in groupby(ordered, itemgetter(0, 1)):
        head = " ".join(key)
        for start, end in _united([region[2:] for region in group], sink, path):
            period = f"{format_time(start, precision)} {format_time(end, precision)}"
            sink.write(f"{head} {period}\n")


def _united(
    regions: list[tuple[int, int]], sink: Sink, path: str | None
) -> Iterator[tuple[int, int]]:
    """Regions that do not overlap, which the format cannot say."""
    start, end = regions[0]
    for begin, stop in regions[1:]:
        if begin < end:
            sink.losses.add("overlapping regions", 1, "united", path)
            end = max(end, stop)
        else:
            yield start, end
            start, end = begin, stop
    yield start, end


def sniff(lines: Sequence[str]) -> Sniff:
    """Sure if at least 90 % of the records have exactly four fields, the last two times in order.

    Only maybe if the second field is not short enough for a channel: Kaldi's ``segments`` has
    recordings there.
    """
    records = [split_fields(x) for x in lines if strip_blanks(x) and x[0] not in ";#"]
    if not records:
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
    read_options=(Option("uem_merge", False, "unite regions that overlap", (False, True)),),
    write_options=(decimals(),),
    has_plain_names=True,
    manual="One region per line: recording, channel, begin, end.",
)
