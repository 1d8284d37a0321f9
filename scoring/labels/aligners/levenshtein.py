"""Alignment of labels by their order alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from scoring.labels.aligners.pairs import LabelPair
from scoring.labels.aligners.spans import LabelLike
from scoring.model import Costs, Edit

_DIAGONAL: Final = 0
_DELETION: Final = 1
_INSERTION: Final = 2
# the compiled aligners count in 32 bits; dearer edits are left to the table below
_LARGEST_COST = 1000

SubstitutionCost = Callable[[LabelLike, LabelLike], float]


class LevenshteinAligner:
    """The cheapest way from one sequence of values to the other; times are not looked at.

    Equal values cost nothing. Of equally cheap alignments the one is taken that, walking back from
    the end, prefers an insertion to a deletion and a deletion to a pair
    (`compute-wer` of `scoring.Ties`), as evalmate does.

    Parameters
    ----------
    deletion_cost, insertion_cost, substitution_cost
        Numbers from 0. Whole numbers are added as such, without limit; with fractions costs are
        sums of doubles. (evalmate keeps costs in 16 bits: fractions are cut off, so that 0.5 is
        nothing, and long sequences overflow. Its numbers are lower where that happens.)
    custom_substitution_cost_function
        Called with a reference label and a hypothesis label whose values differ, gives the cost
        of substituting one by the other.

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

    def align(
        self, ref_labels: Sequence[LabelLike], hyp_labels: Sequence[LabelLike]
    ) -> list[LabelPair]:
        """Pairs in the order of both sequences."""
        references, hypotheses = list(ref_labels), list(hyp_labels)
        costs = self._whole_costs()
        if costs is None:
            edits: Sequence[int] = self._walked_back(
                self._steps(references, hypotheses)[0], len(hypotheses)
            )
        else:
            from scoring.alignment.sequences import align

            values = [[label.value for label in side] for side in (references, hypotheses)]
            edits = align(values[0], values[1], costs=costs, ties="compute-wer").edits
        left, right = iter(references), iter(hypotheses)
        return [
            LabelPair(
                None if edit == Edit.INSERTION else next(left),
                None if edit == Edit.DELETION else next(right),
            )
            for edit in edits
        ]

    def calculate_edit_distance(
        self, ref_labels: Sequence[LabelLike], hyp_labels: Sequence[LabelLike]
    ) -> float:
        """What the cheapest alignment costs; a whole number if all costs are.

        >>> from formats import Label
        >>> LevenshteinAligner().calculate_edit_distance([Label("a")] * 11_000, [])
        33000
        """
        references, hypotheses = list(ref_labels), list(hyp_labels)
        costs = self._whole_costs()
        if costs is None:
            return self._steps(references, hypotheses)[1]
        from scoring.alignment.sequences import edit_distance

        values = [[label.value for label in side] for side in (references, hypotheses)]
        counts = edit_distance(values[0], values[1], costs=costs, ties="compute-wer")
        return (
            counts.substitutions * costs.substitution
            + counts.deletions * costs.deletion
            + counts.insertions * costs.insertion
        )

    def _whole_costs(self) -> Costs | None:
        """The costs, if the aligner of word sequences can take them."""
        costs = (self.substitution_cost, self.deletion_cost, self.insertion_cost)
        if self.custom_substitution_cost_function is not None:
            return None
        if any(not isinstance(cost, int) or cost > _LARGEST_COST for cost in costs):
            return None
        return Costs(*(int(cost) for cost in costs))

    def _steps(
        self, references: Sequence[LabelLike], hypotheses: Sequence[LabelLike]
    ) -> tuple[list[bytearray], float]:
        """The preferred step into each cell of the table, and the cost of the last cell."""
        deletion, insertion = self.deletion_cost, self.insertion_cost
        above: list[float] = [0]
        for _ in hypotheses:
            above.append(above[-1] + insertion)
        steps = [bytearray([_INSERTION]) * (len(hypotheses) + 1)]
        for reference in references:
            row = [above[0] + deletion]
            taken = bytearray([_DELETION])
            for column, hypothesis in enumerate(hypotheses, 1):
                pair = above[column - 1] + self._substitution(reference, hypothesis)
                deleted = above[column] + deletion
                inserted = row[-1] + insertion
                least = min(inserted, deleted, pair)
                row.append(least)
                if inserted == least:
                    taken.append(_INSERTION)
                else:
                    taken.append(_DELETION if deleted == least else _DIAGONAL)
            above = row
            steps.append(taken)
        return steps, above[-1]

    def _substitution(self, reference: LabelLike, hypothesis: LabelLike) -> float:
        if reference.value == hypothesis.value:
            return 0
        function = self.custom_substitution_cost_function
        if function is None:
            return self.substitution_cost
        return _checked("custom_substitution_cost_function", function(reference, hypothesis))

    @staticmethod
    def _walked_back(steps: Sequence[bytearray], hypotheses: int) -> list[Edit]:
        row, column = len(steps) - 1, hypotheses
        edits = []
        while row or column:
            step = steps[row][column]
            if step == _INSERTION:
                edits.append(Edit.INSERTION)
                column -= 1
            elif step == _DELETION:
                edits.append(Edit.DELETION)
                row -= 1
            else:
                # a pair; whether it is correct the labels tell
                edits.append(Edit.SUBSTITUTION)
                row -= 1
                column -= 1
        edits.reverse()
        return edits


def _checked(name: str, cost: float) -> float:
    if not cost >= 0 or cost == float("inf"):
        raise ValueError(f"{name}: expected a number from 0, found {cost}")
    return cost
