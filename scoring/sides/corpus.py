"""One side of a comparison: its utterances in columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import repeat
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, overload

from scoring.errors import InputError

if TYPE_CHECKING:
    from formats.model import Segment
    from formats.words import Definition

Words: TypeAlias = tuple[str, ...]

# What a channel is called that has no name.
ONLY_CHANNEL = "1"


class PlainTexts(Sequence[Words]):
    """Words of utterances of printable ASCII, cut at blanks when somebody looks.

    Parameters
    ----------
    texts
        One of each utterance.

    Examples
    --------
    >>> PlainTexts(["a  b", ""])[:]
    [('a', 'b'), ()]
    """

    __slots__ = ("texts",)

    def __init__(self, texts: Sequence[str]) -> None:
        self.texts = texts

    def __len__(self) -> int:
        return len(self.texts)

    @overload
    def __getitem__(self, index: int) -> Words: ...
    @overload
    def __getitem__(self, index: slice) -> list[Words]: ...
    def __getitem__(self, index: int | slice) -> Words | list[Words]:
        if isinstance(index, slice):
            return list(map(tuple, map(str.split, self.texts[index])))
        return tuple(self.texts[index].split())

    def __iter__(self) -> Iterator[Words]:
        return map(tuple, map(str.split, self.texts))


class Amended(Sequence[Words]):
    """Words of many utterances, those of a few of them others than they were.

    Examples
    --------
    >>> Amended([("a",), ("b",), ()], {1: ("c", "d")})[:2]
    [('a',), ('c', 'd')]
    """

    __slots__ = ("_others", "_words")

    def __init__(self, words: Sequence[Words], others: Mapping[int, Words]) -> None:
        self._words = words
        self._others = others

    def __len__(self) -> int:
        return len(self._words)

    @overload
    def __getitem__(self, index: int) -> Words: ...
    @overload
    def __getitem__(self, index: slice) -> list[Words]: ...
    def __getitem__(self, index: int | slice) -> Words | list[Words]:
        if isinstance(index, slice):
            places = range(len(self))[index]
            own = self._words[index]
            return [self._others.get(at, words) for at, words in zip(places, own, strict=True)]
        changed = self._others.get(range(len(self))[index])
        return self._words[index] if changed is None else changed

    def __iter__(self) -> Iterator[Words]:
        return (self._others.get(at, own) for at, own in enumerate(self._words))


class RowNumbers(Sequence[str]):
    """Identifiers that are the numbers of rows, from 1, written when somebody looks.

    Parameters
    ----------
    rows
        Places, from 0, of the utterances among all rows.

    Examples
    --------
    >>> RowNumbers([0, 2])[1], RowNumbers(range(2)) == ["000001", "000002"]
    ('000003', True)
    """

    __slots__ = ("rows",)

    def __init__(self, rows: Sequence[int]) -> None:
        self.rows = rows

    def __len__(self) -> int:
        return len(self.rows)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        chosen = self.rows[index]
        return f"{chosen + 1:06d}" if isinstance(chosen, int) else list(RowNumbers(chosen))

    def __iter__(self) -> Iterator[str]:
        return (f"{row + 1:06d}" for row in self.rows)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, RowNumbers):
            return self.rows == other.rows or list(self.rows) == list(other.rows)
        return list(self) == list(other) if isinstance(other, Sequence) else NotImplemented

    __hash__ = None  # type: ignore[assignment]


class NoneKnown(Sequence[None]):
    """None for each utterance, where nothing is known of any.

    Examples
    --------
    >>> NoneKnown(2)[1:], list(NoneKnown(2)) == NoneKnown(2)
    ([None], True)
    """

    __slots__ = ("_rows",)

    def __init__(self, count: int) -> None:
        self._rows = range(count)

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, index: int) -> None: ...
    @overload
    def __getitem__(self, index: slice) -> list[None]: ...
    def __getitem__(self, index: int | slice) -> list[None] | None:
        rows = self._rows[index]
        return [None] * len(rows) if isinstance(rows, range) else None

    def __iter__(self) -> Iterator[None]:
        return repeat(None, len(self))

    def __eq__(self, other: object) -> bool:
        return list(self) == list(other) if isinstance(other, Sequence) else NotImplemented

    __hash__ = None  # type: ignore[assignment]


def _split(text: str) -> Words:
    # the words may hold any other character that `split` would cut at
    return tuple(text.split("\t")) if text else ()


class Corpus(NamedTuple):
    """The utterances of one side.

    Attributes
    ----------
    name
        The file, or what stands for it in messages.
    format
        Name of the format it was read from, or None.
    identifiers
        One for each utterance; not necessarily different.
    speakers
        None for an utterance without.
    words
        Those of each utterance, alternatives left aside.
    lines
        Where each utterance stands in the file; None where that means nothing.
    special
        The utterances with alternatives or optional words, as they were read, by position.
    segments
        All segments where there are no identifiers, to be matched by time; else empty.
    remarks
        What the reader had to say; one line each.
    repeated
        How many utterances stood twice with the same words and were read once.
    has_confidences
        Whether words carry confidences, as those of recognisers do.
    named_by_file
        Whether the format has no notion of recordings, which then are called as the file is.
    sources
        The segment of each utterance as it was read; None if they were not to be kept.
    definitions
        What the file says of its subset labels.
    timed_segments
        All segments where there are both identifiers and times, to be matched by time with a side
        that has no identifiers; else empty.
    rows
        All segments of a manifest, a row each, to be matched by their audio with those of a side
        that has other identifiers or none; else empty.
    by_position
        Whether the identifiers only count the utterances, as those of a list.
    """

    name: str
    format: str | None
    identifiers: Sequence[str]
    speakers: Sequence[str | None]
    words: Sequence[Words]
    lines: Sequence[int | None]
    special: dict[int, Segment]
    segments: tuple[Segment, ...] = ()
    remarks: tuple[str, ...] = ()
    repeated: int = 0
    has_confidences: bool = False
    named_by_file: bool = False
    sources: Sequence[Segment] | None = None
    definitions: tuple[Definition, ...] = ()
    timed_segments: tuple[Segment, ...] = ()
    by_position: bool = False
    rows: tuple[Segment, ...] = ()

    def place(self, position: int) -> str:
        """Where an utterance stands, for messages."""
        line = self.lines[position]
        name: str = getattr(line, "path", self.name)  # as of a `formats.errors.FileLine`
        return name if line is None else f"{name}:{line}"

    def select(self, positions: Sequence[int]) -> Corpus:
        """The utterances at these positions alone."""
        special = {
            new: self.special[old] for new, old in enumerate(positions) if old in self.special
        }
        return self._replace(
            identifiers=_at(self.identifiers, positions),
            speakers=[self.speakers[at] for at in positions],
            words=words_at(self.words, positions),
            lines=[self.lines[at] for at in positions],
            special=special,
            sources=None if self.sources is None else [self.sources[at] for at in positions],
        )

    @property
    def whole_file(self) -> bool:
        """Whether the file is one text without identifier or times."""
        return len(self.segments) == 1 and self.segments[0].start_ns is None


def is_column(values: Sequence[Any]) -> bool:
    """Whether texts stay where they lie in memory, as columns of `scoring.alignment.texts` do."""
    return hasattr(values, "chosen")


def _at(identifiers: Sequence[str], positions: Sequence[int]) -> Sequence[str]:
    if isinstance(identifiers, RowNumbers):
        return RowNumbers([identifiers.rows[at] for at in positions])
    if is_column(identifiers):
        column: Any = identifiers
        return column.chosen(positions)  # type: ignore[no-any-return]
    return [identifiers[at] for at in positions]


def words_at(words: Sequence[Words], positions: Sequence[int]) -> Sequence[Words]:
    """The words of the utterances at some positions; none at -1."""
    if is_column(words):
        column: Any = words
        return column.chosen(positions)  # type: ignore[no-any-return]
    return [() if at < 0 else words[at] for at in positions]


def with_speakers(corpus: Corpus, speakers: Mapping[str, str]) -> Corpus:
    """The same utterances with speakers from a mapping.

    Raises
    ------
    InputError
        If it does not know an utterance.
    """
    found: list[str | None] = []
    for position, identifier in enumerate(corpus.identifiers):
        if identifier not in speakers:
            raise InputError(
                corpus.name,
                corpus.lines[position],
                None,
                f"expected a speaker of every utterance, found none of {identifier!r}",
            )
        found.append(speakers[identifier])
    return corpus._replace(speakers=found)
