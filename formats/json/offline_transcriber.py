"""offline-transcriber: JSON of the Estonian offline transcriber and related programs.

===================================  ===========================================================
in the file                          in the schema
===================================  ===========================================================
``sections[].turns[]``               one `Segment`; ``start``, ``end`` in seconds
``turns[].speaker``                  its speaker, as written
``speakers.S1.name``                 property ``speaker_name``
``words[].word``                     a word, numbers in digits; ``start``, ``end``, ``confidence``
``words[].word_with_punctuation``    the display form, otherwise the word with ``punctuation``
``words[].unnormalized_words``       the words as spoken, with ``unnormalized=True``; the first one
                                     gets the display form
``transcript``                       the words of a turn without ``words``
``unnormalized_transcript``          the same, if ``unnormalized=True``
a section ``non-speech``             a segment of kind ``event``, its word ``non-speech``
===================================  ===========================================================

The object may be wrapped as ``best_hypothesis`` or ``result``. An unfinished or failed job
(``done: false``, ``error``) is an error with the service's message, not an empty transcript.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from formats.detection.spec import FormatSpec, Option
from formats.io.source import Source
from formats.json.messages import EMPTY_SECTION
from formats.json.shapes import Names
from formats.json.spoken_words import SpokenWord, fill_ends, plain_words
from formats.json.value import JsonDocument, JsonValue
from formats.json.words_to_segments import Reading
from formats.schema.errors import quoted
from formats.schema.model import Segment

WRAPPERS = ("best_hypothesis", "result")
WORD = Names("word", "start", "end", confidence="confidence", display="word_with_punctuation")


def read(source: Source, *, unnormalized: bool = False) -> Iterator[Segment]:
    """Yield one segment per turn, and one per section without speech, in the order of the file."""
    document = JsonDocument(source)
    reading = Reading(source)
    for value in document.values:
        content = _unwrapped(value)
        source.is_silent = True
        speakers = content.get("speakers")
        people = {} if speakers is None else dict(speakers.members())
        read_turn = partial(_turn, reading, people, unnormalized)
        for section in content.elements("sections"):
            if section.text_of("type") == "non-speech":
                start_ns, end_ns = section.span_of()
                event = Segment(
                    source.recording, ("non-speech",), start_ns=start_ns, end_ns=end_ns,
                    kind="event", line=section.line,
                )  # fmt: skip
                yield reading.in_order(event)
                continue
            turns = source.log.accepted("TRANSCRIBER-TURN", read_turn, section.elements("turns"))
            yield from map(reading.in_order, turns)
            if not section.value.get("turns"):
                log = source.log
                log.say(EMPTY_SECTION, section.line)
    reading.report(document)


def _unwrapped(value: JsonValue) -> JsonValue:
    """Return the object that has the sections. A job that failed or is unfinished is an error."""
    while not value.has("sections"):
        error, message = value.get("error"), value.get("message")
        if error is not None:
            message = error.get("message") if isinstance(error.value, dict) else error
        if error is not None or value.value.get("done") is False:
            state = "a failed one" if error is not None else "one that is not done"
            text = f": {quoted(str(message.value))}" if message is not None else ""
            raise value.error("a finished transcription", state + text)
        inner = value.get(*WRAPPERS)
        if inner is None:
            raise value.error('a member "sections"', "none")
        value = inner
    return value


def _turn(
    reading: Reading, people: dict[str, JsonValue], unnormalized: bool, value: JsonValue
) -> Iterator[Segment]:
    span = value.span_of()
    speaker = value.name_of("speaker")
    person = people.get(speaker or "")
    name = person.text_of("name") if person is not None else None
    texts = ["transcript", "unnormalized_transcript"]
    words = plain_words(value.text_of(*(reversed(texts) if unnormalized else texts)))
    if value.has("words"):
        words = [word for item in value.elements("words") for word in _words(item, unnormalized)]
    properties = None if name is None else {"speaker_name": name}
    yield reading.segment(words, span=span, speaker=speaker, properties=properties, line=value.line)


def _words(value: JsonValue, unnormalized: bool) -> list[SpokenWord]:
    """Return the written word, or with `unnormalized` the spoken words that it stands for."""
    word = WORD.read(value)
    mark = value.get("punctuation")
    if word.display is not None:
        word.display = word.display.strip()
    elif mark is not None and isinstance(mark.value, str):
        word.display = word.text.strip() + mark.value
    if not unnormalized or not value.value.get("unnormalized_words"):
        return [word]
    spoken = [
        SpokenWord(part.value) if isinstance(part.value, str) else WORD.read(part)
        for part in value.elements("unnormalized_words")
    ]
    for position, part in enumerate(spoken):
        part.display = "" if position else word.display or word.text
        if part.confidence is None:
            part.confidence = word.confidence
    fill_ends(spoken, word.start_ns, word.end_ns)
    return spoken


SPEC = FormatSpec(
    title="JSON of the Estonian offline transcriber: sections, turns, timed words",
    sign='"sections" with "turns"', read=read,
    holds=("words", "speakers", "segment times", "word times", "confidences", "display forms",
           "properties", "empty segments", "events", "segment boundaries"),
    read_options=(
        Option("unnormalized", False, "read words as spoken, without digits (offline-transcriber)"),
    ),
)  # fmt: skip
