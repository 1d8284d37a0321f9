"""One-to-one matching with the largest total saving (an assignment problem).

Only candidate pairs are examined, because most pairs save nothing. A row is a position on the left,
a column a position on the right.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush
from typing import NamedTuple


class Edge(NamedTuple):
    """A candidate pair: its positions on both sides, and the saving (above 0) of pairing them."""

    left: int
    right: int
    saving: float


def best_matching(edges: Sequence[Edge]) -> dict[int, int]:
    """Return the one-to-one matching with the largest total saving, as `{left: right}`.

    Uses shortest augmenting paths (Jonker and Volgenant) over the candidates only. Among columns at
    equal cost, a free column is preferred, then the first column.

    >>> best_matching([Edge(0, 0, 3.0), Edge(0, 1, 2.0), Edge(1, 0, 2.5)])
    {0: 1, 1: 0}
    """
    savings: dict[int, dict[int, float]] = {}
    for left, right, saving in edges:
        savings.setdefault(left, {})[right] = saving
    solver = _Solver(savings)
    for left in sorted(savings):
        solver.add(left)
    return {left: right for left, right in sorted(solver.partners.items()) if right >= 0}


class _Solver:
    """A matching that is optimal for all rows added so far.

    A negative column number means that the row has no partner.
    """

    def __init__(self, savings: dict[int, dict[int, float]]) -> None:
        self.savings = savings
        self.partners: dict[int, int] = {}
        self.rows: dict[int, int] = {}
        self.row_prices: dict[int, float] = {}
        self.column_prices: dict[int, float] = {}

    def add(self, start: int) -> None:
        """Assign a column to row `start` along the cheapest augmenting path."""
        # paths from the row to columns: the length, whether the column is taken, and the column
        waiting: list[tuple[float, bool, int]] = []
        lengths: dict[int, float] = {}
        previous: dict[int, int] = {}
        visited: dict[int, float] = {}
        row, length, self.row_prices[start] = start, 0.0, 0.0
        while True:
            row_price = self.row_prices[row]
            for column, saving in (*self.savings[row].items(), (~row, 0.0)):
                path = length - saving - row_price - self.column_prices.get(column, 0.0)
                if column not in visited and path < lengths.get(column, float("inf")):
                    lengths[column], previous[column] = path, row
                    heappush(waiting, (path, column in self.rows, column))
            while waiting[0][2] in visited:
                heappop(waiting)
            length, is_taken, column = heappop(waiting)
            visited[column] = length
            if not is_taken:
                break
            row = self.rows[column]
        self._reprice(start, length, visited)
        while True:
            row = previous[column]
            self.rows[column] = row
            before = self.partners.get(row)
            self.partners[row] = column
            if before is None:
                return
            column = before

    def _reprice(self, start: int, length: float, visited: dict[int, float]) -> None:
        """Change the prices so that the augmenting path costs 0, and no pair costs less than 0."""
        self.row_prices[start] += length
        for column, reached in visited.items():
            self.column_prices[column] = self.column_prices.get(column, 0.0) + reached - length
            if column in self.rows:
                self.row_prices[self.rows[column]] += length - reached
