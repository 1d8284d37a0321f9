"""The words of all files in shared columns, so that one number identifies a word."""

from __future__ import annotations

from array import array
from bisect import bisect_right

from scoring.alignment.numbered import NULL, word_type
from scoring.nist.transcripts.characters import byte_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from scoring.nist.rover.word_list import CtmWordList

NO_WORD = 0  # the number of the null word, which recognisers without a word are given
NO_CONFIDENCE = -1.0


class RoverWords:
    """Columns over the words of all files: texts, times and confidences.

    As in rover, copying a word removes one `*` from the end of its text. Words of the first
    file are copied once, before comparison and voting. Words of other files are copied again after
    the comparison.
    """

    def __init__(
        self, files: Sequence[CtmWordList], tokens: Sequence[bytes], null_confidence: float
    ) -> None:
        self._files = files
        numbers: dict[str, int] = {}
        # per token the text after one copy and after two
        compared: list[int] = []
        voted: list[int] = []
        for token in map(byte_text, tokens):
            text = token
            if token[-1:] == "*" or ";" in token or "\\" in token:
                text = word_type(token, optional_deletable=False, fragments_correct=False).text
            for column in (compared, voted):
                text = text[:-1] if len(text) > 1 and text.endswith("*") else text
                column.append(numbers.setdefault(text, len(numbers)))
        # whether a file has a word that is written like the null word
        self.has_null_words = NULL in numbers
        self.null_text = numbers.setdefault(NULL, len(numbers))  # the text number of the null word
        # float64 seconds
        self.starts, self.finishes = array("d", [0.0]), array("d", [0.0])
        # float64; -1 for the words of a file in which no confidence was read so far
        self.confidences = array("d", [null_confidence])
        # int32: the number of the text by which a word is aligned
        self.compared = array("i", [self.null_text])
        # int32: the number of the text by which it takes part in later alignments and the vote
        self.voted = array("i", [self.null_text])
        self._offsets: list[int] = []
        for number, file in enumerate(files):
            self._offsets.append(len(self.starts))
            self.starts += file.starts
            self.finishes += file.finishes
            self.confidences += array("d", [NO_CONFIDENCE]) * file.size
            added = _texts_of(file.types, compared)
            self.compared += added
            self.voted += added if number == 0 else _texts_of(file.types, voted)
        self._added: dict[int, int] = {}
        self._confident = [False] * len(files)
        self.texts = list(numbers)  # byte text per text number

    def offset(self, file: int) -> int:
        """Return the number of the first word of a file."""
        return self._offsets[file]

    def file_name(self, word: int) -> str:
        """Return the name of a word's file; empty for the null word."""
        if word == NO_WORD:
            return ""
        file = self._added.get(word)
        return self._files[bisect_right(self._offsets, word) - 1 if file is None else file].name

    def note_confidences(self, file: int) -> None:
        """Copy the confidences of a file into the columns; do nothing while the file has none."""
        words = self._files[file]
        if words.has_confidences and not self._confident[file]:
            self._confident[file] = True
            first = self._offsets[file]
            self.confidences[first : first + words.size] = words.confidences

    def add_null(self, file: int, position: int) -> int:
        """Add the null word of an empty branch before the word at `position` of a file.

        Return its number.
        """
        words = self._files[file]
        confidence = NO_CONFIDENCE
        if self._confident[file]:
            confidence = words.confidences[position] if position < words.held else 0.0
        number = len(self.starts)
        self._added[number] = file
        self.starts.append(0.0)
        self.finishes.append(0.0)
        self.confidences.append(confidence)
        self.compared.append(self.null_text)
        self.voted.append(self.null_text)
        return number


def _texts_of(tokens: array[int], texts: list[int]) -> array[int]:
    """Return the text number of each token; in most runs, it is that of the token."""
    if texts == [*range(len(texts))]:
        return tokens
    return array("i", map(texts.__getitem__, tokens))
