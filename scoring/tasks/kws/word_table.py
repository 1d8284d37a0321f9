"""The spoken words, each with the word that follows, from RTTM or plain values.

RTTM for keyword search has nine fields, or ten with a lookahead; ``;;`` begins a comment.
``LEXEME`` records are words and ``SPEAKER`` records are turns. All other records are ignored: they
neither match nor interrupt a sequence of words (``NOSCORE`` removes nothing).
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import count, islice
from typing import Any, NamedTuple, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from formats.io.source import Source
from formats.reading.lines import column_of_field, cutter, read_in_bulk, split_fields
from formats.schema.errors import SyntaxFormatError, quoted
from formats.schema.words import Label
from scoring.tasks.kws.text import Splitting, split_token
from scoring.tasks.messages import WITHOUT_SPEAKERS, WORDS_UNSORTED

FIELDS = (9, 10)
"""Numbers of fields of a record: without and with the last one, the lookahead of a decision."""
NUMBER = re.compile(r"-?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)")
PLAIN = re.compile(r"(?:[0-9]+\.[0-9]+ )*")
# exactly these spellings cannot begin a keyword
NO_BEGINNING = frozenset({"frag", "fp"})
TimedFields: TypeAlias = tuple[int, str, str, str, str, str, str, str, str]
"""The number of a line and its first eight fields."""
Voice: TypeAlias = tuple[str, str, str]
"""A file, a channel and a speaker."""
BATCH = 1 << 12
"""Words that are added together."""


class TimedWord(NamedTuple):
    """A spoken word.

    Attributes
    ----------
    file, channel: names as in the file.
    begin, duration: seconds.
    token: the word as in the file.
    speaker: only words of one speaker make a keyword together.
    subtype: ``frag`` (fragment) and ``fp`` (filled pause) cannot begin a keyword.
    begin_text: the start time as written, for reports, or empty.
    """

    file: str
    channel: str
    begin: float
    duration: float
    token: str
    speaker: str = ""
    subtype: str = "lex"
    begin_text: str = ""

    @property
    def can_begin(self) -> bool:
        """True if a keyword may begin with the word."""
        return self.subtype not in NO_BEGINNING


class SpeakerTurn(NamedTuple):
    """A turn of a speaker, in seconds; the text of its start time may be empty."""

    file: str
    channel: str
    begin: float
    duration: float
    speaker: str
    begin_text: str = ""


T = TypeVar("T")


class DistinctValues(dict[T, int]):
    """Numbers of distinct values, in the order of their first use.

    >>> numbers = DistinctValues[str]()
    >>> [numbers[word] for word in ("so", "it", "so")], list(numbers)
    ([0, 1, 0], ['so', 'it'])
    """

    def __missing__(self, value: T) -> int:
        number = self[value] = len(self)
        return number


class TimedColumns(NamedTuple):
    """Words as columns.

    Attributes
    ----------
    voices: the distinct triples of file, channel and speaker.
    tokens, subtypes: the distinct words and subtypes.
    voice, token, subtype: an index into these, per word.
    begins, durations: seconds.
    begin_texts: the start times as written, or empty.
    """

    voices: list[Voice]
    tokens: list[str]
    subtypes: list[str]
    voice: npt.NDArray[np.int32]
    token: npt.NDArray[np.int32]
    subtype: npt.NDArray[np.int32]
    begins: npt.NDArray[np.float64]
    durations: npt.NDArray[np.float64]
    begin_texts: list[str]

    def words(self) -> Iterator[TimedWord]:
        """Yield each word."""
        voices = map(self.voices.__getitem__, self.voice.tolist())
        tokens = map(self.tokens.__getitem__, self.token.tolist())
        subtypes = map(self.subtypes.__getitem__, self.subtype.tolist())
        times = self.begins.tolist(), self.durations.tolist()
        for (file, channel, speaker), begin, duration, token, subtype, text in zip(
            voices, *times, tokens, subtypes, self.begin_texts, strict=True
        ):
            yield TimedWord(file, channel, begin, duration, token, speaker, subtype, text)

    def late(self) -> npt.NDArray[np.int64]:
        """Return the indices of words that begin before the previous word of their voice."""
        order = np.argsort(self.voice, kind="stable")
        voice, begins = self.voice[order], self.begins[order]
        is_late = (voice[1:] == voice[:-1]) & (begins[1:] < begins[:-1])
        return np.sort(order[1:][is_late])


class WordTable:
    """The spoken words, each linked to the next word; immutable.

    Attributes
    ----------
    columns: the words as read, or split into characters.
    followers: index of the next word of the same file, channel and speaker, or -1.
    turns: the speakers' turns in the source.
    unsorted: number of words that begin before the previous word of the same file, channel and
        speaker.
    first_unsorted: the file and the line of the first of them, or empty.
    vanished: number of words of which no character is left after splitting.
    ignored: number of records that are neither words nor turns.
    """

    def __init__(
        self,
        words: Iterable[TimedWord] | TimedColumns,
        turns: Iterable[SpeakerTurn] = (),
        splitting: Splitting | None = None,
    ) -> None:
        self.vanished = self.ignored = 0
        is_split = splitting is not None and splitting.characters
        if isinstance(words, TimedColumns) and is_split:
            words = words.words()
        if not isinstance(words, TimedColumns):
            words = self._pieces(words, splitting) if is_split else words
            words = _columns(_batches(words))
        self.columns = words
        # after the words: a reader finds the turns between them
        self.turns = tuple(turns)
        self.unsorted = len(words.late())
        self.followers = self._chained()
        self.first_unsorted = ""

    def __len__(self) -> int:
        return len(self.columns.voice)

    @property
    def words(self) -> list[TimedWord]:
        """The words, one object each."""
        return list(self.columns.words())

    def _pieces(
        self, words: Iterable[TimedWord], splitting: Splitting | None
    ) -> Iterator[TimedWord]:
        """Split words into characters, which share the word's time equally, to a thousandth."""
        for word in words:
            tokens = split_token(word.token, splitting or Splitting())
            if tokens == [word.token]:
                yield word
                continue
            if not tokens:
                self.vanished += 1
                continue
            duration = float(f"{word.duration / len(tokens):.3f}")
            for number, token in enumerate(tokens):
                text = f"{word.begin + number * duration:.3f}"
                yield word._replace(
                    token=token, begin=float(text), duration=duration, begin_text=text
                )

    def _chained(self) -> npt.NDArray[np.int64]:
        voice = self.columns.voice
        if self.unsorted:
            order = np.lexsort((self.columns.begins, voice))
        else:
            order = np.argsort(voice, kind="stable")
        followers = np.full(len(voice), -1, dtype=np.int64)
        is_linked = voice[order[1:]] == voice[order[:-1]]
        followers[order[:-1][is_linked]] = order[1:][is_linked]
        return followers


def _columns(batches: Iterable[Sequence[Iterable[Any]]]) -> TimedColumns:
    """Return the words of batches; a batch has a sequence per field of `TimedWord`."""
    voices, tokens, subtypes = DistinctValues[Voice](), DistinctValues[str](), DistinctValues[str]()
    numbers = [array("i") for _ in range(3)]
    times = [array("d") for _ in range(2)]
    texts: list[str] = []
    for files, channels, begins, durations, words, speakers, kinds, begin_texts in batches:
        triples = zip(files, channels, speakers, strict=True)
        numbers[0].extend(map(voices.__getitem__, triples))
        numbers[1].extend(map(tokens.__getitem__, words))
        numbers[2].extend(map(subtypes.__getitem__, kinds))
        times[0].extend(begins)
        times[1].extend(durations)
        texts.extend(begin_texts)
    voice, token, subtype = (np.array(column, np.int32) for column in numbers)
    begins, durations = (np.array(column, np.float64) for column in times)
    distinct = list(voices), list(tokens), list(subtypes)
    return TimedColumns(*distinct, voice, token, subtype, begins, durations, texts)


def _batches(words: Iterable[TimedWord]) -> Iterator[Sequence[Iterable[Any]]]:
    """Yield the fields of the words, batch by batch."""
    words = iter(words)
    while batch := list(islice(words, BATCH)):
        yield list(zip(*batch, strict=True))


def read_rttm(
    source: Source, splitting: Splitting | None = None, fields: Sequence[int] = FIELDS
) -> WordTable:
    """Return the words and turns of an RTTM file; `fields` are the allowed lengths of records.

    The original links words incorrectly if records are not in order of time. Here the records are
    sorted, and `WordTable.unsorted` is the number of records that were out of order.

    Raises
    ------
    SyntaxFormatError
        If a record has another number of fields, or a time of a word or turn is no number.
    """
    turns: list[SpeakerTurn] = []
    others: list[int] = []
    lines = array("q")
    columns = _columns(_records(source, fields, turns, others, lines))
    table = WordTable(columns, turns, splitting)
    table.ignored = len(others)
    late = columns.late()
    if len(late):
        first = lines[int(late[0])]
        source.log.say(WORDS_UNSORTED, first, words=table.unsorted)
        table.first_unsorted = f"{source.name}:{first}"
    return table


def read_ctm(source: Source, splitting: Splitting | None = None) -> WordTable:
    """Return the words of a CTM file, which have no speakers; there are no turns.

    Raises
    ------
    SyntaxFormatError
        If the file has alternatives, or is invalid.
    """
    from formats.nist.ctm import read

    def labels() -> Iterator[Label]:
        for segment in read(source):
            if segment.alternations:
                raise SyntaxFormatError(
                    path=source.name,
                    line=segment.line,
                    expected="words without alternatives, for keyword search",
                    found="alternatives",
                )
            yield from segment.word_labels()

    table = WordTable(words_of_labels(labels()), (), splitting)
    source.log.say(WITHOUT_SPEAKERS, words=len(table))
    return table


def _records(
    source: Source,
    lengths: Sequence[int],
    turns: list[SpeakerTurn],
    others: list[int],
    numbers: array[int],
) -> Iterator[Sequence[Iterable[Any]]]:
    """Yield the fields of the words in batches.

    Append turns, the lines of other records, and the number of the line of each word.
    """
    cut = cutter(";#")

    def read_columns(first: int, text: str) -> Iterable[Sequence[Iterable[Any]]] | None:
        if ";;" in text:
            return None
        tried = (cut(text, "s" * size) for size in lengths)
        columns = next(filter(None, tried), None)
        if columns is None:
            return None
        kinds, files, channels, begins, durations, tokens, subtypes, speakers = columns[:8]
        texts = " ".join((*begins, *durations, ""))
        if kinds.count("LEXEME") < len(kinds) or not PLAIN.fullmatch(texts):
            rows = zip(count(first), *columns[:8], strict=False)
            return _batches(words(first, text.split("\n"), rows))
        numbers.extend(range(first, first + len(kinds)))
        times = map(float, begins), map(float, durations)
        return [(files, channels, *times, tokens, speakers, subtypes, begins)]

    def read_lines(first: int, lines: list[str]) -> Iterable[Sequence[Iterable[Any]]]:
        return _batches(words(first, lines, _rows(source, lengths, first, lines)))

    def words(first: int, lines: Sequence[str], rows: Iterable[TimedFields]) -> Iterator[TimedWord]:
        for number, kind, file, channel, begin, duration, token, subtype, speaker in rows:
            if kind != "LEXEME" and (kind := kind.upper()) not in ("LEXEME", "SPEAKER"):
                others.append(number)
                continue
            for index, text in ((3, begin), (4, duration)):
                if NUMBER.fullmatch(text) is None:
                    column = column_of_field(lines[number - first], index)
                    expected = "seconds" if index == 4 else "a begin time in seconds"
                    raise source.syntax_error(number, expected, quoted(text), column)
            start, length = float(begin), float(duration)
            if kind == "SPEAKER":
                turns.append(SpeakerTurn(file, channel, start, length, speaker, begin))
                continue
            numbers.append(number)
            yield TimedWord(file, channel, start, length, token, speaker, subtype, begin)

    return read_in_bulk(source, read_columns, read_lines)


def _rows(
    source: Source, lengths: Sequence[int], first: int, lines: Sequence[str]
) -> Iterator[TimedFields]:
    """Yield the numbers and the first eight fields of some lines, of which `first` is the first."""
    for number, line in enumerate(lines, first):
        if ";;" in line:
            line = line[: line.index(";;")]
        fields = split_fields(line)
        if fields and len(fields) not in lengths:
            raise SyntaxFormatError(
                path=source.name,
                line=number,
                expected=f"{' or '.join(map(str, lengths))} fields of an RTTM record",
                found=f"{len(fields)}",
            )
        if fields:
            kind, file, channel, begin, duration, token, subtype, speaker = fields[:8]
            yield number, kind, file, channel, begin, duration, token, subtype, speaker


def words_of_labels(labels: Iterable[Label]) -> Iterator[TimedWord]:
    """Convert labels of words with times to `TimedWord`; labels without times are rejected.

    Raises
    ------
    ValueError
        If a label has no start or no end.
    """
    for label in labels:
        if label.start is None or label.end is None:
            raise ValueError(f"a word of keyword search needs a start and an end: {label!r}")
        yield TimedWord(
            label.recording or "",
            label.channel or "1",
            label.start,
            label.end - label.start,
            label.value,
            label.speaker or "",
            label.type or "lex",
        )
