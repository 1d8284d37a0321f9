"""`scoring compare`: compare a new system with a baseline; the exit status is the verdict."""

from __future__ import annotations

import argparse
from collections.abc import Collection, Iterable, Sequence
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from formats.console.command_line import CommandTable, InputPath
from formats.console.telling import told_remarks
from formats.io.progress import is_heard
from formats.schema.messages import Advice
from scoring.cli import flags, gates, messages, results
from scoring.cli.flags import NEEDS, tell_idle
from scoring.cli.regression import comparing
from scoring.cli.scoring import EXCEEDED, OK, tell
from scoring.options import FIELDS
from scoring.regression.allowances import ALLOWANCES, RULES
from scoring.regression.changes import TESTS, Request, compare_versions
from scoring.regression.conditions import parse_measure
from scoring.regression.equivalence import parse_margin
from scoring.regression.evidence import RECORDS, ScoredVersion
from scoring.regression.exports import comparison_lines, junit_lines, summary_of
from scoring.regression.first_screen import first_screen, log_of
from scoring.regression.opening import VersionRequest, chosen_rules, open_versions
from scoring.regression.report import page_of
from scoring.regression.unit_changes import Changes, compare_units
from scoring.regression.verdict import Finding, Gate, judge
from scoring.stats.deciding import SIGNIFICANCE

if TYPE_CHECKING:
    from scoring.drawing.blocks import Block
    from scoring.drawing.text import Appearance

MOST_SHOWN = 10  # worse, and better, utterances in files
POSITIONS = "for example set=dev@latest, @accepted, @first or @best"
TABLE = f"""
[transcripts]
{flags.COLUMNS}@reading match matching -missing where cut shift like aligning normalize jobs
@by metadata metadata_key bins
{flags.ALLOW_EMPTY}
[several runs of each system, if its results vary from run to run]
--baseline FILE ...  another run of the baseline, besides BASELINE (repeatable)
--new FILE ...  another run of the new system, besides NEW (repeatable)
[runs of a history file]
--baseline-tag RUN  the baseline, if it is in a history file: the number or the tags of its run,
  {POSITIONS} (default: the run accepted last, which has the tag pinned=yes; if there is none, the
  latest)
--new-tag RUN  the new system, if it is in a history file: the number or the tags of its run,
  {POSITIONS} (default: the latest)
[measures]
@measures measure_options
[many speakers]
@meetings -explain
{flags.SEARCHES}
[comparing]
--allow
--test
{results.BLOCKS}
[reports]
* --json
--markdown
* --html
--junit
--show
--details  print the whole report, with all tests, alignments and records (default: a short
  report; files get the whole)
{results.TERMINAL}
[gate (exit status 3)]
{results.ABOVE}
{results.INCREASES}
--fail-measure
* --fail-if-significant  fail if the new system is significantly worse
{flags.TOGETHER}
--equal-within AMOUNT  require that the rate changes by less than AMOUNT, for example 0.3pt or 2%%:
  the condition passes if the whole confidence interval of the change is within AMOUNT, fails if the
  new system is significantly worse, and is otherwise undecided
--undecided {{pass,fail}}  result of a condition if the change is beyond the limit but may be
  chance, or if no test was possible (default: pass, shown as UNDECIDED); to set the result of one
  condition, append :undecided-fails or :undecided-passes to its value
--significance P  largest p-value of a significant difference, also for --fail-increase
  5%%:significant (default: {SIGNIFICANCE})
--fail-if-recorded-differs  exit with status 3 if a number recorded in the results differs from the
  number computed from them
--fail-if-missing  exit with status 3 if the new system has no hypothesis for a reference that has
  one in the baseline
--fail-if-unchecked  exit with status 3 if a number recorded in the results could not be computed
  again
"""

SIDES = "[REF] BASELINE NEW"
EPILOG = (
    "BASELINE and NEW are each one of these: a result (file or folder) of Kaldi, ESPnet, "
    "icefall, SpeechBrain, WeNet, sclite, hubscr, fstalign or NeMo; a file of `scoring wer "
    "--json`; a run in a file of `scoring wer --record`; or, with a reference, a transcript in any "
    "format."
)
KINDS = {
    **results.KINDS,
    "allow": {"choices": ALLOWANCES},
    "fail_measure": flags.kind_of(parse_measure),
    "baseline": {"dest": "baseline_runs", "type": InputPath},
    "new": {"dest": "new_runs", "type": InputPath},
    "test": {"choices": TESTS, "default": TESTS[0]},
    "N": {"type": flags.whole_number(0)},
    "equal_within": flags.kind_of(parse_margin),
    "undecided": {"default": "pass"},
    "P": {"type": flags.share, "default": SIGNIFICANCE},
}


class PreparedComparison(NamedTuple):
    """The result of a comparison, and the gate whose conditions are to be checked."""

    arguments: argparse.Namespace
    changes: Changes
    gate: Gate
    lacks_session: bool  # whether a session was not scored as a whole


def compare_parser() -> CommandTable:
    """Return the parser of the command."""
    title = "Compare a new system with a baseline, after scoring both again."
    return flags.command_parser("compare", title, TABLE, sides=SIDES, epilog=EPILOG, **KINDS)


def main(argv: Sequence[str]) -> int:
    """Run the command; return the exit status."""
    arguments, changes, gate, lacking = compared(compare_parser(), argv)
    findings = judge(changes, gate)
    _deliver(changes, findings, arguments)
    missing = "a session was not scored as a whole" if lacking else ""
    failed = gates.close_gate(
        findings,
        arguments,
        summary_of(changes),
        missing,
        is_printed="-" not in results.targets(arguments),
    )
    return EXCEEDED if failed or lacking else OK


def compared(parser: CommandTable, argv: Sequence[str]) -> PreparedComparison:
    """Compare the sides of a command line; `scoring gate` calls this function for each set."""
    arguments = flags.parse_files(parser, argv, most=None, has_reference=False, least=0)
    given = flags.flags_given(parser, argv, arguments)
    comparing.set_columns(parser, arguments, given)
    comparing.set_versions(parser, arguments)
    results.check_outputs(parser, arguments)
    gate = comparing.gate_of(parser, arguments)
    comparing.refuse_of_means(parser, arguments, given)
    tell_idle(parser, arguments, needs={"search": NEEDS["search"]})
    comparing.choose_runs(arguments)
    options = flags.options_of(arguments)
    versions = arguments.baseline, *arguments.baseline_runs, arguments.new, *arguments.new_runs
    flags.tell_shared_files(options, versions)
    request = Request(
        None,
        arguments.allow,
        arguments.test,
        arguments.block,
        results.resampling_of(arguments),
        options if options.measures else None,
        options if options.by or options.metadata is not None else None,
        gate.equal_within,
    )
    lacking = False
    tables = comparing.task_tables(parser, arguments, given)
    if tables is None:
        opening = VersionRequest(
            options,
            given & FIELDS.keys(),
            arguments.reference,
            (arguments.baseline_tag or "", arguments.new_tag or ""),
            arguments.allow,
        )
        tables = comparing.wordless_tables(parser, arguments, given, opening)
    if tables is not None:
        changes = compare_units(tables[0], tables[1], request)
    else:
        changes, lacking = _compare_words(parser, arguments, opening, request)
    signatures = [side.signature.partition("|v:")[0] for side in (changes.baseline, changes.new)]
    if RULES in arguments.allow and signatures[0] != signatures[1]:
        fields = dict(zip(("baseline", "new"), signatures, strict=True))
        tell(messages.Message(messages.OTHER_RULES, fields))
    if changes.noun == "session":
        results.warn_of_few(changes.new.name, len(changes.units))
    shared = min(changes.total.baseline.size, changes.total.new.size)
    names = changes.baseline.name, changes.new.name
    flags.refuse_empty(int(shared > 0), f"{changes.noun}s of both {' and '.join(names)}", arguments)
    if gate.judges:
        gates.refuse_guesses()
    return PreparedComparison(arguments, changes, gate, lacking)


def _compare_words(
    parser: CommandTable,
    arguments: argparse.Namespace,
    opening: VersionRequest,
    request: Request,
) -> tuple[Changes, bool]:
    """Compare systems with words.

    The second result is True if a session was not scored as a whole.
    """
    runs = arguments.baseline_runs, arguments.new_runs
    if "-" in (arguments.baseline, arguments.new, arguments.reference, *runs[0], *runs[1]):
        parser.error(
            "expected files, found standard input (-), which can be read only once: save it to a "
            "file"
        )
    if is_heard():
        from scoring.cli.passes import expect_comparison

        every = [arguments.baseline, *runs[0], arguments.new, *runs[1]]
        expect_comparison(arguments.reference, every, opening.options)
    versions = open_versions([arguments.baseline, *runs[0]], [arguments.new, *runs[1]], opening)
    sides = (versions[0][0], versions[1][0])
    _check_sides(parser, arguments, sides)
    told_keys = results.tell_of_several(
        (*side.rates.remarks, *side.notes) for side in chain(*versions)
    )
    for side in chain(*versions):
        _print_remarks(side, arguments, told_keys)
    results.tell_missing_speakers([side.rates for side in sides], arguments)
    if "collar" in opening.beside and not any(side.rates.rules.meeting for side in sides):
        fields = {"option": Advice("collar", ""), "needed": [Advice("meeting", "")]}
        tell(messages.Message(messages.IDLE_WITHOUT, fields))
    rules = chosen_rules(versions, opening.options)
    changes = compare_versions(*versions, request._replace(rules=rules))
    return changes, any(results.lacks_sessions(side.rates, arguments) for side in sides)


def _print_remarks(
    side: ScoredVersion, arguments: argparse.Namespace, told_keys: Collection[str]
) -> None:
    """Print the remarks on a side, and each recorded number that differs from the computed one.

    Skip remarks whose entries have a key in `told_keys`.
    """
    for note in side.notes:
        if results.key_of(note) not in told_keys:
            tell(note)
    results.print_remarks(side.rates, arguments, side.name, told_keys)
    for check in side.checks:
        if not check.equal:
            numbers = {"number": check.unequal, "total": check.compared}
            tell(messages.Message(messages.OTHER_NUMBERS, {"place": check.what, **numbers}))


def _check_sides(
    parser: CommandTable, arguments: argparse.Namespace, sides: Sequence[ScoredVersion]
) -> None:
    """Reject flags that do not apply to the kinds of files on the sides."""
    for side, path in zip(sides, (arguments.baseline, arguments.new), strict=True):
        comparing.refuse_tag(parser, arguments, path, side.kind)
    if any(side.kind in RECORDS for side in sides):
        return  # options are those of the record
    if arguments.normalize and any(side.kind != "transcripts" for side in sides):
        parser.error(
            "--normalize needs transcripts on both sides, or --reference: recorded words cannot "
            "change"
        )
    if any(side.rates.rules.where != sides[0].rates.rules.where for side in sides):
        parser.error(
            "--where needs transcripts or tables on both sides, or --reference: the utterances of "
            "a result are scored already"
        )
    like = arguments.like
    if like is not None and any(side.rates.rules.like != like for side in sides):
        parser.error(f"--like {like} needs transcripts, or results of this recipe, on both sides")


def _deliver(changes: Changes, findings: Sequence[Finding], arguments: argparse.Namespace) -> None:
    """Write the selected reports of a comparison."""
    if arguments.json is not None:
        results.put(arguments.json, comparison_lines(changes, findings, told_remarks()))
    sides = changes.baseline, changes.new
    if arguments.junit is not None:
        results.put(arguments.junit, junit_lines(sides, findings))
    most = MOST_SHOWN if arguments.show is None else arguments.show
    page = list(page_of(changes, findings, most))
    title = f"{sides[1].name} against {sides[0].name}"

    def short_report(look: Appearance) -> Iterable[Block]:
        if look.is_screen:
            return first_screen(changes, findings, look, most)
        return log_of(changes, findings, arguments.show)

    results.put_pages(page, title, arguments, None if arguments.details else short_report)
