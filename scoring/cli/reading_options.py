"""Flags that say how files are read, common to the commands that take files of any format."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import fields
from math import nan
from typing import TYPE_CHECKING, Any

from formats.command_line import InputPath
from scoring.errors import ScoringError
from scoring.model import CHARACTERS_AND_BLANKS, checked_unit
from scoring.options import Options
from scoring.sides.speakers import read_speakers

if TYPE_CHECKING:
    from scoring.normalize.pipeline import Pipeline

SIDES = ("reference", "hypothesis")


class NothingScoredError(ScoringError):
    """There is nothing in the reference that could be scored."""

    status = 2


def add_files(parser: argparse.ArgumentParser, usage: str, references: str = "REF") -> None:
    """The files of both sides, in their places or by sclite's letters; for `parse_files`."""
    parser.usage = f"{parser.prog} [options] {usage}"
    parser.add_argument("files", metavar=usage, nargs="*", type=InputPath, help=argparse.SUPPRESS)
    group = parser.add_argument_group(
        "files",
        f"{usage}; - is standard input; a folder, an archive or a pattern in quotes stands for the "
        "files in it",
    )
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
    has_both: Callable[[str], bool] | None = None,
) -> argparse.Namespace:
    """The arguments, with the files as `reference` and `hypotheses`."""
    arguments = parser.parse_intermixed_args(argv)
    files: list[str] = arguments.files
    if has_reference and arguments.reference is None:
        if not files:
            parser.error("expected a reference, found none (REF or -r REF)")
        arguments.reference = files.pop(0)
    arguments.hypotheses = [*files, *arguments.hypotheses]
    names_columns = getattr(arguments, "reference_column", None) is not None
    if not (arguments.hypotheses or names_columns) and has_both and has_both(arguments.reference):
        arguments.hypotheses = [arguments.reference]
    found = len(arguments.hypotheses)
    if not found and not names_columns:
        parser.error("expected a hypothesis, found none (HYP or -h HYP)")
    if most is not None and found > most:
        parser.error(f"unrecognized arguments: {' '.join(arguments.hypotheses[most:])}")
    return arguments


# Choices of `scoring.options.Options` that belong together.
FORMATS = ("reference_format", "hypothesis_format")
OF_FILES = (
    *FORMATS,
    "encoding",
    "reference_encoding",
    "hypothesis_encoding",
    "reference_options",
    "hypothesis_options",
)
READING = (*OF_FILES, "interpolate", "channel_aliases", "text_view", "speakers")
MATCHING = ("missing", "allow_unmatched")
ALIGNING = ("profile", "unit", "ignore_case", "forgive_optional")
# Of meetings, whose speakers are assigned; how hard is looked has flags of its own.
MEETINGS = ("measure", "collar", "reference_times", "hypothesis_times", "like", "explain")

EVERY = tuple(one.name for one in fields(Options))


def add_choices(group: argparse._ActionsContainer, names: Iterable[str]) -> None:
    """Flags for fields of `Options`; what people give stands in the arguments by the field's name.

    For `options_of`.
    """
    by_name = {one.name: one for one in fields(Options)}
    for name in names:
        told = by_name[name].metadata
        flag = "--" + told.get("flag", name).replace("_", "-")
        more: dict[str, Any] = {"dest": name, "help": told["text"].replace("%", "%%")}
        if name in ("unit", "profile"):
            more["help"] += " (default: %(default)s)"
        if by_name[name].default is False:
            group.add_argument(flag, action="store_true", **more)
            continue
        more |= {key: told[key] for key in ("choices", "metavar") if key in told}
        if callable(by_name[name].default_factory):
            more |= {"action": "append", "default": [], "type": _pair(told["metavar"])}
        elif name == "by":
            more |= {"action": "extend", "default": [], "type": lambda text: text.split(",")}
        elif name == "normalize":
            more |= {"action": "append", "default": [], "type": pipeline_named}
        else:
            more |= {"default": by_name[name].default, "type": _PARSERS.get(name, str)}
        group.add_argument(flag, **more)


def add_meetings(group: argparse._ActionsContainer, names: Iterable[str] = MEETINGS) -> None:
    """Flags of the measures of many speakers; for `check_meetings`."""
    add_choices(group, names)
    looks = group.add_mutually_exclusive_group()
    for name, what in (
        ("exact", "the least number of errors; sessions too large for that are declined"),
        ("greedy", "a low number of errors"),
    ):
        looks.add_argument(f"--{name}", dest="search", action="store_const", const=name, help=what)


def check_meetings(
    parser: argparse.ArgumentParser, arguments: argparse.Namespace, more: Iterable[str] = ()
) -> None:
    """Refuse flags that say nothing without a measure of many speakers; `more`: those, too."""
    if arguments.measure is not None:
        if arguments.unit == CHARACTERS_AND_BLANKS:
            parser.error("--measure: expected --unit char or another without blanks between words")
        return
    for flag in ("search", "like", *more):
        if getattr(arguments, flag):
            name = arguments.search if flag == "search" else flag
            parser.error(f"--{name} says nothing without --measure")


def options_of(
    arguments: argparse.Namespace, only: Collection[str] = EVERY, **changes: Any
) -> Options:
    """What the flags of `add_choices` say; what has no flag is as usual."""
    known = vars(arguments)
    given = {name: known[name] for name in only if name in known}
    for name in ("reference_options", "hypothesis_options"):
        if name in given:
            given[name] = {key.replace("-", "_"): value for key, value in given[name]}
    if "channel_aliases" in given:
        given["channel_aliases"] = dict(given["channel_aliases"])
    if given.get("speakers") is not None:
        given["speakers"] = read_speakers(given["speakers"])
    if "normalize" in given:
        given["normalize"] = given["normalize"] or None
    return Options(**given | changes)


def pipeline_named(text: str) -> Pipeline:
    """A pipeline for a parser of arguments."""
    from scoring.normalize.pipeline_files import as_pipeline

    try:
        return as_pipeline(text)
    except ValueError as problem:
        raise argparse.ArgumentTypeError(str(problem).removeprefix("normalize: ")) from None


def _unit(text: str) -> str:
    try:
        return checked_unit(text)
    except ValueError as problem:
        raise argparse.ArgumentTypeError(str(problem).removeprefix("unit: ")) from None


def whole_number(least: int, most: int = (1 << 31) - 1) -> Callable[[str], int]:
    """A function that reads a whole number from `least` to `most`."""

    def read(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = least - 1
        if not least <= value <= most:
            limit = f" to {most}" if value > most else ""
            raise argparse.ArgumentTypeError(
                f"expected a whole number from {least}{limit}, found {text[:40]!r}"
            )
        return value

    return read


def decimal(expected: str, accepts: Callable[[float], bool]) -> Callable[[str], float]:
    """A function that reads a number that is accepted; `expected` says which are."""

    def read(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = nan
        if not accepts(value):
            raise argparse.ArgumentTypeError(f"expected {expected}, found {text!r}")
        return value

    return read


def _collar(text: str) -> str:
    try:
        return Options(collar=text).collar  # type: ignore[return-value]
    except ValueError as problem:
        raise argparse.ArgumentTypeError(str(problem).removeprefix("collar: ")) from None


_PARSERS: dict[str, Callable[[str], Any]] = {
    "unit": _unit,
    "speakers": InputPath,
    "jobs": whole_number(1),
    "collar": _collar,
}


def _pair(metavar: str) -> Callable[[str], tuple[str, str]]:
    """A function that reads such as `NAME=VALUE`; the value may be empty if it is called so."""
    example = " as in 0=A" if metavar == "HYP=REF" else ""

    def read(text: str) -> tuple[str, str]:
        name, sign, value = text.partition("=")
        if not name or not sign or not (value or metavar == "NAME=VALUE"):
            raise argparse.ArgumentTypeError(f"expected {metavar}{example}, found {text!r}")
        return name, value

    return read


def add_allow_empty(group: argparse._ActionsContainer) -> None:
    """The flag without which a result of nothing is an error."""
    group.add_argument(
        "--allow-empty",
        action="store_true",
        help="an empty reference, or nothing left to score, is no error",
    )


def refuse_empty(reference_words: int, name: str, arguments: argparse.Namespace) -> None:
    """Refuse a result without reference words, which says nothing of any system."""
    if not reference_words and not arguments.allow_empty:
        raise NothingScoredError(
            f"{name}: expected something in the reference to score, found nothing (--allow-empty "
            "takes that for no error)"
        )
