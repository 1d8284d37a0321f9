"""Holm's correction, by hand and by its laws."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.stats import holm

P_VALUES = st.lists(st.floats(0, 1), min_size=1, max_size=12)


def test_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.5, 0.9]) == [1.0, 1.0]
    assert holm([]) == []


def test_tests_not_made_do_not_count() -> None:
    assert holm([None, 0.02, None]) == [None, 0.02, None]


@given(P_VALUES)
def test_laws(values: list[float]) -> None:
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
def test_refuses(value: float) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        holm([0.5, value])
