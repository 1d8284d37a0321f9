"""Several tests at once: the more are made, the likelier one of them is significant by chance."""

from __future__ import annotations

from collections.abc import Sequence


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Adjusted p-values that can be held against one level for all tests together.

    Holm ("A simple sequentially rejective multiple test procedure", Scandinavian Journal of
    Statistics 6, 1979): the smallest of m p-values is multiplied by m, the next by m - 1, and so
    on; an adjusted value is never below the one before it and never above 1. Comparing these with
    0.05 keeps the chance of any false alarm below 5 %, whether tests are independent or not.

    Parameters
    ----------
    p_values
        Between 0 and 1; None for a test that could not be made. It stays None and does not count.

    Raises
    ------
    ValueError
        If a p-value is not between 0 and 1.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03, None])
    [0.03, 0.06, 0.06, None]
    """
    tested = [(value, index) for index, value in enumerate(p_values) if value is not None]
    for value, _ in tested:
        if not 0 <= value <= 1:
            raise ValueError(f"p_values: expected numbers between 0 and 1, found {value}")
    adjusted: list[float | None] = [None] * len(p_values)
    before = 0.0
    for rank, (value, index) in enumerate(sorted(tested)):
        before = min(1.0, max(before, value * (len(tested) - rank)))
        adjusted[index] = before
    return adjusted
