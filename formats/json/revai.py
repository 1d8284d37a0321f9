"""revai: what Rev.ai answers: transcripts, messages of a stream; and the editor Gecko's files.

==========================  ================================================================
its word                    ours
==========================  ================================================================
monologue                   a segment, from its first to its last timed word
element ``text``            a word
element ``punct``           added to the display form of the word it touches; blanks are none
element ``unknown``         a word of kind ``unknown``
``speaker``                 `Segment.speaker`: ``0``, ``1``, …
``speaker_info``            property ``speaker_name``
message ``final``           a segment; ``partial`` is passed over
==========================  ================================================================

Words of transcripts made by people may have no times. Gecko's files have ``terms`` in place of
elements and the speaker's name and id in an object: the name is the speaker, else the id.
"""

from __future__ import annotations

from formats.json.answer import Answer, SpokenWord, WordRun, messages, with_extent
from formats.json.document import JsonDocument
from formats.json.members import (
    confidence_of,
    name_of,
    refuse_error,
    require_success,
    required_text,
    span_of,
    text_of,
)
from formats.spec import FormatSpec, Sniff

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from formats.head import Head
    from formats.json.document import JsonValue
    from formats.model import Segment
    from formats.source import Source

__all__ = ["SPEC", "read", "sniff"]

KNOWN_ELEMENT = frozenset({"type", "value", "ts", "end_ts", "confidence"})
KNOWN_TERM = frozenset({"type", "text", "start", "end", "confidence"})
KINDS = ("text", "punct", "unknown")


def read(source: Source) -> Iterator[Segment]:
    """The segments of one transcript, or of the final messages of a stream.

    Raises
    ------
    SyntaxFormatError: a failed job, with the service's message; no final result; no words; members
        missing or of a wrong type.
    """
    document = JsonDocument(source, streams=True)
    answer = Answer(source, "Rev.ai", "REVAI")
    for value in messages(document):
        reasons = ("failure_detail", "failure", "detail")
        require_success(value, ("status",), ("transcribed", "completed"), reasons)
        refuse_error(value, "error", "failure")
        kind = text_of(value, "type")
        if value.has("monologues"):
            answer.require_alone(value)
            yield from _monologues(value, answer)
        elif kind == "partial":
            answer.counts.partial += 1
        elif kind == "final":
            yield from _final(value, answer)
        elif kind != "connected":
            value.required("monologues")
    answer.finish(document)


def _monologues(value: JsonValue, answer: Answer) -> Iterator[Segment]:
    made: list[Segment] = []

    def take(monologue: JsonValue) -> None:
        if monologue.has("terms"):
            made.append(_gecko_monologue(monologue, answer))
            return
        run = _run(monologue, answer)
        answer.silent += not run
        if run:
            made.append(
                with_extent(
                    answer.segment(
                        run,
                        speaker=name_of(monologue, "speaker"),
                        properties=_speaker_properties(monologue),
                    )
                )
            )

    answer.each(value.elements("monologues"), take)
    yield from made


def _speaker_properties(monologue: JsonValue) -> dict[str, str]:
    info = monologue.get("speaker_info")
    name = None if info is None else text_of(info, "display_name", "name")
    return {"speaker_name": name} if name else {}


def _run(owner: JsonValue, answer: Answer) -> WordRun:
    """The words of the elements, with marks on the side where no blank stands between."""
    run = WordRun()
    touches = False

    def take(element: JsonValue) -> None:
        nonlocal touches
        element.expect_members(KNOWN_ELEMENT)
        type_ = element.required("type")
        text = required_text(element, "value")
        kind = type_.text()
        if kind not in KINDS:
            raise type_.error(" or ".join(KINDS))
        if kind == "punct":
            touches = _mark(text, run, touches)
            return
        confidence = confidence_of(element, "confidence")
        label = "unknown" if kind == "unknown" else None
        run.add(SpokenWord(text, *span_of(element, ("ts",), ("end_ts",)), confidence, kind=label))
        touches = True

    answer.each(owner.elements("elements"), take)
    run.close()
    return run


OPENING = frozenset("([{<«“‘¿¡\"'")


def _mark(text: str, run: WordRun, touches: bool) -> bool:
    """Add a mark; says whether what comes next touches the word before."""
    mark = text.strip()
    if mark:
        run.mark(mark, to_next=not touches and text[0] not in " \t" and mark[0] in OPENING)
    return touches and text == mark and bool(mark)


def _final(value: JsonValue, answer: Answer) -> Iterator[Segment]:
    start_ns, end_ns = span_of(value, ("ts",), ("end_ts",))
    run = _run(value, answer)
    answer.silent += not run
    if run:
        yield answer.segment(
            run, speaker=name_of(value, "speaker_id"), start_ns=start_ns, end_ns=end_ns
        )


def _gecko_monologue(value: JsonValue, answer: Answer) -> Segment:
    run = WordRun()

    def take(term: JsonValue) -> None:
        term.expect_members(KNOWN_TERM)
        text = term.required("text").text()
        kind = text_of(term, "type") or "WORD"
        if kind.upper() == "PUNCTUATION":
            run.mark(text)
            return
        if kind.upper() != "WORD":
            raise term.required("type").error('"WORD" or "PUNCTUATION"')
        span = span_of(term, ("start",), ("end",))
        run.add(SpokenWord(text, *span, confidence_of(term, "confidence")))

    answer.each(value.elements("terms"), take)
    run.close()
    start_ns, end_ns = span_of(value, ("start",), ("end",))
    speaker = value.get("speaker")
    name = None
    if speaker is not None and isinstance(speaker.value, dict):
        name = name_of(speaker, "name") or name_of(speaker, "id")
    elif speaker is not None:
        name = speaker.name()
    answer.silent += not run
    made = answer.segment(run, speaker=name or None, start_ns=start_ns, end_ns=end_ns)
    return made if start_ns is not None else with_extent(made)


def sniff(head: Head) -> Sniff:
    """Sure of ``monologues``, and of messages of a stream with elements."""
    top = head.json
    if isinstance(top, list):
        top = next((v for v in top if isinstance(v, dict)), None)
    if not isinstance(top, dict):
        return Sniff.NO
    monologues = top.get("monologues")
    if isinstance(monologues, list):
        first = monologues[0] if monologues else {}
        is_own = isinstance(first, dict) and ({"elements", "terms"} & set(first) or not first)
        return Sniff.SURE if is_own else Sniff.MAYBE
    if top.get("type") in ("partial", "final") and isinstance(top.get("elements"), list):
        return Sniff.SURE
    return Sniff.SURE if top.get("type") == "connected" and "id" in top else Sniff.NO


SPEC = FormatSpec(
    title="Rev.ai JSON: transcripts and stream messages; Gecko",
    sign='"monologues" with "elements"',
    read=read,
    write=None,
    sniff=sniff,
    holds=(),
    manual="Monologues of one speaker each, with words and punctuation as elements.",
)
