"""The words in a system's vocabulary, read from a file."""

from __future__ import annotations

import os
from collections.abc import Iterable
from hashlib import sha256
from typing import NamedTuple

from scoring.model.errors import InputError


class KnownWords(NamedTuple):
    """Vocabulary words with their frequencies; 0 for words without frequency."""

    words: dict[str, int]

    def frequent(self, least: int) -> set[str]:
        """Return the words with at least the given frequency."""
        return {word for word, number in self.words.items() if number >= least}

    def __str__(self) -> str:
        mark = sha256("\n".join(sorted(self.words)).encode("utf-8", "surrogatepass")).hexdigest()
        return f"{len(self.words)} words#{mark[:8]}"


def read_vocabulary(given: object, encoding: str = "utf-8") -> KnownWords:
    """Read words from the first field of each line and frequencies from the second field."""
    if isinstance(given, KnownWords):
        return given
    if not isinstance(given, (str, os.PathLike)):
        if not isinstance(given, Iterable):
            raise ValueError(f"expected a file or words, found {given!r}")
        return KnownWords(dict.fromkeys(map(str, given), 0))
    from formats.io.decoding import certain
    from formats.io.source import open_source
    from formats.reading.lines import split_words

    words: dict[str, int] = {}
    with open_source(os.fspath(given), encoding=certain(encoding)) as source:
        for _, line in source.lines():
            fields = [*split_words(line), ""]
            if fields[0]:
                words[fields[0]] = int(fields[1]) if fields[1].isdecimal() else 0
    if not words:
        raise InputError(os.fspath(given), 1, 1, "expected a word in each line, found none")
    return KnownWords(words)
