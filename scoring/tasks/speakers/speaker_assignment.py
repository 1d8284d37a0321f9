"""The mapping of speakers that md-eval chooses among equally good mappings.

md-eval uses the primal-dual method of Knuth's Stanford GraphBase, in doubles. Search order and
rounding decide which of several best mappings is found. This module therefore has the same search
with the same arithmetic.
"""

from __future__ import annotations

from collections.abc import Mapping

MARGIN = 1e-12
"""How much worse no partner is than a partner without common time, relative to the longest time."""
ENDLESS = 1e30
FREE = -1


def mapping_of_md_eval(overlaps: Mapping[tuple[int, int], float]) -> dict[int, int]:
    """Return the partner of each reference speaker; speakers are indexes of sorted names.

    >>> mapping_of_md_eval({(0, 0): 5.0, (0, 1): 4.0, (1, 0): 4.0, (2, 1): 1.0})
    {0: 1, 1: 0}
    """
    if not overlaps:
        return {}
    lefts, rights = (sorted({pair[side] for pair in overlaps}) for side in (0, 1))
    is_turned = len(lefts) < len(rights)
    rows, columns = (rights, lefts) if is_turned else (lefts, rights)
    longest = max(overlaps.values())
    alone = longest * (1 + MARGIN)
    # one more of each, without partner, and of the fewer side as many as make a square
    size = len(rows) + 1
    costs = [[alone] * size for _ in range(size)]
    for row, first in enumerate(rows):
        for column, second in enumerate(columns):
            time = overlaps.get((second, first) if is_turned else (first, second))
            if time is not None:
                costs[row][column] = longest - time
    mates = _Assignment(costs, alone, len(columns) + 1).columns_of_rows()
    chosen = {}
    for row, column in enumerate(mates[: len(rows)]):
        if column < len(columns):
            pair = (rows[row], columns[column])
            left, right = pair[::-1] if is_turned else pair
            if (left, right) in overlaps:
                chosen[left] = right
    return dict(sorted(chosen.items()))


class _Assignment:
    """The cheapest assignment of rows to columns of a square matrix."""

    def __init__(self, costs: list[list[float]], alone: float, column_count: int) -> None:
        size = len(costs)
        least = [min(alone, *(row[column] for row in costs)) for column in range(size)]
        self.costs = [[cost - low for cost, low in zip(row, least, strict=True)] for row in costs]
        self.row_of, self.column_of = [FREE] * size, [FREE] * size
        self.lowered, self.raised = [0.0] * size, [0.0] * size  # by row, by column
        for row, row_costs in enumerate(self.costs):
            self.lowered[row] = min(alone, *row_costs[:column_count])
            for column, cost in enumerate(row_costs):
                if cost == self.lowered[row] and self.row_of[column] == FREE:
                    self.row_of[column], self.column_of[row] = row, column
                    break

    def columns_of_rows(self) -> list[int]:
        """Add pairs until every row has a column; return the column of each row."""
        while FREE in self.column_of:
            self._begin_stage()
            row, column = self._next_pair()
            while True:
                before = self.column_of[row]
                self.column_of[row], self.row_of[column] = column, row
                if before == FREE:
                    break
                row, column = self.parents[before], before
        return self.column_of

    def _begin_stage(self) -> None:
        size = len(self.costs)
        self.parents, self.slack_rows = [FREE] * size, [FREE] * size
        self.slack = [ENDLESS] * size
        self.forest = [row for row in range(size) if self.column_of[row] == FREE]

    def _next_pair(self) -> tuple[int, int]:
        """Return a row, and a free column that the row can get after other pairs are exchanged."""
        explored = 0
        while True:
            while explored < len(self.forest):
                pair = self._explore(self.forest[explored])
                if pair is not None:
                    return pair
                explored += 1
            pair = self._make_zero()
            if pair is not None:
                return pair

    def _explore(self, row: int) -> tuple[int, int] | None:
        """Examine all columns from a row.

        Return the row and a free column at no extra cost, or None.
        """
        lowered, slack = self.lowered[row], self.slack
        for column, cost in enumerate(self.costs[row]):
            if slack[column] > 0:
                distance = cost - lowered + self.raised[column]
                if distance == 0:
                    if self.row_of[column] == FREE:
                        return row, column
                    self._reach(row, column)
                elif distance < slack[column]:
                    slack[column], self.slack_rows[column] = distance, row
        return None

    def _make_zero(self) -> tuple[int, int] | None:
        """Change the costs until one more column can be reached at no extra cost.

        Return the column with its row if the column is free, otherwise None.
        """
        slack = self.slack
        step = min(distance for distance in slack if distance)
        for row in self.forest:
            self.lowered[row] += step
        for column, distance in enumerate(slack):
            if not distance:
                self.raised[column] += step
                continue
            slack[column] -= step
            if slack[column] == 0:
                row = self.slack_rows[column]
                if self.row_of[column] == FREE:
                    for later in range(column + 1, len(slack)):
                        if slack[later] == 0:
                            self.raised[later] += step
                    return row, column
                self._reach(row, column)
        return None

    def _reach(self, row: int, column: int) -> None:
        """Record that `row` can get `column`.

        The row that now has the column must then get another one.
        """
        self.slack[column] = 0
        self.parents[column] = row
        self.forest.append(self.row_of[column])
