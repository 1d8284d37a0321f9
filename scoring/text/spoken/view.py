"""A view of the words around a position, and the forms that readers find there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from scoring.text.spoken.names import NumberNames
from scoring.text.spoken.table import SpokenTable

OPENING = "([{\"'“”„«»‘¿¡「『（<"
CLOSING = ")]}\"'”’»“,;:!?…。、」』），؟،।>"


class FoundForm(NamedTuple):
    """A form that a reader found: its class, its number of words, and its readings."""

    kind: str
    size: int
    readings: Sequence[str]


class WordsView:
    """The words from a position on, without surrounding punctuation."""

    def __init__(
        self,
        words: Sequence[str],
        place: int,
        table: SpokenTable,
        names: NumberNames,
        capitals: bool,
        classes: frozenset[str],
    ) -> None:
        self.words = words
        self.place = place
        self.table = table
        self.names = names
        self.capitals = capitals
        """True in a text of capital letters."""
        self.classes = classes
        """The requested classes of forms; readers may omit others."""
        self.notes: dict[str, Any] = {}
        """Data about this place that several readers need, such as its number."""
        self._phrases: dict[tuple[int, int], list[tuple[int, str]]] = {}
        word = words[place]
        self.before = word[: len(word) - len(word.lstrip(OPENING))]
        self.full = word[len(self.before) :].rstrip(CLOSING)
        """The word without punctuation around it, except dots, which abbreviations have."""
        self.core = self.full.rstrip(".").rstrip(CLOSING)

    def moved(self, distance: int) -> WordsView:
        """Return the view moved forward by a number of words."""
        rest = (self.table, self.names, self.capitals, self.classes)
        return WordsView(self.words, self.place + distance, *rest)

    @property
    def previous(self) -> str:
        """The previous word; empty at the beginning."""
        return self.words[self.place - 1] if self.place else ""

    def at(self, distance: int) -> str:
        """Return the word at a distance, with a final dot but without other outer punctuation."""
        place = self.place + distance
        if not 0 <= place < len(self.words):
            return ""
        return self.words[place].lstrip(OPENING).rstrip(CLOSING)

    def bare(self, distance: int) -> str:
        """Return the word at a distance without punctuation around it."""
        return self.at(distance).rstrip(".").rstrip(CLOSING)

    def goes_on(self, distance: int) -> bool:
        """Return True if no punctuation separates the word from the next word."""
        place = self.place + distance
        word = self.words[place] if place < len(self.words) else ""
        return bool(word) and word[-1] not in CLOSING and place + 1 < len(self.words)

    def phrases(self, distance: int, longest: int = 4) -> Sequence[tuple[int, str]]:
        """Return the texts of one to `longest` words from a distance on, with their sizes.

        The longest text comes first.
        """
        key = distance, longest
        phrases = self._phrases.get(key)
        if phrases is None:
            phrases = self._phrases[key] = list(self._find_phrases(distance, longest))
        return phrases

    def _find_phrases(self, distance: int, longest: int) -> Iterator[tuple[int, str]]:
        sizes = []
        for size in range(1, longest + 1):
            if self.place + distance + size > len(self.words):
                break
            sizes.append(size)
            if not self.goes_on(distance + size - 1):
                break
        for size in reversed(sizes):
            begin = self.place + distance
            words = self.words[begin : begin + size]
            between = " " if self.table.pieces is None else ""
            yield size, between.join(words).lstrip(OPENING).rstrip(CLOSING)
