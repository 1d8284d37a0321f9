"""How numbers of keyword-search reports are printed; undefined ones are ``NA``."""

from __future__ import annotations

from math import isnan

__all__ = ["count_mean", "plain", "precision", "precision_percent", "probability_of_false_alarm"]

NA = "NA"


def probability_of_false_alarm(value: float | None) -> str:
    """Five decimals."""
    return NA if value is None else f"{value:.5f}"


def probability_of_miss(value: float | None) -> str:
    """Three decimals, at least six characters.

    >>> probability_of_miss(2 / 3)
    ' 0.667'
    """
    return NA if value is None else f"{value:6.3f}"


def weighted_value(value: float | None) -> str:
    """Four decimals: term-weighted values, and the threshold of the actual decisions.

    >>> weighted_value(-1e-9), weighted_value(None)
    ('-0.0000', 'NA')
    """
    return NA if value is None else f"{value:.4f}"


def threshold(value: float | None) -> str:
    """Three decimals, at least six characters; ``NaN`` where there is no score.

    >>> threshold(0.65), threshold(float("nan"))
    (' 0.650', 'NaN')
    """
    if value is None:
        return NA
    return "NaN" if isnan(value) else f"{value:6.3f}"


def precision(value: float | None) -> str:
    """Two decimals."""
    return NA if value is None else f"{value:.2f}"


def precision_percent(value: float | None) -> str:
    """A hundredfold, with one decimal."""
    return NA if value is None else f"{100 * value:.1f}"


def count_mean(total: int, of: int) -> str:
    """A mean of counts as a whole number, half to even.

    >>> count_mean(3, 6), count_mean(9, 6)
    ('0', '2')
    """
    return f"{total / of:.0f}" if of else "0"


def plain(value: float) -> str:
    """Up to 15 digits, without zeros at the end.

    >>> plain(3000.25), plain(0.1 + 0.2), plain(1.0)
    ('3000.25', '0.3', '1')
    """
    return f"{value:.15g}"
