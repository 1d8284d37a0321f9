"""Which labels may be paired at all: a sweep through time finds them, not a trial of all pairs."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import NamedTuple, Protocol

from scoring.labels.aligners.spans import OPEN, LabelError, Labels, Span, spans_of, threshold_of

# a few gigabytes when they are aligned
MOST_PAIRS = 1 << 23


class Candidates(NamedTuple):
    """Pairs of indexes in the lists of reference and hypothesis, and the indexes in no pair."""

    pairs: list[tuple[int, int]]
    unmatched_reference: set[int]
    unmatched_hypothesis: set[int]

    @classmethod
    def of(cls, pairs: list[tuple[int, int]], references: int, hypotheses: int) -> Candidates:
        """The candidates of so many references and hypotheses."""
        matched = [{pair[side] for pair in pairs} for side in (0, 1)]
        return cls(pairs, set(range(references)) - matched[0], set(range(hypotheses)) - matched[1])


class CandidateFinder(Protocol):
    """Finds pairs of labels that may be aligned."""

    def find(self, ref_labels: Labels, hyp_labels: Labels) -> Candidates:
        """Candidates; a label may be in several pairs or in none."""


class OverlapCandidateFinder:
    """Labels that overlap by at least `min_overlap` seconds (default 0.05).

    0 asks for any overlap, however short; labels that only touch never are candidates, and a label
    without length overlaps with nothing.

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

    def find(self, ref_labels: Labels, hyp_labels: Labels) -> Candidates:
        """Candidates by a sweep: in the time of sorting, and of the pairs that overlap.

        A `LabelError` if a label has no times or impossible ones, or too many pairs overlap.
        """
        sides = spans_of(ref_labels), spans_of(hyp_labels)
        arrivals = sorted(
            (span.start, side, index)
            for side, spans in enumerate(sides)
            for index, span in enumerate(spans)
            if span.end - span.start >= self._least
        )
        pairs: list[tuple[int, int]] = []
        # those of each side that began before and may overlap enough with what follows
        active: tuple[list[int], list[int]] = ([], [])
        for start, side, index in arrivals:
            facing, spans = active[1 - side], sides[1 - side]
            facing[:] = [label for label in facing if spans[label].end >= start + self._least]
            pairs += [(label, index) if side else (index, label) for label in facing]
            active[side].append(index)
            if len(pairs) > MOST_PAIRS:
                raise LabelError(
                    f"expected labels that overlap in at most {MOST_PAIRS:,} pairs, found more: "
                    "labels without an end overlap with all that follow"
                )
        return Candidates.of(sorted(pairs), *map(len, sides))


class StartEndCandidateFinder:
    """Labels that start alike and, if asked for, end alike.

    Parameters
    ----------
    start_delta_threshold
        Seconds their starts may differ, this many included.
    end_delta_threshold
        The same of their ends; negative (the default): ends are not looked at. Two open ends are
        equal; an open end and another are infinitely far apart.

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

    def find(self, ref_labels: Labels, hyp_labels: Labels) -> Candidates:
        """Candidates: of each reference only hypotheses that start near are looked at.

        A `LabelError` if a label has no times or impossible ones.
        """
        hypotheses = spans_of(hyp_labels)
        order = sorted(range(len(hypotheses)), key=lambda index: hypotheses[index].start)
        starts = [hypotheses[index].start for index in order]
        pairs: list[tuple[int, int]] = []
        for left, span in enumerate(spans_of(ref_labels)):
            first = bisect_left(starts, span.start - self._start)
            last = bisect_right(starts, span.start + self._start)
            near = sorted(order[first:last])
            pairs += [(left, right) for right in near if self._end_alike(span, hypotheses[right])]
        return Candidates.of(pairs, len(ref_labels), len(hypotheses))

    def _end_alike(self, left: Span, right: Span) -> bool:
        if self._end is None:
            return True
        if OPEN in (left.end, right.end):
            return left.end == right.end
        return abs(left.end - right.end) <= self._end
