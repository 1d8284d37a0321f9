"""Networks of aligned words from several recognisers."""

from __future__ import annotations

from formats.schema import NamedTuple
from scoring.model.errors import OriginalError
from scoring.nist.rover.rover_words import NO_WORD
from scoring.nist.segmentation.word_graph import Link, Node, numbered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from array import array
    from collections.abc import Iterator, Sequence
    from typing import TypeAlias

    from scoring.alignment.network import Graph

# A word, or alternatives, each of them a sequence of words.
LatticeItem: TypeAlias = "int | tuple[tuple[int, ...], ...]"


class LinearityError(OriginalError):
    """Raised if alternatives of the first file differ in length: rover cannot vote on them."""

    def __init__(self) -> None:
        super().__init__("Error: Node Violates linear topology\n")


class _Arc(Link):
    """A word between two nodes."""

    __slots__ = ("word",)

    def __init__(self, word: int) -> None:
        self.word = word


class NumberedArcs(NamedTuple):
    """The arcs of a lattice in the order of the alignment, numbered from 1."""

    arcs: list[_Arc]
    words: list[int]
    shape: Graph

    def graph(self, types: array[int]) -> Graph:
        """Return the graph of the arcs, given the word type of each word."""
        return self.shape._replace(types=types)


class Lattice:
    """A network of words from a start node to a stop node."""

    def __init__(self, items: Sequence[LatticeItem]) -> None:
        self.start = self.stop = Node()
        for item in items:
            branches = ((item,),) if isinstance(item, int) else item
            self._append(branches)

    def _append(self, branches: Sequence[Sequence[int]]) -> None:
        begin, end = self.stop, Node()
        long_ones = []
        for branch in branches:
            node = Node() if len(branch) > 1 else end
            _Arc(branch[0]).connect(begin, node)
            if len(branch) > 1:
                long_ones.append((node, branch[1:]))
        for node, rest in reversed(long_ones):
            for word in rest[:-1]:
                following = Node()
                _Arc(word).connect(node, following)
                node = following
            _Arc(rest[-1]).connect(node, end)
        self.stop = end

    def number(self) -> NumberedArcs:
        """Return the arcs, numbered so that all possible predecessors of an arc precede it."""
        arcs, shape = numbered(self.start, self.stop)
        return NumberedArcs(arcs, [arc.word for arc in arcs], shape)

    def merge(
        self, arcs: NumberedArcs, words: Sequence[int], path: Sequence[int], files: int
    ) -> None:
        """Add the words of another recogniser along the alignment `path`.

        `files` is the number of recognisers that the lattice has already. For each of them, a null
        word is added beside an inserted word.
        """
        before: list[tuple[_Arc | None, int, int]] = []
        arc: _Arc | None = None
        for one, other in zip(path[::2], path[1::2], strict=True):
            arc = arcs.arcs[one - 1] if one else arc
            before.append((arc, one, words[other - 1] if other else NO_WORD))
        for arc, one, word in reversed(before):
            if one and arc is not None:
                _Arc(word).connect(arc.begin, arc.end)
                continue
            begin, end = self._split(self.start if arc is None else arc.end)
            for new in [word, *[NO_WORD] * files]:
                _Arc(new).connect(begin, end)

    def _split(self, node: Node) -> tuple[Node, Node]:
        """Insert a new node in front of a node; return both nodes, the new one first."""
        begin = Node()
        begin.arriving, node.arriving = node.arriving, begin.arriving
        for arc in begin.arriving:
            arc.end = begin
        if node is self.start:
            self.start = begin
        return begin, node

    def sets(self) -> Iterator[list[int]]:
        """Yield, for each node but the last, the words between it and the next node."""
        node = self.start
        while node is not self.stop:
            end = node.leaving[0].end
            if any(arc.end is not end for arc in node.leaving):
                raise LinearityError
            yield [arc.word for arc in node.leaving]
            node = end
