"""The words of one utterance as a mutable graph, for splitting and inferring words.

A node is a position between words. The order of a node's outgoing and incoming words decides
between equally cheap alignments. The functions here therefore use the same order as sclite: an
added word goes to the end of its lists.
"""

from __future__ import annotations

from array import array

from formats.schema import NamedTuple
from scoring.alignment.network import Graph
from scoring.alignment.numbered import WordType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from scoring.alignment.numbered import NumberedItem, NumberedSide
    from scoring.nist.segmentation.word_list import WordList
    from scoring.nist.transcripts.lexicon import Lexicon


class WordPieces(NamedTuple):
    """The replacement of a word: its pieces, and items that refer to the pieces by index."""

    words: Sequence[WordType]
    items: Sequence[NumberedItem]


class Node:
    """A position between words, with its incoming and outgoing arcs in order."""

    __slots__ = ("arriving", "leaving")

    def __init__(self) -> None:
        self.arriving: list[Any] = []
        self.leaving: list[Any] = []


class Link:
    """An arc from one node to another."""

    __slots__ = ("begin", "end")

    begin: Node
    end: Node

    def connect(self, begin: Node, end: Node) -> None:
        """Connect two nodes by this arc, as the last arc of each node."""
        self.begin, self.end = begin, end
        begin.leaving.append(self)
        end.arriving.append(self)

    def disconnect(self) -> None:
        """Remove the arc from the graph."""
        self.begin.leaving.remove(self)
        self.end.arriving.remove(self)


def numbered(first: Node, last: Node) -> tuple[list[Any], Graph]:
    """Return the arcs, sorted, and a graph that names them by their positions in the list.

    Every arc comes after its predecessors.
    """
    missing: dict[Node, int] = {}
    numbers: dict[Link, int] = {}
    arcs: list[Link] = []
    offsets, predecessors = array("i", [0]), array("i")
    ready = [first]
    for node in ready:
        arriving = [numbers[arc] for arc in node.arriving] or [0]
        for arc in node.leaving:
            arcs.append(arc)
            numbers[arc] = len(arcs)
            predecessors.extend(arriving)
            offsets.append(len(predecessors))
            missing[arc.end] = missing.get(arc.end, len(arc.end.arriving)) - 1
            if not missing[arc.end]:
                ready.append(arc.end)
    finals = array("i", [numbers[arc] for arc in last.arriving] or [0])
    return arcs, Graph(range(len(arcs)), offsets, predecessors, finals)


class Arc(Link):
    """A word between two nodes."""

    __slots__ = ("confidence", "finish", "position", "start", "word")

    def __init__(
        self,
        word: WordType,
        start: float = 0.0,
        finish: float = 0.0,
        confidence: float = 0.0,
        position: int | None = None,
    ) -> None:
        self.word = word
        self.start = start  # seconds; 0 where the side has no times
        self.finish = finish
        self.confidence = confidence  # 0 where the side has none
        # Where the word stands in the columns of its side, or None for one that was made here
        self.position = position


class WordGraph:
    """A graph of words from the node `first` to the node `last`.

    >>> from scoring.nist.segmentation.word_list import WordList
    >>> from scoring.alignment.numbered import word_type
    >>> def arc(position):
    ...     letter = "abcd"[position]
    ...     return Arc(word_type(letter, optional_deletable=False, fragments_correct=False))
    >>> graph = WordGraph([0, ((1,), (2, 3))], arc)  # a { b / c d }
    >>> graph.infer(WordList(["ab", "cd"]))
    >>> arcs, shape = graph.numbered()
    >>> [arc.word.text for arc in arcs], shape.finals.tolist()
    (['a', 'ab', 'b', 'c', 'cd', 'd'], [3, 6, 2, 5])
    """

    def __init__(self, items: Sequence[NumberedItem], make: Callable[[int], Arc]) -> None:
        self.first = Node()
        self.last = Node()
        self.changed = False  # whether a word was split or inferred
        _lay(items, self.first, self.last, make)

    def split(self, pieces_of: Callable[[Arc], WordPieces | None]) -> None:
        """Replace words by their pieces; the pieces divide the word's time evenly.

        Nodes are visited depth first, the node found last before the others. As in sclite, a word
        is visited again if its pieces follow unvisited words of the same node. If a node has two
        optional words, sclite never stops splitting them; here both are split once.
        """
        for node in _depth_first(self.first):
            optional = sum(arc.word.optional for arc in node.leaving)
            if optional > 1:
                for arc in list(node.leaving):
                    self._replace(arc, pieces_of(arc))
                continue
            at = 0
            is_last = not node.leaving
            while not is_last:
                is_last = at == len(node.leaving) - 1
                arc = node.leaving[at]
                at += not self._replace(arc, pieces_of(arc))

    def _replace(self, arc: Arc, pieces: WordPieces | None) -> bool:
        if pieces is None:
            return False
        words = pieces.words
        part = WordGraph(pieces.items, lambda index: Arc(words[index], confidence=arc.confidence))
        arcs = [arc for node in _depth_first(part.first) for arc in node.leaving]
        duration = (arc.finish - arc.start) / len(arcs)
        start = arc.start
        for inner in arcs:
            inner.start, inner.finish = start, duration + start
            start += duration
        for inner in part.first.leaving:
            inner.begin = arc.begin
        for inner in part.last.arriving:
            inner.end = arc.end
        arc.begin.leaving += part.first.leaving
        arc.end.arriving += part.last.arriving
        arc.disconnect()
        self.changed = True
        return True

    def infer(self, words: WordList) -> None:
        """Add an arc for each lexicon word that several adjacent words spell.

        If several sequences of words spell the same lexicon word, each gets an arc. A sequence has
        at most as many words as the longest lexicon word has characters.
        """
        for arc in list(self.breadth_first()):
            self._infer_from(arc, words)

    def _infer_from(self, first: Arc, words: WordList) -> None:
        spelt = first.word, first.confidence
        stack = [(iter(first.end.leaving), spelt)]
        while stack:
            arcs, spelt = stack[-1]
            arc = next(arcs, None)
            if arc is None or len(stack) >= words.longest:
                stack.pop()
                continue
            word = joined(spelt[0], arc.word)
            confidence = (spelt[1] + arc.confidence) / 2.0
            if word.value in words:
                Arc(word, first.start, arc.finish, confidence).connect(first.begin, arc.end)
                self.changed = True
            if word.null or words.begins(word.value):
                stack.append((iter(arc.end.leaving), (word, confidence)))

    def breadth_first(self) -> Iterator[Arc]:
        """Iterate over the arcs breadth first, starting at the first node."""
        seen = {self.first}
        nodes = [self.first]
        for node in nodes:
            for arc in node.leaving:
                if arc.end not in seen:
                    seen.add(arc.end)
                    nodes.append(arc.end)
            yield from node.leaving

    def numbered(self) -> tuple[list[Arc], Graph]:
        """Return the arcs, sorted, and a graph that names them by their positions.

        Every arc comes after its predecessors.
        """
        return numbered(self.first, self.last)


def joined(first: WordType, second: WordType) -> WordType:
    """Join two adjacent words.

    The result is optional (or a fragment) if both words are.
    """
    optional = first.optional and second.optional
    if first.null:
        value = second.value
    elif second.null:
        value = first.value
    else:
        value = first.value + second.value
    text = f"({value})" if optional else value
    fragment = first.fragment and second.fragment
    return WordType(text, (None, None), value, text == "@", optional, fragment)


def _lay(items: Sequence[NumberedItem], begin: Node, end: Node, make: Callable[[int], Arc]) -> None:
    for number, item in enumerate(items, 1):
        target = end if number == len(items) else Node()
        if isinstance(item, int):
            make(item).connect(begin, target)
        else:
            for branch in item:
                _lay(branch, begin, target, make)
        begin = target


def _depth_first(first: Node) -> Iterator[Node]:
    """Yield the nodes depth first; the node that was found last comes first.

    Arcs of yielded nodes may change.
    """
    seen = {first}
    stack = [first]
    while stack:
        node = stack.pop()
        for arc in node.leaving:
            if arc.end not in seen:
                seen.add(arc.end)
                stack.append(arc.end)
        yield node


class ArcColumns:
    """Converts the words of a side to arcs, and arcs to words."""

    def __init__(self, side: NumberedSide, lexicon: Lexicon) -> None:
        self._side = side
        self._lexicon = lexicon
        self._types = lexicon.types()

    def arc(self, position: int) -> Arc:
        """Return the arc of the word at a position."""
        side = self._side
        word = self._types[side.types[position]]
        if side.starts is None or side.finishes is None or side.confidences is None:
            return Arc(word, position=position)
        start, finish = side.starts[position], side.finishes[position]
        return Arc(word, start, finish, side.confidences[position], position)

    def replace(self, utterance: int, graph: WordGraph) -> None:
        """Replace the words of an utterance by those of a graph.

        The new words are appended to the columns.
        """
        side, number = self._side, self._lexicon.made
        arcs, shape = graph.numbered()
        types, begins, ends = side.growing()
        begin = len(types)
        types.extend(
            [number(arc.word) if arc.position is None else types[arc.position] for arc in arcs]
        )
        for column, values in (
            (side.starts, [arc.start for arc in arcs]),
            (side.finishes, [arc.finish for arc in arcs]),
            (side.confidences, [arc.confidence for arc in arcs]),
        ):
            if column is not None:
                column.extend(values)
        begins[utterance], ends[utterance] = begin, len(types)
        if shape.is_chain:
            side.graphs.pop(utterance, None)
        else:
            side.graphs[utterance] = shape._replace(types=range(begin, len(types)))
