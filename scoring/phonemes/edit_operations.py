"""Edit operations in the order of preference of the RapidFuzz and Levenshtein packages.

Of several cheapest ways those packages walk back from the end: a deletion where the cell to the
left is cheaper, else an insertion where the cell above is cheaper than the diagonal one, else the
diagonal. The matrix is kept as bits of the differences between neighbouring columns (Hyyrö,
"A Bit-Vector Algorithm for Computing Levenshtein and Damerau Edit Distances", 2003); Python's
whole numbers take any length.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple

DELETE, INSERT, REPLACE = "delete", "insert", "replace"


class Operation(NamedTuple):
    """One edit: what, at which position of the source, at which of the destination."""

    tag: str
    source: int
    destination: int


def edit_operations(source: Sequence[Hashable], destination: Sequence[Hashable]) -> list[Operation]:
    """The fewest operations that turn one sequence into another, in order; unit costs.

    The same as `Levenshtein.editops` of versions from 0.13 (RapidFuzz), as long as those do not
    divide the problem, which they do beyond about two thousand tokens a side.

    Examples
    --------
    >>> for operation in edit_operations("ab", "ba"):
    ...     print(*operation)
    insert 0 0
    delete 1 2
    """
    shorter = min(len(source), len(destination))
    begin = 0
    while begin < shorter and source[begin] == destination[begin]:
        begin += 1
    end = 0
    while end < shorter - begin and source[-1 - end] == destination[-1 - end]:
        end += 1
    left = source[begin : len(source) - end]
    right = destination[begin : len(destination) - end]
    return _walk_back(left, right, _differences(left, right), begin)


def _differences(
    source: Sequence[Hashable], destination: Sequence[Hashable]
) -> list[tuple[int, int]]:
    """For each row where the distance grows, and where it falls, from a column to the next."""
    full = (1 << len(source)) - 1
    places: dict[Hashable, int] = {}
    for position, token in enumerate(source):
        places[token] = places.get(token, 0) | 1 << position
    grows, falls = full, 0
    rows = []
    for token in destination:
        equal = places.get(token, 0)
        diagonal = (((equal & grows) + grows) ^ grows) | equal | falls
        down = (falls | ~(diagonal | grows)) << 1 | 1
        up = (diagonal & grows) << 1
        grows = (up | ~(diagonal | down)) & full
        falls = down & diagonal & full
        rows.append((grows, falls))
    return rows


def _walk_back(
    source: Sequence[Hashable],
    destination: Sequence[Hashable],
    rows: Sequence[tuple[int, int]],
    offset: int,
) -> list[Operation]:
    found = []
    column, row = len(source), len(destination)
    while column and row:
        bit = 1 << (column - 1)
        if rows[row - 1][0] & bit:
            column -= 1
            found.append(Operation(DELETE, column + offset, row + offset))
            continue
        row -= 1
        if row and rows[row - 1][1] & bit:
            found.append(Operation(INSERT, column + offset, row + offset))
            continue
        column -= 1
        if source[column] != destination[row]:
            found.append(Operation(REPLACE, column + offset, row + offset))
    while column:
        column -= 1
        found.append(Operation(DELETE, column + offset, row + offset))
    while row:
        row -= 1
        found.append(Operation(INSERT, column + offset, row + offset))
    found.reverse()
    return found
