"""The verdict of a gate as one line of JSON, for a comment in a pipeline."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from formats.schema.remarks import remark_records
from scoring.drawing import percent, probability
from scoring.drawing.blocks import Table
from scoring.drawing.data import head_of, json_text
from scoring.drawing.markup import escaped, markdown_table
from scoring.regression.task_figures import TASKS
from scoring.regression.verdict import (
    FAILED,
    NO_CONDITION,
    NOTHING_CHECKED,
    PASSED,
    UNDECIDED,
    Finding,
    has_passed,
)

if TYPE_CHECKING:
    from formats.schema.remarks import AnyMessage

HEADINGS = ("", "baseline", "new", "change", "interval", "p")
SCHEMA, SCHEMA_VERSION = "sclite-kit/gate", 1


def summary_line(
    record: Mapping[str, Any],
    findings: Sequence[Finding],
    also_failed: str = "",
    remarks: Iterable[AnyMessage] = (),
) -> bytes:
    """Return the verdict as one line of JSON; its member `comment` is Markdown.

    The comment has the verdict and, if `record` has them, the values of both sides. A text in
    `also_failed` is a further reason for failure.
    """
    failures = [finding for finding in findings if finding.failed]
    failed = bool(failures or also_failed)
    texts = [f"{finding.name}: {finding.text}" for finding in failures or findings]
    text = "; ".join([*texts, *filter(None, [also_failed])])
    is_open = any(finding.undecided for finding in findings)
    outcome = FAILED if failed else UNDECIDED if is_open else PASSED
    if not (findings or failed):
        outcome, text = NO_CONDITION, NOTHING_CHECKED
    comment = [f"**{outcome}**" + f" {escaped(text)}" * bool(text), *_table_lines(record)]
    document = {
        **head_of(SCHEMA, SCHEMA_VERSION),
        "passed": False if failed else has_passed(findings),
        **record,
        "remarks": remark_records(remarks),
        "findings": [finding.record() for finding in findings],
        "comment": "\n".join(comment),
    }
    return json_text(document).encode() + b"\n"


def _table_lines(record: Mapping[str, Any]) -> Iterator[str]:
    """Yield an empty line and a table with a row for each comparison.

    Without comparisons, yield nothing.
    """
    rows = record.get("sets", [record])
    compared = [(*_row(each), each.get("outcome", "")) for each in rows if "new_value" in each]
    if compared:
        has_verdicts = "sets" in record
        headings = (*HEADINGS, "verdict") if has_verdicts else HEADINGS
        yield ""
        yield from markdown_table(Table(headings, [row[: len(headings)] for row in compared]))


def _row(summary: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the name, both values, the change, its interval and its p-value as cells."""
    figures = TASKS[summary["task"]].figures
    figure = next(figure for figure in figures if figure.name == summary["metric"])
    is_rate = figure.form == "percent"

    def signed(change: float | None) -> str:
        return percent(change, sign="+") if is_rate else figure.text(change)

    interval, p_value = summary["interval"], summary["p_value"]
    limits = [] if interval is None else [signed(interval[side]) for side in ("low", "high")]
    return (
        summary.get("set", summary["new"]),
        *(figure.text(summary[side]) + " %" * is_rate for side in ("baseline_value", "new_value")),
        signed(summary["change"]),
        " to ".join(limits) or "n/a",
        probability(p_value),
    )
