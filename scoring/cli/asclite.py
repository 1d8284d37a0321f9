"""The `asclite` command: overlapping speech, option by option and byte by byte."""

from __future__ import annotations

from collections.abc import Sequence
from typing import BinaryIO, NoReturn

from formats.process import run as run_command
from scoring.cli.asclite_options import parse
from scoring.cli.asclite_usage import USAGE
from scoring.cli.drop_in import complain, run_program
from scoring.nist.asclite.choices import LEFT_OUT, AscliteError
from scoring.nist.asclite.run import run as score
from scoring.nist.report.report_files import write_to_stream
from scoring.nist.transcripts.characters import to_bytes


class _SaidError(AscliteError):
    """An end whose line is written already."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; the exit status.

    0 done; 1 a file that cannot be read; 3 errors that filters find; 4 options; 5 something that
    is missing; 6 data that cannot be scored; 7 with `--strict`, words left out; 2 if output could
    not be written, 130 after an interruption, 141 if its reader has gone.
    """
    return run_program("asclite", argv, _score, _complain)


def run() -> NoReturn:
    """Entry point of the installed command."""
    run_command(main)


def _complain(text: str) -> None:
    """What ends a run early is written when it happens, as part of the log."""
    if text != _SAID:
        complain(text)


_SAID = "asclite: \n"


def _score(arguments: Sequence[str], output: BinaryIO) -> None:
    if not arguments:
        write_to_stream(output, [to_bytes(USAGE)])
        return
    choices, said = parse(arguments)
    complain("".join(f"{line}\n" for line in said))
    try:
        status = score(choices, output, complain)
    except AscliteError as error:
        raise _SaidError(error.status, "") from None
    if status == LEFT_OUT:
        raise _SaidError(status, "")


if __name__ == "__main__":
    run()
