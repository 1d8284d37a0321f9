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

from formats.json.answer import Answer, messages
from formats.json.aws_batch import read_batch
from formats.json.aws_events import read_analytics, read_event
from formats.json.aws_writer import write
from formats.json.document import JsonDocument
from formats.json.members import message_of, refuse_error, require_success
from formats.spec import FormatSpec, Option, Sniff

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from formats.head import Head
    from formats.json.document import JsonValue
    from formats.model import Segment
    from formats.source import Source

__all__ = ["SPEC", "read", "sniff", "write"]


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


def sniff(head: Head) -> Sniff:
    """Sure of ``results.transcripts``, turns with ``BeginOffsetMillis``, and events of a stream."""
    top = head.json
    if isinstance(top, list):
        top = next(iter(top), None)
    if not isinstance(top, dict):
        return Sniff.NO
    results = top.get("results")
    if isinstance(results, dict) and isinstance(results.get("transcripts"), list):
        return Sniff.SURE
    if isinstance(results, dict) and isinstance(results.get("items"), list):
        return Sniff.SURE if _is_item(results["items"]) else Sniff.NO
    if "TranscriptEvent" in top or "UtteranceEvent" in top or "JobStatus" in top:
        return Sniff.SURE
    if "TranscriptionJob" in top or "CallAnalyticsJob" in top:
        return Sniff.SURE
    if "jobName" in top and {"accountId", "status", "results"} & set(top):
        return Sniff.SURE
    transcript = top.get("Transcript")
    if isinstance(transcript, dict):
        return Sniff.SURE if isinstance(transcript.get("Results"), list) else Sniff.NO
    if isinstance(transcript, list) and transcript and isinstance(transcript[0], dict):
        return Sniff.SURE if "BeginOffsetMillis" in transcript[0] else Sniff.MAYBE
    return Sniff.NO


def _is_item(items: list[object]) -> bool:
    first = next(iter(items), None)
    return isinstance(first, dict) and "type" in first and "alternatives" in first


SPEC = FormatSpec(
    title="AWS Transcribe JSON: batch, Call Analytics, streaming events",
    sign='"results" with "transcripts" and "items"',
    read=read,
    write=write,
    sniff=sniff,
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
    write_options=(Option("precision", 3, "decimals of times", tuple(range(10))),),
    manual="The words of a job as items with texts for numbers, with speakers and channels.",
)
