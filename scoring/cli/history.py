"""`scoring history`: what `scoring wer --record` remembers, as lists, trends and comparisons."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from datetime import date
from itertools import chain

from formats.source import open_source
from scoring.cli import results
from scoring.cli.flags import add_commands, command_parser, whole_number
from scoring.cli.results import put_pages, put_text, resampling_of
from scoring.cli.scoring import BAD_INPUT, OK, say
from scoring.cli.serve import ADDRESS, ADDRESS_KINDS, loaded
from scoring.drawing.blocks import Block, Heading, Items, Note, Table
from scoring.drawing.data import json_text
from scoring.drawing.numbers import p_text, percent
from scoring.errors import StatisticsError
from scoring.regression.history import History, RecordedRun, tags_of
from scoring.regression.runs import (
    interval_of_run,
    page_of_run,
    rate_text,
    refuse_other_rules,
    tags_text,
)
from scoring.regression.significance import ALL_TESTS, TESTS, compare_tables

RUN_HEADINGS = ("run", "recorded", "name", "tags", "utterances", "words", "errors", "rate %")
TREND_HEADINGS = (
    *("run", "recorded", "tags", "rate %", "interval"),
    *("change (points)", "p of the change"),
)


def main(argv: Sequence[str]) -> int:
    """Run the command; the exit status."""
    title = "Runs that `scoring wer --record FILE` recorded."
    parser = command_parser("history", title, "")
    parser.set_defaults(tag=[])
    add_commands(
        parser,
        COMMANDS,
        "history <FILE  file of --record",
        run={"nargs": "?", "default": ""},
        JSON={"nargs": "+"},
        output={"default": "-"},
        test=ALL_TESTS,
        N=whole_number(0),
        DAY=_day,
        **results.KINDS,
        **ADDRESS_KINDS,
    )
    arguments = parser.parse_args(argv)
    arguments.tags = tags_of(arguments.tag)
    with History(arguments.history, create=arguments.work is _import) as history:
        return arguments.work(history, arguments) or OK


def _list(history: History, arguments: argparse.Namespace) -> None:
    runs = history.runs(arguments.tags)
    if arguments.json is not None:
        results.put(arguments.json, (json_text(_record(run)).encode() + b"\n" for run in runs))
    rows = [
        (
            *(str(run.number), run.recorded_at, run.name, tags_text(run)),
            str(run.summary["sentences"]["scored"]),
            *map(str, reversed(run.errors_and_tokens)),
            rate_text(run),
        )
        for run in runs
    ]
    put_pages([Table(RUN_HEADINGS, rows, 4)], f"Runs of {history.path}", arguments)


def _show(history: History, arguments: argparse.Namespace) -> None:
    run = history.find(arguments.run)
    if arguments.json is not None:
        results.put(arguments.json, [json_text(_record(run), indent=1).encode() + b"\n"])
    blocks = [Heading(f"Run {run.number}: {run.name}"), *page_of_run(run)]
    put_pages(blocks, f"Run {run.number} of {history.path}", arguments)


def _trend(history: History, arguments: argparse.Namespace) -> None:
    runs = [run for run in history.runs(arguments.tags) if run.errors_and_tokens[1]]
    arguments.test = arguments.test or "randomisation"
    rows: list[tuple[str, ...]] = []
    method = ""
    for before, run in zip([None, *runs], runs, strict=False):
        bootstrap = interval_of_run(history, run, resampling_of(arguments), arguments.block)
        interval = "n/a"
        if bootstrap is not None:
            interval = " to ".join(map(percent, bootstrap.percentile))
            method = method or bootstrap.how(arguments.block)
        change = "" if before is None else percent(run.rate - before.rate, sign="+")
        verdict = "" if before is None else _verdict(history, before, run, arguments)
        cells = (str(run.number), run.recorded_at, tags_text(run), rate_text(run))
        rows.append((*cells, interval, change, verdict))
    blocks: list[Block] = [Table(TREND_HEADINGS, rows, 3)]
    if method:
        blocks.append(Note(f"{method}; changes against the run before, by {arguments.test}"))
    put_pages(blocks, f"Trend of {history.path}", arguments)


def _verdict(
    history: History, before: RecordedRun, run: RecordedRun, arguments: argparse.Namespace
) -> str:
    if before.rules != run.rules:
        return "other rules"
    tables, resampling = (history.table(before), history.table(run)), resampling_of(arguments)
    try:
        comparison = compare_tables(*tables, [arguments.test], arguments.block, resampling)
    except StatisticsError:
        return "other utterances"
    [test] = comparison.tests
    return "n/a" if test.p_value is None else p_text(test.p_value).removeprefix("p = ")


def _compare(history: History, arguments: argparse.Namespace) -> None:
    baseline, new = map(history.find, (arguments.baseline, arguments.new))
    if not arguments.rules_may_differ:
        refuse_other_rules(history, baseline, new)
    if baseline.rules != new.rules:
        say(f"note: other rules: {baseline.rules} and {new.rules}")
    tables = history.table(baseline), history.table(new)
    tests = arguments.test or TESTS
    comparison = compare_tables(*tables, tests, arguments.block, resampling_of(arguments))
    lines = str(comparison).splitlines()
    blocks: list[Block] = [Heading(f"Run {new.number} against run {baseline.number}"), Items(lines)]
    put_pages(blocks, f"Runs of {history.path}", arguments)


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
    act = "would remove " if arguments.dry_run else "removed "
    act += "alignments of " if arguments.only_alignments else ""
    lines = (f"{act}run {run.number}: {run.name} {tags_text(run)}".rstrip() for run in runs)
    put_text(lines)


def _export(history: History, arguments: argparse.Namespace) -> None:
    results.put(arguments.output, history.export(history.runs(arguments.tags)))


def _import(history: History, arguments: argparse.Namespace) -> None:
    for path in arguments.files:
        with open_source(path) as source:
            lines = (line.encode() for line in source.text(limit=None).split("\n") if line.strip())
            new, old = history.admit(lines, path)
        put_text([f"{path}: {new} new runs, {old} known"])


def _serve(history: History, arguments: argparse.Namespace) -> int:
    runs = loaded("scoring.server.runs")
    if runs is None:
        return BAD_INPUT
    hosts = tuple(host.lower() for host in arguments.allow_host)
    status: int = runs.serve_runs(history.path, arguments.host, arguments.port, hosts)
    return status


RUN = "number of a run, or tags and position: set=dev,model=v3@latest, @first, @best"
TAG = "--tag NAME=VALUE ...  only runs with this tag (repeatable)"
PAGES = f"""
--markdown >FILE  write Markdown (-: stdout)
* --html >FILE  write a page (-: stdout)
{results.TERMINAL}
"""
JSON = "* --json >FILE  write JSON (-: stdout)"
# Of each command the function, the title, and its arguments.
COMMANDS = {
    "list": (_list, "runs in the order of recording", f"{TAG}\n{JSON}{PAGES}"),
    "show": (_show, "one run", f"run RUN  {RUN}\n{JSON}{PAGES}"),
    "trend": (
        _trend,
        "rates with intervals, and changes from run to run",
        f"{TAG}\n--test  test of changes{PAGES}{results.BLOCKS}",
    ),
    "compare": (
        _compare,
        "two runs, utterance by utterance",
        f"""baseline BASELINE  {RUN}
new NEW  {RUN}
--test ...  test to apply (repeatable; default: {", ".join(TESTS)})
--rules-may-differ  compare runs with different rules, with a note
{PAGES}{results.BLOCKS}""",
    ),
    "prune": (
        _prune,
        "remove runs",
        f"""{TAG}
--only-alignments  remove the words, keep the numbers
--dry-run  only print what would be removed
|! --keep N  remove all but the last N of each combination of tags
|! --before DAY  remove runs before DAY, for example 2026-01-31""",
    ),
    "export": (
        _export,
        "runs as JSON, one per line",
        f"{TAG}\n--output >FILE  write to FILE (default: stdout)",
    ),
    "import": (_import, "add runs that export wrote", "files <JSON  files of runs, - for stdin"),
    "serve": (_serve, "pages for browsers: runs by tag, comparisons down to utterances", ADDRESS),
}


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"expected a day, for example 2026-01-31, found {text!r}"
        ) from None


def _record(run: RecordedRun) -> dict[str, object]:
    names = ("key", "recorded_at", "name", "tags", "has_alignments")
    return {"run": run.number, **{name: getattr(run, name) for name in names}, **run.summary}
