"""How numbers of keyword-search reports are printed; undefined ones are ``NA``."""

from __future__ import annotations

from math import isnan

NA = "NA"


# How these are printed: probabilities of false alarms and of misses, term-weighted values (and the
# threshold of the actual decisions), average precisions.
FALSE_ALARM, MISS, VALUE, PRECISION = ".5f", "6.3f", ".4f", ".2f"


def formatted(value: float | None, form: str) -> str:
    """A number in one of the forms above.

    >>> formatted(2 / 3, MISS), formatted(-1e-9, VALUE), formatted(None, VALUE)
    (' 0.667', '-0.0000', 'NA')
    """
    return NA if value is None else f"{value:{form}}"


def threshold(value: float | None) -> str:
    """Three decimals, at least six characters; ``NaN`` where there is no score.

    >>> threshold(0.65), threshold(float("nan"))
    (' 0.650', 'NaN')
    """
    return "NaN" if value is not None and isnan(value) else formatted(value, MISS)


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
