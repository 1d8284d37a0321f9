"""`scoring compat`: write stub packages that have the names of other packages and call ours."""

from __future__ import annotations

import argparse
import os
import shutil
from collections.abc import Sequence
from pathlib import Path

from formats.console.command_parser import CommandParser
from scoring.cli.flags import add_commands
from scoring.cli.scoring import OK
from scoring.model.errors import ScoringError
from scoring.model.outputs import show_lines
from scoring.peers.stubs import is_stub, stub_files, systems

INSTALL = """
name NAME  system: one of those that `scoring compat list` prints
* --into
| --dry-run
| --undo
"""


class StubError(ScoringError):
    """A stub package cannot be written."""

    status = 2


def main(argv: Sequence[str]) -> int:
    """Run the command; return the exit status."""
    title = (
        "Run this package in place of another system, for programs that must keep their imports."
    )
    parser = CommandParser(prog="scoring compat", description=title)
    add_commands(parser, COMMANDS)
    arguments = parser.parse_args(argv)
    try:
        status: int = arguments.work(arguments)
    except ScoringError as problem:
        raise StubError(str(problem)) from None
    except BrokenPipeError:
        raise
    except OSError as problem:
        raise StubError(f"{problem.filename}: cannot be written: {problem.strerror}") from None
    return status


def _list(_: argparse.Namespace) -> int:
    show_lines([f"{name}: import sclite_kit.compat.{name} as {name}" for name in sorted(systems())])
    return OK


def _install(arguments: argparse.Namespace) -> int:
    files = stub_files(arguments.name, arguments.into)
    folders = [Path(arguments.into, package) for package in systems()[arguments.name]]
    lines = []
    for folder in folders:
        if arguments.undo:
            if is_stub(folder):
                shutil.rmtree(folder)
                lines.append(f"removed {folder}")
        else:
            lines.append(f"{'would write' if arguments.dry_run else 'wrote'} {folder}")
    if not arguments.undo and not arguments.dry_run:
        for file in files:
            file.install()
    if not arguments.undo:
        lines.append(
            f"it is found before the original with PYTHONPATH={os.path.abspath(arguments.into)}"
        )
    show_lines(lines)
    return OK


# Of each command the function, the title, and its arguments.
COMMANDS = {
    "list": (_list, "list the systems, and how to import the replacement of each", ""),
    "install": (
        _install,
        "write a package that has the name of a system and runs this one",
        INSTALL,
    ),
}
