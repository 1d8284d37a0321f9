"""Outputs of commands: files that are written completely or not at all, or standard output."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable

from formats.console.process import abandon_output
from scoring.nist.report.report_files import (
    OutputError,
    UnopenableError,
    standard_output,
    write_file,
    write_to_stream,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from scoring.drawing.text import Appearance


def clear_progress() -> None:
    """Clear the progress bar, if one is shown, because other output follows."""
    from formats.io.progress import clear

    clear()


def put(path: str, chunks: Iterable[bytes], *, is_drawn: bool = False) -> None:
    """Write a file completely or not at all, or write to standard output.

    On a terminal, control characters that change the writing direction are escaped. With
    `is_drawn`, the text is already escaped by `formats.console.terminal`.
    """
    clear_progress()
    if path == "-":
        try:
            output = standard_output()
            if output.isatty():
                chunks = map(_without_progress if is_drawn else _escaped, chunks)
            write_to_stream(output, chunks)
        except OutputError:
            abandon_output()  # the rest would fail, and be reported, again
            raise
        return
    if "://" in path:
        from formats.io.sink import open_sink

        with open_sink(path) as sink:
            for chunk in chunks:
                sink.write_bytes(chunk)
        return
    name = os.fsencode(path).decode("latin-1")
    try:
        write_file(name, chunks)
    except UnopenableError as problem:
        raise OutputError(f"{path}: cannot be written: {problem.reason}") from None


def put_text(lines: Iterable[str], path: str = "-") -> None:
    """Write lines (without line ends) as UTF-8 in any locale to a file or standard output."""
    encoded = (line.encode("utf-8", "backslashreplace") + b"\n" for line in lines)
    put(path, encoded, is_drawn=True)


def _without_progress(chunk: bytes) -> bytes:
    """Clear the progress bar, and return the chunk unchanged."""
    clear_progress()
    return chunk


def screen_look() -> Appearance:
    """Return the appearance of text on standard output, for commands without width options."""
    from formats.console.command_line import shows_colour
    from formats.console.terminal import screen_width
    from scoring.drawing.text import USUAL, Appearance

    columns = screen_width(sys.stdout)
    return USUAL if columns is None else Appearance(columns, shows_colour(), is_screen=True)


def show_lines(lines: Iterable[str]) -> None:
    """Write lines to standard output; on a terminal, break them between words at its width."""
    from formats.console.terminal import on_screen

    put_text(on_screen(line, sys.stdout) for line in lines)


def _escaped(chunk: bytes) -> bytes:
    """Escape the direction control characters U+202A to U+202E and U+2066 to U+2069."""
    import re  # for terminals alone

    clear_progress()  # chunks may be computed while they are written

    def escape(found: re.Match[bytes]) -> bytes:
        return b"\\u%04x" % ord(found[0].decode("utf-8"))

    return re.sub(rb"\xe2(?:\x80[\xaa-\xae]|\x81[\xa6-\xa9])", escape, chunk)
