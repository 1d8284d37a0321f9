"""whisper: JSON of OpenAI's Whisper and its web service (verbose), and of faster-whisper.

docs/formats/whisper.md and whisperx.md list what is read. ``avg_logprob`` is a logarithm, and so
not a confidence. A word gets the mean confidence of its pieces (`formats.json.whisper_words`). The
reader also reads words in the form of whisper-timestamped (``text``, ``confidence``).

WhisperX gives no times for numbers in digits, because it cannot align them: they are interpolated.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, repeat
from math import isfinite
from typing import Any

from formats.detection.spec import FormatSpec, Option, decimals
from formats.io.source import Source
from formats.json.displays import cut_text
from formats.json.messages import DISFLUENCIES, PIECES_APART, WORD_SPEAKER
from formats.json.shapes import Names, PlainColumns
from formats.json.spoken_words import (
    CUT_LETTERS,
    SpokenWord,
    are_in_scripts_without_blanks,
    begins_word,
    plain_words,
    show,
    with_letters_joined,
    words_as_written,
    words_of_pieces,
)
from formats.json.value import BATCH, JsonDocument, JsonValue
from formats.json.whisper_words import (
    STATISTICS,
    RepeatHints,
    is_written_without_blanks,
    write_whisper,
    write_whisperx,
)
from formats.json.words_to_segments import OpenSpan, Reading
from formats.reading.lines import strip_blanks
from formats.schema.errors import SyntaxFormatError
from formats.schema.model import Segment

FACTS = ("language", "task", "duration")
MOST_LOOKED_AT = 20
"""Segments whose letters show whether the language leaves blanks between words."""
DISFLUENCY = "[*]"
"""The word of whisper-timestamped for a disfluency."""
WORD = Names("word|text", "start", "end", confidence="probability|confidence")
SEGMENT = Names("text", "start", "end", speaker="speaker")
ALIGNED_WORD = Names("word", "start", "end", speaker="speaker", confidence="score|probability")

_Row = tuple[Sequence[tuple[Any, ...]], OpenSpan, str | None]
"""Words, times and confidences of a segment; its start and end; its speaker."""


def read(source: Source) -> Iterator[Segment]:
    """Yield one segment per segment of the file, in the order of the file.

    A file with only words gives one segment.
    """
    return WhisperReader(source).segments()


def read_whisperx(source: Source, *, word_speakers: bool = False) -> Iterator[Segment]:
    """Yield one segment per segment of the file.

    With `word_speakers`, a segment is divided where the speaker changes.
    """
    return WhisperReader(source, is_aligned=True, word_speakers=word_speakers).segments()


class WhisperReader:
    """Creates the segments of a file.

    `is_aligned` is true for WhisperX, whose words are aligned.
    """

    def __init__(
        self, source: Source, *, is_aligned: bool = False, word_speakers: bool = False
    ) -> None:
        self.source = source
        self.is_aligned = is_aligned
        self.names = ALIGNED_WORD if is_aligned else WORD
        self.word_speakers = word_speakers
        self.reading = Reading(source)
        self.is_without_blanks = False
        """True if the first texts are in a script that leaves no blanks between words."""

    def segments(self) -> Iterator[Segment]:
        """Yield the segments in the order of the file."""
        document = JsonDocument(self.source)
        for value in document.values:
            is_list, length = isinstance(value.value, list), None
            if not is_list:
                self.source.is_silent = True
                length = self._read_facts(value)
            elements = list(value.elements() if is_list else value.elements("segments"))
            texts = [part.value.get("text") for part in (value, *elements[:MOST_LOOKED_AT])
                     if isinstance(part.value, dict)]  # fmt: skip
            self.is_without_blanks = are_in_scripts_without_blanks(
                text for text in texts if isinstance(text, str)
            )
            if elements:
                yield from self._of_segments(elements, value, length)
            elif not is_list:
                yield from self._of_words_or_text(value)
        self.reading.report(document)

    def _read_facts(self, value: JsonValue) -> int | None:
        """Set the properties of the file; return the audio length in nanoseconds, or `None`."""
        facts = value.get("info") or value
        for name in FACTS:
            member = facts.get(name)
            if member is not None and name == "duration":
                member.number()
            if member is not None:
                text = str(member.value) if name == "duration" else member.text()
                self.source.properties[name] = text
        return facts.time_of("duration")

    def _of_segments(
        self, values: Sequence[JsonValue], whole: JsonValue, length: int | None
    ) -> Iterator[Segment]:
        hints = RepeatHints(self.source, length)
        apart = self._stands_alone() or not _begins_words(values)
        placed = self._placed_words(values, whole)
        for begin in range(0, len(values), BATCH):
            batch = values[begin : begin + BATCH]
            rows = repeat(None) if placed is not None else self._plain_rows(batch, apart)
            for index, (value, row) in enumerate(zip(batch, rows, strict=False), begin):
                try:
                    words = None if placed is None else placed[index]
                    segments = (
                        [self._of_row(row, value)] if row else self._of_segment(value, apart, words)
                    )
                except SyntaxFormatError as error:
                    self.source.log.reject("WHISPER-SEGMENT", error)
                    continue
                for segment in segments:
                    yield hints.marked(self.reading.in_order(segment))
        hints.report()
        self.reading.check_unit(length or 0)

    def _stands_alone(self) -> bool:
        """Return True if each piece in the file is a whole word.

        If the file does not name its language, the letters show it.
        """
        language = self.source.properties.get("language")
        if language is None:
            return self.is_aligned or self.is_without_blanks
        return self.is_aligned or is_written_without_blanks(language)

    def _of_segment(
        self, value: JsonValue, apart: bool, placed: list[SpokenWord] | None
    ) -> list[Segment]:
        start_ns, end_ns = value.span_of()
        if not value.has("text", "words"):
            raise value.error('a member "text" or "words"', "none")
        text, speaker = value.text_of("text") or "", value.name_of("speaker")
        words = placed
        speakers: list[str | None] = []
        if placed is not None:
            show(placed, text)
        elif value.has("words"):
            pieces = self.names.read_all(value.get("words"))
            if pieces and "word" not in value.value["words"][0]:
                count = len(pieces)
                pieces = [piece for piece in pieces if piece.text != DISFLUENCY]
                self.reading.count(DISFLUENCIES, count - len(pieces))
            speakers = _speakers(pieces, speaker) if self.is_aligned else []
            is_joined = apart and self._joins([piece.text for piece in pieces], text)
            words = words_of_pieces(pieces, apart)
            words = words_as_written(words, text) if is_joined else words
            if self._are_pieces():
                words = with_letters_joined(words, text)
                self._count_apart(len(words), text)
            words = self.reading.completed(words, text.strip())
        if speaker is None and speakers:
            speaker = max(speakers, key=speakers.count)
        has_words = bool(placed or value.value.get("words"))
        is_text = words is None or (not has_words and bool(strip_blanks(text.replace("\n", " "))))
        for word in (words or ()) if self.names.speaker else ():
            word.speaker = None
        segment = self.reading.segment(
            plain_words(text) if is_text or words is None else words,
            span=(start_ns, end_ns),
            places_all=self.is_aligned and not is_text and None not in (start_ns, end_ns),
            speaker=speaker,
            properties=_statistics(value),
            line=value.line,
        )
        if set(speakers) <= {speaker}:
            return [segment]
        if self.word_speakers and len(speakers) == len(segment.words):
            return list(_cut(segment, speakers))
        others = sum(1 for name in speakers if name != speaker)
        self.reading.count(WORD_SPEAKER, others)
        return [segment]

    def _are_pieces(self) -> bool:
        """Return True if Whisper cut texts without blanks into pieces."""
        return not self.is_aligned and self._stands_alone()

    def _count_apart(self, words: int, text: str) -> None:
        """Count the pieces that are words, though the text has no blank before them."""
        if written := len(text.split()):
            self.reading.count(PIECES_APART, max(0, words - written))

    def _joins(self, pieces: Sequence[str], text: str) -> bool:
        """Return True if the text of a segment joins pieces to one word: ``Such`` and ``-a``."""
        words = text.split()
        is_same = "".join(piece.strip() for piece in pieces) == "".join(words)
        return not self._stands_alone() and is_same and 1 < len(words) < len(pieces)

    def _plain_rows(self, values: Sequence[JsonValue], apart: bool) -> list[_Row | None]:
        """Return the segments of which every piece is a word with times; `None` for any other.

        All segments and all their words are read together, as columns. If a member of one is
        irregular, each segment is read alone.
        """
        heads = None if self.is_aligned else SEGMENT.plain_columns([v.value for v in values])
        lists = [] if heads is None else [v.value.get("words") or [] for v in values]
        pieces = None
        if set(map(type, lists)) == {list}:
            pieces = self.names.plain_columns(list(chain.from_iterable(lists)))
        if heads is None or pieces is None:
            alone = (self._plain_rows([value], apart) for value in values if len(values) > 1)
            return list(chain.from_iterable(alone)) or [None]
        speakers = dict(heads.labels).get("speaker", repeat(None))
        rows: list[_Row | None] = []
        stop = 0
        for text, start, end, speaker, words in zip(
            heads.texts, heads.starts, heads.ends, speakers, lists, strict=False
        ):
            begin, stop = stop, stop + len(words)
            is_word = bool(words) and "word" in words[0]
            columns = self._plain_words(pieces, begin, stop, text, apart) if is_word else None
            rows.append(None if columns is None else (columns, (start, end), speaker))
        return rows

    def _plain_words(
        self, pieces: PlainColumns, begin: int, stop: int, text: str, apart: bool
    ) -> Sequence[tuple[Any, ...]] | None:
        """Return words, times and confidences of the pieces of a segment; `None` if irregular."""
        written = pieces.texts[begin:stop]
        starts, ends = pieces.starts[begin:stop], pieces.ends[begin:stop]
        words = cut_text((" " if apart else "").join(written))
        is_same = written == (words if apart else list(map(" ".__add__, words)))
        if not is_same or None in starts or None in ends or text.strip().count(" ") >= len(words):
            return None
        if apart and self._joins(words, text):
            return None
        if self._are_pieces():
            if CUT_LETTERS.search("\n".join(words)):
                return None
            self._count_apart(len(words), text)
        return tuple(words), starts, ends, pieces.confidences[begin:stop]

    def _of_row(self, row: _Row, value: JsonValue) -> Segment:
        """Return the segment of a row of `_plain_rows`."""
        columns, span, speaker = row
        return self.reading.segment_of(
            columns, span=span, speaker=speaker, properties=_statistics(value), line=value.line
        )

    def _placed_words(
        self, segments: Sequence[JsonValue], whole: JsonValue
    ) -> list[list[SpokenWord]] | None:
        """Assign the words that are listed beside the segments to segments, by time.

        Return `None` if there are no such words.
        """
        if not whole.has("words", "word_segments") or any(s.has("words") for s in segments):
            return None
        starts = [value.span_of()[0] for value in segments]
        placed: list[list[SpokenWord]] = [[] for _ in segments]
        current = 0
        for item in self.names.read_all(whole.get("words", "word_segments")):
            if item.start_ns is not None and item.end_ns is not None:
                middle = (item.start_ns + item.end_ns) // 2
                while current + 1 < len(starts) and middle >= (starts[current + 1] or middle + 1):
                    current += 1
            placed[current].append(item)
        return placed

    def _of_words_or_text(self, value: JsonValue) -> Iterator[Segment]:
        """Yield the only segment of a file that has words or a text but no segments."""
        text, pieces = value.text_of("text"), value.get("words", "word_segments")
        if pieces is None and text is None and not value.has("segments"):
            raise value.error('a member "segments", "words" or "text"', "none")
        words = plain_words(text)
        if pieces is not None:
            items = self.names.read_all(pieces)
            apart = self._stands_alone() or not any(begins_word(item.text) for item in items)
            words = words_of_pieces(items, apart)
            show(words, text)
        segment = self.reading.segment(words, line=value.line)
        if segment.words:
            yield segment


def _statistics(value: JsonValue) -> dict[str, str]:
    """Return the statistics that Whisper gives for a segment as properties with text values."""
    members = value.value
    return {
        name: str(number)
        for name in STATISTICS
        # most are finite numbers, which need no closer look
        if (number := members.get(name)) is not None
        and ((type(number) is float and isfinite(number)) or value.confidence_of(name) is not None)
    }


def _begins_words(segments: Iterable[JsonValue]) -> bool:
    """Return True if any of the first words begins with a blank, which marks a new word."""
    for segment in segments:
        words = segment.value.get("words") if isinstance(segment.value, dict) else None
        for word in words[:101] if isinstance(words, list) else ():
            text = (word.get("word") or word.get("text")) if isinstance(word, dict) else None
            if isinstance(text, str) and begins_word(text) and not text.isspace():
                return True
    return False


def _speakers(words: Sequence[SpokenWord], speaker: str | None) -> list[str | None]:
    """Return the speaker of each word. A word without a speaker gets that of the preceding word."""
    current = next((word.speaker for word in words if word.speaker is not None), speaker)
    return [current := current if word.speaker is None else word.speaker for word in words]


def _cut(segment: Segment, speakers: Sequence[str | None]) -> Iterator[Segment]:
    """Divide a segment where the speaker changes; yield the parts."""
    begin = 0
    tokens = segment.tokens
    for end in range(1, len(speakers) + 1):
        if end < len(speakers) and speakers[end] == speakers[begin]:
            continue
        piece = segment.with_items(tokens[begin:end])
        starts, ends = piece.starts_ns or (None,), piece.ends_ns or (None,)
        yield piece.replace(
            speaker=speakers[begin],
            start_ns=segment.start_ns if begin == 0 else starts[0],
            end_ns=segment.end_ns if end == len(speakers) else ends[-1],
        )
        begin = end


HELD = (
    "words", "segment times", "word times", "confidences", "properties", "empty segments",
    "segment boundaries",
)  # fmt: skip
SPEC = FormatSpec(
    title="JSON of Whisper, OpenAI's web service and faster-whisper: segments with timed words",
    sign='"segments" with "start", "end" and "text"',
    read=read,
    write=write_whisper,
    holds=HELD,
    properties=("hint", *STATISTICS),
    needs=("segment times",),
    write_options=(decimals(),),
)
X_SPEC = FormatSpec(
    title="JSON of WhisperX: segments with speakers and aligned words",
    sign='"segments" with "words" that have a "score"',
    read=read_whisperx,
    write=write_whisperx,
    holds=(*HELD, "speakers"),
    properties=("avg_logprob", "hint"),
    needs=("segment times",),
    read_options=(
        Option("word_speakers", False, "split segments where the speaker of the words changes"),
    ),
    write_options=(decimals(),),
)
