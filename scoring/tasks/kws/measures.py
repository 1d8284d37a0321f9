"""Term-weighted values: actual, maximum, optimum, supremum; average precision; the curve.

For a keyword with N references among T trials

    P_miss = missed / N        P_FA = false alarms / (T - N)        TWV = 1 - P_miss - β · P_FA

For a set of keywords, the TWV is computed from the means of P_miss and P_FA. A threshold accepts
detections with scores at or above it. Maxima are compared as exact fractions, so that of equal
values the lowest threshold is chosen in spite of rounding. By F4DE's rules, they are compared as
binary numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import fsum
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from scoring.tasks.kws.parameters import Parameters
from scoring.tasks.kws.trials import TrialBlock, TrialSet

NOWHERE = float("nan")


class Point(NamedTuple):
    """The probabilities and the value at a threshold; `None`: undefined; NaN: no threshold."""

    p_fa: float | None
    p_miss: float | None
    twv: float | None
    threshold: float | None


UNDEFINED = Point(None, None, None, None)


class KeywordScore(NamedTuple):
    """The score of a single keyword, or of all keywords pooled."""

    block: TrialBlock  # which keyword
    evaluated: bool  # whether it takes part in the means
    targets: int  # counts; of targets, all references
    correct: int
    false_alarms: int
    correct_rejections: int
    rejected_targets: int  # references found with a decision against, which count as missed
    p_fa: float | None  # at the system's decisions; `None` where undefined
    p_miss: float | None
    twv: float | None
    optimum: Point  # at the best threshold of this keyword
    supremum: Point
    average_precision: float | None  # `None` where undefined

    @property
    def misses(self) -> int:
        """The number of references without an accepted detection."""
        return self.targets - self.correct

    @property
    def detections(self) -> int:
        """The number of scored detections, accepted or not."""
        return self.correct + self.rejected_targets + self.false_alarms + self.correct_rejections


class SetScores(NamedTuple):
    """The scores of a set of keywords."""

    trials: TrialSet  # what was measured
    keywords: tuple[KeywordScore, ...]  # one score per keyword of the set, evaluated or not
    actual: Point  # at the system's decisions (ATWV), with the threshold these imply
    maximum: Point  # at the best threshold for all (MTWV)
    optimum: Point  # at each keyword's best threshold (OTWV)
    supremum: Point  # without false alarms and with every detection accepted (STWV)
    mean_average_precision: float | None  # MAP

    @property
    def evaluated(self) -> tuple[KeywordScore, ...]:
        """The keywords that are included in the means."""
        return tuple(score for score in self.keywords if score.evaluated)


class Curve(NamedTuple):
    """Means over keywords at each threshold (ascending), with sample standard deviations.

    The deviations are NaN if there is a single keyword.
    """

    thresholds: npt.NDArray[np.float64]
    p_miss: npt.NDArray[np.float64]
    p_fa: npt.NDArray[np.float64]
    twv: npt.NDArray[np.float64]
    p_miss_deviation: npt.NDArray[np.float64]
    p_fa_deviation: npt.NDArray[np.float64]
    twv_deviation: npt.NDArray[np.float64]
    keywords: int


class _Counts(NamedTuple):
    """Columns with one entry per block of trials; each block is a keyword.

    They are numbers of references, denominators of P_FA, flags of evaluated blocks, and bounds.
    """

    targets: npt.NDArray[np.int64]
    others: npt.NDArray[np.int64]
    evaluated: npt.NDArray[np.bool_]
    bounds: npt.NDArray[np.int64]


def _counts(trials: TrialSet) -> _Counts:
    size = len(trials.blocks)
    detected = np.bincount(trials.of[trials.targets], minlength=size)
    targets = trials.omitted + detected
    others = trials.trials * trials.pooled_trials - targets
    evaluated = (targets > 0) | trials.parameters.with_untargeted
    return _Counts(targets, others, evaluated, np.searchsorted(trials.of, np.arange(size + 1)))


def measure(trials: TrialSet, threshold: float | None) -> SetScores:
    """Compute the measures of a set of trials."""
    counts = _counts(trials)
    used = counts.evaluated[trials.of]
    thresholds = np.unique(trials.scores[used])
    tallies = [
        np.bincount(trials.of[chosen], minlength=len(trials.blocks)).tolist()
        for chosen in (
            trials.targets & trials.decisions,
            ~trials.targets & trials.decisions,
            ~trials.targets & ~trials.decisions,
            trials.targets & ~trials.decisions,
        )
    ]
    parameters = trials.parameters
    has_optimum = len(thresholds) > 0 or not parameters.rules.optimum_needs_scores
    scores = []
    for index, block in enumerate(trials.blocks):
        correct, false_alarms, rejections, rejected = (tally[index] for tally in tallies)
        targets, others = int(counts.targets[index]), int(counts.others[index])
        p_miss = (targets - correct) / targets if targets else None
        p_fa = false_alarms / others if others > 0 else None
        evaluated = bool(counts.evaluated[index])
        part = slice(int(counts.bounds[index]), int(counts.bounds[index + 1]))
        optimum = supremum = UNDEFINED
        if evaluated and has_optimum:
            supremum = Point(0.0, None, None, 0.5)
            if targets:
                optimum = _optimum(trials, part, thresholds, targets, others)
                p_omitted = int(trials.omitted[index]) / targets
                supremum = Point(0.0, p_omitted, 1 - p_omitted, 0.5)
        scores.append(
            KeywordScore(
                block=block,
                evaluated=evaluated,
                targets=targets,
                correct=correct,
                false_alarms=false_alarms,
                correct_rejections=rejections,
                rejected_targets=rejected,
                p_fa=p_fa,
                p_miss=p_miss,
                twv=_twv(p_fa, p_miss, parameters),
                optimum=optimum,
                supremum=supremum,
                average_precision=_average_precision(trials, part, targets) if evaluated else None,
            )
        )
    chosen = [score for score in scores if score.evaluated]
    with_optimum = [score for score in chosen if score.targets]
    precisions = [s.average_precision for s in chosen if s.average_precision is not None]
    return SetScores(
        trials=trials,
        keywords=tuple(scores),
        actual=_mean_point([(s.p_fa, s.p_miss) for s in chosen], parameters, threshold),
        maximum=_maximum(trials, counts, thresholds),
        optimum=_mean_point([s.optimum[:2] for s in with_optimum], parameters, None),
        supremum=_mean_point([s.supremum[:2] for s in chosen], parameters, None),
        mean_average_precision=fsum(precisions) / len(precisions) if precisions else None,
    )


def _twv(p_fa: float | None, p_miss: float | None, parameters: Parameters) -> float | None:
    return None if p_fa is None or p_miss is None else parameters.twv(p_fa, p_miss)


def _mean(values: Sequence[float | None]) -> float | None:
    numbers = [value for value in values if value is not None]
    return fsum(numbers) / len(numbers) if numbers else None


def _mean_point(
    pairs: Sequence[tuple[float | None, float | None]],
    parameters: Parameters,
    threshold: float | None,
) -> Point:
    p_fa, p_miss = _mean([pair[0] for pair in pairs]), _mean([pair[1] for pair in pairs])
    return Point(p_fa, p_miss, _twv(p_fa, p_miss, parameters), threshold)


def _average_precision(trials: TrialSet, part: slice, targets: int) -> float | None:
    """Return the mean of the precisions at all references.

    Of detections with equal scores, false alarms come first.
    """
    if not targets:
        return 0.0 if trials.parameters.rules.undefined_average_precision_is_zero else None
    is_target = trials.targets[part]
    order = np.lexsort((is_target, -trials.scores[part]))
    ranks = np.flatnonzero(is_target[order]) + 1
    return fsum((np.arange(1, len(ranks) + 1) / ranks).tolist()) / targets


def _optimum(
    trials: TrialSet,
    part: slice,
    thresholds: npt.NDArray[np.float64],
    targets: int,
    others: int,
) -> Point:
    """Return the point at a keyword's best threshold; of equally good thresholds, the lowest."""
    is_target = trials.targets[part]
    levels = np.unique(trials.scores[part])
    hits = np.sort(trials.scores[part][is_target])
    alarms = np.sort(trials.scores[part][~is_target])
    accepted = len(hits) - np.searchsorted(hits, levels, side="left")
    false = len(alarms) - np.searchsorted(alarms, levels, side="left")
    # the first threshold at which exactly the scores from `own` on are accepted
    first: npt.NDArray[np.int64] = np.zeros(len(levels), dtype=np.int64)
    first[1:] = np.searchsorted(thresholds, levels[:-1], side="right")
    beyond = int(np.searchsorted(thresholds, levels[-1], side="right")) if len(levels) else 0
    if beyond < len(thresholds) or not len(levels):
        accepted, false = np.append(accepted, 0), np.append(false, 0)
        first = np.append(first, beyond)
    missed = targets - accepted
    best = _first_best(missed, false, targets, others, trials.parameters)
    n_missed, n_false = int(missed[best]), int(false[best])
    p_miss, p_fa = n_missed / targets, n_false / others if others > 0 else None
    twv = _twv(p_fa, p_miss, trials.parameters)
    if not len(thresholds):
        return Point(p_fa, p_miss, twv, NOWHERE)
    theta = float(thresholds[first[best]])
    printed = _shown_threshold(theta, alarms, n_false, hits, n_missed - (targets - len(hits)))
    return Point(p_fa, p_miss, twv, printed)


def _first_best(
    missed: npt.NDArray[np.int64],
    false: npt.NDArray[np.int64],
    targets: int,
    others: int,
    parameters: Parameters,
) -> int:
    if others <= 0:
        return int(np.argmin(missed))
    loss = missed / targets + parameters.beta * (false / others)
    if parameters.rules.binary_values:
        return int(np.argmax(1 - loss))
    beta = parameters.exact_beta
    close = np.flatnonzero(loss <= loss.min() * (1 + 1e-12) + 1e-15)
    if len(close) == 1:
        return int(close[0])
    exact = [
        Fraction(int(missed[i]), targets) + beta * Fraction(int(false[i]), others) for i in close
    ]
    return int(close[exact.index(min(exact))])


def _shown_threshold(
    theta: float,
    alarms: npt.NDArray[np.float64],
    n_false: int,
    hits: npt.NDArray[np.float64],
    n_rejected: int,
) -> float:
    """Return the threshold that the original prints for a keyword's optimum.

    No other number depends on it.
    """
    a = float(alarms[n_false]) if n_false < len(alarms) else None
    b = float(hits[n_rejected]) if n_rejected < len(hits) else None
    if a is not None and b is not None:
        return min(a, b) if a > theta and b > theta else max(a, b, theta)
    return max([theta, *(x for x in (a, b) if x is not None)])


class _Sweep(NamedTuple):
    """Sums over keywords at every threshold, in extended precision."""

    p_miss: npt.NDArray[np.longdouble]
    p_fa: npt.NDArray[np.longdouble]
    with_miss: int
    with_fa: int


def _sweep(trials: TrialSet, counts: _Counts, thresholds: npt.NDArray[np.float64]) -> _Sweep:
    has_miss = counts.evaluated & (counts.targets > 0)
    has_fa = counts.evaluated & (counts.others > 0)
    size = len(thresholds)
    p_miss = np.zeros(size + 1, dtype=np.longdouble)
    p_fa = np.zeros(size + 1, dtype=np.longdouble)
    for is_target, sums, chosen, denominators in (
        (True, p_miss, has_miss, counts.targets),
        (False, p_fa, has_fa, counts.others),
    ):
        used = chosen[trials.of] & (trials.targets == is_target)
        positions = np.searchsorted(thresholds, trials.scores[used])
        weights = 1 / denominators[trials.of[used]].astype(np.longdouble)
        np.add.at(sums, positions, weights)
    # rejected from the threshold after its own on; accepted up to its own
    omitted = trials.omitted[has_miss] / counts.targets[has_miss].astype(np.longdouble)
    missed = np.concatenate(([omitted.sum()], p_miss[:-1])).cumsum()[: max(size, 1)]
    false = p_fa[::-1].cumsum()[::-1][: max(size, 1)]
    return _Sweep(missed, false, int(has_miss.sum()), int(has_fa.sum()))


def _maximum(trials: TrialSet, counts: _Counts, thresholds: npt.NDArray[np.float64]) -> Point:
    """Return the point at the best common threshold.

    Without scores, the point without detections.
    """
    sweep = _sweep(trials, counts, thresholds)
    if not sweep.with_miss or not sweep.with_fa:
        return Point(
            float(sweep.p_fa[0] / sweep.with_fa) if sweep.with_fa else None,
            float(sweep.p_miss[0] / sweep.with_miss) if sweep.with_miss else None,
            None,
            NOWHERE,
        )
    parameters = trials.parameters
    loss = sweep.p_miss / sweep.with_miss + np.longdouble(parameters.beta) * (
        sweep.p_fa / sweep.with_fa
    )
    noise = 8 * (len(loss) + 2) * float(np.finfo(np.longdouble).eps) * (1 + float(loss.max()))
    # the weight itself is rounded, and by F4DE's rules every step
    noise += 4 * float(np.finfo(np.float64).eps) * (float(loss.min()) + 1)
    close = np.flatnonzero(loss <= loss.min() + noise)
    best = int(close[0])
    p_miss = float(sweep.p_miss[best] / sweep.with_miss)
    p_fa = float(sweep.p_fa[best] / sweep.with_fa)
    if parameters.rules.binary_values:
        means = [_binary_means(trials, counts, thresholds[i : i + 1], sweep) for i in close]
        values = [parameters.twv(*pair) for pair in means]
        first = values.index(max(values))
        best, (p_fa, p_miss) = int(close[first]), means[first]
    elif len(close) > 1:
        exact = [_exact_loss(trials, counts, thresholds[i : i + 1], sweep) for i in close]
        best = int(close[exact.index(min(exact))])
        p_miss = float(sweep.p_miss[best] / sweep.with_miss)
        p_fa = float(sweep.p_fa[best] / sweep.with_fa)
    threshold = float(thresholds[best]) if len(thresholds) else NOWHERE
    return Point(p_fa, p_miss, parameters.twv(p_fa, p_miss), threshold)


def _errors_at(
    trials: TrialSet, threshold: npt.NDArray[np.float64]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return misses and false alarms of every block at a threshold (NaN: all rejected)."""
    size = len(trials.blocks)
    accepted = trials.scores >= threshold if len(threshold) else np.zeros(len(trials.of), bool)
    missed = trials.omitted + np.bincount(trials.of[trials.targets & ~accepted], minlength=size)
    return missed, np.bincount(trials.of[~trials.targets & accepted], minlength=size)


def _binary_means(
    trials: TrialSet, counts: _Counts, threshold: npt.NDArray[np.float64], sweep: _Sweep
) -> tuple[float, float]:
    """Return the means of P_FA and P_miss in doubles, with each quotient rounded as in F4DE."""
    missed, false = _errors_at(trials, threshold)
    has_miss = counts.evaluated & (counts.targets > 0)
    has_fa = counts.evaluated & (counts.others > 0)
    p_miss = fsum((missed[has_miss] / counts.targets[has_miss]).tolist())
    p_fa = fsum((false[has_fa] / counts.others[has_fa]).tolist())
    return p_fa / sweep.with_fa, p_miss / sweep.with_miss


def _exact_loss(
    trials: TrialSet, counts: _Counts, threshold: npt.NDArray[np.float64], sweep: _Sweep
) -> Fraction:
    missed, false = _errors_at(trials, threshold)
    p_miss = _exact_sum(missed, counts.targets, counts.evaluated)
    p_fa = _exact_sum(false, counts.others, counts.evaluated)
    return p_miss / sweep.with_miss + trials.parameters.exact_beta * p_fa / sweep.with_fa


def _exact_sum(
    numerators: npt.NDArray[np.int64],
    denominators: npt.NDArray[np.int64],
    chosen: npt.NDArray[np.bool_],
) -> Fraction:
    sums: dict[int, int] = {}
    used = chosen & (denominators > 0)
    for numerator, denominator in zip(
        numerators[used].tolist(), denominators[used].tolist(), strict=True
    ):
        sums[denominator] = sums.get(denominator, 0) + numerator
    return sum((Fraction(n, d) for d, n in sums.items()), Fraction(0))


def curve(trials: TrialSet) -> Curve:
    """Return miss and false-alarm probabilities by threshold, with standard deviations."""
    counts = _counts(trials)
    thresholds = np.unique(trials.scores[counts.evaluated[trials.of]])
    sweep = _sweep(trials, counts, thresholds)
    p_miss = np.asarray(sweep.p_miss / max(sweep.with_miss, 1), dtype=np.float64)
    p_fa = np.asarray(sweep.p_fa / max(sweep.with_fa, 1), dtype=np.float64)
    if not sweep.with_miss:
        p_miss = np.full(len(p_miss), np.nan)
    if not sweep.with_fa:
        p_fa = np.full(len(p_fa), np.nan)
    if not len(thresholds):
        thresholds = np.array([np.nan])
    deviations = _deviations(trials, counts, thresholds, sweep)
    return Curve(
        thresholds=thresholds,
        p_miss=p_miss,
        p_fa=p_fa,
        twv=trials.parameters.twv(p_fa, p_miss),
        p_miss_deviation=deviations[0],
        p_fa_deviation=deviations[1],
        twv_deviation=deviations[2],
        keywords=int(counts.evaluated.sum()),
    )


def _deviations(
    trials: TrialSet, counts: _Counts, thresholds: npt.NDArray[np.float64], sweep: _Sweep
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return sample standard deviations over keywords of P_miss, P_FA and TWV, by threshold."""
    size = len(thresholds)
    sums = np.zeros((4, size), dtype=np.longdouble)  # of x², y², and of v, v² of TWV's loss v
    beta = np.longdouble(trials.parameters.beta)
    with_both = 0
    for index in np.flatnonzero(counts.evaluated).tolist():
        part = slice(int(counts.bounds[index]), int(counts.bounds[index + 1]))
        is_target, scores = trials.targets[part], trials.scores[part]
        levels = np.unique(scores)
        # from `start` on, up to the next, these are the keyword's probabilities
        start = np.zeros(len(levels) + 1, dtype=np.int64)
        start[1:] = np.searchsorted(thresholds, levels, side="right")
        edges = np.append(levels, np.inf)
        hits, alarms = np.sort(scores[is_target]), np.sort(scores[~is_target])
        missed = trials.omitted[index] + np.searchsorted(hits, edges, side="left")
        false = len(alarms) - np.searchsorted(alarms, edges, side="left")
        targets, others = int(counts.targets[index]), int(counts.others[index])
        x = missed.astype(np.longdouble) / targets if targets else None
        y = false.astype(np.longdouble) / others if others > 0 else None
        inside = start < size
        if x is not None:
            _add_steps(sums[0], start[inside], (x * x)[inside])
        if y is not None:
            _add_steps(sums[1], start[inside], (y * y)[inside])
        if x is not None and y is not None:
            with_both += 1
            loss = x + beta * y
            _add_steps(sums[2], start[inside], loss[inside])
            _add_steps(sums[3], start[inside], (loss * loss)[inside])
    squares = sums.cumsum(axis=1)
    return (
        _deviation(squares[0], sweep.p_miss, sweep.with_miss),
        _deviation(squares[1], sweep.p_fa, sweep.with_fa),
        _deviation(squares[3], squares[2], with_both),
    )


def _add_steps(
    sums: npt.NDArray[np.longdouble],
    start: npt.NDArray[np.int64],
    values: npt.NDArray[np.longdouble],
) -> None:
    """Add a step function to sums, which are stored as differences."""
    np.add.at(sums, start, np.diff(values, prepend=np.longdouble(0)))


def _deviation(
    squares: npt.NDArray[np.longdouble], sums: npt.NDArray[np.longdouble], size: int
) -> npt.NDArray[np.float64]:
    if size < 2:
        return np.full(len(squares), np.nan)
    variance = (squares - sums * sums / size) / (size - 1)
    # below the noise of the sums there is no spread
    noise = 4 * (len(squares) + size) * np.finfo(np.longdouble).eps * squares.max(initial=0)
    variance[variance < noise] = 0
    return np.asarray(np.sqrt(variance), dtype=np.float64)
