"""Interpolation of missing word times, and estimation of missing ends from the pace of speech."""

from __future__ import annotations

from collections.abc import Sequence

from formats.schema.grouping import span
from formats.schema.model import Segment
from formats.schema.refusals import ConversionError
from formats.schema.words import Alternation, Item, Token

USUAL_PACE = 70_000_000


class Pace:
    """The mean duration of a character in timed segments."""

    def __init__(self) -> None:
        self._time = self._letters = 0

    def hear(self, segment: Segment) -> None:
        """Include a segment with words, start and end in the mean."""
        if segment.start_ns is not None and segment.end_ns is not None and segment.words:
            self._time += segment.end_ns - segment.start_ns
            self._letters += len("".join(segment.words))

    def end_of(self, segment: Segment) -> int | None:
        """Return the estimated end of a segment in nanoseconds; `None` if it has no start."""
        starts = (segment.start_ns, *(segment.starts_ns or ()))
        begins = [start for start in starts if start is not None]
        is_known = self._letters and self._time > 0
        pace = self._time // self._letters if is_known else USUAL_PACE
        return max(begins) + pace * len("".join(segment.words)) if begins else None


def interpolate_times(
    segment: Segment, *, by_characters: bool = False, path: str | None = None
) -> tuple[Segment, int]:
    """Return the segment with a time for every word, and how many times were interpolated.

    Words without times divide the interval between their timed neighbours (or the ends of the
    segment): equally, or with `by_characters` in proportion to their characters. The branches of an
    alternation have the same interval, which is as long as the longest branch needs. Times in the
    file are kept.

    >>> from formats.schema.model import Segment
    >>> interpolate_times(Segment.of("rec1", ["a", "b"], start=1.0, end=2.0))[0].starts
    (1.0, 1.5)
    """
    items = list(segment.items())
    timed: list[Item] = []
    count = 0
    begin = 0
    while begin < len(items):
        if _is_timed(items[begin]):
            timed.append(items[begin])
            begin += 1
            continue
        stop = begin
        while stop < len(items) and not _is_timed(items[stop]):
            stop += 1
        lower = span(items[begin - 1]) if begin else (0, segment.start_ns)
        upper = span(items[stop]) if stop < len(items) else (segment.end_ns, 0)
        low, high = lower and lower[1], upper and upper[0]
        if low is None or high is None or low > high:
            raise ConversionError(
                "word times cannot be invented, because the segment has no times to share "
                "among its words",
                path=path,
                line=segment.line,
            )
        run = items[begin:stop]
        timed.extend(_spread(run, low, high, by_characters))
        count += sum(1 if isinstance(i, Token) else len(tuple(i.tokens())) for i in run)
        begin = stop
    return segment.with_items(timed), count


def _is_timed(item: Item) -> bool:
    tokens = (item,) if isinstance(item, Token) else tuple(item.tokens())
    return bool(tokens) and all(t.start_ns is not None and t.end_ns is not None for t in tokens)


def _weight(item: Item, by_characters: bool) -> int:
    if isinstance(item, Token):
        return len(item.text) if by_characters else 1
    return max(sum(_weight(i, by_characters) for i in branch) for branch in item.branches)


def _spread(items: Sequence[Item], low: int, high: int, by_characters: bool) -> list[Item]:
    weights = [_weight(item, by_characters) for item in items]
    total = sum(weights) or 1
    timed: list[Item] = []
    done = 0
    for item, weight in zip(items, weights, strict=True):
        start = low + (high - low) * done // total
        done += weight
        end = low + (high - low) * done // total
        if isinstance(item, Token):
            timed.append(item.replace(start_ns=start, end_ns=end, interpolated=True))
        else:
            timed.append(Alternation(_spread(b, start, end, by_characters) for b in item.branches))
    return timed
