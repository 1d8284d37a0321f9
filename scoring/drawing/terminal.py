"""Alignments as text for terminals, wrapped to their width."""

from __future__ import annotations

from collections.abc import Iterator

from formats.console.terminal import coloured, padded, shown, width
from scoring.model.counts import Alignment, Edit, Pair

NOTHING = "***"
LEAST_WIDTH = 30
_COLOURS = {Edit.SUBSTITUTION: "33", Edit.DELETION: "31", Edit.INSERTION: "34"}


def printable(text: str) -> str:
    """Byte text in one piece, as sclite's words are; nothing at all becomes `_`.

    >>> printable("new york"), printable("")
    ('new_york', '_')
    """
    if not (text.isascii() and text.isalnum()):
        text = "_".join(shown(text).split()) or "_"
    return text.encode("utf-8", "backslashreplace").decode("latin-1")


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
