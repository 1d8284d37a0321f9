"""Word graphs in plain Python and their alignment; part of `scoring.alignment.plain`."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from itertools import pairwise
from math import inf, isfinite
from typing import NamedTuple

from scoring.alignment.arguments import NumberKind, buffer, require, whole
from scoring.alignment.limits import look
from scoring.alignment.network import Network

# An arc of the reference and one of the hypothesis, 0 standing for the beginning.
ArcPair = tuple[int, int]

LEAST_COST = -1e18  # durations below 0 are sclite's, and sums of them stay in single precision
# Cells of a table that are filled between two checks of the time limit.
A_WHILE = 10_000
UNAFFORDABLE = array("f", [999999.9])[0]
# The mode of the fewest errors, and the marks of arcs that are no words.
ERRORS = 3
NULL_WORD, WILDCARD = 1, 2
# Arcs across neighbours, whose type is that of the word which they spell together; those of the
# second kind match each other, too.
JOINED, JOINED_ALIKE = 3, 4

_NETWORK: dict[str, NumberKind] = {
    "types": "int32",
    "predecessor_offsets": "int32",
    "predecessors": "int32",
    "finals": "int32",
    "nulls": "bytes",
    "singles": "float64",
    "weights": "float64",
    "starts": "float64",
    "ends": "float64",
}


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


def align_network(
    reference: Network,
    hypothesis: Network,
    mode: int,
    matches: bytes | None = None,
    most_bytes: int = 1 << 26,
    substitution: float = 1.0,
    free: float = 1.0,
) -> tuple[bytes, float]:
    """Align two word graphs, cell by cell in sclite's order.

    `mode` selects the cost of a pair of arcs:

    - 0: nothing if they match, 1 if both are the null word, otherwise 4.
    - 1: nothing if they match, otherwise the sum of their weights.
    - 2: the distance of their starts plus the distance of their ends in seconds, plus 0.001 unless
      they match.
    - 3: nothing if they match, otherwise `substitution`. Null words and wildcards (`nulls` is 2)
      are never paired, and words after a wildcard of the reference cost `free` less. A joined word
      (`nulls` is 3 or 4) is only paired with a word that it matches, and never if `nulls` is 3 for
      both.

    `matches` has one byte for each pair of a reference arc and a hypothesis arc, nonzero if they
    match. If it is None, arcs with equal `types` match. Costs are in double precision in mode 3,
    otherwise in single precision. If the hypothesis is a chain, the compiled core keeps a table
    larger than `most_bytes` in blocks, with the same result.

    Returns the pairs of aligned arcs in order, and the cost of the path. A pair is two int32: the
    reference arc and the hypothesis arc, 0 if there is none. In modes 0 to 2, there are no pairs if
    every path costs 999999.9 or more.
    """
    pricing = whole(mode, "mode", 0, ERRORS)
    for name, cost in (("substitution", substitution), ("free", free)):
        require(0 <= cost <= -LEAST_COST, f"{name}: expected a cost")
    _check_network(reference, "reference", pricing)
    _check_network(hypothesis, "hypothesis", pricing)
    if matches is not None:
        require(
            len(buffer(matches, "bytes", "matches"))
            == len(reference.types) * len(hypothesis.types),
            "matches: expected a byte for each pair of arcs",
        )
    prices = _prices(reference, hypothesis, pricing, matches, substitution)
    return cheapest_path(reference, hypothesis, prices, free if pricing == ERRORS else None)


def _check_network(network: Network, side: str, mode: int) -> None:
    views = {
        name: buffer(getattr(network, name), kind, f"{side}.{name}")
        for name, kind in _NETWORK.items()
    }
    arcs = len(views["types"])

    def expect(fulfilled: bool, rule: str) -> None:
        require(fulfilled, f"{side}: expected {rule}")

    expect(len(views["nulls"]) == arcs, "one null mark per arc")
    expect(len(views["singles"]) == arcs, "one single cost per arc")
    expect(mode != 1 or len(views["weights"]) == arcs, "one weight per arc")
    timed = len(views["starts"]) == len(views["ends"]) == arcs
    expect(mode != 2 or timed, "one start and one end per arc")
    expect(all(0 <= arc <= arcs for arc in views["finals"]), "final arcs of the network")
    _check_numbers(expect, views, mode, "starts", "ends")
    offsets, predecessors = views["predecessor_offsets"], views["predecessors"]
    if not len(offsets) or not arcs:
        return
    expect(
        len(offsets) == arcs + 1 and offsets[0] == 0 and offsets[arcs] == len(predecessors),
        "predecessor offsets from 0 to the length of the list, one more than arcs",
    )
    for arc, (begin, end) in enumerate(pairwise(offsets), start=1):
        expect(begin < end <= len(predecessors), "at least one predecessor per arc")
        expect(
            all(0 <= predecessor < arc for predecessor in predecessors[begin:end]),
            "predecessors with lower numbers than their arc",
        )


def _check_numbers(
    expect: Callable[[bool, str], None], views: dict[str, memoryview], mode: int, *times: str
) -> None:
    """Reject costs whose sums could be NaN; a word may have an infinite cost."""
    for name in ("singles", "weights")[: 2 if mode == 1 else 1]:
        expect(all(cost >= LEAST_COST for cost in views[name]), "costs of at least -1e18")
    if mode == 2:
        fine = all(isfinite(time) for name in times for time in views[name])
        expect(fine, "times that are finite numbers")


def cheapest_path(
    reference: Network,
    hypothesis: Network,
    prices: Callable[[int], array[float]],
    free: float | None = None,
) -> tuple[bytes, float]:
    """Return the cheapest path through two networks, row by row of the reference.

    `prices` returns the costs of pairing a reference arc, numbered from 0, with each hypothesis
    arc. `free` is as in mode 3 of `align_network`; None in other modes. The results are those of
    `align_network`.
    """
    code = "f" if free is None else "d"
    above, before = _predecessors(reference), _predecessors(hypothesis)
    is_chain = all(arcs == [b - 1] for b, arcs in enumerate(before) if b)
    insertions = array(code, [0.0, *hypothesis.singles])
    deletions = array(code, [0.0, *reference.singles])
    single = array(code, [0.0])
    rows: list[array[float]] = []
    origins: list[list[ArcPair]] = []
    rows_of_a_while = A_WHILE // len(before) + 1
    for a, arcs in enumerate(above):
        if (a + 1) % rows_of_a_while == 0:
            look()
        # per column the cheapest cell above, which leaving the arc alone leads on from
        columns = list(zip(*(rows[p] for p in arcs), strict=True))
        best = list(map(min, columns)) or [inf] * len(before)
        by_p = [arcs[column.index(least)] for column, least in zip(columns, best, strict=False)]
        deletion = array(code, [least + deletions[a] for least in best])
        price = array(code, [inf, *prices(a - 1)]) if a else deletion
        costs = array(code, [deletion[0] if a else 0.0])
        reached = [(by_p[0], 0) if a else (0, 0)]
        discount = free or 0.0 if a and reference.nulls[a - 1] == WILDCARD else 0.0
        for b in range(1, len(before)):
            q = b - 1 if is_chain else min(before[b], key=costs.__getitem__)
            single[0] = costs[q] + (insertions[b] - (0.0 if hypothesis.nulls[b - 1] else discount))
            cost, origin = single[0], (a, q)
            if a:
                cell = by_p[b - 1], b - 1
                if not is_chain:
                    cells = [(p, q) for p in arcs for q in before[b]]
                    cell = min(cells, key=lambda pair: rows[pair[0]][pair[1]])
                # the first of equals: diagonal, insertion, deletion
                single[0] = rows[cell[0]][cell[1]] + price[b]
                if single[0] <= cost and single[0] <= deletion[b]:
                    cost, origin = single[0], cell
                elif deletion[b] < cost:
                    cost, origin = deletion[b], (by_p[b], b)
            costs.append(cost)
            reached.append(origin)
        rows.append(costs)
        origins.append(reached)
    limit = UNAFFORDABLE if free is None else inf
    return _walked_back(reference, hypothesis, rows, origins, limit)


def _predecessors(network: Network) -> list[list[int]]:
    """Return, for each arc, the arcs that end where it begins, in order; arc 0 is included."""
    arcs = len(network.types)
    if not len(network.predecessor_offsets):
        return [[], *([arc] for arc in range(arcs))]
    bounds = pairwise(network.predecessor_offsets)
    return [[], *(list(network.predecessors[begin:end]) for begin, end in bounds)]


def _prices(
    reference: Network,
    hypothesis: Network,
    mode: int,
    matches: bytes | None,
    substitution: float,
) -> Callable[[int], array[float]]:
    """Return a function from a reference arc to the costs of pairing it with hypothesis arcs."""
    width = len(hypothesis.types)

    def prices(a: int) -> array[float]:
        same: Sequence[int] = [reference.types[a] == facing for facing in hypothesis.types]
        if matches is not None:
            same = matches[a * width : (a + 1) * width]
        if mode == 0:
            null = reference.nulls[a] == NULL_WORD
            pairs = zip(same, hypothesis.nulls, strict=True)
            return array(
                "f",
                [1.0 if null and mark == NULL_WORD else 4.0 * (not m) for m, mark in pairs],
            )
        if mode == ERRORS:
            mark = reference.nulls[a]
            pairs = zip(same, hypothesis.nulls, strict=True)
            return array("d", [_price(bool(m), mark, facing, substitution) for m, facing in pairs])
        if mode == 1:
            weight, weights = reference.weights[a], zip(same, hypothesis.weights, strict=True)
            return array("f", [0.0 if m else weight + facing for m, facing in weights])
        start, end = reference.starts[a], reference.ends[a]
        times = zip(same, hypothesis.starts, hypothesis.ends, strict=True)
        return array("f", [abs(start - s) + abs(end - e) + 0.001 * (not m) for m, s, e in times])

    return prices


def _price(is_match: bool, mark: int, facing: int, substitution: float) -> float:
    """Return the cost of pairing two arcs in mode 3 of `align_network`.

    `mark` and `facing` are the entries of `nulls` for the two arcs.
    """
    if mark | facing == 0:
        return 0.0 if is_match else substitution
    faces = {mark, facing}.isdisjoint((NULL_WORD, WILDCARD)) and not mark == facing == JOINED
    return 0.0 if is_match and faces else inf


def _walked_back(
    reference: Network,
    hypothesis: Network,
    costs: Sequence[array[float]],
    origins: Sequence[Sequence[ArcPair]],
    limit: float,
) -> tuple[bytes, float]:
    cost = limit
    cell: ArcPair | None = None
    for p in list(reference.finals) or [len(reference.types)]:
        for q in list(hypothesis.finals) or [len(hypothesis.types)]:
            if costs[p][q] < cost:
                cost, cell = costs[p][q], (p, q)
    steps = array("i")
    while cell is not None and cell != (0, 0):
        origin = origins[cell[0]][cell[1]]
        # written backwards, the whole is reversed at the end
        steps.append(cell[1] if origin[1] != cell[1] else 0)
        steps.append(cell[0] if origin[0] != cell[0] else 0)
        cell = origin
    steps.reverse()
    return steps.tobytes(), cost
