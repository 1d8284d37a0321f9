r"""SubStation Alpha: ass (v4+) is read and written, ssa (v4) is read.

::

    [Events]
    Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
    Dialogue: 0,0:00:00.50,0:00:02.25,Default,Anne,0,0,0,,{\k100}hello, {\k75}world

=====================================  ======================================================
its word                               ours
=====================================  ======================================================
a ``Dialogue:`` line                   a `Segment`
Start, End (hundredths of a second)    `Segment.start_ns`, `Segment.end_ns`
Name (or Actor)                        `Segment.speaker`
Text: ``\N``, ``\n``, ``\h``           blanks; lines are the property ``lines``
``{\k50}`` before every word           word times
other ``{…}``, ``{\p1}`` drawings      nothing
Style, Layer, Effect                   properties ``style``, ``layer``, ``effect``, where they
                                       are not ``Default``, 0, empty
Title                                  of the file: ``title``
``Comment:`` lines, styles, fonts      not kept; comments are counted in notes
=====================================  ======================================================

*Reading is our own.* pysubs2 1.8.1 takes the columns for those of the standard, whatever
``Format:`` says; gives an event that lacks columns the end 10 s and no text; reads ``0:00:01.0x``
and ``0:99:00.00`` as times and refuses 100 hours; stops with `ValueError` at a style with an empty
number; takes a file without ``[Events]`` for one without text; leaves drawings in the plain text;
strips U+3000; and says no line for any of that. To mend this before it reads, the line would have
to be cut into its columns already, which is all that it does.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from formats.clock import format_clock, parse_clock
from formats.errors import SyntaxFormatError, quoted
from formats.lines import split_words, strip_blanks
from formats.model import Segment
from formats.sink import Sink
from formats.source import Source
from formats.spec import ESCAPE_MARKUP, Option, SegmentSource, Sniff
from formats.subtitles.ass_text import cut_text
from formats.subtitles.cue_reading import segments_of
from formats.subtitles.cue_text import LOOK_ALIKES, CueOut, cues_out
from formats.subtitles.cues import Cue, checked_times, lines_of
from formats.subtitles.segmentation import TIMED_CUES, WORD_TIMES, cue_format
from formats.times import SECOND

STANDARD = ("layer", "start", "end", "style", "name", "marginl", "marginr", "marginv", "effect")
CLOCK = re.compile(r"-?[0-9]{1,9}:[0-9]{1,2}:[0-9]{1,2}(?:[.,][0-9]{1,9})?\Z")
EVENTS = ("dialogue", "comment", "picture", "sound", "movie", "command")
KEPT = {"style": ("Default", "*Default", ""), "layer": ("0", ""), "effect": ("",)}
MARKUP = "{}\\"
HOURS = 10 * 3600 * SECOND
STYLES = (
    "ScriptType: v4.00+\n\n[V4+ Styles]\nFormat: Name, Fontname, Fontsize, PrimaryColour, "
    "SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, StrikeOut, ScaleX, "
    "ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, "
    "Encoding\n"
)
LOOK = "Arial,20,&H00FFFFFF,&H000000FF,&H00000000,&H00000000,0,0,0,0,100,100,0,0,1,2,2,2,10,10,10,1"
EVENTS_HEAD = (
    "\n[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n"
)


def read(source: Source, *, dedupe: bool = False, **options: Any) -> Iterator[Segment]:
    """One segment per dialogue line, in the order of the file."""
    cues = _without_layers(source, _Reader(source).cues(), dedupe)
    return segments_of(source, cues, **options)


def _without_layers(source: Source, cues: Iterator[Cue], dedupe: bool) -> Iterator[Cue]:
    """The cues, those that say again what one above said counted or left out."""
    seen: set[int] = set()
    repeated = 0
    for cue in cues:
        speaker = cue.runs[0].speaker if cue.runs else None
        key = hash((cue.start_ns, cue.end_ns, speaker, *lines_of(cue.runs)))
        if key in seen:
            repeated += 1
            if dedupe:
                continue
        seen.add(key)
        yield cue
    if repeated:
        done = "left out" if dedupe else "kept (--dedupe)"
        message = f"{repeated} events with the times and text of others {done}"
        source.log.note("ASS-LAYERS", message)


class _Reader:
    """Sections, and the columns of the events."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.section = ""
        self._set_columns((*STANDARD, "text"))
        self.has_events = False

    def cues(self) -> Iterator[Cue]:
        """All dialogue of the file."""
        is_blank = True
        for number, line in self.source.lines():
            stripped = strip_blanks(line)
            if not stripped:
                continue
            is_blank = False
            if _is_heading(stripped):
                self.section = stripped[1:-1].strip().lower()
                self.has_events |= self.section == "events"
            elif self.section == "events":
                try:
                    cue = self._event(number, line)
                except SyntaxFormatError as error:
                    self.source.log.reject("ASS-SYNTAX", error)
                    continue
                if cue is not None:
                    yield cue
            elif stripped[:9].lower() == "dialogue:":
                message = f"an event outside of [Events] left out: {quoted(stripped)}"
                self.source.log.warn("ASS-SECTION", message, number)
            elif self.section == "script info":
                self._info(number, stripped)
        if not (is_blank or self.has_events):
            raise self.source.syntax_error(1, "a section [Events]", "none")

    def _info(self, number: int, line: str) -> None:
        name, _, value = line.partition(":")
        name, value = strip_blanks(name).lower(), strip_blanks(value)
        if name == "title" and value:
            self.source.properties["title"] = value
        elif name == "timer" and value.rstrip("0").rstrip(".") not in ("", "100"):
            message = f"a timer of {value} % is not applied: times are kept as they are"
            self.source.log.warn("ASS-TIMER", message, number)

    def _event(self, number: int, line: str) -> Cue | None:
        kind, mark, rest = line.partition(":")
        if kind != "Dialogue" or not mark:
            kind = strip_blanks(kind).lower()
            if kind == "format" and mark:
                self._format(number, rest)
                return None
            if not mark or kind not in EVENTS:
                if not line.startswith((";", "!:")):
                    raise self._error(number, 1, "Dialogue:, Comment: or Format:", line)
                return None
            if kind != "dialogue":
                self.source.log.note("ASS-EVENT", f"{kind} not kept", number)
                return None
        fields = rest.split(",", len(self.columns) - 1)
        if len(fields) < len(self.columns):
            expected = f"{len(self.columns)} columns ({', '.join(self.columns)})"
            found = f"{len(fields)}"
            raise self.source.syntax_error(number, expected, found, len(line) + 1)
        return self._dialogue(number, line, fields)

    def _format(self, number: int, rest: str) -> None:
        columns = tuple(strip_blanks(name).lower() for name in rest.split(","))
        columns = tuple("name" if name == "actor" else name for name in columns)
        lacking = [name for name in ("start", "end", "text") if name not in columns]
        if lacking or columns[-1] != "text" or len(set(columns)) != len(columns):
            expected = "columns with Start and End, each once, and Text as the last"
            raise self._error(number, 8, expected, strip_blanks(rest))
        self._set_columns(columns)

    def _set_columns(self, columns: tuple[str, ...]) -> None:
        self.columns = columns
        self.places = {name: place for place, name in enumerate(columns)}

    def _dialogue(self, number: int, line: str, fields: list[str]) -> Cue | None:
        start = self._time(number, line, fields, "start")
        end = self._time(number, line, fields, "end")
        named = dict(zip(self.columns, map(strip_blanks, fields), strict=True))
        kept = [(name, named.get(name, "")) for name in KEPT]
        properties = tuple((name, value) for name, value in kept if value not in KEPT[name])
        speaker = named.get("name") or None
        shown = f"{named['start']} to {named['end']}"
        start_ns, end_ns, times = checked_times(self.source, number, start, end, shown)
        text = cut_text(fields[-1], start_ns, speaker)
        if text.has_drawing:
            self.source.log.note("ASS-DRAWING", "a drawing left out", number)
            if not lines_of(text.runs):
                return None
        return Cue(start_ns, end_ns, text.runs, number, times + properties, "words only")

    def _time(self, number: int, line: str, fields: list[str], name: str) -> int:
        place = self.places[name]
        text = fields[place]
        text = strip_blanks(text)
        try:
            if CLOCK.match(text) is None:
                raise ValueError
            return parse_clock(text)
        except ValueError:
            column = line.index(":") + 2 + sum(len(field) + 1 for field in fields[:place])
            column += len(fields[place]) - len(fields[place].lstrip(" \t"))
            expected = f"{name} as hours:minutes:seconds.hundredths"
            if text.startswith("-"):
                expected = f"{name} of 0 or more"
            raise self._error(number, column, expected, text) from None

    def _error(self, number: int, column: int, expected: str, found: str) -> SyntaxFormatError:
        return self.source.syntax_error(number, expected, quoted(found), column=column)


def _is_heading(line: str) -> bool:
    """Whether it opens a section; a line of an embedded font has no lower-case letters."""
    return line[0] == "[" and line[-1] == "]" and any(c.islower() for c in line)


def write(
    segments: SegmentSource,
    sink: Sink,
    *,
    word_times: bool = False,
    escape_markup: bool = False,
    **limits: Any,
) -> None:
    r"""Write one dialogue line per segment, in their order, below a plain style.

    Times are rounded to hundredths of a second, half to even.
    """
    rows, styles, latest = [], {"Default": None}, 0
    for cue in cues_out(segments, sink, 2, limits):
        style = _field(cue, "style", cue.segment.get("style"), escape_markup) or "Default"
        rows.append(_dialogue(cue, style, word_times, escape_markup))
        styles[style] = None
        latest = max(latest, cue.end)
    title = " ".join(dict(segments.properties).get("title", "").split())
    sink.write(f"[Script Info]\n{f'Title: {title}' + chr(10) if title else ''}{STYLES}")
    sink.write("".join(f"Style: {style},{LOOK}\n" for style in styles))
    sink.write(f"{EVENTS_HEAD}{''.join(rows)}")
    if latest >= HOURS:
        message = "times of 10 hours and more, which some players do not read"
        sink.log.warn("ASS-HOURS", message)


def _dialogue(cue: CueOut, style: str, word_times: bool, escape: bool) -> str:
    """The line of an event."""
    lines = [_plain(line, cue, escape) for line in cue.lines()]
    if times := cue.word_times(word_times):
        lines = _with_karaoke(lines, times, cue.start)
    cue.lost("speakers", int(cue.segment.speaker == ""), "an empty name is none")
    layer = cue.segment.get("layer") or "0"
    if not (layer.isascii() and layer.isdigit() and layer == str(int(layer[:9]))):
        cue.lost("properties", 1, "layer that is no number")
        layer = "0"
    begin, end = (format_clock(t, decimals=2, hour_digits=1) for t in (cue.start, cue.end))
    speaker = _field(cue, "speaker", cue.segment.speaker, escape)
    effect = _field(cue, "effect", cue.segment.get("effect"), escape)
    text = "\\N".join(lines)
    return f"Dialogue: {layer},{begin},{end},{style},{speaker},0,0,0,{effect},{text}\n"


def _plain(line: str, cue: CueOut, escape: bool) -> str:
    if not any(mark in line for mark in MARKUP):
        return line
    if escape:
        return line.translate({ord(mark): LOOK_ALIKES[ord(mark)] for mark in MARKUP})
    bad = next(word for word in split_words(line) if any(mark in word for mark in MARKUP))
    raise cue.refuse("words without braces and backslashes", quoted(bad))


def _field(cue: CueOut, what: str, value: str | None, escape: bool) -> str:
    """A field of an event, which ends at a comma."""
    value = (value or "").replace(",", "，" if escape else ",")
    if "," in value or any(c in value for c in "\n\r\0") or value != strip_blanks(value):
        expected = f"a {what} without commas, line ends and blanks around it"
        raise cue.refuse(expected, quoted(value))
    return value


def _with_karaoke(lines: Sequence[str], times: Sequence[tuple[int, int]], start: int) -> list[str]:
    """The lines with the length of each word before it, and of the pauses between them."""
    made: list[str] = []
    done = start
    index = 0
    for line in lines:
        parts: list[str] = []
        for word in split_words(line):
            first, last = times[index]
            pause = f"{{\\k{(first - done) // 10_000_000}}}" if first != done else ""
            parts.append(f"{pause}{{\\k{(last - first) // 10_000_000}}}{word}")
            done = last
            index += 1
        made.append(" ".join(parts))
    return made


def sniff(lines: Sequence[str]) -> Sniff:
    """Sure if ``[Script Info]`` is among the first 20 lines, or events follow ``[Events]``."""
    if any(strip_blanks(line).lower() == "[script info]" for line in lines[:20]):
        return Sniff.SURE
    has_events = any(strip_blanks(line).lower() == "[events]" for line in lines)
    if not any(line.startswith("Dialogue:") for line in lines):
        return Sniff.NO
    return Sniff.SURE if has_events else Sniff.MAYBE


SPEC = cue_format(
    title="SubStation Alpha subtitles: events with style and speaker",
    sign='"[Script Info]" and lines of "Dialogue:"',
    read=read,
    write=write,
    sniff=sniff,
    holds=TIMED_CUES,
    properties=("effect", "layer", "lines", "style"),
    read_options=(Option("dedupe", False, "leave out events that repeat others in layers"),),
    write_options=(WORD_TIMES, ESCAPE_MARKUP),
    manual="Events with begin, end, style, speaker and text; karaoke gives the times of words.",
)
