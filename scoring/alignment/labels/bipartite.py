"""One-to-one alignment of labels in time: the cheapest matching of a bipartite graph."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite

from scoring.alignment.labels.assignment import Edge, best_matching
from scoring.alignment.labels.candidates import CandidateFinder, OverlapCandidateFinder
from scoring.alignment.labels.pairs import LabelPair
from scoring.alignment.labels.spans import LabelLike, share_of, spans_of


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
        partners = best_matching(self._edges(references, hypotheses))
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

    def _edges(
        self, references: Sequence[LabelLike], hypotheses: Sequence[LabelLike]
    ) -> list[Edge]:
        """The candidates and what pairing them saves, those left out that save nothing."""
        left_spans, right_spans = spans_of(references), spans_of(hypotheses)
        finder = self.candidate_finder
        if type(finder) is OverlapCandidateFinder:
            found = finder.find_spans(left_spans, right_spans)
        else:
            found = finder.find(references, hypotheses)
        alone = self.insertion_penalty + self.deletion_penalty
        weight, substitution = self.non_overlap_penalty_weight, self.substitution_penalty
        edges = []
        for left, right in found.pairs:
            penalty = weight * (1 - share_of(left_spans[left], right_spans[right]))
            if references[left].value != hypotheses[right].value:
                penalty += substitution
            if penalty < alone:
                edges.append(Edge(left, right, alone - penalty))
        return edges
