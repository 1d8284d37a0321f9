"""Conversion of the events of a pysubs2 `SSAFile` to cues."""

from collections.abc import Iterator
from typing import Any

from formats.io.source import Source
from formats.reading.frames import rate_text
from formats.reading.lines import strip_blanks
from formats.schema.errors import quoted
from formats.schema.times import LARGEST
from formats.subtitles.ass_text import KEPT, cut_text, kept_properties, speaker_of
from formats.subtitles.cues import Cue, lines_of, timed_cue
from formats.subtitles.messages import ASS_COMMENT, ASS_DRAWING

MILLISECOND = 1_000_000


def cues_of_events(source: Source, file: Any) -> Iterator[Cue]:
    """Yield the cues of the dialogue events in order.

    In messages, the number of the event takes the place of the line.
    """
    if title := strip_blanks(str(file.info.get("Title", ""))):
        source.properties["title"] = title
    if file.fps:
        source.properties["fps"] = rate_text(float(file.fps))
    numbered = enumerate(file.events, 1)
    return source.log.accepted("ASS-SYNTAX", lambda row: _cue(source, *row), numbered)


def _cue(source: Source, number: int, event: Any) -> Iterator[Cue]:
    if event.is_comment:
        source.log.say(ASS_COMMENT, number)
        return
    start = _time(source, number, "start", event.start)
    end = _time(source, number, "end", event.end)
    shown = f"{event.start} to {event.end} ms"
    cue = timed_cue(source, number, start, end, shown)
    text = (event.text or "").replace("\r\n", "\n").replace("\r", "\n")
    names = {key: strip_blanks(getattr(event, key) or "") for key in ("name", "style")}
    content = cut_text(text, cue.start_ns, speaker_of(names))
    if content.has_drawing:
        source.log.say(ASS_DRAWING, number)
    if not content.has_drawing or lines_of(content.runs):
        values = {name: str(getattr(event, name) or "") for name in KEPT}
        properties = (*cue.properties, *kept_properties(values))
        yield cue._replace(runs=content.runs, properties=properties, pieces="words only")


def _time(source: Source, number: int, noun: str, milliseconds: float) -> int:
    """Convert a time of an event to nanoseconds; pysubs2 may give fractions of milliseconds."""
    try:
        time = round(milliseconds * MILLISECOND)
    except (ValueError, OverflowError):  # not finite
        time = -1
    if not 0 <= time <= LARGEST:
        expected = f"{noun} of 0 or more milliseconds"
        raise source.syntax_error(number, expected, quoted(str(milliseconds)))
    return time
