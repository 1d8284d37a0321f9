"""whisper-hf: JSON of the speech recognition pipeline of Hugging Face transformers.

===================================  ===========================================================
in the file                          in the schema
===================================  ===========================================================
``chunks[]`` that are phrases        one `Segment` each; ``timestamp`` is start and end in seconds
``chunks[]`` that are words          the words of one `Segment` without segment times; a blank at
                                     the start of a chunk begins a new word
``null`` as the end of a chunk       no end: the audio ended inside the chunk
``text``                             the words without times, if there are no chunks
``chunks[].language``                property ``language``
``chunks[].speaker``                 speaker
``speakers[]`` with the same words   read in place of ``chunks[]``
===================================  ===========================================================

The pipeline writes words and phrases in the same layout. The chunks are words if no chunk contains
a blank and their mean duration is below two seconds; the option ``chunks`` overrides this.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from formats.detection.spec import FormatSpec, Option
from formats.io.source import Source
from formats.json.displays import cut_text
from formats.json.spoken_words import SpokenWord, begins_word, plain_words, words_of_pieces
from formats.json.value import JsonDocument, JsonValue
from formats.json.whisper_words import RepeatHints
from formats.json.words_to_segments import Reading
from formats.schema.errors import OptionError, quoted
from formats.schema.model import Segment
from formats.schema.times import LARGEST, SECOND

CHUNKS = ("auto", "words", "segments")
LONGEST_MEAN_WORD = 2 * SECOND


def read(source: Source, *, chunks: str = "auto") -> Iterator[Segment]:
    """Yield one segment per phrase, or one segment if the chunks are single words."""
    if chunks not in CHUNKS:
        raise OptionError(expected=f"chunks {', '.join(CHUNKS)}", found=quoted(chunks))
    document = JsonDocument(source)
    reading, hints = Reading(source), RepeatHints(source)

    def read_chunk(value: JsonValue) -> list[tuple[int, SpokenWord]]:
        return [(value.line, _chunk(value))]

    for value in document.messages:
        source.is_silent = True
        elements = value.elements("speakers" if _are_of_speakers(value.value) else "chunks")
        pieces = list(source.log.accepted("WHISPERHF-CHUNK", read_chunk, elements))
        words = [piece for _, piece in pieces]
        has_text = value.has("text") or not value.has("chunks")
        if not pieces and not has_text:
            continue
        if not pieces:
            words = plain_words(value.required("text").text())
        if not pieces or chunks == "words" or (chunks == "auto" and _are_words(words)):
            apart = not any(begins_word(word.text) for word in words)
            for word in words:
                word.speaker = None
            segment = reading.segment(words_of_pieces(words, apart))
            if segment.words:
                yield segment
            continue
        for line, piece in pieces:
            segment = reading.segment(
                plain_words(piece.text),
                span=(piece.start_ns, piece.end_ns),
                speaker=piece.speaker,
                properties={} if piece.language is None else {"language": piece.language},
                line=line,
            )
            yield hints.marked(reading.in_order(segment))
    hints.report()
    reading.report(document)


def _are_of_speakers(answer: Any) -> bool:
    """Return True if the list of speakers has the words of the chunks with their speakers."""
    if not isinstance(answer, dict):
        return False
    chunks, turns = answer.get("chunks"), answer.get("speakers")
    rows = [row for part in (chunks, turns) if isinstance(part, list) for row in part]
    are_timed = all(isinstance(row, dict) and {"text", "timestamp"} <= row.keys() for row in rows)
    if not (isinstance(chunks, list) and isinstance(turns, list) and turns and are_timed):
        return False
    said, spoken = ("".join("".join(str(row["text"]) for row in part).split())
                    for part in (chunks, turns))  # fmt: skip
    return said == spoken and all("speaker" in row for row in turns)


def _chunk(value: JsonValue) -> SpokenWord:
    chunk = SpokenWord(value.required("text").text())
    times = value.get("timestamp")
    if times is not None:
        ends = list(times.elements())
        if len(ends) != 2:
            raise times.error("a start and an end")
        chunk.start_ns, chunk.end_ns = (
            None if time.value is None else time.nanoseconds() for time in ends
        )
        if (chunk.start_ns or 0) > (LARGEST if chunk.end_ns is None else chunk.end_ns):
            raise ends[1].error(f"an end not before its start {ends[0].value}")
    chunk.speaker, chunk.language = value.name_of("speaker"), value.text_of("language")
    return chunk


def _are_words(chunks: Sequence[SpokenWord]) -> bool:
    """Return True if chunks are short and single words, perhaps with a dash before some of them."""
    words = [sum(any(map(str.isalnum, word)) for word in cut_text(chunk.text)) for chunk in chunks]
    if any(count > 1 for count in words):
        return False
    lengths = [
        chunk.end_ns - chunk.start_ns
        for chunk in chunks
        if chunk.start_ns is not None and chunk.end_ns is not None
    ]
    return bool(lengths) and sum(lengths) < LONGEST_MEAN_WORD * len(lengths)


SPEC = FormatSpec(
    title="JSON of the Hugging Face pipeline: text and chunks with time stamps",
    sign='"chunks" with a "timestamp"', read=read,
    holds=("words", "speakers", "segment times", "word times", "properties", "empty segments",
           "segment boundaries"),
    read_options=(
        Option(
            "chunks",
            "auto",
            "what the chunks of whisper-hf files are; auto: words if all are short single words, "
            "otherwise segments",
            CHUNKS,
        ),
    ),
)  # fmt: skip
