"""Probabilities with the approximations of NIST's comparison programs."""

from __future__ import annotations

from bisect import bisect_right
from functools import cache
from math import comb, sqrt

from scoring.stats.nist_tables import NORMAL

# Hundredths, two of which are a little lower in the original.
_GRID = [{10: 0.09999999, 99: 0.9899999}.get(place, place / 100) for place in range(len(NORMAL))]
LARGEST_EXACT_COUNT = 20


def normal_below(z: float) -> float:
    """Return the probability that a standard normal variable is below |z|, from NIST's table.

    The table has steps of 0.01 and is not interpolated: the value of the largest grid point up to
    |z| is returned, so the result is up to 0.004 too low near 0. The table ends at 5.14 with
    0.9999999. The exact value is `(1 + erf(|z| / sqrt(2))) / 2`.
    """
    return NORMAL[bisect_right(_GRID, abs(z)) - 1]


@cache
def fair_binomial_below(successes: int, trials: int) -> float:
    """Return the probability of at most `successes` heads in `trials` tosses, as NIST computes it.

    Up to 20 trials, the result is exact. Above 20 trials, NIST's normal approximation uses half of
    `successes` by mistake. The result is far too small, and the tests that use it (McNemar, sign
    test) report differences that do not exist. This function reproduces the error, so that results
    equal those of the original program.
    """
    if trials <= LARGEST_EXACT_COUNT:
        total = 0.0
        for heads in range(successes + 1):
            total += comb(trials, heads) * 0.5**heads * 0.5 ** (trials - heads)
        return total
    z = (successes * 0.5 - trials / 2) / sqrt(trials * 0.25)
    probability = normal_below(z)
    return 1.0 - probability if z < 0 else probability
