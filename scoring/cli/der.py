"""`scoring der`: who speaks when, against a reference, from files of any format with speakers."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from formats.command_line import CommandParser, InputPath, OutputPath
from formats.times import parse_time
from scoring.cli.output import put
from scoring.cli.reading_options import (
    OF_FILES,
    NothingScoredError,
    add_allow_empty,
    add_choices,
    options_of,
)
from scoring.cli.results import (
    add_csv_safe,
    add_resampling_arguments,
    add_terminal_arguments,
    add_thresholds,
    check_outputs,
    exceeds,
    put_csv,
    put_pages,
    tell,
)
from scoring.cli.scoring import EXCEEDED, OK, warn
from scoring.drawing.blocks import Block, Items
from scoring.drawing.data import head_of, json_file
from scoring.drawing.numbers import percent
from scoring.errors import StatisticsError
from scoring.pages.diarisation import page_of, page_of_differences, table_of
from scoring.sides.given import File
from scoring.speakers.der.explain import Explained, explained
from scoring.speakers.der.result import FEW_RECORDINGS, DiarisationErrors
from scoring.speakers.der.rules import COLLARS, LIKE, REGIONS, rules_like
from scoring.speakers.der.score import BY, ERROR, MISSING, read, score

if TYPE_CHECKING:
    from scoring.stats.bootstrapping import Bootstrap

SCHEMA, SCHEMA_VERSION = "sclite-kit/diarisation", 1
FILES = ("json", "csv", "markdown", "html")


def main(argv: Sequence[str]) -> int:
    """Run the command; the exit status."""
    parser = _parser()
    arguments = parser.parse_args(argv)
    check_outputs(parser, *(getattr(arguments, name) for name in FILES))
    if arguments.reference == arguments.hypothesis == "-":
        parser.error("standard input can be read once only")
    region = arguments.region
    rules = rules_like(
        arguments.like,
        collar_ns=arguments.collar,
        collar_is=arguments.collar_is,
        skip_overlap=arguments.skip_overlap or None,
        region=region if region in REGIONS else None,
    )
    given = read(
        File(arguments.reference),
        File(arguments.hypothesis),
        None if region in REGIONS else region,
        arguments.missing,
        options_of(arguments, OF_FILES),
        arguments.by,
    )
    errors = score(given, rules, arguments.like)
    for remark in errors.remarks:
        tell(remark)
    if not errors.amounts.scored and not arguments.allow_empty:
        raise NothingScoredError(
            f"{arguments.reference}: expected speech to score, found none (--allow-empty takes "
            "that for no error)"
        )
    differences = None
    if arguments.explain_difference:
        differences = explained(given, arguments.collar, arguments.skip_overlap)
    _deliver(errors, differences, arguments)
    amounts, noun = errors.amounts, "diarisation error rate"
    if not amounts.scored:
        return OK
    exceeded = exceeds(arguments, arguments.hypothesis, amounts.wrong, amounts.scored, noun)
    return EXCEEDED if exceeded else OK


def _parser() -> argparse.ArgumentParser:
    parser = CommandParser(
        prog="scoring der",
        description="Who speaks when: speaker time missed, false and confused, by the rules of the "
        "tool you name.",
        epilog="Formats are detected; `formats --help` lists them. "
        "Manual: scoring docs diarisation.",
    )
    parser.add_argument(
        "reference", type=InputPath, metavar="REF", help="turns, - for standard input"
    )
    parser.add_argument("hypothesis", type=InputPath, metavar="HYP", help="turns of the system")
    add_choices(parser.add_argument_group("reading"), OF_FILES)
    group = parser.add_argument_group("scoring")
    group.add_argument(
        "--like",
        choices=tuple(LIKE),
        help="count as this tool does (default: as dscore, marks of NOSCORE honoured)",
    )
    group.add_argument(
        "--collar",
        type=_seconds,
        default=0,
        metavar="SECONDS",
        help="around borders of the reference, not scored, such as 0.25s (default: 0)",
    )
    group.add_argument(
        "--collar-is",
        choices=COLLARS,
        help="before and after a border each (default, but with --like pyannote), or in total",
    )
    group.add_argument(
        "--skip-overlap",
        action="store_true",
        help="leave out where the reference has several turns at a time",
    )
    group.add_argument(
        "--region",
        type=_region,
        metavar="reference|both|FILE",
        help="what to score: what the reference or both sides span, or the regions of a uem file "
        "(default: both, or as the tool has it)",
    )
    group.add_argument(
        "--by",
        choices=BY,
        help="score each channel of a recording alone, and tell the sums by channel",
    )
    group.add_argument(
        "--missing",
        choices=MISSING,
        default=ERROR,
        help="recordings of one side only are an error (default), or are scored against nothing",
    )
    add_allow_empty(group)
    group = parser.add_argument_group("reports")
    group.add_argument("--per-speaker", action="store_true", help="who was taken for whom")
    group.add_argument(
        "--explain-difference",
        action="store_true",
        help="score by the rules of all tools, and tell which rule moves which seconds",
    )
    for name, text in (
        ("json", "everything as JSON"),
        ("csv", "a recording a row"),
        ("markdown", "the text as Markdown"),
        ("html", "the text as a page for browsers"),
    ):
        group.add_argument(
            f"--{name}", type=OutputPath, metavar="FILE", help=f"{text} (-: standard output)"
        )
    add_csv_safe(group)
    add_thresholds(group)
    add_terminal_arguments(group)
    statistics = parser.add_argument_group("statistics")
    statistics.add_argument(
        "--confidence-interval",
        action="store_true",
        help="bootstrap interval of the error rate, over recordings",
    )
    add_resampling_arguments(statistics, blocks=False)
    return parser


def _seconds(text: str) -> int:
    number = text.removesuffix("s")
    try:
        found = parse_time(number)
    except ValueError:
        found = -1
    if found < 0:
        raise argparse.ArgumentTypeError(f"expected seconds such as 0.25s, found {text!r}")
    return found


def _region(text: str) -> str:
    return text if text in REGIONS else InputPath(text)


def _interval(errors: DiarisationErrors, arguments: argparse.Namespace) -> Bootstrap | None:
    if not arguments.confidence_interval:
        return None
    number = len(errors.recordings)
    if number < FEW_RECORDINGS:
        warn(f"the interval is drawn from few recordings: {number}")
    try:
        return errors.interval(
            replications=arguments.replications, seed=arguments.seed, level=arguments.level / 100
        )
    except StatisticsError as problem:
        warn(f"no interval: {str(problem).replace('utterances', 'recordings')}")
        return None
    except ValueError as problem:
        raise StatisticsError(str(problem)) from None


def _deliver(
    errors: DiarisationErrors, differences: Explained | None, arguments: argparse.Namespace
) -> None:
    interval = _interval(errors, arguments)
    blocks: list[Block] = list(page_of(errors, arguments.per_speaker))
    if interval is not None:
        low, high = interval.percentile
        how = interval.how("recording")
        blocks.insert(2, Items([f"interval: {percent(low)} to {percent(high)} % ({how})"]))
    if differences is not None:
        blocks += page_of_differences(differences)
    if arguments.json is not None:
        members: dict[str, object] = {
            **head_of(SCHEMA, SCHEMA_VERSION),
            "reference": arguments.reference,
            "hypothesis": arguments.hypothesis,
            "signature": errors.signature,
            "remarks": list(errors.remarks),
            "total": errors.record(),
            "interval": None if interval is None else interval.record("recording"),
            "recordings": (one.record() for one in errors.recordings),
            "by": errors.by,
            "groups": [{"name": name, **one.record()} for name, one in errors.per_group.items()],
        }
        if differences is not None:
            members["differences"] = differences.record()
        put(arguments.json, json_file(members))
    if arguments.csv is not None:
        put_csv(arguments.csv, table_of(errors), arguments)
    put_pages(blocks, f"{arguments.hypothesis} against {arguments.reference}", arguments, FILES)
