"""Alignment of word graphs in plain Python; a part of `scoring.alignment.plain`."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scoring.alignment.network import Chains, Network

# An arc of the reference and one of the hypothesis, 0 standing for the beginning.
Cell = tuple[int, int]

UNAFFORDABLE = array("f", [999999.9])[0]


def align_network(
    reference: Network, hypothesis: Network, mode: int, matches: bytes | None = None
) -> tuple[bytes, float]:
    """Align two word graphs in single precision, cell by cell in sclite's order.

    Parameters
    ----------
    mode
        What two arcs cost that face each other. 0: nothing if they match, 1 if both are the
        null word, else 4. 1: nothing if they match, else the sum of their weights. 2: the
        distances in seconds of their starts and of their ends, plus 0.001 unless they match.
    matches
        A byte per pair of arcs, row by row of the reference, not zero if they match; None:
        equal types match.

    Returns
    -------
    int32 pairs, a reference arc and the hypothesis arc that faces it, 0 for none, in order;
    empty if every path costs 999999.9 or more. And the cost.
    """
    if mode not in (0, 1, 2):
        raise ValueError(f"mode: expected 0, 1 or 2, found {mode}")
    price = _price(reference, hypothesis, mode, matches)
    above, before = _predecessors(reference), _predecessors(hypothesis)
    costs: dict[Cell, float] = {(0, 0): 0.0}
    origins: dict[Cell, Cell] = {}
    for b in range(len(before)):
        for a in range(len(above)):
            if a == b == 0:
                continue
            steps = []
            if a and b:
                origin = _cheapest(costs, [(p, q) for p in above[a] for q in before[b]])
                steps.append((_single(costs[origin] + price(a - 1, b - 1)), origin))
            if b:
                origin = _cheapest(costs, [(a, q) for q in before[b]])
                steps.append((_single(costs[origin] + _single(hypothesis.singles[b - 1])), origin))
            if a:
                origin = _cheapest(costs, [(p, b) for p in above[a]])
                steps.append((_single(costs[origin] + _single(reference.singles[a - 1])), origin))
            # the first of equals: diagonal, insertion, deletion
            costs[a, b], origins[a, b] = min(steps, key=lambda step: step[0])
    return _walk_back(reference, hypothesis, costs, origins)


def align_chains(reference: Chains, hypothesis: Chains, mode: int) -> tuple[bytes, bytes]:
    """Align many pairs of plain sequences; utterance u of one belongs to u of the other.

    Parameters
    ----------
    mode
        As of `align_network`.

    Returns
    -------
    A byte per edit of all utterances (0 correct, 1 substitution, 2 deletion, 3 insertion; none
    where every path costs 999999.9 or more), and int64 offsets of them, one more than there are
    utterances.

    Raises
    ------
    ValueError
        If there are not as many utterances on one side as on the other, or columns do not fit.
    """
    if len(reference.begins) != len(hypothesis.begins):
        raise ValueError(
            f"expected as many hypotheses as references, found {len(hypothesis.begins)} and "
            f"{len(reference.begins)}"
        )
    edits = bytearray()
    offsets = array("q", [0])
    for utterance in range(len(reference.begins)):
        left, right = reference.network(utterance), hypothesis.network(utterance)
        steps = array("i", align_network(left, right, mode)[0])
        for a, b in zip(steps[::2], steps[1::2], strict=True):
            same = a and b and left.types[a - 1] == right.types[b - 1]
            edits.append(3 if not a else 2 if not b else 0 if same else 1)
        offsets.append(len(edits))
    return bytes(edits), offsets.tobytes()


def _single(number: float) -> float:
    """Rounded to single precision; a sum of two rounded numbers thus rounds as it should."""
    return array("f", [number])[0]


def _cheapest(costs: dict[Cell, float], cells: list[Cell]) -> Cell:
    """Of equally cheap cells the first."""
    return min(cells, key=costs.__getitem__)


def _predecessors(network: Network) -> list[list[int]]:
    """Per arc, the dummy arc 0 included, the arcs that end where it begins, in order."""
    arcs = len(network.types)
    if not len(network.predecessor_offsets):
        return [[], *([arc] for arc in range(arcs))]
    bounds = pairwise(network.predecessor_offsets)
    return [[], *(list(network.predecessors[begin:end]) for begin, end in bounds)]


def _price(
    reference: Network, hypothesis: Network, mode: int, matches: bytes | None
) -> Callable[[int, int], float]:
    """What facing arcs (numbered from 0 here) cost, rounded to single precision."""
    width = len(hypothesis.types)

    def match(a: int, b: int) -> bool:
        if matches is not None:
            return bool(matches[a * width + b])
        return reference.types[a] == hypothesis.types[b]

    def standard(a: int, b: int) -> float:
        if reference.nulls[a] and hypothesis.nulls[b]:
            return 1.0
        return 0.0 if match(a, b) else 4.0

    def weighted(a: int, b: int) -> float:
        return 0.0 if match(a, b) else _single(reference.weights[a] + hypothesis.weights[b])

    def timed(a: int, b: int) -> float:
        starts = abs(reference.starts[a] - hypothesis.starts[b])
        ends = abs(reference.ends[a] - hypothesis.ends[b])
        return _single(starts + ends + (0.0 if match(a, b) else 0.001))

    return (standard, weighted, timed)[mode]


def _walk_back(
    reference: Network,
    hypothesis: Network,
    costs: dict[Cell, float],
    origins: dict[Cell, Cell],
) -> tuple[bytes, float]:
    cost = UNAFFORDABLE
    cell = None
    for p in reference.finals or [len(reference.types)]:
        for q in hypothesis.finals or [len(hypothesis.types)]:
            if costs[p, q] < cost:
                cost, cell = costs[p, q], (p, q)
    steps = array("i")
    while cell in origins:
        origin = origins[cell]
        # written backwards, the whole is reversed at the end
        steps.append(cell[1] if origin[1] != cell[1] else 0)
        steps.append(cell[0] if origin[0] != cell[0] else 0)
        cell = origin
    steps.reverse()
    return steps.tobytes(), cost
