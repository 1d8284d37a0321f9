"""Operations on time spans, for example overlap.

Spans are half-open pairs of integer nanoseconds, or of seconds in doubles for md-eval.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from scoring.tasks.speakers.der.perl_order import Time

ScoredSpan: TypeAlias = tuple[int, int]
ScoredSpans: TypeAlias = Sequence[ScoredSpan]


def covered(spans: Iterable[tuple[Time, Time]], least: int = 1) -> list[tuple[Time, Time]]:
    """Return the sorted times that at least `least` of the spans cover, as spans that do not touch.

    >>> covered([(0, 4), (4, 6), (8, 9), (8, 8)]), covered([(0, 4), (2, 6), (4, 5)], 2)
    ([(0, 6), (8, 9)], [(2, 5)])
    """
    steps: dict[Time, int] = {}
    for begin, end in spans:
        if begin < end:
            steps[begin] = steps.get(begin, 0) + 1
            steps[end] = steps.get(end, 0) - 1
    depth = 0
    edges: list[Time] = []
    for time in sorted(steps):
        was_covered = depth >= least
        depth += steps[time]
        if was_covered != (depth >= least):
            edges.append(time)
    return list(zip(edges[::2], edges[1::2], strict=True))


def united(spans: Iterable[ScoredSpan]) -> list[ScoredSpan]:
    """Merge spans that overlap; spans that only touch stay separate, unlike in `covered`.

    >>> united([(0, 4), (4, 6), (5, 7), (9, 9)])
    [(0, 4), (4, 7)]
    """
    merged: list[ScoredSpan] = []
    for begin, end in sorted(span for span in spans if span[0] < span[1]):
        if merged and begin < merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((begin, end))
    return merged


def within(spans: Iterable[ScoredSpan], region: ScoredSpans) -> list[ScoredSpan]:
    """Return the parts of spans within a region of disjoint spans; touching spans stay separate.

    >>> within([(0, 4), (4, 9)], [(2, 5), (6, 20)])
    [(2, 4), (4, 5), (6, 9)]
    """
    cuts = ((max(begin, start), min(end, stop)) for begin, end in spans for start, stop in region)
    return [(begin, end) for begin, end in cuts if begin < end]


def without(
    spans: Sequence[tuple[Time, Time]], holes: Iterable[tuple[Time, Time]]
) -> list[tuple[Time, Time]]:
    """Return the parts of sorted disjoint spans outside holes; an empty hole has no effect.

    >>> without([(0, 10), (10, 20)], [(3, 4), (9, 12), (30, 40)])
    [(0, 3), (4, 9), (12, 20)]
    """
    closed, rest, first = covered(holes), [], 0
    for begin, end in spans:
        while first < len(closed) and closed[first][1] <= begin:
            first += 1
        for place in range(first, len(closed)):
            hole_begin, hole_end = closed[place]
            if hole_begin >= end:
                break
            if begin < hole_begin:
                rest.append((begin, hole_begin))
            begin = hole_end
        if begin < end:
            rest.append((begin, end))
    return rest


def collars(borders: Iterable[Time], width: Time) -> list[tuple[Time, Time]]:
    """Return the zones of a given width before and after each border."""
    return [(border - width, border + width) for border in borders] if width > 0 else []
