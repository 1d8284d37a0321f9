"""Tables summed in this process, a batch at a time: as the clusters do, without one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from typing import Any

from formats.errors import OptionError
from formats.manifests.arrow import ArrowFile
from formats.manifests.arrow_writer import TableWriter
from formats.sink import open_sink
from scoring.scored.engines.plan import Plan, Summing, on_columns
from scoring.scored.engines.summary import TableSums
from scoring.scored.from_tables import TableInputs, in_order


def summarize_files(
    paths: Sequence[str],
    plan: Plan,
    summing: Summing,
    scored: str | None = None,
    progress: Callable[[int, float], object] = lambda rows, share: None,
    jobs: int = 1,
) -> TableSums:
    """The sums of files of Parquet and Arrow, folders and patterns, each a partition.

    Parameters
    ----------
    scored
        A Parquet file to be written: all rows in their order, with their scores.
    progress
        As of `scoring.scored.from_tables.wer_of_tables`.
    jobs
        Threads: each reads and scores a row group, and holds it where rows are written.

    Raises
    ------
    FormatError
        If a file cannot be read, lacks a column, or has others than the first where rows are
        written; if these cannot be written.
    """
    tables = TableInputs(paths)
    parts: list[dict[str, Any]] = []
    with ExitStack() as stack:
        output = None if scored is None else _Output(scored, stack)

        def taken(batches: Iterable[Any]) -> Iterator[Any]:
            for batch in batches:
                if output is not None:
                    output.write(batch)
                yield batch
                progress(tables.rows, tables.read(len(batch)))

        for table in tables:
            for side in plan.sides:
                table.check_texts(side)
            own, summing = on_columns(plan, summing, table.schema.names)
            columns: Sequence[str] = list(dict.fromkeys((*plan.sides, *(own.keep or ()))))
            if output is not None:
                own, columns = replace(own, keep=None), table.schema.names
            for name in columns:
                table.place(name)
            if output is not None:
                output.begin(table.name, own.schema(table.schema))
            if jobs == 1:
                parts += _rows(summing.partial(taken(own.scored(table.batches(columns)))))
                continue
            work = partial(_group, table, columns, own, summing, output is not None)
            for batches, found in in_order(work, table.groups, jobs):
                for _ in taken(batches):
                    pass
                parts += found
                if output is None:
                    progress(tables.rows, tables.read(sum(one["rows"] for one in found)))
    return summing.merged(parts, plan.signature(summing.measure))


def _group(
    table: ArrowFile,
    columns: Sequence[str],
    plan: Plan,
    summing: Summing,
    is_kept: bool,
    number: int,
) -> tuple[list[Any], list[dict[str, Any]]]:
    """The scored batches of a row group, if they are wanted, and their sums."""
    batches = plan.scored(table.batches(columns, group=number))
    kept = list(batches) if is_kept else []
    return kept, _rows(summing.partial(kept if is_kept else batches))


def _rows(batches: Iterable[Any]) -> list[dict[str, Any]]:
    return [row for batch in batches for row in batch.to_pylist()]


class _Output:
    """The file that all rows go to, open until the stack is left."""

    def __init__(self, path: str, stack: ExitStack) -> None:
        self._path = path
        self._stack = stack
        self._writer: TableWriter | None = None

    def begin(self, name: str, schema: Any) -> None:
        """Take note of the columns of one more table; all are to have the same."""
        if self._writer is None:
            sink = self._stack.enter_context(open_sink(self._path))
            self._writer = self._stack.enter_context(TableWriter(sink, schema))
            self._first, self._schema = name, schema
        elif not schema.equals(self._schema):
            wanted, found = (
                {f"{field.name} ({field.type})" for field in one} for one in (self._schema, schema)
            )
            raise OptionError(
                path=name,
                expected=f"the columns of {self._first} in their order",
                found=f"others: {', '.join(sorted(wanted ^ found)[:4]) or 'another order'}",
            )

    def write(self, batch: Any) -> None:
        """Add rows."""
        assert self._writer is not None
        self._writer.write(batch)
