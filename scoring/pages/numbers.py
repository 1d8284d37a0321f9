"""Numbers as Kaldi's programs compute and print them: in single precision, two decimals."""

from __future__ import annotations

import math
from struct import pack, unpack


def single(number: float) -> float:
    """The nearest number of single precision."""
    rounded: float = unpack("f", pack("f", number))[0]
    return rounded


def percentage(part: int, whole: int) -> float:
    """100 * part / whole; NaN of nothing, infinity of a part of nothing.

    Examples
    --------
    >>> decimals(percentage(4, 7)), decimals(percentage(0, 0)), decimals(percentage(1, 0))
    ('57.14', '-nan', 'inf')
    """
    if not whole:
        return math.inf if part else math.nan
    return single(100 * single(part) / single(whole))


def decimals(number: float) -> str:
    """Two decimals; not a number is `-nan`, as the C library has it."""
    return "-nan" if math.isnan(number) else f"{number:.2f}"
