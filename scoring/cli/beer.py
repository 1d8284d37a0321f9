"""`scoring beer`: are the names there? Error rates of a bag of entities."""

from __future__ import annotations

from collections.abc import Sequence

from formats.command_line import CommandParser, InputPath
from scoring.cli.flags import add_flags, refuse_empty
from scoring.cli.output import put
from scoring.cli.scoring import OK
from scoring.cli.two_sides import add_output, add_sides, aligned, parse_sides
from scoring.pages.entities import REPORTS, EntityReport, pieces_of
from scoring.rates.entities import BagOfEntities, read_entities

ENTITIES = """
--entities FILE  JSON object from entities to weights: {"New York": 1, "rain": 0.5}
"""


def main(argv: Sequence[str]) -> int:
    """Run the command; the exit status."""
    parser = CommandParser(
        short_help=False,
        prog="scoring beer",
        description="Error rates of entities: how many times too few or too many they are "
        "recognised, wherever they stand; from files of any format.",
    )
    add_sides(parser)
    add_flags(parser, ENTITIES, entities={"type": InputPath, "required": True})
    add_output(parser, REPORTS, "terminal")
    arguments = parse_sides(parser, argv)
    bag = BagOfEntities.of(read_entities(arguments.entities))
    rates = aligned(arguments)
    sides = rates.aligned.references, rates.aligned.hypotheses
    errors = bag.errors(zip(*sides, strict=True))
    name = f"{rates.reference.path}: entities of {arguments.entities}"
    refuse_empty(errors.occurrences, name, arguments)
    head, _, version = bag.signature.rpartition("|")
    rules = rates.rules
    matched_by = rates.matching_summary.matched_by
    choices = f"norm:{rules.normalization}|missing:{rules.missing}|match:{matched_by}"
    paths = rates.reference.path, rates.hypothesis.path
    report = EntityReport(*paths, len(rates), errors, f"{head}|{choices}|{version}")
    put(arguments.output or "-", pieces_of(report, arguments.format))
    return OK
