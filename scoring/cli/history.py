"""`scoring history`: what `scoring wer --record` remembers, as lists, trends and comparisons."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from datetime import date
from itertools import chain

from formats.command_line import CommandParser, InputPath, OutputPath
from formats.source import open_source
from scoring.cli.output import put, put_text
from scoring.cli.reading_options import whole_number
from scoring.cli.results import (
    add_resampling_arguments,
    add_terminal_arguments,
    put_pages,
    resampling_of,
)
from scoring.cli.scoring import BAD_INPUT, OK, say
from scoring.cli.serve import add_address, loaded
from scoring.drawing.blocks import Block, Heading, Items, Note, Table
from scoring.drawing.data import json_text
from scoring.drawing.numbers import p_text, percent
from scoring.errors import StatisticsError
from scoring.regression.comparison import Resampling
from scoring.regression.history import History, RecordedRun, tags_of
from scoring.regression.runs import (
    interval_of_run,
    page_of_run,
    rate_text,
    refuse_other_rules,
    tags_text,
)
from scoring.regression.significance import ALL_TESTS, TESTS, compare_tables

PAGES = ("markdown", "html")


def main(argv: Sequence[str]) -> int:
    """Run the command; the exit status."""
    arguments = _parser().parse_args(argv)
    arguments.tags = tags_of(arguments.tag)
    with History(arguments.history, create=arguments.work is _import) as history:
        return arguments.work(history, arguments) or OK


def _list(history: History, arguments: argparse.Namespace) -> None:
    runs = history.runs(arguments.tags)
    if arguments.json is not None:
        put(arguments.json, (json_text(_record(run)).encode() + b"\n" for run in runs))
    headings = ("run", "recorded", "name", "tags", "utterances", "words", "errors", "rate %")
    rows = [
        (
            str(run.number),
            run.recorded_at,
            run.name,
            tags_text(run),
            str(run.summary["sentences"]["scored"]),
            str(run.errors_and_tokens[1]),
            str(run.errors_and_tokens[0]),
            rate_text(run),
        )
        for run in runs
    ]
    _deliver([Table(headings, rows, 4)], f"Runs of {history.path}", arguments)


def _show(history: History, arguments: argparse.Namespace) -> None:
    run = history.find(arguments.run)
    if arguments.json is not None:
        put(arguments.json, [json_text(_record(run), indent=1).encode() + b"\n"])
    blocks = [Heading(f"Run {run.number}: {run.name}"), *page_of_run(run)]
    _deliver(blocks, f"Run {run.number} of {history.path}", arguments)


def _trend(history: History, arguments: argparse.Namespace) -> None:
    runs = [run for run in history.runs(arguments.tags) if run.errors_and_tokens[1]]
    resampling = resampling_of(arguments)
    rows: list[tuple[str, ...]] = []
    how = ""
    for before, run in zip([None, *runs], runs, strict=False):
        found = interval_of_run(history, run, resampling, arguments.block)
        interval = "n/a" if found is None else " to ".join(map(percent, found.percentile))
        how = how or ("" if found is None else found.how(arguments.block))
        change = "" if before is None else percent(run.rate - before.rate, sign="+")
        verdict = "" if before is None else _verdict(history, before, run, arguments, resampling)
        rows.append(
            (
                str(run.number),
                run.recorded_at,
                tags_text(run),
                rate_text(run),
                interval,
                change,
                verdict,
            )
        )
    headings = (
        "run",
        "recorded",
        "tags",
        "rate %",
        "interval",
        "change (points)",
        "p of the change",
    )
    blocks: list[Block] = [Table(headings, rows, 3)]
    if how:
        blocks.append(Note(f"{how}; changes against the run before, by {arguments.test}"))
    _deliver(blocks, f"Trend of {history.path}", arguments)


def _verdict(
    history: History,
    before: RecordedRun,
    run: RecordedRun,
    arguments: argparse.Namespace,
    resampling: Resampling,
) -> str:
    if before.rules != run.rules:
        return "other rules"
    try:
        found = compare_tables(
            history.table(before), history.table(run), [arguments.test], arguments.block, resampling
        )
    except StatisticsError:
        return "other utterances"
    [test] = found.tests
    return "n/a" if test.p_value is None else p_text(test.p_value).removeprefix("p = ")


def _compare(history: History, arguments: argparse.Namespace) -> None:
    baseline, new = map(history.find, (arguments.baseline, arguments.new))
    if not arguments.rules_may_differ:
        refuse_other_rules(history, baseline, new)
    if baseline.rules != new.rules:
        say(f"note: other rules: {baseline.rules} and {new.rules}")
    tests = arguments.tests or TESTS
    found = compare_tables(
        history.table(baseline),
        history.table(new),
        tests,
        arguments.block,
        resampling_of(arguments),
    )
    lines = str(found).splitlines()
    blocks: list[Block] = [Heading(f"Run {new.number} against run {baseline.number}"), Items(lines)]
    _deliver(blocks, f"Runs of {history.path}", arguments)


def _prune(history: History, arguments: argparse.Namespace) -> None:
    runs = history.runs(arguments.tags)
    if arguments.keep is not None:
        # of each combination of tags, so that the last of no model is lost
        kinds: dict[tuple[tuple[str, str], ...], list[RecordedRun]] = {}
        for run in runs:
            kinds.setdefault(tuple(sorted(run.tags.items())), []).append(run)
        kept = [kind[max(len(kind) - arguments.keep, 0) :] for kind in kinds.values()]
        numbers = {run.number for run in chain.from_iterable(kept)}
        runs = [run for run in runs if run.number not in numbers]
    if arguments.before is not None:
        limit = arguments.before.isoformat()
        runs = [run for run in runs if run.recorded_at < limit]
    if not arguments.dry_run:
        history.remove(runs, only_alignments=arguments.only_alignments)
    what = "alignments of " if arguments.only_alignments else ""
    done = "would remove" if arguments.dry_run else "removed"
    put_text(
        [f"{done} {what}run {run.number}: {run.name} {tags_text(run)}".rstrip() for run in runs]
    )


def _export(history: History, arguments: argparse.Namespace) -> None:
    put(arguments.output, history.export(history.runs(arguments.tags)))


def _import(history: History, arguments: argparse.Namespace) -> None:
    for path in arguments.files:
        with open_source(path) as source:
            lines = (line.encode() for line in source.text(limit=None).split("\n") if line.strip())
            come, known = history.admit(lines, path)
        put_text([f"{path}: {come} new runs, {known} known"])


def _serve(history: History, arguments: argparse.Namespace) -> int:
    runs = loaded("scoring.server.runs")
    if runs is None:
        return BAD_INPUT
    hosts = tuple(host.lower() for host in arguments.allow_host)
    status: int = runs.serve_runs(history.path, arguments.host, arguments.port, hosts)
    return status


WORKS = {
    "list": (_list, "runs in the order in which they were recorded"),
    "show": (_show, "one run"),
    "trend": (_trend, "rates with intervals, and what changed from run to run"),
    "compare": (_compare, "two runs, from the errors of their utterances"),
    "prune": (_prune, "forget runs"),
    "export": (_export, "runs as JSON, one a line"),
    "import": (_import, "take in what export wrote"),
    "serve": (_serve, "a page for browsers: trends by tag, and any two runs down to utterances"),
}
WITH_TESTS = ("trend", "compare")
RUN = "a number, or tags and which of their runs: set=dev,model=v3@latest, @first, @best"


def _parser() -> argparse.ArgumentParser:
    parser = CommandParser(
        prog="scoring history",
        description="Runs that `scoring wer --record FILE` has remembered.",
    )
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for name, (work, text) in WORKS.items():
        one = commands.add_parser(name, help=text, description=f"{text[0].upper()}{text[1:]}.")
        one.set_defaults(work=work, tag=[])
        one.add_argument("history", type=InputPath, metavar="FILE", help="of --record")
        if name == "show":
            one.add_argument("run", metavar="RUN", nargs="?", default="", help=RUN)
        elif name == "compare":
            one.add_argument("baseline", metavar="BASELINE", help=RUN)
            one.add_argument("new", metavar="NEW", help=RUN)
        elif name == "import":
            one.add_argument(
                "files", type=InputPath, metavar="JSON", nargs="+", help="- is standard input"
            )
        if name not in ("show", "compare", "import", "serve"):
            one.add_argument(
                "--tag",
                action="append",
                metavar="NAME=VALUE",
                help="runs that have it only; may be given several times",
            )
        if name == "prune":
            _add_pruning(one)
        elif name == "export":
            one.add_argument(
                "--output", type=OutputPath, default="-", metavar="FILE", help="(default: -)"
            )
        elif name == "serve":
            add_address(one)
        elif name != "import":
            _add_reports(one, with_json=name not in WITH_TESTS)
        if name in WITH_TESTS:
            add_resampling_arguments(one)
        if name == "trend":
            one.add_argument(
                "--test", choices=ALL_TESTS, default="randomisation", help="of changes"
            )
        elif name == "compare":
            one.add_argument(
                "--test",
                dest="tests",
                action="append",
                choices=ALL_TESTS,
                help=f"may be given several times (default: {', '.join(TESTS)})",
            )
            one.add_argument(
                "--rules-may-differ",
                action="store_true",
                help="compare runs that were scored by other rules, and say so",
            )
    return parser


def _add_pruning(parser: argparse.ArgumentParser) -> None:
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument(
        "--keep",
        type=whole_number(0),
        metavar="N",
        help="all but the last N of each combination of tags",
    )
    which.add_argument("--before", type=_day, metavar="DAY", help="those before, as in 2026-01-31")
    parser.add_argument(
        "--only-alignments", action="store_true", help="forget the words, keep the numbers"
    )
    parser.add_argument("--dry-run", action="store_true", help="only say what would be done")


def _add_reports(parser: argparse.ArgumentParser, *, with_json: bool) -> None:
    parser.set_defaults(json=None)
    for form in ("json", *PAGES) if with_json else PAGES:
        parser.add_argument(
            f"--{form}", type=OutputPath, metavar="FILE", help="(-: standard output)"
        )
    add_terminal_arguments(parser)


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected such as 2026-01-31, found {text!r}") from None


def _record(run: RecordedRun) -> dict[str, object]:
    return {
        "run": run.number,
        "key": run.key,
        "recorded_at": run.recorded_at,
        "name": run.name,
        "tags": run.tags,
        "has_alignments": run.has_alignments,
        **run.summary,
    }


def _deliver(blocks: Sequence[Block], title: str, arguments: argparse.Namespace) -> None:
    put_pages(blocks, title, arguments, ("json", *PAGES))
