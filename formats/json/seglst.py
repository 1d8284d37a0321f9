"""seglst: MeetEval's segment lists: objects with session, speaker, times and words.

===============================  ========================================================
in the file                      in the schema
===============================  ========================================================
session_id                       `Segment.recording`
speaker, channel                 `Segment.speaker`, `Segment.channel`
start_time, end_time             `Segment.start`, `Segment.end`; numbers, texts of digits, or
                                 clock times as CHiME writes them (``0:01:02.50``)
words                            the words; they have times if the texts, starts and ends are lists
confidence                       `Segment.confidence`
anything else                    `Segment.properties`
===============================  ========================================================

``chime``, the transcripts of CHiME-5 and CHiME-6, is a list with the same members. A time is a
clock time (``0:01:02.50``); in CHiME-5, it is an object with a clock time per device. A
``[redacted]`` text is an ignored segment, as in the official scoring scripts. ``location`` and
``ref`` are properties.

A single object, or JSON lines, are also read, with a note. NaN is rejected.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from formats.detection.spec import FormatSpec, Option, SegmentSource, decimals
from formats.io.sink import Sink
from formats.io.source import Source
from formats.json.displays import cut_text
from formats.json.messages import CHIME_END, RULE_REDACTED, RULE_SORTED_SESSION, SEGLST_LIST
from formats.json.rows import one_channel, others_of
from formats.json.value import JsonValue, records_of
from formats.manifests.records import RecordOut, dump
from formats.reading.lines import split_words
from formats.schema.messages import Message
from formats.schema.model import Segment
from formats.schema.times import SECOND, format_clock, parse_clock
from formats.schema.words import Token

REDACTED = "[redacted]"
CHIME_PROPERTIES = ("location", "ref")
KNOWN = frozenset(
    {"session_id", "speaker", "start_time", "end_time", "words", "channel", "confidence"}
)


def read(source: Source) -> Iterator[Segment]:
    """Yield one segment per JSON object."""
    head = "".join(source.head_lines()).lstrip()
    if head and not head.startswith("["):
        source.log.say(SEGLST_LIST)
    yield from source.log.accepted("JSON", lambda value: [_segment(value)], records_of(source))


def read_chime(source: Source, *, device: str = "original") -> Iterator[Segment]:
    """Yield one segment per JSON object, with the times of a device's clock."""

    def read_record(value: JsonValue) -> Iterator[Segment]:
        segment = _segment(value, device)
        start, end = segment.start_ns, segment.end_ns
        if start is not None and end is not None and end <= start:
            source.log.say(CHIME_END, segment.line)
        yield segment.replace(kind="ignored") if REDACTED in segment.words else segment

    return source.log.accepted("JSON", read_record, records_of(source))


def _segment(value: JsonValue, device: str | None = None) -> Segment:
    words, channel = value.required("words"), value.get("channel")
    starts, ends = (_of_device(value.get(name), device) for name in ("start_time", "end_time"))
    segment = Segment(
        value.required("session_id").name() or value.document.source.recording,
        channel=None if channel is None else one_channel(channel),
        speaker=value.name_of("speaker"),
        confidence=value.confidence_of("confidence"),
        properties=others_of(value, KNOWN),
        line=value.line,
    )
    if isinstance(words.value, list):
        return _timed(segment, words, starts, ends)
    times = [None if time is None else _time(time) for time in (starts, ends)]
    text = tuple(cut_text(words.text()))
    return segment.replace(words=text, start_ns=times[0], end_ns=times[1])


def _of_device(time: JsonValue | None, device: str | None) -> JsonValue | None:
    """Return the time by the clock of `device`. A time without devices is returned unchanged."""
    if time is None or device is None or not isinstance(time.value, dict):
        return time
    return time.required(device)


def _time(value: JsonValue) -> int:
    """Parse a time in seconds or a clock time; return nanoseconds."""
    if isinstance(value.value, str) and ":" in value.value:
        try:
            return parse_clock(value.value)
        except ValueError:
            raise value.error("a time in seconds or as h:mm:ss.ff") from None
    return value.nanoseconds()


def _timed(
    segment: Segment, words: JsonValue, starts: JsonValue | None, ends: JsonValue | None
) -> Segment:
    """Return the segment with its words and their times.

    The times are in lists that are parallel to the list of words.
    """
    texts = [element.text() for element in words.elements()]
    columns: list[list[int | None]] = []
    for times in (starts, ends):
        column: list[int | None] = [None] * len(texts)
        if times is not None and isinstance(times.value, list):
            column = [_time(element) for element in times.elements()]
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


def _records(
    segments: SegmentSource, sink: Sink, precision: int,
    record: Callable[[RecordOut], dict[str, object]],
) -> None:  # fmt: skip
    """Write one list of the records of all segments, sorted by session and start."""
    rows = sink.losses.in_order(
        list(segments),
        lambda segment: (segment.recording, segment.start_ns or 0),
        RULE_SORTED_SESSION,
        segments.source,
    )
    for number, segment in enumerate(rows):
        row = dump(record(RecordOut(segment, sink, precision)))
        sink.write((",\n " if number else "[") + row)
    sink.write("]\n" if rows else "[]\n")


def write(segments: SegmentSource, sink: Sink, *, precision: int = 3, extra: bool = False) -> None:
    """Write one JSON list of all segments, sorted by session and start."""

    def record(out: RecordOut) -> dict[str, object]:
        segment = out.segment
        kept = {n: text for n, text in segment.properties if extra and n not in KNOWN}
        out.lost("properties", len(segment.properties) - len(kept))
        return {
            "session_id": segment.recording,
            **out.present(speaker="speaker", channel="channel"),
            **out.times("start_time", "end_time"),
            "words": out.text(),
            **out.present(confidence="confidence"),
            **kept,
        }

    _records(segments, sink, precision, record)


def write_chime(segments: SegmentSource, sink: Sink, *, precision: int = 2) -> None:
    """Write a CHiME-6 list, sorted by session and start; CHiME-6 itself has 2 decimals."""
    _records(segments, sink, precision, _chime_record)


def _chime_record(out: RecordOut) -> dict[str, object]:
    segment = out.segment
    times = []
    for time in (segment.start_ns, segment.end_ns):
        if time is None or time < 0:
            found = "none" if time is None else f"{time / SECOND}"
            raise out.refuse("a begin and an end of 0 or more", found)
        (rounded,) = out.round(out.precision, time)
        times.append(format_clock(rounded, decimals=out.precision, hour_digits=1))
    if not segment.speaker:
        raise out.refuse("a speaker", "none")
    words = out.text()
    is_redacted = REDACTED in words.split(" ")
    is_lost = (segment.kind == "ignored") != is_redacted
    out.lost("ignored regions", int(is_lost), Message(RULE_REDACTED, {"mark": REDACTED}))
    kept = {name: segment.get(name) for name in CHIME_PROPERTIES}
    return {
        "session_id": segment.recording,
        "speaker": segment.speaker,
        "start_time": times[0],
        "end_time": times[1],
        "words": words,
        **{name: text for name, text in kept.items() if text is not None},
    }


SPEC = FormatSpec(
    title="MeetEval's list of segments in JSON",
    sign='objects with "session_id" and "words"',
    read=read,
    write=write,
    holds="words, recordings, channels, speakers, segment times, segment confidences, properties, "
    "empty segments, segment boundaries",
    needs=("recordings",),
    write_options=(
        decimals(),
        Option("extra", False, "also write the properties of segments (seglst)"),
    ),
)
CHIME_SPEC = FormatSpec(
    title="transcripts of CHiME-5 and CHiME-6: segments in JSON with times of the clock",
    sign='objects with "session_id", "speaker", "words" and "start_time"',
    read=read_chime,
    write=write_chime,
    holds="words, recordings, speakers, segment times, properties, empty segments, "
    "ignored regions, segment boundaries",
    properties=CHIME_PROPERTIES,
    needs=("recordings", "speakers", "segment times"),
    read_options=(
        Option(
            "device",
            "original",
            "recording device whose times to read in CHiME-5 files, for example U01",
        ),
    ),
    write_options=(decimals(2),),
)
