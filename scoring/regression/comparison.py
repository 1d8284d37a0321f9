"""Results of confidence intervals and comparisons: numbers, texts, tables for notebooks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from scoring.drawing.markup import html_table
from scoring.drawing.numbers import p_text
from scoring.stats.bootstrapping import Bootstrap, PairedBootstrap


class Resampling(NamedTuple):
    """How intervals and tests are computed; printed with every result.

    Attributes
    ----------
    replications
        Replications of the bootstrap, and random trials of the randomisation test.
    seed
        From 0 to 2**64 - 1.
    level
        What intervals are to cover.
    """

    replications: int = 10_000
    seed: int = 0
    level: float = 0.95


class ConfidenceInterval(NamedTuple):
    """The error rate of a system and how far to trust it.

    Attributes
    ----------
    title
        Of the system.
    block
        What was drawn as a whole: `utterance`, `speaker`, `recording` or `given blocks`.
    bootstrap
        Estimate and intervals; None where the data cannot give any.
    reason
        Why not; None otherwise.
    """

    title: str
    block: str
    bootstrap: Bootstrap | None
    reason: str | None

    def __str__(self) -> str:
        if self.bootstrap is None:
            return f"{self.title}: no interval, {self.reason}"
        rate = _percentages(self.bootstrap)
        return f"{self.title}: {rate} ({self.bootstrap.how(self.block)})"

    def record(self) -> dict[str, object]:
        """The interval, or the reason why there is none, for JSON."""
        found = self.bootstrap
        return {"reason": self.reason} if found is None else found.record(self.block)

    def _repr_html_(self) -> str:
        cells = [self.title, *_rate_cells(self.bootstrap, self.reason)]
        return html_table(
            ("system", "error rate", "interval"),
            [cells],
            self.bootstrap.how(self.block) if self.bootstrap else "",
        )


class SignificanceTest(NamedTuple):
    """One test of a comparison.

    Attributes
    ----------
    name
        `bootstrap`, `randomisation`, `matched-pairs`, `mcnemar`, `sign` or `wilcoxon`.
    p_value
        Two-sided; None where the test could not be made.
    adjusted
        The p-value after correction for several comparisons; None without such correction.
    remark
        How the test was made, or why it was not.
    """

    name: str
    p_value: float | None
    adjusted: float | None
    remark: str


class Comparison(NamedTuple):
    """A new system against a baseline.

    Attributes
    ----------
    baseline, new
        Titles of the systems.
    block
        As in `ConfidenceInterval`.
    bootstrap
        Intervals of both and of the difference (new less baseline, negative means fewer errors),
        and the probability of improvement; None where the data cannot give them.
    tests
        In the order in which they were asked for.
    reason
        Why there is no bootstrap; None otherwise.
    """

    baseline: str
    new: str
    block: str
    bootstrap: PairedBootstrap | None
    tests: tuple[SignificanceTest, ...]
    reason: str | None

    def __str__(self) -> str:
        if self.bootstrap is None:
            made = [test for test in self.tests if test.p_value is not None]
            without = "comparison" if not made else "bootstrap"
            head = f"{self.new} against {self.baseline}: no {without}, {self.reason}"
            return "\n".join([head, *(f"{test.name}: {_p_text(test)}" for test in made)])
        found = self.bootstrap
        lines = [
            f"{self.baseline}: {_percentages(found.baseline)}",
            f"{self.new}: {_percentages(found.new)}",
            f"difference: {_percentages(found.difference, signed=True)}",
            f"probability of improvement: {found.probability_of_improvement:.4f}",
            *(f"{test.name}: {_p_text(test)}" for test in self.tests),
            f"({found.difference.how(self.block)})",
        ]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return _comparison_html([self])


class Comparisons(tuple[Comparison, ...]):
    """Several systems, each against the same baseline; p-values are adjusted by Holm's method."""

    __slots__ = ()

    def __str__(self) -> str:
        return "\n\n".join(map(str, self))

    def _repr_html_(self) -> str:
        return _comparison_html(list(self))


def _percentages(found: Bootstrap, signed: bool = False) -> str:
    sign = "+" if signed else ""
    low, high = found.percentile
    unit = "points" if signed else "%"
    interval = f"[{100 * low:{sign}.2f}, {100 * high:{sign}.2f}]"
    return f"{100 * found.estimate:{sign}.2f} {unit} {interval}"


def _p_text(test: SignificanceTest) -> str:
    if test.p_value is None:
        return f"not made, {test.remark}"
    adjusted = "" if test.adjusted is None else f", adjusted {test.adjusted:.4f}"
    return f"{p_text(test.p_value)}{adjusted} ({test.remark})"


def _rate_cells(found: Bootstrap | None, reason: str | None, signed: bool = False) -> list[str]:
    if found is None:
        return ["n/a", reason or ""]
    rate, _, interval = _percentages(found, signed).partition(" [")
    return [rate, f"[{interval}"]


def _comparison_html(comparisons: Sequence[Comparison]) -> str:
    names = [test.name for test in comparisons[0].tests] if comparisons else []
    headings = ("system", "error rate", "interval", "difference", "interval", "improves", *names)
    rows: list[list[str]] = []
    footing = ""
    for one in comparisons:
        found = one.bootstrap
        if not rows:
            rate = _rate_cells(found and found.baseline, one.reason)
            rows.append([one.baseline, *rate, *[""] * (3 + len(names))])
        cells = [one.new, *_rate_cells(found and found.new, one.reason)]
        cells += _rate_cells(found and found.difference, one.reason, signed=True)
        cells.append("n/a" if found is None else f"{found.probability_of_improvement:.4f}")
        rows.append([*cells, *map(_p_text, one.tests)])
        footing = footing or (found.difference.how(one.block) if found else "")
    return html_table(headings, rows, footing)
