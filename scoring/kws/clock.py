"""Arithmetic of times: whole nanoseconds, or the doubles of the original.

A clock turns seconds into its own ticks, floats that hold whole numbers exactly where the clock
is exact (half nanoseconds, so that the middle of a detection is whole too; exact up to 52 days).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

NANOSECONDS = 1_000_000_000
TEN_THOUSANDTH = 100_000  # nanoseconds


class TimeArithmetic(NamedTuple):
    """How times are added and compared.

    `ticks` is how many make a second: 1 where times are doubles in seconds.
    """

    ticks: int

    @property
    def is_exact(self) -> bool:
        """Whether sums are free of binary noise."""
        return self.ticks != 1

    def time(self, seconds: float) -> float:
        """A time in ticks."""
        if not self.is_exact:
            return seconds
        return float(2 * round(seconds * NANOSECONDS))

    def times(self, seconds: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Times in ticks."""
        if not self.is_exact:
            return seconds
        return np.asarray(2.0 * np.rint(seconds * float(NANOSECONDS)), dtype=np.float64)

    def end(self, begin: float, duration: float) -> float:
        """The end of a word or excerpt in ticks, rounded to a ten-thousandth of a second."""
        if not self.is_exact:
            return float(f"{begin + duration:.4f}")
        return self._rounded(round(begin * NANOSECONDS) + round(duration * NANOSECONDS))

    def gap(self, end: float, begin: float) -> float:
        """Seconds from a time in ticks to another, rounded to a ten-thousandth."""
        if not self.is_exact:
            return float(f"{begin - end:.4f}")
        return self._rounded(round((begin - end) / 2)) / self.ticks

    @staticmethod
    def _rounded(nanoseconds: int) -> float:
        quotient, rest = divmod(nanoseconds, TEN_THOUSANDTH)
        if rest * 2 > TEN_THOUSANDTH or (rest * 2 == TEN_THOUSANDTH and quotient % 2):
            quotient += 1
        return float(2 * quotient * TEN_THOUSANDTH)

    def seconds(self, ticks: float) -> float:
        """A time in ticks as seconds."""
        return ticks / self.ticks


EXACT = TimeArithmetic(2 * NANOSECONDS)
BINARY = TimeArithmetic(1)
