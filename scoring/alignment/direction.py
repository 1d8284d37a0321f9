"""Unit-cost alignments whose ties are resolved by keeping the direction, as in SubER.

Going back from the end, a step repeats the previous step if this is optimal (insertion after
insertion, deletion after deletion). Otherwise a pair is preferred to an insertion, and an insertion
to a deletion. The package Levenshtein has the same rule.

Columns of the table are integers with one bit per reference word (Myers 1999, Hyyrö 2003), in a
band that contains every optimal path. Only the rows of one block are kept; the other rows are
computed again on the way back, so that memory is linear.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Hashable, Sequence
from typing import NamedTuple

from scoring.model.counts import Edit

_ROWS = 512  # of the hypothesis, computed at a time
_FIRST_MARGIN = 256
# Words with more places than this have the bits of all of them ready.
_OFTEN = 64


class _Block(NamedTuple):
    """The state before the first row of a block: the window of columns and the cost differences.

    Bit k of `more` (or `less`) is set if column `low` + k costs 1 more (or less) than the column
    before it. `corner` is the cost to the left of the window.
    """

    row: int
    low: int
    width: int
    more: int
    less: int
    corner: int


class _Row(NamedTuple):
    """Positions in a row as bits: optimal deletions, optimal insertions, and equal pairs."""

    deletion: int
    insertion: int
    free: int


def direction_edits(reference: Sequence[Hashable], hypothesis: Sequence[Hashable]) -> bytes:
    """Return the edits of two sequences, as numbers of `scoring.model.counts.Edit`.

    >>> direction_edits("qqab", "ab") == bytes([2, 2, 0, 0])
    True
    """
    first, last = 0, 0
    least = min(len(reference), len(hypothesis))
    while first < least and reference[first] == hypothesis[first]:
        first += 1
    while last < least - first and reference[-1 - last] == hypothesis[-1 - last]:
        last += 1
    pair = slice(first, len(reference) - last), slice(first, len(hypothesis) - last)
    middle = _middle(reference[pair[0]], hypothesis[pair[1]])
    return bytes(first) + middle + bytes(last)


def _middle(reference: Sequence[Hashable], hypothesis: Sequence[Hashable]) -> bytes:
    if not reference or not hypothesis:
        return bytes([Edit.DELETION] * len(reference) + [Edit.INSERTION] * len(hypothesis))
    table = _Table(reference, hypothesis)
    shift = abs(len(reference) - len(hypothesis))
    margin = _FIRST_MARGIN
    while True:
        bound = table.fill(margin)
        if bound <= shift + 2 * margin:  # no cheaper path leaves the band
            break
        margin = (bound - shift) // 2 + 1
    return table.walk()


class _Table:
    """The cost table of two sequences within a band."""

    def __init__(self, reference: Sequence[Hashable], hypothesis: Sequence[Hashable]) -> None:
        self.reference = reference
        self.hypothesis = hypothesis
        self.positions: dict[Hashable, list[int]] = {}
        for position, word in enumerate(reference):
            self.positions.setdefault(word, []).append(position)
        self.blocks: list[_Block] = []
        size = len(reference)
        self.frequent = {
            word: _bits(places, 0, size)
            for word, places in self.positions.items()
            if len(places) > _OFTEN
        }

    def fill(self, margin: int) -> int:
        """Return the cost of the cheapest path within a band of the table.

        The band contains the first and the last corner of the table, and `margin` more columns on
        each side.
        """
        shift = len(self.reference) - len(self.hypothesis)
        before, after = max(-shift, 0) + margin, max(shift, 0) + margin
        self.blocks = []
        block = _Block(0, 0, 0, 0, 0, 0)
        for row in range(0, len(self.hypothesis), _ROWS):
            low = max(row - before, 0)
            end = min(row + _ROWS + after, len(self.reference))
            block = _moved(block, row, low, end)
            self.blocks.append(block)
            rows = min(_ROWS, len(self.hypothesis) - row)
            more, less = self._advance(block, rows, None)
            block = block._replace(more=more, less=less, corner=block.corner + rows)
        return block.corner + block.more.bit_count() - block.less.bit_count()

    def _advance(self, block: _Block, count: int, rows: list[_Row] | None) -> tuple[int, int]:
        """Return the cost differences after `count` rows of a block; append the rows to `rows`."""
        _, low, width, more, less, _ = block
        full = (1 << width) - 1
        masks: dict[Hashable, int] = {}
        for word in self.hypothesis[block.row : block.row + count]:
            match = masks.get(word)
            if match is None:
                match = masks[word] = self._mask(word, low, low + width)
            free = (((match & more) + more) ^ more) | match | less
            above = less | (full & ~(free | more))
            below = free & more
            if rows is not None:
                insertion = above
            above = (above << 1 | 1) & full
            more = (below << 1) | (full & ~(free | above))
            more &= full
            less = above & free
            if rows is not None:
                rows.append(_Row(more, insertion, free & full))
        return more, less

    def _mask(self, word: Hashable, low: int, end: int) -> int:
        """Return the positions of a word in columns `low` to `end` of the reference, as bits."""
        if word in self.frequent:
            return self.frequent[word] >> low & (1 << end - low) - 1
        places = self.positions.get(word, [])
        return _bits(places[bisect_left(places, low) : bisect_left(places, end)], low, end)

    def walk(self) -> bytes:
        """Follow the path from the end to the beginning, and return its edits in reading order."""
        edits = bytearray()
        column, direction = len(self.reference), Edit.CORRECT
        row = len(self.hypothesis)
        for block in reversed(self.blocks):
            rows: list[_Row] = []
            self._advance(block, row - block.row, rows)
            while row > block.row and column:
                here = rows[row - 1 - block.row]
                bit = 1 << (column - 1 - block.low)
                is_match = self.reference[column - 1] == self.hypothesis[row - 1]
                ways = {Edit.INSERTION: here.insertion & bit, Edit.DELETION: here.deletion & bit}
                if not ways.get(direction):
                    direction = Edit.INSERTION if ways[Edit.INSERTION] else Edit.DELETION
                    if is_match or not here.free & bit:
                        direction = Edit.CORRECT
                row -= direction is not Edit.DELETION
                column -= direction is not Edit.INSERTION
                is_substitution = direction is Edit.CORRECT and not is_match
                edits.append(Edit.SUBSTITUTION if is_substitution else direction)
        edits += bytes([Edit.DELETION] * column + [Edit.INSERTION] * row)
        edits.reverse()
        return bytes(edits)


def _bits(places: Sequence[int], low: int, end: int) -> int:
    if not places:
        return 0
    bits = bytearray((end - low + 7) // 8)
    for place in places:
        bits[place - low >> 3] |= 1 << (place - low & 7)
    return int.from_bytes(bits, "little")


def _moved(block: _Block, row: int, low: int, end: int) -> _Block:
    """Return a block moved to the columns `low` to `end`; only deletions reach the new columns."""
    gone = low - block.low
    passed = (1 << gone) - 1
    corner = block.corner + (block.more & passed).bit_count() - (block.less & passed).bit_count()
    fresh = max(end - block.low - block.width, 0)
    more = (block.more | ((1 << fresh) - 1) << block.width) >> gone
    return _Block(row, low, end - low, more, block.less >> gone, corner)
