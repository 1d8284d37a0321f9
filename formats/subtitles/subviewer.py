r"""subviewer and sbv: SubViewer captions, with ``begin,end`` above lines of text.

SubViewer 2 has a header and lines ``00:00:00.50,00:00:02.25``; version 1 has times in whole
seconds. YouTube's captions (``sbv``) have no header, and lines ``0:00:00.500,0:00:02.250`` above
the text.

==========================================  ==================================================
in the file                                 in the schema
==========================================  ==================================================
``00:00:00.50,00:00:02.25`` (2, sbv)        `Segment.start_ns`, `Segment.end_ns`
``[00:00:01]``, text, ``[00:00:03]`` (1)    the same in whole seconds
``[br]`` (2, sbv), ``|`` (1)                a line break: a blank; lines are the property
                                            ``lines``
``[TITLE]``                                 property ``title`` of the file
other header lines, ``[COLF]…``             dropped, counted in notes
``{\\i1}`` (2)                               no words
==========================================  ==================================================
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

from formats.detection.spec import FormatSpec, SegmentSource, Sniff
from formats.io.sink import Sink
from formats.io.source import Source
from formats.reading.lines import strip_blanks
from formats.schema.errors import quoted
from formats.schema.times import format_clock, parse_clock
from formats.subtitles.cue_reading import READ_OPTIONS, reads_cues
from formats.subtitles.cue_text import cues_out
from formats.subtitles.cues import Cue, Run, timed_cue
from formats.subtitles.messages import SUBVIEWER_DELAY, SUBVIEWER_HEAD, SUBVIEWER_STYLE
from formats.subtitles.segmentation import cue_format

TIMES = re.compile(r"[ \t]*[0-9]+:[0-9:.]+,[0-9]+:[0-9:.]+[ \t]*\Z")
LONE = re.compile(r"[ \t]*\[([0-9]{1,3}:[0-9]{2}:[0-9]{2})\][ \t]*\Z")
HEAD = re.compile(r"\[(?:INFORMATION|SUBTITLE)\]", re.IGNORECASE)
SCRIPT = re.compile(r"\*+ (?:START|END) SCRIPT \*+|\[(?:BEGIN|end)\]", re.IGNORECASE)
FIELD = re.compile(r"\[([A-Z ]{1,20})\](.*)\Z", re.IGNORECASE | re.DOTALL)
NO_TEXT = re.compile(r"\[COLF\]|\[END SUBTITLE\][ \t]*\Z", re.IGNORECASE)
TAG = re.compile(r"\{\\[^{}]*\}")


def _timed_cues(source: Source, lines: Iterable[tuple[int, str]]) -> Iterator[Cue]:
    """Yield a cue for each line of times, with the text up to the next line of times."""
    cue: Cue | None = None
    text: list[str] = []
    for number, line in lines:
        if not TIMES.match(line) and (cue is not None or not strip_blanks(line)):
            text.append(line.replace("[br]", "\n"))
            continue
        if cue is not None:
            yield cue._replace(runs=(Run("\n".join(text)),))
        cue, text, shown = None, [], strip_blanks(line)
        try:
            begin, end = map(parse_clock, shown.split(","))
        except ValueError:
            expected = "times like 0:00:01.000,0:00:02.500"
            source.log.reject("SBV", source.syntax_error(number, expected, quoted(shown), 1))
        else:
            cue = timed_cue(source, number, begin, end, shown)
    if cue is not None:
        yield cue._replace(runs=(Run("\n".join(text)),))


@reads_cues
def read(source: Source) -> Iterator[Cue]:
    """Yield the cues after the header lines."""
    lines = source.lines()
    field = ""
    for number, line in lines:
        text = strip_blanks(line)
        if TIMES.match(line) or LONE.match(line):
            read_version = _version_2 if TIMES.match(line) else _version_1
            yield from read_version(source, chain([(number, line)], lines))
            return
        if SCRIPT.match(text):
            field = ""
            continue
        match = FIELD.match(text)
        if match is None and text and not field:
            expected = "a head like [INFORMATION], or times like 00:00:00.50,00:00:02.25"
            source.log.reject("SUBVIEWER", source.syntax_error(number, expected, quoted(text), 1))
        field, value = match.groups() if match is not None else (field, text)
        if field.upper() == "TITLE" and strip_blanks(value):
            source.properties["title"] = strip_blanks(value)
        elif field.upper() == "DELAY" and strip_blanks(value) not in ("", "0"):
            source.log.say(SUBVIEWER_DELAY, number, value=value)
        elif text:
            source.log.say(SUBVIEWER_HEAD, number)


def _version_2(source: Source, lines: Iterable[tuple[int, str]]) -> Iterator[Cue]:
    def text() -> Iterator[tuple[int, str]]:
        for number, line in lines:
            if NO_TEXT.match(line):
                source.log.say(SUBVIEWER_STYLE, number)
            else:
                yield number, line

    for cue in _timed_cues(source, text()):
        yield cue._replace(runs=(Run(TAG.sub("", cue.runs[0].text)),))


def _version_1(source: Source, lines: Iterable[tuple[int, str]]) -> Iterator[Cue]:
    """Yield the cues of version 1.

    The text of a cue is between a line with its start and a line with its end.
    """

    def reject(line: int, expected: str, shown: str, column: int | None = 1) -> None:
        source.log.reject("SUBVIEWER", source.syntax_error(line, expected, shown, column))

    start: tuple[int, str] | None = None
    text: list[str] = []
    for number, line in lines:
        shown = strip_blanks(line)
        if LONE.match(line) is None and start is not None:
            text.append(line.replace("|", "\n"))
        elif LONE.match(line) is None:
            if shown and not SCRIPT.match(shown):
                reject(number, "a time like [00:00:01]", quoted(shown))
        elif start is None:
            start, text = (number, shown), []
        else:
            both = start[1] + shown
            try:
                begin, end = (parse_clock(clock[1:-1]) for clock in (start[1], shown))
            except ValueError:
                reject(start[0], "minutes and seconds below 60", quoted(both))
            else:
                yield timed_cue(source, start[0], begin, end, both, "\n".join(text))
            start = None
    if start is not None:
        reject(start[0], "a time that ends the cue", "the end of the file", None)


def write_sbv(segments: SegmentSource, sink: Sink, **limits: Any) -> None:
    """Write one cue per segment. The options are those of `CueLimits`."""
    for cue in cues_out(segments, sink, 3, limits):
        lines = cue.lines()
        for line in lines:
            if TIMES.match(line) or "[br]" in line:
                raise cue.refuse("neither times nor [br]", quoted(line))
        clocks = ",".join(format_clock(time, hour_digits=1) for time in (cue.start, cue.end))
        sink.write("\n".join([clocks, *lines, "\n"]))


def sniff_sbv(lines: Sequence[str]) -> Sniff:
    """Return `SURE` if the first non-blank line has the times of a cue."""
    first = next(filter(strip_blanks, lines), "")
    return Sniff.SURE if TIMES.match(first) else Sniff.NO


def sniff(lines: Sequence[str]) -> Sniff:
    """Return `SURE` if a header or the start of a script comes first, and times soon after it."""
    filled = [line for line in map(strip_blanks, lines[:100]) if line]
    has_head = any(map(HEAD.match, filled[:1])) or any(map(SCRIPT.match, filled[:20]))
    is_timed = any(TIMES.match(line) or LONE.match(line) for line in filled)
    is_empty = len(filled) < 15 and any(line.upper() == "[SUBTITLE]" for line in filled)
    return Sniff.SURE if has_head and (is_timed or is_empty) else Sniff.NO


SPEC = FormatSpec(
    title="SubViewer subtitles, versions 1 and 2: times, and text below",
    sign="a head like [INFORMATION]",
    read=read,
    sniff=sniff,
    has_one_recording=True,
    properties=("lines",),
    read_options=READ_OPTIONS,
)
SBV_SPEC = cue_format(
    title="SubViewer captions as YouTube writes them: times, and lines of text below",
    sign="lines of begin,end such as 0:00:01.000,0:00:02.500",
    read=reads_cues(lambda source: _timed_cues(source, source.lines())),
    write=write_sbv,
    sniff=sniff_sbv,
    holds=("words", "segment times", "empty segments", "segment boundaries"),
)
