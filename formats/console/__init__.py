"""Code that all commands share: start and exit, command lines, checks of output paths.

This module has what every output needs: the width of the screen, and texts without characters that
would change it.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO, Any

SIGNS = {True: "✓ ", False: "✗ "}
"""What precedes good and bad news, so that it is seen without colours."""
USUAL_WIDTH = 100
"""Columns of output that is no terminal, or a terminal of unknown width."""
_DIRECTIONS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def shown(text: str) -> str:
    r"""Escape the characters of a text that move the cursor or change the text direction.

    Control characters, and the embeddings, overrides and isolates of Unicode's bidirectional
    algorithm, are escaped.

    >>> print(shown("a\x1b[31m"), shown("\u202eb"))
    a\x1b[31m \u202eb
    """
    if text.isprintable():
        return text
    from unicodedata import category

    return "".join(
        letter
        if letter.isprintable() or (category(letter) in ("Cf", "Zs") and letter not in _DIRECTIONS)
        else letter.encode("unicode_escape", "backslashreplace").decode("ascii")
        for letter in text
    )


def screen_width(stream: IO[Any] | None) -> int | None:
    """Return the width of a terminal in columns; `None` if the stream is not a terminal."""
    if stream is None or not stream.isatty():
        return None
    from shutil import get_terminal_size

    try:
        columns = os.get_terminal_size(stream.fileno()).columns
    except (OSError, ValueError):
        columns = 0
    return get_terminal_size((columns, 24)).columns or USUAL_WIDTH
