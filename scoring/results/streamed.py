"""Alignments that store only counts; words and edits are computed again on access."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any, NamedTuple

from formats.schema.words import Words
from scoring.alignment.results import Alignments, CountsTable, LazyColumn
from scoring.model.counts import Costs


class AlignedRow(NamedTuple):
    """The words of both sides of a pair, and its `Edit` bytes."""

    reference: Words
    hypothesis: Words
    edits: bytes


def aligned_row(part: Alignments, row: int) -> AlignedRow:
    """Return the words and the edits of the pair with index `row`."""
    return AlignedRow(tuple(part.references[row]), tuple(part.hypotheses[row]), part.edits_of(row))


class _Words(LazyColumn[Words]):
    """The words of a side, by row."""

    __slots__ = ("_of", "_side")

    def __init__(self, of: StreamedAlignments, side: int) -> None:
        super().__init__(range(len(of)))
        self._of = of
        self._side = side

    def value(self, row: int) -> Words:
        """Return the words of a row."""
        pair = self._of.row(row)
        return pair.hypothesis if self._side else pair.reference


class StreamedAlignments(Alignments):
    """Alignments that are computed in parts; only their counts stay in memory.

    Attributes
    ----------
    kinds
        The `Edit` bytes that occur.
    """

    __slots__ = ("_begins", "_kept", "_last", "_part", "kinds")

    def __init__(
        self,
        counts: CountsTable,
        costs: Costs,
        kinds: Iterable[int],
        sizes: Iterable[int],
        part: Callable[[int], Alignments],
        kept: Mapping[int, AlignedRow],
    ) -> None:
        self.counts = counts
        self.costs = costs
        self.kinds = bytes(sorted(kinds))
        self._begins = list(accumulate(sizes, initial=0))
        self._part = part
        self._kept = kept
        self._last: tuple[int, Alignments] | None = None
        self.references = _Words(self, 0)
        self.hypotheses = _Words(self, 1)

    def __getattr__(self, name: str) -> Any:
        if name not in ("edits", "offsets"):
            raise AttributeError(name, name=name, obj=self)
        pieces = [row.edits for row in self.rows(range(len(self)))]
        self.edits = b"".join(pieces)
        self.offsets = array("q", accumulate(map(len, pieces), initial=0))
        return getattr(self, name)

    def __reduce__(self) -> tuple[type[Alignments], tuple[Any, ...]]:
        sides = list(self.references), list(self.hypotheses)
        return Alignments, (*sides, self.edits, self.offsets, self.counts, self.costs)

    def row(self, row: int) -> AlignedRow:
        """Return a pair; its part is computed again unless it is in memory."""
        kept = self._kept.get(row)
        if kept is not None:
            return kept
        number = bisect_right(self._begins, row) - 1
        if self._last is None or self._last[0] != number:
            self._last = None  # memory holds one part
            self._last = number, self._part(number)
        return aligned_row(self._last[1], row - self._begins[number])

    def rows(self, positions: Iterable[int]) -> Iterator[AlignedRow]:
        """Yield the pairs at the given positions."""
        return map(self.row, positions)

    def edits_of(self, pair: int) -> bytes:
        """Return the `Edit` bytes of a pair."""
        return self.row(pair).edits

    def select(self, positions: Sequence[int]) -> Alignments:
        """Return the alignments at the given positions, in this order."""
        pairs = list(self.rows(positions))
        counts = b"".join([bytes(self.counts[row : row + 1].array) for row in positions])
        return Alignments(
            [pair.reference for pair in pairs],
            [pair.hypothesis for pair in pairs],
            b"".join([pair.edits for pair in pairs]),
            array("q", accumulate((len(pair.edits) for pair in pairs), initial=0)),
            CountsTable(counts),
            self.costs,
        )
