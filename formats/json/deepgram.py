"""deepgram: Deepgram's transcripts of files and messages of a live stream.

==================================  ========================================================
in the file                         in the schema
==================================  ========================================================
``results.utterances``              segments with their times
``word``, ``punctuated_word``       the word, and its display form
index of the channel                `Segment.channel`: ``0``, ``1``, …
``speaker``                         `Segment.speaker`, unchanged; if there are several channels,
                                    ``ch0:0``, because each channel numbers its speakers from 0
``alternatives[1:]``                `Segment.nbest`
``detected_language``               property ``language``
message ``Results``                 a segment, if the message is final
==================================  ========================================================

If there are no utterances, the words of a channel form one segment without times, or one per turn
if the speaker changes. Words that appear in utterances and also in channels count once.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from formats.detection.spec import FormatSpec
from formats.json.answer import Answer, parent_of, reader, refuse_error
from formats.json.messages import DEEPGRAM_CHANNEL, DEEPGRAM_NBEST
from formats.json.shapes import Names
from formats.json.spoken_words import Parent, RecognizedWords, SpokenWord, plain_words
from formats.json.value import JsonValue
from formats.schema.model import Segment

WORD = Names(
    "word",
    "start",
    "end",
    speaker="speaker",
    confidence="confidence",
    language="language",
    display="punctuated_word",
    others="speaker_confidence sentiment sentiment_score",
)


def read(value: JsonValue, answer: Answer) -> Iterator[Segment]:
    """Yield the segments of one transcript, or of the final messages of a stream."""
    refuse_error(value, "err_msg", "err_code", "error")
    if value.text_of("type") == "Error":
        found = f"an error of the service: {value.text_of('description')}"
        raise value.error("a transcript", found)
    metadata = value.get("metadata")
    if metadata is not None and (length := metadata.time_of("duration")) is not None:
        answer.set_duration(length)
    if value.has("type") and not value.has("results"):
        yield from _message(value, answer)
    else:
        answer.require_alone(value)
        yield from _transcript(value.required("results"), answer)


def _transcript(results: JsonValue, answer: Answer) -> Iterator[Segment]:
    channels = list(results.required("channels").elements())
    parents: dict[str, list[Parent]] = defaultdict(list)

    def take(utterance: JsonValue) -> None:
        parents[utterance.name_of("channel") or "0"].append(parent_of(utterance, WORD))

    answer.each_value(results, "utterances", take)
    for index, value in enumerate(channels):
        prefix = f"ch{index}:" if len(channels) > 1 else ""
        words, nbest, sure = _hypotheses(value, prefix, answer)
        properties = answer.other_language(value.text_of("detected_language"))
        fields: dict[str, Any] = {"channel": str(index), "properties": properties}
        if utterances := parents.pop(str(index), []):
            yield from answer.within_parents(words, utterances, **fields)
            answer.count(DEEPGRAM_NBEST, len(nbest))
        elif words:
            yield from answer.turns(words, confidence=sure, nbest=nbest, **fields)
    count = sum(map(len, parents.values()))
    answer.count(DEEPGRAM_CHANNEL, count)


def _hypotheses(
    value: JsonValue, prefix: str, answer: Answer
) -> tuple[list[SpokenWord], list[RecognizedWords], float | None]:
    """Return the words and the confidence of the best alternative, and the other hypotheses.

    The confidence comes last. Without a list of words, the words come from the text.
    """
    best = next(value.elements("alternatives"), None)
    if best is None:
        return [], [], None
    words = answer.each_word(best, "words", WORD)
    for word in words:
        word.speaker = None if word.speaker is None else f"{prefix}{word.speaker}"
    (sure, text), *others = answer.hypotheses(value)
    return words or plain_words(text), others, sure


def _message(value: JsonValue, answer: Answer) -> Iterator[Segment]:
    """Yield the segment of a live message, if it is a final result with words."""
    if value.text_of("type") != "Results":
        return
    if not value.flag_of("is_final"):
        answer.partial += 1
        return
    start_ns = value.required("start").nanoseconds()
    length = value.time_of("duration")
    index = list(value.elements("channel_index"))
    channel = index[0].name() if index else None
    prefix = f"ch{channel}:" if len(index) > 1 and index[1].whole() > 1 else ""
    inner = value.required("channel")
    words, nbest, sure = _hypotheses(inner, prefix, answer)
    if words:
        end_ns = None if length is None else start_ns + length
        yield from answer.turns(
            words, channel=channel, span=(start_ns, end_ns), confidence=sure, nbest=nbest
        )
    elif inner.value.get("alternatives"):
        answer.silent += 1


SPEC = FormatSpec(
    title="Deepgram JSON: transcripts and live messages",
    sign='"results" with "channels"',
    read=reader("Deepgram", "DEEPGRAM", read),
)
