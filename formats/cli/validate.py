"""`formats validate`: read files and report what is wrong with them, as text or as JSON.

All bad records of a file are reported, not only the first. Exit status: 0 nothing but notes,
3 warnings, 2 errors.
"""

from __future__ import annotations

from formats.cli.inputs import for_each, open_input
from formats.cli.output import say, show

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from formats.errors import FormatError
    from formats.files import SegmentStream

__all__ = ["run"]

OK, BAD_INPUT, WARNINGS = 0, 2, 3
JSON_VERSION = 1


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
        with open_input(path, arguments) as segments:
            if as_json:
                return _check_as_json(path, segments, reports)
            return _check_as_text(path, segments, notes=arguments.notes)

    status = for_each(arguments.files, check, refuse)
    if as_json:
        import json

        show(json.dumps({"version": JSON_VERSION, "files": reports}, ensure_ascii=False, indent=1))
    return status


def _check_as_text(path: str, segments: SegmentStream, *, notes: bool) -> int:
    count = words = 0
    try:
        for segment in segments:
            count += 1
            words += segment.word_count
    finally:
        for diagnostic in segments.diagnostics:
            if notes or diagnostic.severity != "note":
                say(f"{diagnostic}")
    skipped = f", {segments.skipped} records skipped" if segments.skipped else ""
    show(f"{path}: {segments.format}, {count} segments, {words} words{skipped}")
    return _status(segments)


def _check_as_json(path: str, segments: SegmentStream, reports: list[dict[str, object]]) -> int:
    diagnostics: list[dict[str, object]] = []
    report: dict[str, object] = {"path": path, "format": segments.format}
    reports.append(report)
    count = words = 0
    try:
        for segment in segments:
            count += 1
            words += segment.word_count
    finally:
        for found in segments.diagnostics:
            names = ("severity", "code", "path", "line", "column", "message")
            diagnostics.append({name: getattr(found, name) for name in names})
        report.update(
            segments=count, words=words, skipped=segments.skipped, diagnostics=diagnostics
        )
    return _status(segments)


def _status(segments: SegmentStream) -> int:
    severities = {diagnostic.severity for diagnostic in segments.diagnostics}
    if segments.skipped or "error" in severities:
        return BAD_INPUT
    return WARNINGS if "warning" in severities else OK
