"""Friedman's analysis of variance by ranks."""

import random
from itertools import permutations, product

import pytest
import scipy

from scoring.stats.friedman import compare_rank_sums, friedman_test, least_difference
from scoring.stats.nist_tables import CHI_SQUARE, CHI_SQUARE_TAILS
from scoring.stats.sample import ranks


def test_with_all_ties_counted_it_is_scipy_s() -> None:
    rng = random.Random(6)
    for _ in range(30):
        treatments, blocks = rng.randint(3, 8), rng.randint(2, 20)
        rows = [
            [rng.choice((1.0, 2.0, rng.random())) for _ in range(treatments)] for _ in range(blocks)
        ]
        found = friedman_test([ranks(row) for row in rows])
        if found.adjustment == 0:
            continue
        textbook = scipy.stats.friedmanchisquare(*zip(*rows, strict=True))
        assert found.statistic == pytest.approx(textbook.statistic, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize(("treatments", "blocks"), [(2, 4), (3, 3), (4, 2)])
def test_mean_over_every_outcome(treatments: int, blocks: int) -> None:
    """Without ties the statistic has the mean of its chi-square: treatments - 1."""
    orders = list(permutations([float(rank) for rank in range(1, treatments + 1)]))
    values = [friedman_test(rows).statistic for rows in product(orders, repeat=blocks)]
    assert sum(values) / len(values) == pytest.approx(treatments - 1)


def test_the_correction_for_ties_may_look_at_too_few() -> None:
    rows = [[1.5, 1.5, 3.5, 3.5]] * 3
    every, first, none = (friedman_test(rows, looked_at) for looked_at in (None, 1, 0))
    assert every.adjustment == pytest.approx(1 - 36 / 180)
    assert first.adjustment == pytest.approx(1 - 18 / 180)
    assert none.adjustment == 1
    assert every.statistic > first.statistic > none.statistic


def test_confidences_are_looked_up_on_both_sides() -> None:
    found = friedman_test([[1.0, 2.0, 3.0]] * 6)
    assert found.statistic == pytest.approx(12)
    assert found.significant
    assert found.degrees == 2
    assert found.confidences == ("99%", "99.9%")
    assert friedman_test([[1.0, 2.0, 3.0]] * 30).confidences is None
    calm = friedman_test([[1.0, 2.0, 3.0], [3.0, 2.0, 1.0], [2.0, 1.0, 3.0]])
    assert not calm.significant
    assert calm.confidences == ("20%", "30%")


def test_one_treatment_or_none_has_no_statistic() -> None:
    for rows in ([[1.0]] * 3, []):
        found = friedman_test(rows)
        assert found.statistic != found.statistic
        assert not found.significant
        assert found.confidences is None


def test_the_table_is_nearly_chi_square() -> None:
    column = CHI_SQUARE_TAILS.index("5%")
    for degrees, row in enumerate(CHI_SQUARE, 1):
        assert list(row) == sorted(row)
        assert row[column] == pytest.approx(scipy.stats.chi2.isf(0.05, degrees), abs=0.011)


def test_rank_sums_that_differ_enough() -> None:
    assert least_difference(10, 2) == pytest.approx(1.881 * (10 * 2 / 6) ** 0.5)
    assert least_difference(10, 3) == pytest.approx(2.330 * (10 * 6 / 6) ** 0.5)
    assert compare_rank_sums([10.0, 20.0, 12.0], 10) == {(0, 1): -1, (0, 2): 0, (1, 2): 1}
