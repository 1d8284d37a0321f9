"""Time intervals: covered time, and matching borders."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from scoring.model.arrays import Integers

MILLISECOND = 1_000_000
"""Nanoseconds per millisecond."""


def moves(
    begins: Integers, ends: Integers, groups: Integers, count: int, margin: int = 0
) -> Integers:
    """Return, for each group, the number to add to its times so that the groups follow each other.

    `groups` has the group of each interval.

    There is a margin before and after each group.

    >>> moves(np.array([5, 3, 7]), np.array([6, 4, 9]), np.array([0, 0, 1]), 2, 1).tolist()
    [-2, -1]
    """
    first, last = np.full(count, np.iinfo(np.int64).max), np.full(count, np.iinfo(np.int64).min)
    np.minimum.at(first, groups, begins)
    np.maximum.at(last, groups, ends)
    first = np.minimum(first, last)  # both are the least number in a group of nothing
    lengths = last - first + 2 * margin
    return np.asarray(np.cumsum(lengths) - lengths - first + margin, np.int64)


def covered(begins: Any, ends: Any, groups: Any, count: int) -> Integers:
    """Return the nanoseconds covered by the intervals of each group; overlaps count once.

    >>> covered([0, 2, 5], [4, 6, 9], [0, 0, 1], 2).tolist()
    [6, 4]
    """
    begin, end, group = (np.asarray(column, np.int64) for column in (begins, ends, groups))
    totals = np.zeros(count, np.int64)
    if not len(begin):
        return totals
    end = np.maximum(begin, end)
    moved = moves(begin, end, group, count)[group]
    order = np.argsort(begin + moved, kind="stable")
    begin, end, group = (begin + moved)[order], (end + moved)[order], group[order]
    latest = np.concatenate([begin[:1], np.maximum.accumulate(end)[:-1]])
    np.add.at(totals, group, np.maximum(end - np.maximum(begin, latest), 0))
    return totals


def matched_borders(
    reference: Iterable[int], hypothesis: Iterable[int], window: int
) -> Iterator[tuple[int, int]]:
    """Yield the largest one-to-one matching of borders that lie at most a window apart.

    Both sides are sets of whole numbers. Taking the earliest possible pair first gives a largest
    matching. A border without a pair within the window has no partner.

    >>> list(matched_borders([0, 10, 13, 20], [0, 12, 17, 20], 4))
    [(0, 0), (10, 12), (13, 17), (20, 20)]
    """
    left, right = sorted(set(reference)), sorted(set(hypothesis))
    i = j = 0
    while i < len(left) and j < len(right):
        if abs(left[i] - right[j]) <= window:
            yield left[i], right[j]
            i, j = i + 1, j + 1
        elif left[i] < right[j]:
            i += 1
        else:
            j += 1


def milliseconds(text: Any) -> int:
    """Parse a number of milliseconds (0 or more), and return it in nanoseconds."""
    number = float(text)
    if not 0 <= number < 10**9:
        raise ValueError(f"expected milliseconds from 0, found {text!r}")
    return round(number * MILLISECOND)
