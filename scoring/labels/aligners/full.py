"""All labels that overlap, paired with each other."""

from __future__ import annotations

from collections.abc import Sequence

from scoring.labels.aligners.candidates import OverlapCandidateFinder
from scoring.labels.aligners.pairs import LabelPair
from scoring.labels.aligners.spans import LabelLike


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
        found = self._finder.find(references, hypotheses)
        return [
            *(LabelPair(references[left], hypotheses[right]) for left, right in found.pairs),
            *(LabelPair(references[place], None) for place in sorted(found.unmatched_reference)),
            *(LabelPair(None, hypotheses[place]) for place in sorted(found.unmatched_hypothesis)),
        ]
