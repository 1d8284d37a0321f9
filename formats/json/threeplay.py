"""threeplay: 3Play Media transcripts in JSON. Words have a begin, but no end.

========================================  =======================================================
in the file                               in the schema
========================================  =======================================================
``words``: ``["500", "hello"]``           a word and its start in milliseconds; the word ends at the
                                          start of the next one
``["2250", ""]``                          the end of the preceding word; not a word
``paragraphs``: ``[500, 4000]``           the begin of each paragraph; a paragraph is a `Segment`
``speakers``: ``{"500": "ANNE"}``         `Segment.speaker` of the paragraph that begins at this
                                          time; a name and a colon before the text are not words
========================================  =======================================================
"""

from __future__ import annotations

from collections.abc import Iterator

from formats.detection.spec import FormatSpec
from formats.io.source import Source
from formats.json.spoken_words import SpokenWord
from formats.json.value import JsonDocument, JsonValue
from formats.json.words_to_segments import Reading
from formats.reading.lines import strip_blanks
from formats.schema.model import Segment

MEMBERS = frozenset(("words", "paragraphs", "speakers"))


def read(source: Source) -> Iterator[Segment]:
    """Yield one segment per paragraph."""
    document = JsonDocument(source)
    for value in document.values:
        value.expect_members(MEMBERS)
        reading = Reading(source)
        begins = {_time(each) for each in value.required("paragraphs").elements()}
        speakers = _speakers(value)
        paragraph: list[SpokenWord] = []
        start: int | None = None
        words = source.log.accepted("THREEPLAY-WORD", _word, value.required("words").elements())
        for time, text in words:
            if paragraph and paragraph[-1].end_ns is None:
                paragraph[-1].end_ns = max(time, paragraph[-1].start_ns or 0)
            if time in begins or start is None:
                yield from _segment(reading, paragraph, speakers.get(start))
                paragraph, start = [], time
            if text:
                paragraph.append(SpokenWord(text, time, None))
        yield from _segment(reading, paragraph, speakers.get(start))
        reading.report()
    document.note_unknown()


def _speakers(value: JsonValue) -> dict[int | None, str]:
    names: dict[int | None, str] = {}
    for key, name in value.required("speakers").members():
        if not (key.isascii() and key.isdigit() and len(key) < 13):
            raise name.error("a time in milliseconds as the name of the member")
        names[int(key) * 10**6] = name.text()
    return names


def _time(value: JsonValue) -> int:
    return value.nanoseconds(per_second=1000)


def _word(value: JsonValue) -> Iterator[tuple[int, str]]:
    text = strip_blanks(value.element(1).text().replace("\n", " "))
    yield _time(value.element(0)), text


def _segment(reading: Reading, words: list[SpokenWord], speaker: str | None) -> Iterator[Segment]:
    if not words:
        return
    name = f"{speaker}:" if speaker else ""
    first = words[0].text
    if name and first.startswith(name):
        rest = strip_blanks(first.removeprefix(name))
        words = [
            *([SpokenWord(rest, words[0].start_ns, words[0].end_ns)] if rest else []),
            *words[1:],
        ]
    span = (words[0].start_ns, words[-1].end_ns) if words else (None, None)
    yield reading.segment(words, span=span, speaker=speaker)


SPEC = FormatSpec(
    title="3Play Media JSON: words with their begins, paragraphs and speakers",
    sign='"words", "paragraphs" and "speakers"',
    read=read,
    has_one_recording=True,
)
