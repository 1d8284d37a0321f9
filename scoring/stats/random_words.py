"""Random words that depend only on a seed, a stream and a position in the stream.

The generator is based on a counter and has no state. Any part of any stream can be generated in any
order and from any thread. The compiled module has the same generator.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scoring.model.arrays import Integers

RandomWords = NDArray[np.uint64]

STEP = np.uint64(0x9E3779B97F4A7C15)
_HALF = np.uint64(32)
_LOWER = np.uint64(0xFFFFFFFF)


def mixed(words: RandomWords) -> RandomWords:
    """Apply SplitMix64's output function (Steele, Lea and Flood, 2014) to random words."""
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))


def stream_starts(seed: int, first: int, last: int) -> RandomWords:
    """Return the initial states of streams `first` to `last - 1` of a seed."""
    start = mixed(np.array([seed], np.uint64) + STEP)
    return mixed(start + np.arange(first + 1, last + 1, dtype=np.uint64) * STEP)


def words_of(states: RandomWords, places: Integers) -> RandomWords:
    """Return the random words at the given positions (from 0) of the streams."""
    return mixed(states + (places.astype(np.uint64) + np.uint64(1)) * STEP)


def below(count: int, words: RandomWords) -> Integers:
    """Map random words to integers from 0 up to, but not including, `count` (less than 2**32).

    The result is the upper half of the 128-bit product. The probabilities of two numbers differ by
    at most `count` / 2**64.
    """
    factor = np.uint64(count)
    carry = ((words & _LOWER) * factor) >> _HALF
    return (((words >> _HALF) * factor + carry) >> _HALF).astype(np.int64)
