"""Spruce STL: DVD subtitles with one line per cue: ``00:00:01:00 , 00:00:03:12 , hello|world``.

=============================  ============================================================
in the file                    in the schema
=============================  ============================================================
``00:00:01:00 , 00:00:03:12``  `Segment.start_ns`, `Segment.end_ns`: frames by ``fps``
``|``                          a line break: a blank; lines are the property ``lines``
``^B``, ``^I``, ``^U``         marks of bold, italic and underlined text, which are dropped
``$FontName = Arial``, ``//``  settings and comments: dropped, counted in notes
=============================  ============================================================
"""

import re
from collections.abc import Iterator
from functools import partial

from formats.detection.spec import FormatSpec
from formats.io.source import Source
from formats.reading.frames import FPS, FrameRate, given_rate
from formats.reading.lines import Line, column_of_field, filled_lines, sniff_share
from formats.schema.errors import quoted
from formats.subtitles.cue_reading import READ_OPTIONS, reads_cues
from formats.subtitles.cues import Cue, timed_cue
from formats.subtitles.messages import SPRUCE_SETTING, SPRUCE_TIME

CODE = r"([0-9]{2,7}):([0-9]{2}):([0-9]{2})[:;.]([0-9]{2})"
LINE = re.compile(rf"[ \t]*({CODE}[ \t]*,[ \t]*{CODE})[ \t]*,(.*)\Z", re.DOTALL)
OTHER = re.compile(r"[ \t]*(?://|\$[A-Za-z])")
MARKUP = re.compile(r"\||\^[BIU]")


@reads_cues
def read(source: Source, *, fps: str = "") -> Iterator[Cue]:
    """Yield one cue per line; `fps` is the frame rate (default 25)."""
    read_cue = partial(_cue, given_rate(fps or "25", source.log.side))
    return source.log.accepted("SPRUCE", read_cue, filled_lines(source))


def _cue(rate: FrameRate, line: Line) -> Iterator[Cue]:
    match = LINE.match(line.text)
    if match is not None:
        try:
            begin, stop = (rate.time_of_code(*match.groups()[n : n + 4]) for n in (1, 5))
        except ValueError:
            column = column_of_field(line.text, 0)
            fields = {"frames": rate.nominal, "text": match[1]}
            raise line.source.error_of(SPRUCE_TIME, line.number, column, **fields) from None
        text = MARKUP.sub(lambda mark: "\n" if mark[0] == "|" else "", match[10])
        yield timed_cue(line.source, line.number, begin, stop, match[1], text)
    elif OTHER.match(line.text):
        line.say(SPRUCE_SETTING)
    else:
        raise line.error(0, "begin , end , text in hh:mm:ss:ff", quoted(line.text))


SPEC = FormatSpec(
    title="Spruce STL: subtitles for DVDs as text, times in frames",
    sign="lines of 00:00:01:00 , 00:00:03:12 , text",
    read=read,
    sniff=lambda head: sniff_share(head, LINE.match, ignored=OTHER.match),
    has_one_recording=True,
    properties=("lines",),
    read_options=(FPS, *READ_OPTIONS),
)
