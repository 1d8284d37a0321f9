"""Change points of a series: positions where the level changes.

The whole series has one test: the largest standardised cumulative sum (CUSUM), compared with the
same statistic of the series in random orders. After a significant split, both parts are searched in
the same way (binary segmentation). The level of the test is divided among the parts in proportion
to their lengths. The chance of any false alarm therefore does not grow with the number of values or
parts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scoring.model.arrays import Floats

LEVEL = 0.05
ORDERS = 9_999
_CELLS = 2_000_000  # of an array of orders
_EQUAL = 1e-9  # relative distance of statistics that differ only by rounding


class LevelChange(NamedTuple):
    """The position of the first value of a new level, and the p-value of the split."""

    position: int
    p_value: float


def change_points(
    values: Sequence[float], starts: Sequence[int] = (), level: float = LEVEL, seed: int = 0
) -> list[LevelChange]:
    """Return the changes of level of a series, in order.

    Parameters
    ----------
    values
        The series, in its order, for example error rates of nightly runs.
    starts
        Positions at which other conditions begin; no split is tested across them.
    level
        Chance of any change point in a series whose values have random order, from 0 to 1.
    seed
        Seed of the random orders.

    Examples
    --------
    >>> [change.position for change in change_points([1, 2, 1, 2, 1, 8, 9, 8, 9, 8])]
    [5]
    """
    series = np.asarray(values, np.float64)
    bounds = sorted({0, *starts, len(series)})
    random = np.random.default_rng(seed)
    changes = [
        change
        for first, end in pairwise(bounds)
        for change in _splits(series, first, end, level, random)
    ]
    return sorted(changes)


def _splits(
    series: Floats, first: int, end: int, level: float, random: np.random.Generator
) -> Iterator[LevelChange]:
    """Yield the significant splits of a part of the series."""
    parts = [(first, end)]
    while parts:
        first, end = parts.pop()
        part = series[first:end]
        if len(part) < 2 or np.ptp(part) == 0:
            continue
        sums = _standardised(part[np.newaxis] - part.mean())[0]
        split = int(sums.argmax())
        p_value = _p_value(part - part.mean(), float(sums[split]), random)
        if p_value <= level * len(part) / len(series):
            middle = first + split + 1
            yield LevelChange(middle, p_value)
            parts += [(first, middle), (middle, end)]


def _standardised(deviations: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return, for each row and split, the standardised sum of the values before the split."""
    length = deviations.shape[1]
    before = np.arange(1, length)
    scale: NDArray[np.float64] = np.sqrt(before * (length - before) / length)
    sums: NDArray[np.float64] = np.abs(deviations.cumsum(axis=1)[:, :-1]) / scale
    return sums


def _p_value(deviations: Floats, largest: float, random: np.random.Generator) -> float:
    """Return the p-value of a split: the share of orders whose largest sum is at least `largest`.

    The orders are random, and the original order is one of them.
    """
    rows = max(1, _CELLS // len(deviations))
    as_large = 1
    for done in range(0, ORDERS, rows):
        orders = np.tile(deviations, (min(rows, ORDERS - done), 1))
        random.permuted(orders, axis=1, out=orders)
        as_large += int((_standardised(orders).max(axis=1) >= largest * (1 - _EQUAL)).sum())
    return as_large / (ORDERS + 1)
