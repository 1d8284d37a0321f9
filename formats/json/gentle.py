"""gentle: JSON of the aligner Gentle: a transcript with timed words.

==============================  ================================================================
in the file                     in the schema
==============================  ================================================================
a line of ``transcript``        a segment, from its first word to its last
``words[].word``                a word; ``start``, ``end`` in seconds
``startOffset``                 the position in ``transcript``; adjacent punctuation belongs to the
                                display form
``not-found-in-audio``          a word without times; it gets times between its neighbours, and is
                                counted
``not-found-in-transcript``     speech that is not in the transcript: an ``event`` of the tier
                                ``heard``, not a word
``alignedWord``                 the form of the word in the dictionary: ignored, because ``word`` is
                                read
==============================  ================================================================

Offsets count characters, or bytes in old files; if an offset is wrong, the word is searched for. If
the transcript has other words than the list, the words of the list form one segment.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from formats.detection.spec import FormatSpec
from formats.io.source import Source
from formats.json.answer import Answer, require_success
from formats.json.messages import GENTLE_EMPTY, GENTLE_LIST, GENTLE_TRANSCRIPT
from formats.json.shapes import Names
from formats.json.spoken_words import SpokenWord, plain_words
from formats.json.value import JsonDocument, JsonValue
from formats.schema.model import Segment

HEARD = "not-found-in-transcript"
BLANK_GAPS = frozenset(("", " ", "\n"))
"""The text between two words with nothing beside them."""
WORD = Names(
    "word",
    "start",
    "end",
    display="word",
    others="case alignedWord startOffset endOffset phones confidence",
)


def read(source: Source) -> Iterator[Segment]:
    """Yield the segments, then the words outside all segments."""
    document = JsonDocument(source)
    answer = Answer(source, "Gentle", "GENTLE")
    for value in document.values:
        require_success(value, ("status",), ("OK",), ("error",))
        yield from _aligned(value, answer)
    answer.finish(document)


def _aligned(value: JsonValue, answer: Answer) -> Iterator[Segment]:
    source, text = answer.source, value.required("transcript").text()
    words: list[JsonValue] = []
    items: list[SpokenWord] = []
    events: list[Segment] = []

    def take(word: JsonValue) -> None:
        if word.text_of("case") == HEARD:
            word.expect_members(WORD.expected)
            name = word.required("alignedWord", "word").text()
            start, end = word.span_of()
            event = Segment(source.recording, (name,), start_ns=start, end_ns=end, tier="heard")
            events.append(event.replace(kind="event"))
            return
        items.append(WORD.read(word))
        words.append(word)

    answer.each_value(value, "words", take)
    if value.value.get("words") == []:
        items = plain_words(text)
        answer.spoke = not items
        if items:
            source.log.say(GENTLE_EMPTY)
    yield from _lines(answer, text, items, _offsets(source, text, words))
    yield from events


def _offsets(source: Source, text: str, words: Sequence[JsonValue]) -> list[tuple[int, int]]:
    """Return the start and end of each word in the transcript; empty if any word does not match."""
    offsets: list[tuple[int, int]] = []
    done = 0
    for word in words:
        word_text, offset = word.required("word").text(), word.value.get("startOffset")
        is_there = isinstance(offset, int) and offset >= done
        is_there = is_there and text.startswith(word_text, offset)
        begin = offset if is_there else text.find(word_text, done)
        gap = text[done:begin]
        if begin < 0 or (gap not in BLANK_GAPS and any(map(str.isalnum, gap))):
            if begin < 0:
                source.log.say(GENTLE_LIST, text=word_text)
            else:
                source.log.say(GENTLE_TRANSCRIPT, text=gap.strip())
            return []
        done = begin + len(word_text)
        offsets.append((begin, done))
    return offsets


def _lines(
    answer: Answer, text: str, items: list[SpokenWord], offsets: list[tuple[int, int]]
) -> Iterator[Segment]:
    """Yield a segment for each line of the transcript that has words."""
    runs: list[list[SpokenWord]] = [[]]
    done = 0
    for item, (begin, end) in zip(items, offsets or [(0, 0)] * len(items), strict=True):
        gap = text[done:begin]
        head, tail = _parted(gap)
        if runs[-1] and head:
            runs[-1][-1].display = f"{runs[-1][-1].display}{head}"
        if "\n" in gap and runs[-1]:
            runs.append([])
        runs[-1].append(item)
        item.display = f"{tail}{item.display or item.text}"
        done = end
    if offsets:
        items[-1].display = f"{items[-1].display}{_parted(text[done:])[0]}"
    runs = [run for run in runs if run]
    firsts = [next((w.start_ns for w in run if w.start_ns is not None), None) for run in runs]
    low = None
    for number, run in enumerate(runs, 1):
        high = next((start for start in firsts[number:] if start is not None), None)
        segment = answer.segment(run, spans_words=True, low_ns=low, high_ns=high)
        first, last = firsts[number - 1], next((w.end_ns for w in reversed(run) if w.end_ns), None)
        if segment.start_ns is None and first is not None:
            segment = segment.replace(start_ns=first)
        if segment.end_ns is None and last is not None:
            segment = segment.replace(end_ns=last)
        yield segment
        low = next((word.end_ns for word in reversed(run) if word.end_ns is not None), low)


def _parted(gap: str) -> tuple[str, str]:
    """Divide the text between two words into what is shown with the first and with the second."""
    if gap in BLANK_GAPS:
        return "", ""
    blank = "\n" if "\n" in gap else " "
    if blank not in gap:
        return gap.rstrip(), ""
    head = gap.partition(blank)[0] if blank == "\n" else gap.rpartition(blank)[0]
    return head.rstrip(), gap.rpartition(blank)[2].lstrip()


SPEC = FormatSpec(
    title="JSON of the aligner Gentle: a transcript and its words with their times",
    sign='a "transcript", and "words" with a "case"',
    has_one_recording=True,
    read=read,
)
