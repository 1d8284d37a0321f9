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
elements, old ones a ``text`` without times of words, and the speaker's name and id in an object:
the name is the speaker, else the id; ``<NA>`` is nobody, a confidence of -1 none.
"""

from __future__ import annotations

from formats.json.answer import Answer, messages, refuse_error, require_success, with_extent
from formats.json.document import JsonDocument
from formats.json.record import Number, Record, WrongError, confidences_of, spans_of
from formats.json.spoken_words import SpokenWord, WordRun, plain_words
from formats.spec import FormatSpec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from formats.json.document import Columns, JsonValue
    from formats.model import Segment
    from formats.source import Source

__all__ = [
    "SPEC",
    "read",
]

KINDS = ("text", "punct", "unknown")
UNKNOWN, NOBODY = -1, "<NA>"
"""Gecko's words for a confidence, a speaker and a text that are none."""
OPENING = frozenset("([{<«“‘¿¡\"'")


class Element(Record):
    """A word, or what stands between words: marks and blanks."""

    unread = frozenset()

    type: str
    value: str
    ts: Number = None
    end_ts: Number = None
    confidence: Number = None


class Term(Record):
    """A word or a mark of Gecko."""

    unread = frozenset()

    text: str
    type: str | None = None
    start: Number = None
    end: Number = None
    confidence: Number = None


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
        kind = value.text_of("type")
        if value.has("monologues"):
            answer.require_alone(value)
            found = value.elements("monologues")
            yield from answer.gather(found, lambda v: _monologue(v, answer))
        elif kind == "partial":
            answer.partial += 1
        elif kind == "final":
            run = _run(value, answer)
            answer.silent += not run
            if run:
                start_ns, end_ns = value.span_of("ts", "end_ts")
                speaker = value.name_of("speaker_id")
                yield answer.segment(run, speaker=speaker, start_ns=start_ns, end_ns=end_ns)
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
        info = value.get("speaker_info")
        name = None if info is None else info.text_of("display_name", "name")
        properties = {"speaker_name": name} if name else {}
        speaker = value.name_of("speaker")
        yield with_extent(answer.segment(run, speaker=speaker, properties=properties))


def _columns_of(elements: list[Element]) -> Columns:
    """The words of those that are some, and `None` for others."""
    said = [element for element in elements if element.type in ("text", "unknown")]
    texts = [element.value for element in said]
    times = spans_of(said, "ts", "end_ts")
    words = iter(list(map(SpokenWord, texts, *times, confidences_of(said, "confidence"))))
    made = [next(words) if one.type in ("text", "unknown") else None for one in elements]
    for word, element in zip(made, elements, strict=True):
        if word is not None and element.type == "unknown":
            word.kind = "unknown"
    return (made,)


def _run(owner: JsonValue, answer: Answer) -> WordRun:
    """The words of the elements, with marks on the side where no blank stands between."""
    run = WordRun()
    touches = False

    def take(element: Element, word: SpokenWord | None) -> None:
        nonlocal touches
        text, kind = element.value, element.type
        if kind not in KINDS:
            raise WrongError("type", " or ".join(KINDS))
        if word is None:
            mark = text.strip()
            if mark:
                run.mark(mark, to_next=not touches and text[0] not in " \t" and mark[0] in OPENING)
            touches = touches and text == mark and bool(mark)
            return
        run.add(word)
        touches = True

    answer.each(owner, "elements", Element, take, _columns_of)
    run.close()
    return run


def _gecko_monologue(value: JsonValue, answer: Answer) -> Segment:
    run = WordRun()

    def take(term: Term) -> None:
        kind = (term.type or "WORD").upper()
        if kind == "PUNCTUATION":
            run.mark(term.text)
        elif kind != "WORD":
            raise WrongError("type", '"WORD" or "PUNCTUATION"')
        else:
            sure = term.sureness()
            run.add(SpokenWord(term.text, *term.span(), None if sure == UNKNOWN else sure))

    answer.each(value, "terms", Term, take)
    run.close()
    if not value.has("terms") and value.text_of("text") != NOBODY:
        run.extend(plain_words(value.text_of("text")))
    start_ns, end_ns = value.span_of()
    speaker = value.get("speaker")
    name = None
    if speaker is not None and isinstance(speaker.value, dict):
        name = speaker.name_of("name") or speaker.name_of("id")
    elif speaker is not None:
        name = speaker.name()
    answer.silent += not run
    name = None if name in ("", NOBODY) else name
    made = answer.segment(run, speaker=name, start_ns=start_ns, end_ns=end_ns)
    return made if start_ns is not None else with_extent(made)


SPEC = FormatSpec(
    title="Rev.ai JSON: transcripts and stream messages; Gecko",
    sign='"monologues" with "elements"',
    read=read,
    manual="Monologues of one speaker each, with words and punctuation as elements.",
)
