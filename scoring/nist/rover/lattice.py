"""Word lattices of chunks: the words of several recognisers that face each other."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from scoring.alignment.network import Graph
from scoring.errors import OriginalError
from scoring.nist.rover.rover_words import NO_WORD

# A word, or alternatives, each of them a sequence of words.
Item = int | tuple[tuple[int, ...], ...]


class LinearityError(OriginalError):
    """Alternatives of different lengths in the first file, which cannot be voted on."""

    def __init__(self) -> None:
        super().__init__("Error: Node Violates linear topology\n")


class _Arc:
    """A word between two nodes."""

    __slots__ = ("begin", "end", "word")

    def __init__(self, word: int, begin: _Node, end: _Node) -> None:
        self.word = word
        self.begin = begin
        self.end = end


class _Node:
    """Arcs that end here and arcs that begin here; their order decides among equal paths."""

    __slots__ = ("arriving", "leaving")

    def __init__(self) -> None:
        self.arriving: list[_Arc] = []
        self.leaving: list[_Arc] = []


class NumberedArcs(NamedTuple):
    """The arcs of a lattice in the order of an alignment, which numbers them from 1."""

    arcs: list[_Arc]
    words: list[int]
    offsets: array[int]
    predecessors: array[int]
    finals: array[int]

    def graph(self, types: array[int]) -> Graph:
        """The shape, with the type of each arc."""
        return Graph(types, self.offsets, self.predecessors, self.finals)


class Lattice:
    """A network of words from a start to a stop node."""

    def __init__(self, items: Sequence[Item]) -> None:
        self.start = self.stop = _Node()
        for item in items:
            branches = ((item,),) if isinstance(item, int) else item
            self._append(branches)

    def _append(self, branches: Sequence[Sequence[int]]) -> None:
        begin, end = self.stop, _Node()
        long_ones = []
        for branch in branches:
            node = _Node() if len(branch) > 1 else end
            _connect(branch[0], begin, node)
            if len(branch) > 1:
                long_ones.append((node, branch[1:]))
        for node, rest in reversed(long_ones):
            for word in rest[:-1]:
                following = _Node()
                _connect(word, node, following)
                node = following
            _connect(rest[-1], node, end)
        self.stop = end

    def number(self) -> NumberedArcs:
        """Number the arcs so that each comes after those it may follow."""
        arcs: list[_Arc] = []
        numbers: dict[_Arc, int] = {}
        missing: dict[_Node, int] = {}
        waiting = [self.start]
        for node in waiting:
            for arc in node.leaving:
                arcs.append(arc)
                numbers[arc] = len(arcs)
                left = missing.get(arc.end, len(arc.end.arriving)) - 1
                missing[arc.end] = left
                if left == 0:
                    waiting.append(arc.end)
        offsets, predecessors = array("i", [0]), array("i")
        for arc in arcs:
            predecessors.extend([numbers[each] for each in arc.begin.arriving] or [0])
            offsets.append(len(predecessors))
        finals = array("i", [numbers[each] for each in self.stop.arriving] or [0])
        return NumberedArcs(arcs, [arc.word for arc in arcs], offsets, predecessors, finals)

    def merge(
        self, arcs: NumberedArcs, words: Sequence[int], path: Sequence[int], files: int
    ) -> None:
        """Add another recogniser's words along an alignment."""
        before: list[tuple[_Arc | None, int, int]] = []
        arc: _Arc | None = None
        for one, other in zip(path[::2], path[1::2], strict=True):
            arc = arcs.arcs[one - 1] if one else arc
            before.append((arc, one, words[other - 1] if other else NO_WORD))
        for arc, one, word in reversed(before):
            if one and arc is not None:
                _connect(word, arc.begin, arc.end)
                continue
            begin, end = self._split(self.start if arc is None else arc.end)
            for new in [word, *[NO_WORD] * files]:
                _connect(new, begin, end)

    def _split(self, node: _Node) -> tuple[_Node, _Node]:
        """Make room for a set of words before a node."""
        begin = _Node()
        begin.arriving, node.arriving = node.arriving, begin.arriving
        for arc in begin.arriving:
            arc.end = begin
        if node is self.start:
            self.start = begin
        return begin, node

    def sets(self) -> Iterator[list[int]]:
        """The words between each two nodes, in order."""
        node = self.start
        while node is not self.stop:
            end = node.leaving[0].end
            if any(arc.end is not end for arc in node.leaving):
                raise LinearityError
            yield [arc.word for arc in node.leaving]
            node = end


def _connect(word: int, begin: _Node, end: _Node) -> None:
    arc = _Arc(word, begin, end)
    begin.leaving.append(arc)
    end.arriving.append(arc)
