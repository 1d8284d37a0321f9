"""Speaker changes, and segments regardless of speakers, as pyannote.metrics counts them.

A segment is a time span between two adjacent borders of turns of one side.

Times are whole nanoseconds. Turns of the whole recording are used, without region and collar.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from scoring.tasks.speakers.der.spans import ScoredSpan, ScoredSpans, covered, within


class SegmentationSums(NamedTuple):
    """Numbers of speaker changes, and times of segments that agree with the other side.

    `precise` is the number of matched changes of the hypothesis, `recalled` of the reference.
    `partitioned` is the time of all segments in nanoseconds. `covered` is the sum, over reference
    segments, of the time in common with the hypothesis segment that overlaps most. `pure` is the
    same sum with the sides exchanged.
    """

    reference_changes: int = 0
    hypothesis_changes: int = 0
    precise: int = 0
    recalled: int = 0
    partitioned: int = 0
    covered: int = 0
    pure: int = 0


def segmentation_of(
    reference: Sequence[ScoredSpans], hypothesis: Sequence[ScoredSpans], tolerance: int
) -> SegmentationSums:
    """Count speaker changes and segment times of a recording, from the turns of both sides.

    >>> segmentation_of([[(0, 10)], [(10, 20)]], [[(0, 12)], [(12, 24)]], 2)
    SegmentationSums(reference_changes=1, hypothesis_changes=1, precise=1, recalled=1, \
partitioned=20, covered=18, pure=18)
    """
    changes = [
        _changes(span for spans in side for span in spans) for side in (reference, hypothesis)
    ]
    filled = [span for spans in reference for span in _filled(spans, tolerance)]
    region = covered(filled)
    parts = [
        _partition(spans, region)
        for spans in (filled, [span for spans in hypothesis for span in spans])
    ]
    common = _common(*parts)
    largest: tuple[dict[int, int], dict[int, int]] = ({}, {})
    for pair, time in common.items():
        for side in (0, 1):
            largest[side][pair[side]] = max(largest[side].get(pair[side], 0), time)
    return SegmentationSums(
        len(changes[0]),
        len(changes[1]),
        matched_changes(changes[0], changes[1], tolerance),
        matched_changes(changes[1], changes[0], tolerance),
        sum(common.values()),
        sum(largest[0].values()),
        sum(largest[1].values()),
    )


def _changes(spans: Iterable[ScoredSpan]) -> list[int]:
    """Return the ends of all different turns except the last, in the order of their starts."""
    return [end for _, end in sorted({span for span in spans if span[0] < span[1]})[:-1]]


def matched_changes(rows: Sequence[int], columns: Sequence[int], tolerance: int) -> int:
    """Return the number of changes in `rows` and `columns` that match one to one.

    The nearest pairs are matched first, equally near pairs in the order of `rows`. A pair is at
    most `tolerance` apart.

    >>> matched_changes([10, 20], [11, 12, 40], 2), matched_changes([0, 2], [1], 1)
    (1, 1)
    """
    order = sorted(range(len(columns)), key=columns.__getitem__)
    times = [columns[column] for column in order]
    near = sorted(
        (abs(time - columns[column]), row, column)
        for row, time in enumerate(rows)
        for column in order[
            bisect_left(times, time - tolerance) : bisect_right(times, time + tolerance)
        ]
    )
    used: tuple[set[int], set[int]] = (set(), set())
    for _, row, column in near:
        if row not in used[0] and column not in used[1]:
            used[0].add(row)
            used[1].add(column)
    return len(used[0])


def _filled(spans: ScoredSpans, tolerance: int) -> list[ScoredSpan]:
    """Return the turns of a speaker, joined over gaps shorter than the tolerance."""
    joined: list[ScoredSpan] = []
    for begin, end in covered(spans):
        if joined and begin - joined[-1][1] < tolerance:
            joined[-1] = joined[-1][0], end
        else:
            joined.append((begin, end))
    return joined


def _partition(spans: Iterable[ScoredSpan], region: ScoredSpans) -> list[ScoredSpan]:
    """Return the parts into which the borders of time spans divide a region."""
    borders = sorted({time for span in spans if span[0] < span[1] for time in span})
    return _apart(list(pairwise(borders)), region)


def _apart(parts: ScoredSpans, region: ScoredSpans) -> list[ScoredSpan]:
    """Return the intersection of parts and a region, both of which are sorted disjoint spans."""
    cuts: list[ScoredSpan] = []
    first = 0
    for part in parts:
        while first < len(region) and region[first][1] <= part[0]:
            first += 1
        last = first
        while last < len(region) and region[last][0] < part[1]:
            last += 1
        cuts += within([part], region[first:last])
    return cuts


def _common(left: ScoredSpans, right: ScoredSpans) -> dict[tuple[int, int], int]:
    """Return the common time of each pair of overlapping parts, by their indices."""
    common: dict[tuple[int, int], int] = {}
    row = column = 0
    while row < len(left) and column < len(right):
        time = min(left[row][1], right[column][1]) - max(left[row][0], right[column][0])
        if time > 0:
            common[row, column] = time
        if left[row][1] <= right[column][1]:
            row += 1
        else:
            column += 1
    return common
