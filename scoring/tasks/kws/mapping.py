"""The best one-to-one mapping of detections to references.

A pair may be mapped if the middle of the detection is inside the reference extended by the
tolerance on both sides, limits included. The value of a pair is

    1 + 1e-8 · overlap + 1e-6 · score

where the overlap is relative to the reference's duration (negative without overlap), and the score
is scaled to 0..1. The mapping with the greatest value is chosen: as many pairs as possible, then
high scores, then large overlaps. Of mappings with equal values, the first in order is chosen; the
original's choice is arbitrary. No count depends on this choice.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from scoring.alignment.assignment import Edge, best_matching

OVERLAP_WEIGHT = 1e-8
SCORE_WEIGHT = 1e-6
LEAST = 0.00001


class ReferenceSpan(NamedTuple):
    """The time span of a reference, in ticks."""

    begin: float
    end: float


class DetectionCandidates(NamedTuple):
    """Detections of one keyword in one channel of a file, ordered by their middles, in ticks.

    `lowest` and `highest` bound the scores; `ticks` is the number of ticks per second.
    """

    begins: Sequence[float]
    ends: Sequence[float]
    middles: Sequence[float]
    scores: Sequence[float]
    lowest: float
    highest: float
    ticks: float


def pair_value(reference: ReferenceSpan, candidates: DetectionCandidates, index: int) -> float:
    """Return the value of an allowed pair minus 1: its small terms for overlap and score."""
    least = LEAST * candidates.ticks
    overlap = min(reference.end, candidates.ends[index]) - max(
        reference.begin, candidates.begins[index]
    )
    score = (candidates.scores[index] - candidates.lowest) / max(
        candidates.highest - candidates.lowest, LEAST
    )
    duration = max(reference.end - reference.begin, least)
    return OVERLAP_WEIGHT * (overlap / duration) + SCORE_WEIGHT * score


def best_mapping(
    references: Sequence[ReferenceSpan], candidates: DetectionCandidates, tolerance: float
) -> list[tuple[int, int]]:
    """Return pairs of indices (reference, candidate); the tolerance is in ticks."""
    worth: list[tuple[int, int, float]] = []
    for number, reference in enumerate(references):
        low = bisect_left(candidates.middles, reference.begin - tolerance)
        high = bisect_right(candidates.middles, reference.end + tolerance)
        indices = range(low, high)
        worth += [(number, index, pair_value(reference, candidates, index)) for index in indices]
    # one pair more is to outweigh whatever the others gain by it
    most = max((abs(value) for *_, value in worth), default=0.0)
    base = max(1.0, 4.0 * len(references) * most)
    edges = [Edge(number, index, base + value) for number, index, value in worth]
    return list(best_matching(edges).items())
