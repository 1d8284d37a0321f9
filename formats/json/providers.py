"""autoedit, digital-paper-edit, transcribee, gladia: turns and words, each format as a table.

==========================================  =====================================================
in the file                                 in the schema
==========================================  =====================================================
autoedit: a ``paragraph`` of ``line``       one `Segment`; words ``text startTime endTime``
its ``speaker``                             `Segment.speaker`; ``Unnamed Speaker`` is none
digital-paper-edit: ``paragraphs``          segments with their times and speakers
its ``words``                               words, of the paragraph in which they begin
transcribee: a child ``paragraph``          one `Segment`, its language the property ``language``
its ``children``                            pieces of text: one that begins with a blank begins a
                                            word; ``start end conf``, of a word the mean
``speaker_names``                           `Segment.speaker`; without a name, or where two have
                                            one name, the id
gladia: ``result.transcription``            ``utterances`` are segments with their ``words``
its ``channel``, ``speaker``                `Segment.channel`, `Segment.speaker`, literal: ``0``
==========================================  =====================================================

Times are seconds. autoEdit keeps its paragraphs in ``text`` of a project, or alone as a list.
Where no piece of a whole file of transcribee has a blank at its ends, each is a word.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from formats.json.answer import Answer, refuse_error, require_success, with_extent
from formats.json.shapes import WordShape
from formats.json.spoken_words import (
    Parent,
    owners_of,
    plain_words,
    words_of_pieces,
)
from formats.json.value import JsonDocument, JsonValue
from formats.model import Segment
from formats.source import Source
from formats.spec import FormatSpec


class Provider(NamedTuple):
    """A format of turns and words: where they are, and what their members are called."""

    name: str
    """As messages call the service; the code of its messages is the name in capitals."""
    turns: str
    """Path to the turns; a top-level list is the list of turns."""
    words: str
    """Path from a turn to its words; from the whole, where they lie beside the turns."""
    word: WordShape
    others: str
    """Further members of a turn that are expected and not read."""
    words_beside_turns: bool = False
    words_in_pieces: bool = False
    """Whether a word may be in several pieces, of which the first begins with a blank."""
    speaker: str = "speaker"
    nobody: tuple[str, ...] = ("",)
    """Names of speakers that stand for none."""
    speaker_names: str = ""
    """Path to an object of the names of speakers by their ids."""
    start: str = "start"
    end: str = "end"
    text: str = ""
    confidence: str = ""
    channel: str = ""
    language: str = ""
    duration: str = ""
    """Path to the length of the audio."""
    success: tuple[str, ...] = ()
    """What the member ``status`` may be."""
    error: str = ""
    """Members of the whole that are errors of the service."""

    def read(self, source: Source) -> Iterator[Segment]:
        """One segment per turn; words of none become segments of their own, with a warning."""
        document = JsonDocument(source)
        answer = Answer(source, self.name, self.name.upper().replace(" ", "-"))
        for value in document.values:
            if self.words_beside_turns:
                yield from self._beside(value, answer)
                continue
            owner, names = value, {}
            if not isinstance(value.value, list):
                self._check(value, answer)
                names = _names(value, self.speaker_names)
                for name in self.turns.split("."):
                    owner = owner.required(name)
            turns = list(owner.elements())
            answer.spoke = answer.spoke or not turns
            apart = self.words_in_pieces and self._are_words(turns, source)
            for turn in turns:
                yield from answer.gather([turn], partial(self._turn, answer, names, apart))
        answer.finish(document)

    @property
    def expected(self) -> frozenset[str]:
        """The members of a turn."""
        known = (self.speaker, self.start, self.end, self.text, self.confidence, self.channel)
        return frozenset(
            (*known, self.language, self.words.partition(".")[0], *self.others.split())
        )

    def _check(self, value: JsonValue, answer: Answer) -> None:
        if self.success:
            require_success(value, ("status",), self.success, self.error.split())
        refuse_error(value, *self.error.split())
        audio = value
        for name in self.duration.split("."):
            audio = audio.inner(name)
        if audio.value != {}:
            answer.set_duration(audio.nanoseconds())

    def _turn(
        self, answer: Answer, names: dict[str, str], apart: bool, turn: JsonValue
    ) -> Iterator[Segment]:
        turn.expect_members(self.expected)
        path = "" if self.text and not turn.has(self.words) else self.words
        words = answer.gather(values_at(turn, path), lambda word: [self.word.read(word)])
        if self.words_in_pieces:
            words = words_of_pieces(words, apart)
        speaker = turn.name_of(self.speaker)
        start_ns, end_ns = turn.span_of(self.start, self.end)
        segment = answer.segment(
            words or plain_words(turn.text_of(self.text)),
            channel=turn.name_of(self.channel),
            speaker=None if speaker in self.nobody else names.get(speaker or "", speaker),
            start_ns=start_ns,
            end_ns=end_ns,
            confidence=turn.confidence_of(self.confidence),
            properties=answer.other_language(turn.text_of(self.language)),
        )
        yield with_extent(segment) if start_ns is None else segment

    def _beside(self, value: JsonValue, answer: Answer) -> Iterator[Segment]:
        turns = list(value.elements(self.turns))
        for turn in turns:
            turn.expect_members(self.expected)
        answer.spoke = answer.spoke or value.value.get(self.words) == []
        words = answer.each_word(value, self.words, self.word)
        parents = [Parent(*turn.span_of(self.start, self.end), None, ()) for turn in turns]
        for word, owner in zip(words, owners_of(words, parents), strict=True):
            speaker = None if owner is None else turns[owner].name_of(self.speaker)
            word.speaker = None if speaker in self.nobody else speaker
        yield from answer.within_parents(words, parents)

    def _are_words(self, turns: list[JsonValue], source: Source) -> bool:
        """Whether no piece of the file has a blank at its ends, so that each is a word."""
        having = [turn for turn in turns if turn.has(self.words)]
        pieces = [piece.value for turn in having for piece in values_at(turn, self.words)]
        texts = [str(piece.get("text")) for piece in pieces if isinstance(piece, dict)]
        if any(text[:1] == " " or text[-1:] == " " for text in texts):
            return False
        if len(texts) > 1:
            note = "no blanks around pieces: each is a word"
            source.log.note(f"{self.name.upper()}-WORDS", note)
        return True


def values_at(value: JsonValue, path: str) -> Iterator[JsonValue]:
    """The values that a path leads to, whose members must be there; of lists the elements."""
    name, _, rest = path.partition(".")
    if not name:
        return
    member = value.required(name)
    for inner in member.elements() if isinstance(member.value, list) else (member,):
        if rest:
            yield from values_at(inner, rest)
        else:
            yield inner


def _names(value: JsonValue, path: str) -> dict[str, str]:
    """The names of speakers by their ids, as far as no two have the same."""
    members = value.get(path) if path else None
    names = {} if members is None else {key: name.text() for key, name in members.members()}
    uses = Counter(names.values())
    return {key: name for key, name in names.items() if name and uses[name] == 1}


AUTOEDIT = Provider(
    "autoEdit",
    turns="text",
    words="paragraph.line",
    word=WordShape("text", start="startTime", end="endTime", confidence="", others="id accuracy"),
    others="id",
    nobody=("", "Unnamed Speaker"),
)
PAPER_EDIT = Provider(
    "Digital Paper Edit",
    turns="paragraphs",
    words="words",
    words_beside_turns=True,
    word=WordShape("text", confidence="", others="id index"),
    others="id",
    nobody=("", "Unnamed Speaker"),
)
TRANSCRIBEE = Provider(
    "transcribee",
    turns="children",
    words="children",
    words_in_pieces=True,
    word=WordShape("text", confidence="conf", others="conf_ts"),
    others="type",
    language="lang",
    speaker_names="speaker_names",
)
GLADIA = Provider(
    "Gladia",
    turns="result.transcription.utterances",
    words="words",
    word=WordShape("word"),
    others="",
    text="text",
    confidence="confidence",
    channel="channel",
    language="language",
    duration="result.metadata.audio_duration",
    success=("done",),
    error="error_code error",
)
AUTOEDIT_SPEC = FormatSpec(
    title="JSON of autoEdit 2: paragraphs of lines of timed words",
    sign='"paragraph" with "line"',
    read=AUTOEDIT.read,
    manual="Paragraphs with speakers; words with start and end.",
)
PAPER_EDIT_SPEC = FormatSpec(
    title="JSON of Digital Paper Edit and of slate's editor: words, and paragraphs with speakers",
    sign='"words" with "text", and "paragraphs"',
    read=PAPER_EDIT.read,
    manual="A list of timed words and a list of paragraphs with times and speakers.",
)
TRANSCRIBEE_SPEC = FormatSpec(
    title="JSON of transcribee: paragraphs of timed pieces of text",
    sign='"children" of the type "paragraph"',
    read=TRANSCRIBEE.read,
    manual="Paragraphs with speakers; pieces of text with times and confidences.",
)
GLADIA_SPEC = FormatSpec(
    title="Gladia JSON: utterances with timed words",
    sign='"transcription" with "utterances"',
    read=GLADIA.read,
    manual="Utterances with speakers and channels, each with its timed words.",
)
