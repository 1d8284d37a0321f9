"""Chains of correspondence sets: the networks of chunks without alternatives."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from itertools import chain as joined

from scoring.alignment.network import Graph
from scoring.nist.rover.rover_words import NO_WORD

# The words, one of each file, that face each other; NO_WORD where a file has none.
WordSet = list[int]

CORRECT, SUBSTITUTION, DELETION, INSERTION = range(4)


class ChainShapes:
    """Shapes of networks of sets of equal size: one long shape a size, cut off at the end."""

    def __init__(self) -> None:
        self._shapes: dict[int, tuple[array[int], array[int]]] = {}

    def graph(self, types: array[int], size: int) -> Graph:
        """The shape of the network with these arcs, `size` of them in each set."""
        offsets, predecessors = self._shapes.setdefault(size, (array("i", [0]), array("i")))
        arcs = len(types)
        for first in range(len(offsets), arcs + 1, size):
            before = range(first - size, first) if first > 1 else range(1)
            for _ in range(size):
                predecessors.extend(before)
                offsets.append(len(predecessors))
        return Graph(
            types,
            memoryview(offsets)[: arcs + 1],
            memoryview(predecessors)[: offsets[arcs]],
            array("i", range(arcs - size + 1, arcs + 1) if arcs else [0]),
        )


def merged(
    sets: Sequence[WordSet], words: Sequence[int], path: Sequence[int], size: int
) -> list[WordSet]:
    """Chains with one more word a set; an unaligned word makes a new set, before null words."""
    chain: list[WordSet] = []
    nulls = [NO_WORD] * size
    for arc, word in zip(path[::2], path[1::2], strict=True):
        if arc:
            facing = sets[(arc - 1) // size]
            facing.append(words[word - 1] if word else NO_WORD)
            chain.append(facing)
        else:
            chain.append([words[word - 1], *nulls])
    return chain


def first_sets(first: int, second: int, edits: Iterable[int]) -> list[WordSet]:
    """Sets of two files from the edits between them."""
    chain: list[WordSet] = []
    append = chain.append
    for edit in edits:
        if edit < DELETION:
            append([first, second])
            first += 1
            second += 1
        elif edit == DELETION:
            append([first, NO_WORD])
            first += 1
        else:
            append([second, NO_WORD])
            second += 1
    return chain


def members(sets: Iterable[WordSet]) -> list[int]:
    """All words, set by set."""
    return list(joined.from_iterable(sets))
