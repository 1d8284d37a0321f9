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

from typing import Any

from formats.errors import SyntaxFormatError, quoted
from formats.json.displays import cut_text
from formats.json.document import JsonDocument
from formats.json.record import Name, Number, Record, WrongError
from formats.json.spoken_words import SpokenWord, WordRun, joined_pieces, plain_words, show
from formats.json.words_to_segments import Reading
from formats.spec import FormatSpec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from formats.json.document import JsonValue
    from formats.model import Segment
    from formats.source import Source

__all__ = [
    "SPEC",
    "read",
]

SPOKEN = (0, 1, "0", "ok")
"""What a status is where the server did its work: it heard speech, or that there is none."""
STATUSES = {1: "no speech", 2: "aborted", 9: "not available"}
MEMBERS = frozenset(
    {
        *("status", "id", "segment", "result", "message", "hypotheses"),
        *("segment-start", "segment-length", "total-length"),
    }
)
WENET = frozenset({"status", "type", "nbest", "message", "segment-start", "segment-length"})
NAMES = {
    "original": "original-transcript",
    "alignment": "word-alignment",
    "start": "segment-start",
    "length": "segment-length",
    "total": "total-length",
}
WORD_MARK = "\u2581"


class Word(Record):
    """A word, its start counted from that of the segment."""

    word: str
    start: Number = None
    length: Number = None
    confidence: Number = None


class Piece(Record):
    """A piece of a word, or a word, of WeNet; its times are milliseconds."""

    word: str
    start: Number = None
    end: Number = None
    confidence: Number = None

    def spoken(self) -> SpokenWord:
        """The piece with its times."""
        return SpokenWord(self.word, *self.span(per_second=1000), self.sureness())


class Hypothesis(Record, rename=NAMES):
    """What was heard, as a text."""

    transcript: str | None = None
    original: str | None = None
    alignment: list[Word] | None = None
    utterance: str | None = None
    confidence: Number = None
    likelihood: Number = None

    def words(self) -> list[SpokenWord]:
        """The words, without times."""
        if self.original is not None:
            items = plain_words(self.original)
            self.show(items)
            return items
        if self.utterance is not None:
            return _words_of_utterance(self.utterance)
        words = cut_text(self.required("transcript"))
        items = [SpokenWord(word) for word in words]
        if items and items[-1].text == ".":
            items.pop()
            if items:
                items[-1].display = items[-1].text + "."
        elif items and items[-1].text.endswith(".") and items[-1].text.count(".") == 1:
            items[-1].display = items[-1].text
            items[-1].text = items[-1].text[:-1]
        return items

    def show(self, items: list[SpokenWord]) -> None:
        """Take display forms from the transcript, if it has the same words."""
        words = cut_text(self.transcript or "")
        if words and words[-1] == ".":
            words[-2:] = ["".join(words[-2:])]
        show(items, " ".join(words))

    def other(self) -> tuple[float | None, tuple[str, ...]]:
        """Score and words."""
        score = self.sureness()
        score = self.sureness("likelihood") if score is None else score
        return score, tuple(item.text for item in self.words())


class Result(Record):
    """What was heard, or may have been."""

    final: bool | None = None
    hypotheses: list[Hypothesis] | None = None


class Message(Result, rename=NAMES):
    """A message of kaldi-gstreamer-server; one of WeNet's runtime has other members."""

    status: Any = None
    id: Name = None
    segment: Name = None
    result: Result | None = None
    start: Number = None
    length: Number = None
    total: Number = None

    def place(self) -> tuple[int | None, int | None]:
        """Start and end in nanoseconds."""
        start_ns, length_ns = self.time_of("start"), self.time_of("length")
        return start_ns, None if start_ns is None or length_ns is None else start_ns + length_ns


def read(source: Source) -> Iterator[Segment]:
    """One segment per final result, in the order of the file.

    Raises
    ------
    SyntaxFormatError
        No JSON, an object that is no message, a word without its text, a time that is none; no
        result that is final, or none because the server failed.
    """
    document = JsonDocument(source, streams=True)
    reading = Reading(source)
    length = finals = 0
    failure = None
    for line, value, made in document.typed_messages(Message):
        try:
            if is_wenet(value):
                segment = read_wenet(value, reading, line)
            else:
                message = made or value.record(Message)
                segment = _read_message(value, message, reading, line)
                length = max(length, message.time_of("total") or 0)
        except WrongError as wrong:
            source.log.reject("GST-SYNTAX", value.wrong(wrong, message))
            continue
        except SyntaxFormatError as error:
            source.log.reject("GST-SYNTAX", error)
            continue
        status = value.get("status")
        if status is not None and status.value not in SPOKEN:
            failure = failure or status.error("a result", _trouble(value, status))
        if segment is not None:
            finals += 1
            reading.latest_ns = max(reading.latest_ns, segment.end_ns or 0)
            yield segment
    if not finals and not source.is_silent:
        if failure is not None:
            source.log.reject("GST-FAILED", failure)
        elif reading.partial:
            reading.refuse_partial()
    reading.check_unit(length)
    reading.tell()
    document.note_unknown()


def _read_message(
    value: JsonValue, message: Message, reading: Reading, line: int | None
) -> Segment | None:
    source = reading.source
    if value.has("adaptation_state"):
        return None
    if message.status is None and message.result is None:
        raise value.error('a member "result" or "status"', "none")
    value.expect_members(MEMBERS)
    if message.status not in (None, 0):
        status = value.required("status")
        source.is_silent = source.is_silent or status.whole() == 1
        source.log.warn("GST-STATUS", f"the server reports {_trouble(value, status)}", line)
    result = message.result if message.hypotheses is None else message
    if result is None:
        return None
    if result.final is False:
        reading.partial += 1
        return None
    if not result.hypotheses:
        source.is_silent = True
        return None
    best, *others = result.hypotheses
    if message.id is not None:
        source.properties["id"] = str(message.id)
    properties = {} if message.segment is None else {"segment": str(message.segment)}
    if best.likelihood is not None:
        if best.sureness("likelihood") is None:
            raise WrongError("likelihood", "a finite number", record=best)
        properties["likelihood"] = str(best.likelihood)
    start_ns, end_ns = message.place()
    segment = reading.segment(
        best.words() if best.alignment is None else _words(best, start_ns, source, line),
        start_ns=start_ns,
        end_ns=end_ns,
        confidence=best.sureness(),
        properties=properties,
        nbest=[other.other() for other in others],
        line=line,
    )
    return _unless_silent(segment, source)


def _unless_silent(segment: Segment, source: Source) -> Segment | None:
    if segment.words or segment.nbest:
        return segment
    source.is_silent = True
    return None


def _trouble(value: JsonValue, status: JsonValue) -> str:
    """What the server says is wrong, with its message."""
    message = value.get("message")
    said = f": {quoted(message.text())}" if message is not None else ""
    if not isinstance(status.value, int):
        return f"status {quoted(status.name())}{said}"
    return f"status {status.value} ({STATUSES.get(status.value, 'unknown')}){said}"


def _words(
    best: Hypothesis, start_ns: int | None, source: Source, line: int | None
) -> list[SpokenWord]:
    """The words of an alignment."""
    items = []
    for word in best.alignment or ():
        item = SpokenWord(word.word, confidence=word.sureness())
        begin, length = word.time_of("start"), word.time_of("length")
        if begin is not None and start_ns is not None:
            item.start_ns = start_ns + begin
            item.end_ns = None if length is None else item.start_ns + length
        items.append(item)
    if items and start_ns is None:
        source.log.warn(
            "GST-START",
            "word times count from the start of their segment, which is not given: not read",
            line,
        )
    best.show(items)
    return items


def _words_of_utterance(text: str) -> list[SpokenWord]:
    """The words of an answer over HTTP, in which a full stop stands after every segment."""
    items = WordRun()
    for word in cut_text(text):
        bare = word[:-1] if word.endswith(".") and word.count(".") == 1 else word
        if bare:
            items.append(SpokenWord(bare, display=None if bare == word else word))
        else:
            items.show(word)
    return items


def is_wenet(value: JsonValue) -> bool:
    """Whether a message is WeNet's."""
    return value.has("nbest") or (value.has("type") and not value.has("result"))


def read_wenet(value: JsonValue, reading: Reading, line: int | None) -> Segment | None:
    """The segment of a final result, `None` for other messages.

    Raises
    ------
    SyntaxFormatError: a text in ``nbest`` that is no JSON, a time that is none.
    """
    source = reading.source
    value.expect_members(WENET)
    status = value.name_of("status")
    if status is not None and status not in ("ok", "0"):
        message = value.text_of("message")
        said = f": {quoted(message)}" if message is not None else ""
        source.log.warn("GST-STATUS", f"the server reports {quoted(status)}{said}", line)
    kind = value.text_of("type")
    if kind == "partial_result":
        reading.partial += 1
        return None
    nbest = value.get("nbest")
    if nbest is None:
        source.is_silent = source.is_silent or kind == "speech_end"
        return None
    hypotheses = list(nbest.embedded().elements())
    if not hypotheses:
        source.is_silent = True
        return None
    start_ns, end_ns = value.take(Message, Message.place)
    others = [cut_text(_sentence(other)) for other in hypotheses[1:]]
    segment = reading.segment(
        _wenet_words(hypotheses[0]),
        start_ns=start_ns,
        end_ns=end_ns,
        spans_words=start_ns is None,
        nbest=[(None, tuple(words)) for words in others],
        line=line,
    )
    return _unless_silent(segment, source)


def _sentence(value: JsonValue) -> str:
    return value.required("sentence").text().replace(WORD_MARK, " ")


def _wenet_words(value: JsonValue) -> list[SpokenWord]:
    """The words of a sentence; one written without blanks, as in Chinese, gives one per piece."""
    words = cut_text(_sentence(value))
    name = next((n for n in ("word_pieces", "word-alignment") if value.has(n)), None)
    if name is None:
        return [SpokenWord(word) for word in words]
    pieces = value.taken(name, Piece, Piece.spoken)
    if any(piece.text.startswith(WORD_MARK) for piece in pieces):
        return _joined_at_marks(pieces)
    if len(words) < 2:
        return pieces
    return _joined_to_words(pieces, words) or [SpokenWord(word) for word in words]


def _joined_at_marks(pieces: list[SpokenWord]) -> list[SpokenWord]:
    groups: list[list[SpokenWord]] = []
    for piece in pieces:
        if piece.text.startswith(WORD_MARK) or not groups:
            groups.append([])
        piece.text = piece.text.removeprefix(WORD_MARK)
        groups[-1].append(piece)
    return [joined_pieces(group) for group in groups]


def _joined_to_words(pieces: list[SpokenWord], words: list[str]) -> list[SpokenWord] | None:
    """One item per word, if the pieces put together are the words."""
    made: list[SpokenWord] = []
    rest = iter(pieces)
    for word in words:
        group: list[SpokenWord] = []
        text = ""
        while len(text) < len(word):
            piece = next(rest, None)
            if piece is None:
                return None
            group.append(piece)
            text += piece.text.strip(" ")
        if text != word:
            return None
        joined = joined_pieces(group)
        joined.text = word
        made.append(joined)
    return made if next(rest, None) is None else None


SPEC = FormatSpec(
    title="JSON of kaldi-gstreamer-server and of WeNet's runtime: one message per segment",
    sign='"result" with "hypotheses"',
    read=read,
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
