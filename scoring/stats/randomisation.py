"""Approximate randomisation: could the difference of two systems be due to chance?

If two systems were equally good, their outputs for a unit would be interchangeable. The test
therefore exchanges the outputs at random, unit by unit, and computes the difference of the scores
again. The p-value is the share of exchanges with a difference at least as great as the observed
difference (Noreen, "Computer-intensive methods for testing hypotheses", 1989). The test assumes
independent units, and nothing about the distribution of errors.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from scoring.model.arrays import Floats, Integers
from scoring.stats.bootstrapping import at_least
from scoring.stats.random_words import stream_starts, words_of
from scoring.stats.resampling import check_numbers
from scoring.stats.units import Score, Units, error_rate, make_units, score_of

_COINS = 8  # units exchanged by one byte
_UNITS_OF_WORD = 64
_WORDS = 16  # of random bits, at a time
_TRIALS = 1 << 10  # at a time


class Randomisation(NamedTuple):
    """The outcome of a randomisation test.

    Attributes
    ----------
    difference
        Score of the new system minus score of the baseline.
    p_value
        Two-sided. For random trials `(1 + greater) / (1 + trials)`, because the observed assignment
        counts as a trial. If all assignments were tried, the exact share.
    exact
        True if all assignments were tried.
    trials
        Number of assignments that were tried.
    units
        Number of units that can be exchanged.
    seed
        The seed; None if all assignments were tried.
    """

    difference: float
    p_value: float
    exact: bool
    trials: int
    units: int
    seed: int | None

    @property
    def exchanges(self) -> str:
        """The number of exchanges that were tried, in words: `all 64 exchanges`."""
        return f"{'all' if self.exact else 'random'} {self.trials:,} exchanges"


def approximate_randomisation(
    baseline: ArrayLike,
    new: ArrayLike,
    *,
    score: Score = error_rate,
    blocks: Sequence[Hashable] | None = None,
    trials: int = 10_000,
    seed: int = 0,
) -> Randomisation:
    """Test two-sided whether the difference of two systems' scores exceeds chance.

    Parameters
    ----------
    baseline, new, score, blocks
        As in `paired_bootstrap`.
    trials
        Number of random exchanges. If there are at most this many assignments (2**units), all
        assignments are tried and the p-value is exact.
    seed
        From 0 to 2**64 - 1.

    Raises
    ------
    StatisticsError
        If there are fewer than two units, or any exchange has no score.
    ValueError
        If an argument is out of range.

    Examples
    --------
    >>> baseline = [[1, 10], [2, 8], [3, 12], [1, 9], [2, 11]]
    >>> new = [[1, 10], [1, 8], [1, 12], [1, 9], [1, 11]]
    >>> approximate_randomisation(baseline, new).p_value
    0.25
    """
    check_numbers(trials, seed)
    left, right = make_units([baseline, new], blocks)
    number = len(left.numbers)
    exact = number < 63 and 2**number <= trials
    if exact:
        trials = 2**number
    observed = [score_of(score, units.totals, "totals")[0] for units in (left, right)]
    difference = float(observed[1] - observed[0])
    differences = exchange_differences(left, right, score, trials, None if exact else seed)
    greater = int(np.count_nonzero(at_least(differences, difference)))
    p_value = greater / trials if exact else (1 + greater) / (1 + trials)
    return Randomisation(difference, p_value, exact, trials, number, None if exact else seed)


def exchange_differences(
    left: Units, right: Units, score: Score, trials: int, seed: int | None
) -> Floats:
    """Return the score difference of each trial.

    Without a seed, all exchanges are tried in order.
    """
    gains = exchange_gains(right.numbers - left.numbers, trials, seed)
    first, total = left.numbers.sum(axis=0), (left.numbers + right.numbers).sum(axis=0)
    differences = np.empty(trials)
    for begin in range(0, trials, _TRIALS):
        sums = first + gains[begin : begin + _TRIALS]
        scores = [score_of(score, left.values(side), "exchanges") for side in (sums, total - sums)]
        differences[begin : begin + _TRIALS] = scores[1] - scores[0]
    return differences


def exchange_gains(change: Integers, trials: int, seed: int | None) -> Integers:
    """Return, for each trial, the sum of `change` over the units that the trial exchanges.

    A byte of a random word decides on eight units, one bit each. Each trial is a stream of the
    seed. A few words are drawn for many trials at a time, because their tables then fit the cache.
    """
    gains = np.zeros((trials, change.shape[1]), np.int64)
    moved = np.flatnonzero(change.any(axis=0))
    if not len(moved):
        return gains
    bits = (np.arange(256)[:, None] >> np.arange(_COINS)) & 1
    for word in range(0, -(-len(change) // _UNITS_OF_WORD), _WORDS):
        units = change[word * _UNITS_OF_WORD : (word + _WORDS) * _UNITS_OF_WORD, moved]
        missing = -len(units) % _UNITS_OF_WORD
        padded = np.vstack([units, np.zeros((missing, len(moved)), np.int64)])
        # for each eight units and each byte, the sum of the changes whose bits are set
        tables: Integers = bits @ padded.reshape(-1, _COINS, len(moved))
        columns = np.ascontiguousarray(tables.reshape(-1, len(moved)).T)
        offsets = 256 * np.arange(len(tables))
        streams = np.arange(word, word + len(padded) // _UNITS_OF_WORD)[None]
        for begin in range(0, trials, _TRIALS):
            end = min(begin + _TRIALS, trials)
            if seed is None:
                words = np.arange(begin, end, dtype="<u8")[:, None]
            else:
                words = words_of(stream_starts(seed, begin, end)[:, None], streams)
            places = words.astype("<u8").view(np.uint8) + offsets
            for number, column in zip(moved, columns, strict=True):
                gains[begin:end, number] += np.take(column, places).sum(axis=1)
    return gains
