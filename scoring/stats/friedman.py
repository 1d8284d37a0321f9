"""Friedman's analysis of variance by ranks, and the multiple comparison after it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from math import nan, sqrt
from typing import NamedTuple

from scoring.model.counts import left_to_right
from scoring.stats.nist_tables import CHI_SQUARE, CHI_SQUARE_CONFIDENCES, CHI_SQUARE_TAILS

# Critical values of the normal distribution for tails of 0.01, 0.02 and so on up to 0.09.
_CRITICAL = (2.330, 2.055, 1.881, 1.751, 1.645, 1.555, 1.474, 1.405, 1.340)
_BEYOND = 1.381
_COLUMN = CHI_SQUARE_TAILS.index("5%")
_SIGNIFICANCE = 0.05


class Friedman(NamedTuple):
    """The result of Friedman's test."""

    degrees: int  # the row of the chi-square table that is used
    critical: float  # its 5 % value
    adjustment: float  # the correction for ties the statistic is divided by
    statistic: float  # x2_r, 0 if the adjustment is 0, NaN with a single treatment
    rank_sums: list[float]  # by treatment

    @property
    def significant(self) -> bool:
        """True if the treatments differ at the 5 % level."""
        return self.statistic > self.critical

    @property
    def confidences(self) -> tuple[str, ...] | None:
        """The two adjacent confidence levels of the table that enclose the statistic.

        None if the statistic is outside the table: above 99.9 % if significant, otherwise below 1
        %.
        """
        row = CHI_SQUARE[self.degrees - 1]
        search = bisect_right if self.significant else bisect_left
        column = search(row, self.statistic)  # NaN is below all
        return CHI_SQUARE_CONFIDENCES[column - 1 : column + 1] if 0 < column < len(row) else None


def friedman_test(ranks: Sequence[Sequence[float]], ties_looked_at: int | None = None) -> Friedman:
    """Analyse ranks of treatments within blocks (Friedman 1937).

    For b blocks, t treatments and the rank sum R of each treatment, the statistic is
    `X2 = 12 / (b t (t+1)) * sum(R^2) - 3 b (t+1)`, divided by
    `1 - sum(c^3 - c) / (b t (t^2 - 1))` over groups of c tied ranks, as in textbooks. Unlike in
    textbooks, the degrees of freedom are limited to 1 to 30, and `ties_looked_at` limits the ranks
    that are searched for ties.

    Parameters
    ----------
    ranks
        A row for every block: the rank of every treatment in it.
    ties_looked_at
        The correction for ties uses this many distinct ranks per block, in order of appearance;
        None: all ranks. The original uses too few ranks if the treatments are speakers.

    Examples
    --------
    >>> round(friedman_test([[1, 2, 3], [1, 3, 2], [1, 2, 3]]).statistic, 4)
    4.6667
    """
    blocks = len(ranks)
    treatments = len(ranks[0]) if ranks else 0
    sums = [left_to_right(column) for column in zip(*ranks, strict=True)]
    degrees = min(max(treatments - 2, 0), len(CHI_SQUARE) - 1) + 1
    squares = left_to_right(total * total for total in sums)
    ties = sum(
        size**3 - size for row in ranks for size in list(Counter(row).values())[:ties_looked_at]
    )
    cases = blocks * treatments
    statistic = adjustment = nan
    if cases * (treatments * treatments - 1):
        adjustment = 1 - ties / (cases * (treatments * treatments - 1))
        statistic = 12 / (cases * (treatments + 1)) * squares - 3 * blocks * (treatments + 1)
        statistic = 0.0 if adjustment == 0 else statistic / adjustment
    return Friedman(degrees, CHI_SQUARE[degrees - 1][_COLUMN], adjustment, statistic, sums)


def least_difference(blocks: int, treatments: int) -> float:
    """Return the smallest significant difference of two rank sums.

    For b blocks and t treatments, the textbook (Hollander and Wolfe) has
    `z * sqrt(b t (t+1) / 6)`, where z is the normal quantile of `0.05 / (t (t-1))`. NIST's program
    uses t (t-1) under the root and takes z from a table of nine values. This function follows
    NIST's program.
    """
    pairs = treatments * (treatments - 1)
    tail = _SIGNIFICANCE / pairs if pairs else nan
    z = next((value for n, value in enumerate(_CRITICAL, 1) if n / 100 > tail), _BEYOND)
    return z * sqrt(blocks * pairs / 6)


def compare_rank_sums(sums: Sequence[float], blocks: int) -> dict[tuple[int, int], int]:
    """Return -1, 0 or +1 as in `Verdict.better` for each pair of treatments.

    Two rank sums differ if their distance is at least `least_difference`.
    """
    least = least_difference(blocks, len(sums))
    return {
        (a, b): 0 if abs(left - right) < least else 1 if left > right else -1
        for (a, left), (b, right) in combinations(enumerate(sums), 2)
    }
