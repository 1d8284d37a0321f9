"""`scoring beer`: are the names there? Error rates of a bag of entities."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from formats.command_line import CommandParser, InputPath
from scoring.cli.reading import refuse_empty
from scoring.cli.scoring import OK
from scoring.cli.two_sides import add_output, add_sides, aligned, parse_sides, write
from scoring.compat.metrics.entities import BagOfEntitiesErrorRate, read_entities
from scoring.compat.metrics.entity_report import REPORTS, EntityReport
from scoring.compat.metrics.metric import evaluate
from scoring.scored.rates import ErrorRates


def main(argv: Sequence[str]) -> int:
    """Run the command; the exit status.

    Raises
    ------
    ScoringError, formats.FormatError
        For the dispatcher to tell.
    """
    parser = _parser()
    arguments = parse_sides(parser, argv)
    metric = BagOfEntitiesErrorRate(read_entities(arguments.entities))
    rates = aligned(arguments)
    sides = rates.aligned.references, rates.aligned.hypotheses
    found = evaluate(metric, zip(*sides, strict=True))
    spoken = sum(one.reference for one in found.score.entities)
    refuse_empty(spoken, f"{rates.reference.path}: entities of {arguments.entities}", arguments)
    report = EntityReport(
        rates.reference.path,
        rates.hypothesis.path,
        len(rates),
        found.score,
        _signature(metric, rates),
    )
    write(REPORTS[arguments.format](report), arguments.output)
    return OK


def _signature(metric: BagOfEntitiesErrorRate, rates: ErrorRates) -> str:
    head, _, version = metric.signature.rpartition("|")
    rules = rates.rules
    choices = f"norm:{rules.normalization}|missing:{rules.missing}|match:{rates.account.matched_by}"
    return f"{head}|{choices}|{version}"


def _parser() -> argparse.ArgumentParser:
    parser = CommandParser(
        short_help=False,
        prog="scoring beer",
        description="Error rates of entities: how many times too few or too many they are "
        "recognised, wherever they stand; from files of any format.",
    )
    add_sides(parser)
    parser.add_argument(
        "--entities",
        type=InputPath,
        required=True,
        metavar="FILE",
        help='JSON object from entities to weights: {"New York": 1, "rain": 0.5}',
    )
    add_output(parser, REPORTS, "terminal")
    return parser
