"""Writer of texts by patterns; `formats.reading.patterns` describes their syntax.

Each turn is written by the first pattern for which the turn has all values. An optional part is
written if it has a value: ``[{start}] {? {speaker}:?} {text}`` writes a name only if there is one.
The same patterns must be able to read each turn back. A turn that would be read differently is
counted or rejected.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from formats.detection.spec import SegmentSource
from formats.meetings.messages import (
    PATTERN_NOT_READ,
    PATTERN_VALUE,
    RULE_PATTERN,
    RULE_READABLE_NAMES,
    WRITTEN_PATTERN,
    WRITTEN_TEXT,
)
from formats.reading.frames import given_rate
from formats.reading.lines import split_words
from formats.reading.patterns import (
    DEFAULT_FPS,
    IS_FRAMES,
    PLACEHOLDER,
    Pattern,
    TextRules,
    parse_stamp,
    strip_edges,
)
from formats.reading.speakers import NO_NAME
from formats.schema.errors import OptionError
from formats.schema.messages import Message
from formats.schema.times import SECOND, format_clock, format_time
from formats.writing.out import Out

if TYPE_CHECKING:
    from formats.io.sink import Sink


class _Part(NamedTuple):
    """A part of a pattern: literal text, a value with its format, or an optional part (`parts`)."""

    text: str = ""
    name: str = ""
    shape: str = ""
    parts: tuple[_Part, ...] = ()

    def values(self) -> Iterator[_Part]:
        """Yield the values inside this part, at any depth."""
        if self.name:
            yield self
        for part in self.parts:
            yield from part.values()


class _Template:
    """A pattern for writing turns."""

    def __init__(self, pattern: Pattern) -> None:
        self.pattern = pattern
        self.rows = [_parts(iter(PLACEHOLDER.finditer(row))) for row in pattern.source.split("\n")]
        self.needed = {
            part.name for row in self.rows for part in row if part.name not in ("", "text")
        }
        self.shapes = {
            value.name: value.shape for row in self.rows for part in row for value in part.values()
        }

    def lines(self, values: Mapping[str, str]) -> list[str]:
        """Return the lines of a turn with these values, without empty lines."""
        lines = ("".join(_filled(part, values) for part in row) for row in self.rows)
        return [line for line in map(str.strip, lines) if line]


def _parts(tokens: Iterator[re.Match[str]]) -> list[_Part]:
    """Parse a pattern line, or an optional part up to its end; return its parts."""
    parts: list[_Part] = []
    for token in tokens:
        if token["close"]:
            break
        if token["open"]:
            parts.append(_Part(parts=tuple(_parts(tokens))))
        elif token["name"] == "to":
            parts.append(_Part(" - "))
        elif token["name"]:
            is_kept = token["name"] not in ("_", "date")
            shape = strip_edges(token["value"] or "")
            parts.append(_Part(name=token["name"], shape=shape) if is_kept else _Part())
        else:
            parts.append(_Part("\t" if token["tab"] else token[0]))
    return parts


def _filled(part: _Part, values: Mapping[str, str]) -> str:
    """Return the text of a part with these values.

    An optional part is empty if one of its values is missing.
    """
    if part.name:
        return values.get(part.name, "")
    if not part.parts:
        return part.text
    inner = list(part.values())
    if not inner or not all(values.get(value.name) for value in inner):
        return ""
    return "".join(_filled(each, values) for each in part.parts)


def write_described(segments: SegmentSource, sink: Sink, rules: TextRules, fps: str = "") -> None:
    """Write one turn per segment, and a heading whenever the values of the heading change."""
    if rules.inline or not all(isinstance(rule, str) for rule in rules.begin):
        raise OptionError(value=Message(WRITTEN_PATTERN))
    writer = _Writer(sink, rules, fps)
    for rule in rules.begin[:1]:
        sink.write(f"{rule}\n")
    for segment in segments:
        writer.write(Out(segment, sink))


class _Writer:
    """Writes turns by the templates of patterns."""

    def __init__(self, sink: Sink, rules: TextRules, fps: str) -> None:
        self.sink, self.rules = sink, rules
        templates = [_Template(pattern) for pattern in rules.patterns]
        self.headings = [each for each in templates if each.pattern.is_heading]
        self.turns = [each for each in templates if not each.pattern.is_heading]
        rate = given_rate(fps) if fps else None
        self.fps = rate.above / rate.below if rate else DEFAULT_FPS
        self.current: dict[int, list[str]] = {}
        self.has_gaps = bool(self.headings) or any(len(each.rows) > 1 for each in templates)
        self.is_first = True
        if not self.turns:
            raise OptionError(value=Message(WRITTEN_TEXT))

    def write(self, out: Out) -> None:
        """Write the headings of a turn, then the turn."""
        segment = out.segment
        given = {
            "speaker": " ".join(split_words((segment.speaker or "").replace("\n", " "))),
            "id": segment.utterance or "",
        }
        there = {name for name, value in given.items() if value}
        there |= {"start"} if segment.start_ns is not None else set()
        there |= {"end"} if segment.end_ns is not None else set()
        held = {name for heading in self.headings for name in heading.shapes}
        template = next((each for each in self.turns if each.needed <= there), None)
        if template is None:
            missing = sorted(self.turns[-1].needed - there)
            raise out.error_of(PATTERN_VALUE, pattern=self.turns[-1].pattern.source, names=missing)
        self._count_lost(out, {*template.shapes, *held})
        text = out.plain_text()
        shown = strip_edges(text)
        out.lost("words with blanks", int(shown != text), RULE_PATTERN)
        lines: list[str] = []
        for position, heading in enumerate(self.headings):
            if not heading.needed <= there:
                continue
            above, _ = self._rendered(out, heading, given, "")
            if self.current.get(position) != above:
                self.current[position] = above
                lines += above
        below, name = self._rendered(out, template, given, shown)
        out.lost(
            "names of speakers",
            int(
                name != segment.speaker
                and "speaker" in template.shapes
                and segment.speaker is not None
            ),
            RULE_READABLE_NAMES,
        )
        gap = "\n" if self.has_gaps and not self.is_first and (lines or len(below) > 1) else ""
        self.is_first = False
        self.sink.write(gap + "".join(f"{line}\n" for line in [*lines, *below]))

    def _count_lost(self, out: Out, names: set[str]) -> None:
        """Count values as lost if no pattern contains them."""
        segment = out.segment
        out.lost(
            "segment ends",
            int(segment.end_ns is not None and "start" in names and "end" not in names),
            RULE_PATTERN,
        )

    def _rendered(
        self, out: Out, template: _Template, given: Mapping[str, str], text: str
    ) -> tuple[list[str], str]:
        """Return the lines of a turn by a template, and the speaker's name in these lines."""
        times = self._times(out, template)
        name = given["speaker"]
        for speaker in dict.fromkeys((name, name.translate(NO_NAME), name.upper())):
            values = {**given, **times, "speaker": speaker, "text": text}
            lines = template.lines(values)
            if self._reads_back(template, lines, values):
                return lines, speaker
        shown = " ".join(template.lines({**given, **times, "text": text}))[:80]
        raise out.error_of(PATTERN_NOT_READ, pattern=template.pattern.source, text=shown)

    def _reads_back(self, template: _Template, lines: list[str], values: dict[str, str]) -> bool:
        """Return True if the first matching pattern reads the same values from the lines."""
        for pattern in self.rules.patterns:
            match = pattern.take_all(lines, 0)
            if match is None:
                continue
            taken, after = match
            return (
                pattern.is_heading == template.pattern.is_heading
                and after == len(lines)
                and all(
                    strip_edges(taken.get(name, "")) == strip_edges(values.get(name, ""))
                    for name in template.shapes
                )
            )
        return False

    def _times(self, out: Out, template: _Template) -> dict[str, str]:
        """Return start and end as texts, in the formats of a template."""
        segment = out.segment
        times = (("start", segment.start_ns), ("end", segment.end_ns))
        return {
            name: self._time(out, time, template.shapes[name])
            for name, time in times
            if time is not None and name in template.shapes
        }

    def _time(self, out: Out, time: int, shape: str) -> str:
        """Convert a time to text.

        `shape` is ``ms``, ``s``, or an example such as ``0:00``. If it is empty, the text is a
        clock time with milliseconds.
        """
        if time < 0:
            raise out.refuse("a time of 0 or more", f"{time / SECOND}")
        if shape == "ms":
            return str(out.round(3, time)[0] // (SECOND // 1000))
        if shape == "s":
            return format_time(out.round(3, time)[0], 3)
        if IS_FRAMES.match(shape):
            whole, rest = divmod(time, SECOND)
            frames = round(rest * self.fps / SECOND)
            whole, frames = (whole + 1, 0) if frames >= self.fps else (whole, frames)
            text = f"{format_clock(whole * SECOND, decimals=0)}{shape[-3]}{frames:02d}"
            exact = parse_stamp(text, fps=self.fps)
            out.lost("decimals of times", int(exact != time), RULE_PATTERN)
            return text
        if shape in ("", "clock"):
            return format_clock(out.round(3, time)[0])
        runs: Sequence[str] = re.split(r"[:;.,-]", shape)
        signs: Sequence[str] = re.findall(r"[:;.,-]", shape)
        decimals = len(runs[-1]) if signs and signs[-1] in ".," else 0
        (rounded,) = out.round(decimals, time)
        seconds, rest = divmod(rounded, SECOND)
        fields = len(signs) + 1 - bool(decimals)
        parts: list[int] = []
        for _ in range(fields - 1):
            seconds, part = divmod(seconds, 60)
            parts.insert(0, part)
        numbers = [seconds, *parts]
        text = "".join(
            f"{sign}{number:0{len(run)}d}"
            for sign, number, run in zip(["", *signs], numbers, runs, strict=False)
        )
        return f"{text}{signs[-1]}{rest:09d}"[: len(text) + 1 + decimals] if decimals else text
