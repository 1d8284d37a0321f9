"""`scoring wer --engine`: score tables of any size; only sums are kept in memory."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from formats.console.outputs import check_outputs
from formats.console.telling import told_remarks
from formats.schema.errors import OptionError
from formats.schema.messages import Message
from scoring.cli import gates, messages, results
from scoring.cli.flags import refuse_empty, with_usual
from scoring.cli.scoring import OK, tell
from scoring.drawing.blocks import Items, Lead
from scoring.model.combinations import check
from scoring.model.counts import CHARACTER_UNITS
from scoring.model.errors import ScoringError, StatisticsError

if TYPE_CHECKING:
    from formats.console.command_parser import AnyParser
    from scoring.options import Options
    from scoring.score.engines.parts import ScoredRows
    from scoring.score.engines.summary import TableSums


def check_engine(parser: AnyParser, arguments: argparse.Namespace) -> None:
    """Reject options that do not apply to the chosen engine."""
    is_of_meetings = arguments.meeting is not None
    if len(arguments.hypothesis_columns) > 1:
        parser.error("--engine takes one hypothesis")
    if arguments.engine != "local" and arguments.shard is not None:
        dealt = "sessions" if is_of_meetings else "rows"
        parser.error(f"--shard does not apply to --engine {arguments.engine}, which deals {dealt}")
    if arguments.engine != "local" and arguments.jobs not in (None, 1):
        parser.error(f"--jobs does not apply to --engine {arguments.engine}")
    if is_of_meetings:
        if arguments.scored_table is not None:
            parser.error("--scored-table does not apply to --meeting, which scores no rows")
        return
    from scoring.score.table_inputs import is_binary_table

    for path in (arguments.reference, *arguments.hypotheses):
        if is_binary_table(path) is False:
            parser.error(
                f"{path}: expected Parquet or Arrow, which --engine reads, found another format "
                "(without --engine CSV, TSV, Excel and JSON lines are read)"
            )
    if not arguments.reference_columns:
        parser.error(
            "--engine needs --reference-column, or --meeting: expected one column with a usual "
            "name of references, found none or several"
        )
    path = arguments.scored_table
    if path is None:
        return
    if not path.lower().endswith((".parquet", ".pq")):
        parser.error(f"--scored-table: expected a name that ends in .parquet, found {path!r}")
    if arguments.engine != "local" and os.path.lexists(path) and not arguments.overwrite:
        parser.error(
            f"--scored-table: expected a new folder, found {path!r} (--overwrite replaces it)"
        )


def by_engine(
    arguments: argparse.Namespace, options: Options, hypothesis_columns: Sequence[str]
) -> int:
    """Sum tables row by row in constant memory; return the exit status."""
    from formats.cli.progress import shown_rows
    from scoring.score.engines import summarize_files
    from scoring.score.engines.cluster import Cluster
    from scoring.score.engines.plan import Plan, Summing
    from scoring.score.from_tables import doubts_of_tables, warnings_of_tokens
    from scoring.score.table_inputs import name_of

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
    needs_all_groups = arguments.json or arguments.record or arguments.per_speaker
    summing = Summing(measure=measure, by=by, counted=counted, is_listed=not needs_all_groups)
    if arguments.confidence_interval:
        resampling = results.resampling_of(arguments)
        # how much utterances of a speaker are alike is unknown before all rows are drawn
        block = "utterance" if arguments.block == "auto" else arguments.block
        summing = replace(summing, resampling=resampling, block=block)
    tables = [arguments.reference, *arguments.hypotheses]
    check_outputs([arguments.scored_table], tables)
    try:
        with shown_rows(tables) as count:
            cluster = Cluster(arguments.master or "", arguments.cluster_timeout)
            work = cluster, plan, summing, _scored_rows(arguments), count, arguments.shard
            sums = summarize_files(arguments.engine, tables, *work)
    except ScoringError:
        raise  # with its message as a value, though some are errors of values, too
    except (ValueError, TypeError) as problem:
        raise OptionError(str(problem)) from None
    if arguments.shard is None:
        refuse_empty(sums.total.counts.reference_tokens, arguments.reference, arguments)
    doubts = doubts_of_tables(tables, plan.sides, plan.options)
    for remark in (*doubts, *warnings_of_tokens(tables, plan.sides)):
        tell(remark)
    # by the names of the columns
    whole = replace(
        sums.grouped(sums.by[: len(options.by)]), name=f"{name_of(tables)}:{hypothesis}"
    )
    if arguments.shard is not None:
        results.put(arguments.output, whole.json_lines(told_remarks()))
        return OK
    speakers = [sums.by[by.index("speaker")]] if arguments.per_speaker else []
    return deliver(whole, arguments, sums.grouped(speakers) if speakers else None)


def _scored_rows(arguments: argparse.Namespace) -> ScoredRows | None:
    """Return the writer of scored rows; None if no option requests this output."""
    from scoring.score.engines.parts import ScoredRows

    if arguments.scored_table is None:
        return None
    return ScoredRows(
        arguments.scored_table,
        arguments.overwrite,
        arguments.resume,
        is_joined=arguments.engine == "local",
    )


def merge_sums(parser: AnyParser, arguments: argparse.Namespace, paths: Sequence[str]) -> int:
    """Merge files with the sums of a run's shards; return the exit status."""
    from scoring.score.engines.documents import merged, read_sums

    check({**results.features_of(arguments), "sums": paths[0]})
    sums = merged(list(map(read_sums, paths)))
    by = list(arguments.by)
    for name in (*by, *["speaker"][: arguments.per_speaker]):
        if name not in sums.by:
            columns = ", ".join(sums.by) or "none"
            parser.error(f"--by {name}: expected a column of the sums ({columns})")
    if arguments.confidence_interval and sums.drawn is None:
        parser.error(
            "--confidence-interval: the sums have no replications: sum with --confidence-interval"
        )
    refuse_empty(sums.total.counts.reference_tokens, paths[0], arguments)
    speakers = sums.grouped(["speaker"]) if arguments.per_speaker else None
    return deliver(sums.grouped(by) if by else sums, arguments, speakers)


def deliver(
    sums: TableSums, arguments: argparse.Namespace, by_speaker: TableSums | None = None
) -> int:
    """Write the reports of sums; return the exit status.

    The status is 3 if a condition of the flags failed.
    """
    from scoring.pages.messages import ABSENT
    from scoring.score.engines.messages import NUMBERS

    name = sums.name or "sums"
    _warn_of_names(sums, name)
    if missing := sums.total.missing:
        tell(Message(ABSENT, {"path": name, "number": missing}))
    for column in sums.numbers:
        tell(Message(NUMBERS, {"path": name, "column": column}))
    if arguments.json is not None:
        results.put(arguments.json, sums.json_lines(told_remarks()))
    blocks = [Items(list(sums.lines())), *sums.blocks()]
    if by_speaker is not None:
        blocks += by_speaker.blocks()
    lead = Lead(sums.sentence)
    # scripts find Kaldi's lines first, people a sentence
    results.put_pages(
        blocks,
        f"Error rates of {name}",
        arguments,
        lambda look: [*[lead] * look.is_screen, *blocks],
    )
    if arguments.record is not None:
        _record(sums, name, arguments)
    counts = sums.total.counts
    findings = gates.rate_findings(arguments, name, counts.errors, counts.reference_tokens)
    if arguments.fail_measure:
        from scoring.regression.verdict import judge_number

        for limit in arguments.fail_measure:
            if limit.measure:
                value = sums.total.values_of(limit.measure).get(limit.figure.name)
                title = f"{name}: {limit.measure}: {limit.figure.title}"
            else:
                value, title = counts.error_rate, f"{name}: error rate"
            if value is None:
                problem = f"{name} has no number {limit.measure}.{limit.figure.name}"
                raise StatisticsError(problem)
            findings.append(judge_number(limit, title, value))
    record = {
        "task": sums.signature.partition("|")[0],
        "systems": [gates.system_record(name, {"error_rate": counts.error_rate})],
        "signature": sums.signature,
    }
    return gates.close_own_gate([findings], arguments, record)


def _warn_of_names(sums: TableSums, name: str) -> None:
    """Warn if the bootstrap draws rows by a name that several rows share."""
    from formats.manifests.roles import Roles
    from scoring.score.engines.messages import NAMES_REPEAT

    drawn = sums.drawn
    if drawn is None or not drawn.has_repeated_names:
        return
    if Roles([drawn.block], drawn.block).by_role.get("id") == drawn.block:
        fields = {"path": name, "column": drawn.block, "rows": drawn.rows_of_name}
        tell(Message(NAMES_REPEAT, fields))


def _record(sums: TableSums, name: str, arguments: argparse.Namespace) -> None:
    """Add sums as a run to the history that `--record` names."""
    from datetime import datetime, timezone

    from scoring.regression.history import History, tags_of
    from scoring.regression.sums import of_tables

    tags = tags_of(arguments.tag)
    moment = f"{datetime.now(timezone.utc):%Y-%m-%dT%H:%M:%SZ}"
    with History(arguments.record, create=True) as history:
        history.admit([of_tables(sums, name).line(tags, moment)], arguments.record)
        fields = {"path": name, "run": history.runs()[-1].number}
        tell(Message(messages.RECORDED, {**fields, "history": arguments.record}))
