"""whispercpp: JSON of whisper.cpp, plain (``-oj``) or with tokens (``-ojf``).

====================================  ===========================================================
in the file                           in the schema
====================================  ===========================================================
``transcription[]``                   one `Segment`
``offsets.from``, ``offsets.to``      its times; milliseconds
``timestamps``                        the same times as ``HH:MM:SS,mmm``, read if there is no
                                      offset
``tokens[].text``                     pieces of words; a leading blank begins a new word
``tokens[].offsets``, ``p``           times of the words; the mean of ``p`` is their confidence
``[_BEG_]``, ``[_TT_50]``, ``<|…|>``  marks, not words: dropped
``text``                              the words without times, if there are no tokens
``speaker``                           `Segment.speaker`: the louder channel of a stereo recording
``speaker_turn_next``                 property ``speaker_turn_next``: after this segment, another
                                      (unnamed) speaker speaks
``result.language``                   property ``language`` of the file
====================================  ===========================================================

whisper.cpp writes tokens as bytes, and a token may be half a character, so that the file is not
valid UTF-8. The reader joins such tokens to one word. If a segment ends inside a character, the
missing bytes come from the next segment. Any other invalid byte causes an error that names its
path.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial

from formats.detection.spec import FormatSpec
from formats.io.source import Source
from formats.json.spoken_words import SpokenWord, joined_pieces, plain_words, words_of_pieces
from formats.json.value import JsonDocument, JsonValue
from formats.json.whisper_words import RepeatHints, is_written_without_blanks
from formats.json.words_to_segments import Reading
from formats.schema.model import Segment
from formats.schema.times import parse_clock

MARK = re.compile(r"\s*(?:\[_[A-Z]+_(?:[0-9]+)?\]|<\|[^|]*\|>)\Z")
BYTES = re.compile("[\udc80-\udcff]")
LATER_BYTES = re.compile("[\udc80-\udcbf]{1,3}")


def read(source: Source) -> Iterator[Segment]:
    """Yield one segment per element of ``transcription``, in the order of the file."""
    document = JsonDocument(source, keep_bytes=True)
    reading, hints = Reading(source), RepeatHints(source)
    for value in document.values:
        if (language := value.inner("result").text_of("language")) is not None:
            source.properties["language"] = language
        apart = is_written_without_blanks(source.properties.get("language"))
        value.required("transcription")
        source.is_silent = True
        drafts = source.log.accepted(
            "WHISPERCPP-SEGMENT", lambda element: [_Draft(element)], value.elements("transcription")
        )
        read_draft = partial(_Draft.segments, reading=reading, apart=apart)
        whole = _mended(list(drafts))
        for segment in source.log.accepted("WHISPERCPP-SEGMENT", read_draft, whole):
            yield hints.marked(reading.in_order(segment))
    hints.report()
    reading.report(document)


def _span(value: JsonValue) -> tuple[int | None, int | None]:
    """Return start and end in nanoseconds: from offsets, otherwise from time stamps."""
    times: list[int | None] = []
    for name in ("from", "to"):
        offsets, stamps = value.get("offsets"), value.get("timestamps")
        time = None if offsets is None else offsets.time_of(name, per_second=1000)
        stamp = None if stamps is None else stamps.get(name)
        if time is None and stamp is not None:
            try:
                time = parse_clock(str(stamp.value))
            except ValueError:
                raise stamp.error("a time HH:MM:SS,mmm") from None
        times.append(time)
    start_ns, end_ns = times
    if start_ns is not None and end_ns is not None and end_ns < start_ns:
        raise value.error("an end not before its start", f"{start_ns} to {end_ns} ns")
    return start_ns, end_ns


class _Draft:
    """A segment during parsing. Its tokens may hold only some of the bytes of a character."""

    def __init__(self, value: JsonValue) -> None:
        self.value = value
        self.start_ns, self.end_ns = _span(value)
        self.speaker = value.name_of("speaker")
        self.is_turn = value.flag_of("speaker_turn_next")
        pieces = [
            SpokenWord(token.required("text").text(), *_span(token), token.confidence_of("p"))
            for token in value.elements("tokens")
        ]
        pieces = [piece for piece in pieces if not MARK.match(piece.text)]
        self.has_tokens = bool(pieces)
        self.pieces = pieces or [SpokenWord(value.text_of("text") or "")]

    def take_end_of_character(self, following: _Draft) -> bool:
        """Move the bytes that complete the last character from the next segment to this one.

        Return True if bytes were moved.
        """
        if not self.pieces or not following.pieces or not BYTES.match(self.pieces[-1].text[-1:]):
            return False
        match = LATER_BYTES.match(following.pieces[0].text)
        if match is None:
            return False
        self.pieces[-1].text += match[0]
        following.pieces[0].text = following.pieces[0].text[match.end() :]
        if not following.pieces[0].text:
            del following.pieces[0]
        return True

    def segments(self, reading: Reading, apart: bool) -> Iterator[Segment]:
        """Yield the segment; raise an error for bytes that are not valid text."""
        pieces = _decoded_pieces(self.pieces, self.value)
        if self.has_tokens:
            words = _with_marks_joined(words_of_pieces(pieces, apart), apart)
        else:
            words = [word for piece in pieces for word in plain_words(piece.text)]
        yield reading.segment(
            words,
            span=(self.start_ns, self.end_ns),
            speaker=self.speaker,
            properties={"speaker_turn_next": "true"} if self.is_turn else None,
            line=self.value.line,
        )


def _mended(drafts: list[_Draft]) -> Iterator[_Draft]:
    """Yield the segments, with the bytes of each character in one segment.

    A segment that held only a part of a character is dropped.
    """
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


def _with_marks_joined(words: Sequence[SpokenWord], apart: bool) -> list[SpokenWord]:
    """Return the words; with `apart`, join each punctuation mark to the word before it."""
    joined: list[SpokenWord] = []
    for word in words:
        if apart and joined and not any(map(str.isalnum, word.text)):
            sure = joined[-1].confidence
            joined[-1] = joined_pieces([joined[-1], word])
            joined[-1].confidence = sure
        else:
            joined.append(word)
    return joined


def _decoded_pieces(pieces: Sequence[SpokenWord], value: JsonValue) -> list[SpokenWord]:
    """Decode the pieces to text; pieces that share a character are joined."""
    whole: list[SpokenWord] = []
    group: list[SpokenWord] = []
    for piece in pieces:
        if not group and not BYTES.search(piece.text):
            whole.append(piece)
            continue
        group.append(piece)
        with suppress(UnicodeError):
            joined = joined_pieces(group)
            joined.text = joined.text.encode("utf-8", "surrogateescape").decode("utf-8")
            if len(group) < 5:
                whole.append(joined)
                group = []
    if group:
        match = BYTES.search("".join(piece.text for piece in group))
        shown = f"byte 0x{ord(match[0]) - 0xDC00:02X}" if match else "a lone surrogate"
        raise value.error("UTF-8 text when its tokens are put together", shown)
    return whole


SPEC = FormatSpec(
    title="JSON of whisper.cpp: segments and tokens in milliseconds",
    sign='"transcription" with "offsets"', read=read,
    holds=("words", "speakers", "segment times", "word times", "confidences", "properties",
           "empty segments", "segment boundaries"),
)  # fmt: skip
