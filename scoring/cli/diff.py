"""`scoring diff`: what differs between a reference and a hypothesis, for people and programs."""

from __future__ import annotations

from collections.abc import Sequence

from formats.command_line import CommandParser
from scoring.cli import flags, results, two_sides
from scoring.cli.scoring import OK
from scoring.drawing.forms import TERMINAL
from scoring.drawing.text import Appearance
from scoring.pages.differences import LAYOUTS, REPORTS, Look, pieces_of

SHOWN = """
--layout  running text (default), or reference and hypothesis in rows
--context WORDS  equal words beside what differs (default: all)
--all  show utterances without differences, too
"""


def main(argv: Sequence[str]) -> int:
    """Run the command; the exit status."""
    parser = CommandParser(
        short_help=False,
        prog="scoring diff",
        description="Show the words that differ, utterance by utterance, from files of any format.",
    )
    two_sides.add_sides(parser)
    flags.add_choices(parser.add_argument_group("alignment"), flags.ALIGNING)
    two_sides.add_output(parser, REPORTS, TERMINAL)
    group = parser.add_argument_group("what is shown")
    layouts = {"choices": LAYOUTS, "default": LAYOUTS[0]}
    flags.add_flags(group, SHOWN, layout=layouts, WORDS=flags.whole_number(0))
    results.add_terminal_arguments(group)
    arguments = two_sides.parse_sides(parser, argv)
    if arguments.layout != LAYOUTS[0] and arguments.format != TERMINAL:
        parser.error(f"--layout goes with --format {TERMINAL}")
    rates = two_sides.aligned(arguments)
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
