"""`scoring events`: labelled events or keywords, found or not, from files of any format."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from scoring.cli.labels import (
    add_report_arguments,
    check,
    deliver,
    evaluated,
    label_parser,
    seconds,
)
from scoring.labels.aligners import (
    BipartiteMatchingAligner,
    CandidateFinder,
    EventAligner,
    FullMatchingAligner,
    LevenshteinAligner,
    OverlapCandidateFinder,
    StartEndCandidateFinder,
)
from scoring.labels.events import EventEvaluator
from scoring.labels.keywords import KWSEvaluator

BIPARTITE, FULL, LEVENSHTEIN = "bipartite", "full", "levenshtein"


def main(argv: Sequence[str]) -> int:
    """Run the command; the exit status."""
    parser = _parser()
    arguments = parser.parse_args(argv)
    _check(parser, arguments)
    aligner = _aligner(arguments)
    if arguments.keywords:
        spotted = evaluated(KWSEvaluator(aligner, missing=arguments.missing), arguments)
        return deliver(spotted, arguments, dict(arguments.keyword_group))
    found = evaluated(EventEvaluator(aligner, missing=arguments.missing), arguments)
    return deliver(found, arguments)


def _parser() -> argparse.ArgumentParser:
    parser = label_parser("events", "Labelled events: which were found, missed or mistaken.")
    group = parser.add_argument_group("scoring")
    group.add_argument(
        "--align",
        choices=(BIPARTITE, FULL, LEVENSHTEIN),
        default=BIPARTITE,
        help="one to one by time (default), all that overlap, or by order",
    )
    group.add_argument(
        "--min-overlap",
        type=seconds,
        metavar="SECONDS",
        help="what two labels must have in common (default: 0.05, with full: anything)",
    )
    group.add_argument(
        "--start-tolerance",
        type=seconds,
        metavar="SECONDS",
        help="pair labels whose starts differ by so much at most, whether they overlap or not",
    )
    group.add_argument("--end-tolerance", type=seconds, metavar="SECONDS", help="and whose ends do")
    group.add_argument(
        "--keywords",
        action="store_true",
        help="events are keywords: false rejections, false alarms, term-weighted value as well",
    )
    group.add_argument(
        "--keyword-group",
        action="append",
        default=[],
        type=_group,
        metavar="NAME=KEYWORD,...",
        help="rates of these keywords together, too (again for more groups)",
    )
    add_report_arguments(parser)
    return parser


def _check(parser: argparse.ArgumentParser, arguments: argparse.Namespace) -> None:
    check(parser, arguments)
    starts, ends = arguments.start_tolerance, arguments.end_tolerance
    if ends is not None and starts is None:
        parser.error("--end-tolerance needs --start-tolerance")
    if starts is not None and (arguments.min_overlap is not None or arguments.align != BIPARTITE):
        parser.error("--start-tolerance goes with --align bipartite, without --min-overlap")
    if arguments.min_overlap is not None and arguments.align == LEVENSHTEIN:
        parser.error("--min-overlap says nothing of an alignment by order")
    if arguments.keyword_group and not arguments.keywords:
        parser.error("--keyword-group needs --keywords")


def _aligner(arguments: argparse.Namespace) -> EventAligner:
    if arguments.align == LEVENSHTEIN:
        return LevenshteinAligner()
    if arguments.align == FULL:
        return FullMatchingAligner(arguments.min_overlap or 0)
    finder: CandidateFinder | None = None
    if arguments.start_tolerance is not None:
        ends = -1 if arguments.end_tolerance is None else arguments.end_tolerance
        finder = StartEndCandidateFinder(arguments.start_tolerance, ends)
    elif arguments.min_overlap is not None:
        finder = OverlapCandidateFinder(arguments.min_overlap)
    return BipartiteMatchingAligner(finder)


def _group(text: str) -> tuple[str, list[str]]:
    name, equals, keywords = text.partition("=")
    found = [keyword for keyword in keywords.split(",") if keyword]
    if not (name and equals and found):
        raise argparse.ArgumentTypeError(f"expected such as animals=cat,dog, found {text!r}")
    return name, found
