"""revai: Rev.ai's transcripts and stream messages, and files of the editor Gecko.

==========================  ================================================================
in the file                 in the schema
==========================  ================================================================
monologue                   a segment, from its first to its last timed word
element ``text``            a word
element ``punct``           added to the display form of the adjacent word; blanks are ignored
element ``unknown``         a word of kind ``unknown``
element ``tag``             no word; counted in a note
``speaker``                 `Segment.speaker`: ``0``, ``1``, …
``speaker_info``            property ``speaker_name``
message ``final``           a segment; ``partial`` is skipped
==========================  ================================================================

Words of human transcripts may have no times. Gecko's files have ``terms`` instead of elements; old
files have a ``text`` without word times. The name of a speaker is read, otherwise the id. ``<NA>``
means no speaker, and -1 no confidence.
"""

from __future__ import annotations

from collections.abc import Iterator

from formats.detection.spec import FormatSpec
from formats.json.answer import Answer, reader, refuse_error, require_success, with_extent
from formats.json.messages import REVAI_TAG
from formats.json.provider import Provider
from formats.json.shapes import Names
from formats.json.spoken_words import WordRun
from formats.json.value import JsonValue
from formats.schema.model import Segment
from formats.schema.times import parse_clock
from formats.schema.words import unless_empty

OPENING = frozenset("([{<«“‘¿¡\"'")
ELEMENT = Names(
    "value", "ts", "end_ts", confidence="confidence", others="type timestamp end_timestamp"
)
GECKO = Provider(
    "Rev.ai",
    "monologues",
    Names("text", "start", "end", speaker="speaker", words="terms"),
    Names("text", "start", "end", confidence="confidence", others="type"),
    nobody=("", "<NA>"),
)


def read(value: JsonValue, answer: Answer) -> Iterator[Segment]:
    """Yield the segments of one transcript, or of the final messages of a stream."""
    reasons = ("failure_detail", "failure", "detail")
    require_success(value, ("status",), ("transcribed", "completed"), reasons)
    refuse_error(value, "error", "failure")
    kind = value.text_of("type")
    if value.has("monologues"):
        answer.require_alone(value)
        monologues = list(value.elements("monologues"))
        if any(not each.has("elements") and each.has("terms", "text") for each in monologues):
            for segment in GECKO.segments(value, answer, monologues):
                sure = tuple(None if each == -1 else each for each in segment.confidences or ())
                yield segment.replace(confidences=unless_empty(sure))
        else:
            yield from answer.gather(monologues, lambda v: _monologue(v, answer))
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


def _monologue(value: JsonValue, answer: Answer) -> Iterator[Segment]:
    run = _run(value, answer)
    answer.silent += not run
    if run:
        name = value.inner("speaker_info").text_of("display_name", "name")
        properties = {"speaker_name": name} if name else {}
        speaker = value.name_of("speaker")
        yield with_extent(answer.segment(run, speaker=speaker, properties=properties))


def _run(owner: JsonValue, answer: Answer) -> WordRun:
    """Return the words of the elements.

    A punctuation mark is shown with the word from which no blank separates it.
    """
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
            answer.count(REVAI_TAG)
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
    """Return start and end from clock times such as ``00:00:20,138``; `None` if missing."""
    start_ns, end_ns = map(_clock, map(element.get, ("timestamp", "end_timestamp")))
    if start_ns is not None and end_ns is not None and end_ns < start_ns:
        raise element.required("end_timestamp").error("an end not before its timestamp")
    return start_ns, end_ns


SPEC = FormatSpec(
    title="Rev.ai JSON: transcripts and stream messages; Gecko",
    sign='"monologues" with "elements"',
    read=reader("Rev.ai", "REVAI", read),
)
