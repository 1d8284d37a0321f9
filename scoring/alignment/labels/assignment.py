"""The matching of a bipartite graph that saves most, each connected part solved apart."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

# Up to this many cells a table is solved as a whole; beyond, only its candidates are looked at.
_LARGEST_TABLE = 10_000


class Edge(NamedTuple):
    """A candidate: positions on both sides, and what pairing them saves, more than 0."""

    left: int
    right: int
    saving: float


def best_matching(edges: Sequence[Edge]) -> dict[int, int]:
    """From positions on the left to their partners on the right, the savings at their largest.

    >>> best_matching([Edge(0, 0, 3.0), Edge(0, 1, 2.0), Edge(1, 0, 2.5)])
    {0: 1, 1: 0}
    """
    partners: dict[int, int] = {}
    for part in _connected(edges):
        partners.update(_solved(part))
    return partners


def _connected(edges: Sequence[Edge]) -> Iterable[list[Edge]]:
    """The edges by connected part of the graph, in order of first appearance."""
    # left positions are their own names, right ones the negative numbers
    parents: dict[int, int] = {}

    def root(node: int) -> int:
        parent = parents.setdefault(node, node)
        while parent != node:
            # halving the way as it is gone keeps all ways short
            parents[node] = parents[parent]
            node = parents[node]
            parent = parents[node]
        return node

    for left, right, _ in edges:
        one, other = root(left), root(~right)
        if one != other:
            parents[other] = one
    parts: dict[int, list[Edge]] = {}
    for edge in edges:
        parts.setdefault(root(edge.left), []).append(edge)
    return parts.values()


def _solved(edges: list[Edge]) -> dict[int, int]:
    """The best matching of a connected part."""
    lefts = sorted({edge.left for edge in edges})
    rights = sorted({edge.right for edge in edges})
    if len(lefts) == 1 or len(rights) == 1:
        # a star: one edge only; the first of the best
        best = max(edges, key=lambda edge: edge.saving)
        return {best.left: best.right}
    if len(lefts) * len(rights) <= _LARGEST_TABLE:
        return _by_table(edges, lefts, rights)
    return _by_graph(edges, lefts, rights)


def _by_table(edges: list[Edge], lefts: list[int], rights: list[int]) -> dict[int, int]:
    """All cells of a table, those that are no candidates worth nothing."""
    import numpy as np
    from scipy.optimize import linear_sum_assignment

    rows = {left: row for row, left in enumerate(lefts)}
    columns = {right: column for column, right in enumerate(rights)}
    savings = np.zeros((len(lefts), len(rights)))
    for left, right, saving in edges:
        savings[rows[left], columns[right]] = saving
    chosen = zip(*linear_sum_assignment(savings, maximize=True), strict=True)
    return {lefts[row]: rights[column] for row, column in chosen if savings[row, column] > 0}


def _by_graph(edges: list[Edge], lefts: list[int], rights: list[int]) -> dict[int, int]:
    """Only the candidates, for parts too large for a table.

    The solver wants everybody matched. So every left node gets a partner of its own on the right
    and the other way round, at what pairing none saves; where two are paired, the partners they do
    not need are paired with each other along a copy of the same edge.
    """
    import numpy as np
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    count_left, count_right = len(lefts), len(rights)
    size = count_left + count_right
    row = np.searchsorted(lefts, [edge.left for edge in edges])
    column = np.searchsorted(rights, [edge.right for edge in edges])
    saving = np.array([edge.saving for edge in edges])
    own_left, own_right = np.arange(count_left), np.arange(count_right)
    # the solver takes a weight of 0 for no edge; as all are matched, a constant changes nothing
    nothing = saving.max() + 1.0
    weights = np.concatenate(
        [nothing - saving, np.full(len(edges) + count_left + count_right, nothing)]
    )
    rows = np.concatenate([row, count_left + column, own_left, count_left + own_right])
    columns = np.concatenate([column, count_right + row, count_right + own_left, own_right])
    graph = csr_array((weights, (rows, columns)), shape=(size, size))
    chosen = min_weight_full_bipartite_matching(graph)
    return {
        lefts[left]: rights[right]
        for left, right in zip(*chosen, strict=True)
        if left < count_left and right < count_right
    }
