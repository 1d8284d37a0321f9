"""offline-transcriber: JSON of the Estonian offline transcriber and its relatives.

===================================  ===========================================================
its word                             ours
===================================  ===========================================================
``sections[].turns[]``               one `Segment`; ``start``, ``end`` in seconds
``turns[].speaker``                  its speaker, as written
``speakers.S1.name``                 property ``speaker_name``
``words[].word``                     a word, numbers in digits; ``start``, ``end``, ``confidence``
``words[].word_with_punctuation``    its display form, or else the word with ``punctuation``
``words[].unnormalized_words``       with ``unnormalized=True`` the words, as they were spoken;
                                     the form for people goes to the first of them
``transcript``                       the words of a turn without ``words``
``unnormalized_transcript``          the same, with ``unnormalized=True``
a section ``non-speech``             a segment of kind ``event``, its word ``non-speech``
===================================  ===========================================================

The object may be wrapped as ``best_hypothesis`` or ``result``. An unfinished or failed job
(``done: false``, ``error``) is an error with the service's message, not an empty transcript.
"""

from __future__ import annotations

from formats.errors import SyntaxFormatError, quoted
from formats.json.document import JsonDocument
from formats.json.record import Name, Number, Record
from formats.json.spoken_words import SpokenWord, plain_words
from formats.json.words_to_segments import Reading
from formats.model import Segment
from formats.spec import FormatSpec, Option

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from formats.json.document import JsonValue
    from formats.source import Source

__all__ = [
    "SPEC",
    "read",
]

WRAPPERS = ("best_hypothesis", "result")
MEMBERS = frozenset({"speakers", "sections"})


class Spoken(Record):
    """A word as it was spoken, before numbers became digits."""

    word: str
    start: Number = None
    end: Number = None
    confidence: Number = None

    def spoken(self) -> SpokenWord:
        """The word with its times."""
        return SpokenWord(self.word, *self.span(), self.sureness())


class Word(Spoken, kw_only=True):
    """A word with its display form, and the words that it was spoken as."""

    word_with_punctuation: str | None = None
    punctuation: str | bool | float | None = None
    unnormalized_words: list[Spoken | str] | None = None


class Turn(Record):
    """What one speaker says."""

    unread = frozenset({"words"})

    speaker: Name = None
    start: Number = None
    end: Number = None
    transcript: str | None = None
    unnormalized_transcript: str | None = None


def read(source: Source, *, unnormalized: bool = False) -> Iterator[Segment]:
    """One segment per turn, and one per section without speech, in the order of the file.

    Parameters
    ----------
    unnormalized: read the words as they were spoken, before numbers became digits.

    Raises
    ------
    SyntaxFormatError
        No JSON, an unfinished or failed job, a word without its text, a time that is none.
    """
    document = JsonDocument(source)
    turns = _Turns(source, unnormalized)
    for value in document.values:
        content = _unwrapped(value)
        source.is_silent = True
        content.expect_members(MEMBERS)
        speakers = content.get("speakers")
        turns.speakers = {} if speakers is None else dict(speakers.members())
        for line, section in content.numbered_elements("sections"):
            for segment in turns.of_section(section, line):
                yield turns.reading.in_order(segment)
    turns.reading.tell()
    document.note_unknown()


def _unwrapped(value: JsonValue) -> JsonValue:
    """The object that has the sections.

    Raises
    ------
    SyntaxFormatError: the job failed or is not done.
    """
    while not value.has("sections"):
        error, done, message = value.get("error"), value.get("done"), value.get("message")
        said = message
        if error is not None:
            said = error.get("message") if isinstance(error.value, dict) else error
        if error is not None or (done is not None and done.value is False):
            what = "a failed one" if error is not None else "one that is not done"
            text = f": {quoted(str(said.value))}" if said is not None else ""
            raise value.error("a finished transcription", what + text)
        inner = value.get(*WRAPPERS)
        if inner is None:
            raise value.error('a member "sections"', "none")
        value = inner
    return value


class _Turns:
    """Makes segments of the turns of a section."""

    def __init__(self, source: Source, unnormalized: bool) -> None:
        self.source = source
        self.reading = Reading(source)
        self.speakers: dict[str, JsonValue] = {}
        self._unnormalized = unnormalized

    def of_section(self, section: JsonValue, line: int | None) -> Iterator[Segment]:
        kind = section.get("type")
        if kind is not None and kind.text() == "non-speech":
            start_ns, end_ns = section.span_of()
            yield Segment(
                self.source.recording,
                ("non-speech",),
                start_ns=start_ns,
                end_ns=end_ns,
                kind="event",
                line=line,
            )
            return
        count = 0
        for turn_line, turn in section.numbered_elements("turns"):
            count += 1
            try:
                yield self._of_turn(turn, turn_line)
            except SyntaxFormatError as error:
                self.source.log.reject("TRANSCRIBER-TURN", error)
        if not count:
            self.source.log.note("EMPTY-SECTION", "a section of speech without turns", line)

    def _of_turn(self, value: JsonValue, line: int | None) -> Segment:
        turn = value.record(Turn)
        start_ns, end_ns = value.checked(turn, Turn.span)
        speaker = turn.name_of("speaker")
        known = self.speakers.get(speaker or "")
        name = known.text_of("name") if known is not None else None
        texts = [turn.transcript, turn.unnormalized_transcript]
        if self._unnormalized:
            texts.reverse()
        items = plain_words(texts[1] if texts[0] is None else texts[0])
        if value.has("words"):
            items = [item for items in value.taken("words", Word, self._words) for item in items]
        return self.reading.segment(
            items,
            start_ns=start_ns,
            end_ns=end_ns,
            speaker=speaker,
            properties=None if name is None else {"speaker_name": name},
            line=line,
        )

    def _words(self, word: Word) -> list[SpokenWord]:
        item = word.spoken()
        if word.word_with_punctuation is not None:
            item.display = word.word_with_punctuation.strip()
        elif isinstance(word.punctuation, str):
            item.display = item.text.strip() + word.punctuation
        if not self._unnormalized or not word.unnormalized_words:
            return [item]
        spoken = [
            SpokenWord(one) if isinstance(one, str) else one.spoken()
            for one in word.unnormalized_words
        ]
        for position, one in enumerate(spoken):
            one.display = "" if position else item.display or item.text
            if one.confidence is None:
                one.confidence = item.confidence
        if spoken[0].start_ns is None:
            spoken[0].start_ns = item.start_ns
        if spoken[-1].end_ns is None:
            spoken[-1].end_ns = item.end_ns
        return spoken


SPEC = FormatSpec(
    title="JSON of the Estonian offline transcriber: sections, turns, timed words",
    sign='"sections" with "turns"',
    read=read,
    holds=(
        "words",
        "speakers",
        "segment times",
        "word times",
        "confidences",
        "display forms",
        "properties",
        "empty segments",
        "events",
        "segment boundaries",
    ),
    read_options=(
        Option("unnormalized", False, "read words as spoken, numbers not in digits", (False, True)),
    ),
    manual="Sections of speech and non-speech; turns of speakers; timed words with punctuation.",
)
