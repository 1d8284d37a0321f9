"""Parser of HTK label lines: fields, quotes, escapes, units of time, and words beside phones."""

import re
from collections.abc import Iterator, Sequence
from math import isfinite
from typing import NamedTuple, TypeAlias

from formats.annotation.messages import (
    HTK_AUX,
    HTK_LEVELS,
    HTK_NBEST,
    HTK_PHONES,
    HTK_TEXT,
    HTK_UNIT,
    HTK_UNIT_LIKELY,
    HTK_WHOLE_FRAMES,
    HTK_WHOLE_TICKS,
    HTK_WORD,
)
from formats.detection.spec import Option
from formats.io.messages import COMMENT
from formats.io.source import Source
from formats.reading.lines import note_unicode_blanks
from formats.reading.silence import SILENCES
from formats.schema.errors import OptionError, SyntaxFormatError, quoted
from formats.schema.model import Segment
from formats.schema.times import SECOND, parse_time
from formats.schema.words import Token

LabelField: TypeAlias = tuple[str, bool, int]

LEVELS = ("auto", "names", "words")
HTK_OPTIONS = (
    Option(
        "htk_unit",
        "auto",
        "unit of times in HTK labels: auto, ticks (100 ns), seconds, or frames:10ms",
    ),
    Option(
        "htk_level",
        "auto",
        "what to read from HTK labels: their names, or the words after them "
        "(auto: the words if there are any)",
        LEVELS,
    ),
)
OCTAL_OPTION = Option(
    "htk_octal", False, "write bytes beyond ASCII as octal numbers, as HTK requires"
)
PAUSES = SILENCES | {"!enter", "!exit", "sent-start", "sent-end"}
ALTERNATIVE = "///"
TICK = 100
BLANKS = " \t"
INTEGER = re.compile(r"-?[0-9]+\Z", re.ASCII)
POINTED = re.compile(r"-?[0-9]*\.[0-9]*\Z", re.ASCII)
NUMBER = r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
SCORE = re.compile(rf"{NUMBER}\Z", re.ASCII)
FRAMES = re.compile(r"frames:([0-9]{1,5})ms\Z", re.ASCII)
OCTAL = re.compile(rb"\\([0-7]{3})|\\(.)", re.DOTALL)
FIELD = re.compile(
    r"""[ \t]*(?:"([^"\\]*(?:\\.[^"\\]*)*)"|'([^'\\]*(?:\\.[^'\\]*)*)'"""
    r"""|((?![ \t"';])[^ \t\\]*(?:\\.?[^ \t\\]*)*))""",
    re.DOTALL,
)
LATEST = 2**62
SUSPICIOUS = 10_000_000
"""Nanoseconds: whole files that are shorter were hardly written in the unit they are read in."""


class HtkLabel(NamedTuple):
    """One label line. Times are in nanoseconds; `None` means unknown."""

    start: int | None
    end: int | None
    name: str
    score: float | None
    auxiliary: str | None
    auxiliary_score: float | None
    line: int

    @property
    def is_pause(self) -> bool:
        """True if the label names silence."""
        return self.name.lower() in PAUSES


def unquoted(text: str) -> str:
    r"""Replace the escapes of a text: ``\nnn`` is a byte of UTF-8, any other ``\x`` is ``x``."""
    if "\\" not in text:
        return text

    def byte(escape: re.Match[bytes]) -> bytes:
        return escape[2] if escape[1] is None else bytes([int(escape[1], 8) & 0xFF])

    return OCTAL.sub(byte, text.encode()).decode()


class LabelReader:
    """Reader of the label lines of one file. `unit` and `level` are described in `HTK_OPTIONS`."""

    def __init__(self, source: Source, unit: str, level: str) -> None:
        if unit == "auto":
            unit = "seconds" if _has_points(source.head_lines()) else "ticks"
            if unit == "seconds":
                source.log.say(HTK_UNIT)
        frames = FRAMES.match(unit)
        if unit not in ("ticks", "seconds") and (frames is None or int(frames[1]) == 0):
            expected = "htk_unit auto, ticks, seconds or frames:10ms"
            raise OptionError(expected=expected, found=quoted(unit))
        self.source = source
        self.unit = unit
        self.scale = int(frames[1]) * 1_000_000 if frames is not None else TICK
        self.level = level

    def error(self, number: int, column: int, expected: str, found: str) -> SyntaxFormatError:
        """Create an error that names a line and column."""
        return self.source.syntax_error(number, expected, found, column=column)

    def fields(self, number: int, line: str) -> list[LabelField]:
        """Return the text of each field before a comment, whether it is quoted, and its column."""
        fields: list[LabelField] = []
        position, stop = 0, len(line.rstrip(BLANKS))
        while position < stop:
            match = FIELD.match(line, position)
            if match is None:
                column = len(line) - len(line[position:].lstrip(BLANKS)) + 1
                if line[column - 1] != ";":
                    raise self.error(number, column, "a closing quote", "the end of the line")
                self.source.log.say(COMMENT, number)
                break
            text, position = match[match.lastindex or 0], match.end()
            is_quoted = match.lastindex != 3
            column = match.start(match.lastindex or 0) + 1 - is_quoted
            try:
                fields.append((unquoted(text), is_quoted, column))
            except ValueError:
                raise self.error(number, column, "octal bytes of UTF-8", quoted(text)) from None
        return fields

    def label(self, number: int, line: str) -> HtkLabel | None:
        """Return the label of a line; `None` if the line holds only a comment."""
        fields = self.fields(number, line)
        if not fields:
            return None
        if not line.isascii():
            note_unicode_blanks(self.source, number, line)
        times, rest = self._times(number, fields)
        if not rest:
            expected = "a name after the times (quote a name that is a number)"
            raise self.error(number, len(line) + 1, expected, "the end of the line")
        start, end = (*times, None, None)[:2]
        if start is not None and end is not None and end < start:
            text, _, column = fields[1]
            raise self.error(number, column, "an end not before the start", quoted(text))
        name, *rest = rest
        for text, _, column in rest[:3]:
            if SCORE.match(text) and not isfinite(float(text)):
                raise self.error(number, column, "a score of reasonable size", quoted(text))
        score = auxiliary_score = None
        if rest and not rest[0][1] and SCORE.match(rest[0][0]):
            score = float(rest.pop(0)[0])
        elif rest:
            self._check_auxiliary(number, rest[0], bool(times))
        auxiliary = rest.pop(0)[0] if rest else None
        if rest and SCORE.match(rest[0][0]):
            auxiliary_score = float(rest.pop(0)[0])
        if rest:
            more = " ".join(field[0] for field in rest)
            self.source.log.say(HTK_LEVELS, number, rest[0][2], text=more)
        return HtkLabel(start, end, name[0], score, auxiliary, auxiliary_score, number)

    def _times(
        self, number: int, fields: list[LabelField]
    ) -> tuple[list[int | None], list[LabelField]]:
        times: list[int | None] = []
        while len(times) < 2 and len(times) < len(fields):
            text, is_quoted, column = fields[len(times)]
            if is_quoted:
                break
            if self.unit == "seconds":
                if not INTEGER.match(text) and not POINTED.match(text):
                    break
                try:
                    seconds = parse_time(text)
                except ValueError:
                    raise self.error(number, column, "a time in seconds", quoted(text)) from None
                times.append(None if seconds < 0 else seconds)
            elif INTEGER.match(text):
                value = int(text[:20])
                if abs(value) * self.scale > LATEST:
                    raise self.error(number, column, "a time within 146 years", quoted(text))
                times.append(None if value < 0 else value * self.scale)
            elif POINTED.match(text) and len(text) > 1:
                entry = HTK_WHOLE_TICKS if self.unit == "ticks" else HTK_WHOLE_FRAMES
                raise self.source.error_of(entry, number, column, text=text)
            else:
                break
        return times, fields[len(times) :]

    def _check_auxiliary(self, number: int, field: LabelField, is_timed: bool) -> None:
        if self.level != "auto":
            return
        if not is_timed:
            raise self.source.error_of(HTK_TEXT, number, field[2], text=field[0])
        self.source.log.say(HTK_WORD, number, field[2], name=field[0])


def _has_points(lines: Sequence[str]) -> bool:
    """Return True if any line begins with two times and one of the two has a decimal point."""
    for line in lines:
        times = line.split(maxsplit=2)[:2]
        are_times = len(times) == 2 and all(INTEGER.match(t) or POINTED.match(t) for t in times)
        if are_times and any("." in time and len(time) > 1 for time in times):
            return True
    return False


class MlfEntry:
    """The labels of an utterance in a master label file."""

    def __init__(self, reader: LabelReader, recording: str, line: int) -> None:
        self.reader = reader
        self.recording = recording
        self.line = line
        self.alternatives: list[list[HtkLabel]] = [[]]

    def add(self, row: tuple[int, str]) -> tuple[()]:
        """Process a line, given as its number and text. The result is always empty."""
        number, line = row
        if line.strip(BLANKS) == ALTERNATIVE:
            self.alternatives.append([])
        elif (label := self.reader.label(number, line)) is not None:
            self.alternatives[-1].append(label)
        return ()

    def segments(self) -> Iterator[Segment]:
        """Yield one segment with the words of the first alternative, then the pauses as events."""
        labels, *others = self.alternatives
        source = self.reader.source
        if len(labels) > 1:
            self._check_unit(labels)
        has_words = any(label.auxiliary is not None for label in labels)
        is_of_words = self.reader.level == "words" or (self.reader.level == "auto" and has_words)
        take = _words_over if is_of_words else _not_pauses
        words = take(labels)
        pauses = [label for label in labels if label.is_pause]
        nbest = tuple((None, tuple(label.name for label in take(other))) for other in others)
        if is_of_words:
            source.log.say(HTK_PHONES, self.line)
        elif has_words:
            source.log.say(HTK_AUX, self.line)
        if any(label.start is not None for other in others for label in other):
            source.log.say(HTK_NBEST, self.line)
        if any(label.score is not None for label in words):
            source.properties["confidence_scale"] = "log"
        plain = Segment(self.recording, utterance=self.recording)
        if words or nbest or not pauses:
            tokens = [Token(w.name, w.start, w.end, confidence=w.score) for w in words]
            line = words[0].line if words else self.line
            yield plain.with_items(tokens).replace(nbest=nbest, line=line)
        for pause in pauses:
            yield plain.replace(
                words=(pause.name,), start_ns=pause.start, end_ns=pause.end,
                confidence=pause.score, kind="event", line=pause.line,
            )  # fmt: skip

    def _check_unit(self, labels: Sequence[HtkLabel]) -> None:
        latest = max(label.end or 0 for label in labels)
        if 0 < latest < SUSPICIOUS:
            fields = {"labels": len(labels), "seconds": latest / SECOND}
            self.reader.source.log.say(HTK_UNIT_LIKELY, self.line, **fields)


def _not_pauses(labels: Sequence[HtkLabel]) -> list[HtkLabel]:
    return [label for label in labels if not label.is_pause]


def _words_over(labels: Sequence[HtkLabel]) -> list[HtkLabel]:
    """Return the words that are written beside phones; a word lasts to the next word or pause."""
    words: list[HtkLabel] = []
    is_open = False
    for label in labels:
        word = label.auxiliary
        if label.is_pause:
            is_open = False
        elif word is not None:
            is_open = True
            words.append(label._replace(name=word, score=label.auxiliary_score, auxiliary=None))
        elif is_open:
            words[-1] = words[-1]._replace(end=label.end)
    return words
