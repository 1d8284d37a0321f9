"""`formats validate`: read files and report what is wrong with them, as text or as JSON.

All bad records of a file are reported, not only the first. Exit status: 0 nothing but notes,
3 warnings, 2 errors.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence

from formats.cli.inputs import (
    InputAccount,
    for_each,
    is_usage,
    open_input,
    show_reports,
    worst,
)
from formats.diagnostics import Diagnostic
from formats.errors import FormatError
from formats.files import SegmentStream
from formats.source import Readable

OK, BAD_INPUT, WARNINGS = 0, 2, 3
JSON_VERSION = 1
FIELDS = ("severity", "code", "path", "line", "column", "message")


def run(arguments: argparse.Namespace) -> int:
    """Check each file; the exit status."""
    from formats.inputs import expand

    as_json = arguments.report_format == "json"

    def check(open_it: Callable[[], Readable], account: InputAccount) -> None:
        account.report = {"path": account.input.path, "format": None, "diagnostics": []}
        try:
            with open_input(open_it(), arguments) as segments:
                _check(segments, account, notes=arguments.notes)
        except FormatError as error:
            if is_usage(error):
                raise
            account.refuse(f"{error}")
            location = {"path": error.path, "line": error.line, "column": error.column}
            record = {"severity": "error", "code": type(error).__name__, **location}
            diagnostics = account.report["diagnostics"]
            assert isinstance(diagnostics, list)
            diagnostics.append({**record, "message": error.message})
        if as_json:
            account.messages.clear()
            account.results.clear()

    accounts = for_each(expand(arguments.files), check, arguments.jobs)
    if as_json:
        show_reports(accounts, JSON_VERSION)
    return worst(accounts)


def _check(segments: SegmentStream, account: InputAccount, *, notes: bool) -> None:
    path, name = account.input.path, segments.format
    account.format = name
    try:
        for segment in segments:
            account.segments += 1
            account.words += segment.word_count
    finally:
        diagnostics = segments.diagnostics
        reported = [diagnostic for diagnostic in diagnostics if notes or diagnostic.is_shown]
        account.messages.extend(map(str, reported))
        report: dict[str, object] = {"path": path, "format": name}
        report |= {"segments": account.segments, "words": account.words}
        account.report = {
            **report,
            "skipped": segments.skipped,
            "diagnostics": _records(diagnostics),
        }
    skipped = f", {segments.skipped} records skipped" if segments.skipped else ""
    account.results.append(
        f"{path}: {name}, {account.segments} segments, {account.words} words{skipped}"
    )
    account.status = _status(segments)
    account.lost = "findings" if account.status else ""


def _records(diagnostics: Sequence[Diagnostic]) -> list[dict[str, object]]:
    return [{name: getattr(diagnostic, name) for name in FIELDS} for diagnostic in diagnostics]


def _status(segments: SegmentStream) -> int:
    severities = {diagnostic.severity for diagnostic in segments.diagnostics}
    if segments.skipped or "error" in severities:
        return BAD_INPUT
    return WARNINGS if "warning" in severities else OK
