"""A format of turns and words in JSON as a table of member names and positions.

The tables are in `formats.json.providers`; `formats.json.any_list` makes one of what a file has.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

from formats.detection.spec import FormatSpec
from formats.io.source import Source
from formats.json.answer import Answer, refuse_error, require_success, with_extent
from formats.json.elements import Elements
from formats.json.list_names import MOST_TRIED
from formats.json.paths import (
    names_by_id,
    names_in,
    path_in,
    rows_at,
    text_at,
    values_at,
    warn_unused_times,
)
from formats.json.shapes import Names
from formats.json.spoken_words import Parent, SpokenWord, owners_of, plain_words
from formats.json.value import JsonDocument, JsonValue
from formats.schema.model import Segment


class Provider(NamedTuple):
    """A format of turns and words; paths lead through lists, ``a|b`` is the first name present."""

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
    """Paths to the words, where they lie beside the turns; the first that is there counts."""
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
        """The format."""
        return FormatSpec(title=self.title, sign=self.sign, read=self.read)

    def read(self, source: Source) -> Iterator[Segment]:
        """One segment per turn; words of none become segments of their own, with a warning."""
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
            for value in document.values:
                yield from self.segments(value, answer)
        answer.finish(document)

    def segments(
        self, value: JsonValue, answer: Answer, turns: Sequence[JsonValue] | None = None
    ) -> Iterator[Segment]:
        """The segments of one document; `turns` are its top-level values where these are a list."""
        names: dict[str, str] = {}
        whole = ""
        if not isinstance(value.value, list):
            self._check(value, answer)
            names = names_by_id(value, self.speaker_names)
            whole = text_at(value, self.whole)
        if turns is None:
            turns = [] if whole and not path_in(value, self.turns) else list(self._turns(value))
        beside = path_in(value, self.words_beside)
        rows = rows_at([turn.value for turn in turns[:MOST_TRIED]], "")
        word_rows = self._word_rows(value, turns[:MOST_TRIED], beside)
        kind = partial(
            Elements, speakers=names, nobody=self.nobody, skipped=self.skipped, tags=self.tags
        )
        elements = kind(names_in(self.turn, rows), self.per_second)
        words = kind(names_in(self.word, word_rows), self.word_per_second or self.per_second)
        warn_unused_times(answer.source.log, elements.names, rows)
        if not self.are_words:
            warn_unused_times(answer.source.log, words.names, word_rows)
        if self.in_pieces:
            pieces = self._word_rows(value, turns, beside)
            words.apart = not self._has_blanks(answer, pieces, whole)
        answer.spoke = answer.spoke or not (turns or whole) or self.may_lack_words
        if not turns and whole:
            yield answer.segment(plain_words(elements.untagged(whole, answer)))
        elif self.are_words:
            elements.apart = words.apart
            run = elements.words(turns, answer)
            for channel, part in groupby(run, attrgetter("channel")):
                yield from map(with_extent, answer.turns(list(part), channel=channel))
        elif beside:
            items = list(value.at(beside).elements())
            answer.spoke = answer.spoke or not items
            yield from _beside(answer, turns, elements, words.words(items, answer))
        else:
            for turn in turns:
                yield from answer.gather([turn], partial(_segment, answer, elements, words))

    def _turns(self, value: JsonValue) -> Iterator[JsonValue]:
        """The turns of a document."""
        if isinstance(value.value, list):
            return value.elements()
        return values_at(value, path_in(value, self.turns) or self.turns.partition(" ")[0])

    def _word_rows(
        self, value: JsonValue, turns: Sequence[JsonValue], beside: str
    ) -> list[dict[str, Any]]:
        """The words as Python has them."""
        if beside:
            return rows_at([value.value], beside)
        rows = [turn.value for turn in turns]
        if self.are_words:
            return rows_at(rows, "")
        return rows_at(rows, self.turn.words) if self.turn.words else []

    def _has_blanks(self, answer: Answer, rows: Sequence[dict[str, Any]], whole: str) -> bool:
        """True if words are in pieces, by blanks at their ends or a whole text of fewer words."""
        name = self.turn.text if self.are_words else self.word.text
        texts = [text for row in rows if isinstance(text := row.get(name), str) and text.strip()]
        if any(text[:1] == " " or text[-1:] == " " for text in texts):
            return True
        if 0 < len(whole.split()) < len(texts):
            return True
        if len(texts) > 1 and self.turn.others != "*":
            note = "no blanks around pieces: each is a word"
            answer.source.log.note(f"{answer.code}-WORDS", note)
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


def _segment(
    answer: Answer, elements: Elements, inner: Elements, value: JsonValue
) -> Iterator[Segment]:
    """The segment of one turn."""
    names = elements.names
    elements.check(value)
    has_words = names.words and (not names.text or value.has(names.words.partition(".")[0]))
    words = inner.words(values_at(value, names.words), answer) if has_words else []
    if words and not any(word.end_ns for word in words):
        for word in words:  # 0 to 0 where the service gave no times
            word.start_ns = word.end_ns = None
    text = (value.text_of(names.text) or "") if names.text and not words else ""
    text = "" if text in elements.nobody else text
    words = words or plain_words(elements.untagged(text, answer))
    if text.strip() and not words:
        return  # tags alone
    speaker = elements.speaker(value) or next((w.speaker for w in words if w.speaker), None)
    span = elements.span(value)
    segment = answer.segment(
        words,
        channel=value.name_of(*elements.channels),
        speaker=speaker,
        span=span,
        confidence=value.confidence_of(*elements.confidences),
        properties=answer.other_language(value.text_of(*elements.languages)),
    )
    yield with_extent(segment) if span[0] is None else segment


def _beside(
    answer: Answer, turns: Sequence[JsonValue], elements: Elements, words: list[SpokenWord]
) -> Iterator[Segment]:
    """Segments of the words that begin within the times of the turns."""
    for turn in turns:
        elements.check(turn)
    parents = [Parent(*elements.span(turn), None, ()) for turn in turns]
    speakers = [elements.speaker(turn) for turn in turns]
    for word, owner in zip(words, owners_of(words, parents), strict=True):
        word.speaker = word.speaker if owner is None else speakers[owner] or word.speaker
    yield from answer.within_parents(words, parents)
