"""assemblyai: AssemblyAI's transcripts, sentences and stream messages.

==========================  ================================================================
in the file                 in the schema
==========================  ================================================================
``utterances``              segments with their times; without utterances, ``sentences`` or
                            ``paragraphs`` are read
``words``                   the words, with case and punctuation, because the service gives no
                            other form
``start``, ``end``          whole milliseconds
``speaker``, ``channel``    `Segment.speaker`, `Segment.channel`, unchanged: ``A``, ``1``
``audio_duration``          property ``duration``, in seconds; compared with the times
``language_code``           property ``language``
==========================  ================================================================

Words that no utterance lists become separate segments, with a warning.
"""

from __future__ import annotations

from collections.abc import Iterator

from formats.detection.spec import FormatSpec
from formats.json.answer import (
    Answer,
    parent_of,
    reader,
    refuse_error,
    require_success,
    with_extent,
)
from formats.json.numbers import nanoseconds
from formats.json.shapes import Names
from formats.json.spoken_words import plain_words
from formats.json.value import JsonValue
from formats.schema.model import Segment


def _whole_milliseconds(value: float | str, per_second: int) -> int:
    """Convert milliseconds to nanoseconds. Decimals are an error, because they suggest seconds."""
    time, number = nanoseconds(value, per_second), float(value)
    if abs(number) < 10**15 and not number.is_integer():
        raise ValueError("whole milliseconds", f"{value}, which may be seconds")
    return time


WORD = Names(
    "text", "start", "end", speaker="speaker", confidence="confidence", channel="channel",
    others="word_is_final", per_second=1000, parse_time=_whole_milliseconds,
)  # fmt: skip
PARTS = ("utterances", "sentences", "paragraphs")


def read(value: JsonValue, answer: Answer) -> Iterator[Segment]:
    """Yield the segments of one transcript, or of the final messages of a stream."""
    require_success(value, ("status",), ("completed",), ("error",))
    refuse_error(value, "error")
    if value.has("message_type", "type") and not value.has("status"):
        yield from _message(value, answer)
    else:
        answer.require_alone(value)
        yield from _transcript(value, answer)


def _transcript(value: JsonValue, answer: Answer) -> Iterator[Segment]:
    answer.set_property("language", value.text_of("language_code"))
    if (length := value.time_of("audio_duration")) is not None:
        answer.set_duration(length)
    words = answer.each_word(value, "words", WORD)
    part = next((name for name in PARTS if next(value.elements(name), None) is not None), None)
    if part is not None and not words:
        yield from answer.gather(value.elements(part), lambda inner: _part(inner, answer))
        return
    parents = answer.each_value(
        value, part or "", lambda v: (v.name_of("channel"), parent_of(v, WORD))
    )
    channels = dict.fromkeys(word.channel for word in words)
    for channel in channels:
        inner = [word for word in words if word.channel == channel]
        if part is None:
            yield from answer.turns(inner, channel=channel)
            continue
        own = [parent for name, parent in parents if name == channel or set(channels) == {None}]
        yield from answer.within_parents(inner, own, channel=channel)
    if not words and (text := plain_words(value.text_of("text"))):
        yield answer.segment(text, confidence=value.confidence_of("confidence"))


def _part(value: JsonValue, answer: Answer) -> Iterator[Segment]:
    """Yield the segments of an utterance or a sentence."""
    span = WORD.span(value)
    words = answer.each_word(value, "words", WORD) or plain_words(value.text_of("text"))
    speaker = value.name_of("speaker")
    for word in words:
        word.speaker = word.speaker if speaker is None else speaker
    yield from answer.turns(
        words,
        channel=value.name_of("channel"),
        span=span,
        confidence=value.confidence_of("confidence"),
    )


def _message(value: JsonValue, answer: Answer) -> Iterator[Segment]:
    """Yield the segment of a stream message if it is a final transcript."""
    kind = value.text_of("message_type", "type")
    is_final = kind == "FinalTranscript" or value.flag_of("end_of_turn")
    if kind == "PartialTranscript" or (kind == "Turn" and not is_final):
        answer.partial += 1
    elif is_final:
        words = answer.each_word(value, "words", WORD) or plain_words(
            value.text_of("text", "transcript")
        )
        if not words:
            answer.silent += 1
            return
        start_ns, end_ns = value.span_of("audio_start", "audio_end", per_second=1000)
        confidence = value.confidence_of("confidence")
        for segment in answer.turns(words, span=(start_ns, end_ns), confidence=confidence):
            yield with_extent(segment) if start_ns is None else segment


SPEC = FormatSpec(
    title="AssemblyAI JSON: transcripts, sentences, stream messages",
    sign='"words" with "text", and an "audio_url"',
    read=reader("AssemblyAI", "ASSEMBLYAI", read),
)
