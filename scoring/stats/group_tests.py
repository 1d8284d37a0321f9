"""Permutation tests of groups of units: by all arrangements of the groups, or by random ones.

Groups move within blocks only. Equal seeds give equal results.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import combinations
from math import exp, inf, lgamma
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from formats.working import tell
from scoring.stats.random_words import Integers, stream_starts, words_of
from scoring.stats.units import Floats, error_rate

# At most so many arrangements are all tried; otherwise so many are drawn.
MOST_ARRANGEMENTS, DRAWN = 20_000, 9_999
_LARGEST_TABLE = 1 << 27
_CHUNK = 1 << 20
_TOLERANCE = 1e-9
_ALIKE = 4


class GroupedUnits(NamedTuple):
    """Units with errors and words, the number of their set of groups, and their block.

    Groups are permuted within blocks. `members` has a row per set and a column per group.
    """

    values: Floats
    sets: Integers
    blocks: Integers
    members: NDArray[np.bool_]
    kind: str


class GroupTests:
    """Permutation tests of a group against the rest, and of the gap of large groups."""

    def __init__(self, units: GroupedUnits, large: Integers, seed: int) -> None:
        self.units = units
        self.large = large
        self.seed = seed
        self.exact = count_arrangements(units.sets, units.blocks) <= MOST_ARRANGEMENTS

    def of_group(self, place: int, observed: float) -> float:
        """The two-sided p-value of a group's difference from the rest."""
        units = self.units
        inside = units.members[units.sets, place].astype(np.int64)
        is_exact = count_arrangements(inside, units.blocks) <= MOST_ARRANGEMENTS
        if is_exact:
            sums = _all_sums(inside, units.blocks, units.values, 2)
            rest, rates = np.concatenate(list(map(error_rate, sums))).T
        else:
            rates, rest = self._rates[..., place]
        sides = (rates - rest, observed), (rest - rates, -observed)
        return min(1.0, *(2 * _share(*side, is_exact) for side in sides))

    def of_gap(self, observed: float) -> float:
        """The p-value of the gap: the maximum over pairs needs no correction."""
        rates = self._rates[0][:, self.large]
        return _share(rates.max(axis=1) - rates.min(axis=1), observed, self.exact)

    @cached_property
    def _rates(self) -> Floats:
        """The rates of groups, and of the rest of each, in all or in drawn arrangements."""
        units, number = self.units, len(self.units.members)
        if self.exact:
            parts = _all_sums(units.sets, units.blocks, units.values, number)
        else:
            parts = _drawn_sums(units, number, self.seed)
        total = units.values.sum(axis=0)
        grouped = (units.members.T.astype(np.float64) @ sums for sums in parts)
        pairs = [[error_rate(sums), error_rate(total - sums)] for sums in grouped]
        return np.concatenate(pairs, axis=1)


def _share(statistics: Floats, observed: float, is_exact: bool) -> float:
    """The share of arrangements with a statistic at least as great; NaN does not count."""
    number = np.count_nonzero(np.isfinite(statistics))
    reach = _TOLERANCE * max(abs(observed), _TOLERANCE)
    extreme = np.count_nonzero(statistics >= observed - reach)
    return float(extreme / number if is_exact else (1 + extreme) / (1 + number))


def count_arrangements(labels: Integers, blocks: Integers) -> float:
    """How many arrangements of labels within blocks there are; infinity if too many to hold."""
    pairs, counts = np.unique(np.column_stack([blocks, labels]), axis=0, return_counts=True)
    _, places = np.unique(pairs[:, 0], return_index=True)
    power = sum(lgamma(total + 1) for total in np.add.reduceat(counts, places))
    power -= sum(lgamma(count + 1) for count in counts)
    number = round(exp(min(power, 30.0)))
    return number if number * len(labels) <= _LARGEST_TABLE else inf


def all_arrangements(labels: Integers, blocks: Integers) -> Integers:
    """Every arrangement of labels within blocks, a row each."""
    rows = labels[None]
    for block in np.unique(blocks):
        inside = np.flatnonzero(blocks == block)
        orders = _orders(labels[inside])
        if len(orders) > 1:
            number = len(rows)
            rows = np.repeat(rows, len(orders), axis=0)
            rows[:, inside] = np.tile(orders, (number, 1))
    return rows


def _orders(labels: Integers) -> Integers:
    """Every distinct order of a few labels."""
    kinds, counts = np.unique(labels, return_counts=True)
    if len(kinds) == 1:
        return labels[None]
    others = _orders(labels[labels != kinds[0]])
    parts = []
    for taken in combinations(range(len(labels)), int(counts[0])):
        part = np.full((len(others), len(labels)), kinds[0])
        part[:, np.delete(np.arange(len(labels)), taken)] = others
        parts.append(part)
    return np.concatenate(parts)


def _all_sums(labels: Integers, blocks: Integers, values: Floats, number: int) -> Iterator[Floats]:
    """The sums of the values by label in every arrangement; a row each, some at a time."""
    # as small as they are, there may be many
    rows = all_arrangements(labels.astype(np.int16), blocks)
    for part in np.array_split(rows, -(-rows.size // _CHUNK)):
        sums = [(part == label).astype(np.float64) @ values for label in range(number)]
        yield np.stack(sums, axis=1)


def _drawn_sums(units: GroupedUnits, number: int, seed: int) -> Iterator[Floats]:
    """The sums of the values by label in random arrangements; each is a stream of the seed."""
    if not units.blocks.any():
        rows, counts = np.unique(units.values, axis=0, return_counts=True)
        # among many alike units it is faster to draw how many of them each label gets
        if _ALIKE * len(rows) * number < len(units.sets):
            yield _dealt_sums(rows, counts, np.bincount(units.sets, minlength=number), seed)
            return
    order = np.lexsort([units.sets, units.blocks])
    values, labels, blocks = units.values[order].T, units.sets[order], units.blocks[order]
    begins = np.flatnonzero(np.diff(blocks, prepend=-1) | np.diff(labels, prepend=-1))
    owners = (labels[begins, None] == np.arange(number)).astype(np.float64)
    size = max(1, _CHUNK // len(labels))
    for begin in range(0, DRAWN, size):
        tell("drawing arrangements", begin, DRAWN)
        starts = stream_starts(seed, begin, min(begin + size, DRAWN))
        words = words_of(starts[:, None], np.arange((len(labels) + 1) // 2)[None])
        keys = words.astype("<u8").view("<u4")[:, : len(labels)] | blocks << 32
        places = np.argsort(keys, axis=1, kind="stable")
        runs = [np.add.reduceat(column[places], begins, axis=1) @ owners for column in values]
        yield np.stack(runs, axis=-1)


def _dealt_sums(rows: Floats, counts: Integers, room: Integers, seed: int) -> Floats:
    """The sums by label if units alike are dealt out together, `room` places for each label."""
    numbers = np.random.default_rng(seed)
    free = np.repeat(room[None], DRAWN, axis=0)
    sums = np.zeros((DRAWN, len(room), rows.shape[1]))
    for row, count in zip(rows, counts, strict=True):
        left = np.full(DRAWN, count)
        others = free.sum(axis=1)
        for label in range(len(room)):
            others -= free[:, label]
            taken = numbers.hypergeometric(free[:, label], others, left)
            left -= taken
            free[:, label] -= taken
            sums[:, label] += taken[:, None] * row
    return sums
