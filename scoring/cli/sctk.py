"""The `sctk` command: NIST's programs by one name, as Debian's package starts them.

sctk sclite|sc_stats|rover ...    runs the program
sctk path                         prints the folder that holds the programs
sctk help [PROGRAM]               the programs, or the options of one
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import NoReturn, cast

from formats.process import ended
from formats.process import run as run_command
from scoring.cli.drop_in import complain

PROGRAMS = ("sclite", "sc_stats", "rover")
USAGE = """\
Usage: sctk PROGRAM [ARGUMENT ...]

  sclite         scores hypotheses against a reference
  sc_stats       compares systems that sclite has aligned
  rover          combines the outputs of several recognisers
  path           prints the folder that holds these programs
  help [PROGRAM] prints this, or the options of a program
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program that the first word names on the other words; its exit status.

    0 after help, as of Debian's launcher; 1 for a name that is none, where Debian's says 0.
    """
    words = [*(sys.argv[1:] if argv is None else argv)] or ["help"]
    return ended(lambda: _run(*words), lambda text: complain(f"sctk: {text}\n"))


def _run(name: str, *arguments: str) -> int:
    if name == "help" and arguments:
        # what a program tells of its options goes to standard output, whatever it is to the program
        os.dup2(1, 2)
        name, arguments = arguments[0], ("-h",)
    if name in PROGRAMS:
        program = cast("Callable[[Sequence[str]], int]", import_module(f"scoring.cli.{name}").main)
        return program(arguments)
    if name == "help":
        print(USAGE, end="")
        return 0
    if name == "path":
        print(Path(sys.argv[0]).absolute().parent)
        return 0
    known = ", ".join(PROGRAMS)
    complain(f"sctk: expected one of {known}, path, help, found {name!r}\n")
    return 1


def run() -> NoReturn:
    """Entry point of the installed command."""
    run_command(main)


if __name__ == "__main__":
    run()
