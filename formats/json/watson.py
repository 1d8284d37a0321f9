"""watson: what IBM Watson Speech to Text answers: results, alone or as messages.

==========================  ================================================================
its word                    ours
==========================  ================================================================
final result                a segment, or one for each turn of a speaker
``timestamps``              the words with their times; without them the transcript's words
``word_confidence``         `Segment.confidences`, by position
``speaker_labels``          `Segment.speaker`, by equal times; later labels replace earlier ones
``alternatives[1:]``        `Segment.nbest`
``%HESITATION``             a word of kind ``fp``, a filled pause
``word_alternatives``       property ``word_alternatives``: ``0.500 hello 0.98 / hullo 0.02; …``
==========================  ================================================================

A file may be one answer, a list of messages, messages one after another, or the answer about a
finished job, whose results hold answers.
"""

from __future__ import annotations

import msgspec

from formats.json.answer import (
    Answer,
    checked_hypotheses,
    messages,
    refuse_error,
    require_success,
)
from formats.json.displays import cut_text
from formats.json.document import JsonDocument
from formats.json.record import Number, Record, spans_at_once
from formats.json.spoken_words import SpokenWord, plain_words
from formats.spec import FormatSpec
from formats.times import format_time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from formats.json.document import JsonValue
    from formats.json.spoken_words import Hypothesis
    from formats.model import Segment
    from formats.source import Source

__all__ = [
    "SPEC",
    "read",
]

HESITATION = "%HESITATION"
KNOWN_RESULT = frozenset(
    {"final", "alternatives", "word_alternatives", "keywords_result", "end_of_utterance"}
)
KNOWN_ALTERNATIVE = frozenset({"transcript", "confidence", "timestamps", "word_confidence"})


class Label(Record, rename={"start": "from", "end": "to"}):
    """Who speaks from a time on to another."""

    speaker: str | int
    start: Number = None
    end: Number = None


class Other(Record):
    """Another hypothesis of a result."""

    transcript: str | None = None
    confidence: Number = None

    def hypothesis(self) -> Hypothesis:
        """Confidence and words."""
        return self.sureness(), tuple(cut_text(self.transcript or ""))


Time = int | float | str
Timed = tuple[str, Time, Time]
"""A word, its start and its end, as rows of ``timestamps`` have them."""


def read(source: Source) -> Iterator[Segment]:
    """The segments of the final results.

    Raises
    ------
    SyntaxFormatError: an error message or a job that is not completed, with the service's message;
        no final result; no words; members missing or of a wrong type.
    """
    document = JsonDocument(source, streams=True)
    answer = Answer(source, "IBM Watson", "WATSON")
    results: list[JsonValue] = []
    speakers: dict[tuple[int | None, int | None], str] = {}

    def take(label: Label) -> None:
        speakers[label.span()] = str(label.speaker)

    for message in messages(document):
        for value in _answers(message):
            results.extend(value.elements("results"))
            answer.each(value, "speaker_labels", Label, take)
    reader = Results(answer, speakers)
    yield from answer.gather(results, reader.segments)
    reader.tell()
    answer.finish(document)


def _answers(value: JsonValue) -> Iterator[JsonValue]:
    """The answers in a message: itself, or those that a finished job holds."""
    require_success(value, ("status",), ("completed",), ("error", "details", "warnings"))
    refuse_error(value, "error")
    inner = [v for v in value.elements("results") if v.has("results", "result_index")]
    if inner:
        for answer in inner:
            yield from _answers(answer)
    else:
        yield value


class Results:
    """Results on their way to segments."""

    def __init__(self, answer: Answer, speakers: dict[tuple[int | None, int | None], str]) -> None:
        self.answer = answer
        self.speakers = speakers
        self._unlike = 0
        self._unlabelled = 0

    def segments(self, value: JsonValue) -> Iterator[Segment]:
        """The segments of one result.

        Raises
        ------
        SyntaxFormatError
        """
        value.expect_members(KNOWN_RESULT)
        final = value.get("final")
        if final is not None and not final.flag():
            self.answer.partial += 1
            return
        best = next(value.elements("alternatives"), None)
        words = []
        if best is not None:
            best.expect_members(KNOWN_ALTERNATIVE)
            words = self._words(best)
        if best is None or not words:
            self.answer.silent += 1
            return
        nbest = value.taken("alternatives", Other, Other.hypothesis)[1:]
        starts = [word.start_ns for word in words if word.start_ns is not None]
        ends = [word.end_ns for word in words if word.end_ns is not None]
        yield from self.answer.turns(
            words,
            start_ns=min(starts, default=None),
            end_ns=max(ends, default=None),
            confidence=best.confidence_of("confidence"),
            properties=_word_alternatives(value),
            nbest=checked_hypotheses(value, nbest),
        )

    def _words(self, best: JsonValue) -> list[SpokenWord]:
        timed = timed_words(best.get("timestamps"))
        words = timed or plain_words(best.text_of("transcript"))
        sure = list(best.elements("word_confidence"))
        for word, value in zip(words, sure, strict=False):
            said, confidence, *_ = _row(value, 2, "a word and a confidence")
            if said.text() == word.text:
                word.confidence = confidence.confidence()
            else:
                self._unlike += 1
        self._unlike += abs(len(words) - len(sure)) if sure else 0
        for word in words:
            if word.text == HESITATION:
                word.kind = "fp"
            if self.speakers and timed:
                word.speaker = self.speakers.get((word.start_ns, word.end_ns))
                self._unlabelled += word.speaker is None
        return words

    def tell(self) -> None:
        """Say what did not fit."""
        log = self.answer.source.log
        if self._unlike:
            log.warn(
                "WATSON-CONFIDENCE",
                f"word confidences that do not fit the timed words, not kept: {self._unlike}",
            )
        if self._unlabelled:
            log.warn(
                "WATSON-SPEAKER", f"words whose times no speaker label has: {self._unlabelled}"
            )


def timed_words(rows: JsonValue | None) -> list[SpokenWord]:
    """The words with their times: all at once if they are plain."""
    if rows is None:
        return []
    try:
        plain = msgspec.convert(rows.value, list[Timed])
    except msgspec.ValidationError:
        plain = []
    if plain:
        texts, starts, ends = map(list, zip(*plain, strict=True))
        spans = spans_at_once(starts, ends)
        if spans is not None:
            return list(map(SpokenWord, texts, *spans))
    return [timed_word(value) for value in rows.elements()]


def _row(value: JsonValue, size: int, expected: str) -> list[JsonValue]:
    row = list(value.elements())
    if len(row) < size:
        raise value.error(expected, f"{len(row)} elements")
    return row


def timed_word(value: JsonValue) -> SpokenWord:
    word, start, end, *_ = _row(value, 3, "a word, its start and its end")
    start_ns, end_ns = start.nanoseconds(), end.nanoseconds()
    if end_ns < start_ns:
        raise end.error(f"an end not before its start {start.value}")
    return SpokenWord(word.text(), start_ns, end_ns)


def _word_alternatives(value: JsonValue) -> dict[str, str]:
    """What else each word may be, in one text; words without a choice are left out."""
    shown = []
    for place in value.elements("word_alternatives"):
        start = place.required("start_time").nanoseconds()
        words = []
        for one in place.elements("alternatives"):
            sure = one.confidence_of("confidence")
            words.append(f"{one.text_of('word')} {'-' if sure is None else f'{sure:g}'}")
        if len(words) > 1:
            shown.append(f"{format_time(start)} {' / '.join(words)}")
    return {"word_alternatives": "; ".join(shown)} if shown else {}


SPEC = FormatSpec(
    title="IBM Watson Speech to Text JSON: results and messages",
    sign='"results" with "final" and "timestamps"',
    read=read,
    manual="Results with alternatives, timestamps as lists, and speaker labels by time.",
)
