"""google: what Google Cloud Speech-to-Text answers, versions 1 and 2, and its wrappers.

==============================================  =============================================
its word                                        ours
==============================================  =============================================
result                                          a segment, or one for each turn of a speaker
``alternatives[0]``                             its words; the others are `Segment.nbest`
``startTime``, ``startOffset``, …               word times
``speakerTag``, ``speakerLabel``                `Segment.speaker`; tag 0 is none
``channelTag``                                  `Segment.channel`
``languageCode``                                property ``language``
``漢字|カンジ``                                 the word ``漢字``, its reading in the property
                                                ``reading`` of the segment
confidence 0                                    none: the service leaves it at 0 when not asked
a file of ``results.{uri}``                     recording: the stem of the URI
==============================================  =============================================

Names are taken with capitals or with underscores, durations as ``"1.300s"``, as seconds and
nanoseconds, or as numbers. A time that is left out is 0 for the first word of all; elsewhere it is
placed between its neighbours.

Words are written as the service shows them, with case and, if asked for, punctuation: it has no
other form of them.
"""

from __future__ import annotations

import re
from itertools import takewhile

import msgspec

from formats.json.answer import Answer, checked_hypotheses, message_of, messages, refuse_error
from formats.json.displays import cut_text
from formats.json.document import JsonDocument
from formats.json.record import (
    Name,
    Number,
    Record,
    WrongError,
    confidences_of,
    first_of,
    nanoseconds,
    spans_at_once,
)
from formats.json.spoken_words import SpokenWord, plain_words
from formats.source import recording_of
from formats.spec import FormatSpec, Sniff
from formats.times import SECOND, parse_time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from formats.beginning import Head
    from formats.json.document import JsonValue
    from formats.model import Segment
    from formats.source import Source

__all__ = ["SPEC", "read", "sniff"]

EVIDENCE = (
    "resultEndTime", "result_end_time", "resultEndOffset", "result_end_offset", "languageCode",
    "language_code", "channelTag", "channel_tag", "isFinal", "is_final", "stability",
)  # fmt: skip
WORD_EVIDENCE = ("startTime", "start_time", "startOffset", "start_offset", "endTime", "endOffset")
FILE_EVIDENCE = ("transcript", "inlineResult", "inline_result", "cloudStorageResult", "uri")


ENDS = ("endTime", "endOffset", "end_time", "end_offset")
RESULT_ENDS = ("resultEndTime", "resultEndOffset", "result_end_time", "result_end_offset")
READING = re.compile(r"([^|]+)\|([\u3040-\u30ff\uff65-\uff9f]+)\Z")
KNOWN_RESULT = frozenset(
    {
        "alternatives", "channelTag", "channel_tag", "languageCode", "language_code", "isFinal",
        "is_final", "stability", *RESULT_ENDS,
    }
)  # fmt: skip


class Seconds(Record):
    """A duration as protocol buffers have it."""

    seconds: Number = None
    nanos: Number = None


Duration = Seconds | Number
"""Also ``"1.300s"`` and ``1.3``."""


class Word(Record):
    """A word; names are spelled in either way, and version 2 says offset for time."""

    unread = frozenset()

    word: str
    confidence: Number = None
    speaker_tag: Name = None
    speaker_label: Name = None
    speaker_tag_: Name = msgspec.field(default=None, name="speakerTag")
    speaker_label_: Name = msgspec.field(default=None, name="speakerLabel")
    start_time: Duration = None
    start_offset: Duration = None
    start_time_: Duration = msgspec.field(default=None, name="startTime")
    start_offset_: Duration = msgspec.field(default=None, name="startOffset")
    end_time: Duration = None
    end_offset: Duration = None
    end_time_: Duration = msgspec.field(default=None, name="endTime")
    end_offset_: Duration = msgspec.field(default=None, name="endOffset")

    def place(self) -> tuple[int | None, int | None]:
        """Start and end in nanoseconds."""
        start, end = self._first(WORD_STARTS), self._first(WORD_ENDS)
        start_ns, end_ns = self._duration(start), self._duration(end)
        if start_ns is not None and end_ns is not None and end_ns < start_ns:
            shown = getattr(self, start or "")
            raise WrongError(end, f"an end not before its start {shown}", record=self)
        return start_ns, end_ns

    def speaker(self) -> str | None:
        """By tag or label; tag 0 stands for nobody."""
        said = next(filter(None, map(self.__getattribute__, SPEAKERS)), None)
        return str(said) if said and said != "0" else None

    def _first(self, names: Sequence[str]) -> str | None:
        for name in names:
            if getattr(self, name) is not None:
                return name
        return None

    def _duration(self, name: str | None) -> int | None:
        try:
            return None if name is None else duration(getattr(self, name))
        except ValueError as problem:
            raise WrongError(name, str(problem), record=self) from None


WORD_STARTS = ("start_time_", "start_offset_", "start_time", "start_offset")
SPEAKERS = ("speaker_label_", "speaker_label", "speaker_tag_", "speaker_tag")
WORD_ENDS = ("end_time_", "end_offset_", "end_time", "end_offset")


def words_of(words: list[Word]) -> list[SpokenWord]:
    """The words with their times and speakers.

    Raises
    ------
    WrongError: as `Word.place` and `Word.sureness`, of the first word that is wrong.
    """
    starts, ends = (
        [value.removesuffix("s") if type(value) is str else value for value in values]
        for values in (first_of(words, *WORD_STARTS), first_of(words, *WORD_ENDS))
    )
    spans = spans_at_once(starts, ends) or list(zip(*[word.place() for word in words], strict=True))
    sure = [one or None for one in confidences_of(words, "confidence")]
    made = list(map(SpokenWord, [word.word for word in words], *spans, sure))
    if any(first_of(words, *SPEAKERS)):
        for word, own in zip(made, words, strict=True):
            word.speaker = own.speaker()
    return made


class Hypothesis(Record):
    """One of the alternatives of a result."""

    transcript: str | None = None
    confidence: Number = None
    """0 when it was not asked for."""


def read(source: Source) -> Iterator[Segment]:
    """The segments of one answer, of an operation's answer, or of several files' answers.

    Raises
    ------
    SyntaxFormatError: an operation that failed or is not done, with the service's message; no
        final result; no words; members missing or of a wrong type.
    """
    document = JsonDocument(source, streams=True)
    answer = Answer(source, "Google Speech-to-Text", "GOOGLE")
    groups: dict[str | None, list[JsonValue]] = {}
    for value in messages(document):
        for recording, results in _results_of(value):
            groups.setdefault(recording, []).extend(results)
    own = _recordings([uri for uri in groups if uri is not None])
    for uri, results in groups.items():
        for segment in read_results(results, answer):
            yield segment if uri is None else segment.replace(recording=own[uri])
    answer.finish(document)


def _results_of(value: JsonValue) -> Iterator[tuple[str | None, list[JsonValue]]]:
    """URI and results of every file that an answer is about; `None` for the only one."""
    refuse_error(value, "error")
    done = value.get("done")
    response = value.get("response")
    if done is not None and not done.flag():
        raise done.error("an operation that is done", "false")
    if response is None and value.has("metadata", "done", "name") and not value.has("results"):
        raise value.error('an operation with a "response"', "none")
    holder = response or value
    results = holder.get("results")
    if results is None:
        return
    if isinstance(results.value, list):
        yield None, list(results.elements())
        return
    for uri, file in results.members():
        refuse_error(file, "error")
        inline = file.get("inlineResult", "inline_result")
        transcript = (inline or file).get("transcript")
        if transcript is None:
            message = message_of(file, "cloudStorageResult", "cloud_storage_result", "uri")
            found = f"none; the answer is kept in {message}" if message else "none"
            raise file.error('a "transcript"', found)
        yield uri, list(transcript.elements("results"))


def _recordings(uris: list[str]) -> dict[str, str]:
    """Names of the recordings: the stems of the URIs, or the URIs where stems are equal."""
    stems = {uri: recording_of(uri) for uri in uris}
    if len(set(stems.values())) == len(stems):
        return stems
    return {uri: uri or "stream" for uri in uris}


class Result:
    """One result: a stretch of speech of one channel.

    Attributes
    ----------
    words: with times where the service gives them.
    end_ns: where the service says that the result ends, in nanoseconds, or `None`.
    is_tagged: whether all words name their speaker.
    """

    def __init__(self, value: JsonValue, channel: str | None) -> None:
        self.value = value
        self.channel = channel
        self.words: list[SpokenWord] = []
        self.readings: list[str] = []
        self.nbest: Sequence[tuple[float | None, tuple[str, ...]]] = ()
        self.confidence: float | None = None
        self.text = ""
        self.end_ns: int | None = None
        self.language: str | None = None
        self.is_timed = False

    @property
    def is_tagged(self) -> bool:
        """Whether there are words and all name their speaker."""
        return bool(self.words) and all(word.speaker is not None for word in self.words)

    @property
    def has_more_words_than_text(self) -> bool:
        """Whether there are more words than in the transcript beside them."""
        return len(self.words) > len(cut_text(self.text))


def duration(value: Seconds | float | str) -> int:
    """Nanoseconds of a duration: ``"1.300s"``, ``{"seconds": "1", "nanos": 300000000}``, ``1.3``.

    Raises
    ------
    ValueError: none of these, or negative.
    """
    if isinstance(value, Seconds):
        return nanoseconds(value.seconds or 0) + nanoseconds(value.nanos or 0, SECOND)
    if not isinstance(value, str):
        return nanoseconds(value)
    try:
        made = parse_time(value.removesuffix("s"))
    except ValueError:
        raise ValueError('a duration such as "1.300s"') from None
    if made < 0:
        raise ValueError("a duration of 0 or more")
    return made


def read_results(values: Sequence[JsonValue], answer: Answer) -> Iterator[Segment]:
    """The segments of the results of one recording.

    Speaker diarization in version 1 repeats all words in the last result, before its own, with
    the speakers: those are taken over, and the words are not counted twice.
    """
    results: list[Result] = []
    ends: dict[str | None, int] = {}

    def take(value: JsonValue) -> tuple[Segment, ...]:
        value.expect_members(KNOWN_RESULT)
        if _is_interim(value):
            answer.partial += 1
            return ()
        channel = value.name_of("channelTag", "channel_tag")
        result = Result(value, None if channel == "0" else channel)
        _read_result(result, result.channel not in ends, answer)
        ends[result.channel] = result.end_ns or 0
        results.append(result)
        return ()

    answer.gather(values, take)
    last: dict[str | None, int] = {}
    for result in _without_repetition(results, answer):
        yield from _segments(result, last, answer)


def _is_interim(value: JsonValue) -> bool:
    """Whether a result of a stream is not final; false is left out, stability then is not."""
    final = value.get("isFinal", "is_final")
    return value.has("stability") if final is None else not final.flag()


def _read_result(result: Result, is_first: bool, answer: Answer) -> None:
    value = result.value
    end = value.get(*RESULT_ENDS)
    if end is not None:
        if end.value is None or isinstance(end.value, (bool, list)):
            raise end.error('a duration such as "1.300s"')
        try:
            inside = isinstance(end.value, dict)
            result.end_ns = duration(end.record(Seconds) if inside else end.value)
        except ValueError as problem:
            raise end.error(str(problem)) from None
    result.language = value.text_of("languageCode", "language_code")
    best = next(value.elements("alternatives"), None)
    if best is None:
        return
    heard = value.taken("alternatives", Hypothesis, lambda one: (one.sureness(), one.transcript))
    (result.confidence, text), *rivals = [(sure or None, text or "") for sure, text in heard]
    result.text = text
    nbest = [(sure, tuple(cut_text(text))) for sure, text in rivals]
    result.nbest = checked_hypotheses(value, nbest)

    result.words = answer.timed_words(best, "words", Word, words_of)
    for word in result.words:
        reading = READING.match(word.text) if "|" in word.text else None
        if reading is not None:
            word.text = reading[1]
            result.readings.append(reading[2])
    result.is_timed = any(w.start_ns is not None or w.end_ns is not None for w in result.words)
    begins = is_first or (result.is_tagged and result.has_more_words_than_text)
    if begins and result.words and result.is_timed and result.words[0].start_ns is None:
        result.words[0].start_ns = 0
    result.words = result.words or plain_words(result.text)


def _without_repetition(results: list[Result], answer: Answer) -> list[Result]:
    """The results, each word once, with its speaker.

    A result whose words all name their speaker, and that goes back to the first word of its
    channel, says once more what was said before: at the end of an answer, in a stream again and
    again. Words that have the times of earlier ones only tell their speakers. Where it heard other
    words than before, and more than its transcript has, they take the place of the earlier ones.
    """
    kept: list[Result] = []
    firsts: dict[str | None, int] = {}
    for result in results:
        if result.is_tagged and _may_go_back(result, firsts):
            own = (None, result.channel)
            before = [r for r in kept if r.words and (result.channel is None or r.channel in own)]
            if _take_repetition(result, before, answer):
                emptied = {id(one) for one in before if not one.words}
                kept = [one for one in kept if id(one) not in emptied]
                if not result.words:
                    continue
        if result.words and result.channel not in firsts:
            begin = result.words[0].start_ns
            firsts[result.channel] = -1 if begin is None else begin
        kept.append(result)
    return kept


def _may_go_back(result: Result, firsts: Mapping[str | None, int]) -> bool:
    """Whether a result begins where the first of its channel does; -1 there stands for no time."""
    channels = firsts if result.channel is None else (None, result.channel)
    known = [firsts[channel] for channel in channels if channel in firsts]
    begin = result.words[0].start_ns
    if begin is None or -1 in known:
        return bool(known) and result.has_more_words_than_text
    return any(begin <= first for first in known)


def _take_repetition(result: Result, before: Sequence[Result], answer: Answer) -> bool:
    """Take from a result what it repeats, or from those before it what it hears otherwise.

    `False` if it is no repetition.
    """
    log = answer.source.log
    earlier = (word for one in before for word in one.words)
    pairs = list(takewhile(_are_of_one_time, zip(earlier, result.words, strict=False)))
    count = sum(len(one.words) for one in before)
    if len(pairs) == count:
        for word, tagged in pairs:
            word.speaker = tagged.speaker
        result.words = result.words[count:]
        log.note(
            "GOOGLE-SPEAKERS",
            f"a result repeats the {count} words before it with their speakers: not counted twice",
        )
        return True
    if not result.has_more_words_than_text:
        return False
    log.warn(
        "GOOGLE-SPEAKERS?",
        f"a result repeats the speech before it with speakers, but in {len(result.words)} words "
        f"and not {count}: only it is read",
    )
    for one in before:
        one.words = []
    return True


def _are_of_one_time(pair: tuple[SpokenWord, SpokenWord]) -> bool:
    return (pair[0].start_ns, pair[0].end_ns) == (pair[1].start_ns, pair[1].end_ns)


def _segments(result: Result, last: dict[str | None, int], answer: Answer) -> Iterator[Segment]:
    """The segment of a result, or its turns, between the end of the one before and its own."""
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
    if not result.words:
        answer.silent += 1
        return
    yield from answer.turns(
        result.words,
        channel=result.channel,
        start_ns=start_ns,
        end_ns=end_ns,
        confidence=result.confidence,
        properties=properties,
        nbest=result.nbest,
    )


def sniff(head: Head) -> Sniff:
    """Sure of results with a time, language or channel of this service; else maybe."""
    top = head.json
    if isinstance(top, list):
        top = next(iter(top), None)
    if not isinstance(top, dict):
        return Sniff.NO
    response = top.get("response")
    if isinstance(response, dict):
        top = response
    elif "done" in top and ("metadata" in top or "error" in top):
        return Sniff.SURE
    results = top.get("results")
    if isinstance(results, dict):
        files = [file for file in results.values() if isinstance(file, dict)]
        is_file = bool(files) and any("://" in uri for uri in results)
        return Sniff.SURE if is_file and _has(files, FILE_EVIDENCE) else Sniff.NO
    if not isinstance(results, list):
        return Sniff.NO
    return _sniff_results([result for result in results if isinstance(result, dict)])


def _sniff_results(results: list[dict[str, object]]) -> Sniff:
    if not results or not _has(results, ("alternatives",)) or _has(results, ("final",)):
        return Sniff.NO
    if _has(results, ("type", "start_time")):
        return Sniff.NO
    if _has(results, EVIDENCE):
        return Sniff.SURE
    alternatives = [a for r in results for a in _objects(r.get("alternatives"))]
    words = [w for a in alternatives for w in _objects(a.get("words"))]
    if _has(words, WORD_EVIDENCE):
        return Sniff.SURE
    if _has(alternatives, ("timestamps", "content")) or not _has(alternatives, ("transcript",)):
        return Sniff.NO
    return Sniff.MAYBE


def _objects(value: object) -> list[dict[str, object]]:
    return [v for v in value if isinstance(v, dict)] if isinstance(value, list) else []


def _has(objects: list[dict[str, object]], names: tuple[str, ...]) -> bool:
    return any(name in one for one in objects for name in names)


SPEC = FormatSpec(
    title="Google Cloud Speech-to-Text JSON, versions 1 and 2",
    sign='"results" with "alternatives" and "languageCode"',
    read=read,
    sniff=sniff,
    manual="Results with alternatives and timed words, of one file or several.",
)
