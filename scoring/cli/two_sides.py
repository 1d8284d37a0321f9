"""A reference and a hypothesis on a command line: how they are read, made comparable, matched."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from pathlib import Path

from formats.command_line import InputPath, OutputPath
from scoring.cli.reading import (
    add_files,
    add_matching_arguments,
    add_reading_arguments,
    parse_files,
    reading_of,
)
from scoring.cli.results import tell_of
from scoring.cli.wer import add_normalize_argument, unit_name
from scoring.normalize.pipeline_files import as_pipeline
from scoring.options import PROFILES
from scoring.score import wer
from scoring.scored.rates import ErrorRates
from scoring.sides.speakers import read_speakers


def add_sides(parser: argparse.ArgumentParser) -> None:
    """Both sides, how they are read and what becomes of them before they are compared."""
    add_files(parser, "REF HYP")
    group = parser.add_argument_group("reading")
    group.add_argument("--reference-format", metavar="FORMAT", help="default: detected")
    group.add_argument("--hypothesis-format", metavar="FORMAT", help="default: detected")
    add_reading_arguments(group)
    group.add_argument(
        "--utt2spk", type=InputPath, metavar="FILE", help="speakers of utterances, as in Kaldi"
    )
    add_matching_arguments(group)
    add_normalize_argument(group)


def add_alignment(parser: argparse.ArgumentParser) -> None:
    """How words are aligned."""
    group = parser.add_argument_group("alignment")
    group.add_argument(
        "--profile",
        choices=tuple(PROFILES),
        default="sclite",
        help="; ".join(f"{one.name}: {one.title}" for one in PROFILES.values()).replace("%", "%%"),
    )
    group.add_argument(
        "--unit", type=unit_name, default="word", metavar="UNIT", help="as of `scoring wer`"
    )
    group.add_argument("--ignore-case", action="store_true", help="compare words without case")
    group.add_argument(
        "--forgive-optional",
        action="store_true",
        help="leaving out a word marked as optional is no error",
    )


def parse_sides(parser: argparse.ArgumentParser, argv: Sequence[str]) -> argparse.Namespace:
    """The arguments; standard input is read once."""
    arguments = parse_files(parser, argv)
    [arguments.hypothesis] = arguments.hypotheses
    if arguments.reference == arguments.hypothesis == "-":
        parser.error("standard input can be read once only")
    return arguments


def aligned(arguments: argparse.Namespace) -> ErrorRates:
    """The two sides matched and aligned; what may have been overlooked is told.

    Raises
    ------
    ScoringError, formats.FormatError
        If a side cannot be read, or the two do not match.
    """
    given = vars(arguments)
    rates = wer(
        reference=Path(arguments.reference),
        hypothesis=Path(arguments.hypothesis),
        reference_format=arguments.reference_format,
        hypothesis_format=arguments.hypothesis_format,
        **reading_of(arguments),
        speakers=None if arguments.utt2spk is None else read_speakers(arguments.utt2spk),
        missing=arguments.missing,
        allow_unmatched=arguments.allow_unmatched,
        normalize=as_pipeline(arguments.normalize),
        profile=given.get("profile", "sclite"),
        unit=given.get("unit", "word"),
        ignore_case=given.get("ignore_case", False),
        forgive_optional=given.get("forgive_optional", False),
    )
    tell_of(rates, arguments)
    return rates


def add_output(parser: argparse.ArgumentParser, forms: Iterable[str], default: str) -> None:
    """The form of the report and where it goes."""
    group = parser.add_argument_group("output")
    group.add_argument(
        "-f", "--format", choices=tuple(forms), default=default, help=f"default: {default}"
    )
    group.add_argument(
        "-o",
        "--output",
        type=OutputPath,
        metavar="FILE",
        help="where it goes (default: standard output)",
    )
