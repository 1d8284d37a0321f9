"""The `asclite` command: overlapping speech, option by option and byte by byte."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import BinaryIO

from formats.process import run as run_command
from scoring.cli import drop_in
from scoring.cli.asclite_options import parse
from scoring.nist.asclite.choices import LEFT_OUT, AscliteError
from scoring.nist.asclite.run import run as score
from scoring.nist.report.report_files import write_to_stream
from scoring.nist.transcripts.characters import to_bytes

USAGE = drop_in.usage("asclite")


class _LoggedError(AscliteError):
    """An end whose line is in the log already."""


def _complain(text: str) -> None:
    """Byte text to the error stream; what ends a run early is written when it happens."""
    if text != "asclite: \n":
        drop_in.complain(text)


@drop_in.program("asclite", _complain)
def main(arguments: Sequence[str], output: BinaryIO) -> None:
    """Score overlapping speech.

    The exit status is 0; 1 for a file that cannot be read; 3 for errors that filters find; 4 for
    options; 5 for something that is missing; 6 for data that cannot be scored; 7 with `--strict`
    for words left out; otherwise as of `drop_in.program`.
    """
    if not arguments:
        write_to_stream(output, [to_bytes(USAGE)])
        return
    choices, notes = parse(arguments)
    drop_in.complain("".join(f"{line}\n" for line in notes))
    try:
        status = score(choices, output, drop_in.complain)
    except AscliteError as error:
        raise _LoggedError(error.status, "") from None
    if status == LEFT_OUT:
        raise _LoggedError(status, "")


# Entry point of the installed command.
run = partial(run_command, main)

if __name__ == "__main__":
    run()
