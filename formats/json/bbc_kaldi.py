"""bbc-kaldi: output of the BBC's Kaldi: a list of timed words, possibly with speakers.

==========================  ====================================================================
in the file                 in the schema
==========================  ====================================================================
``words[].word``            a word; all words form one `Segment` without segment times
``start``, ``end``          times of the word; seconds
``confidence``              its confidence, 0 to 1
``words[].punct``           its display form, with case and punctuation
``text``                    compared with the words; read only if there is no list of words
``punct``                   display forms of the words in ``text``
``metadata.version``        property ``version`` of the file
``segmentation.segments``   turns: a `Segment` of the words whose midpoint is inside the turn, with
                            ``speaker.@id`` and the property ``gender``
``retval``                  in answers of the BBC's service, the object that holds these members
==========================  ====================================================================

The format has no channels. The published sample begins with a line ``NOTE:`` and is therefore not
JSON; the error names the position of the first brace.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from formats.detection.spec import FormatSpec
from formats.io.source import Source
from formats.json.messages import BBC_TURN
from formats.json.shapes import Names
from formats.json.spoken_words import SpokenWord, plain_words, show, single_words
from formats.json.value import JsonDocument, JsonValue
from formats.json.words_to_segments import Reading
from formats.schema.model import Segment

WORD = Names("word", "start", "end", confidence="confidence", display="punct", others="index")


def read(source: Source) -> Iterator[Segment]:
    """Yield one segment with all words, or one segment per turn if speakers are known.

    A file without words gives no segments.
    """
    document = JsonDocument(source)
    reading = Reading(source)
    for whole in document.values:
        value = _unwrapped(whole)
        if (version := value.inner("metadata").name_of("version")) is not None:
            source.properties["version"] = version
        text, listed = value.text_of("text"), value.get("words")
        if listed is not None:
            words = WORD.read_all(listed, lambda error: source.log.reject("BBC-WORD", error))
            source.log.accept("BBC-WORD", len(words))
            if text is not None:
                texts = [word.text for word in single_words(words)]
                reading.warn_of_text("BBC-TEXT", text, texts, whole.line)
        else:
            words = plain_words(text)
            show(words, value.text_of("punct"))
        source.is_silent = not words
        turns = value.get("segmentation")
        if turns is not None and words:
            yield from _turns(words, turns, reading, whole.line)
        elif (segment := reading.segment(words, line=whole.line)).words:
            yield segment
    reading.report(document)


def _unwrapped(value: JsonValue) -> JsonValue:
    """Return the object with the words: the whole value, or the service's member ``retval``."""
    inner = value.get("retval")
    if inner is not None:
        value = inner
    status = value.get("status")
    if status is not None and status.value is False:
        raise status.error("a transcript", "a job that failed: status false")
    if not value.has("words", "punct"):
        raise value.error('a member "words" or "punct"', "none")
    return value


def _turns(
    words: list[SpokenWord], segmentation: JsonValue, reading: Reading, line: int
) -> Iterator[Segment]:
    """Yield a segment per speaker turn; a word outside all turns joins the preceding turn."""
    turns = sorted(map(_turn, segmentation.elements("segments")), key=lambda turn: turn[:2])
    starts = [turn[0] for turn in turns]
    owner, runs = 0, list[tuple[int, list[SpokenWord]]]()
    for word in words:
        if word.start_ns is not None and word.end_ns is not None and turns:
            middle = (word.start_ns + word.end_ns) // 2
            owner = max(bisect_right(starts, middle) - 1, 0)
            if not turns[owner][0] <= middle <= turns[owner][1]:
                reading.count(BBC_TURN)
        if not runs or runs[-1][0] != owner:
            runs.append((owner, []))
        runs[-1][1].append(word)
    for owner, run in runs:
        speaker, gender = turns[owner][2:] if turns else (None, None)
        properties = None if gender is None else {"gender": gender}
        yield reading.segment(
            run, spans_words=True, speaker=speaker, properties=properties, line=line
        )


def _turn(value: JsonValue) -> tuple[int, int, str | None, str | None]:
    """Return start, end, speaker and gender of a turn."""
    start = value.required("start").nanoseconds()
    end = start + value.required("duration").nanoseconds()
    speaker = value.get("speaker")
    if speaker is None:
        return start, end, None, None
    return start, end, speaker.name_of("@id"), speaker.text_of("gender")


SPEC = FormatSpec(
    title="JSON of the BBC's Kaldi: timed words with their punctuated forms",
    sign='"words" with "word" and "punct"',
    read=read,
)
