"""Reports of the changes between two results of a task, for people and programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from scoring.drawing.blocks import Block, Heading, Items, Table
from scoring.drawing.data import head_of, json_file
from scoring.drawing.numbers import p_text
from scoring.regression.report import lead_of, verdict_blocks
from scoring.regression.tasks import UNITS, TaskChange, TaskChanges
from scoring.regression.verdict import Finding

SCHEMA, SCHEMA_VERSION = "sclite-kit/task-comparison", 1


def page_of_tasks(changes: TaskChanges, findings: Sequence[Finding]) -> Iterator[Block]:
    """Yield the page of a comparison."""
    noun = UNITS[changes.baseline.task]
    main, figure = changes.numbers[0].difference, changes.numbers[0].figure
    if figure.form == "percent":
        yield lead_of(summary_of_tasks(changes), f"fewer than two {noun}s", figure.better)
    sides = [f"baseline: {changes.baseline.name}", f"new: {changes.new.name}"]
    yield from (Heading("Results"), Items(sides))
    rows = []
    for number in changes.numbers:
        figure = number.figure
        values = map(figure.text, (number.baseline, number.new, number.change))
        rows.append((figure.heading, *values, _interval(number)))
    headings = ("number", "baseline", "new", "change", "interval")
    lines = [f"{len(changes.units)} {noun}s"]
    if main is not None:
        lines.append(f"intervals: {main.how()}")
    for test in changes.tests:
        value = "not made" if test.p_value is None else p_text(test.p_value)
        lines.append(f"{test.name}: {value} ({test.remark})")
    lines.append(f"signature: {changes.baseline.signature}")
    yield from (Heading("Change"), Table(headings, rows), Items(lines))
    yield from verdict_blocks(findings)


def _interval(number: TaskChange) -> str:
    if number.difference is None:
        return "n/a"
    return number.difference.bounds(number.figure.text)


def task_lines(changes: TaskChanges, findings: Sequence[Finding]) -> Iterator[bytes]:
    """Return the JSON text, a member a line."""
    noun = UNITS[changes.baseline.task]
    document = {
        **head_of(SCHEMA, SCHEMA_VERSION),
        "task": changes.baseline.task,
        "signature": changes.baseline.signature,
        "baseline": changes.baseline.name,
        "new": changes.new.name,
        "unit": noun,
        "units": len(changes.units),
        "numbers": [
            {
                "number": number.figure.name,
                "better": number.figure.better,
                "baseline": number.baseline,
                "new": number.new,
                "change": number.change,
                "interval": None if number.difference is None else number.difference.record(),
            }
            for number in changes.numbers
        ],
        "tests": [
            {"name": test.name, "p_value": test.p_value, "remark": test.remark}
            for test in changes.tests
        ],
        "findings": [finding._asdict() for finding in findings],
        "passed": not any(finding.failed for finding in findings),
    }
    return json_file(document)


def summary_of_tasks(changes: TaskChanges) -> dict[str, Any]:
    """Return the change of the main number in short, for `summary_line`."""
    main, test = changes.numbers[0], changes.tests[0]
    relative = None
    if main.change is not None and main.baseline:
        relative = main.change / main.baseline
    return {
        "task": changes.baseline.task,
        "baseline": changes.baseline.name,
        "new": changes.new.name,
        "number": main.figure.name,
        "baseline_value": main.baseline,
        "new_value": main.new,
        "change": main.change,
        "relative": relative,
        "interval": None if main.difference is None else list(main.difference.limits),
        "flag": (main.difference and main.difference.flag) or None,
        "test": test.name,
        "p_value": test.p_value,
        "runs": [1, 1],
        "signature": changes.baseline.signature,
    }
