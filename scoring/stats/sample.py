"""Mean, spread and ranks of a sample, summed from left to right as NIST's programs do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from math import nan, sqrt

from formats.schema import NamedTuple


class Moments(NamedTuple):
    """Moments of a sample: mean, variance and deviation (n - 1), and mean over standard error.

    `z` is the mean divided by its standard error. Without any spread variance, deviation and `z`
    are 0, even if the mean is not; the mean of nothing is NaN.
    """

    mean: float
    variance: float
    deviation: float
    z: float


def left_to_right(values: Iterable[float]) -> float:
    """Add numbers one after the other as C does; `sum` is more exact in newer Pythons."""
    total = 0.0
    for value in values:
        total += value
    return total


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
    """Return each value's rank from 1, ascending; equal values share the mean of their ranks."""
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
