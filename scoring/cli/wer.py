"""`scoring wer`: the word error rate of one or more hypotheses, from any two formats."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from formats.command_line import CommandParser, InputPath, OutputPath
from scoring.cli.reading import (
    add_files,
    add_matching_arguments,
    add_reading_arguments,
    parse_files,
    reading_of,
    refuse_empty,
)
from scoring.cli.results import (
    add_output_arguments,
    check_reports,
    deliver,
    put,
    whole_number,
)
from scoring.cli.scoring import OK
from scoring.normalize.pipeline import Pipeline
from scoring.normalize.pipeline_files import as_pipeline
from scoring.normalize.units import SCRIPTS, checked_unit
from scoring.options import PROFILES
from scoring.score import wer
from scoring.scored.hashes import with_hashes
from scoring.scored.record import Document, Shard, document_lines
from scoring.sides.speakers import read_speakers


def main(argv: Sequence[str]) -> int:
    """Run the command; the exit status.

    Raises
    ------
    ScoringError, formats.FormatError
        For the dispatcher to tell.
    """
    parser = _parser()
    arguments = parse_files(parser, argv, most=None)
    _check(parser, arguments)
    speakers = None if arguments.utt2spk is None else read_speakers(arguments.utt2spk)
    pipeline = as_pipeline(arguments.normalize)
    systems = []
    for hypothesis in arguments.hypotheses:
        rates = wer(
            reference=Path(arguments.reference),
            hypothesis=Path(hypothesis),
            reference_format=arguments.reference_format,
            hypothesis_format=arguments.hypothesis_format,
            **reading_of(arguments),
            profile=arguments.profile,
            missing=arguments.missing,
            allow_unmatched=arguments.allow_unmatched,
            ignore_case=arguments.ignore_case,
            forgive_optional=arguments.forgive_optional,
            unit=arguments.unit,
            normalize=pipeline,
            speakers=speakers,
            keep_sources=arguments.html is not None or bool(arguments.nist_reports),
            jobs=arguments.jobs,
        )
        is_recorded = arguments.json or arguments.html or arguments.shard
        systems.append(with_hashes(rates) if is_recorded else rates)
    if arguments.shard is None:
        return deliver(systems, arguments)
    shard: Shard = arguments.shard
    for rates in systems:
        refuse_empty(rates.counts.reference_tokens, rates.reference.path, arguments)
    parts = [rates.part(*shard.bounds(len(rates))) for rates in systems]
    put(arguments.output, document_lines(Document(parts, shard)))
    return OK


def _parser() -> argparse.ArgumentParser:
    parser = CommandParser(
        short_help=False,
        prog="scoring wer",
        description="Word error rates of hypotheses against a reference, from files of any format.",
        epilog="Formats are detected; `formats --help` lists them, and Kaldi's text is kaldi.",
    )
    add_files(parser, "REF HYP [HYP ...]")
    group = parser.add_argument_group("reading")
    group.add_argument("--reference-format", metavar="FORMAT", help="default: detected")
    group.add_argument("--hypothesis-format", metavar="FORMAT", help="default: detected")
    add_reading_arguments(group)
    group.add_argument(
        "--utt2spk", type=InputPath, metavar="FILE", help="speakers of utterances, as in Kaldi"
    )
    group.add_argument(
        "--jobs", type=whole_number(1), default=1, metavar="N", help="processes (default: 1)"
    )
    scoring = parser.add_argument_group("scoring")
    scoring.add_argument(
        "--profile",
        choices=tuple(PROFILES),
        default="sclite",
        help="; ".join(f"{one.name}: {one.title}" for one in PROFILES.values()).replace("%", "%%"),
    )
    add_matching_arguments(scoring)
    scoring.add_argument(
        "--unit",
        type=unit_name,
        default="word",
        metavar="UNIT",
        help="word (default); char: code points; grapheme: what users see as characters; mixed: "
        "characters in Han and Kana, words elsewhere (mixed+thai: Thai too, so with "
        f"{', '.join(SCRIPTS)})",
    )
    add_normalize_argument(scoring)
    scoring.add_argument("--ignore-case", action="store_true", help="compare words without case")
    scoring.add_argument(
        "--forgive-optional",
        action="store_true",
        help="leaving out a word marked as optional is no error",
    )
    parts = parser.add_argument_group("shards")
    parts.add_argument(
        "--shard", type=_shard, metavar="I/N", help="score the I-th of N parts, for `merge`"
    )
    parts.add_argument(
        "--output", type=OutputPath, metavar="FILE", help="where the shard goes, as JSON"
    )
    add_output_arguments(parser)
    return parser


def add_normalize_argument(group: argparse._ActionsContainer) -> None:
    """The flag that names steps and pipelines."""
    group.add_argument(
        "--normalize",
        action="append",
        default=[],
        type=pipeline_named,
        metavar="NAME|FILE",
        help="a step such as lowercase or casefold:lang=tr, a pipeline, or a file of one, for both "
        "sides; may be given several times (`scoring normalize --list` lists them)",
    )


def pipeline_named(text: str) -> Pipeline:
    """A pipeline for a parser of arguments."""
    try:
        return as_pipeline(text)
    except ValueError as problem:
        raise argparse.ArgumentTypeError(str(problem).removeprefix("normalize: ")) from None


def unit_name(text: str) -> str:
    """A unit for a parser of arguments."""
    try:
        return checked_unit(text)
    except ValueError as problem:
        raise argparse.ArgumentTypeError(str(problem).removeprefix("unit: ")) from None


def _check(parser: argparse.ArgumentParser, arguments: argparse.Namespace) -> None:
    check_reports(parser, arguments, arguments.hypotheses)
    inputs = [arguments.reference, *arguments.hypotheses]
    if inputs.count("-") > 1:
        parser.error("standard input can be read once only")
    if arguments.reference != "-" and len(set(arguments.hypotheses)) < len(arguments.hypotheses):
        parser.error("a hypothesis is named twice")
    if arguments.reference == "-" and len(arguments.hypotheses) > 1:
        parser.error("with several hypotheses the reference must be a file")
    plain = arguments.profile == "sclite" and arguments.unit == "word"
    if as_pipeline(arguments.normalize).has_readings and not plain:
        parser.error(
            "--normalize may leave alternatives, which need --profile sclite and --unit word"
        )
    if (arguments.shard is None) != (arguments.output is None):
        parser.error("--shard and --output go together")
    if arguments.shard is not None:
        for flag in (
            "json",
            "csv",
            "pairs",
            "html",
            "nist_reports",
            "per_speaker",
            "per_utterance",
            "fail_above",
            "confidence_interval",
        ):
            if getattr(arguments, flag):
                name = "-o" if flag == "nist_reports" else "--" + flag.replace("_", "-")
                parser.error(f"{name} says nothing of a shard: give it to `scoring merge`")


def _shard(text: str) -> Shard:
    number, slash, of = text.partition("/")
    if slash and number.isdecimal() and of.isdecimal() and 1 <= int(number) <= int(of):
        return Shard(int(number), int(of))
    raise argparse.ArgumentTypeError(f"expected such as 3/16, found {text!r}")
