"""Writer of SubStation Alpha; pysubs2 writes the file with styles and headers.

`script` creates an `SSAFile`, which `formats.to_pysubs2` returns to its caller.
"""

import re
import warnings
from collections.abc import Sequence
from io import StringIO
from typing import Any

import pysubs2
from pysubs2.formats.substation import SubstationFormat

from formats.detection.spec import SegmentSource
from formats.io.errors import EncodingFormatError
from formats.io.messages import RULE_EMPTY_NAME
from formats.io.sink import Sink
from formats.io.source import open_source
from formats.reading.frames import parse_rate
from formats.reading.lines import strip_blanks
from formats.schema.errors import OptionError, quoted
from formats.schema.messages import TEXT, Message, message_of
from formats.schema.times import SECOND, format_clock
from formats.subtitles.ass_text import CENTISECOND
from formats.subtitles.cue_text import CueOut, cues_out, timed_lines
from formats.subtitles.messages import (
    ASS_HOURS,
    ASS_STYLES,
    NO_STYLES,
    RULE_LAYER,
    RULE_SSA_LAYER,
    STYLES,
    STYLES_NOT_TEXT,
)

MARKUP = re.compile(r"[{}\\]")
HOURS = 10 * 3600 * SECOND
MILLISECOND = 1_000_000


class _Substation(SubstationFormat):
    """The writer of pysubs2 without its limit: pysubs2 1.8.1 shortens times of 10 hours or more."""

    @staticmethod
    def ms_to_timestamp(requested_ms: int) -> str:
        return format_clock(requested_ms * MILLISECOND, decimals=2, hour_digits=1)


def write(
    segments: SegmentSource, sink: Sink, *, word_times: bool = False, escape_markup: bool = False,
    substation: str = "auto", styles_from: str = "", **limits: Any,
) -> None:  # fmt: skip
    """Write one dialogue line per segment; round times to hundredths, half to even."""
    if substation == "auto":
        is_ssa = sink.name.lower().removesuffix(".gz").endswith(".ssa")
        substation = "ssa" if is_ssa else "ass"
    file = script(
        segments, sink, 2, word_times=word_times, escape_markup=escape_markup,
        has_layers=substation == "ass", template=_template(styles_from, sink), **limits,
    )  # fmt: skip
    text = StringIO()
    _Substation.to_file(file, text, substation, header_notice="")
    sink.write(text.getvalue())
    if max((event.end for event in file), default=0) * MILLISECOND >= HOURS:
        sink.log.say(ASS_HOURS)


def to_file(
    segments: SegmentSource, sink: Sink, *, substation: str = "ass", styles_from: str = "",
    word_times: bool = False, **options: Any,
) -> Any:  # fmt: skip
    """Return the segments as an `SSAFile`.

    Times are rounded to milliseconds, with karaoke to hundredths.
    """
    file = script(
        segments, sink, 2 if word_times else 3, word_times=word_times,
        has_layers=substation != "ssa", template=_template(styles_from, sink), **options,
    )  # fmt: skip
    try:
        rate = parse_rate(dict(segments.properties).get("fps", ""))
        file.fps = rate.above / rate.below
    except ValueError:
        pass  # no rate, or the one of something else
    return file


def script(
    segments: SegmentSource, sink: Sink, precision: int, *, word_times: bool = False,
    escape_markup: bool = False, has_layers: bool = True, template: Any = None, **limits: Any,
) -> Any:  # fmt: skip
    """Return an `SSAFile` with the segments as events. Styles and headers come from a template."""
    file = pysubs2.SSAFile()
    file.info = {}
    if template is not None:
        file.styles, file.info = template.styles, template.info
        file.aegisub_project = template.aegisub_project
        file.fonts_opaque, file.graphics_opaque = template.fonts_opaque, template.graphics_opaque
    look = file.styles.get("Default", pysubs2.SSAStyle.DEFAULT_STYLE)
    for cue in cues_out(segments, sink, precision, limits):
        style = _field(cue, "style", cue.segment.get("style"), escape_markup) or "Default"
        file.styles.setdefault(style, look.copy())
        file.append(_event(cue, style, word_times, escape_markup, has_layers))
    # what a stream says of itself is known now
    if title := " ".join(dict(segments.properties).get("title", "").split()):
        file.info["Title"] = title
    return file


def _template(path: str, sink: Sink) -> Any:
    """Return the file that gives the styles and headers; `None` without a path."""
    if not path:
        return None
    try:
        with open_source(path, encoding="auto") as source:
            text = source.text()
    except EncodingFormatError as problem:
        value = problem.value
        found = problem.message if value is None else value.fields["found"]
        raise OptionError(value=Message(STYLES_NOT_TEXT, {"found": found}), path=path) from None
    remarks = [entry.value for entry in source.log.entries() if entry.is_shown]
    name = SubstationFormat.guess_format(text)
    if name is None:
        raise OptionError(value=Message(NO_STYLES), path=path)
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            file = pysubs2.SSAFile.from_string(text, name)
    except (ValueError, IndexError, TypeError) as problem:
        value = Message(STYLES, {"problem": message_of(problem)})
        raise OptionError(value=value, path=path) from None
    warned = (Message(TEXT, {"text": str(warning.message)}) for warning in caught)
    for remark in (*remarks, *warned):
        sink.log.say(ASS_STYLES, path=path, remark=remark)
    return file


def _event(cue: CueOut, style: str, word_times: bool, escape: bool, has_layers: bool) -> Any:
    """Return the event of a cue."""
    expected = "words without braces and backslashes"
    lines = cue.unmarked(cue.lines(), MARKUP, expected, escape)
    if times := cue.word_times(word_times):
        lines = _with_karaoke(lines, times, cue.start)
    cue.lost("speakers", int(cue.segment.speaker == ""), RULE_EMPTY_NAME)
    layer = cue.segment.get("layer") or "0"
    if not (layer.isascii() and layer.isdigit() and layer == str(int(layer[:9]))):
        cue.lost("properties", 1, RULE_LAYER)
        layer = "0"
    if not has_layers:
        cue.lost("properties", int(layer != "0"), RULE_SSA_LAYER)
    return pysubs2.SSAEvent(
        start=cue.start // MILLISECOND,
        end=cue.end // MILLISECOND,
        text="\\N".join(lines),
        layer=int(layer),
        style=style,
        name=_field(cue, "speaker", cue.segment.speaker, escape),
        effect=_field(cue, "effect", cue.segment.get("effect"), escape),
    )


def _field(cue: CueOut, name: str, value: str | None, escape: bool) -> str:
    """Return a field of an event; commas are replaced, because a comma would end the field."""
    value = (value or "").replace(",", "，" if escape else ",")
    if "," in value or any(c in value for c in "\n\r\0") or value != strip_blanks(value):
        expected = f"a {name} without commas, line ends and blanks around it"
        raise cue.refuse(expected, quoted(value))
    return value


def _with_karaoke(lines: Sequence[str], times: Sequence[tuple[int, int]], start: int) -> list[str]:
    """Add a karaoke tag (a duration) before each word and each pause in the lines."""
    written: list[str] = []
    done = start
    for words in timed_lines(lines, times):
        parts: list[str] = []
        for word, first, last in words:
            pause = f"{{\\k{(first - done) // CENTISECOND}}}" if first != done else ""
            parts.append(f"{pause}{{\\k{(last - first) // CENTISECOND}}}{word}")
            done = last
        written.append(" ".join(parts))
    return written
