r"""SubStation Alpha: ass (v4+), ssa (v4), and the `SSAFile` objects of pysubs2.

::

    [Events]
    Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
    Dialogue: 0,0:00:00.50,0:00:02.25,Default,Anne,0,0,0,,{\k100}hello, {\k75}world

=====================================  ======================================================
in the file                            in the schema
=====================================  ======================================================
a ``Dialogue:`` line                   a `Segment`
Start, End (hundredths of a second)    `Segment.start_ns`, `Segment.end_ns`
Name (or Actor)                        `Segment.speaker`
Text: ``\N``, ``\n``, ``\h``           blanks; lines are the property ``lines``
``{\k50}`` before every word           word times
other ``{…}``, ``{\p1}`` drawings      dropped
Style, Layer, Effect                   properties ``style``, ``layer``, ``effect``, if they are not
                                       ``Default``, 0 or empty
Title                                  property ``title`` of the file
``Comment:`` lines, styles, fonts      dropped; notes count the comments
=====================================  ======================================================

This package has its own parser, because pysubs2 1.8.1 ignores ``Format:``, guesses times and
reports no line numbers. pysubs2 writes the files (`formats.subtitles.ass_writer`).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from formats.detection.spec import ESCAPE_MARKUP, Option, Sniff, WriteFunction, loaded_later
from formats.io.source import Source
from formats.reading.frames import rate_text
from formats.reading.lines import Line, filled_lines, strip_blanks
from formats.schema.errors import SyntaxFormatError, quoted
from formats.schema.times import LARGEST, parse_clock
from formats.subtitles.ass_text import KEPT, cut_text, kept_properties, speaker_of
from formats.subtitles.cue_reading import reads_cues
from formats.subtitles.cues import Cue, lines_of, timed_cue
from formats.subtitles.messages import (
    ASS_COLON,
    ASS_COMMENT,
    ASS_DRAWING,
    ASS_EVENT,
    ASS_LAYERS,
    ASS_LAYERS_DROPPED,
    ASS_SECTION,
    ASS_TIMER,
)
from formats.subtitles.segmentation import TIMED_CUES, WORD_TIMES, cue_format

STANDARD = ("layer", "start", "end", "style", "name", "marginl", "marginr", "marginv", "effect")
CLOCK = re.compile(r"-?[0-9]{1,9}:[0-9]{1,2}:[0-9]{1,2}(?:[.,][0-9]{1,9}|:[0-9]{2})?\Z")
EVENTS = ("dialogue", "comment", "picture", "sound", "movie", "command")
MILLISECOND = 1_000_000
VERSION = Option(
    "substation",
    "auto",
    "version of ass files to write: ass (v4+), ssa (v4), or auto (by the suffix of the output)",
    ("auto", "ass", "ssa"),
)
STYLES_FROM = Option(
    "styles_from",
    "",
    "ass or ssa file whose styles and headers to use for the output",
    is_path=True,
)


@partial(reads_cues, in_order=False)
def read(source: Source, *, dedupe: bool = False) -> Iterator[Cue]:
    """Yield the dialogue lines in the order of the file; count or drop duplicates."""
    seen: set[int] = set()
    repeated = 0
    for cue in _cues(source):
        speaker = cue.runs[0].speaker if cue.runs else None
        key = hash((cue.start_ns, cue.end_ns, speaker, *lines_of(cue.runs)))
        if key in seen:
            repeated += 1
            if dedupe:
                continue
        seen.add(key)
        yield cue
    if repeated:
        source.log.say(ASS_LAYERS_DROPPED if dedupe else ASS_LAYERS, events=repeated)


def _cues(source: Source) -> Iterator[Cue]:
    """Yield the cues of a file, or of an object of pysubs2."""
    if source.document is None:
        return _ScriptReader(source).cues()
    return _cues_of_object(source, source.document)


def is_dialogue(line: str) -> bool:
    """Return True if a line is an event with text."""
    return line[:9].lower() == "dialogue:"


class _ScriptReader:
    """Reads the sections of a script, and the columns of its events.

    Events before the first section, as of old programs that write no sections, are read.
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        self.section = ""
        self.columns: tuple[str, ...] = (*STANDARD, "text")
        self.sections: set[str] = set()
        self.has_events = False

    def cues(self) -> Iterator[Cue]:
        """Yield the dialogue lines of the file."""
        line = None
        for line in filled_lines(self.source):
            stripped = strip_blanks(line.text)
            if _is_heading(stripped):
                self.section = stripped[1:-1].strip().lower()
                self.sections.add(self.section)
            elif self.section == "events" or (not self.sections and is_dialogue(stripped)):
                self.has_events = True
                yield from self.source.log.accepted("ASS-SYNTAX", self._event, (line,))
            elif is_dialogue(stripped):
                line.say(ASS_SECTION, text=stripped)
            elif self.section == "script info":
                self._info(line, stripped)
        if line is not None and not self.has_events and "events" not in self.sections:
            raise self.source.syntax_error(1, "a section [Events]", "none")

    def _info(self, line: Line, text: str) -> None:
        name, _, value = text.partition(":")
        name, value = strip_blanks(name).lower(), strip_blanks(value)
        if name == "title" and value:
            self.source.properties["title"] = value
        elif name == "timer" and value.rstrip("0").rstrip(".") not in ("", "100"):
            line.say(ASS_TIMER, percent=value)

    def _event(self, line: Line) -> Iterator[Cue]:
        kind, mark, rest = line.text.partition(":")
        kind = strip_blanks(kind).lower()
        if kind == "format" and mark:
            self._set_columns(line, rest)
        elif not mark or kind not in EVENTS:
            if not line.text.startswith((";", "!:")):
                raise self._error(line, 1, "Dialogue:, Comment: or Format:", line.text)
        elif kind != "dialogue":
            line.say(ASS_EVENT, kind=kind)
        else:
            fields = rest.split(",", len(self.columns) - 1)
            if len(fields) < len(self.columns):
                expected = f"{len(self.columns)} columns, {quoted(', '.join(self.columns))}"
                column = len(line.text) + 1
                raise self.source.syntax_error(line.number, expected, f"{len(fields)}", column)
            yield from self._dialogue(line, fields)

    def _set_columns(self, line: Line, rest: str) -> None:
        columns = [strip_blanks(name).lower() for name in rest.split(",")]
        columns = ["name" if name == "actor" else name for name in columns]
        is_complete = {"start", "end"} <= {*columns} and columns[-1] == "text"
        if not is_complete or len(set(columns)) != len(columns):
            expected = "columns with Start and End, each once, and Text as the last"
            raise self._error(line, 8, expected, strip_blanks(rest))
        self.columns = tuple(columns)

    def _dialogue(self, line: Line, fields: list[str]) -> Iterator[Cue]:
        start, end = (self._time(line, fields, name) for name in ("start", "end"))
        values = dict(zip(self.columns, map(strip_blanks, fields), strict=True))
        shown = f"{values['start']} to {values['end']}"
        cue = timed_cue(self.source, line.number, start, end, shown)
        yield from _with_text(self.source, cue, fields[-1], values)

    def _time(self, line: Line, fields: list[str], name: str) -> int:
        index = self.columns.index(name)
        text = strip_blanks(fields[index])
        try:
            if CLOCK.match(text) is None:
                raise ValueError
            if text.count(":") == 3:
                line.say(ASS_COLON)
                text = ".".join(text.rsplit(":", 1))
            return parse_clock(text)
        except ValueError:
            column = line.text.index(":") + 2 + sum(len(field) + 1 for field in fields[:index])
            column += len(fields[index]) - len(fields[index].lstrip(" \t"))
            expected = f"{name} as hours:minutes:seconds.hundredths"
            if text.startswith("-"):
                expected = f"{name} of 0 or more"
            raise self._error(line, column, expected, text) from None

    def _error(self, line: Line, column: int, expected: str, found: str) -> SyntaxFormatError:
        return self.source.syntax_error(line.number, expected, quoted(found), column=column)


def _cues_of_object(source: Source, file: Any) -> Iterator[Cue]:
    """Yield the cues of the dialogue events of a pysubs2 `SSAFile`, in order.

    In messages, the number of the event takes the place of the line.
    """
    if title := strip_blanks(str(file.info.get("Title", ""))):
        source.properties["title"] = title
    if file.fps:
        source.properties["fps"] = rate_text(float(file.fps))
    numbered = enumerate(file.events, 1)
    return source.log.accepted("ASS-SYNTAX", lambda row: _cue_of_event(source, *row), numbered)


def _cue_of_event(source: Source, number: int, event: Any) -> Iterator[Cue]:
    if event.is_comment:
        source.log.say(ASS_COMMENT, number)
        return
    start, end = (_event_time(source, number, event, name) for name in ("start", "end"))
    cue = timed_cue(source, number, start, end, f"{event.start} to {event.end} ms")
    text = (event.text or "").replace("\r\n", "\n").replace("\r", "\n")
    values = {name: strip_blanks(str(getattr(event, name) or "")) for name in (*KEPT, "name")}
    yield from _with_text(source, cue, text, values)


def _event_time(source: Source, number: int, event: Any, name: str) -> int:
    """Convert a time of an event to nanoseconds; pysubs2 may give fractions of milliseconds."""
    milliseconds: float = getattr(event, name)
    try:
        time = round(milliseconds * MILLISECOND)
    except (ValueError, OverflowError):  # not finite
        time = -1
    if not 0 <= time <= LARGEST:
        expected = f"{name} of 0 or more milliseconds"
        raise source.syntax_error(number, expected, quoted(str(milliseconds)))
    return time


def _with_text(source: Source, cue: Cue, text: str, values: Mapping[str, str]) -> Iterator[Cue]:
    """Yield a cue with its text, speaker and properties, unless it is only a drawing."""
    content = cut_text(text, cue.start_ns, speaker_of(values))
    if content.has_drawing:
        source.log.say(ASS_DRAWING, cue.line)
    if not content.has_drawing or lines_of(content.runs):
        properties = (*cue.properties, *kept_properties(values))
        yield cue._replace(runs=content.runs, properties=properties, pieces="words only")


def _is_heading(line: str) -> bool:
    """Return True if a line begins a section.

    A line of an embedded font may look like a heading, but has no lower-case letters.
    """
    return line[0] == "[" and line[-1] == "]" and any(c.islower() for c in line)


def sniff(lines: Sequence[str]) -> Sniff:
    """Return `SURE` if the first 20 lines have ``[Script Info]``, or events after ``[Events]``."""
    headings = [strip_blanks(line).lower() for line in lines]
    if "[script info]" in headings[:20]:
        return Sniff.SURE
    if not any(line.startswith("Dialogue:") for line in lines):
        return Sniff.NO
    return Sniff.SURE if "[events]" in headings else Sniff.MAYBE


def _writer() -> WriteFunction:
    from formats.subtitles.ass_writer import write

    return write


def _creator() -> WriteFunction:
    from formats.subtitles.ass_writer import to_file

    return to_file


SPEC = cue_format(
    title="SubStation Alpha subtitles: events with style and speaker",
    sign='"[Script Info]" and lines of "Dialogue:"',
    read=read,
    sniff=sniff,
    holds=TIMED_CUES,
    properties=("effect", "layer", "lines", "style"),
    read_options=(
        Option(
            "dedupe", False, "skip events that repeat the times and text of another event (ass)"
        ),
    ),
    write=loaded_later(_writer),
    create=loaded_later(_creator),
    write_options=(WORD_TIMES, ESCAPE_MARKUP, VERSION, STYLES_FROM),
)
