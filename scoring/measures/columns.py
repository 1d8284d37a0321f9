"""Columns of numbers: words of utterances, parts of words, slots of alignments.

A slot is a pair of aligned words, a deletion or an insertion.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoring.alignment.kernel import align_linear, tie_number
from scoring.alignment.results import Alignments, CountsTable
from scoring.model.aliases import Ties
from scoring.model.arrays import Integers
from scoring.model.counts import NO_HYPOTHESIS, NO_REFERENCE, UNIT_COSTS, Costs

Flags = NDArray[np.bool_]


def table_of(edits: Iterable[int]) -> Flags:
    """Return a lookup table that has True at the given edit codes."""
    table = np.zeros(256, np.bool_)
    table[list(edits)] = True
    return table


def spread(sizes: Any) -> tuple[Integers, Integers]:
    """Return for each item the index of its group, and its index within the group.

    >>> [column.tolist() for column in spread([2, 0, 1])]
    [[0, 0, 2], [0, 1, 0]]
    """
    numbers = np.asarray(sizes, np.int64)
    owners: Integers = np.repeat(np.arange(len(numbers)), numbers)
    return owners, np.arange(len(owners)) - (np.cumsum(numbers) - numbers)[owners]


def bins_by_value(kind: str, values: Integers) -> dict[str, Flags]:
    """Return a column for each value, with True where it occurs; their sums are a histogram.

    `kind` is a part of the names of the columns.
    """
    return {f"utterances[{kind}:{n}]": values == n for n in np.unique(values).tolist()}


class WordColumns:
    """Words of all utterances, as numbers of distinct words.

    Attributes
    ----------
    types
        The distinct words, by number.
    ids
        The number of each word in `types`.
    offsets
        int64, the words of utterance u are `ids[offsets[u]:offsets[u + 1]]`.
    """

    def __init__(self, types: Sequence[Any], ids: NDArray[Any], sizes: Any) -> None:
        self.types = types
        self.ids = ids
        self.offsets: Integers = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)

    @cached_property
    def utterances(self) -> Integers:
        """The index of the utterance of each word."""
        return spread(np.diff(self.offsets))[0]

    def by_type(self, function: Callable[[Any], Any], kind: Any = np.int64) -> NDArray[Any]:
        """Return a property of each word; the function is called once per distinct word."""
        values = np.array([function(word) for word in self.types], kind)
        return values[self.ids] if len(values) else np.empty(0, kind)

    def sums(self, values: Any) -> Integers:
        """Return the sum of `values` over each utterance; `values` has an integer per word."""
        return _sums(values, self.offsets)

    def rows(self, ids: NDArray[Any], chosen: Any = slice(None)) -> list[list[int]]:
        """Return a list for each utterance with the values in `ids`, which has one value per word.

        `chosen` selects utterances.
        """
        numbers = ids.tolist()
        begins, ends = self.offsets[:-1][chosen].tolist(), self.offsets[1:][chosen].tolist()
        return [numbers[a:b] for a, b in zip(begins, ends, strict=True)]

    def select(self, rows: Integers) -> WordColumns:
        """Return the words of the given utterances (ascending)."""
        sizes = np.diff(self.offsets)
        chosen = np.zeros(len(sizes), np.bool_)
        chosen[rows] = True
        return WordColumns(self.types, self.ids[chosen[self.utterances]], sizes[rows])

    def texts(self, utterance: int) -> list[str]:
        """Return the words of an utterance."""
        ids = self.ids[self.offsets[utterance] : self.offsets[utterance + 1]]
        return [self.types[word] for word in ids.tolist()]


def numbered(utterances: Sequence[Sequence[str]]) -> tuple[list[str], NDArray[Any], Integers]:
    """Return the distinct words, the number of each word, and how many words each utterance has."""
    numbers: defaultdict[str, int] = defaultdict()
    numbers.default_factory = numbers.__len__
    sizes = np.fromiter(map(len, utterances), np.int64, len(utterances))
    ids = map(numbers.__getitem__, chain.from_iterable(utterances))
    column = np.fromiter(ids, np.int32, int(sizes.sum()))
    return list(numbers), column, sizes


def numbers_of(
    sides: Iterable[WordColumns],
    key: Callable[[Any], Hashable],
    numbers: dict[Any, int] | None = None,
) -> list[NDArray[np.int64]]:
    """Return a number for each word of each side; words with equal keys have equal numbers.

    New keys are added to `numbers`.
    """
    numbers = {} if numbers is None else numbers
    return [
        side.by_type(lambda word: numbers.setdefault(key(word), len(numbers))) for side in sides
    ]


class PieceColumns(WordColumns):
    """Parts of words, such as tokens or characters.

    Attributes
    ----------
    words
        The position of the word of each part.
    """

    def __init__(self, whole: WordColumns, cut: Callable[[str], Collection[Hashable]]) -> None:
        numbers: dict[Hashable, int] = {}
        pieces = [cut(word) for word in whole.types]
        flat = [numbers.setdefault(piece, len(numbers)) for word in pieces for piece in word]
        sizes = np.array(list(map(len, pieces)), np.int64)
        lengths = sizes[whole.ids]
        self.words, places = spread(lengths)
        places += (np.cumsum(sizes) - sizes)[whole.ids[self.words]]
        super().__init__(list(numbers), np.array(flat, np.int64)[places], whole.sums(lengths))


def placed(values: NDArray[Any], places: Integers, default: Any) -> NDArray[Any]:
    """Return the values at the positions `places`, and the default for position -1."""
    return np.append(values, np.array(default, values.dtype))[places]


class AlignedColumns:
    """The slots of alignments, one after the other."""

    def __init__(self, aligned: Alignments, counts: CountsTable | None = None) -> None:
        counts = aligned.counts if counts is None else counts
        offsets: Integers = np.asarray(aligned.offsets, np.int64)
        self.edits = np.frombuffer(bytes(aligned.edits), np.uint8)[offsets[0] : offsets[-1]]
        self.offsets: Integers = offsets - offsets[0]
        self.counts: Integers = np.asarray(counts.array, np.int64).reshape(-1, 4)

    @cached_property
    def utterances(self) -> Integers:
        """The index of the utterance of each slot."""
        return spread(np.diff(self.offsets))[0]

    @cached_property
    def left(self) -> Integers:
        """The position of the reference word of each slot; -1 if a slot has no reference word."""
        return _positions(~table_of(NO_REFERENCE)[self.edits])

    @cached_property
    def right(self) -> Integers:
        """The position of the hypothesis word of each slot; -1 if a slot has no hypothesis word."""
        return _positions(~table_of(NO_HYPOTHESIS)[self.edits])

    def sums(self, values: Any) -> Integers:
        """Return the sum of `values` over each utterance; `values` has an integer per slot."""
        return _sums(values, self.offsets)


def align_numbers(
    sides: Sequence[WordColumns],
    numbers: Iterable[Integers],
    costs: Costs = UNIT_COSTS,
    ties: Ties = "sclite",
) -> Alignments:
    """Align the utterances of two sides; words match if their `numbers` are equal."""
    columns: Any = [
        (column.astype(np.int32), side.offsets[:-1], side.offsets[1:])
        for side, column in zip(sides, numbers, strict=True)
    ]
    edits, offsets, counts = align_linear(*columns[0], *columns[1], *costs, tie_number(ties), 0)
    return Alignments((), (), edits, array("q", offsets), CountsTable(counts), costs)


def _positions(flags: Flags) -> Integers:
    """Return for each flagged slot its index among the flagged slots; -1 for other slots."""
    return np.where(flags, np.cumsum(flags) - 1, -1).astype(np.int64)


def _sums(values: Any, offsets: Integers) -> Integers:
    """Return the sum of integers over each utterance."""
    running = np.concatenate([[0], np.cumsum(np.asarray(values, np.int64))])
    return np.array(running[offsets[1:]] - running[offsets[:-1]], np.int64)
