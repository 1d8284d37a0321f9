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

from formats.errors import OptionError, SyntaxFormatError, quoted
from formats.json.document import JsonDocument
from formats.json.whisper_words import RepeatHints, words_of_pieces
from formats.json.word_items import ReadingCounts, WordItem, begins_word, cut_text
from formats.json.words import (
    SegmentOrder,
    interval,
    segment_of_text,
    segment_of_words,
)
from formats.spec import FormatSpec, Option, Sniff
from formats.times import SECOND

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from formats.head import Head
    from formats.json.document import JsonValue
    from formats.model import Segment
    from formats.source import Source

__all__ = ["CHUNKS", "SPEC", "read", "sniff"]

CHUNKS = ("auto", "words", "segments")
MEMBERS = frozenset({"text", "chunks"})
CHUNK_MEMBERS = frozenset({"text", "timestamp", "language", "speaker"})
LONGEST_MEAN_WORD = 2 * SECOND


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
    counts = ReadingCounts(source)
    hints, order = RepeatHints(source), SegmentOrder(source)
    for value in _outputs(document):
        value.expect_members(MEMBERS)
        source.is_silent = True
        found = list(_read_chunks(value, source))
        if not found and (value.has("text") or not value.has("chunks")):
            segment = segment_of_text(source, value.required("text").text(), counts)
            if segment.words:
                yield segment
        elif chunks == "words" or (chunks == "auto" and _are_words(found)):
            yield from _of_words(found, source, counts)
        else:
            for chunk in found:
                segment = chunk.segment(source, counts)
                order.see(segment)
                yield hints.marked(segment)
    hints.tell()
    counts.tell()
    document.note_unknown()


def _outputs(document: JsonDocument) -> Iterator[JsonValue]:
    """The results: one object, or a list of them as a batch gives it."""
    for value in document.values:
        if isinstance(value.value, list):
            yield from value.elements()
        else:
            yield value


def _read_chunks(value: JsonValue, source: Source) -> Iterator[_Chunk]:
    for line, element in value.numbered_elements("chunks"):
        try:
            yield _Chunk(element, line)
        except SyntaxFormatError as error:
            source.log.reject("WHISPERHF-CHUNK", error)


class _Chunk:
    """A word or a phrase."""

    def __init__(self, value: JsonValue, line: int | None) -> None:
        value.expect_members(CHUNK_MEMBERS)
        self.line = line
        self.text = value.required("text").text()
        self.start_ns: int | None = None
        self.end_ns: int | None = None
        times = value.get("timestamp")
        if times is not None:
            start, end, *more = [*times.elements(), None, None]
            if len(more) != 2:
                raise times.error("a start and an end")
            self.start_ns, self.end_ns = interval(_given(start), _given(end))
        speaker, language = value.get("speaker"), value.get("language")
        self.speaker = None if speaker is None else speaker.name()
        self.properties = {} if language is None else {"language": language.text()}

    def segment(self, source: Source, counts: ReadingCounts) -> Segment:
        return segment_of_text(
            source,
            self.text,
            counts,
            start_ns=self.start_ns,
            end_ns=self.end_ns,
            speaker=self.speaker,
            properties=self.properties,
            line=self.line,
        )


def _given(value: JsonValue | None) -> JsonValue | None:
    return None if value is None or value.value is None else value


def _are_words(chunks: Sequence[_Chunk]) -> bool:
    if any(len(cut_text(chunk.text)) > 1 for chunk in chunks):
        return False
    lengths = [
        chunk.end_ns - chunk.start_ns
        for chunk in chunks
        if chunk.start_ns is not None and chunk.end_ns is not None
    ]
    return bool(lengths) and sum(lengths) < LONGEST_MEAN_WORD * len(lengths)


def _of_words(chunks: Sequence[_Chunk], source: Source, counts: ReadingCounts) -> Iterator[Segment]:
    pieces = [WordItem(chunk.text, chunk.start_ns, chunk.end_ns) for chunk in chunks]
    apart = not any(begins_word(piece.text) for piece in pieces)
    segment = segment_of_words(source, words_of_pieces(pieces, apart), counts)
    if segment.words:
        yield segment


def sniff(head: Head) -> Sniff:
    """Sure of ``chunks`` that have a ``timestamp``."""
    value = head.json
    if isinstance(value, list) and value:
        value = value[0]
    chunks = value.get("chunks") if isinstance(value, dict) else None
    if not isinstance(chunks, list):
        return Sniff.NO
    if not chunks and isinstance(value, dict) and value.keys() == MEMBERS:
        return Sniff.SURE  # nothing was said
    known = [chunk for chunk in chunks if isinstance(chunk, dict)]
    return Sniff.SURE if any("timestamp" in chunk for chunk in known) else Sniff.MAYBE


SPEC = FormatSpec(
    title="JSON of the Hugging Face pipeline: text and chunks with time stamps",
    sign='"chunks" with a "timestamp"',
    read=read,
    write=None,
    sniff=sniff,
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
