"""whisper-hf: JSON of the speech recognition pipeline of Hugging Face's transformers.

===================================  ===========================================================
its word                             ours
===================================  ===========================================================
``chunks[]``, of several words       one `Segment` each; ``timestamp`` is start and end in seconds
``chunks[]``, of one word each       the words of one `Segment` without times of its own; a blank
                                     before one begins a new word
``null`` as the end of a chunk       no end: the audio ended inside, and nobody knows where
``text``                             the words where there are no chunks: without times
``chunks[].language``                property ``language``
``chunks[].speaker``                 speaker
===================================  ===========================================================

The pipeline writes the same shape for words and for phrases. They are words if no chunk has a
blank inside and they last less than two seconds on average; ``chunks`` says so explicitly.
"""

from __future__ import annotations

from typing import NamedTuple

from formats.errors import OptionError, SyntaxFormatError, quoted
from formats.json.displays import cut_text
from formats.json.document import JsonDocument
from formats.json.record import Name, Number, Record
from formats.json.spoken_words import SpokenWord, begins_word, plain_words
from formats.json.whisper_words import RepeatHints, words_of_pieces
from formats.json.words_to_segments import Reading
from formats.spec import FormatSpec, Option
from formats.times import SECOND

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from formats.json.document import JsonValue
    from formats.model import Segment
    from formats.source import Source

__all__ = [
    "SPEC",
    "read",
]

CHUNKS = ("auto", "words", "segments")
MEMBERS = frozenset({"text", "chunks"})
LONGEST_MEAN_WORD = 2 * SECOND


class Written(Record):
    """A chunk as it is written."""

    unread = frozenset()

    text: str
    timestamp: list[Number] | None = None
    speaker: Name = None
    language: str | None = None


class Chunk(NamedTuple):
    """A word or a phrase."""

    line: int | None
    text: str
    start_ns: int | None
    end_ns: int | None
    speaker: str | None
    properties: dict[str, str]


def read(source: Source, *, chunks: str = "auto") -> Iterator[Segment]:
    """One segment per phrase, or one in all of the words, in the order of the file.

    Parameters
    ----------
    chunks: what the chunks are: ``words``, ``segments``, or ``auto`` to tell by their looks.

    Raises
    ------
    SyntaxFormatError
        No JSON, neither chunks nor text, a time that is none, an end before its start.
    """
    if chunks not in CHUNKS:
        raise OptionError(expected=f"chunks {', '.join(CHUNKS)}", found=quoted(chunks))
    document = JsonDocument(source)
    reading, hints = Reading(source), RepeatHints(source)
    for _, value in document.numbered_messages():
        value.expect_members(MEMBERS)
        source.is_silent = True
        found = list(_read_chunks(value, source))
        if not found and (value.has("text") or not value.has("chunks")):
            segment = reading.segment(plain_words(value.required("text").text()))
            if segment.words:
                yield segment
        elif chunks == "words" or (chunks == "auto" and _are_words(found)):
            yield from _of_words(found, reading)
        else:
            for chunk in found:
                segment = reading.segment(
                    plain_words(chunk.text),
                    start_ns=chunk.start_ns,
                    end_ns=chunk.end_ns,
                    speaker=chunk.speaker,
                    properties=chunk.properties,
                    line=chunk.line,
                )
                yield hints.marked(reading.in_order(segment))
    hints.tell()
    reading.tell()
    document.note_unknown()


def _read_chunks(value: JsonValue, source: Source) -> Iterator[Chunk]:
    for line, element in value.numbered_elements("chunks"):
        try:
            yield _chunk(element, line)
        except SyntaxFormatError as error:
            source.log.reject("WHISPERHF-CHUNK", error)


def _chunk(value: JsonValue, line: int | None) -> Chunk:
    one = value.record(Written)
    start_ns = end_ns = None
    times = value.get("timestamp")
    if times is not None:
        if len(one.timestamp or ()) != 2:
            raise times.error("a start and an end")
        start, end = times.elements()
        start_ns = None if start.value is None else start.nanoseconds()
        end_ns = None if end.value is None else end.nanoseconds()
        if start_ns is not None and end_ns is not None and end_ns < start_ns:
            raise end.error(f"an end not before its start {start.value}")
    properties = {} if one.language is None else {"language": one.language}
    return Chunk(line, one.text, start_ns, end_ns, one.name_of("speaker"), properties)


def _are_words(chunks: Sequence[Chunk]) -> bool:
    if any(len(cut_text(chunk.text)) > 1 for chunk in chunks):
        return False
    lengths = [
        chunk.end_ns - chunk.start_ns
        for chunk in chunks
        if chunk.start_ns is not None and chunk.end_ns is not None
    ]
    return bool(lengths) and sum(lengths) < LONGEST_MEAN_WORD * len(lengths)


def _of_words(chunks: Sequence[Chunk], reading: Reading) -> Iterator[Segment]:
    pieces = [SpokenWord(chunk.text, chunk.start_ns, chunk.end_ns) for chunk in chunks]
    apart = not any(begins_word(piece.text) for piece in pieces)
    segment = reading.segment(words_of_pieces(pieces, apart))
    if segment.words:
        yield segment


SPEC = FormatSpec(
    title="JSON of the Hugging Face pipeline: text and chunks with time stamps",
    sign='"chunks" with a "timestamp"',
    read=read,
    holds=(
        "words",
        "speakers",
        "segment times",
        "word times",
        "properties",
        "empty segments",
        "segment boundaries",
    ),
    read_options=(Option("chunks", "auto", "what a chunk is", CHUNKS),),
    manual="The text, and chunks of it with start and end: phrases or single words.",
)
