"""What a test says of two systems."""

from __future__ import annotations

from typing import NamedTuple

SIGNIFICANCE = 0.05
CRITICAL_Z = 1.960


class Verdict(NamedTuple):
    """The outcome of a comparison of a first and a second system.

    Attributes
    ----------
    better
        -1: the first is significantly better; +1: the second; 0: no significant difference.
    probability
        The p value NIST reports with it (two-tailed).
    """

    better: int
    probability: float
