"""`formats lint`: check subtitles by the rules of a style guide.

Exit status: 0 if every rule is met, 3 if there are findings, 2 for errors.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

from formats.cli.idle import tell_frames_idle
from formats.cli.inputs import InputAccount, open_input, report_each
from formats.cli.messages import (
    LIMITS_OF_FILE,
    LIMITS_OF_SHELL,
    LINES_UNCHECKED,
    NO_LIMITS_OF_FILE,
    NO_SUBTITLES,
)
from formats.console.telling import tells_remarks
from formats.io.source import Readable, split_language
from formats.reading import SegmentStream
from formats.schema.diagnostics import Diagnostic
from formats.schema.errors import FormatError, located
from formats.schema.messages import Message
from formats.schema.model import Segment
from formats.schema.times import SECOND
from formats.subtitles.rules import (
    LANGUAGES,
    RuleSet,
    ShownCue,
    check_cues,
    in_language,
    languages_of,
    rules_named,
    shown_cues,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

BAD_INPUT, FINDINGS = 2, 3
MILLISECOND = 1_000_000
PRECISIONS = {"ass": 10, "subviewer": 10, "lrc": 10, "mpl2": 100}
"""Precision of times, in milliseconds, of formats that round to more than one millisecond."""


def run(arguments: Namespace) -> int:
    """Check each file; return the exit status."""
    rules = rules_named(arguments.rules, arguments.rules_language)
    as_json = arguments.json == "-"
    # a viewer sees repeated text, too
    arguments.dedupe_youtube = False

    def check(open_it: Callable[[], Readable], account: InputAccount) -> None:
        with open_input(open_it(), arguments) as segments:
            try:
                _check(segments, rules, arguments, account)
            finally:
                account.take_remarks(segments)
                if as_json:
                    account.results.clear()

    if rules.least_gap_frames is None:
        tell_frames_idle(arguments)
    return report_each(arguments, check, "subtitle-findings")


class _Languages:
    """The languages that a file says it has: in its text, or in its name such as talk.de.srt."""

    def __init__(self, segments: SegmentStream, path: str) -> None:
        self.segments = segments
        stem = os.path.splitext(os.path.basename(path))[0]
        self.tag = split_language(stem)[1]
        self.named: set[str] = set()

    def __iter__(self) -> Iterator[Segment]:
        for segment in self.segments:
            if language := segment.get("language"):
                self.named.add(language)
            yield segment

    @property
    def only(self) -> str:
        """The only language of the file; empty if it is unknown or if there are several."""
        named = self.named or {*filter(None, [self.tag])}
        return next(iter(named)) if len(named) == 1 else ""


def _of_language(rules: RuleSet, language: str) -> tuple[RuleSet, Message | None]:
    """Return the limits for the language of a file, with a note if they need an explanation.

    Without a language of the file, that of the shell is a hint only.
    """
    if language:
        code = language.lower().partition("-")[0]
        if code == rules.language:
            return rules, None
        if code in languages_of(rules):
            rules = in_language(rules, code)
            return rules, Message(LIMITS_OF_FILE, {"language": _named(code)})
        usual, guide = _named(rules.language), rules.title
        return rules, Message(
            NO_LIMITS_OF_FILE, {"language": usual, "guide": guide, "found": language}
        )
    names = (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    code = next(filter(None, names), "").partition("_")[0].lower()
    if code == rules.language or code not in languages_of(rules):
        return rules, None
    usual, found = _named(rules.language), _named(code)
    return rules, Message(LIMITS_OF_SHELL, {"language": usual, "found": found, "code": code})


def _named(code: str) -> str:
    return LANGUAGES.get(code, code)


def _check(
    segments: SegmentStream, rules: RuleSet, arguments: Namespace, account: InputAccount
) -> None:
    path, account.format = account.input.path, segments.format
    has_lines = "lines" in segments.spec.properties
    languages = _Languages(segments, path)
    cues = list(shown_cues(languages, by_line=account.format == "vtt", has_lines=has_lines))
    if not arguments.rules_language and not arguments.rules.startswith("@"):
        rules, note = _of_language(rules, languages.only)
        account.messages += [Diagnostic(note, path)] if note is not None else []
    if not has_lines and not any(cue.lines for cue in cues):
        raise FormatError(value=Message(NO_SUBTITLES, {"format": account.format}), path=path)
    precision = PRECISIONS.get(account.format, 1) * MILLISECOND
    findings = check_cues(cues, rules, precision=precision, frames_per_second=arguments.video_fps)
    unchecked = sum(not cue.has_lines for cue in cues)
    account.segments = len(cues)
    for finding in findings:
        text = f"cue {finding.cue}: {finding.message} [{finding.code}]"
        account.results.append(located(path, finding.line, None, text))
    if tells_remarks():
        size = f"{len(cues)} cue{'s' * (len(cues) != 1)}"
        account.results.append(f"{path}: {rules.full_title}, {size}, findings: {len(findings)}")
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
