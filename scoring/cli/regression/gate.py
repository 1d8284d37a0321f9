"""`scoring gate`: compare several sets and systems with their baselines, for one verdict."""

from __future__ import annotations

import argparse
import os
import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, partial
from typing import Any, NoReturn

from formats.cli.output import told_head
from formats.console.command_line import CommandTable, InputPath
from formats.console.telling import told_remarks
from formats.io.progress import expect, told
from formats.schema.errors import FormatError, OptionError
from formats.schema.messages import Advice, Message
from scoring.cli import flags, gates, results
from scoring.cli.regression.compare import compare_parser, compared
from scoring.cli.regression.comparing import gate_of
from scoring.cli.scoring import BAD_INPUT, EXCEEDED, HELP, OK, tell
from scoring.drawing.blocks import Items
from scoring.drawing.data import json_text
from scoring.model.errors import InputError, ScoringError
from scoring.regression.history import NoAcceptedRunError
from scoring.regression.messages import NOTHING_ACCEPTED
from scoring.regression.suite import (
    Case,
    OptionShape,
    Suite,
    SuiteFile,
    read_suite,
    words_of_option,
)
from scoring.regression.suite_verdict import (
    ERROR,
    CaseResult,
    corrected,
    failures_of_suite,
    pages_of_suite,
    suite_blocks,
    suite_junit,
    suite_record,
)
from scoring.regression.summary import summary_line
from scoring.regression.unit_changes import Changes
from scoring.regression.verdict import FAILED, Gate, judge
from scoring.results.hashes import with_hashes
from scoring.score import score, score_systems
from scoring.sides.given import hypothesis_files

EXAMPLE = "fail-if-significant = true"
SETS = "comparing sets"  # a stage of the progress bar
TABLE = f"""
plan <SUITE.toml  file that names the sets, their baselines and conditions
--only NAME ...  judge only the set of this name (repeatable)
[reports]
* --json
--markdown
* --html
--junit
--summary-json >FILE  write one line of JSON that says whether all conditions are met, for example
  for a comment (-: stdout)
--show
{results.TERMINAL}
"""
ACCEPT = """
plan <SUITE.toml  file that names the sets, their baselines and conditions
--only NAME ...  accept only the set of this name (repeatable)
--author NAME  the person who looked at the results
--reason TEXT  why the new results are the baseline from now on
"""
KINDS: dict[str, Any] = {
    **results.KINDS,
    "plan": {"type": InputPath},
    "show": {"type": flags.whole_number(0), "default": 10},
}
# Options of `compare` that a suite sets by itself, or that are of a single comparison.
REPORTS = (
    *("json", "markdown", "html", "junit", "summary_json", "show", "details", "width", "colour"),
)
FILES = ("reference", "baseline", "new", "system")
OTHERS = ("color", *FILES, "help", "help_all", "version", "significance")
ITSELF = (*REPORTS, *OTHERS)


def main(argv: Sequence[str]) -> int:
    """Run the command; return the exit status."""
    if argv[:1] == ["accept"]:
        return _accept(argv[1:])
    parser = flags.command_parser(
        "gate",
        "Compare new results with their baselines on several sets, with one verdict; p-values are "
        "corrected for the number of sets. `scoring gate accept SUITE.toml` makes the new results "
        "the baselines.",
        TABLE,
        short_help=False,
        **KINDS,
    )
    parser.way_of_more_files = (
        "`scoring compare REF BASELINE NEW --fail-increase 5%` judges files without a suite"
    )
    arguments = parser.parse_args(argv)
    results.check_outputs(parser, arguments)
    suite, file = checked_suite(arguments.plan, arguments.only)
    _refuse_without_condition(suite, file)
    expect([(SETS, 1.0)])
    prepared = [_prepared(case, suite, file) for case in told(suite.cases, SETS)]
    judged: list[CaseResult] = []
    for case, changes, (_, gate, problem) in zip(
        suite.cases, corrected([each[0] for each in prepared]), prepared, strict=True
    ):
        judged.append(_judged(case, changes, gate, problem))
    _deliver(suite, judged, arguments)
    outcomes = [result.outcome for result in judged]
    gates.say_failed([*failures_of_suite(judged)], is_printed="-" not in results.targets(arguments))
    return EXCEEDED if FAILED in outcomes else BAD_INPUT if ERROR in outcomes else OK


def checked_suite(path: str, only: Sequence[str]) -> tuple[Suite, SuiteFile]:
    """Read a suite with the selected sets, and check the value of each option."""
    suite, file = read_suite(path, option_shapes())
    for name in only:
        if all(case.set != name for case in suite.cases):
            raise file.error(f"expected a set named {name}, found none")
    cases = [case for case in suite.cases if not only or case.set in only]
    _check_options(suite.defaults, ["defaults"], file)
    for case in cases:
        _check_options(case.options, ["sets", case.set], file)
    return suite._replace(cases=tuple(cases)), file


def _refuse_without_condition(suite: Suite, file: SuiteFile) -> None:
    """Reject a suite none of whose sets has a condition: it would check nothing."""
    for case in suite.cases:
        with _refusals(file, ["sets", case.set]) as parser:
            arguments = flags.parse_files(
                parser, _words_of(case, suite), most=None, least=0, has_reference=False
            )
            if gate_of(parser, arguments).judges_anything:
                return
    tables = dict.fromkeys(f"[sets.{case.set}]" for case in suite.cases)
    where = "[defaults]" if len(tables) > 1 else next(iter(tables))
    raise file.error(
        f"expected a condition, found none, so nothing would be checked: add {EXAMPLE} to {where}",
        ["sets", suite.cases[0].set] if len(tables) == 1 else (),
    )


def option_shapes() -> dict[str, OptionShape]:
    """Return the options of a suite: those of `compare`, except options for reports."""
    shapes = {}
    itself = {f"--{name.replace('_', '-')}" for name in ITSELF}
    for name, action in _parser().options.items():
        if name.startswith("--") and name not in itself:
            shapes[name.removeprefix("--")] = OptionShape(
                action.nargs in (0, "?"), action.nargs != 0, isinstance(action.default, list)
            )
    return shapes


def _check_options(options: Mapping[str, Any], table: Sequence[str], file: SuiteFile) -> None:
    """Check the value of each option separately, so that an error has its position."""
    for name, value in options.items():
        words = words_of_option(name, value)
        with _refusals(file, [*table, name]) as parser:
            flags.options_of(
                flags.parse_files(parser, words, most=None, least=0, has_reference=False)
            )


@cache
def _parser() -> CommandTable:
    """Return the parser of `compare`, cached because its creation is slow.

    The options of `gate` for messages, such as --quiet, also apply to the comparisons.
    """
    parser = compare_parser()
    parser.sets_remarks = False
    return parser


@contextmanager
def _refusals(file: SuiteFile, keys: Sequence[str]) -> Iterator[CommandTable]:
    """Yield the parser of `compare` within a `with` block.

    In this block, the parser's errors name a key of the suite and its position.
    """
    parser = _parser()

    def refuse(message: object) -> NoReturn:
        raise file.error(str(message), keys)

    for reader in (parser, parser.parser()):  # of ordinary lines, and of all others
        reader.error = reader.refuse = refuse  # type: ignore[method-assign]
    try:
        yield parser
    except OptionError as problem:
        raise file.error(str(problem), keys) from None


def _words_of(case: Case, suite: Suite) -> list[str]:
    """Return the arguments of `scoring compare` for a case of a suite."""
    words = [case.baseline, case.hypotheses[0]]
    for further in case.hypotheses[1:]:
        words += ["--new", further]
    if case.reference is not None:
        words += ["--reference", case.reference]
    if case.baseline == suite.history and "baseline-tag" not in case.options:
        words += ["--baseline-tag", _pinned(case)]
    for name, value in case.options.items():
        words += words_of_option(name, value)
    return [*words, "--significance", str(suite.significance)]


def _pinned(case: Case) -> str:
    """Return the selector of the accepted run of a case in a history."""
    names = [("set", case.set), *([("system", case.system)] if case.system else [])]
    return ",".join(f"{key}={value}" for key, value in names) + "@accepted"


def _prepared(case: Case, suite: Suite, file: SuiteFile) -> tuple[Changes | None, Gate, str]:
    """Compare a set; return its changes, its gate, and an error text if it cannot be compared."""
    is_of_history = case.baseline == suite.history
    if is_of_history and not os.path.exists(case.baseline):
        return None, Gate(), _nothing_accepted(case, suite)
    try:
        with _refusals(file, ["sets", case.set]) as parser:
            comparison = compared(parser, _words_of(case, suite))
    except InputError as problem:
        if problem.path == file.path:
            raise
        lacks_accepted = isinstance(problem, NoAcceptedRunError) and is_of_history
        return None, Gate(), _nothing_accepted(case, suite) if lacks_accepted else str(problem)
    except (ScoringError, FormatError) as problem:
        return None, Gate(), str(problem)
    problem_text = "a session was not scored as a whole" if comparison.lacks_session else ""
    return comparison.changes, comparison.gate, problem_text


def _nothing_accepted(case: Case, suite: Suite) -> str:
    """Return the message that a set has no accepted run, with the command that accepts one."""
    fields = {"history": case.baseline, "set": case.name, "suite": shlex.quote(suite.path)}
    return str(Message(NOTHING_ACCEPTED, {**fields, "only": shlex.quote(case.set)}))


def _judged(case: Case, changes: Changes | None, gate: Gate, problem: str) -> CaseResult:
    """Check the conditions of a set by its p-values, which are already corrected."""
    if changes is None:
        return CaseResult(case.name, None, problem=problem)
    try:
        findings = judge(changes, gate)
    except ScoringError as error:
        return CaseResult(case.name, changes, problem=problem or str(error))
    return CaseResult(case.name, changes, findings, problem)


def _deliver(suite: Suite, judged: Sequence[CaseResult], arguments: argparse.Namespace) -> None:
    """Write the reports of a suite; the terminal and Markdown show only the most important part."""
    if arguments.json is not None:
        document = {**told_head("suite"), **suite_record(suite.title, judged)}
        text = json_text(document, indent=1)
        results.put(arguments.json, [text.encode(), b"\n"])
    if arguments.junit is not None:
        results.put(arguments.junit, suite_junit(suite.title, judged))
    if arguments.summary_json is not None:
        findings = [
            finding._replace(name=f"{result.name}: {finding.name}")
            for result in judged
            for finding in result.findings
        ]
        problems = "; ".join(f"{each.name}: {each.problem}" for each in judged if each.problem)
        record = {"task": "suite", "sets": suite_record(suite.title, judged)["sets"]}
        results.put(
            arguments.summary_json, [summary_line(record, findings, problems, told_remarks())]
        )
    first = list(suite_blocks(judged))
    if not (arguments.html or arguments.markdown) and any(
        result.outcome == FAILED for result in judged
    ):
        first.append(
            Items([f"the utterances of each set, as a page: {Advice('html', 'FILE').flag}"])
        )
    page = argparse.Namespace(**{**vars(arguments), "markdown": None})
    if arguments.html is not None:
        whole = list(pages_of_suite(judged, arguments.show))
        others = argparse.Namespace(**{**vars(page), "json": "-"})  # no text on standard output
        results.put_pages(whole, suite.title, others)
    results.put_pages(first, suite.title, argparse.Namespace(**{**vars(arguments), "html": None}))


def _accept(argv: Sequence[str]) -> int:
    """Record the new results as the new baselines; return the exit status."""
    parser = flags.command_parser(
        "gate accept",
        "Record the new results of a suite in its history, as the baselines from now on. The "
        "record keeps who accepted them and why.",
        ACCEPT,
        short_help=False,
        **KINDS,
    )
    if list(argv[:1]) in ([name] for name in HELP):
        parser.parse_args(argv)
    arguments = parser.parse_args(argv)
    for name in ("author", "reason"):
        if not (getattr(arguments, name) or "").strip():
            parser.error(f"expected --{name}, found none: the record keeps who accepted and why")
    suite, file = checked_suite(arguments.plan, arguments.only)
    if suite.history is None:
        raise file.error("expected history = FILE, which holds accepted runs, found none")
    for case in suite.cases:
        if case.reference is None:
            expected = "expected a reference, to record the run with it, found none"
            raise file.error(f"{expected} of {case.name}", ["sets", case.set])
        if len(case.hypotheses) > 1:
            expected = f"expected one hypothesis to accept, found {len(case.hypotheses)}"
            raise file.error(expected, ["sets", case.set, "hypothesis"])
    from scoring.regression.history import ACCEPTED, History, tags_of
    from scoring.regression.opening import hypothesis_of, reference_in

    runs = []
    for case in suite.cases:
        with _refusals(file, ["sets", case.set]) as compare:
            parsed = flags.parse_files(compare, _words_of(case, suite), most=None, least=0)
        options = flags.options_of(parsed)
        [file_of_case], options = hypothesis_files(case.hypotheses, options)
        reference = reference_in(str(case.reference), options)
        score_all = partial(score_systems, reference, options=options)
        hypothesis, notes = hypothesis_of(file_of_case, options, score_all)
        for note in notes:
            tell(note)
        runs.append(with_hashes(score(reference, hypothesis, options)))
    with History(suite.history, create=True) as history:
        for case, rates in zip(suite.cases, runs, strict=True):
            tags = {**case.tags, ACCEPTED[0]: ACCEPTED[1]}
            tags |= {"accepted-by": arguments.author.strip(), "reason": arguments.reason.strip()}
            history.record(rates, tags_of(f"{key}={value}" for key, value in tags.items()))
    texts = (f"accepted: {case.name}: {case.hypotheses[0]}\n" for case in suite.cases)
    results.put("-", (text.encode("utf-8", "backslashreplace") for text in texts))
    return OK
