"""`scoring bench`: rank systems over several test sets, by one or more recipes."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from datetime import datetime, timezone
from itertools import chain
from typing import TYPE_CHECKING

from formats.cli.output import told_head
from formats.cli.progress import shown_work
from formats.console.command_line import InputPath
from formats.console.telling import each_kind
from formats.schema.messages import Message
from scoring.cli import results
from scoring.cli.flags import command_parser
from scoring.cli.gates import exceeds
from scoring.cli.scoring import EXCEEDED, OK, say, tell
from scoring.regression.messages import OF_TEXTS

if TYPE_CHECKING:
    from scoring.regression.bench.plan import Benchmark
    from scoring.regression.bench.ranking import RecipeRanking
    from scoring.regression.bench.runs import ScoredCell

TESTS = ("randomisation", "bootstrap")
TABLE = f"""
plan <CONFIG.toml  file that names the test sets, systems and recipes
[reports]
{results.JSON}
--csv
* --latex
* --methods
--marks-against
--markdown
{results.PAGE}
--csv-safe
* --eval-results >FOLDER  write SYSTEM/.eval_results/*.yaml for model pages of Hugging Face
{results.TERMINAL}
[gate]
{results.ABOVE}
* --fail-on {{estimate,upper}}  what --fail-above checks: the macro rate (estimate, default), or the
  upper bound of its confidence interval
[statistics]
{results.BLOCKS}
--test
"""


def main(argv: Sequence[str]) -> int:
    """Run the command; return the exit status."""
    parser = command_parser(
        "bench",
        "Rank systems over several test sets, by one or more recipes. The results are kept in a "
        "history file, so nothing is scored twice.",
        TABLE,
        short_help=False,
        fail_on={"default": "estimate"},
        **results.KINDS | {"test": {"choices": TESTS, "default": TESTS[0]}},
    )
    parser.add_argument("others", nargs="*", type=InputPath, help=argparse.SUPPRESS)
    arguments = parser.parse_args(argv)
    if arguments.others:
        number = 1 + len(arguments.others)
        parser.error(f"expected one file CONFIG.toml, found {number} files ({OF_TEXTS})")
    results.check_outputs(parser, arguments)
    if arguments.fail_on == "upper" and not arguments.fail_above:
        parser.error("--fail-on upper needs --fail-above")

    from scoring.regression.bench import pages
    from scoring.regression.bench.plan import read_benchmark
    from scoring.regression.bench.ranking import ranking_of
    from scoring.regression.bench.runs import scored_cells
    from scoring.stats.deciding import DEFAULT_TEST

    benchmark = read_benchmark(arguments.plan)
    with shown_work():
        cells = list(scored_cells(benchmark))
    _tell_remarks(cells, benchmark)
    resampling = results.resampling_of(arguments)
    rankings = [
        ranking_of(
            [scored for scored in cells if scored.cell.recipe == recipe],
            benchmark.sets,
            resampling,
            arguments.block,
            arguments.test or DEFAULT_TEST,
        )
        for recipe in dict.fromkeys(scored.cell.recipe for scored in cells)
    ]
    _write(benchmark, rankings, arguments)
    results.put_pages(list(pages.blocks_of(rankings)), benchmark.plan.title, arguments)

    status = OK
    for ranking in rankings:
        for system in ranking.systems:
            rate, noun = system.macro, "macro rate"
            if arguments.fail_on == "upper":
                interval = system.macro_interval
                rate, noun = interval and interval.limits.high, "upper bound of the macro rate"
            name = " ".join(filter(None, (ranking.recipe, system.system)))
            if rate is None and arguments.fail_above:
                say(f"{name}: --fail-above needs the {noun}, found none")
                status = EXCEEDED
            elif rate is not None and exceeds(arguments, name, rate, 1, noun):
                status = EXCEEDED
    return status


def _tell_remarks(cells: Sequence[ScoredCell], benchmark: Benchmark) -> None:
    """Print the remarks on the results, and how many were scored now."""
    from scoring.regression.messages import CELLS

    remarks = [scored.remarks for scored in cells]
    told_keys = results.tell_of_several(remarks)
    for remark in each_kind(dict.fromkeys(chain.from_iterable(remarks))):
        if results.key_of(remark) not in told_keys:
            tell(remark)
    new = sum(not scored.is_cached for scored in cells)
    fields = {"path": benchmark.history, "new": new, "old": len(cells) - new}
    tell(Message(CELLS, fields))


def _write(
    benchmark: Benchmark, rankings: Sequence[RecipeRanking], arguments: argparse.Namespace
) -> None:
    """Write the reports to files."""
    from scoring.regression.bench import pages

    if arguments.json is not None:
        from scoring.drawing.data import json_text

        document = {**told_head("benchmark"), **pages.document(benchmark, rankings)}
        text = json_text(document, indent=1)
        results.put(arguments.json, [text.encode(), b"\n"])
    _write_paper(rankings, arguments)
    if arguments.csv is not None:
        results.put_csv(arguments.csv, (pages.CSV_COLUMNS, pages.csv_lines(rankings)), arguments)
    if arguments.eval_results is not None:
        today = datetime.now(timezone.utc).date()
        for path, content in pages.evaluation_files(benchmark, rankings, today):
            target = os.path.join(arguments.eval_results, path)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            results.put(target, [content])


def _write_paper(rankings: Sequence[RecipeRanking], arguments: argparse.Namespace) -> None:
    """Write a table for a paper and a paragraph on methods for each recipe."""
    if arguments.latex is None and arguments.methods is None:
        return
    from scoring.regression.paper import table_of_ranking

    results.check_against(arguments, [row.system for row in rankings[0].systems])
    tables = [table_of_ranking(ranking, arguments.marks_against) for ranking in rankings]
    if arguments.latex is not None:
        texts = [table.table_for(arguments.latex) for table in tables]
        results.put(arguments.latex, [text.encode() for text in texts])
    if arguments.methods is not None:
        texts = [table.methods_for(arguments.methods) for table in tables]
        results.put(arguments.methods, [text.encode() for text in texts])
