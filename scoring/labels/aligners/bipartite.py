"""Alignment of labels by overlap in time.

One to one: the cheapest matching of a bipartite graph; many to many: all that overlap.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite

from scoring.alignment.assignment import (
    Edge,
    EdgeColumns,
    best_matching,
    best_matching_of_columns,
)
from scoring.labels.aligners.candidates import CandidateFinder, OverlapCandidateFinder
from scoring.labels.aligners.pairs import LabelPair
from scoring.labels.aligners.spans import OPEN, LabelLike, Span, share_of, spans_of

# So many candidates are looked at one by one; more, all at once.
_FEW = 50_000


class BipartiteMatchingAligner:
    """Each label has at most one partner, and all penalties together are as small as can be.

    A pair costs `substitution_penalty` if the values differ, and `non_overlap_penalty_weight`
    times the share of the *reference* that the hypothesis does not cover; a hypothesis much longer
    than the reference costs nothing for that. A reference alone costs `deletion_penalty`, a
    hypothesis alone `insertion_penalty`. So a pair is made if it costs less than both of its labels
    alone. (evalmate lets every pair pay for a deletion more, so there it is made only if it costs
    less than an insertion: with expensive substitutions it shows a deletion and an insertion where
    we show a substitution. With the default penalties no pair costs more than 3, and the matchings
    cost the same.)

    Parameters
    ----------
    candidate_finder
        Which pairs are possible; default `OverlapCandidateFinder(0.05)`.
    non_overlap_penalty_weight, substitution_penalty, insertion_penalty, deletion_penalty
        Numbers from 0.

    Raises
    ------
    ValueError
        If a penalty is negative or not finite.

    Notes
    -----
    Groups of labels that share no candidates are solved apart, so the time grows with the number
    of labels and of overlaps, not with the cube of the former as in evalmate. Of several matchings
    that cost the same one is taken, always the same for the same labels.

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
        for name, penalty in (
            ("non_overlap_penalty_weight", non_overlap_penalty_weight),
            ("substitution_penalty", substitution_penalty),
            ("insertion_penalty", insertion_penalty),
            ("deletion_penalty", deletion_penalty),
        ):
            if not (isfinite(penalty) and penalty >= 0):
                raise ValueError(f"{name}: expected a number from 0, found {penalty}")
        self.candidate_finder = candidate_finder or OverlapCandidateFinder()
        self.non_overlap_penalty_weight = non_overlap_penalty_weight
        self.substitution_penalty = substitution_penalty
        self.insertion_penalty = insertion_penalty
        self.deletion_penalty = deletion_penalty

    def align(
        self, ref_labels: Sequence[LabelLike], hyp_labels: Sequence[LabelLike]
    ) -> list[LabelPair]:
        """References in their order, with or without partner, then insertions in theirs.

        Raises
        ------
        LabelError
            If a label has no times or impossible ones.
        """
        references, hypotheses = list(ref_labels), list(hyp_labels)
        partners = self._partners(references, hypotheses)
        taken = set(partners.values())
        pairs = [
            LabelPair(label, hypotheses[partners[place]] if place in partners else None)
            for place, label in enumerate(references)
        ]
        pairs += [
            LabelPair(None, label) for place, label in enumerate(hypotheses) if place not in taken
        ]
        return pairs

    def penalty(self, pairs: Sequence[LabelPair]) -> float:
        """What an alignment costs."""
        total = 0.0
        for pair in pairs:
            if pair.ref is None:
                total += self.insertion_penalty
            elif pair.hyp is None:
                total += self.deletion_penalty
            else:
                left, right = spans_of([pair.ref, pair.hyp])
                uncovered = 1 - share_of(left, right)
                total += self.non_overlap_penalty_weight * uncovered
                total += self.substitution_penalty * (pair.ref.value != pair.hyp.value)
        return total

    def _partners(
        self, references: Sequence[LabelLike], hypotheses: Sequence[LabelLike]
    ) -> dict[int, int]:
        """From positions in the reference to those of their partners in the hypothesis."""
        sides = spans_of(references), spans_of(hypotheses)
        finder = self.candidate_finder
        candidates: tuple[Sequence[int], Sequence[int]]
        if type(finder) is OverlapCandidateFinder:
            candidates = finder.overlapping(*sides)
        else:
            pairs = finder.find(references, hypotheses).pairs
            candidates = [left for left, _ in pairs], [right for _, right in pairs]
        values = [label.value for label in references], [label.value for label in hypotheses]
        # beyond what whole numbers of 64 bits can subtract, one by one as well
        if len(candidates[0]) <= _FEW or any(
            abs(span.start) > OPEN // 2 for side in sides for span in side
        ):
            return best_matching(self._edges(sorted(zip(*candidates, strict=True)), sides, values))
        return best_matching_of_columns(self._columns(candidates, sides, values))

    def _edges(
        self,
        pairs: Sequence[tuple[int, int]],
        sides: tuple[Sequence[Span], Sequence[Span]],
        values: tuple[Sequence[str], Sequence[str]],
    ) -> list[Edge]:
        """The candidates and what pairing them saves, those left out that save nothing."""
        alone = self.insertion_penalty + self.deletion_penalty
        weight, substitution = self.non_overlap_penalty_weight, self.substitution_penalty
        edges = []
        for left, right in pairs:
            penalty = weight * (1 - share_of(sides[0][left], sides[1][right]))
            if values[0][left] != values[1][right]:
                penalty += substitution
            if penalty < alone:
                edges.append(Edge(left, right, alone - penalty))
        return edges

    def _columns(
        self,
        candidates: tuple[Sequence[int], Sequence[int]],
        sides: tuple[Sequence[Span], Sequence[Span]],
        values: tuple[Sequence[str], Sequence[str]],
    ) -> EdgeColumns:
        """The same of many candidates, as arrays."""
        import numpy as np

        left, right = (np.array(indexes, dtype=np.int64) for indexes in candidates)
        starts = [np.array([span.start for span in side]) for side in sides]
        ends = [np.array([span.end for span in side]) for side in sides]
        numbers: dict[str, int] = {}
        codes = [np.array([numbers.setdefault(v, len(numbers)) for v in side]) for side in values]
        first = np.maximum(starts[0][left], starts[1][right])
        overlap = np.maximum(np.minimum(ends[0][left], ends[1][right]) - first, 0)
        length = (ends[0] - starts[0])[left]
        share = np.where(length > 0, overlap / np.maximum(length, 1), 0.0)
        is_open = ends[0][left] == OPEN
        share[is_open] = ends[1][right][is_open] == OPEN
        penalty = self.non_overlap_penalty_weight * (1 - share)
        penalty[codes[0][left] != codes[1][right]] += self.substitution_penalty
        saving = self.insertion_penalty + self.deletion_penalty - penalty
        worth = saving > 0
        return EdgeColumns(left[worth], right[worth], saving[worth])


class FullMatchingAligner:
    """Every pair that overlaps; a label occurs as often as it has partners.

    Parameters
    ----------
    min_overlap
        Seconds two labels must have in common; 0, the default, means any overlap. (evalmate always
        takes 0.05: it misses pairs that overlap less, and shows their labels as errors.)

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
        self._finder = OverlapCandidateFinder(min_overlap)

    @property
    def min_overlap(self) -> float:
        """Seconds two labels must have in common."""
        return self._finder.min_overlap

    def align(
        self, ref_labels: Sequence[LabelLike], hyp_labels: Sequence[LabelLike]
    ) -> list[LabelPair]:
        """Pairs in the order of the reference, then deletions, then insertions.

        Raises
        ------
        LabelError
            If a label has no times or impossible ones.
        """
        references, hypotheses = list(ref_labels), list(hyp_labels)
        candidates = self._finder.find(references, hypotheses)
        return [
            *(LabelPair(references[left], hypotheses[right]) for left, right in candidates.pairs),
            *(
                LabelPair(references[place], None)
                for place in sorted(candidates.unmatched_reference)
            ),
            *(
                LabelPair(None, hypotheses[place])
                for place in sorted(candidates.unmatched_hypothesis)
            ),
        ]
