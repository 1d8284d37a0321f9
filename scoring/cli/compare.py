"""`scoring compare`: a new system against a baseline, with an exit status for pipelines."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence

from scoring.cli import flags, results
from scoring.cli.scoring import EXCEEDED, OK, say, warn
from scoring.drawing.blocks import Block
from scoring.options import PROFILES, Options
from scoring.regression.changes import TESTS, Request, find_changes
from scoring.regression.evidence import Evidence
from scoring.regression.exports import comparison_lines, junit_lines
from scoring.regression.layouts import holds_both
from scoring.regression.report import page_of
from scoring.regression.sides import open_side, reference_of
from scoring.regression.verdict import SIGNIFICANCE, Finding, Gate, judge
from scoring.regression.wordless import (
    WordlessSide,
    compare_wordless,
    judge_wordless,
    side_of_evidence,
    wordless_lines,
    wordless_page,
    wordless_run,
)

RUN = "run of a history: a number or tags, for example set=dev@latest, @first, @best"
TABLE = f"""
[transcripts]
@reading matching cut like unit ignore_case forgive_optional merge_compounds normalize jobs
{flags.ALLOW_EMPTY}
[remembered runs]
--baseline-tag RUN  {RUN} (default: the latest)
--new-tag RUN  {RUN} (default: the latest)
[measures]
@measures measure_options
[many speakers]
@measure collar reference_times hypothesis_times
{flags.SEARCHES}
[comparing]
--profile  costs and ties for both sides (default: those of the baseline)
* --common-only  skip utterances that one side lacks
--references-may-differ  compare even if the reference words differ
* --test  test that decides (default: {TESTS[0]})
{results.BLOCKS}
[reports]
* --json >FILE  write JSON (-: stdout)
--markdown >FILE  write Markdown (-: stdout)
* --html >FILE  write a page (-: stdout)
--junit >FILE  write JUnit's XML (-: stdout)
--show N  list at most N utterances that got worse, and N that got better (default: 10)
{results.TERMINAL}
[gate (exit status 3)]
{results.ABOVE}
* --fail-increase 5%|0.5pt ...  exit with status 3 if the error rate is more than 5%% (relative) or
  0.5 percentage points above that of the baseline (repeatable)
{results.LIMIT}
* --fail-if-significant  fail if the new system is significantly worse
--significance P  largest p-value of a significant difference (default: {SIGNIFICANCE})
--fail-if-recorded-differs  fail if a recorded number differs from the computed one
"""

SIDES = "BASELINE NEW"
EPILOG = (
    "A side is a result of Kaldi, ESPnet, icefall, SpeechBrain, WeNet, sclite, hubscr or NeMo, a "
    "folder or a file; a file of `scoring wer --json`; a run in a file of `scoring wer --record`; "
    "or with --reference a transcript of any format."
)
_probability = flags.decimal("a number between 0 and 1", lambda value: 0 < value < 1)
KINDS = {
    **results.KINDS,
    "profile": tuple(PROFILES),
    "test": {"choices": TESTS, "default": TESTS[0]},
    "N": {"type": flags.whole_number(0), "default": 10},
    "P": {"type": _probability, "default": SIGNIFICANCE},
}


def main(argv: Sequence[str]) -> int:
    """Run the command; the exit status."""
    title = "Compare a new system with a baseline, after scoring both again."
    parser = flags.command_parser("compare", title, TABLE, sides=SIDES, epilog=EPILOG, **KINDS)
    arguments = flags.parse_files(parser, argv, most=2, has_reference=False)
    if len(arguments.hypotheses) < 2:
        parser.error("expected BASELINE and NEW, found only one")
    arguments.baseline, arguments.new = arguments.hypotheses
    results.check_outputs(parser, arguments)
    if "-" in (arguments.baseline, arguments.new, arguments.reference):
        parser.error("expected files, found standard input (-), which can be read only once")
    flags.check_meetings(parser, arguments)
    options = flags.options_of(arguments, profile=arguments.profile or "sclite")
    tags = (arguments.baseline_tag, arguments.new_tag)
    if any(
        runs := [
            wordless_run(path, tag or "")
            for path, tag in zip(arguments.hypotheses, tags, strict=True)
        ]
    ):
        return _compare_wordless(parser, arguments, options, runs)
    baseline = open_side(arguments.baseline, options, arguments.reference, tags[0] or "")
    reference = arguments.reference
    # two tables with the words of both sides are scored row by row
    holds_words = baseline.kind == "manifest" and holds_both(arguments.new)
    if not (reference or holds_words or arguments.measure):
        # where speakers are assigned, words alone are not enough
        reference = reference_of(baseline)
    new = open_side(arguments.new, options, reference, tags[1] or "")
    sides = (baseline, new)
    _check_sides(parser, arguments, sides)
    for side in sides:
        results.print_remarks(side.rates, arguments, f"{side.name}: ")
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
        results.resampling_of(arguments),
        options if options.measures else None,
    )
    changes = find_changes(sides[0], sides[1], request)
    if changes.of_sessions:
        results.warn_of_few(changes.new.name, len(changes.common))
    shared = min(changes.total.baseline.reference_tokens, changes.total.new.reference_tokens)
    flags.refuse_empty(
        shared, f"{changes.noun}s of both {sides[0].name} and {sides[1].name}", arguments
    )
    findings = judge(changes, _gate_of(arguments))
    page = page_of(changes, findings, arguments.show)
    failed = _deliver(sides, page, comparison_lines(changes, findings), findings, arguments)
    lacking = any(results.lacks_sessions(side.rates, arguments) for side in sides)
    return EXCEEDED if failed or lacking else OK


def _gate_of(arguments: argparse.Namespace) -> Gate:
    """What must not happen, by the flags."""
    return Gate(
        [*arguments.fail_above, *arguments.fail_increase],
        arguments.significance if arguments.fail_if_significant else None,
        arguments.fail_if_recorded_differs,
        arguments.fail_measure,
    )


def _compare_wordless(
    parser: argparse.ArgumentParser,
    arguments: argparse.Namespace,
    options: Options,
    runs: Sequence[WordlessSide | None],
) -> int:
    """Compare sides of which at least one has no words; the exit status."""
    if arguments.measures or arguments.measure:
        lacking = next(run.name for run in runs if run is not None)
        parser.error(f"--measures and --measure need words: {lacking} has none")
    tags = (arguments.baseline_tag, arguments.new_tag)
    paths = (arguments.baseline, arguments.new)
    old, new = (
        run or side_of_evidence(open_side(path, options, arguments.reference, tag or ""))
        for run, path, tag in zip(runs, paths, tags, strict=True)
    )
    result = compare_wordless(
        old,
        new,
        [arguments.test, *(test for test in TESTS if test != arguments.test)],
        arguments.block,
        results.resampling_of(arguments),
        references_may_differ=arguments.references_may_differ,
    )
    findings = judge_wordless(result, _gate_of(arguments))
    page, record = wordless_page(result, findings), wordless_lines(result, findings)
    return EXCEEDED if _deliver((old, new), page, record, findings, arguments) else OK


def _check_sides(
    parser: argparse.ArgumentParser, arguments: argparse.Namespace, sides: Sequence[Evidence]
) -> None:
    """Reject flags that do not apply to what the sides hold."""
    for side, flag in zip(sides, ("--baseline-tag", "--new-tag"), strict=True):
        tag = getattr(arguments, flag[2:].replace("-", "_"))
        if tag is not None and side.kind != "run":
            parser.error(f"{flag}: expected a history of runs, found {side.kind}: {side.name}")
    if arguments.normalize and any(side.kind != "transcripts" for side in sides):
        parser.error("--normalize needs transcripts on both sides: recorded words cannot change")
    like = arguments.like
    if like is not None and any(side.rates.rules.like != like for side in sides):
        parser.error(f"--like {like} needs transcripts, or results of this recipe, on both sides")


def _deliver(
    sides: Sequence[Evidence | WordlessSide],
    page: Iterable[Block],
    record: Iterable[bytes],
    findings: Sequence[Finding],
    arguments: argparse.Namespace,
) -> bool:
    """Write the reports and print what failed; whether anything did."""
    if arguments.json is not None:
        results.put(arguments.json, record)
    if arguments.junit is not None:
        results.put(arguments.junit, junit_lines(sides, findings))
    results.put_pages(list(page), f"{sides[1].name} against {sides[0].name}", arguments)
    failed = [finding for finding in findings if finding.failed]
    for finding in failed:
        say(f"{finding.name}: {finding.text}")
    return bool(failed)
