"""The tests of NIST's `sc_stats` on two systems, each with an exact p-value.

The statistics are the same as NIST's to the digit, from `scoring.stats`. The p-values differ. NIST
reads the normal distribution from a table in steps of 0.01, and NIST's binomial probabilities are
far too small beyond 20 differences. Here the p-values are exact: `erfc(|z| / sqrt(2))`; or `2 * P(X
<= fewer)`, at most 1, where `fewer` is the smaller of two numbers, and X is the number of heads of
as many fair coin tosses as the sum of both numbers. At the level 5 %, a verdict differs from
`sc_stats` in two cases only. The first case is |z| between 1.959964 and 1.96. The second case is
McNemar's or the sign test with more than 20 differences, where `sc_stats` reports false
significance.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from math import comb, erfc, sqrt
from typing import Literal, NamedTuple, TypeAlias

from scoring.model.counts import Edit
from scoring.regression.comparison import SignificanceTest
from scoring.stats.matched_pairs import all_segments, matched_pairs_test
from scoring.stats.paired_tests import EQUAL_WITHIN, sign_test, signed_rank_test

# Words that one side was free to leave out: sc_stats, which reads letters, sees them as correct.
_UNPAIRED = bytes(
    [
        Edit.SKIPPED_REFERENCE,
        Edit.SKIPPED_HYPOTHESIS,
        Edit.JOINED_REFERENCE,
        Edit.JOINED_HYPOTHESIS,
    ]
)
_SKIPPED_ARE_CORRECT = bytes.maketrans(_UNPAIRED, bytes([Edit.CORRECT]) * len(_UNPAIRED))
_LEAST_SHARE = 1e-17


class PairedSystems(NamedTuple):
    """Two systems on the same utterances in the same order."""

    baseline: Sequence[Sequence[int]]  # errors and reference tokens of each utterance
    new: Sequence[Sequence[int]]
    alignments: Iterable[tuple[bytes, bytes]] | None  # `Edit` bytes by utterance
    labels: Sequence[Hashable] | None  # what each utterance belongs to for the tests over speakers
    unit: str  # how to call that: `utterance`, `speaker`, `recording`, `given block`


def matched_pairs(pairing: PairedSystems) -> SignificanceTest:
    """Return NIST's MAPSSWE test: errors in segments between words that both systems got right.

    As in `sc_stats`, segments without an error of either system are dropped. If all differences are
    equal, they have no spread and the test has no result. If all differences are 0, p = 1.
    `sc_stats` has z = 0 in both cases.
    """
    name = "matched-pairs"
    if pairing.alignments is None:
        return _not_made(name, "the test needs alignments, and one system has only counts")
    pairs = [
        (old.translate(_SKIPPED_ARE_CORRECT), new.translate(_SKIPPED_ARE_CORRECT))
        for old, new in pairing.alignments
    ]
    differences = all_segments(pairs).with_errors().differences
    count = len(differences)
    if count < 2:
        return _not_made(name, f"expected at least two segments with errors, found {count}")
    moments = matched_pairs_test(differences).moments
    if not moments.variance and moments.mean:
        return _not_made(
            name,
            f"the differences of all {count} segments are {moments.mean:g}, without any spread",
        )
    remark = f"MAPSSWE, {count} segments, mean difference {moments.mean:.3f}, z = {moments.z:.3f}"
    return SignificanceTest(name, normal_two_sided(moments.z), None, remark)


def mcnemar(pairing: PairedSystems) -> SignificanceTest:
    """Return McNemar's exact test of the utterances that only one system got wrong.

    An utterance is wrong if it has any error. If both numbers are equal, even zero, p = 1.
    """
    every = len(pairing.baseline)
    if not every:
        return _not_made("mcnemar", "there are no utterances to test")
    wrong = [
        (old[0] > 0, changed[0] > 0)
        for old, changed in zip(pairing.baseline, pairing.new, strict=True)
    ]
    old_only, new_only = wrong.count((True, False)), wrong.count((False, True))
    remark = (
        f"exact McNemar, of {every:,} utterances {old_only:,} wrong only in the baseline, "
        f"{new_only:,} only in the new system"
    )
    return SignificanceTest("mcnemar", fair_coin_two_sided(old_only, new_only), None, remark)


def sign(pairing: PairedSystems) -> SignificanceTest:
    """Return the exact sign test of error rates by speaker or by another label.

    As in `sc_stats`, rates within 0.005 percentage points of each other are equal. Equal pairs are
    divided between both systems, and an odd pair goes to the system with the greater sum of rates.
    The textbook drops equal pairs. Without reference tokens the rate is 0, even with insertions.
    """
    old, new = _rates(pairing)
    if len(old) < 2:
        return _not_made("sign", f"expected at least two {pairing.unit}s, found {len(old)}")
    signs = sign_test(old, new)
    better, worse = signs.positive, signs.negative
    if not signs.first_is_worse:
        better, worse = worse, better
    remark = (
        f"exact sign test over {len(old):,} {pairing.unit}s: new better in {better:,}, "
        f"worse in {worse:,}, equal in {signs.zero:,}{_without_tokens(pairing)}"
    )
    p_value = fair_coin_two_sided(signs.halved_positive, signs.halved_negative)
    return SignificanceTest("sign", p_value, None, remark)


def wilcoxon(pairing: PairedSystems) -> SignificanceTest:
    """Return Wilcoxon's signed rank test of error rates by speaker or by another label.

    As in `sc_stats`, the normal approximation has no corrections for continuity or ties. Equal
    rates (see `sign`) keep their ranks and are assigned to both sides in turn. The approximation is
    rough below eight pairs of rates. If all rates are equal, p = 1.
    """
    old, new = _rates(pairing)
    if len(old) < 2:
        return _not_made("wilcoxon", f"expected at least two {pairing.unit}s, found {len(old)}")
    ranked = signed_rank_test(old, new)
    remark = f"Wilcoxon's signed ranks over {len(old):,} {pairing.unit}s, z = {ranked.z:.3f}"
    differ = any(abs(difference) > EQUAL_WITHIN for difference in ranked.differences)
    p_value = normal_two_sided(ranked.z) if differ else 1.0
    return SignificanceTest("wilcoxon", p_value, None, remark + _without_tokens(pairing))


# By the name that `scoring.compare` knows them by.
NistTestName: TypeAlias = Literal["matched-pairs", "mcnemar", "sign", "wilcoxon"]
NIST_TESTS: Mapping[NistTestName, Callable[[PairedSystems], SignificanceTest]] = {
    "matched-pairs": matched_pairs,
    "mcnemar": mcnemar,
    "sign": sign,
    "wilcoxon": wilcoxon,
}
BY_SPEAKER = frozenset({"sign", "wilcoxon"})


def normal_two_sided(z: float) -> float:
    """Return the probability that a standard normal variable is at least |z| away from 0."""
    return erfc(abs(z) / sqrt(2))


def fair_coin_two_sided(heads: int, tails: int) -> float:
    """Return the two-sided probability that tosses of a fair coin are at least as uneven.

    The result is exact except for rounding, for any number of tosses.
    """
    fewer, every = min(heads, tails), heads + tails
    if 2 * fewer == every:
        return 1.0
    # a quotient of whole numbers is rounded once, however long they are
    term = total = comb(every, fewer) / (1 << every)
    while fewer and term > total * _LEAST_SHARE:
        term *= fewer / (every - fewer + 1)
        total += term
        fewer -= 1
    return min(1.0, 2 * total)


def _rates(pairing: PairedSystems) -> tuple[list[float], list[float]]:
    """Return both systems' error rates in percent, by unit in order of first appearance."""
    keys = range(len(pairing.baseline)) if pairing.labels is None else pairing.labels
    old, new = (
        [errors / tokens * 100 if tokens else 0.0 for errors, tokens in _sums(statistics, keys)]
        for statistics in (pairing.baseline, pairing.new)
    )
    return old, new


def _sums(statistics: Sequence[Sequence[int]], keys: Sequence[Hashable]) -> list[list[int]]:
    sums: dict[Hashable, list[int]] = {}
    for key, (errors, tokens) in zip(keys, statistics, strict=True):
        total = sums.setdefault(key, [0, 0])
        total[0] += errors
        total[1] += tokens
    return list(sums.values())


def _without_tokens(pairing: PairedSystems) -> str:
    """Return a remark on units with insertions but without reference words, whose rate is 0."""
    keys = range(len(pairing.baseline)) if pairing.labels is None else pairing.labels
    hidden = {
        index
        for statistics in (pairing.baseline, pairing.new)
        for index, (errors, tokens) in enumerate(_sums(statistics, keys))
        if errors and not tokens
    }
    if not hidden:
        return ""
    return f" (insertions in {len(hidden):,} that have no reference words do not count)"


def _not_made(name: str, reason: str) -> SignificanceTest:
    return SignificanceTest(name, None, None, reason)
