"""McNemar's test against exact enumeration and scipy; the original's error beyond 20 is kept."""

from __future__ import annotations

from itertools import product

import pytest

from scoring.stats.distributions import fair_binomial_below
from scoring.stats.paired_tests import mcnemar_test


@pytest.mark.parametrize("every", range(1, 11))
def test_every_outcome_enumerated(every: int) -> None:
    heads = [sum(tosses) for tosses in product((0, 1), repeat=every)]
    for first in range(every + 1):
        second = every - first
        extreme = sum(min(one, every - one) <= min(first, second) for one in heads)
        expected = 1.0 if first == second else extreme / len(heads)
        verdict = mcnemar_test(first, second)
        assert verdict.probability == pytest.approx(expected, abs=1e-12)
        significant = expected < 0.05
        assert verdict.better == (0 if not significant else 1 if first > second else -1)


def test_up_to_twenty_it_is_the_exact_test() -> None:
    stats = pytest.importorskip("scipy.stats", reason="scipy, the oracle, is not installed")
    for every in range(1, 21):
        for first in range(every + 1):
            exact = stats.binomtest(first, every).pvalue
            assert mcnemar_test(first, every - first).probability == pytest.approx(exact, abs=1e-9)


def test_beyond_twenty_the_probability_is_the_original_s() -> None:
    # exactly 0.134; the original halves the 7 it should put in whole
    assert mcnemar_test(7, 15).probability == pytest.approx(2 * (1 - 0.9992886), abs=1e-12)
    assert mcnemar_test(7, 15).better == -1
    assert mcnemar_test(15, 7).better == 1
    assert mcnemar_test(12, 12) == (0, 1.0)


def test_the_binomial_sum_has_nothing_below_zero() -> None:
    assert fair_binomial_below(-1, 8) == 0.0
    assert fair_binomial_below(8, 8) == 1.0
    assert fair_binomial_below(-1, 30) < 1e-6
