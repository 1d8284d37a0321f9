"""`scoring kws check-…`: whether files of a keyword search fit together."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

import formats
from formats.command_line import InputPath, OutputPath
from formats.keywords.ecf import read_ecf
from formats.keywords.kwlist import read_kwlist, read_termlist
from formats.keywords.kwslist import kwslist_text, read_kwslist
from formats.source import Source, open_source
from scoring.cli.flags import add_flags
from scoring.cli.kws_options import ExactParser
from scoring.cli.output import put_text
from scoring.cli.scoring import OK, say
from scoring.kws import checks

INVALID = 1
GREATEST_STATUS = 255
LARGEST_INPUT = 1 << 33
KWSLIST = """
-t --kwlist FILE
-e --ecf FILE
-s --kwslist FILE
-o --output OUTPUT  the list without bad entries
--allow-missing --AllowMissingTerms
"""
TRANSCRIPTS = """
--ecf --ECF -e FILE
--ctm --CTM -c FILE
--stm --STM -s FILE
"""
Content = TypeVar("Content")


def main(argv: Sequence[str]) -> int:
    """Run one of the checks; the exit status."""
    title, table, check = CHECKS[argv[0]]
    parser = ExactParser(prog=f"scoring kws {argv[0]}", description=title)
    output = {"type": OutputPath, "metavar": "FILE"}
    add_flags(parser, table, FILE={"required": True, "type": InputPath}, OUTPUT=output)
    return check(parser.parse_args(argv[1:]))


def _read(path: str, read: Callable[[Source], Content]) -> Content:
    with open_source(path, max_bytes=LARGEST_INPUT) as source:
        return read(source)


def _check_kwslist(arguments: argparse.Namespace) -> int:
    """A system's list against keywords and audio; status: how many errors and warnings."""
    keywords, ecf = _read(arguments.kwlist, read_kwlist), _read(arguments.ecf, read_ecf)
    kwslist = _read(arguments.kwslist, read_kwslist)
    checked = checks.check_kwslist(kwslist, keywords, ecf, allow_missing=arguments.allow_missing)
    put_text(checked.messages)
    status = checked.errors + checked.warnings
    verdict = [f"'{arguments.kwslist}' validates!"]
    if status:
        counts = f"{checked.errors} error(s) and {checked.warnings} warning(s)!"
        verdict = [f"'{arguments.kwslist}' does not validate due to {counts}"]
        verdict.append("Check above for details!")
    put_text(verdict)
    if arguments.output is not None:
        target = "-" if arguments.output == "/////" else arguments.output
        put_text(_bare(kwslist_text(checked.purged)), target)
    return min(status, GREATEST_STATUS)


def _check_termlist(arguments: argparse.Namespace) -> int:
    """Repeated entries of an older list; status 0 whatever they are, as in the original."""
    put_text(checks.repeated_terms(_read(arguments.termlist, read_termlist)))
    return OK


def _check_transcripts(arguments: argparse.Namespace) -> int:
    """Whether ctm and stm lie inside the audio and are of the same files; status 1 if not."""
    ecf = _read(arguments.ecf, read_ecf)
    with (
        formats.stream(arguments.ctm, "ctm") as ctm,
        formats.stream(arguments.stm, "stm") as stm,
    ):
        messages = list(checks.check_transcripts(ecf, ctm, stm))
    put_text(messages or ("All entries lie inside the ECF.",))
    if messages:
        say(f"{len(messages)} errors")
    return INVALID if messages else OK


def _bare(lines: Iterable[str]) -> Iterator[str]:
    return (line.removesuffix("\n") for line in lines)


# Of each check the title, the arguments, and the function.
CHECKS: dict[str, tuple[str, str, Callable[[argparse.Namespace], int]]] = {
    "check-kwslist": (
        "Check a system's list against keywords and audio.",
        KWSLIST,
        _check_kwslist,
    ),
    "check-termlist": (
        "Look for repeated entries in a <termlist>.",
        "-t --termlist FILE",
        _check_termlist,
    ),
    "check-transcripts": (
        "Check that a ctm and an stm lie inside the audio.",
        TRANSCRIPTS,
        _check_transcripts,
    ),
}
