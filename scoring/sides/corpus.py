"""A side of a comparison: its utterances in columns, and the segments from which they were read."""

from __future__ import annotations

from itertools import accumulate, chain

from formats.schema import NamedTuple
from formats.schema.values import NamedFields
from scoring.alignment.results import LazyColumn, is_column
from scoring.model.counts import BLANK
from scoring.model.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any, Protocol, TypeAlias

    from formats.schema.diagnostics import Diagnostic
    from formats.schema.messages import Entry, Message
    from formats.schema.model import Segment
    from formats.schema.transcript import PlainSegment
    from formats.schema.words import Definition, Words
    from scoring.options import Options
    from scoring.text.settled_forms import SettledForm

    class NamesByRow(Protocol):
        """The names of rows, of which some may be None."""

        def __getitem__(self, row: int, /) -> str | None: ...


# The name of a channel that has none.
ONLY_CHANNEL = "1"
SHOWN = 10
# The position of a partner that is not there.
NO_PARTNER = -1


class PlainTexts(LazyColumn["Words"]):
    """Texts of printable ASCII. The value of a row is an utterance as words.

    >>> PlainTexts(["a  b", ""])[:]
    [('a', 'b'), ()]
    """

    __slots__ = ()

    def value(self, row: str) -> Words:
        """Return the words of a text."""
        return tuple(row.split())


class SpacedTexts(PlainTexts):
    """Texts whose words are separated by single blanks, with no other blanks."""

    __slots__ = ()


class CharacterTexts(LazyColumn["Words"]):
    """Texts as characters, with a blank between two words; each row is an utterance.

    >>> CharacterTexts(["a bc"])[0]
    ('a', ' ', 'b', 'c')
    """

    __slots__ = ()

    def value(self, row: str) -> Words:
        """Return the code points of a text."""
        return tuple(row)

    @classmethod
    def of(cls, words: Sequence[Words]) -> CharacterTexts:
        """Return the utterances as characters, given their words."""
        if isinstance(words, SpacedTexts):
            return cls(words.rows)
        return cls(list(map(BLANK.join, words)))


class RowNumbers(LazyColumn[str]):
    """Identifiers that are row numbers from 1, such as `000001`; stored as positions from 0.

    >>> RowNumbers([0, 2])[1], RowNumbers(range(2)) == ["000001", "000002"]
    ('000003', True)
    """

    __slots__ = ()

    def value(self, row: int) -> str:
        """Return the number of a row."""
        return f"{row + 1:06d}"

    def of_rows(self, rows: Sequence[int]) -> RowNumbers:
        """Return the identifiers of the rows at the given positions."""
        return RowNumbers(rows)


class NamedRows(RowNumbers):
    """Rows that have names: messages show the names, but rows are matched by position.

    `names` are those of the rows from `begin` on. A row without a name has its number.

    >>> list(NamedRows([1, 2], ["a", "b", None], 0))
    ['b', '000003']
    """

    __slots__ = ("_begin", "_names")

    def __init__(self, rows: Sequence[int], names: NamesByRow, begin: int) -> None:
        super().__init__(rows)
        self._names, self._begin = names, begin

    def value(self, row: int) -> str:
        """Return the name of a row."""
        name = self._names[row - self._begin]
        return super().value(row) if name is None else name

    def of_rows(self, rows: Sequence[int]) -> NamedRows:
        """Return the identifiers of the rows at the given positions."""
        return NamedRows(rows, self._names, self._begin)


class PlainSegments(LazyColumn["Segment"]):
    """The segments of a small file that was read for its words; created on access.

    `rows` has a `PlainSegment` for each segment with words and names only.
    """

    __slots__ = ()

    def value(self, row: PlainSegment | Segment) -> Segment:
        """Return the segment of an utterance."""
        from formats.schema.transcript import PlainSegment

        return row.segment() if isinstance(row, PlainSegment) else row


class Brought(NamedTuple):
    """The scoring rules that a file records in addition to its numbers."""

    rules: Mapping[str, Any]  # fields of `scoring.Options`
    where: str  # where they are recorded


# A note or a warning about a side: with a place in a file if a reader has it.
SideRemark: TypeAlias = "Message | Diagnostic"


class Corpus(NamedTuple):
    """The utterances of one side."""

    name: str  # the file, or what stands for it in messages
    format: str | None  # name of the format it was read from
    identifiers: Sequence[str]  # one for each utterance; not necessarily different
    speakers: Sequence[str | None]
    words: Sequence[Words]  # without alternatives
    lines: Sequence[int | None]  # of each utterance in the file
    special: Mapping[int, Segment]  # utterances with alternatives or optional words, by position
    # As read. Where there are no identifiers they are yet to be matched; else those that are not
    # `ignored` are the utterances. Empty: the side has no segments, or they are not needed.
    segments: Sequence[Segment] = ()
    remarks: tuple[SideRemark, ...] = ()  # notes and warnings
    repeated: int = 0  # utterances that are in the file twice with the same words
    has_confidences: bool = False  # as words of recognisers have
    named_by_file: bool = False  # the format has no recordings, the file's name stands for one
    definitions: tuple[Definition, ...] = ()  # of subset labels
    by_position: bool = False  # the identifiers only count the utterances
    is_collection: bool = False  # it was read from a folder, an archive or a pattern
    has_displays: bool = False  # words have displayed forms, which are not those that are scored
    brought: Brought | None = None  # of a result of another program
    rows: int | None = None  # of a column or list, those without text included
    # written forms of normalised utterances whose words are those of a decided path, by position
    settled: Mapping[int, Sequence[SettledForm]] = {}
    # values by which utterances are chosen, one for each row of a column, from row `begin` on
    columns: Mapping[str, Sequence[str | None]] = {}
    begin: int = 0

    @property
    def size(self) -> int:
        """The number of utterances.

        For a column of texts, the number of rows, with or without text.
        """
        return len(self.identifiers) if self.rows is None else self.rows

    @property
    def outlines(self) -> Sequence[PlainSegment | Segment]:
        """The segments for a look at their times, words and names, without creating them."""
        segments = self.segments
        return segments.rows if isinstance(segments, PlainSegments) else segments

    @property
    def spoken(self) -> Sequence[Segment]:
        """The segments that are scored, without those to be ignored."""
        return [segment for segment in self.segments if segment.kind != "ignored"]

    @property
    def is_unnamed(self) -> bool:
        """True if the side has segments but no identifiers."""
        return bool(self.segments) and not self.identifiers

    @property
    def names(self) -> list[str]:
        """The identifiers; without identifiers, the distinct names of recordings."""
        if self.is_unnamed:
            return list(dict.fromkeys(segment.recording for segment in self.outlines))
        return list(self.identifiers)

    @property
    def is_placed(self) -> bool:
        """True if every segment has a start time; a start time of one of its words also counts."""
        return bool(self.segments) and all(map(lies_in_time, self.outlines))

    @property
    def whole_file(self) -> bool:
        """True if the file is one text without identifier or times."""
        return len(self.segments) == 1 and self.outlines[0].start_ns is None

    def place(self, position: int) -> str:
        """Return the file and line of an utterance, for messages."""
        line = self.lines[position]
        name: str = getattr(line, "path", self.name)  # as of a `formats.schema.errors.FileLine`
        return name if line is None else f"{name}:{line}"

    def select(self, positions: Sequence[int]) -> Corpus:
        """Return the side with only the utterances at these positions, in this order."""
        spoken, special = self.spoken, self.special
        if special:
            from scoring.sides.braced import special_at

            special = special_at(special, positions)
        return self._replace(
            identifiers=_identifiers_at(self.identifiers, positions),
            speakers=[self.speakers[position] for position in positions],
            words=words_at(self.words, positions),
            lines=[self.lines[position] for position in positions],
            special=special,
            settled={
                new: self.settled[old] for new, old in enumerate(positions) if old in self.settled
            }
            if self.settled
            else {},
            segments=[spoken[position] for position in positions] if spoken else (),
        )

    def with_utterances(
        self, identifiers: Sequence[str], segments: Sequence[Segment], keep: bool = True
    ) -> Corpus:
        """Return the side with one utterance for each of these segments."""
        return self._replace(
            identifiers=identifiers,
            speakers=[segment.speaker for segment in segments],
            words=[segment.words for segment in segments],
            lines=[segment.line for segment in segments],
            special={
                position: segment
                for position, segment in enumerate(segments)
                if segment.alternations or segment.optional is not None
            },
            segments=segments if keep else (),
        )

    def with_remark(self, entry: Entry, **fields: object) -> Corpus:
        """Return the side with an additional remark."""
        from formats.schema.messages import Message

        return self._replace(remarks=(*self.remarks, Message(entry, fields)))

    def renamed(self, recordings: Mapping[str, str]) -> Corpus:
        """Return the side with renamed recordings; no remark is added."""
        return self._replace(
            segments=[
                segment.replace(recording=recordings[segment.recording])
                if segment.recording in recordings
                else segment
                for segment in self.segments
            ]
        )


def lies_in_time(segment: PlainSegment | Segment) -> bool:
    """Return True if a segment or any of its words has a start time."""
    return segment.start_ns is not None or any(
        start is not None for start in segment.starts_ns or ()
    )


def _identifiers_at(identifiers: Any, positions: Sequence[int]) -> Sequence[str]:
    """Return the identifiers of the utterances at some positions."""
    if isinstance(identifiers, RowNumbers):
        return identifiers.of_rows([identifiers.rows[position] for position in positions])
    if is_column(identifiers):
        return identifiers.chosen(positions)  # type: ignore[no-any-return]
    return [identifiers[position] for position in positions]


def words_at(words: Any, positions: Sequence[int]) -> Sequence[Words]:
    """Return the words of the utterances at the given positions; position -1 has no words."""
    if is_column(words):
        return words.chosen(positions)  # type: ignore[no-any-return]
    if isinstance(words, (PlainTexts, CharacterTexts)):
        rows = words.rows
        return type(words)(["" if position < 0 else rows[position] for position in positions])
    return [() if position < 0 else words[position] for position in positions]


def with_speakers(corpus: Corpus, speakers: Mapping[str, str]) -> Corpus:
    """Return the utterances with speakers from a mapping; InputError if one is missing."""
    return corpus._replace(speakers=speakers_of(corpus.identifiers, speakers, corpus.name))


def speakers_of(
    identifiers: Sequence[str], speakers: Mapping[str, str], path: str
) -> list[str | None]:
    """Return the speakers of utterances; InputError if one is missing.

    The error names the file with the speakers, or `path` if they are not from a file.
    """
    missing = [identifier for identifier in identifiers if identifier not in speakers]
    if missing:
        from formats.schema.messages import Message
        from scoring.sides.messages import SPEAKERS_MISSING

        fields = {"number": len(missing), "total": len(identifiers), "name": missing[0]}
        name = getattr(speakers, "path", path)
        raise InputError(name, None, None, Message(SPEAKERS_MISSING, fields))
    return [speakers[identifier] for identifier in identifiers]


class ListedNames(NamedFields, rename={"number": "count", "identifiers": "ids"}):
    """A number of items, and the names of the first ten of them."""

    number: int = 0
    identifiers: tuple[str, ...] = ()

    @classmethod
    def of(cls, identifiers: Iterable[str]) -> ListedNames:
        """Count identifiers.

        >>> ListedNames.of(["a", "b"])
        ListedNames(number=2, identifiers=('a', 'b'))
        """
        every = list(identifiers)
        return cls(len(every), tuple(every[:SHOWN]))

    def merged(self, more: ListedNames) -> ListedNames:
        """Return the sum of both numbers, with the first names of both."""
        names = (*self.identifiers, *more.identifiers)
        return ListedNames(self.number + more.number, names[:SHOWN])

    @property
    def fields(self) -> dict[str, Any]:
        """The number and the names as fields of a message."""
        return {"number": self.number, "names": [*self.identifiers, *self._more]}

    @property
    def _more(self) -> list[str]:
        return ["…"] if self.number > len(self.identifiers) else []

    def __str__(self) -> str:
        more = ", …" if self.number > len(self.identifiers) else ""
        names = f": {', '.join(self.identifiers)}{more}" if self.identifiers else ""
        return f"{self.number}{names}"


class InputFile(NamedFields):
    """An input file of a score."""

    path: str  # as it was named
    format: str | None = None  # name of its format, None for what came from memory
    sha256: str | None = None  # of the file's bytes, in hexadecimal; None where there is no file
    name: str | None = None  # of the system, if it was given one

    @property
    def title(self) -> str:
        """The name of the system, or, without a name, the path of the file."""
        return self.name or self.path


class Account(
    NamedFields,
    rename={"references": "reference_utterances", "hypotheses": "hypothesis_utterances"},
):
    """Numbers of matched utterances, and of skipped and unmatched utterances on both sides."""

    matched_by: str  # `identifier`, `audio`, `position`, `time`, `recording` or `file`
    references: int  # utterances of the side
    hypotheses: int
    matched: int  # utterances that have a partner
    reference_only: ListedNames = ListedNames()  # deleted or dropped, as the rules say
    hypothesis_only: ListedNames = ListedNames()  # not scored
    unscored_words: int = 0  # words of those hypotheses
    skipped_words: int = 0  # words of references that were dropped
    ignored_words: int = 0  # of the hypothesis in segments that the reference says not to score
    repeated: int = 0  # utterances that are in their file twice with the same words, read once


def in_same_order(left: Corpus, right: Corpus) -> bool:
    """Return True if both sides have the same identifiers in the same order."""
    first, second = left.identifiers, right.identifiers
    return first == second or list(first) == list(second)


def equal_utterances(left: Corpus, right: Corpus) -> frozenset[int]:
    """Return the utterances with equal words on both sides, if both sides have the same order."""
    if not in_same_order(left, right):
        return frozenset()
    sides: list[Sequence[object]] = [left.words, right.words]
    if is_column(left.words) and is_column(right.words):
        sides = [side.texts.texts(0, len(side)) for side in sides]  # type: ignore[attr-defined]
    return frozenset(
        row
        for row, (words, heard) in enumerate(zip(*sides, strict=True))
        if words == heard and row not in left.special and row not in right.special
    )


def joined_side(parts: Sequence[Corpus]) -> Corpus:
    """Return one side with the utterances of all parts."""
    identifiers, speakers, words, lines, segments = (
        list(chain.from_iterable(getattr(part, name) for part in parts))
        for name in ("identifiers", "speakers", "words", "lines", "segments")
    )
    begins = accumulate((len(part.words) for part in parts), initial=0)
    first = next((part for part in parts if len(part.words)), parts[0])
    return first._replace(
        identifiers=identifiers,
        speakers=speakers,
        words=words,
        lines=lines,
        segments=segments,
        special={
            begin + row: segment
            for begin, part in zip(begins, parts, strict=False)
            for row, segment in part.special.items()
        },
    )


def sum_of_accounts(left: Account, right: Account) -> Account:
    """Return the sum of the accounts of two results."""
    pairs: Iterable[tuple[Any, Any]] = zip(left._astuple()[1:], right._astuple()[1:], strict=True)
    sums: Iterable[Any] = (a.merged(b) if isinstance(a, ListedNames) else a + b for a, b in pairs)
    return Account(left.matched_by, *sums)


class Basis(NamedTuple):
    """The references as read and the options, from a result or its record.

    Attributes
    ----------
    references
        The references before matching and normalisation; empty if the record lacks them.
    options
        None if the recorded options cannot be applied here.
    recorded
        The options as recorded; None: not recorded yet.
    problem
        Why options cannot be applied; empty otherwise.
    has_displays
        True if the file of a side has, besides the scored words, the forms to display.
    sources
        The source of each rule whose value is not the default, as in
        `scoring.score.plan.ScorePlan`.
    """

    references: Sequence[Corpus]
    options: Options | None
    recorded: Mapping[str, object] | None = None
    problem: str = ""
    has_displays: bool = False
    sources: Mapping[str, str] = {}
