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

from formats.json.answer import Answer, SpokenWord, messages, with_extent
from formats.json.document import JsonDocument
from formats.json.members import (
    check_order,
    confidence_of,
    name_of,
    refuse_error,
    require_success,
    required_text,
    text_of,
)
from formats.json.parents import Parent, within_parents
from formats.json.word_items import cut_text
from formats.spec import FormatSpec, Sniff

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from formats.head import Head
    from formats.json.document import JsonValue
    from formats.model import Segment
    from formats.source import Source

__all__ = ["SPEC", "read", "sniff"]

KNOWN_WORD = frozenset(
    {"text", "start", "end", "confidence", "speaker", "channel", "word_is_final"}
)
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
    answer.set_property("language", text_of(value, "language_code"))
    length = value.get("audio_duration")
    if length is not None:
        answer.set_duration(length.nanoseconds())
    words = _words(value, answer)
    part = next((name for name in PARTS if value.has(name) and value.get(name)), None)
    if part is None or not list(value.elements(part)):
        yield from _by_channel(words, value, answer)
    elif not words:
        yield from _parts_alone(value, part, answer)
    else:
        yield from _parts_with_words(words, value, part, answer)


def _milliseconds(value: JsonValue | None) -> int | None:
    """A time in nanoseconds; a fraction of a millisecond means that it is none of theirs."""
    if value is None:
        return None
    number = value.number()
    if abs(number) < 10**15 and number != int(number):
        raise value.error("whole milliseconds", f"{number}, which may be seconds")
    return value.nanoseconds(per_second=1000)


def _span(
    value: JsonValue, starts: str = "start", ends: str = "end"
) -> tuple[int | None, int | None]:
    start, end = value.get(starts), value.get(ends)
    start_ns, end_ns = _milliseconds(start), _milliseconds(end)
    if start is not None and end is not None:
        check_order(start_ns, end_ns, end, str(start.value))
    return start_ns, end_ns


class ChannelWord(SpokenWord):
    """A word that names its channel.

    Attributes
    ----------
    channel: as written, or `None`.
    """

    __slots__ = ("channel",)
    channel: str | None


def _words(value: JsonValue, answer: Answer) -> list[ChannelWord]:
    made: list[ChannelWord] = []

    def take(word: JsonValue) -> None:
        word.expect_members(KNOWN_WORD)
        text = required_text(word, "text")
        speaker = name_of(word, "speaker")
        sure = confidence_of(word, "confidence")
        made.append(ChannelWord(text, *_span(word), sure, speaker=speaker))
        made[-1].channel = name_of(word, "channel")

    answer.each(value.elements("words"), take)
    return made


def _by_channel(words: list[ChannelWord], value: JsonValue, answer: Answer) -> Iterator[Segment]:
    """Without utterances: the words of each channel by speaker, or the bare text."""
    if not words:
        text = cut_text(text_of(value, "text") or "")
        if text:
            yield answer.segment(
                [SpokenWord(word) for word in text], confidence=confidence_of(value, "confidence")
            )
        return
    for channel in dict.fromkeys(word.channel for word in words):
        own = [word for word in words if word.channel == channel]
        yield from answer.turns(own, channel=channel)


def _parts_alone(value: JsonValue, part: str, answer: Answer) -> Iterator[Segment]:
    """Utterances or sentences with words of their own."""
    made: list[Segment] = []

    def take(one: JsonValue) -> None:
        start_ns, end_ns = _span(one)
        words = _words(one, answer) or [
            ChannelWord(word) for word in cut_text(text_of(one, "text") or "")
        ]
        speaker = name_of(one, "speaker")
        for word in words:
            word.speaker = word.speaker if speaker is None else speaker
        made.extend(
            answer.turns(
                words,
                channel=name_of(one, "channel"),
                start_ns=start_ns,
                end_ns=end_ns,
                confidence=confidence_of(one, "confidence"),
            )
        )

    answer.each(value.elements(part), take)
    yield from made


def _parts_with_words(
    words: list[ChannelWord], value: JsonValue, part: str, answer: Answer
) -> Iterator[Segment]:
    """The words of the file within the utterances that repeat them."""
    parents: dict[str | None, list[Parent]] = {}

    def take(one: JsonValue) -> None:
        start_ns, end_ns = _span(one)
        places = [_span(word) for word in one.elements("words")]
        parent = Parent(start_ns, end_ns, confidence_of(one, "confidence"), places)
        parents.setdefault(name_of(one, "channel"), []).append(parent)

    answer.each(value.elements(part), take)
    if all(word.channel is None for word in words):
        parents = {None: [parent for own in parents.values() for parent in own]}
    for channel in dict.fromkeys(word.channel for word in words):
        own = [word for word in words if word.channel == channel]
        yield from within_parents(own, parents.get(channel, []), answer, channel)


def _message(value: JsonValue, answer: Answer) -> Iterator[Segment]:
    """The segment of a message of a stream, if it is a final transcript."""
    kind = text_of(value, "message_type", "type")
    ends_turn = value.get("end_of_turn")
    is_final = kind == "FinalTranscript" or (ends_turn is not None and ends_turn.flag())
    if kind == "PartialTranscript" or (kind == "Turn" and not is_final):
        answer.counts.partial += 1
    elif is_final:
        words = _words(value, answer)
        text = text_of(value, "text", "transcript") or ""
        words = words or [ChannelWord(word) for word in cut_text(text)]
        if not words:
            answer.silent += 1
            return
        start_ns, end_ns = _span(value, "audio_start", "audio_end")
        confidence = confidence_of(value, "confidence")
        for segment in answer.turns(words, start_ns=start_ns, end_ns=end_ns, confidence=confidence):
            yield with_extent(segment) if start_ns is None else segment


def sniff(head: Head) -> Sniff:
    """Sure of words with a text and whole times beside a status, a duration or utterances."""
    top = head.json
    if isinstance(top, list):
        top = next((v for v in top if isinstance(v, dict)), None)
    if not isinstance(top, dict):
        return Sniff.NO
    if top.get("message_type") in ("FinalTranscript", "PartialTranscript", "SessionBegins"):
        return Sniff.SURE
    if top.get("type") == "Turn" and "end_of_turn" in top:
        return Sniff.SURE
    own = {
        "audio_duration",
        "status",
        "acoustic_model",
        "audio_url",
        "language_model",
        "utterances",
    }
    if any(_has_words(top.get(name)) for name in ("words", *PARTS)):
        is_part = _has_words(top.get("sentences")) or _has_words(top.get("paragraphs"))
        return Sniff.SURE if own & set(top) or is_part else Sniff.MAYBE
    is_answer = "status" in top and ("audio_duration" in top or "audio_url" in top)
    return Sniff.SURE if is_answer else Sniff.NO


def _has_words(value: object) -> bool:
    first = value[0] if isinstance(value, list) and value else None
    return isinstance(first, dict) and "text" in first and isinstance(first.get("start"), int)


SPEC = FormatSpec(
    title="AssemblyAI JSON: transcripts, sentences, stream messages",
    sign='"words" with "text", and an "audio_url"',
    read=read,
    write=None,
    sniff=sniff,
    holds=(),
    manual="Words in display form with times in milliseconds, and utterances as segments.",
)
