"""google: Google Cloud Speech-to-Text answers (versions 1 and 2), also inside wrappers.

==============================================  =============================================
in the file                                     in the schema
==============================================  =============================================
result                                          a segment, or one segment for each speaker's turn
``alternatives[0]``                             its words; the others are `Segment.nbest`
``startTime``, ``startOffset``, …               word times
``speakerTag``, ``speakerLabel``                `Segment.speaker`; tag 0 means no speaker
``channelTag``                                  `Segment.channel`
``languageCode``                                property ``language``
``漢字|カンジ``                                 the word ``漢字``, its reading in the property
                                                ``reading`` of the segment
confidence 0                                    no confidence: the service writes 0 if confidences
                                                were not requested
a file of ``results.{uri}``                     recording: the stem of the URI
==============================================  =============================================

Names may have capitals (``Results``, ``StartTime``) or underscores. Durations may be ``"1.300s"``,
seconds and nanoseconds, or numbers. A missing time is 0 for the first word; all other missing times
are interpolated.

Words have case and punctuation, because the service has no other form of a word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile

from formats.detection.spec import FormatSpec
from formats.io.source import Source, recording_of
from formats.json.answer import Answer, checked_hypotheses, message_of, refuse_error
from formats.json.displays import cut_text
from formats.json.messages import GOOGLE_SPEAKERS, GOOGLE_WORDS
from formats.json.spoken_words import SpokenWord, plain_words
from formats.json.value import JsonDocument, JsonValue
from formats.schema.model import Segment
from formats.schema.times import SECOND, parse_time

STARTS = ("startTime", "startOffset", "start_time", "start_offset")
ENDS = ("endTime", "endOffset", "end_time", "end_offset")
SPEAKERS = ("speakerLabel", "speaker_label", "speakerTag", "speaker_tag")
RESULT_ENDS = ("resultEndTime", "resultEndOffset", "result_end_time", "result_end_offset")
READING = re.compile(r"([^|]+)\|([\u3040-\u30ff\uff65-\uff9f]+)\Z")


def read(source: Source) -> Iterator[Segment]:
    """Yield the segments of an answer, of the result of an operation, or of several files."""
    document = JsonDocument(source, streams=True)
    if any(isinstance(value, dict) and "Results" in value for value in document.top):
        document.top[:] = map(_with_small_names, document.top)
        document.has_moved = True
    answer = Answer(source, "Google Speech-to-Text", "GOOGLE")
    groups: dict[str | None, list[JsonValue]] = {}
    for value in document.messages:
        for uri, results in _results_of(value):
            groups.setdefault(uri, []).extend(results)
    uris = [uri for uri in groups if uri is not None]
    # recordings are the stems of the URIs, or the URIs where stems are equal
    are_stems = len(set(map(recording_of, uris))) == len(uris)
    for uri, values in groups.items():
        for segment in _result_segments(values, answer):
            name = uri and (recording_of(uri) if are_stems else uri)
            yield segment if uri is None else segment.replace(recording=name or "stream")
    answer.finish(document)


def _with_small_names(value: object) -> object:
    """Convert member names to lower camel case: ``StartTime`` becomes ``startTime``."""
    if isinstance(value, dict):
        return {
            name[:1].lower() + name[1:]: _with_small_names(inner) for name, inner in value.items()
        }
    return list(map(_with_small_names, value)) if isinstance(value, list) else value


def _results_of(value: JsonValue) -> Iterator[tuple[str | None, list[JsonValue]]]:
    """Yield the URI and the results of each file in an answer.

    The URI is `None` for a single file.
    """
    refuse_error(value, "error")
    done = value.get("done")
    response = value.get("response")
    if done is not None and not done.flag():
        raise done.error("an operation that is done", "false")
    if response is None and value.has("metadata", "done", "name") and not value.has("results"):
        raise value.error('an operation with a "response"', "none")
    results = (response or value).get("results")
    if results is None:
        # a list of results alone
        yield from [(None, [value])] if value.has("alternatives") else ()
        return
    if isinstance(results.value, list):
        yield None, list(results.elements())
        return
    for uri, file in results.members():
        refuse_error(file, "error")
        transcript = (file.get("inlineResult", "inline_result") or file).get("transcript")
        if transcript is None:
            message = message_of(file, "cloudStorageResult", "cloud_storage_result", "uri")
            found = f"none; the answer is kept in {message}" if message else "none"
            raise file.error('a "transcript"', found)
        yield uri, list(transcript.elements("results"))


class Result:
    """A result of one channel, which becomes a segment."""

    def __init__(self, value: JsonValue, answer: Answer) -> None:
        channel = value.name_of("channelTag", "channel_tag")
        self.channel = None if channel == "0" else channel
        self.end_ns = _duration(value.get(*RESULT_ENDS))
        self.language = value.text_of("languageCode", "language_code")
        choices = list(value.elements("alternatives"))
        hypotheses = [
            (choice.confidence_of("confidence") or None, choice.text_of("transcript") or "")
            for choice in choices
        ]
        (self.confidence, text), *others = hypotheses or [(None, "")]
        nbest = [(sure, tuple(cut_text(other_text))) for sure, other_text in others]
        self.nbest = checked_hypotheses(value, nbest)
        self.words = answer.each_value(choices[0], "words", _word) if choices else []
        self.readings = []
        for word in self.words:
            if reading := READING.match(word.text):
                word.text = reading[1]
                self.readings.append(reading[2])
        self.is_timed = any(w.start_ns is not None or w.end_ns is not None for w in self.words)
        self.has_more_words_than_text = len(self.words) > len(cut_text(text))
        self.is_tagged = bool(self.words) and all(w.speaker is not None for w in self.words)
        self.words = self.words or plain_words(text)


def _word(value: JsonValue) -> SpokenWord:
    text = value.required("word").text()
    start, end = value.get(*STARTS), value.get(*ENDS)
    start_ns, end_ns = _duration(start), _duration(end)
    if start and end and start_ns is not None and end_ns is not None and end_ns < start_ns:
        raise end.error(f"an end not before its start {start.value}")
    names = (value.name_of(member) for member in SPEAKERS)
    speaker = next((name for name in names if name not in (None, "", "0")), None)
    sure = value.confidence_of("confidence") or None  # 0 when it was not asked for
    return SpokenWord(text, start_ns, end_ns, sure, speaker=speaker)


def _duration(value: JsonValue | None) -> int | None:
    """Convert ``"1.300s"``, ``{"seconds": "1", "nanos": 300000000}`` or ``1.3`` to nanoseconds."""
    if value is None:
        return None
    if isinstance(value.value, dict):
        return (value.time_of("seconds") or 0) + (value.time_of("nanos", per_second=SECOND) or 0)
    if not isinstance(value.value, str):
        return value.nanoseconds()
    try:
        time = parse_time(value.value.removesuffix("s"))
    except ValueError:
        raise value.error('a duration such as "1.300s"') from None
    if time < 0:
        raise value.error("a duration of 0 or more")
    return time


def _result_segments(values: Sequence[JsonValue], answer: Answer) -> Iterator[Segment]:
    """Yield the segments of a recording's results; each begins where the preceding one ends."""
    seen: set[str | None] = set()

    def take(value: JsonValue) -> Iterator[Result]:
        final = value.get("isFinal", "is_final")  # false is omitted, stability then is not
        if value.has("stability") if final is None else not final.flag():
            answer.partial += 1
            return
        result = Result(value, answer)
        begins = result.channel not in seen or (
            result.is_tagged and result.has_more_words_than_text
        )
        if begins and result.is_timed and result.words[0].start_ns is None:
            result.words[0].start_ns = 0
        seen.add(result.channel)
        yield result

    last: dict[str | None, int] = {}
    for result in _without_repetition(answer.gather(values, take), answer):
        before = last.get(result.channel, 0)
        starts = [word.start_ns for word in result.words if word.start_ns is not None]
        ends = [word.end_ns for word in result.words if word.end_ns is not None]
        end_ns = max(ends) if ends else result.end_ns
        start_ns = min(starts) if starts else before if end_ns is not None else None
        if result.end_ns is not None or ends:
            last[result.channel] = max([before, *ends, result.end_ns or 0])
        if start_ns is not None and end_ns is not None and start_ns > end_ns:
            start_ns = end_ns = None
        properties = answer.other_language(result.language)
        if result.readings:
            properties["reading"] = " ".join(result.readings)
        answer.silent += not result.words
        if result.words:
            yield from answer.turns(
                result.words,
                channel=result.channel,
                span=(start_ns, end_ns),
                confidence=result.confidence,
                properties=properties,
                nbest=result.nbest,
            )


def _without_repetition(results: list[Result], answer: Answer) -> list[Result]:
    """Return the results without those that only repeat earlier words to give their speakers.

    The earlier words get these speakers.
    """
    kept: list[Result] = []
    firsts: dict[str | None, int] = {}
    for result in results:
        if result.is_tagged and _may_go_back(result, firsts):
            channels = (None, result.channel)
            before = [
                r for r in kept if r.words and (result.channel is None or r.channel in channels)
            ]
            if _take_repetition(result, before, answer):
                kept = [r for r in kept if r.words or r not in before]
                if not result.words:
                    continue
        if result.words and result.channel not in firsts:
            begin = result.words[0].start_ns
            firsts[result.channel] = -1 if begin is None else begin
        kept.append(result)
    return kept


def _may_go_back(result: Result, firsts: dict[str | None, int]) -> bool:
    """Return True if a result may repeat the words of its channel from the first word on.

    `firsts` maps a channel to the start of its first word; -1 means that this word has no time.
    """
    channels = firsts if result.channel is None else (None, result.channel)
    begins = [firsts[channel] for channel in channels if channel in firsts]
    begin = result.words[0].start_ns
    if begin is None or -1 in begins:
        return bool(begins) and result.has_more_words_than_text
    return any(begin <= first for first in begins)


def _take_repetition(result: Result, before: Sequence[Result], answer: Answer) -> bool:
    """Give earlier words the speakers of a result that repeats them.

    Return False if the result does not repeat the words in `before`.
    """
    log = answer.source.log
    earlier = [word for each in before for word in each.words]
    pairs = list(
        takewhile(
            lambda pair: (pair[0].start_ns, pair[0].end_ns) == (pair[1].start_ns, pair[1].end_ns),
            zip(earlier, result.words, strict=False),
        )
    )
    if len(pairs) == len(earlier):
        for word, tagged in pairs:
            word.speaker = tagged.speaker
        result.words = result.words[len(pairs) :]
        log.say(GOOGLE_SPEAKERS, words=len(pairs))
    elif result.has_more_words_than_text:
        log.say(GOOGLE_WORDS, words=len(result.words), expected=len(earlier))
        for each in before:
            each.words = []
    return len(pairs) == len(earlier) or result.has_more_words_than_text


SPEC = FormatSpec(
    title="Google Cloud Speech-to-Text JSON, versions 1 and 2",
    sign='"results" with "alternatives" and "languageCode"',
    read=read,
)
