"""Flags that say how files are read, common to the commands that take files of any format."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

from formats.command_line import InputPath
from scoring.errors import ScoringError
from scoring.options import MISSING

SIDES = ("reference", "hypothesis")


class NothingScoredError(ScoringError):
    """There is nothing in the reference that could be scored."""

    status = 2


def add_files(parser: argparse.ArgumentParser, usage: str, references: str = "REF") -> None:
    """The files of both sides, in their places or by sclite's letters; for `parse_files`.

    Parameters
    ----------
    usage
        What stands in the places: `REF HYP [HYP ...]`.
    references
        How the reference is called.
    """
    parser.usage = f"{parser.prog} [options] {usage}"
    parser.add_argument("files", metavar=usage, nargs="*", type=InputPath, help=argparse.SUPPRESS)
    group = parser.add_argument_group("files", f"{usage}; - is standard input")
    names = ("-r", "--reference") if references != "REF" else ("-r",)
    group.add_argument(
        *names, dest="reference", type=InputPath, metavar="REF", help="the reference, as in sclite"
    )
    group.add_argument(
        "-h",
        dest="hypotheses",
        action="append",
        default=[],
        type=InputPath,
        metavar="HYP",
        help="a hypothesis, as in sclite; alone, -h shows this help",
    )


def parse_files(
    parser: argparse.ArgumentParser,
    argv: Sequence[str],
    *,
    most: int | None = 1,
    has_reference: bool = True,
) -> argparse.Namespace:
    """The arguments, with the files as `reference` and `hypotheses`.

    Parameters
    ----------
    most
        How many hypotheses there may be.
    has_reference
        Whether the first file in its place is the reference, unless `-r` names it.
    """
    arguments = parser.parse_intermixed_args(argv)
    files: list[str] = arguments.files
    if has_reference and arguments.reference is None:
        if not files:
            parser.error("expected a reference, found none (REF or -r REF)")
        arguments.reference = files.pop(0)
    arguments.hypotheses = [*files, *arguments.hypotheses]
    found = len(arguments.hypotheses)
    if not found:
        parser.error("expected a hypothesis, found none (HYP or -h HYP)")
    if most is not None and found > most:
        parser.error(f"unrecognized arguments: {' '.join(arguments.hypotheses[most:])}")
    return arguments


def add_option_arguments(group: argparse._ActionsContainer) -> None:
    """The flags for encodings and for options of the formats' readers."""
    group.add_argument(
        "--encoding",
        default="utf-8",
        metavar="NAME",
        help="of both sides (default: utf-8), or auto",
    )
    add_encoding_arguments(group)
    for side in SIDES:
        group.add_argument(
            f"--{side}-option",
            action="append",
            default=[],
            type=_option,
            metavar="NAME=VALUE",
            help="of the format's reader, as in field=pred_text; may be given several times",
        )


def add_encoding_arguments(group: argparse._ActionsContainer) -> None:
    """The flags for the encoding of one side."""
    for side in SIDES:
        group.add_argument(
            f"--{side}-encoding",
            metavar="NAME",
            help=f"of the {side} only, or auto (default: as --encoding)",
        )


def encoding_of(arguments: argparse.Namespace, side: str) -> str:
    """The encoding of a side, as the flags say."""
    return str(getattr(arguments, f"{side}_encoding") or arguments.encoding)


def add_reading_arguments(group: argparse._ActionsContainer) -> None:
    """The flags that say how files are read and matched by time."""
    add_option_arguments(group)
    group.add_argument(
        "--interpolate",
        choices=("none", "uniform", "chars"),
        default="none",
        help="work out times of words from those of segments, where files are matched by time",
    )
    group.add_argument(
        "--channel-alias",
        action="append",
        default=[],
        type=_alias,
        metavar="HYP=REF",
        help="take a channel of the hypothesis for one of the reference, as in 0=A; may be given "
        "several times",
    )
    group.add_argument(
        "--text-view",
        choices=("lexical", "display"),
        default="lexical",
        help="words as spoken (default), or as people read them, where a format gives both",
    )


def add_matching_arguments(group: argparse._ActionsContainer) -> None:
    """The flags that say what may be missing."""
    group.add_argument(
        "--missing",
        choices=MISSING,
        help="references without hypothesis are an error, deleted (default, but an error where "
        "lines are matched by position), or left out",
    )
    group.add_argument(
        "--allow-unmatched",
        action="store_true",
        help="lines of the hypothesis beyond those of the reference are no error where they are "
        "matched by position; they are not scored",
    )
    add_allow_empty(group)


def add_allow_empty(group: argparse._ActionsContainer) -> None:
    """The flag without which a result of nothing is an error."""
    group.add_argument(
        "--allow-empty",
        action="store_true",
        help="an empty reference, or nothing left to score, is no error",
    )


def refuse_empty(reference_words: int, name: str, arguments: argparse.Namespace) -> None:
    """Refuse a result without reference words, which says nothing of any system.

    Raises
    ------
    NothingScoredError
        If there are none, and that is not asked for.
    """
    if not reference_words and not arguments.allow_empty:
        raise NothingScoredError(
            f"{name}: expected something in the reference to score, found nothing (--allow-empty "
            "takes that for no error)"
        )


def reading_of(arguments: argparse.Namespace) -> dict[str, Any]:
    """What the flags of `add_reading_arguments` say, as arguments of `scoring.wer`."""
    return {
        "encoding": arguments.encoding,
        "reference_encoding": arguments.reference_encoding,
        "hypothesis_encoding": arguments.hypothesis_encoding,
        "reference_options": dict(arguments.reference_option),
        "hypothesis_options": dict(arguments.hypothesis_option),
        "interpolate": arguments.interpolate,
        "channel_aliases": dict(arguments.channel_alias),
        "text_view": arguments.text_view,
    }


def _alias(text: str) -> tuple[str, str]:
    name, sign, other = text.partition("=")
    if not name or not sign or not other:
        raise argparse.ArgumentTypeError(f"expected HYP=REF as in 0=A, found {text!r}")
    return name, other


def _option(text: str) -> tuple[str, str]:
    """A reader's option, its value as it is written."""
    name, sign, value = text.partition("=")
    if not name or not sign:
        raise argparse.ArgumentTypeError(f"expected NAME=VALUE, found {text!r}")
    return name.replace("-", "_"), value
