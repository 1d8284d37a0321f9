"""The test of repeated runs: scipy's t-tests where only runs or only utterances vary; laws."""

import numpy as np
import pytest
import scipy
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from scoring.model.errors import StatisticsError
from scoring.stats.quantiles import t_quantile, t_two_sided
from scoring.stats.spread import spread_test
from tests.each_case import each_case


def runs_of(*errors: list[int], words: int = 10) -> NDArray[np.int64]:
    """Errors of each run by utterance, all of as many words."""
    table = np.array(errors)
    return np.stack([table, np.full_like(table, words)], axis=-1)


@each_case("freedom", [0.7, 1, 2.5, 10, 59, 2619])
@each_case("value", [0, 1e-3, 0.5, 1.96, -3, 12])
def test_student_s_t_is_scipy_s(freedom: float, value: float) -> None:
    expected = 2 * scipy.stats.t.sf(abs(value), freedom)
    assert t_two_sided(value, freedom) == pytest.approx(expected, rel=1e-8)
    assert t_quantile(0.975, freedom) == pytest.approx(scipy.stats.t.ppf(0.975, freedom), rel=1e-9)


def test_with_one_run_each_it_is_the_paired_test_of_utterances() -> None:
    random = np.random.default_rng(3)
    old, new = random.integers(0, 5, 40), random.integers(0, 6, 40)
    ours = spread_test(runs_of(old.tolist()), runs_of(new.tolist()))
    theirs = scipy.stats.ttest_rel(new, old)
    assert ours.p_value == pytest.approx(theirs.pvalue)
    assert ours.freedom == pytest.approx(theirs.df)
    bounds = theirs.confidence_interval(0.95)
    assert ours.limits == pytest.approx((bounds.low / 10, bounds.high / 10))


def test_where_utterances_do_not_vary_it_is_welch_s_test_of_the_runs() -> None:
    old, new = [10, 12, 11], [13, 12, 15, 14]
    ours = spread_test(
        runs_of(*[[run] * 5 for run in old], words=100),
        runs_of(*[[run] * 5 for run in new], words=100),
        level=0.9,
    )
    theirs = scipy.stats.ttest_ind(new, old, equal_var=False)
    assert ours.of_utterances == pytest.approx(0)
    assert ours.p_value == pytest.approx(theirs.pvalue)
    assert ours.freedom == pytest.approx(theirs.df)
    bounds = theirs.confidence_interval(0.9)
    assert ours.limits == pytest.approx((bounds.low / 100, bounds.high / 100))


def test_a_single_run_varies_like_the_other_system() -> None:
    old, new = [12], [13, 12, 15, 14]
    ours = spread_test(
        runs_of([old[0]] * 5, words=100), runs_of(*[[run] * 5 for run in new], words=100)
    )
    # scipy's test with equal variances takes that of the only sample that has one
    theirs = scipy.stats.ttest_ind(new, old, equal_var=True)
    assert ours.p_value == pytest.approx(theirs.pvalue)


def test_false_alarms_of_systems_that_do_not_differ() -> None:
    random = np.random.default_rng(7)
    words = np.full(80, 10)
    alarms = 0
    for _ in range(250):
        difficulty = random.beta(2, 10, 80)
        # each run shifts all utterances by chance
        sides = [
            runs_of(
                *[
                    random.binomial(words, np.clip(difficulty + shift, 0, 1)).tolist()
                    for shift in random.normal(0, 0.03, 3)
                ]
            )
            for _ in range(2)
        ]
        p_value = spread_test(*sides).p_value
        alarms += p_value is not None and p_value < 0.05
    assert alarms / 250 < 0.08


@settings(max_examples=40, deadline=None)
@given(st.lists(st.lists(st.integers(0, 9), min_size=4, max_size=4), min_size=2, max_size=4))
def test_laws(rows: list[list[int]]) -> None:
    old, new = runs_of(*rows[:1]), runs_of(*rows[1:])
    there, back = spread_test(old, new), spread_test(new, old)
    assert there.estimate == pytest.approx(-back.estimate)
    assert there.p_value == (None if back.p_value is None else pytest.approx(back.p_value))
    assert there.limits.low <= there.estimate <= there.limits.high
    same = spread_test(new, new)
    assert same.p_value == pytest.approx(1.0)


def test_what_has_no_answer() -> None:
    with pytest.raises(StatisticsError, match="expected at least two units, found 1"):
        spread_test(runs_of([1]), runs_of([2]))
    with pytest.raises(StatisticsError, match="there are no reference words"):
        spread_test(runs_of([1, 2]), runs_of([1, 2], words=0))
    # alike in every utterance: nothing varies, so there is nothing to compare with
    assert spread_test(runs_of([1, 1]), runs_of([2, 2])).p_value is None
