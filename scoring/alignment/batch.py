"""Align many pairs of token sequences in one call; far faster than one call per pair."""

from __future__ import annotations

from array import array
from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import accumulate, chain, pairwise
from typing import NamedTuple, TypeAlias, cast, overload

from formats.blanks import words_of_text
from scoring.alignment.frames import Framed, Values, count_columns_of
from scoring.alignment.kernel import align_token_pairs, count_token_pairs, sum_counts
from scoring.alignment.sequences import tie_number, total_cost
from scoring.alignment.texts import (
    AnyColumn,
    ColumnWords,
    count_columns,
    rows_from,
    texts_from,
)
from scoring.model import SCLITE_COSTS, Alignment, Costs, Counts, Ties

Tokens: TypeAlias = tuple[str, ...]


class CountsSums(NamedTuple):
    """Sums over the counts of many pairs.

    Attributes
    ----------
    total
        Of each kind.
    wrong
        How many pairs have an error.
    rated
        How many pairs have a reference token, and so a rate.
    rates
        The sum of their rates, errors per reference token, added in the order of the pairs.
    """

    total: Counts
    wrong: int
    rated: int
    rates: float


class CountsTable(Framed, Sequence[Counts]):
    """The counts of many pairs; a `Counts` is made when somebody looks at one.

    It is a table, too, for anything that speaks Arrow: the columns `correct`, `substitutions`,
    `deletions`, `insertions` (int32) and `rate` (null without reference tokens).

    Examples
    --------
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

    def columns(self) -> tuple[memoryview[int], ...]:
        """The four numbers, each of all pairs."""
        return tuple(self._numbers[at::4] for at in range(4))

    @property
    def sums(self) -> CountsSums:
        """The sums over all pairs."""
        if self._sums is None:
            sums = sum_counts(self._numbers)
            self._sums = CountsSums(Counts(*sums[:4]), *sums[4:])
        return self._sums

    @property
    def array(self) -> memoryview[int]:
        """A row of int32 per pair: correct, substitutions, deletions, insertions.

        `numpy.asarray` takes it without copying.
        """
        if not self._bytes:
            # a view cannot be cast to zero rows
            return self._numbers
        return memoryview(self._bytes).cast("i", (len(self), 4))

    def frame_columns(self) -> Mapping[str, Values]:
        """The columns of the table."""
        return count_columns_of(self.array)

    def total(self) -> Counts:
        """The sum over all pairs."""
        return self.sums.total

    def __len__(self) -> int:
        return len(self._numbers) // 4

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


class Alignments(Sequence[Alignment]):
    """The alignments of many pairs in columns; an `Alignment` is made when somebody looks at one.

    Attributes
    ----------
    references, hypotheses
        The tokens of each pair that took part; where there were alternatives those taken.
    edits, offsets
        `edits[offsets[u]:offsets[u + 1]]` are the `Edit` bytes of pair u.
    counts
        Of all pairs, as `edit_distance_batch` gives them.
    costs
        Of edits, from which the costs of alignments are summed.
    """

    __slots__ = ("costs", "counts", "edits", "hypotheses", "offsets", "references")

    def __init__(
        self,
        references: Sequence[Tokens],
        hypotheses: Sequence[Tokens],
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
        """Alignments that were made one by one."""
        counts = array("i", chain.from_iterable(one.counts() for one in alignments))
        return cls(
            [tuple(one.reference) for one in alignments],
            [tuple(one.hypothesis) for one in alignments],
            b"".join([bytes(one.edits) for one in alignments]),
            array("q", accumulate((len(one.edits) for one in alignments), initial=0)),
            CountsTable(counts.tobytes()),
            costs,
        )

    def __len__(self) -> int:
        return len(self.counts)

    @overload
    def __getitem__(self, index: int) -> Alignment: ...
    @overload
    def __getitem__(self, index: slice) -> list[Alignment]: ...
    def __getitem__(self, index: int | slice) -> Alignment | list[Alignment]:
        if isinstance(index, slice):
            return [self[position] for position in range(len(self))[index]]
        at = range(len(self))[index]
        cost = total_cost(self.counts[at], self.costs)
        left, right = tuple(self.references[at]), tuple(self.hypotheses[at])
        return Alignment(self.edits_of(at), left, right, cost)

    def edits_of(self, pair: int) -> bytes:
        """The `Edit` bytes of a pair."""
        return bytes(self.edits[self.offsets[pair] : self.offsets[pair + 1]])

    def select(self, positions: Sequence[int]) -> Alignments:
        """Those at some positions, in this order."""
        pieces = list(map(self.edits_of, positions))
        counts = array("i", chain.from_iterable(map(self.counts.__getitem__, positions)))
        return Alignments(
            [self.references[at] for at in positions],
            [self.hypotheses[at] for at in positions],
            b"".join(pieces),
            array("q", accumulate(map(len, pieces), initial=0)),
            CountsTable(counts.tobytes()),
            self.costs,
        )

    def joined_at(self, bounds: Sequence[int]) -> Alignments:
        """Those from each of these positions to the next as one; the last is the number of all."""
        parts = list(pairwise(bounds))
        sums = (self.counts[begin:end].total() for begin, end in parts)
        return Alignments(
            [tuple(chain.from_iterable(self.references[begin:end])) for begin, end in parts],
            [tuple(chain.from_iterable(self.hypotheses[begin:end])) for begin, end in parts],
            bytes(self.edits),
            array("q", [self.offsets[at] for at in bounds]),
            CountsTable(array("i", chain.from_iterable(sums)).tobytes()),
            self.costs,
        )

    def slice(self, begin: int, end: int) -> Alignments:
        """Those from one position to another."""
        base = self.offsets[begin]
        return Alignments(
            self.references[begin:end],
            self.hypotheses[begin:end],
            bytes(self.edits[base : self.offsets[end]]),
            array("q", [offset - base for offset in self.offsets[begin : end + 1]]),
            self.counts[begin:end],
            self.costs,
        )

    def __eq__(self, other: object) -> bool:
        return list(self) == list(other) if isinstance(other, Alignments) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.edits, self.counts))

    def __repr__(self) -> str:
        return f"<{len(self)} alignments, total {self.counts.total()}>"


def concatenated(parts: Sequence[Alignments]) -> Alignments:
    """The alignments of several parts, at least one, one after the other."""
    bounds = chain.from_iterable(pairwise(part.offsets) for part in parts)
    return Alignments(
        [words for part in parts for words in part.references],
        [words for part in parts for words in part.hypotheses],
        b"".join([bytes(part.edits) for part in parts]),
        array("q", accumulate((end - begin for begin, end in bounds), initial=0)),
        CountsTable(b"".join([bytes(part.counts.array) for part in parts])),
        parts[0].costs,
    )


def align_batch(
    references: Sequence[Sequence[str]] | Iterable[Sequence[str]] | AnyColumn,
    hypotheses: Sequence[Sequence[str]] | Iterable[Sequence[str]] | AnyColumn,
    *,
    costs: Costs = SCLITE_COSTS,
    ties: Ties = "sclite",
    threads: int = 0,
) -> Alignments:
    """Align each reference with the hypothesis at the same place.

    The sequences are kept, not copied: leave them as they are while the result is in use.

    Parameters
    ----------
    references, hypotheses
        As many of one as of the other; see `align`. Or columns of texts of any library that
        speaks Arrow (pyarrow, polars, pandas, DuckDB), arrays of numpy and Series: their texts are
        cut at ASCII blanks.
    costs, ties
        As of `align`.
    threads
        At most this many; 0: as many as there are processors, if there is enough to do.

    Raises
    ------
    ValueError
        If there are not as many references as hypotheses, a text is null or no UTF-8; and as
        `align`.
    TypeError
        If a column holds no texts; and as `align`.

    Examples
    --------
    >>> alignments = align_batch([["a", "b"], ["c"]], [["a"], ["c", "d"]])
    >>> [alignment.letters for alignment in alignments]
    ['CD', 'CI']
    >>> alignments.counts.total()
    Counts(correct=2, substitutions=0, deletions=1, insertions=1)
    """
    left, right = _side(references, "references"), _side(hypotheses, "hypotheses")
    prices = *costs, tie_number(ties), threads
    if isinstance(left, ColumnWords) and isinstance(right, ColumnWords):
        edits, offsets, counts = left.aligned_with(right, False, prices)
    else:
        edits, offsets, counts = align_token_pairs(left, right, *prices)
    places = array("q", offsets)  # which, unlike a view of the bytes, can be pickled
    return Alignments(left, right, edits, places, CountsTable(counts), costs)


def edit_distance_batch(
    references: Sequence[Sequence[Hashable]] | Iterable[Sequence[Hashable]] | AnyColumn,
    hypotheses: Sequence[Sequence[Hashable]] | Iterable[Sequence[Hashable]] | AnyColumn,
    *,
    costs: Costs = SCLITE_COSTS,
    ties: Ties = "sclite",
    threads: int = 0,
) -> CountsTable:
    """Counts of each reference against the hypothesis at the same place.

    Parameters and errors as of `align_batch`.

    Examples
    --------
    >>> edit_distance_batch([["a", "b"], ["c"]], [["a"], ["c", "d"]]).total()
    Counts(correct=2, substitutions=0, deletions=1, insertions=1)
    """
    left, right = _side(references, "references"), _side(hypotheses, "hypotheses")
    prices = *costs, tie_number(ties), threads
    if isinstance(left, ColumnWords) and isinstance(right, ColumnWords):
        return CountsTable(count_columns(left.texts, right.texts, 0, None, *prices))
    return CountsTable(count_token_pairs(left, right, *prices))


def _side(given: object, what: str) -> Sequence[Tokens]:
    """The token lists of a side; those of columns and arrays of texts, cut at blanks."""
    texts = texts_from(given, what)
    if texts is not None:
        missing = array("q", texts.nulls())
        if missing:
            raise ValueError(
                f"{what}: expected a text in every row, found null in row {missing[0] + 1}"
            )
        return ColumnWords(texts)
    rows = rows_from(given)
    if rows is None:
        # lists are kept as they are, and become tuples in each `Alignment`
        return cast("Sequence[Tokens]", given)
    for number, row in enumerate(rows, 1):
        if row is None:
            raise ValueError(f"{what}: expected a text in every row, found null in row {number}")
    if rows and all(isinstance(row, str) for row in rows):
        return [words_of_text(str(row)) for row in rows]
    return cast("Sequence[Tokens]", rows)
