"""MicroDVD and MPL2: one cue per line, with times in frames or tenths of a second.

::

    {1}{1}25                        [10][25]hello|world
    {12}{56}hello|world

===============================  ============================================================
in the file                      in the schema
===============================  ============================================================
``{12}{56}``, ``[10][25]``       `Segment.start_ns`, `Segment.end_ns`: frames at the frame rate; for
                                 ``[10][25]``, 1.0 s and 2.5 s
``{12.5}{56.25}``                parts of frames, with a note
``{56}{}``, ``[50][]``           the cue ends at the begin of the next cue; the last has no end
``|``                            a line break: a blank; lines are the property ``lines``
``{y:i}``, ``{C:$0000FF}``, …;   markup, removed from the words; the text with markup is the
in MPL2 ``/`` before a line      property ``raw``
``{1}{1}25``, ``{0}{0}25``       as the first cue: the frame rate; property ``fps`` of the file
``{DEFAULT}{…}``                 dropped; notes count these lines
===============================  ============================================================

A rate within 0.001 of 24000/1001, 30000/1001 or 60000/1001 means this fraction.

This package has its own parser, because pysubs2 1.8.1 drops cues without an end and rounds the
times of frames to milliseconds. pysubs2 writes the lines (`formats.subtitles.cue_lines`).
"""

import re
from collections.abc import Iterator, Sequence
from operator import ne
from typing import Any

from formats.detection.spec import ESCAPE_MARKUP, SegmentSource, Sniff
from formats.io.sink import Sink
from formats.io.source import Source
from formats.reading.frames import (
    FPS,
    RATE,
    FrameRate,
    given_rate,
    nearest,
    parse_rate,
    rate_text,
)
from formats.reading.lines import Line, filled_lines, sniff_share, strip_blanks
from formats.schema.errors import OptionError, quoted
from formats.schema.messages import Message
from formats.schema.times import LARGEST, SECOND
from formats.subtitles.cue_lines import CueLine, lines_of_cues
from formats.subtitles.cue_reading import reads_cues
from formats.subtitles.cue_text import SPEAKER_PREFIX, CueOut, cues_out
from formats.subtitles.cues import Cue, closed, timed_cue
from formats.subtitles.messages import (
    MICRODVD_DECIMALS,
    MICRODVD_DEFAULT,
    MICRODVD_RATE,
    MICRODVD_RATE_GIVEN,
    MICRODVD_RATE_NEEDED,
    MICRODVD_RATE_OPEN,
    RULE_ROUNDED_FRAME,
)
from formats.subtitles.segmentation import cue_format
from formats.writing.bounds import LATEST

LINE = re.compile(
    r"[ \t]*\{[ \t]*([0-9]+(?:\.[0-9]+)?)[ \t]*\}[ \t]*"
    r"\{[ \t]*(?:([0-9]+(?:\.[0-9]+)?)[ \t]*)?\}(.*)\Z",
    re.DOTALL,
)
CONTROL = re.compile(r"\{[A-Za-z]:[^{}|]*\}")
DEFAULT = re.compile(r"[ \t]*\{DEFAULT\}", re.IGNORECASE)
SUBVIEWER = re.compile(
    r"[ \t]*[0-9]{1,9}:[0-9]{2}:[0-9]{2}\.[0-9]{1,9},[0-9]{1,9}:[0-9]{2}:[0-9]{2}\."
)
MARKUP = re.compile(r"[{}|]")
MPL2_LINE = re.compile(
    r"[ \t]*\[[ \t]*([0-9]{1,11})[ \t]*\][ \t]*\[[ \t]*(?:([0-9]{1,11})[ \t]*)?\](.*)\Z", re.S
)
ITALICS = re.compile(r"(?:\A|(?<=\|))[ \t]*/")
MPL2_MARKUP = re.compile(rf"{CONTROL.pattern}|{ITALICS.pattern}")
MPL2_SIGNS = re.compile(rf"\||{CONTROL.pattern}")
TENTH = SECOND // 10
MILLISECOND = SECOND // 1000
BEFORE_TEXT = re.compile(r"^(\[[0-9]+\]\[[0-9]+\]) ", re.MULTILINE)


@reads_cues
def read(source: Source, *, fps: str = "") -> Iterator[Cue]:
    """Yield one cue per line, in the order of the file."""
    reader = _FrameReader(given_rate(fps, source.log.side) if fps else None)
    cues = source.log.accepted("MICRODVD-SYNTAX", reader.cues, filled_lines(source))
    return closed(source, cues)


class _FrameReader:
    """Reads the lines of MicroDVD. The first line may give the frame rate."""

    def __init__(self, rate: FrameRate | None) -> None:
        self.rate = rate
        self.is_first = True

    def cues(self, line: Line) -> Iterator[Cue]:
        match = LINE.match(line.text)
        if match is None and DEFAULT.match(line.text):
            line.say(MICRODVD_DEFAULT)
            return
        if match is None:
            raise line.error(0, "{frame}{frame}text", quoted(line.text))
        frames = [
            None if number is None else number.lstrip("0") or "0" for number in match.group(1, 2)
        ]
        if any("." in number for number in frames if number is not None):
            line.say(MICRODVD_DECIMALS)
        is_rate = {*frames} <= {"0", "1"} and RATE.match(strip_blanks(match[3])) is not None
        if is_rate and self.is_first:
            self._take_rate(line, strip_blanks(match[3]))
            return
        self.is_first = False
        if is_rate and frames[0] == frames[1]:
            line.say(MICRODVD_RATE, text=line.text)
        if self.rate is None:
            value = Message(MICRODVD_RATE_OPEN, {"text": line.text}, line.source.log.side)
            raise OptionError(value=value, path=line.source.name, line=line.number)
        start, end = (None if frame is None else self._time(line, frame) for frame in frames)
        shown = f"{{{frames[0]}}}{{{frames[1] or ''}}}"
        yield _cue(line, start or 0, end, shown, match[3], CONTROL)

    def _take_rate(self, line: Line, text: str) -> None:
        try:
            rate = parse_rate(text)
        except ValueError:
            expected = "a frame rate within 1 to 1000"
            raise line.source.syntax_error(line.number, expected, quoted(text)) from None
        if self.rate not in (None, rate):
            line.say(MICRODVD_RATE_GIVEN, text=text)
        line.source.properties["fps"] = text
        self.rate, self.is_first = rate, False

    def _time(self, line: Line, digits: str) -> int:
        assert self.rate is not None
        whole, _, decimals = digits[:40].partition(".")
        time = nearest(
            int((whole + decimals)[:39] or "0") * self.rate.below * SECOND,
            self.rate.above * 10 ** len(decimals),
        )
        if len(whole) > 18 or len(digits) > 39 or time > LARGEST:
            raise line.source.syntax_error(line.number, "a frame within 292 years", quoted(digits))
        return time


def _cue(
    line: Line, start: int, end: int | None, shown: str, raw: str, markup: re.Pattern[str]
) -> Cue:
    text = markup.sub("", raw)
    cue = timed_cue(line.source, line.number, start, end, shown, text.replace("|", "\n"))
    if text == raw:
        return cue
    return cue._replace(properties=(*cue.properties, ("raw", strip_blanks(raw))))


@reads_cues
def read_mpl2(source: Source) -> Iterator[Cue]:
    """Yield one cue per line."""
    return closed(source, source.log.accepted("MPL2", _mpl2_cue, filled_lines(source)))


def _mpl2_cue(line: Line) -> Iterator[Cue]:
    match = MPL2_LINE.match(line.text)
    if match is None or max(int(match[1]), int(match[2] or 0)) > 2 * LATEST // TENTH:
        raise line.error(0, "[begin][end]text in tenths of a second", quoted(line.text))
    start, end = (None if tenths is None else int(tenths) * TENTH for tenths in match.group(1, 2))
    yield _cue(line, start or 0, end, f"[{match[1]}][{match[2]}]", match[3], MPL2_MARKUP)


def write(
    segments: SegmentSource, sink: Sink, *, fps: str = "", speaker_prefix: bool = False,
    escape_markup: bool = False, **limits: Any,
) -> None:  # fmt: skip
    """Write the frame rate, then one line per segment; round times to frames, half to even."""
    rate: FrameRate | None = None
    rows: list[CueLine] = []
    for cue in cues_out(segments, sink, 9, limits, speaker_prefix):
        if rate is None:  # what a stream says of itself is known now
            rate = _write_rate(segments, sink, fps)
        times = cue.start, cue.end
        frames = tuple(map(rate.frame, times))
        rounded = map(rate.time, frames)
        cue.lost("decimals of times", sum(map(ne, rounded, times)), RULE_ROUNDED_FRAME)
        start, end = map(rate.milliseconds, frames)
        rows.append(CueLine(start, end, _text(cue, escape_markup)))
    if rate is None:
        rate = _write_rate(segments, sink, fps)
    sink.write(lines_of_cues(rows, "microdvd", rate.above / rate.below))


def _write_rate(segments: SegmentSource, sink: Sink, fps: str) -> FrameRate:
    """Write the frame rate and return it: `fps`, or by default the frame rate of the source."""
    fps = fps or dict(segments.properties).get("fps", "")
    if not fps:
        raise OptionError(value=Message(MICRODVD_RATE_NEEDED))
    rate = given_rate(fps)
    if RATE.match(fps) is None:
        fps = rate_text(rate.above / rate.below)
    sink.write(f"{{1}}{{1}}{fps}\n")
    return rate


def _text(cue: CueOut, escape: bool) -> str:
    raw = cue.segment.get("raw") if not cue.prefix else None
    plain = None if raw is None or "\n" in raw else CONTROL.sub("", raw).replace("|", " ")
    if (kept := cue.raw(plain, "MicroDVD")) is not None:
        return kept[0]
    lines = cue.prefixed_lines() or [cue.prefix]
    return "|".join(cue.unmarked(lines, MARKUP, "words without braces and |", escape))


def write_mpl2(
    segments: SegmentSource, sink: Sink, *, speaker_prefix: bool = False,
    escape_markup: bool = False, **limits: Any,
) -> None:  # fmt: skip
    """Write one line per segment; round times to tenths of a second, half to even."""
    expected = "text without | and codes in braces, and no line with / before it"
    rows: list[CueLine] = []
    for cue in cues_out(segments, sink, 1, limits, speaker_prefix):
        text = cue.prefix + "|".join(cue.unmarked(cue.lines(), MPL2_SIGNS, expected, escape_markup))
        if ITALICS.search(text):
            raise cue.refuse(expected, quoted(text))
        rows.append(CueLine(cue.start // MILLISECOND, cue.end // MILLISECOND, text))
    # pysubs2 1.8.1 puts a blank before the text
    sink.write(BEFORE_TEXT.sub(r"\1", lines_of_cues(rows, "mpl2")))


def sniff(lines: Sequence[str]) -> Sniff:
    """Return `SURE` if 90 % of the lines begin with one or two numbers in braces."""
    result = sniff_share(lines, lambda line: LINE.match(line) or DEFAULT.match(line))
    filled = list(filter(strip_blanks, lines))[:100]
    is_subviewer = any(map(SUBVIEWER.match, filled)) and not any(map(LINE.match, lines))
    return Sniff.NEVER if is_subviewer else result


SPEC = cue_format(
    title="MicroDVD subtitles: a line per cue, times in frames",
    sign="lines of {begin}{end}text",
    read=read,
    write=write,
    sniff=sniff,
    properties=("lines", "raw"),
    read_options=(FPS,),
    write_options=(FPS, SPEAKER_PREFIX, ESCAPE_MARKUP),
)
MPL2_SPEC = cue_format(
    title="MPL2 subtitles: a line per cue, times in tenths of a second",
    sign="lines of [begin][end]text",
    read=read_mpl2,
    write=write_mpl2,
    sniff=lambda head: sniff_share(head, MPL2_LINE.match),
    write_options=(SPEAKER_PREFIX, ESCAPE_MARKUP),
)
