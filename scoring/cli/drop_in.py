"""What the drop-in commands share: how they run, complain and end."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import BinaryIO

from formats.errors import message_line
from formats.process import ended
from scoring.cli.output import standard_output
from scoring.errors import OriginalError, ScoringError
from scoring.nist.report.report_files import OutputError
from scoring.nist.transcripts.characters import byte_text, to_bytes


def complain(text: str) -> None:
    """Byte text to the error stream, in order with what others write there."""
    if sys.stderr is None:
        return
    stream = getattr(sys.stderr, "buffer", None)
    try:
        sys.stderr.flush()
        if stream is None:
            sys.stderr.write(text)
        else:
            stream.write(text.encode("latin-1", "replace"))
            stream.flush()
    except OSError:
        pass  # nowhere is left to say it


def run_program(
    program: str,
    arguments: Sequence[str] | None,
    work: Callable[[Sequence[str], BinaryIO], None],
    complain: Callable[[str], None] = complain,
) -> int:
    """Run a command; the exit status.

    0 if the work ends, 1 after any error that the original has too or input it would crash on,
    2 if output could not be written or memory is full, 130 after an interruption, 141 if whoever
    read standard output has gone.
    """
    given = sys.argv[1:] if arguments is None else arguments

    def run() -> int:
        try:
            output = standard_output()
        except OutputError as error:
            say(str(error))
            return error.status
        return _run(program, lambda: work(given, output), output, complain)

    def say(text: str) -> None:
        complain(f"{program}: {text}\n")

    return ended(run, say, lost=OutputError.status)


def _run(
    program: str, work: Callable[[], None], output: BinaryIO, complain: Callable[[str], None]
) -> int:
    try:
        work()
    except OriginalError as error:
        output.write(to_bytes(error.output))
        output.flush()
        complain(str(error))
        return error.status
    except (MemoryError, OverflowError):
        complain(f"{program}: out of memory\n")
        return OutputError.status
    except ScoringError as error:
        output.flush()
        complain(byte_text(one_line(f"{program}: {error}".encode("latin-1", "replace")) + b"\n"))
        return error.status
    return 0


def one_line(text: bytes) -> bytes:
    """A message of our own, whose text may come from files, as one line that may be shown."""
    shown = message_line(text.decode("utf-8", "surrogateescape").rstrip("\n"))
    return shown.encode("utf-8")
