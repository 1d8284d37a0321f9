"""A comparison for programs: JSON (schema in resources/schemas) and JUnit's XML."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any
from xml.sax.saxutils import escape

from scoring.pages.data import counts_record, head_of, json_file
from scoring.regression.changes import Change, Changes, UtteranceChange
from scoring.regression.evidence import Check, Evidence
from scoring.regression.verdict import Finding
from scoring.stats.bootstrapping import PAIRED

SCHEMA = "sclite-kit/comparison"
SCHEMA_VERSION = 1
_IN_ATTRIBUTES = {'"': "&quot;", "\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def comparison_lines(changes: Changes, findings: Sequence[Finding]) -> Iterator[bytes]:
    """The JSON text, a member a line."""
    document: dict[str, Any] = {
        **head_of(SCHEMA, SCHEMA_VERSION),
        "signature": changes.baseline_rates.signature,
        "baseline": _side(changes.baseline),
        "new": _side(changes.new),
        "utterances": len(changes.common),
        "baseline_only": changes.baseline_only._asdict(),
        "new_only": changes.new_only._asdict(),
        "total": _change(changes.total),
        "difference": _difference(changes),
        "tests": [
            {"name": test.name, "p_value": test.p_value, "remark": test.remark}
            for test in changes.tests
        ],
        "speakers": [_change(one) for one in changes.speakers],
        "worse": [_utterance(row, changes) for row in changes.worse],
        "better": [_utterance(row, changes) for row in changes.better],
        "findings": [finding._asdict() for finding in findings],
        "passed": not any(finding.failed for finding in findings),
    }
    return json_file(document)


def _side(side: Evidence) -> dict[str, Any]:
    return {"name": side.name, "kind": side.kind, "recorded": [_check(one) for one in side.checks]}


def _check(check: Check) -> dict[str, Any]:
    return {
        "what": check.what,
        "compared": check.compared,
        "unequal": check.unequal,
        "differences": [one._asdict() for one in check.differences],
        "remark": check.remark,
    }


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


def _difference(changes: Changes) -> dict[str, Any] | None:
    found = changes.comparison.bootstrap
    if found is None:
        return None
    return {
        "estimate": found.difference.estimate,
        **found.difference.record(changes.comparison.block, PAIRED),
        "probability_of_improvement": found.probability_of_improvement,
    }


def junit_lines(changes: Changes, findings: Sequence[Finding]) -> Iterator[bytes]:
    """A test case for every condition and for the recorded numbers of both sides."""
    cases: list[tuple[str, str, bool]] = []
    for title, side in (("baseline", changes.baseline), ("new", changes.new)):
        for check in side.checks:
            cases.append((f"{title}: {check.what}", str(check), False))
    cases += [(one.name, one.text, one.failed) for one in findings]
    failures = sum(failed for _, _, failed in cases)
    numbers = f'tests="{len(cases)}" failures="{failures}" errors="0" skipped="0"'
    yield b'<?xml version="1.0" encoding="UTF-8"?>\n'
    yield _xml(f'<testsuites {numbers}>\n<testsuite name="scoring compare" {numbers}>\n')
    for name, text, failed in cases:
        yield _xml(f'<testcase classname="scoring.compare" name="{_attribute(name)}">\n')
        if failed:
            yield _xml(f'<failure message="{_attribute(text)}"/>\n')
        else:
            yield _xml(f"<system-out>{_content(text)}</system-out>\n")
        yield b"</testcase>\n"
    yield b"</testsuite>\n</testsuites>\n"


def _xml(text: str) -> bytes:
    return text.encode("utf-8")


def _content(text: str) -> str:
    clean = _NOT_XML.sub("\ufffd", text)
    return escape(clean)


def _attribute(text: str) -> str:
    return escape(_NOT_XML.sub("\ufffd", text), _IN_ATTRIBUTES)
