"""Results of Google Speech-to-Text on their way to segments."""

from __future__ import annotations

import re
from itertools import takewhile

from formats.json.answer import Answer, SpokenWord
from formats.json.members import (
    check_order,
    checked_hypotheses,
    confidence_of,
    hypothesis,
    name_of,
    plain_seconds,
    required_text,
    text_of,
)
from formats.json.word_items import cut_text
from formats.times import SECOND, parse_time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from formats.json.document import JsonValue
    from formats.json.word_items import Hypothesis
    from formats.model import Segment

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

    @property
    def has_more_words_than_text(self) -> bool:
        """Whether there are more words than in the transcript beside them."""
        return len(self.words) > len(cut_text(self.text))


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

    Speaker diarization in version 1 repeats all words in the last result, before its own, with
    the speakers: those are taken over, and the words are not counted twice.
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
    begins = is_first or (result.is_tagged and result.has_more_words_than_text)
    if begins and result.words and result.is_timed and result.words[0].start_ns is None:
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
