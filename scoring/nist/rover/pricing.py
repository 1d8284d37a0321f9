"""What it costs in rover that words face each other or nothing, and the cheapest path."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import repeat
from operator import add

from scoring.alignment.kernel import align_network
from scoring.alignment.network import NO_INTEGERS, Graph, Network
from scoring.nist.rover.words import RoverWords

NULL_ALONE = 0.001
WORD_ALONE = 3.0
SUBSTITUTION = 4.0
NULL_FOR_WORD = 1.0
BOTH_NULL = 1.0
# A time mark is a word that contains this; equal ones shall face each other at any price.
TIME_MARK = "%sync%time"
TIME_MARK_ALONE = 0.00001
TIME_MARK_AGREED = -3.0
TIME_MARK_FOR_WORD = 20.0
# Weights of which the sum is the price of two different words, or of the null word and another.
WORD_WEIGHT = 2.0
NULL_WEIGHT = -1.0
BY_WEIGHTS, BY_TIMES = 1, 2
UNAFFORDABLE = array("f", [999999.9])[0]


class Pricing:
    """Prices by text, or with `-T` by time, and the path through them.

    The general network aligner of `scoring.alignment` finds the path wherever its prices can be
    made to fit. They do not where a null word or a time mark is among the words to be added;
    then the path is found here.
    """

    def __init__(self, words: RoverWords, by_time: bool) -> None:
        self._words = words
        self._by_time = by_time
        texts = words.texts
        self._null = words.null_text
        self._time_marks = frozenset(n for n, text in enumerate(texts) if TIME_MARK in text)
        self._singles = array("d", [WORD_ALONE]) * len(texts)
        self._weights = array("d", [WORD_WEIGHT]) * len(texts)
        for mark in self._time_marks:
            self._singles[mark] = TIME_MARK_ALONE
        self._singles[self._null] = NULL_ALONE
        self._weights[self._null] = NULL_WEIGHT
        self._special = self._time_marks | {self._null}

    @property
    def plain(self) -> bool:
        """Whether words cost what they cost in sclite, so long as no null word is among them."""
        return not self._by_time and not self._time_marks

    def path(
        self, reference: Graph, own: Sequence[int], hypothesis: Graph, others: Sequence[int]
    ) -> Sequence[int]:
        """Align the words `own` of a network with `others`, those of one more file.

        Returns
        -------
        Pairs of an arc of either side, 0 for none, in order; empty if no path costs less than
        999999.9.
        """
        left = self._network(reference, own)
        right = self._network(hypothesis, others)
        if self._by_time:
            steps, _ = align_network(left, right, BY_TIMES)
        elif self._time_marks.isdisjoint(reference.types) and self._special.isdisjoint(
            hypothesis.types
        ):
            steps, _ = align_network(left, right, BY_WEIGHTS)
        else:
            return _Search(left, right, self).path()
        return memoryview(steps).cast("i").tolist() if steps else ()

    def _network(self, graph: Graph, members: Sequence[int]) -> Network:
        nulls = bytes(len(members))
        if self._by_time:
            starts = array("d", map(self._words.starts.__getitem__, members))
            finishes = array("d", map(self._words.finishes.__getitem__, members))
            singles = array(
                "d",
                [
                    NULL_ALONE if text == self._null else finish - start
                    for text, start, finish in zip(graph.types, starts, finishes, strict=True)
                ],
            )
            return graph.network(nulls, singles, starts=starts, ends=finishes)
        singles = array("d", map(self._singles.__getitem__, graph.types))
        weights = array("d", map(self._weights.__getitem__, graph.types))
        return graph.network(nulls, singles, weights)

    def prices(self, text: int, others: Sequence[int]) -> list[float]:
        """What a word costs facing each of the others."""
        return [self._price(text, other) for other in others]

    def _price(self, text: int, other: int) -> float:
        if text in self._time_marks or other in self._time_marks:
            return TIME_MARK_AGREED if text == other else TIME_MARK_FOR_WORD
        if text == other:
            return BOTH_NULL if text == self._null else 0.0
        return NULL_FOR_WORD if self._null in (text, other) else SUBSTITUTION


# A place in one of the two networks and the predecessor through which it was reached.
_Reached = tuple[int, int]


class _Search:
    """The cheapest path in single precision, row by row of the reference."""

    def __init__(self, reference: Network, hypothesis: Network, pricing: Pricing) -> None:
        self._reference = reference
        self._hypothesis = hypothesis
        self._pricing = pricing
        self._above = _predecessors(reference)
        self._before = _predecessors(hypothesis)
        self._chain = all(before == [n - 1] for n, before in enumerate(self._before) if n)
        self._rows: list[array[float]] = []
        self._origins: list[list[_Reached]] = []

    def path(self) -> list[int]:
        """See `Pricing.path`."""
        self._first_row()
        price_rows: dict[int, array[float]] = {}
        for a, text in enumerate(self._reference.types, 1):
            if text not in price_rows:
                prices = self._pricing.prices(text, self._hypothesis.types)
                price_rows[text] = array("f", [0.0, *prices])
            self._row(a, price_rows[text])
        return self._walk_back()

    def _first_row(self) -> None:
        costs = array("f", [0.0])
        origins = [(0, 0)]
        for b, before in enumerate(self._before[1:], 1):
            q = min(before, key=costs.__getitem__)
            costs.append(costs[q] + array("f", [self._hypothesis.singles[b - 1]])[0])
            origins.append((0, q))
        self._rows.append(costs)
        self._origins.append(origins)

    def _row(self, a: int, prices: array[float]) -> None:
        above = self._above[a]
        rows = [self._rows[p] for p in above]
        width = len(prices)
        single = array("f", [self._reference.singles[a - 1]])[0]
        columns = list(zip(*rows, strict=True))
        best = list(map(min, columns))
        by_p = [above[column.index(cost)] for column, cost in zip(columns, best, strict=True)]
        deletions = array("f", map(add, best, repeat(single)))
        across = [(0, 0), *((self._across(above, b, best, by_p)) for b in range(1, width))]
        reached = [self._rows[p][q] for p, q in across]
        substitutions = array("f", map(add, reached, prices))
        insertions = array("f", self._hypothesis.singles)
        costs = array("f", [deletions[0]])
        origins = [(by_p[0], 0)]
        scratch = array("f", [0.0])
        for b in range(1, width):
            q = b - 1 if self._chain else min(self._before[b], key=costs.__getitem__)
            scratch[0] = costs[q] + insertions[b - 1]
            insertion, deletion, substitution = scratch[0], deletions[b], substitutions[b]
            if substitution <= deletion and substitution <= insertion:
                costs.append(substitution)
                origins.append(across[b])
            elif deletion < insertion:
                costs.append(deletion)
                origins.append((by_p[b], b))
            else:
                costs.append(insertion)
                origins.append((a, q))
        self._rows.append(costs)
        self._origins.append(origins)

    def _across(
        self, above: list[int], b: int, best: Sequence[float], by_p: Sequence[int]
    ) -> _Reached:
        """The cheapest of the cells before both words, by reference predecessor first."""
        if self._chain:
            return by_p[b - 1], b - 1
        cells = [(p, q) for p in above for q in self._before[b]]
        return min(cells, key=lambda cell: self._rows[cell[0]][cell[1]])

    def _walk_back(self) -> list[int]:
        cost, cell = UNAFFORDABLE, None
        for p in self._reference.finals or [len(self._reference.types)]:
            for q in self._hypothesis.finals or [len(self._hypothesis.types)]:
                if self._rows[p][q] < cost:
                    cost, cell = self._rows[p][q], (p, q)
        steps: list[int] = []
        while cell is not None and cell != (0, 0):
            a, b = cell
            cell = self._origins[a][b]
            steps += (b if cell[1] != b else 0, a if cell[0] != a else 0)
        steps.reverse()
        return steps


def _predecessors(network: Network) -> list[list[int]]:
    """Per arc, after the beginning, the arcs it may follow."""
    offsets, listed = network.predecessor_offsets, network.predecessors
    if not len(offsets):
        return [[], *([arc] for arc in range(len(network.types)))]
    return [[], *(list(listed[offsets[n] : offsets[n + 1]]) for n in range(len(offsets) - 1))]


def chain(types: array[int]) -> Graph:
    """A plain sequence of words."""
    return Graph(types, NO_INTEGERS, NO_INTEGERS, NO_INTEGERS)
