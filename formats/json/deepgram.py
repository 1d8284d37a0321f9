"""deepgram: what Deepgram answers: transcripts of files, and messages of a live stream.

==================================  ========================================================
its word                            ours
==================================  ========================================================
``results.utterances``              segments with their times
``word``, ``punctuated_word``       the word, and its display form
index of the channel                `Segment.channel`: ``0``, ``1``, …
``speaker``                         `Segment.speaker`, literal; ``ch0:0`` where there are several
                                    channels, because each counts its own speakers
``alternatives[1:]``                `Segment.nbest`
``detected_language``               property ``language``
message ``Results``                 a segment, if it is final
==================================  ========================================================

Without utterances, all words of a channel, or of a speaker up to the next one, make a segment that
has no times of its own. The words of utterances are those of the channels: they count once.
"""

from __future__ import annotations

from formats.json.answer import Answer, SpokenWord, messages
from formats.json.document import JsonDocument
from formats.json.members import (
    checked_hypotheses,
    confidence_of,
    hypothesis,
    name_of,
    refuse_error,
    required_text,
    span_of,
    text_of,
)
from formats.json.parents import Parent, within_parents
from formats.json.word_items import cut_text
from formats.spec import FormatSpec, Sniff

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from formats.head import Head
    from formats.json.document import JsonValue
    from formats.model import Segment
    from formats.source import Source

__all__ = ["SPEC", "read", "sniff"]

START, END = ("start",), ("end",)
KNOWN_WORD = frozenset(
    {
        "word", "start", "end", "confidence", "punctuated_word", "speaker", "speaker_confidence",
        "language", "sentiment", "sentiment_score",
    }
)  # fmt: skip
KNOWN_ALTERNATIVE = frozenset(
    {"transcript", "confidence", "words", "paragraphs", "languages", "entities", "summaries",
     "topics", "translations"}
)  # fmt: skip


def read(source: Source) -> Iterator[Segment]:
    """The segments of one transcript, or of the final messages of a stream.

    Raises
    ------
    SyntaxFormatError: an error message of the service; no final result; no words; members missing
        or of a wrong type.
    """
    document = JsonDocument(source, streams=True)
    answer = Answer(source, "Deepgram", "DEEPGRAM")
    for value in messages(document):
        refuse_error(value, "err_msg", "err_code", "error")
        if text_of(value, "type") == "Error":
            raise value.error(
                "a transcript", f"an error of the service: {text_of(value, 'description')}"
            )
        metadata = value.get("metadata")
        if metadata is not None and metadata.has("duration"):
            answer.set_duration(metadata.required("duration").nanoseconds())
        if value.has("type") and not value.has("results"):
            yield from _message(value, answer)
        else:
            answer.require_alone(value)
            yield from _transcript(value.required("results"), answer)
    answer.finish(document)


def _transcript(results: JsonValue, answer: Answer) -> Iterator[Segment]:
    channels = list(results.required("channels").elements())
    parents: dict[str, list[Parent]] = {}

    def take(utterance: JsonValue) -> None:
        channel = name_of(utterance, "channel") or "0"
        parents.setdefault(channel, []).append(_utterance(utterance))

    answer.each(results.elements("utterances"), take)
    for index, channel in enumerate(channels):
        own = parents.pop(str(index), [])
        yield from _channel(channel, str(index), len(channels) > 1, own, answer)
    if parents:
        count = sum(map(len, parents.values()))
        answer.source.log.warn("DEEPGRAM-CHANNEL", f"utterances of no channel, not read: {count}")


def _utterance(value: JsonValue) -> Parent:
    start_ns, end_ns = span_of(value, START, END)
    places = [span_of(word, START, END) for word in value.elements("words")]
    return Parent(start_ns, end_ns, confidence_of(value, "confidence"), places)


def _channel(
    value: JsonValue, channel: str, is_one_of_several: bool, parents: list[Parent], answer: Answer
) -> Iterator[Segment]:
    alternatives = list(value.elements("alternatives"))
    if not alternatives:
        return
    best, *others = alternatives
    best.expect_members(KNOWN_ALTERNATIVE)
    words = _words(best, f"ch{channel}:" if is_one_of_several else "", answer)
    nbest = [hypothesis(confidence_of(a, "confidence"), text_of(a, "transcript") or "")
             for a in others]  # fmt: skip
    checked_hypotheses(value, nbest)
    properties = answer.other_language(text_of(value, "detected_language"))
    if parents:
        yield from within_parents(words, parents, answer, channel, properties)
        if nbest:
            answer.source.log.warn(
                "NBEST-TURNS",
                f"other hypotheses of a channel cut into utterances, not kept: {len(nbest)}",
            )
    elif words:
        confidence = confidence_of(best, "confidence")
        yield from answer.turns(
            words, channel=channel, confidence=confidence, properties=properties, nbest=nbest
        )


def _words(alternative: JsonValue, prefix: str, answer: Answer) -> list[SpokenWord]:
    """The words of an alternative, timed, or those of its text."""
    made: list[SpokenWord] = []

    def take(word: JsonValue) -> None:
        word.expect_members(KNOWN_WORD)
        speaker = name_of(word, "speaker")
        made.append(
            SpokenWord(
                required_text(word, "word"),
                *span_of(word, START, END),
                confidence_of(word, "confidence"),
                text_of(word, "punctuated_word"),
                speaker=None if speaker is None else prefix + speaker,
                language=text_of(word, "language"),
            )
        )

    answer.each(alternative.elements("words"), take)
    if alternative.has("words") and made:
        return made
    return [SpokenWord(word) for word in cut_text(text_of(alternative, "transcript") or "")]


def _message(value: JsonValue, answer: Answer) -> Iterator[Segment]:
    """The segment of a live message, if it is a final result that holds words."""
    if text_of(value, "type") != "Results":
        return
    final = value.get("is_final")
    if final is None or not final.flag():
        answer.counts.partial += 1
        return
    start = value.required("start").nanoseconds()
    length = value.get("duration")
    end = None if length is None else start + length.nanoseconds()
    index = next(value.elements("channel_index"), None)
    channel = None if index is None else index.name()
    total = [v.whole() for v in value.elements("channel_index")][1:]
    alternatives = list(value.required("channel").elements("alternatives"))
    if not alternatives:
        return
    best, *others = alternatives
    words = _words(best, f"ch{channel}:" if total and total[0] > 1 else "", answer)
    if not words:
        answer.silent += 1
        return
    nbest = [hypothesis(confidence_of(a, "confidence"), text_of(a, "transcript") or "")
             for a in others]  # fmt: skip
    yield from answer.turns(
        words,
        channel=channel,
        start_ns=start,
        end_ns=end,
        confidence=confidence_of(best, "confidence"),
        nbest=checked_hypotheses(value, nbest),
    )


def sniff(head: Head) -> Sniff:
    """Sure of ``results.channels``, and of live messages with a ``channel``."""
    top = head.json
    if isinstance(top, list):
        top = next((v for v in top if isinstance(v, dict) and "channel" in v), None)
    if not isinstance(top, dict):
        return Sniff.NO
    results = top.get("results")
    if isinstance(results, dict):
        return Sniff.SURE if isinstance(results.get("channels"), list) else Sniff.NO
    channel = top.get("channel")
    if isinstance(channel, dict) and "alternatives" in channel:
        return Sniff.SURE
    if top.get("type") == "Results" and "channel_index" in top:
        return Sniff.SURE
    if "err_code" in top or "err_msg" in top:
        return Sniff.SURE
    if top.get("type") in ("Metadata", "SpeechStarted", "UtteranceEnd"):
        return Sniff.SURE
    metadata = top.get("metadata")
    is_deepgram = isinstance(metadata, dict) and {"request_id", "channels"} <= set(metadata)
    return Sniff.SURE if is_deepgram else Sniff.NO


SPEC = FormatSpec(
    title="Deepgram JSON: transcripts and live messages",
    sign='"results" with "channels"',
    read=read,
    write=None,
    sniff=sniff,
    holds=(),
    manual="Timed words by channel, with utterances as segments where there are some.",
)
