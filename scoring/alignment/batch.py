"""Align many pairs of token sequences in one call; far faster than one call per pair."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import overload

from scoring.alignment.kernel import align_token_pairs, count_token_pairs
from scoring.alignment.sequences import tie_number, total_cost
from scoring.model import SCLITE_COSTS, Alignment, Costs, Counts, Ties


class CountsTable(Sequence[Counts]):
    """The counts of many pairs; a `Counts` is made when somebody looks at one.

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

    __slots__ = ("_bytes", "_numbers")

    def __init__(self, counts: bytes) -> None:
        self._bytes = counts
        self._numbers = memoryview(counts).cast("i")

    @property
    def array(self) -> memoryview[int]:
        """A row of int32 per pair: correct, substitutions, deletions, insertions.

        `numpy.asarray` takes it without copying.
        """
        if not self._bytes:
            # a view cannot be cast to zero rows
            return self._numbers
        return memoryview(self._bytes).cast("i", (len(self), 4))

    def total(self) -> Counts:
        """The sum over all pairs."""
        return Counts(*(sum(self._numbers[column::4]) for column in range(4)))

    def __len__(self) -> int:
        return len(self._numbers) // 4

    @overload
    def __getitem__(self, index: int) -> Counts: ...
    @overload
    def __getitem__(self, index: slice) -> CountsTable: ...
    def __getitem__(self, index: int | slice) -> Counts | CountsTable:
        if isinstance(index, slice):
            rows = range(len(self))[index]
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
    """The alignments of many pairs; an `Alignment` is made when somebody looks at one.

    Attributes
    ----------
    counts
        Of all pairs, as `edit_distance_batch` gives them.
    """

    __slots__ = ("_costs", "_edits", "_hypotheses", "_offsets", "_references", "counts")

    def __init__(
        self,
        columns: tuple[bytes, bytes, bytes],
        references: Sequence[Sequence[str]],
        hypotheses: Sequence[Sequence[str]],
        costs: Costs,
    ) -> None:
        self._edits = columns[0]
        self._offsets = memoryview(columns[1]).cast("q")
        self.counts = CountsTable(columns[2])
        self._references = references
        self._hypotheses = hypotheses
        self._costs = costs

    def __len__(self) -> int:
        return len(self.counts)

    @overload
    def __getitem__(self, index: int) -> Alignment: ...
    @overload
    def __getitem__(self, index: slice) -> list[Alignment]: ...
    def __getitem__(self, index: int | slice) -> Alignment | list[Alignment]:
        if isinstance(index, slice):
            return [self._at(position) for position in range(len(self))[index]]
        return self._at(range(len(self))[index])

    def _at(self, position: int) -> Alignment:
        return Alignment(
            self._edits[self._offsets[position] : self._offsets[position + 1]],
            tuple(self._references[position]),
            tuple(self._hypotheses[position]),
            total_cost(self.counts[position], self._costs),
        )

    def __eq__(self, other: object) -> bool:
        return list(self) == list(other) if isinstance(other, Alignments) else NotImplemented

    def __hash__(self) -> int:
        return hash((self._edits, self.counts))

    def __reduce__(self) -> tuple[object, ...]:
        columns = (self._edits, bytes(self._offsets), bytes(self.counts.array))
        return Alignments, (columns, self._references, self._hypotheses, self._costs)

    def __repr__(self) -> str:
        return f"<{len(self)} alignments, total {self.counts.total()}>"


def align_batch(
    references: Sequence[Sequence[str]],
    hypotheses: Sequence[Sequence[str]],
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
        As many of one as of the other; see `align`.
    costs, ties
        As of `align`.
    threads
        At most this many; 0: as many as there are processors, if there is enough to do.

    Raises
    ------
    ValueError
        If there are not as many references as hypotheses; and as `align`.
    TypeError
        As `align`.

    Examples
    --------
    >>> alignments = align_batch([["a", "b"], ["c"]], [["a"], ["c", "d"]])
    >>> [alignment.letters for alignment in alignments]
    ['CD', 'CI']
    >>> alignments.counts.total()
    Counts(correct=2, substitutions=0, deletions=1, insertions=1)
    """
    columns = align_token_pairs(references, hypotheses, *costs, tie_number(ties), threads)
    return Alignments(columns, references, hypotheses, costs)


def edit_distance_batch(
    references: Sequence[Sequence[Hashable]],
    hypotheses: Sequence[Sequence[Hashable]],
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
    counts = count_token_pairs(references, hypotheses, *costs, tie_number(ties), threads)
    return CountsTable(counts)
