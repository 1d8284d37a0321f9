"""The coverage of intervals, as `benchmarks/coverage.md` states it."""

import re
from pathlib import Path

import pytest

from benchmarks.coverage import (
    RATES,
    SINGLE,
    SPOKEN_ROWS,
    Cell,
    coverage,
    methods,
    single_line,
    spoken_line,
)

PAGE = Path(__file__).parents[3] / "benchmarks" / "coverage.md"
LEAST = 0.9
# what changes an interval changes nearly all cells: each size or number of speakers, each rate, and
# each way in which speakers vary is tried once at least
SINGLE_CHECKED = [*SINGLE[::5], SINGLE[-1]]
SPOKEN_CHECKED = [row[number] for number, row in enumerate(SPOKEN_ROWS[::5])]


@pytest.mark.parametrize(
    "cell",
    [Cell(10, 20, 0.05, 0.7), Cell(0, 10, 0.005, 0.0), Cell(0, 8, 0.2, 0.0)],
    ids=["speakers-differ", "no-errors", "eight-utterances"],
)
def test_intervals_that_were_too_narrow(cell: Cell) -> None:
    found = coverage(cell, 150)
    assert found.percentile < LEAST
    assert found.auto >= LEAST


@pytest.mark.release
@pytest.mark.parametrize("cell", SINGLE_CHECKED, ids=lambda cell: f"{cell.size}-{cell.rate}")
def test_the_first_table_of_the_page(cell: Cell) -> None:
    assert single_line(cell) in PAGE.read_text("utf-8").splitlines()


def columns_of(line: str) -> list[str]:
    return [column.strip() for column in line.split("|")[1:-1]]


@pytest.mark.release
@pytest.mark.parametrize(
    "cell",
    SPOKEN_CHECKED,
    ids=lambda cell: f"{cell.speakers}-{cell.utterances}-{cell.rate}-{cell.variation}",
)
def test_the_second_table_of_the_page(cell: Cell) -> None:
    """An interval that covers less than ninety percent has a flag: in a row of the page all or none."""
    found = coverage(cell)
    assert found.auto >= LEAST or found.flagged == 1, found
    *kind, shares, flagged = columns_of(spoken_line([found]))
    lines = map(columns_of, PAGE.read_text("utf-8").splitlines())
    [columns] = [line for line in lines if len(line) == 8 and line[:3] == kind]
    assert (columns[3 + RATES.index(cell.rate)], columns[-1]) == (shares, flagged)


def test_rows_of_every_kind_are_checked() -> None:
    for field in ("size", "rate"):
        assert {getattr(cell, field) for cell in SINGLE_CHECKED} == {
            getattr(cell, field) for cell in SINGLE
        }
    every = [cell for row in SPOKEN_ROWS for cell in row]
    assert len(every) == 64
    for field in Cell._fields:
        assert {getattr(cell, field) for cell in SPOKEN_CHECKED} == {
            getattr(cell, field) for cell in every
        }
    lines = PAGE.read_text("utf-8").splitlines()
    rows_of_page = [line for line in lines if re.match(r"\| \d", line)]
    assert len(rows_of_page) == len(SINGLE) + len(SPOKEN_ROWS)


def test_methods_are_listed_in_their_order() -> None:
    shares = methods(Cell(0, 20, 0.05, 0.0), 40)
    assert len(shares) == 5
    assert all(0.7 <= share <= 1 for share in shares)
    headings = re.findall(r"\| utterances \| rate % \| (.*) \|", PAGE.read_text("utf-8"))
    assert headings == ["percentile | widened | BCa | studentised | in use"]
