"""The words of a side as arcs of graphs, and back."""

from __future__ import annotations

from scoring.alignment.numbered import Side
from scoring.nist.segmentation.word_graph import Arc, WordGraph
from scoring.nist.transcripts.lexicon import Lexicon


class ArcColumns:
    """The words of a side as arcs, and back."""

    def __init__(self, side: Side, lexicon: Lexicon) -> None:
        self._side = side
        self._lexicon = lexicon
        self._types = lexicon.types()

    def arc(self, position: int) -> Arc:
        """The word at a position."""
        side = self._side
        word = self._types[side.types[position]]
        if side.starts is None or side.finishes is None or side.confidences is None:
            return Arc(word, position=position)
        start, finish = side.starts[position], side.finishes[position]
        return Arc(word, start, finish, side.confidences[position], position)

    def replace(self, utterance: int, graph: WordGraph) -> None:
        """Let an utterance consist of the words of a graph, at the end of the columns."""
        side, number = self._side, self._lexicon.made
        arcs, shape = graph.numbered()
        begin = len(side.types)
        side.types.extend(
            [number(arc.word) if arc.position is None else side.types[arc.position] for arc in arcs]
        )
        for column, values in (
            (side.starts, [arc.start for arc in arcs]),
            (side.finishes, [arc.finish for arc in arcs]),
            (side.confidences, [arc.confidence for arc in arcs]),
        ):
            if column is not None:
                column.extend(values)
        side.begins[utterance], side.ends[utterance] = begin, len(side.types)
        if shape.is_chain:
            side.graphs.pop(utterance, None)
        else:
            side.graphs[utterance] = shape._replace(positions=range(begin, len(side.types)))
