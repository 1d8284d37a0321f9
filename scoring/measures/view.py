"""The view of a result for measures: numbered words, edits, and raw words (the words as read).

Columns are computed when a measure first reads them, and all measures of a result share them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, wraps
from itertools import chain, repeat
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

import numpy as np
from numpy.typing import NDArray

from formats.schema.messages import Message
from scoring.measures.columns import (
    AlignedColumns,
    Flags,
    PieceColumns,
    WordColumns,
    numbered,
    spread,
    table_of,
)
from scoring.measures.messages import NO_SOURCES
from scoring.model.arrays import Integers
from scoring.model.counts import Edit
from scoring.model.errors import InputError
from scoring.results.counted import Sample
from scoring.results.repeats import pieces_of
from scoring.results.scored_side import ScoredSide

if TYPE_CHECKING:
    from formats.schema.model import Segment
    from formats.schema.words import Words
    from scoring.results import Rates

T = TypeVar("T")
Arguments = ParamSpec("Arguments")
_RIGHT = frozenset({Edit.CORRECT, Edit.SKIPPED_REFERENCE, Edit.SKIPPED_HYPOTHESIS})


class RawWords(WordColumns):
    """The words of a side as read (raw words).

    Attributes
    ----------
    words
        The words of each utterance.
    origins
        int64: for each scored word, the position of its raw word, or -1 without a raw word.
    """

    def __init__(self, words: Sequence[Words], columns: WordColumns, origins: Integers) -> None:
        super().__init__(columns.types, columns.ids, np.diff(columns.offsets))
        self.words = words
        self.origins = origins

    @cached_property
    def tokens(self) -> PieceColumns:
        """The raw words as tokens: in lower case, without punctuation."""
        return PieceColumns(self, pieces_of)

    @cached_property
    def scored(self) -> Flags:
        """A flag for each raw word: True if a scored word comes from it."""
        flags = np.zeros(len(self.ids), np.bool_)
        flags[self.origins[self.origins >= 0]] = True
        return flags

    def all_of(self, flags: Flags) -> Flags:
        """Return a flag for each raw word: True if all its scored words have the given flag.

        The flag is False for raw words without scored words.
        """
        held = self.scored.copy()
        lacking = self.origins[~flags]
        held[lacking[lacking >= 0]] = False
        return held

    def first_of(self, values: NDArray[Any], default: Any) -> NDArray[Any]:
        """Return the value of each raw word's first scored word, or a default."""
        chosen = np.full(len(self.ids), default, values.dtype)
        places = np.flatnonzero(self.origins >= 0)[::-1]
        chosen[self.origins[places]] = values[places]  # the first one is assigned last
        return chosen


class AlignedWords(WordColumns):
    """The scored words of one side, with their edits and raw words."""

    def __init__(self, view: View, name: str) -> None:
        self._side = ScoredSide(view.rates, name)
        self.words: list[Words] = list(self._side.words)
        super().__init__(*numbered(self.words))
        self.slots = view.left if name == "reference" else view.right
        self._view = view
        self._columns: dict[str, NDArray[Any]] = {}

    @cached_property
    def edits(self) -> NDArray[np.uint8]:
        """The edit of each word."""
        edits = np.empty(len(self.ids), np.uint8)
        edits[self.slots[self.slots >= 0]] = self._view.edits[self.slots >= 0]
        return edits

    @cached_property
    def right(self) -> Flags:
        """A flag for each word: True if it is correct."""
        return table_of(_RIGHT)[self.edits]

    @cached_property
    def raw(self) -> RawWords:
        """The raw words.

        Raises InputError if words were changed and the result lacks the raw words.
        """
        rules = self._view.rates.rules
        if self._view.rates.sources is None:
            if rules.normalization != "none" or rules.unit != "word":
                raise self._view.error(Message(NO_SOURCES))
            return RawWords(self.words, self, np.arange(len(self.ids)))
        texts = [() if segment is None else _texts_of(segment) for segment in self._side.segments]
        changed = [row for row, words in enumerate(self.words) if words != texts[row]]
        if not changed:
            return RawWords(texts, self, np.arange(len(self.ids)))
        columns = WordColumns(*numbered(texts))
        return RawWords(texts, columns, self._origins(texts, changed, columns.offsets[:-1]))

    def _origins(
        self, texts: Sequence[Words], changed: Sequence[int], begins: Integers
    ) -> Integers:
        """Return, for each scored word, the position of its raw word."""
        self._side.learn({word for row in changed for word in texts[row]})
        rows, places = spread(np.diff(self.offsets))
        origins = begins[rows] + places
        for row in changed:
            found = self._side.origins_of(self.words[row], texts[row])
            shifted = [-1 if place is None else int(begins[row]) + place for place in found]
            origins[self.offsets[row] : self.offsets[row + 1]] = shifted
        return origins

    def has(self, name: str) -> bool:
        """Return True if any raw word has a value for `starts_ns`, `ends_ns` or `confidences`."""
        return any(getattr(segment, name, None) is not None for segment in self._side.segments)

    def column(self, name: str) -> NDArray[Any]:
        """Return a cached column of raw words, such as `starts_ns`.

        Missing values have a default (`DEFAULTS` or False).
        """
        if name not in self._columns:
            default, sizes = DEFAULTS.get(name, False), np.diff(self.raw.offsets).tolist()
            columns = (_column_of(part, name) for part in self._side.segments)
            filled = (
                _filled(column, size, default) for column, size in zip(columns, sizes, strict=True)
            )
            values = chain.from_iterable(filled)
            self._columns[name] = np.fromiter(values, type(default), sum(sizes))
        return self._columns[name]


UNTIMED = -(2**63)
"""The value for a missing time in columns of nanoseconds."""
DEFAULTS = {"starts_ns": UNTIMED, "ends_ns": UNTIMED, "confidences": np.nan}


def _column_of(segment: Segment | None, name: str) -> Sequence[Any] | None:
    """Return the column `name` of the words of a segment, including alternatives, or None."""
    if segment is not None and segment.alternations:
        renamed = {"starts_ns": "start_ns", "ends_ns": "end_ns", "confidences": "confidence"}
        return [getattr(token, renamed.get(name, name)) for token in segment.all_tokens()]
    column: Sequence[Any] | None = getattr(segment, name, None)
    return column


def _filled(column: Sequence[Any] | None, size: int, default: Any) -> Iterable[Any]:
    """Yield `size` values of a column, with None replaced by a default."""
    if column is None:
        return repeat(default, size)
    if None not in column:
        return column
    return [default if value is None else value for value in column]


def times_of(segments: Sequence[Segment], name: str) -> Integers:
    """Return the start or the end of each segment in nanoseconds, `UNTIMED` if it is missing.

    `name` is the attribute of the segment.
    """
    times = map(attrgetter(name), segments)
    return np.array([UNTIMED if time is None else time for time in times], np.int64)


def properties_of(segments: Sequence[Segment | None], names: Iterable[str]) -> list[dict[int, Any]]:
    """Return, for each property name, the texts of the property by index of the segment."""
    columns: dict[str, dict[int, Any]] = {name: {} for name in names}
    for position, segment in enumerate(segments):
        if segment is not None:
            for name, text in segment.properties:
                if name in columns:
                    columns[name][position] = text
    return list(columns.values())


def _texts_of(segment: Segment) -> Words:
    if not segment.alternations:
        return segment.words
    return tuple(token.text for token in segment.all_tokens())


def shared(
    function: Callable[Concatenate[View, Arguments], T],
) -> Callable[Concatenate[View, Arguments], T]:
    """Cache the value of a function for each result and arguments; all measures share the cache."""

    @wraps(function)
    def once(view: View, /, *arguments: Arguments.args, **named: Arguments.kwargs) -> T:
        key = function, arguments, *named.items()
        if key not in view.shared:
            view.shared[key] = function(view, *arguments, **named)
        value: T = view.shared[key]
        return value

    return once


class View(AlignedColumns):
    """A result as a measure's input, with the settings of the measure.

    Attributes
    ----------
    rates
        The result: identifiers, speakers, groups, counts.
    edits, offsets
        The `Edit` of each slot. Utterance u has the slots `edits[offsets[u]:offsets[u + 1]]`.
    counts
        A row per utterance: correct, substitutions, deletions, insertions.
    segments
        The reference's segments as read.
    settings
        Values of the measure's parameters.
    shared
        The cache of the decorator `shared`.
    reference, hypothesis
        The words of each side.
    """

    def __init__(self, rates: Rates) -> None:
        # counts of the words that the alignments show, whatever errors are divided by
        super().__init__(rates.aligned, rates.path_counts)
        self.rates = rates
        self.settings: dict[str, Any] = {}
        self.shared: dict[Any, Any] = {}

    def __len__(self) -> int:
        return len(self.rates)

    def error(self, text: str | Message) -> InputError:
        """Return an InputError about the hypothesis."""
        return InputError(self.rates.hypothesis.path, None, None, text)

    @cached_property
    def errors(self) -> Integers:
        """The number of errors of each utterance."""
        return np.array(self.counts[:, 1:].sum(axis=1), np.int64)

    @property
    def segments(self) -> Sequence[Segment]:
        """The reference segments as read, for measures that need sources."""
        assert self.rates.sources is not None
        return self.rates.sources.references

    @cached_property
    def wrong(self) -> Flags:
        """A flag for each slot: True if it is an error."""
        return table_of((Edit.SUBSTITUTION, Edit.DELETION, Edit.INSERTION))[self.edits]

    @cached_property
    def milliseconds(self) -> Integers:
        """The length of each utterance in milliseconds; 0 if unknown."""
        if self.rates.sources is None:
            return np.zeros(len(self), np.int64)
        begins, ends = self.spans
        return np.where((begins != UNTIMED) & (ends != UNTIMED), ends - begins, 0) // 1_000_000

    @cached_property
    def spans(self) -> tuple[Integers, Integers]:
        """The start and end of each reference segment, in nanoseconds."""
        return times_of(self.segments, "start_ns"), times_of(self.segments, "end_ns")

    @cached_property
    def recordings(self) -> Integers:
        """A number for each reference segment, equal if recording and channel are equal."""
        names: dict[object, int] = {}
        keys = map(attrgetter("recording", "channel"), self.segments)
        return np.array([names.setdefault(key, len(names)) for key in keys], np.int64)

    @cached_property
    def heard(self) -> list[Sequence[Segment]]:
        """For each utterance, the list of its hypothesis segments as read.

        If a whole recording was cut into utterances, all segments of the recording are in the list
        of its first utterance.
        """
        sources = self.rates.sources
        if sources is None:
            return [()] * len(self)
        if not sources.streams:
            return [() if segment is None else (segment,) for segment in sources.hypotheses]
        firsts = np.diff(sources.stream_of, prepend=-1).tolist()
        rows = zip(sources.stream_of, firsts, strict=True)
        return [sources.streams[stream] if is_first else () for stream, is_first in rows]

    @cached_property
    def reference(self) -> AlignedWords:
        """The words of the reference."""
        return AlignedWords(self, "reference")

    @cached_property
    def hypothesis(self) -> AlignedWords:
        """The words of the hypothesis."""
        return AlignedWords(self, "hypothesis")

    def sample(self, values: Any, labels: Any, utterances: Integers) -> Sample:
        """Return a sample of the values of words, sorted by utterance."""
        return Sample.of(values, labels, utterances, len(self))
