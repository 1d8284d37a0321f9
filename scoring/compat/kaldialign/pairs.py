"""Alignment and counts under the names and by the rules of the package kaldialign (0.12).

A program written for kaldialign gets the same alignments, the same numbers in the same dictionary
and the same errors. Costs are 1 for every error, or sclite's with `sclite_mode`; ties are broken as
by Kaldi's `compute-wer` (`compute-wer` of `scoring.Ties`). A string is taken for a sequence of
characters here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar, cast

from scoring.alignment.kernel import align_tokens, count_tokens
from scoring.compat.kaldialign.compounds import align_with_compounds, as_texts, count_with_compounds
from scoring.model import Counts

Symbol = TypeVar("Symbol")

# substitution, deletion, insertion
UNIT: tuple[int, int, int] = (1, 1, 1)
SCLITE: tuple[int, int, int] = (4, 3, 3)
COMPUTE_WER = 2
_DELETION, _INSERTION = 2, 3


class EditDistance(dict[str, float]):
    """What kaldialign's `edit_distance` returns, which also answers to the names of `Counts`.

    The keys are `ins`, `del`, `sub`, `total` (all errors), `ref_len` (reference tokens) and
    `err_rate`, errors per reference token as a ratio: without reference tokens 0.0 if there are no
    errors, else infinity (`error_rate` is None there).

    Examples
    --------
    >>> distance = edit_distance("a b c".split(), "a s x c".split())
    >>> distance["total"], distance.errors, distance.counts
    (2, 2, Counts(correct=2, substitutions=1, deletions=0, insertions=1))
    """

    __slots__ = ()

    @property
    def counts(self) -> Counts:
        """The same as `Counts`, which can be added up."""
        substitutions, deletions = int(self["sub"]), int(self["del"])
        correct = int(self["ref_len"]) - substitutions - deletions
        return Counts(correct, substitutions, deletions, int(self["ins"]))

    @property
    def correct(self) -> int:
        """Reference tokens that were right, those in compounds included."""
        return self.counts.correct

    @property
    def substitutions(self) -> int:
        """Tokens replaced by another."""
        return int(self["sub"])

    @property
    def deletions(self) -> int:
        """Reference tokens without a partner."""
        return int(self["del"])

    @property
    def insertions(self) -> int:
        """Hypothesis tokens without a partner."""
        return int(self["ins"])

    @property
    def errors(self) -> int:
        """Substitutions, deletions and insertions."""
        return int(self["total"])

    @property
    def reference_tokens(self) -> int:
        """How many tokens the reference has."""
        return int(self["ref_len"])

    @property
    def error_rate(self) -> float | None:
        """Errors per reference token, a ratio (not percent); None without reference tokens."""
        return self["err_rate"] if self["ref_len"] else None


def align(
    ref: Iterable[Symbol],
    hyp: Iterable[Symbol],
    eps_symbol: Symbol,
    sclite_mode: bool = False,
    merge_compounds: bool = False,
) -> list[tuple[Symbol, Symbol]]:
    """Pairs of a reference and a hypothesis symbol.

    Parameters
    ----------
    ref, hyp
        Iterables of hashable symbols that can be ordered among each other.
    eps_symbol
        Stands for nothing: first in an insertion, second in a deletion.
    sclite_mode
        An insertion or a deletion costs 3 and a substitution 4, not 1 each.
    merge_compounds
        Neighbours that together spell a symbol of the other side match it; they are shown with
        blanks between them. Symbols are turned into strings.

    Raises
    ------
    TypeError
        If symbols cannot be hashed or ordered.
    ValueError
        If `eps_symbol` is one of the symbols; kaldialign returns an alignment that cannot be read.

    Examples
    --------
    >>> align("a b c".split(), "a s x c".split(), "*")
    [('a', 'a'), ('b', 's'), ('*', 'x'), ('c', 'c')]
    >>> align("the white paper".split(), "the whitepaper".split(), "*", merge_compounds=True)
    [('the', 'the'), ('white paper', 'whitepaper')]
    """
    if merge_compounds:
        pairs = merged_pairs(as_texts(ref), as_texts(hyp), str(eps_symbol), sclite_mode)
        return cast("list[tuple[Symbol, Symbol]]", pairs)
    reference, hypothesis = list(ref), list(hyp)
    check_order(reference, hypothesis, (eps_symbol,))
    check_epsilon(eps_symbol, reference, hypothesis)
    substitution, deletion, insertion = SCLITE if sclite_mode else UNIT
    edits, _ = align_tokens(reference, hypothesis, substitution, deletion, insertion, COMPUTE_WER)
    return symbol_pairs(edits, reference, hypothesis, eps_symbol)


def edit_distance(
    ref: Iterable[Symbol],
    hyp: Iterable[Symbol],
    sclite_mode: bool = False,
    merge_compounds: bool = False,
) -> EditDistance:
    """How many symbols were inserted, deleted and substituted in the alignment of `align`.

    Parameters and errors as of `align`.

    Examples
    --------
    >>> edit_distance("a b c".split(), "a s x c".split())
    {'ins': 1, 'del': 0, 'sub': 1, 'total': 2, 'ref_len': 3, 'err_rate': 0.6666666666666666}
    >>> edit_distance("white paper".split(), ["whitepaper"], merge_compounds=True)["total"]
    0
    """
    costs = SCLITE if sclite_mode else UNIT
    reference = ref if type(ref) is list else list(ref)
    hypothesis = hyp if type(hyp) is list else list(hyp)
    if merge_compounds:
        row = count_with_compounds(as_texts(reference), as_texts(hypothesis), costs)
    else:
        check_order(reference, hypothesis)
        substitution, deletion, insertion = costs
        row = count_tokens(reference, hypothesis, substitution, deletion, insertion, COMPUTE_WER)
    return distance(row)


def distance(row: Sequence[int]) -> EditDistance:
    """The dictionary of counts in the order of `Counts`."""
    correct, substitutions, deletions, insertions = row
    total = substitutions + deletions + insertions
    length = correct + substitutions + deletions
    result = EditDistance()
    result["ins"] = insertions
    result["del"] = deletions
    result["sub"] = substitutions
    result["total"] = total
    result["ref_len"] = length
    result["err_rate"] = total / length if length else float("inf") if total else 0.0
    return result


def symbol_pairs(
    edits: bytes, reference: list[Symbol], hypothesis: list[Symbol], epsilon: Symbol
) -> list[tuple[Symbol, Symbol]]:
    """Pairs of symbols; `epsilon` is put into the two lists where nothing stands."""
    place = edits.find(_INSERTION)
    while place >= 0:
        reference.insert(place, epsilon)
        place = edits.find(_INSERTION, place + 1)
    place = edits.find(_DELETION)
    while place >= 0:
        hypothesis.insert(place, epsilon)
        place = edits.find(_DELETION, place + 1)
    return list(zip(reference, hypothesis))  # noqa: B905 (as many, and every argument takes time)


def check_order(*sides: Iterable[object]) -> None:
    """Refuse symbols that cannot be hashed or ordered among each other, in the words of Python."""
    try:
        for side in sides:
            # strings are in order; nothing finds out faster that all are
            "".join(side)  # type: ignore[arg-type]
    except TypeError:
        sorted(set().union(*sides))  # type: ignore[type-var]


def check_epsilon(epsilon: object, *sides: Sequence[object]) -> None:
    """Refuse an epsilon that is one of the symbols of the reference or the hypothesis."""
    for side in sides:
        if epsilon in side:
            name = "reference" if side is sides[0] else "hypothesis"
            raise ValueError(
                f"eps_symbol: expected a symbol of neither side, found {epsilon!r} "
                f"at place {side.index(epsilon)} of the {name}"
            )


def merged_pairs(
    reference: list[str], hypothesis: list[str], epsilon: str, sclite_mode: bool
) -> list[tuple[str, str]]:
    """Pairs with compounds merged; errors as of `check_epsilon`."""
    check_epsilon(epsilon, reference, hypothesis)
    pairs = align_with_compounds(reference, hypothesis, SCLITE if sclite_mode else UNIT)
    return [
        (epsilon if left is None else left, epsilon if right is None else right)
        for left, right in pairs
    ]
