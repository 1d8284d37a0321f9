"""The words of a system and their numbers, as they come in."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from scoring.alignment.system import Words
from scoring.nist.sgml.measures import NO_WEIGHT
from scoring.nist.sgml.places import Numbers


class _Column:
    """Numbers of the words of one side, one and the same for all words that came without."""

    def __init__(self, default: float = 0.0) -> None:
        self._default = array("d", [default])
        self._values: array[float] | None = None

    def extend(self, values: Sequence[float] | None, before: int, count: int) -> None:
        """Add the numbers of `count` words that follow `before` others."""
        if values is None and self._values is None:
            return
        if self._values is None:
            self._values = self._default * before
        if values is None:
            self._values.extend(self._default * count)
        else:
            self._values.extend(values)

    def values(self) -> array[float] | None:
        """The column, or None if no word came with a number."""
        return self._values

    def values_of(self, count: int) -> array[float]:
        """The column of `count` words, whether any came with a number or not."""
        return self._default * count if self._values is None else self._values


class SideWords:
    """The words of one side."""

    def __init__(self) -> None:
        self.types = array("i")
        self.begins = array("q")
        self.ends = array("q")
        self._starts = _Column()
        self._finishes = _Column()
        self._confidences = _Column()
        self._weights = _Column(NO_WEIGHT)

    def extend(self, types: Sequence[int], numbers: Numbers) -> None:
        """Add words."""
        before, count = len(self.types), len(types)
        self._starts.extend(numbers.starts, before, count)
        self._finishes.extend(numbers.finishes, before, count)
        self._confidences.extend(numbers.confidences, before, count)
        self._weights.extend(numbers.weights, before, count)
        self.types.extend(types)

    def words(self, *, confident: bool, weighted: bool) -> Words:
        """All of them.

        Parameters
        ----------
        confident, weighted
            Some utterance has confidences or weights, were it only by its tag.
        """
        starts, confidences = self._starts.values(), self._confidences.values()
        if starts is not None or confident:
            # words of piped input have confidence 0, whether they have times or not
            confidences = self._confidences.values_of(len(self.types))
        return Words(
            self.types,
            self.begins,
            self.ends,
            starts,
            self._finishes.values(),
            confidences,
            self._weights.values_of(len(self.types)) if weighted else None,
        )


class Lexicon(dict[str, int]):
    """Numbers words as they come."""

    def __missing__(self, text: str) -> int:
        self[text] = number = len(self)
        return number

    def numbers(self, words: Sequence[str]) -> array[int]:
        """The numbers of some words."""
        return array("i", map(self.__getitem__, words))
