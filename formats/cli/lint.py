"""`formats lint`: check subtitles by the rules of a style guide.

Exit status: 0 if every rule is met, 3 if there are findings, 2 for errors.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

from formats.cli.idle import tell_frames_idle
from formats.cli.inputs import InputAccount, open_input, report_each
from formats.cli.messages import LINES_UNCHECKED, NO_SUBTITLES
from formats.console.telling import tells_remarks
from formats.io.source import Readable
from formats.reading.files import SegmentStream
from formats.schema.diagnostics import Diagnostic
from formats.schema.errors import FormatError, located
from formats.schema.messages import Message
from formats.schema.times import SECOND
from formats.subtitles.rules import RuleSet, ShownCue, check_cues, rules_named, shown_cues

BAD_INPUT, FINDINGS = 2, 3
MILLISECOND = 1_000_000
PRECISIONS = {"ass": 10, "subviewer": 10, "lrc": 10, "mpl2": 100}
"""Precision of times, in milliseconds, of formats that round to more than one millisecond."""


def run(arguments: argparse.Namespace) -> int:
    """Check each file; return the exit status."""
    rules = rules_named(arguments.rules, arguments.rules_language)
    as_json = arguments.json == "-"
    # a viewer sees repeated text, too
    arguments.dedupe_youtube = False

    def check(open_it: Callable[[], Readable], account: InputAccount) -> None:
        with open_input(open_it(), arguments) as segments:
            try:
                _check(segments, rules, arguments.video_fps, account)
            finally:
                account.take_remarks(segments)
                if as_json:
                    account.results.clear()

    if rules.least_gap_frames is None:
        tell_frames_idle(arguments)
    return report_each(arguments, check, "subtitle-findings")


def _check(
    segments: SegmentStream, rules: RuleSet, frames_per_second: float, account: InputAccount
) -> None:
    path, account.format = account.input.path, segments.format
    has_lines = "lines" in segments.spec.properties
    cues = list(shown_cues(segments, by_line=account.format == "vtt", has_lines=has_lines))
    if not has_lines and not any(cue.lines for cue in cues):
        raise FormatError(value=Message(NO_SUBTITLES, {"format": account.format}), path=path)
    precision = PRECISIONS.get(account.format, 1) * MILLISECOND
    findings = check_cues(cues, rules, precision=precision, frames_per_second=frames_per_second)
    unchecked = sum(not cue.has_lines for cue in cues)
    account.segments = len(cues)
    for finding in findings:
        text = f"cue {finding.cue}: {finding.message} [{finding.code}]"
        account.results.append(located(path, finding.line, None, text))
    if tells_remarks():
        account.results.append(
            f"{path}: {rules.full_title}, {len(cues)} cues, findings: {len(findings)}"
        )
    if unchecked:
        account.messages.append(Diagnostic(Message(LINES_UNCHECKED, {"cues": unchecked}), path))
    account.report = {
        "path": path,
        "format": account.format,
        "rule_set": rules.title,
        "language": rules.language or None,
        "cues": len(cues),
        "skipped": segments.skipped,
        "cues_without_lines": unchecked,
        "end": max((cue.end_ns or 0 for cue in cues), default=0) / SECOND,
        "findings": [{**finding.record(), **_times(cues[finding.cue - 1])} for finding in findings],
        "shown": [
            {
                "cue": cue.number,
                "line": cue.line,
                **_times(cue),
                "character_count": cue.characters,
                "word_count": cue.words,
                "text": "\n".join(cue.lines),
            }
            for cue in cues
        ],
    }
    account.status = BAD_INPUT if segments.skipped else FINDINGS if findings else account.status
    account.lost = "findings" if account.status else ""


def _times(cue: ShownCue) -> dict[str, float | None]:
    """Return the begin and the end of a cue in seconds, for JSON."""
    return {
        name: None if nanoseconds is None else nanoseconds / SECOND
        for name, nanoseconds in (("start", cue.start_ns), ("end", cue.end_ns))
    }
