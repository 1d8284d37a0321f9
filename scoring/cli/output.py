"""Where the results of commands go: files that appear whole or not at all, or standard output."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from typing import BinaryIO

from formats.process import abandon_output, reason_of
from formats.working import tell
from scoring.nist.report.report_files import (
    OutputError,
    UnopenableError,
    write_file,
    write_to_stream,
)


def standard_output() -> BinaryIO:
    """Standard output for bytes; everything printed as text before goes out first.

    Raises
    ------
    OutputError
        If there is none, or it cannot be written.
    """
    if sys.stdout is None:
        raise OutputError("standard output: cannot be written: it is closed")
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as problem:
        raise OutputError(f"standard output: cannot be written: {reason_of(problem)}") from None
    return sys.stdout.buffer


def put(path: str, chunks: Iterable[bytes]) -> None:
    """Write a file that appears whole or not at all, or to standard output.

    Raises
    ------
    OutputError
        If it cannot be written.
    """
    tell("", 0, 0)
    if path == "-":
        try:
            write_to_stream(standard_output(), chunks)
        except OutputError:
            abandon_output()  # what is left would fail, and be told, a second time
            raise
        return
    name = os.fsencode(path).decode("latin-1")
    try:
        write_file(name, chunks)
    except UnopenableError as problem:
        raise OutputError(f"{path}: cannot be written: {problem}") from None


def put_text(lines: Iterable[str], path: str = "-") -> None:
    """Lines without their ends, as UTF-8 whatever the locale, to where `put` would write."""
    put(path, (line.encode("utf-8", "backslashreplace") + b"\n" for line in lines))
