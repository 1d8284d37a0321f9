"""Bootstrap intervals: against scipy, and the laws that hold for all data."""

import math

import numpy as np
import pytest
import scipy
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from scoring.model.errors import StatisticsError
from scoring.stats import bootstrap, paired_bootstrap
from scoring.stats.units import make_units
from tests.each_case import each_case
from tests.tables import table_of

Rows = list[tuple[int, int]]
UTTERANCES = st.lists(st.tuples(st.integers(0, 12), st.integers(1, 20)), min_size=2, max_size=25)
PAIRS = st.lists(
    st.tuples(st.integers(0, 12), st.integers(0, 12), st.integers(1, 20)), min_size=2, max_size=25
)
FEW = 200
SEEDS = st.integers(0, 2**64 - 1)


def corpus(number: int = 150) -> NDArray[np.int64]:
    random = np.random.RandomState(3)
    words = random.randint(4, 30, number)
    return np.column_stack([random.binomial(words, 0.12), words])


def test_agrees_with_scipy() -> None:
    rows = corpus()
    ours = bootstrap(rows, replications=20_000)
    theirs = scipy.stats.bootstrap(
        (rows[:, 0], rows[:, 1]),
        lambda errors, words, axis: errors.sum(axis=axis) / words.sum(axis=axis),
        paired=True,
        vectorized=True,
        n_resamples=20_000,
        method="percentile",
        rng=np.random.default_rng(1),
    )
    error = ours.standard_error
    assert abs(ours.percentile.low - theirs.confidence_interval.low) < 0.06 * error
    assert abs(ours.percentile.high - theirs.confidence_interval.high) < 0.06 * error
    assert abs(ours.standard_error - theirs.standard_error) < 0.03 * error
    assert ours.estimate == rows[:, 0].sum() / rows[:, 1].sum()


def test_standard_error_is_that_of_a_ratio() -> None:
    rows = corpus(2000)
    found = bootstrap(rows)
    residuals = rows[:, 0] - found.estimate * rows[:, 1]
    expected = math.sqrt((residuals**2).sum()) / rows[:, 1].sum()
    assert found.standard_error == pytest.approx(expected, rel=0.03)
    reach = scipy.stats.norm.ppf(0.975) * found.standard_error
    assert found.normal == pytest.approx((found.mean - reach, found.mean + reach))


@given(UTTERANCES, SEEDS)
@settings(max_examples=30)
def test_laws_of_one_system(rows: Rows, seed: int) -> None:
    found = bootstrap(rows, seed=seed, replications=FEW)
    assert found.percentile.low <= found.estimate <= found.percentile.high
    assert found == bootstrap(rows, seed=seed, threads=3, replications=FEW)
    assert found == bootstrap(rows, seed=seed, blocks=range(len(rows)), replications=FEW)
    narrow = bootstrap(rows, seed=seed, level=0.5, replications=FEW)
    assert found.percentile.low <= narrow.percentile.low <= narrow.percentile.high
    assert narrow.percentile.high <= found.percentile.high
    worse = bootstrap(
        [(errors + words, words) for errors, words in rows], seed=seed, replications=FEW
    )
    assert worse.estimate == pytest.approx(found.estimate + 1)


@given(PAIRS, SEEDS)
@settings(max_examples=30)
def test_laws_of_two_systems(rows: list[tuple[int, int, int]], seed: int) -> None:
    old = [(first, words) for first, _, words in rows]
    new = [(second, words) for _, second, words in rows]
    found = paired_bootstrap(old, new, seed=seed, replications=FEW)
    turned = paired_bootstrap(new, old, seed=seed, replications=FEW)
    assert found.baseline == turned.new
    assert found.difference.estimate == -turned.difference.estimate
    assert found.difference.percentile.low == pytest.approx(-turned.difference.percentile.high)
    assert found.p_value == turned.p_value
    assert 0 < found.p_value <= 1
    shares = (
        found.probability_of_improvement,
        turned.probability_of_improvement,
        found.probability_of_tie,
    )
    assert sum(shares) == pytest.approx(1)
    as_points = paired_bootstrap(old, new, seed=seed, lower_is_better=False, replications=FEW)
    assert as_points.probability_of_improvement == shares[1]
    if all(second < first for first, second, _ in rows):
        assert shares[0] == 1


def test_same_system_twice() -> None:
    rows = corpus()
    found = paired_bootstrap(rows, rows)
    assert found.difference.percentile == (0.0, 0.0)
    assert (found.p_value, found.probability_of_tie) == (1.0, 1.0)


def test_significance_of_a_clear_difference() -> None:
    rows = corpus()
    better = rows - np.column_stack([rows[:, 0] > 0, np.zeros(len(rows), int)])
    found = paired_bootstrap(rows, better)
    assert found.probability_of_improvement == 1.0
    assert found.p_value == 1 / 10_001
    assert found.difference.percentile.high < 0


def test_blocks_are_drawn_as_a_whole() -> None:
    rows = corpus(100)
    blocks = [f"speaker {number % 7}" for number in range(100)]
    summed = [rows[number::7].sum(axis=0) for number in range(7)]
    found = bootstrap(rows, blocks=blocks)
    assert found == bootstrap(summed)
    assert found.units == 7


def test_any_score_of_sums() -> None:
    rows = np.column_stack([corpus()[:, 1], corpus()[:, 0] + 2.5, corpus()[:, 0] + 0.125])

    def harmonic(sums: NDArray[np.float64]) -> NDArray[np.float64]:
        precision, recall = sums[..., 1] / sums[..., 0], sums[..., 2] / sums[..., 0]
        result: NDArray[np.float64] = 2 * precision * recall / (precision + recall)
        return result

    found = bootstrap(rows, score=harmonic)
    assert found.estimate == pytest.approx(harmonic(rows.sum(axis=0)))
    assert found.percentile.low < found.estimate < found.percentile.high


@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=30))
def test_sums_of_fractions_are_as_good_as_exact(values: list[float]) -> None:
    [units] = make_units([[[value] for value in values]], None)
    total = units.values(units.numbers.sum(axis=0))[0]
    assert total == pytest.approx(math.fsum(values), rel=1e-14, abs=1e-8)
    assert total == units.values(units.numbers[::-1].sum(axis=0))[0]


def test_whole_numbers_are_kept_as_they_are() -> None:
    floats, integers = (bootstrap(corpus().astype(kind)) for kind in (np.float64, np.int64))
    assert floats == integers


@each_case(("rows", "blocks", "problem"), table_of(__file__, "refuses_rather_than_fakes"))
def test_refuses_rather_than_fakes(rows: list[list[int]], blocks: object, problem: str) -> None:
    with pytest.raises((StatisticsError, ValueError), match=problem):
        bootstrap(rows, blocks=blocks)  # type: ignore[arg-type]


@each_case(
    ("change", "problem"),
    [
        ({"level": 1.0}, "level: expected a number between 0 and 1, found 1.0"),
        ({"level": float("nan")}, "level"),
        ({"replications": 39}, "39 are too few for an interval of 0.95, which takes 40"),
        ({"blocks": ["a"]}, "blocks: expected 150, one per utterance, found 1"),
        ({"score": lambda sums: sums}, "score: expected an array of shape"),
    ],
)
def test_refuses_bad_arguments(change: dict[str, object], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        bootstrap(corpus(), **change)  # type: ignore[arg-type]


def test_refuses_what_is_not_finite_and_what_does_not_fit() -> None:
    with pytest.raises(ValueError, match="finite"):
        bootstrap([[1.0, math.nan], [1.0, 2.0]])
    with pytest.raises(ValueError, match="same shape"):
        paired_bootstrap([[1, 2], [1, 3]], [[1, 2]])


def test_a_column_that_is_whole_in_one_system_keeps_the_fractions_of_the_other() -> None:
    """For example seconds, if one system has none in a column."""
    seconds = [[0.25, 10.0], [0.0, 8.0], [1.375, 12.0]]
    none = [[0.0, 10.0], [0.0, 8.0], [0.0, 12.0]]
    for pair in ((seconds, none), (none, seconds)):
        found = paired_bootstrap(*pair)
        rates = [sum(row[0] for row in side) / 30 for side in pair]
        assert found.difference.estimate == pytest.approx(rates[1] - rates[0])
        assert found.baseline.estimate == pytest.approx(rates[0])
