"""The signed rank test over speakers, and where it leaves the textbook."""

from __future__ import annotations

import random
from itertools import product
from math import sqrt

import pytest

from scoring.stats.paired_tests import signed_rank_test


def test_where_the_definitions_agree_it_is_scipy_s() -> None:
    stats = pytest.importorskip("scipy.stats", reason="scipy, the oracle, is not installed")
    rng = random.Random(4)
    compared = 0
    for _ in range(300):
        speakers = rng.randint(5, 40)
        first = [rng.random() * 40 for _ in range(speakers)]
        second = [rng.random() * 40 for _ in range(speakers)]
        result = signed_rank_test(first, second)
        sums = (result.positive_sum, result.negative_sum)
        fewer = sums[0] if result.positive < result.negative else sums[1]
        gaps = [abs(a - b) for a, b in zip(first, second, strict=True)]
        if fewer != min(sums) or min(gaps) <= 0.005 or len(set(gaps)) < speakers:
            continue
        compared += 1
        textbook = stats.wilcoxon(first, second, method="approx", correction=False)
        assert fewer == textbook.statistic
        assert result.z == pytest.approx(-abs(stats.norm.isf(textbook.pvalue / 2)), abs=1e-9)
        assert result.verdict.probability == pytest.approx(textbook.pvalue, abs=0.009)
    assert compared > 100


@pytest.mark.parametrize("speakers", range(1, 9))
def test_mean_and_spread_of_every_outcome(speakers: int) -> None:
    """The mean and the variance in z are those of the rank sum over all signs."""
    sums = [
        sum(rank for rank, sign in enumerate(signs, 1) if sign)
        for signs in product((0, 1), repeat=speakers)
    ]
    mean = sum(sums) / len(sums)
    spread = sqrt(sum((one - mean) ** 2 for one in sums) / len(sums))
    first = [float(one) for one in range(1, speakers + 1)]
    result = signed_rank_test(first, [0.0] * speakers)
    assert result.negative_sum == 0
    assert result.z == pytest.approx((0 - mean) / spread)


def test_a_worked_example() -> None:
    first, second = [0.0, 6.98, 4.26, 23.33], [6.67, 0.0, 0.0, 0.0]
    result = signed_rank_test(first, second)
    assert (result.positive, result.negative) == (3, 1)
    assert (result.positive_sum, result.negative_sum) == (8.0, 2.0)
    assert round(result.z, 2) == -1.10
    assert result.verdict.better == 0


def test_zero_differences_go_to_either_side_in_turn() -> None:
    result = signed_rank_test([5.0] * 5, [5.0] * 5)
    assert (result.positive, result.negative) == (3, 2)
    assert (result.positive_sum, result.negative_sum) == (9.0, 6.0)


def test_the_better_system_of_a_significant_difference() -> None:
    worse, better = [20.0 + one for one in range(12)], [10.0] * 12
    assert signed_rank_test(worse, better).verdict.better == 1
    assert signed_rank_test(better, worse).verdict.better == -1


def test_without_speakers_there_is_no_statistic() -> None:
    result = signed_rank_test([], [])
    assert result.z != result.z
    assert result.verdict.better == 0
