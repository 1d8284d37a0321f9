"""Columns come back as they were, and are as small as their numbers allow."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.pages.html.columns import Columns, optional_steps
from tests.each_case import each_case

from .unpacking import Unpacked

NUMBERS = st.lists(st.integers(0, 2**32 - 1))


@given(st.lists(NUMBERS, max_size=5))
def test_columns_come_back(columns: list[list[int]]) -> None:
    made = Columns()
    for at, numbers in enumerate(columns):
        made.add(f"c{at}", numbers)
    found = Unpacked(made.packed({"name": "a\udc80é"}))
    assert found.head["name"] == "a\udc80é"
    assert [found.column(f"c{at}") for at in range(len(columns))] == columns


@each_case(("greatest", "planes"), [(0, 0), (1, 1), (255, 1), (256, 2), (65536, 3)])
def test_no_more_bytes_than_needed(greatest: int, planes: int) -> None:
    made = Columns()
    made.add("c", [greatest, 0])
    assert Unpacked(made.packed({})).head["columns"]["c"] == [0, 2, planes]


@pytest.mark.parametrize("number", [-1, 2**32])
def test_numbers_that_do_not_fit_are_refused(number: int) -> None:
    with pytest.raises(ValueError, match="whole numbers of 32 bits in 'c'"):
        Columns().add("c", [0, number])


def test_a_name_is_used_once() -> None:
    made = Columns()
    made.add("c", [])
    with pytest.raises(ValueError, match="another name than 'c'"):
        made.add("c", [])


@given(st.lists(st.none() | st.integers(0, 2**31 - 1)))
def test_steps_come_back(times: list[int | None]) -> None:
    numbers = [-1 if time is None else time for time in times]
    made = Columns()
    made.add("c", optional_steps(numbers))
    assert Unpacked(made.packed({})).steps("c") == times


def test_equal_content_gives_equal_text() -> None:
    def packed() -> str:
        made = Columns()
        made.add("c", range(1000))
        return made.packed({"a": 1})

    assert packed() == packed()
