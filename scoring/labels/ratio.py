"""The one rule by which every evaluator divides errors by what there was to get right."""

from __future__ import annotations

from math import inf


def error_ratio(errors: int, total: int) -> float:
    """Errors per reference token, a ratio from 0; may exceed 1 where there are insertions.

    Of nothing, no errors are a rate of 0 and any error is an infinite one: never a division error.

    Examples
    --------
    >>> error_ratio(1, 8), error_ratio(0, 0), error_ratio(2, 0)
    (0.125, 0.0, inf)
    """
    if total:
        return errors / total
    return inf if errors else 0.0
