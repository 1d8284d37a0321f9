"""Reader and writer of the `TextGrid` objects of the Python library ``textgrid``."""

from typing import Any

import textgrid

from formats.annotation.textgrid_parser import Grid, check_order, number_name
from formats.annotation.tier_layout import OutputTier, TierLayout, lay_out
from formats.annotation.tiers import Tier, TierLabel
from formats.detection.spec import SegmentSource
from formats.io.sink import Sink
from formats.io.source import Source
from formats.schema.times import SECOND, nanoseconds

POINT = "\t\t\t\ttime"


class _Seconds(float):
    """A number of seconds that prints with all its digits, without exponent or trailing zeros."""

    __slots__ = ("time",)
    time: int

    def __new__(cls, time: int) -> "_Seconds":
        seconds = super().__new__(cls, time / SECOND)
        seconds.time = time
        return seconds

    def __str__(self) -> str:
        whole, rest = divmod(self.time, SECOND)
        return f"{whole}.{rest:09d}".rstrip("0") if rest else f"{whole}"


class _Output:
    """A file object for the library. It writes to the sink; the library cannot close the sink."""

    def __init__(self, sink: Sink) -> None:
        self.sink = sink

    def write(self, text: str) -> None:
        """Write a line.

        The library (1.6.1) writes a wrong key for the time of a point; Praat's key replaces it.
        """
        if text.startswith(POINT):
            text = f"\t\t\t\tnumber{text[len(POINT) :]}"
        self.sink.write(text)

    def close(self) -> None:
        """Do nothing, because the caller closes the sink."""


def write(segments: SegmentSource, sink: Sink, *, precision: int = 9) -> None:
    """Write one TextGrid for one recording, in the long form.

    Without tiers, the TextGrid is empty and lasts 1 s.
    """
    layout = lay_out(segments, sink, precision=precision, has_points=True, has_participants=False)
    grid = _grid(layout, _Seconds)
    for tier in grid:  # textgrid 1.6.1 doubles the quotation marks of labels only
        tier.name = tier.name.replace('"', '""')
    grid.write(_Output(sink))


def to_grid(segments: SegmentSource, sink: Sink, *, precision: int = 9) -> Any:
    """Return a `TextGrid` object with the segments."""
    layout = lay_out(segments, sink, precision=precision, has_points=True, has_participants=False)
    return _grid(layout, lambda time: time / SECOND)


def _grid(layout: TierLayout, seconds: Any) -> Any:
    """Create a TextGrid of the library from tiers.

    `seconds` converts nanoseconds to the number type of its times.
    """
    end = layout.duration_ns or SECOND
    grid = textgrid.TextGrid(layout.recording, seconds(0), seconds(end))
    for tier in layout.tiers or [OutputTier("segments", None)]:
        kind = textgrid.PointTier if tier.is_points else textgrid.IntervalTier
        output = kind(tier.name, seconds(0), seconds(end))
        if tier.is_points:
            # `add` of textgrid 1.6.1 refuses two points of one time
            output.points = [textgrid.Point(seconds(row[0]), row[2]) for row in tier.labels]
        else:
            output.intervals = [
                _interval(seconds(begin), seconds(stop), text)
                for begin, stop, text in without_gaps(tier.labels, end)
            ]
        grid.append(output)
    return grid


def _interval(begin: float, end: float, text: str) -> Any:
    """Create an interval of the library.

    The library rejects an interval of length 0. The end of such an interval is therefore set after
    it was created.
    """
    if begin < end:
        return textgrid.Interval(begin, end, text)
    interval = textgrid.Interval(begin, begin + 1, text)
    interval.maxTime = end
    return interval


def without_gaps(labels: list[tuple[int, int, str]], end: int) -> list[tuple[int, int, str]]:
    """Return the labels of a tier, with an empty label in each gap up to `end`."""
    rows: list[tuple[int, int, str]] = []
    latest = 0
    for begin, stop, text in (*labels, (end, end, "")):
        if begin > latest:
            rows.append((latest, begin, ""))
        if text or stop > begin:
            rows.append((begin, stop, text))
        latest = stop
    return rows


def grid_of(source: Source, grid: Any) -> Grid:
    """Convert a `TextGrid` of the library to the `Grid` that the parser returns for a file."""
    tiers: list[Tier] = []
    used: dict[str, int] = {}
    for output in grid.tiers:
        is_points = hasattr(output, "points")
        tier = Tier(str(output.name or ""), is_points=is_points)
        number_name(source, tier, used)
        for label in output:
            times = (label.time,) * 2 if is_points else (label.minTime, label.maxTime)
            row = _label(source, tier.name, times, label.mark)
            if row is not None:
                tier.labels.append(row)
        if not is_points:
            check_order(source, tier)
        tiers.append(tier)
    ends = [label.end_ns or 0 for tier in tiers for label in tier.labels]
    end = nanoseconds(float(grid.maxTime)) if grid.maxTime else max(ends, default=0)
    return Grid(source.recording, end, tiers)


def _label(
    source: Source, name: str, times: tuple[float, float], mark: str | None
) -> TierLabel | None:
    """Return a label with its times; None if the times are rejected."""
    try:
        begin, end = (nanoseconds(float(time)) for time in times)
        if not 0 <= begin <= end:
            raise ValueError
    except ValueError:
        expected = f"times of 0 or more and in order in tier {name!r}"
        error = source.syntax_error(None, expected, f"{times[0]} to {times[1]}")
        source.log.reject("TEXTGRID-TIME", error)
        return None
    source.log.accept("TEXTGRID-TIME")
    return TierLabel(begin, end, "" if mark is None else str(mark), None)
