"""json3 and srv: YouTube captions in JSON (json3) and in XML (srv).

==============================================  ================================================
in the file                                     in the schema
==============================================  ================================================
``tStartMs``, ``t``, ``start``                  `Segment.start_ns`; milliseconds, in srv1 seconds
``dDurationMs``, ``d``, ``dur``                 the duration of the display; the row ends after it,
                                                or at the next row of the same window
``segs`` with ``tOffsetMs``, ``<s t="400">``    words with times, in automatic captions
``acAsrConf``, ``ac``                           confidences from 0 to 255; none if all are 0
``aAppend``, ``a``, events without ``segs``     no words; the previous row ends at their start
line breaks                                     blanks; lines are the property ``lines``
``<pen rb="4">``                                property ``ruby``, not words
==============================================  ================================================

Unlike in WebVTT, rows do not repeat text. In newer tracks, every row has a duration of 3 s; if at
least 80 % of the rows have it, each row ends where the next begins. Text that is escaped twice in
srv1 is decoded twice. Styles, positions and zero-width spaces between styled pieces are dropped.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

from formats.detection.spec import FormatSpec
from formats.io.source import Source
from formats.json.numbers import nanoseconds
from formats.json.value import JsonDocument, JsonValue
from formats.reading.lines import TEXT_BLANKS, strip_blanks
from formats.reading.xml_document import Element, line_of, local_name, stream_xml, xml_error
from formats.schema.errors import SyntaxFormatError, quoted
from formats.schema.times import SECOND
from formats.subtitles.cue_reading import READ_OPTIONS, reads_cues
from formats.subtitles.cues import Cue, Run, closed, decode_entities
from formats.subtitles.messages import (
    YOUTUBE_COMMA,
    YOUTUBE_DURATION,
    YOUTUBE_END,
    YOUTUBE_ESCAPES,
    YOUTUBE_ORDER,
    YOUTUBE_WORDS,
)

PLACEHOLDER = 3 * SECOND
MOST_SURE = 255
ESCAPED = re.compile(r"&(?:amp|lt|gt|quot|apos|#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6});")
FORMATTING = re.compile(r"</?(?:font|[biu])\b[^<>]*>")
WORD = re.compile(r"(?:\A[ \t\v\f]+)?[^ \t\v\f]+[ \t\v\f]*")
OTHER_BLANKS = str.maketrans({"\u200b": None})
NO_BLANKS = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")
"""Letters of scripts that put no blanks between words."""


class Piece(NamedTuple):
    """A piece of a row's text. `offset` is in nanoseconds from the start of the row, or `None`."""

    text: str
    offset: int | None = None
    confidence: float | None = None
    ruby: str = ""


class CaptionRow(NamedTuple):
    """A row of text that a window of the screen shows from `start` on. Times are in nanoseconds."""

    start: int
    duration: int | None
    window: str | None
    pieces: tuple[Piece, ...]
    line: int | None = None


def _cues(source: Source, rows: Sequence[CaptionRow], *, has_windows: bool = True) -> Iterator[Cue]:
    """Yield a cue for each row that has text."""
    pieces = [piece for row in rows for piece in row.pieces]
    is_automatic = any(piece.offset is not None for piece in pieces)
    following: dict[str | None, int] = {}
    filled: list[tuple[CaptionRow, int | None]] = []
    for row in reversed(rows):
        if strip_blanks("".join(piece.text for piece in row.pieces).replace("\n", " ")):
            filled.append((row, following.get(row.window)))
        following[row.window] = row.start
    source.is_silent = bool(rows)
    lasting = sum(row.duration == PLACEHOLDER for row, _ in filled)
    is_placeholder = len(filled) > 4 and lasting >= 0.8 * len(filled)
    if is_placeholder:
        source.log.say(YOUTUBE_DURATION, lasting=lasting, filled=len(filled))
    is_sure = any(piece.confidence for piece in pieces)
    lacks_blanks = is_automatic and not any(piece.text[:1] == " " for piece in pieces)
    for row, after in reversed(filled):
        end = None if row.duration is None else row.start + row.duration
        is_cut = not has_windows or is_automatic or row.window is not None
        if is_cut and after is not None and after >= row.start:
            end = after if end is None or is_placeholder else min(end, after)
        if lacks_blanks:
            texts = (f" {p.text}" if NO_BLANKS.search(p.text) else p.text for p in row.pieces)
            pairs = zip(row.pieces, texts, strict=True)
            row = row._replace(pieces=tuple(piece._replace(text=text) for piece, text in pairs))
        runs = tuple(_runs(source, row, end, is_automatic, is_sure))
        yield Cue(row.start, end, runs, row.line, (), "words only")


def _runs(
    source: Source, row: CaptionRow, end: int | None, is_automatic: bool, is_sure: bool
) -> Iterator[Run]:
    offsets = [piece.offset or 0 for piece in row.pieces]
    if is_automatic and any(first > second for first, second in pairwise(offsets)):
        source.log.say(YOUTUBE_ORDER, row.line)
        is_automatic = False
    chunk = 0
    starts = [row.start + offset for offset in offsets]
    for piece, start, stop in zip(row.pieces, starts, [*starts[1:], end], strict=True):
        text = piece.text.translate(OTHER_BLANKS)
        ruby = (("ruby", piece.ruby),) if piece.ruby else ()
        if not is_automatic:
            yield Run(text, properties=ruby)
            continue
        if stop is not None and stop < start:
            source.log.say(YOUTUBE_END, row.line)
            stop = start
        words = WORD.findall(text.replace("\n", " "))
        if len(words) > 1 and stop is not None:
            source.log.say(YOUTUBE_WORDS, row.line, text=strip_blanks(text))
        confidence = piece.confidence if is_sure else None
        for word, span in zip(words or [text], _spans(words, start, stop), strict=True):
            chunk += 1
            yield Run(word, None, chunk, *span, ruby, confidence)


def _spans(words: Sequence[str], start: int, stop: int | None) -> list[tuple[int, int | None]]:
    """Divide the time of a piece among its words, in proportion to their lengths."""
    if stop is None or len(words) < 2:
        return [(start, stop)] * max(len(words), 1)
    ends = list(accumulate((len(word.strip(TEXT_BLANKS)) for word in words), initial=0))
    return [*pairwise(start + (stop - start) * done // ends[-1] for done in ends)]


def _confidence(value: float | str | None) -> float | None:
    """Convert a confidence from 0 to 255 to a number from 0 to 1; `None` for any other value."""
    try:
        number = -1.0 if value is None else float(value)
    except (ValueError, OverflowError):
        return None
    return number / MOST_SURE if 0 <= number <= MOST_SURE else None


@reads_cues
def read_json3(source: Source) -> Iterator[Cue]:
    """Yield one cue per row with text."""
    rows: list[CaptionRow] = []
    for value in JsonDocument(source).values:
        for event in value.required("events").elements():
            try:
                rows.append(_row_of_json3(event, is_first=not rows))
            except SyntaxFormatError as error:
                source.log.reject("YOUTUBE-EVENT", error)
    yield from closed(source, _cues(source, rows))


def _row_of_json3(event: JsonValue, *, is_first: bool) -> CaptionRow:
    start = event.time_of("tStartMs", per_second=1000)
    if start is None and not is_first:
        raise event.error('a member "tStartMs"', "none")
    pieces = tuple(
        Piece(
            text,
            span.time_of("tOffsetMs", per_second=1000),
            _confidence(span.confidence_of("acAsrConf")),
        )
        for span in event.elements("segs")
        if (text := span.text_of("utf8"))
    )
    duration = event.time_of("dDurationMs", per_second=1000)
    return CaptionRow(start or 0, duration, event.name_of("wWinId"), pieces)


@reads_cues
def read_srv(source: Source) -> Iterator[Cue]:
    """Yield one cue per row with text."""
    elements = stream_xml(
        source, ("transcript", "timedtext", "transcript_list"), ("pen", "text", "p")
    )
    root = next(elements, None)
    if root is None:
        return
    is_first_version = local_name(root) == "transcript"
    if local_name(root) == "transcript_list":
        raise xml_error(source, root, "captions", "a list of tracks, without text")
    rows: list[CaptionRow] = []
    annotations: set[str] = set()
    odd = 0
    for element in elements:
        if local_name(element) == "pen":
            if element.get("rb") in ("4", "5", "6", "7"):
                annotations.add(element.get("id", ""))
            continue
        try:
            names = ("start", "dur") if is_first_version else ("t", "d")
            start, duration = (_time(source, element, name) for name in names)
            pieces = _pieces(source, element, annotations)
        except SyntaxFormatError as error:
            source.log.reject("YOUTUBE-EVENT", error)
            continue
        if is_first_version:
            text = "".join(piece.text for piece in pieces)
            odd += ESCAPED.search(text) is not None
            plain = decode_entities(text) if ESCAPED.search(text) else text
            pieces = (Piece(FORMATTING.sub("", plain)),)
        window = element.get("w")
        rows.append(CaptionRow(start or 0, duration, window, pieces, line_of(element)))
    if odd:
        source.log.say(YOUTUBE_ESCAPES, odd=odd)
    yield from closed(source, _cues(source, rows, has_windows=not is_first_version))


def _time(source: Source, element: Element, name: str) -> int | None:
    """Parse a time attribute (seconds in srv1, otherwise milliseconds); return nanoseconds."""
    text = element.get(name)
    if text is None and name in ("start", "t"):
        raise xml_error(source, element, f'an attribute "{name}"', "none")
    if text is None:
        return None
    is_seconds = name in ("start", "dur")
    text = strip_blanks(text)
    if "," in text:
        source.log.say(YOUTUBE_COMMA, line_of(element))
    try:
        return nanoseconds(text.replace(",", "."), 1 if is_seconds else 1000)
    except ValueError as problem:
        raise xml_error(source, element, f"{name} as {problem}", quoted(text)) from None


def _pieces(source: Source, row: Element, annotations: set[str]) -> tuple[Piece, ...]:
    """Return the text of a row and of its spans as pieces, in order."""
    pieces = [Piece(row.text or "")]
    for child in row:
        name = local_name(child)
        if name == "br":
            pieces.append(Piece("\n"))
        elif name == "s" and child.get("p") in annotations:
            if pieces[-1].text == "(":
                pieces.pop()
            pieces.append(Piece("", ruby="".join(child.itertext())))
        elif name == "s":
            offset = _time(source, child, "t") if child.get("t") is not None else None
            text = "".join(child.itertext())
            if not (text == ")" and pieces[-1].ruby):
                pieces.append(Piece(text, offset, _confidence(child.get("ac"))))
        else:
            pieces.append(Piece("".join(child.itertext())))
        pieces.append(Piece(child.tail or ""))
        if not pieces[-1].text:
            pieces.pop()
    return tuple(_timed(pieces))


def _timed(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """Yield the pieces that have text, without white space of the XML layout."""
    before: Piece | None = None
    for piece in pieces:
        if piece.text or piece.ruby:
            if piece.offset is None and before is not None and before.offset is not None:
                piece = piece._replace(offset=before.offset)
            yield piece
            before = piece


JSON3_SPEC = FormatSpec(
    title="captions of YouTube in JSON: rows, and the words of automatic captions",
    sign='"events" with "tStartMs"',
    read=read_json3,
    has_one_recording=True,
    read_options=READ_OPTIONS,
)
SRV_SPEC = FormatSpec(
    title="captions of YouTube in XML: srv1, srv2, srv3 (ytt)",
    sign="the root element timedtext",
    read=read_srv,
    has_one_recording=True,
    read_options=READ_OPTIONS,
)
