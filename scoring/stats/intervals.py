"""Confidence intervals: settings, and the interval of a system's error rate."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from scoring.drawing import percent
from scoring.drawing.blocks import Block, Note, Table
from scoring.drawing.notebook import html_of
from scoring.stats.bootstrapping import Bootstrap
from scoring.stats.limits import IntervalName


class Resampling(NamedTuple):
    """The settings of intervals and tests, printed with every result.

    Attributes
    ----------
    replications
        Number of samples of the bootstrap, and of trials of the randomisation test.
    seed
        Seed of the random numbers, from 0 to 2**64 - 1.
    level
        Nominal coverage of the intervals.
    interval
        `auto`: the method that fits the data; `percentile`: always the percentile bootstrap.
    """

    replications: int = 10_000
    seed: int = 0
    level: float = 0.95
    interval: IntervalName = "auto"


class ConfidenceInterval(NamedTuple):
    """The error rate of a system and its confidence interval.

    Attributes
    ----------
    title
        Title of the system.
    block
        Resampling unit: `utterance`, `speaker`, `recording` or `given blocks`.
    bootstrap
        Estimate and intervals; None if the data are too few.
    reason
        Why there are no intervals; None if there are.
    """

    title: str
    block: str
    bootstrap: Bootstrap | None
    reason: str | None

    def __str__(self) -> str:
        if self.bootstrap is None:
            return f"{self.title}: no interval, {self.reason}"
        rate = percentages(self.bootstrap)
        return f"{self.title}: {rate} ({self.bootstrap.how()})"

    @property
    def line(self) -> str:
        """The interval and its method, or why there is none, as one line of text."""
        if self.bootstrap is None:
            return f"confidence interval: none, {self.reason}"
        bounds = self.bootstrap.bounds(unit=" %")
        return f"confidence interval: {bounds} ({self.bootstrap.how()})"

    def record(self) -> dict[str, object]:
        """Return the interval, or the reason why there is none, for JSON."""
        found = self.bootstrap
        return {"reason": self.reason} if found is None else found.record()

    def __repr__(self) -> str:
        return str(self)

    def blocks(self) -> Iterator[Block]:
        """Yield the rate with its interval as a table, and the method."""
        cells = [self.title, *rate_cells(self.bootstrap, self.reason)]
        yield Table(("system", "error rate", "interval"), [cells])
        if self.bootstrap is not None:
            yield Note(self.bootstrap.how())

    def _repr_html_(self) -> str:
        return html_of(self)


def percentages(found: Bootstrap, signed: bool = False) -> str:
    """Return a rate and its interval in percent, or a difference in percentage points, as text."""
    sign, unit = ("+", "points") if signed else ("", "%")
    rate, low, high = (percent(r, sign=sign) for r in (found.estimate, *found.limits))
    return f"{rate} {unit} [{low}, {high}]" + f" ({found.flag})" * bool(found.flag)


def rate_cells(found: Bootstrap | None, reason: str | None, signed: bool = False) -> list[str]:
    """Return a rate and its interval in percent as two table cells."""
    if found is None:
        return ["n/a", reason or ""]
    rate, _, interval = percentages(found, signed).partition(" [")
    return [rate, f"[{interval}"]
