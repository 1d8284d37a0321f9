"""What measures see of a result: its words as numbers, its edits, and where each word comes from.

CountedColumns are computed when a measure asks for them, once for all measures of a result.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from itertools import chain
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
    from scoring.rates.result import Rates

Words = tuple[str, ...]
Flags = NDArray[np.bool_]
_RIGHT = frozenset({Edit.CORRECT, Edit.SKIPPED_REFERENCE, Edit.SKIPPED_HYPOTHESIS})


def table_of(edits: Iterable[int]) -> Flags:
    """Whether each edit code is one of these."""
    table = np.zeros(256, np.bool_)
    table[list(edits)] = True
    return table


class WordColumns:
    """Words of all utterances as numbers of their types.

    Attributes
    ----------
    types
        The distinct words, by number.
    ids
        int32, the type of each word.
    offsets
        int64, the words of utterance u are `ids[offsets[u]:offsets[u + 1]]`.
    """

    def __init__(self, utterances: Sequence[Sequence[str]]) -> None:
        numbers: defaultdict[str, int] = defaultdict()
        numbers.default_factory = numbers.__len__
        rows = list(utterances)
        sizes = np.fromiter(map(len, rows), np.int64, len(rows))
        self.offsets: Integers = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        words = map(numbers.__getitem__, chain.from_iterable(rows))
        self.ids = np.fromiter(words, np.int32, int(self.offsets[-1]))
        self.types = list(numbers)

    @cached_property
    def utterances(self) -> Integers:
        """The utterance of each word."""
        return _owners(self.offsets)

    def by_type(self, function: Callable[[str], Any], kind: Any = np.int64) -> NDArray[Any]:
        """A property of each word, computed once per type."""
        values = np.array([function(word) for word in self.types], kind)
        return values[self.ids] if len(values) else np.empty(0, kind)

    def sums(self, values: Any) -> Integers:
        """The sum of a value per word over each utterance; whole numbers."""
        return _sums(values, self.offsets)


class RawWords(WordColumns):
    """The words of a side as read.

    Attributes
    ----------
    origins
        int64, for each scored word the position of its raw word; -1 without one.
    """

    def __init__(self, utterances: Sequence[Sequence[str]], origins: Integers) -> None:
        super().__init__(utterances)
        self.origins = origins

    @cached_property
    def tokens(self) -> TokenColumns:
        """The words in lower case without marks, as `scoring.rates.repeats` cuts them."""
        return TokenColumns(self)

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


class TokenColumns:
    """Words as read in lower case, without marks; those of scripts without blanks in characters.

    Attributes
    ----------
    types, ids, offsets, utterances
        As of `WordColumns`.
    words
        The position of the raw word of each token.
    """

    def __init__(self, raw: RawWords) -> None:
        numbers: dict[str, int] = {}
        pieces = [pieces_of(word) for word in raw.types]
        flat = [numbers.setdefault(token, len(numbers)) for word in pieces for token in word]
        self.types = list(numbers)
        sizes = np.fromiter(map(len, pieces), np.int64, len(pieces))
        starts = np.cumsum(sizes) - sizes
        lengths = sizes[raw.ids]
        self.words = np.repeat(np.arange(len(raw.ids)), lengths)
        within = np.arange(len(self.words)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        places = np.repeat(starts[raw.ids], lengths) + within
        self.ids = np.array(flat, np.int32)[places] if flat else np.empty(0, np.int32)
        self.offsets = np.concatenate([[0], np.cumsum(raw.sums(lengths))]).astype(np.int64)

    @cached_property
    def utterances(self) -> Integers:
        """The utterance of each token."""
        return _owners(self.offsets)

    def texts(self, utterance: int) -> list[str]:
        """The tokens of an utterance."""
        ids = self.ids[self.offsets[utterance] : self.offsets[utterance + 1]]
        return [self.types[token] for token in ids.tolist()]


class SideColumns(WordColumns):
    """The scored words of one side, and what is known of them."""

    def __init__(self, view: View, name: str) -> None:
        aligned, sources = view.rates.aligned, view.rates.sources
        self.words: list[Words] = list(
            aligned.references if name == "reference" else aligned.hypotheses
        )
        super().__init__(self.words)
        self.name = name
        self._view = view
        self._segments: Sequence[Segment | None] | None = None
        if sources is not None:
            self._segments = sources.references if name == "reference" else sources.hypotheses

    @cached_property
    def edits(self) -> NDArray[np.uint8]:
        """The edit of each word."""
        edits = np.empty(len(self.ids), np.uint8)
        places = self._view.left if self.name == "reference" else self._view.right
        edits[places[places >= 0]] = self._view.edits[places >= 0]
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
            return RawWords(self.words, np.arange(len(self.ids)))
        texts = [() if segment is None else _texts_of(segment) for segment in self._segments]
        return RawWords(texts, self._origins(texts))

    def _origins(self, texts: Sequence[Words]) -> Integers:
        """For each scored word the position of its raw word."""
        assert self._segments is not None
        rates = self._view.rates
        pipeline = None if rates.sources is None else rates.sources.pipeline
        side = ReportSide(self.words, self._segments, self.name, pipeline, rates.rules.unit)
        changed = [row for row, words in enumerate(self.words) if words != texts[row]]
        side.learn({word for row in changed for word in texts[row]})
        sizes = np.fromiter(map(len, texts), np.int64, len(texts))
        begins = np.concatenate([[0], np.cumsum(sizes)])[:-1]
        origins = np.arange(len(self.ids)) - np.repeat(self.offsets[:-1], np.diff(self.offsets))
        origins += np.repeat(begins, np.diff(self.offsets))
        for row in changed:
            places = side.origins_of(self.words[row], texts[row])
            shifted = [-1 if place is None else int(begins[row]) + place for place in places]
            origins[self.offsets[row] : self.offsets[row + 1]] = shifted
        return origins.astype(np.int64)

    def has(self, name: str) -> bool:
        """Whether any word as read has `starts_ns`, `ends_ns` or `confidences`."""
        return any(
            segment is not None and getattr(segment, name) is not None
            for segment in self._segments or ()
        )

    def known(self, name: str, default: float = np.nan) -> NDArray[np.float64]:
        """`confidences` of the words as read; a default where there is none."""
        return np.array(self._known(name, default), np.float64)

    def times(self, name: str) -> Integers:
        """`starts_ns` or `ends_ns` of the words as read; `UNTIMED` where there is none."""
        return np.array(self._known(name, UNTIMED), np.int64)

    def flags(self, name: str) -> Flags:
        """`interpolated` or `optional` of the words as read."""
        return np.array(self._known(name, False), np.bool_)

    def _known(self, name: str, default: Any) -> list[Any]:
        renamed = {"starts_ns": "start_ns", "ends_ns": "end_ns", "confidences": "confidence"}
        attribute = renamed.get(name, name)
        values: list[Any] = []
        sizes = np.diff(self.raw.offsets).tolist()
        for size, segment in zip(sizes, self._segments or [None] * len(sizes), strict=True):
            if segment is not None and segment.alternations:
                column: Any = [getattr(token, attribute) for token in segment.all_tokens()]
            else:
                column = None if segment is None else getattr(segment, name)
            values += [default] * size if column is None else column
        return [default if value is None else value for value in values]


UNTIMED = -(2**63)
"""The time of a word without one, in columns of nanoseconds."""


def _texts_of(segment: Segment) -> Words:
    if not segment.alternations:
        return segment.words
    return tuple(token.text for token in segment.all_tokens())


class View:
    """A result as measures see it, and the settings of the measure that looks at it.

    Attributes
    ----------
    rates
        The result: identifiers, speakers, groups, counts.
    settings
        Values of the measure's parameters.
    shared
        What several measures compute once, by a name of their own.
    reference, hypothesis
        The words of each side.
    """

    def __init__(self, rates: Rates) -> None:
        self.rates = rates
        self.settings: dict[str, Any] = {}
        self.shared: dict[str, Any] = {}

    def __len__(self) -> int:
        return len(self.rates)

    def error(self, text: str) -> InputError:
        """An error about the hypothesis."""
        return InputError(self.rates.hypothesis.path, None, None, text)

    @cached_property
    def edits(self) -> NDArray[np.uint8]:
        """The `Edit` of each slot of all alignments, one after the other."""
        aligned = self.rates.aligned
        edits = np.frombuffer(bytes(aligned.edits), np.uint8)
        return edits[int(aligned.offsets[0]) : int(aligned.offsets[-1])]

    @cached_property
    def offsets(self) -> Integers:
        """The slots of utterance u are `edits[offsets[u]:offsets[u + 1]]`."""
        offsets: Integers = np.asarray(self.rates.aligned.offsets, np.int64)
        return np.array(offsets - offsets[0], np.int64)

    @cached_property
    def utterances(self) -> Integers:
        """The utterance of each slot."""
        return _owners(self.offsets)

    @cached_property
    def left(self) -> Integers:
        """The position of the reference word of each slot; -1 without one."""
        return _positions(~table_of(NO_REFERENCE)[self.edits])

    @cached_property
    def right(self) -> Integers:
        """The position of the hypothesis word of each slot; -1 without one."""
        return _positions(~table_of(NO_HYPOTHESIS)[self.edits])

    @cached_property
    def counts(self) -> Integers:
        """A row per utterance: correct, substitutions, deletions, insertions."""
        return np.asarray(self.rates.aligned.counts.array, np.int64).reshape(-1, 4)

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

    def sums(self, values: Any) -> Integers:
        """The sum of a value per slot over each utterance; whole numbers."""
        return _sums(values, self.offsets)

    def sample(self, values: Any, labels: Any, utterances: Integers) -> Sample:
        """Values of words, in the order of utterances."""
        return Sample.of(values, labels, utterances, len(self))


def _positions(flags: Flags) -> Integers:
    """The running number of each slot that has a flag; -1 for the others."""
    return np.where(flags, np.cumsum(flags) - 1, -1).astype(np.int64)


def _owners(offsets: Integers) -> Integers:
    """The utterance of each place."""
    owners: Integers = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    return owners


def _sums(values: Any, offsets: Integers) -> Integers:
    """The sum of whole numbers over each utterance."""
    running = np.concatenate([[0], np.cumsum(np.asarray(values, np.int64))])
    return np.array(running[offsets[1:]] - running[offsets[:-1]], np.int64)
