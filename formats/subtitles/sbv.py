"""sbv: captions of YouTube, ``0:00:01.000,0:00:02.500`` above lines of text or ``[br]`` in it."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from formats.clock import format_clock, parse_clock
from formats.errors import quoted
from formats.lines import strip_blanks
from formats.model import Segment
from formats.sink import Sink
from formats.source import Source
from formats.spec import SegmentSource, Sniff
from formats.subtitles.cue_reading import segments_of
from formats.subtitles.cue_text import cues_out
from formats.subtitles.cues import Cue, Run, checked_times
from formats.subtitles.segmentation import cue_format

TIMES = re.compile(r"[ \t]*[0-9]+:[0-9:.]+,[0-9]+:[0-9:.]+[ \t]*\Z")


def read(source: Source, **options: Any) -> Iterator[Segment]:
    """One segment per cue; `options` are those of `formats.subtitles.cue_reading.CueReading`."""
    return segments_of(source, cues_of(source, source.lines()), **options)


def cues_of(source: Source, lines: Iterable[tuple[int, str]]) -> Iterator[Cue]:
    """Cues of numbered lines: times, and text up to the next times."""
    cues: list[Cue] = []
    text: list[str] = []
    for number, line in lines:
        if not TIMES.match(line) and (cues or not strip_blanks(line)):
            text.append(line.replace("[br]", "\n"))
            continue
        yield from (cue._replace(runs=(Run("\n".join(text)),)) for cue in cues)
        cues, text, shown = [], [], strip_blanks(line)
        try:
            begin, end = map(parse_clock, shown.split(","))
        except ValueError:
            expected = "times like 0:00:01.000,0:00:02.500"
            source.log.reject("SBV", source.syntax_error(number, expected, quoted(shown), 1))
        else:
            start_ns, end_ns, properties = checked_times(source, number, begin, end, shown)
            cues = [Cue(start_ns, end_ns, (), number, properties)]
    yield from (cue._replace(runs=(Run("\n".join(text)),)) for cue in cues)


def write(segments: SegmentSource, sink: Sink, **limits: Any) -> None:
    """A cue per segment; `limits` are those of `formats.subtitles.segmentation.CueLimits`."""
    for cue in cues_out(segments, sink, 3, limits):
        lines = cue.lines()
        for line in lines:
            if TIMES.match(line) or "[br]" in line:
                raise cue.refuse("neither times nor [br]", quoted(line))
        clocks = ",".join(format_clock(time, hour_digits=1) for time in (cue.start, cue.end))
        sink.write("\n".join([clocks, *lines, "\n"]))


def sniff(lines: Sequence[str]) -> Sniff:
    """Sure if the first line that is not blank is one of times."""
    first = next((line for line in lines if strip_blanks(line)), "")
    return Sniff.SURE if TIMES.match(first) else Sniff.NO


SPEC = cue_format(
    title="SubViewer captions as YouTube writes them: times, and lines of text below",
    sign="lines of begin,end such as 0:00:01.000,0:00:02.500",
    read=read,
    write=write,
    sniff=sniff,
    holds=("words", "segment times", "empty segments", "segment boundaries"),
    properties=("lines",),
    streams=True,
    manual="Cues with begin, end and text; no speakers.",
)
