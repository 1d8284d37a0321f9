"""Costs of words, and the rule that decides which words match."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from math import isfinite
from operator import sub

from formats.schema import IntEnum
from scoring.alignment.network import NO_INTEGERS, NO_NUMBERS, Graph, Network, build
from scoring.alignment.numbered import NumberedSide, WordType
from scoring.model.errors import ScoringError

NULL_COST = 0.001
OPTIONAL_COST = 2.0
WORD_COST = 3.0
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeVar

    _Number = TypeVar("_Number", int, float)

CHAIN = Graph(NO_INTEGERS)


class CostMode(IntEnum):
    """The source of the edit costs.

    FIXED: a substitution costs 4; an insertion or deletion costs 3, of an optional word 2, of a
    null word 0.001. WEIGHTS: the weight of a word; a substitution costs both weights. TIMES: the
    duration of a word; a pair costs the distance of the start times plus the distance of the end
    times.
    """

    FIXED = 0
    WEIGHTS = 1
    TIMES = 2


class WordCosts:
    """The costs of words, and the rule that decides which words match.

    `weights` (double per word number) apply to sides that have no weights. `matches` decides
    whether a fragment matches a word; None without `-F`. Other words match if their `values` (int32
    per word number) are equal. `plain` is true if all values differ.
    """

    def __init__(
        self,
        types: Sequence[WordType],
        mode: CostMode = CostMode.FIXED,
        weights: Sequence[float] | None = None,
        matches: Callable[[WordType, WordType], bool] | None = None,
    ) -> None:
        self.types = types
        self.mode = mode
        self._matches = matches
        numbers: dict[str, int] = {}
        self.values = array("i", [numbers.setdefault(t.value, n) for n, t in enumerate(types)])
        self.plain = len(numbers) == len(types)
        self._nulls = bytes(word.null for word in types)
        self._weights: Sequence[float] = () if weights is None else weights

    def special(self) -> frozenset[int]:
        """Return the words that need a word graph: null, optional and fragment words."""
        return frozenset(
            number
            for number, word in enumerate(self.types)
            if word.null or word.optional or word.fragment
        )

    def match(self, reference: int, hypothesis: int) -> bool:
        """Return True if two words match."""
        if self._matches is not None:
            mine, theirs = self.types[reference], self.types[hypothesis]
            if mine.fragment or theirs.fragment:
                return self._matches(mine, theirs)
        return self.values[reference] == self.values[hypothesis]

    def network(self, side: NumberedSide, utterance: int) -> tuple[Network, Sequence[int]]:
        """Return the word graph of an utterance, and the word position of each arc."""
        graph = side.graphs.get(utterance)
        if graph is None:
            shape = CHAIN
            positions: Sequence[int] = range(side.begins[utterance], side.ends[utterance])
        else:
            shape = graph if isinstance(graph, Graph) else build(graph)
            positions = shape.types
        numbers = _at(side.types, positions)
        nulls = bytes(map(self._nulls.__getitem__, numbers))
        values = array("i", map(self.values.__getitem__, numbers))
        costs = self._costs(side, positions, numbers, nulls)
        return Network(*shape._replace(types=values), nulls, *costs), positions

    def _costs(
        self, side: NumberedSide, positions: Sequence[int], numbers: Sequence[int], nulls: bytes
    ) -> tuple[array[float], Sequence[float], Sequence[float], Sequence[float]]:
        """Return, for each word, its cost without a partner, its weight, its start and its end."""
        weights = starts = finishes = NO_NUMBERS
        if self.mode == CostMode.TIMES:
            if side.starts is None or side.finishes is None:
                raise ValueError("time-mediated costs need words with times")
            starts, finishes = _at(side.starts, positions), _at(side.finishes, positions)
            singles = array("d", map(sub, finishes, starts))
            if not all(map(isfinite, singles)) or min(singles, default=0.0) < -1e18:
                raise ScoringError(
                    "time-mediated alignment: expected times that are finite numbers"
                )
        elif self.mode == CostMode.WEIGHTS:
            if side.weights is None:
                weights = array("d", map(self._weights.__getitem__, numbers))
            else:
                weights = _at(side.weights, positions)
            singles = array("d", weights)
        else:
            types = map(self.types.__getitem__, numbers)
            singles = array("d", [OPTIONAL_COST if t.optional else WORD_COST for t in types])
        position = nulls.find(1)
        while position >= 0:
            singles[position] = NULL_COST
            position = nulls.find(1, position + 1)
        return singles, weights, starts, finishes

    def match_table(
        self,
        reference: NumberedSide,
        mine: Sequence[int],
        hypothesis: NumberedSide,
        theirs: Sequence[int],
    ) -> bytes | None:
        """Return a byte per pair of words (1: match).

        Returns None if the match depends only on the `values` of the words.
        """
        if self._matches is None:
            return None
        left = [reference.types[position] for position in mine]
        right = [hypothesis.types[position] for position in theirs]
        if not any(self.types[number].fragment for number in (*left, *right)):
            return None
        return bytes([self.match(word, facing) for word in left for facing in right])


def _at(column: array[_Number], positions: Sequence[int]) -> array[_Number]:
    """Return the values of a column at the given positions."""
    if isinstance(positions, range):
        return column[positions.start : positions.stop]
    return array(column.typecode, map(column.__getitem__, positions))
