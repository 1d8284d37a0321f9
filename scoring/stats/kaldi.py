"""The bootstrap of Kaldi and of kaldialign, to the last bit: same random numbers, same arithmetic.

For comparing with figures those programs gave. `scoring.stats.bootstrap` computes the same
intervals faster and without their rounding.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scoring.errors import StatisticsError

_MEMORY, _NEAR, _DISCARDED, _LANES = 31, 3, 310, 512  # of the generator of the C library
_CHUNK = 1 << 20  # draws at a time
Integers = NDArray[np.int64]
Numbers32 = NDArray[np.uint32]
# From how many draws are wanted to positions of utterances.
Draw = Callable[[int], Integers]


class ReplicatedRate(NamedTuple):
    """A word error rate and its 95 % interval, as ratios (not percent)."""

    mean: float  # mean of the replications' rates: what these programs print as word error rate
    half_width: float | None  # 1.96 standard deviations of them

    def percentages(self) -> tuple[float, float | None, float | None]:
        """Rate and bounds in percent, in the single precision in which Kaldi prints them."""
        rate = np.float32(100) * np.float32(self.mean)
        if self.half_width is None:
            return float(rate), None, None
        reach = np.float32(100) * np.float32(self.half_width)
        return float(rate), float(rate - reach), float(rate + reach)


class KaldiBootstrap(NamedTuple):
    """One system, or two with the share of replications in which the second is better."""

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
    """What Kaldi's `compute-wer-bootci` computes.

    Its random numbers are those of the C library of GNU systems, seeded with 1, one stream for
    the first system, the second and the comparison; it computes in single precision, which
    shows: a single utterance gets an interval that is not a point.

    Parameters
    ----------
    errors, words
        Errors (unit costs) and reference words of each utterance.
    other_errors
        Errors of a second system on the same utterances.
    replications
        How many, from 1.
    allow_undefined
        Rates are infinite or not a number where there are no utterances, or a replication drew
        no reference words: what Kaldi prints then.

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
    if allow_undefined and not len(words):
        undefined = ReplicatedRate(math.nan, math.nan)
        both = None if other_errors is None else undefined
        return KaldiBootstrap(undefined, both, None if both is None else 0.0)
    first, second, tokens = _checked(errors, words, other_errors, replications)
    generator = GlibcRandom()
    number = len(tokens)

    def draw(count: int) -> Integers:
        if number == 1:
            return np.zeros(count, np.int64)
        return generator.take(count).astype(np.int64) % number

    rate = _in_single(_rates(first, tokens, draw, replications, allow_undefined))
    if second is None:
        return KaldiBootstrap(rate)
    second_rate = _in_single(_rates(second, tokens, draw, replications, allow_undefined))
    improved = np.float32(_improvements(first - second, draw, replications))
    return KaldiBootstrap(rate, second_rate, float(improved / np.float32(replications)))


def kaldialign_bootstrap(
    errors: Sequence[int],
    words: Sequence[int],
    other_errors: Sequence[int] | None = None,
    *,
    replications: int = 10_000,
    seed: int = 0,
) -> KaldiBootstrap:
    """What `bootstrap_wer_ci` of the package kaldialign computes (on GNU systems).

    Its random numbers are those of the 32-bit Mersenne Twister, begun anew for the first system,
    the second and the comparison; it computes in double precision.

    Parameters and errors as of `kaldi_bootstrap`; `seed` is from 0 to 2**32 - 1.

    Examples
    --------
    >>> kaldialign_bootstrap([1, 2], [3, 3]).first
    ReplicatedRate(mean=0.4997833333333324, half_width=0.23017794491407295)
    """
    first, second, tokens = _checked(errors, words, other_errors, replications)
    if not 0 <= seed < 2**32:
        raise ValueError(f"seed: expected a number from 0 to 2**32 - 1, found {seed}")
    number = len(tokens)
    rate = _in_double(_rates(first, tokens, _twister(seed, number), replications))
    if second is None:
        return KaldiBootstrap(rate)
    second_rate = _in_double(_rates(second, tokens, _twister(seed, number), replications))
    improved = _improvements(first - second, _twister(seed, number), replications)
    return KaldiBootstrap(rate, second_rate, improved / replications)


def _checked(
    errors: Sequence[int],
    words: Sequence[int],
    other_errors: Sequence[int] | None,
    replications: int,
) -> tuple[Integers, Integers | None, Integers]:
    counts = (errors, words) if other_errors is None else (errors, words, other_errors)
    columns = [np.array(column, np.int64) for column in counts]
    lengths = list(map(len, columns))
    if len(set(lengths)) > 1:
        raise ValueError(f"expected as many errors as words, found {lengths}")
    if replications < 1:
        raise ValueError(f"replications: expected at least 1, found {replications}")
    if any((column < 0).any() for column in columns):
        raise ValueError("expected numbers of errors and words from 0")
    if not lengths[0]:
        raise StatisticsError("expected at least one utterance, found none")
    return columns[0], None if len(columns) < 3 else columns[2], columns[1]


def _parts(replications: int, number: int) -> Iterator[int]:
    """Replications in parts of bearable size."""
    part = max(1, _CHUNK // number)
    for begin in range(0, replications, part):
        yield min(part, replications - begin)


def _rates(
    errors: Integers,
    words: Integers,
    draw: Draw,
    replications: int,
    allow_undefined: bool = False,
) -> tuple[Integers, Integers]:
    """Errors and words of each replication."""
    sums: list[tuple[Integers, Integers]] = []
    for part in _parts(replications, len(errors)):
        draws = draw(part * len(errors)).reshape(part, len(errors))
        sums.append((errors[draws].sum(axis=1), words[draws].sum(axis=1)))
    total, tokens = (np.concatenate(column) for column in zip(*sums, strict=True))
    wordless = int(np.count_nonzero(tokens == 0))
    if wordless and not allow_undefined:
        raise StatisticsError(f"{wordless} of {replications} replications drew no reference words")
    return total, tokens


def _improvements(gain: Integers, draw: Draw, replications: int) -> int:
    """In how many replications there is more gain than loss."""
    improved = 0
    for part in _parts(replications, len(gain)):
        draws = draw(part * len(gain)).reshape(part, len(gain))
        improved += int(np.count_nonzero(gain[draws].sum(axis=1) > 0))
    return improved


def _in_single(sums: tuple[Integers, Integers]) -> ReplicatedRate:
    with np.errstate(divide="ignore", invalid="ignore"):  # rates of no words
        rates = sums[0].astype(np.float32) / sums[1].astype(np.float32)
        number = np.float32(len(rates))
        # `accumulate` adds one after the other, as a loop does; `sum` does not
        mean = np.add.accumulate(rates, dtype=np.float32)[-1] / number
        squares = np.add.accumulate(rates * rates, dtype=np.float32)[-1] / number
        variance = float(squares - mean * mean)
    if variance < 0:
        return ReplicatedRate(float(mean), None)
    return ReplicatedRate(float(mean), float(np.float32(1.96 * math.sqrt(variance))))


def _in_double(sums: tuple[Integers, Integers]) -> ReplicatedRate:
    rates = sums[0] / sums[1]
    mean = float(np.add.accumulate(rates)[-1]) / len(rates)
    variance = float(np.add.accumulate(rates * rates)[-1]) / len(rates) - mean * mean
    return ReplicatedRate(mean, 1.96 * math.sqrt(variance) if variance > 0 else 0.0)


def _twister(seed: int, number: int) -> Draw:
    """Positions below `number`: the upper half of a word times `number`, few words refused."""
    generator = np.random.RandomState(seed)
    threshold = 2**32 % number

    def words(count: int) -> NDArray[np.uint64]:
        raw = generator.randint(0, 2**32, count, dtype=np.uint32)
        return raw.astype(np.uint64) * np.uint64(number)

    def draw(count: int) -> Integers:
        products = words(count)
        products = products[(products & np.uint64(0xFFFFFFFF)) >= threshold]
        while len(products) < count:
            more = words(count - len(products))
            more = more[(more & np.uint64(0xFFFFFFFF)) >= threshold]
            products = np.concatenate([products, more])
        return (products >> np.uint64(32)).astype(np.int64)

    return draw


class GlibcRandom:
    """What `rand()` of the C library of GNU systems returns, many numbers at a time.

    Each word is the sum, modulo 2**32, of the words 3 and 31 before it. That is linear: a state
    further on is a product with a matrix, and long stretches are computed in lanes.
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


def _lane_starts(state: Numbers32, lanes: int, length: int) -> Numbers32:
    """The state of each lane, a column each; a lane begins `length` words after the one before."""
    starts = np.empty((_MEMORY, lanes), np.uint32)
    starts[:, 0] = state
    for lane in range(1, lanes):
        starts[:, lane] = _leap(length) @ starts[:, lane - 1]
    return starts


@lru_cache(maxsize=8)
def _leap(places: int) -> Numbers32:
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
