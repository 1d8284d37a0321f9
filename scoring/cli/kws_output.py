"""Where the reports of `scoring kws` go; without what only word error rates need."""

from __future__ import annotations

import os
from collections.abc import Iterable

from scoring.cli.output import (
    OutputError,
    UnopenableError,
    standard_output,
    write_file,
    write_to_stream,
)

__all__ = ["print_lines", "write_bytes", "write_lines"]


def write_bytes(path: str, chunks: Iterable[bytes]) -> None:
    """Write a file that appears whole or not at all, or to standard output (``-``).

    Raises
    ------
    OutputError
        If it cannot be written.
    """
    if path == "-":
        write_to_stream(standard_output(), chunks)
        return
    try:
        write_file(os.fsencode(path).decode("latin-1"), chunks)
    except UnopenableError as problem:
        error = OutputError(f"{path}: cannot be written: {problem}")
        raise error from None


def write_lines(path: str, lines: Iterable[str]) -> None:
    """`write_bytes` of lines without their ends, as UTF-8."""
    write_bytes(path, (line.encode("utf-8", "backslashreplace") + b"\n" for line in lines))


def print_lines(lines: Iterable[str]) -> None:
    """Lines to standard output, as UTF-8 whatever the locale."""
    write_lines("-", lines)
