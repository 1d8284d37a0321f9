"""`scoring der`: compute diarisation errors, from files in any format with speakers."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from formats.console.command_line import InputPath
from formats.console.telling import each_kind
from formats.schema.diagnostics import gathered
from formats.schema.errors import located
from formats.schema.messages import Message
from formats.schema.remarks import remark_records
from formats.schema.times import parse_time
from scoring.cli import flags, gates, results
from scoring.cli.flags import tell_idle
from scoring.cli.scoring import OK, tell
from scoring.drawing.blocks import Block, Fact, Heading, Items, Table, Timelines, TurnTimeline
from scoring.drawing.data import Members, head_of, json_file
from scoring.model.errors import StatisticsError
from scoring.sides.given import File
from scoring.tasks import messages
from scoring.tasks.speakers.der.diarisation_errors import (
    FEW_RECORDINGS,
    RATES,
    SECONDS,
    DiarisationErrors,
    error_cells,
    recording_table,
)
from scoring.tasks.speakers.der.explain import Explained, explained
from scoring.tasks.speakers.der.rules import (
    COLLARS,
    LIKE,
    MAPPINGS,
    REGIONS,
    SPEAKING,
    TOLERANCE_NS,
    rules_like,
)
from scoring.tasks.speakers.der.score import BY, ERROR, MISSING, Read, read, score
from scoring.tasks.speakers.der.timeline import timelines_of
from scoring.tasks.speakers.page import page_of, page_of_differences

if TYPE_CHECKING:
    from scoring.regression.units import UnitTable
    from scoring.stats.bootstrapping import Bootstrap

SCHEMA, SCHEMA_VERSION = "sclite-kit/diarisation", 1
TABLE = f"""
reference <REF  speaker turns of the reference, - for stdin
hypotheses <HYP  speaker turns of the system, or of several systems to compare with the first
[input]
@of_files
[scoring]
* --like
* --boundary-collar SECONDS  do not score the time within SECONDS of a turn boundary of the
  reference, for example 0.25s (default: 0)
--collar-is  each-side: SECONDS of --boundary-collar lie before and after each boundary (default);
  total: half of SECONDS lies on each side (default with --like pyannote)
* --skip-overlap  skip time with overlapping turns of the reference
--region reference|both|FILE  time to score: from the first to the last turn of the reference
  (reference) or of both sides (both), or the regions of a UEM file (default: both, or the choice of
  the tool in --like)
--subtotals  also report sums by channel (each channel is then scored separately), or by the
  number of speakers in a recording
--mapping  how to pair speakers; best: maximise the common time of all pairs (default); greedy: pair
  the two speakers with the most common time first; names: pair speakers of the same name
  (identification error)
--speaking  score all time (default), or only the time in which the reference has one speaker
  (single), several speakers (overlap), or at most one speaker (nonoverlap)
--change-tolerance SECONDS  match speaker changes at most SECONDS apart, and fill shorter gaps
  between the turns of a speaker (default: 0.5; for --all-rates)
* --unpaired  what to do with recordings in only one of the files: stop with an error (default), or
  score all their speech as wrong
{flags.ALLOW_EMPTY}
--explain-difference  score by the rules of all tools of --like, and show how many seconds each
  differing rule adds or removes
{flags.SHARDS}
"""
REPORTS = f"""
[reports]
--speaker-confusions  show the partner of each reference speaker, and how many seconds of the
  speaker were missed or confused
--all-rates  also show the rates for speech, overlap, speaker changes, segments and clusters
{results.JSON}
--csv
--markdown
{results.PAGE}
--csv-safe
{results.TERMINAL}
[gate]
{results.ABOVE}
{gates.TASK_TABLE}
[statistics]
--confidence-interval
{results.RESAMPLING}
"""


# Options that concern the turns of a single system.
OF_ONE_SYSTEM = (
    *("shard", "explain_difference", "speaker_confusions", "all_rates", "by", "csv"),
    *("fail_measure", "summary_json"),
)


def main(argv: Sequence[str]) -> int:
    """Run the command; return the exit status."""
    arguments = _arguments(argv)
    region = arguments.region
    rules = rules_like(
        arguments.like,
        collar_ns=arguments.collar,
        collar_is=arguments.collar_is,
        skip_overlap=arguments.skip_overlap or None,
        region=region if region in REGIONS else None,
        mapping=arguments.mapping,
        speaking=arguments.speaking,
        tolerance_ns=arguments.tolerance,
    )

    def sides_of(path: str) -> Read:
        return read(
            File(arguments.reference),
            File(path),
            None if region in REGIONS else region,
            arguments.missing,
            flags.options_of(arguments, flags.OF_FILES),
            arguments.by,
        )

    if len(arguments.hypotheses) > 1:
        systems = [
            score(sides_of(path), rules, arguments.like, None) for path in arguments.hypotheses
        ]
        return _report_systems(systems, arguments)
    sides = sides_of(arguments.hypothesis)
    errors = score(sides, rules, arguments.like, arguments.shard)
    for remark in each_kind(errors.remarks):
        tell(remark)
    if arguments.shard is not None:
        from scoring.tasks.speakers.der.shards import part_lines

        names = str(arguments.reference), str(arguments.hypothesis)
        results.put(arguments.output, part_lines(errors, arguments.shard, *names))
        return OK
    differences = None
    if arguments.explain_difference:
        differences = explained(sides, arguments.collar, arguments.skip_overlap)
    timelines = timelines_of(sides, rules) if arguments.html is not None else []
    return _report(errors, arguments, differences, timelines)


def _arguments(argv: Sequence[str]) -> argparse.Namespace:
    """Parse and check the arguments."""
    parser = flags.command_parser(
        "der",
        "Diarisation error rate: speaker time that is missed, false or confused.",
        TABLE + REPORTS,
        epilog="Formats are detected; `formats list` lists them. Manual: scoring docs diarisation.",
        hypotheses={"nargs": "+"},
        like=tuple(LIKE),
        boundary_collar={"dest": "collar", "type": _seconds, "default": 0},
        collar_is=COLLARS,
        mapping=MAPPINGS,
        speaking=SPEAKING,
        change_tolerance={"dest": "tolerance", "type": _seconds, "default": TOLERANCE_NS},
        region=lambda text: text if text in REGIONS else InputPath(text),
        subtotals={"dest": "by", "choices": BY},
        unpaired={"dest": "missing", "choices": MISSING, "default": ERROR},
        **flags.SHARD_KINDS | results.KINDS | gates.task_kinds("der"),
    )
    # its name in Python and in the signature; `scoring wer` has another option of this name
    hidden = {"default": argparse.SUPPRESS, "help": argparse.SUPPRESS}
    parser.way_of_more_files = "`scoring der REF A B` compares several systems"
    parser.add_argument("--collar", type=_seconds, **hidden)
    arguments: argparse.Namespace = parser.parse_args(argv)
    arguments.hypothesis = arguments.hypotheses[0]
    if len(arguments.hypotheses) > 1:
        arguments.confidence_interval = True  # of each change
    results.check_together(arguments)
    results.check_outputs(parser, arguments)
    flags.check_shard(parser, arguments)
    tell_idle(parser, arguments)
    flags.check_standard_input(parser, [arguments.reference, *arguments.hypotheses])
    for name in OF_ONE_SYSTEM if len(arguments.hypotheses) > 1 else ():
        if getattr(arguments, name) not in (None, False, []):
            flag = {"by": "subtotals"}.get(name, name).replace("_", "-")
            parser.error(f"--{flag}: expected one hypothesis, found {len(arguments.hypotheses)}")
    return arguments


def merge(argv: Sequence[str]) -> int:
    """Run `scoring merge` for shards of recordings; return the exit status."""
    from scoring.score.record_reader import content_of
    from scoring.tasks.speakers.der.shards import merged, read_part

    parser = flags.command_parser(
        "merge",
        "Merge the shards of one run of `scoring der`. The output is the same as without shards.",
        flags.SHARDS_TO_MERGE + REPORTS,
        SHARD={"nargs": "+"},
        **results.KINDS | gates.task_kinds("der"),
    )
    arguments = parser.parse_args(argv)
    results.check_outputs(parser, arguments)
    tell_idle(parser, arguments)
    parts = [(path, read_part(path, content_of(path))) for path in arguments.shards]
    arguments.reference, arguments.hypothesis = parts[0][1].reference, parts[0][1].hypothesis
    errors = merged(parts)
    # each part has printed those about lines of the files
    for remark in each_kind([each for each in errors.remarks if isinstance(each, Message)]):
        tell(remark)
    return _report(errors, arguments)


def _report_systems(systems: Sequence[DiarisationErrors], arguments: argparse.Namespace) -> int:
    """Write a table of several systems, each compared with the first; return the exit status."""
    from scoring.regression.paired_runs import Request
    from scoring.regression.report import change_cells
    from scoring.regression.tasks import result_of
    from scoring.regression.unit_changes import compare_units

    paths = list(map(str, arguments.hypotheses))
    for remark in each_kind(chain.from_iterable(errors.remarks for errors in systems)):
        tell(remark)
    if not all(errors.amounts.scored for errors in systems) and not arguments.allow_empty:
        raise _nothing_scored(arguments)
    every = list(zip(paths, systems, strict=True))
    tables = [
        result_of(path, _document([_members(errors, path, arguments.reference)]))
        for path, errors in every
    ]
    request = Request(resampling=results.resampling_of(arguments))
    rows = []
    for (path, errors), table in zip(every, tables, strict=True):
        cells = ("", "")
        if table is not tables[0]:
            cells = change_cells(compare_units(tables[:1], [table], request))
        rows.append((path, *error_cells(errors), *cells))
    if arguments.json is not None:
        members = (_members(errors, path, arguments.reference) for path, errors in every)
        results.put(arguments.json, _document(members))
    titles = f"change from {paths[0]}", f"{arguments.level:g} % interval"
    blocks: list[Block] = [
        Heading("Diarisation errors of systems"),
        Table(("system", *SECONDS, *RATES, *titles), rows),
        Fact("signature", systems[0].signature),
    ]
    results.put_pages(blocks, f"Systems against {arguments.reference}", arguments)
    noun = "diarisation error rate"
    findings = [
        gates.rate_findings(arguments, path, errors.amounts.wrong, errors.amounts.scored, noun)
        for path, errors in every
        if errors.amounts.scored
    ]
    return gates.close_own_gate(findings, arguments, {})


def tables_of_turns(reference: str, paths: Iterable[str]) -> list[UnitTable]:
    """Return the errors of systems by the default rules, as tables of recordings."""
    from scoring.regression.tasks import result_of

    tables = []
    for path in paths:
        errors = score(read(File(reference), File(path)), rules_like(None))
        for remark in each_kind(errors.remarks):
            tell(remark)
        tables.append(result_of(path, _document([_members(errors, path, reference)])))
    return tables


def _nothing_scored(arguments: argparse.Namespace) -> flags.NothingScoredError:
    return flags.NothingScoredError(
        f"{arguments.reference}: expected speech to score, found none (--allow-empty accepts this)"
    )


def _report(
    errors: DiarisationErrors,
    arguments: argparse.Namespace,
    differences: Explained | None = None,
    timelines: Sequence[TurnTimeline] = (),
) -> int:
    """Write the reports; return the exit status.

    The status is 3 if a condition of the flags failed.
    """
    if not errors.amounts.scored and not arguments.allow_empty:
        raise _nothing_scored(arguments)
    lines = _deliver(errors, differences, timelines, arguments)
    amounts, noun = errors.amounts, "diarisation error rate"
    if not amounts.scored:
        return OK
    path = arguments.hypothesis
    findings = gates.rate_findings(arguments, path, amounts.wrong, amounts.scored, noun)
    return gates.task_status(path, lines, arguments, findings)


def _seconds(text: str) -> int:
    try:
        duration = parse_time(text.removesuffix("s"))
    except ValueError:
        duration = -1
    if duration < 0:
        raise argparse.ArgumentTypeError(f"expected seconds such as 0.25s, found {text!r}")
    return duration


def _interval(errors: DiarisationErrors, arguments: argparse.Namespace) -> Bootstrap | None:
    if not arguments.confidence_interval:
        return None
    number = len(errors.recordings)
    if number < FEW_RECORDINGS:
        tell(Message(messages.FEW_RECORDINGS, {"recordings": number}))
    try:
        return errors.interval(
            replications=arguments.replications, seed=arguments.seed, level=arguments.level / 100
        )
    except StatisticsError as problem:
        tell(Message(messages.NO_INTERVAL, {"reason": problem.value}))
        return None
    except ValueError as problem:
        raise StatisticsError(str(problem)) from None


def _deliver(
    errors: DiarisationErrors,
    differences: Explained | None,
    timelines: Sequence[TurnTimeline],
    arguments: argparse.Namespace,
) -> Callable[[], Iterable[bytes]]:
    """Write the reports; return a function that yields the lines of JSON."""
    interval = _interval(errors, arguments)
    blocks: list[Block] = list(page_of(errors, arguments.speaker_confusions, arguments.all_rates))
    if interval is not None:
        line = f"{interval.bounds(unit=' %')} ({interval.how()})"
        blocks.insert(3, Items([f"interval: {line}"]))
    if timelines:
        blocks.insert(1, Timelines(timelines))
    if differences is not None:
        blocks += page_of_differences(differences)

    def lines() -> Iterable[bytes]:
        members = _members(errors, arguments.hypothesis, arguments.reference, interval)
        if differences is not None:
            members["by_other_rules"] = differences.record()
        return _document([members])

    if arguments.json is not None:
        results.put(arguments.json, lines())
    if arguments.csv is not None:
        results.put_csv(arguments.csv, recording_table(errors), arguments)
    title = f"{arguments.hypothesis} against {arguments.reference}"
    remarks = remark_records(gathered(errors.remarks, is_page=True))
    warnings = [located(remark.get("path"), None, None, remark["text"]) for remark in remarks]
    results.put_pages(blocks, title, arguments, warnings=warnings)
    return lines


def _members(
    errors: DiarisationErrors,
    hypothesis: str,
    reference: str,
    interval: Bootstrap | None = None,
) -> dict[str, object]:
    """Return the result of a system for JSON."""
    return {
        "reference": reference,
        "hypothesis": hypothesis,
        "signature": errors.signature,
        "remarks": remark_records(errors.remarks),
        "overall": errors.record(),
        "interval": None if interval is None else interval.record(),
        "recordings": (recording.record() for recording in errors.recordings),
        "by": errors.by,
        "groups": [{"name": name, **sums.record()} for name, sums in errors.per_group.items()],
    }


def _document(systems: Iterable[dict[str, object]]) -> Iterable[bytes]:
    """Return the lines of a JSON file with the results of systems."""
    head = head_of(SCHEMA, SCHEMA_VERSION)
    return json_file({**head, "systems": map(Members, systems)})
