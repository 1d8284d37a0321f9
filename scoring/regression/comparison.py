"""Results of comparisons, as numbers, texts and tables for notebooks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from formats.schema.messages import Message
from scoring.drawing import p_text, probability
from scoring.drawing.blocks import Block, Lead, Note, Table
from scoring.drawing.notebook import Viewable, display, html_of
from scoring.drawing.text import Appearance, text_lines
from scoring.model.calls import suggesting_attributes
from scoring.regression.equivalence import verdict_of
from scoring.regression.lead import lead_of
from scoring.regression.task_figures import ERROR_RATE
from scoring.stats.bootstrapping import METHOD, PAIRED, PairedBootstrap
from scoring.stats.deciding import DEFAULT_TEST, level_of_tests
from scoring.stats.intervals import percentages, rate_cells

if TYPE_CHECKING:
    import pandas

    from scoring.measures.intervals import FigureChange


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


class PageOfResults(Protocol):
    """Interface of two compared results that can be shown together on a page."""

    def page(self) -> Viewable:
        """Return the page."""
        ...

    def measures(self) -> Sequence[FigureChange]:
        """Return the changes of the measures that both results have."""
        ...


_MEANT = {
    **dict.fromkeys(("pvalue", "p", "significance", "significant"), "p_value"),
    **{
        name: f"bootstrap.{name}"
        for name in ("difference", "probability_of_improvement", "probability_of_tie")
    },
    **dict.fromkeys(("delta", "change"), "bootstrap.difference"),
    **dict.fromkeys(("interval", "confidence_interval"), "bootstrap.difference.limits"),
    "verdict": "lead().text",
}
"""Names that people try as attributes of a comparison, each with the expression that they mean."""

COLUMNS = (
    *("baseline", "new", "measure", "baseline_value", "new_value", "difference", "low", "high"),
    *("p_value", "test"),
)
"""Columns of the tables of comparisons."""


@suggesting_attributes(_MEANT)
class Comparison(NamedTuple):
    """A new system against a baseline.

    Attributes
    ----------
    baseline, new
        Names of the systems: those of the files, without the folders.
    block
        As in `ConfidenceInterval`.
    bootstrap
        Intervals of both systems and of the difference (new minus baseline, negative means fewer
        errors), and the probability of improvement; None if the data are too few.
    tests
        Results of the tests, in the requested order.
    reason
        Why the bootstrap is missing; otherwise None.
    results
        Both results, for the page that `show` shows; None unless both are from `scoring.wer`.
    """

    baseline: str
    new: str
    block: str
    bootstrap: PairedBootstrap | None
    tests: tuple[SignificanceTest, ...]
    reason: Message | None
    results: PageOfResults | None = None

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
            f"probability of improvement: {bootstrap.improvement()}",
            *(f"{test.name}: {_p_text(test)}" for test in self.tests),
            f"({_methods(self)})",
        ]
        return "\n".join(lines)

    def __repr__(self) -> str:
        return str(self)

    @property
    def deciding(self) -> SignificanceTest | None:
        """The test that decides the verdict: `randomisation` if requested, or the first test.

        None without tests.
        """
        return min(self.tests, key=lambda test: test.name != DEFAULT_TEST, default=None)

    @property
    def p_value(self) -> float | None:
        """The p-value of `deciding`, adjusted for several comparisons if `tests` has it adjusted.

        None if the test is impossible or was not requested. `tests` has the p-values of all tests.
        """
        test = self.deciding
        return test and (test.p_value if test.adjusted is None else test.adjusted)

    def to_pandas(self) -> pandas.DataFrame:
        """Return a data frame with a row for the error rate, and one for each number of a measure.

        Rates are ratios. `low` and `high` are the interval of `difference`, which is new minus
        baseline. `p_value` and `test` are those of the test that decides the verdict; measures have
        only intervals. Missing numbers are NaN.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        return _frame([self])

    def lead(self) -> Lead:
        """Return the verdict as a sentence."""
        difference = self.bootstrap and self.bootstrap.difference
        if self.bootstrap is None or difference is None:
            return Lead(f"{self.new} against {self.baseline}: no interval, {self.reason}")
        summary = {
            "change": difference.estimate,
            "baseline_value": self.bootstrap.baseline.estimate,
            "new_value": self.bootstrap.new.estimate,
            "interval": difference.limits.record(difference.level),
            "flag": difference.flag,
            "p_value": self.p_value,
        }
        verdict = verdict_of(summary, level_of_tests(difference.level), ERROR_RATE)
        return lead_of({**summary, "verdict": verdict}, "none was requested", difference.level)

    def blocks(self) -> Iterator[Block]:
        """Yield the verdict, the rates and the tests as a table, and the methods."""
        return _blocks([self])

    def _repr_html_(self) -> str:
        return html_of(self)

    def lines(self, look: Appearance) -> Iterator[str]:
        """Yield the lines for terminals."""
        return text_lines(self.blocks(), look)

    def show(self) -> None:
        """Print the page of `scoring compare`, or show it in a notebook.

        A comparison of counts has no page; it is shown as a table.
        """
        display(self if self.results is None else self.results.page())


@suggesting_attributes()
class Comparisons(tuple[Comparison, ...]):
    """Several systems, each compared with one baseline; p-values are adjusted by Holm's method."""

    __slots__ = ()

    def __str__(self) -> str:
        return "\n\n".join(map(str, self))

    def __repr__(self) -> str:
        return str(self)

    def blocks(self) -> Iterator[Block]:
        """Yield the verdicts, all rates and tests in one table, and the methods."""
        return _blocks(self)

    def to_pandas(self) -> pandas.DataFrame:
        """Return the rows of `Comparison.to_pandas` for each system, in this order."""
        return _frame(self)

    def _repr_html_(self) -> str:
        return html_of(self)


def _frame(comparisons: Sequence[Comparison]) -> pandas.DataFrame:
    """Return the rows of all comparisons as a data frame."""
    import pandas

    rows = [row for comparison in comparisons for row in _rows(comparison)]
    numbers = dict.fromkeys(COLUMNS[3:-1], float)
    return pandas.DataFrame(rows, columns=list(COLUMNS)).astype(numbers)


def _rows(comparison: Comparison) -> Iterator[tuple[object, ...]]:
    """Yield a row for the error rate, and a row for each number of a measure."""
    names, bootstrap, test = comparison[:2], comparison.bootstrap, comparison.deciding
    numbers: tuple[float | None, ...] = (None,) * 5
    if bootstrap is not None:
        difference = bootstrap.difference
        rates = bootstrap.baseline.estimate, bootstrap.new.estimate, difference.estimate
        numbers = (*rates, *difference.limits)
    yield (*names, ERROR_RATE.name, *numbers, comparison.p_value, test and test.name)
    for change in comparison.results.measures() if comparison.results else ():
        interval = change.interval.bootstrap
        limits = (None, None) if interval is None else interval.limits
        values = (change.baseline, change.new, change.difference)
        yield (*names, f"{change.measure}.{change.figure.name}", *values, *limits, None, None)


def _methods(comparison: Comparison) -> str:
    """Return the methods of the intervals as text; equal methods are named only once.

    The rates have other draws than the interval of one result, because both are drawn together.
    """
    found = comparison.bootstrap
    assert found is not None
    rates, difference = (found.baseline.how(), found.new.how()), found.difference.how()
    names = (comparison.baseline, comparison.new)
    if {*rates} == {difference.replace(PAIRED, METHOD)}:
        parts = [difference]
    else:
        parts = [f"{name}: {how}" for name, how in zip(names, rates, strict=True)]
        if rates[0] == rates[1]:
            parts = [f"rates: {rates[0]}"]
        parts.append(f"difference: {difference}")
    if METHOD in (found.baseline.method, found.new.method):
        parts.append("the samples are drawn for both systems together, not for each by itself")
    return "; ".join(parts)


def _p_text(test: SignificanceTest) -> str:
    if test.p_value is None:
        return f"not made, {test.remark}"
    adjusted = "" if test.adjusted is None else f", adjusted {probability(test.adjusted)}"
    return f"{p_text(test.p_value)}{adjusted} ({test.remark})"


def _blocks(comparisons: Sequence[Comparison]) -> Iterator[Block]:
    names = [test.name for test in comparisons[0].tests] if comparisons else []
    headings = ("system", "error rate", "interval", "difference", "interval", "improves", *names)
    rows: list[list[str]] = []
    methods = ""
    for comparison in comparisons:
        lead, bootstrap = comparison.lead(), comparison.bootstrap
        yield lead._replace(text=f"{comparison.new}: {lead.text}") if comparisons[1:] else lead
        reason = str(comparison.reason or "")
        if not rows:
            rate = rate_cells(bootstrap and bootstrap.baseline, reason)
            rows.append([comparison.baseline, *rate, *[""] * (3 + len(names))])
        cells = [comparison.new, *rate_cells(bootstrap and bootstrap.new, reason)]
        cells += rate_cells(bootstrap and bootstrap.difference, reason, signed=True)
        cells.append("n/a" if bootstrap is None else bootstrap.improvement())
        rows.append([*cells, *map(_p_text, comparison.tests)])
        if bootstrap is not None and not methods:
            methods = _methods(comparison)
    yield Table(headings, rows)
    yield from [Note(methods)] if methods else []
