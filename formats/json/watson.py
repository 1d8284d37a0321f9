"""watson: IBM Watson Speech to Text results, directly or in messages.

==========================  ================================================================
in the file                 in the schema
==========================  ================================================================
final result                a segment, or one segment for each speaker's turn
``timestamps``              the words with their times; if missing, the words of the transcript
``word_confidence``         `Segment.confidences`, by position
``speaker_labels``          `Segment.speaker`, by equal times; later labels replace earlier ones
``alternatives[1:]``        `Segment.nbest`
``%HESITATION``             a word of kind ``fp``, a filled pause
``word_alternatives``       property ``word_alternatives``: ``0.500 hello 0.98 / hullo 0.02; …``
==========================  ================================================================

A file may be a single answer, a sequence of messages, or the status of a finished job; the results
in the status hold answers.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from formats.detection.spec import FormatSpec
from formats.io.source import Source
from formats.json.answer import Answer, refuse_error, require_success
from formats.json.messages import WATSON_CONFIDENCE, WATSON_SPEAKER
from formats.json.spoken_words import SpokenWord, plain_words
from formats.json.value import JsonDocument, JsonValue
from formats.json.words_to_segments import OpenSpan
from formats.schema.model import Segment
from formats.schema.times import format_time

HESITATION = "%HESITATION"


def read(source: Source) -> Iterator[Segment]:
    """Yield the segments of the final results."""
    document = JsonDocument(source, streams=True)
    answer = Answer(source, "IBM Watson", "WATSON")
    results: list[JsonValue] = []
    speakers: dict[OpenSpan, str] = {}
    for message in document.messages:
        for value in _answers(message):
            results.extend(value.elements("results"))
            speakers.update(
                answer.each_value(
                    value,
                    "speaker_labels",
                    lambda label: (label.span_of("from", "to"), label.required("speaker").name()),
                )
            )
    yield from answer.gather(results, partial(_result_segments, answer, speakers))
    answer.finish(document)


def _answers(value: JsonValue) -> Iterator[JsonValue]:
    """Yield the answers in a message: the message itself, or the results of a finished job."""
    require_success(value, ("status",), ("completed",), ("error", "details", "warnings"))
    refuse_error(value, "error")
    inner = [v for v in value.elements("results") if v.has("results", "result_index")]
    for answer in inner:
        yield from _answers(answer)
    if not inner:
        yield value


def _result_segments(
    answer: Answer, speakers: dict[OpenSpan, str], value: JsonValue
) -> Iterator[Segment]:
    """Yield the segments of one result."""
    final = value.get("final")
    if final is not None and not final.flag():
        answer.partial += 1
        return
    best = next(value.elements("alternatives"), None)
    words = []
    if best is not None:
        words = _words(answer, speakers, best)
    if not words:
        answer.silent += 1
        return
    (sure, _), *nbest = answer.hypotheses(value)
    starts = [word.start_ns for word in words if word.start_ns is not None]
    ends = [word.end_ns for word in words if word.end_ns is not None]
    yield from answer.turns(
        words,
        span=(min(starts, default=None), max(ends, default=None)),
        confidence=sure,
        properties=_word_alternatives(value),
        nbest=nbest,
    )


def _words(answer: Answer, speakers: dict[OpenSpan, str], best: JsonValue) -> list[SpokenWord]:
    """Return the words of the best alternative, with their speakers."""
    timed = []
    for row in best.elements("timestamps"):
        word, start, end, *_ = _row(row, 3, "a word, its start and its end")
        if end.nanoseconds() < start.nanoseconds():
            raise end.error(f"an end not before its start {start.value}")
        timed.append(SpokenWord(word.text(), start.nanoseconds(), end.nanoseconds()))
    words = timed or plain_words(best.text_of("transcript"))
    rows = list(best.elements("word_confidence"))
    unlike = abs(len(words) - len(rows)) if rows else 0
    for spoken, row in zip(words, rows, strict=False):
        text, confidence, *_ = _row(row, 2, "a word and a confidence")
        if text.text() == spoken.text:
            spoken.confidence = confidence.confidence()
        else:
            unlike += 1
    answer.count(WATSON_CONFIDENCE, unlike)
    for spoken in words:
        spoken.kind = "fp" if spoken.text == HESITATION else None
        if speakers and timed:
            spoken.speaker = speakers.get((spoken.start_ns, spoken.end_ns))
            if spoken.speaker is None:
                answer.count(WATSON_SPEAKER)
    return words


def _row(value: JsonValue, size: int, expected: str) -> list[JsonValue]:
    row = list(value.elements())
    if len(row) < size:
        raise value.error(expected, f"{len(row)} elements")
    return row


def _word_alternatives(value: JsonValue) -> dict[str, str]:
    """Return a property that lists the alternatives of each word that has several."""
    shown = []
    for place in value.elements("word_alternatives"):
        start = place.required("start_time").nanoseconds()
        words = []
        for choice in place.elements("alternatives"):
            sure = choice.confidence_of("confidence")
            words.append(f"{choice.text_of('word')} {'-' if sure is None else f'{sure:g}'}")
        if len(words) > 1:
            shown.append(f"{format_time(start)} {' / '.join(words)}")
    return {"word_alternatives": "; ".join(shown)} if shown else {}


SPEC = FormatSpec(
    title="IBM Watson Speech to Text JSON: results and messages",
    sign='"results" with "final" and "timestamps"',
    read=read,
)
