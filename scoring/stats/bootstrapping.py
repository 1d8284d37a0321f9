"""Bootstrap intervals for one system, and for the difference of two.

The method of Bisani and Ney ("Bootstrap estimates for confidence intervals in ASR performance
evaluation", ICASSP 2004): draw as many units as there are with replacement, score their sum, and
repeat. The spread of the scores shows how far the score of this test set can be trusted. Two
systems are scored on the same samples, so that difficulties that both share cancel out.

A unit is an utterance unless blocks are given. Utterances of one speaker or one recording tend to
be good or bad together, so that resampling single utterances gives intervals that are too narrow.
In this case, draw whole speakers or recordings.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from formats.schema.messages import Message
from scoring.drawing import LEAST_SHOWN, percent, probability
from scoring.model.arrays import Floats
from scoring.model.errors import OptionValueError, StatisticsError
from scoring.stats.limits import (
    FEW_UNITS,
    INTERVALS,
    LOG_STUDENT,
    POISSON,
    SMALL,
    STUDENT,
    Interval,
    IntervalName,
    are_few,
    bounds_text,
    error_of,
    influence,
    limits_of_changes,
    limits_of_sum,
    poisson_limits,
    student_limits,
    widened,
)
from scoring.stats.messages import NO_ERRORS
from scoring.stats.resampling import check_numbers, resampled_sums
from scoring.stats.units import Score, Units, error_rate, make_units, score_of

METHOD, PAIRED, WIDENED = "percentile bootstrap", "paired percentile bootstrap", "widened "
TOGETHER = " and "  # between the methods of the parts of a sum
# Design effects up to this leave at least 90 % coverage to intervals by utterance.
ALIKE = 1.4


class Bootstrap(NamedTuple):
    """A score with its bootstrap intervals.

    Attributes
    ----------
    estimate
        The score of all units as they are.
    mean, standard_error
        Mean and standard deviation of the replications' scores.
    limits
        The interval to show; it contains the estimate. `scoring.stats.limits` chooses its method.
    percentile
        The limits between which the share `level` of the replications' scores lies, with equal
        shares below and above (quantiles, interpolated linearly).
    normal
        `mean` minus and plus a multiple of the standard error (1.96 for 95 %), as in Kaldi. The
        limits can be outside the range of possible scores.
    level
        The nominal coverage of all intervals, for example 0.95.
    units
        Number of units from which samples are drawn.
    replications, seed
        The arguments of the bootstrap.
    method
        The method of `limits`.
    block, speakers, design_effect
        The kind of unit, the number of speakers, and the similarity of their utterances, as in
        `scoring.stats.blocks.Blocks`.
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
    limits: Interval
    method: str = METHOD
    block: str = "utterance"
    speakers: int | None = None
    design_effect: float | None = None

    @property
    def methods(self) -> tuple[str, ...]:
        """The methods of `limits`: several for a sum whose parts have different methods."""
        return tuple(self.method.split(TOGETHER))

    @property
    def flag(self) -> str:
        """Why the interval is only a rough guide; empty if it is reliable.

        >>> bootstrap([[1, 10], [2, 8], [9, 12]]).flag
        'only 3 utterances'
        """
        noun = self.block.removeprefix("given ").removesuffix("s")
        if self.units < FEW_UNITS:
            return f"only {self.units} {noun}" + "s" * (self.units != 1)
        if self.speakers is not None and self.speakers < FEW_UNITS:
            return f"only {self.speakers} speakers"
        effect = self.design_effect
        if effect is not None and effect > ALIKE and self.block == "utterance":
            return f"utterances of a speaker are alike, design effect {effect:.1f}"
        return ""

    def bounds(
        self, text: Callable[[float], str] = percent, between: str = " to ", unit: str = ""
    ) -> str:
        """Return the limits of the interval as text, followed by `flag` if the interval is rough.

        >>> bootstrap([[1, 10], [2, 8], [9, 12]]).bounds()
        '0.00 to 133.08 (only 3 utterances)'
        """
        return bounds_text(self.limits, self.flag, text, between, unit)

    @property
    def choices(self) -> tuple[object, ...]:
        """The level, the method, the unit and, for a bootstrap, the replications and the seed."""
        draws = (self.replications, self.seed) if self.method.endswith(METHOD) else ()
        return (self.level, self.method, self.block, *draws)

    def how(self) -> str:
        """Return all settings of the interval as text."""
        return how_all([self])

    def record(self) -> dict[str, object]:
        """Return the interval and its settings, for JSON."""
        return {
            "low": self.limits.low,
            "high": self.limits.high,
            "level": self.level,
            "method": self.method,
            "block": self.block,
            "unit_count": self.units,
            "speaker_count": self.speakers,
            "design_effect": self.design_effect,
            "flag": self.flag or None,
            "replications": self.replications,
            "seed": self.seed,
        }


def how_all(intervals: Sequence[Bootstrap]) -> str:
    """Return the settings of several intervals of the same method as text.

    Numbers that differ between the intervals become ranges.

    >>> first = bootstrap([[1, 10]] * 5 + [[2, 10]] * 5)
    >>> how_all([first, first._replace(units=8)])
    "95 % Student's t of the log rate, 8 to 10 units by utterance"
    """
    first = intervals[0]
    units = _range([f"{interval.units:,}" for interval in sorted(intervals, key=_units)])
    known = sorted(item.design_effect for item in intervals if item.design_effect is not None)
    effect = f", design effect {_range([f'{value:.2f}' for value in known])}" if known else ""
    draws = f", {first.replications:,} replications, seed {first.seed}"
    return (
        f"{100 * first.level:g} % {first.method}, {units} units by {first.block}{effect}"
        f"{draws * first.method.endswith(METHOD)}"
    )


def how_each(intervals: Mapping[str, Bootstrap | None]) -> str:
    """Return the settings of the intervals of a table as text.

    The method of most intervals is first; intervals by another method are named.

    >>> first = bootstrap([[1, 10]] * 5 + [[2, 10]] * 5)
    >>> how_each({"a": first, "b": first, "c": first._replace(method="another method")})
    "95 % Student's t of the log rate, 10 units by utterance; c: another method"
    """
    groups: dict[tuple[str, str], dict[str, Bootstrap]] = {}
    for name, interval in intervals.items():
        if interval is not None:
            groups.setdefault((interval.method, interval.block), {})[name] = interval
    first, *others = sorted(groups.values(), key=len, reverse=True) or [dict[str, Bootstrap]()]
    if not first:
        return ""
    parts = [how_all([*first.values()])]
    usual = next(iter(first.values()))
    for group in others:
        other = next(iter(group.values()))
        unit = f" by {other.block}" * (other.block != usual.block)
        parts.append(f"{', '.join(group)}: {other.method}{unit}")
    return "; ".join(parts)


def _units(interval: Bootstrap) -> int:
    return interval.units


def _range(texts: Sequence[str]) -> str:
    """Return sorted numbers as one text: the only number, or the least and the greatest."""
    return texts[0] if texts[0] == texts[-1] else f"{texts[0]} to {texts[-1]}"


class PairedBootstrap(NamedTuple):
    """Bootstrap results of two systems on the same samples.

    Attributes
    ----------
    baseline, new
        The interval of each system.
    difference
        The interval of the new system's score minus the baseline's. Negative means fewer errors.
    probability_of_improvement
        Share of replications in which the new system is strictly better.
    probability_of_tie
        Share of replications in which both systems have equal scores.
    p_value
        Two-sided: the probability of a difference at least as great as this one if the systems were
        equally good. The differences of the replications are shifted so that their centre is 0. The
        test set itself counts as a replication: `(1 + greater) / (1 + replications)` (Noreen,
        "Computer-intensive methods for testing hypotheses", 1989).
    """

    baseline: Bootstrap
    new: Bootstrap
    difference: Bootstrap
    probability_of_improvement: float
    probability_of_tie: float
    p_value: float

    def improvement(self) -> str:
        """Return the probability of improvement as text, marked where the interval is rough.

        >>> paired_bootstrap([[1, 10], [2, 8], [9, 12]], [[0, 10], [0, 8], [0, 12]]).improvement()
        '> 0.9999 (only 3 utterances)'
        >>> paired_bootstrap([[1, 10], [2, 8]], [[1, 10], [2, 8]]).improvement()
        '0 (equal in all replications)'
        """
        if self.probability_of_tie == 1:
            return "0 (equal in all replications)"
        share = self.probability_of_improvement
        text = f"> {1 - LEAST_SHOWN}" if 1 - share < LEAST_SHOWN else probability(share)
        return f"{text} ({self.difference.flag})" if self.difference.flag else text


def bootstrap(
    statistics: ArrayLike,
    *,
    score: Score = error_rate,
    blocks: Sequence[Hashable] | None = None,
    replications: int = 10_000,
    seed: int = 0,
    level: float = 0.95,
    threads: int = 0,
    interval: IntervalName = "auto",
    counts: bool = True,
) -> Bootstrap:
    """Return the score of one system with its bootstrap intervals.

    Parameters
    ----------
    statistics
        A row per utterance: numbers from whose sums the score is computed, such as errors and
        reference tokens.
    score
        Function from sums of rows (last axis) to scores. A score without a denominator is not
        finite.
    blocks
        The speaker or recording of each utterance; whole speakers or recordings are then drawn.
    replications
        Number of replications; large enough that at least one is beyond either limit of the
        interval.
    seed
        From 0 to 2**64 - 1. Equal arguments give equal results for any number of threads.
    level
        The nominal coverage of the intervals, between 0 and 1.
    threads
        The largest number of threads; 0: as many as there are processors.
    interval
        `auto`: limits that fit the data; `percentile`: always the percentile bootstrap.
    counts
        True if errors are counted, so that few errors have exact limits; False for times.

    Raises
    ------
    StatisticsError
        If there are fewer than two units, or if all units together, or a replication, have no score
        (for example, a rate without reference tokens).
    ValueError
        If an argument is out of range.

    Examples
    --------
    >>> result = bootstrap([[1, 10], [0, 8], [3, 12], [0, 9], [2, 11]])
    >>> result.estimate
    0.12
    >>> result.bounds(), result.method
    ('2.07 to 41.09 (only 5 utterances)', 'exact Poisson limits')
    """
    _check(interval, level, replications, seed)
    [units] = make_units([statistics], blocks)
    [estimate] = score_of(score, units.totals, "totals")
    sums = resampled_sums(units.numbers, replications=replications, seed=seed, threads=threads)
    scores = score_of(score, units.values(sums), "replications")
    found = described(float(estimate), scores, level, len(units.numbers), seed, METHOD, interval)
    if score is not error_rate or interval == "percentile":
        return found
    rows = np.asarray(statistics, dtype=np.float64)
    return with_limits_of_rate(found, rows[:, 0], units.values(units.numbers), counts=counts)


def with_limits_of_rate(
    found: Bootstrap,
    errors: Floats,
    units: Floats,
    *,
    counts: bool = True,
    error: float | None = None,
) -> Bootstrap:
    """Return the interval of a rate.

    If there are few errors or units, its limits do not come from the bootstrap.

    Parameters
    ----------
    found
        The bootstrap of the rate.
    errors
        The number of errors of each utterance.
    units
        Errors and words of each unit.
    counts
        True if errors are counted; False if they are measured, as times are.
    error
        The standard error of the rate; None: it is computed from the units by linearisation.
    """
    words, level = float(units[:, 1].sum()), found.level
    if counts and (are_few(errors) or len(units) < 2):
        limits = Interval(*(limit / words for limit in poisson_limits(units[:, 0], level)))
        return found._replace(limits=_around(found.estimate, limits), method=POISSON)
    if not found.estimate > 0:
        raise StatisticsError(Message(NO_ERRORS))
    if len(units) >= SMALL:
        return found
    if error is None:
        error = error_of(influence(units[:, 0], units[:, 1]))
    limits = student_limits(found.estimate, error, len(units) - 1, level, is_rate=True)
    return found._replace(limits=limits, method=LOG_STUDENT)


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
    interval: IntervalName = "auto",
) -> PairedBootstrap:
    """Resample two systems, scored on the same utterances, together.

    Parameters
    ----------
    baseline, new
        Statistics of each system: the same utterances in the same order.
    lower_is_better
        True if the lower of two scores is the better one.

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
    _check(interval, level, replications, seed)
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
    rest = level, number, seed
    found = [
        described(estimates[0], old, *rest, METHOD, interval),
        described(estimates[1], changed, *rest, METHOD, interval),
        described(difference, differences, *rest, PAIRED, interval),
    ]
    if interval == "auto":
        rows = [np.asarray(side, dtype=np.float64) for side in (baseline, new)]
        if score is error_rate:
            for place, units in enumerate(pair):
                values = units.values(units.numbers)
                found[place] = with_limits_of_rate(found[place], rows[place][:, 0], values)
        found[2] = _with_limits_of_difference(found[2], rows, pair, score)
    return PairedBootstrap(
        baseline=found[0],
        new=found[1],
        difference=found[2],
        probability_of_improvement=float(np.mean(better)),
        probability_of_tie=float(np.mean(differences == 0)),
        p_value=float((1 + greater) / (1 + replications)),
    )


def weighted_sum(parts: Sequence[Bootstrap], weights: Sequence[float], scores: Floats) -> Bootstrap:
    """Return the interval of a weighted sum of independent numbers.

    `scores` has the sum in each replication. The number of units is that of the part with the
    fewest units.
    """
    first = min(parts, key=lambda part: part.units)
    estimate = sum(weight * part.estimate for weight, part in zip(weights, parts, strict=True))
    found = described(estimate, scores, first.level, first.units, first.seed)
    found = found._replace(
        block=first.block, speakers=first.speakers, design_effect=first.design_effect
    )
    methods = dict.fromkeys(chain.from_iterable(part.methods for part in parts))
    if list(methods) == [METHOD]:
        return found._replace(limits=_around(estimate, found.percentile), method=METHOD)
    limits = limits_of_sum([(part.estimate, part.limits) for part in parts], weights)
    return found._replace(limits=_around(estimate, limits), method=TOGETHER.join(methods))


def _with_limits_of_difference(
    found: Bootstrap, rows: Sequence[Floats], pair: Sequence[Units], score: Score
) -> Bootstrap:
    """Return the interval of a difference.

    If there are few changes or units, its limits do not come from the bootstrap.
    """
    old, new = (units.values(units.numbers) for units in pair)
    if score is error_rate and are_few(rows[1][:, 0] - rows[0][:, 0]):
        bounds = limits_of_changes(new[:, 0] - old[:, 0], found.level)
        words = min(float(side[:, 1].sum()) for side in (old, new))
        shift = found.estimate - float((new[:, 0] - old[:, 0]).sum()) / words
        limits = Interval(bounds.low / words + shift, bounds.high / words + shift)
        return found._replace(limits=_around(found.estimate, limits), method=POISSON)
    if len(old) >= SMALL:
        return found
    if score is error_rate:
        change = influence(new[:, 0], new[:, 1]) - influence(old[:, 0], old[:, 1])
    else:
        try:
            change = _jackknife(score, new) - _jackknife(score, old)
        except StatisticsError:
            return found
    limits = student_limits(found.estimate, error_of(change), len(old) - 1, found.level)
    return found._replace(limits=limits, method=STUDENT)


def _jackknife(score: Score, units: Floats) -> Floats:
    """Return how much each unit changes the score of all units; the values sum to 0."""
    without = score_of(score, units.sum(axis=0) - units, "all units but one")
    influences: Floats = (without.mean() - without) * (len(units) - 1) / len(units)
    return influences


def at_least(differences: Floats, observed: float) -> NDArray[np.bool_]:
    """Return a flag per replication: True if its difference is at least as large as observed.

    The sign of a difference does not matter. Rounding errors are tolerated.
    """
    return np.abs(differences) >= abs(observed) * (1 - 1e-12)


def described(
    estimate: float,
    scores: Floats,
    level: float,
    units: int,
    seed: int,
    method: str = METHOD,
    interval: IntervalName = "auto",
) -> Bootstrap:
    """Return the mean, standard error and intervals of an estimate from its replications."""
    from statistics import NormalDist

    rest = (1 - level) / 2
    low, high = np.quantile(scores, (rest, 1 - rest))
    limits = Interval(float(low), float(high))
    if interval == "auto":
        share = widened(rest, units)
        if share != rest:
            method = f"{WIDENED}{method}"
            limits = Interval(*map(float, np.quantile(scores, (share, 1 - share))))
        limits = _around(estimate, limits)
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
        limits=limits,
        method=method,
    )


def _around(estimate: float, limits: Interval) -> Interval:
    """Return the limits, extended to contain the estimate."""
    return Interval(min(limits.low, estimate), max(limits.high, estimate))


def _check(interval: str, level: float, replications: int, seed: int) -> None:
    if interval not in INTERVALS:
        raise OptionValueError(
            "interval", expected=f"one of {', '.join(INTERVALS)}", found=repr(interval)
        )
    if not 0 < level < 1:
        raise ValueError(f"level: expected a number between 0 and 1, found {level}")
    check_numbers(replications, seed)
    if replications * (1 - level) < 2:
        raise ValueError(
            f"replications: {replications} are too few for an interval of {level:.4g}, which "
            f"takes {2 / (1 - level):.0f}"
        )
