"""Draw units with replacement in many replications, for the bootstrap.

A replication draws as many units as there are. Its result is the sum of the statistics of the drawn
units. With single draws, 10,000 replications of a test set need tens of millions of draws. Many
utterances of a test set have equal statistics. Most draws can then be saved without changing the
distribution of the result:

1. The first N draws are made by group, where N is Poisson-distributed. A group is all units with
   the same statistics. For such an N, the numbers of draws of the groups are independent and
   Poisson-distributed, so that each group needs one random number only.
2. Units in very small groups form one joint group, *singles*. Each draw of this group then draws
   one of its units.
3. The missing draws are made singly from all units. If N exceeds the number of units, the
   replication starts again.

For every N, the result consists of the full number of independent draws. Random numbers come from a
counter (SplitMix64). A replication depends only on the seed and its own number, not on threads, the
processor or the version of numpy.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from formats.io.progress import tell
from scoring.alignment import load_core

if TYPE_CHECKING:
    from scoring.model.arrays import Integers
    from scoring.stats.plain import resample as resample
else:
    _module = load_core()
    if _module is None:
        from scoring.stats import plain as _module
    resample = _module.resample

# How far the mean of N stays below the number of units, in standard deviations: begun again is
# one replication in forty.
_RESERVE = 2.0
# What a draw by group costs, in single draws; smaller groups are not worth it.
_COST_OF_GROUP = 2
# Tables leave out what is this many standard deviations off, rarer than 2**-53.
_TAIL = 9.0
_GREATEST_WORD = np.uint64(2**64 - 1)
MOST_UNITS = 2**32 - 1


class ResamplingPlan(NamedTuple):
    """A plan for drawing replications; the module docstring explains the method."""

    units: Integers  # the statistics, a row per unit
    groups: Integers  # the statistics of each group of alike units, a row per group
    group_tables: Integers  # per group, which table tells how often it is drawn
    singles: Integers  # the statistics of the units of no group, a row per unit
    singles_table: int  # which table tells how many singles are drawn; negative if there are none
    thresholds: NDArray[np.uint64]  # a row per table
    firsts: Integers  # per table, the least number it yields


def resampled_sums(
    statistics: Integers, *, replications: int, seed: int, threads: int = 0
) -> Integers:
    """Draw units with replacement; return the sums of their statistics, a row per replication."""
    rows = np.ascontiguousarray(statistics, dtype=np.int64)
    if rows.ndim != 2 or not 0 < len(rows) <= MOST_UNITS:
        raise ValueError(f"statistics: expected a row per unit, found shape {rows.shape}")
    check_numbers(replications, seed)
    greatest = max(int(rows.max(initial=0)), -int(rows.min(initial=0)))
    if greatest * len(rows) >= 2**63:
        raise ValueError("statistics: their sums would not fit into 63 bits")
    tell("drawing replications", 0, replications)
    return resample(*plan(rows), seed=seed, replications=replications, threads=threads)


def check_numbers(replications: int, seed: int) -> None:
    """Reject invalid numbers of replications and invalid seeds."""
    if replications < 1:
        raise ValueError(f"replications: expected at least 1, found {replications}")
    if not 0 <= seed < 2**64:
        raise ValueError(f"seed: expected a number from 0 to 2**64 - 1, found {seed}")


def plan(units: Integers) -> ResamplingPlan:
    """Return the plan with the fewest draws for these units."""
    firsts, group_of, sizes = distinct_rows(units)
    grouped = sizes > _COST_OF_GROUP
    singles = units[~grouped[group_of]]
    number = len(units)
    reserve = _RESERVE * math.sqrt(number)
    work = _COST_OF_GROUP * np.count_nonzero(grouped) + len(singles) + reserve
    if work >= number:
        # every draw is a single one of all units
        grouped[:], singles = False, units[:0]
    share = (number - reserve) / number
    distinct, group_tables = np.unique(sizes[grouped], return_inverse=True)
    means = distinct.astype(np.float64) * share
    if len(singles):
        means = np.append(means, len(singles) * share)
    thresholds, least = poisson_tables(means)
    return ResamplingPlan(
        units=units,
        groups=units[firsts[grouped]],
        group_tables=group_tables.astype(np.int64),
        singles=singles,
        singles_table=len(distinct) if len(singles) else -1,
        thresholds=thresholds,
        firsts=least,
    )


def distinct_rows(rows: Integers) -> tuple[Integers, Integers, Integers]:
    """Return three arrays: distinct rows, the index of each row's distinct row, and frequencies.

    A distinct row is the position of its first appearance. The positions are in ascending order.

    The order of the columns does not matter, so that random draws do not depend on it.
    """
    # stable, so that the first of a run of equals is the one that appears first
    order = np.lexsort(rows.T)
    ordered = rows[order]
    begins = np.ones(len(rows), bool)
    begins[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    by_value = np.empty(len(rows), np.int64)
    by_value[order] = np.cumsum(begins) - 1
    appearance = np.argsort(order[begins], kind="stable")
    rank = np.empty(len(appearance), np.int64)
    rank[appearance] = np.arange(len(appearance))
    number_of = rank[by_value]
    return order[begins][appearance], number_of, np.bincount(number_of)


def poisson_tables(means: NDArray[np.float64]) -> tuple[NDArray[np.uint64], Integers]:
    """Return tables (see `ResamplingPlan`) of Poisson distributions.

    The computation uses only basic arithmetic in a fixed order, so that the tables are equal on all
    machines.
    """
    spread = _TAIL * np.sqrt(means)
    least = np.maximum(0, np.floor(means - spread - _TAIL)).astype(np.int64)
    width = int((means + spread + 2 * _TAIL - least).max(initial=0)) + 1
    numbers = least[:, None] + np.arange(width)
    # each number is mean / number times as likely as the one before
    ratios = means[:, None] / np.maximum(numbers, 1)
    ratios[:, 0] = 1.0
    cumulative = np.cumsum(np.cumprod(ratios, axis=1), axis=1)
    shares = cumulative / cumulative[:, -1:]
    certain = shares >= 1.0
    shares[certain] = 0.0
    thresholds = np.ldexp(shares, 64).astype(np.uint64)
    thresholds[certain] = _GREATEST_WORD
    return thresholds, least
