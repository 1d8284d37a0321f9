"""Phrases of Azure Speech on their way to segments."""

from __future__ import annotations

import re

from formats.json.answer import Answer, SpokenWord
from formats.json.document import plain_nanoseconds
from formats.json.members import (
    checked_hypotheses,
    confidence_of,
    hypothesis,
    message_of,
    name_of,
    required_text,
    text_of,
)
from formats.json.word_items import cut_text, displays_along
from formats.times import LARGEST, SECOND

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from formats.json.document import JsonValue
    from formats.model import Segment
    from formats.source import Source

__all__ = ["fast_phrase", "in_order", "iso_duration", "phrase", "span_of_phrase"]

TICKS = 10_000_000
DURATION = re.compile(
    r"P(?:([0-9]{1,6})D)?(?:T(?:([0-9]{1,8})H)?(?:([0-9]{1,9})M)?"
    r"(?:([0-9]{1,10})(?:\.([0-9]{1,40}))?S)?)?\Z",
    re.IGNORECASE | re.ASCII,
)
SILENCES = ("nomatch", "initialsilencetimeout", "babbletimeout", "endofdictation")
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
KNOWN_WORD = frozenset(
    {
        "word", "offset", "duration", "offsetInTicks", "durationInTicks", "offsetMilliseconds",
        "durationMilliseconds", "confidence", "text", "Word", "Offset", "Duration", "Confidence",
        "OffsetInSeconds", "DurationInSeconds",
    }
)  # fmt: skip


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


def _time(value: JsonValue, ticks: Sequence[str], milliseconds: str, iso: str) -> int | None:
    """A time in ticks, in milliseconds or as an ISO duration, the first that is there."""
    members = value.value
    for name in ticks if type(members) is dict else ():
        raw = members.get(name)
        if raw is not None:
            made = plain_nanoseconds(raw, TICKS)
            if made is not None:
                return made
            break
    found = value.get(*ticks)
    if found is not None:
        return found.nanoseconds(per_second=TICKS)
    found = value.get(milliseconds)
    if found is not None:
        return found.nanoseconds(per_second=1000)
    found = value.get(iso)
    if found is None:
        return None
    if not isinstance(found.value, str):
        return found.nanoseconds(per_second=TICKS)
    try:
        return iso_duration(found.value)
    except ValueError:
        raise found.error('a duration such as "PT1M2.5S"') from None


def span_of_phrase(value: JsonValue) -> tuple[int | None, int | None]:
    """Start and length of a phrase, of a word or of a whole file, in nanoseconds."""
    start = _time(value, ("offsetInTicks", "Offset"), "offsetMilliseconds", "offset")
    length = _time(value, ("durationInTicks", "Duration"), "durationMilliseconds", "duration")
    return start, length


def _begin_and_end(value: JsonValue) -> tuple[int | None, int | None]:
    start, length = span_of_phrase(value)
    return start, None if start is None or length is None else start + length


def phrase(value: JsonValue, answer: Answer) -> Iterator[Segment]:
    """The segment of a phrase of a batch, or of a real-time result.

    Raises
    ------
    SyntaxFormatError: the status is ``Error``, or none that is known.
    """
    value.expect_members(KNOWN_PHRASE)
    start_ns, end_ns = _begin_and_end(value)
    channel = name_of(value, "channel", "Channel", "ChannelNumber")
    speaker = _speaker(value)
    if not _is_success(value, answer):
        answer.spoke = True
        yield answer.segment((), channel=channel, speaker=speaker, start_ns=start_ns, end_ns=end_ns)
        return
    properties = answer.other_language(text_of(value, "locale"))
    hypotheses = list(value.elements("nBest")) or list(value.elements("NBest"))
    if not hypotheses:
        text = text_of(value, "DisplayText", "text") or ""
        words = [SpokenWord(word) for word in cut_text(text)]
        confidence = None
        others = []
    else:
        best, *rest = hypotheses
        words = _words(best, answer)
        confidence = confidence_of(best, "confidence", "Confidence")
        others = [hypothesis(confidence_of(h, "confidence", "Confidence"), _lexical(h))
                  for h in rest]  # fmt: skip
        display = text_of(best, "display", "Display") or text_of(value, "DisplayText") or ""
        properties = {**properties, **_show(words, display)}
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
    speaker = name_of(value, "speaker", "SpeakerId")
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


def _lexical(value: JsonValue) -> str:
    return text_of(value, "lexical", "Lexical") or text_of(value, "display", "Display") or ""


def _words(value: JsonValue, answer: Answer) -> list[SpokenWord]:
    """The timed words of a hypothesis, or those of its lexical text."""
    made: list[SpokenWord] = []

    def take(word: JsonValue) -> None:
        word.expect_members(KNOWN_WORD)
        made.append(
            SpokenWord(
                required_text(word, "word", "Word", "text"),
                *_begin_and_end(word),
                confidence_of(word, "confidence", "Confidence"),
            )
        )

    for name in ("words", "Words"):
        answer.each(value.elements(name), take)
    return made or [SpokenWord(word) for word in cut_text(_lexical(value))]


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
    start_ns, end_ns = _begin_and_end(value)
    words = []
    if value.has("words"):
        words = _words(value, answer)
    words = words or [SpokenWord(word) for word in cut_text(text_of(value, "text") or "")]
    answer.silent += not words
    yield answer.segment(
        words,
        channel=name_of(value, "channel"),
        speaker=_speaker(value),
        start_ns=start_ns,
        end_ns=end_ns,
        confidence=confidence_of(value, "confidence"),
        properties=answer.other_language(text_of(value, "locale")),
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
