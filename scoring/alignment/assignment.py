"""The bipartite matching with the largest saving; each connected part is solved apart."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Up to this many cells a table is solved as a whole, or up to so many for each candidate; beyond,
# only the candidates are looked at.
LARGEST_TABLE = 10_000
CELLS_PER_EDGE = 8


class Edge(NamedTuple):
    """A candidate: positions on both sides, and the saving of pairing them, above 0."""

    left: int
    right: int
    saving: float


class EdgeColumns(NamedTuple):
    """Many candidates: the parts of `Edge` as arrays."""

    left: NDArray[np.int64]
    right: NDArray[np.int64]
    saving: NDArray[np.float64]


def best_matching(edges: Sequence[Edge]) -> dict[int, int]:
    """From positions on the left to their partners on the right, the savings at their largest.

    >>> best_matching([Edge(0, 0, 3.0), Edge(0, 1, 2.0), Edge(1, 0, 2.5)])
    {0: 1, 1: 0}
    """
    partners: dict[int, int] = {}
    for part in _connected(edges):
        lefts, rights, savings = zip(*part, strict=True)
        if len(set(lefts)) == 1 or len(set(rights)) == 1:
            # a star: one edge only; the first of the best
            best = max(part, key=lambda edge: edge.saving)
            partners[best.left] = best.right
            continue
        import numpy as np

        partners.update(solved(EdgeColumns(np.array(lefts), np.array(rights), np.array(savings))))
    return partners


def _connected(edges: Sequence[Edge]) -> Iterable[list[Edge]]:
    """The edges by connected part of the graph, in order of first appearance."""
    # left positions are their own names, right ones the negative numbers
    parents: dict[int, int] = {}

    def root(node: int) -> int:
        parent = parents.setdefault(node, node)
        while parent != node:
            # halving the path keeps all paths short
            parents[node] = parents[parent]
            node = parents[node]
            parent = parents[node]
        return node

    for left, right, _ in edges:
        parents[root(~right)] = root(left)
    parts: dict[int, list[Edge]] = {}
    for edge in edges:
        parts.setdefault(root(edge.left), []).append(edge)
    return parts.values()


def solved(columns: EdgeColumns) -> dict[int, int]:
    """The best matching of one part."""
    import numpy as np

    lefts, rows = np.unique(columns.left, return_inverse=True)
    rights, places = np.unique(columns.right, return_inverse=True)
    cells = len(lefts) * len(rights)
    solve = _by_graph
    if cells <= max(LARGEST_TABLE, CELLS_PER_EDGE * len(columns.left)):
        solve = _by_table
    left, right = solve(EdgeColumns(rows, places, columns.saving), len(lefts), len(rights))
    return dict(zip(lefts[left].tolist(), rights[right].tolist(), strict=True))


def _by_table(columns: EdgeColumns, lefts: int, rights: int) -> tuple[NDArray[np.int64], ...]:
    """All cells of a table; those that are no candidates save 0."""
    import numpy as np
    from scipy.optimize import linear_sum_assignment

    savings = np.zeros((lefts, rights))
    savings[columns.left, columns.right] = columns.saving
    left, right = linear_sum_assignment(savings, maximize=True)
    is_paired = savings[left, right] > 0
    return left[is_paired], right[is_paired]


def _by_graph(columns: EdgeColumns, lefts: int, rights: int) -> tuple[NDArray[np.int64], ...]:
    """Only the candidates, for parts too large for a table.

    The solver matches every node. So each node gets a spare partner on the other side, at the price
    of no pair; where two nodes are paired, their spares are paired along a copy of the edge.
    """
    import numpy as np
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    size = lefts + rights
    row, column, saving = columns
    spare_right, spare_left = np.arange(lefts), np.arange(rights)
    # the solver takes a weight of 0 for no edge; as all are matched, a constant changes nothing
    price = saving.max() + 1.0
    weights = np.concatenate([price - saving, np.full(len(row) + size, price)])
    graph_rows = np.concatenate([row, lefts + column, spare_right, lefts + spare_left])
    graph_columns = np.concatenate([column, rights + row, rights + spare_right, spare_left])
    graph = csr_array((weights, (graph_rows, graph_columns)), shape=(size, size))
    left, right = min_weight_full_bipartite_matching(graph)
    is_paired = (left < lefts) & (right < rights)
    return left[is_paired], right[is_paired]
