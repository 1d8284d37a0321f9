"""Equivalence tests: worse or better, equal within X, or undecided.

Two systems are equal within X if two one-sided tests reject both a loss and a gain of more than X
(D. J. Schuirmann, "A comparison of the two one-sided tests procedure and the power approach", J.
Pharmacokin. Biopharm. 15, 1987). At the level 5 %, these tests reject exactly if the 90 % interval
of the change is inside ±X. A change that is not significant does not show equality. If neither is
shown, the comparison is undecided, and the verdict names the change that the data could have shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, NamedTuple

from scoring.drawing import percent
from scoring.regression.conditions import Amount, exact, parse_amount, without_undecided
from scoring.results.measured import Figure
from scoring.stats.deciding import SIGNIFICANCE, is_significant

if TYPE_CHECKING:
    from scoring.stats.bootstrapping import Bootstrap
    from scoring.stats.spread import SpreadTest

WORSE, BETTER, EQUAL_WITHIN, CANNOT_TELL = "worse", "better", "equal", "cannot tell"
POWER = 0.8  # the chance of a change that could have been shown to be significant
LEAST_ROUNDED = 0.001  # smaller changes have two decimals


class Margin(NamedTuple):
    """The largest change that counts as equal."""

    text: str  # as typed
    amount: Amount
    level: float = SIGNIFICANCE  # of either one-sided test
    undecided_fails: bool | None = None  # if the data cannot tell; None: as all conditions do

    @property
    def coverage(self) -> float:
        """The level of the interval that must be inside the margin.

        >>> parse_margin("0.3pt").coverage
        0.9
        """
        return round(1 - 2 * self.level, 10)


class Equivalence(NamedTuple):
    """Two one-sided tests of a change."""

    margin: Margin
    limit: float  # the margin as a number of the task, a ratio of percent
    interval: Bootstrap | SpreadTest | None  # at `margin.coverage`; None where there is none

    @property
    def is_equal(self) -> bool:
        """True if the interval is inside the margin."""
        if self.interval is None:
            return False
        low, high = self.interval.limits
        return -self.limit <= low and high <= self.limit

    def record(self) -> dict[str, Any]:
        """Return a record for JSON."""
        level = self.margin.coverage
        limits = None if self.interval is None else self.interval.limits.record(level)
        return {
            "within": self.limit,
            "level": level,
            "interval": limits,
            "is_equivalent": self.is_equal,
        }


def parse_margin(text: str) -> Margin:
    """Parse the largest change that counts as equal.

    >>> parse_margin("0.3pt").amount.kind
    'points'
    """
    amount, undecided_fails = without_undecided(text)
    return Margin(text, parse_amount(amount), undecided_fails=undecided_fails)


def equivalence(
    margin: Margin, baseline: float | None, interval: Bootstrap | SpreadTest | None
) -> Equivalence:
    """Return the equivalence tests of a change, given the baseline and the change's interval."""
    if baseline is None:
        return Equivalence(margin, 0.0, None)
    return Equivalence(margin, float(margin.amount.of(exact(baseline))), interval)


def least_change(standard_error: float | None, level: float = SIGNIFICANCE) -> float | None:
    """Return the smallest change that a test at a level detects with probability `POWER`.

    >>> f"{least_change(0.01):.3f}"
    '0.028'
    """
    if not standard_error:
        return None
    normal = NormalDist()
    return (normal.inv_cdf(1 - level / 2) + normal.inv_cdf(POWER)) * standard_error


def power_text(least: float | None, units: int, noun: str, figure: Figure) -> str:
    """Return the smallest change that the units could have shown, as text; empty if unknown.

    >>> from scoring.regression.task_figures import ERROR_RATE
    >>> power_text(0.009, 300, "utterance", ERROR_RATE)
    '300 utterances could have shown 0.9 points'
    """
    if least is None:
        return ""
    text = percent(least, 1 if least >= LEAST_ROUNDED else 2) + " points"
    text = text if figure.form == "percent" else figure.text(least)
    return f"{units} {noun}{'s' * (units != 1)} could have shown {text}"


def verdict_of(summary: Mapping[str, Any], level: float, figure: Figure) -> str | None:
    """Return the verdict: equal, better, worse or not decided; None if there is no change."""
    change = summary["change"]
    if change is None:
        return None
    if (summary.get("equivalence") or {}).get("is_equivalent"):
        return EQUAL_WITHIN
    if not change or not is_significant(summary["p_value"], level):
        return CANNOT_TELL
    return BETTER if (change > 0) == (figure.better == "higher") else WORSE
