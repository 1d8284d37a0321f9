"""Text for terminals: widths as people see them, colours, tables, alignments wrapped to width."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence

from scoring.model.counts import Alignment, Edit, Pair

NOTHING = "***"
LEAST_WIDTH = 30
_ISOLATE, _END_OF_ISOLATE = "\u2068", "\u2069"
_RIGHT_TO_LEFT_ISOLATE = "\u2067"
_DIRECTIONS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_COLOURS = {Edit.SUBSTITUTION: "33", Edit.DELETION: "31", Edit.INSERTION: "34"}


def shown(text: str) -> str:
    r"""Text that can neither move the cursor nor change the direction of writing.

    Control characters, and the embeddings, overrides and isolates of Unicode's bidirectional
    algorithm, are escaped.

    >>> print(shown("a\x1b[31m"), shown("\u202eb"))
    a\x1b[31m \u202eb
    """
    if text.isprintable():
        return text
    return "".join(
        letter
        if letter.isprintable()
        or (unicodedata.category(letter) in ("Cf", "Zs") and letter not in _DIRECTIONS)
        else letter.encode("unicode_escape", "backslashreplace").decode("ascii")
        for letter in text
    )


def printable(text: str) -> str:
    """Byte text in one piece, as sclite's words are; nothing at all becomes `_`.

    >>> printable("new york"), printable("")
    ('new_york', '_')
    """
    if not (text.isascii() and text.isalnum()):
        text = "_".join(shown(text).split()) or "_"
    return text.encode("utf-8", "backslashreplace").decode("latin-1")


def width(text: str) -> int:
    """How many columns a terminal gives a text: two for wide characters, none for marks.

    >>> width("abc"), width("日本"), width("e\u0301"), width("\u2764\ufe0f")
    (3, 4, 1, 2)
    """
    if text.isascii():
        return len(text)
    from wcwidth import wcswidth

    # control characters have no width, and no business in a text that is shown
    return max(wcswidth(text), 0)


def padded(text: str, columns: int, *, right: bool = False) -> str:
    """A text filled with blanks; one written from right to left is kept apart from the rest."""
    blanks = " " * (columns - width(text))
    return blanks + isolated(text) if right else isolated(text) + blanks


def isolated(text: str) -> str:
    """A text that does not change the order of the text around it.

    If it has letters written from right to left it is enclosed in Unicode's isolates (FSI, PDI).

    >>> isolated("abc"), isolated("אב").isascii()
    ('abc', False)
    """
    if text.isascii() or not any(map(_is_right_to_left, text)):
        return text
    return f"{_ISOLATE}{text}{_END_OF_ISOLATE}"


def begins_right_to_left(text: str) -> bool:
    """Whether the first letter that has a direction is written from right to left.

    >>> begins_right_to_left("12 א a"), begins_right_to_left("a א")
    (True, False)
    """
    for letter in text:
        if _is_right_to_left(letter):
            return True
        if unicodedata.bidirectional(letter) == "L":
            return False
    return False


def right_to_left_line(text: str) -> str:
    """A line whose parts follow one another from right to left (RLI, PDI)."""
    return f"{_RIGHT_TO_LEFT_ISOLATE}{text}{_END_OF_ISOLATE}"


def _is_right_to_left(letter: str) -> bool:
    return unicodedata.bidirectional(letter) in ("R", "AL")


def coloured(text: str, code: str, colour: bool) -> str:
    """Text in a colour (an SGR code), if there is to be any."""
    return f"\x1b[{code}m{text}\x1b[0m" if colour else text


def table(rows: Sequence[Sequence[str]], *, text_columns: int = 1) -> list[str]:
    r"""Rows as lines, columns in line; the first so many columns to the left, others to the right.

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


def alignment_lines(
    alignment: Alignment, labels: tuple[str, str], columns: int, colour: bool
) -> Iterator[str]:
    """An alignment in three rows, wrapped: reference, hypothesis, and a letter for each error."""
    lead = max(map(width, labels)) + 2
    room = max(columns, LEAST_WIDTH) - lead
    cells = [_Cell(pair, colour) for pair in alignment]
    begin = 0
    while begin < len(cells) or begin == 0:
        end, used = begin, 0
        while end < len(cells) and (end == begin or used + cells[end].columns <= room):
            used += cells[end].columns + 1
            end += 1
        row = cells[begin:end]
        yield (padded(labels[0], lead) + " ".join(cell.reference for cell in row)).rstrip()
        yield (padded(labels[1], lead) + " ".join(cell.hypothesis for cell in row)).rstrip()
        letters = (" " * lead + " ".join(cell.letter for cell in row)).rstrip()
        if letters:
            yield letters
        begin = max(end, 1)


class _Cell:
    """A place of an alignment, its rows equally wide."""

    def __init__(self, pair: Pair, colour: bool) -> None:
        reference = NOTHING if pair.reference is None else shown(pair.reference)
        hypothesis = NOTHING if pair.hypothesis is None else shown(pair.hypothesis)
        self.columns = max(width(reference), width(hypothesis))
        code = _COLOURS.get(pair.edit)
        self.reference = self._cell(reference, code, colour)
        self.hypothesis = self._cell(hypothesis, code, colour)
        letter = pair.edit.letter if code else ""
        self.letter = letter + " " * (self.columns - len(letter))

    def _cell(self, text: str, code: str | None, colour: bool) -> str:
        filled = padded(text, self.columns)
        return filled if code is None else coloured(filled, code, colour)
