"""The events of an `SSAFile` of pysubs2 as cues."""

from collections.abc import Iterator
from typing import Any

from formats.io.source import Source
from formats.reading.lines import strip_blanks
from formats.schema.errors import SyntaxFormatError, quoted
from formats.schema.times import LARGEST
from formats.subtitles.ass_text import cut_text, kept_properties
from formats.subtitles.cues import Cue, lines_of, timed_cue
from formats.writing.out import decimal_text

MILLISECOND = 1_000_000


def cues_of_events(source: Source, file: Any) -> Iterator[Cue]:
    """The dialogue of the file in its order; messages name the number of the event as the line."""
    if title := strip_blanks(str(file.info.get("Title", ""))):
        source.properties["title"] = title
    if file.fps:
        source.properties["fps"] = decimal_text(float(file.fps)).removesuffix(".0")
    numbered = enumerate(file.events, 1)
    return source.log.accepted("ASS-SYNTAX", lambda row: _cue(source, *row), numbered)


def _cue(source: Source, number: int, event: Any) -> Iterator[Cue]:
    if event.is_comment:
        source.log.note("ASS-EVENT", "comment not kept", number)
        return
    start, end = (
        _time(source, number, "start", event.start),
        _time(source, number, "end", event.end),
    )
    shown = f"{event.start} to {event.end} ms"
    cue = timed_cue(source, number, start, end, shown)
    text = str(event.text).replace("\r\n", "\n").replace("\r", "\n")
    content = cut_text(text, cue.start_ns, strip_blanks(event.name) or None)
    if content.has_drawing:
        source.log.note("ASS-DRAWING", "a drawing dropped", number)
    if not content.has_drawing or lines_of(content.runs):
        values = {"style": event.style, "layer": str(event.layer), "effect": event.effect}
        properties = (*cue.properties, *kept_properties(values))
        yield cue._replace(runs=content.runs, properties=properties, pieces="words only")


def _time(source: Source, number: int, noun: str, milliseconds: float) -> int:
    """Nanoseconds of a time of an event, which may be a fraction of milliseconds."""
    try:
        time = round(milliseconds * MILLISECOND)
    except (ValueError, OverflowError):  # not finite
        time = -1
    if not 0 <= time <= LARGEST:
        raise _error(source, number, noun, milliseconds)
    return time


def _error(source: Source, number: int, noun: str, milliseconds: float) -> SyntaxFormatError:
    expected = f"{noun} of 0 or more milliseconds"
    return source.syntax_error(number, expected, quoted(str(milliseconds)))
