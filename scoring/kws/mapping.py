"""Which detection belongs to which reference: the best one-to-one mapping.

A pair may be mapped if the middle of the detection lies within the reference, widened by the
tolerance on both sides, limits included. It is worth

    1 + 1e-8 · overlap + 1e-6 · score

with the overlap relative to the reference's duration (negative without one) and the score scaled
to 0..1. The mapping of greatest worth is taken: as many pairs as possible, then high scores,
then much overlap. What is worth exactly the same is decided by order: the original leaves it to
chance, and no count depends on it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

OVERLAP_WEIGHT = 1e-8
SCORE_WEIGHT = 1e-6
LEAST = 0.00001


class ReferenceSpan(NamedTuple):
    """A reference: from begin to end, in ticks."""

    begin: float
    end: float


class DetectionCandidates(NamedTuple):
    """Detections of one keyword in one file and channel, in the order of their middles, in ticks.

    `lowest` and `highest` bound the scores; `ticks` make a second.
    """

    begins: Sequence[float]
    ends: Sequence[float]
    middles: Sequence[float]
    scores: Sequence[float]
    lowest: float
    highest: float
    ticks: float


def pair_value(reference: ReferenceSpan, candidates: DetectionCandidates, index: int) -> float:
    """What an allowed pair is worth beyond 1."""
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
    """Pairs of reference and candidate, by index; the tolerance is in ticks."""
    spans = []
    for number, reference in enumerate(references):
        low = bisect_left(candidates.middles, reference.begin - tolerance)
        high = bisect_right(candidates.middles, reference.end + tolerance)
        if low < high:
            spans.append((low, high, number))
    spans.sort()
    pairs: list[tuple[int, int]] = []
    for group in _components(spans):
        if len(group) == 1:
            low, high, number = group[0]
            reference = references[number]
            best, most = low, float("-inf")
            for index in range(low, high):
                value = pair_value(reference, candidates, index)
                if value > most:
                    best, most = index, value
            pairs.append((number, best))
        else:
            pairs.extend(_assigned(group, references, candidates))
    return pairs


def _components(
    spans: Sequence[tuple[int, int, int]],
) -> Iterator[list[tuple[int, int, int]]]:
    """References that compete, directly or through others, for the same candidates."""
    group: list[tuple[int, int, int]] = []
    furthest = 0
    for span in spans:
        if group and span[0] >= furthest:
            yield group
            group = []
        furthest = max(furthest, span[1]) if group else span[1]
        group.append(span)
    if group:
        yield group


def _assigned(
    group: Sequence[tuple[int, int, int]],
    references: Sequence[ReferenceSpan],
    candidates: DetectionCandidates,
) -> Iterator[tuple[int, int]]:
    from scoring.alignment.assignment import EdgeColumns, solved

    first, last = group[0][0], max(high for _, high, _ in group)
    part = slice(first, last)
    begins, ends = np.array(candidates.begins[part]), np.array(candidates.ends[part])
    scale = max(candidates.highest - candidates.lowest, LEAST)
    scores = SCORE_WEIGHT * (np.array(candidates.scores[part]) - candidates.lowest) / scale
    least = LEAST * candidates.ticks
    values = []
    for low, high, number in group:
        reference, columns = references[number], slice(low - first, high - first)
        overlap = np.minimum(reference.end, ends[columns]) - np.maximum(
            reference.begin, begins[columns]
        )
        relative = overlap / max(reference.end - reference.begin, least)
        values.append(OVERLAP_WEIGHT * relative + scores[columns])
    worth = np.concatenate(values)
    # one pair more is to outweigh whatever the others gain by it
    base = max(1.0, 4.0 * len(group) * float(np.abs(worth).max()))
    numbers = np.repeat([number for *_, number in group], [high - low for low, high, _ in group])
    indices = np.concatenate([np.arange(low, high) for low, high, _ in group])
    yield from solved(EdgeColumns(numbers, indices, base + worth)).items()
