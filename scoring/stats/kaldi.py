"""The bootstrap of Kaldi and of kaldialign, bit by bit: equal random numbers and arithmetic.

Use it to compare with figures of those programs. `scoring.stats.bootstrap` computes the same
intervals faster and without their rounding.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from scoring.model.arrays import Integers
from scoring.model.errors import StatisticsError

_MEMORY, _NEAR, _DISCARDED, _LANES = 31, 3, 310, 512  # of the generator of the C library
_CHUNK = 1 << 20  # draws at a time
Numbers32 = NDArray[np.uint32]
# From how many draws are wanted to positions below a number.
Draw = Callable[[int, int], Integers]


class ReplicatedRate(NamedTuple):
    """A word error rate and its 95 % interval, as ratios (not percent)."""

    mean: float  # mean of the replications' rates: what these programs print as word error rate
    half_width: float | None  # 1.96 standard deviations of them

    def percentages(self) -> tuple[float, float | None, float | None]:
        """Return the rate and its bounds in percent, in single precision, as Kaldi prints them."""
        rate = np.float32(100) * np.float32(self.mean)
        if self.half_width is None:
            return float(rate), None, None
        reach = np.float32(100) * np.float32(self.half_width)
        return float(rate), float(rate - reach), float(rate + reach)


class KaldiBootstrap(NamedTuple):
    """Kaldi's interval of one system, or of two systems with the probability of improvement."""

    first: ReplicatedRate
    second: ReplicatedRate | None = None
    probability_of_improvement: float | None = None


def kaldi_bootstrap(
    errors: Sequence[int],
    words: Sequence[int],
    other_errors: Sequence[int] | None = None,
    *,
    replications: int = 10_000,
    allow_undefined: bool = False,
) -> KaldiBootstrap:
    """Compute the numbers of Kaldi's `compute-wer-bootci`.

    The random numbers are those of the GNU C library, seeded with 1. One stream serves the first
    system, the second system and the comparison in turn. Arithmetic is in single precision, so that
    even a single utterance has an interval of nonzero width.

    Parameters
    ----------
    errors, words
        Errors (unit costs) and reference words of each utterance.
    other_errors
        Errors of a second system on the same utterances.
    replications
        Number of replications, at least 1.
    allow_undefined
        True if rates may be infinite or NaN, as in Kaldi's output: without utterances, or if a
        replication has no reference words.

    Raises
    ------
    StatisticsError
        If a rate is undefined and that is not allowed.
    ValueError
        If lengths differ or a number is out of range.

    Examples
    --------
    >>> kaldi_bootstrap([1, 2], [3, 3]).first.percentages()
    (49.811767578125, 26.981807708740234, 72.6417236328125)
    """
    generator = GlibcRandom()

    def draw(count: int, number: int) -> Integers:
        if number == 1:
            return np.zeros(count, np.int64)
        return generator.take(count).astype(np.int64) % number

    columns = (errors, words) if other_errors is None else (errors, words, other_errors)
    return _bootstrap(columns, lambda: draw, np.float32, replications, allow_undefined)


def kaldialign_bootstrap(
    errors: Sequence[int],
    words: Sequence[int],
    other_errors: Sequence[int] | None = None,
    *,
    replications: int = 10_000,
    seed: int = 0,
    allow_undefined: bool = False,
) -> KaldiBootstrap:
    """Compute the numbers of `bootstrap_wer_ci` of the package kaldialign (on GNU systems).

    The random numbers are those of the 32-bit Mersenne Twister, seeded again for the first system,
    the second system and the comparison. Arithmetic is in double precision.

    Parameters and errors are those of `kaldi_bootstrap`; `seed` is from 0 to 2**32 - 1.

    Examples
    --------
    >>> kaldialign_bootstrap([1, 2], [3, 3]).first
    ReplicatedRate(mean=0.4997833333333324, half_width=0.23017794491407295)
    """
    columns = (errors, words) if other_errors is None else (errors, words, other_errors)
    stream = partial(_twister, seed)
    return _bootstrap(columns, stream, np.float64, replications, allow_undefined)


def _bootstrap(
    counts: Sequence[Sequence[int]],
    begin: Callable[[], Draw],
    kind: type[np.floating[Any]],
    replications: int,
    allow_undefined: bool,
) -> KaldiBootstrap:
    """Return the rates of one or two systems; `begin` starts the random stream of each."""
    columns = [np.array(column, np.int64) for column in counts]
    lengths = list(map(len, columns))
    if not lengths[1] and allow_undefined:
        undefined = ReplicatedRate(math.nan, math.nan)
        return KaldiBootstrap(undefined, *((undefined, 0.0) if len(columns) > 2 else ()))
    if len(set(lengths)) > 1:
        raise ValueError(f"expected as many errors as words, found {lengths}")
    if replications < 1:
        raise ValueError(f"replications: expected at least 1, found {replications}")
    if any((column < 0).any() for column in columns):
        raise ValueError("expected numbers of errors and words from 0")
    if not lengths[0]:
        raise StatisticsError("expected at least one utterance, found none")
    words = columns.pop(1)
    rates = []
    for errors in columns:
        total, tokens = _sums(np.stack([errors, words]), begin(), replications)
        wordless = int(np.count_nonzero(tokens == 0))
        if wordless and not allow_undefined:
            raise StatisticsError(
                f"{wordless} of {replications} replications drew no reference words"
            )
        with np.errstate(divide="ignore", invalid="ignore"):  # rates of no words
            rates.append(_rate(total.astype(kind) / tokens.astype(kind), kind))
    if len(columns) < 2:
        return KaldiBootstrap(rates[0])
    [gain] = _sums((columns[0] - columns[1])[None], begin(), replications)
    improved = kind(np.count_nonzero(gain > 0)) / kind(replications)
    return KaldiBootstrap(rates[0], rates[1], float(improved))


def _sums(columns: Integers, draw: Draw, replications: int) -> Integers:
    """Return the sum of each column in each replication.

    The positions are drawn for some replications at a time, to limit the memory.
    """
    number = columns.shape[1]
    part = max(1, _CHUNK // number)
    counts = (min(part, replications - begin) for begin in range(0, replications, part))
    draws = (draw(count * number, number).reshape(count, number) for count in counts)
    sums = [[column[drawn].sum(axis=1) for column in columns] for drawn in draws]
    return np.concatenate(sums, axis=1)


def _rate(rates: NDArray[Any], kind: type[np.floating[Any]]) -> ReplicatedRate:
    number = kind(len(rates))
    # `accumulate` adds one after the other, as a loop does; `sum` does not
    mean = np.add.accumulate(rates)[-1] / number
    variance = float(np.add.accumulate(rates * rates)[-1] / number - mean * mean)
    if kind is np.float64 and not variance > 0:
        return ReplicatedRate(float(mean), 0.0)
    reach = None if variance < 0 else float(kind(1.96 * math.sqrt(variance)))
    return ReplicatedRate(float(mean), reach)


def _twister(seed: int) -> Draw:
    """Return a source of uniform positions below a number.

    Each position is the upper half of a random 32-bit word times the number (Lemire's method).
    Words that would favour a position are drawn again.
    """
    if not 0 <= seed < 2**32:
        raise ValueError(f"seed: expected a number from 0 to 2**32 - 1, found {seed}")
    generator = np.random.RandomState(seed)

    def draw(count: int, number: int) -> Integers:
        products = np.empty(0, np.uint64)
        while len(products) < count:
            raw = generator.randint(0, 2**32, count - len(products), dtype=np.uint32)
            more = raw.astype(np.uint64) * np.uint64(number)
            more = more[(more & np.uint64(0xFFFFFFFF)) >= 2**32 % number]
            products = np.concatenate([products, more])
        return (products >> np.uint64(32)).astype(np.int64)

    return draw


class GlibcRandom:
    """The random numbers of `rand()` in the GNU C library, many at a time.

    Each word is the sum, modulo 2**32, of the words 3 and 31 positions before it. Because this is
    linear, multiplication by a matrix skips ahead, and long parts of the sequence are computed in
    parallel.
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

    def take(self, count: int) -> Numbers32:
        """Return the next random numbers, each from 0 to 2**31 - 1."""
        lanes = _LANES if count >= 64 * _LANES else 1
        length = -(-count // lanes)
        words = np.empty((_MEMORY + length, lanes), np.uint32)
        # each lane begins `length` words after the one before
        words[:_MEMORY, 0] = self._state
        for lane in range(1, lanes):
            words[:_MEMORY, lane] = _leap(length) @ words[:_MEMORY, lane - 1]
        for row in range(_MEMORY, _MEMORY + length):
            np.add(words[row - _NEAR], words[row - _MEMORY], out=words[row])
        numbers = words[_MEMORY:].T.reshape(-1)[:count]
        self._state = np.concatenate([self._state, numbers])[-_MEMORY:]
        return numbers >> np.uint32(1)


@lru_cache(maxsize=8)
def _leap(places: int) -> Numbers32:
    """Return the matrix that advances a state by `places` steps."""
    step = np.eye(_MEMORY, k=1, dtype=np.uint32)
    step[-1, [0, _MEMORY - _NEAR]] = 1
    leap = np.eye(_MEMORY, dtype=np.uint32)
    while places:
        if places & 1:
            leap = step @ leap
        step = step @ step
        places >>= 1
    return leap
