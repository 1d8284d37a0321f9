"""Align two sequences of tokens, or count their differences.

`align` and `edit_distance` have two faces: ours, and, for programs written for the package
kaldialign, that package's. Which is meant shows in the arguments.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Any, overload

from scoring.alignment import symbols
from scoring.alignment.kernel import align_tokens, count_tokens
from scoring.alignment.symbols import EditDistance, Symbol
from scoring.model import SCLITE_COSTS, Alignment, Costs, Counts, Ties

_SCLITE = Ties.SCLITE
_ALIGN_TEXT = Ties.ALIGN_TEXT
# stands for an argument that is not given; None may be a symbol
_ABSENT: Any = object()


def tie_number(ties: Ties) -> int:
    """The number by which the aligners know an order of preference."""
    return 0 if ties is _SCLITE else 1 if ties is _ALIGN_TEXT else 2


@overload
def align(
    reference: Sequence[str],
    hypothesis: Sequence[str],
    *,
    costs: Costs = ...,
    ties: Ties = ...,
) -> Alignment: ...
@overload
def align(
    reference: Iterable[Symbol],
    hypothesis: Iterable[Symbol],
    eps_symbol: Symbol,
    sclite_mode: bool = ...,
    merge_compounds: bool = ...,
) -> list[tuple[Symbol, Symbol]]: ...
@overload
def align(
    *,
    ref: Iterable[Symbol],
    hyp: Iterable[Symbol],
    eps_symbol: Symbol,
    sclite_mode: bool = ...,
    merge_compounds: bool = ...,
) -> list[tuple[Symbol, Symbol]]: ...
def align(
    reference: Any = _ABSENT,
    hypothesis: Any = _ABSENT,
    eps_symbol: Any = _ABSENT,
    sclite_mode: bool = False,
    merge_compounds: bool = False,
    *,
    costs: Costs | None = None,
    ties: Ties | None = None,
    ref: Any = _ABSENT,
    hyp: Any = _ABSENT,
) -> Alignment | list[tuple[Any, Any]]:
    """The cheapest alignment of two token sequences.

    With `eps_symbol` this is kaldialign's function of the same name: pairs of symbols,
    every error costs 1, ties are broken as by Kaldi's `compute-wer`, and a string is a sequence of
    characters; `scoring.kaldialign.align` describes the arguments, which may be called `ref` and
    `hyp`. Without, it is sclite's
    alignment, or the one of the costs and ties that are given, as an `Alignment`.

    Parameters
    ----------
    reference, hypothesis
        Any hashable tokens; equal tokens match. A string is not taken for a sequence of
        characters.
    costs
        Costs of the edits, whole numbers from 0; default `SCLITE_COSTS`.
    ties
        Which of several cheapest alignments is taken; default `Ties.SCLITE`.

    Raises
    ------
    TypeError
        If a sequence is a string, or a token cannot be hashed; if arguments are missing or belong
        to the other face.
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
    >>> align("a b c".split(), "a s x c".split(), "*")
    [('a', 'a'), ('b', 's'), ('*', 'x'), ('c', 'c')]
    """
    if ref is not _ABSENT or hyp is not _ABSENT or hypothesis is _ABSENT:
        reference, hypothesis = _sides("align", reference, hypothesis, ref, hyp)
    if eps_symbol is not _ABSENT:
        if costs is not None or ties is not None:
            raise TypeError("align() takes costs and ties only without eps_symbol")
        return symbols.align(reference, hypothesis, eps_symbol, sclite_mode, merge_compounds)
    if sclite_mode or merge_compounds or ref is not _ABSENT:
        raise TypeError("align() missing 1 required positional argument: 'eps_symbol'")
    if costs is None:
        costs = SCLITE_COSTS
    number = 0 if ties is None else tie_number(ties)
    edits, counts = align_tokens(reference, hypothesis, *costs, number)
    return Alignment(edits, tuple(reference), tuple(hypothesis), total_cost(counts, costs))


@overload
def edit_distance(
    reference: Sequence[Hashable],
    hypothesis: Sequence[Hashable],
    *,
    costs: Costs,
    ties: Ties = ...,
) -> Counts: ...
@overload
def edit_distance(
    reference: Sequence[Hashable],
    hypothesis: Sequence[Hashable],
    *,
    ties: Ties,
    costs: Costs = ...,
) -> Counts: ...
@overload
def edit_distance(
    reference: Iterable[Symbol],
    hypothesis: Iterable[Symbol],
    sclite_mode: bool = ...,
    merge_compounds: bool = ...,
) -> EditDistance: ...
@overload
def edit_distance(
    *,
    ref: Iterable[Symbol],
    hyp: Iterable[Symbol],
    sclite_mode: bool = ...,
    merge_compounds: bool = ...,
) -> EditDistance: ...
def edit_distance(
    reference: Any = _ABSENT,
    hypothesis: Any = _ABSENT,
    sclite_mode: bool = False,
    merge_compounds: bool = False,
    *,
    costs: Costs | None = None,
    ties: Ties | None = None,
    ref: Any = _ABSENT,
    hyp: Any = _ABSENT,
) -> Counts | EditDistance:
    """How many tokens are correct, substituted, deleted and inserted.

    With `costs` or `ties` (defaults as of `align`) these are the `Counts` of what `align` shows
    with the same arguments. **Without both this is kaldialign's function of the same name**: every
    error costs 1 (or sclite's costs with `sclite_mode`) and ties are broken as by Kaldi's
    `compute-wer`; the result is kaldialign's dictionary, which answers to the names of `Counts`,
    too. `scoring.kaldialign.edit_distance` describes the arguments.

    Raises
    ------
    TypeError, ValueError
        As of `align`.

    Examples
    --------
    >>> edit_distance("a b c".split(), "x b".split())["total"]
    2
    >>> edit_distance("a b c".split(), "x b".split()).error_rate
    0.6666666666666666
    >>> edit_distance("a b c".split(), "x b".split(), costs=SCLITE_COSTS)
    Counts(correct=1, substitutions=1, deletions=1, insertions=0)
    """
    if ref is not _ABSENT or hyp is not _ABSENT or hypothesis is _ABSENT:
        reference, hypothesis = _sides("edit_distance", reference, hypothesis, ref, hyp)
    if costs is None and ties is None:
        return symbols.edit_distance(reference, hypothesis, sclite_mode, merge_compounds)
    if sclite_mode or merge_compounds:
        raise TypeError(
            "edit_distance() takes sclite_mode and merge_compounds only without costs and ties"
        )
    if costs is None:
        costs = SCLITE_COSTS
    number = 0 if ties is None else tie_number(ties)
    return Counts(*count_tokens(reference, hypothesis, *costs, number))


def _sides(function: str, reference: Any, hypothesis: Any, ref: Any, hyp: Any) -> tuple[Any, Any]:
    """The two sides by whichever of their names they were given."""
    sides = []
    for ours, theirs, name, other in (
        (reference, ref, "reference", "ref"),
        (hypothesis, hyp, "hypothesis", "hyp"),
    ):
        if ours is not _ABSENT and theirs is not _ABSENT:
            raise TypeError(f"{function}() got {name} and {other}, which are the same argument")
        if ours is _ABSENT and theirs is _ABSENT:
            raise TypeError(f"{function}() missing a required argument: '{other}' ('{name}')")
        sides.append(theirs if ours is _ABSENT else ours)
    return sides[0], sides[1]


def total_cost(counts: Sequence[int], costs: Costs) -> float:
    """What the errors cost; `counts` in the order of `Counts`."""
    _, substitutions, deletions, insertions = counts
    return float(
        substitutions * costs[0] + deletions * costs[1] + insertions * costs[2],
    )
