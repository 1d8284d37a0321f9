"""Rows of numbers as text in plain Python: fallback and oracle of the compiled function."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt


def rows_of_numbers(columns: Sequence[npt.NDArray[np.float64]]) -> str:
    """Return the rows of columns as lines: numbers with 15 digits, separated by blanks.

    >>> print(rows_of_numbers([np.array([0.1 + 0.2, 1e16]), np.array([-1e-7, 1 / 3])]))
    0.3 -1e-07
    1e+16 0.333333333333333
    """
    layout = " ".join(["%.15g"] * len(columns))
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return "\n".join([layout % row for row in rows])
