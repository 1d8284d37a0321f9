"""Parts of scored rows, which workers of an engine write, and unfinished runs.

A part has the rows of some row groups of one table. A worker writes a part to a file and renames
the file when the part is complete. A manifest in the folder lists the rules and the tables. An
interrupted run can therefore be resumed: existing parts are summed, and missing parts are scored.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from itertools import accumulate
from shutil import rmtree
from typing import TYPE_CHECKING, Any, NamedTuple

from formats.io.sink import open_sink
from formats.io.source import is_url, open_source
from formats.schema.errors import FormatError, OptionError
from formats.schema.messages import Message
from formats.tables.arrow import ArrowFile, open_tables
from formats.tables.arrow_writer import TableWriter
from scoring.score.engines import messages
from scoring.score.engines.plan import EngineError, Plan, Summing, on_columns
from scoring.score.table_inputs import TableInputs, check_columns

if TYPE_CHECKING:
    from scoring.results.record import Shard

# Rows of a part, which has one row group at least.
ROWS_OF_PART = 1 << 18
NUMBERS = "row_number"
MANIFEST = "_unfinished.json"


class TablePart(NamedTuple):
    """Rows of a table that are scored and written together."""

    path: str
    first: int
    end: int
    before: int  # rows of the tables before this one

    @property
    def rows(self) -> range:
        """The range of rows in the table."""
        return range(self.first, self.end)


class PartsOfTables(NamedTuple):
    """The parts of tables, and the output folder of the parts."""

    folder: str
    parts: tuple[TablePart, ...]
    plan: Plan
    summing: Summing

    def work(self, batches: Iterable[Any]) -> Iterator[Any]:
        """Yield the sums of parts.

        The first column of the record batches has the numbers of the parts.
        """
        for batch in batches:
            for number in batch.column(0).to_pylist():
                yield from self.sums(number)

    def sums(self, number: int) -> list[Any]:
        """Return the sums of a part as record batches; a missing part is scored and written."""
        part, path = self.parts[number], self.path(number)
        if is_whole(path, len(part.rows)):
            with open_source(path, max_bytes=1 << 62) as source:
                [table] = open_tables(source)
                return self._sums(table.batches(self.summing.columns), table.schema)
        with open_source(part.path, max_bytes=1 << 62) as source:
            [table] = open_tables(source)
            table.narrow(part.rows)
            schema = numbered_schema(self.plan.schema(table.schema))
            scored = self.plan.scored(table.batches(table.schema.names))
            rows = numbered(scored, part.before + part.first + 1)
            with open_sink(path) as sink, TableWriter(sink, schema) as writer:
                return self._sums(_written(rows, writer), schema)

    def _sums(self, batches: Iterable[Any], schema: Any) -> list[Any]:
        import pyarrow as pa

        empty = [pa.RecordBatch.from_pylist([], schema)]
        return list(self.summing.partial(batches)) or list(self.summing.partial(empty))

    def path(self, number: int) -> str:
        """Return the path of a part's file."""
        return f"{self.folder}/part-{number:06d}.parquet"

    def join(self, target: str) -> None:
        """Join all parts into one table with the row groups of the parts."""
        with ExitStack() as stack:
            sink, writer = stack.enter_context(open_sink(target)), None
            for number in range(len(self.parts)):
                with open_source(self.path(number), max_bytes=1 << 62) as source:
                    [table] = open_tables(source)
                    if writer is None:
                        writer = stack.enter_context(TableWriter(sink, table.schema))
                    for batch in table.batches(table.schema.names):
                        writer.write(batch)


def _written(batches: Iterable[Any], writer: TableWriter) -> Iterator[Any]:
    """Write record batches, and yield each of them unchanged."""
    for batch in batches:
        writer.write(batch)
        yield batch


def is_whole(path: str, rows: int) -> bool:
    """Return True if the file of a part exists and has all rows."""
    if not is_url(path) and not os.path.exists(path):
        return False
    try:
        with open_source(path, max_bytes=1 << 62) as source:
            return [table.rows for table in open_tables(source)] == [rows]
    except (FormatError, OSError):
        return False


def numbered(batches: Iterable[Any], first: int) -> Iterator[Any]:
    """Yield record batches with an additional column: the row's number in all tables, from 1."""
    import numpy as np

    from scoring.score.engines.groups import array_of

    for batch in batches:
        numbers = np.arange(first, first + len(batch), dtype=np.int64)
        yield batch.append_column(NUMBERS, array_of(numbers))
        first += len(batch)


def numbered_schema(schema: Any) -> Any:
    """Return the schema of scored rows with the column of row numbers."""
    import pyarrow as pa

    if NUMBERS in schema.names:
        raise ValueError(
            f"expected a table without a column {NUMBERS!r}, because the scored table has the "
            "number of each row there"
        )
    return schema.append(pa.field(NUMBERS, pa.int64()))


def check_same_columns(first: tuple[str, Any], name: str, schema: Any) -> None:
    """Reject a table whose columns differ from those of the first table in names or order."""
    if schema.equals(first[1]):
        return
    expected, others = (
        {f"{field.name} ({field.type})" for field in columns} for columns in (first[1], schema)
    )
    raise OptionError(
        path=name,
        expected=f"the columns of {first[0]} in their order",
        found=f"others: {', '.join(sorted(expected ^ others)[:4]) or 'another order'}",
    )


def parts_of(
    paths: Sequence[str], plan: Plan, summing: Summing, folder: str, shard: Shard | None = None
) -> PartsOfTables:
    """Divide tables into parts along row groups; return the parts in order."""
    parts: list[TablePart] = []
    first: tuple[str, Any] | None = None
    tables = TableInputs(paths, shard)
    before = tables.begin
    for table in tables:
        check_columns(table, [plan.reference], [plan.hypothesis])
        first = first or (table.name, table.schema)
        check_same_columns(first, table.name, table.schema)
        path = table.name if is_url(table.name) else os.path.abspath(table.name)
        chosen = table.chosen
        before -= chosen.start
        parts += [TablePart(path, begin, end, before) for begin, end in _cuts(table, chosen)]
        before += chosen.stop
    assert first is not None
    adapted, summing = on_columns(plan, summing, first[1].names)
    whole = replace(adapted, keep=None)
    summing.check(numbered_schema(whole.schema(first[1])))
    return PartsOfTables(folder, tuple(parts), whole, summing)


def _cuts(table: ArrowFile, chosen: range) -> Iterator[tuple[int, int]]:
    """Yield the range of rows of each part of a table; parts end at borders of row groups."""
    begin = chosen.start
    for end in accumulate(table.group_sizes()):
        border = min(max(end, chosen.start), chosen.stop)
        is_full = border - begin >= ROWS_OF_PART or border == chosen.stop
        if begin < border and is_full:
            yield begin, border
            begin = border
    if not chosen:
        yield begin, begin


def manifest_of(parts: PartsOfTables) -> dict[str, Any]:
    """Return the manifest of parts: the rules, and the present state of the tables."""
    plan = parts.plan
    rules = {
        "reference": plan.reference,
        "hypothesis": plan.hypothesis,
        "signatures": [plan.signature(measure) for measure in plan.measures[:1]],
        "measures": list(plan.measures),
        "measure_options": repr(sorted(plan.options.measure_options.items())),
        "edits": plan.edits,
    }
    names = dict.fromkeys(part.path for part in parts.parts)
    return {
        "schema": "sclite-kit/unfinished-table",
        "rules": rules,
        "tables": [[name, *state_of(name)] for name in names],
        "parts": [list(part[1:]) for part in parts.parts],
    }


def state_of(path: str) -> list[Any]:
    """Return size and modification time of a file; for a URL, the server's information."""
    if is_url(path):
        from formats.io.remote import token_of

        return [token_of(path)]
    state = os.stat(path)
    return [state.st_size, state.st_mtime_ns]


class ScoredRows(NamedTuple):
    """The output of scored rows: a file, or on a cluster a folder.

    Parts are in a folder whose name ends in `.unfinished` until all parts exist. At a URL, parts
    are in the final folder from the beginning. A new run replaces the parts of an interrupted run,
    unless it resumes that run.
    """

    path: str
    overwrite: bool = False
    is_resumed: bool = False
    is_joined: bool = False

    @property
    def folder(self) -> str:
        """The folder in which the parts are."""
        path = self.path.rstrip("/")
        if is_url(path):
            return f"{path}.unfinished" if self.is_joined else path
        return os.path.abspath(f"{path}.unfinished")

    @property
    def _manifest(self) -> str:
        return f"{self.folder}/{MANIFEST}"

    def check_is_new(self) -> None:
        """Reject a complete output folder unless it may be overwritten."""
        if self.is_joined:
            return
        is_there = _is_there(self.path) and not (is_url(self.path) and _is_there(self._manifest))
        if is_there and not self.overwrite:
            raise EngineError(Message(messages.OUTPUT_EXISTS, {"path": self.path}))

    def begun(
        self, paths: Sequence[str], plan: Plan, summing: Summing, shard: Shard | None = None
    ) -> PartsOfTables:
        """Return the parts of the tables. A resumed run keeps the parts that are complete."""
        parts = parts_of(paths, plan, summing, self.folder, shard)
        manifest = manifest_of(parts)
        if self.is_resumed and self._is_of(manifest):
            return parts
        self.drop()
        if is_url(self.folder):
            from formats.io.remote import make_folder

            make_folder(self.folder)
        else:
            os.makedirs(self.folder)
        with open_sink(self._manifest) as sink:
            sink.write(json.dumps(manifest))
        return parts

    def _is_of(self, manifest: dict[str, Any]) -> bool:
        """Return True if the folder has parts of this run.

        Raise an error if they are of another run.
        """
        if not _is_there(self._manifest):
            return False
        with open_source(self._manifest) as source:
            found = json.loads(source.text(None))
        for name in ("rules", "tables", "parts"):
            if found.get(name) != manifest[name]:
                raise EngineError(Message(messages.OTHER_RUN, {"path": self.path, "part": name}))
        return True

    def fail(self, parts: PartsOfTables, problem: Exception) -> None:
        """Remove the parts if rows were rejected; keep the parts if the engine failed."""
        names = map(parts.path, range(len(parts.parts)))
        if not isinstance(problem, EngineError) or not any(map(_is_there, names)):
            self.drop()

    def drop(self) -> None:
        """Remove the folder of the parts."""
        if is_url(self.folder):
            from formats.io.remote import remove

            remove(self.folder)
        rmtree(self.folder, ignore_errors=True)

    def finish(self, parts: PartsOfTables) -> None:
        """Rename the folder to its final name, or join all parts into one file."""
        if self.is_joined:
            parts.join(self.path)
            self.drop()
            return
        if is_url(self.folder):
            from formats.io.remote import remove

            remove(self._manifest)
            return
        known = {os.path.basename(parts.path(number)) for number in range(len(parts.parts))}
        for name in os.listdir(self.folder):
            if name not in known:  # what a killed worker left, too
                os.unlink(os.path.join(self.folder, name))
        if os.path.isdir(self.path) and not os.path.islink(self.path):
            rmtree(self.path)
        os.replace(self.folder, self.path)


def _is_there(path: str) -> bool:
    if not is_url(path):
        return os.path.lexists(path)
    from formats.io.remote import is_there

    return is_there(path)
