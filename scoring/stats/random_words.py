"""Random words that depend on a seed, a stream and a place in it, and on nothing else.

A generator that counts needs no state to be handed around: any part of any stream can be had at
once, in any order and from any thread. The compiled module has the same generator.
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
    """Return the output function of SplitMix64 (Steele, Lea and Flood, 2014)."""
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))


def stream_starts(seed: int, first: int, last: int) -> RandomWords:
    """Return the states in which streams `first` to `last - 1` of a seed begin."""
    start = mixed(np.array([seed], np.uint64) + STEP)
    return mixed(start + np.arange(first + 1, last + 1, dtype=np.uint64) * STEP)


def words_of(states: RandomWords, places: Integers) -> RandomWords:
    """Return the random words at these places (from 0) of the streams."""
    return mixed(states + (places.astype(np.uint64) + np.uint64(1)) * STEP)


def below(count: int, words: RandomWords) -> Integers:
    """Return whole numbers below `count` (itself below 2**32) from random words.

    The upper half of the product of 128 bits: no number is more likely than another by more than
    `count` / 2**64.
    """
    factor = np.uint64(count)
    carry = ((words & _LOWER) * factor) >> _HALF
    return (((words >> _HALF) * factor + carry) >> _HALF).astype(np.int64)
