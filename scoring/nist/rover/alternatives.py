"""Alternatives in a ctm file: `<ALT_BEGIN>`, `<ALT>` and `<ALT_END>` between the words."""

from __future__ import annotations

from scoring.nist.transcripts.characters import byte_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from scoring.nist.rover.lattice import LatticeItem
    from scoring.nist.rover.rover_words import RoverWords
    from scoring.nist.rover.word_list import CtmWordList

# What a word is to alternatives; NOTHING is read after the last word.
WORD, BEGIN, SEPARATOR, END, OTHER_MARK, NOTHING = range(6)
MARKS = {"<alt_begin>": BEGIN, "<alt>": SEPARATOR, "<alt_end>": END}


def marks_of_tokens(tokens: Sequence[bytes]) -> bytes:
    """Return one byte per token: the code of a word, or of a mark of alternatives."""
    starts = [byte_text(token[:12]).lower() for token in tokens]
    return bytes(MARKS.get(text, OTHER_MARK) if text[:4] == "<alt" else WORD for text in starts)


class AlternativesReader:
    """Reads the words and alternatives of a file, chunk by chunk, as rover does.

    Any word that begins with `<ALT` is a mark. An empty branch becomes a null word, and the mark
    that ended the branch is lost. Unless it is the last branch, the word after the mark is also
    lost. At the end of a chunk, open alternatives end.
    """

    def __init__(self, file: CtmWordList, number: int, marks: bytes, words: RoverWords) -> None:
        self.file = file  # the file
        self._number = number
        self._words = words
        self._marks = bytes(map(marks.__getitem__, file.types))
        self._inside = bytearray(file.size)
        inside = False
        for position, mark in enumerate(self._marks if any(self._marks) else b""):
            inside = inside or mark != WORD
            self._inside[position] = inside
            inside = inside and mark != END
        self.lost: list[int] = []  # positions of words that were swallowed

    def _mark(self, position: int) -> int:
        return self._marks[position] if position < self.file.held else NOTHING

    def has_alternatives(self, positions: range) -> bool:
        """Return True if any word at the given positions is a mark, or is part of alternatives."""
        return self._inside.find(1, positions.start, positions.stop) >= 0

    def words(self, positions: range) -> range:
        """Return the numbers of the words at the given positions."""
        offset = self._words.offset(self._number)
        return range(offset + positions.start, offset + positions.stop)

    def read(self, positions: range) -> list[LatticeItem]:
        """Return the words and alternatives at the given positions."""
        offset = self._words.offset(self._number)
        items: list[LatticeItem] = []
        position = positions.start
        while position < positions.stop:
            if self._inside[position]:
                branches, position = self._alternatives(position, positions.stop, offset)
                items.append(branches)
            else:
                items.append(offset + position)
            position += 1
        return items

    def _alternatives(
        self, position: int, stop: int, offset: int
    ) -> tuple[tuple[tuple[int, ...], ...], int]:
        """Return the branches of an alternation, and the position of the mark that ends it."""
        while position < stop and self._mark(position) == BEGIN:
            position += 1
        branches: list[tuple[int, ...]] = []
        while True:
            first = position
            while position < stop and self._mark(position) == WORD:
                position += 1
            if position > first:
                branches.append(tuple(range(offset + first, offset + position)))
            else:
                branches.append((self._words.add_null(self._number, position),))
                position += 1
            mark = self._mark(position)
            if not (mark == SEPARATOR and self._mark(position + 1) == END) and mark != END:
                if mark == WORD and position < stop:
                    self.lost.append(position)
                position += 1
            if position >= stop or self._mark(position) == END:
                return tuple(branches), position
