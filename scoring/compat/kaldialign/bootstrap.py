"""Bootstrap intervals of error rates, with the draws of the package kaldialign."""

from __future__ import annotations

import math
from collections.abc import Sequence
from operator import index
from typing import TypedDict, overload

from scoring.compat.kaldialign.batches import (
    assert_that,
    check_number,
    edit_distance_batch,
    refuse_strings,
)
from scoring.compat.kaldialign.pairs import Symbol, check_order
from scoring.errors import StatisticsError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from scoring.stats.kaldi import KaldiBootstrap


class BootstrapResult(TypedDict):
    """A rate and its interval, as ratios: `ci95min` and `ci95max` are `wer` -+ `ci95`."""

    wer: float
    ci95: float
    ci95min: float
    ci95max: float


class PairedBootstrapResult(TypedDict):
    """Two systems, and the share of replications in which the second had fewer errors."""

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
    """The mean of the replications' error rates and its 95 % interval (Bisani and Ney, 2004).

    Parameters
    ----------
    refs, hyps
        As many of one as of the other; every error costs 1.
    hyps2
        A second system on the same references.
    replications
        How many, from 1.
    seed
        From 0 to 2**32 - 1. The same seed gives the same result; both systems and their
        comparison use the same draws.
    merge_compounds
        As of `align`.

    Returns
    -------
    A dictionary with `wer` (mean of the replications), `ci95` (1.96 standard deviations), `ci95min`
    and `ci95max`, as ratios; with a second system one of these as `system1`, one as `system2` and
    `p_s2_improv_over_s1`, the share of replications in which the second has fewer errors.

    Raises
    ------
    AssertionError
        If numbers of sequences differ, an argument is out of range or a side is a string.
    TypeError
        If symbols cannot be hashed or ordered, or a number is no whole number.

    Examples
    --------
    >>> result = bootstrap_wer_ci(["abc", "def"], ["abd", "eff"])
    >>> f"{result['wer']:.4f} from {result['ci95min']:.4f} to {result['ci95max']:.4f}"
    '0.4998 from 0.2696 to 0.7300'
    """
    check_number(len(refs), len(hyps))
    assert_that(replications > 0, "The number of replications must be greater than 0.")
    assert_that(seed >= 0, "The seed must be 0 or greater.")
    refuse_strings(refs, hyps, "The input must be a list of strings or list of lists of ints.")
    draws = _Draws(index(replications), index(seed))
    if not merge_compounds:
        check_order(*refs, *hyps, *(hyps2 or ()))
    errors, tokens = _errors(refs, hyps, merge_compounds)
    first = draws.result(errors, tokens)
    if hyps2 is None:
        return first
    check_number(len(refs), len(hyps2), " for the second system (hyp2_seqs)")
    other, _ = _errors(refs, hyps2, merge_compounds)
    return {
        "system1": first,
        "system2": draws.result(other, tokens),
        "p_s2_improv_over_s1": draws.improvement(errors, other),
    }


class _Draws:
    """How replications are drawn."""

    def __init__(self, replications: int, seed: int) -> None:
        if seed >= 2**32:
            raise TypeError(f"seed: expected a number from 0 to 2**32 - 1, found {seed}")
        self._replications = replications
        self._seed = seed

    def _drawn(self, *numbers: list[int]) -> KaldiBootstrap:
        from scoring.stats.kaldi import kaldialign_bootstrap

        return kaldialign_bootstrap(*numbers, replications=self._replications, seed=self._seed)

    def result(self, errors: list[int], tokens: list[int]) -> BootstrapResult:
        try:
            bootstrap = self._drawn(errors, tokens).first
            mean, reach = bootstrap.mean, bootstrap.half_width or 0.0
        except StatisticsError:
            mean, reach = self._without_tokens(errors, tokens), 0.0
        low, high = (mean - reach, mean + reach) if reach else (mean, mean)
        return {"wer": mean, "ci95": reach, "ci95min": low, "ci95max": high}

    def _without_tokens(self, errors: list[int], tokens: list[int]) -> float:
        """The mean if a replication has no tokens: NaN if one has no errors either."""
        try:
            self._drawn(errors, [a + b for a, b in zip(errors, tokens, strict=True)])
        except StatisticsError:
            return math.nan
        return math.inf

    def improvement(self, errors: list[int], other: list[int]) -> float:
        """In what share of replications the second has fewer errors; tokens do not matter."""
        if not errors:
            return 0.0
        return self._drawn(errors, [1] * len(errors), other).probability_of_improvement or 0.0


def _errors(
    refs: Sequence[Sequence[Symbol]], hyps: Sequence[Sequence[Symbol]], merge_compounds: bool
) -> tuple[list[int], list[int]]:
    """Errors and reference symbols of each pair."""
    table = edit_distance_batch(refs, hyps, False, merge_compounds)
    return [item.errors for item in table], [item.reference_tokens for item in table]
