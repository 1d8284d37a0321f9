"""`formats validate`: read files and report what is wrong with them, as text or as JSON.

All bad records of a file are reported, not only the first. With `--nist` what NIST's own validators
of ctm, stm and rttm find is told in their words instead. Exit status: 0 nothing but notes,
3 warnings, 2 errors.
"""

from __future__ import annotations

import re

from formats.cli.inputs import as_usage, for_each, open_input
from formats.cli.output import say, show

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from formats.errors import FormatError
    from formats.files import SegmentStream

__all__ = ["run"]

OK, BAD_INPUT, WARNINGS = 0, 2, 3
JSON_VERSION = 1
FIELDS = ("severity", "code", "path", "line", "column", "message")
PREFIX = re.compile(r"(?:ERROR|WARNING): (?:\[line \d+\] )?|^ +")


def run(arguments: argparse.Namespace) -> int:
    """Check each file; the exit status."""
    reports: list[dict[str, object]] = []
    as_json = arguments.output == "json"

    def refuse(path: str, error: FormatError) -> None:
        if not as_json:
            say(f"{error}")
            return
        if not reports or reports[-1]["path"] != path:
            reports.append({"path": path, "format": None, "diagnostics": []})
        diagnostics = reports[-1]["diagnostics"]
        assert isinstance(diagnostics, list)
        place = {"path": error.path, "line": error.line, "column": error.column}
        code = type(error).__name__
        diagnostics.append({"severity": "error", "code": code, **place, "message": error.message})

    def check(path: str) -> int:
        made = reports if as_json else None
        if arguments.nist:
            return _check_by_nist(path, arguments, made)
        with open_input(path, arguments) as segments:
            return _check(path, segments, made, notes=arguments.notes)

    status = for_each(arguments.files, check, refuse)
    if as_json:
        import json

        show(json.dumps({"version": JSON_VERSION, "files": reports}, ensure_ascii=False, indent=1))
    return status


def _check_by_nist(
    path: str, arguments: argparse.Namespace, reports: list[dict[str, object]] | None
) -> int:
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

    with open_source(path, max_bytes=arguments.max_bytes) as source:
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
    if reports is None:
        for diagnostic in told:
            say(f"{diagnostic}")
        show(f"{path}: {format_name}, {len(told)} findings of NIST's validator")
    else:
        diagnostics = [{field: getattr(one, field) for field in FIELDS} for one in told]
        reports.append({"path": path, "format": format_name, "diagnostics": diagnostics})
    return BAD_INPUT if found.status else WARNINGS if told else OK


def _check(
    path: str, segments: SegmentStream, reports: list[dict[str, object]] | None, *, notes: bool
) -> int:
    count = words = 0
    try:
        for segment in segments:
            count += 1
            words += segment.word_count
    finally:
        found = segments.diagnostics
        if reports is None:
            for diagnostic in found:
                if notes or diagnostic.severity != "note":
                    say(f"{diagnostic}")
        else:
            report: dict[str, object] = {"path": path, "format": segments.format}
            report |= {"segments": count, "words": words, "skipped": segments.skipped}
            told = [{name: getattr(one, name) for name in FIELDS} for one in found]
            reports.append({**report, "diagnostics": told})
    if reports is None:
        skipped = f", {segments.skipped} records skipped" if segments.skipped else ""
        show(f"{path}: {segments.format}, {count} segments, {words} words{skipped}")
    return _status(segments)


def _status(segments: SegmentStream) -> int:
    severities = {diagnostic.severity for diagnostic in segments.diagnostics}
    if segments.skipped or "error" in severities:
        return BAD_INPUT
    return WARNINGS if "warning" in severities else OK
