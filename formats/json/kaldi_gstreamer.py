"""kaldi-gstreamer: messages of kaldi-gstreamer-server and of WeNet's runtime.

=====================================  =========================================================
in the file                            in the schema
=====================================  =========================================================
a message with ``final: true``         one `Segment`
``segment-start``, ``segment-length``  its times; seconds
``hypotheses[0].word-alignment``       its words with ``confidence``; ``start`` counts from
                                       ``segment-start``, and the end is ``start`` plus ``length``
``transcript``                         display forms of these words, or the words themselves
``original-transcript``                the words, if there is no alignment
``hypotheses[0].confidence``           confidence of the segment
``hypotheses[0].likelihood``           property ``likelihood``: a logarithm
``hypotheses[1:]``                     `Segment.nbest`, scored by confidence, otherwise by
                                       likelihood
``segment``, ``id``                    property ``segment``; property ``id`` of the file
``final: false``                       skipped, counted in a note
``hypotheses[].utterance``             the answer over HTTP: words without times
``status`` other than 0                a warning with the server's message; an error if the file has
                                       no other messages, unless the status is 1 (no speech)
``adaptation_state``                   skipped
=====================================  =========================================================

The server adds a full stop to each transcript; the reader moves it to the display form of the last
word. WeNet's messages are described in `formats.json.wenet`.
"""

from __future__ import annotations

from collections.abc import Iterator

from formats.detection.spec import FormatSpec
from formats.io.source import Source
from formats.json.displays import cut_text
from formats.json.messages import (
    GST_MESSAGE,
    GST_NAMED,
    GST_NAMED_MESSAGE,
    GST_START,
    GST_STATUS,
)
from formats.json.shapes import Names
from formats.json.spoken_words import (
    SpokenWord,
    WordRun,
    begins_word,
    joined_pieces,
    plain_words,
    show,
    words_of_pieces,
)
from formats.json.value import JsonDocument, JsonValue
from formats.json.words_to_segments import Reading
from formats.schema.errors import SyntaxFormatError, quoted
from formats.schema.model import Segment

SPOKEN = (0, 1, "0", "ok")
"""Statuses of a server that did its work: it heard speech, or that there is none."""
STATUSES = {1: "no speech", 2: "aborted", 9: "not available"}
WORD_MARK = "\u2581"
WORD = Names("word", "start", length="length", confidence="confidence")
PIECE = Names("word", "start", "end", confidence="confidence", per_second=1000)


def read(source: Source) -> Iterator[Segment]:
    """Yield one segment per final result, in the order of the file."""
    document = JsonDocument(source, streams=True)
    reading = Reading(source)
    length = finals = 0
    failure = None
    for value in document.messages:
        try:
            if value.has("nbest") or (value.has("type") and not value.has("result")):
                segment = _read_wenet(value, reading)
            else:
                segment = _read_message(value, reading)
                length = max(length, value.time_of("total-length") or 0)
        except SyntaxFormatError as error:
            source.log.reject("GST-SYNTAX", error)
            continue
        status = value.get("status")
        if status is not None and status.value not in SPOKEN:
            failure = failure or status.error("a result", f"status {_trouble(value, status)}")
        if segment is not None and (segment.words or segment.nbest):
            finals += 1
            reading.latest_ns = max(reading.latest_ns, segment.end_ns or 0)
            yield segment
        elif segment is not None:
            source.is_silent = True
    if not finals and not source.is_silent:
        if failure is not None:
            source.log.reject("GST-FAILED", failure)
        elif reading.partial:
            reading.refuse_partial()
    reading.check_unit(length)
    reading.report(document)


def _read_message(value: JsonValue, reading: Reading) -> Segment | None:
    source = reading.source
    if value.has("adaptation_state"):
        return None
    if not value.has("status", "result"):
        raise value.error('a member "result" or "status"', "none")
    status = value.get("status")
    if status is not None and status.value != 0:
        source.is_silent = source.is_silent or status.whole() == 1
        _warn_of_trouble(source, value, status)
    result = value if value.has("hypotheses") else value.get("result")
    if result is None:
        return None
    final = result.get("final")
    if final is not None and not final.flag():
        reading.partial += 1
        return None
    hypotheses = list(result.elements("hypotheses"))
    if not hypotheses:
        source.is_silent = True
        return None
    best, *others = hypotheses
    if (identifier := value.name_of("id")) is not None:
        source.properties["id"] = identifier
    properties = {}
    if (number := value.name_of("segment")) is not None:
        properties["segment"] = number
    if (likelihood := best.get("likelihood")) is not None:
        likelihood.number()
        properties["likelihood"] = str(likelihood.value)
    start_ns, end_ns = _span(value)
    aligned = best.has("word-alignment")
    return reading.segment(
        _aligned_words(best, start_ns, value) if aligned else _words(best),
        span=(start_ns, end_ns),
        confidence=best.confidence_of("confidence"),
        properties=properties,
        nbest=[
            (each.confidence_of("confidence", "likelihood"), tuple(w.text for w in _words(each)))
            for each in others
        ],
        line=value.line,
    )


def _span(value: JsonValue) -> tuple[int | None, int | None]:
    """Return start and end of a message in nanoseconds."""
    start_ns, length_ns = value.time_of("segment-start"), value.time_of("segment-length")
    return start_ns, None if start_ns is None or length_ns is None else start_ns + length_ns


def _warn_of_trouble(source: Source, value: JsonValue, status: JsonValue) -> None:
    """Warn about the server's status, with the meaning of its number and the server's message."""
    message, log = value.text_of("message"), source.log
    if isinstance(status.value, int):
        number, meaning = status.value, _meaning(status.value)
        if message is None:
            log.say(GST_STATUS, value.line, status=number, meaning=meaning)
        else:
            log.say(GST_MESSAGE, value.line, status=number, meaning=meaning, text=message)
    elif message is None:
        log.say(GST_NAMED, value.line, status=status.name())
    else:
        log.say(GST_NAMED_MESSAGE, value.line, status=status.name(), text=message)


def _trouble(value: JsonValue, status: JsonValue) -> str:
    """Return a text about the server's status: its number with its meaning, and the message."""
    message = value.text_of("message")
    end = "" if message is None else f": {quoted(message)}"
    if not isinstance(status.value, int):
        return f"{quoted(status.name())}{end}"
    return f"{status.value} ({_meaning(status.value)}){end}"


def _meaning(status: int) -> str:
    return STATUSES.get(status, "unknown")


def _words(value: JsonValue) -> list[SpokenWord]:
    """Return the words of a hypothesis that has no alignment, without times."""
    words = WordRun()
    if (original := value.text_of("original-transcript")) is not None:
        words.extend(plain_words(original))
        _show(words, value)
    elif (utterance := value.text_of("utterance")) is not None:
        for text in cut_text(utterance):
            _add_without_stop(words, text)
    elif texts := cut_text(value.required("transcript").text()):
        words.extend(map(SpokenWord, texts[:-1]))
        _add_without_stop(words, texts[-1])
    return words


def _add_without_stop(words: WordRun, text: str) -> None:
    """Add a word. A full stop at its end is only part of the display form."""
    bare = text[:-1] if text.endswith(".") and text.count(".") == 1 else text
    if bare:
        words.append(SpokenWord(bare, display=None if bare == text else text))
    else:
        words.show(text)


def _show(words: list[SpokenWord], value: JsonValue) -> None:
    """Set the display forms of words from the transcript, if it has the same words."""
    texts = cut_text(value.text_of("transcript") or "")
    if texts and texts[-1] == ".":
        texts[-2:] = ["".join(texts[-2:])]
    show(words, " ".join(texts))


def _aligned_words(value: JsonValue, start_ns: int | None, message: JsonValue) -> list[SpokenWord]:
    """Return the words of an alignment. In the file, their times count from the segment's start."""
    words = WORD.read_all(value.get("word-alignment"))
    for word in words:
        for name in ("end_ns", "start_ns"):
            time = getattr(word, name)
            is_placed = None not in (start_ns, time, word.start_ns)
            setattr(word, name, (start_ns or 0) + time if is_placed else None)
    if words and start_ns is None:
        value.document.source.log.say(GST_START, message.line)
    _show(words, value)
    return words


def _read_wenet(value: JsonValue, reading: Reading) -> Segment | None:
    """Return the segment of a final result of WeNet; `None` for other messages."""
    source = reading.source
    status = value.get("status")
    if status is not None and status.name() not in ("ok", "0"):
        _warn_of_trouble(source, value, status)
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
    start_ns, end_ns = _span(value)
    return reading.segment(
        _wenet_words(hypotheses[0]),
        span=(start_ns, end_ns),
        spans_words=start_ns is None,
        nbest=[(None, tuple(cut_text(_sentence(each)))) for each in hypotheses[1:]],
        line=value.line,
    )


def _sentence(value: JsonValue) -> str:
    return value.required("sentence").text().replace(WORD_MARK, " ")


def _wenet_words(value: JsonValue) -> list[SpokenWord]:
    """Return the words of a sentence. If it has no blanks, as in Chinese, each piece is a word."""
    texts = cut_text(_sentence(value))
    pieces = PIECE.read_all(value.get("word_pieces", "word-alignment"))
    for piece in pieces:
        piece.text = piece.text.replace(WORD_MARK, " ", 1)
    if any(begins_word(piece.text) for piece in pieces):
        return words_of_pieces(pieces, False)
    if len(texts) < 2 and value.has("word_pieces", "word-alignment"):
        return pieces
    words: list[SpokenWord] = []
    rest = iter(pieces)
    for text in texts:
        group: list[SpokenWord] = []
        while sum(len(p.text.strip(" ")) for p in group) < len(text) and (p := next(rest, None)):
            group.append(p)
        if "".join(piece.text.strip(" ") for piece in group) != text:
            return list(map(SpokenWord, texts))
        words.append(joined_pieces(group))
        words[-1].text = text
    return words if next(rest, None) is None else list(map(SpokenWord, texts))


SPEC = FormatSpec(
    title="JSON of kaldi-gstreamer-server and of WeNet's runtime: one message per segment",
    sign='"result" with "hypotheses"', read=read,
    holds=("words", "word times", "confidences", "display forms", "segment times",
           "segment confidences", "properties", "other hypotheses", "segment boundaries"),
)  # fmt: skip
