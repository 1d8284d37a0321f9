"""vosk: consecutive JSON objects as returned by Vosk's recogniser.

=============================  =================================================================
in the file                    in the schema
=============================  =================================================================
one object                     one `Segment`, from its first word to its last
``result[].word``              a word; ``start``, ``end`` in seconds; ``conf`` its confidence
``text``                       the words without times, if there is no ``result``
``alternatives[0]``            the words, and ``confidence`` of the segment: a score without a scale
                               (property ``confidence_scale`` of the file: ``unknown``)
``alternatives[1:]``           `Segment.nbest`
``partial``                    skipped, counted in a note
an object without words        silence: skipped, counted in a note
``spk``, ``spk_frames``        a vector instead of a speaker name: not read, counted in a note
=============================  =================================================================

The objects may be one per line, spread over lines, or elements of a list.
"""

from __future__ import annotations

from collections.abc import Iterator

from formats.detection.spec import FormatSpec
from formats.io.source import Source
from formats.json.displays import cut_text
from formats.json.messages import VOSK_SILENT, VOSK_SPEAKER
from formats.json.shapes import Names
from formats.json.spoken_words import plain_words
from formats.json.value import JsonDocument, JsonValue
from formats.json.words_to_segments import Reading
from formats.manifests.documents_within import documents_in
from formats.schema.model import Segment

WORD = Names("word", "start", "end", confidence="conf")


def read(source: Source) -> Iterator[Segment]:
    """Yield one segment per result with words, in the order of the file."""
    document = JsonDocument(source, streams=True)
    reading = Reading(source)
    silent = vectors = finals = 0
    has_partial_words = False

    def read_message(value: JsonValue) -> Iterator[Segment]:
        nonlocal silent, vectors, finals, has_partial_words
        if value.get("partial", "partial_result") is not None:
            reading.partial += 1
            has_partial_words |= value.value.get("partial") not in (None, "")
            return
        vectors += value.has("spk")
        segment = _read_result(value, reading)
        finals += 1
        text = None if value.has("result") else value.text_of("text")
        documents = None if text is None else documents_in(source, [text], {}, value.line)
        if documents is not None:
            yield from documents.segments([segment], [text])
        elif segment.words or segment.nbest:
            yield segment
        else:
            silent += 1

    yield from source.log.accepted("VOSK-SYNTAX", read_message, document.messages)
    source.is_silent = bool(silent) or (bool(reading.partial) and not has_partial_words)
    if has_partial_words and not finals:
        reading.refuse_partial()
    if silent:
        source.log.say(VOSK_SILENT, results=silent)
    if vectors:
        source.log.say(VOSK_SPEAKER, vectors=vectors)
    reading.report(document)


def _read_result(value: JsonValue, reading: Reading) -> Segment:
    if not value.has("result", "text", "alternatives"):
        raise value.error('a member "result", "text" or "alternatives"', "none")
    choices = list(value.elements("alternatives"))
    hypotheses = [
        (choice.confidence_of("confidence"), tuple(cut_text(choice.text_of("text") or "")))
        for choice in choices
    ]
    best = choices[0] if choices else value
    if choices:
        reading.source.properties["confidence_scale"] = "unknown"
    text, timed = best.text_of("text"), best.get("result")
    segment = reading.segment(
        plain_words(text) if timed is None else WORD.read_all(timed),
        spans_words=timed is not None,
        confidence=hypotheses[0][0] if hypotheses else None,
        nbest=hypotheses[1:],
        line=value.line,
    )
    if timed is not None and text is not None:
        reading.warn_of_text("VOSK-TEXT", text, segment.words, value.line)
    return segment


SPEC = FormatSpec(
    title="JSON of Vosk: results with timed words, one after the other",
    sign='"result", "alternatives" or "text"',
    read=read,
)
