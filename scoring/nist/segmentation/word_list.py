"""The words of a lexicon."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from scoring.model.errors import OriginalError
from scoring.nist.transcripts.characters import Characters, bsearch, byte_text

if TYPE_CHECKING:
    from scoring.model.aliases import Say

COLUMN = re.compile(rb"[ \t]*([^ \t]*)")


class LexiconError(OriginalError):
    """Raised if a lexicon exists but cannot be opened.

    sclite still exits with status 0 in this case.
    """

    status = 0


class WordList:
    """The words of a lexicon with sclite's binary search.

    If the list is not in ascending byte order, the search misses some words.

    >>> words = WordList(["a", "abc", "b"])
    >>> "abc" in words, "ab" in words, words.begins("ab"), words.begins("ac"), words.longest
    (True, False, True, False, 3)
    >>> "a" in WordList(["c", "b", "a"])
    False
    """

    def __init__(self, words: Sequence[str], length: Callable[[str], int] = len) -> None:
        self._words = words
        self._sorted = sorted(words)
        self._found = frozenset(words) if self._sorted == words else None
        # Characters of the longest word, 1 at least
        self.longest = max(1, max(map(length, words), default=1))

    @classmethod
    def read(cls, path: str, name: str, characters: Characters, warn: Say) -> WordList:
        """Read the first column of a file, separated by blanks and tabs; a directory has no words.

        An empty line is an empty word. Words out of order are kept, and `warn` reports them with
        sclite's message.
        """
        try:
            with open(path, "rb") as file:
                data = file.read()
        except IsADirectoryError:
            data = b""
        except OSError:
            raise LexiconError(
                f"\nError: load_TEXT_LIST open of '{name}' failed\n"
                f"Error: Can't load lexicon file '{name}'\n"
            ) from None
        words: list[str] = []
        for line in data.removesuffix(b"\n").split(b"\n") if data else ():
            word = _first_column(line.split(b"\0")[0], characters)
            if words and word < words[-1]:
                warn(
                    f"Error: Adding lexical item {len(words)} out of order "
                    f"'{word}' !> '{words[-1]}'\n"
                )
            words.append(word)
        return cls(words, characters.length)

    def __contains__(self, word: str) -> bool:
        if self._found is not None:
            return word in self._found
        return bsearch(self._words, word) is not None

    def begins(self, text: str) -> bool:
        """Return True if any word begins with this text."""
        index = bisect_left(self._sorted, text)
        return index < len(self._sorted) and self._sorted[index].startswith(text)


def _first_column(line: bytes, characters: Characters) -> str:
    match = COLUMN.match(characters.shape(line))
    begin, end = (0, 0) if match is None else match.span(1)
    bad = characters.first_bad(line[:end])
    if bad is not None and bad.quotes_rest:  # forms of six bytes pass
        raise OriginalError(bad.text(line))
    return byte_text(line[begin:end])
