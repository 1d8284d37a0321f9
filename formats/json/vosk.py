"""vosk: JSON objects as Vosk's recogniser returns them, one after the other.

=============================  =================================================================
its word                       ours
=============================  =================================================================
one object                     one `Segment`, from its first word to its last
``result[].word``              a word; ``start``, ``end`` in seconds; ``conf`` its confidence
``text``                       the words where there is no ``result``: without times
``alternatives[0]``            the words; its ``confidence`` that of the segment: a score without
                               a scale (property ``confidence_scale`` of the file: ``unknown``)
``alternatives[1:]``           `Segment.nbest`
``partial``                    passed over, counted in a note
an object without words        passed over, counted in a note: silence
``spk``, ``spk_frames``        a speaker's vector and no name: not read, counted in a note
=============================  =================================================================

The objects may stand in lines of their own, be spread over lines, or be the elements of a list.
"""

from __future__ import annotations

from formats.errors import SyntaxFormatError
from formats.json.displays import cut_text
from formats.json.document import JsonDocument
from formats.json.output import JsonOutput, json_text
from formats.json.record import Number, Record, confidences_of, spans_of
from formats.json.spoken_words import Columns, plain_words
from formats.json.words_to_segments import Reading
from formats.spec import FormatSpec, decimals

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from formats.json.document import JsonValue
    from formats.json.spoken_words import Hypothesis
    from formats.model import Segment
    from formats.sink import Sink
    from formats.source import Source
    from formats.spec import SegmentSource

__all__ = ["SPEC", "read", "write"]

PARTIAL = ("partial", "partial_result")
MEMBERS = frozenset({"result", "text", "alternatives", "confidence", "spk", "spk_frames"})


class Word(Record):
    """A word."""

    word: str
    start: Number = None
    end: Number = None
    conf: Number = None


def columns_of(words: Sequence[Word]) -> Columns:
    """The words with their times.

    Raises
    ------
    WrongError: a time or a confidence that is none, an end before its start.
    """
    texts = [word.word for word in words]
    return Columns(texts, *spans_of(words), confidences_of(words, "conf"))


class Other(Record):
    """Another hypothesis."""

    text: str | None = None
    confidence: Number = None

    def hypothesis(self) -> Hypothesis:
        """Confidence and words."""
        return self.sureness(), tuple(cut_text(self.text or ""))


def read(source: Source) -> Iterator[Segment]:
    """One segment per result with words, in the order of the file.

    Raises
    ------
    SyntaxFormatError
        No JSON, an object that is no result, a word without its text, a time that is none, an end
        before its start; no result that is final.
    """
    document = JsonDocument(source, streams=True)
    reading = Reading(source)
    silent = vectors = finals = 0
    said_in_part = False
    for line, value in document.numbered_messages():
        try:
            if value.has(*PARTIAL):
                reading.partial += 1
                said_in_part = said_in_part or value.value.get("partial") not in (None, "")
                continue
            value.expect_members(MEMBERS)
            vectors += value.has("spk")
            segment = _read_result(value, reading, line)
            finals += 1
        except SyntaxFormatError as error:
            source.log.reject("VOSK-SYNTAX", error)
            continue
        if segment.words or segment.nbest:
            yield segment
        else:
            silent += 1
    source.is_silent = bool(silent) or (bool(reading.partial) and not said_in_part)
    if said_in_part and not finals:
        reading.refuse_partial()
    if silent:
        source.log.note("NO-WORDS", f"results without words, passed over: {silent}")
    if vectors:
        source.log.note("VOSK-SPEAKER", f"vectors of speakers, not read: {vectors}")
    reading.tell()
    document.note_unknown()


def _read_result(value: JsonValue, reading: Reading, line: int | None) -> Segment:
    if not value.has("result", "text", "alternatives"):
        raise value.error('a member "result", "text" or "alternatives"', "none")
    confidence: float | None = None
    others: list[Hypothesis] = []
    best = next(value.elements("alternatives"), None)
    if best is not None:
        heard = value.taken("alternatives", Other, Other.hypothesis)
        confidence, others = heard[0][0], heard[1:]
        reading.source.properties["confidence_scale"] = "unknown"
        value = best
    text = value.text_of("text")
    timed = value.has("result")
    segment = reading.segment(
        value.at_once("result", Word, columns_of) if timed else plain_words(text),
        spans_words=timed,
        confidence=confidence,
        nbest=others,
        line=line,
    )
    if timed and text is not None:
        reading.tell_of_text("VOSK-TEXT", text, segment.words, line)
    return segment


def write(segments: SegmentSource, sink: Sink, *, precision: int = 3) -> None:
    """Write one object per segment and line, with ``alternatives`` where there are several.

    Times of a segment that are not those of its first and last word are counted lost.

    Parameters
    ----------
    precision: decimals of the times, 0 to 9; times that need more are counted lost.

    Raises
    ------
    LossError: a time before 0.
    """
    output = JsonOutput(sink, segments.source, precision)
    for segment in segments:
        output.refuse_empty_words(segment)
        made: dict[str, Any] = {}
        words = output.words(segment, "word", "conf")
        output.count_segment_times(segment, is_timed=words is not None)
        if words:
            made["result"] = words
        made["text"] = " ".join(segment.words)
        if segment.nbest or segment.confidence is not None:
            made = {"alternatives": list(_alternatives(made, segment))}
        sink.write(json_text(made) + "\n")


def _alternatives(first: dict[str, Any], segment: Segment) -> Iterator[dict[str, Any]]:
    hypotheses = [(segment.confidence, first)]
    hypotheses.extend((score, {"text": " ".join(said)}) for score, said in segment.nbest)
    for score, made in hypotheses:
        yield made if score is None else {"confidence": score, **made}


SPEC = FormatSpec(
    title="JSON of Vosk: results with timed words, one after the other",
    sign='"result", "alternatives" or "text"',
    read=read,
    write=write,
    holds=(
        "words",
        "word times",
        "confidences",
        "segment times",
        "segment confidences",
        "other hypotheses",
        "segment boundaries",
    ),
    write_options=(decimals(),),
    streams=True,
    manual="One object per result: words with times and confidences, and the text.",
)
