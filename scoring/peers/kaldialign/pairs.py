"""Alignment and counts with the names and rules of the package kaldialign (0.12).

A program written for kaldialign gets the same alignments, the same numbers in the same dictionary
and the same errors. Every error costs 1, or as much as in sclite with `sclite_mode`. Ties are
resolved as in Kaldi's `compute-wer` (`compute-wer` of `scoring.Ties`). A string is a sequence of
characters here. With `merge_compounds`, two or more adjacent words match, at no cost, a word of the
other side that consists of their texts without a separator.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar, cast

from scoring.alignment.kernel import align_compounds, align_tokens, count_tokens
from scoring.model.counts import SCLITE_COSTS, UNIT_COSTS, Costs, Counts

Symbol = TypeVar("Symbol")

# Insertion, deletion, diagonal: the ties that `scoring.model.counts.Ties` calls compute-wer.
COMPUTE_WER = 2
_DELETION, _INSERTION = 2, 3


def align(
    ref: Iterable[Symbol],
    hyp: Iterable[Symbol],
    eps_symbol: Symbol,
    sclite_mode: bool = False,
    merge_compounds: bool = False,
) -> list[tuple[Symbol, Symbol]]:
    """Return pairs of a reference and a hypothesis symbol.

    Parameters
    ----------
    ref, hyp
        Iterables of hashable symbols that can be ordered among each other.
    eps_symbol
        The symbol for a missing one: the first of a pair in an insertion, the second in a deletion.
    sclite_mode
        An insertion or a deletion costs 3 and a substitution 4; otherwise each costs 1.
    merge_compounds
        Adjacent symbols match a symbol of the other side that they spell together; the result has
        them as one string with blanks between them. All symbols are converted to strings.

    Raises
    ------
    TypeError
        If symbols cannot be hashed or ordered.
    ValueError
        If `eps_symbol` is one of the symbols; kaldialign then returns an ambiguous alignment.

    Examples
    --------
    >>> align("a b c".split(), "a s x c".split(), "*")
    [('a', 'a'), ('b', 's'), ('*', 'x'), ('c', 'c')]
    >>> align("the white paper".split(), "the whitepaper".split(), "*", merge_compounds=True)
    [('the', 'the'), ('white paper', 'whitepaper')]
    """
    costs = costs_of(sclite_mode)
    check_sides(ref, hyp)
    if merge_compounds:
        pairs = _merged_pairs(list(map(str, ref)), list(map(str, hyp)), str(eps_symbol), costs)
        return cast("list[tuple[Symbol, Symbol]]", pairs)
    reference, hypothesis = list(ref), list(hyp)
    check_order(reference, hypothesis, (eps_symbol,))
    check_epsilon(eps_symbol, reference, hypothesis)
    edits, _ = align_tokens(reference, hypothesis, costs, COMPUTE_WER)
    return symbol_pairs(edits, reference, hypothesis, eps_symbol)


def edit_distance(
    ref: Iterable[Symbol],
    hyp: Iterable[Symbol],
    sclite_mode: bool = False,
    merge_compounds: bool = False,
) -> dict[str, float]:
    """Return the numbers of inserted, deleted and substituted symbols in the alignment of `align`.

    The keys are `ins`, `del`, `sub`, `total` (all errors), `ref_len` (reference tokens) and
    `err_rate` (errors per reference token as a ratio; without reference tokens 0.0 if there are no
    errors, otherwise infinity). Parameters and errors are those of `align`.

    Examples
    --------
    >>> edit_distance("a b c".split(), "a s x c".split())
    {'ins': 1, 'del': 0, 'sub': 1, 'total': 2, 'ref_len': 3, 'err_rate': 0.6666666666666666}
    >>> edit_distance("white paper".split(), ["whitepaper"], merge_compounds=True)["total"]
    0
    """
    costs = costs_of(sclite_mode)
    check_sides(ref, hyp)
    if merge_compounds:
        texts = list(map(str, ref)), list(map(str, hyp))
        return distance(compound_counts(*texts, costs) or count_tokens(*texts, costs, COMPUTE_WER))
    reference = ref if type(ref) is list else list(ref)
    hypothesis = hyp if type(hyp) is list else list(hyp)
    check_order(reference, hypothesis)
    return distance(count_tokens(reference, hypothesis, costs, COMPUTE_WER))


def costs_of(sclite_mode: bool) -> Costs:
    """Return the costs of edits with or without `sclite_mode`."""
    return SCLITE_COSTS if sclite_mode else UNIT_COSTS


def distance(row: Sequence[int]) -> dict[str, float]:
    """Convert a row of counts to the dictionary of `edit_distance`."""
    correct, substitutions, deletions, insertions = row
    total = substitutions + deletions + insertions
    length = correct + substitutions + deletions
    return {
        "ins": insertions,
        "del": deletions,
        "sub": substitutions,
        "total": total,
        "ref_len": length,
        "err_rate": total / length if length else float("inf") if total else 0.0,
    }


def symbol_pairs(
    edits: bytes, reference: list[Symbol], hypothesis: list[Symbol], epsilon: Symbol
) -> list[tuple[Symbol, Symbol]]:
    """Return pairs of symbols; `epsilon` replaces a missing symbol.

    `epsilon` is appended to both lists.
    """
    for code, symbols in ((_INSERTION, reference), (_DELETION, hypothesis)):
        index = edits.find(code)
        while index >= 0:
            symbols.insert(index, epsilon)
            index = edits.find(code, index + 1)
    return list(zip(reference, hypothesis))  # noqa: B905 (as many, and every argument takes time)


def check_sides(ref: object, hyp: object) -> None:
    """Raise an error if a side is None."""
    for name, side in (("ref", ref), ("hyp", hyp)):
        if side is None:
            raise TypeError(f"{name}: expected a sequence of symbols, found None")


def check_order(*sides: Iterable[object]) -> None:
    """Raise Python's own error if symbols cannot be hashed or cannot be ordered."""
    try:
        for side in sides:
            # the fastest check that all are strings, which have an order
            "".join(side)  # type: ignore[arg-type]
    except TypeError:
        sorted(set().union(*sides))  # type: ignore[type-var]


def check_epsilon(
    epsilon: object, reference: Sequence[object], hypothesis: Sequence[object]
) -> None:
    """Raise an error if `epsilon` equals one of the symbols."""
    for name, side in (("reference", reference), ("hypothesis", hypothesis)):
        if epsilon in side:
            raise ValueError(
                f"eps_symbol: expected a symbol of neither side, found {epsilon!r} "
                f"at place {side.index(epsilon)} of the {name}"
            )


def _merged_pairs(
    reference: list[str], hypothesis: list[str], epsilon: str, costs: Costs
) -> list[tuple[str, str]]:
    """Return pairs in which the words of a compound are joined by blanks."""
    check_epsilon(epsilon, reference, hypothesis)
    steps = align_compounds(reference, hypothesis, *costs)
    if not steps:
        edits, _ = align_tokens(reference, hypothesis, costs, COMPUTE_WER)
        return symbol_pairs(edits, reference, hypothesis, epsilon)
    pairs = _word_groups(reference, hypothesis, steps)
    return [(_joined(left, epsilon), _joined(right, epsilon)) for left, right in pairs]


def compound_counts(reference: list[str], hypothesis: list[str], costs: Costs) -> Counts | None:
    """Count errors with merged compounds; return None if no neighbours spell a word."""
    steps = align_compounds(reference, hypothesis, *costs)
    if not steps:
        return None
    substitutions = deletions = insertions = 0
    for left, right in _word_groups(reference, hypothesis, steps):
        insertions += not left
        deletions += not right
        substitutions += len(left) == len(right) and left != right
    correct = len(reference) - substitutions - deletions
    return Counts(correct, substitutions, deletions, insertions)


def _word_groups(
    reference: list[str], hypothesis: list[str], steps: bytes
) -> Iterator[tuple[list[str], list[str]]]:
    """Yield, for each step of an alignment with compounds, its words on both sides."""
    numbers = memoryview(steps).cast("i")
    i = j = 0
    for up, left in zip(numbers[::2], numbers[1::2], strict=True):
        yield reference[i : i + up], hypothesis[j : j + left]
        i, j = i + up, j + left


def _joined(words: list[str], epsilon: str) -> str:
    """Join words by blanks, but without blanks before the first word that is not empty.

    The result is `epsilon` if there are no words.
    """
    if not words:
        return epsilon
    begin = next((index for index, word in enumerate(words) if word), len(words) - 1)
    return " ".join(words[begin:])
