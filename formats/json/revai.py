"""revai: what Rev.ai answers: transcripts, messages of a stream; and the editor Gecko's files.

==========================  ================================================================
in the file                 in the schema
==========================  ================================================================
monologue                   a segment, from its first to its last timed word
element ``text``            a word
element ``punct``           added to the display form of the word it touches; blanks are none
element ``unknown``         a word of kind ``unknown``
element ``tag``             no word; counted in a note
``speaker``                 `Segment.speaker`: ``0``, ``1``, …
``speaker_info``            property ``speaker_name``
message ``final``           a segment; ``partial`` is skipped
==========================  ================================================================

Words of transcripts by people may have no times. Gecko's files have ``terms`` in place of
elements, old ones a ``text`` without times of words, and the speaker's name and id in an object:
the name is the speaker, otherwise the id; ``<NA>`` is nobody, a confidence of -1 none.
"""

from __future__ import annotations

from collections.abc import Iterator

from formats.clock import parse_clock
from formats.json.answer import Answer, refuse_error, require_success, with_extent
from formats.json.shapes import WordShape
from formats.json.spoken_words import WordRun, plain_words
from formats.json.value import JsonDocument, JsonValue
from formats.model import Segment
from formats.source import Source
from formats.spec import FormatSpec

UNKNOWN, NOBODY = -1, "<NA>"
"""Gecko's words for a confidence, a speaker and a text that are none."""
OPENING = frozenset("([{<«“‘¿¡\"'")
ELEMENT = WordShape("value", start="ts", end="end_ts", others="type timestamp end_timestamp")
TERM = WordShape("text", others="type")


def read(source: Source) -> Iterator[Segment]:
    """The segments of one transcript, or of the final messages of a stream."""
    document = JsonDocument(source, streams=True)
    answer = Answer(source, "Rev.ai", "REVAI")
    for value in document.messages:
        reasons = ("failure_detail", "failure", "detail")
        require_success(value, ("status",), ("transcribed", "completed"), reasons)
        refuse_error(value, "error", "failure")
        kind = value.text_of("type")
        if value.has("monologues"):
            answer.require_alone(value)
            yield from answer.gather(value.elements("monologues"), lambda v: _monologue(v, answer))
        elif kind == "partial":
            answer.partial += 1
        elif kind == "final":
            run = _run(value, answer)
            answer.silent += not run
            if run:
                span = value.span_of("ts", "end_ts")
                speaker = value.name_of("speaker_id")
                yield answer.segment(run, speaker=speaker, span=span)
        elif kind != "connected":
            value.required("monologues")
    answer.finish(document)


def _monologue(value: JsonValue, answer: Answer) -> Iterator[Segment]:
    if value.has("terms") or (value.has("text") and not value.has("elements")):
        yield _gecko_monologue(value, answer)
        return
    run = _run(value, answer)
    answer.silent += not run
    if run:
        name = value.inner("speaker_info").text_of("display_name", "name")
        properties = {"speaker_name": name} if name else {}
        speaker = value.name_of("speaker")
        yield with_extent(answer.segment(run, speaker=speaker, properties=properties))


def _run(owner: JsonValue, answer: Answer) -> WordRun:
    """The words of the elements, with marks on the side without a blank between."""
    run = WordRun()
    touches = False

    def take(element: JsonValue) -> None:
        nonlocal touches
        kind = element.required("type").text()
        if kind in ("text", "unknown"):
            word = ELEMENT.read(element)
            if not word.text.strip():
                touches = False
                return
            if word.start_ns is None:
                word.start_ns, word.end_ns = _clock_span(element)
            word.kind = "unknown" if kind == "unknown" else None
            run.add(word)
            touches = True
        elif kind == "punct":
            element.expect_members(ELEMENT.expected)
            text = element.required("value").text()
            if mark := text.strip():
                run.mark(mark, to_next=not touches and text[0] not in " \t" and mark[0] in OPENING)
            touches = touches and text == mark and bool(mark)
        elif kind == "tag":
            answer.note("REVAI-TAG", "tags, which are no words, not kept: {}")
            touches = False
        else:
            raise element.required("type").error("text or punct or unknown or tag")

    answer.each_value(owner, "elements", take)
    run.close()
    return run


def _clock(stamp: JsonValue | None) -> int | None:
    try:
        return None if stamp is None else parse_clock(stamp.text())
    except ValueError:
        assert stamp is not None
        raise stamp.error("a time as hours:minutes:seconds,milliseconds") from None


def _clock_span(element: JsonValue) -> tuple[int | None, int | None]:
    """The times that transcripts by people have as ``00:00:20,138``, `None` where missing."""
    start_ns, end_ns = map(_clock, map(element.get, ("timestamp", "end_timestamp")))
    if start_ns is not None and end_ns is not None and end_ns < start_ns:
        raise element.required("end_timestamp").error("an end not before its timestamp")
    return start_ns, end_ns


def _gecko_monologue(value: JsonValue, answer: Answer) -> Segment:
    run = WordRun()

    def take(term: JsonValue) -> None:
        kind = (term.text_of("type") or "WORD").upper()
        if kind not in ("WORD", "PUNCTUATION"):
            raise term.required("type").error('"WORD" or "PUNCTUATION"')
        word = TERM.read(term)
        word.confidence = None if word.confidence == UNKNOWN else word.confidence
        if kind == "WORD":
            run.add(word)
        else:
            run.mark(word.text)

    answer.each_value(value, "terms", take)
    run.close()
    if not value.has("terms") and value.text_of("text") != NOBODY:
        run.extend(plain_words(value.text_of("text")))
    start_ns, end_ns = value.span_of()
    speaker = value.get("speaker")
    if speaker is not None and isinstance(speaker.value, dict):
        name = speaker.name_of("name") or speaker.name_of("id")
    else:
        name = value.name_of("speaker")
    answer.silent += not run
    name = None if name in ("", NOBODY) else name
    segment = answer.segment(run, speaker=name, span=(start_ns, end_ns))
    return segment if start_ns is not None else with_extent(segment)


SPEC = FormatSpec(
    title="Rev.ai JSON: transcripts and stream messages; Gecko",
    sign='"monologues" with "elements"',
    read=read,
    manual="Monologues of one speaker each, with words and punctuation as elements.",
)
