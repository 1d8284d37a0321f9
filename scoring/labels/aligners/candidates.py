"""Which labels may be paired at all: found by a sweep through time, not by trying all pairs."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import NamedTuple, Protocol

from scoring.labels.aligners.spans import OPEN, LabelError, LabelLike, Span, spans_of, threshold_of

# a gigabyte when they are aligned
MOST_PAIRS = 1 << 23


class Candidates(NamedTuple):
    """What a finder found, by position in the lists of labels.

    Attributes
    ----------
    pairs
        Position in the reference and position in the hypothesis, in order.
    unmatched_reference, unmatched_hypothesis
        Those that are in no pair.
    """

    pairs: list[tuple[int, int]]
    unmatched_reference: set[int]
    unmatched_hypothesis: set[int]


class CandidateFinder(Protocol):
    """Finds pairs of labels that may be aligned."""

    def find(self, ref_labels: Sequence[LabelLike], hyp_labels: Sequence[LabelLike]) -> Candidates:
        """Candidates; a label may be in several pairs or in none."""


class OverlapCandidateFinder:
    """Labels that overlap by at least `min_overlap` seconds (default 0.05).

    0 asks for any overlap, however short; labels that only touch never are candidates. (evalmate
    looks for 0.05 s whatever the argument says. Where you asked for more, it pairs more labels.)
    A label without length overlaps with nothing.

    Raises
    ------
    ValueError
        If `min_overlap` is negative or no number.

    Examples
    --------
    >>> from formats import Label
    >>> OverlapCandidateFinder().find([Label("a", 0, 1), Label("b", 1, 2)], [Label("c", 0.5, 1.04)])
    Candidates(pairs=[(0, 0)], unmatched_reference={1}, unmatched_hypothesis=set())
    """

    def __init__(self, min_overlap: float = 0.05) -> None:
        self.min_overlap = min_overlap
        # any overlap is at least a nanosecond of it
        self._least = max(1, threshold_of("min_overlap", min_overlap))

    def find(self, ref_labels: Sequence[LabelLike], hyp_labels: Sequence[LabelLike]) -> Candidates:
        """Candidates by a sweep: in the time of sorting, and of the pairs that overlap.

        Raises
        ------
        LabelError
            As of `scoring.labels.aligners.spans.span_of`.
        """
        return self.find_spans(spans_of(ref_labels), spans_of(hyp_labels))

    def find_spans(self, reference: Sequence[Span], hypothesis: Sequence[Span]) -> Candidates:
        """The same of times in nanoseconds."""
        pairs = sorted(zip(*self.overlapping(reference, hypothesis), strict=True))
        return _candidates(pairs, len(reference), len(hypothesis))

    def overlapping(
        self, reference: Sequence[Span], hypothesis: Sequence[Span]
    ) -> tuple[array[int], array[int]]:
        """Positions of the pairs in the reference and in the hypothesis, in no order."""
        sides = (reference, hypothesis)
        arrivals = sorted(
            (span.start, side, place)
            for side, spans in enumerate(sides)
            for place, span in enumerate(spans)
            if span.end - span.start >= self._least
        )
        pairs = (array("i"), array("i"))
        # those of each side that began before and may still have something in common with others
        active: tuple[list[int], list[int]] = ([], [])
        for start, side, place in arrivals:
            needed = start + self._least
            others = sides[1 - side]
            still = [other for other in active[1 - side] if others[other].end >= needed]
            active[1 - side][:] = still
            pairs[side].extend([place] * len(still))
            pairs[1 - side].extend(still)
            active[side].append(place)
            if len(pairs[0]) > MOST_PAIRS:
                raise LabelError(
                    f"expected labels that overlap in at most {MOST_PAIRS:,} pairs, found more: "
                    "labels without an end overlap with all that follow"
                )
        return pairs


class StartEndCandidateFinder:
    """Labels that start alike and, if asked for, end alike.

    Parameters
    ----------
    start_delta_threshold
        Seconds their starts may differ, this many included.
    end_delta_threshold
        The same of their ends; negative (the default): ends are not looked at. (evalmate leaves out
        labels whose ends differ by just this much, so that 0 matches nothing.) Two open ends are
        equal (evalmate: they never match); an open end and another are infinitely far apart.

    Raises
    ------
    ValueError
        If `start_delta_threshold` is negative, or a threshold is no number.

    Examples
    --------
    >>> from formats import Label
    >>> finder = StartEndCandidateFinder(0.1, 0.2)
    >>> finder.find([Label("a", 1, 2)], [Label("a", 1.1, 2.2), Label("a", 1, 2.3)]).pairs
    [(0, 0)]
    """

    def __init__(self, start_delta_threshold: float, end_delta_threshold: float = -1) -> None:
        self.start_delta_threshold = start_delta_threshold
        self.end_delta_threshold = end_delta_threshold
        self._start = threshold_of("start_delta_threshold", start_delta_threshold)
        self._end = None
        if not end_delta_threshold < 0:
            self._end = threshold_of("end_delta_threshold", end_delta_threshold)

    def find(self, ref_labels: Sequence[LabelLike], hyp_labels: Sequence[LabelLike]) -> Candidates:
        """Candidates: of each reference only hypotheses that start near are looked at.

        Raises
        ------
        LabelError
            As of `scoring.labels.aligners.spans.span_of`.
        """
        hypothesis = spans_of(hyp_labels)
        order = sorted(range(len(hypothesis)), key=lambda place: hypothesis[place].start)
        starts = [hypothesis[place].start for place in order]
        pairs: list[tuple[int, int]] = []
        for place, span in enumerate(spans_of(ref_labels)):
            first = bisect_left(starts, span.start - self._start)
            last = bisect_right(starts, span.start + self._start)
            near = sorted(order[first:last])
            pairs += [(place, other) for other in near if self._end_alike(span, hypothesis[other])]
        return _candidates(pairs, len(ref_labels), len(hypothesis))

    def _end_alike(self, left: Span, right: Span) -> bool:
        if self._end is None:
            return True
        if left.end == OPEN or right.end == OPEN:
            return left.end == right.end
        return abs(left.end - right.end) <= self._end


def _candidates(pairs: list[tuple[int, int]], references: int, hypotheses: int) -> Candidates:
    return Candidates(
        pairs,
        set(range(references)).difference([left for left, _ in pairs]),
        set(range(hypotheses)).difference([right for _, right in pairs]),
    )
