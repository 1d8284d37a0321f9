"""`formats validate`: read files and report what is wrong with them, as text or as JSON.

All bad records of a file are reported, not only the first. With `--nist` what NIST's own validators
of ctm, stm and rttm find is told in their words instead. Exit status: 0 nothing but notes,
3 warnings, 2 errors.
"""

from __future__ import annotations

import re

from formats.cli.inputs import as_usage, for_each, is_usage, open_input, show_reports, worst
from formats.errors import FormatError

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence

    from formats.cli.inputs import InputAccount
    from formats.diagnostics import Diagnostic
    from formats.files import SegmentStream
    from formats.source import Readable

OK, BAD_INPUT, WARNINGS = 0, 2, 3
JSON_VERSION = 1
FIELDS = ("severity", "code", "path", "line", "column", "message")
PREFIX = re.compile(r"(?:ERROR|WARNING): (?:\[line \d+\] )?|^ +")


def run(arguments: argparse.Namespace) -> int:
    """Check each file; the exit status."""
    from formats.inputs import expand

    as_json = arguments.report_format == "json"

    def check(open_it: Callable[[], Readable], account: InputAccount) -> None:
        account.report = {"path": account.input.path, "format": None, "diagnostics": []}
        try:
            if arguments.nist:
                _check_by_nist(open_it(), arguments, account)
            else:
                with open_input(open_it(), arguments) as segments:
                    _check(segments, account, notes=arguments.notes)
        except FormatError as error:
            if is_usage(error):
                raise
            account.refuse(f"{error}")
            place = {"path": error.path, "line": error.line, "column": error.column}
            one = {"severity": "error", "code": type(error).__name__, **place}
            diagnostics = account.report["diagnostics"]
            assert isinstance(diagnostics, list)
            diagnostics.append({**one, "message": error.message})
        if as_json:
            account.said.clear()
            account.shown.clear()

    accounts = for_each(expand(arguments.files), check, arguments.jobs)
    if as_json:
        show_reports(accounts, JSON_VERSION)
    return worst(accounts)


def _check_by_nist(target: Readable, arguments: argparse.Namespace, account: InputAccount) -> None:
    """What NIST's validator of the file's format finds, with lines and columns."""
    import os

    from formats.diagnostics import Diagnostic
    from formats.errors import UnknownFormatError
    from formats.nist.validators import (
        RttmChecks,
        lines_of,
        validate_ctm,
        validate_rttm,
        validate_stm,
    )
    from formats.registry import by_name, by_suffix, detect
    from formats.source import open_source

    path = account.input.path
    with open_source(target, max_bytes=arguments.max_bytes) as source:
        named = None if arguments.from_ is None else as_usage(by_name, arguments.from_)
        format_name = (named or by_suffix(source.name) or detect(source)).name
        name = os.fsencode(path)
        if format_name not in ("ctm", "stm", "rttm"):
            message = f"expected ctm, stm or rttm, which NIST validates, found {format_name}"
            raise UnknownFormatError(message, path=path)
        data = source.data()
    if format_name == "rttm":
        found = validate_rttm(data, name, RttmChecks.of_switches(arguments.nist_switches))
    else:
        validator = validate_ctm if format_name == "ctm" else validate_stm
        found = validator(data, name, arguments.nist_language)
    lines = lines_of(data)
    told = [
        Diagnostic(
            "warning" if one.is_warning else "error",
            f"NIST-{format_name.upper()}",
            PREFIX.sub("", one.text.decode(errors="backslashreplace"), 1),
            path,
            one.line,
            len(lines[one.line - 1][: one.column].decode(errors="replace")),
        )
        for one in found.findings
    ]
    account.format = format_name
    account.said.extend(map(str, told))
    account.shown.append(f"{path}: {format_name}, {len(told)} findings of NIST's validator")
    account.report = {"path": path, "format": format_name, "diagnostics": _records(told)}
    account.status = BAD_INPUT if found.status else WARNINGS if told else OK
    account.lost = f"{len(told)} findings" if told else ""


def _check(segments: SegmentStream, account: InputAccount, *, notes: bool) -> None:
    path, name = account.input.path, segments.format
    account.format = name
    try:
        for segment in segments:
            account.segments += 1
            account.words += segment.word_count
    finally:
        found = segments.diagnostics
        told = [one for one in found if notes or one.severity != "note"]
        account.said.extend(map(str, told))
        report: dict[str, object] = {"path": path, "format": name}
        report |= {"segments": account.segments, "words": account.words}
        account.report = {**report, "skipped": segments.skipped, "diagnostics": _records(found)}
    skipped = f", {segments.skipped} records skipped" if segments.skipped else ""
    account.shown.append(
        f"{path}: {name}, {account.segments} segments, {account.words} words{skipped}"
    )
    account.status = _status(segments)
    account.lost = "findings" if account.status else ""


def _records(told: Sequence[Diagnostic]) -> list[dict[str, object]]:
    return [{name: getattr(one, name) for name in FIELDS} for one in told]


def _status(segments: SegmentStream) -> int:
    severities = {diagnostic.severity for diagnostic in segments.diagnostics}
    if segments.skipped or "error" in severities:
        return BAD_INPUT
    return WARNINGS if "warning" in severities else OK
