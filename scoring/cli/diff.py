"""`scoring diff`: what differs between a reference and a hypothesis, for people and programs."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from formats.command_line import CommandParser
from scoring.cli.output import put
from scoring.cli.reading_options import whole_number
from scoring.cli.results import add_terminal_arguments, line_width, use_colour
from scoring.cli.scoring import OK
from scoring.cli.two_sides import (
    add_alignment,
    add_output,
    add_sides,
    aligned,
    parse_sides,
)
from scoring.drawing.forms import TERMINAL
from scoring.drawing.text import Appearance
from scoring.pages.differences import LAYOUTS, REPORTS, Look, pieces_of


def main(argv: Sequence[str]) -> int:
    """Run the command; the exit status."""
    parser = _parser()
    arguments = parse_sides(parser, argv)
    if arguments.layout != LAYOUTS[0] and arguments.format != TERMINAL:
        parser.error(f"--layout goes with --format {TERMINAL}")
    rates = aligned(arguments)
    to_file = arguments.output not in (None, "-")
    look = Look(
        Appearance(
            line_width(arguments),
            use_colour(arguments) and not (to_file and arguments.colour == "auto"),
        ),
        layout=arguments.layout,
        context=arguments.context,
        everything=arguments.all,
    )
    pieces = pieces_of(rates, arguments.format, look)
    put(arguments.output or "-", pieces, is_drawn=arguments.format == TERMINAL)
    return OK


def _parser() -> argparse.ArgumentParser:
    parser = CommandParser(
        short_help=False,
        prog="scoring diff",
        description="Show the words that differ, utterance by utterance, from files of any format.",
    )
    add_sides(parser)
    add_alignment(parser)
    add_output(parser, REPORTS, TERMINAL)
    group = parser.add_argument_group("what is shown")
    group.add_argument(
        "--layout",
        choices=LAYOUTS,
        default=LAYOUTS[0],
        help="running text (default), or reference and hypothesis in rows",
    )
    group.add_argument(
        "--context",
        type=whole_number(0),
        metavar="WORDS",
        help="equal words beside what differs (default: all)",
    )
    group.add_argument(
        "--all", action="store_true", help="show utterances without differences, too"
    )
    add_terminal_arguments(group)
    return parser
