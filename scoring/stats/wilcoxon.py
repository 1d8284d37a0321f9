"""Wilcoxon's signed rank test over speakers."""

from __future__ import annotations

from collections.abc import Sequence
from math import nan, sqrt
from typing import NamedTuple

from scoring.stats.distributions import normal_below
from scoring.stats.sample import ranks
from scoring.stats.signs import EQUAL_WITHIN, differences
from scoring.stats.verdict import CRITICAL_Z, Verdict


class SignedRanks(NamedTuple):
    """The result of the test.

    Attributes
    ----------
    differences
        Worse minus better system, one per speaker.
    ranks
        Of their sizes.
    positive, negative
        How many differences went to either side.
    positive_sum, negative_sum
        The sums of their ranks.
    z
        The statistic; NaN without a speaker.
    first_is_worse
        Which system the differences are taken from, see `scoring.stats.signs.Differences`.
    verdict
        Two-tailed at 1.96.
    """

    differences: list[float]
    ranks: list[float]
    positive: int
    negative: int
    positive_sum: float
    negative_sum: float
    z: float
    first_is_worse: bool
    verdict: Verdict


def signed_rank_test(first: Sequence[float], second: Sequence[float]) -> SignedRanks:
    """Test whether two systems recognise the speakers equally well.

    `z = (W - n(n+1)/4) / sqrt(n(n+1)(2n+1)/24)`, always by the normal approximation, without
    correction for continuity or ties. It differs from the textbook's in three ways: W is the rank
    sum of the *less frequent* sign rather than the smaller sum; zero differences keep their ranks
    and go to either side in turn, plus first; the p value comes from NIST's table.

    Parameters
    ----------
    first, second
        Percentages, a pair for every speaker.

    Examples
    --------
    >>> result = signed_rank_test([1.0, 9.0, 9.0, 30.0], [7.67, 2.02, 4.74, 6.67])
    >>> result.positive_sum, result.negative_sum, round(result.z, 2)
    (8.0, 2.0, -1.1)
    """
    worse, values = differences(first, second)
    sizes = ranks([abs(value) for value in values])
    counts, sums = [0, 0], [0.0, 0.0]
    turn = 0
    for value, rank in zip(values, sizes, strict=True):
        if abs(value) > EQUAL_WITHIN:
            side = int(value < 0)
        else:
            side, turn = turn, 1 - turn
        counts[side] += 1
        sums[side] += rank
    count = len(values)
    smaller = sums[0] if counts[0] < counts[1] else sums[1]
    z = nan
    if count:
        spread = sqrt(count * (count + 1) * (2 * count + 1) / 24)
        z = (smaller - count * (count + 1) / 4) / spread
    better = 0
    if abs(z) > CRITICAL_Z:
        worse_wins = counts[0] < counts[1]
        better = -1 if worse_wins == worse else 1
    probability = 1 - 2 * (normal_below(z) - 0.5)
    return SignedRanks(
        differences=values,
        ranks=sizes,
        positive=counts[0],
        negative=counts[1],
        positive_sum=sums[0],
        negative_sum=sums[1],
        z=z,
        first_is_worse=worse,
        verdict=Verdict(better, probability),
    )
