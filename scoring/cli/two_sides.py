"""A reference and a hypothesis on a command line: how they are read, made comparable, matched."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from pathlib import Path

from formats.command_line import OutputPath
from scoring.cli import flags, results
from scoring.regression.layouts import holds_both
from scoring.scored.rates import ErrorRates
from scoring.scored.score import wer


def add_sides(parser: argparse.ArgumentParser) -> None:
    """Both sides, how they are read and what becomes of them before they are compared."""
    flags.add_files(parser, "REF HYP")
    group = parser.add_argument_group("reading")
    flags.add_choices(group, [*flags.READING, *flags.MATCHING, "normalize"])
    flags.add_allow_empty(group)


def parse_sides(parser: argparse.ArgumentParser, argv: Sequence[str]) -> argparse.Namespace:
    """The arguments; standard input is read once."""
    arguments = flags.parse_files(parser, argv, has_both=holds_both)
    [arguments.hypothesis] = arguments.hypotheses
    flags.check_standard_input(parser, [arguments.reference, arguments.hypothesis])
    return arguments


def aligned(arguments: argparse.Namespace) -> ErrorRates:
    """The two sides matched and aligned; prints what may have been overlooked."""
    paths = Path(arguments.reference), Path(arguments.hypothesis)
    rates = wer(*paths, options=flags.options_of(arguments))
    results.print_remarks(rates, arguments)
    return rates


def add_output(parser: argparse.ArgumentParser, forms: Iterable[str], default: str) -> None:
    """The form of the report and where it goes."""
    flags.add_flags(
        parser.add_argument_group("output"),
        f"-f --format  default: {default}\n--output FILE  where it goes (default: standard output)",
        format={"choices": tuple(forms), "default": default},
        FILE=OutputPath,
    )
