"""Results of comparisons, as numbers, texts and tables for notebooks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from formats.schema.messages import Message
from scoring.drawing.markup import html_table
from scoring.drawing.numbers import p_text
from scoring.stats.bootstrapping import METHOD, PAIRED, PairedBootstrap
from scoring.stats.intervals import percentages, rate_cells


class SignificanceTest(NamedTuple):
    """One test of a comparison.

    Attributes
    ----------
    name
        `bootstrap`, `randomisation`, `matched-pairs`, `mcnemar`, `sign` or `wilcoxon`.
    p_value
        Two-sided; None if the test is impossible.
    adjusted
        The p-value after correction for several comparisons; None without such correction.
    remark
        How the test was done, or why it is impossible.
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
        Intervals of both systems and of the difference (new minus baseline, negative means fewer
        errors), and the probability of improvement; None if the data are too few.
    tests
        Results of the tests, in the requested order.
    reason
        Why the bootstrap is missing; otherwise None.
    """

    baseline: str
    new: str
    block: str
    bootstrap: PairedBootstrap | None
    tests: tuple[SignificanceTest, ...]
    reason: Message | None

    def __str__(self) -> str:
        if self.bootstrap is None:
            tests = [test for test in self.tests if test.p_value is not None]
            missing = "bootstrap" if tests else "comparison"
            head = f"{self.new} against {self.baseline}: no {missing}, {self.reason}"
            return "\n".join([head, *(f"{test.name}: {_p_text(test)}" for test in tests)])
        bootstrap = self.bootstrap
        lines = [
            f"{self.baseline}: {percentages(bootstrap.baseline)}",
            f"{self.new}: {percentages(bootstrap.new)}",
            f"difference: {percentages(bootstrap.difference, signed=True)}",
            f"probability of improvement: {bootstrap.probability_of_improvement:.4f}",
            *(f"{test.name}: {_p_text(test)}" for test in self.tests),
            _methods(bootstrap),
        ]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return _comparison_html([self])


class Comparisons(tuple[Comparison, ...]):
    """Several systems, each compared with one baseline; p-values are adjusted by Holm's method."""

    __slots__ = ()

    def __str__(self) -> str:
        return "\n\n".join(map(str, self))

    def _repr_html_(self) -> str:
        return _comparison_html(list(self))


def _methods(found: PairedBootstrap) -> str:
    """Return the methods of the intervals, only once if they are equal."""
    rates, difference = {found.baseline.how(), found.new.how()}, found.difference.how()
    if rates == {difference.replace(PAIRED, METHOD)}:
        return f"({difference})"
    return f"({'; '.join(f'rate: {how}' for how in sorted(rates))}; difference: {difference})"


def _p_text(test: SignificanceTest) -> str:
    if test.p_value is None:
        return f"not made, {test.remark}"
    adjusted = "" if test.adjusted is None else f", adjusted {test.adjusted:.4f}"
    return f"{p_text(test.p_value)}{adjusted} ({test.remark})"


def _comparison_html(comparisons: Sequence[Comparison]) -> str:
    names = [test.name for test in comparisons[0].tests] if comparisons else []
    headings = ("system", "error rate", "interval", "difference", "interval", "improves", *names)
    rows: list[list[str]] = []
    footing = ""
    for comparison in comparisons:
        bootstrap, reason = comparison.bootstrap, str(comparison.reason or "")
        if not rows:
            rate = rate_cells(bootstrap and bootstrap.baseline, reason)
            rows.append([comparison.baseline, *rate, *[""] * (3 + len(names))])
        cells = [comparison.new, *rate_cells(bootstrap and bootstrap.new, reason)]
        cells += rate_cells(bootstrap and bootstrap.difference, reason, signed=True)
        cells.append("n/a" if bootstrap is None else f"{bootstrap.probability_of_improvement:.4f}")
        rows.append([*cells, *map(_p_text, comparison.tests)])
        if bootstrap is not None and not footing:
            footing = _methods(bootstrap).strip("()")
    return html_table(headings, rows, footing)
