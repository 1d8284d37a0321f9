"""Groups of table rows with their sums, as objects or in an Arrow table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, overload

from scoring.model.counts import Counts
from scoring.results.value_order import value_order

if TYPE_CHECKING:
    from scoring.results.measured import MeasuredValues

ROW_NUMBERS = ("rows", "failed", "wrong", "missing", "extra")
# Groups that become objects at a time.
_CHUNK = 1 << 14
# Rows that wait before those of equal groups are summed.
_PENDING = 1 << 18
# Reports list all groups up to this number, and of more those with the most errors.
MOST_GROUPS, LISTED_GROUPS = 1000, 100


class GroupSum(NamedTuple):
    """The sum over the rows with the same group values."""

    values: tuple[str | None, ...]  # one of each column of groups; None where there is none
    rows: int
    failed: int  # without scores
    wrong: int  # with errors
    missing: int  # that lack the hypothesis alone
    extra: int  # that lack the reference alone
    counts: Counts  # their sum
    counted: Mapping[str, int] = {}  # the sums of the columns of measures, by name

    @property
    def numbers(self) -> tuple[int, Counts, int]:
        """The number of scored rows, their counts, and the number of reference words."""
        return self.rows - self.failed, self.counts, self.counts.reference_tokens

    def values_of(self, name: str) -> MeasuredValues:
        """Return the figures of a measure."""
        from scoring.measures import measure_named
        from scoring.results.counted import Sums

        measure = measure_named(name)
        sums = {column: self.counted[f"{name}_{column}"] for column in measure.columns}
        return measure.value(Sums(sums))


def greatest_columns(measures: Sequence[str]) -> frozenset[str]:
    """Return the columns of these measures that have a maximum instead of a sum."""
    if not measures:
        return frozenset()
    from scoring.measures import measure_named

    specs = map(measure_named, measures)
    return frozenset(f"{spec.name}_{column}" for spec in specs for column in spec.greatest)


def sum_of(
    groups: Sequence[GroupSum],
    values: tuple[str | None, ...] = (),
    greatest: frozenset[str] = frozenset(),
) -> GroupSum:
    """Add groups; the columns `greatest` have the maximum instead of the sum."""
    return GroupSum(
        values,
        counts=sum((group.counts for group in groups), Counts()),
        counted={
            name: (max if name in greatest else sum)(group.counted[name] for group in groups)
            for name in (groups[0].counted if groups else ())
        },
        **{name: sum(getattr(group, name) for group in groups) for name in ROW_NUMBERS},
    )


def sums_by_values(
    groups: Iterable[tuple[tuple[str | None, ...], GroupSum]], measures: Sequence[str]
) -> list[GroupSum]:
    """Return one group for each set of values, with the sums, sorted by value; None is last."""
    members: dict[tuple[str | None, ...], list[GroupSum]] = {}
    for values, group in groups:
        members.setdefault(values, []).append(group)
    greatest = greatest_columns(measures)
    keys = sorted(members, key=lambda key: list(map(value_order, key)))
    return [sum_of(members[values], values, greatest) for values in keys]


class SumsByGroup:
    """Accumulates sums by group in little memory: a million groups take 30 MB, not 1 GB.

    New rows are collected. Rows of equal values are merged once there are as many new rows as
    groups.

    Parameters
    ----------
    keys
        Number of grouping columns.
    names
        Names of the number columns.
    greatest
        Number columns that hold a maximum instead of a sum.
    """

    def __init__(self, keys: int, names: Sequence[str], greatest: frozenset[str]) -> None:
        self._keys = keys
        self._names = names
        self._greatest = greatest
        self._parts: list[tuple[list[Any], list[Any]]] = []
        self._rows, self._most = 0, _PENDING
        self._have_met = False

    def add(self, table: Any) -> None:
        """Add the rows of a table or record batch: group values first, then numbers."""
        import pyarrow as pa

        if not len(table):
            return
        columns = [
            column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
            for column in table.columns
        ]
        # of all groups together, texts may have more than 2 GB
        values = [column.cast(pa.large_string()) for column in columns[: self._keys]]
        numbers = [[numbers_of(column)] for column in columns[self._keys :]]
        values, numbers = self._summed(values, numbers, *_alike(values, len(table)))
        self._parts.append((values, numbers))
        self._rows += len(numbers[0])
        self._have_met = False
        if self._rows > self._most:
            self._meet()

    def _summed(
        self, values: list[Any], numbers: list[Any], order: Any, begins: Any
    ) -> tuple[list[Any], list[Any]]:
        """Return the sums as columns with one row per group.

        `begins` are the groups' first positions in `order`.

        Each item of `numbers` is a list of arrays; it is removed after use to release its memory.
        """
        import numpy as np

        firsts = array_of(order[begins])
        values = [column.take(firsts) for column in values]
        sums = []
        for name in self._names:
            column = np.concatenate(numbers.pop(0))[order]
            meet = np.maximum if name in self._greatest else np.add
            sums.append(_narrow(meet.reduceat(column, begins, dtype=np.int64)))
        return values, sums

    def _meet(self) -> None:
        """Merge the rows with equal values, and sort them by value; null is last."""
        import numpy as np
        import pyarrow as pa
        import pyarrow.compute as pc

        parts, rows = self._parts, self._rows
        order: Any = np.arange(rows if not self._keys else 0)
        begins = np.zeros(1, np.int64)
        values = [pa.concat_arrays([part[0][key] for part in parts]) for key in range(self._keys)]
        numbers = [[part[1][place] for part in parts] for place in range(len(self._names))]
        parts.clear()
        if values:
            names = [str(key) for key in range(self._keys)]
            places = pc.sort_indices(
                pa.table(values, names=names), sort_keys=[(name, "ascending") for name in names]
            )
            is_first = np.ones(rows, bool)
            is_first[1:] = False
            for column in values:
                _note_changes(is_first[1:], column.take(places))
            order, begins = numbers_of(places), np.flatnonzero(is_first)
        self._parts = [self._summed(values, numbers, order, begins)]
        self._have_met = True
        self._rows = len(begins)
        self._most = self._rows + max(self._rows // 2, _PENDING)

    def table(self, names: Sequence[str]) -> Any:
        """Return a table of the groups sorted by value; `names` are the grouping columns."""
        import numpy as np
        import pyarrow as pa

        if self._rows:
            if not self._have_met:
                self._meet()
            [(values, numbers)] = self._parts
        else:
            # what has no groups has sums of nothing
            values = [pa.nulls(0, pa.large_string()) for _ in names]
            numbers = [np.zeros(0 if names else 1, np.int64) for _ in self._names]
        return pa.table([*values, *map(array_of, numbers)], names=[*names, *self._names])


def array_of(column: Any) -> Any:
    """Convert a numpy array to an Arrow array.

    `pyarrow.array` would load pandas if it is installed, which takes a third of a worker's memory.
    """
    import numpy as np
    import pyarrow as pa

    column = np.ascontiguousarray(column)
    kind = pa.from_numpy_dtype(column.dtype)
    return pa.Array.from_buffers(kind, len(column), [None, pa.py_buffer(column)])


def numbers_of(column: Any) -> Any:
    """Convert an Arrow array of integers or booleans without nulls to a numpy array.

    Arrow's own `to_numpy` would load pandas, and so does `to_pandas_dtype` of some versions.
    """
    import numpy as np
    import pyarrow as pa

    if isinstance(column, pa.ChunkedArray):
        column = pa.concat_arrays(column.chunks) if column.chunks else column.combine_chunks()
    if pa.types.is_boolean(column.type):
        column = column.cast(pa.int8())
    letter = "u" if pa.types.is_unsigned_integer(column.type) else "i"
    letter = "f" if pa.types.is_floating(column.type) else letter
    kind = np.dtype(f"{letter}{column.type.bit_width // 8}")
    if not len(column):
        return np.zeros(0, kind)
    return np.frombuffer(column.buffers()[1], kind, len(column), column.offset * kind.itemsize)


def _narrow(column: Any) -> Any:
    """Return integers in the smallest integer type that holds them."""
    import numpy as np

    if not len(column):
        return column.astype(np.int8)
    return column.astype(np.min_scalar_type(min(int(column.min()), -1 - int(column.max()))))


def _alike(values: Sequence[Any], rows: int) -> tuple[Any, Any]:
    """Return an order of rows in which equal values are adjacent, and where in it the groups begin.

    Arrow's own `group_by` loads pandas.
    """
    import numpy as np

    codes = np.zeros(rows, np.int64)
    for column in values:
        encoded = column.dictionary_encode(null_encoding="encode")
        codes = codes * len(encoded.dictionary) + numbers_of(encoded.indices)
        if len(values) > 1:
            codes = np.unique(codes, return_inverse=True)[1].reshape(-1)
    order = np.argsort(codes, kind="stable")
    is_first = np.ones(rows, bool)
    is_first[1:] = codes[order][1:] != codes[order][:-1]
    return order, np.flatnonzero(is_first)


def _note_changes(is_first: Any, column: Any) -> None:
    """Set the flag of each row whose value in `column` differs from the preceding row's."""
    import pyarrow.compute as pc

    before, after = column.slice(0, len(column) - 1), column.slice(1)
    nulls = pc.not_equal(before.is_null(), after.is_null())
    # neither equal nor unequal are two nulls, and no place of a change
    differ = pc.or_kleene(pc.not_equal(before, after), nulls)
    is_first[numbers_of(pc.indices_nonzero(differ))] = True


class GroupRows(Sequence[GroupSum]):
    """Groups in an Arrow table; a row becomes a `GroupSum` only when it is read.

    Parameters
    ----------
    table
        One row per group: its values, then `ROW_NUMBERS`, counts, and columns of measures.
    keys
        Number of grouping columns.
    counted
        The names of the columns of measures.
    greatest
        Columns that hold a maximum instead of a sum.
    all_groups
        Number of groups and their total, if the table has only the groups that reports list.
    """

    def __init__(
        self,
        table: Any,
        keys: int,
        counted: Sequence[str],
        greatest: frozenset[str],
        all_groups: tuple[int, GroupSum] | None = None,
    ) -> None:
        import pyarrow.compute as pc

        self._table = table
        self._keys = keys
        self._counted = counted
        self._greatest = greatest
        if all_groups is None:
            sums = {
                name: (pc.max if name in greatest else pc.sum)(table[name]).as_py()
                for name in table.column_names[keys:]
            }
            all_groups = len(table), self._group((), sums)
        self.number, self.total = all_groups

    def grouped(self, places: Sequence[int]) -> GroupRows:
        """Return the sums grouped by the grouping columns with the given indices."""
        names = self._table.column_names
        numbers = names[self._keys :]
        keys = [names[place] for place in places]
        sums = SumsByGroup(len(keys), numbers, self._greatest)
        sums.add(self._table.select([*keys, *numbers]))
        return GroupRows(sums.table(keys), len(keys), self._counted, self._greatest)

    def listed(self) -> GroupRows:
        """Return the groups that reports list: all of them, or those with the most errors."""
        import numpy as np

        if self.number <= MOST_GROUPS:
            return self
        errors = sum(
            numbers_of(self._table[name]).astype(np.int64)
            for name in ("substitutions", "deletions", "insertions")
        )
        # the first of equals first
        rows = np.argsort(-errors, kind="stable")[:LISTED_GROUPS]
        everything = self.number, self.total
        table = self._table.take(array_of(rows))
        return GroupRows(table, self._keys, self._counted, self._greatest, everything)

    @property
    def table(self) -> Any:
        """The groups as an Arrow table."""
        return self._table

    def _group(self, values: tuple[str | None, ...], row: Mapping[str, int | None]) -> GroupSum:
        # without rows nothing is a sum, or the greatest
        return GroupSum(
            values,
            counts=Counts(*(row[name] or 0 for name in Counts._fields)),
            counted={name: row[name] or 0 for name in self._counted},
            **{name: row[name] or 0 for name in ROW_NUMBERS},
        )

    def _groups(self, table: Any) -> Iterator[GroupSum]:
        for batch in table.to_batches(max_chunksize=_CHUNK):
            for row in batch.to_pylist():
                yield self._group(tuple(row.values())[: self._keys], row)

    def __iter__(self) -> Iterator[GroupSum]:
        return self._groups(self._table)

    def __len__(self) -> int:
        return int(self._table.num_rows)

    @overload
    def __getitem__(self, place: int) -> GroupSum: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[GroupSum]: ...
    def __getitem__(self, place: int | slice) -> GroupSum | Sequence[GroupSum]:
        if isinstance(place, slice):
            return [self[row] for row in range(len(self))[place]]
        [group] = self._groups(self._table.slice(range(len(self))[place], 1))
        return group
