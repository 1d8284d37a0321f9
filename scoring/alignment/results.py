"""Alignments and counts of many pairs in columns, which other libraries read as tables."""

from __future__ import annotations

from itertools import accumulate, chain, pairwise

from formats.schema import NamedTuple, Sequence, SequenceBase
from scoring.alignment.kernel import replace_rows, sum_counts
from scoring.model.counts import SCLITE_COSTS, Alignment, Costs, Counts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any, TypeVar, overload

    Value = TypeVar("Value", covariant=True)

    from formats.schema.words import Words
    from scoring.alignment.frames import Values


class LazyColumn(SequenceBase["Value"]):
    """A column whose values are computed from its rows on access."""

    __slots__ = ("rows",)
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, rows: Sequence[Any]) -> None:
        self.rows = rows

    def value(self, row: Any) -> Value:
        """Compute the value for an entry of `rows`."""
        raise NotImplementedError

    def distinct(self) -> set[Value]:
        """Return the different values of all rows."""
        return set(self)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, index: Any) -> Any:
        rows = self.rows[index]
        return list(map(self.value, rows)) if isinstance(index, slice) else self.value(rows)

    def __iter__(self) -> Iterator[Value]:
        return map(self.value, self.rows)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, LazyColumn) and type(other) is type(self) and self.rows == other.rows:
            return True
        return list(self) == list(other) if isinstance(other, Sequence) else NotImplemented


class _Handed:
    def __init__(self, capsule: object) -> None:
        self._capsule = capsule

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._capsule


class Framed:
    """A result that is also a table: a mapping from column names to columns of equal length."""

    __slots__ = ()

    def frame_columns(self) -> Mapping[str, Values]:
        """Return the columns of the table by their names."""
        raise NotImplementedError

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        from scoring.alignment.frames import buffers_of
        from scoring.alignment.texts import stream_of

        values = self.frame_columns()
        columns = {name: buffers_of(column) for name, column in values.items()}
        batch = (len(next(iter(values.values()))), [buffers for _, buffers in columns.values()])
        fields: list[tuple[Any, str | int]] = [(name, form) for name, (form, _) in columns.items()]
        return stream_of(fields, iter([batch]))

    def to_arrow(self) -> Any:
        """Return the result as a `pyarrow.Table`; needs pyarrow."""
        import pyarrow

        return pyarrow.table(self)

    def to_polars(self) -> Any:
        """Return the result as a `polars.DataFrame`; needs polars."""
        import polars

        # which takes a sequence for rows, whatever else it is
        return polars.DataFrame(_Handed(self.__arrow_c_stream__()))

    def to_pandas(self) -> Any:
        """Return the result as a `pandas.DataFrame`, with missing numbers as NaN; needs pandas."""
        import numpy as np
        import pandas

        columns = self.frame_columns()
        return pandas.DataFrame(
            {
                name: values.filled(np.nan) if isinstance(values, np.ma.MaskedArray) else values
                for name, values in columns.items()
            }
        )


class CountsSums(NamedTuple):
    """Sums over the counts of many pairs.

    `wrong` is the number of pairs with an error, `rated` the number of pairs with a reference
    token. `rates` is the sum of the error rates of the rated pairs, added in the order of the
    pairs. The last three are the numbers of pairs with an error of this kind.
    """

    total: Counts
    wrong: int
    rated: int
    rates: float
    with_substitutions: int
    with_deletions: int
    with_insertions: int


class CountsTable(Framed, SequenceBase[Counts]):
    """The counts of many pairs; each `Counts` is created on access.

    Libraries that read Arrow see a table with the columns `correct`, `substitutions`, `deletions`,
    `insertions` (int32) and `rate` (null without reference tokens).

    Examples
    --------
    >>> from scoring import edit_distance_batch
    >>> table = edit_distance_batch([["a", "b"], ["c"]], [["a"], ["d"]])
    >>> table[1]
    Counts(correct=0, substitutions=1, deletions=0, insertions=0)
    >>> table.total().errors
    2
    >>> table.array.tolist()
    [[1, 0, 1, 0], [0, 1, 0, 0]]
    """

    __slots__ = ("_bytes", "_numbers", "_sums")

    def __init__(self, counts: bytes) -> None:
        self._bytes = counts
        self._numbers = memoryview(counts).cast("i")
        self._sums: CountsSums | None = None

    @property
    def numbers(self) -> memoryview[int]:
        """The counts of all pairs as one sequence of int32, four for each pair."""
        return self._numbers

    def columns(self) -> tuple[memoryview[int], ...]:
        """Return the four counts, one column each."""
        return tuple(self._numbers[kind::4] for kind in range(4))

    @property
    def sums(self) -> CountsSums:
        """The sums over all pairs."""
        if self._sums is None:
            sums = sum_counts(self._numbers)
            self._sums = CountsSums(Counts(*sums[:4]), *sums[4:])
        return self._sums

    @property
    def array(self) -> memoryview[int]:
        """The counts as rows of int32, one per pair: correct, substitutions, deletions, insertions.

        `numpy.asarray` reads the array without copying.
        """
        if not self._bytes:
            # a view cannot be cast to zero rows
            return self._numbers
        return memoryview(self._bytes).cast("i", (len(self), 4))

    def frame_columns(self) -> Mapping[str, Values]:
        """Return the columns of the table."""
        from scoring.alignment.frames import count_columns_of

        return count_columns_of(self.array)

    def total(self) -> Counts:
        """Return the sum over all pairs."""
        return self.sums.total

    def __len__(self) -> int:
        return len(self._numbers) // 4

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, index: int) -> Counts: ...
        @overload
        def __getitem__(self, index: slice) -> CountsTable: ...

    def __getitem__(self, index: int | slice) -> Counts | CountsTable:
        if isinstance(index, slice):
            rows = range(len(self))[index]
            if rows.step == 1:
                return CountsTable(self._bytes[16 * rows.start : 16 * rows.stop])
            return CountsTable(b"".join(self._bytes[16 * row : 16 * row + 16] for row in rows))
        row = range(len(self))[index]
        return Counts(*self._numbers[4 * row : 4 * row + 4])

    def __eq__(self, other: object) -> bool:
        return self._bytes == other._bytes if isinstance(other, CountsTable) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._bytes)

    def __reduce__(self) -> tuple[type[CountsTable], tuple[bytes]]:
        return CountsTable, (self._bytes,)

    def __repr__(self) -> str:
        return f"<CountsTable of {len(self)} pairs, total {self.total()}>"


class Alignments(SequenceBase[Alignment]):
    """The alignments of many pairs in columns; each `Alignment` is created on access.

    Attributes
    ----------
    references, hypotheses
        The aligned tokens of each pair; if a sequence has alternatives, the chosen tokens.
    edits, offsets
        `edits[offsets[u]:offsets[u + 1]]` are the `Edit` bytes of pair u.
    counts
        Counts of all pairs, like those of `edit_distance_batch`. If a result counts by places
        (`scoring.results.places`), they differ from the numbers of edits.
    costs
        Costs of edits, from which the costs of alignments are summed.
    """

    __slots__ = ("costs", "counts", "edits", "hypotheses", "offsets", "references")

    def __init__(
        self,
        references: Sequence[Words],
        hypotheses: Sequence[Words],
        edits: bytes,
        offsets: Sequence[int],
        counts: CountsTable,
        costs: Costs = SCLITE_COSTS,
    ) -> None:
        self.references = references
        self.hypotheses = hypotheses
        self.edits = edits
        self.offsets = offsets
        self.counts = counts
        self.costs = costs

    @classmethod
    def of(cls, alignments: Sequence[Alignment], costs: Costs = SCLITE_COSTS) -> Alignments:
        """Return the `Alignments` of a list of single alignments."""
        from array import array

        counts = array("i", chain.from_iterable(pair.counts() for pair in alignments))
        return cls(
            [tuple(pair.reference) for pair in alignments],
            [tuple(pair.hypothesis) for pair in alignments],
            b"".join([bytes(pair.edits) for pair in alignments]),
            array("q", accumulate((len(pair.edits) for pair in alignments), initial=0)),
            CountsTable(counts.tobytes()),
            costs,
        )

    def __len__(self) -> int:
        return len(self.counts)

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, index: int) -> Alignment: ...
        @overload
        def __getitem__(self, index: slice) -> list[Alignment]: ...

    def __getitem__(self, index: int | slice) -> Alignment | list[Alignment]:
        if isinstance(index, slice):
            return [self[position] for position in range(len(self))[index]]
        pair = range(len(self))[index]
        edits = self.edits_of(pair)
        left, right = tuple(self.references[pair]), tuple(self.hypotheses[pair])
        return Alignment(edits, left, right, total_cost(Counts.of(edits), self.costs))

    @property
    def errors(self) -> int:
        """The number of errors in all pairs."""
        return self.counts.total().errors

    @property
    def reference_tokens(self) -> int:
        """The number of counted tokens in all references."""
        return self.counts.total().reference_tokens

    def edits_of(self, pair: int) -> bytes:
        """Return the `Edit` bytes of a pair."""
        return bytes(self.edits[self.offsets[pair] : self.offsets[pair + 1]])

    def select(self, positions: Sequence[int]) -> Alignments:
        """Return the alignments of the given pairs, in this order."""
        from array import array

        sides = taken(self.references, positions), taken(self.hypotheses, positions)
        if isinstance(positions, range) and positions.step == 1:
            begin, end = positions.start, positions.stop
            base = self.offsets[begin]
            edits = bytes(self.edits[base : self.offsets[end]])
            offsets = array("q", [offset - base for offset in self.offsets[begin : end + 1]])
            return Alignments(*sides, edits, offsets, self.counts[begin:end], self.costs)
        pieces = list(map(self.edits_of, positions))
        offsets = array("q", accumulate(map(len, pieces), initial=0))
        counts = array("i", chain.from_iterable(map(self.counts.__getitem__, positions)))
        table = CountsTable(counts.tobytes())
        return Alignments(*sides, b"".join(pieces), offsets, table, self.costs)

    def amended(self, pairs: Mapping[int, Alignment]) -> Alignments:
        """Return a copy in which the alignments at the given positions are replaced."""
        rows = sorted(pairs)
        return self.overlaid(rows, Alignments.of([pairs[row] for row in rows], self.costs))

    def overlaid(self, rows: Sequence[int], others: Alignments) -> Alignments:
        """Return a copy in which `others` replace the alignments of the given rows (ascending)."""
        from array import array

        if not rows:
            return self
        edits, offsets, counts = replace_rows(
            self.edits,
            array("q", self.offsets),
            self.counts.numbers,
            array("q", rows),
            others.edits,
            array("q", others.offsets),
            others.counts.numbers,
        )
        return Alignments(
            _overlaid(self.references, rows, others.references),
            _overlaid(self.hypotheses, rows, others.hypotheses),
            edits,
            array("q", offsets),
            CountsTable(counts),
            self.costs,
        )

    def joined_at(self, bounds: Sequence[int]) -> Alignments:
        """Return alignments that join the pairs from each bound to the next bound."""
        from array import array

        parts = list(pairwise(bounds))
        sums = (self.counts[begin:end].total() for begin, end in parts)
        return Alignments(
            [tuple(chain.from_iterable(self.references[begin:end])) for begin, end in parts],
            [tuple(chain.from_iterable(self.hypotheses[begin:end])) for begin, end in parts],
            bytes(self.edits),
            array("q", [self.offsets[bound] for bound in bounds]),
            CountsTable(array("i", chain.from_iterable(sums)).tobytes()),
            self.costs,
        )

    def __eq__(self, other: object) -> bool:
        return list(self) == list(other) if isinstance(other, Alignments) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.edits, self.counts))

    def __repr__(self) -> str:
        return f"<{len(self)} alignments, total {self.counts.total()}>"


class CountedAlignments(Alignments):
    """Unit-cost alignments whose errors are counted; edits are computed on access.

    Attributes
    ----------
    distances
        The edit distance of each pair.
    """

    __slots__ = ("_align", "_sums", "distances")

    def __init__(
        self,
        references: LazyColumn[Words],
        hypotheses: LazyColumn[Words],
        counted: tuple[bytes, int, int, int],
        align: Callable[[], tuple[bytes, Sequence[int], bytes]],
        costs: Costs,
    ) -> None:
        self.references = references
        self.hypotheses = hypotheses
        self.costs = costs
        self.distances = memoryview(counted[0]).cast("i")
        self._sums = counted[1:]
        self._align = align

    def __getattr__(self, name: str) -> Any:
        if name not in ("edits", "offsets", "counts"):
            raise AttributeError(name, name=name, obj=self)
        self.edits, self.offsets, counts = self._align()
        self.counts = CountsTable(counts)
        return getattr(self, name)

    def __len__(self) -> int:
        return len(self.distances)

    def __reduce__(self) -> tuple[type[Alignments], tuple[Any, ...]]:
        sides = self.references, self.hypotheses
        return Alignments, (*sides, self.edits, self.offsets, self.counts, self.costs)

    @property
    def errors(self) -> int:
        """The number of errors in all pairs."""
        return self._sums[0]

    @property
    def reference_tokens(self) -> int:
        """The number of tokens in all references."""
        return self._sums[1]

    @property
    def hypothesis_tokens(self) -> int:
        """The number of tokens in all hypotheses."""
        return self._sums[2]

    @property
    def fewest_correct(self) -> int:
        """A lower bound of the correct tokens: the length of the longer side minus the errors."""
        return max(self.reference_tokens, self.hypothesis_tokens) - self.errors


def _overlaid(
    column: Sequence[Words], rows: Sequence[int], others: Sequence[Words]
) -> Sequence[Words]:
    """Return a column in which rows of another column replace the given rows."""
    from scoring.alignment.texts import ColumnWords

    if isinstance(column, ColumnWords) and isinstance(others, ColumnWords):
        return column.replaced(rows, others)
    values = list(column)
    for row, words in zip(rows, others, strict=True):
        values[row] = tuple(words)
    return values


def is_column(values: Sequence[Any]) -> bool:
    """Return True if `values` is a column of texts that is read in place."""
    return hasattr(values, "chosen")


def taken(column: Sequence[Value], rows: Sequence[int]) -> Sequence[Value]:
    """Return the values of the given rows of a column; an empty column gives no values."""
    if isinstance(rows, range) and rows.step == 1:
        return column[rows.start : rows.stop]
    if is_column(column):
        return column.chosen(rows)  # type: ignore[attr-defined, no-any-return]
    return [column[row] for row in rows] if column else ()


def concatenated(parts: Sequence[Alignments]) -> Alignments:
    """Concatenate the alignments of several parts (at least one)."""
    from array import array

    bounds = chain.from_iterable(pairwise(part.offsets) for part in parts)
    return Alignments(
        [words for part in parts for words in part.references],
        [words for part in parts for words in part.hypotheses],
        b"".join([bytes(part.edits) for part in parts]),
        array("q", accumulate((end - begin for begin, end in bounds), initial=0)),
        CountsTable(b"".join([bytes(part.counts.array) for part in parts])),
        parts[0].costs,
    )


def total_cost(counts: Sequence[int], costs: Costs) -> float:
    """Return the total cost of the errors, given counts in the order of `Counts`."""
    _, substitutions, deletions, insertions = counts
    return float(
        substitutions * costs[0] + deletions * costs[1] + insertions * costs[2],
    )
