"""The order in which Perl's `sort` leaves events, by comparisons of md-eval's that are no order.

md-eval calls a begin later than whatever is at the same time, another begin too, and an end equal
to it, or earlier than another end, too. What comes out depends on which events the sort compares
with which. Perl's (since 5.8: P. McIlroy, "Optimistic Sorting and Information Theoretic
Complexity", SODA 1993) finds runs that are there already, of pairs or of 16 and more, and merges
them in a balanced tree, where a head is placed in the other run by steps that double, and halving.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

LONG_RUN = 16
STEPS_BEFORE_LEAPS = 6


Time = TypeVar("Time", int, float)
Event = tuple[Time, bool, str]
"""A border: its time, whether something begins there, and what."""
Item = TypeVar("Item")
Compare = Callable[[Item, Item], int]


def in_order(events: Sequence[Event[Time]]) -> list[Event[Time]]:
    """Events by time, as md-eval has them where it makes zones and regions.

    >>> [kind for *_, kind in in_order([(1, True, "a"), (1, False, "b"), (1, True, "c")])]
    ['b', 'a', 'c']
    """
    if len({time for time, *_ in events}) == len(events):
        return sorted(events)
    return sorted_by_perl(events, _compared)


def _compared(one: Event[Time], other: Event[Time]) -> int:
    if one[0] != other[0]:
        return -1 if one[0] < other[0] else 1
    return int(one[1])


def sorted_by_perl(items: Sequence[Item], compare: Compare[Item]) -> list[Item]:
    """Items as they come out with a comparison: less than 0, 0, or more than 0."""
    if len(items) < 2:
        return list(items)
    runs = _runs(items, compare)

    def merged(first: int, count: int) -> list[Item]:
        if count == 1:
            return runs[first]
        rest = count - count // 2
        return _merged(merged(first, rest), merged(first + rest, count // 2), compare)

    return merged(0, len(runs))


def _runs(items: Sequence[Item], compare: Compare[Item]) -> list[list[Item]]:
    """Cut into runs in order; those that are in the opposite order are turned round."""
    runs: list[list[Item]] = []
    size, at = len(items), 0
    falls = compare(items[0], items[1]) > 0

    def alike(place: int) -> bool:
        return (compare(items[place - 1], items[place]) > 0) == falls

    def add(begin: int, end: int) -> None:
        run = list(items[begin:end])
        runs.append(run[::-1] if falls else run)

    while at < size:
        # from here to the top, neighbours in pairs compare alike
        top = at + 2
        while top + 1 < size and alike(top + 1):
            top += 2
        known = at
        while at < top:
            goal = next_run = at + LONG_RUN
            if goal >= top:
                goal = next_run = top
            else:
                while alike(next_run):
                    next_run -= 2
                    if next_run <= known:
                        break
                if next_run <= known:
                    known = goal
                    next_run = goal + 2
                    while next_run < top and alike(next_run):
                        known, next_run = next_run, next_run + 2
                    goal = next_run = known + 2
            if known > at:
                known += 2
                if known == top and top + 1 == size and alike(known):
                    goal = next_run = known = size
                add(at, known)
            for pair in range(known, next_run, 2):
                add(pair, pair + 2)
            at = next_run
            if at == top and top + 1 == size:
                add(at, size)
                at += 1
            known = goal
        falls = not falls
    return runs


def _merged(one: list[Item], two: list[Item], compare: Compare[Item]) -> list[Item]:
    made: list[Item] = []
    runs, heads = (one, two), [0, 0]
    while heads[0] < len(one) and heads[1] < len(two):
        # whose head goes first; the other's is placed in that run
        low = int(compare(one[heads[0]], two[heads[1]]) > 0)
        run, head = runs[low], runs[1 - low][heads[1 - low]]
        most = low - 1
        bottom, top = heads[low], len(run)
        step = taken = 1
        while True:
            place = bottom + step
            if place >= top:
                place = top - 1
                if place > bottom and compare(head, run[place]) <= most:
                    top = place
                else:
                    bottom = place
                break
            if compare(head, run[place]) <= most:
                top = place
                break
            bottom = place
            step *= 1 + (taken >= STEPS_BEFORE_LEAPS)
            taken += 1
        bottom += 1
        while bottom < top:
            middle = bottom + (top - bottom - 1) // 2
            if compare(head, run[middle]) <= most:
                top = middle
            else:
                bottom = middle + 1
        made += run[heads[low] : top]
        made.append(head)
        heads[low] = top
        heads[1 - low] += 1
    return made + one[heads[0] :] + two[heads[1] :]
