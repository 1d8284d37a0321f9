"""The `formats` command with the verbs that align or draw: ``diff`` and ``show``."""

from __future__ import annotations

from collections.abc import Sequence

from formats.cli import main as formats_main
from formats.cli.arguments import (
    CONTEXT_KIND,
    JSON,
    MOST_SECONDS,
    Verb,
    add_reading,
    add_selecting,
    number,
)
from formats.console.command_line import AUTO, COLOUR, CommonText, add_flags
from formats.console.process import run as run_command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from formats.console.command_line import CommandTable

SHOW = """\
file <FILE  file in any format, - for stdin
--html
"""
FILES_OF_DIFF = """\
left <A  file in any format, - for stdin
right <B  file in any format
"""
DIFF = """\
* --tolerance SECONDS  treat times within this distance as equal (default: 0.01)
* --context
"""


def run() -> NoReturn:
    """Run the console command on the process's own arguments, and exit with its status."""
    run_command(main, at_once=False)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command on `argv` (default: the process's arguments) and return its exit status."""
    return formats_main(argv, VERBS)


def _add_show(show: CommandTable) -> None:
    add_flags(show, SHOW, html={"required": True})
    add_reading(show, is_lenient=True)
    add_selecting(show)


def _add_diff(diff: CommandTable) -> None:
    add_flags(diff, FILES_OF_DIFF)
    add_reading(diff)
    diff.add_argument(
        "--from-b", metavar="FORMAT", help=CommonText("format of B (default: detected)")
    )
    add_selecting(diff)
    seconds = number(float, 0, MOST_SECONDS, "seconds of 0 or more")
    tolerance = {"dest": "tolerance_seconds", "type": seconds, "default": 0.01}
    add_flags(diff, DIFF + COLOUR, tolerance=tolerance, context=CONTEXT_KIND, colour=AUTO)
    add_flags(diff, JSON)
    diff.set_defaults(width=None)


VERBS = {
    "show": Verb("write a file as a page for browsers", _add_show, "scoring.cli.formats.show"),
    "diff": Verb("show the differences of two files", _add_diff, "scoring.cli.formats.diff"),
}
