"""Permutation tests of groups of units: by all arrangements of the groups, or by random ones.

Groups move within blocks only. Equal seeds give equal results.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from itertools import combinations
from math import exp, inf, lgamma
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from formats.working import tell
from scoring.stats.random_words import Integers, stream_starts, words_of
from scoring.stats.units import Floats, Score

# At most so many arrangements are all tried; otherwise so many are drawn.
MOST_ARRANGEMENTS, DRAWN = 20_000, 9_999
_LARGEST_TABLE = 1 << 27
_CHUNK = 1 << 20
_TOLERANCE = 1e-9
_ALIKE = 4


class GroupedUnits(NamedTuple):
    """GroupedUnits with their statistics, the number of their set of groups, and their block.

    Groups are permuted within blocks. `members` has a row per set and a column per group.
    """

    values: Integers
    words: Integers
    sets: Integers
    blocks: Integers
    members: Integers
    kind: str


class GroupTests:
    """Permutation tests of a group against the rest, and of the gap."""

    def __init__(
        self, units: GroupedUnits, score: Score, large: NDArray[np.bool_], seed: int
    ) -> None:
        self.units = units
        self.score = score
        self.large = large
        self.seed = seed
        self.exact = count_arrangements(units.sets, units.blocks) <= MOST_ARRANGEMENTS
        self._scores: tuple[Floats, Floats] | None = None

    def of_group(self, place: int, observed: float) -> float:
        """The two-sided p-value of a group's difference from the rest."""
        inside = self.units.members[self.units.sets, place]
        is_exact = count_arrangements(inside, self.units.blocks) <= MOST_ARRANGEMENTS
        if is_exact:
            parts = _all_sums(inside, self.units.blocks, self.units.values, 2)
            pairs = np.concatenate(list(map(self.score, parts)))
            differences = pairs[:, 1] - pairs[:, 0]
        else:
            scores, rest = self._drawn()
            differences = scores[:, place] - rest[:, place]
        differences = differences[np.isfinite(differences)]
        reach = _TOLERANCE * max(abs(observed), _TOLERANCE)
        extreme = min(
            np.count_nonzero(differences <= observed + reach),
            np.count_nonzero(differences >= observed - reach),
        )
        return min(1.0, 2 * _share(int(extreme), len(differences), is_exact))

    def of_gap(self, observed: float) -> float:
        """The p-value of the gap: the maximum over pairs needs no correction."""
        scores = self._drawn()[0][:, self.large]
        scores = scores[np.isfinite(scores).all(axis=1)]
        gaps = scores.max(axis=1) - scores.min(axis=1)
        reach = _TOLERANCE * max(abs(observed), _TOLERANCE)
        extreme = np.count_nonzero(gaps >= observed - reach)
        return _share(int(extreme), len(gaps), self.exact)

    def _drawn(self) -> tuple[Floats, Floats]:
        """The scores of all groups, and of the rest of each, in all or in drawn arrangements."""
        if self._scores is None:
            units, number = self.units, len(self.units.members)
            if self.exact:
                parts = _all_sums(units.sets, units.blocks, units.values, number)
            else:
                parts = _drawn_sums(units, number, self.seed)
            total = units.values.sum(axis=0)
            scores, rest = [], []
            for sums in parts:
                grouped = np.einsum("asc,sg->agc", sums, units.members.astype(np.float64))
                scores.append(self.score(grouped))
                rest.append(self.score(total - grouped))
            self._scores = np.concatenate(scores), np.concatenate(rest)
        return self._scores


def _share(extreme: int, number: int, is_exact: bool) -> float:
    return extreme / number if is_exact else (1 + extreme) / (1 + number)


def count_arrangements(labels: Integers, blocks: Integers) -> float:
    """How many arrangements of labels within blocks there are; infinity if too many to hold."""
    pairs, counts = np.unique(np.column_stack([blocks, labels]), axis=0, return_counts=True)
    _, places = np.unique(pairs[:, 0], return_index=True)
    power = sum(lgamma(total + 1) for total in np.add.reduceat(counts, places))
    power -= sum(lgamma(count + 1) for count in counts)
    number = round(exp(min(power, 30.0)))
    return number if number * len(labels) <= _LARGEST_TABLE else inf


def all_arrangements(labels: Integers, blocks: Integers) -> Iterator[Integers]:
    """Every arrangement of labels within blocks, a row each, some at a time.

    >>> labels, blocks = np.array([0, 1, 1, 0]), np.array([0, 0, 0, 1])
    >>> [rows.tolist() for rows in all_arrangements(labels, blocks)]
    [[[0, 1, 1, 0], [1, 0, 1, 0], [1, 1, 0, 0]]]
    """
    places, tables = [], []
    for block in np.unique(blocks):
        inside = np.flatnonzero(blocks == block)
        if len(set(labels[inside])) > 1:
            places.append(inside)
            tables.append(_orders(labels[inside]))
    number = reduce(lambda product, table: product * len(table), tables, 1)
    size = max(1, _CHUNK // len(labels))
    for begin in range(0, number, size):
        rest = np.arange(begin, min(begin + size, number))
        rows = np.tile(labels, (len(rest), 1))
        for inside, table in zip(places, tables, strict=True):
            rest, index = np.divmod(rest, len(table))
            rows[:, inside] = table[index]
        yield rows


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


def _all_sums(
    labels: Integers, blocks: Integers, values: Integers, number: int
) -> Iterator[Floats]:
    """The sums of the values by label in every arrangement; a row each, some at a time."""
    columns = values.T.astype(np.float64)
    for rows in all_arrangements(labels, blocks):
        places = (rows + number * np.arange(len(rows))[:, None]).ravel()
        parts = [np.bincount(places, np.tile(c, len(rows)), len(rows) * number) for c in columns]
        sums: Floats = np.stack(parts, axis=-1)
        yield sums.reshape(len(rows), number, -1)


def _drawn_sums(units: GroupedUnits, number: int, seed: int) -> Iterator[Floats]:
    """The sums of the values by label in random arrangements; each is a stream of the seed."""
    if not units.blocks.any():
        rows, counts = np.unique(units.values, axis=0, return_counts=True)
        # among many alike units it is faster to draw how many of them each label gets
        if _ALIKE * len(rows) * number < len(units.sets):
            yield _dealt_sums(rows, counts, np.bincount(units.sets, minlength=number), seed)
            return
    order = np.lexsort([units.sets, units.blocks])
    _, blocks = np.unique(units.blocks[order], return_inverse=True)
    values, labels = units.values[order].T, units.sets[order]
    begins = np.flatnonzero(np.diff(blocks, prepend=-1) | np.diff(labels, prepend=-1))
    owners = (labels[begins, None] == np.arange(number)).astype(np.float64)
    size = max(1, _CHUNK // len(labels))
    for begin in range(0, DRAWN, size):
        tell("drawing arrangements", begin, DRAWN)
        end = min(begin + size, DRAWN)
        pairs = np.arange((len(labels) + 1) // 2)[None]
        words = words_of(stream_starts(seed, begin, end)[:, None], pairs)
        keys = words.astype("<u8").view("<u4")[:, : len(labels)]
        # sorted digit by digit: by the halves of random numbers, then by blocks
        places = np.argsort(keys.astype(np.uint16), axis=1, kind="stable")
        for digit in ((keys >> np.uint32(16)).astype(np.uint16), *([blocks] if blocks[-1] else ())):
            faced = np.broadcast_to(digit, places.shape)
            inner = np.argsort(np.take_along_axis(faced, places, 1), axis=1, kind="stable")
            places = np.take_along_axis(places, inner, 1)
        runs = [np.add.reduceat(column[places], begins, axis=1) @ owners for column in values]
        sums: Floats = np.stack(runs, axis=-1)
        yield sums


def _dealt_sums(rows: Integers, counts: Integers, room: Integers, seed: int) -> Floats:
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
