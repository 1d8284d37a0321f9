"""The reference words no system recognised."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterator


class MissedWords:
    """How often each reference word was missed, as the original counts it.

    Where a known word comes again, the original counts the word whose number (in order of first
    appearance) is the known word's place in alphabetical order. So only the sum is right.
    Reproduced.
    """

    def __init__(self) -> None:
        self._words: list[str] = []
        self._counts: list[int] = []
        self._sorted: list[str] = []
        self._known: set[str] = set()

    def add(self, word: str) -> None:
        """Count a word."""
        if word in self._known:
            self._counts[bisect_left(self._sorted, word)] += 1
            return
        self._known.add(word)
        insort(self._sorted, word)
        self._words.append(word)
        self._counts.append(1)

    def lines(self) -> Iterator[str]:
        """The list, most frequent words first."""
        pairs = sorted(
            zip(self._counts, self._words, strict=True), key=lambda pair: (-pair[0], pair[1])
        )
        yield f"List of not correct reference words   Total                 ({len(pairs)})\n"
        yield f"{'':33}With >=  1 occurrences ({len(pairs)})\n\n"
        for rank, (count, word) in enumerate(pairs, 1):
            yield f"{rank:4d}: {count:4d}  ->  {word}\n"
        yield f"     -------\n     {sum(self._counts):5d}\n\n"
