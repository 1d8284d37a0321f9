"""Messages of WeNet's runtime, a variant of kaldi-gstreamer.

=====================================  =========================================================
its word                               ours
=====================================  =========================================================
``type: final_result``                 one `Segment`
``nbest``                              a list, or a text that is the JSON of one
``nbest[0].sentence``                  its words
``word_pieces``, ``word-alignment``    their times: ``start`` and ``end`` in milliseconds from
                                       the start of the recording
``nbest[1:]``                          `Segment.nbest`
``type: partial_result``               passed over, counted in a note
``server_ready``, ``speech_end``       passed over
``status`` other than ``ok``           a warning with the server's message
=====================================  =========================================================

Pieces are put together to the words of the sentence. A sentence written without blanks, as in
Chinese, gives one word per piece.
"""

from __future__ import annotations

from formats.errors import quoted
from formats.json.word_items import WordItem, cut_text, joined_pieces
from formats.json.words import WordNames, interval, read_word, segment_of_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from formats.json.document import JsonValue
    from formats.json.word_items import Hypothesis, ReadingCounts
    from formats.model import Segment
    from formats.source import Source

__all__ = ["is_wenet", "read_wenet"]

NAMES = WordNames(("word",), confidence=("confidence",), per_second=1000)
WORD_MARK = "\u2581"
MEMBERS = frozenset({"status", "type", "nbest", "message", "segment-start", "segment-length"})


def is_wenet(value: JsonValue) -> bool:
    """Whether a message is WeNet's."""
    return value.has("nbest") or (value.has("type") and not value.has("result"))


def read_wenet(
    value: JsonValue, source: Source, counts: ReadingCounts, line: int | None
) -> Segment | None:
    """The segment of a final result, `None` for other messages.

    Raises
    ------
    SyntaxFormatError: a text in ``nbest`` that is no JSON, a time that is none.
    """
    value.expect_members(MEMBERS)
    status = value.get("status")
    if status is not None and status.name() not in ("ok", "0"):
        message = value.get("message")
        said = f": {quoted(message.text())}" if message is not None else ""
        source.log.warn("GST-STATUS", f"the server reports {quoted(status.name())}{said}", line)
    kind = value.get("type")
    if kind is not None and kind.text() == "partial_result":
        counts.partial += 1
        return None
    nbest = value.get("nbest")
    if nbest is None:
        source.is_silent = source.is_silent or (kind is not None and kind.value == "speech_end")
        return None
    hypotheses = list(nbest.embedded().elements())
    if not hypotheses:
        source.is_silent = True
        return None
    start, length = value.get("segment-start"), value.get("segment-length")
    start_ns, _ = interval(start, None)
    end_ns = None
    if start_ns is not None and length is not None:
        end_ns = start_ns + length.nanoseconds()
    segment = segment_of_words(
        source,
        _words(hypotheses[0]),
        counts,
        start_ns=start_ns,
        end_ns=end_ns,
        spans_words=start_ns is None,
        nbest=[_hypothesis(other) for other in hypotheses[1:]],
        line=line,
    )
    if segment.words or segment.nbest:
        return segment
    source.is_silent = True
    return None


def _hypothesis(value: JsonValue) -> Hypothesis:
    return None, tuple(cut_text(value.required("sentence").text().replace(WORD_MARK, " ")))


def _words(value: JsonValue) -> list[WordItem]:
    sentence = value.required("sentence").text().replace(WORD_MARK, " ")
    words = cut_text(sentence)
    member = value.get("word_pieces", "word-alignment")
    if member is None:
        return [WordItem(word) for word in words]
    pieces = [read_word(element, NAMES) for element in member.elements()]
    if any(piece.text.startswith(WORD_MARK) for piece in pieces):
        return _joined_at_marks(pieces)
    if len(words) < 2:
        return pieces
    return _joined_to_words(pieces, words) or [WordItem(word) for word in words]


def _joined_at_marks(pieces: list[WordItem]) -> list[WordItem]:
    groups: list[list[WordItem]] = []
    for piece in pieces:
        if piece.text.startswith(WORD_MARK) or not groups:
            groups.append([])
        piece.text = piece.text.removeprefix(WORD_MARK)
        groups[-1].append(piece)
    return [joined_pieces(group) for group in groups]


def _joined_to_words(pieces: list[WordItem], words: list[str]) -> list[WordItem] | None:
    """One item per word, if the pieces put together are the words."""
    made: list[WordItem] = []
    rest = iter(pieces)
    for word in words:
        group: list[WordItem] = []
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
