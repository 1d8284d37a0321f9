"""Text for terminals: display widths, escapes, colours, tables, lines in the width of a screen.

Widths are computed here and not with `rich.cells`, because tables in pipes need them, too, where
rich is never loaded; with two kinds of widths, the same table would differ in a pipe.
"""

from __future__ import annotations

from formats.console import screen_width, shown
from formats.schema import cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import IO, Any

_LEAST_ROOM = 24
_ISOLATE, _END_OF_ISOLATE = "\u2068", "\u2069"
_RIGHT_TO_LEFT_ISOLATE = "\u2067"
_JOINER, _EMOJI_STYLE = "\u200d", "\ufe0f"
_SKIN_TONES = frozenset(map(chr, range(0x1F3FB, 0x1F400)))
_EMOJI_PARTS = _SKIN_TONES | {_JOINER, _EMOJI_STYLE}


def width(text: str) -> int:
    """Return the width of a text in columns: wide characters take two, combining marks none.

    >>> width("abc"), width("日本"), width("e\u0301"), width("\u2764\ufe0f")
    (3, 4, 1, 2)
    >>> list(map(width, ("👨\u200d👩\u200d👧", "👍🏽", "🇩🇪", "한국", "हिन्दी", "1\ufe0f\u20e3")))
    [2, 2, 2, 4, 5, 2]
    """
    if text.isascii():
        return len(text)
    if _EMOJI_PARTS.isdisjoint(text):
        return sum(map(_letter_width, text))
    columns = last = 0
    is_joined = False
    for letter in text:
        if letter == _EMOJI_STYLE:
            columns += last == 1
            last = 2 if last else 0
        elif last == 2 and (is_joined or letter in _SKIN_TONES):
            pass  # a part of the emoji before it
        elif letter_width := _letter_width(letter):
            columns += letter_width
            last = letter_width
        is_joined = letter == _JOINER
    return columns


@cache
def _letter_width(letter: str) -> int:
    """Return the columns of a letter by itself: 0 for marks, and for parts of a Hangul syllable."""
    import unicodedata

    if unicodedata.category(letter) in ("Mn", "Me", "Cf", "Cc"):
        return int(letter == "\xad")
    if "\u1160" <= letter <= "\u11ff" or "\ud7b0" <= letter <= "\ud7ff":
        return 0
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1


def padded(text: str, columns: int, *, right: bool = False) -> str:
    """Pad a text with blanks; isolate right-to-left text from its surroundings."""
    blanks = " " * (columns - width(text))
    return blanks + isolated(text) if right else isolated(text) + blanks


def isolated(text: str) -> str:
    """Return the text wrapped so that its direction does not affect the text around it.

    A text with right-to-left letters is enclosed in Unicode's isolates (FSI, PDI).

    >>> isolated("abc"), isolated("אב").isascii()
    ('abc', False)
    """
    if text.isascii() or not any(map(_is_right_to_left, text)):
        return text
    return f"{_ISOLATE}{text}{_END_OF_ISOLATE}"


def begins_right_to_left(text: str) -> bool:
    """Return True if the first letter with a direction is from a right-to-left script.

    >>> begins_right_to_left("12 א a"), begins_right_to_left("a א")
    (True, False)
    """
    from unicodedata import bidirectional

    for letter in text:
        if _is_right_to_left(letter):
            return True
        if bidirectional(letter) == "L":
            return False
    return False


def right_to_left_line(text: str) -> str:
    """Enclose a line in RLI and PDI, so that its parts are displayed from right to left."""
    return f"{_RIGHT_TO_LEFT_ISOLATE}{text}{_END_OF_ISOLATE}"


def _is_right_to_left(letter: str) -> bool:
    from unicodedata import bidirectional

    return bidirectional(letter) in ("R", "AL")


def coloured(text: str, code: str, colour: bool) -> str:
    """Return the text; if `colour` is true, in the colour of the SGR code `code`."""
    return f"\x1b[{code}m{text}\x1b[0m" if colour else text


def table(rows: Sequence[Sequence[str]], *, text_columns: int = 1) -> list[str]:
    r"""Return the rows as lines of text with aligned columns.

    The first `text_columns` columns are aligned to the left, all others to the right.

    >>> print("\n".join(table([["name", "errors"], ["anna", "12"]])))
    name  errors
    anna      12
    """
    cells = [[shown(cell) for cell in row] for row in rows]
    widths = [max(map(width, column)) for column in zip(*cells, strict=True)]
    return [
        "  ".join(
            padded(cell, columns, right=column >= text_columns)
            for column, (cell, columns) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in cells
    ]


def on_screen(text: str, stream: IO[Any] | None) -> str:
    """Wrap the lines of a text to the width of the terminal to which `stream` leads.

    Without a terminal, return the text unchanged. Lines are broken between words. If two blanks
    separate the cells of a line, its continuation lines begin below its last cell.
    """
    columns = screen_width(stream)
    if columns is None:
        return text
    return "\n".join(
        line if len(line) <= columns // 2 else _fitted(line, columns) for line in text.split("\n")
    )


def _fitted(line: str, columns: int) -> str:
    """Break a line into lines of at most `columns` characters."""
    from formats.console.screen import wrapped

    if width(line) <= columns:
        return line

    indent = len(line) - len(line.lstrip(" "))
    _, is_row, last_cell = line.strip(" ").rpartition("  ")
    hanging = len(line.rstrip(" ")) - len(last_cell) - indent if is_row else 2
    if columns - indent - hanging < _LEAST_ROOM:
        hanging = 2
    return "\n".join(wrapped(line, columns, hanging))
