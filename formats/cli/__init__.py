"""The `formats` command: ``convert``, ``detect``, ``diff``, ``show`` and other verbs.

Exit status: see `formats.console.command_line.EXIT_STATUS`; ``validate`` ends with 3 if there is
nothing worse than warnings, with 2 if there are errors.
Everything that is not the result goes to standard error, one line each, as ``formats:
file:line:column: …``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from formats.cli.output import flush, say
from formats.console.process import abandon_output, ended
from formats.console.process import run as run_command
from formats.schema.errors import FormatError, OptionError, UnwritableFileError

OK, USAGE, BAD_INPUT = 0, 2, 2


def run() -> NoReturn:
    """The console entry point: `main` on the process's own arguments, then exit."""
    run_command(main, at_once=False)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command on `argv` (default: the process's arguments) and give its exit status."""

    def work() -> int:
        try:
            return _run(argv)
        except OptionError as error:
            say(f"{error}")
            return USAGE
        except FormatError as error:
            if isinstance(error, UnwritableFileError) and error.path == "<stdout>":
                abandon_output()
            say(f"{error}")
            return BAD_INPUT

    return ended(work, say, lost=BAD_INPUT, standard_output="<stdout>")


def _run(argv: Sequence[str] | None) -> int:
    from formats.cli.arguments import parser

    try:
        arguments = parser().parse_args(argv)
    except SystemExit as leaving:
        flush()
        return OK if leaving.code in (0, None) else USAGE
    import importlib

    command = importlib.import_module(f"formats.cli.{arguments.command}")
    status: int = command.run(arguments)
    flush()
    return status
