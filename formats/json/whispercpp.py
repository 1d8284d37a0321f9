"""whispercpp: JSON of whisper.cpp, plain (``-oj``) and with tokens (``-ojf``).

===================================  ===========================================================
its word                             ours
===================================  ===========================================================
``transcription[]``                  one `Segment`
``offsets.from``, ``offsets.to``     its times; milliseconds
``timestamps``                       the same as ``HH:MM:SS,mmm``: read where there is no offset
``tokens[].text``                    pieces of words; a blank before one begins a new word
``tokens[].offsets``, ``p``          times of the words; the mean of ``p`` is their confidence
``[_BEG_]``, ``[_TT_50]``, ``<|…|>`` marks and no words: left out
``text``                             the words where there are no tokens: without times
``speaker``                          speaker: the louder channel of a stereo recording
``speaker_turn_next``                property ``speaker_turn_next``: another, unnamed, goes on
``result.language``                  property ``language`` of the file
===================================  ===========================================================

whisper.cpp writes tokens as bytes, and a token may be half a character: the file is then no UTF-8.
Such halves are put together, as the pieces of one word; where a segment ends inside a character,
the rest of it is taken from the segment that follows. Bytes that do not become text that way are
an error with their path.
"""

from __future__ import annotations

import re

from formats.clock import parse_clock
from formats.errors import SyntaxFormatError
from formats.json.document import JsonDocument, plain_nanoseconds
from formats.json.whisper_words import (
    RepeatHints,
    is_written_without_blanks,
    words_of_pieces,
)
from formats.json.word_items import ReadingCounts, WordItem, cut_text, joined_pieces
from formats.json.words import SegmentOrder, segment_of_words
from formats.spec import FormatSpec, Sniff

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from formats.head import Head
    from formats.json.document import JsonValue
    from formats.model import Segment
    from formats.source import Source

__all__ = ["SPEC", "read", "sniff"]

MARK = re.compile(r"\s*(?:\[_[A-Z]+_(?:[0-9]+)?\]|<\|[^|]*\|>)\Z")
BYTES = re.compile("[\udc80-\udcff]")
LATER_BYTES = re.compile("[\udc80-\udcbf]{1,3}")
MEMBERS = frozenset({"systeminfo", "model", "params", "result", "transcription"})
SEGMENT_MEMBERS = frozenset(
    {"timestamps", "offsets", "text", "tokens", "speaker", "speaker_turn_next"}
)


def read(source: Source) -> Iterator[Segment]:
    """One segment per element of ``transcription``, in the order of the file.

    Raises
    ------
    SyntaxFormatError
        No JSON, a time that is none, bytes that are no text.
    """
    document = JsonDocument(source, keep_bytes=True)
    counts = ReadingCounts(source)
    hints, order = RepeatHints(source), SegmentOrder(source)
    for value in document.values:
        value.expect_members(MEMBERS)
        result = value.get("result")
        language = None if result is None else result.get("language")
        if language is not None:
            source.properties["language"] = language.text()
        apart = is_written_without_blanks(source.properties.get("language"))
        value.required("transcription")
        source.is_silent = True
        for draft in _mended(list(_drafts(value, source))):
            try:
                segment = draft.segment(source, counts, apart)
            except SyntaxFormatError as error:
                source.log.reject("WHISPERCPP-SEGMENT", error)
                continue
            order.see(segment)
            yield hints.marked(segment)
    hints.tell()
    counts.tell()
    document.note_unknown()


def _drafts(value: JsonValue, source: Source) -> Iterator[_Draft]:
    for line, element in value.numbered_elements("transcription"):
        try:
            yield _Draft(element, line)
        except SyntaxFormatError as error:
            source.log.reject("WHISPERCPP-SEGMENT", error)


class _Draft:
    """A segment whose characters may still be in pieces."""

    def __init__(self, value: JsonValue, line: int | None) -> None:
        value.expect_members(SEGMENT_MEMBERS)
        self.value = value
        self.line = line
        self.start_ns, self.end_ns = _times(value)
        tokens = [_token(t) for t in value.elements("tokens") if not MARK.match(_text(t))]
        self.has_tokens = bool(tokens)
        text = value.get("text")
        self.pieces = tokens or [WordItem("" if text is None else text.text())]

    def take_end_of_character(self, following: _Draft) -> bool:
        """Take from the segment that follows what completes the last character, if it does."""
        if not self.pieces or not following.pieces or not BYTES.match(self.pieces[-1].text[-1:]):
            return False
        found = LATER_BYTES.match(following.pieces[0].text)
        if found is None:
            return False
        self.pieces[-1].text += found[0]
        following.pieces[0].text = following.pieces[0].text[found.end() :]
        if not following.pieces[0].text:
            del following.pieces[0]
        return True

    def segment(self, source: Source, counts: ReadingCounts, apart: bool) -> Segment:
        """The segment.

        Raises
        ------
        SyntaxFormatError: bytes that are no text.
        """
        pieces = _decoded_pieces(self.pieces, self.value)
        if self.has_tokens:
            items = _with_marks_joined(words_of_pieces(pieces, apart), apart)
        else:
            items = [WordItem(word) for piece in pieces for word in cut_text(piece.text)]
        speaker, turn = self.value.get("speaker"), self.value.get("speaker_turn_next")
        is_turn = turn is not None and turn.flag()
        return segment_of_words(
            source,
            items,
            counts,
            start_ns=self.start_ns,
            end_ns=self.end_ns,
            speaker=None if speaker is None else speaker.name(),
            properties={"speaker_turn_next": "true"} if is_turn else None,
            line=self.line,
        )


def _mended(drafts: list[_Draft]) -> Iterator[_Draft]:
    """The segments, each with whole characters; one that was but the end of one is left out."""
    index = 0
    while index < len(drafts):
        draft = drafts[index]
        index += 1
        while index < len(drafts) and draft.take_end_of_character(drafts[index]):
            if drafts[index].pieces:
                break
            draft.end_ns = drafts[index].end_ns
            index += 1
        yield draft


def _text(token: JsonValue) -> str:
    return token.required("text").text()


def _token(value: JsonValue) -> WordItem:
    start_ns, end_ns = _times(value)
    sure = value.get("p")
    return WordItem(_text(value), start_ns, end_ns, None if sure is None else sure.confidence())


def _times(value: JsonValue) -> tuple[int | None, int | None]:
    offsets, stamps = value.get("offsets"), value.get("timestamps")
    if offsets is not None and isinstance(offsets.value, dict):
        start = plain_nanoseconds(offsets.value.get("from"), 1000)
        end = plain_nanoseconds(offsets.value.get("to"), 1000)
        if start is not None and end is not None and start <= end:
            return start, end
    made: list[int | None] = []
    for name in ("from", "to"):
        offset = None if offsets is None else offsets.get(name)
        stamp = None if stamps is None or offset is not None else stamps.get(name)
        if offset is not None:
            made.append(offset.nanoseconds(per_second=1000))
        elif stamp is not None:
            made.append(_parse_stamp(stamp))
        else:
            made.append(None)
    start_ns, end_ns = made
    if start_ns is not None and end_ns is not None and end_ns < start_ns:
        raise value.error("an end time not before the start", f"{start_ns} to {end_ns} ns")
    return start_ns, end_ns


def _parse_stamp(value: JsonValue) -> int:
    try:
        return parse_clock(value.text())
    except ValueError:
        raise value.error("a time HH:MM:SS,mmm") from None


def _with_marks_joined(items: Sequence[WordItem], apart: bool) -> list[WordItem]:
    """Words written one by one, with marks of punctuation put to the word before them."""
    if not apart:
        return list(items)
    made: list[WordItem] = []
    for item in items:
        if made and not any(c.isalnum() for c in item.text):
            sure = made[-1].confidence
            made[-1] = joined_pieces([made[-1], item])
            made[-1].confidence = sure
        else:
            made.append(item)
    return made


def _decoded_pieces(pieces: Sequence[WordItem], value: JsonValue) -> list[WordItem]:
    """The pieces, those that are parts of characters joined.

    Raises
    ------
    SyntaxFormatError: bytes that are no text.
    """
    made: list[WordItem] = []
    group: list[WordItem] = []
    for piece in pieces:
        if not group and not BYTES.search(piece.text):
            made.append(piece)
            continue
        group.append(piece)
        text = _decoded("".join(part.text for part in group)) if len(group) < 5 else None
        if text is not None:
            whole = joined_pieces(group)
            whole.text = text
            made.append(whole)
            group = []
    if group:
        raise value.error("UTF-8 text when its tokens are put together", _shown(group))
    return made


def _decoded(text: str) -> str | None:
    try:
        return text.encode("utf-8", "surrogateescape").decode("utf-8")
    except UnicodeError:
        return None


def _shown(pieces: Sequence[WordItem]) -> str:
    found = BYTES.search("".join(piece.text for piece in pieces))
    return f"byte 0x{ord(found[0]) - 0xDC00:02X}" if found else "a lone surrogate"


def sniff(head: Head) -> Sniff:
    """Sure of ``transcription`` whose elements have ``offsets`` or ``timestamps``."""
    value = head.json
    if not isinstance(value, dict):
        return Sniff.NO
    segments = value.get("transcription")
    if isinstance(segments, list):
        first = segments[0] if segments else {}
        known = isinstance(first, dict) and ("offsets" in first or "timestamps" in first)
        return Sniff.SURE if known or "systeminfo" in value else Sniff.MAYBE
    return Sniff.NO


SPEC = FormatSpec(
    title="JSON of whisper.cpp: segments and tokens in milliseconds",
    sign='"transcription" with "offsets"',
    read=read,
    write=None,
    sniff=sniff,
    holds=(
        "words",
        "speakers",
        "segment times",
        "word times",
        "confidences",
        "properties",
        "empty segments",
        "segment boundaries",
    ),
    manual="Segments with times in milliseconds, and the tokens that they consist of.",
)
