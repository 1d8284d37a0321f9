"""Resampling in numpy; the results equal those of the compiled module in every byte."""

from __future__ import annotations

from itertools import count

import numpy as np

from formats.io.progress import tell
from scoring.alignment.arguments import require, whole, whole_word
from scoring.alignment.limits import look
from scoring.model.arrays import Integers
from scoring.stats.random_words import RandomWords, below, stream_starts, words_of

MOST = 2**31 - 1
_MOST_TIMES = 1000  # one replication in forty is begun again
_CHUNK = 1 << 19  # random words at a time


def resample(
    units: Integers,
    groups: Integers,
    group_tables: Integers,
    singles: Integers,
    singles_table: int,
    thresholds: RandomWords,
    firsts: Integers,
    seed: int,
    replications: int,
    threads: int,
) -> Integers:
    """Return one row of sums per replication.

    A replication draws as many units as there are.

    `scoring.stats.resampling.ResamplingPlan` describes the arguments and the draws.
    """
    seed = whole_word(seed, "seed")
    replications = whole(replications, "replications", 1, MOST)
    whole(threads, "threads", 0, MOST)
    sums = np.empty((replications, units.shape[1]), np.int64)
    chunk = max(1, _CHUNK // len(units))
    for first in range(0, replications, chunk):
        look()
        tell("drawing replications", first, replications)
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


def _draw_groups(
    states: RandomWords,
    limits: int,
    groups: Integers,
    group_tables: Integers,
    singles_table: int,
    thresholds: RandomWords,
    firsts: Integers,
) -> tuple[Integers, Integers, Integers]:
    """Return arrays by replication: sums over groups, numbers of draws of singles, words used.

    The last column of the sums has the number of all draws. Words are random words.
    """
    tables = [*group_tables.tolist(), *([] if singles_table < 0 else [singles_table])]
    rows = np.column_stack([groups, np.ones(len(groups), np.int64)])
    grouped = np.zeros((len(states), rows.shape[1]), np.int64)
    alone = np.zeros(len(states), np.int64)
    used = np.zeros(len(states), np.int64)
    pending = np.arange(len(states))
    for rounds in count():
        if not len(pending) or not tables:
            break
        look()
        require(
            rounds <= _MOST_TIMES, "groups: drawn more often than there are units, again and again"
        )
        times = np.empty((len(pending), len(tables)), np.int64)
        for index, table in enumerate(tables):
            words = words_of(states[pending], used[pending] + index)
            times[:, index] = firsts[table] + np.searchsorted(thresholds[table], words)
        grouped[pending] = times[:, : len(groups)] @ rows
        alone[pending] = times[:, len(groups) :].sum(axis=1)
        used[pending] += len(tables)
        pending = pending[grouped[pending, -1] + alone[pending] > limits]
    return grouped, alone, used


def _add_each(
    sums: Integers, rows: Integers, times: Integers, states: RandomWords, used: Integers
) -> None:
    """Add `times[i]` random rows of `rows` to row `i` of `sums`."""
    most = int(times.max(initial=0))
    if most == 0:
        return
    columns = np.arange(most)
    chosen = below(len(rows), words_of(states[:, None], used[:, None] + columns))
    is_drawn = columns < times[:, None]
    for column in range(rows.shape[1]):
        sums[:, column] += np.where(is_drawn, rows[chosen, column], 0).sum(axis=1)
