"""bbc-kaldi: the JSON that the BBC's Kaldi writes, one list of timed words, perhaps with speakers.

==========================  ====================================================================
its word                    ours
==========================  ====================================================================
``words[].word``            a word; all words make one `Segment` without times of its own
``start``, ``end``          times of the word; seconds
``confidence``              its confidence, 0..1, sometimes the whole number 1
``words[].punct``           its display form, with case and punctuation
``text``                    compared with the words; read only if there is no list
``punct``                   display forms of that text
``metadata.version``        property ``version`` of the file
``segmentation.segments``   turns, each a `Segment` of the words whose middle lies in it, with
                            ``speaker.@id`` and, as property, ``gender``
``retval``                  all of this, as the BBC's service answers
==========================  ====================================================================

The format knows no channels, and what is written has no speakers. The published sample begins with
a line ``NOTE:`` and so is no JSON: the error says where the first brace stands.
"""

from __future__ import annotations

from bisect import bisect_right

from formats.json.document import JsonDocument
from formats.json.output import JsonOutput, json_text
from formats.json.record import Name, Number, Record
from formats.json.spoken_words import SpokenWord, plain_words, show, single_words
from formats.json.words_to_segments import Reading
from formats.spec import FormatSpec, decimals

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from formats.json.document import JsonValue
    from formats.model import Segment
    from formats.sink import Sink
    from formats.source import Source
    from formats.spec import SegmentSource

__all__ = ["SPEC", "read", "write"]

MEMBERS = frozenset({"metadata", "text", "punct", "words", "status", "wonid", "segmentation"})
ENVELOPE = frozenset({"action", "retval", "elapsed", "servertime"})


class Word(Record):
    """A word with its display form."""

    unread = frozenset({"index"})

    word: str
    start: Number = None
    end: Number = None
    confidence: Number = None
    punct: str | None = None


class Speaker(Record, rename={"name": "@id"}):
    """Who speaks in a turn."""

    name: Name = None
    gender: str | None = None


class Turn(Record):
    """A stretch of one speaker."""

    unread = frozenset({"@type", "bandwidth"})

    start: float | str
    duration: float | str
    speaker: Speaker | None = None

    def place(self) -> tuple[int, int]:
        """Start and end in nanoseconds."""
        start = self.time_of("start") or 0
        return start, start + (self.time_of("duration") or 0)


def read(source: Source) -> Iterator[Segment]:
    """One segment without times of its own, of all the words; one a turn where speakers are known.

    None for a file without words.

    Raises
    ------
    SyntaxFormatError
        No JSON, neither words nor text, a job that failed, a word without its text, a time that is
        none, an end before its start.
    """
    document = JsonDocument(source)
    reading = Reading(source)
    for line, whole in document.numbered_values():
        value = _unwrapped(whole)
        value.expect_members(MEMBERS)
        metadata = value.get("metadata")
        version = None if metadata is None else metadata.get("version")
        if version is not None:
            source.properties["version"] = version.name()
        items = _words(value, source) if value.has("words") else _words_of_text(value)
        text = value.text_of("text")
        if text is not None and value.has("words"):
            said = [word.text for word in single_words(items)]
            reading.tell_of_text("BBC-TEXT", text, said, line)
        source.is_silent = not items
        turns = value.get("segmentation")
        if turns is not None and items:
            yield from _turns(items, turns, reading, line)
            continue
        segment = reading.segment(items, line=line)
        if segment.words:
            yield segment
    reading.tell()
    document.note_unknown()


def _unwrapped(value: JsonValue) -> JsonValue:
    """The object that has the words: the whole, or what the service puts into ``retval``.

    Raises
    ------
    SyntaxFormatError: it has none; the job failed.
    """
    inner = value.get("retval")
    if inner is not None:
        value.expect_members(ENVELOPE)
        value = inner
    status = value.get("status")
    if status is not None and status.value is False:
        raise status.error("a transcript", "a job that failed: status false")
    if not value.has("words", "punct"):
        raise value.error('a member "words" or "punct"', "none")
    return value


def _turns(
    items: list[SpokenWord], segmentation: JsonValue, reading: Reading, line: int | None
) -> Iterator[Segment]:
    """The words by the turns of their speakers; one outside every turn goes with the one before."""
    made = segmentation.taken(
        "segments", Turn, lambda turn: (turn.place(), turn.speaker or Speaker())
    )
    turns = sorted(made, key=lambda turn: turn[0]) or [((0, 0), Speaker())]
    starts = [start for (start, _), _ in turns]
    runs: list[tuple[int, list[SpokenWord]]] = []
    outside = 0
    for item in items:
        owner = runs[-1][0] if runs else 0
        if item.start_ns is not None and item.end_ns is not None and made:
            middle = (item.start_ns + item.end_ns) // 2
            owner = max(bisect_right(starts, middle) - 1, 0)
            outside += not turns[owner][0][0] <= middle <= turns[owner][0][1]
        if runs and runs[-1][0] == owner:
            runs[-1][1].append(item)
        else:
            runs.append((owner, [item]))
    for owner, words in runs:
        speaker = turns[owner][1]
        yield reading.segment(
            words,
            spans_words=True,
            speaker=speaker.name_of("name"),
            properties=None if speaker.gender is None else {"gender": speaker.gender},
            line=line,
        )
    if outside:
        reading.source.log.note(
            "BBC-TURN", f"words outside every turn, given to the turn before: {outside}"
        )


def _words(value: JsonValue, source: Source) -> list[SpokenWord]:
    items: list[SpokenWord] = []

    def take(word: Word) -> None:
        items.append(SpokenWord(word.word, *word.span(), word.sureness(), word.punct))

    value.each_record(Word, take, lambda error: source.log.reject("BBC-WORD", error), "words")
    return items


def _words_of_text(value: JsonValue) -> list[SpokenWord]:
    """The words of a file that lists none; its punctuated text shows them, if it fits."""
    items = plain_words(value.text_of("text"))
    show(items, value.text_of("punct"))
    return items


def write(segments: SegmentSource, sink: Sink, *, precision: int = 3) -> None:
    """Write one object with all the words, in the order given.

    Parameters
    ----------
    precision: decimals of the times, 0 to 9; times that need more are counted lost.

    Raises
    ------
    LossError: a time before 0.
    """
    output = JsonOutput(sink, segments.source, precision)
    words: list[dict[str, Any]] = []
    for segment in segments:
        output.refuse_empty_words(segment)
        made = output.words(segment, "word", "confidence") or []
        shown = segment.displays or (None,) * len(made)
        for item, display in zip(made, shown, strict=True):
            item["punct"] = item["word"] if display is None else display
        words.extend(made)
    version = dict(segments.properties).get("version")
    metadata = {} if version is None else {"version": version}
    text = " ".join(item["word"] for item in words)
    punctuated = " ".join(item["punct"] for item in words)
    head = json_text({"metadata": metadata, "text": text, "punct": punctuated})
    sink.write(f'{head[:-1]}, "words": [\n')
    sink.write(",\n".join(map(json_text, words)))
    sink.write("]}\n")


SPEC = FormatSpec(
    title="JSON of the BBC's Kaldi: timed words with their punctuated forms",
    sign='"words" with "word" and "punct"',
    read=read,
    write=write,
    holds=("words", "word times", "confidences", "display forms"),
    needs=("word times",),
    write_options=(decimals(),),
    manual="One object: the text, its punctuated form, and all words with times and confidences.",
)
