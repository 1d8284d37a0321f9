"""The sign test over speakers."""

from __future__ import annotations

import random

import pytest

from scoring.stats.paired_tests import differences, sign_test


def rates(rng: random.Random, speakers: int) -> list[float]:
    return [rng.random() * 40 for _ in range(speakers)]


def test_without_ties_it_is_the_exact_test() -> None:
    stats = pytest.importorskip("scipy.stats", reason="scipy, the oracle, is not installed")
    rng = random.Random(2)
    for _ in range(200):
        speakers = rng.randint(1, 20)
        result = sign_test(rates(rng, speakers), rates(rng, speakers))
        if result.zero == 0:
            exact = stats.binomtest(result.positive, speakers).pvalue
            assert result.verdict.probability == pytest.approx(exact, abs=1e-9)


def test_the_sides_are_those_of_the_worse_and_the_better_system() -> None:
    assert differences([1.0, 9.0], [2.0, 3.0]) == (True, [-1.0, 6.0])
    assert differences([2.0, 3.0], [1.0, 9.0]) == (False, [-1.0, 6.0])
    # of equal sums the second counts as worse
    assert differences([2.0, 4.0], [3.0, 3.0]) == (False, [1.0, -1.0])


def test_zero_differences_are_shared_out() -> None:
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


def test_no_speakers_no_difference() -> None:
    assert sign_test([], []).verdict == (0, 1.0)
