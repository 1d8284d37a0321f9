"""Writing rttm: sorting, rounding and choosing types, apart from reading in `formats.nist.rttm`."""

from __future__ import annotations

from formats.errors import quoted
from formats.fields import RoundedTimes, decimal_text, written_name
from formats.loss import refused
from formats.nist.rttm_turns import SLACK, WrittenRecord, count_what_moves
from formats.times import format_time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeAlias

    from formats.model import Segment
    from formats.sink import Sink
    from formats.spec import SegmentSource

    Row: TypeAlias = "tuple[str, str, int, str]"

__all__ = ["write"]

EVENTS = ("NON-LEX", "NON-SPEECH", "FILLER", "EDIT", "SU", "IP", "CB", "A/P", "LEXEME")
POINTS = ("IP", "CB")
SPEECH = "speech"
GENDERS = {"m": "adult_male", "male": "adult_male", "f": "adult_female", "female": "adult_female"}


def write(
    segments: SegmentSource,
    sink: Sink,
    *,
    precision: int = 3,
    turns_only: bool = False,
    speech_only: bool = False,
) -> None:
    """Write first what is known of the speakers, then all records by recording, channel, begin.

    Every speaker gets a SPKR-INFO, ``unknown`` where nothing is known, because NIST's validator
    wants one. End points are rounded, and durations are their differences.

    Parameters
    ----------
    precision: decimals of the times, 0 to 9; times that need more are counted lost.
    turns_only: leave out the words of turns, and count them.
    speech_only: write turns and nothing else, all of one speaker called ``speech``, as
        ``spkr2sad.pl`` does; turns that overlap stay apart. What is left out is counted.
    """
    writer = _Writer(segments.source, sink, precision, turns_only or speech_only)
    rows: list[Row] = []
    for segment in segments:
        if speech_only:
            kept = _as_speech(segment, sink, segments.source)
            if kept is None:
                continue
            segment = kept
        rows.extend(writer.rows(segment))
    count_what_moves(writer.marks, sink.losses, segments.source)
    for (recording, channel, speaker), gender in sorted(
        writer.speakers.items(), key=lambda item: item[0]
    ):
        sink.write(f"SPKR-INFO {recording} {channel} <NA> <NA> <NA> {gender} {speaker} <NA> <NA>\n")
    rows.sort(key=lambda row: row[:3])
    for row in rows:
        sink.write(row[3])


def _as_speech(segment: Segment, sink: Sink, path: str | None) -> Segment | None:
    """A turn as one of a speaker whom nothing is known of; None for what is no turn."""
    left_out = {"event": "events", "ignored": "ignored regions", "scored": "scored regions"}
    rule = "speech only"
    if segment.kind in left_out:
        sink.losses.add(left_out[segment.kind], 1, rule, path, segment.line)
        return None
    told = tuple(one for one in segment.properties if one[0] != "gender")
    sink.losses.add("properties", len(segment.properties) - len(told), rule, path, segment.line)
    sink.losses.add(
        "speakers", int(segment.speaker not in (None, SPEECH)), rule, path, segment.line
    )
    return segment.replace(speaker=SPEECH, properties=told)


class _Writer:
    """Turns segments into rows with their sorting keys."""

    def __init__(self, path: str | None, sink: Sink, precision: int, turns_only: bool) -> None:
        self.path = path
        self.sink = sink
        self.precision = precision
        self.turns_only = turns_only
        self.times = RoundedTimes(sink, path, precision)
        self.speakers: dict[tuple[str, str, str], str] = {}
        self.marks: list[WrittenRecord] = []
        self.number = 0

    def mark(self, key: tuple[str, str], speaker: str, kind: str, start: int, end: int) -> None:
        """Remember a record of the segment at hand."""
        self.marks.append(
            WrittenRecord(*key, speaker, kind, start, end, self.number, len(self.marks))
        )

    def rows(self, segment: Segment) -> Iterator[Row]:
        """The records of one segment, event or region."""
        self.number += 1
        line = segment.line
        recording = written_name(segment.recording, "recording", self.path, line)
        channel = written_name(segment.channel, "channel", self.path, line)
        speaker = self.field(segment.speaker, "speaker", line)
        if segment.speaker is not None:
            self.know(segment, (recording, channel, speaker))
        else:
            is_told = int(segment.get("gender") is not None)
            self.sink.losses.add("properties", is_told, "gender of nobody", self.path, line)
        head = f"{recording} {channel}"
        key = (recording, channel)
        if segment.kind in ("segment", "gap"):
            yield from self.spoken(segment, head, speaker, key)
            return
        kind = self.type_of(segment)
        start, end = self.span(segment, kind)
        self.mark(key, speaker, "other", start, end)
        yield (
            *key,
            start,
            self.other(segment, kind, head, speaker, start, end),
        )

    def field(self, text: str | None, what: str, line: int | None) -> str:
        """`text`, or ``<NA>`` for nothing."""
        if text is None:
            return "<NA>"
        if text.lower() == "<na>":
            raise refused(
                self.path,
                line,
                f"a {what} that the format can hold",
                f"{quoted(text)}, which would be read as none",
            )
        return written_name(text, what, self.path, line)

    def know(self, segment: Segment, key: tuple[str, str, str]) -> None:
        """Remember what is said of a speaker; the first word counts."""
        gender = segment.get("gender") or "unknown"
        gender = GENDERS.get(gender.lower(), gender)
        if any(blank in gender for blank in " \t\r\n\0"):
            self.sink.losses.add("properties", 1, "gender with blanks", self.path, segment.line)
            gender = "unknown"
        known = self.speakers.get(key)
        if known is None or known == "unknown":
            self.speakers[key] = gender
        elif gender not in ("unknown", known):
            self.sink.losses.add(
                "properties", 1, "another gender of the same speaker", self.path, segment.line
            )

    def span(self, segment: Segment, what: str) -> tuple[int, int]:
        """Rounded end points, for what needs both."""
        start, end = segment.start_ns, segment.end_ns
        if start is None or end is None or end < start:
            raise refused(
                self.path,
                segment.line,
                f"times in order for {what}",
                "none" if start is None or end is None else f"{segment.start} to {segment.end}",
            )
        return self.times.round(start, segment.line), self.times.round(end, segment.line)

    def spoken(
        self, segment: Segment, head: str, speaker: str, key: tuple[str, str]
    ) -> Iterator[Row]:
        """A turn, if it has times, and its words."""
        line = segment.line
        self.sink.losses.add("tiers", int(segment.tier is not None), "", self.path, line)
        if segment.start_ns is None and segment.end_ns is None:
            if not segment.words:
                self.sink.losses.add("empty segments", 1, "no times", self.path, line)
            for name, text in (("segment confidences", segment.confidence), *self.kept(segment)):
                self.sink.losses.add(name, int(text is not None), "no turn", self.path, line)
        else:
            start, end = self.span(segment, "a turn")
            text = self.field(segment.get("orthography"), "orthography", line)
            subtype = self.field(segment.get("subtype"), "subtype", line)
            record = f"SPEAKER {head} {self.period(start, end)} {text} {subtype} {speaker} "
            self.mark(key, speaker, "turn", start, end)
            yield *key, start, record + self.tail(segment)
        if self.turns_only:
            self.sink.losses.add("words", len(segment.words), "turns only", self.path, line)
            return
        for index in range(len(segment.words)):
            yield self.word(segment, index, head, speaker, key)

    def kept(self, segment: Segment) -> Iterator[tuple[str, str | None]]:
        """Properties that only a record of the turn could hold."""
        for name in ("lookahead", "orthography", "subtype"):
            yield "properties", segment.get(name)

    def word(
        self, segment: Segment, index: int, head: str, speaker: str, key: tuple[str, str]
    ) -> Row:
        """One LEXEME."""
        text = self.field(segment.words[index], "word", segment.line)
        start = segment.starts_ns[index] if segment.starts_ns is not None else None
        end = segment.ends_ns[index] if segment.ends_ns is not None else None
        if start is None or end is None or end < start:
            raise refused(
                self.path,
                segment.line,
                f"times in order for the word {quoted(text)}",
                "none" if start is None or end is None else f"{start / 1e9} to {end / 1e9}",
            )
        first, last = self.times.round(start, segment.line), self.times.round(end, segment.line)
        if not _is_within(segment, start, end):
            message = f"{quoted(text)} at {start / 1e9} is not within its turn"
            self.sink.log.note("RTTM-OUTSIDE", message)
        subtype = self.subtype(segment, index)
        sure = None if segment.confidences is None else segment.confidences[index]
        confidence = "<NA>" if sure is None else decimal_text(sure)
        self.mark(key, speaker, "word", first, last)
        record = f"LEXEME {head} {self.period(first, last)} {text} {subtype} {speaker} "
        return (*key, first, f"{record}{confidence} <NA>\n")

    def subtype(self, segment: Segment, index: int) -> str:
        """The subtype of a word."""
        kind = None if segment.kinds is None else segment.kinds[index]
        if kind is None:
            return "lex"
        if not kind or kind.lower() in ("lex", "<na>") or any(c in kind for c in " \t\r\n\0"):
            self.sink.losses.add("word types", 1, "written as other", self.path, segment.line)
            return "other"
        return kind

    def period(self, start: int, end: int) -> str:
        """Begin and duration."""
        return f"{format_time(start, self.precision)} {format_time(end - start, self.precision)}"

    def tail(self, segment: Segment) -> str:
        """Confidence and lookahead."""
        sure = "<NA>" if segment.confidence is None else decimal_text(segment.confidence)
        return f"{sure} {self.field(segment.get('lookahead'), 'lookahead', segment.line)}\n"

    def type_of(self, segment: Segment) -> str:
        """Which type a region or event is written as."""
        if segment.kind == "scored":
            self.sink.losses.add(
                "tiers", int(segment.tier is not None), "", self.path, segment.line
            )
            return "SEGMENT"
        if segment.kind == "ignored":
            if segment.tier == "NO_RT_METADATA":
                return "NO_RT_METADATA"
            self.sink.losses.add(
                "tiers", int(segment.tier is not None), "", self.path, segment.line
            )
            return "NOSCORE"
        if segment.tier in EVENTS:
            return segment.tier
        self.sink.losses.add("tiers", int(segment.tier is not None), "", self.path, segment.line)
        name = segment.words[0].lower() if len(segment.words) == 1 else ""
        return (
            "NON-LEX"
            if name in ("laugh", "breath", "lipsmack", "cough", "sneeze")
            else "NON-SPEECH"
        )

    def other(
        self, segment: Segment, kind: str, head: str, speaker: str, start: int, end: int
    ) -> str:
        """The line of a region or event."""
        subtype = segment.get("subtype")
        if segment.kind == "event":
            if subtype is not None:
                self.sink.losses.add("properties", 1, "subtype", self.path, segment.line)
            subtype = "_".join(segment.words) if segment.words else None
            if len(segment.words) > 1:
                self.sink.losses.add(
                    "names of events", 1, 'words joined by "_"', self.path, segment.line
                )
        elif segment.words:
            self.sink.losses.add("words", len(segment.words), "in regions", self.path, segment.line)
        for name, column in (
            ("confidences", segment.confidences),
            ("word times", segment.starts_ns or segment.ends_ns),
        ):
            rule = "of events and regions"
            self.sink.losses.add(name, int(column is not None), rule, self.path, segment.line)
        text = self.field(segment.get("orthography"), "orthography", segment.line)
        subtype = self.field(subtype, "subtype", segment.line)
        if kind in POINTS:
            if end > start:
                self.sink.losses.add("durations of points", 1, kind, self.path, segment.line)
            period = f"{format_time(start, self.precision)} <NA>"
        else:
            period = self.period(start, end)
        return f"{kind} {head} {period} {text} {subtype} {speaker} {self.tail(segment)}"


def _is_within(segment: Segment, start: int, end: int) -> bool:
    """Whether a reader finds the word in its turn; without a turn there is nothing to find."""
    first, last = segment.start_ns, segment.end_ns
    return first is None or last is None or (start >= first - SLACK and end <= last + SLACK)
