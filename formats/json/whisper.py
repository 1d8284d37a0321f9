"""whisper: JSON of OpenAI's Whisper, of its web service (verbose), and of faster-whisper.

===================================  ===========================================================
its word                             ours
===================================  ===========================================================
``segments[]``                       one `Segment`; ``start``, ``end`` in seconds
``segments[].words[].word``          a word, or a piece of one: see
                                     `formats.json.whisper_words`
``start``, ``end``, ``probability``  times and confidence of the word
``segments[].text``                  the words of a segment that lists none: without times
``words[]`` beside ``segments``      words of the web service: each goes to the segment that it
                                     lies in; the segment's text shows their display forms
``avg_logprob``, ``temperature``,    properties of the segment, as written; ``avg_logprob`` is a
``compression_ratio``,               logarithm, and so not a confidence
``no_speech_prob``
a segment that looks made up         property ``hint``
``language``, ``duration``, ``task`` properties of the file
``id``, ``seek``, ``tokens``         not read: they say nothing that the rest does not
===================================  ===========================================================

A bare list of segments, and ``{"segments": …, "info": …}``, are what people dump of
faster-whisper. Of a word's pieces the mean confidence is kept. Words of whisper-timestamped
(``text``, ``confidence``) are read, too.
"""

from __future__ import annotations

from contextlib import suppress
from itertools import chain, repeat
from typing import ClassVar

from formats.errors import SyntaxFormatError
from formats.json.document import JsonDocument
from formats.json.record import Name, Number, Record, WrongError, confidences_of, spans_of
from formats.json.spoken_words import Columns, SpokenWord, begins_word, plain_words, show
from formats.json.whisper_words import (
    RepeatHints,
    is_written_without_blanks,
    without_blanks_before,
    words_of_columns,
    words_of_pieces,
)
from formats.json.whisper_writer import write_whisper as write
from formats.json.words_to_segments import Reading
from formats.lines import strip_blanks
from formats.spec import FormatSpec, decimals

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from formats.json.document import JsonValue
    from formats.model import Segment
    from formats.source import Source

__all__ = ["SPEC", "AlignedWord", "WhisperReader", "read", "write"]

STATISTICS = ("avg_logprob", "compression_ratio", "no_speech_prob", "temperature")
EVIDENCE = ("avg_logprob", "no_speech_prob", "compression_ratio", "seek")
TASKS = ("transcribe", "translate")
WORD_KEYS = frozenset({"word", "start", "end", "probability"})
FACTS = ("language", "task", "duration")
DISFLUENCY = "[*]"
"""What whisper-timestamped writes for a disfluency that it finds."""
MEMBERS = frozenset({*FACTS, "text", "segments", "words", "word_segments", "info"})


class Word(Record):
    """A word or a piece of one, as Whisper, whisper-timestamped and WhisperX write it."""

    word: str | None = None
    text: str | None = None
    start: Number = None
    end: Number = None
    probability: Number = None
    confidence: Number = None
    score: Number = None
    speaker: Name = None

    texts: ClassVar[tuple[str, ...]] = ("word", "text")
    sureness_in: ClassVar[tuple[str, ...]] = ("probability", "confidence")


class AlignedWord(Word):
    """A word of WhisperX."""

    texts = ("word",)
    sureness_in = ("score", "probability")


def columns_of(words: Sequence[Word]) -> Columns:
    """The words with their times.

    Raises
    ------
    WrongError: a word without text, a time that is none, an end before its start.
    """
    texts = [word.word for word in words]
    if not all(texts):
        texts = [word.required(*word.texts) for word in words]
    names = words[0].sureness_in if words else ("confidence",)
    return Columns(texts, *spans_of(words), confidences_of(words, *names))  # type: ignore[arg-type]


def _columns_of_all(stretches: Sequence[Stretch | None]) -> Iterator[Columns | None]:
    """The words of each segment, worked out at once; `None` where one of a segment is wrong."""
    own = [one.words or () for one in stretches if one is not None]
    try:
        every = columns_of(list(chain.from_iterable(own)))
        cut = without_blanks_before(every)
        texts, starts, ends, sure, is_cut = cut if cut and cut.is_cut else every
        texts, starts, ends, sure = tuple(texts), tuple(starts), tuple(ends), tuple(sure)
    except WrongError:
        own = []
    if not own:
        yield from repeat(None, len(stretches))
    end = 0
    for words in own:
        begin, end = end, end + len(words)
        yield Columns(texts[begin:end], starts[begin:end], ends[begin:end], sure[begin:end], is_cut)


class Stretch(Record):
    """A segment."""

    unread = frozenset({"id", "seek", "tokens", "chars"})

    start: Number = None
    end: Number = None
    text: str | None = None
    speaker: Name = None
    avg_logprob: Number = None
    compression_ratio: Number = None
    no_speech_prob: Number = None
    temperature: Number = None
    words: list[Word] | None = None

    def statistics(self) -> dict[str, str]:
        """What Whisper says of its own doubts, as written."""
        return {
            name: str(value)
            for name in STATISTICS
            if (value := getattr(self, name)) is not None and self.sureness(name) is not None
        }


class AlignedStretch(Stretch):
    """A segment of WhisperX."""

    words: list[AlignedWord] | None = None  # type: ignore[assignment]


def read(source: Source) -> Iterator[Segment]:
    """One segment per segment of the file, in its order; one in all if there are only words.

    Raises
    ------
    SyntaxFormatError
        No JSON, neither segments nor words nor text, a time that is none, an end before its
        start.
    """
    return WhisperReader(source, Word).segments()


class WhisperReader:
    """Makes segments of one file.

    Parameters
    ----------
    kind: what word objects are; those of WhisperX are words each, whatever their blanks.
    word_speakers: whether to cut segments where the words' speaker changes.
    """

    def __init__(self, source: Source, kind: type[Word], *, word_speakers: bool = False) -> None:
        self.source = source
        self.kind = kind
        self.stretch = AlignedStretch if kind is AlignedWord else Stretch
        self.stand_alone = kind is AlignedWord
        self.word_speakers = word_speakers
        self.reading = Reading(source)
        self.other_speakers = 0
        self.disfluencies = 0

    def segments(self) -> Iterator[Segment]:
        """The segments, in the order of the file."""
        document = JsonDocument(self.source)
        for line, value in document.numbered_values():
            length = None
            if isinstance(value.value, list):
                found = list(value.numbered_elements())
            else:
                self.source.is_silent = True
                value.expect_members(MEMBERS)
                length = self._read_facts(value)
                found = list(value.numbered_elements("segments"))
            if found:
                yield from self._of_segments(found, value, length)
            elif isinstance(value.value, dict):
                yield from self._of_words_or_text(value, line)
        if self.other_speakers:
            self.source.log.note(
                "WORD-SPEAKER",
                "words of another speaker than their segment, left in it (word_speakers cuts "
                f"there): {self.other_speakers}",
            )
        if self.disfluencies:
            message = f"marks of disfluencies, [*], no words: {self.disfluencies}"
            self.source.log.note("DISFLUENCY", message)
        self.reading.tell()
        document.note_unknown()

    def _read_facts(self, value: JsonValue) -> int | None:
        """Keep what is said of the whole file; faster-whisper's ``info`` says it a level down.

        Returns the length of the audio in nanoseconds, or `None`.
        """
        facts = value.get("info") or value
        for name in FACTS:
            member = facts.get(name)
            if member is not None and name == "duration":
                member.number()
            if member is not None:
                shown = str(member.value) if name == "duration" else member.text()
                self.source.properties[name] = shown
        return facts.time_of("duration")

    def _of_segments(
        self,
        found: Sequence[tuple[int | None, JsonValue]],
        whole: JsonValue,
        length: int | None,
    ) -> Iterator[Segment]:
        hints = RepeatHints(self.source, length)
        apart = self.stand_alone or is_written_without_blanks(
            self.source.properties.get("language")
        )
        apart = apart or not _begins_words(value for _, value in found)
        placed = self._placed_words(found, whole)
        owner = whole if isinstance(whole.value, list) else whole.required("segments")
        made_at_once = owner.converted(self.stretch)
        records: Sequence[Stretch | None] = made_at_once or [None] * len(found)
        spans: Iterable[tuple[int | None, int | None] | None] = repeat(None, len(found))
        with suppress(WrongError):
            spans = zip(*spans_of(made_at_once), strict=True) if made_at_once else spans
        for index, ((line, value), columns, span) in enumerate(
            zip(found, _columns_of_all(records), spans, strict=True)
        ):
            try:
                record = records[index]
                if record is None:
                    record = value.record(self.stretch)
                own = None if placed is None else placed[index]
                made = self._of_segment(record, line, apart, own, columns, span)
            except WrongError as wrong:
                assert record is not None
                self.source.log.reject("WHISPER-SEGMENT", value.wrong(wrong, record))
                continue
            except SyntaxFormatError as error:
                self.source.log.reject("WHISPER-SEGMENT", error)
                continue
            for segment in made:
                yield hints.marked(self.reading.in_order(segment))
        hints.tell()
        self.reading.check_unit(length or 0)

    def _of_segment(
        self,
        one: Stretch,
        line: int | None,
        apart: bool,
        placed: list[SpokenWord] | None,
        columns: Columns | None,
        span: tuple[int | None, int | None] | None,
    ) -> list[Segment]:
        start_ns, end_ns = span or one.span()
        if one.text is None and one.words is None:
            raise WrongError(None, 'a member "text" or "words"', "none")
        said, speaker = one.text or "", one.name_of("speaker")
        items: Sequence[SpokenWord] | Columns | None = placed
        speakers: list[str | None] = []
        if placed is not None:
            show(placed, said)
        elif one.words is not None:
            speakers = _speakers(one.words, speaker) if self.stand_alone else []
            pieces = columns or columns_of(one.words)
            if DISFLUENCY in pieces.texts and one.words and one.words[0].word is None:
                pieces = self._without_disfluencies(pieces)
            items = words_of_columns(pieces, apart)
        if speaker is None and speakers:
            speaker = max(speakers, key=speakers.count)
        has_words = placed or one.words
        is_text = items is None or (not has_words and bool(strip_blanks(said.replace("\n", " "))))
        segment = self.reading.segment(
            plain_words(said) if is_text or items is None else items,
            start_ns=start_ns,
            end_ns=end_ns,
            places_all=self.stand_alone and not is_text and None not in (start_ns, end_ns),
            speaker=speaker,
            properties=one.statistics(),
            line=line,
        )
        if set(speakers) <= {speaker}:
            return [segment]
        if self.word_speakers and len(speakers) == len(segment.words):
            return list(_cut(segment, speakers))
        self.other_speakers += sum(1 for other in speakers if other != speaker)
        return [segment]

    def _without_disfluencies(self, pieces: Columns) -> Columns:
        """The pieces that are words, and not marks of something that nobody could write down."""
        kept = [n for n, text in enumerate(pieces.texts) if text != DISFLUENCY]
        self.disfluencies += len(pieces.texts) - len(kept)
        return Columns(*[[column[n] for n in kept] for column in pieces[:4]])  # type: ignore[arg-type]

    def _placed_words(
        self, found: Sequence[tuple[int | None, JsonValue]], whole: JsonValue
    ) -> list[list[SpokenWord]] | None:
        """Words that stand beside the segments, given to those whose time they lie in."""
        if not whole.has("words", "word_segments") or any(s.has("words") for _, s in found):
            return None
        starts = [value.span_of()[0] for _, value in found]
        placed: list[list[SpokenWord]] = [[] for _ in found]
        current = 0
        name = "words" if whole.has("words") else "word_segments"
        for item in self._beside(whole, name):
            if item.start_ns is not None and item.end_ns is not None:
                middle = (item.start_ns + item.end_ns) // 2
                while current + 1 < len(starts) and middle >= (starts[current + 1] or middle + 1):
                    current += 1
            placed[current].append(item)
        return placed

    def _beside(self, whole: JsonValue, name: str) -> list[SpokenWord]:
        """The words of a list beside the segments."""
        made = whole.taken(name, self.kind, lambda word: columns_of([word]).spoken()[0])
        speakers = whole.taken(name, self.kind, lambda word: word.name_of("speaker"))
        for word, speaker in zip(made, speakers, strict=True):
            word.speaker = speaker if self.stand_alone else None
        return made

    def _of_words_or_text(self, value: JsonValue, line: int | None) -> Iterator[Segment]:
        """One segment of a file that has no segments."""
        text = value.text_of("text")
        name = next((name for name in ("words", "word_segments") if value.has(name)), None)
        if name is None and text is None and not value.has("segments"):
            raise value.error('a member "segments", "words" or "text"', "none")
        items = plain_words(text)
        if name is not None:
            pieces = self._beside(value, name)
            language = self.source.properties.get("language")
            apart = self.stand_alone or is_written_without_blanks(language)
            apart = apart or not any(begins_word(piece.text) for piece in pieces)
            items = words_of_pieces(pieces, apart)
            show(items, text)
        segment = self.reading.segment(items, line=line)
        if segment.words:
            yield segment


def _begins_words(segments: Iterable[JsonValue]) -> bool:
    """Whether one of the first words of a segment says by a blank that it begins a word."""
    for segment in segments:
        words = segment.value.get("words") if isinstance(segment.value, dict) else None
        for word in words[:101] if isinstance(words, list) else ():
            text = (word.get("word") or word.get("text")) if isinstance(word, dict) else None
            if isinstance(text, str) and begins_word(text) and not text.isspace():
                return True
    return False


def _speakers(words: Sequence[Word], speaker: str | None) -> list[str | None]:
    """The speaker of each word of a segment; a word that has none has the one before."""
    own = [word.name_of("speaker") for word in words]
    known = next((name for name in own if name is not None), speaker)
    found: list[str | None] = []
    for name in own:
        known = known if name is None else name
        found.append(known)
    return found


def _cut(segment: Segment, speakers: Sequence[str | None]) -> Iterator[Segment]:
    """The segment in pieces of one speaker each."""
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


SPEC = FormatSpec(
    title="JSON of Whisper, OpenAI's web service and faster-whisper: segments with timed words",
    sign='"segments" with "start", "end" and "text"',
    read=read,
    write=write,
    holds=(
        "words",
        "segment times",
        "word times",
        "confidences",
        "properties",
        "empty segments",
        "segment boundaries",
    ),
    properties=("avg_logprob", "compression_ratio", "hint", "no_speech_prob", "temperature"),
    needs=("segment times",),
    write_options=(decimals(),),
    manual="One object: the text, and segments with times, statistics and timed words.",
)
