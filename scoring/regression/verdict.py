"""Gates: conditions on the numbers of a result, on significance and on recorded numbers.

`scoring.regression.conditions` parses the conditions. Numbers and bounds are compared as fractions,
without rounding. A bound that the user copied from a reported rate is not exceeded by the rounding
of that rate.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from formats.schema.messages import Advice, Message
from scoring.drawing import p_text, points
from scoring.drawing.blocks import Block, Items
from scoring.drawing.notebook import ShownByBlocks
from scoring.model.counts import Counts
from scoring.model.errors import StatisticsError
from scoring.regression import messages
from scoring.regression.comparison import SignificanceTest
from scoring.regression.conditions import Condition, exact
from scoring.regression.equivalence import Margin, least_change, power_text
from scoring.regression.evidence import NOT_CHECKED, SHOWN
from scoring.regression.task_figures import WORDS
from scoring.regression.unit_changes import Changes
from scoring.regression.unit_groups import GroupChange
from scoring.regression.units import UnitTable, refused
from scoring.results.groups import groups_of
from scoring.results.measured import Figure
from scoring.results.value_order import NONE
from scoring.sides.corpus import ListedNames
from scoring.stats.deciding import SIGNIFICANCE, is_significant

if TYPE_CHECKING:
    from scoring.measures.intervals import FigureChange
    from scoring.results import Rates
    from scoring.stats.group_gaps import GroupComparison

PASSED, FAILED, UNDECIDED = "PASS", "FAIL", "UNDECIDED"
LOST = "missing hypotheses"
NO_CONDITION, NOTHING_CHECKED = "no condition", "nothing was checked"
FEWEST_WORDS = 100
"""Gates skip groups with fewer reference words than this."""


class Significance(NamedTuple):
    """Whether a change is significant, and the explanation as text."""

    is_significant: bool | None  # None where no test could be made
    text: str


class Gate(NamedTuple):
    """The conditions under which a comparison fails."""

    conditions: Sequence[Condition] = ()
    significance: float | None = None  # fail if worse with a p-value of at most this
    recorded_must_agree: bool = False  # fail if a recorded number is not ours
    all_must_be_checked: bool = False  # fail if a recorded number could not be checked
    needs_all: bool = False  # fail only if no condition holds, instead of one
    level: float = SIGNIFICANCE  # largest p-value for conditions that need significance
    group_words: int = FEWEST_WORDS  # groups with fewer reference words are not judged
    undecided_fails: bool = False  # what a condition does that cannot be decided
    equal_within: Margin | None = None  # fail if worse and not equal within this
    none_may_be_lost: bool = False  # fail if the new version lacks hypotheses of the baseline

    @property
    def judges(self) -> bool:
        """True if it has a condition on a rate or a change, besides those on recorded numbers."""
        limits = self.significance, self.equal_within
        return bool(self.conditions) or any(limit is not None for limit in limits)

    @property
    def judges_anything(self) -> bool:
        """True if it has any condition, also one on recorded numbers."""
        others = self.recorded_must_agree, self.all_must_be_checked, self.none_may_be_lost
        return self.judges or any(others)


class Finding(NamedTuple):
    """The result of one condition: passed, failed or undecided."""

    name: str
    text: str
    failed: bool
    undecided: bool = False  # beyond a limit, but maybe by chance; or no test could be made
    groups: tuple[str, ...] = ()  # the titles of the groups that fail

    @property
    def outcome(self) -> str:
        """The outcome in one word."""
        return FAILED if self.failed else UNDECIDED if self.undecided else PASSED

    def __str__(self) -> str:
        return f"{self.outcome} {self.name}: {self.text}"

    def record(self) -> dict[str, Any]:
        """Return a record for JSON."""
        return {
            "name": self.name,
            "text": self.text,
            "has_failed": self.failed,
            "is_undecided": self.undecided,
        }


def has_passed(findings: Sequence[Finding]) -> bool | None:
    """Return True if no condition failed; None without a condition, because nothing was checked."""
    return not any(finding.failed for finding in findings) if findings else None


class Findings(ShownByBlocks, list[Finding]):
    """The results of a gate's conditions; printed as one line per condition."""

    def blocks(self) -> Iterator[Block]:
        """Yield one line per condition, marked as good or bad news."""
        for finding in self:
            is_open = finding.undecided and not finding.failed
            yield Items([str(finding)], good=None if is_open else not finding.failed)


def rate_of(counts: Counts, whose: str) -> Fraction:
    """Return the exact error rate. Without reference words, raise an error that names `whose`."""
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
    """Check a number against a condition; StatisticsError if the number is undefined.

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
        return Finding(condition.name, text, failed, not failed)
    return Finding(condition.name, text + unit, failed)


def judge_groups(condition: Condition, rates: Rates, least: int) -> Finding:
    """Check the error rate of each group of a single result; small groups are not judged."""
    groups = [
        (name, group)
        for name in rates.groups
        for group in groups_of({name: rates.groups[name]}, rates.per_utterance)
    ]
    if condition.group is not None:
        names = [f"{name} {group.values[0]}" for name, group in groups]
        groups = [each for each in groups if (each[0], each[1].values[0]) == condition.group]
        if not groups:
            about = {"condition": condition.name, "group": " ".join(condition.group)}
            raise refused(messages.NO_SUCH_GROUP, **about, groups=names)
    findings: list[Finding] = []
    titles: list[str] = []
    for name, group in groups:
        length = rates.length_of(group.counts, group.positions)
        if length >= max(1, least):
            title = f"{name} {group.values[0] or NONE}"
            rate = Fraction(group.counts.errors, length)
            findings.append(judge_number(condition, f"{title}:", rate))
            titles.append(title)
    if not findings:
        fields = {"least": least, "groups": len(groups)}
        raise StatisticsError(Message(messages.SMALL_GROUPS, fields))
    failed = [finding.text for finding in findings if finding.failed]
    small = len(groups) - len(findings)
    text = f"{rates.hypothesis.title}: {len(failed)} of {len(findings)} groups fail"
    text += f" ({small} with fewer than {least} words not judged)" * bool(small)
    names_of_failed = [t for t, finding in zip(titles, findings, strict=True) if finding.failed]
    return Finding(
        condition.name, "; ".join([text, *failed]), bool(failed), groups=tuple(names_of_failed)
    )


def judge_system(condition: Condition, rates: Rates) -> Finding:
    """Check a number of a single result against its limit."""
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


def judge(changes: Changes, gate: Gate) -> Findings:
    """Return a finding for each condition of a gate.

    Raises MatchingError if the comparison lacks data for a condition.
    """
    findings = [_of_condition(condition, changes, gate) for condition in gate.conditions]
    own = [condition.undecided_fails for condition in gate.conditions]
    if gate.significance is not None:
        findings.append(_of_significance(changes, gate.significance))
        own.append(None)
    if gate.equal_within is not None:
        findings.append(_of_equality(changes, gate.equal_within, gate.level))
        own.append(gate.equal_within.undecided_fails)
    power = _power_text(changes, gate.level)
    findings = [
        item._replace(
            text=item.text + power, failed=gate.undecided_fails if fails is None else fails
        )
        if item.undecided
        else item
        for item, fails in zip(findings, own, strict=True)
    ]
    is_excused = any(
        item.undecided and fails is not False for item, fails in zip(findings, own, strict=True)
    )
    findings = combined(findings, needs_all=gate.needs_all)
    findings += _of_lost(changes, gate, is_excused=is_excused)
    sides = changes.baseline, changes.new
    if gate.recorded_must_agree:
        findings += _of_recorded(sides)
    if gate.all_must_be_checked:
        findings += _of_unchecked(sides)
    return Findings(findings)


def _of_lost(changes: Changes, gate: Gate, *, is_excused: bool) -> Iterator[Finding]:
    """Yield a finding if the new version lacks hypotheses of the baseline, or if none may be lost.

    `is_excused` is true if another condition is undecided: a change beyond a limit may be chance.
    Lost hypotheses are not drawn by chance, so the change is not excused.
    """
    lost = changes.lost
    if lost is None:
        if gate.none_may_be_lost:
            raise refused(messages.LOST_UNKNOWN, path=changes.new.name)
        return
    if not lost.number:
        if gate.none_may_be_lost:
            text = f"{changes.new.name} has all hypotheses of {changes.baseline.name}"
            yield Finding(LOST, text, failed=False)
        return
    if not gate.judges_anything:
        return
    text, failed = lost_text(changes), gate.none_may_be_lost or gate.undecided_fails
    if is_excused and not failed:
        text += f"; {Message(messages.NOT_EXCUSED)}"
    yield Finding(LOST, text, failed or is_excused, undecided=True)


def lost_text(changes: Changes) -> str:
    """Return how many hypotheses of the baseline the new version lacks; empty if none."""
    if changes.lost is None or not changes.lost.number:
        return ""
    fields = {"path": changes.new.name, "other": changes.baseline.name, **changes.lost.fields}
    if changes.noun == "session":
        return str(Message(messages.LOST_IN_MEETINGS, fields))
    if not changes.lost_speakers:
        return str(Message(messages.LOST, fields))
    speakers = ListedNames.of(changes.lost_speakers).fields["names"]
    return str(Message(messages.LOST_SPEAKERS, {**fields, "speakers": speakers}))


def judge_values(result: UnitTable, conditions: Sequence[Condition]) -> list[Finding]:
    """Check the numbers of one result of a task against limits that need no baseline."""
    findings = []
    for condition in conditions:
        value = result.values.get(condition.figure.name)
        if value is None:
            name = f"{condition.measure}.{condition.figure.name}"
            raise StatisticsError(f"{result.name} has no number {name}")
        title = f"{result.name}: {condition.figure.title}"
        findings.append(judge_number(condition, title, value))
    return findings


def combined(findings: Sequence[Finding], *, needs_all: bool) -> list[Finding]:
    """Return the findings of a gate. With `needs_all`, they fail only if all conditions fail."""
    if not needs_all or all(finding.failed for finding in findings):
        return list(findings)
    rest = f"; {Message(messages.NEEDS_ALL)}"
    return [
        finding._replace(text=finding.text + rest, failed=False) if finding.failed else finding
        for finding in findings
    ]


def _of_condition(condition: Condition, changes: Changes, gate: Gate) -> Finding:
    """Return the finding for a condition; without a measure, it concerns the main number."""
    task = changes.baseline.layout.task
    if condition.of_groups:
        return _of_groups(condition, changes, gate)
    if condition.measure not in ("", task.name):
        if task is not WORDS:
            fields = {"condition": condition.name, "task": task.name, "found": condition.measure}
            raise refused(messages.OTHER_NUMBER, **fields)
        return _of_measure(condition, changes.measures)
    if not condition.measure:
        condition = condition._replace(figure=task.figures[0])
        if task is not WORDS:
            condition = condition._replace(measure=task.name)
    numbers = {change.figure.name: change for change in changes.numbers}
    change = numbers.get(condition.figure.name)
    values: tuple[Fraction | float | None, Fraction | float | None] = (None, None)
    if change is not None:
        values = change.new, change.baseline
    if task is WORDS:
        values = changes.total.new.exact, changes.total.baseline.exact
        _refuse_no_rate(condition, values)
        title = "the new error rate of"
    else:
        title = f"the new {condition.figure.title}"
    significance = None
    if change is not None and change.figure == task.figures[0]:
        significance = significance_of(_deciding(changes, condition), gate.level)
    elif change is not None and change.difference is not None:
        low, high = change.difference.limits
        text = change.difference.bounds(condition.figure.text)
        significance = Significance(low > 0 or high < 0, f"interval of the change {text}")
    return judge_number(condition, title, *values, significance)


def _refuse_no_rate(condition: Condition, values: Sequence[Fraction | float | None]) -> None:
    """Reject a condition on an error rate without reference words."""
    needed = values if condition.amount is not None else values[:1]
    for whose, value in zip(("the new system", "the baseline"), needed, strict=False):
        if value is None:
            raise StatisticsError(f"{whose} has no error rate: there are no reference words")


def _deciding(changes: Changes, condition: Condition | None = None) -> SignificanceTest:
    """Return the decisive test.

    Raise MatchingError if there is no test but the condition needs one.
    """
    if changes.tests:
        return changes.tests[0]
    if condition is not None and not condition.only_significant:
        return SignificanceTest("", None, None, str(changes.comparison.reason or ""))
    option = Advice("fail_if_significant")
    if condition is not None:
        option = Advice(condition.option.replace(" ", "_"), condition.text)
    raise refused(messages.NO_TEST, condition=option, reason=changes.comparison.reason)


def significance_of(test: SignificanceTest, level: float) -> Significance:
    """Return whether a test is significant at a level; an adjusted p-value has priority."""
    value = test.p_value if test.adjusted is None else test.adjusted
    if value is None:
        return Significance(None, f"{test.name} could not be made: {test.remark}")
    side = "at most" if is_significant(value, level) else "above"
    text = f"{p_text(value)}, {side} {level:g}; {test.name}"
    return Significance(is_significant(value, level), text)


def _p_text(test: SignificanceTest) -> str:
    """Return the decisive p-value as text; if it was adjusted, also the original p-value."""
    assert test.p_value is not None
    if test.adjusted is None:
        return p_text(test.p_value)
    return f"corrected {p_text(test.adjusted)}, alone {p_text(test.p_value)}"


def _of_measure(condition: Condition, measures: Sequence[FigureChange]) -> Finding:
    """Return the finding for a figure of a measure.

    Its change is significant if the interval excludes 0.
    """
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


def _of_groups(condition: Condition, changes: Changes, gate: Gate) -> Finding:
    """Return one finding for all groups, with the failing groups and their intervals."""
    groups, layout = changes.groups, changes.baseline.layout
    if condition.group is not None:
        column, value = condition.group
        names = [group.title for group in groups]
        groups = [g for g in groups if (g.column, g.change.name) == condition.group]
        if not groups:
            about = {"condition": condition.name, "group": f"{column} {value}", "groups": names}
            raise refused(messages.NO_SUCH_GROUP, **about)
    condition = condition._replace(figure=layout.main)
    is_words = layout.task is WORDS
    least = max(1, gate.group_words) if is_words else 0
    sizes = [group.change.new.size / group.change.runs[1] for group in groups]
    judged = [group for group, size in zip(groups, sizes, strict=True) if size and size >= least]
    if not judged and not is_words:
        raise StatisticsError(Message(messages.EMPTY_GROUPS, {"groups": len(groups)}))
    if not judged:
        fields = {"least": gate.group_words, "groups": len(groups)}
        raise StatisticsError(Message(messages.SMALL_GROUPS, fields))
    fallen: list[str] = []
    open_ones: list[GroupChange] = []
    failed_groups = []
    for group in judged:
        numbers = group.change.new.exact, group.change.baseline.exact
        if None in numbers:
            reason = f"there are no reference {layout.task.counted}"
            raise StatisticsError(f"{group.title} has no {layout.main.title}: {reason}")
        significance = significance_of(group.test, gate.level)
        finding = judge_number(condition, f"{group.title}:", *numbers, significance)
        if finding.undecided:
            open_ones.append(group)
        if finding.failed:
            failed_groups.append(group.title)
            unit = " %" * (layout.main.form == "percent")
            before = f"baseline {layout.main.text(group.change.baseline.value)}{unit}"
            fallen.append(f"{finding.text} ({before}, {_interval_text(group, layout.main)})")
    small = len(groups) - len(judged)
    text = f"{len(fallen)} of {len(judged)} groups fail"
    few = f"with fewer than {gate.group_words} words" if is_words else "without reference"
    text += f" ({small} {few} not judged)" * bool(small)
    text += f", {len(open_ones)} undecided" * bool(open_ones)
    is_open = bool(open_ones) and not fallen
    text = "; ".join([text, *fallen])
    return Finding(condition.name, text, bool(fallen), is_open, tuple(failed_groups))


def _power_text(changes: Changes, level: float) -> str:
    """Return the smallest detectable change, as the end of a sentence."""
    main = changes.numbers[0]
    least = least_change(main.difference and main.difference.standard_error, level)
    text = power_text(least, len(changes.units), changes.noun, main.figure)
    return f"; {text}" if text else ""


def _interval_text(group: GroupChange, figure: Figure) -> str:
    """Return the interval of a group's change as text, in points or in the figure's unit."""
    if group.difference is None:
        return f"no interval: {group.test.remark}"
    text = points if figure.form == "percent" else figure.text
    amount = " points" * (figure.form == "percent")
    bounds = group.difference.bounds(text)
    return f"change {text(group.change.rate)}{amount}, interval {bounds}"


def _of_significance(changes: Changes, level: float) -> Finding:
    """Return the finding on whether the main number is significantly worse."""
    test, layout = _deciding(changes), changes.baseline.layout
    change = changes.numbers[0].change or 0.0
    if layout.task is WORDS and changes.repeated is None:
        change = changes.total.more
    worse = -change if layout.main.better == "higher" else change
    if test.p_value is None:
        text = f"{test.name} could not be made: {test.remark}"
        return Finding("fail if significant", text, False, True)
    kinds = ("more errors than", "fewer errors than", "as many errors as")
    if layout.task is not WORDS:
        title = layout.main.title
        kinds = (f"{title} worse than", f"{title} better than", f"{title} equal to")
    kind = kinds[0] if worse > 0 else kinds[1] if worse < 0 else kinds[2]
    significance = significance_of(test, level)
    text = f"{kind} the baseline's" if layout.task is not WORDS else f"{kind} the baseline"
    text += f", {_p_text(test)}"
    side = "at most" if significance.is_significant else "above"
    text += f" ({side} {level:g}; {test.name})"
    failed = worse > 0 and bool(significance.is_significant)
    return Finding("fail if significant", text, failed, worse > 0 and not failed)


def _of_equality(changes: Changes, margin: Margin, level: float) -> Finding:
    """Return the finding on equivalence: equal within the margin, worse, or undecided."""
    name, figure = f"equal within {margin.text}", changes.baseline.layout.main
    equal, change = changes.equivalence, changes.numbers[0].change
    if change is None:
        raise StatisticsError(f"a side has no {figure.title}")
    if equal is None or equal.interval is None:
        reason = changes.comparison.reason or "there is no interval of the change"
        return Finding(name, f"equality could not be tested: {reason}", False, True)
    as_text = points if figure.form == "percent" else figure.text
    unit = " points" * (figure.form == "percent")
    side = "within" if equal.is_equal else "not within"
    text = f"change {as_text(change)}{unit}, {100 * margin.coverage:g} % interval "
    text += f"{equal.interval.bounds(as_text)} {side} ±{as_text(equal.limit).lstrip('+')}{unit}"
    if equal.is_equal:
        return Finding(name, text, False)
    significance = significance_of(_deciding(changes), level)
    is_better = (change > 0) == (figure.better == "higher")
    if not (change and significance.is_significant):
        return Finding(name, f"{text}; cannot tell ({significance.text})", False, True)
    way = "better" if is_better else "worse"
    return Finding(name, f"{text}; significantly {way} ({significance.text})", not is_better)


def _of_recorded(sides: Sequence[UnitTable]) -> Iterator[Finding]:
    """Yield a finding for each side: whether recorded numbers agree with computed numbers.

    Raise MatchingError if no side has recorded numbers.
    """
    checked = [side for side in sides if any(check.compared for check in side.checks)]
    if not checked:
        raise refused(messages.NOTHING_CHECKED, paths=[side.name for side in sides])
    for side in checked:
        unequal = [check for check in side.checks if not check.equal]
        number = sum(check.compared for check in side.checks)
        text = "; ".join(map(str, unequal)) or f"{side.name}: all {number} agree with ours"
        unknown = sum(check.state == NOT_CHECKED for check in side.checks)
        text += f"; {NOT_CHECKED}: {unknown}" * bool(unknown)
        yield Finding("recorded numbers", text, bool(unequal))


def _of_unchecked(sides: Sequence[UnitTable]) -> Iterator[Finding]:
    """Yield a finding for each side: whether all its recorded numbers were checked.

    Raise MatchingError if no side has recorded numbers.
    """
    if not any(side.checks for side in sides):
        raise refused(messages.NOTHING_RECORDED, paths=[side.name for side in sides])
    for side in sides:
        if not side.checks:
            continue
        unknown = [check for check in side.checks if check.state == NOT_CHECKED]
        text = f"{side.name}: {len(side.checks)} records, {NOT_CHECKED}: {len(unknown)}"
        listed = [f"{check.what} ({check.reason(SHOWN)})" for check in unknown[:SHOWN]]
        more = [f"and {len(unknown) - SHOWN} others"] * (len(unknown) > SHOWN)
        yield Finding("unchecked records", "; ".join([text, *listed, *more]), bool(unknown))
