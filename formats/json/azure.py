"""azure: what Azure Speech answers: batch, real-time and fast transcription.

======================================  ====================================================
its word                                ours
======================================  ====================================================
phrase, real-time result                a segment, with its times
``lexical`` and its ``words``           the words
``display``                             their display forms, where the two can be laid side by
                                        side; else the property ``display`` of the segment
``channel``, ``Channel``                `Segment.channel`, literal: ``0``, ``1``
``speaker``, ``SpeakerId``              `Segment.speaker`, literal: ``1``, ``2``, ``Guest-1``
``nBest[1:]``                           `Segment.nbest`
``AudioFileResults[]``                  a file of the batch service's version 2: a recording,
                                        where there are several
status other than ``Success``           a segment without words, with a note; ``Error`` is one
======================================  ====================================================

Times are ticks of 100 ns, in older files milliseconds, and where neither is there durations such
as ``PT1H2M3.4S``. Phrases come channel by channel, each sorted by time. The simple real-time form
and fast transcription have display forms only: these are the words then.
"""

from __future__ import annotations

import re
from operator import add, attrgetter

import msgspec

from formats.json.answer import Answer, checked_hypotheses, message_of, messages, refuse_error
from formats.json.displays import cut_text, displays_along
from formats.json.document import JsonDocument
from formats.json.record import (
    Number,
    Record,
    WrongError,
    confidences_of,
    first_of,
    times_at_once,
)
from formats.json.spoken_words import SpokenWord, plain_words
from formats.source import recording_of
from formats.spec import FormatSpec
from formats.times import LARGEST, SECOND

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from formats.json.document import JsonValue
    from formats.json.record import Times as Lengths
    from formats.model import Segment
    from formats.source import Source

__all__ = [
    "SPEC",
    "read",
]

KNOWN_BATCH = frozenset(
    {"source", "timestamp", "duration", "durationInTicks", "durationMilliseconds",
     "combinedRecognizedPhrases", "recognizedPhrases", "locale"}
)  # fmt: skip
KNOWN_FILE = frozenset(
    {"AudioFileName", "AudioFileUrl", "AudioLengthInSeconds", "CombinedResults", "SegmentResults"}
)
KNOWN_FAST = frozenset({"duration", "durationMilliseconds", "combinedPhrases", "phrases"})
KNOWN_PHRASE = frozenset(
    {
        "recognitionStatus", "channel", "speaker", "offset", "duration", "offsetInTicks",
        "durationInTicks", "offsetMilliseconds", "durationMilliseconds", "nBest", "locale",
        "text", "words", "confidence",
        "Id", "RecognitionStatus", "Offset", "Duration", "Channel", "DisplayText", "NBest",
        "SpeakerId", "Type", "PrimaryLanguage", "ChannelNumber", "OffsetInSeconds",
        "DurationInSeconds",
    }
)  # fmt: skip
TICKS = 10_000_000
LENGTHS = {
    what: ((f"{what}_in_ticks", TICKS), (f"real_{what}", TICKS), (f"{what}_milliseconds", 1000))
    for what in ("offset", "duration")
}
"""Members of `Times`, and how many of their units make a second."""
DURATION = re.compile(
    r"P(?:([0-9]{1,6})D)?(?:T(?:([0-9]{1,8})H)?(?:([0-9]{1,9})M)?"
    r"(?:([0-9]{1,10})(?:\.([0-9]{1,40}))?S)?)?\Z",
    re.IGNORECASE | re.ASCII,
)
NAMES = ("words", "Words")
SILENCES = ("nomatch", "initialsilencetimeout", "babbletimeout", "endofdictation")
EXPECTED = '"recognizedPhrases", "AudioFileResults", "phrases" or a "RecognitionStatus"'


class Times(Record, rename="camel"):
    """The place of a phrase, of a word or of a whole file: small letters, or in real time capitals.

    Times are ticks, milliseconds or ISO durations.
    """

    offset: Number = None
    duration: Number = None
    offset_in_ticks: Number = None
    duration_in_ticks: Number = None
    offset_milliseconds: Number = None
    duration_milliseconds: Number = None
    real_offset: Number = msgspec.field(default=None, name="Offset")
    real_duration: Number = msgspec.field(default=None, name="Duration")

    def length(self, what: str = "duration") -> int | None:
        """Nanoseconds, from the first unit that there is."""
        for name, per_second in LENGTHS[what]:
            if getattr(self, name) is not None:
                return self.time_of(name, per_second)
        value = getattr(self, what)
        if not isinstance(value, str):
            return self.time_of(what, TICKS)
        try:
            return iso_duration(value)
        except ValueError:
            raise WrongError(what, 'a duration such as "PT1M2.5S"', record=self) from None

    def place(self) -> tuple[int | None, int | None]:
        """Start and end in nanoseconds."""
        start, length = self.length("offset"), self.length()
        end = None if start is None or length is None else start + length
        if end is not None and end > LARGEST:
            raise WrongError("duration", "an end of at most 292 years", record=self)
        return start, end


class Word(Times, rename="camel"):
    """A word of a hypothesis."""

    unread = frozenset({"OffsetInSeconds", "DurationInSeconds"})

    word: str | None = None
    text: str | None = None
    confidence: Number = None
    real_word: str | None = msgspec.field(default=None, name="Word")
    real_confidence: Number = msgspec.field(default=None, name="Confidence")


def words_of(words: list[Word]) -> list[SpokenWord]:
    """The words with their times.

    Raises
    ------
    WrongError: a word has no text; as `Times.place` and `Record.sureness`.
    """
    names = ("word", "real_word", "text")
    texts = first_of(words, *names)
    if None in texts:
        words[texts.index(None)].required(*names)
    sure = confidences_of(words, "confidence", "real_confidence")
    starts, lengths = _lengths_of(words, "offset"), _lengths_of(words, "duration")
    if starts is None or lengths is None:
        places = zip(*[word.place() for word in words], strict=True)
        return list(map(SpokenWord, texts, *places, sure))
    return list(map(SpokenWord, texts, starts, map(add, starts, lengths), sure))


def _lengths_of(words: list[Word], what: str) -> Lengths | None:
    """`Times.length` of all, or `None` where one wants a closer look."""
    for name, per_second in LENGTHS[what]:
        values = list(map(attrgetter(name), words))
        missing = values.count(None)
        if missing < len(values):
            return None if missing else times_at_once(values, per_second)
    return None


class Hypothesis(Record, rename="camel"):
    """What was heard: lexical are the words, display is what people read."""

    lexical: str | None = None
    display: str | None = None
    confidence: Number = None
    real_lexical: str | None = msgspec.field(default=None, name="Lexical")
    real_display: str | None = msgspec.field(default=None, name="Display")
    real_confidence: Number = msgspec.field(default=None, name="Confidence")

    def weighed(self) -> tuple[Hypothesis, float | None]:
        """Itself, and its confidence."""
        name = "confidence" if self.confidence is not None else "real_confidence"
        return self, self.sureness(name)

    def text(self) -> str:
        """The words as one text."""
        return self.lexical or self.real_lexical or self.display or self.real_display or ""


def read(source: Source) -> Iterator[Segment]:
    """The segments of one transcript, or of a list or stream of real-time results.

    Raises
    ------
    SyntaxFormatError: an error message of the service, or a failed job, with its message; no
        final result; no words; members missing or of a wrong type.
    """
    document = JsonDocument(source, streams=True)
    answer = Answer(source, "Azure Speech", "AZURE")
    made: list[Segment] = []
    for value in messages(document):
        _refuse_failure(value)
        if value.has("AudioFileResults"):
            answer.require_alone(value)
            files = list(value.elements("AudioFileResults"))
            for file in files:
                made.extend(_phrases_of_file(file, answer, is_alone=len(files) == 1))
        elif value.has("recognizedPhrases"):
            answer.require_alone(value)
            value.expect_members(KNOWN_BATCH)
            _set_length(value, answer)
            made += answer.gather(value.elements("recognizedPhrases"), lambda v: phrase(v, answer))
        elif value.has("phrases", "combinedPhrases"):
            answer.require_alone(value)
            value.expect_members(KNOWN_FAST)
            _set_length(value, answer)
            made += answer.gather(value.elements("phrases"), lambda v: fast_phrase(v, answer))
        elif value.has("RecognitionStatus"):
            made += answer.gather([value], lambda v: phrase(v, answer))
        elif value.has("Text") and value.has("Offset"):
            answer.partial += 1
        else:
            raise value.error(EXPECTED, "none")
    yield from in_order(made, source)
    answer.finish(document)


def _phrases_of_file(file: JsonValue, answer: Answer, *, is_alone: bool) -> list[Segment]:
    """The segments of one file; among several its recording is the stem of the file's name."""
    file.expect_members(KNOWN_FILE)
    file.required("SegmentResults")
    made = answer.gather(file.elements("SegmentResults"), lambda v: phrase(v, answer))
    if is_alone:
        length = file.get("AudioLengthInSeconds")
        if length is not None:
            answer.set_duration(length.nanoseconds())
        return made
    recording = recording_of(file.name_of("AudioFileName", "AudioFileUrl") or "")
    return [segment.replace(recording=recording) for segment in made]


def _set_length(value: JsonValue, answer: Answer) -> None:
    length_ns = value.take(Times, Times.length)
    if length_ns is not None:
        answer.set_duration(length_ns)
    answer.set_property("language", value.text_of("locale"))


def _refuse_failure(value: JsonValue) -> None:
    refuse_error(value, "error", "innerError")
    if value.has("code") and value.has("message"):
        message = message_of(value, "code", "message")
        raise value.error("a transcript", f"an error of the service: {message}")
    status = value.get("status")
    if status is not None and not value.has("recognizedPhrases", "phrases"):
        message = message_of(value, "properties", "message")
        shown = f'a job with the status "{status.name()}"'
        raise status.error("a transcript", f"{shown}: {message}" if message else shown)


def iso_duration(text: str) -> int:
    """Nanoseconds of a duration such as ``PT1H2M3.4S``, exactly; digits after the ninth are cut.

    >>> iso_duration("PT1H2M3.4S")
    3723400000000

    Raises
    ------
    ValueError: no such duration, or beyond 292 years.
    """
    found = DURATION.match(text)
    if found is None or not any(found.groups()):
        raise ValueError(f"not a duration: {text!r}")
    days, hours, minutes, seconds, fraction = (part or "0" for part in found.groups())
    whole = ((int(days) * 24 + int(hours)) * 60 + int(minutes)) * 60 + int(seconds)
    value = whole * SECOND + int(fraction[:9].ljust(9, "0"))
    if value > LARGEST:
        raise ValueError(f"not within 292 years: {text!r}")
    return value


def phrase(value: JsonValue, answer: Answer) -> Iterator[Segment]:
    """The segment of a phrase of a batch, or of a real-time result.

    Raises
    ------
    SyntaxFormatError: the status is ``Error``, or none that is known.
    """
    value.expect_members(KNOWN_PHRASE)
    start_ns, end_ns = value.take(Times, Times.place)
    channel = value.name_of("channel", "Channel", "ChannelNumber")
    speaker = _speaker(value)
    if not _is_success(value, answer):
        answer.spoke = True
        yield answer.segment((), channel=channel, speaker=speaker, start_ns=start_ns, end_ns=end_ns)
        return
    properties = answer.other_language(value.text_of("locale"))
    name = "NBest" if value.value.get("nBest") in (None, []) else "nBest"
    inner = next(value.elements(name), None)
    confidence = None
    others = []
    if inner is not None:
        timed = _words(inner, answer)
        (best, confidence), *rivals = value.taken(name, Hypothesis, Hypothesis.weighed)
        words = timed or plain_words(best.text())
        others = [(sure, tuple(cut_text(rival.text()))) for rival, sure in rivals]
        display = best.display or best.real_display or value.text_of("DisplayText") or ""
        properties = {**properties, **_show(words, display)}
    else:
        words = plain_words(value.text_of("DisplayText", "text"))
    answer.silent += not words
    yield answer.segment(
        words,
        channel=channel,
        speaker=speaker,
        start_ns=start_ns,
        end_ns=end_ns,
        confidence=confidence,
        properties=properties,
        nbest=checked_hypotheses(value, others),
    )


def _speaker(value: JsonValue) -> str | None:
    speaker = value.name_of("speaker", "SpeakerId")
    return None if speaker in ("", "Unknown") else speaker


def _is_success(value: JsonValue, answer: Answer) -> bool:
    status = value.get("recognitionStatus", "RecognitionStatus")
    if status is None or status.text().lower() == "success":
        return True
    if status.text().lower() in SILENCES:
        answer.source.log.note("AZURE-STATUS", f"{value.path}: {status.text()}: no words")
        return False
    message = message_of(value, "error", "message", "DisplayText", "ErrorDetails")
    found = f'"{status.text()}"' + (f": {message}" if message else "")
    raise status.error('"Success"', found)


def _words(value: JsonValue, answer: Answer) -> list[SpokenWord]:
    """The timed words of a hypothesis."""
    return [word for name in NAMES for word in answer.timed_words(value, name, Word, words_of)]


def _show(words: Sequence[SpokenWord], display: str) -> dict[str, str]:
    """Give the words their display forms, or say the whole as a property if they do not fit."""
    if not words or not display:
        return {}
    forms = displays_along([word.text for word in words], display)
    if forms is None:
        return {"display": display}
    for word, form in zip(words, forms, strict=True):
        word.display = form
    return {}


def fast_phrase(value: JsonValue, answer: Answer) -> Iterator[Segment]:
    """The segment of a phrase of fast transcription."""
    value.expect_members(KNOWN_PHRASE)
    start_ns, end_ns = value.take(Times, Times.place)
    words = _words(value, answer) or plain_words(value.text_of("text"))
    answer.silent += not words
    yield answer.segment(
        words,
        channel=value.name_of("channel"),
        speaker=_speaker(value),
        start_ns=start_ns,
        end_ns=end_ns,
        confidence=value.confidence_of("confidence"),
        properties=answer.other_language(value.text_of("locale")),
    )


def in_order(segments: Sequence[Segment], source: Source) -> list[Segment]:
    """The segments channel by channel of each recording, sorted by time; a note if any moves."""
    places = [(s.recording, s.channel) for s in segments]
    channels = {place: n for n, place in enumerate(dict.fromkeys(places))}
    last: dict[tuple[str, str | None], int] = {}
    moved = 0
    for place, segment in zip(places, segments, strict=True):
        start = segment.start_ns if segment.start_ns is not None else last.get(place, 0)
        moved += start < last.get(place, 0)
        last[place] = start
    if moved:
        source.log.note("AZURE-ORDER", f"phrases put in order of time: {moved}")
    if any(segment.start_ns is None for segment in segments):
        return sorted(segments, key=lambda s: channels[s.recording, s.channel])
    return sorted(segments, key=lambda s: (channels[s.recording, s.channel], s.start_ns))


SPEC = FormatSpec(
    title="Azure Speech JSON: batch, real-time and fast transcription",
    sign='"recognizedPhrases", "AudioFileResults", "phrases" or a "RecognitionStatus"',
    read=read,
    manual="Phrases by channel with lexical and display forms, times in ticks of 100 ns.",
)
