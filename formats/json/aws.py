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

from collections.abc import Iterator, Sequence
from typing import Any
from unicodedata import category

from formats.detection.spec import FormatSpec, SegmentSource, decimals
from formats.io.sink import Sink
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
from formats.json.output import json_text
from formats.json.shapes import WordShape
from formats.json.spoken_words import WordRun, plain_words
from formats.json.value import JsonValue
from formats.schema.errors import LossError, quoted
from formats.schema.model import Segment
from formats.schema.times import format_time
from formats.schema.words import Token
from formats.writing.out import Out, decimal_text

CALL_ITEM = WordShape(
    "Content", start="BeginOffsetMillis", end="EndOffsetMillis", confidence="Confidence",
    speaker="Speaker", others="*", per_second=1000,
)  # fmt: skip
EVENT_ITEM = WordShape(
    "Content", start="StartTime", end="EndTime", confidence="Confidence", speaker="Speaker",
    others="*",
)  # fmt: skip


def read(value: JsonValue, answer: Answer) -> Iterator[Segment]:
    """The segments of one transcript, or of the final results of a stream's events."""
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
    """The turns of a Call Analytics transcript; speakers are roles, or without a role ids."""
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


def write(segments: SegmentSource, sink: Sink, *, precision: int = 3) -> None:
    """Write the transcript of a recording: transcripts, items, speaker labels, audio segments."""
    rows = list(segments)
    if not any(segment.words for segment in rows):
        raise LossError(
            path=segments.source,
            expected="words: a transcript without any is treated as a failed job",
            found="none",
        )
    transcript = _Transcript(precision)
    for segment in rows:
        out = Out(segment, sink)
        if (segment.channel is None) != (rows[0].channel is None):
            raise out.refuse("a channel for all segments or none", "both")
        if segment.start_ns is None and segment.end_ns is not None:
            raise out.refuse("a start beside the end", "none")
        transcript.add(out)
    language = dict(segments.properties).get("language")
    for line in transcript.lines(rows[0].recording, language):
        sink.write(line)


class _Transcript:
    """The parts of the transcript, collected segment by segment."""

    def __init__(self, precision: int) -> None:
        self.precision = precision
        self.items: list[dict[str, Any]] = []
        self.channels: dict[str, list[dict[str, Any]]] = {}
        self.turns: list[dict[str, Any]] = []
        self.audio: list[dict[str, Any]] = []

    def add(self, out: Out) -> None:
        """Add the words of a segment, its turn and its audio segment."""
        segment, first = out.segment, len(self.items)
        labels = out.present(speaker_label="speaker", channel_label="channel")
        words = [self._add_word(out, token, labels) for token in segment.all_tokens()]
        pairs = {"start_time": segment.start_ns, "end_time": segment.end_ns}
        times = {n: out.time(t, self.precision) for n, t in pairs.items() if t is not None}
        text = " ".join(word for word, _ in words)
        head = {"id": len(self.audio), "transcript": text}
        numbers = list(range(first, len(self.items)))
        self.audio.append({**head, **times, **labels, "items": numbers})
        if segment.speaker is not None:
            speaker = {"speaker_label": segment.speaker}
            items = [{**span, **speaker} for _, span in words]
            # speaker labels always have times
            starts = [time for time in segment.starts_ns or () if time is not None]
            ends = [time for time in segment.ends_ns or () if time is not None]
            extent = min(starts, default=0), max(ends, default=0)
            texts = [format_time(time, self.precision) for time in extent]
            times = times or dict(zip(pairs, texts, strict=True))
            self.turns.append({**times, **speaker, "items": items})
        if segment.channel is not None:
            self.channels.setdefault(segment.channel, []).extend(self.items[first:])

    def _add_word(
        self, out: Out, token: Token, labels: dict[str, str]
    ) -> tuple[str, dict[str, str]]:
        """Add one word and the marks after it; returns its text with them, and its times."""
        if token.start_ns is None or token.end_ns is None:
            raise out.refuse("a word with times", quoted(token.text))
        out.no_empty_word()
        times = {
            "start_time": out.time(token.start_ns, self.precision),
            "end_time": out.time(token.end_ns, self.precision),
        }
        sure = token.confidence
        choice = {} if sure is None else {"confidence": decimal_text(sure)}
        self._add_item("pronunciation", {**times, **labels}, {**choice, "content": token.text})
        mark = _mark(out, token)
        if mark:
            self._add_item("punctuation", labels, {"confidence": "0.0", "content": mark})
        return token.text + mark, times

    def _add_item(self, kind: str, members: dict[str, str], choice: dict[str, str]) -> None:
        head = {"id": len(self.items), "type": kind}
        self.items.append({**head, **members, "alternatives": [choice]})

    def lines(self, recording: str, language: str | None) -> Iterator[str]:
        """The document, a record to a line."""
        head = json_text({"jobName": recording, "accountId": "", "status": "COMPLETED"})
        yield f'{head[:-1]}, "results": {{\n'
        if language is not None:
            yield f'"language_code": {json_text(language)},\n'
        text = " ".join(filter(None, (record["transcript"] for record in self.audio)))
        yield f'"transcripts": [{json_text({"transcript": text})}],\n'
        if self.turns:
            speakers = len({turn["speaker_label"] for turn in self.turns})
            yield f'"speaker_labels": {{"speakers": {speakers}, "segments": [\n'
            yield f"{_listed(self.turns)}]}},\n"
        if self.channels:
            lists = [
                f'{{"channel_label": {json_text(channel)}, "items": [\n{_listed(items)}]}}'
                for channel, items in self.channels.items()
            ]
            yield '"channel_labels": {"channels": [\n' + ",\n".join(lists) + "\n"
            yield f'], "number_of_channels": {len(self.channels)}}},\n'
        yield f'"items": [\n{_listed(self.items)}],\n"audio_segments": [\n'
        yield f"{_listed(self.audio)}]}}}}\n"


def _listed(records: Sequence[dict[str, Any]]) -> str:
    lines = ",\n".join(map(json_text, records))
    return f"{lines}\n" if records else ""


def _mark(out: Out, token: Token) -> str:
    """The punctuation that the display form adds at the end of the word."""
    display = token.display
    if display is None or display == token.text:
        return ""
    mark = display[len(token.text) :]
    if display.startswith(token.text) and all(category(sign)[0] in "PS" for sign in mark):
        return mark
    out.lost("display forms", 1, "only marks after a word are kept")
    return ""


SPEC = FormatSpec(
    title="AWS Transcribe JSON: batch, Call Analytics, streaming events",
    sign='"results" with "transcripts" and "items"', write=write,
    read=reader("AWS Transcribe", "AWS", read),
    holds=("words", "channels", "speakers", "segment times", "word times", "confidences",
           "display forms", "segment boundaries"),
    needs=("word times",),
    write_options=(decimals(),),
)  # fmt: skip
