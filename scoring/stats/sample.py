"""Mean, spread and ranks of a sample, summed from left to right like NIST's programs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from math import nan, sqrt

from formats.schema import NamedTuple
from scoring.model.counts import left_to_right


class Moments(NamedTuple):
    """Moments of a sample: mean, variance, standard deviation (n - 1), and `z`.

    `z` is the mean divided by its standard error. If all values are equal, variance, deviation and
    `z` are 0, even with a nonzero mean. The mean of an empty sample is NaN.
    """

    mean: float
    variance: float
    deviation: float
    z: float


def moments(values: Sequence[float]) -> Moments:
    """Return the moments of a sample."""
    count = len(values)
    if not count:
        return Moments(nan, 0.0, 0.0, 0.0)
    mean = left_to_right(values) / count
    squares = left_to_right((value - mean) * (value - mean) for value in values)
    if count == 1 or squares == 0.0:  # a single NaN has no spread, either
        return Moments(mean, 0.0, 0.0, 0.0)
    variance = squares / (count - 1)
    deviation = sqrt(variance)
    return Moments(mean, variance, deviation, mean / (deviation / sqrt(count)))


def ranks(values: Sequence[float]) -> list[float]:
    """Return each value's rank from 1, ascending; equal values share their mean rank."""
    order = sorted(range(len(values)), key=values.__getitem__)
    result = [0.0] * len(values)
    begin = 0
    for _, group in groupby(order, values.__getitem__):
        positions = list(group)
        end = begin + len(positions)
        for position in positions:
            result[position] = (begin + 1 + end) / 2
        begin = end
    return result
