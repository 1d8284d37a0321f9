"""seglst: MeetEval's list of segments, JSON objects with session, speaker, times and words.

===============================  ========================================================
its word                         ours
===============================  ========================================================
session_id                       `Segment.recording`
speaker, channel                 `Segment.speaker`, `Segment.channel`
start_time, end_time             `Segment.start`, `Segment.end`; numbers, texts of digits, or
                                 clock times as CHiME writes them (``0:01:02.50``)
words                            the words; a list of texts beside lists of times is timed
confidence                       `Segment.confidence`
anything else                    `Segment.properties`
===============================  ========================================================

``chime``, the transcripts of CHiME-5 and CHiME-6, is the same list with times of the clock:
``0:01:02.50``, or in CHiME-5 an object with one for each device. What is ``[redacted]`` is an
ignored segment, as the scripts that score them leave it out; ``location`` and ``ref`` are
properties.

A single object and JSON lines are read, too, with a note. NaN is refused, where MeetEval's own
reader says only that the format is unknown.
"""

from __future__ import annotations

from collections.abc import Iterator

from formats.clock import format_clock, parse_clock
from formats.json.displays import cut_text
from formats.json.members import one_channel, others_of
from formats.json.value import JsonValue, numbered_records
from formats.lines import split_words
from formats.loss import refused
from formats.manifests.records import (
    dump,
    first_tokens,
    joined_words,
    seconds_number,
)
from formats.model import Segment
from formats.sink import Sink
from formats.source import Source
from formats.spec import FormatSpec, Option, SegmentSource, decimals
from formats.times import SECOND
from formats.words import Token

REDACTED = "[redacted]"
CHIME_PROPERTIES = ("location", "ref")
KNOWN = frozenset(
    {"session_id", "speaker", "start_time", "end_time", "words", "channel", "confidence"}
)


def read(source: Source) -> Iterator[Segment]:
    """One segment per object."""
    head = "".join(source.head_lines()).lstrip()
    if head and not head.startswith("["):
        source.log.note("SEGLST-LIST", "expected a list of objects, found objects in a row")
    for line, value in numbered_records(source):
        yield _segment(value, line)


def read_chime(source: Source, *, device: str = "original") -> Iterator[Segment]:
    """One segment per object, `ignored` if something in it is redacted."""
    for line, value in numbered_records(source):
        segment = _segment(value, line, device)
        start, end = segment.start_ns, segment.end_ns
        if start is not None and end is not None and end <= start:
            source.log.warn("CHIME-END", "ends when it begins, or before", line)
        yield segment.replace(kind="ignored") if REDACTED in segment.words else segment


def _segment(value: JsonValue, line: int, device: str | None = None) -> Segment:
    words, channel = value.required("words"), value.get("channel")
    is_list = isinstance(words.value, list)
    segment = Segment(
        value.required("session_id").name() or value.document.source.recording,
        () if is_list else tuple(cut_text(words.text())),
        channel=None if channel is None else one_channel(channel),
        speaker=value.name_of("speaker"),
        start_ns=None if is_list else _time_of(value, "start_time", device),
        end_ns=None if is_list else _time_of(value, "end_time", device),
        confidence=value.confidence_of("confidence"),
        properties=others_of(value, KNOWN),
        line=line,
    )
    return _timed(segment, value, device) if is_list else segment


def _time_of(value: JsonValue, name: str, device: str | None) -> int | None:
    """The time that is a member: of this device, where each has its own."""
    time = value.get(name)
    if time is not None and device is not None and isinstance(time.value, dict):
        time = time.required(device)
    return None if time is None else _time(time)


def _time(value: JsonValue) -> int:
    """A time in seconds, or of the clock."""
    if isinstance(value.value, str) and ":" in value.value:
        try:
            return parse_clock(value.value)
        except ValueError:
            raise value.error("a time in seconds or as h:mm:ss.ff") from None
    return value.nanoseconds()


def _timed(segment: Segment, value: JsonValue, device: str | None) -> Segment:
    """The segment with words that may have times each, one list beside the other."""
    texts = [element.text() for element in value.elements("words")]
    starts, ends = (
        time.required(device) if device and time and isinstance(time.value, dict) else time
        for time in (value.get("start_time"), value.get("end_time"))
    )
    columns: list[list[int | None]] = []
    for times in (starts, ends):
        if times is None or not isinstance(times.value, list):
            columns.append([None] * len(texts))
            continue
        column: list[int | None] = [_time(element) for element in times.elements()]
        if len(column) != len(texts):
            raise times.error(f"{len(texts)} times, as many as words", f"{len(column)}")
        columns.append(column)
    tokens = [
        Token(text, start, end)
        for text, start, end in zip(texts, *columns, strict=True)
        if split_words(text)
    ]
    whole = [None if t is None or isinstance(t.value, list) else _time(t) for t in (starts, ends)]
    first = min((t.start_ns for t in tokens if t.start_ns is not None), default=whole[0])
    last = max((t.end_ns for t in tokens if t.end_ns is not None), default=whole[1])
    return segment.with_items(tokens).replace(start_ns=first, end_ns=last)


def write(
    segments: SegmentSource,
    sink: Sink,
    *,
    precision: int = 3,
    word_lists: bool = False,
    extra: bool = False,
) -> None:
    """Write one list of all segments, sorted by session and start."""
    path = segments.source
    rows = sink.losses.in_order(
        list(segments), lambda s: (s.recording, s.start_ns or 0), "by session and begin", path
    )
    for number, segment in enumerate(rows):
        record: dict[str, object] = {"session_id": segment.recording}
        if segment.speaker is not None:
            record["speaker"] = segment.speaker
        if segment.channel is not None:
            record["channel"] = segment.channel
        has_lists = word_lists and bool(segment.words) and segment.is_timed
        if has_lists:
            _put_lists(record, segment, sink, path, precision)
        else:
            _put_text(record, segment, sink, path, precision)
        if segment.confidence is not None:
            record["confidence"] = segment.confidence
        kept = [(n, text) for n, text in segment.properties if extra and n not in KNOWN]
        record.update(kept)
        lost = len(segment.properties) - len(kept)
        sink.losses.add("properties", lost, "", path, segment.line)
        sink.write(("[" if not number else ",\n ") + dump(record))
    sink.write("]\n" if rows else "[]\n")


def _put_text(
    record: dict[str, object], segment: Segment, sink: Sink, path: str | None, precision: int
) -> None:
    for name, value in (("start_time", segment.start_ns), ("end_time", segment.end_ns)):
        if value is not None:
            record[name] = seconds_number(value, precision, sink, segment, path)
    timed = sum(1 for token in first_tokens(segment) if token.start_ns is not None)
    sink.losses.add("word times", timed, "", path, segment.line)
    record["words"] = joined_words(segment, path)


def _put_lists(
    record: dict[str, object], segment: Segment, sink: Sink, path: str | None, precision: int
) -> None:
    tokens = first_tokens(segment)
    for name, times in (
        ("start_time", [t.start_ns for t in tokens]),
        ("end_time", [t.end_ns for t in tokens]),
    ):
        record[name] = [seconds_number(t or 0, precision, sink, segment, path) for t in times]
    span = [t.start_ns or 0 for t in tokens], [t.end_ns or 0 for t in tokens]
    own = segment.start_ns, segment.end_ns
    if own not in ((None, None), (min(span[0]), max(span[1]))):
        sink.losses.add("segment times", 1, "those of the words", path, segment.line)
    record["words"] = [token.text for token in tokens]


def write_chime(segments: SegmentSource, sink: Sink, *, precision: int = 2) -> None:
    """Write the list of CHiME-6, sorted by session and start."""
    path = segments.source
    rows = sink.losses.in_order(
        list(segments), lambda s: (s.recording, s.start_ns or 0), "by session and begin", path
    )
    for number, segment in enumerate(rows):
        times = []
        for time in (segment.start_ns, segment.end_ns):
            if time is None or time < 0:
                found = "none" if time is None else f"{time / SECOND}"
                raise refused(path, segment.line, "a begin and an end of 0 or more", found)
            rounded = sink.losses.rounded(precision, path, segment.line, time)[0]
            times.append(format_clock(rounded, decimals=precision, hour_digits=1))
        if not segment.speaker:
            raise refused(path, segment.line, "a speaker", "none")
        kept = {name: segment.get(name) for name in CHIME_PROPERTIES}
        is_ignored = segment.kind == "ignored"
        words = joined_words(segment, path)
        lost = int(is_ignored != (REDACTED in words.split(" ")))
        sink.losses.add("ignored regions", lost, f"those with {REDACTED}", path, segment.line)
        record = {
            "session_id": segment.recording,
            "speaker": segment.speaker,
            "start_time": times[0],
            "end_time": times[1],
            "words": words,
            **{name: text for name, text in kept.items() if text is not None},
        }
        sink.write(("[" if not number else ",\n ") + dump(record))
    sink.write("]\n" if rows else "[]\n")


SPEC = FormatSpec(
    title="MeetEval's list of segments in JSON",
    sign='objects with "session_id" and "words"',
    read=read,
    write=write,
    holds=("words", "recordings", "channels", "speakers", "segment times", "word times",
           "segment confidences", "properties", "empty segments", "segment boundaries",
           "ends before begins"),
    needs=("recordings",),
    write_options=(
        decimals(),
        Option("word_lists", False, "write words and their times as lists", (False, True)),
        Option("extra", False, "write further properties, too", (False, True)),
    ),
    manual="One JSON object per segment: session_id, speaker, start_time, end_time, words.",
)  # fmt: skip
CHIME_SPEC = FormatSpec(
    title="transcripts of CHiME-5 and CHiME-6: segments in JSON with times of the clock",
    sign='objects with "session_id", "speaker", "words" and "start_time"',
    read=read_chime,
    write=write_chime,
    holds=("words", "recordings", "speakers", "segment times", "properties",
           "empty segments", "ignored regions", "segment boundaries",
           "ends before begins"),
    properties=CHIME_PROPERTIES,
    needs=("recordings", "speakers", "segment times"),
    read_options=(Option("device", "original", "whose clock to read, such as U01"),),
    write_options=(decimals(2),),
    manual="One JSON object per segment: session_id, speaker, clock times, words.",
)  # fmt: skip
