"""`scoring compare`: a new system against a baseline, with an exit status for pipelines."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence

from formats.command_line import CommandParser, OutputPath
from scoring.cli.reading_options import (
    ALIGNING,
    MATCHING,
    MEETINGS,
    READING,
    add_allow_empty,
    add_choices,
    add_files,
    add_meetings,
    check_meetings,
    decimal,
    options_of,
    parse_files,
    refuse_empty,
    whole_number,
)
from scoring.cli.results import (
    add_resampling_arguments,
    add_terminal_arguments,
    add_thresholds,
    check_outputs,
    lacks_sessions,
    put,
    put_pages,
    resampling_of,
    tell_of,
    warn_of_few,
)
from scoring.cli.scoring import EXCEEDED, OK, say, warn
from scoring.drawing.blocks import Block
from scoring.options import PROFILES
from scoring.regression.changes import TESTS, Request, find_changes
from scoring.regression.evidence import Evidence
from scoring.regression.exports import comparison_lines, junit_lines
from scoring.regression.layouts import holds_both
from scoring.regression.report import page_of
from scoring.regression.sides import open_side, reference_of
from scoring.regression.verdict import SIGNIFICANCE, Finding, Gate, judge

FORMS = ("json", "markdown", "html", "junit")


_probability = decimal("a number between 0 and 1", lambda value: 0 < value < 1)


def main(argv: Sequence[str]) -> int:
    """Run the command; the exit status."""
    parser = _parser()
    arguments = parse_files(parser, argv, most=2, has_reference=False)
    if len(arguments.hypotheses) < 2:
        parser.error("expected BASELINE and NEW, found one of them")
    arguments.baseline, arguments.new = arguments.hypotheses
    check_outputs(parser, *(getattr(arguments, form) for form in FORMS))
    if "-" in (arguments.baseline, arguments.new, arguments.reference):
        parser.error("standard input cannot be compared: it would have to be read twice")
    check_meetings(parser, arguments)
    options = options_of(arguments, profile=arguments.profile or "sclite")
    tags = (arguments.baseline_tag, arguments.new_tag)
    baseline = open_side(arguments.baseline, options, arguments.reference, tags[0] or "")
    reference = arguments.reference
    # two tables with the words of both sides are scored row by row
    own = baseline.kind == "manifest" and holds_both(arguments.new)
    if not (reference or own or arguments.measure):
        # where speakers are assigned, words alone are not enough
        reference = reference_of(baseline)
    new = open_side(arguments.new, options, reference, tags[1] or "")
    sides = (baseline, new)
    for side, tag, flag in zip(sides, tags, ("--baseline-tag", "--new-tag"), strict=True):
        if tag is not None and side.kind != "run":
            parser.error(f"{flag}: expected a history of runs, found {side.kind}: {side.name}")
    if arguments.normalize and any(side.kind != "transcripts" for side in sides):
        parser.error("--normalize needs transcripts on both sides: recorded words are as they are")
    for side in sides:
        tell_of(side.rates, arguments, f"{side.name}: ")
        for check in side.checks:
            if not check.equal:
                warn(f"{check}: our numbers are not the recorded ones")
    ours = arguments.profile is not None or all(side.kind == "transcripts" for side in sides)
    request = Request(
        options.rules() if ours else None,
        arguments.common_only,
        arguments.references_may_differ,
        arguments.test,
        arguments.block,
        resampling_of(arguments),
    )
    changes = find_changes(sides[0], sides[1], request)
    if changes.of_sessions:
        warn_of_few(changes.new.name, len(changes.common))
    shared = min(changes.total.baseline.reference_tokens, changes.total.new.reference_tokens)
    refuse_empty(shared, f"{changes.noun}s of both {sides[0].name} and {sides[1].name}", arguments)
    gate = Gate(
        [*arguments.fail_above, *arguments.fail_increase],
        arguments.significance if arguments.fail_if_significant else None,
        arguments.fail_if_recorded_differs,
    )
    findings = judge(changes, gate)
    page = page_of(changes, findings, arguments.show)
    failed = _deliver(sides, page, comparison_lines(changes, findings), findings, arguments)
    lacking = any(lacks_sessions(side.rates, arguments) for side in sides)
    return EXCEEDED if failed or lacking else OK


def _deliver(
    sides: Sequence[Evidence],
    page: Iterable[Block],
    record: Iterable[bytes],
    findings: Sequence[Finding],
    arguments: argparse.Namespace,
) -> bool:
    """Write the reports and tell what failed; whether anything did."""
    if arguments.json is not None:
        put(arguments.json, record)
    if arguments.junit is not None:
        put(arguments.junit, junit_lines(sides, findings))
    put_pages(list(page), f"{sides[1].name} against {sides[0].name}", arguments, FORMS)
    failed = [finding for finding in findings if finding.failed]
    for finding in failed:
        say(f"{finding.name}: {finding.text}")
    return bool(failed)


def _parser() -> argparse.ArgumentParser:
    parser = CommandParser(
        short_help=False,
        prog="scoring compare",
        description="Compare a new system with a baseline, after scoring both again and comparing "
        "with what was recorded.",
        epilog="A side is a result of Kaldi, ESPnet, icefall, SpeechBrain, WeNet, sclite, hubscr "
        "or NeMo, a folder or a file; a file of `scoring wer --json`; a run in a file of `scoring "
        "wer --record`; or with --reference a transcript of any format.",
    )
    add_files(parser, "BASELINE NEW", "--reference")
    reading = parser.add_argument_group("transcripts")
    alike = [name for name in ALIGNING if name != "profile"]
    add_choices(reading, [*READING, *MATCHING, *alike, "normalize", "jobs"])
    add_allow_empty(reading)
    runs = parser.add_argument_group("remembered runs")
    for side in ("baseline", "new"):
        runs.add_argument(
            f"--{side}-tag",
            metavar="RUN",
            help="which run of a history: a number, or tags, as in set=dev@latest, @first, @best "
            "(default: the latest)",
        )
    # what other partners would cost is told of one system alone
    meetings = [name for name in MEETINGS if name != "explain"]
    add_meetings(parser.add_argument_group("many speakers"), meetings)
    _add_comparing(parser)
    gate = parser.add_argument_group("exit status 3")
    add_thresholds(gate, has_baseline=True)
    gate.add_argument(
        "--fail-if-significant",
        action="store_true",
        help="the new system is worse, and the test says that is no chance",
    )
    gate.add_argument(
        "--significance",
        type=_probability,
        default=SIGNIFICANCE,
        metavar="P",
        help=f"below which p-value that is said (default: {SIGNIFICANCE})",
    )
    gate.add_argument(
        "--fail-if-recorded-differs",
        action="store_true",
        help="a recorded number is not what we compute",
    )
    return parser


def _add_comparing(parser: argparse.ArgumentParser) -> None:
    comparing = parser.add_argument_group("comparing")
    comparing.add_argument(
        "--profile",
        choices=tuple(PROFILES),
        default=None,
        help="costs and ties for both sides (default: those of the baseline)",
    )
    comparing.add_argument(
        "--common-only", action="store_true", help="leave out utterances that one side lacks"
    )
    comparing.add_argument(
        "--references-may-differ",
        action="store_true",
        help="compare even if reference words are not the same on both sides",
    )
    comparing.add_argument(
        "--test", choices=TESTS, default=TESTS[0], help=f"that decides (default: {TESTS[0]})"
    )
    add_resampling_arguments(comparing)
    reports = parser.add_argument_group("reports")
    for form, text in zip(FORMS, ("", "", "", "JUnit's XML "), strict=True):
        reports.add_argument(
            f"--{form}", type=OutputPath, metavar="FILE", help=f"{text}(-: standard output)"
        )
    reports.add_argument(
        "--show",
        type=whole_number(0),
        default=10,
        metavar="N",
        help="utterances that got worse, and better, at most (default: 10)",
    )
    add_terminal_arguments(reports)
