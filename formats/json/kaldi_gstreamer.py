"""kaldi-gstreamer: messages of kaldi-gstreamer-server, and of WeNet's runtime.

=====================================  =========================================================
its word                               ours
=====================================  =========================================================
a message with ``final: true``         one `Segment`
``segment-start``, ``segment-length``  its times; seconds
``hypotheses[0].word-alignment``       its words: ``start`` is counted from ``segment-start``,
                                       ``length`` gives the end, ``confidence``
``transcript``                         display forms of these words, or the words themselves
``original-transcript``                the words, if there is no alignment
``hypotheses[0].confidence``           confidence of the segment
``hypotheses[0].likelihood``           property ``likelihood``: a logarithm
``hypotheses[1:]``                     `Segment.nbest`, scored by confidence, else likelihood
``segment``, ``id``                    property ``segment``; property ``id`` of the file
``final: false``                       passed over, counted in a note
``hypotheses[].utterance``             the answer over HTTP: words without times
``status`` other than 0                a warning with the server's message; an error where there
                                       is nothing else, but for status 1, no speech
``adaptation_state``                   passed over
=====================================  =========================================================

The server ends a transcript with a full stop that nobody said: it goes to the display form of the
last word. WeNet's messages are of `formats.json.wenet`.
"""

from __future__ import annotations

from formats.errors import SyntaxFormatError, quoted
from formats.json.document import JsonDocument, plain_confidence
from formats.json.wenet import is_wenet, read_wenet
from formats.json.word_items import (
    ReadingCounts,
    WordItem,
    attach_punctuation,
    check_unit,
    cut_text,
    displays_in,
)
from formats.json.words import refuse_partial, segment_of_words
from formats.spec import FormatSpec, Sniff

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from formats.head import Head
    from formats.json.document import JsonValue
    from formats.json.word_items import Hypothesis
    from formats.model import Segment
    from formats.source import Source

__all__ = ["SPEC", "read", "sniff"]

SPOKEN = (0, 1, "0", "ok")
"""What a status is where the server did its work: it heard speech, or that there is none."""
STATUSES = {1: "no speech", 2: "aborted", 9: "not available"}
MEMBERS = frozenset(
    {
        *("status", "id", "segment", "result", "message", "hypotheses"),
        *("segment-start", "segment-length", "total-length"),
    }
)


def read(source: Source) -> Iterator[Segment]:
    """One segment per final result, in the order of the file.

    Raises
    ------
    SyntaxFormatError
        No JSON, an object that is no message, a word without its text, a time that is none; no
        result that is final, or none because the server failed.
    """
    document = JsonDocument(source, streams=True)
    counts = ReadingCounts(source)
    latest = length = finals = 0
    failure = None
    for line, value in _messages(document):
        try:
            if is_wenet(value):
                segment = read_wenet(value, source, counts, line)
            else:
                segment = _read_message(value, source, counts, line)
                total = value.get("total-length")
                length = max(length, 0 if total is None else total.nanoseconds())
        except SyntaxFormatError as error:
            source.log.reject("GST-SYNTAX", error)
            continue
        status = value.get("status")
        if status is not None and status.value not in SPOKEN:
            failure = failure or status.error("a result", _trouble(value, status))
        if segment is not None:
            finals += 1
            latest = max(latest, segment.end_ns or 0)
            yield segment
    if not finals and not source.is_silent:
        if failure is not None:
            source.log.reject("GST-FAILED", failure)
        elif counts.partial:
            refuse_partial(source, counts)
    check_unit(source, latest, length)
    counts.tell()
    document.note_unknown()


def _messages(document: JsonDocument) -> Iterator[tuple[int | None, JsonValue]]:
    for line, value in document.numbered_values():
        if isinstance(value.value, list):
            yield from value.numbered_elements()
        else:
            yield line, value


def _read_message(
    value: JsonValue, source: Source, counts: ReadingCounts, line: int | None
) -> Segment | None:
    if value.has("adaptation_state"):
        return None
    if not value.has("status", "result"):
        raise value.error('a member "result" or "status"', "none")
    value.expect_members(MEMBERS)
    _tell_of_status(value, source, line)
    result = value if value.has("hypotheses") else value.get("result")
    if result is None:
        return None
    final = result.get("final")
    if final is not None and not final.flag():
        counts.partial += 1
        return None
    hypotheses = list(result.elements("hypotheses"))
    if not hypotheses:
        source.is_silent = True
        return None
    name = value.get("id")
    if name is not None:
        source.properties["id"] = name.name()
    number = value.get("segment")
    likelihood = hypotheses[0].get("likelihood")
    properties = {} if number is None else {"segment": number.name()}
    if likelihood is not None:
        properties["likelihood"] = str(likelihood.number())
    start_ns, end_ns = _times(value)
    segment = segment_of_words(
        source,
        _words(hypotheses[0], start_ns, source, line),
        counts,
        start_ns=start_ns,
        end_ns=end_ns,
        confidence=_number(hypotheses[0], "confidence"),
        properties=properties,
        nbest=[_hypothesis(other) for other in hypotheses[1:]],
        line=line,
    )
    if segment.words or segment.nbest:
        return segment
    source.is_silent = True
    return None


def _tell_of_status(value: JsonValue, source: Source, line: int | None) -> None:
    member = value.get("status")
    if member is None or member.value == 0:
        return
    source.is_silent = source.is_silent or member.whole() == 1
    source.log.warn("GST-STATUS", f"the server reports {_trouble(value, member)}", line)


def _trouble(value: JsonValue, status: JsonValue) -> str:
    """What the server says is wrong, with its message."""
    message = value.get("message")
    said = f": {quoted(message.text())}" if message is not None else ""
    if not isinstance(status.value, int):
        return f"status {quoted(status.name())}{said}"
    return f"status {status.value} ({STATUSES.get(status.value, 'unknown')}){said}"


def _times(value: JsonValue) -> tuple[int | None, int | None]:
    start, length = value.get("segment-start"), value.get("segment-length")
    if start is None:
        return None, None
    start_ns = start.nanoseconds()
    return start_ns, None if length is None else start_ns + length.nanoseconds()


def _number(value: JsonValue, name: str) -> float | None:
    made = plain_confidence(value.value.get(name)) if type(value.value) is dict else None
    if made is not None:
        return made
    member = value.get(name)
    return None if member is None else member.confidence()


def _hypothesis(value: JsonValue) -> Hypothesis:
    score = _number(value, "confidence")
    words = tuple(item.text for item in _words_of_transcript(value))
    return _number(value, "likelihood") if score is None else score, words


def _words(
    value: JsonValue, start_ns: int | None, source: Source, line: int | None
) -> list[WordItem]:
    if not value.has("word-alignment"):
        return _words_of_transcript(value)
    items = []
    for element in value.elements("word-alignment"):
        item = WordItem(element.required("word").text())
        item.confidence = _number(element, "confidence")
        begin, length = element.get("start"), element.get("length")
        if begin is not None and start_ns is not None:
            item.start_ns = start_ns + begin.nanoseconds()
            item.end_ns = None if length is None else item.start_ns + length.nanoseconds()
        items.append(item)
    if items and start_ns is None:
        source.log.warn(
            "GST-START",
            "word times count from the start of their segment, which is not given: not read",
            line,
        )
    _show(items, value)
    return items


def _show(items: list[WordItem], value: JsonValue) -> None:
    """Take display forms from the transcript, if it has the same words."""
    transcript = value.get("transcript")
    if transcript is None:
        return
    words = cut_text(transcript.text())
    if words and words[-1] == ".":
        words[-2:] = ["".join(words[-2:])]
    shown = displays_in([item.text for item in items], " ".join(words))
    for item, display in zip(items, shown or (), strict=False):
        item.display = display


def _words_of_transcript(value: JsonValue) -> list[WordItem]:
    original = value.get("original-transcript")
    if original is not None:
        items = [WordItem(word) for word in cut_text(original.text())]
        _show(items, value)
        return items
    utterance = value.get("utterance")
    if utterance is not None:
        return _words_of_utterance(utterance.text())
    words = cut_text(value.required("transcript").text())
    items = [WordItem(word) for word in words]
    if items and items[-1].text == ".":
        items.pop()
        words.pop()
        if items:
            items[-1].display = items[-1].text + "."
    elif items and items[-1].text.endswith(".") and items[-1].text.count(".") == 1:
        items[-1].display = items[-1].text
        items[-1].text = items[-1].text[:-1]
    return items


def _words_of_utterance(text: str) -> list[WordItem]:
    """The words of an answer over HTTP, in which a full stop stands after every segment."""
    items: list[WordItem] = []
    for word in cut_text(text):
        bare = word[:-1] if word.endswith(".") and word.count(".") == 1 else word
        if bare:
            items.append(WordItem(bare, display=None if bare == word else word))
        else:
            attach_punctuation(items, word)
    return items


def sniff(head: Head) -> Sniff:
    """Sure of ``status`` with ``result.hypotheses`` or, over HTTP, ``hypotheses``, and of WeNet's.

    WeNet has ``type`` with ``nbest``.
    """
    for value in head.json_values():
        for message in value if isinstance(value, list) else [value]:
            if not isinstance(message, dict) or "status" not in message:
                return Sniff.NO
            result = message.get("result")
            if isinstance(result, dict) and "hypotheses" in result:
                return Sniff.SURE
            hypotheses = message.get("hypotheses")
            if isinstance(hypotheses, list) and isinstance(message["status"], int):
                return Sniff.SURE
            if "nbest" in message or message.get("type") == "server_ready":
                return Sniff.SURE
    return Sniff.NO


SPEC = FormatSpec(
    title="JSON of kaldi-gstreamer-server and of WeNet's runtime: one message per segment",
    sign='"result" with "hypotheses"',
    read=read,
    write=None,
    sniff=sniff,
    holds=(
        "words",
        "word times",
        "confidences",
        "display forms",
        "segment times",
        "segment confidences",
        "properties",
        "other hypotheses",
        "segment boundaries",
    ),
    manual="One message per segment: hypotheses with words timed from the segment's start.",
)
