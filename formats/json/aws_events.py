"""The other answers of AWS Transcribe: Call Analytics, and the events of a stream."""

from __future__ import annotations

from formats.json.answer import Answer, SpokenWord, WordRun
from formats.json.members import (
    checked_hypotheses,
    confidence_of,
    hypothesis,
    name_of,
    require_success,
    span_of,
    text_of,
)
from formats.json.word_items import cut_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from formats.json.document import JsonValue
    from formats.model import Segment

__all__ = ["read_analytics", "read_event"]

BEGIN_MS, END_MS = ("BeginOffsetMillis",), ("EndOffsetMillis",)
START, END = ("StartTime",), ("EndTime",)


def read_analytics(value: JsonValue, answer: Answer) -> Iterator[Segment]:
    """The turns of a Call Analytics transcript; its times are milliseconds.

    The speaker is the participant's role (``AGENT``, ``CUSTOMER``), or where none is said the id.

    Raises
    ------
    SyntaxFormatError: the job failed; members missing or of a wrong type.
    """
    require_success(value, ("JobStatus",), ("COMPLETED",), ("FailureReason",))
    answer.set_property("language", text_of(value, "LanguageCode"))
    roles = {
        name_of(p, "ParticipantId"): text_of(p, "ParticipantRole")
        for p in value.elements("Participants")
    }
    made: list[Segment] = []

    def take(turn: JsonValue) -> None:
        made.append(_analytics_turn(turn, answer, roles))

    answer.each(value.elements("Transcript"), take)
    yield from made


def _analytics_turn(
    turn: JsonValue, answer: Answer, roles: dict[str | None, str | None]
) -> Segment:
    start_ns, end_ns = span_of(turn, BEGIN_MS, END_MS, per_second=1000)
    participant = name_of(turn, "ParticipantId")
    role = text_of(turn, "ParticipantRole") or roles.get(participant)
    run = WordRun()

    def take(item: JsonValue) -> None:
        _take_item(item, run, span_of(item, BEGIN_MS, END_MS, per_second=1000))

    answer.each(turn.elements("Items"), take)
    run.close()
    if not turn.has("Items"):
        text = text_of(turn, "Content", "Transcript") or ""
        run.extend(SpokenWord(word) for word in cut_text(text))
    return answer.segment(
        run,
        speaker=role or participant,
        start_ns=start_ns,
        end_ns=end_ns,
        properties={"participant": participant} if role and participant else {},
    )


def _take_item(item: JsonValue, run: WordRun, span: tuple[int | None, int | None]) -> None:
    """Add the word or the mark of an item of either kind of file."""
    kind = (text_of(item, "Type") or "pronunciation").lower()
    content = item.required("Content").text()
    if kind == "punctuation":
        run.mark(content)
        return
    if kind != "pronunciation":
        raise item.required("Type").error('"pronunciation" or "punctuation"')
    if not item.has("Type") and _is_mark(content):
        run.mark(content)
        return
    confidence = confidence_of(item, "Confidence")
    run.add(SpokenWord(content, *span, confidence, speaker=name_of(item, "Speaker")))


def _is_mark(content: str) -> bool:
    return content in tuple(".,?!;:")


def read_event(value: JsonValue, answer: Answer) -> Iterator[Segment]:
    """The final results of one event of a stream, or nothing.

    Raises
    ------
    SyntaxFormatError: the event is an exception of the service, or of no known kind.
    """
    for name, member in value.members():
        if name.endswith("Exception"):
            message = text_of(member, "Message", "message") or ""
            raise member.error("a transcript event", f"{name}: {message}")
    event = value.get("TranscriptEvent") or value
    utterance = value.get("UtteranceEvent")
    if utterance is not None:
        if (partial := utterance.get("IsPartial")) is not None and partial.flag():
            answer.counts.partial += 1
        else:
            yield _analytics_turn(utterance, answer, {})
        return
    if value.has("CategoryEvent"):
        return
    made: list[Segment] = []

    def take(result: JsonValue) -> None:
        partial = result.get("IsPartial")
        if partial is not None and partial.flag():
            answer.counts.partial += 1
            return
        made.extend(_result(result, answer))

    answer.each(event.required("Transcript").elements("Results"), take)
    yield from made


def _result(result: JsonValue, answer: Answer) -> Iterator[Segment]:
    start_ns, end_ns = span_of(result, START, END)
    alternatives = list(result.elements("Alternatives"))
    if not alternatives:
        return
    best = alternatives[0]
    run = WordRun()

    def take(item: JsonValue) -> None:
        _take_item(item, run, span_of(item, START, END))

    answer.each(best.elements("Items"), take)
    run.close()
    if not best.has("Items"):
        run.extend(SpokenWord(word) for word in cut_text(text_of(best, "Transcript") or ""))
    others = [hypothesis(None, text_of(a, "Transcript") or "") for a in alternatives[1:]]
    yield from answer.turns(
        run,
        channel=name_of(result, "ChannelId"),
        start_ns=start_ns,
        end_ns=end_ns,
        properties=answer.other_language(text_of(result, "LanguageCode")),
        nbest=checked_hypotheses(result, others),
    )
