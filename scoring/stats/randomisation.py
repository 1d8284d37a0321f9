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

_CHUNK = 1 << 20  # bytes of coins at a time
_COINS = 8  # units exchanged by one byte


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
    change = right.numbers - left.numbers
    first, total = left.numbers.sum(axis=0), (left.numbers + right.numbers).sum(axis=0)
    # for each eight units and each byte, the sum of the changes whose bits are set
    missing = -len(change) % _COINS
    padded = np.vstack([change, np.zeros((missing, change.shape[1]), np.int64)])
    bits = (np.arange(256)[:, None] >> np.arange(_COINS)) & 1
    tables: Integers = bits @ padded.reshape(-1, _COINS, change.shape[1])
    columns = np.ascontiguousarray(tables.reshape(-1, tables.shape[2]).T)
    offsets, streams = 256 * np.arange(len(tables)), np.arange(-(-len(tables) // 8))[None]
    differences = np.empty(trials)
    chunk = max(1, _CHUNK // len(tables))
    for begin in range(0, trials, chunk):
        end = min(begin + chunk, trials)
        # a byte for each eight units, each bit of which exchanges one: of all assignments those of
        # these numbers, or random ones, each trial a stream of the seed
        if seed is None:
            words = np.arange(begin, end, dtype="<u8")[:, None]
        else:
            words = words_of(stream_starts(seed, begin, end)[:, None], streams)
        coins = words.astype("<u8").view(np.uint8)[:, : len(tables)]
        places = coins + offsets
        gains = [np.take(column, places).sum(axis=1) for column in columns]
        sums = first + np.column_stack(gains)
        scores = [score_of(score, left.values(side), "exchanges") for side in (sums, total - sums)]
        differences[begin:end] = scores[1] - scores[0]
    return differences
