"""NIST's tests of two systems, against exact enumeration and scipy; Holm's correction."""

import random
from itertools import product
from math import sqrt

import pytest
import scipy
from hypothesis import given
from hypothesis import strategies as st

from scoring.stats import holm
from scoring.stats.distributions import fair_binomial_below
from scoring.stats.paired_tests import differences, mcnemar_test, sign_test, signed_rank_test
from tests.each_case import each_case

P_VALUES = st.lists(st.floats(0, 1), min_size=1, max_size=12)


def rates(rng: random.Random, speakers: int) -> list[float]:
    return [rng.random() * 40 for _ in range(speakers)]


def test_the_sign_test_without_ties_is_exact() -> None:
    rng = random.Random(2)
    for _ in range(60):
        speakers = rng.randint(1, 20)
        result = sign_test(rates(rng, speakers), rates(rng, speakers))
        if result.zero == 0:
            exact = scipy.stats.binomtest(result.positive, speakers).pvalue
            assert result.verdict.probability == pytest.approx(exact, abs=1e-9)


def test_the_sides_are_those_of_the_worse_and_the_better_system() -> None:
    assert differences([1.0, 9.0], [2.0, 3.0]) == (True, [-1.0, 6.0])
    assert differences([2.0, 3.0], [1.0, 9.0]) == (False, [-1.0, 6.0])
    # of equal sums the second counts as worse
    assert differences([2.0, 4.0], [3.0, 3.0]) == (False, [1.0, -1.0])


def test_zero_differences_are_shared_out() -> None:
    assert sign_test([], []).verdict == (0, 1.0)
    result = sign_test([10.0, 10.0, 10.004, 12.0], [10.0, 10.0, 10.0, 11.0])
    assert (result.positive, result.negative, result.zero) == (1, 0, 3)
    assert (result.halved_positive, result.halved_negative) == (2, 2)
    assert result.verdict == (0, 1.0)


def test_the_smaller_sum_wins_whatever_the_signs_say() -> None:
    # the first is better on nine of ten speakers, and so much worse on one that its sum is larger
    first = [10.0] * 9 + [90.0]
    second = [11.0] * 9 + [10.0]
    for verdict, better in (
        (sign_test(first, second).verdict, 1),
        (sign_test(second, first).verdict, -1),
    ):
        assert verdict.better == better
        assert verdict.probability == pytest.approx(22 / 1024)


@each_case("every", range(1, 11))
def test_mcnemar_of_every_outcome(every: int) -> None:
    heads = [sum(tosses) for tosses in product((0, 1), repeat=every)]
    for first in range(every + 1):
        second = every - first
        extreme = sum(min(one, every - one) <= min(first, second) for one in heads)
        expected = 1.0 if first == second else extreme / len(heads)
        verdict = mcnemar_test(first, second)
        assert verdict.probability == pytest.approx(expected, abs=1e-12)
        significant = expected < 0.05
        assert verdict.better == (0 if not significant else 1 if first > second else -1)


def test_mcnemar_up_to_twenty_is_exact() -> None:
    for every in range(1, 21):
        for first in range(every + 1):
            exact = scipy.stats.binomtest(first, every).pvalue
            assert mcnemar_test(first, every - first).probability == pytest.approx(exact, abs=1e-9)


def test_mcnemar_beyond_twenty_is_the_original_s() -> None:
    # exactly 0.134; the original halves the 7 it should put in whole
    assert mcnemar_test(7, 15).probability == pytest.approx(2 * (1 - 0.9992886), abs=1e-12)
    assert mcnemar_test(7, 15).better == -1
    assert mcnemar_test(15, 7).better == 1
    assert mcnemar_test(12, 12) == (0, 1.0)


def test_the_binomial_sum_has_nothing_below_zero() -> None:
    assert fair_binomial_below(-1, 8) == 0.0
    assert fair_binomial_below(8, 8) == 1.0
    assert fair_binomial_below(-1, 30) < 1e-6


def test_ranks_are_scipy_s_where_the_definitions_agree() -> None:
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
        textbook = scipy.stats.wilcoxon(first, second, method="approx", correction=False)
        assert fewer == textbook.statistic
        assert result.z == pytest.approx(-abs(scipy.stats.norm.isf(textbook.pvalue / 2)), abs=1e-9)
        assert result.verdict.probability == pytest.approx(textbook.pvalue, abs=0.009)
    assert compared > 100


@each_case("speakers", range(1, 9))
def test_mean_and_spread_of_every_outcome(speakers: int) -> None:
    """The mean and the variance in z are those of the rank sum over all signs."""
    sums = [
        sum(rank for rank, sign in enumerate(signs, 1) if sign)
        for signs in product((0, 1), repeat=speakers)
    ]
    mean = sum(sums) / len(sums)
    spread = sqrt(sum((one - mean) ** 2 for one in sums) / len(sums))
    result = signed_rank_test([float(one) for one in range(1, speakers + 1)], [0.0] * speakers)
    assert result.negative_sum == 0
    assert result.z == pytest.approx((0 - mean) / spread)


def test_ranks_of_a_worked_example() -> None:
    first, second = [0.0, 6.98, 4.26, 23.33], [6.67, 0.0, 0.0, 0.0]
    result = signed_rank_test(first, second)
    assert (result.positive, result.negative) == (3, 1)
    assert (result.positive_sum, result.negative_sum) == (8.0, 2.0)
    assert round(result.z, 2) == -1.10
    assert result.verdict.better == 0


def test_zero_differences_go_to_either_side_in_turn() -> None:
    empty = signed_rank_test([], [])
    assert empty.z != empty.z
    assert empty.verdict.better == 0
    result = signed_rank_test([5.0] * 5, [5.0] * 5)
    assert (result.positive, result.negative) == (3, 2)
    assert (result.positive_sum, result.negative_sum) == (9.0, 6.0)


def test_the_better_system_of_a_significant_difference() -> None:
    worse, better = [20.0 + one for one in range(12)], [10.0] * 12
    assert signed_rank_test(worse, better).verdict.better == 1
    assert signed_rank_test(better, worse).verdict.better == -1


def test_holm_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.5, 0.9]) == [1.0, 1.0]
    assert holm([]) == []
    assert holm([None, 0.02, None]) == [None, 0.02, None]


@given(P_VALUES)
def test_laws_of_holm(values: list[float]) -> None:
    adjusted = [value for value in holm(values) if value is not None]
    assert len(adjusted) == len(values)
    for value, higher in zip(values, adjusted, strict=True):
        # between no correction and Bonferroni's
        assert value <= higher <= min(1.0, value * len(values)) or higher == pytest.approx(value)
    by_value = [higher for _, higher in sorted(zip(values, adjusted, strict=True))]
    assert by_value == sorted(by_value)


@given(P_VALUES, st.floats(0.001, 0.5))
def test_rejects_what_the_step_down_procedure_rejects(values: list[float], level: float) -> None:
    rejected = 0
    for rank, value in enumerate(sorted(values)):
        if value * (len(values) - rank) > level:
            break
        rejected += 1
    assert sum(value is not None and value <= level for value in holm(values)) == rejected


@pytest.mark.parametrize("value", [-0.1, 1.5, float("nan")])
def test_holm_refuses(value: float) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        holm([0.5, value])
