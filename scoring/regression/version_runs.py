"""The rates of several runs of two versions, and the difference of the mean rates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from scoring.stats.spread import SpreadTest

TEST = "repeated-runs"


class VersionRuns(NamedTuple):
    """The runs of one version."""

    names: Sequence[str]
    rates: Sequence[float | None]

    @property
    def mean(self) -> float | None:
        """The mean error rate of the runs."""
        rates = [rate for rate in self.rates if rate is not None]
        return sum(rates) / len(rates) if rates else None

    @property
    def spread(self) -> float | None:
        """The standard deviation of the error rates; None for a single run."""
        rates = [rate for rate in self.rates if rate is not None]
        return float(np.std(rates, ddof=1)) if len(rates) > 1 else None

    def record(self) -> dict[str, Any]:
        """Return a record for JSON."""
        rows = zip(self.names, self.rates, strict=True)
        runs = [{"name": name, "value": rate} for name, rate in rows]
        return {"runs": runs, "mean": self.mean, "standard_deviation": self.spread}


class RepeatedRuns(NamedTuple):
    """The runs of both versions and the difference of their mean rates."""

    baseline: VersionRuns
    new: VersionRuns
    test: SpreadTest | None  # None with too few utterances
    block: str  # `utterance` or `speaker`: units whose choice counts as chance

    @property
    def how(self) -> str:
        """A description of how the interval was computed."""
        level = 0.95 if self.test is None else self.test.level
        return f"{100 * level:g} % Student's t, over {self.block}s and runs"
