"""Whether a comparison passes: thresholds, significance, recorded numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from scoring.pages.numbers import p_text, percent
from scoring.regression.changes import Changes
from scoring.regression.thresholds import Threshold

SIGNIFICANCE = 0.05


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
    findings = [_threshold(changes, threshold) for threshold in gate.thresholds]
    if gate.significance is not None:
        findings.append(_significance(changes, gate.significance))
    if gate.recorded_must_agree:
        for side in (changes.baseline, changes.new):
            unequal = [check for check in side.checks if not check.equal]
            text = "; ".join(map(str, unequal)) or f"{side.name}: recorded numbers agree with ours"
            findings.append(Finding("recorded numbers", text, bool(unequal)))
    return findings


def _threshold(changes: Changes, threshold: Threshold) -> Finding:
    total = changes.total
    failed = threshold.exceeded(total.baseline, total.new)
    limit = float(threshold.limit(total.baseline))
    return Finding(
        f"fail above {threshold.text}",
        f"the new error rate of {percent(total.new.error_rate)} % is "
        f"{'above' if failed else 'not above'} {percent(limit)} %",
        failed,
    )


def _significance(changes: Changes, limit: float) -> Finding:
    test = changes.tests[0]
    worse = changes.total.errors > 0
    if test.p_value is None:
        text = f"{test.name} could not be made: {test.remark}"
        return Finding("fail if significant", text, False)
    significant = test.p_value < limit
    what = "more errors" if worse else "fewer errors" if changes.total.errors else "as many errors"
    text = (
        f"{what} than the baseline, {p_text(test.p_value)} "
        f"({'below' if significant else 'not below'} {limit:g}; {test.name})"
    )
    return Finding("fail if significant", text, worse and significant)
