"""Whether a comparison passes: thresholds, significance, recorded numbers.

Thresholds are given in percent and compared without rounding.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from scoring.errors import StatisticsError
from scoring.model import Counts
from scoring.pages.numbers import p_text, percent
from scoring.regression.changes import Changes
from scoring.regression.evidence import Evidence
from scoring.regression.totals import Recorded, Totals

SIGNIFICANCE = 0.05


class Threshold(NamedTuple):
    """A limit of the new system's error rate.

    Attributes
    ----------
    text
        As it was given.
    kind
        `absolute`: the rate in percent; `points`: how much it may be above the baseline's, in
        percentage points; `relative`: the same in percent of the baseline's.
    value
        The number.
    """

    text: str
    kind: str
    value: Fraction

    def limit(self, baseline: Counts | Totals) -> Fraction:
        """The highest rate that is allowed, a ratio.

        Raises
        ------
        StatisticsError
            If the baseline has no rate.
        """
        if self.kind == "absolute":
            return self.value / 100
        own = rate_of(baseline, "the baseline")
        return own + self.value / 100 if self.kind == "points" else own * (1 + self.value / 100)

    def exceeded(self, baseline: Counts | Totals, new: Counts | Totals) -> bool:
        """Whether the new system's rate is above the limit; equal is not above.

        Raises
        ------
        StatisticsError
            If a rate is needed that is not defined.

        Examples
        --------
        >>> parse_threshold("10%").exceeded(Counts(90, 10), Counts(89, 11))
        False
        >>> parse_threshold("+0.5").exceeded(Counts(90, 10), Counts(89, 11))
        True
        """
        return rate_of(new, "the new system") > self.limit(baseline)

    def __str__(self) -> str:
        if self.kind == "absolute":
            return f"above {self.text} %"
        unit = "points" if self.kind == "points" else "(relative)"
        return f"more than {self.text.lstrip('+')} {unit} above the baseline"


def rate_of(counts: Counts | Totals, whose: str) -> Fraction:
    """The exact error rate; of sums that others printed, as exact as these are.

    Raises
    ------
    StatisticsError
        If there are no reference words.
    """
    if isinstance(counts, Totals):
        return counts.rate
    if not counts.reference_tokens:
        raise StatisticsError(f"{whose} has no error rate: there are no reference words")
    return Fraction(counts.errors, counts.reference_tokens)


def parse_threshold(text: str) -> Threshold:
    """Read `12.5` (a rate in percent), `5%` (relative to the baseline) or `+0.5` (in points).

    Raises
    ------
    ValueError
        If it is none of these.

    Examples
    --------
    >>> parse_threshold("5%").kind, parse_threshold("12.5").value
    ('relative', Fraction(25, 2))
    """
    kind, number = "absolute", text
    if text.endswith("%"):
        kind, number = "relative", text[:-1].removeprefix("+")
    elif text.startswith("+"):
        kind, number = "points", text[1:]
    digits = number.replace(".", "", 1)
    if not (digits.isascii() and digits.isdigit()):
        raise ValueError(f"expected such as 12.5, 5% or +0.5, found {text!r}")
    return Threshold(text, kind, Fraction(number))


class Gate(NamedTuple):
    """What a comparison must not show.

    Attributes
    ----------
    thresholds
        Limits of the new error rate.
    significance
        Fail if the new system is worse and the deciding test's p-value is below; None: never.
    recorded_must_agree
        Fail if a recorded number is not ours.
    """

    thresholds: Sequence[Threshold] = ()
    significance: float | None = None
    recorded_must_agree: bool = False


class Finding(NamedTuple):
    """One condition.

    Attributes
    ----------
    name
        A word or two.
    text
        A sentence.
    failed
        Whether it is reason to fail.
    """

    name: str
    text: str
    failed: bool


def judge(changes: Changes, gate: Gate) -> list[Finding]:
    """Every condition with its outcome.

    Raises
    ------
    StatisticsError
        If a threshold is asked for and there is no error rate.
    """
    total = changes.total
    findings = [_of_limit(one, total.baseline, total.new) for one in gate.thresholds]
    if gate.significance is not None:
        test = changes.tests[0]
        text, failed = f"{test.name} could not be made: {test.remark}", False
        if test.p_value is not None:
            significant = test.p_value < gate.significance
            kind = "more errors than" if total.errors > 0 else "fewer errors than"
            kind = kind if total.errors else "as many errors as"
            text = (
                f"{kind} the baseline, {p_text(test.p_value)} "
                f"({'below' if significant else 'not below'} {gate.significance:g}; {test.name})"
            )
            failed = total.errors > 0 and significant
        findings.append(Finding("fail if significant", text, failed))
    return [*findings, *_of_recorded((changes.baseline, changes.new), gate)]


def judge_sums(
    sides: Sequence[Evidence | Recorded], sums: Sequence[Totals], gate: Gate
) -> list[Finding]:
    """As `judge`, where there are sums only: significance cannot be asked for.

    Parameters
    ----------
    sides, sums
        Of the baseline and of the new system.
    """
    limits = [_of_limit(one, *sums) for one in gate.thresholds]
    return [*limits, *_of_recorded(sides, gate)]


def _of_limit(threshold: Threshold, baseline: Counts | Totals, new: Counts | Totals) -> Finding:
    failed = threshold.exceeded(baseline, new)
    text = (
        f"the new error rate of {percent(float(rate_of(new, 'the new system')))} % is "
        f"{'above' if failed else 'not above'} {percent(float(threshold.limit(baseline)))} %"
    )
    return Finding(f"fail above {threshold.text}", text, failed)


def _of_recorded(sides: Sequence[Evidence | Recorded], gate: Gate) -> Iterator[Finding]:
    for side in sides if gate.recorded_must_agree else ():
        unequal = [check for check in side.checks if not check.equal]
        text = "; ".join(map(str, unequal)) or f"{side.name}: recorded numbers agree with ours"
        yield Finding("recorded numbers", text, bool(unequal))
