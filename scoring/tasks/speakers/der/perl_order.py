"""The order of events after Perl's `sort` with md-eval's comparison, which is not a total order.

In md-eval, a begin compares as later than any event at the same time, even another begin. The
result of a sort therefore depends on which events are compared. Perl's sort compares adjacent
pairs, keeps long runs of pairs that are already in ascending (or descending) order, and merges the
runs by halves.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby, pairwise
from typing import TypeVar

WINDOW = 16
"""How many items after the start of a chain are searched, backwards, for a break."""

Time = TypeVar("Time", int, float)
Event = tuple[Time, bool, str]
"""A border of a turn: its time, True if it is a start, and its name."""
Item = TypeVar("Item")
Compare = Callable[[Item, Item], int]


def in_order(events: Sequence[Event[Time]]) -> list[Event[Time]]:
    """Return events sorted by time, as md-eval sorts them for zones and regions.

    >>> [kind for *_, kind in in_order([(1, True, "a"), (1, False, "b"), (1, True, "c")])]
    ['b', 'a', 'c']
    """
    if len({time for time, *_ in events}) == len(events):
        return sorted(events)
    return sorted_by_perl(events, _compared)


def _compared(left: Event[Time], right: Event[Time]) -> int:
    if left[0] != right[0]:
        return -1 if left[0] < right[0] else 1
    return int(left[1])


def sorted_by_perl(items: Sequence[Item], compare: Compare[Item]) -> list[Item]:
    """Return items sorted like Perl's `sort` with a comparison that returns -1, 0 or 1.

    The comparison must order groups of items (a total order). Within a group, its result may depend
    on the first argument only, so that the items of a group have no order of their own.
    """
    runs = list(_runs(items, compare))

    def merged(first: int, last: int) -> list[Item]:
        if last - first < 2:
            return [item for run in runs[first:last] for item in run]
        middle = (first + last + 1) // 2
        return _merged(merged(first, middle), merged(middle, last), compare)

    return merged(0, len(runs))


def _runs(items: Sequence[Item], compare: Compare[Item]) -> Iterator[Sequence[Item]]:
    """Divide items into runs and pairs; descending runs are reversed, and one item may remain."""
    falls = [order > 0 for order in map(compare, items, items[1:])]
    begin = 0
    for falling, alike in groupby(falls[::2]):
        end = begin + 2 * len(list(alike))
        breaks = [index for index in range(begin + 2, end, 2) if falls[index - 1] != falling]
        seen = begin
        while begin < end:
            # what was seen of a chain from the window before stays whole
            whole = seen + 2 if seen > begin else begin
            stop, seen = end, begin + WINDOW
            if seen < end:
                position = bisect_right(breaks, seen)
                stop = breaks[position - 1] if position else begin
                if stop <= begin:
                    whole = stop = seen = breaks[position] if position < len(breaks) else end
            if whole == end == len(items) - 1 and falls[end - 1] == falling:
                whole = stop = end = len(items)
            chain = [begin] if whole > begin else []
            for first, last in pairwise([*chain, *range(whole, stop + 1, 2)]):
                run = items[first:last]
                yield run[::-1] if falling else run
            begin = stop
    if begin < len(items):
        yield items[begin:]


def _merged(left: list[Item], two: list[Item], compare: Compare[Item]) -> list[Item]:
    merged: list[Item] = []
    runs, heads = (left, two), [0, 0]
    while heads[0] < len(left) and heads[1] < len(two):
        # whose head goes first, with all that the other's does not go before
        low = int(compare(left[heads[0]], two[heads[1]]) > 0)
        run, head, begin = runs[low], runs[1 - low][heads[1 - low]], heads[low] + 1
        end = probed = begin
        step = 1
        while probed < len(run) and compare(head, run[probed]) >= low:
            end = probed + 1
            probed = end + step - 1
            step *= 2  # mostly it is near
        if end < probed:
            end = bisect_left(
                run,
                True,
                end,
                min(probed, len(run)),
                key=lambda item, head=head, low=low: compare(head, item) < low,  # type: ignore[misc]
            )
        merged += run[heads[low] : end]
        merged.append(head)
        heads[low] = end
        heads[1 - low] += 1
    return merged + left[heads[0] :] + two[heads[1] :]
