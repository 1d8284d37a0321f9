"""Text in the width of the terminal to which a stream leads."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO, Any

USUAL_WIDTH = 100
"""Columns of output that is no terminal, or a terminal of unknown width."""
_LEAST_ROOM = 24


def screen_width(stream: IO[Any] | None) -> int | None:
    """Return the width of the terminal to which a stream leads; None if it is no terminal."""
    if stream is None or not stream.isatty():
        return None
    from shutil import get_terminal_size

    try:
        columns = os.get_terminal_size(stream.fileno()).columns
    except (OSError, ValueError):
        columns = 0
    return get_terminal_size((columns, 24)).columns or USUAL_WIDTH


def on_screen(text: str, stream: IO[Any] | None) -> str:
    """Return a text whose lines fit the terminal to which `stream` leads; else the text itself.

    Lines are broken between words. The later lines of a row of cells, which two blanks separate,
    begin below its last cell.
    """
    columns = screen_width(stream)
    if columns is None:
        return text
    return "\n".join(
        line if len(line) <= columns // 2 else _fitted(line, columns) for line in text.split("\n")
    )


def _fitted(line: str, columns: int) -> str:
    """Return a line as lines of at most `columns`."""
    import re

    from formats.console.screen import wrapped
    from formats.console.terminal import width

    if width(line) <= columns:
        return line

    indent = len(line) - len(line.lstrip(" "))
    cells = re.match(r" *\S.* {2,}(?=\S)", line)
    hanging = len(cells[0]) - indent if cells else 2
    if columns - indent - hanging < _LEAST_ROOM:
        hanging = 2
    return "\n".join(wrapped(line, columns, hanging))
