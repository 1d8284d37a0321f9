"""The reader of JSON formats with turns and words. Each format is a table of member names.

The tables are in `formats.json.providers`. For an unknown file, `formats.json.any_list` creates a
table from the content.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

from formats.detection.spec import FormatSpec
from formats.io.source import Source
from formats.json.answer import Answer, refuse_error, require_success, with_extent
from formats.json.displays import blank_of
from formats.json.messages import NO_WORD, NO_WORD_MEMBER, PIECES, TAG
from formats.json.numbers import clock_nanoseconds
from formats.json.paths import (
    first_of,
    names_by_id,
    path_in,
    rows_at,
    text_at,
    values_at,
    warn_unused_times,
)
from formats.json.shapes import Names
from formats.json.spoken_words import (
    Parent,
    SpokenWord,
    WordRun,
    are_in_scripts_without_blanks,
    owners_of,
    plain_words,
    words_as_written,
    words_of_pieces,
)
from formats.json.value import JsonDocument, JsonValue
from formats.reading.member_names import MOST_TRIED
from formats.schema.model import Segment

MARKS = frozenset(("punctuation", "punct", "pnct"))
"""Values of ``type`` for a mark, which is shown with the word before it."""
NO_WORDS = frozenset(("audio_event", "event", "spacing", "tag"))
"""Values of ``type`` for elements of a list of words that are no words."""


class Provider(NamedTuple):
    """A table that describes a JSON format of turns and words.

    Each field is a path of member names, which also leads through lists. ``a|b`` means the first of
    these names that is present.
    """

    name: str
    """The service's name in messages; the code of its messages is the name in capitals."""
    turns: str
    """Paths to the turns, with blanks between; the first that is there counts. A top-level list is
    the list of turns, unless there is a `recording`."""
    turn: Names
    """Members of a turn; `words` may be a path."""
    word: Names = Names()
    """Members of a word."""
    words_beside: str = ""
    """Paths to the words, where they lie beside the turns; the first that is there counts. A
    top-level list is one of parts of the file, each with its turns and words."""
    are_words: bool = False
    """True if the turns are words; those of one speaker make a segment."""
    in_pieces: bool = False
    """True if a word may be in several pieces, of which the first begins with a blank."""
    may_lack_words: bool = False
    """True if turns without words are no sign of a failed job."""
    per_second: int = 1
    """Units of time in a second."""
    word_per_second: int = 0
    """Units of time in a second for words, if these differ."""
    skipped: str = ""
    """``member=value`` of the words that are dropped, such as translations, blanks between."""
    tags: re.Pattern[str] | None = None
    """Pattern of what is no word in texts; it is dropped and counted."""
    whole: str = ""
    """Path to the text of all turns, which is read where there are none."""
    recording: str = ""
    """Member of each element of a top-level list, or of several values, that names its recording;
    each is an answer of its own."""
    in_messages: bool = False
    """True if there may be several values, of which each has some of the turns."""
    nobody: tuple[str, ...] = ("",)
    """Names of speakers that stand for none."""
    speaker_names: str = ""
    """Path to an object of the names of speakers by their ids, or to objects: ``path:id:name``."""
    duration: str = ""
    """Path to the length of the audio."""
    success: tuple[str, ...] = ()
    """Accepted values of the member ``status``."""
    error: str = ""
    """Members of the whole that are errors of the service."""
    title: str = ""
    sign: str = ""
    """The title and the sign of its `FormatSpec`."""

    @property
    def spec(self) -> FormatSpec:
        """The description of the format for the registry."""
        return FormatSpec(title=self.title, sign=self.sign, read=self.read)

    def read(self, source: Source) -> Iterator[Segment]:
        """Yield one segment per turn.

        Words outside all turns form separate segments, with a warning.
        """
        document = JsonDocument(source, streams=self.in_messages or bool(self.recording))
        answer = Answer(source, self.name, self.name.upper().replace(" ", "-"))
        if self.in_messages and len(document.top) > 1:
            for value in document.values:
                self._check(value, answer)
            turns = [turn for value in document.values for turn in self._turns(value)]
            yield from self.segments(document.value_at(0), answer, turns)
        elif self.recording:
            answers = list(document.messages)
            for value in answers:
                name = value.name_of(self.recording) if len(answers) > 1 else None
                for segment in self.segments(value, answer):
                    yield segment.replace(recording=name) if name else segment
        else:
            are_parts = bool(self.words_beside)  # each has words beside its turns
            for value in document.messages if are_parts else document.values:
                yield from self.segments(value, answer)
        answer.finish(document)

    def segments(
        self, value: JsonValue, answer: Answer, turns: Sequence[JsonValue] | None = None
    ) -> Iterator[Segment]:
        """Yield the segments of a document. If the turns are known, `turns` holds them."""
        speaker_names: dict[str, str] = {}
        whole = ""
        if not isinstance(value.value, list):
            self._check(value, answer)
            speaker_names = names_by_id(value, self.speaker_names)
            whole = text_at(value, self.whole)
        if turns is None:
            turns = [] if whole and not path_in(value, self.turns) else list(self._turns(value))
        beside = path_in(value, self.words_beside)
        rows = rows_at([turn.value for turn in turns[:MOST_TRIED]], "")
        warn_unused_times(answer.source.log, self.turn, rows)
        if not self.are_words:
            word_rows = self._word_rows(value, turns[:MOST_TRIED], beside)
            warn_unused_times(answer.source.log, self.word, word_rows)
        reader = _TurnReader(self, answer, speaker_names)
        if self.in_pieces:
            pieces = self._word_rows(value, turns, beside)
            reader.are_pieces = self._has_blanks(answer, pieces, whole)
        answer.spoke = answer.spoke or not (turns or whole) or self.may_lack_words
        if not turns and whole:
            yield answer.segment(plain_words(reader.untagged(whole)))
        elif self.are_words:
            run = reader.words(turns, reader.turn)
            for channel, part in groupby(run, attrgetter("channel")):
                yield from map(with_extent, answer.turns(list(part), channel=channel))
        elif beside:
            items = list(value.at(beside).elements())
            answer.spoke = answer.spoke or not items
            yield from reader.segments_of_words(turns, reader.words(items, reader.word))
        else:
            for turn in turns:
                yield from answer.gather([turn], reader.segment)

    def _turns(self, value: JsonValue) -> Iterator[JsonValue]:
        """Yield the turns of a document."""
        if isinstance(value.value, list):
            return value.elements()
        return values_at(value, path_in(value, self.turns) or self.turns.partition(" ")[0])

    def _word_rows(
        self, value: JsonValue, turns: Sequence[JsonValue], beside: str
    ) -> list[dict[str, Any]]:
        """Return the objects of all words of the document, as Python values."""
        if beside:
            return rows_at([value.value], beside)
        rows = [turn.value for turn in turns]
        if self.are_words:
            return rows_at(rows, "")
        return rows_at(rows, self.turn.words) if self.turn.words else []

    def _has_blanks(self, answer: Answer, rows: Sequence[dict[str, Any]], whole: str) -> bool:
        """Return True if the listed words are pieces of words.

        They are pieces if any begins or ends with a blank, or if the whole text has fewer words. In
        scripts without blanks, each is read as a word.
        """
        names = self.turn.text if self.are_words else self.word.text
        texts = [text for row in rows if isinstance(text := first_of(row, names), str)]
        texts = [text for text in texts if text.strip()]
        has_blanks = not are_in_scripts_without_blanks(texts[:MOST_TRIED])
        if has_blanks and any(text[:1] == " " or text[-1:] == " " for text in texts):
            return True
        if has_blanks and 0 < len(whole.split()) < len(texts):
            return True
        if len(texts) > 1 and not self.turn.expects_any:
            answer.source.log.say(PIECES._replace(code=f"{answer.code}-WORDS"))
        return False

    def _check(self, value: JsonValue, answer: Answer) -> None:
        if self.success:
            require_success(value, ("status",), self.success, self.error.split())
        refuse_error(value, *self.error.split())
        audio = value
        for name in self.duration.split("."):
            audio = audio.inner(name)
        if audio.value != {}:
            answer.set_duration(audio.nanoseconds())


class _TurnReader:
    """Reads the turns and words of one document as its table describes."""

    def __init__(self, table: Provider, answer: Answer, speaker_names: dict[str, str]) -> None:
        self.answer, self.speaker_names = answer, speaker_names
        word_unit = table.word_per_second or table.per_second
        self.turn = table.turn.without_speaker(table.per_second, clock_nanoseconds)
        self.word = table.word.without_speaker(word_unit, clock_nanoseconds)
        self.nobody, self.tags = table.nobody, table.tags
        self.skipped = [pair.split("=") for pair in table.skipped.split()]
        self.are_pieces = False
        self.has_entities = answer.code == "JSON"
        """True if the format is not known, so that texts may be those of a page."""

    def segment(self, value: JsonValue) -> Iterator[Segment]:
        """Yield the segment of one turn."""
        names, answer = self.turn, self.answer
        names.check(value)
        has_words = names.words and (not names.text or value.has(names.words.partition(".")[0]))
        words = self.words(values_at(value, names.words), self.word) if has_words else []
        if words and not any(word.start_ns or word.end_ns for word in words):
            for word in words:  # 0 to 0 where the service gave no times
                word.start_ns = word.end_ns = None
        text = value.text_of(*names.text) or ""
        text = "" if text in self.nobody else text
        words = words_as_written(words, text) if words and not self.are_pieces else words
        words = (
            answer.completed(words, self.untagged(text))
            if words
            else plain_words(self.untagged(text))
        )
        if text.strip() and not words:
            return  # tags alone
        speaker = self.speaker(value, names) or next((w.speaker for w in words if w.speaker), None)
        span = names.span(value, is_checked=answer.code != "JSON")  # any JSON: checked later
        segment = answer.segment(
            words,
            channel=value.name_of(*names.channel),
            speaker=speaker,
            span=span,
            confidence=value.confidence_of(*names.confidence),
            properties=answer.other_language(value.text_of(*names.language)),
        )
        if None not in span and span[1] < span[0]:  # type: ignore[operator]
            segment = segment.replace(line=value.line)
        yield with_extent(segment) if span[0] is None else segment

    def segments_of_words(
        self, turns: Sequence[JsonValue], words: list[SpokenWord]
    ) -> Iterator[Segment]:
        """Yield segments; each turn gets the words that begin in it."""
        for turn in turns:
            self.turn.check(turn)
        parents = [Parent(*self.turn.span(turn), None, ()) for turn in turns]
        speakers = [self.speaker(turn, self.turn) for turn in turns]
        for word, owner in zip(words, owners_of(words, parents), strict=True):
            word.speaker = word.speaker if owner is None else speakers[owner] or word.speaker
        yield from self.answer.within_parents(words, parents)

    def words(self, values: Iterable[JsonValue], names: Names) -> list[SpokenWord]:
        """Return the words of a list.

        Pieces are joined to words. A punctuation mark is added to the display form of a word.
        """
        run = WordRun()
        for value in values:
            if self.is_skipped(value):
                continue
            kind = value.value.get("type") if isinstance(value.value, dict) else None
            kind = kind.lower() if isinstance(kind, str) else ""
            if kind in MARKS:
                run.mark(value.required(*names.text).text())
            elif kind in NO_WORDS:
                if kind != "spacing":
                    self.answer.source.log.say(NO_WORD, path=value.path, kind=kind)
            else:
                for word in self.answer.gather([value], lambda value: [self.word_of(value, names)]):
                    text = word.text
                    word.text = self.untagged(text)
                    if word.text.strip():
                        run.add(word)
                    elif text.strip() and run:  # a tag ends a word
                        run[-1].text += " "
        run.close()
        return words_of_pieces(run, not self.are_pieces)

    def word_of(self, value: JsonValue, names: Names) -> SpokenWord:
        """Return a word from an object, or from a list of text, start and end."""
        if not isinstance(value.value, list):
            word = names.read(value)
            word.speaker = self.speaker(value, names)
            return word
        text, start, end = (value.element(index) for index in range(3))
        return SpokenWord(text.text(), start.nanoseconds(), end.nanoseconds())

    def speaker(self, value: JsonValue, names: Names) -> str | None:
        """Return the speaker's name; without a name, the id."""
        member = value.get(*names.speaker)
        name = "" if member is None else member.speaker()
        return None if name in self.nobody else self.speaker_names.get(name, name) or None

    def is_skipped(self, value: JsonValue) -> bool:
        """Return True if a member marks the word as not spoken; count the word."""
        row = value.value if self.skipped and isinstance(value.value, dict) else {}
        for member, excluded in self.skipped:
            if str(row.get(member)).lower() == excluded:
                self.answer.source.log.say(
                    NO_WORD_MEMBER, path=value.path, member=member, excluded=excluded
                )
                return True
        return False

    def untagged(self, text: str) -> str:
        """Remove from a text the tags that the format's table lists, and entities of HTML."""
        if self.tags is not None:
            text, count = self.tags.subn(blank_of, text)
            self.answer.count(TAG, count)
        if self.has_entities and "&" in text:
            from formats.reading.marks import with_characters

            text = with_characters(text)
        return text
