"""Alignments as text for terminals, wrapped to their width.

Byte text is a `str` with one character per byte.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from formats.console import shown
from formats.console.terminal import coloured, padded, width
from scoring.drawing.blocks import Versions
from scoring.model.counts import Alignment, Edit, Pair

NOTHING = "***"
LEAST_WIDTH = 30
_COLOURS = {Edit.SUBSTITUTION: "33", Edit.DELETION: "31", Edit.INSERTION: "35"}
_OF_LETTER = {edit.letter: code for edit, code in _COLOURS.items()}


def printable(text: str) -> str:
    """Return byte text with blanks replaced, like sclite's words; an empty text becomes `_`.

    >>> printable("new york"), printable("")
    ('new_york', '_')
    """
    if not (text.isascii() and text.isprintable() and text and " " not in text):
        text = "_".join(shown(text).split()) or "_"
    return text.encode("utf-8", "backslashreplace").decode("latin-1")


def alignment_lines(
    alignment: Alignment, labels: tuple[str, str], columns: int, colour: bool
) -> Iterator[str]:
    """Yield an alignment in three wrapped rows: reference, hypothesis, a letter for each error."""
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


def versions_lines(block: Versions, columns: int, colour: bool) -> Iterator[str]:
    """Yield the reference and below it each hypothesis with the letters of its errors, wrapped."""
    labels = [block.label, *(label for label, _, _ in block.versions)]
    lead = max(map(width, labels)) + 2
    room = max(columns, LEAST_WIDTH) - lead
    rows = [block.reference, *(words for _, words, _ in block.versions)]
    cells = [[NOTHING if word is None else shown(word) for word in row] for row in rows]
    widths = [max(map(width, column)) for column in zip(*cells, strict=True)]
    begin = 0
    while begin < len(widths) or begin == 0:
        end, used = begin, 0
        while end < len(widths) and (end == begin or used + widths[end] <= room):
            used += widths[end] + 1
            end += 1
        part = slice(begin, end)
        yield (padded(labels[0], lead) + _joined(cells[0][part], widths[part])).rstrip()
        for words, (label, _, letters) in zip(cells[1:], block.versions, strict=True):
            codes = [_OF_LETTER.get(letter, "") if colour else "" for letter in letters[part]]
            text = _joined(words[part], widths[part], codes)
            yield (padded(label, lead) + text).rstrip()
            marks = " " * lead + _joined(letters[part], widths[part])
            yield from filter(None, [marks.rstrip()])
        begin = max(end, 1)


def _joined(cells: Sequence[str], widths: Sequence[int], codes: Sequence[str] = ()) -> str:
    """Return cells in one line, padded to the widths of their columns and coloured by `codes`."""
    filled = list(map(padded, cells, widths))
    if codes:
        filled = [
            coloured(cell, code, bool(code)) for cell, code in zip(filled, codes, strict=True)
        ]
    return " ".join(filled)


class _Cell:
    """A column of a drawn alignment: the text in each row, padded to equal width."""

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
