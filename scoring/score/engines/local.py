"""Sums of tables in this process, batch by batch; the results equal those of a cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from formats.io.sink import open_sink
from formats.tables.arrow import ArrowFile
from formats.tables.arrow_writer import TableWriter
from formats.tables.nested import column_at
from scoring.score.engines.groups import GroupSum
from scoring.score.engines.parts import (
    PartsOfTables,
    check_same_columns,
    numbered,
    numbered_schema,
)
from scoring.score.engines.plan import Plan, Summing, gaps_in, on_columns, rows_of
from scoring.score.engines.summary import TableSums
from scoring.score.table_inputs import TableInputs, check_columns, name_of, of_this_machine
from scoring.score.threads import in_order
from scoring.sides.corpus import SHOWN, ListedNames, RowNumbers
from scoring.sides.matching import MatchingError

if TYPE_CHECKING:
    from scoring.results.record import Shard


def summarize_files(
    paths: Sequence[str],
    plan: Plan,
    summing: Summing,
    scored: str | None = None,
    progress: Callable[[int, float], object] = lambda rows, share: None,
    jobs: int = 1,
    shard: Shard | None = None,
) -> TableSums:
    """Return the sums of Parquet and Arrow files, folders and patterns.

    With a shard, only the rows of the shard are summed.
    """
    tables = TableInputs(paths, shard)
    gaps = _Gaps(plan, name_of(paths), tables.begin)

    def parts(output: _Output | None) -> Iterator[Any]:
        """Yield the sums of each table or row group."""
        nonlocal summing

        def taken(batches: Iterable[Any]) -> Iterator[Any]:
            for batch in batches:
                if output is not None:
                    output.write(batch)
                yield batch
                progress(tables.rows, tables.read(len(batch)))

        for table in tables:
            check_columns(table, [plan.reference], [plan.hypothesis])
            adapted, summing = on_columns(plan, summing, table.schema.names)
            columns: Sequence[str] = list(dict.fromkeys((*plan.sides, *(adapted.keep or ()))))
            if output is not None:
                adapted, columns = replace(adapted, keep=None), table.schema.names
            for name in columns:
                table.place(name)
            if output is not None:
                output.begin(table.name, table.schema, adapted.schema(table.schema))
            if jobs == 1:
                read = gaps.passed(table.batches(columns))
                yield from summing.partial(taken(adapted.scored(read)))
                continue
            work = partial(_group, table, columns, adapted, summing, output is not None, gaps)
            for batches, part_sums, met in in_order(work, table.groups, jobs):
                gaps.add(met)
                for _ in taken(batches):
                    pass
                yield from part_sums
                if output is None:
                    progress(tables.rows, tables.read(sum(map(rows_of, part_sums))))

    with ExitStack() as stack:
        output = None if scored is None else _Output(scored, stack, tables.begin)
        sums = summing.added(parts(output))
        gaps.check()
    # named by the columns of the tables
    summary = summing.summary(*sums, plan.signature(summing.measure))
    return summary if shard is None else replace(summary, shard=shard)


def _group(
    table: ArrowFile,
    columns: Sequence[str],
    plan: Plan,
    summing: Summing,
    is_kept: bool,
    gaps: _Gaps,
    number: int,
) -> tuple[list[Any], list[Any], _Gaps]:
    """Return the scored batches of a row group (if kept), its sums, and its missing texts."""
    met = gaps.emptied()
    batches = plan.scored(met.passed(table.batches(columns, group=number)))
    kept = list(batches) if is_kept else []
    return kept, list(summing.partial(kept if is_kept else batches)), met


def summarize_parts(
    parts: PartsOfTables, progress: Callable[[int, float], object], jobs: int, shard: Shard | None
) -> TableSums:
    """Return the sums of all parts of tables; parts without an output file are scored first."""
    size = len(parts.parts)
    total = sum(len(part.rows) for part in parts.parts)

    def sums() -> Iterator[Any]:
        rows = 0
        done = in_order(parts.sums, size, jobs) if jobs > 1 else map(parts.sums, range(size))
        for part, part_sums in zip(parts.parts, done, strict=True):
            rows += len(part.rows)
            progress(rows, rows / max(1, total))
            yield from part_sums

    summing = parts.summing
    summary = summing.summary(*summing.added(sums()), parts.plan.signature(summing.measure))
    return summary if shard is None else replace(summary, shard=shard)


def gaps_of(
    paths: Sequence[str], plan: Plan, total: GroupSum, shard: Shard | None = None
) -> tuple[ListedNames, ListedNames]:
    """Return which rows of all tables have no hypothesis, and which have no reference.

    The result lists the first of these rows by number if the tables are on this machine.
    """
    tables = TableInputs(of_this_machine(paths), shard)
    gaps = _Gaps(plan, name_of(paths), tables.begin)
    if total.missing or total.extra:
        for table in tables:
            for batch in table.batches(plan.sides):
                gaps.note(batch)
                if gaps.are_named(total.missing, total.extra):
                    return gaps.listed(total.missing, total.extra)
    return gaps.listed(total.missing, total.extra)


class _Gaps:
    """The rows with a text on only one side: how many, and the positions of the first few."""

    def __init__(self, plan: Plan, name: str, begin: int = 0) -> None:
        self._plan = plan
        self._name = name
        self._begin = begin
        self._rows = 0
        self._numbers = [0, 0]
        self._first: tuple[list[int], list[int]] = [], []

    def emptied(self) -> _Gaps:
        """Return an object without counts, for rows of the same plan."""
        return _Gaps(self._plan, self._name)

    def passed(self, batches: Iterable[Any]) -> Iterator[Any]:
        """Yield the batches unchanged up to a row that is rejected.

        After this row, only missing texts are counted; the error is reported when all rows are
        counted.
        """
        for batch in batches:
            self.note(batch)
            try:
                self.check()
            except MatchingError:
                continue  # reported when all rows are counted
            yield batch

    def note(self, batch: Any) -> None:
        """Record which texts are missing in the next rows."""
        sides = self._plan.sides
        gaps: list[list[int]] = [[], []]
        if any(column_at(batch, side).null_count for side in sides):
            gaps = [flags.nonzero()[0].tolist() for flags in gaps_in(batch, sides)]
        self._add(list(map(len, gaps)), gaps, len(batch))

    def are_named(self, *numbers: int) -> bool:
        """Return True if the names of the first rows of each kind are known."""
        pairs = zip(self._first, numbers, strict=True)
        return all(len(first) >= min(SHOWN, number) for first, number in pairs)

    def listed(self, *numbers: int) -> tuple[ListedNames, ListedNames]:
        """Return the rows without hypothesis and the rows without reference.

        `numbers` are the numbers of these rows; only the names of the first of them are listed.
        """
        lacking, extra = (
            ListedNames(number, tuple(RowNumbers([self._begin + row for row in rows])))
            for number, rows in zip(numbers, self._first, strict=True)
        )
        return lacking, extra

    def add(self, later: _Gaps) -> None:
        """Add the missing texts of later rows."""
        self._add(later._numbers, later._first, later._rows)

    def _add(self, numbers: Sequence[int], gaps: Sequence[list[int]], size: int) -> None:
        """Count the missing texts of `size` further rows, and list the first rows.

        `gaps` has the positions of the rows with the first missing texts.
        """
        for kind, rows in enumerate(gaps):
            self._numbers[kind] += numbers[kind]
            first = self._first[kind]
            first += [self._rows + row for row in rows[: SHOWN - len(first)]]
        self._rows += size

    def check(self) -> None:
        """Reject rows with a text on one side only, unless the plan allows them."""
        lacking, extra = self.listed(*self._numbers)
        self._plan.check_gaps(self._name, lacking, extra)


class _Output:
    """The output file for all rows; it stays open until the caller closes the exit stack."""

    def __init__(self, path: str, stack: ExitStack, begin: int) -> None:
        self._path = path
        self._stack = stack
        self._row = begin + 1
        self._writer: TableWriter | None = None

    def begin(self, name: str, table_schema: Any, schema: Any) -> None:
        """Open the file with the columns of the first table.

        For later tables, check that they have the same columns.
        """
        if self._writer is None:
            sink = self._stack.enter_context(open_sink(self._path))
            self._writer = self._stack.enter_context(TableWriter(sink, numbered_schema(schema)))
            self._first = name, table_schema
        check_same_columns(self._first, name, table_schema)

    def write(self, batch: Any) -> None:
        """Write a batch of rows with their numbers."""
        assert self._writer is not None
        for rows in numbered([batch], self._row):
            self._writer.write(rows)
        self._row += len(batch)
