"""`scoring kws check-kwslist`: whether files of a keyword search fit together."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

from formats.command_line import InputPath, OutputPath
from formats.keywords.ecf import read_ecf
from formats.keywords.kwlist import read_kwlist
from formats.keywords.kwslist import kwslist_text, read_kwslist
from formats.source import Source, open_source
from scoring.cli.flags import add_flags
from scoring.cli.kws_options import ExactParser
from scoring.cli.output import put_text
from scoring.kws import checks

GREATEST_STATUS = 255
LARGEST_INPUT = 1 << 33
KWSLIST = """
-t --kwlist FILE
-e --ecf FILE
-s --kwslist FILE
-o --output OUTPUT  the list without bad entries
--allow-missing --AllowMissingTerms
"""
Content = TypeVar("Content")


def main(argv: Sequence[str]) -> int:
    """Run the check; the exit status."""
    title = "Check a system's list against keywords and audio."
    parser = ExactParser(prog="scoring kws check-kwslist", description=title)
    output = {"type": OutputPath, "metavar": "FILE"}
    add_flags(parser, KWSLIST, FILE={"required": True, "type": InputPath}, OUTPUT=output)
    return _check_kwslist(parser.parse_args(argv[1:]))


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


def _bare(lines: Iterable[str]) -> Iterator[str]:
    return (line.removesuffix("\n") for line in lines)
