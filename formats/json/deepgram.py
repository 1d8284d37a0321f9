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

from formats.json.answer import Answer, checked_hypotheses, messages, refuse_error
from formats.json.displays import cut_text
from formats.json.document import JsonDocument
from formats.json.record import Name, Number, Record
from formats.json.spoken_words import Parent, SpokenWord, plain_words
from formats.spec import FormatSpec, Sniff

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from formats.beginning import Head
    from formats.json.document import JsonValue
    from formats.json.spoken_words import Hypothesis
    from formats.model import Segment
    from formats.source import Source

__all__ = ["SPEC", "read", "sniff"]


class Word(Record):
    """A word; `Utterance` repeats it."""

    unread = frozenset({"speaker_confidence", "sentiment", "sentiment_score"})

    word: str
    start: Number = None
    end: Number = None
    confidence: Number = None
    punctuated_word: str | None = None
    speaker: Name = None
    language: str | None = None


class Place(Record):
    """The times of a word in an utterance."""

    start: Number = None
    end: Number = None


class Utterance(Record):
    """A stretch of one speaker in one channel, the first where it names none."""

    channel: Name = None
    start: Number = None
    end: Number = None
    confidence: Number = None
    words: list[Place] | None = None


class Other(Record):
    """Another hypothesis of a channel."""

    transcript: str | None = None
    confidence: Number = None

    def hypothesis(self) -> Hypothesis:
        """Confidence and words."""
        return self.sureness(), tuple(cut_text(self.transcript or ""))


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
        if value.text_of("type") == "Error":
            raise value.error(
                "a transcript", f"an error of the service: {value.text_of('description')}"
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

    def take(one: Utterance) -> None:
        places = [word.span() for word in one.words or ()]
        channel = str(0 if one.channel is None else one.channel)
        parents.setdefault(channel, []).append(Parent(*one.span(), one.sureness(), places))

    answer.each(results, "utterances", Utterance, take)
    for index, channel in enumerate(channels):
        own = parents.pop(str(index), [])
        yield from _channel(channel, str(index), len(channels) > 1, own, answer)
    if parents:
        count = sum(map(len, parents.values()))
        answer.source.log.warn("DEEPGRAM-CHANNEL", f"utterances of no channel, not read: {count}")


def _channel(
    value: JsonValue, channel: str, is_one_of_several: bool, parents: list[Parent], answer: Answer
) -> Iterator[Segment]:
    words, nbest = _hypotheses(value, f"ch{channel}:" if is_one_of_several else "", answer)
    properties = answer.other_language(value.text_of("detected_language"))
    if parents:
        yield from answer.within_parents(words, parents, channel, properties)
        if nbest:
            answer.source.log.warn(
                "NBEST-TURNS",
                f"other hypotheses of a channel cut into utterances, not kept: {len(nbest)}",
            )
    elif words:
        sure = next(value.elements("alternatives")).confidence_of("confidence")
        yield from answer.turns(
            words, channel=channel, confidence=sure, properties=properties, nbest=nbest
        )


def _hypotheses(
    value: JsonValue, prefix: str, answer: Answer
) -> tuple[list[SpokenWord], list[Hypothesis]]:
    """The words of the first alternative, timed, or those of its text; and the others."""
    best = next(value.elements("alternatives"), None)
    if best is None:
        return [], []
    best.expect_members(KNOWN_ALTERNATIVE)
    made: list[SpokenWord] = []

    def take(word: Word) -> None:
        speaker = None if word.speaker is None else f"{prefix}{word.speaker}"
        made.append(
            SpokenWord(
                word.word, *word.span(), word.sureness(), word.punctuated_word,
                speaker=speaker, language=word.language,
            )
        )  # fmt: skip

    answer.each(best, "words", Word, take)
    nbest = value.taken("alternatives", Other, Other.hypothesis)[1:]
    words = made or plain_words(best.text_of("transcript"))
    return words, list(checked_hypotheses(value, nbest))


def _message(value: JsonValue, answer: Answer) -> Iterator[Segment]:
    """The segment of a live message, if it is a final result that holds words."""
    if value.text_of("type") != "Results":
        return
    final = value.get("is_final")
    if final is None or not final.flag():
        answer.partial += 1
        return
    start = value.required("start").nanoseconds()
    length = value.get("duration")
    end = None if length is None else start + length.nanoseconds()
    index = next(value.elements("channel_index"), None)
    channel = None if index is None else index.name()
    total = [v.whole() for v in value.elements("channel_index")][1:]
    inner = value.required("channel")
    if next(inner.elements("alternatives"), None) is None:
        return
    words, nbest = _hypotheses(inner, f"ch{channel}:" if total and total[0] > 1 else "", answer)
    if not words:
        answer.silent += 1
        return
    yield from answer.turns(
        words,
        channel=channel,
        start_ns=start,
        end_ns=end,
        confidence=next(inner.elements("alternatives")).confidence_of("confidence"),
        nbest=nbest,
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
    sniff=sniff,
    manual="Timed words by channel, with utterances as segments where there are some.",
)
