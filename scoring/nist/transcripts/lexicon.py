"""The distinct words of a run, with their numbers and their parsed marks.

Byte text is a `str` with one character per byte.
"""

from __future__ import annotations

from scoring.alignment.numbered import WordType
from scoring.nist.transcripts.characters import Characters, byte_text, to_bytes
from scoring.nist.transcripts.columns import TokenTable
from scoring.text.word_types import NULL, word_type

UNTAGGED = (None, None)


class Lexicon:
    """Numbers for the tokens of both sides; the marks of each distinct token are parsed once."""

    def __init__(
        self,
        *,
        optional_deletable: bool = False,  # options `-D` and `-F`
        fragments_correct: bool = False,
        characters: Characters | None = None,  # the encoding of the tokens; None: single bytes
    ) -> None:
        self.table = TokenTable()
        self.optional_deletable = optional_deletable
        self.fragments_correct = fragments_correct
        self.characters = Characters() if characters is None else characters
        self._types: list[WordType] = []
        self._made: dict[WordType, int] = {}
        self._meanings: dict[int, WordType] = {}

    def intern(self, token: str) -> int:
        """Return the number of a token of byte text."""
        return self.table.intern(to_bytes(token))

    def made(self, word: WordType) -> int:
        """Return the number of a word that is no token of a file, such as a piece of a word."""
        number = self._made.get(word)
        if number is None:
            # a NUL byte cannot be read from a file
            number = self._made[word] = self.intern(f"\0{len(self._made)}")
            self._meanings[number] = word
        return number

    @property
    def null(self) -> int:
        """The number of the null word."""
        return self.intern(NULL)

    def types(self) -> list[WordType]:
        """Return the word type of each numbered token."""
        if len(self._types) < len(self.table):
            size = len(self._types)
            self._types += [
                self._meanings.get(number) or self._meaning(token)
                for number, token in enumerate(self.table.texts(size), size)
            ]
        return self._types

    def _meaning(self, token: bytes) -> WordType:
        text = byte_text(token)
        if text.isalnum():  # no marks: most words
            return WordType(text, UNTAGGED, text, False, False, False)
        shape = byte_text(self.characters.shape(token)) if b";" in token else None
        return word_type(
            text,
            shape,
            optional_deletable=self.optional_deletable,
            fragments_correct=self.fragments_correct,
        )
