"""NIST's tests of two systems on the same utterances or speakers.

McNemar's test compares the numbers of utterances that only one system got wrong. The sign test and
Wilcoxon's signed rank test compare speakers. `holm` corrects the p-values of several tests.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, cycle
from math import nan, sqrt

from formats.schema import NamedTuple
from scoring.model.counts import left_to_right
from scoring.stats.distributions import fair_binomial_below, normal_below
from scoring.stats.sample import ranks

SIGNIFICANCE = 0.05
CRITICAL_Z = 1.960


class Verdict(NamedTuple):
    """The outcome of comparing a first and a second system."""

    better: int  # -1
    probability: float  # the p value NIST reports with it (two-tailed)


def mcnemar_test(only_first_wrong: int, only_second_wrong: int) -> Verdict:
    """Test if the utterances that only one system got wrong are divided evenly (McNemar).

    McNemar (1947), as a two-tailed binomial test: the probability is `2 * P(X <= fewer)`, where
    `fewer` is the smaller of the two numbers of utterances, and X is the number of heads of as many
    fair coin tosses as there are such utterances in total. Up to 20 such utterances, this is the
    exact test of textbooks, except that equal counts always have probability 1. Above 20, the
    probability is NIST's and far too small, see `fair_binomial_below`.

    Parameters
    ----------
    only_first_wrong, only_second_wrong
        Numbers of utterances in which only this system has errors.

    Examples
    --------
    >>> mcnemar_test(1, 9)
    Verdict(better=-1, probability=0.021484375)
    """
    return _coin_verdict(only_first_wrong, only_second_wrong, only_first_wrong > only_second_wrong)


def _coin_verdict(left: int, right: int, first_is_worse: bool) -> Verdict:
    """Return the verdict of a sign test of two numbers.

    Its probability is that of a split at least as uneven as this one.
    """
    probability = 1.0
    if left != right:
        probability = 2 * fair_binomial_below(min(left, right), left + right)
    better = 1 if first_is_worse else -1
    return Verdict(better if probability < SIGNIFICANCE else 0, probability)


EQUAL_WITHIN = 0.005
CORRECTIONS = ("holm", "bonferroni", "fdr_bh")


class SpeakerDifferences(NamedTuple):
    """The differences of two systems by speaker: worse system minus better system."""

    first_is_worse: bool  # the first system has the larger sum
    values: list[float]  # worse minus better


def differences(first: Sequence[float], second: Sequence[float]) -> SpeakerDifferences:
    """Return the difference of two systems' error rates for every speaker."""
    worse = left_to_right(first) > left_to_right(second)
    left, right = (first, second) if worse else (second, first)
    return SpeakerDifferences(worse, [a - b for a, b in zip(left, right, strict=True)])


class Signs(NamedTuple):
    """The result of the sign test."""

    positive: int  # how many differences are larger than 0.005, smaller than -0.005, and neither
    negative: int
    zero: int
    halved_positive: int  # with the zeros shared out, an odd one to the negative
    halved_negative: int
    first_is_worse: bool  # which system the differences are taken from, see `SpeakerDifferences`
    verdict: Verdict


def sign_test(first: Sequence[float], second: Sequence[float]) -> Signs:
    """Test whether both systems are better for the same number of speakers.

    The test is two-tailed: the probability is `2 * P(X <= fewer)`, where `fewer` is the smaller of
    the two numbers of speakers, and X is the number of heads of as many fair coin tosses as there
    are speakers. Unlike in textbooks, zero differences are not dropped but divided between both
    systems. Equal numbers of speakers have probability 1. Above 20 speakers, the probability is
    NIST's and far too small, see `fair_binomial_below`.

    Parameters
    ----------
    first, second
        Percentages, a pair for every speaker.

    Examples
    --------
    >>> sign_test([12.0] * 8, [10.0] * 8).verdict
    Verdict(better=1, probability=0.0078125)
    """
    worse, values = differences(first, second)
    zero = sum(abs(value) <= EQUAL_WITHIN for value in values)
    negative = sum(value < 0 and abs(value) > EQUAL_WITHIN for value in values)
    positive = len(values) - zero - negative
    more, fewer = positive + zero // 2, negative + zero // 2 + zero % 2
    verdict = _coin_verdict(more, fewer, worse)
    return Signs(positive, negative, zero, more, fewer, worse, verdict)


class SignedRanks(NamedTuple):
    """The result of the signed rank test."""

    differences: list[float]  # worse minus better system, one per speaker
    ranks: list[float]  # of their sizes
    positive: int  # how many differences went to either side
    negative: int
    positive_sum: float  # the sums of their ranks
    negative_sum: float
    z: float  # the statistic; NaN without a speaker
    first_is_worse: bool  # which system the differences are taken from, see `SpeakerDifferences`
    verdict: Verdict  # two-tailed at 1.96


def signed_rank_test(first: Sequence[float], second: Sequence[float]) -> SignedRanks:
    """Test whether two systems recognise the speakers equally well.

    For n speakers, `z = (W - n(n+1)/4) / sqrt(n(n+1)(2n+1)/24)`, always by the normal
    approximation, without correction for continuity or ties. It differs from textbooks in three
    ways. W is the rank sum of the *less frequent* sign, not the smaller sum. Zero differences keep
    their ranks and count for both sides in turn, first for plus. The p-value comes from NIST's
    table.

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
    turns = cycle((0, 1))
    for value, rank in zip(values, sizes, strict=True):
        side = int(value < 0) if abs(value) > EQUAL_WITHIN else next(turns)
        counts[side] += 1
        sums[side] += rank
    count = len(values)
    smaller = sums[0] if counts[0] < counts[1] else sums[1]
    z = nan
    if count:
        spread = sqrt(count * (count + 1) * (2 * count + 1) / 24)
        z = (smaller - count * (count + 1) / 4) / spread
    verdict = z_verdict(z, (counts[0] < counts[1]) == worse)
    return SignedRanks(values, sizes, counts[0], counts[1], sums[0], sums[1], z, worse, verdict)


def z_verdict(z: float, first_is_better: bool) -> Verdict:
    """Return the verdict of a standard normal statistic: significant if |z| exceeds 1.96."""
    better = -1 if first_is_better else 1
    probability = 1 - 2 * (normal_below(z) - 0.5)
    return Verdict(better if abs(z) > CRITICAL_Z else 0, probability)


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Return p-values adjusted by Holm's method, to compare with one level for all tests.

    Holm ("A simple sequentially rejective multiple test procedure", Scandinavian Journal of
    Statistics 6, 1979): the smallest of m p-values is multiplied by m, the next by m - 1, and so
    on; an adjusted value is at least the preceding value and at most 1. If the adjusted values are
    compared with 0.05, the chance of any false alarm is below 5 %, even for dependent tests.

    Parameters
    ----------
    p_values
        Between 0 and 1; None for a test that could not be made. It stays None and does not count.

    Raises
    ------
    ValueError
        If a p-value is not between 0 and 1.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03, None])
    [0.03, 0.06, 0.06, None]
    """
    return adjusted(p_values)


def adjusted(p_values: Sequence[float | None], correction: str = "holm") -> list[float | None]:
    """Return adjusted p-values by `holm`, `bonferroni` or `fdr_bh` (Benjamini and Hochberg, 1995).

    The first two methods limit the chance of any false alarm. `fdr_bh` limits the expected share of
    false alarms among the alarms. None stays None and does not count as a test.
    """
    tested = sorted((value, index) for index, value in enumerate(p_values) if value is not None)
    for value, _ in tested:
        if not 0 <= value <= 1:
            raise ValueError(f"p_values: expected numbers between 0 and 1, found {value}")
    number = len(tested)
    if correction == "fdr_bh":
        scaled = [value * number / rank for rank, (value, _) in enumerate(tested, 1)]
        values = [*accumulate(reversed(scaled), min)][::-1]
    else:
        factors = range(number, 0, -1) if correction == "holm" else [number] * number
        scaled = [value * factor for (value, _), factor in zip(tested, factors, strict=True)]
        values = list(accumulate(scaled, max))
    result = list(p_values)
    for value, (_, index) in zip(values, tested, strict=True):
        result[index] = min(1.0, value)
    return result
