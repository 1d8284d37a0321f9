"""`scoring diff` and `scoring beer`: compare two files, for people and programs."""

from __future__ import annotations

from collections.abc import Sequence

from formats.cli.arguments import CONTEXT_KIND
from formats.schema import is_installed
from scoring.cli import flags, results
from scoring.cli.scoring import OK
from scoring.drawing.forms import TERMINAL
from scoring.drawing.text import Appearance
from scoring.pages.differences import LAYOUTS, REPORTS, Look, pieces_of
from scoring.pages.entities import REPORTS as ENTITY_REPORTS
from scoring.pages.entities import EntityReport
from scoring.pages.entities import pieces_of as entity_pieces
from scoring.results.entities import BagOfEntities, read_entities
from scoring.score import wer
from scoring.score.rates import ErrorRates
from scoring.sides.given import File

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from formats.console.command_line import CommandTable

SIDES = f"""
[input]
@reading match matching where normalize
{flags.ALLOW_EMPTY}
"""
OUTPUT = """
[output]
* -f --format FORM  form of the report: {forms} (default: {default})
* --output
"""
DIFF = f"""
{SIDES}
[alignment]
@like aligning
{OUTPUT.format(forms=", ".join(REPORTS), default=TERMINAL)}
[what is shown]
* --layout  inline: one text with its differences marked (default); rows: the reference above the
  hypothesis
* --context
* --all  also show utterances without differences
{results.TERMINAL}
"""
BEER = f"""
{SIDES}
[]
--entity-weights <FILE  JSON file with a weight for each entity: {{"New York": 1, "rain": 0.5}}
{OUTPUT.format(forms=", ".join(ENTITY_REPORTS), default=TERMINAL)}
"""


def diff(argv: Sequence[str]) -> int:
    """Run `scoring diff`; return the exit status."""
    parser = flags.command_parser(
        "diff",
        "Show the words that differ, utterance by utterance, in files of any format.",
        DIFF,
        sides="REF HYP",
        format={"choices": tuple(REPORTS), "default": TERMINAL},
        layout={"choices": LAYOUTS, "default": LAYOUTS[0]},
        context=CONTEXT_KIND,
        **results.KINDS,
    )
    arguments = _parse_sides(parser, argv)
    if arguments.layout != LAYOUTS[0] and arguments.format != TERMINAL:
        parser.error(f"--layout needs --format {TERMINAL}")
    rates = _aligned(arguments)
    to_file = arguments.output not in (None, "-")
    use_colour = results.use_colour(arguments) and not (to_file and arguments.colour == "auto")
    look = Look(
        Appearance(results.line_width(arguments), use_colour),
        layout=arguments.layout,
        context=arguments.context,
        everything=arguments.all,
    )
    pieces = pieces_of(rates, arguments.format, look)
    results.put(arguments.output or "-", pieces, is_drawn=arguments.format == TERMINAL)
    return OK


def beer(argv: Sequence[str]) -> int:
    """Run `scoring beer`; return the exit status."""
    parser = flags.command_parser(
        "beer",
        "Error rates of names and other entities (BEER, bag of entities error rate): how many "
        "are missing from an utterance or extra in it. Their positions do not matter.",
        BEER,
        sides="REF HYP",
        format={"choices": tuple(ENTITY_REPORTS), "default": TERMINAL},
        entity_weights={"dest": "entities", "required": True},
    )
    arguments = _parse_sides(parser, argv)
    bag = BagOfEntities.of(read_entities(arguments.entities))
    rates = _aligned(arguments)
    sides = rates.aligned.references, rates.aligned.hypotheses
    pairs = list(zip(*sides, strict=True))
    errors = bag.errors(pairs)
    name = f"{rates.reference.path}: entities of {arguments.entities}"
    flags.refuse_empty(errors.occurrences, name, arguments)
    head, _, version = bag.signature.rpartition("|")
    rules = rates.rules
    matched_by = rates.matching_summary.matched_by
    choices = f"norm:{rules.normalization}|missing:{rules.missing}|match:{matched_by}"
    paths = rates.reference.path, rates.hypothesis.path
    places = [
        {
            "utterance": rates.identifiers[utterance],
            "side": ("reference", "hypothesis")[side],
            "entity": bag.entities[number],
            "start_word": begin,
            "end_word": end,
        }
        for utterance, side, number, begin, end in bag.occurrences(pairs)
    ]
    signature = f"{head}|{choices}|{version}"
    report = EntityReport(*paths, len(rates), errors, signature, places, rates.remarks)
    results.put(arguments.output or "-", entity_pieces(report, arguments.format))
    return OK


def _holds_both(path: str) -> bool:
    """Return True if a file is a table with both sides.

    Returns False if the package that reads such tables is not installed.
    """
    if not is_installed("scoring.regression"):
        return False
    from scoring.sides.layouts import holds_both

    return holds_both(path)


def _parse_sides(parser: CommandTable, argv: Sequence[str]) -> Namespace:
    """Return the arguments; reject standard input for both files."""
    arguments = flags.parse_files(parser, argv, has_both=_holds_both)
    [arguments.hypothesis] = arguments.hypotheses
    flags.check_standard_input(parser, [arguments.reference, arguments.hypothesis])
    return arguments


def _aligned(arguments: Namespace) -> ErrorRates:
    """Match and align the two sides, print remarks, and return the result."""
    paths = File(arguments.reference), File(arguments.hypothesis)
    rates = wer(*paths, options=flags.options_of(arguments))
    results.print_remarks(rates, arguments)
    return rates
