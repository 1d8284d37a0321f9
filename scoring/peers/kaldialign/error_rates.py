"""Error rates of many pairs, and bootstrap intervals that draw like the package kaldialign."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Sequence
from itertools import chain
from operator import index
from typing import TYPE_CHECKING, TypedDict, overload

from scoring.alignment.results import CountsTable
from scoring.alignment.sequences import edit_distance_batch
from scoring.peers.kaldialign.pairs import (
    Symbol,
    check_order,
    compound_counts,
    costs_of,
    distance,
)

if TYPE_CHECKING:
    from scoring.stats.kaldi import ReplicatedRate


def batch_error_rate(
    refs: Iterable[Iterable[Symbol]],
    hyps: Iterable[Iterable[Symbol]],
    sclite_mode: bool = False,
    merge_compounds: bool = False,
) -> dict[str, float]:
    """Return the sum of the counts of all pairs, with the keys of `edit_distance`.

    Raises
    ------
    AssertionError
        If a side is a string, or the numbers of references and hypotheses differ.
    TypeError
        As in `edit_distance`.

    Examples
    --------
    >>> batch_error_rate([["a", "b"], ["c"]], [["a"], ["d"]])["total"]
    2
    """
    _check_no_strings(
        refs, hyps, "The input must be an iterable of reference and hypothesis sequences."
    )
    lefts, rights = [list(ref) for ref in refs], [list(hyp) for hyp in hyps]
    _check_number(len(lefts), len(rights))
    if not merge_compounds:
        for left, right in zip(lefts, rights, strict=True):
            check_order(left, right)
    return distance(_counts(lefts, rights, merge_compounds, sclite_mode).total())


def _counts(
    refs: list[list[Symbol]], hyps: list[list[Symbol]], merge_compounds: bool, sclite_mode: bool
) -> CountsTable:
    """Return the counts of each pair.

    If a compound is merged, all its reference tokens are correct.
    """
    costs = costs_of(sclite_mode)
    if not merge_compounds:
        return edit_distance_batch(refs, hyps, costs=costs, ties="compute-wer")
    lefts, rights = ([list(map(str, item)) for item in side] for side in (refs, hyps))
    table = edit_distance_batch(lefts, rights, costs=costs, ties="compute-wer")
    rows = (
        compound_counts(left, right, costs) or counts
        for left, right, counts in zip(lefts, rights, table, strict=True)
    )
    return CountsTable(array("i", chain.from_iterable(rows)).tobytes())


class BootstrapResult(TypedDict):
    """An error rate and its interval, as ratios; the limits are `wer` minus and plus `ci95`."""

    wer: float
    ci95: float
    ci95min: float
    ci95max: float


class PairedBootstrapResult(TypedDict):
    """The results of two systems, and how often the second system is better.

    This is the share of replications in which the second system has fewer errors.
    """

    system1: BootstrapResult
    system2: BootstrapResult
    p_s2_improv_over_s1: float


@overload
def bootstrap_wer_ci(
    refs: Sequence[Sequence[Symbol]],
    hyps: Sequence[Sequence[Symbol]],
    hyps2: None = ...,
    replications: int = ...,
    seed: int = ...,
    merge_compounds: bool = ...,
) -> BootstrapResult: ...
@overload
def bootstrap_wer_ci(
    refs: Sequence[Sequence[Symbol]],
    hyps: Sequence[Sequence[Symbol]],
    hyps2: Sequence[Sequence[Symbol]],
    replications: int = ...,
    seed: int = ...,
    merge_compounds: bool = ...,
) -> PairedBootstrapResult: ...
def bootstrap_wer_ci(
    refs: Sequence[Sequence[Symbol]],
    hyps: Sequence[Sequence[Symbol]],
    hyps2: Sequence[Sequence[Symbol]] | None = None,
    replications: int = 10_000,
    seed: int = 0,
    merge_compounds: bool = False,
) -> BootstrapResult | PairedBootstrapResult:
    """Return the mean bootstrap error rate and its 95 % interval (Bisani and Ney, 2004).

    Parameters
    ----------
    refs, hyps
        Equally many references and hypotheses; every error costs 1.
    hyps2
        A second system on the same references.
    replications
        Number of replications, at least 1.
    seed
        From 0 to 2**32 - 1. The same seed gives the same result; both systems and their
        comparison use the same draws.
    merge_compounds
        As in `align`.

    Returns
    -------
    A dictionary with `wer` (mean of the replications), `ci95` (1.96 standard deviations), `ci95min`
    and `ci95max`, as ratios. With a second system, a dictionary of `system1` and `system2`, each
    with these members, and `p_s2_improv_over_s1`, the share of replications in which the second
    system has fewer errors.

    Raises
    ------
    AssertionError
        If numbers of sequences differ, an argument is out of range or a side is a string.
    TypeError
        If symbols cannot be hashed or ordered, or a number is not a whole number.

    Examples
    --------
    >>> result = bootstrap_wer_ci(["abc", "def"], ["abd", "eff"])
    >>> f"{result['wer']:.4f} from {result['ci95min']:.4f} to {result['ci95max']:.4f}"
    '0.4998 from 0.2696 to 0.7300'
    """
    _check_number(len(refs), len(hyps))
    _assert_that(replications > 0, "The number of replications must be greater than 0.")
    _assert_that(seed >= 0, "The seed must be 0 or greater.")
    _check_no_strings(refs, hyps, "The input must be a list of strings or list of lists of ints.")
    if index(seed) >= 2**32:
        raise TypeError(f"seed: expected a number from 0 to 2**32 - 1, found {seed}")
    if not merge_compounds:
        check_order(*refs, *hyps, *(hyps2 or ()))
    if hyps2 is not None:
        _check_number(len(refs), len(hyps2), " for the second system (hyp2_seqs)")
    references = list(map(list, refs))
    tables = [
        _counts(references, list(map(list, side)), merge_compounds, False)
        for side in ([hyps] if hyps2 is None else [hyps, hyps2])
    ]
    from scoring.stats.kaldi import kaldialign_bootstrap

    errors = [[counts.errors for counts in table] for table in tables]
    found = kaldialign_bootstrap(
        errors[0],
        [counts.reference_tokens for counts in tables[0]],
        *errors[1:],
        replications=index(replications),
        seed=seed,
        allow_undefined=True,
    )
    first = _result(found.first)
    if found.second is None:
        return first
    return {
        "system1": first,
        "system2": _result(found.second),
        "p_s2_improv_over_s1": found.probability_of_improvement or 0.0,
    }


def _result(rate: ReplicatedRate) -> BootstrapResult:
    """Return the rate and the interval of one system.

    They are infinite or NaN if a replication has no tokens.
    """
    reach = 0.0 if math.isnan(rate.mean) else rate.half_width or 0.0
    low, high = rate.mean - reach, rate.mean + reach
    return {"wer": rate.mean, "ci95": reach, "ci95min": low, "ci95max": high}


def _check_no_strings(refs: object, hyps: object, message: str) -> None:
    """Raise AssertionError if a side is a string."""
    _assert_that(not isinstance(refs, str) and not isinstance(hyps, str), message)


def _check_number(references: int, hypotheses: int, whose: str = "") -> None:
    """Raise AssertionError if the numbers of references and hypotheses differ."""
    _assert_that(
        references == hypotheses,
        f"Inconsistent number of reference ({references}) and hypothesis ({hypotheses}) "
        f"sequences{whose}.",
    )


def _assert_that(condition: bool, message: str) -> None:
    """Raise AssertionError unless the condition is true, even under `python -O`."""
    if not condition:
        raise AssertionError(message)
