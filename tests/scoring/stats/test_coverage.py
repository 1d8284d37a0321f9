"""The coverage of intervals, as `docs/statistics.md` states it."""

import re
from pathlib import Path

import pytest

from benchmarks.coverage import SPOKEN, TestSet, coverage, methods, tables

PAGE = Path(__file__).parents[3] / "docs" / "statistics.md"
LEAST = 0.9


@pytest.mark.parametrize(
    "cell",
    [TestSet(10, 20, 0.05, 0.7), TestSet(0, 10, 0.005, 0.0), TestSet(0, 8, 0.2, 0.0)],
    ids=["speakers-differ", "no-errors", "eight-utterances"],
)
def test_intervals_that_were_too_narrow(cell: TestSet) -> None:
    found = coverage(cell, 150)
    assert found.percentile < LEAST
    assert found.auto >= LEAST


@pytest.mark.release
def test_the_tables_of_the_page() -> None:
    text = PAGE.read_text("utf-8")
    for line in tables():
        assert line in text


@pytest.mark.release
def test_intervals_below_ninety_percent_have_a_flag() -> None:
    for cell in SPOKEN:
        found = coverage(cell)
        assert found.auto >= LEAST or found.flagged == 1, found


def test_methods_are_listed_in_their_order() -> None:
    shares = methods(TestSet(0, 20, 0.05, 0.0), 40)
    assert len(shares) == 5
    assert all(0.7 <= share <= 1 for share in shares)
    headings = re.findall(r"\| utterances \| rate % \| (.*) \|", PAGE.read_text("utf-8"))
    assert headings == ["percentile | widened | BCa | studentised | in use"]
