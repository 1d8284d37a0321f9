"""The order of events after Perl's `sort` with md-eval's comparison, which is not a total order.

In md-eval, a begin compares as later than any event at the same time, even another begin. The
result of a sort therefore depends on which events are compared. Perl's sort compares adjacent
pairs, keeps long runs of pairs that are already in ascending (or descending) order, and merges the
runs by halves.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple, TypeVar

WINDOW = 16
"""How many items after the start of a chain are searched, backwards, for a break."""

Time = TypeVar("Time", int, float)
Event = tuple[Time, bool, str]
"""A border of a turn: its time, True if it is a start, and its name."""


def in_order(events: Sequence[Event[Time]]) -> list[Event[Time]]:
    """Return events sorted by time, as md-eval sorts them for zones and regions.

    >>> [kind for *_, kind in in_order([(1, True, "a"), (1, False, "b"), (1, True, "c")])]
    ['b', 'a', 'c']
    """
    times = sorted({time for time, *_ in events})
    if len(times) == len(events):
        return sorted(events)
    ranks = {time: rank for rank, time in enumerate(times)}
    order = order_of_perl([ranks[time] for time, *_ in events], [begins for _, begins, _ in events])
    return [events[index] for index in order]


def order_of_perl(
    ranks: Sequence[int], begins: Sequence[bool], *, ends_are_equal: bool = True
) -> list[int]:
    """Return the places of events in the order of Perl's `sort` with md-eval's comparison.

    Events with different ranks compare by rank. Of two events with the same rank, the comparison
    looks at the first only: a begin compares as later. An end compares as equal, or as earlier if
    not `ends_are_equal`.
    """
    # A place has the key `(2 * rank << bits) + place`. The bounds have no place: a key is below a
    # bound if its rank is lower, or the same and the bound is odd in units of `1 << bits`.
    bits = len(ranks).bit_length()
    keys = [(2 * rank << bits) + index for index, rank in enumerate(ranks)]
    bounds = [(2 * rank + is_begin) << bits for rank, is_begin in zip(ranks, begins, strict=True)]
    reaches = [(2 * rank + 1) << bits for rank in ranks] if ends_are_equal else bounds
    order = _Order(keys, bounds, reaches, (1 << bits) - 1)
    return [key & order.mask for key in order.sorted()]


class _Order(NamedTuple):
    """The keys of events, and bounds by their places.

    An event compares as later than the keys below its bound, and not as earlier than those below
    its `reach`.
    """

    keys: list[int]
    bounds: list[int]
    reaches: list[int]
    mask: int  # of the place in a key

    def sorted(self) -> list[int]:
        """Return the keys in Perl's order."""
        runs = list(self._runs())

        def merged(first: int, last: int) -> list[int]:
            if last - first < 2:
                return [key for run in runs[first:last] for key in run]
            middle = (first + last + 1) // 2
            return self._merged(merged(first, middle), merged(middle, last))

        return merged(0, len(runs))

    def _runs(self) -> Iterator[Sequence[int]]:
        """Divide the keys into runs and pairs; descending runs are reversed, and one may remain."""
        keys = self.keys
        falls = [bound > key for bound, key in zip(self.bounds, keys[1:], strict=False)]
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
                if whole == end == len(keys) - 1 and falls[end - 1] == falling:
                    whole = stop = end = len(keys)
                chain = [begin] if whole > begin else []
                for first, last in pairwise([*chain, *range(whole, stop + 1, 2)]):
                    run = keys[first:last]
                    yield run[::-1] if falling else run
                begin = stop
        if begin < len(keys):
            yield keys[begin:]

    def _merged(self, left: list[int], right: list[int]) -> list[int]:
        bounds, reaches, mask = self.bounds, self.reaches, self.mask
        merged: list[int] = []
        next_left = next_right = 0
        end_left, end_right = len(left), len(right)
        while next_left < end_left and next_right < end_right:
            # which head goes first, with all that the other's does not go before
            head, partner = left[next_left], right[next_right]
            bound = bounds[head & mask]
            if bound > partner:
                begin, next_right = next_right, bisect_left(right, bound, next_right + 1)
                merged += right[begin:next_right]
                merged.append(head)
                next_left += 1
            else:
                begin, bound = next_left, reaches[partner & mask]
                next_left = bisect_left(left, bound, next_left + 1)
                merged += left[begin:next_left]
                merged.append(partner)
                next_right += 1
        return merged + left[next_left:] + right[next_right:]
