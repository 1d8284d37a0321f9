"""The words of a run, numbered, and what each of them means."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from scoring.system import WordType
from scoring.transcripts.characters import byte_text, to_bytes
from scoring.transcripts.columns import TokenTable
from scoring.transcripts.words import NULL, word_type


class Lexicon:
    """Numbers the tokens of both sides and interprets each distinct one once.

    Parameters
    ----------
    optional_deletable, fragments_correct
        Options `-D` and `-F`.
    """

    def __init__(
        self, *, optional_deletable: bool = False, fragments_correct: bool = False
    ) -> None:
        self.table = TokenTable()
        self.optional_deletable = optional_deletable
        self.fragments_correct = fragments_correct
        self._types: list[WordType] = []

    def intern(self, token: str) -> int:
        """The number of one token of byte text."""
        return self.table.intern(to_bytes(token))

    @property
    def null(self) -> int:
        """The number of the null word."""
        return self.intern(NULL)

    def types(self) -> list[WordType]:
        """The meaning of every token numbered so far."""
        if len(self._types) < len(self.table):
            optional, fragments = self.optional_deletable, self.fragments_correct
            self._types += [
                word_type(
                    byte_text(token), optional_deletable=optional, fragments_correct=fragments
                )
                for token in self.table.texts(len(self._types))
            ]
        return self._types

    def comparable(self, numbers: Sequence[int]) -> Sequence[int]:
        """The same column with words that compare equal under one number.

        Returns the column itself if no two tokens differ in their marks only.
        """
        first_of: dict[str, int] = {}
        same = array("i", [first_of.setdefault(t.value, n) for n, t in enumerate(self.types())])
        if len(first_of) == len(same):
            return numbers
        return array("i", map(same.__getitem__, numbers))
