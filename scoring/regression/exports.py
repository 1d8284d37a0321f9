"""A comparison as JSON (schema in resources/schemas) and as JUnit XML."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from math import isfinite
from typing import TYPE_CHECKING, Any, Protocol
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from formats.schema.remarks import remark_records
from formats.schema.value_records import to_builtins
from scoring.drawing.data import counts_record, head_of, json_file
from scoring.regression.contributions import Contribution
from scoring.regression.equivalence import least_change, verdict_of
from scoring.regression.evidence import Check
from scoring.regression.paired_runs import Change
from scoring.regression.task_figures import WORDS, comparison_head
from scoring.regression.unit_changes import Changes, NumberChange, UnitChange
from scoring.regression.unit_groups import GroupChange
from scoring.regression.units import UnitSums, UnitTable
from scoring.regression.verdict import Finding, has_passed
from scoring.stats.bootstrapping import Bootstrap
from scoring.stats.deciding import SIGNIFICANCE, level_of_tests

if TYPE_CHECKING:
    from formats.schema.remarks import AnyMessage
    from scoring.regression.version_runs import RepeatedRuns

SCHEMA, SCHEMA_VERSION = "sclite-kit/comparison", 1
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def comparison_lines(
    changes: Changes, findings: Sequence[Finding], remarks: Iterable[AnyMessage] = ()
) -> Iterator[bytes]:
    """Return a comparison of words or of a task as JSON, with one member per line."""
    is_words, summary = changes.baseline.layout.task is WORDS, summary_of(changes)
    document: dict[str, Any] = {
        **(_of_words(changes) if is_words else _of_task(changes)),
        **{name: summary[name] for name in ("verdict", "least_shown", "equivalence")},
        "remarks": remark_records(remarks),
        "contributions": list(map(_contribution, changes.contributions)),
        **({"groups": list(map(_group, changes.groups))} if changes.groups else {}),
        **({} if changes.repeated is None else {"repeated_runs": _repeated(changes.repeated)}),
        "findings": [finding.record() for finding in findings],
        "passed": has_passed(findings),
    }
    return json_file(document)


def _of_words(changes: Changes) -> dict[str, Any]:
    """Return the JSON members that only comparisons of words have."""
    bootstrap = changes.comparison.bootstrap
    measures = [change.record() for change in changes.measures]
    has_words = changes.words is not None and changes.repeated is None
    return {
        **head_of(SCHEMA, SCHEMA_VERSION),
        "signature": changes.baseline.signature,
        **{
            name: {"name": side.name, "kind": side.kind, "checks": _checks(side)}
            for name, side in (("baseline", changes.baseline), ("new", changes.new))
        },
        "utterance_count": len(changes.units),
        "baseline_only": to_builtins(changes.baseline_only),
        "new_only": to_builtins(changes.new_only),
        "lost_hypotheses": None if changes.lost is None else to_builtins(changes.lost),
        **({"lost_speakers": changes.lost_speakers} if changes.lost_speakers else {}),
        "overall": _change(changes.total),
        "difference": None
        if bootstrap is None
        else {
            "estimate": bootstrap.difference.estimate,
            **bootstrap.difference.record(),
            "probability_of_improvement": bootstrap.probability_of_improvement,
        },
        "tests": _tests(changes),
        "speakers": [_change(speaker) for speaker in changes.speakers],
        "worse": [_utterance(row, changes) for row in changes.worse if has_words],
        "better": [_utterance(row, changes) for row in changes.better if has_words],
        **({"measures": measures} if measures else {}),
    }


def _of_task(changes: Changes) -> dict[str, Any]:
    """Return the JSON members that only comparisons of tasks without words have."""
    dropped = {"baseline_only": changes.baseline_only, "new_only": changes.new_only}
    return {
        **comparison_head(),
        "task": changes.baseline.layout.task.name,
        "signature": changes.baseline.signature,
        "baseline": changes.baseline.name,
        "new": changes.new.name,
        "unit": changes.noun,
        "unit_count": len(changes.units),
        **{name: to_builtins(names) for name, names in dropped.items() if names.number},
        "metrics": [
            {
                "metric": number.figure.name,
                "direction": number.figure.better,
                "baseline": number.baseline,
                "new": number.new,
                "change": number.change,
                "interval": _interval(number),
            }
            for number in changes.numbers
        ],
        "tests": _tests(changes),
        "checks": {"baseline": _checks(changes.baseline), "new": _checks(changes.new)},
        **{
            name: [_change(row.change) for row in rows]
            for name, rows in (("worse", changes.worse), ("better", changes.better))
        },
    }


def _tests(changes: Changes) -> list[dict[str, Any]]:
    return [
        {"name": test.name, "p_value": test.p_value, "reason": test.remark}
        for test in changes.tests
    ]


def _interval(number: NumberChange) -> dict[str, Any] | None:
    difference = number.difference
    return difference.record() if isinstance(difference, Bootstrap) else None


def summary_of(changes: Changes) -> dict[str, Any]:
    """Return the change of the main number as the record that `summary_line` and `lead_of` need."""
    main = changes.numbers[0]
    test = changes.tests[0] if changes.tests else None
    change, shown = main.change, main.difference
    level = SIGNIFICANCE if shown is None else level_of_tests(shown.level)
    summary = {
        "task": changes.baseline.layout.task.name,
        "baseline": changes.baseline.name,
        "new": changes.new.name,
        "metric": main.figure.name,
        "baseline_value": main.baseline,
        "new_value": main.new,
        "change": change,
        "relative_change": change / main.baseline if change is not None and main.baseline else None,
        "interval": None if shown is None else shown.limits.record(shown.level),
        "flag": (shown and shown.flag) or None,
        "test": None if test is None else test.name,
        "p_value": None if test is None else test.p_value,
        "runs": list(changes.total.runs),
        "least_shown": least_change(shown and shown.standard_error, level),
        "equivalence": changes.equivalence and changes.equivalence.record(),
        "signature": changes.baseline.signature,
    }
    return {**summary, "verdict": verdict_of(summary, level, main.figure)}


def _contribution(part: Contribution) -> dict[str, Any]:
    example = None if part.example is None else part.example._asdict()
    return {
        "kind": part.kind,
        "name": part.name,
        "error_change": part.more,
        "share": part.share,
        "size_share": part.size_share,
        "example": example,
    }


def _group(group: GroupChange) -> dict[str, Any]:
    difference = group.difference
    return {
        "property": group.column,
        **_change(group.change),
        "interval": difference and difference.limits.record(difference.level),
        "flag": (difference and difference.flag) or None,
        "test": group.test.name,
        "p_value": group.test.p_value,
        "adjusted_p_value": group.test.adjusted,
        "reason": group.test.remark,
    }


def _repeated(repeated: RepeatedRuns) -> dict[str, Any]:
    test = repeated.test
    return {
        "baseline": repeated.baseline.record(),
        "new": repeated.new.record(),
        "difference": None
        if test is None
        else {
            "estimate": test.estimate,
            "low": test.limits.low,
            "high": test.limits.high,
            "level": test.level,
            "flag": test.flag or None,
            "standard_error": test.standard_error,
            "degrees_of_freedom": test.freedom if isfinite(test.freedom) else None,
        },
    }


def _checks(side: UnitTable) -> list[dict[str, Any]]:
    return [
        {
            "what": check.what,
            "state": check.state,
            "how": check.how,
            "compared": check.compared,
            "unequal": check.unequal,
            "differences": [difference._asdict() for difference in check.differences],
            "reason": check.reason(),
        }
        for check in side.checks
    ]


def _change(change: Change) -> dict[str, Any]:
    return {
        "name": change.name,
        "baseline": _sums(change.baseline),
        "new": _sums(change.new),
        "error_change": change.more,
        "change": change.rate,
        "relative_change": change.relative,
    }


def _sums(sums: UnitSums) -> dict[str, Any]:
    if sums.counts is not None:
        return counts_record(sums.counts)
    if sums.layout.task is WORDS:
        return {"errors": sums.wrong, "reference_count": sums.size, "error_rate": sums.value}
    columns = dict(zip(sums.layout.columns, sums.numbers, strict=True))
    return {**columns, "value": sums.value}


def _utterance(row: UnitChange, changes: Changes) -> dict[str, Any]:
    assert changes.words is not None
    sides = {}
    pair = changes.words
    for name, rates, position in zip(
        ("baseline", "new"), pair[:2], pair.common[row.place], strict=True
    ):
        alignment = rates.alignment_at(position)
        sides[name] = {
            "edits": alignment.letters,
            "reference": list(alignment.reference),
            "hypothesis": list(alignment.hypothesis),
        }
    return {"id": row.change.name, "error_change": row.change.more, **sides}


class HasChecks(Protocol):
    """A side with checks of recorded numbers."""

    @property
    def checks(self) -> Sequence[Check]:
        """The comparisons of recorded numbers with computed numbers."""


def junit_lines(sides: Sequence[HasChecks], findings: Sequence[Finding]) -> Iterator[bytes]:
    """Yield a test case for every condition and for the recorded numbers of both sides."""
    # the element that tells the outcome, a name that JUnit knows
    cases: list[tuple[str, str, str]] = []
    for title, side in zip(("baseline", "new"), sides, strict=True):
        for check in side.checks:
            kind = "system-out" if check.compared else "skipped"
            cases.append((f"{title}: {check.what}", str(check), kind))
    for finding in findings:
        kind = "skipped" if finding.undecided else "system-out"
        cases.append((finding.name, finding.text, "failure" if finding.failed else kind))
    kinds = [kind for _, _, kind in cases]
    counted = {"failures": kinds.count("failure"), "errors": 0, "skipped": kinds.count("skipped")}
    numbers = {"tests": len(cases), **counted}
    attributes = {name: str(number) for name, number in numbers.items()}
    root = Element("testsuites", attributes)
    suite = SubElement(root, "testsuite", {"name": "scoring compare", **attributes})
    for name, text, kind in cases:
        case = SubElement(suite, "testcase", classname="scoring.compare", name=printable(name))
        if kind == "system-out":
            SubElement(case, kind).text = printable(text)
        else:
            SubElement(case, kind, message=printable(text))
    indent(root, space="")
    yield b'<?xml version="1.0" encoding="UTF-8"?>\n'
    yield tostring(root, encoding="utf-8", xml_declaration=False) + b"\n"


def printable(text: str) -> str:
    """Return a text in which the characters that XML forbids are replaced."""
    return _NOT_XML.sub("\ufffd", text)
