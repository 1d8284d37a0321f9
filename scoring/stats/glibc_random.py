"""The random numbers of the C library of GNU systems, `rand()`, many at a time.

The generator is an additive feedback: each word is the sum, modulo 2**32, of the words 3 and 31
places before it. That is linear, so the state any number of places ahead is a product with a
matrix, and a long stretch can be made in many lanes side by side.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.uint32]

_MEMORY = 31
_NEAR = 3
_DISCARDED = 310
_LANES = 512


class GlibcRandom:
    """What `rand()` returns, call after call.

    >>> GlibcRandom().take(3).tolist()
    [1804289383, 846930886, 1681692777]
    """

    def __init__(self, seed: int = 1) -> None:
        if not 1 <= seed < 2**31:
            raise ValueError(f"seed: expected a number from 1 to 2**31 - 1, found {seed}")
        state = [seed]
        for _ in range(_MEMORY - 1):
            state.append(16807 * state[-1] % 2147483647)
        # the words from which the next ones are made; the first three then stand 31 places back
        self._state = np.array(state[3:] + state[:3], dtype=np.uint32)
        self.take(_DISCARDED)

    def take(self, count: int) -> Words:
        """The next numbers, each from 0 to 2**31 - 1."""
        lanes = _LANES if count >= 64 * _LANES else 1
        length = -(-count // lanes)
        words = np.empty((_MEMORY + length, lanes), np.uint32)
        words[:_MEMORY] = _lane_starts(self._state, lanes, length)
        for row in range(_MEMORY, _MEMORY + length):
            np.add(words[row - _NEAR], words[row - _MEMORY], out=words[row])
        numbers = words[_MEMORY:].T.reshape(-1)[:count]
        self._state = np.concatenate([self._state, numbers])[-_MEMORY:]
        return numbers >> np.uint32(1)


def _lane_starts(state: Words, lanes: int, length: int) -> Words:
    """The state of each lane, a column each; a lane begins `length` words after the one before."""
    starts = np.empty((_MEMORY, lanes), np.uint32)
    starts[:, 0] = state
    for lane in range(1, lanes):
        starts[:, lane] = _leap(length) @ starts[:, lane - 1]
    return starts


@lru_cache(maxsize=8)
def _leap(places: int) -> Words:
    """The matrix that takes a state so many places ahead."""
    step = np.eye(_MEMORY, k=1, dtype=np.uint32)
    step[-1, [0, _MEMORY - _NEAR]] = 1
    leap = np.eye(_MEMORY, dtype=np.uint32)
    while places:
        if places & 1:
            leap = step @ leap
        step = step @ step
        places >>= 1
    return leap
