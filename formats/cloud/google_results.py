"""Results of Google Speech-to-Text on their way to segments."""

from __future__ import annotations

import re

from formats.cloud.answer import Answer, SpokenWord
from formats.cloud.members import (
    check_order,
    checked_hypotheses,
    confidence_of,
    hypothesis,
    name_of,
    plain_seconds,
    required_text,
    text_of,
)
from formats.times import SECOND, parse_time
from formats.word_items import cut_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from formats.json_document import JsonValue
    from formats.model import Segment
    from formats.word_items import Hypothesis

__all__ = ["duration", "read_results"]

STARTS = ("startTime", "startOffset", "start_time", "start_offset")
ENDS = ("endTime", "endOffset", "end_time", "end_offset")
RESULT_ENDS = ("resultEndTime", "resultEndOffset", "result_end_time", "result_end_offset")
READING = re.compile(r"([^|]+)\|([\u3040-\u30ff\uff65-\uff9f]+)\Z")
KNOWN_RESULT = frozenset(
    {
        "alternatives", "channelTag", "channel_tag", "languageCode", "language_code", "isFinal",
        "is_final", "stability", *RESULT_ENDS,
    }
)  # fmt: skip
KNOWN_WORD = frozenset(
    {
        "word", "confidence", "speakerTag", "speaker_tag", "speakerLabel", "speaker_label",
        *STARTS, *ENDS,
    }
)  # fmt: skip


class Result:
    """One result: a stretch of speech of one channel.

    Attributes
    ----------
    words: with times where the service gives them.
    end_ns: where the service says that the result ends, in nanoseconds, or `None`.
    is_tagged: whether all words name their speaker.
    """

    __slots__ = (
        "channel", "confidence", "end_ns", "is_timed", "language", "nbest", "readings", "text",
        "value", "words",
    )  # fmt: skip

    def __init__(self, value: JsonValue, channel: str | None) -> None:
        self.value = value
        self.channel = channel
        self.words: list[SpokenWord] = []
        self.readings: list[str] = []
        self.nbest: Sequence[Hypothesis] = ()
        self.confidence: float | None = None
        self.text = ""
        self.end_ns: int | None = None
        self.language: str | None = None
        self.is_timed = False

    @property
    def is_tagged(self) -> bool:
        """Whether there are words and all name their speaker."""
        return bool(self.words) and all(word.speaker is not None for word in self.words)


def duration(value: JsonValue) -> int:
    """Nanoseconds of a duration: ``"1.300s"``, ``{"seconds": "1", "nanos": 300000000}``, ``1.3``.

    Raises
    ------
    SyntaxFormatError: none of these, or negative.
    """
    if isinstance(value.value, dict):
        whole, part = value.get("seconds"), value.get("nanos")
        whole_ns = 0 if whole is None else whole.nanoseconds()
        return whole_ns + (0 if part is None else part.nanoseconds(per_second=SECOND))
    if not isinstance(value.value, str):
        return value.nanoseconds()
    try:
        nanoseconds = parse_time(value.value.removesuffix("s"))
    except ValueError:
        raise value.error('a duration such as "1.300s"') from None
    if nanoseconds < 0:
        raise value.error("a duration of 0 or more")
    return nanoseconds


def _duration_of(value: JsonValue, names: Sequence[str]) -> int | None:
    """The `duration` among the members, or `None`; raises as that does."""
    members = value.value
    for name in names if type(members) is dict else ():
        text = members.get(name)
        if type(text) is str and text[-1:] == "s":
            made = plain_seconds(text[:-1])
            if made is not None:
                return made
        if text is not None:
            break
    found = value.get(*names)
    return None if found is None else duration(found)


def read_results(values: Sequence[JsonValue], answer: Answer) -> Iterator[Segment]:
    """The segments of the results of one recording.

    Speaker diarization in version 1 repeats all words in the last result, with the speakers: those
    are taken over, and the words are not counted twice.
    """
    results: list[Result] = []
    ends: dict[str | None, int] = {}

    def take(value: JsonValue) -> None:
        value.expect_members(KNOWN_RESULT)
        if _is_interim(value):
            answer.counts.partial += 1
            return
        channel = name_of(value, "channelTag", "channel_tag")
        result = Result(value, None if channel == "0" else channel)
        _read_result(result, result.channel not in ends, answer)
        ends[result.channel] = result.end_ns or 0
        results.append(result)

    answer.each(values, take)
    last: dict[str | None, int] = {}
    for result in _without_repetition(results, answer):
        yield from _segments(result, last, answer)


def _is_interim(value: JsonValue) -> bool:
    """Whether a result of a stream is not final; false is left out, stability then is not."""
    final = value.get("isFinal", "is_final")
    return value.has("stability") if final is None else not final.flag()


def _read_result(result: Result, is_first: bool, answer: Answer) -> None:
    value = result.value
    result.end_ns = _duration_of(value, RESULT_ENDS)
    result.language = text_of(value, "languageCode", "language_code")
    alternatives = list(value.elements("alternatives"))
    if not alternatives:
        return
    best, *others = alternatives
    result.text = text_of(best, "transcript") or ""
    result.confidence = _confidence(best)
    found = [hypothesis(_confidence(a), text_of(a, "transcript") or "") for a in others]
    result.nbest = checked_hypotheses(value, found)

    def take(word: JsonValue) -> None:
        word.expect_members(KNOWN_WORD)
        result.words.append(_word(word, result, answer))

    answer.each(best.elements("words"), take)
    result.is_timed = any(w.start_ns is not None or w.end_ns is not None for w in result.words)
    if result.words and result.is_timed and result.words[0].start_ns is None:
        goes_back = result.is_tagged and not result.text
        if is_first or goes_back:
            result.words[0].start_ns = 0
    if not result.words:
        result.words = [SpokenWord(word) for word in cut_text(result.text)]


def _word(value: JsonValue, result: Result, answer: Answer) -> SpokenWord:
    start_ns, end_ns = _duration_of(value, STARTS), _duration_of(value, ENDS)
    if start_ns is not None and end_ns is not None and end_ns < start_ns:
        start, end = value.required(*STARTS), value.required(*ENDS)
        check_order(start_ns, end_ns, end, str(start.value))
    text = required_text(value, "word")
    reading = READING.match(text)
    if reading is not None:
        text = reading[1]
        result.readings.append(reading[2])
    speaker = name_of(value, "speakerLabel", "speaker_label") or name_of(
        value, "speakerTag", "speaker_tag"
    )
    return SpokenWord(
        text, start_ns, end_ns, _confidence(value), speaker=None if speaker == "0" else speaker
    )


def _confidence(value: JsonValue) -> float | None:
    """The confidence; 0 means that the service did not set it."""
    return confidence_of(value, "confidence") or None


def _without_repetition(results: list[Result], answer: Answer) -> list[Result]:
    """The results without a last one that only repeats all words with their speakers."""
    if len(results) < 2 or not results[-1].is_tagged:
        return results
    *before, last = results
    earlier = [word for result in before for word in result.words]
    log = answer.source.log
    if [word.text for word in earlier] == [word.text for word in last.words]:
        for word, tagged in zip(earlier, last.words, strict=True):
            word.speaker = tagged.speaker
        log.note(
            "GOOGLE-SPEAKERS",
            f"the last result repeats all {len(earlier)} words with their speakers: not counted "
            "twice",
        )
        return before
    starts = [word.start_ns for word in earlier if word.start_ns is not None]
    if not last.text and starts and (last.words[0].start_ns or 0) <= starts[0]:
        log.warn(
            "GOOGLE-SPEAKERS?",
            f"the last result repeats the speech with speakers, but in {len(last.words)} words "
            f"and not {len(earlier)}: only it is read",
        )
        return [last]
    return results


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
