"""azure: Azure Speech results: batch, real-time and fast transcription.

======================================  ====================================================
in the file                             in the schema
======================================  ====================================================
phrase, real-time result                a segment, with its times
``lexical`` and its ``words``           the words
``display``                             display forms of the words, if the two texts can be aligned;
                                        otherwise the property ``display`` of the segment
``channel``, ``Channel``                `Segment.channel`, unchanged: ``0``, ``1``
``speaker``, ``SpeakerId``              `Segment.speaker`, unchanged: ``1``, ``2``, ``Guest-1``
``nBest[1:]``                           `Segment.nbest`
``AudioFileResults[]``                  one file of the batch service's version 2: a recording, if
                                        there are several
status other than ``Success``           a segment without words, and a note; for some statuses, an
                                        error
======================================  ====================================================

Times are ticks of 100 ns, or milliseconds, or durations such as ``PT1H2M3.4S``; the names of the
members show which. The phrases of a channel are listed together, sorted by time. The simple
real-time form and fast transcription have only display forms, which become the words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial

from formats.detection.spec import FormatSpec
from formats.io.source import Source, recording_of
from formats.json.answer import Answer, checked_hypotheses, message_of, refuse_error
from formats.json.displays import cut_text
from formats.json.messages import AZURE_ORDER, AZURE_STATUS
from formats.json.spoken_words import SpokenWord, plain_words, show_along
from formats.json.value import JsonDocument, JsonValue
from formats.schema.model import Segment
from formats.schema.times import LARGEST, SECOND

TICKS = 10_000_000
LENGTHS = {
    name: ((f"{name}InTicks", TICKS), (name.capitalize(), TICKS), (f"{name}Milliseconds", 1000))
    for name in ("offset", "duration")
}
"""Members with an offset or a duration, and how many of their units make a second."""
DURATION = re.compile(
    r"P(?:([0-9]{1,6})D)?(?:T(?:([0-9]{1,8})H)?(?:([0-9]{1,9})M)?"
    r"(?:([0-9]{1,10})(?:\.([0-9]{1,40}))?S)?)?\Z",
    re.IGNORECASE | re.ASCII,
)
SILENCES = ("nomatch", "initialsilencetimeout", "babbletimeout", "endofdictation")
SIGN = '"recognizedPhrases", "AudioFileResults", "phrases" or a "RecognitionStatus"'


def read(source: Source) -> Iterator[Segment]:
    """Yield the segments of one transcript, or of a list or stream of real-time results."""
    document = JsonDocument(source, streams=True)
    answer = Answer(source, "Azure Speech", "AZURE")
    segments: list[Segment] = []
    for value in document.messages:
        _refuse_failure(value)
        if value.has("AudioFileResults", "recognizedPhrases", "phrases", "combinedPhrases"):
            answer.require_alone(value)
        if value.has("AudioFileResults"):
            files = list(value.elements("AudioFileResults"))
            for file in files:
                segments += _phrases_of_file(file, answer, is_alone=len(files) == 1)
        elif value.has("recognizedPhrases", "phrases", "combinedPhrases"):
            is_batch = value.has("recognizedPhrases")
            if (length := _time(value, "duration")) is not None:
                answer.set_duration(length)
            answer.set_property("language", value.text_of("locale"))
            phrases = value.elements("recognizedPhrases" if is_batch else "phrases")
            read_phrase = _phrase if is_batch else _fast_phrase
            segments += answer.gather(phrases, partial(read_phrase, answer))
        elif value.has("RecognitionStatus"):
            segments += answer.gather([value], partial(_phrase, answer))
        elif value.has("Text") and value.has("Offset"):
            answer.partial += 1
        else:
            raise value.error(SIGN, "none")
    yield from _in_order(segments, source)
    answer.finish(document)


def _phrases_of_file(file: JsonValue, answer: Answer, *, is_alone: bool) -> list[Segment]:
    """Return the segments of a file.

    If there are several files, the stems of their names are the recordings.
    """
    phrases = file.required("SegmentResults").elements()
    segments = answer.gather(phrases, partial(_phrase, answer))
    if is_alone:
        if (length := file.time_of("AudioLengthInSeconds")) is not None:
            answer.set_duration(length)
        return segments
    recording = recording_of(file.name_of("AudioFileName", "AudioFileUrl") or "")
    return [segment.replace(recording=recording) for segment in segments]


def _refuse_failure(value: JsonValue) -> None:
    refuse_error(value, "error", "innerError")
    if value.has("code") and value.has("message"):
        message = message_of(value, "code", "message")
        raise value.error("a transcript", f"an error of the service: {message}")
    status = value.get("status")
    if status is not None and not value.has("recognizedPhrases", "phrases"):
        message = message_of(value, "properties", "message")
        shown = f'a job with the status "{status.name()}"'
        raise status.error("a transcript", f"{shown}: {message}" if message else shown)


def _time(value: JsonValue, name: str) -> int | None:
    """Parse an offset or duration in ticks, in milliseconds or in ISO form; return nanoseconds."""
    for member, per_second in LENGTHS[name]:
        if value.has(member):
            return value.time_of(member, per_second=per_second)
    time = value.get(name)
    if time is None or not isinstance(time.value, str):
        return None if time is None else time.nanoseconds(per_second=TICKS)
    try:
        return iso_duration(time.value)
    except ValueError:
        raise time.error('a duration such as "PT1M2.5S"') from None


def _span(value: JsonValue) -> tuple[int | None, int | None]:
    """Return start and end in nanoseconds."""
    start, length = _time(value, "offset"), _time(value, "duration")
    end = None if start is None or length is None else start + length
    if end is not None and end > LARGEST:
        raise (value.get("duration") or value).error("an end of at most 292 years")
    return start, end


def iso_duration(text: str) -> int:
    """Parse a duration such as ``PT1H2M3.4S``; return whole nanoseconds.

    Digits after the ninth are ignored.
    """
    match = DURATION.match(text)
    if match is None or not any(match.groups()):
        raise ValueError(f"not a duration: {text!r}")
    days, hours, minutes, seconds, fraction = (part or "0" for part in match.groups())
    whole = ((int(days) * 24 + int(hours)) * 60 + int(minutes)) * 60 + int(seconds)
    value = whole * SECOND + int(fraction[:9].ljust(9, "0"))
    if value > LARGEST:
        raise ValueError(f"not within 292 years: {text!r}")
    return value


def _phrase(answer: Answer, value: JsonValue) -> Iterator[Segment]:
    """Yield the segment of a phrase in a batch transcript, or of a real-time result."""
    start_ns, end_ns = _span(value)
    channel = value.name_of("channel", "Channel", "ChannelNumber")
    speaker = _speaker(value)
    if not _is_success(value, answer):
        answer.spoke = True
        yield answer.segment((), channel=channel, speaker=speaker, span=(start_ns, end_ns))
        return
    properties = answer.other_language(value.text_of("locale"))
    choices = list(value.elements("nBest")) or list(value.elements("NBest"))
    confidences = [choice.confidence_of("confidence", "Confidence") for choice in choices]
    if choices:
        best = choices[0]
        words = _words(best, answer) or plain_words(_text(best))
        display = best.text_of("display") or best.text_of("Display")
        display = display or value.text_of("DisplayText")
        if words and display and not show_along(words, display):
            properties["display"] = display
    else:
        words = plain_words(value.text_of("DisplayText", "text"))
    texts = [tuple(cut_text(_text(choice))) for choice in choices]
    nbest = list(zip(confidences, texts, strict=True))[1:]
    answer.silent += not words
    yield answer.segment(
        words,
        channel=channel,
        speaker=speaker,
        span=(start_ns, end_ns),
        confidence=confidences[0] if confidences else None,
        properties=properties,
        nbest=checked_hypotheses(value, nbest),
    )


def _text(value: JsonValue) -> str:
    """Return the lexical text of a hypothesis; if missing, its display text; otherwise empty."""
    texts = map(value.text_of, ("lexical", "Lexical", "display", "Display"))
    return next(filter(None, texts), "")


def _speaker(value: JsonValue) -> str | None:
    speaker = value.name_of("speaker", "SpeakerId")
    return None if speaker in ("", "Unknown") else speaker


def _is_success(value: JsonValue, answer: Answer) -> bool:
    status = value.get("recognitionStatus", "RecognitionStatus")
    if status is None or status.text().lower() == "success":
        return True
    if status.text().lower() in SILENCES:
        answer.source.log.say(AZURE_STATUS, path=value.path, status=status.text())
        return False
    message = message_of(value, "error", "message", "DisplayText", "ErrorDetails")
    raise status.error('"Success"', f'"{status.text()}"' + (f": {message}" if message else ""))


def _words(value: JsonValue, answer: Answer) -> list[SpokenWord]:
    """Return the timed words of a hypothesis."""
    words = answer.each_value(value, "words", _word)
    return words + answer.each_value(value, "Words", _word)


def _word(value: JsonValue) -> SpokenWord:
    text = value.required("word", "Word", "text").text()
    return SpokenWord(text, *_span(value), value.confidence_of("confidence", "Confidence"))


def _fast_phrase(answer: Answer, value: JsonValue) -> Iterator[Segment]:
    """Yield the segment of a phrase from fast transcription."""
    span = _span(value)
    words = _words(value, answer) or plain_words(value.text_of("text"))
    answer.silent += not words
    yield answer.segment(
        words,
        channel=value.name_of("channel"),
        speaker=_speaker(value),
        span=span,
        confidence=value.confidence_of("confidence"),
        properties=answer.other_language(value.text_of("locale")),
    )


def _in_order(segments: Sequence[Segment], source: Source) -> list[Segment]:
    """Group segments by recording and channel, and sort each group by time.

    Log a note if this changes the order.
    """
    keys = [(segment.recording, segment.channel) for segment in segments]
    order = {key: number for number, key in enumerate(dict.fromkeys(keys))}
    last: dict[tuple[str, str | None], int] = {}
    moved = 0
    for key, segment in zip(keys, segments, strict=True):
        start = segment.start_ns if segment.start_ns is not None else last.get(key, 0)
        moved += start < last.get(key, 0)
        last[key] = start
    if moved:
        source.log.say(AZURE_ORDER, phrases=moved)
    are_timed = all(segment.start_ns is not None for segment in segments)
    return sorted(
        segments, key=lambda s: (order[s.recording, s.channel], s.start_ns if are_timed else 0)
    )


SPEC = FormatSpec(
    title="Azure Speech JSON: batch, real-time and fast transcription", sign=SIGN, read=read
)
