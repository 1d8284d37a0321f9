"""Whether a result passes: thresholds, significance, recorded numbers.

Rates are compared with thresholds as fractions, without rounding.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from scoring.drawing.numbers import p_text, percent
from scoring.errors import StatisticsError
from scoring.model import Counts
from scoring.regression.changes import Changes
from scoring.regression.evidence import Evidence

SIGNIFICANCE = 0.05

if TYPE_CHECKING:
    from scoring.rates.measured import Figure
    from scoring.regression.comparison import SignificanceTest
    from scoring.stats.group_gaps import GroupComparison


class Threshold(NamedTuple):
    """A limit of an error rate."""

    text: str  # the option with its value, for example `fail above 12.5` or `fail increase 0.5pt`
    kind: str  # `rate`, or an increase over the baseline in `points` or `relative`
    value: Fraction  # a ratio: 0.05 for `5%` and for `5pt`

    def limit(self, baseline: Counts | None = None) -> Fraction:
        """The highest rate that passes, a ratio; an increase needs the baseline."""
        if self.kind == "rate" or baseline is None:
            return self.value
        rate = rate_of(baseline, "the baseline")
        return rate + self.value if self.kind == "points" else rate * (1 + self.value)


class GapLimit(NamedTuple):
    """A limit of the gap between the error rates of groups."""

    text: str  # points
    points: float
    needs_significance: bool  # whether only a gap with p of at most 0.05 exceeds it

    def is_exceeded(self, groups: GroupComparison) -> bool:
        """Whether a gap is above the limit; one at the limit is not, whatever rounding does."""
        if groups.gap is None or round(100 * groups.gap, 9) <= self.points:
            return False
        return not self.needs_significance or (
            groups.p_value is not None and groups.p_value <= 0.05
        )


class MeasureLimit(NamedTuple):
    """A limit of a number of a measure; percent as reports show them."""

    text: str  # as typed
    measure: str
    figure: Figure
    limit: float

    def judge(self, value: float | None, whose: str) -> Finding:
        """Whether the number is worse than the limit; StatisticsError without a number."""
        figure = self.figure
        if value is None:
            raise StatisticsError(f"{whose} has no number {self.measure}.{figure.name}")
        excess = value * (100 if figure.form == "percent" else 1) - self.limit
        failed = round(-excess if figure.better == "higher" else excess, 9) > 0
        side = "not " * (not failed) + ("below" if figure.better == "higher" else "above")
        text = f"{self.measure}: {figure.title} {figure.text(value)} is {side} {self.limit:g}"
        return Finding(f"fail measure {self.text}", text, failed)


def parse_measure(text: str) -> MeasureLimit:
    """Parse a limit of a number of a measure.

    >>> parse_measure("loops.longest_loop=20").limit
    20.0
    """
    from scoring.measures import measure_or_function

    name, _, limit = text.partition("=")
    measure, dot, number = name.partition(".")
    if not dot:
        raise ValueError(f"expected MEASURE.NUMBER=LIMIT, found {text!r}")
    figures = {item.name: item for item in measure_or_function(measure).extended([number]).figures}
    if number not in figures or _ratio(limit) is None:
        numbers = ", ".join(figures)
        raise ValueError(f"expected {measure}.NUMBER=LIMIT with {numbers}, found {text!r}")
    return MeasureLimit(text, measure, figures[number], float(limit))


def parse_gap(text: str) -> GapLimit:
    """Parse a limit in percentage points: `5` or `5:significant`."""
    number, colon, word = text.partition(":")
    value = _ratio(number)
    if value is None or (colon and word != "significant"):
        raise ValueError(f"expected points such as 5 or 5:significant, found {text!r}")
    return GapLimit(number, float(100 * value), bool(colon))


def rate_of(counts: Counts, whose: str) -> Fraction:
    """The exact error rate."""
    if not counts.reference_tokens:
        raise StatisticsError(f"{whose} has no error rate: there are no reference words")
    return Fraction(counts.errors, counts.reference_tokens)


def parse_rate(text: str) -> Threshold:
    """Parse an error rate in percent: `12.5` or `12.5%`."""
    value = _ratio(text.removesuffix("%"))
    if value is None:
        problem = f"expected an error rate in percent such as 12.5 or 12.5%, found {text!r}"
        if text.startswith("+") or text.endswith("pt"):
            number = text.strip("+%pt")
            unit = "%" if text.endswith("%") else "pt"
            problem += f" (an increase over a baseline is --fail-increase {number}{unit})"
        raise ValueError(problem)
    return Threshold(f"fail above {text}", "rate", value)


def parse_increase(text: str) -> Threshold:
    """Parse an increase over a baseline: `5%` of its error rate, or `0.5pt`, percentage points."""
    for unit, kind in (("%", "relative"), ("pt", "points")):
        value = _ratio(text.removesuffix(unit)) if text.endswith(unit) else None
        if value is not None:
            return Threshold(f"fail increase {text}", kind, value)
    raise ValueError(f"expected 5% (of the baseline's rate) or 0.5pt (points), found {text!r}")


def _ratio(percent: str) -> Fraction | None:
    digits = percent.replace(".", "", 1)
    return Fraction(percent) / 100 if digits.isascii() and digits.isdigit() else None


class Gate(NamedTuple):
    """What a comparison must not show."""

    thresholds: Sequence[Threshold] = ()  # limits of the new error rate
    significance: float | None = None  # fail if worse with a p-value below this
    recorded_must_agree: bool = False  # fail if a recorded number is not ours
    measures: Sequence[MeasureLimit] = ()  # limits of the new system's measures


class Finding(NamedTuple):
    """One condition."""

    name: str
    text: str
    failed: bool


def judge(changes: Changes, gate: Gate) -> list[Finding]:
    """Every condition with its outcome."""
    total = changes.total
    findings = [judge_limit(threshold, total.baseline, total.new) for threshold in gate.thresholds]
    numbers = {(change.measure, change.figure.name): change.new for change in changes.measures}
    for limit in gate.measures:
        number = numbers.get((limit.measure, limit.figure.name))
        findings.append(limit.judge(number, "the new system"))
    if gate.significance is not None:
        findings.append(judge_significance(total.errors, changes.tests[0], gate.significance))
    return [*findings, *_of_recorded((changes.baseline, changes.new), gate)]


def judge_significance(more: int, test: SignificanceTest, level: float) -> Finding:
    """Whether so many more errors than the baseline's are significant."""
    text, failed = f"{test.name} could not be made: {test.remark}", False
    if test.p_value is not None:
        significant = test.p_value < level
        kind = "more errors than" if more > 0 else "fewer errors than"
        kind = kind if more else "as many errors as"
        text = (
            f"{kind} the baseline, {p_text(test.p_value)} "
            f"({'below' if significant else 'not below'} {level:g}; {test.name})"
        )
        failed = more > 0 and significant
    return Finding("fail if significant", text, failed)


def judge_limit(threshold: Threshold, baseline: Counts, new: Counts) -> Finding:
    """Whether the new error rate is above a limit."""
    rate, limit = rate_of(new, "the new system"), threshold.limit(baseline)
    failed = rate > limit
    text = (
        f"the new error rate of {percent(float(rate))} % is "
        f"{'above' if failed else 'not above'} {percent(float(limit))} %"
    )
    return Finding(threshold.text, text, failed)


def _of_recorded(sides: Sequence[Evidence], gate: Gate) -> Iterator[Finding]:
    for side in sides if gate.recorded_must_agree else ():
        unequal = [check for check in side.checks if not check.equal]
        text = "; ".join(map(str, unequal)) or f"{side.name}: recorded numbers agree with ours"
        yield Finding("recorded numbers", text, bool(unequal))
