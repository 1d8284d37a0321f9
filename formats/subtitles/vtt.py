r"""WebVTT: cues with voices, word times and positions.

::

    WEBVTT

    c1
    00:00:00.500 --> 00:00:02.250 align:start
    <v Anne>hello <00:00:01.500>world &amp; all</v>

=====================================  ======================================================
in the file                            in the schema
=====================================  ======================================================
the times of a cue                     `Segment.start_ns`, `Segment.end_ns`
``<v Anne>``                           `Segment.speaker`; every voice in a cue gives a segment
``<00:00:01.500>``                     word times; see `formats.subtitles.cues`
``<c.loud>``, ``<v.loud Anne>``        property ``classes``
``<lang en>``                          property ``language``
``<rt>``                               property ``ruby``, not words
the line before the times              property ``id``
``align:start …`` after the times      property ``settings``
a text after the times, none below     words, with a note
lines of text                          property ``lines``
``Language:``, ``Kind:``, the title    properties of the file: ``language``, ``kind``, ``title``
``NOTE``, ``STYLE``, ``REGION``        dropped, counted in notes
text behind a blank line               words of the cue above, with a warning
``{\an8}`` and other marks of ASS      removed
=====================================  ======================================================

This package has its own parser and writer, because pysubs2 1.8.1 and webvtt-py 0.6.0 lose voices,
and times with decimal commas.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from formats.detection.spec import Option, Sniff
from formats.io.source import Source
from formats.reading.lines import TEXT_BLANKS, strip_blanks
from formats.schema import lazy_pattern
from formats.schema.errors import SyntaxFormatError, quoted
from formats.schema.times import parse_clock, parse_time, plain_cue_span
from formats.schema.words import Properties
from formats.subtitles.cue_reading import reads_cues
from formats.subtitles.cues import Cue, Run, clock_at, cue_between, shifted, text_beside
from formats.subtitles.messages import (
    NOTE_IN_TEXT,
    TEAMS_MS,
    VTT_ARROW,
    VTT_BLANK_LINE,
    VTT_BLOCK,
    VTT_COMMA,
    VTT_COMMENTS,
    VTT_HEAD,
    VTT_HEADER,
    VTT_MAP_ADDED,
    VTT_NO_BLANK,
    VTT_NUL,
    VTT_SECONDS,
    VTT_TEXT_BEFORE,
    VTT_TIMESTAMP_MAP,
)
from formats.subtitles.segmentation import TIMED_CUES, WORD_TIMES, cue_format
from formats.subtitles.vtt_text import Irregularities, cut_text
from formats.subtitles.vtt_writer import write

TYPE_CHECKING = False
if TYPE_CHECKING:
    pass

CLOCK = r"(-?(?:[0-9]{1,9}:)?[0-9]{1,2}:[0-9]{1,2}(?:[.,][0-9]{1,9})?|[0-9]{1,9}\.[0-9]{1,9})"
TIMING = lazy_pattern(
    rf"(?s)[ \t]*{CLOCK}[ \t]*-->[ \t]*{CLOCK}(?:(?:[ \t]+|(?<=[.][0-9]{{3}})(?=\ufffd))(.*))?\Z"
)
TIMING_EXPECTED = "a timing line like 00:00:01.000 --> 00:00:02.500"
BROKEN_TIMING = lazy_pattern(r"[ \t]*-?[0-9][0-9:.,; \t]*-->")
TIME_FIRST = lazy_pattern(r"[ \t]*[0-9]{2}:[0-9]{2}:[0-9]{2}[.,][0-9]")
"""The beginning of a timing line that is broken."""
COMMENTS = lazy_pattern(r"(NOTE|STYLE|REGION)(?:[ \t]|\Z)")
LOCAL = lazy_pattern(r"LOCAL:([0-9:.]+)")
UNPADDED = lazy_pattern(r"(?m)^[0-9]+:(?:[0-9]:[0-9]{1,2}|[0-9]{1,2}:[0-9])\.[0-9]{1,3}[ \t]+-->")
"""A time with a minute or second of one digit, in the beginning of a file of Teams."""
TEAMS = lazy_pattern(r"NOTE (Confidence|duration|language):[ \t]*\"?([^\"]*)\"?[ \t]*\Z")
SURE = lazy_pattern(r"[01](?:\.[0-9]+)?\Z")
MPEGTS = lazy_pattern(r"MPEGTS:([0-9]{1,18})(?![0-9])")
TICKS = 90_000


@reads_cues
def read(source: Source, *, apply_timestamp_map: bool = False) -> Iterator[Cue]:
    """Yield the cues in the order of the file."""
    return _VttReader(source, apply_timestamp_map).cues()


class _VttReader:
    """Reads the blocks of lines between blank lines."""

    def __init__(self, source: Source, apply_timestamp_map: bool) -> None:
        self.source = source
        self.apply_timestamp_map = apply_timestamp_map
        self.shift = 0
        self.confidence: float | None = None
        self.block: list[tuple[int, str]] = []
        self.loose: list[tuple[int, list[str]]] = []
        self.is_head, self.has_signature = True, False
        self.counts_milliseconds = UNPADDED.search(source.head()[0]) is not None
        if self.counts_milliseconds:
            source.log.say(TEAMS_MS)

    def cues(self) -> Iterator[Cue]:
        """Yield the cues of the file."""
        self.source.keep_nul()
        waiting: Cue | None = None
        after: Cue | None
        for after in self._cues():
            if self.loose:
                waiting, after = self._joined(waiting, after)
            if waiting is not None:
                yield waiting
            waiting = after
        if self.loose:
            waiting, _ = self._joined(waiting, None)
        if waiting is not None:
            yield waiting
        elif not (self.has_signature or self.is_head):
            raise self.source.syntax_error(1, f'"WEBVTT", or {TIMING_EXPECTED}', "no cue")

    def _cues(self) -> Iterator[Cue]:
        """Yield the cues; texts between them without timing lines go to `loose`."""
        for first, passage in self.source.passages():
            index, lines = 0, passage.split("\n")
            is_odd = "\0" in passage or "NOTE" in passage
            while index < len(lines):
                if not self.block and not self.is_head and lines[index]:
                    plain = self._plain_cue(first, lines, index, is_odd)
                    if plain is not None:
                        cue, index = plain
                        yield cue
                        continue
                yield from self._take(first + index, lines[index])
                index += 1
        yield from self._block(self.block)

    def _joined(self, cue: Cue | None, after: Cue | None) -> tuple[Cue | None, Cue | None]:
        """Return a cue with the loose texts below it, and the cue after it."""
        loose, self.loose = self.loose, []
        _, lines = loose[-1]
        name = lines[0].strip(TEXT_BLANKS) if len(lines) == 1 else ""
        if after is not None and name.isdigit() and "id" not in dict(after.properties):
            after = after._replace(properties=(*after.properties, ("id", name)))
            loose = loose[:-1]
        for number, lines in loose:
            if cue is None:
                self.source.log.say(VTT_TEXT_BEFORE, number, text=lines[0])
                continue
            self.source.log.say(VTT_BLANK_LINE, number, text=lines[0])
            runs, odd = cut_text("\n".join(["", *lines]), cue.start_ns, cue.end_ns)
            self._say_odd(odd, number)
            last = cue.runs[-1] if cue.runs else Run("")
            more = [run._replace(speaker=run.speaker or last.speaker, chunk=None) for run in runs]
            cue = cue._replace(runs=(*cue.runs, *more))
        return cue, after

    def _plain_cue(
        self, first: int, lines: Sequence[str], index: int, is_odd: bool
    ) -> tuple[Cue, int] | None:
        """Return the cue in the usual form at a line, and the index of the line after it.

        `is_odd` is true if some line has a NUL or may be a note. Return `None` if there is no such
        cue; then lines are read one at a time.
        """
        name, begin = None, index
        span = plain_cue_span(lines[index], ".")
        if span is None and index + 1 < len(lines) and lines[index][0] not in "NSR \t\v\f":
            name, begin = lines[index], index + 1
            span = plain_cue_span(lines[begin], ".")
        if span is None or (name is not None and ("-->" in name or (is_odd and "\0" in name))):
            return None
        try:
            stop = lines.index("", begin + 1)
        except ValueError:
            return None
        texts = lines[begin + 1 : stop]
        for line in texts:
            if line[0] in TEXT_BLANKS and not line.strip(TEXT_BLANKS):
                return None
        whole = "\n".join(texts)
        if "-->" in whole or (is_odd and ("\0" in whole or "NOTE" in whole)):
            return None
        confidence, self.confidence = self.confidence, None
        start, end = span
        cue = self._with_text(start, end, whole, first + begin, name, (), confidence)
        return cue, stop + 1

    def _take(self, number: int, line: str) -> Iterator[Cue]:
        """Process a line; if it ends a block, yield the cues of the block."""
        if "\0" in line:
            self.source.log.say(VTT_NUL, number)
            line = line.replace("\0", "\ufffd")
        block = self.block
        is_blank = not line or (line[0] in TEXT_BLANKS and not line.strip(TEXT_BLANKS))
        if not self.is_head and not is_blank:
            block.append((number, line))
            return
        if self.is_head and not self.has_signature and not is_blank:
            self.has_signature = _is_signature(line)
            if self.has_signature:
                self._title(line)
                return
            self.source.log.say(VTT_HEAD, number, 1)
            self.is_head = False
        if self.is_head and not is_blank and "-->" not in line:
            self._header(number, line)
        elif is_blank and line and block and _is_timing(block[-1][1]):
            # Blanks for a line not yet spoken: only an empty line ends a cue.
            block.append((number, line))
        elif is_blank and not self.is_head:
            self.block = []
            yield from self._block(block)
        elif not is_blank:
            self.is_head = False
            block.append((number, line))
        elif self.has_signature:
            self.is_head = False

    def _title(self, line: str) -> None:
        title = strip_blanks(line.lstrip(" \t\ufeff")[6:])
        if title:
            self.source.properties["title"] = title

    def _header(self, number: int, line: str) -> None:
        name, mark, value = line.partition("=" if line.startswith("X-TIMESTAMP-MAP") else ":")
        name, value = strip_blanks(name).lower(), strip_blanks(value)
        if name == "x-timestamp-map":
            self._timestamp_map(number, value)
        elif mark and name in ("language", "kind"):
            self.source.properties[name] = value
        else:
            self.source.log.say(VTT_HEADER, number, text=line)

    def _timestamp_map(self, number: int, value: str) -> None:
        local, ticks = LOCAL.search(value), MPEGTS.search(value)
        try:
            if local is None or ticks is None:
                raise ValueError
            stream = int(ticks[1]) * 1_000_000_000 // TICKS
            shift = stream - parse_clock(local[1])
        except ValueError:
            error = self.source.syntax_error(
                number, "X-TIMESTAMP-MAP=LOCAL:hh:mm:ss.mmm,MPEGTS:ticks", quoted(value)
            )
            self.source.log.reject("VTT-SYNTAX", error)
            return
        if self.apply_timestamp_map:
            self.shift = shift
            self.source.log.say(VTT_MAP_ADDED, number, seconds=shift / 1e9)
        else:
            self.source.log.say(VTT_TIMESTAMP_MAP, number, seconds=shift / 1e9)

    def _block(self, block: Sequence[tuple[int, str]]) -> Iterator[Cue]:
        """Yield the cues of a block.

        A block has several cues if blank lines between cues are missing.
        """
        if not block:
            return
        comment = COMMENTS.match(block[0][1]) if block[0][1][0] in "NSR" else None
        if comment is not None and len(block) == 1 and self._teams(block[0][1]):
            return
        if comment is not None:
            number = block[0][0]
            if len(block) > 1 and TIMING.match(block[1][1]):
                self.source.log.say(VTT_COMMENTS[comment[1]][1], number)
            else:
                self.source.log.say(VTT_COMMENTS[comment[1]][0], number)
            return
        arrows = [i for i, (_, line) in enumerate(block) if "-->" in line]
        begins = [i for i in arrows if _is_timing(block[i][1])]
        if not begins or begins[0] > 1:
            above = [line for _, line in (block[: begins[0] - 1] if begins else block)]
            if any("-->" in line or TIME_FIRST.match(line) for line in above):
                self.source.log.say(VTT_BLOCK, block[0][0], text=above[0])
            else:
                self.loose.append((block[0][0], above))
        if not begins:
            return
        name = block[begins[0] - 1][1] if begins[0] else None
        if name is not None and "-->" in name:
            self._arrow(*block[begins[0] - 1])
            name = None
        for begin, stop in zip(begins, [*begins[1:], len(block)], strict=True):
            if begin != begins[0]:
                self.source.log.say(VTT_NO_BLANK, block[begin][0])
            try:
                end = next((i for i in arrows if begin < i < stop), stop)
                if end < stop:
                    self._arrow(*block[end])
                yield self._cue(*block[begin], name, [line for _, line in block[begin + 1 : end]])
            except SyntaxFormatError as error:
                self.source.log.reject("VTT-SYNTAX", error)
            name = None

    def _teams(self, line: str) -> bool:
        """Read a comment that Teams writes (confidence, language or duration).

        Return False for any other comment.
        """
        name, value = match.groups() if (match := TEAMS.match(line)) else ("", "")
        if name == "Confidence" and SURE.match(value):
            self.confidence = float(value)
            return True
        if name in ("duration", "language"):
            self.source.properties[name] = value
        return name in ("duration", "language")

    def _arrow(self, number: int, line: str) -> None:
        self.source.log.say(VTT_ARROW, number, text=line)

    def _cue(self, number: int, line: str, name: str | None, lines: Sequence[str]) -> Cue:
        cue = self._timing(number, line)
        confidence, self.confidence = self.confidence, None
        whole = "\n".join(lines)
        if not strip_blanks(whole):
            cue, whole = text_beside(self.source, cue, "settings")
        start, end, _, _, properties, *_ = cue
        if "NOTE" in whole and any(map(TEAMS.match, lines)):
            self.source.log.say(NOTE_IN_TEXT, number)
            whole = "\n".join([line for line in lines if not self._teams(line)])
        return self._with_text(start, end, whole, number, name, properties, confidence)

    def _with_text(
        self,
        start: int | None,
        end: int | None,
        whole: str,
        number: int,
        name: str | None,
        properties: Properties,
        confidence: float | None,
    ) -> Cue:
        """Return a cue with the runs of its text. `name` becomes the property ``id``."""
        if name is not None:
            properties = (*properties, ("id", strip_blanks(name)))
        runs, odd = cut_text(whole, start, end)
        if odd:
            self._say_odd(odd, number)
        cue = Cue(start, end, runs, number, properties, "words", confidence)
        return shifted(cue, self.shift) if self.shift else cue

    def _say_odd(self, odd: Irregularities, number: int) -> None:
        """Report what is unusual in a text."""
        for entry, fields in odd:
            self.source.log.say(entry, number, **fields)

    def _timing(self, number: int, line: str) -> Cue:
        """Create a cue without text, with the times and settings of a timing line."""
        if (span := plain_cue_span(line, ".")) is not None:
            return Cue(*span, (), number)
        timing = TIMING.match(line)
        if timing is None:
            raise self.source.syntax_error(number, TIMING_EXPECTED, quoted(line), column=1)
        start, end = (self._time(number, timing[n], timing.start(n)) for n in (1, 2))
        cue = cue_between(self.source, number, start, end, strip_blanks(line))
        settings = strip_blanks(timing[3] or "")
        if settings:
            cue = cue._replace(properties=(("settings", settings), *cue.properties))
        return cue

    def _time(self, number: int, text: str, column: int) -> int | None:
        if ":" not in text:
            self.source.log.say(VTT_SECONDS, number, column + 1)
            return parse_time(text)
        if "," in text:
            self.source.log.say(VTT_COMMA, number, column + 1)
        if self.counts_milliseconds and "." in text:
            whole, _, count = text.partition(".")
            text = f"{whole}.{count:0>3}"
        return clock_at(self.source, number, column + 1, text)


def _is_signature(line: str) -> bool:
    line = line.lstrip("\ufeff")
    return line == "WEBVTT" or line.startswith(("WEBVTT ", "WEBVTT\t"))


def _is_timing(line: str) -> bool:
    return TIMING.match(line) is not None or BROKEN_TIMING.match(line) is not None


def sniff(lines: Sequence[str]) -> Sniff:
    """Return `SURE` if the first non-blank line begins with ``WEBVTT``."""
    first = next((line for line in lines if strip_blanks(line)), "")
    if _is_signature(first):
        return Sniff.SURE
    return Sniff.MAYBE if any(">" in line and TIMING.match(line) for line in lines) else Sniff.NO


SPEC = cue_format(
    title="WebVTT subtitles: cues with voices and word times",
    sign='the first line "WEBVTT"',
    read=read,
    sniff=sniff,
    write=write,
    holds=TIMED_CUES,
    properties=("classes", "id", "language", "lines", "settings"),
    read_options=(
        Option(
            "apply_timestamp_map", False, "add the offset of X-TIMESTAMP-MAP to all times (vtt)"
        ),
    ),
    write_options=(WORD_TIMES,),
)
