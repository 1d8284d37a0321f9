"""Many pairs in one call, by the rules of `align` and `edit_distance`."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from itertools import chain
from typing import Any

from scoring.alignment.kernel import align_token_pairs, count_token_pairs
from scoring.alignment.results import CountsTable
from scoring.compat.kaldialign.pairs import (
    COMPUTE_WER,
    EditDistance,
    Symbol,
    align,
    check_epsilon,
    check_order,
    compound_counts,
    costs_of,
    distance,
    symbol_pairs,
)


def align_batch(
    refs: Iterable[Iterable[Symbol]],
    hyps: Iterable[Iterable[Symbol]],
    eps_symbol: Symbol,
    sclite_mode: bool = False,
    merge_compounds: bool = False,
    *,
    threads: int = 0,
) -> list[list[tuple[Symbol, Symbol]]]:
    """The result of `align` for each pair; kaldialign has no such function.

    Parameters
    ----------
    refs, hyps
        As many of one as of the other. Symbols need not have an order here.
    eps_symbol, sclite_mode, merge_compounds
        As of `align`.
    threads
        At most this many; 0: as many as there are processors, if there is enough to do.

    Raises
    ------
    ValueError
        If the numbers of references and hypotheses differ, or `eps_symbol` is one of the symbols.
    TypeError
        If a side is a string, or symbols cannot be hashed.

    Examples
    --------
    >>> align_batch([["a", "b"], ["c"]], [["a"], ["c", "d"]], "*")
    [[('a', 'a'), ('b', '*')], [('c', 'c'), ('*', 'd')]]
    """
    lefts, rights = _lists(refs), _lists(hyps)
    costs = costs_of(sclite_mode)
    edits, offsets, _ = align_token_pairs(lefts, rights, *costs, COMPUTE_WER, threads)
    pairs = zip(lefts, rights, strict=True)
    if merge_compounds:
        return [align(left, right, eps_symbol, sclite_mode, True) for left, right in pairs]
    bounds = memoryview(offsets).cast("q")
    aligned = []
    for number, (left, right) in enumerate(pairs):
        check_epsilon(eps_symbol, left, right)
        codes = edits[bounds[number] : bounds[number + 1]]
        aligned.append(symbol_pairs(codes, [*left], [*right], eps_symbol))
    return aligned


def edit_distance_batch(
    refs: Iterable[Iterable[Symbol]],
    hyps: Iterable[Iterable[Symbol]],
    sclite_mode: bool = False,
    merge_compounds: bool = False,
    *,
    threads: int = 0,
) -> CountsTable:
    """The counts of `edit_distance` for each pair; kaldialign has no such function.

    In a compound all reference tokens count as correct. Parameters and errors as of `align_batch`.

    Examples
    --------
    >>> edit_distance_batch([["white", "paper"]], [["whitepaper"]], merge_compounds=True)[0]
    Counts(correct=2, substitutions=0, deletions=0, insertions=0)
    """
    costs = costs_of(sclite_mode)
    lefts, rights = (_lists(side, as_texts=merge_compounds) for side in (refs, hyps))
    table = CountsTable(count_token_pairs(lefts, rights, *costs, COMPUTE_WER, threads))
    if not merge_compounds:
        return table
    rows = (
        compound_counts(left, right, costs) or counts
        for left, right, counts in zip(lefts, rights, table, strict=True)
    )
    return CountsTable(array("i", chain.from_iterable(rows)).tobytes())


def batch_error_rate(
    refs: Iterable[Iterable[Symbol]],
    hyps: Iterable[Iterable[Symbol]],
    sclite_mode: bool = False,
    merge_compounds: bool = False,
) -> EditDistance:
    """The counts of all pairs together, in the dictionary of `edit_distance`.

    Raises
    ------
    AssertionError
        If a side is a string, or the numbers of references and hypotheses differ.
    TypeError
        As of `edit_distance`.

    Examples
    --------
    >>> batch_error_rate([["a", "b"], ["c"]], [["a"], ["d"]])["total"]
    2
    """
    check_no_strings(
        refs, hyps, "The input must be an iterable of reference and hypothesis sequences."
    )
    lefts, rights = [list(ref) for ref in refs], [list(hyp) for hyp in hyps]
    check_number(len(lefts), len(rights))
    if not merge_compounds:
        for left, right in zip(lefts, rights, strict=True):
            check_order(left, right)
    return distance(edit_distance_batch(lefts, rights, sclite_mode, merge_compounds).total())


def _lists(sequences: Iterable[Iterable[Any]], as_texts: bool = False) -> list[list[Any]]:
    """Lists of lists; a string stays one, for the aligner to reject."""
    if isinstance(sequences, (str, bytes)):
        return sequences  # type: ignore[return-value]
    if as_texts:
        return [list(map(str, item)) for item in sequences]
    return [item if type(item) is list else list(item) for item in sequences]


def check_no_strings(refs: object, hyps: object, message: str) -> None:
    """Raise AssertionError if a side is a string."""
    assert_that(not isinstance(refs, str) and not isinstance(hyps, str), message)


def check_number(references: int, hypotheses: int, whose: str = "") -> None:
    """Raise AssertionError if the numbers differ."""
    assert_that(
        references == hypotheses,
        f"Inconsistent number of reference ({references}) and hypothesis ({hypotheses}) "
        f"sequences{whose}.",
    )


def assert_that(condition: bool, message: str) -> None:
    """Raise AssertionError unless the condition holds, under `python -O` too."""
    if not condition:
        raise AssertionError(message)
