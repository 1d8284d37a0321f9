"""`scoring wer --engine`: tables of any size, of which nothing is kept but sums."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING

from formats.command_line import PIPE_WIDTH
from formats.errors import OptionError
from formats.outputs import check_outputs
from scoring.cli.nist_reports import STDOUT, put_parts
from scoring.cli.output import put, put_text
from scoring.cli.reading_options import refuse_empty
from scoring.cli.results import (
    FILES,
    exceeds,
    line_width,
    reports_to,
    resampling_of,
    use_colour,
)
from scoring.cli.scoring import EXCEEDED, OK
from scoring.drawing.blocks import Items
from scoring.drawing.forms import encoded, lines_of
from scoring.drawing.text import Appearance, text_lines
from scoring.model import CHARACTER_UNITS

if TYPE_CHECKING:
    from scoring.nist.report.registry import ReportPart
    from scoring.options import Options
    from scoring.scored.engines.summary import TableSums

# sclite's reports that sums by speaker are enough for, and how their files end.
_ENDINGS = {"sum": ".sys", "rsum": ".raw"}
_PAGES = ("markdown", "html")


def check_engine(parser: argparse.ArgumentParser, arguments: argparse.Namespace) -> None:
    """Refuse what needs every utterance."""
    if arguments.reference_column is None:
        parser.error("--engine goes with --reference-column")
    if len(arguments.hypothesis_columns) > 1:
        parser.error("--engine takes one hypothesis")
    if arguments.engine != "local" and arguments.jobs not in (None, 1):
        parser.error(f"--jobs says nothing of {arguments.engine}, which knows its own processors")
    flags = [name for name in FILES if name not in ("json", *_PAGES)]
    flags += ["shard", "per_utterance", "record", "sort", "best"]
    refused = ["--" + flag.replace("_", "-") for flag in flags if getattr(arguments, flag)]
    known = {*_ENDINGS, STDOUT}
    refused += [f"-o {name}" for name in sorted(arguments.nist_reports - known)]
    for name in refused:
        parser.error(
            f"{name} needs every utterance, which --engine does not keep: leave --engine out, or "
            "ask for -o sum or rsum, --html, --markdown, --json or --scored-table"
        )
    path = arguments.scored_table
    if path is None:
        return
    if not path.lower().endswith((".parquet", ".pq")):
        parser.error(f"--scored-table: expected a name that ends in .parquet, found {path!r}")
    if arguments.engine != "local" and os.path.lexists(path):
        parser.error(f"--scored-table: expected a new folder, found {path!r}")


def by_engine(arguments: argparse.Namespace, options: Options) -> int:
    """Sum tables, in memory that does not grow with them; the exit status."""
    from formats.cli.progress import shown_rows
    from scoring.scored.engines import summarize_files
    from scoring.scored.engines.plan import Plan, Summing
    from scoring.scored.from_tables import name_of

    measure = "cer" if options.unit in CHARACTER_UNITS else "wer"
    [hypothesis] = arguments.hypothesis_columns
    plan = Plan(
        reference=arguments.reference_column,
        hypothesis=hypothesis,
        measures=(measure,),
        options=options.changed(by=()),
    )
    more = ["speaker"] if arguments.per_speaker or arguments.nist_reports else []
    by = list(dict.fromkeys([*options.by, *more]))
    is_drawn = arguments.confidence_interval
    summing = Summing(
        measure=measure,
        by=by,
        resampling=resampling_of(arguments) if is_drawn else None,
        block=arguments.block if is_drawn else None,
    )
    tables = [arguments.reference, *arguments.hypotheses]
    check_outputs([arguments.scored_table], tables)
    try:
        with shown_rows(tables) as count:
            found = summarize_files(
                arguments.engine,
                tables,
                arguments.master or "",
                plan,
                summing,
                arguments.scored_table,
                count,
            )
    except (ValueError, TypeError) as problem:
        raise OptionError(str(problem)) from None
    counts = found.total.counts
    refuse_empty(counts.reference_tokens, arguments.reference, arguments)
    # as the columns are called
    whole = found.grouped(found.by[: len(options.by)])
    speakers = found.grouped([found.by[by.index("speaker")]]) if more else None
    name = f"{name_of(tables)}:{hypothesis}"
    if speakers is not None and arguments.nist_reports:
        put_parts(_parts(speakers, name, arguments, options), name, arguments, tables)
    if arguments.json is not None:
        put(arguments.json, whole.json_lines())
    more_blocks = [] if speakers is None or not arguments.per_speaker else [*speakers.blocks()]
    blocks = [*whole.blocks(), *more_blocks]
    for form in _PAGES:
        path = getattr(arguments, form)
        if path is not None:
            page = [Items(list(whole.lines())), *blocks]
            look = Appearance(arguments.width or PIPE_WIDTH)
            put(path, encoded(lines_of(page, form, f"Error rates of {name}", look)))
    if "-" not in reports_to(arguments):
        look = Appearance(line_width(arguments), use_colour(arguments))
        put_text(chain(whole.lines(), text_lines(blocks, look)))
    return (
        EXCEEDED
        if exceeds(arguments, arguments.reference, counts.errors, counts.reference_tokens)
        else OK
    )


def _parts(
    speakers: TableSums, name: str, arguments: argparse.Namespace, options: Options
) -> Iterator[ReportPart]:
    """Sclite's reports, whose rows are speakers."""
    from scoring.drawing.terminal import printable
    from scoring.nist.report.registry import ReportPart
    from scoring.nist.report.summary import Headings, Scopes, amounts_of, percentages_of
    from scoring.nist.report.tables import TableDrawer
    from scoring.nist.report.tallies import Tally, total
    from scoring.scored.columns import NO_NAME

    tallies: dict[str, list[Tally]] = {}
    for one in speakers.groups:
        if one.rows > one.failed:
            owner = one.values[0] or NO_NAME
            own = tallies.setdefault(printable(owner.lower() if options.ignore_case else owner), [])
            own.append(Tally(one.rows - one.failed, *one.counts, one.wrong))
    scopes = Scopes(printable(name), list(tallies), list(map(total, tallies.values())))
    headings = Headings(amounts="# Chr") if options.unit in CHARACTER_UNITS else Headings()
    drawer = TableDrawer()
    for report, make in (("sum", percentages_of), ("rsum", amounts_of)):
        if report in arguments.nist_reports:
            yield ReportPart(_ENDINGS[report], "", make(scopes, drawer, headings))
