"""azure: what Azure Speech answers: batch, real-time and fast transcription.

======================================  ====================================================
its word                                ours
======================================  ====================================================
phrase, real-time result                a segment, with its times
``lexical`` and its ``words``           the words
``display``                             their display forms, where the two can be laid side by
                                        side; else the property ``display`` of the segment
``channel``, ``Channel``                `Segment.channel`, literal: ``0``, ``1``
``speaker``, ``SpeakerId``              `Segment.speaker`, literal: ``1``, ``2``, ``Guest-1``
``nBest[1:]``                           `Segment.nbest`
``AudioFileResults[]``                  a file of the batch service's version 2: a recording,
                                        where there are several
status other than ``Success``           a segment without words, with a note; ``Error`` is one
======================================  ====================================================

Times are ticks of 100 ns, in older files milliseconds, and where neither is there durations such
as ``PT1H2M3.4S``. Phrases come channel by channel, each sorted by time. The simple real-time form
and fast transcription have display forms only: these are the words then.
"""

from __future__ import annotations

from formats.json.answer import Answer, messages
from formats.json.azure_phrases import fast_phrase, in_order, phrase, span_of_phrase
from formats.json.document import JsonDocument
from formats.json.members import message_of, name_of, refuse_error, text_of
from formats.source import recording_of
from formats.spec import FormatSpec, Sniff

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from formats.head import Head
    from formats.json.document import JsonValue
    from formats.model import Segment
    from formats.source import Source

__all__ = ["SPEC", "read", "sniff"]

KNOWN_BATCH = frozenset(
    {"source", "timestamp", "duration", "durationInTicks", "durationMilliseconds",
     "combinedRecognizedPhrases", "recognizedPhrases", "locale"}
)  # fmt: skip
KNOWN_FILE = frozenset(
    {"AudioFileName", "AudioFileUrl", "AudioLengthInSeconds", "CombinedResults", "SegmentResults"}
)
KNOWN_FAST = frozenset({"duration", "durationMilliseconds", "combinedPhrases", "phrases"})


EXPECTED = '"recognizedPhrases", "AudioFileResults", "phrases" or a "RecognitionStatus"'


def read(source: Source) -> Iterator[Segment]:
    """The segments of one transcript, or of a list or stream of real-time results.

    Raises
    ------
    SyntaxFormatError: an error message of the service, or a failed job, with its message; no
        final result; no words; members missing or of a wrong type.
    """
    document = JsonDocument(source, streams=True)
    answer = Answer(source, "Azure Speech", "AZURE")
    made: list[Segment] = []
    for value in messages(document):
        _refuse_failure(value)
        length = span_of_phrase(value)[1]
        if value.has("AudioFileResults"):
            answer.require_alone(value)
            files = list(value.elements("AudioFileResults"))
            for file in files:
                made.extend(_phrases_of_file(file, answer, is_alone=len(files) == 1))
        elif value.has("recognizedPhrases"):
            answer.require_alone(value)
            value.expect_members(KNOWN_BATCH)
            _set_length(value, length, answer)
            answer.each(
                value.elements("recognizedPhrases"), lambda v: made.extend(phrase(v, answer))
            )
        elif value.has("phrases", "combinedPhrases"):
            answer.require_alone(value)
            value.expect_members(KNOWN_FAST)
            _set_length(value, length, answer)
            answer.each(value.elements("phrases"), lambda v: made.extend(fast_phrase(v, answer)))
        elif value.has("RecognitionStatus"):
            answer.each([value], lambda v: made.extend(phrase(v, answer)))
        elif value.has("Text") and value.has("Offset"):
            answer.counts.partial += 1
        else:
            raise value.error(EXPECTED, "none")
    yield from in_order(made, source)
    answer.finish(document)


def _phrases_of_file(file: JsonValue, answer: Answer, *, is_alone: bool) -> list[Segment]:
    """The segments of one file; among several its recording is the stem of the file's name."""
    file.expect_members(KNOWN_FILE)
    made: list[Segment] = []
    file.required("SegmentResults")
    answer.each(file.elements("SegmentResults"), lambda v: made.extend(phrase(v, answer)))
    if is_alone:
        length = file.get("AudioLengthInSeconds")
        if length is not None:
            answer.set_duration(length.nanoseconds())
        return made
    recording = recording_of(name_of(file, "AudioFileName", "AudioFileUrl") or "")
    return [segment.replace(recording=recording) for segment in made]


def _set_length(value: JsonValue, length_ns: int | None, answer: Answer) -> None:
    if length_ns is not None:
        answer.set_duration(length_ns)
    answer.set_property("language", text_of(value, "locale"))


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


def sniff(head: Head) -> Sniff:
    """Sure of the members that only this service has: phrases, a status, results of files."""
    top = head.json
    if isinstance(top, list):
        top = next((value for value in top if isinstance(value, dict)), None)
    if not isinstance(top, dict):
        return Sniff.NO
    if {"recognizedPhrases", "combinedRecognizedPhrases", "AudioFileResults"} & set(top):
        return Sniff.SURE
    if "RecognitionStatus" in top or {"Text", "Offset", "Duration"} <= set(top):
        return Sniff.SURE
    if "combinedPhrases" in top:
        return Sniff.SURE
    phrases = top.get("phrases")
    first = phrases[0] if isinstance(phrases, list) and phrases else None
    return Sniff.SURE if isinstance(first, dict) and "offsetMilliseconds" in first else Sniff.NO


SPEC = FormatSpec(
    title="Azure Speech JSON: batch, real-time and fast transcription",
    sign='"recognizedPhrases", "AudioFileResults", "phrases" or a "RecognitionStatus"',
    read=read,
    write=None,
    sniff=sniff,
    holds=(),
    manual="Phrases by channel with lexical and display forms, times in ticks of 100 ns.",
)
