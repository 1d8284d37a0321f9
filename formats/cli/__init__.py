"""The `formats` command: ``convert``, ``detect``, ``validate`` and other verbs.

The exit statuses are in `formats.console.command_line.EXIT_STATUS`. ``validate`` exits with 3 for
warnings and with 2 for errors. Everything except the result goes to standard error, as lines
``formats: file:line:column: …``.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from formats.cli.output import flush, say
from formats.console.process import abandon_output, ended
from formats.console.process import run as run_command
from formats.console.telling import start_telling
from formats.io.errors import UnwritableFileError
from formats.schema import module_named
from formats.schema.errors import FormatError, OptionError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from formats.cli.arguments import Verb

OK, USAGE, BAD_INPUT = 0, 2, 2
# Verbs that need more than this package: none here.
NO_VERBS: Mapping[str, Verb] = MappingProxyType({})


def run() -> NoReturn:
    """Run `main` with the arguments of the process, then exit."""
    run_command(main, at_once=False)


def main(argv: Sequence[str] | None = None, verbs: Mapping[str, Verb] = NO_VERBS) -> int:
    """Run the command with the arguments `argv`; return the exit status.

    Without `argv`, the arguments are those of the process. `verbs` maps names to additional
    subcommands.
    """

    def work() -> int:
        try:
            return _run(argv, verbs)
        except OptionError as error:
            say(f"{error}", error)
            return USAGE
        except FormatError as error:
            if isinstance(error, UnwritableFileError) and error.path == "<stdout>":
                abandon_output()
            say(f"{error}", error)
            return BAD_INPUT

    start_telling()
    return ended(work, say, lost=BAD_INPUT, standard_output="<stdout>")


def _run(argv: Sequence[str] | None, verbs: Mapping[str, Verb]) -> int:
    from formats.cli.arguments import arguments_of

    try:
        words = sys.argv[1:] if argv is None else argv
        if words and words[0] == "help":
            words = [*words[1:2], "--help"]
        arguments = arguments_of(words, verbs)
    except SystemExit as leaving:
        flush()
        return OK if leaving.code in (0, None) else USAGE
    verb = verbs.get(arguments.command)
    home = f"formats.cli.{arguments.command}" if verb is None else verb.module
    status: int = module_named(home).run(arguments)
    flush()
    return status
