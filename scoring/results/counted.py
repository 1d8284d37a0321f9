"""Counts of measures: integer columns per utterance, samples of values, and sums of both."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from scoring.model.arrays import Integers


class Sample(NamedTuple):
    """Labelled values of words; the values of utterance u begin at `values[offsets[u]]`."""

    values: NDArray[np.float64]
    labels: Integers
    offsets: Integers

    @classmethod
    def of(
        cls, values: Any, labels: Any, utterances: NDArray[np.integer[Any]], count: int
    ) -> Sample:
        """Create a sample from values.

        `utterances` has the index of the utterance of each value.
        """
        numbers = np.bincount(utterances, minlength=count)
        offsets = np.concatenate([[0], np.cumsum(numbers)]).astype(np.int64)
        column = np.asarray(values, np.float64)
        return cls(column, np.broadcast_to(labels, len(column)).astype(np.int64), offsets)

    def select(self, positions: Integers) -> Sample:
        """Return the sample of the utterances at the given positions, in this order."""
        sizes = np.diff(self.offsets)[positions]
        offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        rows = np.repeat(self.offsets[positions] - offsets[:-1], sizes) + np.arange(offsets[-1])
        return Sample(self.values[rows], self.labels[rows], offsets)

    def ordered(self) -> Sample:
        """Return the values in ascending order, equal values by label; utterances are ignored."""
        if not self.labels.any():
            return self._replace(values=np.sort(self.values))
        order = np.lexsort((self.labels, self.values))
        return self._replace(values=self.values[order], labels=self.labels[order])


class Sums(dict[str, int]):
    """The sums of columns by name, and sorted samples. A missing column has the sum 0."""

    def __init__(self, sums: Mapping[str, int], samples: Mapping[str, Sample] | None = None):
        super().__init__(sums)
        self.samples = samples or {}

    def __missing__(self, name: str) -> int:
        return 0

    def by_label(self, kind: str) -> dict[str, Sums]:
        """Return the sums of the columns named `part[kind:label]`, by label, then by part.

        >>> Sums({"hits[class:person]": 2, "hits": 3}).by_label("class")
        {'person': {'hits': 2}}
        """
        labels: dict[str, Sums] = {}
        for column, number in self.items():
            part, _, label = column.partition(f"[{kind}:")
            if label:
                labels.setdefault(label[:-1], Sums({}))[part] = number
        return labels

    def greatest(self, kind: str, column: str = "") -> int | None:
        """Return the greatest value in any utterance, from the columns of `bins_by_value`.

        Without such columns, return the value of `column`, which is a maximum instead of a sum.
        Return None if there is no value.

        >>> Sums({"utterances[longest:4]": 2, "utterances[longest:12]": 0}).greatest("longest")
        4
        """
        bins = self.by_label(kind).items()
        values = [int(label) for label, parts in bins if parts["utterances"]]
        return max(values) if values else self.get(column)


def f1_of(hits: int, reference: int, hypothesis: int) -> dict[str, float | None]:
    """Return precision, recall and F1 from the hits and the sizes of both sides; None if undefined.

    >>> f1_of(1, 2, 4)
    {'precision': 0.25, 'recall': 0.5, 'f1': 0.3333333333333333}
    """
    return {
        "precision": hits / hypothesis if hypothesis else None,
        "recall": hits / reference if reference else None,
        "f1": 2 * hits / (reference + hypothesis) if reference + hypothesis else None,
    }


@dataclass(frozen=True, slots=True)
class CountedColumns:
    """The counts of each utterance.

    `sums` maps names to int64 arrays with one count per utterance; columns of zeros may be absent.
    """

    utterances: int
    sums: Mapping[str, Integers]
    samples: Mapping[str, Sample] = field(default_factory=dict)

    @classmethod
    def of(
        cls, utterances: int, columns: Mapping[str, Any], names: Sequence[str]
    ) -> CountedColumns:
        """Create the counts from the columns of `MeasureSpec.count`; missing columns are 0."""
        sums: dict[str, Integers] = {}
        samples: dict[str, Sample] = {}
        for name, column in columns.items():
            if isinstance(column, Sample):
                samples[name] = column
            elif isinstance(column, Mapping):
                sums[name] = np.zeros(utterances, np.int64)
                sums[name][list(column)] = list(column.values())
            else:
                sums[name] = np.asarray(column, np.int64)
        for name in names:
            sums.setdefault(name, np.zeros(utterances, np.int64))
        return cls(utterances, sums, samples)

    def totals(
        self, weights: Integers | None = None, greatest: Collection[str] = frozenset()
    ) -> Sums:
        """Return the sums over all utterances; with `weights`, over a bootstrap sample.

        For the columns in `greatest`, return the maximum instead of the sum.
        """
        part = self if weights is None else self.select(weights)
        sums = {
            name: int(column.max(initial=0) if name in greatest else column.sum())
            for name, column in part.sums.items()
        }
        return Sums(sums, {name: sample.ordered() for name, sample in part.samples.items()})

    def select(self, positions: Sequence[int] | Integers) -> CountedColumns:
        """Return the columns of the given utterances, in this order."""
        rows = np.asarray(positions, np.int64).reshape(-1)
        return CountedColumns(
            len(rows),
            {name: column[rows] for name, column in self.sums.items()},
            {name: sample.select(rows) for name, sample in self.samples.items()},
        )

    def row(self, position: int) -> dict[str, Any]:
        """Return the counts of one utterance for JSON, without columns that are 0."""
        row: dict[str, Any] = {
            name: int(column[position]) for name, column in self.sums.items() if column[position]
        }
        for name, (values, labels, offsets) in self.samples.items():
            begin, end = offsets[position], offsets[position + 1]
            if end > begin:
                pairs = zip(values[begin:end].tolist(), labels[begin:end].tolist(), strict=True)
                row[name] = list(pairs)
        return row

    def matrix(self, names: Sequence[str]) -> Integers:
        """Return a matrix of the given columns, with one row per utterance."""
        empty = np.zeros(self.utterances, np.int64)
        columns = [self.sums.get(name, empty) for name in names]
        return np.stack(columns, axis=1) if columns else np.empty((self.utterances, 0), np.int64)


def joined(parts: Sequence[CountedColumns]) -> CountedColumns:
    """Concatenate the columns of several results."""
    names = dict.fromkeys(name for part in parts for name in part.sums)
    sampled = dict.fromkeys(name for part in parts for name in part.samples)
    samples: dict[str, Sample] = {}
    for name in sampled:
        nothing = (Sample.of((), (), np.empty(0, np.int64), part.utterances) for part in parts)
        pieces = [part.samples.get(name, none) for part, none in zip(parts, nothing, strict=True)]
        sizes = np.concatenate([np.diff(piece.offsets) for piece in pieces])
        samples[name] = Sample(
            np.concatenate([piece.values for piece in pieces]),
            np.concatenate([piece.labels for piece in pieces]),
            np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        )
    return CountedColumns(
        sum(part.utterances for part in parts),
        {name: np.concatenate([part.matrix([name])[:, 0] for part in parts]) for name in names},
        samples,
    )


def columns_of(rows: Sequence[Mapping[str, Any]]) -> CountedColumns:
    """Return the counts in rows that `CountedColumns.row` created."""
    sums: dict[str, Integers] = {}
    pairs: dict[str, list[Sequence[tuple[float, int]]]] = {}
    for position, row in enumerate(rows):
        for name, value in row.items():
            if isinstance(value, int):
                sums.setdefault(name, np.zeros(len(rows), np.int64))[position] = value
            else:
                pairs.setdefault(name, [()] * len(rows))[position] = value
    samples = {
        name: Sample.of(
            [value for row in values for value, _ in row],
            [label for row in values for _, label in row],
            np.repeat(np.arange(len(rows)), list(map(len, values))),
            len(rows),
        )
        for name, values in pairs.items()
    }
    return CountedColumns(len(rows), sums, samples)
