"""Execution, error output and exit status of the drop-in programs.

A drop-in program has the command line and the output of the NIST program that it replaces.

Byte text is a `str` with one character per byte.
"""

from __future__ import annotations

import os
import sys

from formats.console.process import ended
from scoring.model.errors import OriginalError, ScoringError
from scoring.model.outputs import OutputError, standard_output
from scoring.nist.transcripts.characters import byte_text, to_bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import BinaryIO, TypeAlias

    from scoring.model.aliases import Say

    Work = Callable[[Sequence[str], BinaryIO], None]

# These originals have an option --help of their own.
OWN_HELP = ("hubscr.pl", "mergectm2rttm.pl", "align2html.pl")
# Pairs of whether an option is wrong and the problem.
Checks: TypeAlias = "Iterator[tuple[bool, str]]"


def complain(text: str) -> None:
    """Write byte text to the error stream, after all earlier output to it."""
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
        pass  # nowhere is left to report it


def usage(name: str) -> str:
    """Return the usage text of a program."""
    with open(_usage_path(name), encoding="utf-8") as file:
        return file.read()


def _usage_path(name: str) -> str:
    return os.path.join(os.path.dirname(__file__), "usage", f"{name}.txt")


def called_as(name: str, arguments: Sequence[str]) -> str:
    """Return the path by which the shell started a program; without a shell, return its name."""
    return sys.argv[0] if [*arguments] == sys.argv[1:] else name


def _asks_for_help(name: str, words: Sequence[str]) -> bool:
    """Return True if `--help` is the only argument, and NIST's program has no such option."""
    if list(words) != ["--help"] or name in OWN_HELP:
        return False
    return os.path.exists(_usage_path(name))


def program(name: str, say: Say = complain) -> Callable[[Work], Callable[..., int]]:
    """Return a decorator that makes a program of a function.

    The program takes a list of arguments; without a list (None), it uses those of the process.

    The exit status is 0 after success; 1 after an error that NIST's program also reports, or for
    input on which it crashes; 2 if output cannot be written or memory is full; 130 after an
    interruption; 141 if the output pipe is closed.
    """

    def decorate(work: Work) -> Callable[..., int]:
        def main(arguments: Sequence[str] | None = None) -> int:
            words = sys.argv[1:] if arguments is None else arguments
            return ended(
                lambda: _run(name, work, words, say),
                lambda text: say(f"{name}: {text}\n"),
                lost=OutputError.status,
            )

        main.__module__, main.__qualname__ = work.__module__, work.__qualname__
        main.__name__, main.__doc__ = work.__name__, work.__doc__
        return main

    return decorate


def _run(name: str, work: Work, words: Sequence[str], say: Say) -> int:
    try:
        output = standard_output()
    except OutputError as error:
        say(f"{name}: {error}\n")
        return error.status
    try:
        if _asks_for_help(name, words):
            output.write(usage(name).encode())
            output.flush()
            return 0
        work(words, output)
    except OriginalError as error:
        output.write(to_bytes(error.output))
        output.flush()
        say(str(error))
        return error.status
    except (MemoryError, OverflowError):
        say(f"{name}: out of memory\n")
        return OutputError.status
    except ScoringError as error:
        from formats.schema.errors import message_line

        output.flush()
        # names in the text may be bytes that are no UTF-8
        text = f"{name}: {error}".encode("latin-1", "replace").decode("utf-8", "surrogateescape")
        say(byte_text(message_line(text.rstrip("\n")).encode() + b"\n"))
        return error.status
    return 0
