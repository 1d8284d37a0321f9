"""Gates: conditions on the numbers of a result, significance, recorded numbers.

`scoring.regression.conditions` parses the conditions. Numbers are compared with their bounds as
fractions, without rounding. A bound typed from a rate's own number is not exceeded by what rounding
it lost.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from scoring.drawing.numbers import p_text, percent
from scoring.model.counts import Counts
from scoring.model.errors import StatisticsError
from scoring.regression.changes import Changes, GroupChange
from scoring.regression.conditions import Condition, exact
from scoring.regression.evidence import ScoredVersion
from scoring.stats.deciding import SIGNIFICANCE, is_significant

if TYPE_CHECKING:
    from scoring.measures.intervals import FigureChange
    from scoring.regression.comparison import SignificanceTest
    from scoring.results.result import Rates
    from scoring.stats.group_gaps import GroupComparison

FEWEST_WORDS = 100
"""Reference words of the smallest group that is judged."""


class Significance(NamedTuple):
    """The significance of a change, and its grounds as text."""

    is_significant: bool | None  # None where no test could be made
    text: str


class Gate(NamedTuple):
    """The conditions that fail a comparison."""

    conditions: Sequence[Condition] = ()
    significance: float | None = None  # fail if worse with a p-value of at most this
    recorded_must_agree: bool = False  # fail if a recorded number is not ours
    needs_all: bool = False  # fail only if no condition holds, instead of one
    level: float = SIGNIFICANCE  # largest p-value for conditions that need significance
    group_words: int = FEWEST_WORDS  # groups with fewer reference words are not judged


class Finding(NamedTuple):
    """One condition."""

    name: str
    text: str
    failed: bool


def rate_of(counts: Counts, whose: str) -> Fraction:
    """Return the exact error rate."""
    if not counts.reference_tokens:
        raise StatisticsError(f"{whose} has no error rate: there are no reference words")
    return Fraction(counts.errors, counts.reference_tokens)


def judge_number(
    condition: Condition,
    title: str,
    number: Fraction | float | None,
    baseline: Fraction | float | None = None,
    significance: Significance | None = None,
) -> Finding:
    """Judge one number by one condition; StatisticsError where there is no number.

    >>> from scoring.regression.conditions import parse_rate
    >>> judge_number(parse_rate("12"), "the rate of", 0.125).text
    'the rate of 12.50 % is above 12.00 %'
    """
    figure, unit = condition.figure, " %" * (condition.figure.form == "percent")
    needs_baseline = condition.amount is not None
    if number is None or (needs_baseline and baseline is None):
        whose = "the new system" if number is None else "the baseline"
        raise StatisticsError(f"{whose} has no number {condition.measure}.{figure.name}")
    bound = condition.bound(None if baseline is None else exact(baseline))
    failed = condition.is_exceeded(exact(number), bound)
    side = "not " * (not failed) + ("below" if figure.better == "higher" else "above")
    text = f"{title} {figure.text(float(number))}{unit} is {side} {condition.bound_text(bound)}"
    if condition.only_significant and failed:
        significance = significance or Significance(None, "no test was made")
        failed = bool(significance.is_significant)
        text += f"{unit}, {'' if failed else 'but not '}significantly ({significance.text})"
        return Finding(condition.name, text, failed)
    return Finding(condition.name, text + unit, failed)


def judge_system(condition: Condition, rates: Rates) -> Finding:
    """Judge a number of a single result by a limit that needs no baseline."""
    name, figure = rates.hypothesis.title, condition.figure
    if not condition.measure:
        return judge_number(condition, f"{name}: error rate", rate_of(rates.counts, name))
    item = rates.measured.get(condition.measure)
    value = None if item is None else item.values.get(figure.name)
    if condition.measure == "per":
        sentences = rates.sentence_errors / len(rates) if len(rates) else None
        value = rates.error_rate if figure.name == "error_rate" else sentences
    if value is None:
        raise StatisticsError(f"{name} has no number {condition.measure}.{figure.name}")
    return judge_number(condition, f"{name}: {condition.measure}: {figure.title}", value)


def exceeds_gap(condition: Condition, groups: GroupComparison) -> bool:
    """Return True if the gap between groups is above the limit."""
    if groups.gap is None or not condition.is_exceeded(exact(groups.gap), condition.bound()):
        return False
    p_value = groups.p_value
    return not condition.only_significant or is_significant(p_value)


def judge(changes: Changes, gate: Gate) -> list[Finding]:
    """Every condition with its outcome."""
    findings = [_of_condition(condition, changes, gate) for condition in gate.conditions]
    if gate.significance is not None:
        test = changes.tests[0]
        findings.append(judge_significance(changes.total.errors, test, gate.significance))
    findings = combined(findings, needs_all=gate.needs_all)
    return [*findings, *_of_recorded((changes.baseline, changes.new), gate)]


def combined(findings: Sequence[Finding], *, needs_all: bool) -> list[Finding]:
    """Return the findings of a gate that any condition closes, or only all of them together."""
    if not needs_all or all(finding.failed for finding in findings):
        return list(findings)
    rest = "; passes, because --fail-when all needs every condition to fail"
    return [
        finding._replace(text=finding.text + rest, failed=False) if finding.failed else finding
        for finding in findings
    ]


def _of_condition(condition: Condition, changes: Changes, gate: Gate) -> Finding:
    if condition.measure:
        return _of_measure(condition, changes.measures)
    if condition.of_groups:
        return _of_groups(condition, changes.groups, gate)
    total, test = changes.total, significance_of(changes.tests[0], gate.level)
    return judge_rates(condition, total.baseline, total.new, test)


def judge_rates(
    condition: Condition, baseline: Counts, new: Counts, significance: Significance | None
) -> Finding:
    """Judge the error rate of a new system by one condition."""
    rate = rate_of(new, "the new system")
    needs_baseline = condition.amount is not None
    before = rate_of(baseline, "the baseline") if needs_baseline else None
    return judge_number(condition, "the new error rate of", rate, before, significance)


def significance_of(test: SignificanceTest, level: float) -> Significance:
    """Return the significance of a test, adjusted where several were made, at a level."""
    value = test.p_value if test.adjusted is None else test.adjusted
    if value is None:
        return Significance(None, f"{test.name} could not be made: {test.remark}")
    side = "at most" if is_significant(value, level) else "above"
    text = f"{p_text(value)}, {side} {level:g}; {test.name}"
    return Significance(is_significant(value, level), text)


def _of_measure(condition: Condition, measures: Sequence[FigureChange]) -> Finding:
    """Return a number of a measure; its change is significant if the interval excludes none."""
    chosen = [
        change
        for change in measures
        if (change.measure, change.figure.name) == (condition.measure, condition.figure.name)
    ]
    change = chosen[0] if chosen else None
    significance = None
    if change is not None and change.interval.bootstrap is not None:
        low, high = change.interval.bootstrap.limits
        bounds = change.interval.bootstrap.bounds(change.figure.text)
        text = f"interval of the change {bounds}"
        significance = Significance(low > 0 or high < 0, text)
    title = f"{condition.measure}: {condition.figure.title}"
    numbers = (None, None) if change is None else (change.new, change.baseline)
    return judge_number(condition, title, *numbers, significance)


def _of_groups(condition: Condition, groups: Sequence[GroupChange], gate: Gate) -> Finding:
    """Return one finding for all groups: those that fail, each with its interval."""
    judged = [
        group for group in groups if group.change.new.reference_tokens >= max(1, gate.group_words)
    ]
    if not judged:
        raise StatisticsError(
            f"expected a group with {gate.group_words} reference words, found none of "
            f"{len(groups)} (--group-words sets the least number)"
        )
    fallen = []
    for group in judged:
        rates = [
            rate_of(counts, group.title) for counts in (group.change.baseline, group.change.new)
        ]
        significance = significance_of(group.test, gate.level)
        finding = judge_number(condition, f"{group.title}:", rates[1], rates[0], significance)
        if finding.failed:
            before = f"baseline {percent(float(rates[0]))} %"
            fallen.append(f"{finding.text} ({before}, {group.interval_text})")
    small = len(groups) - len(judged)
    text = f"{len(fallen)} of {len(judged)} groups fail"
    text += f" ({small} with fewer than {gate.group_words} words not judged)" * bool(small)
    return Finding(condition.name, "; ".join([text, *fallen]), bool(fallen))


def judge_significance(more: float, test: SignificanceTest, level: float) -> Finding:
    """Return the finding on whether so many more errors than the baseline's are significant."""
    text, failed = f"{test.name} could not be made: {test.remark}", False
    if test.p_value is not None:
        kind = "more errors than" if more > 0 else "fewer errors than"
        kind = kind if more else "as many errors as"
        significant = is_significant(test.p_value, level)
        text = (
            f"{kind} the baseline, {p_text(test.p_value)} "
            f"({'at most' if significant else 'above'} {level:g}; {test.name})"
        )
        failed = more > 0 and significant
    return Finding("fail if significant", text, failed)


def _of_recorded(sides: Sequence[ScoredVersion], gate: Gate) -> Iterator[Finding]:
    for side in sides if gate.recorded_must_agree else ():
        unequal = [check for check in side.checks if not check.equal]
        text = "; ".join(map(str, unequal)) or f"{side.name}: recorded numbers agree with ours"
        yield Finding("recorded numbers", text, bool(unequal))
