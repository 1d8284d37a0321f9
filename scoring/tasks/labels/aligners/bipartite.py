"""Alignment of labels by overlap in time: finds candidate pairs, then selects pairs.

One-to-one alignment is the cheapest matching of a bipartite graph. Many-to-many alignment keeps all
overlapping pairs. A sweep through time finds the candidates without comparing all pairs.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from math import isfinite
from typing import NamedTuple, Protocol

from scoring.alignment.assignment import Edge, best_matching
from scoring.tasks.labels.aligners.pairs import LabelPair
from scoring.tasks.labels.aligners.spans import (
    OPEN,
    LabelError,
    Labels,
    Span,
    spans_of,
    threshold_of,
)

# a few gigabytes when they are aligned
MOST_PAIRS = 1 << 23


class Candidates(NamedTuple):
    """Pairs of indices into the lists of both sides, and the indices without a pair."""

    pairs: list[tuple[int, int]]
    unmatched_reference: set[int]
    unmatched_hypothesis: set[int]

    @classmethod
    def of(cls, pairs: list[tuple[int, int]], references: int, hypotheses: int) -> Candidates:
        """Create the candidates for given numbers of references and hypotheses."""
        matched = [{pair[side] for pair in pairs} for side in (0, 1)]
        return cls(pairs, set(range(references)) - matched[0], set(range(hypotheses)) - matched[1])


class CandidateFinder(Protocol):
    """Finds pairs of labels that may be aligned."""

    def find(self, ref_labels: Labels, hyp_labels: Labels) -> Candidates:
        """Return candidates; a label may be in several pairs or in none."""


class OverlapCandidateFinder:
    """Finds labels that overlap by at least `min_overlap` seconds (default 0.05).

    With 0, any overlap suffices. Labels that only touch are not candidates, and a label without
    length overlaps with no label.

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
        """Find candidates by a sweep over the sorted labels.

        Raises `LabelError` if a label has no times or invalid times, or if too many pairs overlap.
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
                    f"expected labels that overlap in at most {MOST_PAIRS:,} pairs, found more (a "
                    "label without an end overlaps with all that follow)"
                )
        return Candidates.of(sorted(pairs), *map(len, sides))


class StartEndCandidateFinder:
    """Finds labels with similar starts and, optionally, similar ends.

    Parameters
    ----------
    start_delta_threshold
        Maximum difference of starts in seconds, inclusive.
    end_delta_threshold
        Maximum difference of ends; negative (the default): ends are ignored. Two labels without an
        end have equal ends; a label without an end is never close to one with an end.

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
        """Find candidates; only hypotheses with a near start are compared.

        Raises `LabelError` if a label has no times or invalid times.
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


class BipartiteMatchingAligner:
    """Matches each label with at most one partner, at the lowest total penalty.

    A pair costs `substitution_penalty` if the values differ, plus `non_overlap_penalty_weight`
    times the share of the *reference* that the hypothesis does not cover; a hypothesis much longer
    than the reference has no extra cost. An unmatched reference costs `deletion_penalty`, an
    unmatched hypothesis `insertion_penalty`. Two labels are paired if the pair costs less than
    leaving both unmatched. Groups of labels without common candidates are solved separately. The
    choice between matchings of equal cost is deterministic.

    Parameters
    ----------
    candidate_finder
        Finds the possible pairs; default `OverlapCandidateFinder(0.05)`.
    non_overlap_penalty_weight, substitution_penalty, insertion_penalty, deletion_penalty
        Numbers from 0.

    Raises
    ------
    ValueError
        If a penalty is negative or not finite.

    Examples
    --------
    >>> from formats import Label
    >>> reference = [Label("up", 1, 2), Label("down", 5, 6), Label("up", 8, 9)]
    >>> hypothesis = [Label("stop", 3, 4), Label("left", 5, 6), Label("up", 1.1, 2)]
    >>> BipartiteMatchingAligner().align(reference, hypothesis)
    [LabelPair(up, up), LabelPair(down, left), LabelPair(up, -), LabelPair(-, stop)]
    """

    def __init__(
        self,
        candidate_finder: CandidateFinder | None = None,
        non_overlap_penalty_weight: float = 1,
        substitution_penalty: float = 2,
        insertion_penalty: float = 10,
        deletion_penalty: float = 10,
    ) -> None:
        self.candidate_finder = candidate_finder or OverlapCandidateFinder()
        self.non_overlap_penalty_weight = non_overlap_penalty_weight
        self.substitution_penalty = substitution_penalty
        self.insertion_penalty = insertion_penalty
        self.deletion_penalty = deletion_penalty
        for name, penalty in vars(self).items():
            if name != "candidate_finder" and not (isfinite(penalty) and penalty >= 0):
                raise ValueError(f"{name}: expected a number from 0, found {penalty}")

    def align(self, ref_labels: Labels, hyp_labels: Labels) -> list[LabelPair]:
        """Return pairs and deletions in the order of the reference, then insertions.

        Raises `LabelError` if a label has no times or invalid times.
        """
        references, hypotheses = list(ref_labels), list(hyp_labels)
        spans = spans_of(references), spans_of(hypotheses)
        alone = self.insertion_penalty + self.deletion_penalty
        edges = []
        for left, right in self.candidate_finder.find(references, hypotheses).pairs:
            uncovered = 1 - spans[0][left].share(spans[1][right])
            penalty = self.non_overlap_penalty_weight * uncovered
            if references[left].value != hypotheses[right].value:
                penalty += self.substitution_penalty
            if penalty < alone:
                edges.append(Edge(left, right, alone - penalty))
        partners = best_matching(edges)
        partnered = set(partners.values())
        return [
            *(
                LabelPair(label, hypotheses[partners[index]] if index in partners else None)
                for index, label in enumerate(references)
            ),
            *(
                LabelPair(None, label)
                for index, label in enumerate(hypotheses)
                if index not in partnered
            ),
        ]


class FullMatchingAligner:
    """Matches every overlapping pair; a label appears once for each partner.

    Parameters
    ----------
    min_overlap
        Minimum overlap in seconds; 0, the default, means any overlap.

    Raises
    ------
    ValueError
        If `min_overlap` is negative or no number.

    Examples
    --------
    >>> from formats import Label
    >>> reference = [Label("a", 0, 2), Label("b", 5, 6)]
    >>> FullMatchingAligner().align(reference, [Label("x", 0, 1), Label("y", 1, 2)])
    [LabelPair(a, x), LabelPair(a, y), LabelPair(b, -)]
    """

    def __init__(self, min_overlap: float = 0) -> None:
        self.min_overlap = min_overlap
        self._finder = OverlapCandidateFinder(min_overlap)

    def align(self, ref_labels: Labels, hyp_labels: Labels) -> list[LabelPair]:
        """Return pairs in the order of the reference, then deletions, then insertions.

        Raises `LabelError` if a label has no times or invalid times.
        """
        references, hypotheses = list(ref_labels), list(hyp_labels)
        pairs, deleted, inserted = self._finder.find(references, hypotheses)
        return [
            *(LabelPair(references[left], hypotheses[right]) for left, right in pairs),
            *(LabelPair(references[index], None) for index in sorted(deleted)),
            *(LabelPair(None, hypotheses[index]) for index in sorted(inserted)),
        ]
