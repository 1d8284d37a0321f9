"""Alignment of labels by overlap in time.

One to one: the cheapest matching of a bipartite graph; many to many: all that overlap.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import isfinite

from scoring.alignment.assignment import Edge, best_matching
from scoring.labels.aligners.candidates import CandidateFinder, OverlapCandidateFinder
from scoring.labels.aligners.pairs import LabelPair
from scoring.labels.aligners.spans import Labels, Span, spans_of


class BipartiteMatchingAligner:
    """Each label has at most one partner, and all penalties together are as small as can be.

    A pair costs `substitution_penalty` if the values differ, and `non_overlap_penalty_weight`
    times the share of the *reference* that the hypothesis does not cover; a hypothesis much longer
    than the reference costs nothing for that. A reference alone costs `deletion_penalty`, a
    hypothesis alone `insertion_penalty`. So a pair is made if it costs less than both of its labels
    alone. (In evalmate it must cost less than an insertion: with the default penalties no pair
    costs more than 3, and the matchings cost the same.)

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
    that cost the same one is chosen, always the same for the same labels.

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
        """References in their order, with or without partner, then insertions in theirs.

        A `LabelError` if a label has no times or impossible ones.
        """
        references, hypotheses = list(ref_labels), list(hyp_labels)
        spans = spans_of(references), spans_of(hypotheses)
        alone = self.insertion_penalty + self.deletion_penalty
        edges = []
        for left, right in self.candidate_finder.find(references, hypotheses).pairs:
            same = references[left].value == hypotheses[right].value
            penalty = self._penalty(spans[0][left], spans[1][right], same)
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

    def penalty(self, pairs: Iterable[LabelPair]) -> float:
        """What an alignment costs."""
        total = 0.0
        for pair in pairs:
            if pair.ref is None:
                total += self.insertion_penalty
            elif pair.hyp is None:
                total += self.deletion_penalty
            else:
                reference, hypothesis = spans_of([pair.ref, pair.hyp])
                same = pair.ref.value == pair.hyp.value
                total += self._penalty(reference, hypothesis, same)
        return total

    def _penalty(self, reference: Span, hypothesis: Span, same: bool) -> float:
        """What a pair costs."""
        uncovered = self.non_overlap_penalty_weight * (1 - reference.share(hypothesis))
        return uncovered if same else uncovered + self.substitution_penalty


class FullMatchingAligner:
    """Every pair that overlaps; a label occurs as often as it has partners.

    Parameters
    ----------
    min_overlap
        Seconds two labels must have in common; 0, the default, means any overlap.

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

    def align(self, ref_labels: Labels, hyp_labels: Labels) -> list[LabelPair]:
        """Pairs in the order of the reference, then deletions, then insertions.

        A `LabelError` if a label has no times or impossible ones.
        """
        references, hypotheses = list(ref_labels), list(hyp_labels)
        pairs, deleted, inserted = self._finder.find(references, hypotheses)
        return [
            *(LabelPair(references[left], hypotheses[right]) for left, right in pairs),
            *(LabelPair(references[index], None) for index in sorted(deleted)),
            *(LabelPair(None, hypotheses[index]) for index in sorted(inserted)),
        ]
