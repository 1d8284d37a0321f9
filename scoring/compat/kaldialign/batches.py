"""Many pairs in one call, by the rules of `align` and `edit_distance`."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from typing import cast

from scoring.alignment.batch import CountsTable
from scoring.alignment.kernel import align_token_pairs, count_token_pairs
from scoring.compat.kaldialign.compounds import as_texts, count_compounds
from scoring.compat.kaldialign.pairs import (
    COMPUTE_WER,
    SCLITE,
    UNIT,
    EditDistance,
    Symbol,
    check_epsilon,
    check_order,
    distance,
    merged_pairs,
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
    """What `align` returns, of each pair; kaldialign has no such function.

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
        If there are not as many of one as of the other, or `eps_symbol` is one of the symbols.
    TypeError
        If a side is a string, or symbols cannot be hashed.

    Examples
    --------
    >>> align_batch([["a", "b"], ["c"]], [["a"], ["c", "d"]], "*")
    [[('a', 'a'), ('b', '*')], [('c', 'c'), ('*', 'd')]]
    """
    lefts, rights = _sides(refs, hyps)
    if merge_compounds:
        merged = [
            merged_pairs(as_texts(left), as_texts(right), str(eps_symbol), sclite_mode)
            for left, right in zip(lefts, rights, strict=True)
        ]
        return cast("list[list[tuple[Symbol, Symbol]]]", merged)
    costs = SCLITE if sclite_mode else UNIT
    edits, offsets, _ = align_token_pairs(lefts, rights, *costs, COMPUTE_WER, threads)
    bounds = memoryview(offsets).cast("q")
    aligned = []
    for k, (left, right) in enumerate(zip(lefts, rights, strict=True)):
        check_epsilon(eps_symbol, left, right)
        aligned.append(
            symbol_pairs(edits[bounds[k] : bounds[k + 1]], [*left], [*right], eps_symbol)
        )
    return aligned


def edit_distance_batch(
    refs: Iterable[Iterable[Symbol]],
    hyps: Iterable[Iterable[Symbol]],
    sclite_mode: bool = False,
    merge_compounds: bool = False,
    *,
    threads: int = 0,
) -> CountsTable:
    """The counts of `edit_distance`, of each pair; kaldialign has no such function.

    In a compound all reference tokens count as correct. Parameters and errors as of `align_batch`.

    Examples
    --------
    >>> edit_distance_batch([["white", "paper"]], [["whitepaper"]], merge_compounds=True)[0]
    Counts(correct=2, substitutions=0, deletions=0, insertions=0)
    """
    costs = SCLITE if sclite_mode else UNIT
    lefts, rights = _sides(refs, hyps)
    if not merge_compounds:
        return CountsTable(count_token_pairs(lefts, rights, *costs, COMPUTE_WER, threads))
    left_texts, right_texts = ([as_texts(item) for item in side] for side in (lefts, rights))
    rows = array("i", count_token_pairs(left_texts, right_texts, *costs, COMPUTE_WER, threads))
    for k, (left, right) in enumerate(zip(left_texts, right_texts, strict=True)):
        row = count_compounds(left, right, costs)
        if row is not None:
            rows[4 * k : 4 * k + 4] = array("i", row)
    return CountsTable(rows.tobytes())


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
        If a side is a string, or there are not as many references as hypotheses.
    TypeError
        As of `edit_distance`.

    Examples
    --------
    >>> batch_error_rate([["a", "b"], ["c"]], [["a"], ["d"]])["total"]
    2
    """
    refuse_strings(
        refs, hyps, "The input must be an iterable of reference and hypothesis sequences."
    )
    lefts, rights = [list(ref) for ref in refs], [list(hyp) for hyp in hyps]
    check_number(len(lefts), len(rights))
    if not merge_compounds:
        for left, right in zip(lefts, rights, strict=True):
            check_order(left, right)
    return distance(edit_distance_batch(lefts, rights, sclite_mode, merge_compounds).total())


def _sides(
    references: Iterable[Iterable[Symbol]], hypotheses: Iterable[Iterable[Symbol]]
) -> tuple[list[list[Symbol]], list[list[Symbol]]]:
    """Lists of lists, as many of one as of the other."""
    for sequences, name in ((references, "references"), (hypotheses, "hypotheses")):
        if isinstance(sequences, (str, bytes)):
            found = type(sequences).__name__
            raise TypeError(f"{name}: expected a sequence of sequences, found {found}")
    lefts, rights = (
        [item if type(item) is list else list(item) for item in side]
        for side in (references, hypotheses)
    )
    if len(lefts) != len(rights):
        raise ValueError(
            f"expected as many hypotheses as references, found {len(rights)} and {len(lefts)}"
        )
    return lefts, rights


def refuse_strings(refs: object, hyps: object, message: str) -> None:
    """An AssertionError if a side is a string."""
    assert_that(not isinstance(refs, str) and not isinstance(hyps, str), message)


def check_number(references: int, hypotheses: int, whose: str = "") -> None:
    """An AssertionError if there are not as many of one as of the other."""
    assert_that(
        references == hypotheses,
        f"Inconsistent number of reference ({references}) and hypothesis ({hypotheses}) "
        f"sequences{whose}.",
    )


def assert_that(condition: bool, message: str) -> None:
    """An AssertionError that python -O does not leave out."""
    if not condition:
        raise AssertionError(message)
