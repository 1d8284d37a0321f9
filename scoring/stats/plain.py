"""Resampling with numpy alone: the twin of the compiled module, to the byte."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_STEP = np.uint64(0x9E3779B97F4A7C15)
_HALF = np.uint64(32)
_LOWER = np.uint64(0xFFFFFFFF)
_CHUNK = 1 << 19  # random words at a time

Words = NDArray[np.uint64]
Integers = NDArray[np.int64]


def resample(
    units: Integers,
    groups: Integers,
    group_tables: Integers,
    singles: Integers,
    singles_table: int,
    thresholds: Words,
    firsts: Integers,
    seed: int,
    replications: int,
    threads: int,
) -> Integers:
    """Sums over as many units as there are, drawn with replacement, for each replication.

    `scoring.stats.resampling.Plan` describes the arguments and how draws are made.

    Parameters
    ----------
    seed
        From 0 to 2**64 - 1. Replication b consumes words of stream b of the seed, in order: one
        for each group, one for the number of singles; all that again as long as they are more
        than there are units; one for each single; one for each unit still missing.
    replications
        How many, from 1.
    threads
        Not used here.
    """
    sums = np.empty((replications, units.shape[1]), np.int64)
    chunk = max(1, _CHUNK // len(units))
    for first in range(0, replications, chunk):
        last = min(first + chunk, replications)
        states = stream_starts(seed, first, last)
        grouped, alone, used = _draw_groups(
            states, len(units), groups, group_tables, singles_table, thresholds, firsts
        )
        missing = len(units) - grouped[:, -1] - alone
        part = grouped[:, :-1]
        _add_each(part, singles, alone, states, used)
        _add_each(part, units, missing, states, used + alone)
        sums[first:last] = part
    return sums


def mixed(words: Words) -> Words:
    """The output function of SplitMix64 (Steele, Lea and Flood, 2014)."""
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))


def stream_starts(seed: int, first: int, last: int) -> Words:
    """The states in which streams `first` to `last - 1` of a seed begin."""
    start = mixed(np.array([seed], np.uint64) + _STEP)
    return mixed(start + np.arange(first + 1, last + 1, dtype=np.uint64) * _STEP)


def words_of(states: Words, places: Integers) -> Words:
    """The random words at these places (from 0) of the streams."""
    return mixed(states + (places.astype(np.uint64) + np.uint64(1)) * _STEP)


def below(count: int, words: Words) -> Integers:
    """Whole numbers below `count` (itself below 2**32) from random words.

    The upper half of the product of 128 bits: no number is more likely than another by more than
    `count` / 2**64.
    """
    factor = np.uint64(count)
    carry = ((words & _LOWER) * factor) >> _HALF
    return (((words >> _HALF) * factor + carry) >> _HALF).astype(np.int64)


def _draw_groups(
    states: Words,
    wanted: int,
    groups: Integers,
    group_tables: Integers,
    singles_table: int,
    thresholds: Words,
    firsts: Integers,
) -> tuple[Integers, Integers, Integers]:
    """Sums over groups with the number of draws as last column, draws of singles, words used."""
    tables = [*group_tables.tolist(), *([] if singles_table < 0 else [singles_table])]
    rows = np.column_stack([groups, np.ones(len(groups), np.int64)])
    grouped = np.zeros((len(states), rows.shape[1]), np.int64)
    alone = np.zeros(len(states), np.int64)
    used = np.zeros(len(states), np.int64)
    pending = np.arange(len(states))
    while len(pending) and tables:
        times = np.empty((len(pending), len(tables)), np.int64)
        for place, table in enumerate(tables):
            words = words_of(states[pending], used[pending] + place)
            times[:, place] = firsts[table] + np.searchsorted(thresholds[table], words)
        grouped[pending] = times[:, : len(groups)] @ rows
        alone[pending] = times[:, len(groups) :].sum(axis=1)
        used[pending] += len(tables)
        pending = pending[grouped[pending, -1] + alone[pending] > wanted]
    return grouped, alone, used


def _add_each(
    sums: Integers, rows: Integers, times: Integers, states: Words, used: Integers
) -> None:
    """Add to each sum as many random rows as `times` says."""
    most = int(times.max(initial=0))
    if most == 0:
        return
    columns = np.arange(most)
    chosen = below(len(rows), words_of(states[:, None], used[:, None] + columns))
    drawn = columns < times[:, None]
    for column in range(rows.shape[1]):
        sums[:, column] += np.where(drawn, rows[chosen, column], 0).sum(axis=1)
