"""aws: AWS transcripts: Transcribe (batch and stream), Call Analytics, Bedrock.

==========================================  =================================================
in the file                                 in the schema
==========================================  =================================================
item of type ``pronunciation``              a word; ``alternatives[0].content`` as written
item of type ``punctuation``                added to the display form of the word before
``speaker_label``, ``speaker_labels``       `Segment.speaker`, unchanged: ``spk_0``, ``0``
``channel_label``, ``ChannelId``            `Segment.channel`
``audio_segments``                          segments, with their times
``segments`` with several alternatives      `Segment.nbest`
``ParticipantRole``                         `Segment.speaker` of Call Analytics
``audio_items``                             words and marks of Bedrock Data Automation; its
                                            ``audio_segments`` refer to them by index
``language_code``                           property ``language`` of the file
==========================================  =================================================

The recording is the stem of the file name, because job names do not name recordings. Times are
seconds in batch transcripts and streams (texts and numbers), and milliseconds in Call Analytics and
Bedrock. If there are channels, only their items are read, because the top-level items repeat them.
"""

from __future__ import annotations

from collections.abc import Iterator

from formats.detection.spec import FormatSpec
from formats.json.answer import (
    Answer,
    checked_hypotheses,
    message_of,
    reader,
    refuse_error,
    require_success,
)
from formats.json.aws_batch import read_batch
from formats.json.displays import cut_text
from formats.json.messages import AWS_ITEMS
from formats.json.shapes import Names
from formats.json.spoken_words import WordRun, plain_words
from formats.json.value import JsonValue
from formats.schema.model import Segment

CALL_ITEM = Names(
    "Content",
    "BeginOffsetMillis",
    "EndOffsetMillis",
    speaker="Speaker",
    confidence="Confidence",
    per_second=1000,
)
BEDROCK_ITEM = Names("content", "start_timestamp_millis", "end_timestamp_millis", per_second=1000)
EVENT_ITEM = Names("Content", "StartTime", "EndTime", speaker="Speaker", confidence="Confidence")


def read(value: JsonValue, answer: Answer) -> Iterator[Segment]:
    """Yield the segments of one transcript, or of the final results of a stream."""
    _refuse_description(value)
    transcript = value.get("Transcript")
    if value.has("results") or value.has("jobName"):
        answer.require_alone(value)
        yield from read_batch(value, answer)
    elif value.has("audio_segments"):
        answer.require_alone(value)
        yield from _bedrock(value, answer)
    elif value.has("JobStatus") or (transcript and isinstance(transcript.value, list)):
        answer.require_alone(value)
        yield from _analytics(value, answer)
    else:
        refuse_error(value, "Message", "message", "__type")
        yield from _event(value, answer)


def _refuse_description(value: JsonValue) -> None:
    """Reject a description of a job without a transcript."""
    for name in ("TranscriptionJob", "CallAnalyticsJob"):
        job = value.get(name)
        if job is None:
            continue
        require_success(job, (f"{name}Status",), ("COMPLETED",), ("FailureReason",))
        message = message_of(job, "FailureReason")
        shown = "the description of a job" + (f": {message}" if message else "")
        raise job.error("a transcript", f"{shown}; the transcript is a file of its own")


def _analytics(value: JsonValue, answer: Answer) -> Iterator[Segment]:
    """Yield the turns of a Call Analytics transcript.

    A speaker's name is the role, otherwise the id.
    """
    require_success(value, ("JobStatus",), ("COMPLETED",), ("FailureReason",))
    answer.set_property("language", value.text_of("LanguageCode"))
    roles = {
        p.name_of("ParticipantId"): p.text_of("ParticipantRole")
        for p in value.elements("Participants")
    }
    yield from answer.each_value(
        value, "Transcript", lambda turn: _analytics_turn(turn, answer, roles)
    )


def _analytics_turn(
    turn: JsonValue, answer: Answer, roles: dict[str | None, str | None]
) -> Segment:
    span = turn.span_of("BeginOffsetMillis", "EndOffsetMillis", per_second=1000)
    participant = turn.name_of("ParticipantId")
    role = turn.text_of("ParticipantRole") or roles.get(participant)
    words = _run(turn, answer, CALL_ITEM)
    if not turn.has("Items"):
        words.extend(plain_words(turn.text_of("Content", "Transcript")))
    properties = {"participant": participant} if role and participant else {}
    return answer.segment(
        words, speaker=role or participant, span=span,
        properties=properties,
    )  # fmt: skip


def _bedrock(value: JsonValue, answer: Answer) -> Iterator[Segment]:
    """Yield the segments of Bedrock Data Automation. A segment refers to its items by index."""
    metadata = value.inner("metadata")
    language = (metadata.text_of("dominant_asset_language") or "").lower()
    answer.set_property("language", language or None)
    items = {item.value.get("item_index"): item for item in value.elements("audio_items")}
    used: set[int] = set()

    def segment(turn: JsonValue) -> Segment:
        run = WordRun()
        for number in turn.elements("audio_item_indices"):
            if number.whole() not in items:
                raise number.error("the item_index of one of the audio_items")
            used.add(number.whole())
            _add_item(run, items[number.whole()])
        run.close()
        words = run or plain_words(turn.text_of("text"))
        spoken = (turn.text_of("language") or "").lower()
        return answer.segment(
            words,
            speaker=turn.inner("speaker").name_of("speaker_label"),
            channel=turn.inner("channel").name_of("channel_label"),
            span=turn.span_of("start_timestamp_millis", "end_timestamp_millis", per_second=1000),
            properties={"language": spoken} if spoken not in ("", language) else {},
        )

    yield from answer.each_value(value, "audio_segments", segment)
    rest = WordRun()
    for item in (item for number, item in items.items() if number not in used):
        _add_item(rest, item)
    rest.close()
    if rest:
        answer.count(AWS_ITEMS, len(rest))
        yield from answer.turns(rest)


def _add_item(run: WordRun, item: JsonValue) -> None:
    """Add a Bedrock item to a sequence of words.

    An item without times and without letters is a punctuation mark.
    """
    word = BEDROCK_ITEM.read(item)
    if word.start_ns is None and not any(map(str.isalnum, word.text)):
        run.mark(word.text)
    else:
        run.add(word)


def _run(owner: JsonValue, answer: Answer, names: Names) -> WordRun:
    """Return the words of the items, including punctuation marks."""
    run = WordRun()

    def take(item: JsonValue) -> None:
        word = names.read(item)
        kind = item.text_of("Type")
        if kind is None:
            kind = "punctuation" if word.text in tuple(".,?!;:") else "pronunciation"
        if kind.lower() == "punctuation":
            run.mark(word.text)
        elif kind.lower() == "pronunciation":
            run.add(word)
        else:
            raise item.required("Type").error('"pronunciation" or "punctuation"')

    answer.each_value(owner, "Items", take)
    run.close()
    return run


def _event(value: JsonValue, answer: Answer) -> Iterator[Segment]:
    """Yield the segments of the final results in one event of a stream."""
    for name, member in value.members():
        if name.endswith("Exception"):
            message = member.text_of("Message", "message") or ""
            raise member.error("a transcript event", f"{name}: {message}")
    event = value.get("TranscriptEvent") or value
    utterance = value.get("UtteranceEvent")
    if utterance is not None:
        if utterance.flag_of("IsPartial"):
            answer.partial += 1
        else:
            yield _analytics_turn(utterance, answer, {})
    elif not value.has("CategoryEvent"):
        results = event.required("Transcript").elements("Results")
        yield from answer.gather(results, lambda result: _result(result, answer))


def _result(result: JsonValue, answer: Answer) -> Iterator[Segment]:
    if result.flag_of("IsPartial"):
        answer.partial += 1
        return
    choices = list(result.elements("Alternatives"))
    span = result.span_of("StartTime", "EndTime")
    if not choices:
        return
    best, *others = choices
    words = _run(best, answer, EVENT_ITEM)
    if not best.has("Items"):
        words.extend(plain_words(best.text_of("Transcript")))
    nbest = [(None, tuple(cut_text(each.text_of("Transcript") or ""))) for each in others]
    yield from answer.turns(
        words,
        channel=result.name_of("ChannelId"),
        span=span,
        properties=answer.other_language(result.text_of("LanguageCode")),
        nbest=checked_hypotheses(result, nbest),
    )


SPEC = FormatSpec(
    title="AWS Transcribe JSON: batch, Call Analytics, streaming events",
    sign='"results" with "transcripts" and "items"',
    read=reader("AWS Transcribe", "AWS", read),
)
