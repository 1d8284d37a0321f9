"""Permutation tests of groups of units, with all arrangements or random arrangements.

Groups are permuted within blocks only. An arrangement is one way to assign the groups to the units.
A unit may be in several groups: its label is the index of its set of groups. Equal seeds give equal
results.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import exp, inf, lgamma
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from formats.io.progress import tell
from scoring.model.arrays import Floats, Integers
from scoring.stats.random_words import stream_starts, words_of
from scoring.stats.units import error_rate

Number = TypeVar("Number", np.int64, np.float64)
# At most so many arrangements are all tried; otherwise so many are drawn.
MOST_ARRANGEMENTS, DRAWN = 20_000, 9_999
_LARGEST_TABLE = 1 << 27
_CHUNK = 1 << 20
_TOLERANCE = 1e-9
_ALIKE = 4
_MOST_DEALT = 1_000  # labels; memory holds the sums of all arrangements of each


class GroupedUnits(NamedTuple):
    """Resampling units: the errors and words, the set of groups and the block of each unit.

    `sets` has the index of each unit's set of groups.

    Groups are permuted within blocks. `members` has a row (group index, set index), in ascending
    order, for each group in each set. Every group is in at least one set.
    """

    values: Floats
    sets: Integers
    blocks: Integers
    members: Integers
    kind: str

    @property
    def set_count(self) -> int:
        """The number of distinct sets of groups."""
        return int(self.sets.max(initial=-1)) + 1

    def of_groups(self, of_sets: NDArray[Number]) -> NDArray[Number]:
        """Convert sums by set of groups (second-last axis) to sums by group."""
        groups, sets = self.members.T
        if len(sets) == of_sets.shape[-2] and (groups == sets).all():
            return of_sets  # each group is a set of its own
        begins = np.flatnonzero(np.diff(groups, prepend=-1))
        return np.add.reduceat(of_sets[..., sets, :], begins, axis=-2)

    def inside(self, place: int) -> NDArray[np.bool_]:
        """Return one flag per unit: True if the unit belongs to the group with index `place`."""
        groups, sets = self.members.T
        is_member = np.zeros(self.set_count, np.bool_)
        is_member[sets[groups == place]] = True
        return is_member[self.sets]


class GroupTests:
    """Permutation tests of each group against the rest, and of the gap between large groups.

    Arrangements are processed in batches, to limit memory.
    """

    def __init__(self, units: GroupedUnits, seed: int) -> None:
        self.units = units
        self.seed = seed
        self.exact = count_arrangements(units.sets, units.blocks) <= MOST_ARRANGEMENTS

    def p_values(
        self, observed: Floats, large: Integers, gap: float | None
    ) -> tuple[list[float | None], float | None]:
        """Return two-sided p-values of the groups' differences from the rest, and of the gap.

        The p-value is None for differences that are NaN, and for a missing gap. The gap is the
        maximum over pairs of large groups and needs no correction.
        """
        results: list[float | None] = [None] * len(observed)
        is_drawn = np.isfinite(observed)
        for place in np.flatnonzero(is_drawn).tolist():
            if (p_value := self._exact_p_value(place, float(observed[place]))) is not None:
                results[place] = p_value
                is_drawn[place] = False
        if gap is None and not is_drawn.any():
            return results, None
        places = np.flatnonzero(is_drawn)
        above, below = _Share(observed[places]), _Share(-observed[places])
        of_gap = _Share(np.array([np.nan if gap is None else gap]))
        for rates, rest in self._rates():
            differences = rates[:, places] - rest[:, places]
            above.add(differences)
            below.add(-differences)
            if gap is not None:
                compared = rates[:, large]
                of_gap.add((compared.max(axis=1) - compared.min(axis=1))[:, None])
        sides = np.minimum(above.of(self.exact), below.of(self.exact))
        for place, p_value in zip(places.tolist(), np.minimum(1.0, 2 * sides), strict=True):
            results[place] = float(p_value)
        return results, None if gap is None else float(of_gap.of(self.exact)[0])

    def _exact_p_value(self, place: int, observed: float) -> float | None:
        """Return the p-value over all arrangements of units; None if there are too many."""
        units, number = self.units, len(self.units.sets)
        if not units.blocks.any() and number * (number - 1) // 2 > MOST_ARRANGEMENTS:
            return None  # a group of two units has so many already, and smaller ones are not tested
        inside = units.inside(place).astype(np.int64)
        if count_arrangements(inside, units.blocks) > MOST_ARRANGEMENTS:
            return None
        above, below = (_Share(np.array([side])) for side in (observed, -observed))
        for sums in _all_sums(inside, units.blocks, units.values, 2):
            rest, rates = error_rate(sums).T
            above.add((rates - rest)[:, None])
            below.add((rest - rates)[:, None])
        return min(1.0, *(2 * float(side.of(True)[0]) for side in (above, below)))

    def _rates(self) -> Iterator[tuple[Floats, Floats]]:
        """Yield, for batches of arrangements, the rates of each group and of all other groups."""
        units, number = self.units, self.units.set_count
        if self.exact:
            parts = _all_sums(units.sets, units.blocks, units.values, number)
        else:
            parts = _drawn_sums(units, number, self.seed)
        total = units.values.sum(axis=0)
        for sums in parts:
            grouped = units.of_groups(sums)
            yield error_rate(grouped), error_rate(total - grouped)


class _Share:
    """The share of arrangements whose statistic is at least as great as the observed statistic.

    Several statistics are counted together: `add` takes one column for each. NaN is ignored.
    """

    def __init__(self, observed: Floats) -> None:
        reach = _TOLERANCE * np.maximum(np.abs(observed), _TOLERANCE)
        self._least = observed - reach
        self._number = np.zeros(len(observed), np.int64)
        self._extreme = np.zeros(len(observed), np.int64)

    def add(self, statistics: Floats) -> None:
        """Count further arrangements; `statistics` has one row per arrangement."""
        self._number += np.count_nonzero(np.isfinite(statistics), axis=0)
        self._extreme += np.count_nonzero(statistics >= self._least, axis=0)

    def of(self, is_exact: bool) -> Floats:
        """Return the shares. Unless `is_exact`, the observed arrangement is counted, too."""
        added = 0 if is_exact else 1
        shares: Floats = (added + self._extreme) / (added + self._number)
        return shares


def count_arrangements(labels: Integers, blocks: Integers) -> float:
    """Count the arrangements of labels within blocks; infinity if the number is too large."""
    pairs, counts = np.unique(np.column_stack([blocks, labels]), axis=0, return_counts=True)
    _, places = np.unique(pairs[:, 0], return_index=True)
    power = sum(lgamma(total + 1) for total in np.add.reduceat(counts, places))
    power -= sum(lgamma(count + 1) for count in counts)
    number = round(exp(min(power, 30.0)))
    return number if number * len(labels) <= _LARGEST_TABLE else inf


def all_arrangements(labels: Integers, blocks: Integers) -> Integers:
    """Return every arrangement of labels within blocks, one per row."""
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
    """Return every distinct order of a few labels."""
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
    """Yield, for all arrangements in batches, the sums of the values by label."""
    # as small as they are, there may be many
    rows = all_arrangements(labels.astype(np.int16), blocks)
    for part in np.array_split(rows, -(-rows.size // _CHUNK)):
        sums = [(part == label).astype(np.float64) @ values for label in range(number)]
        yield np.stack(sums, axis=1)


def _drawn_sums(units: GroupedUnits, number: int, seed: int) -> Iterator[Floats]:
    """Yield the sums of values by label in random arrangements, each from its own random stream."""
    if not units.blocks.any() and number <= _MOST_DEALT:
        rows, counts = np.unique(units.values, axis=0, return_counts=True)
        # among many alike units it is faster to draw how many of them each label gets
        if _ALIKE * len(rows) * number < len(units.sets):
            sums = _dealt_sums(rows, counts, np.bincount(units.sets, minlength=number), seed)
            yield from np.array_split(sums, -(-sums.size // _CHUNK))
            return
    order = np.lexsort([units.sets, units.blocks])
    values, labels, blocks = units.values[order].T, units.sets[order], units.blocks[order]
    begins = np.flatnonzero(np.diff(blocks, prepend=-1) | np.diff(labels, prepend=-1))
    # the runs of equal labels in order of labels, and where those of each label begin
    runs = np.argsort(labels[begins], kind="stable")
    firsts = np.flatnonzero(np.diff(labels[begins][runs], prepend=-1))
    size = max(1, _CHUNK // len(labels))
    for begin in range(0, DRAWN, size):
        tell("drawing arrangements", begin, DRAWN)
        starts = stream_starts(seed, begin, min(begin + size, DRAWN))
        words = words_of(starts[:, None], np.arange((len(labels) + 1) // 2)[None])
        keys = words.astype("<u8").view("<u4")[:, : len(labels)]
        places = _orders_of(keys, blocks)
        of_runs = (np.add.reduceat(column[places], begins, axis=1) for column in values)
        yield np.stack([np.add.reduceat(by[:, runs], firsts, axis=1) for by in of_runs], axis=-1)


def _orders_of(keys: NDArray[np.uint32], blocks: Integers) -> Integers:
    """Return the indices that sort each row by block, then key, then position."""
    bits, most = (len(blocks) - 1).bit_length(), int(blocks.max(initial=0))
    if most.bit_length() + bits > 31:
        return np.argsort(keys | blocks << 32, axis=1, kind="stable")
    # numbers are sorted several times as fast as their places
    numbers = (keys | blocks << 32) << bits | np.arange(len(blocks))
    numbers.sort(axis=1)
    return numbers & (1 << bits) - 1


def _dealt_sums(rows: Floats, counts: Integers, room: Integers, seed: int) -> Floats:
    """Return sums by label for random arrangements.

    Units with equal numbers are distributed together.
    """
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
