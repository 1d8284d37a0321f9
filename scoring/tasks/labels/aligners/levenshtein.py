"""Alignment of labels by order; times are ignored."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Final

from scoring.model.counts import Costs, Edit
from scoring.tasks.labels.aligners.pairs import LabelPair
from scoring.tasks.labels.aligners.spans import LabelLike, Labels

# the compiled aligners count in 32 bits; dearer edits are left to the table below
_LARGEST_COST: Final = 1000

SubstitutionCost = Callable[[LabelLike, LabelLike], float]


class LevenshteinAligner:
    """Aligns two sequences of values at the lowest cost; times are ignored.

    Equal values cost nothing. Ties are resolved from the end: an insertion is preferred to a
    deletion, and a deletion to a pair (`compute-wer` of `scoring.Ties`), as in evalmate.

    Parameters
    ----------
    deletion_cost, insertion_cost, substitution_cost
        Numbers from 0. Sums of whole numbers are exact; with fractions, costs are added as doubles.
    custom_substitution_cost_function
        Function of a reference label and a hypothesis label with different values; it returns the
        cost of substituting one by the other.

    Raises
    ------
    ValueError
        If a cost is negative or no number; in `align`, if the function gives such a cost.

    Examples
    --------
    >>> from formats import Label
    >>> reference, hypothesis = ([Label(v) for v in text.split()] for text in ("a b", "b c"))
    >>> LevenshteinAligner().align(reference, hypothesis)
    [LabelPair(a, -), LabelPair(b, b), LabelPair(-, c)]
    >>> LevenshteinAligner(deletion_cost=0.5).calculate_edit_distance(reference, hypothesis)
    3.5
    """

    def __init__(
        self,
        deletion_cost: float = 3,
        insertion_cost: float = 3,
        substitution_cost: float = 4,
        custom_substitution_cost_function: SubstitutionCost | None = None,
    ) -> None:
        self.deletion_cost = _checked("deletion_cost", deletion_cost)
        self.insertion_cost = _checked("insertion_cost", insertion_cost)
        self.substitution_cost = _checked("substitution_cost", substitution_cost)
        self.custom_substitution_cost_function = custom_substitution_cost_function

    def align(self, ref_labels: Labels, hyp_labels: Labels) -> list[LabelPair]:
        """Return pairs in the order of both sequences."""
        references, hypotheses = list(ref_labels), list(hyp_labels)
        left, right = iter(references), iter(hypotheses)
        return [
            LabelPair(
                None if edit == Edit.INSERTION else next(left),
                None if edit == Edit.DELETION else next(right),
            )
            for edit in self._edits(references, hypotheses)
        ]

    def calculate_edit_distance(self, ref_labels: Labels, hyp_labels: Labels) -> float:
        """Return the cost of the cheapest alignment: an `int` if all costs are whole numbers.

        >>> from formats import Label
        >>> LevenshteinAligner().calculate_edit_distance([Label("a")] * 11_000, [])
        33000
        """
        return sum(
            self.insertion_cost
            if pair.ref is None
            else self.deletion_cost
            if pair.hyp is None
            else self._substitution(pair.ref, pair.hyp)
            for pair in self.align(ref_labels, hyp_labels)
        )

    def _edits(self, references: Labels, hypotheses: Labels) -> Sequence[int]:
        """Return the edits of the cheapest alignment; equal pairs may appear as substitutions."""
        substitution, *costs = self.substitution_cost, self.deletion_cost, self.insertion_cost
        whole = all(isinstance(cost, int) for cost in (substitution, *costs))
        if (
            self.custom_substitution_cost_function is not None
            or not whole
            or max(substitution, *costs) > _LARGEST_COST
        ):
            return self._edits_of_any_costs(references, hypotheses)
        from scoring.alignment.sequences import align

        values = [[label.value for label in side] for side in (references, hypotheses)]
        whole_costs = Costs(*map(int, (substitution, *costs)))
        return align(*values, costs=whole_costs, ties="compute-wer").edits

    def _edits_of_any_costs(self, references: Labels, hypotheses: Labels) -> Sequence[int]:
        """Return the edits of the cheapest alignment for any costs, traced back through a table."""
        insertions = [self.insertion_cost] * len(hypotheses)
        above: list[float] = list(accumulate(insertions, initial=0))
        steps = [bytearray([Edit.INSERTION]) * len(above)]
        for reference in references:
            costs = [above[0] + self.deletion_cost]
            steps.append(bytearray([Edit.DELETION]))
            for column, hypothesis in enumerate(hypotheses):
                pair = above[column] + self._substitution(reference, hypothesis)
                deleted = above[column + 1] + self.deletion_cost
                inserted = costs[-1] + self.insertion_cost
                least = min(inserted, deleted, pair)
                costs.append(least)
                unpaired = Edit.DELETION if deleted == least else Edit.SUBSTITUTION
                steps[-1].append(Edit.INSERTION if inserted == least else unpaired)
            above = costs
        row, column = len(references), len(hypotheses)
        edits = []
        while row or column:
            edits.append(steps[row][column])
            row -= edits[-1] != Edit.INSERTION
            column -= edits[-1] != Edit.DELETION
        return edits[::-1]

    def _substitution(self, reference: LabelLike, hypothesis: LabelLike) -> float:
        if reference.value == hypothesis.value:
            return 0
        function = self.custom_substitution_cost_function
        if function is None:
            return self.substitution_cost
        return _checked("custom_substitution_cost_function", function(reference, hypothesis))


def _checked(name: str, cost: float) -> float:
    if not cost >= 0 or cost == float("inf"):
        raise ValueError(f"{name}: expected a number from 0, found {cost}")
    return cost
