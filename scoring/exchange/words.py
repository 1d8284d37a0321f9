"""The words of a system and their numbers, as they come in."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from scoring.exchange.measures import NO_WEIGHT
from scoring.exchange.places import Numbers
from scoring.system import Words


class _Column:
    """Numbers of the words of one side; zeros for words that came without."""

    def __init__(self) -> None:
        self._values: array[float] | None = None

    def extend(self, values: Sequence[float] | None, before: int, count: int) -> None:
        """Add the numbers of `count` words that follow `before` others."""
        if values is None and self._values is None:
            return
        if self._values is None:
            self._values = array("d", bytes(8 * before))
        if values is None:
            self._values.frombytes(bytes(8 * count))
        else:
            self._values.extend(values)

    def values(self) -> array[float] | None:
        """The column, or None if no word came with a number."""
        return self._values


class SideWords:
    """The words of one side."""

    def __init__(self) -> None:
        self.types = array("i")
        self.begins = array("q")
        self.ends = array("q")
        self._starts = _Column()
        self._finishes = _Column()
        self._confidences = _Column()

    def extend(self, types: Sequence[int], numbers: Numbers) -> None:
        """Add words."""
        before, count = len(self.types), len(types)
        self._starts.extend(numbers.starts, before, count)
        self._finishes.extend(numbers.finishes, before, count)
        self._confidences.extend(numbers.confidences, before, count)
        self.types.extend(types)

    def words(self) -> Words:
        """All of them."""
        starts, confidences = self._starts.values(), self._confidences.values()
        if starts is not None and confidences is None:
            # words of piped input have confidence 0, whether they have times or not
            confidences = array("d", bytes(8 * len(self.types)))
        return Words(
            self.types, self.begins, self.ends, starts, self._finishes.values(), confidences
        )


class Lexicon(dict[str, int]):
    """Numbers words as they come; a word with another weight is another word."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.weights = array("d")
        self._weighted: dict[tuple[str, float], int] = {}

    def __missing__(self, text: str) -> int:
        self[text] = number = self._add(text, NO_WEIGHT)
        return number

    def _add(self, text: str, weight: float) -> int:
        self.texts.append(text)
        self.weights.append(weight)
        return len(self.texts) - 1

    def numbers(self, words: Sequence[str], weights: Sequence[float] | None) -> array[int]:
        """The numbers of some words."""
        if weights is None:
            return array("i", map(self.__getitem__, words))
        known = self._weighted
        numbers = array("i")
        for pair in zip(words, weights, strict=True):
            if pair not in known:
                known[pair] = self._add(*pair)
            numbers.append(known[pair])
        return numbers
