"""`scoring history`: list and compare the runs that `scoring wer --record` stored, with trends."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from itertools import chain

from formats.cli.output import put_json, told_head
from formats.console.command_line import PIPE_WIDTH
from formats.console.command_parser import CommandParser
from formats.io.source import open_source
from formats.schema.shared_options import HELP_OF
from scoring.cli import messages, results
from scoring.cli.address import ADDRESS, ADDRESS_KINDS, loaded
from scoring.cli.flags import add_commands, kind_of, whole_number
from scoring.cli.results import put_pages, put_text, resampling_of
from scoring.cli.scoring import BAD_INPUT, OK, tell
from scoring.drawing.blocks import Block, Heading, Items
from scoring.drawing.data import json_text
from scoring.drawing.forms import encoded, lines_of
from scoring.drawing.text import Appearance
from scoring.regression.allowances import RULES
from scoring.regression.conditions import parse_amount
from scoring.regression.history import History, RecordedRun, tags_of
from scoring.regression.report import page_of
from scoring.regression.runs import (
    TrendView,
    page_of_history,
    page_of_run,
    refuse_other_rules,
    runs_table,
    series_heading,
    series_of,
    tag_of_series,
    tags_text,
    trend_blocks,
    trend_of,
    trend_records,
)
from scoring.regression.significance import ALL_TESTS, TESTS, TestName, compare_tables
from scoring.regression.sums import lines_to_admit
from scoring.regression.unit_changes import compare_units
from scoring.regression.wordless import table_of_run
from scoring.stats.deciding import DEFAULT_TEST


def main(argv: Sequence[str]) -> int:
    """Run the command; return the exit status."""
    title = "List, compare and export the runs that `scoring wer --record FILE` recorded."
    parser = CommandParser(prog="scoring history", description=title)
    parser.set_defaults(tag=[])
    add_commands(
        parser,
        COMMANDS,
        "history <FILE  file that `scoring wer --record` wrote",
        run={"nargs": "?", "default": ""},
        FILES={"nargs": "+"},
        output={"default": "-"},
        N=whole_number(0),
        DAY=_day,
        AMOUNT=kind_of(parse_amount),
        **results.KINDS | ADDRESS_KINDS | {"test": ALL_TESTS, "allow": (RULES,)},
    )
    arguments = parser.parse_args(argv)
    arguments.tags = tags_of(arguments.tag)
    with History(arguments.history, create=arguments.work is _import) as history:
        return arguments.work(history, arguments) or OK


def _list(history: History, arguments: argparse.Namespace) -> None:
    runs = history.runs(arguments.tags)
    if arguments.json is not None:
        results.put(arguments.json, _document(runs))
    put_pages([runs_table(runs)], f"Runs of {history.path}", arguments)


def _show(history: History, arguments: argparse.Namespace) -> None:
    run = history.find(arguments.run)
    if arguments.json is not None:
        results.put(arguments.json, _document([run]))
    blocks = [Heading(f"Run {run.number}: {run.name}"), *page_of_run(run)]
    put_pages(blocks, f"Run {run.number} of {history.path}", arguments)


def _trend(history: History, arguments: argparse.Namespace) -> None:
    blocks: list[Block] = []
    test: TestName = arguments.test or DEFAULT_TEST
    statistics = resampling_of(arguments), test, arguments.block
    view = TrendView(arguments.limit, arguments.groups)
    against = None if arguments.against is None else _baseline(history, arguments.against)
    recorded = history.runs(arguments.tags)
    by = arguments.by_tag or tag_of_series(recorded)
    trends = {
        value: trend_of(history, runs, statistics[0], arguments.block)
        for value, runs in series_of(recorded, by).items()
    }
    if arguments.json is not None:
        series = [
            {
                "value": value if by else None,
                "runs": list(trend_records(trend, statistics[0].level)),
            }
            for value, trend in trends.items()
        ]
        put_json(arguments.json, "history-trend", tag=by, series=series)
    for value, trend in trends.items():
        if by is not None:
            blocks.append(series_heading(by, value))
        blocks += trend_blocks(history, trend, *statistics, against, view)
    put_pages(blocks, f"Trend of {history.path}", arguments)


def _compare(history: History, arguments: argparse.Namespace) -> None:
    new = history.find(arguments.new)
    baseline = _baseline(history, arguments.baseline, new)
    title = f"Runs of {history.path}"
    tests: Sequence[TestName] = arguments.test or TESTS
    heading = Heading(f"Run {new.number} against run {baseline.number}")
    if not (baseline.has_utterances and new.has_utterances):
        old, changed = (table_of_run(history, run) for run in (baseline, new))
        put_pages([heading, *page_of(compare_units([old], [changed]), ())], title, arguments)
        return
    if RULES not in arguments.allow:
        refuse_other_rules(history, baseline, new)
    if baseline.rules != new.rules:
        fields = {"baseline": str(baseline.rules), "new": str(new.rules)}
        tell(messages.Message(messages.OTHER_RULES, fields))
    tables = history.table(baseline), history.table(new)
    comparison = compare_tables(*tables, tests, arguments.block, resampling_of(arguments))
    lines = str(comparison).splitlines()
    put_pages([heading, Items(lines)], title, arguments)


def _baseline(history: History, selector: str, new: RecordedRun | None = None) -> RecordedRun:
    """Return the run that a selector chooses as the baseline.

    If several runs match, print which one was chosen.
    """
    choice = history.baseline(selector, new)
    note = choice.note(history.path)
    if note is not None:
        tell(note)
    return choice.run


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
    runs = history.runs(arguments.tags)
    if arguments.html is not None:
        view = TrendView(arguments.limit, arguments.groups)
        blocks = list(page_of_history(history, runs, arguments.by_tag, view))
        look = Appearance(PIPE_WIDTH)
        lines = lines_of(blocks, "html", f"Runs of {history.path}", look)
        results.put(arguments.html, encoded(lines))
    if arguments.html is None or arguments.output != "-":
        results.put(arguments.output, history.export(runs))


def _import(history: History, arguments: argparse.Namespace) -> None:
    for path in arguments.files:
        with open_source(path) as source:
            text = source.text(limit=None)
        moment = arguments.recorded and f"{arguments.recorded.isoformat()}T00:00:00Z"
        lines, sums = lines_to_admit(text, path, arguments.tags, moment or "")
        new, old = history.admit(lines, path)
        put_text([f"{path}: {new} new runs, {old} known"])
        for item in sums:
            if item.rounded:
                tell(messages.Message(messages.ROUNDED, {"path": item.name}))


def _serve(history: History, arguments: argparse.Namespace) -> int:
    runs = loaded("scoring.serve.runs")
    if runs is None:
        return BAD_INPUT
    hosts = tuple(host.lower() for host in arguments.allow_host)
    status: int = runs.serve_runs(history.path, arguments.host, arguments.port, hosts)
    return status


RUN = (
    "number of a run, or tags and a position, for example set=dev,model=v3@latest, @accepted, "
    "@first or @best"
)
TAG = "* --tag"
PAGES = f"""
* --markdown
* --html
{results.TERMINAL}
"""
LINES = "* --by-tag\n* --limit\n* --groups"
JSON = "* --json"
# Of each command the function, the title, and its arguments.
COMMANDS = {
    "list": (_list, "list the runs in the order of recording", f"{TAG}\n{JSON}{PAGES}"),
    "show": (
        _show,
        "show one run: its counts, speakers and groups",
        f"run RUN  {RUN}\n{JSON}{PAGES}",
    ),
    "trend": (
        _trend,
        "show how error rates change from run to run, with intervals and change points",
        f"{TAG}\n{LINES}\n{JSON}\n"
        "* --against RUN  run that the significance test compares with the last run (default: "
        "the first run of the trend with its rules)"
        f"\n* --test{PAGES}"
        f"{results.BLOCKS}",
    ),
    "compare": (
        _compare,
        "compare two runs, utterance by utterance",
        f"""baseline BASELINE  {RUN}
new NEW  {RUN}
* --test NAME ...  {HELP_OF["--test"]}
* --allow
{PAGES}{results.BLOCKS}""",
    ),
    "prune": (
        _prune,
        "remove runs, or only their words",
        f"""{TAG}
--only-alignments  remove only the aligned words of the runs, and keep their numbers
--dry-run
|! --keep N  remove all runs but the last N of each combination of tags
|! --before DAY  remove runs before DAY, for example 2026-01-31""",
    ),
    "export": (
        _export,
        "write runs as JSON, one per line, or as a page for browsers",
        f"{TAG}\n--output\n* --html\n{LINES}",
    ),
    "import": (
        _import,
        "add runs that `export` wrote, or totals that other programs printed",
        """files <FILES  files that `history export` wrote, or totals of other programs: a
  %%WER line of Kaldi, .raw, .dtl or .sys of sclite, numbers of jiwer as JSON, CSV with a result in
  each row; - for stdin
--tag
--recorded DAY  day on which the totals were recorded (default: the day of the last change of the
  file)""",
    ),
    "serve": (
        _serve,
        "serve pages for browsers, with runs by tag and comparisons by utterance",
        ADDRESS,
    ),
}


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"expected a day, for example 2026-01-31, found {text!r}"
        ) from None


def _document(runs: Iterable[RecordedRun]) -> Iterator[bytes]:
    """Yield the JSON document of runs, one run at a time."""
    head = json_text(told_head("history-runs"), indent=1).removesuffix("\n}")
    yield f'{head},\n "runs": ['.encode()
    for number, run in enumerate(runs):
        yield f"{',' if number else ''}\n{json_text(_record(run))}".encode()
    yield b"\n]}\n"


def _record(run: RecordedRun) -> dict[str, object]:
    names = ("key", "recorded_at", "name", "tags", "has_alignments")
    return {"run": run.number, **{name: getattr(run, name) for name in names}, **run.summary}
