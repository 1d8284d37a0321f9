"""Bootstrap intervals for one system, and for the difference of two.

The method of Bisani and Ney ("Bootstrap estimates for confidence intervals in ASR performance
evaluation", ICASSP 2004): draw as many units as there are with replacement, score the sum of what
was drawn, and do so many times. The spread of the scores tells how far the score of this test set
can be trusted. With two systems both are scored on the same draws, so that what is hard for both
cancels out.

A unit is an utterance unless blocks are given. Utterances of one speaker or one recording tend
to be good or bad together: resampled singly they make intervals too narrow. Draw whole
speakers or recordings then.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scoring.model.arrays import Floats
from scoring.stats.resampling import check_numbers, resampled_sums
from scoring.stats.units import Score, error_rate, make_units, score_of


class Interval(NamedTuple):
    """The bounds of an interval."""

    low: float
    high: float


METHOD, PAIRED = "percentile bootstrap", "paired percentile bootstrap"


class Bootstrap(NamedTuple):
    """A score and how far to trust it.

    Attributes
    ----------
    estimate
        The score of all units as they are.
    mean, standard_error
        Mean and standard deviation of the replications' scores.
    percentile
        Between the quantiles of the replications' scores (interpolated linearly) that leave out
        equal shares on both sides.
    normal
        `mean` less and plus so many standard errors as a normal distribution wants (1.96 for
        95 %): the form of Kaldi. Can leave the range of possible scores.
    level
        The share both intervals are meant to cover, 0.95 for 95 %.
    units
        How many units were drawn from.
    replications, seed
        As given.
    """

    estimate: float
    mean: float
    standard_error: float
    percentile: Interval
    normal: Interval
    level: float
    units: int
    replications: int
    seed: int

    def how(self, block: str, method: str = METHOD) -> str:
        """Every choice behind the numbers; `block` is what was drawn as a whole."""
        return (
            f"{100 * self.level:g} % {method}, {self.units:,} units by {block}, "
            f"{self.replications:,} replications, seed {self.seed}"
        )

    def record(self, block: str, method: str = METHOD) -> dict[str, object]:
        """The percentile interval and every choice after it, for JSON."""
        return {
            "low": self.percentile.low,
            "high": self.percentile.high,
            "level": self.level,
            "method": method,
            "block": block,
            "units": self.units,
            "replications": self.replications,
            "seed": self.seed,
        }


class PairedBootstrap(NamedTuple):
    """Two systems on the same draws.

    Attributes
    ----------
    baseline, new
        Each by itself.
    difference
        New less baseline: the size of the effect. Negative means fewer errors.
    probability_of_improvement
        Share of replications in which the new system is strictly better.
    probability_of_tie
        Share of replications in which both are equal.
    p_value
        Two-sided: how often a difference at least this great would be seen if there were none.
        Replications are shifted to be centred on no difference, and the test set itself counts as
        one of them, `(1 + greater) / (1 + replications)` (Noreen, "Computer-intensive methods
        for testing hypotheses", 1989).
    """

    baseline: Bootstrap
    new: Bootstrap
    difference: Bootstrap
    probability_of_improvement: float
    probability_of_tie: float
    p_value: float


def bootstrap(
    statistics: ArrayLike,
    *,
    score: Score = error_rate,
    blocks: Sequence[Hashable] | None = None,
    replications: int = 10_000,
    seed: int = 0,
    level: float = 0.95,
    threads: int = 0,
) -> Bootstrap:
    """The score of one system with its bootstrap intervals.

    Parameters
    ----------
    statistics
        A row per utterance, of whatever adds up to the score: errors and reference tokens.
    score
        From sums of rows (last axis) to a score each. Not finite where there is none.
    blocks
        The speaker or recording of each utterance, to draw these as a whole.
    replications
        How many; at least so many that one lies beyond either end of the interval.
    seed
        From 0 to 2**64 - 1. Equal arguments give the same bytes, whatever the threads.
    level
        The share the intervals are to cover, between 0 and 1.
    threads
        At most this many; 0: as many as there are processors.

    Raises
    ------
    StatisticsError
        If there are less than two units, or all of them or some replications have no score (as
        a rate without reference tokens).
    ValueError
        If an argument is out of range.

    Examples
    --------
    >>> result = bootstrap([[1, 10], [0, 8], [3, 12], [0, 9], [2, 11]])
    >>> result.estimate
    0.12
    >>> print(f"{result.percentile.low:.3f} to {result.percentile.high:.3f}")
    0.023 to 0.200
    """
    _check_level(level, replications, seed)
    [units] = make_units([statistics], blocks)
    [estimate] = score_of(score, units.totals, "totals")
    sums = resampled_sums(units.numbers, replications=replications, seed=seed, threads=threads)
    scores = score_of(score, units.values(sums), "replications")
    return described(float(estimate), scores, level, len(units.numbers), seed)


def paired_bootstrap(
    baseline: ArrayLike,
    new: ArrayLike,
    *,
    score: Score = error_rate,
    lower_is_better: bool = True,
    blocks: Sequence[Hashable] | None = None,
    replications: int = 10_000,
    seed: int = 0,
    level: float = 0.95,
    threads: int = 0,
) -> PairedBootstrap:
    """Two systems scored on the same utterances, resampled together.

    Parameters
    ----------
    baseline, new
        Statistics of each system: the same utterances in the same order.
    lower_is_better
        Of two scores, the lower one is the better one.

    Takes the other parameters of `bootstrap` and raises the same errors.

    Examples
    --------
    >>> baseline = [[1, 10], [2, 8], [3, 12], [1, 9], [2, 11]]
    >>> new = [[1, 10], [1, 8], [1, 12], [1, 9], [1, 11]]
    >>> result = paired_bootstrap(baseline, new)
    >>> f"{result.difference.estimate:.2f}"
    '-0.08'
    >>> result.probability_of_improvement > 0.98
    True
    """
    _check_level(level, replications, seed)
    pair = make_units([baseline, new], blocks)
    left, right = pair
    both = np.hstack([left.numbers, right.numbers])
    sums = resampled_sums(both, replications=replications, seed=seed, threads=threads)
    width = left.numbers.shape[1]
    estimates = [float(score_of(score, units.totals, "totals")[0]) for units in pair]
    old = score_of(score, left.values(sums[:, :width]), "replications of the baseline")
    changed = score_of(score, right.values(sums[:, width:]), "replications of the new system")
    differences = changed - old
    difference = estimates[1] - estimates[0]
    greater = np.count_nonzero(at_least(differences - difference, difference))
    better = differences < 0 if lower_is_better else differences > 0
    number = len(left.numbers)
    return PairedBootstrap(
        baseline=described(estimates[0], old, level, number, seed),
        new=described(estimates[1], changed, level, number, seed),
        difference=described(difference, differences, level, number, seed),
        probability_of_improvement=float(np.mean(better)),
        probability_of_tie=float(np.mean(differences == 0)),
        p_value=float((1 + greater) / (1 + replications)),
    )


def at_least(differences: Floats, observed: float) -> NDArray[np.bool_]:
    """Flags of the differences as great as the observed one, either way; rounding is forgiven."""
    return np.abs(differences) >= abs(observed) * (1 - 1e-12)


def described(estimate: float, scores: Floats, level: float, units: int, seed: int) -> Bootstrap:
    """Statistics of an estimate from the scores of replications, however these were drawn."""
    from statistics import NormalDist

    rest = (1 - level) / 2
    low, high = np.quantile(scores, (rest, 1 - rest))
    mean, deviation = float(scores.mean()), float(scores.std())
    reach = NormalDist().inv_cdf(1 - rest) * deviation
    return Bootstrap(
        estimate=estimate,
        mean=mean,
        standard_error=deviation,
        percentile=Interval(float(low), float(high)),
        normal=Interval(mean - reach, mean + reach),
        level=level,
        units=units,
        replications=len(scores),
        seed=seed,
    )


def _check_level(level: float, replications: int, seed: int) -> None:
    if not 0 < level < 1:
        raise ValueError(f"level: expected a number between 0 and 1, found {level}")
    check_numbers(replications, seed)
    if replications * (1 - level) < 2:
        raise ValueError(
            f"replications: {replications} are too few for an interval of {level:.4g}, which "
            f"takes {2 / (1 - level):.0f}"
        )
