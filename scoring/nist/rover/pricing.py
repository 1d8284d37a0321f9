"""The costs of aligned and unaligned words in rover, and the cheapest path."""

from __future__ import annotations

from array import array

from scoring.alignment import load_core
from scoring.alignment.kernel import align_network
from scoring.alignment.network import Network

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from scoring.alignment.network import Graph
    from scoring.nist.rover.plain import align_files
    from scoring.nist.rover.rover_words import RoverWords
else:
    _module = load_core()
    if _module is None:
        from scoring.nist.rover import plain as _module
    align_files = _module.align_files

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
MOST_ARCS = 65534


class Pricing:
    """Costs of words by text, or by time with `-T`, and the cheapest path.

    The network aligner of `scoring.alignment` finds the path if it can represent the costs. It
    cannot for words that are time marks (`%sync%time`), or if the added words have a null word;
    this class then finds the path.
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
        # Whether `align_files` can represent the costs of all words.
        self.is_uniform = by_time or not (self._time_marks or words.has_null_words)

    def align_files(self, files: Sequence[range]) -> tuple[memoryview[int], memoryview[int], int]:
        """Align the words of each file with those of the files before (see `plain.align_files`)."""
        words = self._words
        begins, ends = (array("q", bounds) for bounds in zip(*map(_bounds, files), strict=True))
        columns = words.compared, words.voted, words.starts, words.finishes
        costs = self._singles, self._weights, self._null, self._by_time
        members, offsets, uncombined = align_files(begins, ends, *columns, *costs, MOST_ARCS)
        return memoryview(members).cast("i"), memoryview(offsets).cast("q"), uncombined

    def path(
        self, reference: Graph, words: Sequence[int], hypothesis: Graph, others: Sequence[int]
    ) -> Sequence[int]:
        """Align the words of a network with the words of another file.

        Return two numbers for each step: an arc of the network, and an arc of `hypothesis`; 0 means
        that the step has none.
        """
        left = self._network(reference, words)
        right = self._network(hypothesis, others)
        if self._by_time:
            steps, _ = align_network(left, right, BY_TIMES)
        elif self._time_marks.isdisjoint(reference.types) and self._special.isdisjoint(
            hypothesis.types
        ):
            steps, _ = align_network(left, right, BY_WEIGHTS)
        else:
            from scoring.alignment.plain_network import cheapest_path  # few files need it

            steps, _ = cheapest_path(left, right, self._prices(left, right))
        return memoryview(steps).cast("i").tolist() if steps else ()

    def _prices(self, reference: Network, hypothesis: Network) -> Callable[[int], array[float]]:
        rows: dict[int, array[float]] = {}

        def prices(arc: int) -> array[float]:
            text = reference.types[arc]
            if text not in rows:
                rows[text] = array(
                    "f",
                    [
                        self._price(text, text_of_hypothesis)
                        for text_of_hypothesis in hypothesis.types
                    ],
                )
            return rows[text]

        return prices

    def _price(self, text: int, second: int) -> float:
        if text in self._time_marks or second in self._time_marks:
            return TIME_MARK_AGREED if text == second else TIME_MARK_FOR_WORD
        if text == second:
            return BOTH_NULL if text == self._null else 0.0
        return NULL_FOR_WORD if self._null in (text, second) else SUBSTITUTION

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
            return Network(*graph, nulls, singles, starts=starts, ends=finishes)
        singles = array("d", map(self._singles.__getitem__, graph.types))
        weights = array("d", map(self._weights.__getitem__, graph.types))
        return Network(*graph, nulls, singles, weights)


def _bounds(words: range) -> tuple[int, int]:
    return words.start, words.stop
