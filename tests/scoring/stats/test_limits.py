"""Limits for few errors and few units, against scipy; the unit of intervals."""

import numpy as np
import pytest
import scipy
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.model.errors import StatisticsError
from scoring.stats import bootstrap, paired_bootstrap
from scoring.stats.blocks import choose_blocks, measured
from scoring.stats.limits import (
    Interval,
    are_few,
    limits_of_changes,
    limits_of_sum,
    poisson_limits,
    widened,
)
from scoring.stats.quantiles import gamma_quantile
from tests.each_case import each_case

FEW = 200
ROWS = st.lists(st.tuples(st.integers(0, 9), st.integers(1, 12)), min_size=2, max_size=70)
PAIRS = st.lists(
    st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(1, 12)), min_size=2, max_size=70
)


@each_case("shape", [0.4, 1, 3.7, 10, 40])
@each_case("probability", [0.005, 0.025, 0.5, 0.975, 0.9995])
def test_gamma_quantiles_are_scipy_s(shape: float, probability: float) -> None:
    expected = scipy.stats.gamma.ppf(probability, shape)
    assert gamma_quantile(probability, shape) == pytest.approx(expected, rel=1e-9)


@each_case("events", range(1, 10))
def test_single_errors_have_the_limits_of_a_poisson_number(events: int) -> None:
    low, high = poisson_limits(np.array([1.0] * events + [0.0] * 50), 0.95)
    assert low == pytest.approx(scipy.stats.chi2.ppf(0.025, 2 * events) / 2)
    assert high == pytest.approx(scipy.stats.chi2.ppf(0.975, 2 * events + 2) / 2)


def test_weighted_errors_have_the_limits_of_fay_and_feuer() -> None:
    weights = np.array([3.0, 1.0, 4.0, 0.0])
    total, square, largest = 8, 26, 4
    low, high = poisson_limits(weights, 0.9)
    assert low == pytest.approx(square / 16 * scipy.stats.chi2.ppf(0.05, 2 * total**2 / square))
    more, squares = total + largest, square + largest**2
    assert high == pytest.approx(
        squares / (2 * more) * scipy.stats.chi2.ppf(0.95, 2 * more**2 / squares)
    )


def test_no_errors_in_ten_words() -> None:
    found = bootstrap([[0, 1]] * 10)
    assert found.percentile == (0, 0)
    assert found.limits.low == 0
    assert found.limits.high == pytest.approx(-np.log(0.025) / 10)
    assert found.method == "exact Poisson limits"
    assert not found.flag


def test_few_units_without_a_difference() -> None:
    same = [[0, 10]] * 12
    found = paired_bootstrap(same, same)
    assert found.difference.percentile == (0, 0)
    reach = -np.log(0.025) / 120
    assert found.difference.limits == pytest.approx((-reach, reach))
    assert found.baseline.limits == pytest.approx((0, reach))


def test_few_units_have_the_limits_of_student() -> None:
    rows = np.array([[3, 10], [1, 8], [5, 12], [2, 9], [4, 11], [0, 10], [2, 7], [3, 12]])
    found = bootstrap(rows)
    rate = rows[:, 0].sum() / rows[:, 1].sum()
    residuals = rows[:, 0] - rate * rows[:, 1]
    error = np.sqrt((residuals**2).sum() * 8 / 7) / rows[:, 1].sum()
    factor = np.exp(scipy.stats.t.ppf(0.975, 7) * error / rate)
    assert found.limits == pytest.approx((rate / factor, rate * factor))
    assert found.flag == "only 8 utterances"
    assert found.bounds().endswith(" (only 8 utterances)")
    assert found.record()["flag"] == found.flag
    assert bootstrap(rows, interval="percentile").limits == found.percentile


def test_many_units_keep_their_percentiles() -> None:
    random = np.random.default_rng(3)
    rows = np.column_stack([random.poisson(1, 60), random.integers(5, 12, 60)])
    found = bootstrap(rows)
    assert (found.limits, found.method, found.flag) == (
        found.percentile,
        "percentile bootstrap",
        "",
    )


def test_other_numbers_have_widened_percentiles() -> None:
    def share(sums: np.ndarray) -> np.ndarray:
        rates: np.ndarray = sums[..., 0] / sums[..., 1]
        return rates

    rows = [[3, 10], [1, 8], [5, 12], [2, 9], [4, 11]] * 4
    found = bootstrap(rows, score=share)
    assert found.method == "widened percentile bootstrap"
    assert found.limits.low <= found.percentile.low <= found.percentile.high <= found.limits.high
    expected = scipy.stats.norm.sf(scipy.stats.t.ppf(0.975, 19) * np.sqrt(20 / 19))
    assert widened(0.025, 20) == pytest.approx(expected)
    pair = paired_bootstrap(rows, rows[::-1], score=share)
    assert pair.difference.method == "Student's t"


def test_times_without_errors_have_no_interval() -> None:
    with pytest.raises(StatisticsError, match="expected at least one error"):
        bootstrap([[0, 2.5], [0, 3.5]], counts=False)


@given(ROWS, st.floats(0.5, 0.99))
@settings(max_examples=80)
def test_an_interval_contains_its_estimate(rows: list[tuple[int, int]], level: float) -> None:
    found = bootstrap(rows, replications=FEW, level=level)
    assert found.limits.low <= found.estimate <= found.limits.high
    assert found.limits.high > found.estimate or sum(errors for errors, _ in rows) >= 10


@given(PAIRS)
@settings(max_examples=80)
def test_a_difference_lies_in_its_interval(rows: list[tuple[int, int, int]]) -> None:
    old = [(first, words) for first, _, words in rows]
    new = [(second, words) for _, second, words in rows]
    found = paired_bootstrap(old, new, replications=FEW).difference
    assert found.limits.low <= found.estimate <= found.limits.high
    turned = paired_bootstrap(new, old, replications=FEW).difference
    assert turned.limits == pytest.approx((-found.limits.high, -found.limits.low))


@each_case("worse", range(1, 10))
def test_few_changes_exclude_zero_as_the_exact_test_does(worse: int) -> None:
    changes = np.array([1.0] * worse + [0.0] * 40)
    p_value = scipy.stats.binomtest(worse, worse).pvalue
    assert (limits_of_changes(changes, 0.95).low > 0) == (p_value < 0.05)


def test_sums_of_independent_numbers() -> None:
    parts = [(0.2, Interval(0.1, 0.5)), (0.3, Interval(0.26, 0.34))]
    low, high = limits_of_sum(parts, (1.0, -1.0))
    assert (low, high) == pytest.approx((-0.1 - np.hypot(0.1, 0.04), -0.1 + np.hypot(0.3, 0.04)))


def test_few_errors() -> None:
    assert are_few(np.zeros(1000))
    assert are_few(np.array([50.0, 50.0, 0.0, 0.0]))
    assert not are_few(np.array([50.0, 50.0, 0.0]))
    assert not are_few(np.ones(10))


def _alike(speakers: int) -> tuple[list[list[int]], list[str]]:
    """Utterances of which those of a speaker are alike."""
    rows = [[1 + speaker % 3, 10] for speaker in range(speakers) for _ in range(10)]
    return rows, [f"s{place // 10}" for place in range(len(rows))]


def test_speakers_are_drawn_if_their_utterances_are_alike() -> None:
    rows, speakers = _alike(12)
    blocks = choose_blocks([np.array(rows)], speakers)
    assert (blocks.name, blocks.speakers) == ("speaker", 12)
    assert blocks.design_effect == pytest.approx(10 * 12 / 11 * 119 / 120)
    found = blocks.mark(bootstrap(rows, blocks=blocks.labels))
    assert found.how().endswith("12 units by speaker, design effect 10.82")
    by_utterance = measured([np.array(rows)], speakers).mark(bootstrap(rows))
    assert by_utterance.flag == "utterances of a speaker are alike, design effect 10.8"


def test_utterances_are_drawn_if_speakers_do_not_matter() -> None:
    rows = [[place % 2, 10] for place in range(120)]
    speakers = [f"s{place // 10}" for place in range(120)]
    blocks = choose_blocks([np.array(rows)], speakers)
    assert (blocks.name, blocks.labels, blocks.design_effect) == ("utterance", None, 0)


def test_unknown_speakers_and_one_utterance_each() -> None:
    rows = np.array([[1, 10], [2, 10], [0, 10]])
    for speakers in (None, ["a", "b", "c"], ["a"] * 3):
        blocks = choose_blocks([rows], speakers)
        assert (blocks.name, blocks.speakers, blocks.design_effect) == ("utterance", None, None)


def test_the_difference_decides_for_two_systems() -> None:
    rows, speakers = _alike(12)
    old = np.array(rows)
    # harder speakers are as much harder for both
    noise = np.array([[place % 2, 0] for place in range(len(rows))])
    assert choose_blocks([old, old + noise], speakers).name == "utterance"
    assert choose_blocks([old, 2 * old - [0, 10]], speakers).name == "speaker"


def test_fewer_than_six_speakers_are_not_exchanged() -> None:
    rows, speakers = _alike(5)
    old = np.array(rows)
    blocks = choose_blocks([old, 2 * old - [0, 10]], speakers)
    assert (blocks.name, blocks.speakers) == ("utterance", 5)
    found = blocks.mark(bootstrap(rows))
    assert found.flag == "only 5 speakers"
