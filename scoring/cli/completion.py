"""Shell completion of commands, options and values, by argcomplete (extra `completion`).

A shell requests completions by starting the program with `_ARGCOMPLETE` in its environment. The
program then only creates the parser of the command, and argcomplete prints the completions.
"""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from importlib.resources import files
from typing import Any
from unittest.mock import patch

from formats.console.command_line import CommandTable
from formats.console.command_parser import CommandParser

ASKED = "_ARGCOMPLETE"
OWN = {"scoring", "sclite-kit", "formats", "benchmarkstt", "benchmarkstt-tools"}
# an option of a program of NIST's in its usage text
_OPTION = re.compile(r"(?:^|[\s\[|<])(-{1,2}[A-Za-z][\w-]*)")


def _recipes() -> Iterable[str]:
    from scoring.text.recipes import recipes

    return recipes()


def _steps() -> Iterable[str]:
    from scoring.text.registry import step_names

    return step_names()


def _measures() -> Iterable[str]:
    from scoring.measures import all_measures

    return (spec.name for spec in all_measures())


def _formats() -> Iterable[str]:
    from formats.detection import names

    return names()


def _reports() -> Iterable[str]:
    from scoring.nist.report.registry import REPORTS

    return (name for report in REPORTS for name in report.names)


def _units() -> Iterable[str]:
    from scoring.model.counts import UNITS

    return UNITS


def _systems() -> Iterable[str]:
    from scoring.peers.stubs import systems

    return systems()


# The names that arguments take, by where a parser stores them.
NAMES: Mapping[str, Callable[[], Iterable[str]]] = {
    "from_": _formats,
    "hypothesis_format": _formats,
    "like": _recipes,
    "measures": _measures,
    "name": _systems,  # of `scoring compat install`
    "nist_reports": _reports,
    "normalize": _steps,
    "reference_format": _formats,
    "to": _formats,
    "unit": _units,
}
# Arguments that take a file instead of a name.
OR_FILE = {"normalize"}


class _FoundError(BaseException):
    """Raised to stop a command before it parses its arguments; carries the command's parser."""


def complete() -> None:
    """Print the completions of the command line that a shell passes; end the process."""
    import argcomplete

    line = os.environ.get("COMP_LINE", "")
    words = line[: int(os.environ.get("COMP_POINT", len(line)))].split(" ")
    # the last word is not finished
    name, *earlier_words = [word for word in words[:-1] if word] or [words[-1]]
    program = os.path.basename(name)
    parser, depth = _parser_of(program, earlier_words)
    os.environ[ASKED] = str(depth)
    argcomplete.autocomplete(parser, always_complete_options=False)
    os._exit(1)


def _parser_of(program: str, words: list[str]) -> tuple[argparse.ArgumentParser, int]:
    """Return the parser of a program or of its command, and the number of words that name it."""
    if program not in OWN:
        return _listed(_options_of_usage(program)), 1
    if program in ("scoring", "sclite-kit"):
        from scoring.cli.scoring import COMMANDS, command_named

        if not words or words[0] not in COMMANDS:
            return _listed((), COMMANDS), 1
        if words[0] in ("kaldi", "sctk"):
            return _listed(()), 2
        return _below(_found(lambda: command_named(words[0])(["x"])), words[1:], 2)
    if program == "formats":
        from formats.cli.arguments import parser
        from scoring.cli.formats import VERBS

        return _below(parser(VERBS, words), words, 1)
    module = "tools" if program == "benchmarkstt-tools" else "main"
    argparser = import_module(f"scoring.peers.benchmarkstt.{module}").argparser
    return _below(argparser(), words, 1)


def _found(call: Callable[[], object]) -> CommandParser:
    """Run a command until it begins to parse its arguments, and return its parser."""

    def stop(self: CommandTable | CommandParser, *_: object, **__: object) -> None:
        raise _FoundError(self.parser() if isinstance(self, CommandTable) else self)

    reads = patch.object(CommandTable, "ordinary", stop)
    with reads, patch.object(CommandParser, "parse_known_args", stop):
        try:
            call()
        except _FoundError as found:
            parser: CommandParser = found.args[0]
            return parser
    raise AssertionError("expected a command that parses its arguments")


def _below(
    parser: CommandParser, words: list[str], depth: int
) -> tuple[argparse.ArgumentParser, int]:
    """Return the parser of the subcommand that `words` name, and how many words name it."""
    while words and words[0] in parser.commands:
        parser, words, depth = parser.commands[words[0]], words[1:], depth + 1
    named = [action.dest for action in parser.arguments if not action.option_strings]
    listed = _listed((), parser.commands, named)
    for action in parser.arguments:
        keywords: dict[str, Any] = {"nargs": action.nargs, "choices": action.choices}
        if action.help is argparse.SUPPRESS:
            continue
        if action.option_strings:
            if action.nargs == 0:
                keywords = {"action": "store_true"}
            names = [name for name in action.option_strings if name not in ("-h",)]
            if names:
                option = listed.add_argument(*names, dest=action.dest, help="", **keywords)
                _complete_names(option, action.dest)
    return listed, depth


def _complete_names(action: argparse.Action, dest: str) -> None:
    """Set the completions of an argument to the names listed for it in `NAMES`."""
    if dest in NAMES:
        from argcomplete.completers import FilesCompleter

        def names(prefix: str, **_: object) -> list[str]:
            return [*NAMES[dest](), *(FilesCompleter()(prefix) if dest in OR_FILE else ())]

        vars(action)["completer"] = names


def _listed(
    options: Iterable[str], commands: Iterable[str] = (), named: Iterable[str] = ()
) -> argparse.ArgumentParser:
    """Return a parser with options that take file names, and with the given commands."""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    for name in options:
        parser.add_argument(name, nargs="*")
    names = list(commands)
    words = parser.add_argument("words", nargs="*", choices=names or None)
    for dest in named:
        _complete_names(words, dest)
    return parser


def _options_of_usage(program: str) -> list[str]:
    """Return the options in the usage text of one of NIST's programs."""
    usage = files("scoring.cli.nist") / "usage" / f"{program}.txt"
    if not usage.is_file():
        return []
    return sorted(set(_OPTION.findall(usage.read_text("utf-8"))))
