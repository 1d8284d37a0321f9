"""Align two sequences of tokens, or count their differences."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence

from scoring.alignment.kernel import align_tokens, count_tokens
from scoring.model import SCLITE_COSTS, Alignment, Costs, Counts, Ties

# By these numbers the aligners know which of several cheapest alignments to take.
_NUMBERS: dict[str, int] = {"sclite": 0, "align-text": 1, "compute-wer": 2}


def tie_number(ties: Ties) -> int:
    """The number by which the aligners know an order of preference."""
    try:
        return _NUMBERS[ties]
    except KeyError:
        known = ", ".join(_NUMBERS)
        raise ValueError(f"ties: expected one of {known}, found {ties!r}") from None


def align(
    reference: Sequence[str],
    hypothesis: Sequence[str],
    *,
    costs: Costs = SCLITE_COSTS,
    ties: Ties = "sclite",
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
        Which of several cheapest alignments is taken, see `scoring.Ties`.

    Raises
    ------
    TypeError
        If a sequence is a string, or a token cannot be hashed.
    ValueError
        If a cost is negative, or there are no such ties.

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
    sides = [
        tuple(side) if isinstance(side, Iterator) else side for side in (reference, hypothesis)
    ]
    edits, counts = align_tokens(sides[0], sides[1], *costs, tie_number(ties))
    return Alignment(edits, tuple(sides[0]), tuple(sides[1]), total_cost(counts, costs))


def edit_distance(
    reference: Sequence[Hashable],
    hypothesis: Sequence[Hashable],
    *,
    costs: Costs = SCLITE_COSTS,
    ties: Ties = "sclite",
) -> Counts:
    """How many tokens are correct, substituted, deleted and inserted in what `align` shows.

    Parameters and errors as of `align`.

    Examples
    --------
    >>> edit_distance("a b c".split(), "x b".split())
    Counts(correct=1, substitutions=1, deletions=1, insertions=0)
    >>> edit_distance("a b c".split(), "x b".split()).error_rate
    0.6666666666666666
    """
    return Counts(*count_tokens(reference, hypothesis, *costs, tie_number(ties)))


def total_cost(counts: Sequence[int], costs: Costs) -> float:
    """What the errors cost; `counts` in the order of `Counts`."""
    _, substitutions, deletions, insertions = counts
    return float(
        substitutions * costs[0] + deletions * costs[1] + insertions * costs[2],
    )
