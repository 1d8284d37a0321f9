"""A format of turns and words in JSON as a table: where they are, what their members are called.

The tables are in `formats.json.providers`; `formats.json.any_list` makes one of what a file has.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from formats.json.answer import Answer, refuse_error, require_success, with_extent
from formats.json.list_names import Names, seconds_of
from formats.json.spoken_words import (
    Parent,
    SpokenWord,
    WordRun,
    owners_of,
    plain_words,
    words_of_pieces,
)
from formats.json.value import JsonDocument, JsonValue
from formats.model import Segment
from formats.source import Source

MARKS = frozenset(("punctuation", "punct", "pnct"))
"""What ``type`` calls a mark, which is shown with the word before it."""
NO_WORDS = frozenset(("audio_event", "event", "spacing", "tag"))
"""What ``type`` calls an element of a list of words that is none."""


class Provider(NamedTuple):
    """A format of turns and words. Paths are names with points between; they lead through lists."""

    name: str
    """As messages call the service; the code of its messages is the name in capitals."""
    turns: str
    """Paths to the turns, with blanks between; the first that is there counts. A top-level list is
    the list of turns, unless the path begins with ``[]``: then its elements have them."""
    turn: Names
    """Members of a turn; `words` may be a path."""
    word: Names = Names()
    """Members of a word."""
    words_beside: str = ""
    """Paths to the words, where they lie beside the turns; the first that is there counts."""
    are_words: bool = False
    """Whether the turns are words, of which those of one speaker make a segment."""
    in_pieces: bool = False
    """Whether a word may be in several pieces, of which the first begins with a blank."""
    may_lack_words: bool = False
    """Whether turns without words are no sign of a failed job."""
    per_second: int = 1
    """Units of time in a second."""
    word_per_second: int = 0
    """Those of words, if they differ."""
    skipped: str = ""
    """``member=value`` of the words that are left out, such as translations."""
    nobody: tuple[str, ...] = ("",)
    """Names of speakers that stand for none."""
    speaker_names: str = ""
    """Path to an object of the names of speakers by their ids, or to objects: ``path:id:name``."""
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
            yield from self.segments(value, answer)
        answer.finish(document)

    def segments(
        self, value: JsonValue, answer: Answer, turns: Sequence[JsonValue] | None = None
    ) -> Iterator[Segment]:
        """The segments of one document; `turns` are its top-level values where these are a list."""
        names: dict[str, str] = {}
        if not isinstance(value.value, list):
            self._check(value, answer)
            names = _names(value, self.speaker_names)
        if turns is None:
            turns = list(self._turns(value))
        elements = _Elements(self, self.turn, self.per_second, names)
        words = _Elements(self, self.word, self.word_per_second or self.per_second, names)
        words.apart = not self.in_pieces or not _has_blanks(value, self, turns, answer)
        answer.spoke = answer.spoke or not turns or self.may_lack_words
        if self.are_words:
            elements.apart = words.apart
            yield from map(with_extent, answer.turns(elements.words(turns, answer)))
        elif beside := _path_in(value, self.words_beside):
            items = list(value.at(beside).elements())
            answer.spoke = answer.spoke or not items
            yield from _beside(answer, turns, elements, words.words(items, answer))
        else:
            for turn in turns:
                yield from answer.gather([turn], partial(_segment, answer, elements, words))

    def _turns(self, value: JsonValue) -> Iterator[JsonValue]:
        """The turns of a document."""
        if isinstance(value.value, list):
            path = next((path for path in self.turns.split() if path.startswith("[].")), "")
            if not path:
                return value.elements()
            owners = (element.at(path.removeprefix("[].")) for element in value.elements())
            return (turn for owner in owners for turn in owner.elements())
        path = _path_in(value, self.turns) or self.turns.partition(" ")[0]
        return value.at(path).elements()

    def _check(self, value: JsonValue, answer: Answer) -> None:
        if self.success:
            require_success(value, ("status",), self.success, self.error.split())
        refuse_error(value, *self.error.split())
        audio = value
        for name in self.duration.split("."):
            audio = audio.inner(name)
        if audio.value != {}:
            answer.set_duration(audio.nanoseconds())


class _Elements:
    """Reads the elements of one list by the names of their members."""

    def __init__(
        self, provider: Provider, names: Names, per_second: int, speakers: dict[str, str]
    ) -> None:
        self.provider, self.names, self.per_second = provider, names, per_second
        self.speakers = speakers
        self.expected = names.expected
        self.apart = True

    def check(self, value: JsonValue) -> None:
        """Count the members that are not read, where the table says which there are."""
        if not self.names.expects_any:
            value.expect_members(self.expected)

    def time(self, value: JsonValue, name: str) -> int | None:
        """A time in nanoseconds, `None` where there is none."""
        member = value.get(name) if name else None
        if member is None or not isinstance(member.value, str):
            return None if member is None else member.nanoseconds(per_second=self.per_second)
        text = seconds_of(member.value)
        if text is None:
            raise member.error("a time")
        unit = self.per_second if member.value.strip() == text else 1
        return JsonValue(text, member.document, value, name).nanoseconds(per_second=unit)

    def span(self, value: JsonValue) -> tuple[int | None, int | None]:
        """Start and end in nanoseconds."""
        names = self.names
        start, end = self.time(value, names.start), self.time(value, names.end)
        length = self.time(value, names.length) if end is None else None
        if start is not None and length is not None:
            end = start + length
        if start is not None and end is not None and end < start:
            shown = value.value[names.start]
            raise value.required(names.end).error(f"an end not before its start {shown}")
        return start, end

    def speaker(self, value: JsonValue) -> str | None:
        """The name of the speaker, or else the id."""
        member = value.get(self.names.speaker) if self.names.speaker else None
        if member is not None and isinstance(member.value, dict):
            member = member.get("name", "id")
        name = "" if member is None else member.name()
        return None if name in self.provider.nobody else self.speakers.get(name, name) or None

    def channel(self, value: JsonValue) -> str | None:
        """The channel, a name or a number."""
        return value.name_of(self.names.channel) if self.names.channel else None

    def confidence(self, value: JsonValue) -> float | None:
        """The confidence."""
        return value.confidence_of(self.names.confidence) if self.names.confidence else None

    def word(self, value: JsonValue) -> SpokenWord:
        """One word."""
        names = self.names
        if isinstance(value.value, list):  # text, start, end
            text, start, end = (value.element(index) for index in range(3))
            return SpokenWord(text.text(), start.nanoseconds(), end.nanoseconds())
        self.check(value)
        return SpokenWord(
            value.required(names.text).text(),
            *self.span(value),
            self.confidence(value),
            value.text_of(names.display) if names.display else None,
            speaker=self.speaker(value),
            channel=self.channel(value),
        )

    def words(self, values: Iterable[JsonValue], answer: Answer) -> list[SpokenWord]:
        """The words of a list: marks are shown with the word before, pieces of a word joined."""
        run = WordRun()
        member, _, left_out = self.provider.skipped.partition("=")
        for value in values:
            if member and isinstance(value.value, dict) and value.value.get(member) == left_out:
                answer.source.log.note("NO-WORD", f"{value.path}: left out, {member} {left_out}")
                continue
            kind = value.value.get("type") if isinstance(value.value, dict) else None
            kind = kind.lower() if isinstance(kind, str) else ""
            if kind in MARKS:
                run.mark(value.required(self.names.text).text())
            elif kind in NO_WORDS:
                if kind != "spacing":
                    answer.source.log.note("NO-WORD", f"{value.path}: no word but {kind}")
            else:
                for word in answer.gather([value], lambda value: [self.word(value)]):
                    if word.text.strip():
                        run.add(word)
        run.close()
        return words_of_pieces(run, self.apart)


def _segment(
    answer: Answer, elements: _Elements, inner: _Elements, value: JsonValue
) -> Iterator[Segment]:
    """The segment of one turn."""
    names = elements.names
    elements.check(value)
    has_words = names.words and (not names.text or value.has(names.words.partition(".")[0]))
    words = inner.words(values_at(value, names.words), answer) if has_words else []
    speaker = elements.speaker(value) or next((w.speaker for w in words if w.speaker), None)
    span = elements.span(value)
    segment = answer.segment(
        words or plain_words(value.text_of(names.text) if names.text else None),
        channel=elements.channel(value),
        speaker=speaker,
        span=span,
        confidence=elements.confidence(value),
        properties=answer.other_language(value.text_of(names.language) if names.language else None),
    )
    yield with_extent(segment) if span[0] is None else segment


def _beside(
    answer: Answer, turns: Sequence[JsonValue], elements: _Elements, words: list[SpokenWord]
) -> Iterator[Segment]:
    """Segments of the words that begin within the times of the turns."""
    for turn in turns:
        elements.check(turn)
    parents = [Parent(*elements.span(turn), None, ()) for turn in turns]
    speakers = [elements.speaker(turn) for turn in turns]
    for word, owner in zip(words, owners_of(words, parents), strict=True):
        word.speaker = word.speaker if owner is None else speakers[owner] or word.speaker
    yield from answer.within_parents(words, parents)


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


def _path_in(value: JsonValue, paths: str) -> str:
    """The first of the paths, with blanks between, that leads to a value; empty if none does."""
    return next(filter(value.has_path, paths.split()), "")


def _names(value: JsonValue, path: str) -> dict[str, str]:
    """The names of speakers by their ids, as far as no two have the same."""
    where, _, members = path.partition(":")
    owner = value.get(where) if where else None
    if owner is None:
        return {}
    if members:
        key, name = members.split(":")
        listed = [(e.required(key).name(), e.get(name)) for e in owner.elements()]
        names = {key: name.text() for key, name in listed if name is not None}
    else:
        names = {key: name.text() for key, name in owner.members()}
    uses = Counter(names.values())
    return {key: name for key, name in names.items() if name and uses[name] == 1}


def _has_blanks(
    value: JsonValue, provider: Provider, turns: Sequence[JsonValue], answer: Answer
) -> bool:
    """Whether a piece of a word has a blank at its ends; if none has, each is a word."""
    pieces: Iterable[JsonValue] = turns
    name = provider.turn.text
    if not provider.are_words:
        name = provider.word.text
        first = provider.turn.words.partition(".")[0]
        having = [turn for turn in turns if first and turn.has(first)]
        pieces = [piece for turn in having for piece in values_at(turn, provider.turn.words)]
        if beside := _path_in(value, provider.words_beside):
            pieces = value.at(beside).elements()
    rows = [piece.value for piece in pieces if isinstance(piece.value, dict)]
    texts = [text for row in rows if isinstance(text := row.get(name), str) and text.strip()]
    if any(text[:1] == " " or text[-1:] == " " for text in texts):
        return True
    if len(texts) > 1 and not provider.turn.expects_any:
        note = "no blanks around pieces: each is a word"
        answer.source.log.note(f"{answer.code}-WORDS", note)
    return False
