"""MPL2: a cue per line, ``[10][25]hello|world``, its times in tenths of a second.

===================  ====================================================================
its word             ours
===================  ====================================================================
``[10][25]``         `Segment.start_ns`, `Segment.end_ns`: 1.0 s, 2.5 s
``[50][]``           an end at the begin of the next cue; none for the last one
``|``                a line break: a blank; lines are the property ``lines``
``/`` before a line  italics: no word; the text with it is the property ``raw``
===================  ====================================================================
"""

import re
from collections.abc import Iterator
from typing import Any

from formats.bounds import LATEST
from formats.errors import quoted
from formats.lines import sniff_share, strip_blanks
from formats.model import Segment
from formats.sink import Sink
from formats.source import Source
from formats.spec import ESCAPE_MARKUP, SegmentSource
from formats.subtitles.cue_reading import segments_of
from formats.subtitles.cue_text import LOOK_ALIKES, SPEAKER_PREFIX, cues_out
from formats.subtitles.cues import Cue, Run, checked_times, closed
from formats.subtitles.segmentation import cue_format
from formats.times import SECOND

LINE = re.compile(
    r"[ \t]*\[[ \t]*([0-9]{1,11})[ \t]*\][ \t]*\[[ \t]*(?:([0-9]{1,11})[ \t]*)?\](.*)\Z", re.S
)
ITALICS = re.compile(r"(\A|\|)[ \t]*/")
TENTH = SECOND // 10


def read(source: Source, **options: Any) -> Iterator[Segment]:
    """One segment per line; `options` are those of `formats.subtitles.cue_reading.CueReading`."""
    return segments_of(source, closed(source, _cues(source)), **options)


def _cues(source: Source) -> Iterator[Cue]:
    for number, line in source.lines():
        if not strip_blanks(line):
            continue
        found = LINE.match(line)
        if found is None or max(int(found[1]), int(found[2] or 0)) > 2 * LATEST // TENTH:
            expected = "[begin][end]text in tenths of a second"
            source.log.reject("MPL2", source.syntax_error(number, expected, quoted(line), 1))
            continue
        begin = int(found[1]) * TENTH
        end = int(found[2]) * TENTH if found[2] else None
        shown = f"[{found[1]}][{found[2]}]"
        start_ns, end_ns, named = checked_times(source, number, begin, end, shown)
        text = ITALICS.sub(r"\1", found[3])
        if text != found[3]:
            named = (*named, ("raw", strip_blanks(found[3])))
        yield Cue(start_ns, end_ns, (Run(text.replace("|", "\n")),), number, named)


def write(
    segments: SegmentSource,
    sink: Sink,
    *,
    speaker_prefix: bool = False,
    escape_markup: bool = False,
    **limits: Any,
) -> None:
    """A line per segment, times rounded to tenths of a second, half to even."""
    for cue in cues_out(segments, sink, 1, limits, speaker_prefix):
        lines = cue.lines()
        if escape_markup:
            lines = [line.replace("|", chr(LOOK_ALIKES[ord("|")])) for line in lines]
        text = cue.prefix + "|".join(lines)
        if any("|" in line for line in lines) or ITALICS.search(text):
            expected = "text without | and no line with / before it"
            raise cue.refuse(expected, quoted(text))
        sink.write(f"[{cue.start // TENTH}][{cue.end // TENTH}]{text}\n")


SPEC = cue_format(
    title="MPL2 subtitles: a line per cue, times in tenths of a second",
    sign="lines of [begin][end]text",
    read=read,
    write=write,
    sniff=lambda head: sniff_share(head, LINE.match),
    holds=("words", "speakers", "segment times", "empty segments", "segment boundaries"),
    properties=("lines",),
    write_options=(SPEAKER_PREFIX, ESCAPE_MARKUP),
    streams=True,
    manual="Cues with begin and end in tenths of a second, and text.",
)
