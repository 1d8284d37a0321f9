"""Rows of numbers: the compiled function against the plain one, and refusals."""

import random
from typing import Any

import numpy as np
import pytest

from scoring.alignment import load_core
from scoring.tasks.kws import plain_rows

NATIVE: Any = load_core()
needs_native = pytest.mark.skipif(NATIVE is None, reason="the native core is not built")
# Zero, ties, powers of ten and their neighbours, the ends of the range, and what is no number.
SPECIAL = [0.0, -0.0, 0.5, 2.5, 1e14 + 0.5, 1e14 + 1.5, 999999999999999.5, 1e15, 1e16, 5e-324]
SPECIAL += [1.7976931348623157e308, float("inf"), -float("inf"), float("nan"), 123456789012345.0]
SPECIAL += [sign * 10.0**power for sign in (1, -1) for power in range(-30, 30)]
SPECIAL += [float(np.nextafter(10.0**power, end)) for power in range(-15, 16) for end in (0, 1e9)]


@needs_native
def test_cores_write_the_same_numbers() -> None:
    source = random.Random(5)
    drawn = [
        source.choice((1, -1)) * round(source.random(), source.choice((2, 6, 17)))
        * 10.0 ** source.choice((0, 0, -3, -6, source.randrange(-20, 20)))
        for _ in range(50_000)
    ]  # fmt: skip
    numbers = np.array([*SPECIAL, *drawn])
    columns = [numbers, np.repeat(numbers[::3], 3)[: len(numbers)], numbers[::-1].copy()]
    assert NATIVE.rows_of_numbers(columns) == plain_rows.rows_of_numbers(columns)


@needs_native
def test_columns_of_other_kinds_are_rejected() -> None:
    with pytest.raises(ValueError, match="expected at least one"):
        NATIVE.rows_of_numbers([])
    with pytest.raises(ValueError, match="equal lengths"):
        NATIVE.rows_of_numbers([np.zeros(2), np.zeros(3)])
    with pytest.raises(TypeError, match="expected a contiguous buffer of float64"):
        NATIVE.rows_of_numbers([np.zeros(2, dtype=np.int64)])
    assert NATIVE.rows_of_numbers([np.zeros(0)]) == ""
