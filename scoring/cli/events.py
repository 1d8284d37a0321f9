"""`scoring events`: labelled events or keywords, found or not, from files of any format."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from scoring.cli import labels
from scoring.cli.flags import add_flags
from scoring.labels import aligners
from scoring.labels.events import EventEvaluator
from scoring.labels.keywords import KWSEvaluator

BIPARTITE, FULL, LEVENSHTEIN = "bipartite", "full", "levenshtein"
SCORING = """
--align {bipartite,full,levenshtein}  one to one by time (default), all that overlap, or by order
--min-overlap SECONDS  what two labels must have in common (default: 0.05, with full: anything)
--start-tolerance SECONDS  pair labels whose starts differ by so much at most, whether they overlap
  or not
--end-tolerance SECONDS  and whose ends do
--keywords  events are keywords: false rejections, false alarms, term-weighted value as well
--keyword-group NAME=KEYWORD,... ...  rates of these keywords together, too (repeatable)
"""


def main(argv: Sequence[str]) -> int:
    """Run the command; the exit status."""
    parser = labels.label_parser("events", "Labelled events: which were found, missed or mistaken.")
    add_flags(
        parser.add_argument_group("scoring"),
        SCORING,
        align={"default": BIPARTITE},
        SECONDS=labels.seconds,
        keyword_group=_group,
    )
    labels.add_report_arguments(parser)
    arguments = parser.parse_args(argv)
    _check(parser, arguments)
    aligner = _aligner(arguments)
    if arguments.keywords:
        spotted = labels.evaluated(KWSEvaluator(aligner, missing=arguments.missing), arguments)
        return labels.deliver(spotted, arguments, dict(arguments.keyword_group))
    events = labels.evaluated(EventEvaluator(aligner, missing=arguments.missing), arguments)
    return labels.deliver(events, arguments)


def _check(parser: argparse.ArgumentParser, arguments: argparse.Namespace) -> None:
    labels.check(parser, arguments)
    starts, ends = arguments.start_tolerance, arguments.end_tolerance
    if ends is not None and starts is None:
        parser.error("--end-tolerance needs --start-tolerance")
    if starts is not None and (arguments.min_overlap is not None or arguments.align != BIPARTITE):
        parser.error("--start-tolerance goes with --align bipartite, without --min-overlap")
    if arguments.min_overlap is not None and arguments.align == LEVENSHTEIN:
        parser.error("--min-overlap says nothing of an alignment by order")
    if arguments.keyword_group and not arguments.keywords:
        parser.error("--keyword-group needs --keywords")


def _aligner(arguments: argparse.Namespace) -> aligners.EventAligner:
    if arguments.align == LEVENSHTEIN:
        return aligners.LevenshteinAligner()
    if arguments.align == FULL:
        return aligners.FullMatchingAligner(arguments.min_overlap or 0)
    finder: aligners.CandidateFinder | None = None
    if arguments.start_tolerance is not None:
        ends = -1 if arguments.end_tolerance is None else arguments.end_tolerance
        finder = aligners.StartEndCandidateFinder(arguments.start_tolerance, ends)
    elif arguments.min_overlap is not None:
        finder = aligners.OverlapCandidateFinder(arguments.min_overlap)
    return aligners.BipartiteMatchingAligner(finder)


def _group(text: str) -> tuple[str, list[str]]:
    name, equals, keywords = text.partition("=")
    members = [keyword for keyword in keywords.split(",") if keyword]
    if not (name and equals and members):
        raise argparse.ArgumentTypeError(f"expected such as animals=cat,dog, found {text!r}")
    return name, members
