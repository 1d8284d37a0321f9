"""Quantiles of Student's t and of the gamma distribution, without scipy."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import exp, lgamma, log, log1p

_TINY, _ENOUGH, _MOST_STEPS = 1e-300, 1e-15, 10_000
_KEPT = 4096  # quantiles: groups of a report, and tests of many runs, ask for the same again


def t_two_sided(value: float, freedom: float) -> float:
    """Return the two-sided p-value of a value of Student's t.

    >>> round(t_two_sided(2.0, 10), 6)
    0.073388
    """
    return _incomplete_beta(freedom / 2, 0.5, freedom / (freedom + value * value))


@lru_cache(_KEPT)
def t_quantile(probability: float, freedom: float) -> float:
    """Return the quantile of Student's t for a probability above 0.5.

    >>> round(t_quantile(0.975, 10), 6)
    2.228139
    """
    beyond = 2 * (1 - probability)
    return _crossing(lambda value: t_two_sided(value, freedom) <= beyond)


@lru_cache(_KEPT)
def gamma_quantile(probability: float, shape: float) -> float:
    """Return the quantile of a gamma variable of scale 1 for a probability.

    >>> round(gamma_quantile(0.975, 1), 6)
    3.688879
    >>> round(2 * gamma_quantile(0.025, 3.5), 6)  # chi-squared with 7 degrees of freedom
    1.689869
    """
    return _crossing(lambda value: _incomplete_gamma(shape, value) >= probability)


def _crossing(is_beyond: Callable[[float], bool]) -> float:
    """Return the smallest positive number above which a condition holds."""
    low, high = 0.0, 1.0
    while not is_beyond(high):
        low, high = high, 2 * high
    for _ in range(200):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        low, high = (low, middle) if is_beyond(middle) else (middle, high)
    return high


def _incomplete_gamma(shape: float, x: float) -> float:
    """Return the regularised lower incomplete gamma function, by its power series."""
    if x <= 0:
        return 0.0
    term = total = 1 / shape
    for step in range(1, _MOST_STEPS):
        term *= x / (shape + step)
        total += term
        if term < total * _ENOUGH:
            break
    return min(1.0, total * exp(shape * log(x) - x - lgamma(shape)))


def _incomplete_beta(a: float, b: float, x: float) -> float:
    """Return the regularised incomplete beta function, by continued fractions (Lentz)."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - _incomplete_beta(b, a, 1 - x)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x)) / a
    c, d = 1.0, 1 / _no_zero(1 - (a + b) * x / (a + 1))
    fraction = d
    for step in range(1, _MOST_STEPS):
        twice = a + 2 * step
        for term in (
            step * (b - step) * x / ((twice - 1) * twice),
            -(a + step) * (a + b + step) * x / (twice * (twice + 1)),
        ):
            d = 1 / _no_zero(1 + term * d)
            c = _no_zero(1 + term / c)
            fraction *= c * d
        if abs(c * d - 1) < _ENOUGH:
            break
    return front * fraction


def _no_zero(value: float) -> float:
    return value if abs(value) > _TINY else _TINY
