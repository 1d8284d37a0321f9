"""Assertions of error rates in tests, with the gates of `scoring compare`.

>>> check_wer("the cat sat", "the cat sat", below=0.1)
<ErrorRates 0.00 % of 1 utterances, Counts(correct=3, substitutions=0, deletions=0, insertions=0)>
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from typing_extensions import Unpack

    from scoring.options import Choices, Options
    from scoring.regression.verdict import Finding, Gate
    from scoring.score.rates import ErrorRates
    from scoring.sides.given import Given

SHOWN = 10


def check_wer(
    reference: Given,
    hypothesis: Given,
    *,
    below: float | None = None,
    baseline: Given | None = None,
    fail_above: str | Sequence[str] = (),
    fail_increase: str | Sequence[str] = (),
    fail_group_above: str | Sequence[str] = (),
    fail_group_increase: str | Sequence[str] = (),
    fail_measure: str | Sequence[str] = (),
    fail_if_significant: bool = False,
    fail_when: Literal["any", "all"] = "any",
    group_words: int = 100,
    options: Options | None = None,
    **choices: Unpack[Choices],
) -> ErrorRates:
    """Return the scores of a hypothesis; raise AssertionError if a condition fails.

    Parameters
    ----------
    reference, hypothesis, baseline
        As in `scoring.wer`; `baseline` is the hypothesis of the previous version.
    below
        The error rate must be below this ratio.
    fail_above, fail_increase, fail_group_above, fail_group_increase, fail_measure
        Conditions as for the options of `scoring compare`, for example `"max(0.3pt, 5%)"`. All
        conditions need a `baseline`, except `fail_above` and limits of measures. Conditions on
        groups need `by=`.
    fail_if_significant, fail_when, group_words
        As for the options of `scoring compare`.
    options, **choices
        As in `scoring.wer`.

    Raises
    ------
    AssertionError
        If a condition failed, with the failed conditions and the worst utterances.
    ValueError
        If a condition cannot be parsed, there is no condition, or the baseline is missing.
    """
    __tracebackhide__ = True
    from scoring.options import Options
    from scoring.pages.notebook import worst_of
    from scoring.score import wer

    texts = {
        "rate": fail_above,
        "increase": fail_increase,
        "group_rate": fail_group_above,
        "group_increase": fail_group_increase,
        "measure": fail_measure,
    }
    gate = _gate(texts, fail_if_significant, fail_when, group_words)
    if below is None and not gate.conditions and gate.significance is None:
        raise ValueError("expected a condition, such as below=0.12, found none")
    rates = wer(reference, hypothesis, options=options, **choices)
    problems = []
    if below is not None and not rates.error_rate < below:
        problems.append(f"expected an error rate below {below:.2%}, found {rates:.2%}")
    old = None if baseline is None else wer(reference, baseline, options=options, **choices)
    chosen = (options or Options()).changed(**choices)
    findings = _findings(rates, old, gate, chosen)
    problems += [f"{finding.name}: {finding.text}" for finding in findings if finding.failed]
    if not problems:
        return rates
    raise AssertionError("\n".join([*problems, f"{rates}\n\n{worst_of(rates, top=SHOWN)}"]))


def _gate(
    texts: Mapping[str, str | Sequence[str]],
    if_significant: bool,
    when: str,
    group_words: int,
) -> Gate:
    """Return a gate from conditions as texts. The parser of a key's conditions is `parse_KEY`."""
    from scoring.regression import conditions
    from scoring.regression.verdict import Gate
    from scoring.stats.deciding import SIGNIFICANCE

    parsed = [
        getattr(conditions, f"parse_{name}")(text)
        for name, values in texts.items()
        for text in ([values] if isinstance(values, str) else values)
    ]
    significance = SIGNIFICANCE if if_significant else None
    return Gate(parsed, significance, needs_all=when == "all", group_words=group_words)


def _findings(
    rates: ErrorRates, baseline: ErrorRates | None, gate: Gate, options: Options
) -> Sequence[Finding]:
    """Return the outcome of each condition."""
    from scoring.regression.changes import Request, compare_versions
    from scoring.regression.evidence import ScoredVersion
    from scoring.regression.verdict import combined, judge, judge_system

    if baseline is None:
        is_alone = gate.significance is None and not any(
            item.amount is not None or item.of_groups for item in gate.conditions
        )
        if not is_alone:
            raise ValueError("expected baseline=, for conditions that compare with it, found none")
        findings = [judge_system(condition, rates) for condition in gate.conditions]
        return combined(findings, needs_all=gate.needs_all)
    sides = [
        ScoredVersion(name, "transcripts", side)
        for name, side in (("baseline", baseline), ("new", rates))
    ]
    request = Request(
        rates.rules,
        options=options if options.measures else None,
        grouping=options if options.by or options.metadata is not None else None,
    )
    return judge(compare_versions(sides[:1], sides[1:], request), gate)
