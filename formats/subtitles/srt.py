r"""srt (SubRip): numbered blocks of a timing line and lines of text.

::

    1
    00:00:00,500 --> 00:00:02,250
    hello world

===================================  ===========================================================
in the file                          in the schema
===================================  ===========================================================
``00:00:00,500 --> 00:00:02,250``    `Segment.start_ns`, `Segment.end_ns`
lines of text                        words; several lines are also the property ``lines``
``<i>``, ``<font …>``, ``{\an8}``    markup, removed from the words; the text with markup is the
                                     property ``raw``
``\h``                               a hard space, read as a blank; the property ``raw`` has the
                                     original text
``X1:100 X2:200 …`` after the times  property ``position``
a text after the times, none below   words, with a note
the number of the cue                ignored; the writer numbers cues from 1
===================================  ===========================================================

This package has its own parser, because pysubs2 1.8.1 drops the minus sign of times, misreads the
numbers of cues and deletes ``{words}``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from formats.detection.spec import ESCAPE_MARKUP, Option, SegmentSource, Sniff
from formats.io.messages import RULE_DROPPED
from formats.io.sink import Sink
from formats.io.source import Source
from formats.reading.lines import TEXT_BLANKS, strip_blanks
from formats.schema import lazy_pattern
from formats.schema.errors import SyntaxFormatError, quoted
from formats.schema.times import format_clock, plain_cue_span
from formats.subtitles.cue_reading import reads_cues
from formats.subtitles.cue_text import SPEAKER_PREFIX, CueOut, cues_out
from formats.subtitles.cues import Cue, Run, clock_at, cue_between, decode_entities, text_beside
from formats.subtitles.messages import (
    RULE_HAN_CHARACTERS_AND_KANA,
    SRT_BLANK_LINE,
    SRT_BLANKS,
    SRT_COUNTER,
    SRT_COUNTER_BLANK,
    SRT_LAST_COUNTER,
    SRT_LOOSE,
    SRT_NO_TIMES,
    SRT_SKIPPED,
    SRT_TEXT,
)
from formats.subtitles.segmentation import cue_format

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from typing import Any

SEARCHED = 10_000
"""Lines in which the first cue has to begin."""
CLOCK = (
    r"(-?(?:[0-9]{1,9}:)?[0-9]{1,2}:[0-9]{1,2}"
    r"(?:([ \t]*)[.,]([ \t]*)[0-9]{1,9}|[:;][0-9]{3}(?![0-9]))?)"
)
TIMING = lazy_pattern(
    rf"(?s)[ \t]*{CLOCK}[ \t]*(?:--?[ \t]?|[–—])>[ \t]*{CLOCK}"
    r"(?:[.,;](?=[ \t]*\Z))?(?:[ \t]+(.*))?[ \t]*\Z"
)
CELL = lazy_pattern(r'[,;\t]"[0-9]{1,6}[ \t]*\Z')
"""The beginning of a cell of a table that has cues: the number of the first cue."""
MARKED_THOUSANDTHS = lazy_pattern(r"[:;]([0-9]{3})\Z")
COUNTER = lazy_pattern(r"(?:[^\W\d_]{1,12}[ .#_-]{0,2}|#)?([0-9]{1,6})[.:)\]]?\Z")
"""The number of a cue with a name or a sign: ``Cue 12``, ``#12``, ``12.``"""
TIMING_EXPECTED = "a timing line like 00:00:01,000 --> 00:00:02,500"
BROKEN_TIMING = lazy_pattern(
    r"[ \t]*-?[0-9][0-9:.,; \t]*-->"
    r"|[ \t]{0,9}(?=[^ \t]{0,20}[0-9])[^ \t]{1,12}:[^ \t]{1,20}[ \t]{0,9}-->"
)
TIMING_LIKE = lazy_pattern(r"[ \t]*-?[0-9][0-9:.,; \t]*--?>")
_HARD_SPACE = r"\\h"
_BREAK = r"<br[ \t]{0,3}/?>|(?<!:)\\N"
_MARKS = (
    r"</?(?:[ibuspc]|font|span|div|em|strong)(?:\.[^\s<>]{1,60})?(?:[ \t][^<>]*)?>"
    r"|\{\\[^{}]*\}|\{/?[ibus]\}"
)
HARD_SPACE = lazy_pattern(_HARD_SPACE)
BREAK = lazy_pattern(_BREAK)
"""Line breaks as HTML and ASS have them."""
MARKS = lazy_pattern(f"(?i){_MARKS}")
HAN_BLANK = lazy_pattern(
    r"(?<=[\u3001-\u30ff\u3400-\u9fff\uf900-\ufaff]) (?=[\u3001-\u30ff\u3400-\u9fff\uf900-\ufaff])"
)
"""A blank between characters of scripts that have none."""
CHANGED = lazy_pattern(f"(?i){_MARKS}|{_HARD_SPACE}|{_BREAK}")
"""Text that the reader does not read as letters."""


def _cues(source: Source, *, entities: bool = False) -> Iterator[Cue]:
    """Yield the cues in the order of the file."""
    reader = _SrtReader(source, entities)
    for first, lines in source.batches():
        index = 0
        while index < len(lines):
            number, line = first + index, lines[index]
            index += 1
            span = timing = None
            if ">" in line:
                span = plain_cue_span(line, ",")
                timing = None if span else TIMING.match(line)
            if span is None and timing is None and not (">" in line and BROKEN_TIMING.match(line)):
                reader.text.append(line)
                if number == SEARCHED and not reader.timing_lines:
                    raise reader.no_cue(1)
                continue
            cue = reader.cue_before(is_last=False)
            if cue is not None:
                yield cue
            reader.begin(number, line, span, timing)
            while (plain := reader.plain_cue(first, lines, index)) is not None:
                cue, index = plain
                yield cue
    cue = reader.cue_before(is_last=True)
    if cue is not None:
        yield cue


read = reads_cues(_cues, decodes=True)


class _SrtReader:
    """The cue that is being read: its times, and the lines after its timing line."""

    def __init__(self, source: Source, entities: bool) -> None:
        self.source = source
        self.entities = entities
        self.text: list[str] = []
        self.counter: int | None = None
        self.cue: Cue | None = None
        self.timing_lines = 0
        self.is_skipping = False
        self.line = 0

    def begin(
        self, number: int, line: str, span: tuple[int, int] | None, timing: re.Match[str] | None
    ) -> None:
        """Begin a cue at a timing line.

        `span` has its times if the line is in the usual form, otherwise `timing` is a tolerant
        match.
        """
        self.timing_lines += 1
        self.line = number
        self.cue = None if span is None else Cue(*span, (), number)
        self.is_skipping = False
        if span is None:
            try:
                if timing is None:
                    raise self.source.syntax_error(number, TIMING_EXPECTED, quoted(line), column=1)
                self.cue = self._cue(number, line, timing)
            except SyntaxFormatError as error:
                self.is_skipping = True
                self.source.log.reject("SRT-SYNTAX", error)

    def plain_cue(self, first: int, lines: Sequence[str], index: int) -> tuple[Cue, int] | None:
        """Return the cue that has begun, if its text at `index` has the usual form.

        That is text, an empty line, the next number and a timing line, at which the next cue
        begins; also return the index after it. Return `None` otherwise; then lines are read one at
        a time.
        """
        if self.cue is None or self.counter is None:
            return None
        try:
            stop = lines.index("", index)
            if lines[stop + 1] != str(self.counter + 1):
                return None
            span = plain_cue_span(lines[stop + 2], ",")
        except (ValueError, IndexError):
            return None
        texts = lines[index:stop]
        if span is None or not texts:
            return None
        for line in texts:
            if line[0] in TEXT_BLANKS and not line.strip(TEXT_BLANKS):
                return None
        raw = texts[0] if len(texts) == 1 else "\n".join(texts)
        if ">" in raw and any(TIMING.match(x) or BROKEN_TIMING.match(x) for x in texts):
            return None
        cue = self._with_text(self.cue, raw)
        self.counter += 1
        self.timing_lines += 1
        self.line = first + stop + 2
        self.cue = Cue(*span, (), self.line)
        return cue, stop + 3

    def _cue(self, number: int, line: str, timing: re.Match[str]) -> Cue:
        """Create the cue of a timing line; text after the times is the property ``position``."""
        clocks = [MARKED_THOUSANDTHS.sub(r",\1", "".join(timing[n].split())) for n in (1, 4)]
        start, end = (
            clock_at(self.source, number, timing.start(group) + 1, clock)
            for group, clock in zip((1, 4), clocks, strict=True)
        )
        if any(timing.group(2, 3, 5, 6)):
            self.source.log.say(SRT_BLANKS, number)
        elif (
            "-->" not in line or any(map(_has_short_parts, clocks)) or ";" in line
            or (timing.end(4) < len(line) and line[timing.end(4)] in ".,")
        ):  # fmt: skip
            self.source.log.say(SRT_LOOSE, number)
        cue = cue_between(self.source, number, start, end, strip_blanks(line))
        position = strip_blanks(timing[7] or "")
        if position:
            cue = cue._replace(properties=(*cue.properties, ("position", position)))
        return cue

    def _join_counter(self, lines: list[str]) -> None:
        """Drop blank lines between a cue number and the timing line below it."""
        filled = len(lines)
        while filled and not lines[filled - 1].strip(TEXT_BLANKS):
            filled -= 1
        if not 0 < filled < len(lines):
            return
        match = COUNTER.match(lines[filled - 1].strip(TEXT_BLANKS))
        is_next = match is not None and self._is_next(int(match[1]))
        is_apart = filled == 1 or not lines[filled - 2].strip(TEXT_BLANKS) if filled else False
        if is_next and is_apart:
            self.source.log.say(SRT_COUNTER_BLANK, self.line)
            del lines[filled:]

    def cue_before(self, *, is_last: bool) -> Cue | None:
        """Return the cue above this line; `None` if no cue has begun.

        The number of the next cue is removed from the end of the text.
        """
        lines, self.text = self.text, []
        counter = self.counter
        if not is_last:
            self._join_counter(lines)
        digits = lines[-1].strip(TEXT_BLANKS) if lines and not is_last else ""
        if digits.isdigit() and digits.isascii():
            lines.pop()
            self._count(digits, self.line + len(lines) + 1)
        elif digits and self._is_named_counter(lines, digits):
            lines.pop()
        elif is_last:
            self._drop_last_counter(lines)
        if self.cue is None:
            self._skip(lines, is_last)
            return None
        while lines and not lines[-1].strip(TEXT_BLANKS):
            lines.pop()
        kept = lines if len(lines) < 2 else [line for line in lines if line.strip(TEXT_BLANKS)]
        if len(kept) != len(lines):
            self.source.log.say(SRT_BLANK_LINE, self.cue.line)
            self._check_counters(lines, counter)
        if kept:
            return self._with_text(self.cue, "\n".join(kept))
        return self._with_text(*text_beside(self.source, self.cue, "position"))

    def _with_text(self, cue: Cue, raw: str) -> Cue:
        """Return a cue with its text; `raw` has the markup of the file."""
        text = _unmarked(raw)
        start, end, _, line, properties, *_ = cue
        if text != raw:
            properties = (*properties, ("raw", raw))
        if self.entities:
            text = decode_entities(text)
        return Cue(start, end, (Run(text),), line, properties)

    def _is_next(self, number: int) -> bool:
        """Return True if a number follows the last counter; the first may be 0."""
        return number == (self.counter or 0) + 1 or (self.counter is None and not number)

    def _is_named_counter(self, lines: Sequence[str], last: str) -> bool:
        """Return True if the last line is a counter with a name or sign; then store its number."""
        match = COUNTER.match(last)
        is_apart = len(lines) < 2 or not lines[-2].strip(TEXT_BLANKS)
        if match is None or not is_apart or not self._is_next(int(match[1])):
            return False
        self.counter = int(match[1])
        return True

    def _drop_last_counter(self, lines: list[str]) -> None:
        """Remove the counter of a cue that the file no longer has."""
        filled = len(lines)
        while filled and not lines[filled - 1].strip(TEXT_BLANKS):
            filled -= 1
        digits = lines[filled - 1].strip(TEXT_BLANKS) if filled > 1 else ""
        is_counter = digits.isdigit() and digits == str((self.counter or 0) + 1)
        if is_counter and not lines[filled - 2].strip(TEXT_BLANKS):
            self.source.log.say(SRT_LAST_COUNTER, self.line + filled, counter=digits)
            del lines[filled - 1 :]

    def _check_counters(self, lines: Sequence[str], counter: int | None) -> None:
        """Warn about a line that is the counter of a next cue, but has text below it, not times."""
        for row in range(1, len(lines) - 1):
            digits = lines[row].strip(TEXT_BLANKS)
            is_apart = not lines[row - 1].strip(TEXT_BLANKS) and lines[row + 1].strip(TEXT_BLANKS)
            if is_apart and digits == str((counter or 0) + 1):
                self.source.log.say(SRT_NO_TIMES, self.line + row + 1, counter=digits)

    def _count(self, digits: str, number: int) -> None:
        counter = int(digits[-18:])
        if self.counter is not None and counter != self.counter + 1:
            self.source.log.say(SRT_COUNTER, number, counter=self.counter + 1, found=digits)
        self.counter = counter

    def _skip(self, lines: Sequence[str], is_last: bool) -> None:
        """Report text outside of cues: above the first cue, or after an invalid timing line."""
        texts = [(n, line) for n, line in enumerate(lines, self.line + 1) if strip_blanks(line)]
        if texts and is_last and not self.timing_lines:
            raise self.no_cue(texts[0][0])
        for number, line in texts:
            if self.is_skipping:
                self.source.log.say(SRT_SKIPPED, number, text=line)
            else:
                self.source.log.say(SRT_TEXT, number, text=line)

    def no_cue(self, number: int) -> SyntaxFormatError:
        """Create the error for a file that has no cues and may have another format."""
        return self.source.syntax_error(number, TIMING_EXPECTED, "no cue")


def _has_short_parts(clock: str) -> bool:
    """Return True if the minutes or seconds have one digit.

    >>> _has_short_parts("0:00:01,000"), _has_short_parts("00:00:1")
    (False, True)
    """
    whole = clock.replace(".", ",").partition(",")[0]
    return any(len(part) == 1 for part in whole.split(":")[-2:])


def _unmarked(raw: str) -> str:
    """Remove tags from a text; hard spaces become blanks."""
    has_tags = "<" in raw
    text = MARKS.sub("", raw) if has_tags or "{" in raw else raw
    if "\\" in text:
        return BREAK.sub("\n", HARD_SPACE.sub(" ", text))
    return BREAK.sub("\n", text) if has_tags else text


def write(
    segments: SegmentSource, sink: Sink, *, speaker_prefix: bool = False,
    escape_markup: bool = False, allow_loss: bool = False, han_blanks: bool = True, **limits: Any,
) -> None:  # fmt: skip
    """Write one cue per segment, sorted by begin and numbered from 1."""
    number = 0
    for cue in cues_out(segments, sink, 3, limits, speaker_prefix):
        text = cue.prefix + "\n".join(_lines(cue, escape_markup))
        if not han_blanks:
            text, count = HAN_BLANK.subn("", text)
            if count:
                cue.lost("blanks between words", count, RULE_HAN_CHARACTERS_AND_KANA)
        lines = text.split("\n")
        timing_like = [line for line in lines if _is_like_timing(line)]
        if timing_like and not allow_loss:
            expected = "a text without lines that look like times"
            raise cue.refuse(expected, quoted(timing_like[0]))
        if timing_like:
            cue.lost("lines that look like times", len(timing_like), RULE_DROPPED)
            text = "\n".join(line for line in lines if not _is_like_timing(line))
        if text:
            number += 1
            begin, end = (format_clock(time, point=",") for time in (cue.start, cue.end))
            sink.write(f"{number}\n{begin} --> {end}\n{text}\n\n")


def _is_like_timing(line: str) -> bool:
    """Return True if a reader could mistake a line of text for a timing line."""
    return ">" in line and bool(TIMING_LIKE.match(line) or BROKEN_TIMING.match(line))


def _lines(cue: CueOut, escape: bool) -> list[str]:
    """Return the lines of the original text if it has the same words; otherwise a single line."""
    raw = cue.segment.get("raw")
    text = None if raw is None else _unmarked(raw).replace("\n", " ")
    if (kept := cue.raw(text, "srt")) is not None:
        return kept
    return cue.unmarked(cue.lines(), CHANGED, "words that are no marks of srt", escape)


def sniff(lines: Sequence[str]) -> Sniff:
    """Return `SURE` if one of the first five lines is a timing line with commas, otherwise `MAYBE`.

    A timing line with a name in brackets belongs to the format of `formats.meetings.turns`, and so
    do lines that all have times and a text.
    """
    filled = list(filter(strip_blanks, lines))
    if filled and filled[0].lstrip("\ufeff \t").startswith(("<", "WEBVTT")):
        return Sniff.NO
    timings = [_parts_of_timing(line) if ">" in line else None for line in filled]
    if any(
        timing and '"' in line and CELL.search(line)
        for line, timing in zip(filled, timings[1:], strict=False)
    ):
        return Sniff.NO  # the cues are in the cells of a table
    if len(filled) > 1 and all(timing and timing[2] for timing in timings):
        return Sniff.NO  # the texts are behind the times
    if any(timing and timing[2].endswith("]") for timing in timings[:5]):
        return Sniff.MAYBE
    if any(timing and "," in timing[0] and "," in timing[1] for timing in timings[:5]):
        return Sniff.SURE
    return Sniff.MAYBE if any(timings) else Sniff.NO


def _parts_of_timing(line: str) -> tuple[str, str, str] | None:
    """Return the start and end of a timing line as written, and the text behind them."""
    if plain_cue_span(line, ","):
        return line[:12], line[17:], ""
    timing = TIMING.match(line)
    return timing and (timing[1], timing[4], timing[7] or "")


SPEC = cue_format(
    title="SubRip subtitles: numbered cues of a timing line and lines of text",
    sign='cues with "-->"',
    read=read,
    write=write,
    sniff=sniff,
    holds=("words", "speakers", "segment times", "segment boundaries"),
    properties=("lines", "raw"),
    read_options=(Option("entities", False, "decode HTML entities such as &amp; in srt files"),),
    write_options=(
        SPEAKER_PREFIX,
        ESCAPE_MARKUP,
        Option(
            "allow_loss",
            False,
            "drop lines of text that look like the timing line of a cue (default: "
            "stop with an error)",
        ),
        Option(
            "han_blanks", True, "write spaces between Chinese characters or kana", (True, False)
        ),
    ),
)
