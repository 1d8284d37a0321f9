"""Many pairs by the rules of `scoring.alignment.symbols`, in one call."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from typing import cast

from scoring.alignment.compounds import as_texts, count_compounds
from scoring.alignment.kernel import align_token_pairs, count_token_pairs
from scoring.alignment.symbols import (
    COMPUTE_WER,
    SCLITE,
    UNIT,
    Symbol,
    check_epsilon,
    merged_pairs,
    symbol_pairs,
)


def align_symbol_batch(
    references: Iterable[Iterable[Symbol]],
    hypotheses: Iterable[Iterable[Symbol]],
    epsilon: Symbol,
    *,
    sclite_mode: bool,
    merge_compounds: bool,
    threads: int,
) -> list[list[tuple[Symbol, Symbol]]]:
    """What `symbols.align` returns, of each pair; `scoring.align_batch` tells of the arguments."""
    lefts, rights = _sides(references, hypotheses)
    if merge_compounds:
        merged = [
            merged_pairs(as_texts(left), as_texts(right), str(epsilon), sclite_mode)
            for left, right in zip(lefts, rights, strict=True)
        ]
        return cast("list[list[tuple[Symbol, Symbol]]]", merged)
    costs = SCLITE if sclite_mode else UNIT
    edits, offsets, _ = align_token_pairs(lefts, rights, *costs, COMPUTE_WER, threads)
    bounds = memoryview(offsets).cast("q")
    aligned = []
    for k, (left, right) in enumerate(zip(lefts, rights, strict=True)):
        check_epsilon(epsilon, left, right)
        aligned.append(symbol_pairs(edits[bounds[k] : bounds[k + 1]], [*left], [*right], epsilon))
    return aligned


def count_symbol_batch(
    references: Iterable[Iterable[Symbol]],
    hypotheses: Iterable[Iterable[Symbol]],
    *,
    sclite_mode: bool,
    merge_compounds: bool,
    threads: int,
) -> bytes:
    """int32, four per pair: the counts of `symbols.edit_distance` in the order of `Counts`."""
    costs = SCLITE if sclite_mode else UNIT
    lefts, rights = _sides(references, hypotheses)
    if not merge_compounds:
        return count_token_pairs(lefts, rights, *costs, COMPUTE_WER, threads)
    left_texts, right_texts = ([as_texts(one) for one in side] for side in (lefts, rights))
    rows = array("i", count_token_pairs(left_texts, right_texts, *costs, COMPUTE_WER, threads))
    for k, (left, right) in enumerate(zip(left_texts, right_texts, strict=True)):
        row = count_compounds(left, right, costs)
        if row is not None:
            rows[4 * k : 4 * k + 4] = array("i", row)
    return rows.tobytes()


def _sides(
    references: Iterable[Iterable[Symbol]], hypotheses: Iterable[Iterable[Symbol]]
) -> tuple[list[list[Symbol]], list[list[Symbol]]]:
    """Lists of lists, as many of one as of the other."""
    for sequences, name in ((references, "references"), (hypotheses, "hypotheses")):
        if isinstance(sequences, (str, bytes)):
            found = type(sequences).__name__
            raise TypeError(f"{name}: expected a sequence of sequences, found {found}")
    lefts, rights = (
        [one if type(one) is list else list(one) for one in side]
        for side in (references, hypotheses)
    )
    if len(lefts) != len(rights):
        raise ValueError(
            f"expected as many hypotheses as references, found {len(rights)} and {len(lefts)}"
        )
    return lefts, rights
