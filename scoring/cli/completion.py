"""`scoring completion`: a script that lets a shell complete commands, options and file names."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import Any

from formats.command_line import CommandParser, InputPath, OutputPath, parser_of
from scoring.cli.flags import add_flags
from scoring.cli.scoring import COMMANDS, OK, command_named
from scoring.errors import ScoringError

SHELLS = ("bash", "zsh", "tcsh")
FLAGS = """
shell SHELL  which is to complete
--program {scoring,sclite-kit,formats}  whose commands (default: scoring)
"""
PROGRAM = {"default": "scoring"}
USE = """\
For this shell:           eval "$(scoring completion bash)"
For bash from now on:     append that line to ~/.bashrc
For zsh from now on:      scoring completion zsh > _scoring, in a folder of $fpath
"""


class MissingPackageError(ScoringError):
    """The package that writes the script is not installed."""

    status = 2


def main(argv: Sequence[str]) -> int:
    """Run the command; the exit status."""
    parser = CommandParser(
        prog="scoring completion",
        description="Print a script that lets a shell complete commands, options and file names.",
        epilog=USE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_flags(parser, FLAGS, SHELL={"choices": SHELLS, "metavar": None}, program=PROGRAM)
    arguments = parser.parse_args(argv)
    try:
        import shtab
    except ImportError:
        raise MissingPackageError(
            "completion: expected the package shtab, found none "
            "(pip install 'sclite-kit[completion]')"
        ) from None
    top = _formats() if arguments.program == "formats" else _scoring(arguments.program)
    _mark_files(top, shtab.FILE)
    sys.stdout.write(shtab.complete(top, arguments.shell))
    return OK


def _formats() -> argparse.ArgumentParser:
    from formats.cli.arguments import parser

    return parser()


def _scoring(program: str) -> argparse.ArgumentParser:
    """One parser of all commands, from those that each of them makes."""
    top = CommandParser(prog=program)
    commands = top.add_subparsers(metavar="COMMAND")
    for name, (_, title) in COMMANDS.items():
        command = commands.add_parser(name, help=title, add_help=False)
        parser = parser_of(command_named(name))
        if parser is not None:
            parser.prog = command.prog
            commands.choices[name] = parser
    return top


def _mark_files(parser: argparse.ArgumentParser, mark: Any) -> None:
    """Let arguments that name files be completed as such."""
    for action in parser._actions:
        if action.type in (InputPath, OutputPath):
            vars(action)["complete"] = mark
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                _mark_files(command, mark)
