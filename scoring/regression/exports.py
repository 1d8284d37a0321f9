"""A comparison for programs: JSON (schema in resources/schemas) and JUnit's XML."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from math import isfinite
from typing import TYPE_CHECKING, Any, Protocol
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from msgspec.structs import asdict

from scoring.drawing.data import counts_record, head_of, json_file
from scoring.regression.changes import Change, Changes, GroupChange, UtteranceChange
from scoring.regression.evidence import Check, ScoredVersion
from scoring.regression.verdict import Finding

if TYPE_CHECKING:
    from scoring.regression.version_runs import RepeatedRuns

SCHEMA, SCHEMA_VERSION = "sclite-kit/comparison", 1
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def comparison_lines(changes: Changes, findings: Sequence[Finding]) -> Iterator[bytes]:
    """Return the JSON text, a member a line."""
    bootstrap = changes.comparison.bootstrap
    measures = [change.record() for change in changes.measures]
    document: dict[str, Any] = {
        **head_of(SCHEMA, SCHEMA_VERSION),
        "signature": changes.baseline_rates.signature,
        **{
            name: _side(side)
            for name, side in (("baseline", changes.baseline), ("new", changes.new))
        },
        "utterances": len(changes.common),
        "baseline_only": asdict(changes.baseline_only),
        "new_only": asdict(changes.new_only),
        "total": _change(changes.total),
        "difference": None
        if bootstrap is None
        else {
            "estimate": bootstrap.difference.estimate,
            **bootstrap.difference.record(),
            "probability_of_improvement": bootstrap.probability_of_improvement,
        },
        "tests": [
            {"name": test.name, "p_value": test.p_value, "remark": test.remark}
            for test in changes.tests
        ],
        "speakers": [_change(speaker) for speaker in changes.speakers],
        "worse": [_utterance(row, changes) for row in changes.worse],
        "better": [_utterance(row, changes) for row in changes.better],
        **({"measures": measures} if measures else {}),
        **({"groups": list(map(_group, changes.groups))} if changes.groups else {}),
        **({} if changes.repeated is None else {"repeated_runs": _repeated(changes.repeated)}),
        "findings": [finding._asdict() for finding in findings],
        "passed": not any(finding.failed for finding in findings),
    }
    return json_file(document)


def summary_of(changes: Changes) -> dict[str, Any]:
    """Return the change of the error rate in short, for `summary_line`."""
    total, test = changes.total, changes.tests[0]
    repeated = changes.repeated
    found = changes.comparison.bootstrap
    difference = found and found.difference
    shown = difference if repeated is None else repeated.test
    bounds, flag = shown and shown.limits, shown and shown.flag
    return {
        "task": "wer",
        "baseline": changes.baseline.name,
        "new": changes.new.name,
        "number": "error_rate",
        "baseline_value": total.baseline.error_rate,
        "new_value": total.new.error_rate,
        "change": total.rate,
        "relative": total.relative,
        "interval": None if bounds is None else list(bounds),
        "flag": flag or None,
        "test": test.name,
        "p_value": test.p_value,
        "runs": list(total.runs),
        "signature": changes.baseline_rates.signature,
    }


def _group(group: GroupChange) -> dict[str, Any]:
    bounds = group.difference and group.difference.limits
    return {
        "column": group.column,
        **_change(group.change),
        "interval": None if bounds is None else list(bounds),
        "flag": (group.difference and group.difference.flag) or None,
        "test": group.test.name,
        "p_value": group.test.p_value,
        "corrected": group.test.adjusted,
        "remark": group.test.remark,
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


def _side(side: ScoredVersion) -> dict[str, Any]:
    checks = [
        {
            "what": check.what,
            "compared": check.compared,
            "unequal": check.unequal,
            "differences": [difference._asdict() for difference in check.differences],
            "remark": check.remark,
        }
        for check in side.checks
    ]
    return {"name": side.name, "kind": side.kind, "recorded": checks}


def _change(change: Change) -> dict[str, Any]:
    return {
        "name": change.name,
        "baseline": counts_record(change.baseline),
        "new": counts_record(change.new),
        "errors": change.errors,
        "rate": change.rate,
        "relative": change.relative,
    }


def _utterance(row: UtteranceChange, changes: Changes) -> dict[str, Any]:
    sides = {}
    for name, rates, position in (
        ("baseline", changes.baseline_rates, row.baseline_position),
        ("new", changes.new_rates, row.new_position),
    ):
        alignment = rates.alignment_at(position)
        sides[name] = {
            "edits": alignment.letters,
            "reference": list(alignment.reference),
            "hypothesis": list(alignment.hypothesis),
        }
    return {"identifier": row.change.name, "errors": row.change.errors, **sides}


class HasChecks(Protocol):
    """A side with recorded numbers that were compared with ours."""

    @property
    def checks(self) -> Sequence[Check]:
        """The comparisons."""


def junit_lines(sides: Sequence[HasChecks], findings: Sequence[Finding]) -> Iterator[bytes]:
    """Yield a test case for every condition and for the recorded numbers of both sides."""
    cases: list[tuple[str, str, bool]] = []
    for title, side in zip(("baseline", "new"), sides, strict=True):
        for check in side.checks:
            cases.append((f"{title}: {check.what}", str(check), False))
    cases += [(finding.name, finding.text, finding.failed) for finding in findings]
    failures = sum(failed for _, _, failed in cases)
    numbers = {"tests": len(cases), "failures": failures, "errors": 0, "skipped": 0}
    attributes = {name: str(number) for name, number in numbers.items()}
    root = Element("testsuites", attributes)
    suite = SubElement(root, "testsuite", {"name": "scoring compare", **attributes})
    for name, text, failed in cases:
        case = SubElement(suite, "testcase", classname="scoring.compare", name=_printable(name))
        if failed:
            SubElement(case, "failure", message=_printable(text))
        else:
            SubElement(case, "system-out").text = _printable(text)
    indent(root, space="")
    yield b'<?xml version="1.0" encoding="UTF-8"?>\n'
    yield tostring(root, encoding="utf-8", xml_declaration=False) + b"\n"


def _printable(text: str) -> str:
    return _NOT_XML.sub("\ufffd", text)
