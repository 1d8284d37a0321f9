"""assemblyai: what AssemblyAI answers: transcripts, their sentences, messages of a stream.

==========================  ================================================================
its word                    ours
==========================  ================================================================
``utterances``              segments with their times; else ``sentences`` or ``paragraphs``
``words``                   the words, in their display forms: the service has no other
``start``, ``end``          whole milliseconds
``speaker``, ``channel``    `Segment.speaker`, `Segment.channel`, literal: ``A``, ``1``
``audio_duration``          property ``duration``, in seconds; compared with the times
``language_code``           property ``language``
==========================  ================================================================

Words that no utterance repeats make segments of their own, with a warning.
"""

from __future__ import annotations

from formats.json.answer import Answer, messages, refuse_error, require_success, with_extent
from formats.json.document import JsonDocument
from formats.json.record import Name, Number, Record, WrongError
from formats.json.spoken_words import Parent, SpokenWord, plain_words
from formats.spec import FormatSpec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from formats.json.document import JsonValue
    from formats.model import Segment
    from formats.source import Source

__all__ = [
    "SPEC",
    "read",
]


class Timed(Record):
    """Something with times in whole milliseconds; a fraction means that they are none of theirs."""

    start: Number = None
    end: Number = None

    def milliseconds(self) -> tuple[int | None, int | None]:
        """Start and end in nanoseconds."""
        span = self.span(per_second=1000)
        for name in ("start", "end"):
            given = getattr(self, name)
            if given is not None and abs(float(given)) < 10**15 and not float(given).is_integer():
                found = f"{given}, which may be seconds"
                raise WrongError(name, "whole milliseconds", found, self)
        return span


class Word(Timed, kw_only=True):
    """A word in its display form: the service has no other."""

    unread = frozenset({"word_is_final"})

    text: str
    confidence: Number = None
    speaker: Name = None
    channel: Name = None


class Part(Timed):
    """An utterance, a sentence or a paragraph, with the words that it repeats."""

    confidence: Number = None
    channel: Name = None
    speaker: Name = None
    text: str | None = None
    words: list[Timed] | None = None


PARTS = ("utterances", "sentences", "paragraphs")


def read(source: Source) -> Iterator[Segment]:
    """The segments of one transcript, or of the final messages of a stream.

    Raises
    ------
    SyntaxFormatError: a status that is not ``completed``, or an error, with the service's message;
        no final result; no words; a time that is no whole number of milliseconds; members missing
        or of a wrong type.
    """
    document = JsonDocument(source, streams=True)
    answer = Answer(source, "AssemblyAI", "ASSEMBLYAI")
    for value in messages(document):
        require_success(value, ("status",), ("completed",), ("error",))
        refuse_error(value, "error")
        if value.has("message_type", "type") and not value.has("status"):
            yield from _message(value, answer)
        else:
            answer.require_alone(value)
            yield from _transcript(value, answer)
    answer.finish(document)


def _transcript(value: JsonValue, answer: Answer) -> Iterator[Segment]:
    answer.set_property("language", value.text_of("language_code"))
    length = value.get("audio_duration")
    if length is not None:
        answer.set_duration(length.nanoseconds())
    words = _words(value, answer)
    part = next((name for name in PARTS if next(value.elements(name), None) is not None), None)
    if part is not None and words:
        yield from _within_parts(words, value, part, answer)
    elif part is not None:
        yield from _parts_alone(value, part, answer)
    elif words:
        for channel in dict.fromkeys(word.channel for word in words):
            own = [word for word in words if word.channel == channel]
            yield from answer.turns(own, channel=channel)
    elif text := plain_words(value.text_of("text")):
        yield answer.segment(text, confidence=value.confidence_of("confidence"))


def _words(value: JsonValue, answer: Answer) -> list[SpokenWord]:
    made: list[SpokenWord] = []

    def take(word: Word) -> None:
        made.append(
            SpokenWord(
                word.text, *word.milliseconds(), word.sureness(),
                speaker=word.name_of("speaker"), channel=word.name_of("channel"),
            )
        )  # fmt: skip

    answer.each(value, "words", Word, take)
    return made


def _parts_alone(value: JsonValue, name: str, answer: Answer) -> Iterator[Segment]:
    """Utterances or sentences with words of their own."""

    def segments(one: JsonValue) -> Iterator[Segment]:
        part = one.record(Part)
        start_ns, end_ns = one.checked(part, Part.milliseconds)
        words = _words(one, answer) or plain_words(part.text)
        speaker = part.name_of("speaker")
        for word in words:
            word.speaker = word.speaker if speaker is None else speaker
        yield from answer.turns(
            words,
            channel=part.name_of("channel"),
            start_ns=start_ns,
            end_ns=end_ns,
            confidence=part.sureness(),
        )

    yield from answer.gather(value.elements(name), segments)


def _within_parts(
    words: list[SpokenWord], value: JsonValue, name: str, answer: Answer
) -> Iterator[Segment]:
    """The words of the file within the utterances that repeat them."""
    parents: dict[str | None, list[Parent]] = {}

    def take(one: Part) -> None:
        places = [word.milliseconds() for word in one.words or ()]
        parent = Parent(*one.milliseconds(), one.sureness(), places)
        parents.setdefault(one.name_of("channel"), []).append(parent)

    answer.each(value, name, Part, take)
    if all(word.channel is None for word in words):
        parents = {None: [parent for own in parents.values() for parent in own]}
    for channel in dict.fromkeys(word.channel for word in words):
        own = [word for word in words if word.channel == channel]
        yield from answer.within_parents(own, parents.get(channel, []), channel)


def _message(value: JsonValue, answer: Answer) -> Iterator[Segment]:
    """The segment of a message of a stream, if it is a final transcript."""
    kind = value.text_of("message_type", "type")
    ends_turn = value.get("end_of_turn")
    is_final = kind == "FinalTranscript" or (ends_turn is not None and ends_turn.flag())
    if kind == "PartialTranscript" or (kind == "Turn" and not is_final):
        answer.partial += 1
    elif is_final:
        words = _words(value, answer) or plain_words(value.text_of("text", "transcript"))
        if not words:
            answer.silent += 1
            return
        start_ns, end_ns = value.span_of("audio_start", "audio_end", per_second=1000)
        confidence = value.confidence_of("confidence")
        for segment in answer.turns(words, start_ns=start_ns, end_ns=end_ns, confidence=confidence):
            yield with_extent(segment) if start_ns is None else segment


SPEC = FormatSpec(
    title="AssemblyAI JSON: transcripts, sentences, stream messages",
    sign='"words" with "text", and an "audio_url"',
    read=read,
    manual="Words in display form with times in milliseconds, and utterances as segments.",
)
