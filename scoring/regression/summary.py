"""The verdict of a gate as one line of JSON, for a comment in a pipeline."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from formats.schema.remarks import remark_records
from scoring.drawing.data import head_of, json_text
from scoring.drawing.markup import escaped
from scoring.regression.verdict import FAILED, PASSED, UNDECIDED, Finding

if TYPE_CHECKING:
    from formats.schema.remarks import AnyMessage

SCHEMA, SCHEMA_VERSION = "sclite-kit/gate", 1


def summary_line(
    record: Mapping[str, Any],
    findings: Sequence[Finding],
    also_failed: str = "",
    remarks: Iterable[AnyMessage] = (),
) -> bytes:
    """Return the verdict as one line of JSON; the member `comment` is a line of Markdown."""
    failures = [finding for finding in findings if finding.failed]
    failed = bool(failures or also_failed)
    texts = [f"{finding.name}: {finding.text}" for finding in failures or findings]
    text = "; ".join([*texts, *filter(None, [also_failed])])
    is_open = any(finding.undecided for finding in findings)
    outcome = FAILED if failed else UNDECIDED if is_open else PASSED
    document = {
        **head_of(SCHEMA, SCHEMA_VERSION),
        "passed": not failed,
        **record,
        "remarks": remark_records(remarks),
        "findings": [finding.record() for finding in findings],
        "comment": f"**{outcome}**" + f" {escaped(text)}" * bool(text),
    }
    return json_text(document).encode() + b"\n"
