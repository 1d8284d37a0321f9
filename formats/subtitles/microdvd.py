"""MicroDVD: a cue per line, its times counted in frames.

::

    {1}{1}25
    {12}{56}hello|world

===============================  ============================================================
its word                         ours
===============================  ============================================================
``{12}{56}``                     `Segment.start_ns`, `Segment.end_ns`: frames by the frame rate
``{56}{}``                       an end at the begin of the next cue; none for the last one
``|``                            a line break: a blank; lines are the property ``lines``
``{y:i}``, ``{C:$0000FF}``, …    no words; the text with them is the property ``raw``
``{1}{1}25``, ``{0}{0}25``       as the first cue: the frame rate, of the file: ``fps``
``{DEFAULT}{…}``                 not kept, counted in notes
===============================  ============================================================

A rate within 0.001 of 24000/1001, 30000/1001 or 60000/1001 is meant to be that.

*Reading is our own.* pysubs2 1.8.1 leaves out cues with an open end and every line it does not
understand, takes only ``{1}{1}`` for the rate but writes ``{0}{0}``, rounds frames to
milliseconds, takes 23.976 for itself, and needs time quadratic in the length of a line of
``{y:{y:…``. A line that has been checked is a line that has been cut.
"""

import re
from collections.abc import Iterator, Sequence
from operator import ne
from typing import Any

from formats.errors import OptionError, SyntaxFormatError, quoted
from formats.lines import split_words, strip_blanks
from formats.model import Segment
from formats.sink import Sink
from formats.source import Source
from formats.spec import ESCAPE_MARKUP, SegmentSource, Sniff
from formats.subtitles.cue_reading import segments_of
from formats.subtitles.cue_text import LOOK_ALIKES, SPEAKER_PREFIX, CueOut, cues_out
from formats.subtitles.cues import Cue, Run, checked_times, closed
from formats.subtitles.frames import FPS, RATE, FrameRate, given_rate, parse_rate
from formats.subtitles.segmentation import cue_format
from formats.times import LARGEST

LINE = re.compile(
    r"[ \t]*\{[ \t]*([0-9]+)[ \t]*\}[ \t]*\{[ \t]*(?:([0-9]+)[ \t]*)?\}(.*)\Z", re.DOTALL
)
CONTROL = re.compile(r"\{[A-Za-z]:[^{}|]*\}")
DEFAULT = re.compile(r"[ \t]*\{DEFAULT\}", re.IGNORECASE)
SUBVIEWER = re.compile(
    r"[ \t]*[0-9]{1,9}:[0-9]{2}:[0-9]{2}\.[0-9]{1,9},[0-9]{1,9}:[0-9]{2}:[0-9]{2}\."
)
MARKUP = "{}|"


def read(source: Source, *, fps: str = "", **options: Any) -> Iterator[Segment]:
    """One segment per line, in the order of the file."""
    rate = None if not fps else given_rate(fps)
    return segments_of(source, closed(source, _cues(source, rate)), **options)


def _cues(source: Source, rate: FrameRate | None) -> Iterator[Cue]:
    is_first = True
    for number, line in source.lines():
        if not strip_blanks(line):
            continue
        try:
            found = _split(source, number, line)
            if found is None:
                continue
            first, last, text = found
            is_rate = {first, last} <= {"0", "1"} and RATE.match(strip_blanks(text)) is not None
            if is_rate and is_first:
                rate = _rate_of_file(source, number, text, rate)
                is_first = False
                continue
            is_first = False
            if is_rate and first == last:
                message = f"{quoted(line)} looks like a frame rate after the first line: it is text"
                source.log.warn("MICRODVD-RATE", message, number)
            if rate is None:
                raise OptionError(
                    path=source.name,
                    line=number,
                    expected="a frame rate, as a first line {1}{1}25 or by --fps",
                    found=quoted(line),
                )
            yield _cue(source, number, line, found, rate)
        except SyntaxFormatError as error:
            source.log.reject("MICRODVD-SYNTAX", error)


def _split(source: Source, number: int, line: str) -> tuple[str, str, str] | None:
    found = LINE.match(line)
    if found is not None:
        last = found[2] and (found[2].lstrip("0") or "0")
        return found[1].lstrip("0") or "0", last or "", found[3]
    if DEFAULT.match(line):
        source.log.note("MICRODVD-DEFAULT", "{DEFAULT} not kept", number)
        return None
    raise source.syntax_error(number, "{frame}{frame}text", quoted(line), column=1)


def _rate_of_file(source: Source, number: int, text: str, given: FrameRate | None) -> FrameRate:
    text = strip_blanks(text)
    try:
        rate = parse_rate(text)
    except ValueError:
        raise source.syntax_error(number, "a frame rate within 1 to 1000", quoted(text)) from None
    if given is not None and given != rate:
        message = f"the file says {text} frames per second: --fps is not used to read it"
        source.log.note("MICRODVD-RATE", message, number)
    source.properties["fps"] = text
    return rate


def _cue(
    source: Source, number: int, line: str, found: tuple[str, str, str], rate: FrameRate
) -> Cue:
    start = _time(source, number, found[0], rate)
    end = _time(source, number, found[1], rate) if found[1] else None
    shown = f"{{{found[0]}}}{{{found[1]}}}"
    start_ns, end_ns, properties = checked_times(source, number, start, end, shown)
    raw = found[2]
    text = CONTROL.sub("", raw) if "{" in raw else raw
    if text != raw:
        properties = (*properties, ("raw", strip_blanks(raw)))
    return Cue(start_ns, end_ns, (Run(text.replace("|", "\n")),), number, properties)


def _time(source: Source, number: int, digits: str, rate: FrameRate) -> int:
    time = rate.time(int(digits[:19]))
    if len(digits) > 18 or time > LARGEST:
        raise source.syntax_error(number, "a frame within 292 years", quoted(digits))
    return time


def write(
    segments: SegmentSource,
    sink: Sink,
    *,
    fps: str = "",
    speaker_prefix: bool = False,
    escape_markup: bool = False,
    **limits: Any,
) -> None:
    """Write the frame rate, then one line per segment, in their order.

    Times are rounded to the nearest frame, half to even.
    """
    rate: FrameRate | None = None
    for cue in cues_out(segments, sink, 9, limits, speaker_prefix):
        if rate is None:  # what a stream says of itself is known now
            rate = _begun(segments, sink, fps)
        times = cue.start, cue.end
        first, last = map(rate.frame, times)
        back = map(rate.time, (first, last))
        cue.lost("decimals of times", sum(map(ne, back, times)), "rounded to a frame")
        sink.write(f"{{{first}}}{{{last}}}{_text(cue, escape_markup)}\n")
    if rate is None:
        _begun(segments, sink, fps)


def _begun(segments: SegmentSource, sink: Sink, fps: str) -> FrameRate:
    """Write the frame rate, by default what the source says of itself."""
    fps = fps or dict(segments.properties).get("fps", "")
    if not fps:
        expected = "--fps, as MicroDVD counts times in frames"
        raise OptionError(expected=expected, found="no frame rate")
    rate = given_rate(fps)
    if RATE.match(fps) is None:
        fps = f"{rate[0] / rate[1]:.6f}".rstrip("0").rstrip(".")
    sink.write(f"{{1}}{{1}}{fps}\n")
    return rate


def _text(cue: CueOut, escape: bool) -> str:
    raw = cue.segment.get("raw") if not cue.prefix else None
    plain = None if raw is None or "\n" in raw else CONTROL.sub("", raw).replace("|", " ")
    if (kept := cue.raw(plain, "MicroDVD")) is not None:
        return kept[0]
    lines = cue.prefixed_lines() or [cue.prefix]
    text = "\n".join(lines)
    if any(mark in text for mark in MARKUP):
        if not escape:
            bad = next(w for w in split_words(" ".join(lines)) if any(m in w for m in MARKUP))
            raise cue.refuse("words without braces and |", quoted(bad))
        text = text.translate({ord(mark): LOOK_ALIKES[ord(mark)] for mark in MARKUP})
    return text.replace("\n", "|")


def sniff(lines: Sequence[str]) -> Sniff:
    """Sure if at least 90 % of the lines begin with two numbers in braces, the second optional.

    Never where there are times of SubViewer, which has the suffix, too.
    """
    filled = [line for line in lines if strip_blanks(line)]
    fitting = sum(1 for line in filled if LINE.match(line) or DEFAULT.match(line))
    if any(map(SUBVIEWER.match, filled[:100])) and not fitting:
        return Sniff.NEVER
    return Sniff.SURE if filled and fitting >= 0.9 * len(filled) else Sniff.NO


SPEC = cue_format(
    title="MicroDVD subtitles: a line per cue, times in frames",
    sign="lines of {begin}{end}text",
    read=read,
    write=write,
    sniff=sniff,
    holds=("words", "speakers", "segment times", "empty segments", "segment boundaries"),
    properties=("lines", "raw"),
    read_options=(FPS,),
    write_options=(FPS, SPEAKER_PREFIX, ESCAPE_MARKUP),
    manual="Cues with begin and end in frames, and text; the frame rate stands in the first line.",
)
