"""Limits of confidence intervals for data where the bootstrap is too narrow.

The percentile bootstrap needs many units, and many of them with errors. This module decides which
limits all commands show:

1. Few errors (`are_few`): exact limits of a Poisson-distributed number, by block. Every block with
   errors is an event whose weight is the number of its errors. Fay and Feuer ("Confidence intervals
   for directly standardized rates", 1997) derive the limits of such weighted sums. With one error
   per block, the limits are Garwood's. Clopper-Pearson limits do not apply: insertions allow more
   errors than words, and the share of blocks with errors does not determine the number of errors.
2. Fewer than `SMALL` units: Student's t with the linearised standard error. For a rate, Student's t
   is applied to the logarithm, so that the interval is asymmetric and positive. A number that is
   not a rate has the percentile bootstrap, widened as Student's t requires (Hesterberg, "What
   teachers should know about the bootstrap", 2015).
3. Otherwise the percentile bootstrap.

`docs/statistics.md` has a table of the coverage.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import exp, log, sqrt
from statistics import NormalDist
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from scoring.model.arrays import Floats
from scoring.stats.quantiles import gamma_quantile, t_quantile

IntervalName: TypeAlias = Literal["auto", "percentile"]
INTERVALS: tuple[IntervalName, ...] = ("auto", "percentile")
# Fewer units than this and an interval is flagged; fewer errors, and it is exact.
FEW_UNITS = FEW_ERRORS = 10
# Fewer units than this need wider limits than percentiles.
SMALL = 50
# Only two or three units give intervals of a rate wider than this factor each way.
WORST = 8.0
POISSON, STUDENT, LOG_STUDENT = "exact Poisson limits", "Student's t", "Student's t of the log rate"


class Interval(NamedTuple):
    """The bounds of an interval."""

    low: float
    high: float

    def record(self, level: float) -> dict[str, float]:
        """Return the bounds with their coverage (a ratio), for JSON."""
        return {"low": self.low, "high": self.high, "level": level}


def bounds_text(
    limits: Interval, flag: str, text: Callable[[float], str], between: str, unit: str
) -> str:
    """Return the limits of an interval as text, followed by `flag` if the interval is rough."""
    return between.join(map(text, limits)) + unit + f" ({flag})" * bool(flag)


def are_few(errors: Floats) -> bool:
    """Return True if errors of utterances, or changes of errors, are too few for resampling.

    They are too few if there are fewer than ten errors. They are also too few if fewer than ten
    utterances have errors and most utterances have none.

    >>> are_few(np.array([5.0, 9.0])), are_few(np.array([40.0, 0.0, 0.0])), are_few(np.ones(10))
    (False, True, False)
    """
    sizes = np.abs(errors)
    wrong = int(np.count_nonzero(sizes))
    return bool(sizes.sum() < FEW_ERRORS or (wrong < FEW_ERRORS and 2 * wrong <= len(sizes)))


def poisson_limits(weights: Floats, level: float, least: float = 1.0) -> Interval:
    """Return exact limits of a sum of weighted events.

    The upper limit allows for one more event. Its weight is the largest weight, but at least
    `least`.

    >>> [round(limit, 3) for limit in poisson_limits(np.zeros(10), 0.95)]
    [0.0, 3.689]
    >>> [round(limit, 3) for limit in poisson_limits(np.ones(4), 0.95)]
    [1.09, 10.242]
    """
    total, square = float(weights.sum()), float((weights**2).sum())
    return limits_of_moments(total, square, float(weights.max(initial=0.0)), level, least)


def limits_of_moments(
    total: float, square: float, largest: float, level: float, least: float = 1.0
) -> Interval:
    """Return the limits of `poisson_limits` from sum, sum of squares and maximum of the weights."""
    rest = (1 - level) / 2
    low = square / total * gamma_quantile(rest, total**2 / square) if total > 0 else 0.0
    another = max(largest, least)
    total, square = total + another, square + another**2
    return Interval(low, square / total * gamma_quantile(1 - rest, total**2 / square))


def limits_of_changes(changes: Floats, level: float) -> Interval:
    """Return the limits of a sum of few changes, combining its increases and its decreases.

    >>> [round(limit, 2) for limit in limits_of_changes(np.array([1.0, 1, 0, -1, 1]), 0.95)]
    [-3.15, 7.85]
    """
    sides = np.maximum(changes, 0.0), np.maximum(-changes, 0.0)
    parts = [(float(side.sum()), poisson_limits(side, level)) for side in sides]
    return limits_of_sum(parts, (1.0, -1.0))


def limits_of_sum(parts: Sequence[tuple[float, Interval]], signs: Sequence[float]) -> Interval:
    """Return the limits of a weighted sum of independent numbers, given the limits of each.

    The method of Zou and Donner ("Construction of confidence limits about effect measures", 2008):
    the squared distances of the limits from the estimates are added. A negative weight exchanges
    the lower and the upper limit.

    >>> half = Interval(0.1, 0.5)
    >>> limits_of_sum([(0.2, half)], [1.0]) == half
    True
    """
    total = sum(sign * estimate for sign, (estimate, _) in zip(signs, parts, strict=True))
    below = above = 0.0
    for sign, (estimate, limits) in zip(signs, parts, strict=True):
        ends = sorted(sign * limit for limit in limits)
        below += (sign * estimate - ends[0]) ** 2
        above += (ends[1] - sign * estimate) ** 2
    return Interval(total - sqrt(below), total + sqrt(above))


def student_limits(
    estimate: float, standard_error: float, freedom: float, level: float, *, is_rate: bool = False
) -> Interval:
    """Return limits by Student's t, applied to the logarithm of a rate or to a difference.

    If the rate is uncertain by more than a factor of `WORST`, the limits do not use the logarithm.
    """
    reach = t_quantile((1 + level) / 2, freedom) * standard_error
    if is_rate and reach <= estimate * log(WORST):
        factor = exp(reach / estimate)
        return Interval(estimate / factor, estimate * factor)
    low = estimate - reach
    return Interval(max(0.0, low) if is_rate else low, estimate + reach)


def widened(rest: float, units: int) -> float:
    """Return the probability beyond each limit of a percentile interval, widened for few units."""
    if units >= SMALL or units < 2:
        return rest
    reach = t_quantile(1 - rest, units - 1) * sqrt(units / (units - 1))
    return 1 - NormalDist().cdf(reach)


def influence(errors: Floats, words: Floats) -> Floats:
    """Return the first-order effect of each unit on the rate of all units; the values sum to 0."""
    total = float(words.sum())
    if not total:
        return np.zeros(len(errors))
    influences: Floats = (errors - errors.sum() / total * words) / total
    return influences


def error_of(influences: Floats) -> float:
    """Return the standard error of an estimate from the influence of each unit."""
    number = len(influences)
    if number < 2:
        return 0.0
    return sqrt(float((influences**2).sum()) * number / (number - 1))
