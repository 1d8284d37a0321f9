"""Tables of units and columns, the common form of all results for comparisons.

A unit is an utterance, session, recording or keyword. The columns add up over units, and the
numbers of a task are computed from their sums. The table has no words; they are in the result.

A `Figure` describes such a number: its name, its formula, and whether less is better.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import isclose, isfinite, nan
from typing import Any, NamedTuple, TypeVar

import numpy as np

from formats.schema.messages import Entry, Message
from scoring.model.arrays import Floats, Integers
from scoring.model.counts import Counts
from scoring.regression.evidence import Check, Difference, compare_all
from scoring.regression.task_figures import WORDS, Task
from scoring.results.measured import Figure
from scoring.score.table import ScoreTable
from scoring.sides.corpus import ListedNames
from scoring.sides.matching import MatchingError
from scoring.stats.units import Score, error_rate

Value = TypeVar("Value")

KINDS = ("substitutions", "deletions", "insertions")
COUNTED = ("correct", *KINDS)


class Layout(NamedTuple):
    """The columns of a table, and the formulas of the numbers."""

    task: Task
    columns: tuple[str, ...]
    scores: Mapping[str, Score]  # by name of figure

    @property
    def main(self) -> Figure:
        """The main number, which comparisons test."""
        return self.task.figures[0]

    @property
    def score(self) -> Score:
        """The formula of the main number."""
        return self.scores[self.main.name]

    @property
    def is_ratio(self) -> bool:
        """True if the main number is errors divided by size."""
        return bool(self.main.ratio)

    def places(self, names: Sequence[str]) -> list[int]:
        """Return the indices of the named columns."""
        return [self.columns.index(name) for name in names]

    def ratio(self, rows: Floats | Integers) -> Floats | Integers:
        """Return the errors and the size of each row."""
        sides = (self.task.wrong, self.task.size)
        return np.stack([rows[..., self.places(names)].sum(axis=-1) for names in sides], axis=-1)


class UnitSums(NamedTuple):
    """The sums of the columns over some units."""

    layout: Layout
    numbers: tuple[float, ...]

    def of(self, *names: str) -> float:
        """Return the sum of the named columns."""
        return sum(self.numbers[place] for place in self.layout.places(names))

    @property
    def wrong(self) -> float:
        """The amount of errors: a count, seconds or losses."""
        return self.of(*self.layout.task.wrong)

    @property
    def size(self) -> float:
        """The amount of reference: a number of words, seconds or keywords."""
        return self.of(*self.layout.task.size)

    @property
    def value(self) -> float | None:
        """The main number; None if its denominator is zero."""
        return self.number(self.layout.main)

    @property
    def exact(self) -> Fraction | float | None:
        """The main number; an exact fraction for words."""
        if self.layout.task is WORDS and self.size:
            return Fraction(int(self.wrong), int(self.size))
        return self.value

    @property
    def counts(self) -> Counts | None:
        """The word counts; None for other tasks and for unknown kinds of errors."""
        if not {*COUNTED} <= {*self.layout.columns}:
            return None
        return Counts(*(int(self.of(name)) for name in COUNTED))

    def narrowed(self, columns: Sequence[str]) -> UnitSums:
        """Return the sums of the given columns only."""
        numbers = tuple(self.of(name) for name in columns)
        return UnitSums(self.layout._replace(columns=tuple(columns)), numbers)

    def number(self, figure: Figure) -> float | None:
        """Return the value of a figure; None if it is unknown or its divisor is 0."""
        score = self.layout.scores.get(figure.name)
        if score is None:
            return None
        if self.layout.task is WORDS:
            # of whole numbers, so that it is rounded once
            return self.wrong / self.size if self.size else None
        value = float(score(np.array([self.numbers], np.float64))[0])
        return value if isfinite(value) else None


class UnitTable(NamedTuple):
    """One side of a comparison: a row of numbers for each unit."""

    name: str
    kind: str  # `Kaldi directory`, `record`, `run`, `sums`, `der` …
    signature: str
    rules: str | None  # that both sides must share; None: unknown, or compared already
    layout: Layout
    sums: tuple[float, ...]  # of the columns
    units: Sequence[str] = ()  # identifiers; empty where only the sums are known
    rows: Floats | Integers = np.zeros((0, 0))  # shape (units, columns)
    noun: str = ""  # what a unit is, if not that of the task
    references: Sequence[object] | None = None  # equal in both; None: compared already
    speakers: Sequence[Hashable] | None = None
    groups: Mapping[str, Sequence[str | None]] = {}
    values: Mapping[str, float | None] = {}  # recorded numbers of the whole, by figure
    checks: Sequence[Check] = ()
    remark: str = ""
    edits: Callable[[int], bytes] | None = None  # of a unit, where its words are known
    recorded: UnitSums | None = None  # of the whole, where these have columns that no unit has
    missing: ListedNames | None = None  # references without hypothesis; None: unknown

    @property
    def unit(self) -> str:
        """The noun for a row's unit, for example utterance or recording."""
        return self.noun or self.layout.task.unit

    def total(self) -> UnitSums:
        """Return the sums over all units."""
        return self.recorded or UnitSums(self.layout, self.sums)

    def sum_of(self, places: Sequence[int] | Integers | slice) -> UnitSums:
        """Return the sums over the given units."""
        return UnitSums(self.layout, tuple(self.rows[places].sum(axis=0).tolist()))

    def select(self, places: Sequence[int]) -> UnitTable:
        """Return the table of the given units, in this order."""
        edits = self.edits
        rows = self.rows[np.array(places, np.int64)]
        return self._replace(
            units=_at(self.units, places),
            rows=rows,
            sums=tuple(rows.sum(axis=0).tolist()),
            references=None if self.references is None else _at(self.references, places),
            speakers=None if self.speakers is None else _at(self.speakers, places),
            groups={name: _at(column, places) for name, column in self.groups.items()},
            values=self.values if len(places) == len(self.units) else {},
            edits=None if edits is None else lambda place: edits(places[place]),
            recorded=self.recorded if len(places) == len(self.units) else None,
        )

    def narrowed(self, columns: tuple[str, ...]) -> UnitTable:
        """Return the table with the given columns only."""
        if columns == self.layout.columns:
            return self
        places = self.layout.places(columns)
        return self._replace(
            layout=self.layout._replace(columns=columns),
            sums=tuple(self.sums[place] for place in places),
            rows=self.rows[:, places] if len(self.units) else self.rows,
        )

    def score_table(self) -> ScoreTable:
        """Return the score table for intervals and tests.

        For words, it has only the numbers of errors and of reference words.
        """
        rows = self.rows[:, :2] if self.layout.task is WORDS else self.rows
        return ScoreTable(
            self.name,
            rows,  # type: ignore[arg-type]
            self.units,
            self.speakers,
            edits=self.edits,
            unit=self.unit,
        )


def refused(entry: Entry, **fields: Any) -> MatchingError:
    """Return a MatchingError with this message, for an impossible comparison."""
    return MatchingError(Message(entry, fields))


def _at(column: Sequence[Value], places: Sequence[int]) -> list[Value]:
    # columns of texts create many rows together faster than row by row
    values = list(column) if len(places) == len(column) else column
    return [values[place] for place in places]


def layout_of(task: Task, columns: tuple[str, ...] = (), **scores: Score) -> Layout:
    """Return the layout of a task, with a function for each number that has a formula.

    `scores` are functions for numbers without formula, by the name of the number.
    """
    columns = columns or task.columns
    ratios = {figure.name: ratio_score(figure.ratio, columns) for figure in task.figures}
    found = {name: score for name, score in ratios.items() if score is not None}
    return Layout(task, columns, {**found, **scores})


def ratio_score(formula: str, columns: Sequence[str]) -> Score | None:
    """Return a function of column sums for a formula such as `errors / words`; otherwise None.

    >>> score = ratio_score("missed + false / scored", ("scored", "missed", "false"))
    >>> score(np.array([[8.0, 1.0, 1.0]])).tolist()
    [0.25]
    """
    if not formula:
        return None
    sides = [[columns.index(name) for name in side.split(" + ")] for side in formula.split(" / ")]

    def divide(sums: Floats) -> Floats:
        part, whole = (sums[..., side].sum(axis=-1) for side in sides)
        result = np.full(np.shape(whole), nan)
        np.divide(part, whole, out=result, where=whole > 0)
        return result

    return divide


def layout_of_words(*, with_kinds: bool = True) -> Layout:
    """Return the layout for words: errors, reference words and, if known, the kinds of errors."""
    columns = (*WORDS.columns, *(COUNTED if with_kinds else ()))
    return Layout(WORDS, columns, {"error_rate": error_rate})


def rows_of_counts(counts: object) -> Integers:
    """Return rows for `layout_of_words` from four numbers per unit in the order of `Counts`."""
    rows = np.asarray(counts, dtype=np.int64).reshape(-1, 4)
    return np.column_stack([rows[:, 1:].sum(axis=1), rows[:, :3].sum(axis=1), rows])


def checks_of_values(
    name: str, table: UnitTable, of_units: Mapping[str, float | None]
) -> Iterator[Check]:
    """Compare recorded numbers with numbers computed from the sums of units.

    `of_units` are the recorded main numbers of the units.
    """
    total = UnitSums(table.layout, tuple(table.rows.sum(axis=0).tolist()))
    recorded = [
        (figure.title, table.values.get(figure.name), total.number(figure))
        for figure in table.layout.task.figures
        if figure.name in table.layout.scores
    ]
    main = table.layout.main
    for unit, row in zip(table.units, table.rows.tolist(), strict=True):
        number = UnitSums(table.layout, tuple(row)).number(main)
        recorded.append((f"{unit}: {main.title}", of_units.get(unit), number))
    entries = []
    for title, value, ours in recorded:
        if value is None:
            continue
        is_same = ours is not None and isclose(value, ours, rel_tol=1e-9, abs_tol=1e-12)
        entries.append(Difference(title, repr(value), repr(value if is_same else ours)))
    yield compare_all(name, entries)
