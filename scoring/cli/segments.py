"""`scoring segments`: labelled stretches of time, right or wrong, from files of any format."""

from __future__ import annotations

from collections.abc import Sequence

from scoring.cli.labels import (
    add_report_arguments,
    check,
    deliver,
    evaluated,
    label_parser,
    seconds,
)
from scoring.labels.aligners.segments import (
    OVERLAPS,
    REFUSE,
    TIME_THRESHOLD,
    InvariantSegmentAligner,
)
from scoring.labels.segments import SegmentEvaluator


def main(argv: Sequence[str]) -> int:
    """Run the command; the exit status."""
    parser = label_parser("segments", "Labelled stretches of time: how many seconds are right.")
    group = parser.add_argument_group("scoring")
    group.add_argument(
        "--overlaps",
        choices=OVERLAPS,
        default=REFUSE,
        help="labels of one side that overlap are an error (default), or each is matched",
    )
    group.add_argument(
        "--time-threshold",
        type=seconds,
        default=TIME_THRESHOLD,
        metavar="SECONDS",
        help=f"times closer than this are one (default: {TIME_THRESHOLD:g})",
    )
    add_report_arguments(parser)
    arguments = parser.parse_args(argv)
    check(parser, arguments)
    evaluator = SegmentEvaluator(
        InvariantSegmentAligner(arguments.time_threshold),
        overlaps=arguments.overlaps,
        missing=arguments.missing,
    )
    found = evaluated(evaluator, arguments)
    return deliver(found, arguments)
