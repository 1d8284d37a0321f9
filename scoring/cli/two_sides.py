"""A reference and a hypothesis on a command line: how they are read, made comparable, matched."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from pathlib import Path

from formats.command_line import OutputPath
from scoring.cli.reading_options import (
    ALIGNING,
    MATCHING,
    READING,
    add_allow_empty,
    add_choices,
    add_files,
    options_of,
    parse_files,
)
from scoring.cli.results import tell_of
from scoring.regression.layouts import holds_both
from scoring.scored.rates import ErrorRates
from scoring.scored.score import wer


def add_sides(parser: argparse.ArgumentParser) -> None:
    """Both sides, how they are read and what becomes of them before they are compared."""
    add_files(parser, "REF HYP")
    group = parser.add_argument_group("reading")
    add_choices(group, [*READING, *MATCHING, "normalize"])
    add_allow_empty(group)


def add_alignment(parser: argparse.ArgumentParser) -> None:
    """How words are aligned."""
    add_choices(parser.add_argument_group("alignment"), ALIGNING)


def parse_sides(parser: argparse.ArgumentParser, argv: Sequence[str]) -> argparse.Namespace:
    """The arguments; standard input is read once."""
    arguments = parse_files(parser, argv, has_both=holds_both)
    [arguments.hypothesis] = arguments.hypotheses
    if arguments.reference == arguments.hypothesis == "-":
        parser.error("standard input can be read once only")
    return arguments


def aligned(arguments: argparse.Namespace) -> ErrorRates:
    """The two sides matched and aligned; what may have been overlooked is told."""
    paths = Path(arguments.reference), Path(arguments.hypothesis)
    rates = wer(*paths, options=options_of(arguments))
    tell_of(rates, arguments)
    return rates


def add_output(parser: argparse.ArgumentParser, forms: Iterable[str], default: str) -> None:
    """The form of the report and where it goes."""
    group = parser.add_argument_group("output")
    group.add_argument(
        "-f", "--format", choices=tuple(forms), default=default, help=f"default: {default}"
    )
    group.add_argument(
        "--output",
        type=OutputPath,
        metavar="FILE",
        help="where it goes (default: standard output)",
    )
