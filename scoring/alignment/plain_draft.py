"""A word network under construction; part of `scoring.alignment.plain`."""

from __future__ import annotations

from array import array
from math import inf
from typing import NamedTuple

from scoring.alignment.network import Network
from scoring.alignment.plain_network import NULL_WORD


class Draft(NamedTuple):
    """A word network under construction; arcs are numbered from 1, arc 0 is the beginning.

    `before` has the predecessors of each arc, and as last entry the final arcs. Each predecessor is
    mapped to a bit set: the references in which the arc follows this predecessor. `parts` maps a
    joined arc to its component arcs.
    """

    types: list[int]
    places: list[int]
    marks: list[int]
    before: list[dict[int, int]]
    parts: dict[int, tuple[int, ...]]

    @classmethod
    def empty(cls) -> Draft:
        """Return a draft without arcs and without an end."""
        return cls([], [], [], [], {})

    def network(self, single: float, null: float, wildcard: float) -> Network:
        """Return the network, given the costs of an unpaired word, a null word and a wildcard."""
        offsets, predecessors = array("i", [0]), array("i")
        *steps, finals = self.before
        for arcs in steps:
            predecessors.extend(arcs)
            offsets.append(len(predecessors))
        # words that are joined face the word which they spell, or the arcs are not taken
        singles = array("d", map((single, null, wildcard, inf, inf).__getitem__, self.marks))
        columns = array("i", self.types), offsets, predecessors, array("i", finals)
        return Network(*columns, bytes(self.marks), singles)

    def shortest(self) -> int:
        """Return the number of words on the shortest path."""
        words = [0]
        for mark, arcs in zip([*self.marks, NULL_WORD], self.before, strict=True):
            words.append(min(words[arc] for arc in arcs) + (not mark))
        return words[-1]
