"""Test the difference of two systems that have several runs with different results.

Both the utterances of the test set and the output of each run vary. The difference of the mean
rates has three sources of variance:

- utterances: the linearised ratio of errors to words, paired over the two systems and averaged over
  the runs of each;
- runs of the baseline, and runs of the new system: the variance of their rates, divided by their
  number. A system with a single run is assumed to vary like the other system.

The difference, divided by the square root of the summed variances, is compared with Student's t.
The degrees of freedom follow Welch and Satterthwaite for all three sources. Without variance of
utterances, this is Welch's test of the runs' rates. With one run each, this is the paired t-test of
utterances.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from formats.schema.messages import Message
from scoring.drawing import percent
from scoring.model.arrays import Floats, Integers
from scoring.model.errors import StatisticsError
from scoring.stats.limits import FEW_UNITS, Interval, bounds_text
from scoring.stats.messages import NO_TOKENS_OF_RUN, TOO_FEW
from scoring.stats.quantiles import t_quantile, t_two_sided


class SpreadTest(NamedTuple):
    """The difference of the mean rates of two systems with several runs.

    Attributes
    ----------
    estimate
        The mean rate of the new system minus the mean rate of the baseline.
    standard_error
        Standard error of the estimate, from utterances and runs.
    of_utterances, of_baseline, of_new
        The variances whose sum is the square of the standard error.
    freedom
        Degrees of freedom; infinite without any variance.
    p_value
        Two-sided; None without any variance, unless the rates are equal.
    limits
        The interval of the difference.
    level
        The coverage of the interval.
    units
        Number of utterances or blocks.
    """

    estimate: float
    standard_error: float
    of_utterances: float
    of_baseline: float
    of_new: float
    freedom: float
    p_value: float | None
    limits: Interval
    level: float
    units: int

    @property
    def flag(self) -> str:
        """The reason why the interval is only a rough guide; empty without such a reason."""
        return f"only {self.units} units" if self.units < FEW_UNITS else ""

    def bounds(
        self, text: Callable[[float], str] = percent, between: str = " to ", unit: str = ""
    ) -> str:
        """Return both limits as text, followed by `flag` if the interval is rough."""
        return bounds_text(self.limits, self.flag, text, between, unit)


def spread_test(
    baseline: Integers | Floats, new: Integers | Floats, *, level: float = 0.95
) -> SpreadTest:
    """Test the difference of two systems with one or more runs each.

    Parameters
    ----------
    baseline, new
        Errors and reference words by run and unit: arrays of shape (runs, units, 2).
    level
        Coverage of the interval.

    Raises
    ------
    StatisticsError
        If there are fewer than two units, or a run has no reference words.

    Examples
    --------
    >>> old = np.array([[[1, 10], [0, 10]], [[2, 10], [0, 10]]])
    >>> spread_test(old, old).p_value
    1.0
    """
    units = baseline.shape[1]
    if units < 2:
        raise StatisticsError(Message(TOO_FEW, {"unit": "unit", "number": units}))
    sums = [side.sum(axis=1, dtype=np.float64) for side in (baseline, new)]
    if any((side[:, 1] <= 0).any() for side in sums):
        raise StatisticsError(Message(NO_TOKENS_OF_RUN))
    rates = [side[:, 0] / side[:, 1] for side in sums]
    estimate = float(rates[1].mean() - rates[0].mean())
    shares = [
        ((side[..., 0] - rate[:, None] * side[..., 1]) / total[:, 1:]).mean(axis=0)
        for side, rate, total in zip((baseline, new), rates, sums, strict=True)
    ]
    of_utterances = float(((shares[1] - shares[0]) ** 2).sum()) * units / (units - 1)
    of_runs, freedoms = _variances_of_runs(rates)
    parts = [(of_utterances, units - 1), *zip(of_runs, freedoms, strict=True)]
    variance = sum(part for part, _ in parts)
    # what only rounding leaves of equal rates is no variance
    if variance <= (1e-12 * max(map(abs, (*rates[0], *rates[1], estimate)))) ** 2:
        p_value = 1.0 if abs(estimate) < 1e-15 else None
        bounds = Interval(estimate, estimate)
        return SpreadTest(estimate, 0.0, 0.0, 0.0, 0.0, inf, p_value, bounds, level, units)
    freedom = variance**2 / sum(part**2 / free for part, free in parts if part > 0)
    error = sqrt(variance)
    margin = t_quantile((1 + level) / 2, freedom) * error
    return SpreadTest(
        estimate,
        error,
        of_utterances,
        of_runs[0],
        of_runs[1],
        freedom,
        t_two_sided(estimate / error, freedom),
        Interval(estimate - margin, estimate + margin),
        level,
        units,
    )


def _variances_of_runs(rates: Sequence[NDArray[np.float64]]) -> tuple[list[float], list[int]]:
    """Return the variance of each side's mean rate over runs, and the degrees of freedom.

    If only one side has several runs, the other side is assumed to have the same variance. The sum
    of both variances is then returned for the side with several runs.
    """
    known = {side: float(rate.var(ddof=1)) for side, rate in enumerate(rates) if len(rate) > 1}
    if not known:
        return [0.0, 0.0], [1, 1]
    if len(known) == 2:
        return [known[side] / len(rates[side]) for side in (0, 1)], [len(r) - 1 for r in rates]
    [(side, variance)] = known.items()
    total = variance * (1 + 1 / len(rates[side]))
    freedom = len(rates[side]) - 1
    parts = [0.0, 0.0]
    parts[side] = total
    return parts, [freedom, freedom]
