"""Groups of the rows of tables: their numbers, kept as objects or in a table of Arrow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, overload

from scoring.model.counts import Counts

if TYPE_CHECKING:
    from scoring.results.measured import MeasuredValues

ROW_NUMBERS = ("rows", "failed", "wrong", "missing", "extra")
# Groups that become objects at a time.
_CHUNK = 1 << 14


class GroupSum(NamedTuple):
    """The rows that have the same values."""

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
        """The number of scored rows, their counts, and words of the reference."""
        return self.rows - self.failed, self.counts, self.counts.reference_tokens

    def values_of(self, name: str) -> MeasuredValues:
        """Return the numbers of a measure."""
        from scoring.measures import measure_named
        from scoring.results.counted import Sums

        measure = measure_named(name)
        sums = {column: self.counted[f"{name}_{column}"] for column in measure.columns}
        return measure.value(Sums(sums))


def greatest_columns(measures: Sequence[str]) -> frozenset[str]:
    """Return the columns of these measures that do not add up, as tables name them."""
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
    """Return the sum of groups; the maximum for the columns `greatest`."""
    return GroupSum(
        values,
        counts=sum((group.counts for group in groups), Counts()),
        counted={
            name: (max if name in greatest else sum)(group.counted[name] for group in groups)
            for name in (groups[0].counted if groups else ())
        },
        **{name: sum(getattr(group, name) for group in groups) for name in ROW_NUMBERS},
    )


def in_order(values: Sequence[str | None]) -> list[tuple[bool, str]]:
    """Return a key to sort groups by their values; None comes last."""
    return [(value is None, value or "") for value in values]


class GroupRows(Sequence[GroupSum]):
    """Groups in a table of Arrow, each of which becomes a `GroupSum` only while it is read.

    A million groups are 100 MB there, and 1 GB as objects.

    Parameters
    ----------
    table
        A row a group: first its values, then `ROW_NUMBERS`, counts, and columns of measures.
    keys
        How many columns have values of groups.
    counted
        The columns of measures.
    greatest
        Those of them that do not add up.
    """

    def __init__(
        self, table: Any, keys: int, counted: Sequence[str], greatest: frozenset[str]
    ) -> None:
        import pyarrow.compute as pc

        self._table = table
        self._keys = keys
        self._counted = counted
        self.total = self._group(
            (),
            {
                name: (pc.max if name in greatest else pc.sum)(table[name]).as_py()
                for name in table.column_names[keys:]
            },
        )

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
