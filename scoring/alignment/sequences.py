"""Align two sequences of tokens, or count their differences."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from scoring.alignment.kernel import align_tokens, count_tokens
from scoring.model import SCLITE_COSTS, Alignment, Costs, Counts, Ties

_SCLITE = Ties.SCLITE
_ALIGN_TEXT = Ties.ALIGN_TEXT


def tie_number(ties: Ties) -> int:
    """The number by which the aligners know an order of preference."""
    return 0 if ties is _SCLITE else 1 if ties is _ALIGN_TEXT else 2


def align(
    reference: Sequence[str],
    hypothesis: Sequence[str],
    *,
    costs: Costs = SCLITE_COSTS,
    ties: Ties = Ties.SCLITE,
) -> Alignment:
    """The cheapest alignment of two token sequences.

    Parameters
    ----------
    reference, hypothesis
        Any hashable tokens; equal tokens match. A string is not taken for a sequence of
        characters.
    costs
        Costs of the edits, whole numbers from 0.
    ties
        Which of several cheapest alignments is taken.

    Raises
    ------
    TypeError
        If a sequence is a string, or a token cannot be hashed.
    ValueError
        If a cost is negative.

    Examples
    --------
    >>> alignment = align("a b c".split(), "x b".split())
    >>> alignment.letters, alignment.cost
    ('SCD', 7.0)
    >>> for pair in alignment:
    ...     print(pair.edit.letter, pair.reference, pair.hypothesis)
    S a x
    C b b
    D c None
    """
    edits, counts = align_tokens(reference, hypothesis, *costs, tie_number(ties))
    return Alignment(edits, tuple(reference), tuple(hypothesis), total_cost(counts, costs))


def edit_distance(
    reference: Sequence[Hashable],
    hypothesis: Sequence[Hashable],
    *,
    costs: Costs = SCLITE_COSTS,
    ties: Ties = Ties.SCLITE,
) -> Counts:
    """How many tokens are correct, substituted, deleted and inserted.

    The counts are those of `align` with the same arguments; see there.

    Examples
    --------
    >>> edit_distance("a b c".split(), "x b".split())
    Counts(correct=1, substitutions=1, deletions=1, insertions=0)
    >>> edit_distance("a b c".split(), "x b".split()).errors
    2
    """
    return Counts(*count_tokens(reference, hypothesis, *costs, tie_number(ties)))


def total_cost(counts: Sequence[int], costs: Costs) -> float:
    """What the errors cost; `counts` in the order of `Counts`."""
    _, substitutions, deletions, insertions = counts
    return float(
        substitutions * costs[0] + deletions * costs[1] + insertions * costs[2],
    )
