"""`formats validate`: read files and report their errors as text or JSON.

All invalid records of a file are reported. Exit status: 0 for notes only, 3 for warnings, 2 for
errors.
"""

from __future__ import annotations

from collections.abc import Callable

from formats.cli.inputs import InputAccount, is_usage, open_input, report_each
from formats.console import SIGNS
from formats.console.command_line import is_screen
from formats.console.telling import each_kind
from formats.io.source import Readable
from formats.reading import SegmentStream
from formats.schema.errors import FormatError
from formats.schema.remarks import remark_records
from formats.schema.summary import numbered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

OK, BAD_INPUT, WARNINGS = 0, 2, 3


def run(arguments: Namespace) -> int:
    """Check each file; return the exit status."""
    as_json = arguments.json == "-"

    def check(open_it: Callable[[], Readable], account: InputAccount) -> None:
        account.report = {"path": account.input.path, "format": None, "remarks": []}
        try:
            with open_input(open_it(), arguments) as segments:
                _check(segments, account, notes=arguments.notes)
        except FormatError as error:
            if is_usage(error):
                raise
            account.refuse(error)
            account.report["remarks"] += remark_records([error])
        if as_json:
            account.messages.clear()
            account.results.clear()

    return report_each(arguments, check, "file-problems")


def _check(segments: SegmentStream, account: InputAccount, *, notes: bool) -> None:
    path, account.format = account.input.path, segments.format
    try:
        for segment in segments:
            account.segments += 1
            account.words += segment.word_count
    finally:
        diagnostics = segments.diagnostics
        account.messages.extend(d for d in each_kind(diagnostics) if notes or d.is_shown)
        account.report = {
            "path": path,
            "format": account.format,
            "segment_count": account.segments,
            "word_count": account.words,
            "skipped": segments.skipped,
            "remarks": remark_records(diagnostics),
        }
    severities = {diagnostic.severity for diagnostic in diagnostics}
    if segments.skipped or "error" in severities:
        account.status = BAD_INPUT
    elif "warning" in severities:
        account.status = WARNINGS
    account.lost = "findings" if account.status else ""
    form = "," if is_screen() else ""
    sums = [numbered(account.segments, "segment", form), numbered(account.words, "word", form)]
    if segments.skipped:
        sums.append(f"{numbered(segments.skipped, 'record', form)} skipped")
    sign = SIGNS[not account.status] if is_screen() else ""
    account.results.append(f"{sign}{path}: {account.format}, {', '.join(sums)}")
