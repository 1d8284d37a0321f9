"""What measures see of a result: its words as numbers, its edits, and where each word comes from.

CountedColumns are computed when a measure asks for them, once for all measures of a result.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from scoring.errors import InputError
from scoring.model import NO_HYPOTHESIS, NO_REFERENCE, Edit
from scoring.rates.counted import Integers, Sample
from scoring.rates.repeats import pieces_of
from scoring.rates.side_details import ReportSide

if TYPE_CHECKING:
    from formats.model import Segment
    from scoring.alignment.results import Alignments
    from scoring.rates.result import Rates

Words = tuple[str, ...]
Flags = NDArray[np.bool_]
_RIGHT = frozenset({Edit.CORRECT, Edit.SKIPPED_REFERENCE, Edit.SKIPPED_HYPOTHESIS})


def table_of(edits: Iterable[int]) -> Flags:
    """Whether each edit code is one of these."""
    table = np.zeros(256, np.bool_)
    table[list(edits)] = True
    return table


def spread(sizes: Any) -> tuple[Integers, Integers]:
    """For each of some numbers of things: whose it is, and its place among the owner's.

    >>> [column.tolist() for column in spread([2, 0, 1])]
    [[0, 0, 2], [0, 1, 0]]
    """
    numbers = np.asarray(sizes, np.int64)
    owners: Integers = np.repeat(np.arange(len(numbers)), numbers)
    return owners, np.arange(len(owners)) - (np.cumsum(numbers) - numbers)[owners]


class WordColumns:
    """Words of all utterances as numbers of their types.

    Attributes
    ----------
    types
        The distinct words, by number.
    ids
        The type of each word.
    offsets
        int64, the words of utterance u are `ids[offsets[u]:offsets[u + 1]]`.
    """

    def __init__(self, types: Sequence[Any], ids: NDArray[Any], sizes: Any) -> None:
        self.types = types
        self.ids = ids
        self.offsets: Integers = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)

    @cached_property
    def utterances(self) -> Integers:
        """The utterance of each word."""
        return spread(np.diff(self.offsets))[0]

    def by_type(self, function: Callable[[Any], Any], kind: Any = np.int64) -> NDArray[Any]:
        """A property of each word, computed once per type."""
        values = np.array([function(word) for word in self.types], kind)
        return values[self.ids] if len(values) else np.empty(0, kind)

    def sums(self, values: Any) -> Integers:
        """The sum of a value per word over each utterance; whole numbers."""
        return _sums(values, self.offsets)

    def rows(self, ids: NDArray[Any]) -> list[tuple[int, ...]]:
        """Numbers of words, utterance by utterance."""
        numbers = ids.tolist()
        return [tuple(numbers[a:b]) for a, b in pairwise(self.offsets.tolist())]

    def texts(self, utterance: int) -> list[str]:
        """The words of an utterance."""
        ids = self.ids[self.offsets[utterance] : self.offsets[utterance + 1]]
        return [self.types[word] for word in ids.tolist()]


def numbered(utterances: Sequence[Sequence[str]]) -> tuple[list[str], NDArray[Any], Integers]:
    """The distinct words, the number of each word, and how many words each utterance has."""
    numbers: defaultdict[str, int] = defaultdict()
    numbers.default_factory = numbers.__len__
    sizes = np.fromiter(map(len, utterances), np.int64, len(utterances))
    ids = map(numbers.__getitem__, chain.from_iterable(utterances))
    column = np.fromiter(ids, np.int32, int(sizes.sum()))
    return list(numbers), column, sizes


def numbers_of(
    sides: Iterable[WordColumns], key: Callable[[Any], Hashable]
) -> list[NDArray[np.int64]]:
    """The words of several sides as numbers, which are equal where their keys are."""
    numbers: dict[Hashable, int] = {}
    return [
        side.by_type(lambda word: numbers.setdefault(key(word), len(numbers))) for side in sides
    ]


class PieceColumns(WordColumns):
    """Words cut in pieces.

    Attributes
    ----------
    words
        The position of the word of each piece.
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


class RawWords(WordColumns):
    """The words of a side as read.

    Attributes
    ----------
    origins
        int64, for each scored word the position of its raw word; -1 without one.
    """

    def __init__(self, columns: WordColumns, origins: Integers) -> None:
        super().__init__(columns.types, columns.ids, np.diff(columns.offsets))
        self.origins = origins

    @cached_property
    def tokens(self) -> PieceColumns:
        """The words in lower case without marks, as `scoring.rates.repeats` cuts them."""
        return PieceColumns(self, pieces_of)

    @cached_property
    def scored(self) -> Flags:
        """Whether any scored word comes from each raw word."""
        flags = np.zeros(len(self.ids), np.bool_)
        flags[self.origins[self.origins >= 0]] = True
        return flags

    def all_of(self, flags: Flags) -> Flags:
        """Whether a flag holds for all scored words of each raw word, of which there must be some.

        A raw word that became several scored words is right only if all of them are.
        """
        held = self.scored.copy()
        lacking = self.origins[~flags]
        held[lacking[lacking >= 0]] = False
        return held

    def first_of(self, values: NDArray[Any], default: Any) -> NDArray[Any]:
        """The value of the first scored word of each raw word, or a default."""
        chosen = np.full(len(self.ids), default, values.dtype)
        places = np.flatnonzero(self.origins >= 0)[::-1]
        chosen[self.origins[places]] = values[places]  # the first one is assigned last
        return chosen


class SideColumns(WordColumns):
    """The scored words of one side, and what is known of them."""

    def __init__(self, view: View, name: str) -> None:
        aligned, sources = view.rates.aligned, view.rates.sources
        is_reference = name == "reference"
        self.words: list[Words] = list(aligned.references if is_reference else aligned.hypotheses)
        super().__init__(*numbered(self.words))
        self.name = name
        self.slots = view.left if is_reference else view.right
        self._view = view
        self._segments: Sequence[Segment | None] | None = None
        self._columns: dict[str, NDArray[Any]] = {}
        if sources is not None:
            self._segments = sources.references if is_reference else sources.hypotheses

    @cached_property
    def edits(self) -> NDArray[np.uint8]:
        """The edit of each word."""
        edits = np.empty(len(self.ids), np.uint8)
        edits[self.slots[self.slots >= 0]] = self._view.edits[self.slots >= 0]
        return edits

    @cached_property
    def right(self) -> Flags:
        """Whether each word is right."""
        return table_of(_RIGHT)[self.edits]

    @cached_property
    def raw(self) -> RawWords:
        """The words as read.

        Raises
        ------
        InputError
            If the words were normalised or cut in units and the result does not keep them as read.
        """
        rules = self._view.rates.rules
        if self._segments is None:
            if rules.normalization != "none" or rules.unit != "word":
                raise self._view.error(
                    "expected the words as read, found only words after normalisation: keep them "
                    "when the files are scored (--measures does so; keep_sources=True in Python)"
                )
            return RawWords(self, np.arange(len(self.ids)))
        texts = [() if segment is None else _texts_of(segment) for segment in self._segments]
        changed = [row for row, words in enumerate(self.words) if words != texts[row]]
        if not changed:
            return RawWords(self, np.arange(len(self.ids)))
        columns = WordColumns(*numbered(texts))
        return RawWords(columns, self._origins(texts, changed, columns.offsets[:-1]))

    def _origins(
        self, texts: Sequence[Words], changed: Sequence[int], begins: Integers
    ) -> Integers:
        """For each scored word the position of its raw word."""
        assert self._segments is not None
        rates = self._view.rates
        pipeline = None if rates.sources is None else rates.sources.pipeline
        side = ReportSide(self.words, self._segments, self.name, pipeline, rates.rules.unit)
        side.learn({word for row in changed for word in texts[row]})
        rows, places = spread(np.diff(self.offsets))
        origins = begins[rows] + places
        for row in changed:
            found = side.origins_of(self.words[row], texts[row])
            shifted = [-1 if place is None else int(begins[row]) + place for place in found]
            origins[self.offsets[row] : self.offsets[row + 1]] = shifted
        return origins

    def has(self, name: str) -> bool:
        """Whether any word as read has `starts_ns`, `ends_ns` or `confidences`."""
        return any(
            segment is not None and getattr(segment, name) is not None
            for segment in self._segments or ()
        )

    def known(self, name: str, default: float = np.nan) -> NDArray[np.float64]:
        """`confidences` of the words as read; a default where there is none."""
        return self._column(name, default, np.float64)

    def times(self, name: str) -> Integers:
        """`starts_ns` or `ends_ns` of the words as read; `UNTIMED` where there is none."""
        return self._column(name, UNTIMED, np.int64)

    def flags(self, name: str) -> Flags:
        """`interpolated` or `optional` of the words as read."""
        return self._column(name, False, np.bool_)

    def _column(self, name: str, default: Any, kind: type) -> NDArray[Any]:
        """A column of the words as read, computed once; not to be changed."""
        if name not in self._columns:
            values = chain.from_iterable(self._values(name, default))
            self._columns[name] = np.fromiter(values, kind, len(self.raw.ids))
        return self._columns[name]

    def _values(self, name: str, default: Any) -> Iterator[Sequence[Any]]:
        renamed = {"starts_ns": "start_ns", "ends_ns": "end_ns", "confidences": "confidence"}
        sizes = np.diff(self.raw.offsets).tolist()
        for size, segment in zip(sizes, self._segments or [None] * len(sizes), strict=True):
            column: Any = None
            if segment is not None and segment.alternations:
                attribute = renamed.get(name, name)
                column = [getattr(token, attribute) for token in segment.all_tokens()]
            elif segment is not None:
                column = getattr(segment, name)
            if column is None:
                column = (default,) * size
            elif None in column:
                column = [default if value is None else value for value in column]
            yield column


UNTIMED = -(2**63)
"""The time of a word without one, in columns of nanoseconds."""


def _texts_of(segment: Segment) -> Words:
    if not segment.alternations:
        return segment.words
    return tuple(token.text for token in segment.all_tokens())


def placed(values: NDArray[Any], places: Integers, default: Any) -> NDArray[Any]:
    """The value at each place; a default for place -1."""
    return np.append(values, np.array(default, values.dtype))[places]


class AlignedColumns:
    """The slots of alignments, one after the other."""

    def __init__(self, aligned: Alignments) -> None:
        offsets: Integers = np.asarray(aligned.offsets, np.int64)
        self.edits = np.frombuffer(bytes(aligned.edits), np.uint8)[offsets[0] : offsets[-1]]
        self.offsets: Integers = offsets - offsets[0]
        self.counts: Integers = np.asarray(aligned.counts.array, np.int64).reshape(-1, 4)

    @cached_property
    def utterances(self) -> Integers:
        """The utterance of each slot."""
        return spread(np.diff(self.offsets))[0]

    @cached_property
    def left(self) -> Integers:
        """The position of the reference word of each slot; -1 without one."""
        return _positions(~table_of(NO_REFERENCE)[self.edits])

    @cached_property
    def right(self) -> Integers:
        """The position of the hypothesis word of each slot; -1 without one."""
        return _positions(~table_of(NO_HYPOTHESIS)[self.edits])

    def sums(self, values: Any) -> Integers:
        """The sum of a value per slot over each utterance; whole numbers."""
        return _sums(values, self.offsets)


class View(AlignedColumns):
    """A result as measures see it, and the settings of the measure that looks at it.

    Attributes
    ----------
    rates
        The result: identifiers, speakers, groups, counts.
    edits, offsets
        The `Edit` of each slot; the slots of utterance u are `edits[offsets[u]:offsets[u + 1]]`.
    counts
        A row per utterance: correct, substitutions, deletions, insertions.
    settings
        Values of the measure's parameters.
    shared
        What several measures compute once, by a name of their own.
    reference, hypothesis
        The words of each side.
    """

    def __init__(self, rates: Rates) -> None:
        super().__init__(rates.aligned)
        self.rates = rates
        self.settings: dict[str, Any] = {}
        self.shared: dict[Any, Any] = {}

    def __len__(self) -> int:
        return len(self.rates)

    def error(self, text: str) -> InputError:
        """An error about the hypothesis."""
        return InputError(self.rates.hypothesis.path, None, None, text)

    @cached_property
    def errors(self) -> Integers:
        """The errors of each utterance."""
        return np.array(self.counts[:, 1:].sum(axis=1), np.int64)

    @cached_property
    def milliseconds(self) -> Integers:
        """The length of each utterance; 0 where it is not known."""
        lengths = np.zeros(len(self), np.int64)
        if self.rates.sources is not None:
            for row, segment in enumerate(self.rates.sources.references):
                if segment.start_ns is not None and segment.end_ns is not None:
                    lengths[row] = (segment.end_ns - segment.start_ns) // 1_000_000
        return lengths

    @cached_property
    def reference(self) -> SideColumns:
        """The reference's words."""
        return SideColumns(self, "reference")

    @cached_property
    def hypothesis(self) -> SideColumns:
        """The hypothesis's words."""
        return SideColumns(self, "hypothesis")

    def sample(self, values: Any, labels: Any, utterances: Integers) -> Sample:
        """Values of words, in the order of utterances."""
        return Sample.of(values, labels, utterances, len(self))


def _positions(flags: Flags) -> Integers:
    """The running number of each slot that has a flag; -1 for the others."""
    return np.where(flags, np.cumsum(flags) - 1, -1).astype(np.int64)


def _sums(values: Any, offsets: Integers) -> Integers:
    """The sum of whole numbers over each utterance."""
    running = np.concatenate([[0], np.cumsum(np.asarray(values, np.int64))])
    return np.array(running[offsets[1:]] - running[offsets[:-1]], np.int64)
