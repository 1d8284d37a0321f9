"""aws: what AWS Transcribe answers: batch transcripts, Call Analytics, events of a stream.

==========================================  =================================================
its word                                    ours
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
from formats.json.document import JsonDocument
from formats.json.record import Name, Number, Record, WrongError
from formats.json.spoken_words import SpokenWord, WordRun, plain_words
from formats.spec import FormatSpec, decimals

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from formats.json.document import JsonValue
    from formats.model import Segment
    from formats.source import Source

__all__ = ["SPEC", "read", "write"]


class CallItem(Record, rename="pascal"):
    """A word or a mark of Call Analytics (milliseconds) or of an event (seconds)."""

    content: str
    type: str | None = None
    begin_offset_millis: Number = None
    end_offset_millis: Number = None
    start_time: Number = None
    end_time: Number = None
    confidence: Number = None
    speaker: Name = None


def read(source: Source) -> Iterator[Segment]:
    """The segments of one transcript, or of the final results of a stream's events.

    Raises
    ------
    SyntaxFormatError: a job that failed or is not finished, with the service's message; no final
        result; no words; members missing or of a wrong type.
    """
    document = JsonDocument(source, streams=True)
    answer = Answer(source, "AWS Transcribe", "AWS")
    for value in messages(document):
        _refuse_description(value)
        if value.has("results") or value.has("jobName"):
            answer.require_alone(value)
            yield from read_batch(value, answer)
        elif isinstance(transcript_in(value), list) or value.has("JobStatus"):
            answer.require_alone(value)
            yield from read_analytics(value, answer)
        else:
            refuse_error(value, "Message", "message", "__type")
            yield from read_event(value, answer)
    answer.finish(document)


def transcript_in(value: JsonValue) -> object:
    """The member ``Transcript``: a list in Call Analytics, an object in events."""
    found = value.get("Transcript")
    return None if found is None else found.value


def _refuse_description(value: JsonValue) -> None:
    """Refuse what describes a job instead of holding its transcript."""
    for name in ("TranscriptionJob", "CallAnalyticsJob"):
        job = value.get(name)
        if job is None:
            continue
        require_success(job, (f"{name}Status",), ("COMPLETED",), ("FailureReason",))
        message = message_of(job, "FailureReason")
        found = "the description of a job" + (f": {message}" if message else "")
        raise job.error("a transcript", f"{found}; the transcript is a file of its own")


def read_analytics(value: JsonValue, answer: Answer) -> Iterator[Segment]:
    """The turns of a Call Analytics transcript; its times are milliseconds.

    The speaker is the participant's role (``AGENT``, ``CUSTOMER``), or where none is said the id.

    Raises
    ------
    SyntaxFormatError: the job failed; members missing or of a wrong type.
    """
    require_success(value, ("JobStatus",), ("COMPLETED",), ("FailureReason",))
    answer.set_property("language", value.text_of("LanguageCode"))
    roles = {
        p.name_of("ParticipantId"): p.text_of("ParticipantRole")
        for p in value.elements("Participants")
    }
    turns = value.elements("Transcript")
    yield from answer.gather(turns, lambda turn: [_analytics_turn(turn, answer, roles)])


def _analytics_turn(
    turn: JsonValue, answer: Answer, roles: dict[str | None, str | None]
) -> Segment:
    start_ns, end_ns = turn.span_of("BeginOffsetMillis", "EndOffsetMillis", per_second=1000)
    participant = turn.name_of("ParticipantId")
    role = turn.text_of("ParticipantRole") or roles.get(participant)
    run = WordRun()

    def take(item: CallItem) -> None:
        _add_item(item, run, item.span("begin_offset_millis", "end_offset_millis", 1000))

    answer.each(turn, "Items", CallItem, take)
    run.close()
    if not turn.has("Items"):
        run.extend(plain_words(turn.text_of("Content", "Transcript")))
    return answer.segment(
        run,
        speaker=role or participant,
        start_ns=start_ns,
        end_ns=end_ns,
        properties={"participant": participant} if role and participant else {},
    )


def _add_item(item: CallItem, run: WordRun, span: tuple[int | None, int | None]) -> None:
    """Add the word or the mark of an item of either kind of file."""
    kind = (item.type or "pronunciation").lower()
    if kind == "punctuation" or (item.type is None and item.content in tuple(".,?!;:")):
        run.mark(item.content)
    elif kind != "pronunciation":
        raise WrongError("type", '"pronunciation" or "punctuation"')
    else:
        speaker = item.name_of("speaker")
        run.add(SpokenWord(item.content, *span, item.sureness(), speaker=speaker))


def read_event(value: JsonValue, answer: Answer) -> Iterator[Segment]:
    """The final results of one event of a stream, or nothing.

    Raises
    ------
    SyntaxFormatError: the event is an exception of the service, or of no known kind.
    """
    for name, member in value.members():
        if name.endswith("Exception"):
            message = member.text_of("Message", "message") or ""
            raise member.error("a transcript event", f"{name}: {message}")
    event = value.get("TranscriptEvent") or value
    utterance = value.get("UtteranceEvent")
    if utterance is not None:
        if (partial := utterance.get("IsPartial")) is not None and partial.flag():
            answer.partial += 1
        else:
            yield _analytics_turn(utterance, answer, {})
        return
    if value.has("CategoryEvent"):
        return
    results = event.required("Transcript").elements("Results")
    yield from answer.gather(results, lambda result: _result(result, answer))


def _result(result: JsonValue, answer: Answer) -> Iterator[Segment]:
    partial = result.get("IsPartial")
    if partial is not None and partial.flag():
        answer.partial += 1
        return
    best = next(result.elements("Alternatives"), None)
    start_ns, end_ns = result.span_of("StartTime", "EndTime")
    if best is None:
        return
    run = WordRun()

    def take(item: CallItem) -> None:
        _add_item(item, run, item.span("start_time", "end_time"))

    answer.each(best, "Items", CallItem, take)
    run.close()
    if not best.has("Items"):
        run.extend(plain_words(best.text_of("Transcript")))
    heard = [
        tuple(cut_text(a.text_of("Transcript") or "")) for a in result.elements("Alternatives")
    ]
    nbest = [(None, words) for words in heard[1:]]
    yield from answer.turns(
        run,
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
    holds=(
        "words",
        "channels",
        "speakers",
        "segment times",
        "word times",
        "confidences",
        "display forms",
        "segment boundaries",
    ),
    needs=("word times",),
    write_options=(decimals(),),
    manual="The words of a job as items with texts for numbers, with speakers and channels.",
)
