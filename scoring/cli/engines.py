"""`scoring wer --engine`: tables of any size, of which nothing is kept but sums."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from formats.console.outputs import check_outputs
from formats.schema.errors import OptionError
from scoring.cli import results
from scoring.cli.flags import refuse_empty, with_usual
from scoring.cli.scoring import EXCEEDED, OK
from scoring.drawing.blocks import Items
from scoring.model.counts import CHARACTER_UNITS

if TYPE_CHECKING:
    from scoring.options import Options

# Flags of `wer` that need every utterance.
_REFUSED = (
    *("csv", "pairs", "shard", "per_utterance", "record", "sort", "best", "verdicts"),
    *("compare_groups", "fail_gap_above", "fail_measure", "summary_json", "metadata", "bins"),
)


def check_engine(parser: argparse.ArgumentParser, arguments: argparse.Namespace) -> None:
    """Reject options that need every utterance."""
    if not arguments.reference_columns:
        parser.error("--engine needs --reference-column")
    if len(arguments.hypothesis_columns) > 1:
        parser.error("--engine takes one hypothesis")
    if arguments.engine != "local" and arguments.jobs not in (None, 1):
        parser.error(f"--jobs does not apply to --engine {arguments.engine}")
    refused = ["--" + flag.replace("_", "-") for flag in _REFUSED if getattr(arguments, flag)]
    refused += [f"-o {name}" for name in sorted(arguments.nist_reports)]
    for name in refused:
        parser.error(
            f"{name} needs every utterance, but --engine keeps only sums: omit --engine, or use "
            "--per-speaker, --html, --markdown, --json or --scored-table"
        )
    from scoring.score.from_tables import is_binary_table

    for path in (arguments.reference, *arguments.hypotheses):
        if is_binary_table(path) is False:
            parser.error(
                f"{path}: expected Parquet or Arrow, which --engine reads, found another format "
                "(without --engine CSV, TSV, Excel and JSON lines are read)"
            )
    path = arguments.scored_table
    if path is None:
        return
    if not path.lower().endswith((".parquet", ".pq")):
        parser.error(f"--scored-table: expected a name that ends in .parquet, found {path!r}")
    if arguments.engine != "local" and os.path.lexists(path):
        parser.error(f"--scored-table: expected a new folder, found {path!r}")


def by_engine(
    arguments: argparse.Namespace, options: Options, hypothesis_columns: Sequence[str]
) -> int:
    """Sum tables, in memory that does not grow with them; the exit status."""
    from formats.cli.progress import shown_rows
    from scoring.score.engines import summarize_files
    from scoring.score.engines.plan import Plan, Summing
    from scoring.score.from_tables import name_of

    options = with_usual(options, arguments.usual)
    measure = "cer" if options.value("unit") in CHARACTER_UNITS else "wer"
    [hypothesis] = hypothesis_columns
    plan = Plan(
        reference=arguments.reference_columns[0],
        hypothesis=hypothesis,
        measures=(measure, *options.measures),
        options=options.changed(by=(), measures=()),
    )
    by = list(dict.fromkeys([*options.by, *["speaker"][: arguments.per_speaker]]))
    counted = tuple(dict.fromkeys(options.measures))
    summing = Summing(measure=measure, by=by, counted=counted)
    if arguments.confidence_interval:
        resampling = results.resampling_of(arguments)
        # how much utterances of a speaker are alike is unknown before all rows are drawn
        block = "utterance" if arguments.block == "auto" else arguments.block
        summing = replace(summing, resampling=resampling, block=block)
    tables = [arguments.reference, *arguments.hypotheses]
    check_outputs([arguments.scored_table], tables)
    try:
        with shown_rows(tables) as count:
            target, master = arguments.scored_table, arguments.master or ""
            sums = summarize_files(arguments.engine, tables, master, plan, summing, target, count)
    except (ValueError, TypeError) as problem:
        raise OptionError(str(problem)) from None
    counts = sums.total.counts
    refuse_empty(counts.reference_tokens, arguments.reference, arguments)
    # by the names of the columns
    whole = sums.grouped(sums.by[: len(options.by)])
    name = f"{name_of(tables)}:{hypothesis}"
    if arguments.json is not None:
        results.put(arguments.json, whole.json_lines())
    blocks = [Items(list(whole.lines())), *whole.blocks()]
    if arguments.per_speaker:
        blocks += sums.grouped([sums.by[by.index("speaker")]]).blocks()
    results.put_pages(blocks, f"Error rates of {name}", arguments)
    errors, words = counts.errors, counts.reference_tokens
    is_above = results.exceeds(arguments, arguments.reference, errors, words)
    return EXCEEDED if is_above else OK
