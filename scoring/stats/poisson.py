"""A bootstrap of distributed rows, whose draws do not depend on a unit's position.

The multinomial bootstrap draws as many units as there are, so that the drawing process must know
all units. Here each unit is drawn a Poisson-distributed number of times with mean 1 (Chamandy et
al., "Estimating uncertainty for massive data streams", 2012). A hash of the seed, the replication
and the unit's name determines this number. The size of a replication is therefore only
approximately the number of units. For ratios such as error rates, the intervals of both methods
differ by about the share of a single unit, or less.

A hash provides four draws of 16 bits each. The distribution has steps of 2**-16 and ends at 8. Its
mean is exactly 1 and its variance is 1.0003.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from math import exp, factorial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scoring.stats.random_words import STEP, mixed
from scoring.stats.resampling import check_numbers

_STEPS: Final = 1 << 16
_MOST: Final = 8
_DRAWS: Final = 4
_AT_ONCE: Final = 1 << 15


def _weights() -> NDArray[np.uint8]:
    """Return, for each 16-bit value, how many times it draws a unit."""
    shares = [round(_STEPS * exp(-1) / factorial(draws)) for draws in range(_MOST + 1)]
    # the mean is one: what rounding and the cut took comes from 0 and 1
    surplus = _STEPS - sum(draws * share for draws, share in enumerate(shares))
    shares[1] += surplus
    shares[0] = _STEPS - sum(shares[1:])
    return np.repeat(np.arange(_MOST + 1, dtype=np.uint8), shares)


def weighted_sums(
    names: Sequence[str], statistics: NDArray[np.int64], *, replications: int, seed: int
) -> NDArray[np.int64]:
    """Return the sums of statistics in each replication; sums of disjoint units can be added.

    >>> numbers = np.array([[1, 10], [0, 8], [3, 12]])
    >>> whole = weighted_sums(["a", "b", "c"], numbers, replications=500, seed=1)
    >>> last = weighted_sums(["c"], numbers[2:], replications=500, seed=1)
    >>> others = weighted_sums(["b", "a"], numbers[1::-1], replications=500, seed=1)
    >>> bool((whole == last + others).all())
    True
    >>> whole.shape
    (500, 2)
    """
    check_numbers(replications, seed)
    start = blake2b(digest_size=8, key=seed.to_bytes(8, "little"))

    def hash_of(name: str) -> int:
        state = start.copy()
        state.update(name.encode("utf-8", "replace"))
        return int.from_bytes(state.digest(), "little")

    hashes = np.fromiter(map(hash_of, names), np.uint64, len(names))
    table = _weights()
    counters = np.arange(1, -(-replications // _DRAWS) + 1, dtype=np.uint64) * STEP
    rows = max(1, _AT_ONCE // len(counters))
    # whole numbers below 2**53 are exact in whatever order they are added
    sums = np.zeros((statistics.shape[1], len(counters) * _DRAWS))
    numbers = statistics.astype(np.float64)
    for begin in range(0, len(hashes), rows):
        words = mixed(hashes[begin : begin + rows, None] + counters)
        draws = table[words.astype("<u8", copy=False).view("<u2")]
        sums += numbers[begin : begin + rows].T @ draws.astype(np.float64)
    return np.rint(sums[:, :replications].T).astype(np.int64)
