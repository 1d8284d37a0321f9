"""The words of a system and their numbers, as they come in."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import chain

from scoring.alignment.system import Words
from scoring.nist.sgml.measures import NO_WEIGHT
from scoring.nist.sgml.path_data import COLUMNS, Numbers


class SideWords:
    """The words of one side, and columns of numbers: one default for all that came without."""

    def __init__(self) -> None:
        self.types = array("i")
        self.begins = array("q")
        self.ends = array("q")
        self._columns: dict[str, array[float]] = {}

    def extend(self, types: Sequence[int], numbers: Numbers) -> None:
        """Add words."""
        before = len(self.types)
        for name, default in chain.from_iterable(COLUMNS.values()):
            column, missing = numbers.get(name), array("d", [default])
            if column is not None and name not in self._columns:
                self._columns[name] = missing * before
            if name in self._columns:
                self._columns[name].extend(missing * len(types) if column is None else column)
        self.types.extend(types)

    def words(self, *, confident: bool, weighted: bool) -> Words:
        """All of them."""
        columns, size = self._columns, len(self.types)
        starts, confidences = columns.get("starts"), columns.get("confidences")
        if confidences is None and (starts is not None or confident):
            # words of piped input have confidence 0, whether they have times or not
            confidences = array("d", [0.0]) * size
        weights = columns.get("weights", array("d", [NO_WEIGHT]) * size) if weighted else None
        finishes = columns.get("finishes")
        return Words(self.types, self.begins, self.ends, starts, finishes, confidences, weights)


class SgmlLexicon(dict[str, int]):
    """Numbers words as they come."""

    def __missing__(self, text: str) -> int:
        self[text] = number = len(self)
        return number

    def numbers(self, words: Sequence[str]) -> array[int]:
        """The numbers of some words."""
        return array("i", map(self.__getitem__, words))
