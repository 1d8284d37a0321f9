"""Change points: found where the level changes, and seldom elsewhere."""

import numpy as np
import pytest

from scoring.stats import change_points as module
from scoring.stats.change_points import change_points


def test_a_change_is_found_where_it_is() -> None:
    [change] = change_points([5.0] * 4 + [6.0] * 4)
    # 2 of the 70 arrangements of four and four are as extreme
    assert change.position == 4
    assert change.p_value == pytest.approx(2 / 70, abs=0.005)
    draws = np.random.default_rng(1)
    values = draws.normal(size=200)
    values[80:] += 4
    values[140:] -= 3
    assert [change.position for change in change_points(values.tolist())] == [80, 140]


@pytest.mark.parametrize("values", [[], [1], [3, 3, 3, 3], [1, 1, 1, 1, 2, 2]])
def test_too_few_or_equal_values_have_none(values: list[float]) -> None:
    assert change_points(values) == []


def test_no_split_is_tested_across_other_conditions() -> None:
    values = [1.0] * 10 + [2.0] * 10
    assert [change.position for change in change_points(values)] == [10]
    assert change_points(values, starts=[10]) == []


def test_false_alarms_are_as_frequent_as_stated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ORDERS", 199)
    draws = np.random.default_rng(3)
    series = 400
    alarms = sum(
        bool(change_points(draws.lognormal(size=30).tolist(), seed=n)) for n in range(series)
    )
    # 5 % and three standard deviations of so many series
    assert alarms / series <= 0.05 + 3 * (0.05 * 0.95 / series) ** 0.5
    assert alarms > 0
