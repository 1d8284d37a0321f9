"""Writing TextGrids with the library ``textgrid``, mended where it would spoil the file.

=========================================================  ================================
the library (1.6.1)                                        here
=========================================================  ================================
does not double quotation marks in the names of tiers      names are given to it doubled
writes floats with ``str``: ``1e-05``, which Praat reads,  times are whole nanoseconds that
but other programs do not                                  print as decimals
calls the time of a point ``time``, which praatio refuses  written as ``number``, as Praat
                                                           itself does
raises `ValueError` without tiers, or with an end of 0     one empty tier, of one second
closes the file it was given                               it gets a file that passes on
checks and sorts interval by interval                      gets finished lists
=========================================================  ================================
"""

from __future__ import annotations

from typing import Any

from formats.annotation.tier_layout import OutputTier, lay_out
from formats.sink import Sink
from formats.spec import SegmentSource
from formats.times import SECOND

POINT_TIME = "\t\t\t\ttime = "
PIECES = 4096


class _Time(int):
    """Nanoseconds that print as seconds, without needless zeros and never with an exponent."""

    __slots__ = ()

    def __str__(self) -> str:
        whole, rest = divmod(int(self), SECOND)
        return f"{whole}.{rest:09d}".rstrip("0") if rest else f"{whole}"

    def __format__(self, specification: str) -> str:
        return str(self)


class _Passage:
    """The file that the library writes to; it gets every printed statement as one text."""

    def __init__(self, sink: Sink) -> None:
        self._sink = sink
        self._pieces: list[str] = []

    def write(self, text: str) -> None:
        """Take a text, the label of a point's time mended."""
        if text.startswith(POINT_TIME):
            text = text.replace("time", "number", 1)
        self._pieces.append(text)
        if len(self._pieces) > PIECES:
            self.pass_on()

    def pass_on(self) -> None:
        """Give the sink what has been taken."""
        self._sink.write("".join(self._pieces))
        self._pieces.clear()

    def close(self) -> None:
        """Do nothing: the output is not the library's to close."""


def write(segments: SegmentSource, sink: Sink, *, precision: int = 9) -> None:
    """Write one TextGrid in the long form, of one recording.

    A tier of intervals for each speaker or tier, one beside it for the times of words, events
    without length on tiers of points. What overlaps goes to further tiers, what has no length to
    tiers ``name#points``, both counted. The end of all is the ``duration`` of the source, if it
    says one.

    Parameters
    ----------
    precision: decimals of times at most, 0 to 9; times that need more are counted lost.
    """
    import textgrid

    layout = lay_out(segments, sink, precision=precision, has_points=True, has_participants=False)
    end = _Time(layout.duration_ns or SECOND)
    grid = textgrid.TextGrid(maxTime=end)
    grid.minTime = _Time(0)
    grid.tiers = [_tier(textgrid, tier, end) for tier in layout.tiers] or [
        _tier(textgrid, OutputTier("segments", None), end)
    ]
    passage = _Passage(sink)
    grid.write(passage)
    passage.pass_on()


def _tier(textgrid: Any, tier: OutputTier, end: _Time) -> Any:
    kind = textgrid.PointTier if tier.is_points else textgrid.IntervalTier
    made = kind(tier.name.replace('"', '""'), _Time(0), end)
    if tier.is_points:
        made.points = [textgrid.Point(_Time(begin), text) for begin, _, text in tier.labels]
    else:
        made.intervals = [
            textgrid.Interval(_Time(begin), _Time(end), text) for begin, end, text in tier.labels
        ]
    return made
