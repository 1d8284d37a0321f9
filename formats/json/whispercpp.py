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
from formats.json.document import JsonDocument
from formats.json.record import Name, Number, Record, WrongError
from formats.json.spoken_words import SpokenWord, joined_pieces, plain_words
from formats.json.whisper_words import (
    RepeatHints,
    is_written_without_blanks,
    words_of_pieces,
)
from formats.json.words_to_segments import Reading
from formats.spec import FormatSpec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from formats.json.document import JsonValue
    from formats.model import Segment
    from formats.source import Source

__all__ = [
    "SPEC",
    "read",
]

MARK = re.compile(r"\s*(?:\[_[A-Z]+_(?:[0-9]+)?\]|<\|[^|]*\|>)\Z")
BYTES = re.compile("[\udc80-\udcff]")
LATER_BYTES = re.compile("[\udc80-\udcbf]{1,3}")
MEMBERS = frozenset({"systeminfo", "model", "params", "result", "transcription"})


class Bounds(Record, rename={"start": "from", "end": "to"}):
    """Two times."""

    start: Number = None
    end: Number = None

    def clock(self, name: str) -> int:
        """A time of the clock in nanoseconds."""
        try:
            return parse_clock(str(getattr(self, name)))
        except ValueError:
            raise WrongError(name, "a time HH:MM:SS,mmm", record=self) from None


class Token(Record):
    """A piece of a word, or a mark."""

    text: str | None = None
    offsets: Bounds | None = None
    timestamps: Bounds | None = None
    p: Number = None

    def place(self) -> tuple[int | None, int | None]:
        """Start and end in nanoseconds: offsets, or where there are none, time stamps."""
        offsets, stamps = self.offsets or Bounds(), self.timestamps or Bounds()
        made = []
        for name in ("start", "end"):
            made.append(offsets.time_of(name, 1000))
            if made[-1] is None and getattr(stamps, name) is not None:
                made[-1] = stamps.clock(name)
        start_ns, end_ns = made
        if start_ns is not None and end_ns is not None and end_ns < start_ns:
            found = f"{start_ns} to {end_ns} ns"
            raise WrongError(None, "an end not before its start", found, self)
        return start_ns, end_ns

    def spoken(self) -> SpokenWord:
        """The piece with its times."""
        return SpokenWord(self.required("text"), *self.place(), self.sureness("p"))


class Stretch(Token):
    """A segment."""

    unread = frozenset({"tokens"})

    speaker: Name = None
    speaker_turn_next: bool | None = None


def read(source: Source) -> Iterator[Segment]:
    """One segment per element of ``transcription``, in the order of the file.

    Raises
    ------
    SyntaxFormatError
        No JSON, a time that is none, bytes that are no text.
    """
    document = JsonDocument(source, keep_bytes=True)
    reading, hints = Reading(source), RepeatHints(source)
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
                segment = draft.segment(reading, apart)
            except SyntaxFormatError as error:
                source.log.reject("WHISPERCPP-SEGMENT", error)
                continue
            yield hints.marked(reading.in_order(segment))
    hints.tell()
    reading.tell()
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
        self.value = value
        self.line = line
        self.record = value.record(Stretch)
        self.start_ns, self.end_ns = value.checked(self.record, Stretch.place)
        tokens = value.taken("tokens", Token, Token.spoken)
        tokens = [token for token in tokens if not MARK.match(token.text)]
        self.has_tokens = bool(tokens)
        self.pieces = tokens or [SpokenWord(self.record.text or "")]

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

    def segment(self, reading: Reading, apart: bool) -> Segment:
        """The segment.

        Raises
        ------
        SyntaxFormatError: bytes that are no text.
        """
        pieces = _decoded_pieces(self.pieces, self.value)
        if self.has_tokens:
            items = _with_marks_joined(words_of_pieces(pieces, apart), apart)
        else:
            items = [word for piece in pieces for word in plain_words(piece.text)]
        is_turn = self.record.speaker_turn_next
        return reading.segment(
            items,
            start_ns=self.start_ns,
            end_ns=self.end_ns,
            speaker=self.record.name_of("speaker"),
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


def _with_marks_joined(items: Sequence[SpokenWord], apart: bool) -> list[SpokenWord]:
    """Words written one by one, with marks of punctuation put to the word before them."""
    if not apart:
        return list(items)
    made: list[SpokenWord] = []
    for item in items:
        if made and not any(c.isalnum() for c in item.text):
            sure = made[-1].confidence
            made[-1] = joined_pieces([made[-1], item])
            made[-1].confidence = sure
        else:
            made.append(item)
    return made


def _decoded_pieces(pieces: Sequence[SpokenWord], value: JsonValue) -> list[SpokenWord]:
    """The pieces, those that are parts of characters joined.

    Raises
    ------
    SyntaxFormatError: bytes that are no text.
    """
    made: list[SpokenWord] = []
    group: list[SpokenWord] = []
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


def _shown(pieces: Sequence[SpokenWord]) -> str:
    found = BYTES.search("".join(piece.text for piece in pieces))
    return f"byte 0x{ord(found[0]) - 0xDC00:02X}" if found else "a lone surrogate"


SPEC = FormatSpec(
    title="JSON of whisper.cpp: segments and tokens in milliseconds",
    sign='"transcription" with "offsets"',
    read=read,
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
