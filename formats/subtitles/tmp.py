r"""TMP: one line per cue, with its begin in whole seconds.

::

    00:00:01:hello|world
    00:00:03:

===============================  ============================================================
in the file                      in the schema
===============================  ============================================================
``00:00:01:``                    `Segment.start_ns`; the end is the begin of the next line
a line without text              the end of the previous cue
``|``                            a line break: a blank; lines are the property ``lines``
``<i>``, ``</b>``, …             markup, removed from the words; the text with markup is the
                                 property ``raw``
===============================  ============================================================

pysubs2 removes markup and writes the lines (`formats.subtitles.cue_lines`). It does not read files,
because it would skip invalid lines and guess ends from the length of the text.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from formats.detection.spec import ESCAPE_MARKUP, SegmentSource, Sniff
from formats.io.sink import Sink
from formats.io.source import Source
from formats.reading.lines import Line, filled_lines, sniff_share, strip_blanks
from formats.schema.errors import quoted
from formats.schema.times import SECOND, parse_clock
from formats.subtitles.cue_lines import CueLine, lines_of_cues, texts_of_lines
from formats.subtitles.cue_reading import reads_cues
from formats.subtitles.cue_text import SPEAKER_PREFIX, begins_of, cues_out
from formats.subtitles.cues import Cue, Run, until_next
from formats.subtitles.segmentation import cue_format

LINE = re.compile(r"[ \t]*([0-9]{1,2}:[0-5][0-9]:[0-5][0-9]):(.*)\Z", re.DOTALL)
TYPICAL = re.compile(r"[ \t]*[0-9]{1,2}:[0-5][0-9]:[0-5][0-9]:(?![0-9]{2,3}(?:[^0-9]|\Z))")
MARKUP = re.compile(r"[|<]")
MILLISECOND = SECOND // 1000
END = 100 * 3600 * SECOND


@reads_cues
def read(source: Source) -> Iterator[Cue]:
    """Yield one cue per line with text."""
    rows = list(source.log.accepted("TMP-SYNTAX", _row, filled_lines(source)))
    spoken = [row for row in rows if row[2]]
    texts = iter(texts_of_lines([f"{stamp}:{raw}" for _, stamp, raw in spoken], "tmp"))
    marks: list[tuple[int, Cue | None]] = []
    for line, stamp, raw in rows:
        start, cue = parse_clock(stamp), None
        if raw:
            text = next(texts)
            is_marked = text != raw.replace("|", "\n")
            cue = Cue(start, None, (Run(text),), line.number, (("raw", raw),) if is_marked else ())
        marks.append((start, cue))
    marks.sort(key=lambda mark: mark[0])
    yield from until_next(source, marks)


def _row(line: Line) -> Iterator[tuple[Line, str, str]]:
    """Yield the line, its time, and its text."""
    match = LINE.match(line.text)
    if match is None:
        raise line.error(0, "hours:minutes:seconds:text", quoted(line.text))
    yield line, match[1], strip_blanks(match[2])


def write(
    segments: SegmentSource, sink: Sink, *, speaker_prefix: bool = False,
    escape_markup: bool = False, **limits: Any,
) -> None:  # fmt: skip
    """Write one line per segment, and an empty line before each gap."""
    rows: list[tuple[int, int, str]] = []
    for cue in cues_out(segments, sink, 0, limits, speaker_prefix):
        if cue.end >= END:
            raise cue.refuse("times below 100 hours", f"{cue.end // SECOND} s")
        expected = "words without | and <"
        lines = cue.unmarked(cue.prefixed_lines(), MARKUP, expected, escape_markup)
        rows.append((cue.start, cue.end, "\n".join(lines)))
    cues = [CueLine(time // MILLISECOND, 0, text) for time, text in begins_of(rows, sink)]
    sink.write(lines_of_cues(cues, "tmp"))


def sniff(lines: Sequence[str]) -> Sniff:
    """Return `SURE` if 90 % of the lines begin with a time in whole seconds."""
    return sniff_share(lines, TYPICAL.match)


SPEC = cue_format(
    title="TMP subtitles: a line per cue, its begin in seconds",
    sign="lines of hours:minutes:seconds:text",
    read=read,
    write=write,
    sniff=sniff,
    holds=("words", "speakers", "segment times", "segment boundaries"),
    properties=("lines",),
    write_options=(SPEAKER_PREFIX, ESCAPE_MARKUP),
)
