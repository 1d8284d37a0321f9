"""The one-to-one mapping of hypothesis and reference speakers with the most time in common.

Times are integer nanoseconds, so that ties are exact. Other programs add doubles; rounding and
their search order decide between equally good mappings. All of them prefer mappings with more
pairs. Here, ties between such mappings are resolved by the order of names: the first reference
speaker gets the first partner that it has in any best mapping, then the second speaker, and so on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scoring.alignment.assignment import Edge, best_matching


def best_mapping(overlaps: Mapping[tuple[int, int], int]) -> dict[int, int]:
    """Return the partner of each reference speaker; speakers are indexes of sorted names.

    The mapping has the most time in common. Of equal mappings, one with the most pairs is chosen:
    md-eval counts a speaker without a partner as slightly worse than a speaker whose partner has
    no time in common.

    >>> best_mapping({(0, 0): 5, (0, 1): 4, (1, 0): 4, (2, 1): 1})
    {0: 1, 1: 0}
    >>> best_mapping({(1, 0): 3, (0, 0): 3, (0, 1): 3, (1, 1): 3})
    {0: 0, 1: 1}
    >>> best_mapping({(0, 0): 5, (0, 1): 3, (1, 0): 2})
    {0: 1, 1: 0}
    """
    size = 1 + min(len({pair[side] for pair in overlaps}) for side in (0, 1))
    return mapping_of_most({pair: size * time + 1 for pair, time in overlaps.items()})


def greedy_mapping(overlaps: Mapping[tuple[int, int], int]) -> dict[int, int]:
    """Return the partner of each reference speaker; pairs are mapped in descending order of time.

    This is the time in common. Equal pairs are in the order of the hypothesis's names, then of the
    reference's, as in pyannote.

    >>> greedy_mapping({(0, 0): 5, (0, 1): 4, (1, 0): 4, (2, 1): 1})
    {0: 0, 2: 1}
    """
    mapping: dict[int, int] = {}
    used: set[int] = set()
    order = sorted(overlaps.items(), key=lambda item: (-item[1], item[0][1], item[0][0]))
    for (left, right), time in order:
        if time > 0 and left not in mapping and right not in used:
            mapping[left] = right
            used.add(right)
    return mapping


def mapping_of_most(savings: Mapping[tuple[int, int], float]) -> dict[int, int]:
    """Return the mapping with the largest sum.

    Of equal mappings, the first in the order of names.
    """
    edges = [Edge(*pair, time) for pair, time in sorted(savings.items())]
    favourites: dict[int, list[int]] = {}
    most: dict[int, float] = {}
    for left, right, saving in edges:
        if saving > most.get(left, 0):
            most[left], favourites[left] = saving, [right]
        elif saving == most[left]:
            favourites[left].append(right)
    best = [right for [right, *_] in favourites.values()]
    if len({*best}) == sum(map(len, favourites.values())):
        # everybody has one best partner, and nobody shares it: nothing else can be as good
        return dict(zip(favourites, best, strict=True))
    chosen = best_matching(edges)
    mapping: dict[int, int] = {}
    for left in sorted({edge.left for edge in edges}):
        for edge in [edge for edge in edges if edge.left == left]:
            if edge.right == chosen.get(left):
                break
            others = [one for one in edges if one.left != left and one.right != edge.right]
            lost = _saved(edges, chosen) - edge.saving
            if _at_most(others) < lost:
                continue
            instead = best_matching(others)
            if _saved(others, instead) == lost:
                chosen = {left: edge.right, **instead}
                break
        if left in chosen:
            mapping[left] = chosen.pop(left)
            edges = [edge for edge in edges if edge.left != left and edge.right != mapping[left]]
        else:
            edges = [edge for edge in edges if edge.left != left]
    return mapping


def _saved(edges: Sequence[Edge], chosen: Mapping[int, int]) -> float:
    return sum(edge.saving for edge in edges if chosen.get(edge.left) == edge.right)


def _at_most(edges: Sequence[Edge]) -> float:
    """Return an upper bound on the savings of a matching.

    It is the smaller of two sums: of each row's best saving, and of each column's best saving.
    """
    rows: dict[int, float] = {}
    columns: dict[int, float] = {}
    for left, right, saving in edges:
        rows[left] = max(saving, rows.get(left, 0))
        columns[right] = max(saving, columns.get(right, 0))
    return min(sum(rows.values()), sum(columns.values()))
