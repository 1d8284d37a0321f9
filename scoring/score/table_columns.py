"""The columns of tables: texts in Arrow's memory, names and groups of the rows."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, cast

from formats.manifests.records import text_of
from formats.schema.errors import OptionError
from formats.schema.messages import Message
from formats.tables.arrow import (
    ArrowFile,
    first_values,
    units_per_second,
    values_of,
)
from formats.tables.nested import (
    holds_texts,
    texts_of,
)
from scoring.alignment.results import LazyColumn, taken
from scoring.alignment.texts import Texts, stream_from
from scoring.model.errors import InputError
from scoring.model.special_errors import RowError
from scoring.results.groups import CodedColumn
from scoring.score.conditions import ConditionColumns, column_named, columns_of_condition
from scoring.score.table_inputs import check_columns, roles_of
from scoring.score.text_tables import BatchedText
from scoring.score.threads import in_order
from scoring.sides.corpus import Corpus, NamedRows, RowNumbers
from scoring.sides.given import side_of_texts
from scoring.sides.matching.in_common import first_repeated

if TYPE_CHECKING:
    from scoring.score.rates import ErrorRates


# Columns of a side that a column of a table gives.
COLUMNS = {"id": "identifiers", "speaker": "speakers"}
# Names that are read again together.
ROWS = 1 << 16


class RowsAgain:
    """Reads ranges of table rows again. Consecutive ranges are read in one pass."""

    def __init__(
        self,
        tables: Callable[[], Iterable[ArrowFile | BatchedText]],
        columns: Sequence[str],
        name: str,
    ) -> None:
        self._tables, self._columns, self._name = tables, columns, name
        self._batches: Iterator[Any] = iter(())
        self._row = -1

    def sides(self, begin: int, end: int) -> tuple[Corpus, Corpus]:
        """Return both sides of the rows from `begin` to `end`."""
        read = TableColumns(self._columns, ())
        read.before, read.format = begin, "parquet"
        for batch in self._rows(begin, end):
            for side, texts in read.texts.items():
                _add_texts(texts, batch, self._name, side, 0)
        left, right = read.sides(self._name)
        return left, right

    def names(self, begin: int, end: int) -> list[str | None]:
        """Return the names in the only column, in the rows from `begin` to `end`."""
        return [
            name
            for batch in self._rows(begin, end)
            for name in _names_of_rows(batch.column(0), self._name)
        ]

    def _rows(self, begin: int, end: int) -> Iterator[Any]:
        """Yield the batches of the rows from `begin` to `end`."""
        if begin != self._row:
            self._batches = self._from(begin)
        self._row = begin
        while self._row < end:
            batch = next(self._batches, None)
            if batch is None:
                return
            if len(batch) > end - self._row:
                rest = batch.slice(end - self._row)
                batch, self._batches = batch.slice(0, end - self._row), chain([rest], self._batches)
            yield batch
            self._row += len(batch)

    def _from(self, begin: int) -> Iterator[Any]:
        """Yield the batches of rows from row `begin` on."""
        row = 0
        for table in self._tables():
            for group in range(table.groups):
                size = table.group_rows(group)
                if row + size > begin:
                    for batch in table.batches(self._columns, group=group):
                        if row + len(batch) > begin:
                            yield batch.slice(max(0, begin - row))
                        row += len(batch)
                else:
                    row += size


class _NamesAgain(LazyColumn[str]):
    """The names of the rows of a large table, which are read again on access."""

    __slots__ = ("_begin", "_names", "_read")

    def __init__(self, rows: Sequence[int], read: Callable[[int, int], list[str | None]]) -> None:
        super().__init__(rows)
        self._read = read
        self._begin = 0
        self._names: list[str | None] = []

    def value(self, row: int) -> str:
        """Return the name of a row."""
        if not self._begin <= row < self._begin + len(self._names):
            self._begin = row - row % ROWS
            self._names = self._read(self._begin, self._begin + ROWS)
        return self._names[row - self._begin] or ""

    def of_rows(self, rows: Sequence[int]) -> _NamesAgain:
        """Return the names of the rows at the given positions."""
        return _NamesAgain(rows, self._read)


def name_values(column: Any, source: str) -> tuple[list[str | None], Any]:
    """Return the distinct values of a column as JSON text, and an array of value positions."""
    import pyarrow as pa
    import pyarrow.types as types

    if types.is_nested(column.type):
        raise InputError(source, None, None, f"expected texts or numbers, found {column.type}")
    try:
        if not types.is_dictionary(column.type):
            column = column.dictionary_encode()
        values = values_of(column.dictionary)
    except (pa.ArrowException, ValueError) as problem:
        raise InputError(source, None, None, " ".join(str(problem).split())) from None
    return [None if value is None else text_of(value) for value in values], column.indices


def _names_of_rows(column: Any, source: str) -> list[str | None]:
    """Return the name in each row of a column; None for null."""
    texts, indices = name_values(column, source)
    return [None if place is None else texts[place] for place in indices.to_pylist()]


class _Identifiers:
    """A column of identifiers: those of the rows read last, and the hashes of all.

    Identifiers that are not in memory are read again on access.
    """

    def __init__(self, begin: int, again: Callable[[int, int], list[str | None]]) -> None:
        self.begin = begin  # the number of the first row in `values`
        self.values: list[str | None] = []
        self.has_gaps = False
        self._hashes = array("q")
        self._again = _NamesAgain((), again)

    def add(self, column: Any, source: str) -> None:
        """Add the rows of a batch."""
        names = _names_of_rows(column, source)
        self.has_gaps = self.has_gaps or None in names
        self.values += names
        self._hashes.extend(map(hash, names))

    def forget(self) -> None:
        """Release the identifiers of the rows that were read so far."""
        self.begin += len(self.values)
        self.values = []

    def __getitem__(self, row: int) -> str | None:
        place = row - self.begin
        return self.values[place] if 0 <= place < len(self.values) else self._again.value(row)

    def of_rows(self, first: int, number: int) -> Sequence[Any]:
        """Return the identifiers of all rows, from row `first` on."""
        return self.values if self.begin == first else self._again.of_rows(range(number))

    def all_differ(self) -> bool:
        """Return True if no two hashes are equal. The hashes are used up."""
        import numpy as np

        hashes = np.frombuffer(self._hashes, np.int64)
        self._hashes = array("q")  # their memory is needed no more
        hashes.sort()
        return not bool((hashes[1:] == hashes[:-1]).any())


class _Names:
    """A column of names of groups, as codes."""

    def __init__(self) -> None:
        self._codes = array("i")
        self._known: dict[str | None, int] = {}

    def add(self, column: Any, source: str) -> None:
        """Add the rows of a batch."""
        import numpy as np

        texts, indices = name_values(column, source)
        every = self._known
        codes = [every.setdefault(text, len(every)) for text in texts]
        if indices.null_count:
            # the last one, which -1 names
            codes.append(every.setdefault(None, len(every)))
            indices = indices.fill_null(-1)
        places = indices.to_numpy(zero_copy_only=False)
        self._codes.frombytes(np.array(codes, np.int32)[places].tobytes())

    @property
    def values(self) -> Sequence[str | None]:
        """The names of all rows."""
        return CodedColumn(self._codes, list(self._known))


class TableColumns:
    """The columns of all rows: texts in Arrow's memory, names and groups as Python objects."""

    def __init__(
        self,
        references: Sequence[str],
        hypotheses: Sequence[str],
        named: Sequence[str] = (),
        by: Sequence[str] = (),
        begin: int = 0,
        again: Callable[[], Iterable[ArrowFile | BatchedText]] = tuple,
        where: Sequence[str] = (),
    ) -> None:
        self._again = again
        self._references, self._hypotheses = references, hypotheses
        self.texts = {side: Texts() for side in (*references, *hypotheses)}
        self.format = ""
        self._begin = begin  # the number of the first row
        self.before = begin  # rows before the texts: those that were taken, or are not read
        self._named = named
        self._by = by
        # of the rows that were read last, the values by which rows are chosen
        self._values: dict[str, list[str | None]] = {name: [] for name in where}
        self.remarks: list[Message] = []
        self._names: dict[str, _Names | _Identifiers] = {}

    def sides(self, name: str) -> list[Corpus]:
        """Return the text columns as sides; `name` is the name of the tables."""
        sides = [
            side_of_texts(side, texts, self.before)._replace(
                name=f"{name}:{side}", format=self.format
            )
            for side, texts in self.texts.items()
        ]
        if self._values:
            sides[0] = sides[0]._replace(columns=self._values, begin=self.before)
        column = self._names.get("id")
        if not isinstance(column, _Identifiers) or column.has_gaps:
            return sides
        rows = (cast("RowNumbers", side.identifiers).rows for side in sides)
        identifiers = (NamedRows(of_side, column, 0) for of_side in rows)
        return [
            side._replace(identifiers=ids) for side, ids in zip(sides, identifiers, strict=True)
        ]

    def take(self, name: str) -> list[Corpus]:
        """Return the texts read since the last call, as sides, and release their memory."""
        sides = self.sides(name)
        self.before += len(next(iter(self.texts.values())))
        self.texts = {side: Texts() for side in self.texts}
        self._values = {name: [] for name in self._values}
        if isinstance(column := self._names.get("id"), _Identifiers):
            column.forget()
        return sides

    def __len__(self) -> int:
        return self.before - self._begin + len(next(iter(self.texts.values())))

    def add(self, table: ArrowFile | BatchedText, jobs: int) -> Iterator[int]:
        """Read all rows of a table; yield the number of rows read so far."""
        check_columns(table, self._references, self._hypotheses)
        columns = self._columns_of(table)
        if self.format and set(columns) != set(self._names):
            name = min(set(columns) ^ set(self._names))
            raise OptionError(
                path=table.name, expected=f"a column {name!r} in all files or none", found="some"
            )
        if isinstance(table, BatchedText):
            self.format = table.format
        else:
            self.format = "arrow" if table.rows is None else "parquet"
        for name in columns:
            if name not in self._names:
                self._names[name] = _Names()
                if name == "id":
                    names = RowsAgain(self._again, [columns[name]], table.name).names
                    self._names[name] = _Identifiers(self.before, names)
        # errors count the rows of the file
        begin = self._begin + len(self) - table.first
        conditions = self._columns_of_conditions(table)
        chosen_by = chain.from_iterable(each.names for each in conditions.values())
        selected = list(dict.fromkeys((*self.texts, *columns.values(), *chosen_by)))
        batches = table.batches(selected)
        if jobs > 1:

            def group(number: int) -> list[Any]:
                return list(table.batches(selected, group=number))

            batches = chain.from_iterable(in_order(group, table.groups, jobs))
        for batch in batches:
            for side, texts in self.texts.items():
                _add_texts(texts, batch, table.name, side, begin - self.before)
            for name, column in columns.items():
                self._names[name].add(batch.column(column), f"{table.name}: {column}")
            for name, each in conditions.items():
                values = [
                    _names_of_rows(batch.column(column), f"{table.name}: {column}")
                    for column in each.names
                ]
                self._values[name] += each.values(values)
            yield len(batch)

    def _columns_of(self, table: ArrowFile | BatchedText) -> dict[str, str]:
        """Return the columns of names and groups by their roles."""
        by_role = roles_of(table.schema.names, next(iter(self.texts)))
        columns_by_role: dict[str, str] = {
            name: by_role[name]
            for name in self._named
            # sound itself is no name of a recording
            if name in by_role
            and (name != "recording" or holds_texts(table.schema.field(by_role[name]).type))
        }
        for name in self._by:
            columns_by_role[name] = column_named(name, table.schema.names, by_role)
        for column in columns_by_role.values():
            table.place(column)
        return columns_by_role

    def _columns_of_conditions(self, table: ArrowFile | BatchedText) -> dict[str, ConditionColumns]:
        """Return the columns by which rows are chosen, by the names in conditions."""
        if not self._values:
            return {}
        text = next(iter(self.texts))
        by_role = roles_of(table.schema.names, text)
        first = partial(_first_rows, table)
        unit = units_per_second(table) if isinstance(table, ArrowFile) else 0
        columns = {
            name: columns_of_condition(name, table.schema.names, by_role, text, first, unit)
            for name in self._values
        }
        for each in columns.values():
            for column in each.names:
                table.place(column)
            if (remark := each.remark(table.name)) and remark not in self.remarks:
                self.remarks.append(remark)
        return columns

    def keys(self) -> dict[str, Sequence[str | None]]:
        """Return the identifiers of all rows by level, as metadata name them; None if unknown."""
        unknown = CodedColumn(bytes(len(self)), [None])
        numbers = RowNumbers(range(self._begin, self._begin + len(self)))
        values: dict[str, Sequence[str | None]] = {
            name: names.values for name, names in self._names.items() if name != "id"
        }
        return {
            "utterance": self._identifiers if "id" in self._names else numbers,
            "recording": values.get("recording", unknown),
            "speaker": values.get("speaker", unknown),
        }

    def check_names(self, path: str) -> None:
        """Reject repeated identifiers; drop an identifier column with missing values."""
        column = self._names.get("id")
        if not isinstance(column, _Identifiers):
            return
        if column.has_gaps or not len(self):
            del self._names["id"]
        elif not column.all_differ() and (repeated := first_repeated(list(self._identifiers))):
            row = repeated[1]
            problem = f"expected an identifier not used before, found {self._identifiers[row]!r}"
            raise InputError(path, row + 1, None, problem)

    @property
    def _identifiers(self) -> Sequence[Any]:
        """The identifiers of all rows."""
        column = self._names["id"]
        assert isinstance(column, _Identifiers)
        return column.of_rows(self._begin, len(self))

    def named(self, rates: ErrorRates, by: Sequence[str]) -> ErrorRates:
        """Return the result with the names and groups of its rows."""
        assert isinstance(rates.identifiers, RowNumbers)
        rows = rates.identifiers.rows
        every: dict[str, Any] = {
            name: self._identifiers if name == "id" else names.values
            for name, names in self._names.items()
        }
        are_all = len(rows) == len(self)
        if self._begin and not are_all:
            rows = [row - self._begin for row in rows]
        chosen = every if are_all else {name: taken(every[name], rows) for name in every}
        basis = rates.basis
        if basis is not None:
            changes = {COLUMNS[name]: every[name] for name in every if name in COLUMNS}
            if "id" in every:
                changes["by_position"] = False
            named = tuple(side._replace(**changes) for side in basis.references)
            basis = basis._replace(references=named)
        unknown = CodedColumn(bytes(len(rates)), [None])
        return rates._replace(
            basis=basis,
            identifiers=chosen.get("id", rates.identifiers),
            speakers=chosen.get("speaker", rates.speakers),
            groups={name: chosen.get(name, unknown) for name in by},
        )


def text_batch(batch: Any, columns: Sequence[str]) -> Any:
    """Return text columns as a record batch, with the tokens of lists joined."""
    import pyarrow as pa

    return pa.RecordBatch.from_arrays([texts_of(batch.column(n)) for n in columns], list(columns))


def _first_rows(table: ArrowFile | BatchedText) -> dict[str, list[Any]]:
    """Return the values of the first rows; none if the reader of a text converts the times."""
    return {} if isinstance(table, BatchedText) else first_values(table)


def _add_texts(texts: Texts, batch: Any, path: str, name: str, begin: int) -> None:
    """Add the rows of a column; errors report row numbers relative to `begin`."""
    stream = stream_from(text_batch(batch, [name]))
    assert stream is not None
    rows = stream.next()
    assert rows is not None
    try:
        texts.add(stream, rows, 0)
    except RowError as error:
        raise InputError(path, error.row - begin, None, f"{name}: {error.problem}") from None
    except ValueError as problem:
        raise InputError(path, None, None, f"{name}: {problem}") from None
