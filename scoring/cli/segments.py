"""`scoring segments`: labelled stretches of time, right or wrong, from files of any format."""

from __future__ import annotations

from collections.abc import Sequence

from scoring.cli import labels
from scoring.cli.flags import add_flags
from scoring.labels.aligners.segments import (
    OVERLAPS,
    REFUSE,
    TIME_THRESHOLD,
    InvariantSegmentAligner,
)
from scoring.labels.segments import SegmentEvaluator

SCORING = f"""
--overlaps  labels of one side that overlap are an error (default), or each is matched
--time-threshold SECONDS  times closer than this are one (default: {TIME_THRESHOLD:g})
"""


def main(argv: Sequence[str]) -> int:
    """Run the command; the exit status."""
    title = "Labelled stretches of time: how many seconds are right."
    parser = labels.label_parser("segments", title)
    add_flags(
        parser.add_argument_group("scoring"),
        SCORING,
        overlaps={"choices": OVERLAPS, "default": REFUSE},
        SECONDS={"type": labels.seconds, "default": TIME_THRESHOLD},
    )
    labels.add_report_arguments(parser)
    arguments = parser.parse_args(argv)
    labels.check(parser, arguments)
    aligner = InvariantSegmentAligner(arguments.time_threshold)
    overlaps, missing = arguments.overlaps, arguments.missing
    evaluator = SegmentEvaluator(aligner, overlaps=overlaps, missing=missing)
    evaluation = labels.evaluated(evaluator, arguments)
    return labels.deliver(evaluation, arguments)
