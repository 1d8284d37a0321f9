"""The sign test over speakers, and how its like orders two systems."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from scoring.stats.distributions import fair_binomial_below
from scoring.stats.verdict import SIGNIFICANCE, Verdict

EQUAL_WITHIN = 0.005


class Differences(NamedTuple):
    """The differences of two systems, speaker by speaker, the worse one first.

    Attributes
    ----------
    first_is_worse
        The first system has the larger sum; of equal sums the second counts as worse.
    values
        Worse minus better.
    """

    first_is_worse: bool
    values: list[float]


def differences(first: Sequence[float], second: Sequence[float]) -> Differences:
    """The differences of two systems' error rates, a pair for every speaker.

    Examples
    --------
    >>> differences([10.0, 20.0], [11.0, 25.0])
    Differences(first_is_worse=False, values=[1.0, 5.0])
    """
    worse = _sum(first) > _sum(second)
    left, right = (first, second) if worse else (second, first)
    return Differences(worse, [a - b for a, b in zip(left, right, strict=True)])


def _sum(values: Sequence[float]) -> float:
    total = 0.0
    for value in values:
        total += value
    return total


class Signs(NamedTuple):
    """The result of the sign test.

    Attributes
    ----------
    positive, negative, zero
        How many differences are larger than 0.005, smaller than -0.005, and neither.
    halved_positive, halved_negative
        With the zeros shared out, an odd one to the negative.
    first_is_worse
        Which system the differences are taken from, see `Differences`.
    verdict
        If significant, always for the system with the smaller sum, whatever the signs say.
    """

    positive: int
    negative: int
    zero: int
    halved_positive: int
    halved_negative: int
    first_is_worse: bool
    verdict: Verdict


def sign_test(first: Sequence[float], second: Sequence[float]) -> Signs:
    """Test whether as many speakers are better recognised by one system as by the other.

    Two-tailed, `2 * P(at most the smaller of N)` for fair coin tosses. Unlike the textbook's, zero
    differences are not dropped but shared out; equal numbers have probability 1; beyond 20
    speakers the probability is NIST's, see `fair_binomial_below`: far too small.

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
    probability = 1.0
    if more != fewer:
        probability = 2 * fair_binomial_below(min(more, fewer), more + fewer)
    better = 0
    if probability < SIGNIFICANCE:
        better = 1 if worse else -1
    return Signs(positive, negative, zero, more, fewer, worse, Verdict(better, probability))
