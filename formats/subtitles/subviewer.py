r"""SubViewer: version 2 with ``00:00:00.50,00:00:02.25`` below a head, version 1 in whole seconds.

==========================================  ==================================================
its word                                    ours
==========================================  ==================================================
``00:00:00.50,00:00:02.25`` (2)             `Segment.start_ns`, `Segment.end_ns`
``[00:00:01]``, text, ``[00:00:03]`` (1)    the same in whole seconds
``[br]`` (2), ``|`` (1)                     a line break: a blank; lines are the property
                                            ``lines``
``[TITLE]``                                 of the file: ``title``
other lines of the head, ``[COLF]…``        not kept, counted in notes
``{\\i1}``                                   no words
==========================================  ==================================================

Only version 2 is written.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from formats.clock import format_clock, parse_clock
from formats.errors import quoted
from formats.lines import strip_blanks
from formats.model import Segment
from formats.sink import Sink
from formats.source import Source
from formats.spec import Option, SegmentSource, Sniff
from formats.subtitles.cue_reading import segments_of
from formats.subtitles.cue_text import SPEAKER_PREFIX, cues_out
from formats.subtitles.cues import Cue, Run, checked_times
from formats.subtitles.sbv import TIMES, cues_of
from formats.subtitles.segmentation import cue_format

LONE = re.compile(r"[ \t]*\[([0-9]{1,3}:[0-9]{2}:[0-9]{2})\][ \t]*\Z")
HEAD = re.compile(r"\[(?:INFORMATION|SUBTITLE)\]", re.IGNORECASE)
SCRIPT = re.compile(r"\*+ (?:START|END) SCRIPT \*+|\[(?:BEGIN|end)\]", re.IGNORECASE)
FIELD = re.compile(r"\[([A-Z ]{1,20})\](.*)\Z", re.IGNORECASE | re.DOTALL)
NO_TEXT = re.compile(r"\[COLF\]|\[END SUBTITLE\][ \t]*\Z", re.IGNORECASE)
TAG = re.compile(r"\{\\[^{}]*\}")
HEAD_WRITTEN = "[INFORMATION]\n[TITLE]{}\n[END INFORMATION]\n[SUBTITLE]\n"
STYLE_WRITTEN = "[COLF]&HFFFFFF,[STYLE]no,[SIZE]18,[FONT]Arial\n"


def read(source: Source, **options: Any) -> Iterator[Segment]:
    """One segment per cue; `options` are those of `formats.subtitles.cue_reading.CueReading`."""
    return segments_of(source, _cues(source), **options)


def _cues(source: Source) -> Iterator[Cue]:
    lines = source.lines()
    field = ""
    for number, line in lines:
        text = strip_blanks(line)
        if TIMES.match(line):
            yield from _version_2(source, number, line, lines)
            return
        if LONE.match(line):
            yield from _version_1(source, number, line, lines)
            return
        if SCRIPT.match(text):
            field = ""
            continue
        found = FIELD.match(text)
        if found is None and text and not field:
            expected = "a head like [INFORMATION], or times like 00:00:00.50,00:00:02.25"
            source.log.reject("SUBVIEWER", source.syntax_error(number, expected, quoted(text), 1))
        field, value = found.groups() if found is not None else (field, text)
        if field.upper() == "TITLE" and strip_blanks(value):
            source.properties["title"] = strip_blanks(value)
        elif field.upper() == "DELAY" and strip_blanks(value) not in ("", "0"):
            message = f"a delay of {quoted(value)}, in no known unit, is not added"
            source.log.warn("SUBVIEWER-DELAY", message, number)
        elif text:
            source.log.note("SUBVIEWER-HEAD", "line of the head not kept", number)


def _version_2(
    source: Source, number: int, line: str, rest: Iterator[tuple[int, str]]
) -> Iterator[Cue]:
    def text() -> Iterator[tuple[int, str]]:
        yield number, line
        for place, further in rest:
            if NO_TEXT.match(further):
                source.log.note("SUBVIEWER-STYLE", "style, or end of the text: no words", place)
            else:
                yield place, further

    for cue in cues_of(source, text()):
        yield cue._replace(runs=tuple(r._replace(text=TAG.sub("", r.text)) for r in cue.runs))


def _version_1(
    source: Source, number: int, line: str, rest: Iterator[tuple[int, str]]
) -> Iterator[Cue]:
    start: tuple[int, str] | None = number, line
    text: list[str] = []
    for place, further in rest:
        lone = LONE.match(further)
        if lone is None and start is not None:
            text.append(further.replace("|", "\n"))
        elif lone is None and strip_blanks(further) and not SCRIPT.match(strip_blanks(further)):
            error = source.syntax_error(place, "a time like [00:00:01]", quoted(further), 1)
            source.log.reject("SUBVIEWER", error)
        elif lone is not None and start is None:
            start = place, further
        elif lone is not None and start is not None:
            shown = f"{strip_blanks(start[1])}{strip_blanks(further)}"
            try:
                begin, end = (parse_clock(strip_blanks(one)[1:-1]) for one in (start[1], further))
            except ValueError:
                expected = "minutes and seconds below 60"
                error = source.syntax_error(start[0], expected, quoted(shown), 1)
                source.log.reject("SUBVIEWER", error)
            else:
                start_ns, end_ns, named = checked_times(source, start[0], begin, end, shown)
                yield Cue(start_ns, end_ns, (Run("\n".join(text)),), start[0], named)
            start, text = None, []
    if start is not None:
        error = source.syntax_error(start[0], "a time that ends the cue", "the end of the file")
        source.log.reject("SUBVIEWER", error)


def write(
    segments: SegmentSource,
    sink: Sink,
    *,
    precision: int = 2,
    speaker_prefix: bool = False,
    **limits: Any,
) -> None:
    """A head, then a cue per segment."""
    is_begun = False
    for cue in cues_out(segments, sink, precision, limits, speaker_prefix):
        if not is_begun:
            is_begun = True
            sink.write(_head(segments))
        lines = cue.lines()
        text = cue.prefix + "[br]".join(lines)
        is_markup = TAG.search(text) or TIMES.match(text) or NO_TEXT.match(text)
        if is_markup or "[br]" in "".join(lines):
            raise cue.refuse("text without [br], times and styles", quoted(text))
        clocks = ",".join(format_clock(t, decimals=precision) for t in (cue.start, cue.end))
        sink.write(f"{clocks}\n{text}\n\n")
    if not is_begun:
        sink.write(_head(segments))


def _head(segments: SegmentSource) -> str:
    title = dict(segments.properties).get("title", "")
    return HEAD_WRITTEN.format(" ".join(title.split())) + STYLE_WRITTEN


def sniff(lines: Sequence[str]) -> Sniff:
    """Sure of a head, or the start of a script, and times within the first lines."""
    filled = [line for line in map(strip_blanks, lines[:100]) if line]
    has_head = any(HEAD.match(line) or SCRIPT.match(line) for line in filled[:1])
    has_head = has_head or any(SCRIPT.match(line) for line in filled[:20])
    is_timed = any(TIMES.match(line) or LONE.match(line) for line in filled)
    is_empty = len(filled) < 15 and any(line.upper() == "[SUBTITLE]" for line in filled)
    return Sniff.SURE if has_head and (is_timed or is_empty) else Sniff.NO


SPEC = cue_format(
    title="SubViewer subtitles, version 2 (and 1, read only): times, and text below",
    sign="a head like [INFORMATION]",
    read=read,
    write=write,
    sniff=sniff,
    holds=("words", "speakers", "segment times", "empty segments", "segment boundaries"),
    properties=("lines",),
    write_options=(Option("precision", 2, "decimals of times", (2, 3)), SPEAKER_PREFIX),
    streams=True,
    manual="Cues with begin, end and text; no speakers of their own.",
)
