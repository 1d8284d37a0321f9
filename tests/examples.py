"""Random examples that many tests share, because to draw one takes longer than to try it."""

from typing import TypeVar

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

Value = TypeVar("Value")


def examples_of(strategy: st.SearchStrategy[Value], number: int) -> list[Value]:
    """Draw so many values of a strategy."""
    drawn: list[Value] = []

    @given(value=strategy)
    @settings(max_examples=number, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    def draw(value: Value) -> None:
        drawn.append(value)

    draw()
    assert len(drawn) >= number
    return drawn
