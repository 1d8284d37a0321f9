"""`scoring kws validate` and its kind: whether files of a keyword search are in order."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import formats
from formats.command_line import InputPath, OutputPath
from formats.errors import FormatError
from formats.keywords.ecf import ecf_text, read_ecf
from formats.keywords.kwlist import kwlist_text, read_kwlist
from formats.keywords.kwslist import kwslist_text, read_kwslist
from formats.keywords.termlist import read_termlist
from formats.outputs import check_outputs
from formats.source import open_source
from scoring.cli.flags import add_flags
from scoring.cli.kws_options import ExactParser
from scoring.cli.output import put_text
from scoring.cli.scoring import OK, say
from scoring.kws.checks import check_kwslist, check_transcripts, repeated_terms

if TYPE_CHECKING:
    from formats.source import Source

INVALID = 1
GREATEST_STATUS = 255
LARGEST_INPUT = 1 << 33
REQUIRED = {"required": True, "type": InputPath}
KINDS = """
--ecf -e  files are ecf
--kwlist --termlist -t  files are kwlist
--kwslist -s  files are kwslist
"""
VALIDATE = """
files FILE
-w --write FOLDER  rewrite valid files there (default: to standard output)
"""
KWSLIST = """
-t --kwlist FILE
-e --ecf FILE
-s --kwslist FILE
-o --output FILE  the list without bad entries
--allow-missing --AllowMissingTerms
"""
TRANSCRIPTS = """
--ecf --ECF -e FILE
--ctm --CTM -c FILE
--stm --STM -s FILE
"""


def main(argv: Sequence[str]) -> int:
    """Run one of the checks; the exit status."""
    checks: dict[str, Callable[[Sequence[str]], int]] = {
        "validate": _validate,
        "check-kwslist": _check_kwslist,
        "check-termlist": _check_termlist,
        "check-transcripts": _check_transcripts,
    }
    return checks[argv[0]](argv[1:])


def _opened(path: str) -> Source:
    return open_source(path, max_bytes=LARGEST_INPUT)


def _parser(name: str, description: str) -> argparse.ArgumentParser:
    return ExactParser(prog=f"scoring kws {name}", description=description)


def _validate(argv: Sequence[str]) -> int:
    """Each file by itself; status 1 unless all are valid."""
    parser = _parser("validate", "Check that XML files are what they should be.")
    kind = parser.add_mutually_exclusive_group(required=True)
    add_flags(kind, KINDS)
    files, folder = {"type": InputPath, "nargs": "+"}, {"nargs": "?", "const": "-"}
    add_flags(parser, VALIDATE, FILE=files, FOLDER=folder)
    arguments = parser.parse_intermixed_args(argv)
    if arguments.write not in (None, "-"):
        names = [os.path.join(arguments.write, os.path.basename(one)) for one in arguments.files]
        check_outputs(names, arguments.files)
    valid = 0
    for path in arguments.files:
        try:
            lines = _rewritten(path, arguments)
        except FormatError as error:
            put_text((f"{path}: [ERROR] {error}",))
            continue
        valid += 1
        put_text((f"{path}: validates",))
        if arguments.write == "-":
            put_text(_bare(lines))
        elif arguments.write is not None:
            put_text(_bare(lines), os.path.join(arguments.write, os.path.basename(path)))
    total = len(arguments.files)
    put_text((f"All files processed (Validated: {valid} | Total: {total})",))
    return OK if valid == total else INVALID


def _rewritten(path: str, arguments: argparse.Namespace) -> Iterable[str]:
    """The file's canonical text; reading it is the check."""
    with _opened(path) as source:
        if arguments.ecf:
            return ecf_text(read_ecf(source))
        if arguments.kwlist:
            return kwlist_text(read_kwlist(source))
        found = read_kwslist(source)
    seen: set[str] = set()
    for keyword in found.keywords:
        if keyword.searched.keyword in seen:
            raise FormatError(
                f"keyword {keyword.searched.keyword!r} is searched twice",
                path=path,
                line=keyword.searched.line,
            )
        seen.add(keyword.searched.keyword)
    return kwslist_text(found)


def _check_kwslist(argv: Sequence[str]) -> int:
    """A system's list against keywords and audio; status: how many errors and warnings."""
    parser = _parser("check-kwslist", "Check a system's list against keywords and audio.")
    add_flags(parser, KWSLIST, FILE=REQUIRED, output=OutputPath)
    arguments = parser.parse_args(argv)
    with _opened(arguments.kwlist) as source:
        keywords = read_kwlist(source)
    with _opened(arguments.ecf) as source:
        ecf = read_ecf(source)
    with _opened(arguments.kwslist) as source:
        kwslist = read_kwslist(source)
    checked = check_kwslist(kwslist, keywords, ecf, allow_missing=arguments.allow_missing)
    put_text(checked.messages)
    status = checked.errors + checked.warnings
    if status:
        put_text(
            (
                f"'{arguments.kwslist}' does not validate due to {checked.errors} error(s) and "
                f"{checked.warnings} warning(s)!",
                "Check above for details!",
            )
        )
    else:
        put_text((f"'{arguments.kwslist}' validates!",))
    if arguments.output is not None:
        target = "-" if arguments.output == "/////" else arguments.output
        put_text(_bare(kwslist_text(checked.purged)), target)
    return min(status, GREATEST_STATUS)


def _check_termlist(argv: Sequence[str]) -> int:
    """Repeated entries of an older list; status 0 whatever is found, as in the original."""
    parser = _parser("check-termlist", "Look for repeated entries in a <termlist>.")
    add_flags(parser, "-t --termlist FILE", FILE=REQUIRED)
    arguments = parser.parse_args(argv)
    with _opened(arguments.termlist) as source:
        put_text(repeated_terms(read_termlist(source)))
    return OK


def _check_transcripts(argv: Sequence[str]) -> int:
    """Whether ctm and stm lie inside the audio and are of the same files; status 1 if not."""
    parser = _parser("check-transcripts", "Check that a ctm and an stm lie inside the audio.")
    add_flags(parser, TRANSCRIPTS, FILE=REQUIRED)
    arguments = parser.parse_args(argv)
    with _opened(arguments.ecf) as source:
        ecf = read_ecf(source)
    with (
        formats.stream(arguments.ctm, "ctm") as ctm,
        formats.stream(arguments.stm, "stm") as stm,
    ):
        messages = list(check_transcripts(ecf, ctm, stm))
    put_text(messages)
    if messages:
        say(f"{len(messages)} errors")
        return INVALID
    put_text(("All entries lie inside the ECF.",))
    return OK


def _bare(lines: Iterable[str]) -> Iterator[str]:
    return (line.removesuffix("\n") for line in lines)
