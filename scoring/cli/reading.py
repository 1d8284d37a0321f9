"""Flags that say how files are read, common to the commands that take files of any format."""

from __future__ import annotations

import argparse
from typing import Any

from scoring.error_rate.profiles import MISSING
from scoring.errors import ScoringError

SIDES = ("reference", "hypothesis")


class NothingScoredError(ScoringError):
    """There is nothing in the reference that could be scored."""

    status = 2


def add_option_arguments(group: argparse._ActionsContainer) -> None:
    """The flags for options of the formats' readers."""
    for side in SIDES:
        group.add_argument(
            f"--{side}-option",
            action="append",
            default=[],
            type=_option,
            metavar="NAME=VALUE",
            help="of the format's reader, as in field=pred_text; may be given several times",
        )


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


def _option(text: str) -> tuple[str, object]:
    """A reader's option: whole numbers, true and false are taken as such."""
    name, sign, value = text.partition("=")
    if not name or not sign:
        raise argparse.ArgumentTypeError(f"expected NAME=VALUE, found {text!r}")
    words = {"true": True, "false": False}
    known = int(value) if value.isascii() and value.isdigit() else words.get(value, value)
    return name.replace("-", "_"), known
