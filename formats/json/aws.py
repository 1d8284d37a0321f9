"""aws: what AWS Transcribe answers: batch transcripts, Call Analytics, events of a stream.

==========================================  =================================================
in the file                                 in the schema
==========================================  =================================================
item of type ``pronunciation``              a word; ``alternatives[0].content`` as written
item of type ``punctuation``                added to the display form of the word before
``speaker_label``, ``speaker_labels``       `Segment.speaker`, literal: ``spk_0``, ``0``
``channel_label``, ``ChannelId``            `Segment.channel`
``audio_segments``                          segments, with their times
``segments`` with several alternatives      `Segment.nbest`
``ParticipantRole``                         `Segment.speaker` of Call Analytics
``language_code``                           property ``language`` of the file
==========================================  =================================================

The recording is the file's stem: the name of a job is nobody's name for a recording. Times of
batch transcripts and streams are seconds (texts and numbers), those of Call Analytics
milliseconds. Where there are channels, only their items are read: the top-level ones repeat them.

Where known scripts differ: they look words up in `speaker_labels` by position and lose the speaker
where a segment repeats items, and they write punctuation as words.
"""

from __future__ import annotations

from collections.abc import Iterator

from formats.json.answer import (
    Answer,
    checked_hypotheses,
    message_of,
    messages,
    refuse_error,
    require_success,
)
from formats.json.aws_batch import read_batch
from formats.json.aws_writer import write
from formats.json.displays import cut_text
from formats.json.shapes import WordShape
from formats.json.spoken_words import WordRun, plain_words
from formats.json.value import JsonDocument, JsonValue
from formats.model import Segment
from formats.source import Source
from formats.spec import FormatSpec, decimals

CALL_ITEM = WordShape(
    "Content", start="BeginOffsetMillis", end="EndOffsetMillis", confidence="Confidence",
    speaker="Speaker", others="*", per_second=1000,
)  # fmt: skip
EVENT_ITEM = WordShape(
    "Content", start="StartTime", end="EndTime", confidence="Confidence", speaker="Speaker",
    others="*",
)  # fmt: skip


def read(source: Source) -> Iterator[Segment]:
    """The segments of one transcript, or of the final results of a stream's events."""
    document = JsonDocument(source, streams=True)
    answer = Answer(source, "AWS Transcribe", "AWS")
    for value in messages(document):
        _refuse_description(value)
        transcript = value.get("Transcript")
        if value.has("results") or value.has("jobName"):
            answer.require_alone(value)
            yield from read_batch(value, answer)
        elif value.has("JobStatus") or (transcript and isinstance(transcript.value, list)):
            answer.require_alone(value)
            yield from _analytics(value, answer)
        else:
            refuse_error(value, "Message", "message", "__type")
            yield from _event(value, answer)
    answer.finish(document)


def _refuse_description(value: JsonValue) -> None:
    """Reject what describes a job instead of holding its transcript."""
    for name in ("TranscriptionJob", "CallAnalyticsJob"):
        job = value.get(name)
        if job is None:
            continue
        require_success(job, (f"{name}Status",), ("COMPLETED",), ("FailureReason",))
        message = message_of(job, "FailureReason")
        shown = "the description of a job" + (f": {message}" if message else "")
        raise job.error("a transcript", f"{shown}; the transcript is a file of its own")


def _analytics(value: JsonValue, answer: Answer) -> Iterator[Segment]:
    """The turns of a Call Analytics transcript; its times are milliseconds.

    The speaker is the participant's role (``AGENT``, ``CUSTOMER``), or without a role the id.
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
    start_ns, end_ns = turn.span_of("BeginOffsetMillis", "EndOffsetMillis", per_second=1000)
    participant = turn.name_of("ParticipantId")
    role = turn.text_of("ParticipantRole") or roles.get(participant)
    words = _run(turn, answer, CALL_ITEM)
    if not turn.has("Items"):
        words.extend(plain_words(turn.text_of("Content", "Transcript")))
    return answer.segment(
        words,
        speaker=role or participant,
        start_ns=start_ns,
        end_ns=end_ns,
        properties={"participant": participant} if role and participant else {},
    )


def _run(owner: JsonValue, answer: Answer, shape: WordShape) -> WordRun:
    """The words of the items, with the marks."""
    run = WordRun()

    def take(item: JsonValue) -> None:
        word = shape.read(item)
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
    """The final results of one event of a stream, or nothing."""
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
    heard = list(result.elements("Alternatives"))
    start_ns, end_ns = result.span_of("StartTime", "EndTime")
    if not heard:
        return
    words = _run(heard[0], answer, EVENT_ITEM)
    if not heard[0].has("Items"):
        words.extend(plain_words(heard[0].text_of("Transcript")))
    nbest = [(None, tuple(cut_text(other.text_of("Transcript") or ""))) for other in heard[1:]]
    yield from answer.turns(
        words,
        channel=result.name_of("ChannelId"),
        start_ns=start_ns,
        end_ns=end_ns,
        properties=answer.other_language(result.text_of("LanguageCode")),
        nbest=checked_hypotheses(result, nbest),
    )


SPEC = FormatSpec(
    title="AWS Transcribe JSON: batch, Call Analytics, streaming events",
    sign='"results" with "transcripts" and "items"',
    read=read,
    write=write,
    holds=("words", "channels", "speakers", "segment times", "word times", "confidences",
           "display forms", "segment boundaries"),
    needs=("word times",),
    write_options=(decimals(),),
    manual="The words of a job as items with texts for numbers, with speakers and channels.",
)  # fmt: skip
