"""lhotse: supervision segments as JSON lines or YAML, with words aligned in time where known.

============================  ===========================================================
its word                      ours
============================  ===========================================================
id, recording_id              `Segment.utterance`, `Segment.recording`
start, duration               `Segment.start`, and `Segment.end` as their sum
channel                       `Segment.channel`, its number as text; of a list ``0,1``
text, speaker                 the words, `Segment.speaker`
language, gender, custom      `Segment.properties`
alignment ``word``            times and confidences of the words
============================  ===========================================================

Cuts of one recording (``MonoCut``, ``MultiCut``, before them ``Cut``) are read by their
supervisions, whose times count from the start of the cut; the recording is that of the cut, else
that of its features, else that of the supervision. A ``MixedCut`` mixes several recordings, so it
is one of its own, called by its id: times count from its start, and the recording that was mixed in
is the property ``recording_id``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import repeat
from typing import Any, TypeAlias

from formats.beginning import Head
from formats.errors import LossError, quoted
from formats.json.members import one_channel
from formats.json.numbers import times
from formats.json.value import Batch, JsonValue, batches_of_lines
from formats.lines import split_words
from formats.manifests.records import (
    dump,
    first_tokens,
    joined_words,
    segments_of_columns,
    text_of,
)
from formats.model import Segment
from formats.sink import Sink
from formats.source import Source
from formats.spec import FormatSpec, Option, SegmentSource
from formats.times import SECOND, round_time
from formats.words import Token

Seen: TypeAlias = dict[tuple[str, str], Segment]


NAMED = ("language", "gender")
CUTS = ("MonoCut", "MultiCut", "MixedCut", "PaddingCut", "Cut")
FINEST = 8
MEMBERS = ("id", "recording_id", "start", "duration", "channel", "text", "speaker", *NAMED)
IRREGULAR = ("custom", "alignment", "type", "supervisions")
"""Members of supervisions that are read row by row."""


def read(source: Source) -> Iterator[Segment]:
    """One segment per supervision."""
    seen: Seen = {}
    for batch in _batches(source):
        try:
            segments: Iterable[Segment] = _regular_segments(batch, seen)
        except ValueError:
            segments = _segments(batch, source, seen)
        yield from segments


def _batches(source: Source) -> Iterator[Batch]:
    """The records of JSON lines, of one JSON list, or of a list in YAML."""
    if not Head(source.head_lines()).is_yaml:
        yield from batches_of_lines(source)
        return
    from formats.json.yaml_document import YamlDocument

    for _, value in YamlDocument(source).numbered_values():
        yield from value.batches()


def _regular_segments(batch: Batch, seen: Seen) -> Iterable[Segment]:
    """The segments of supervisions; `ValueError` if one is irregular or repeats an id."""
    rows = batch.values
    if set(map(type, rows)) != {dict}:
        raise ValueError("objects and others")
    column = {name: [members.get(name) for members in rows] for name in (*MEMBERS, *IRREGULAR)}
    spans = times(column["start"]), times(column["duration"])
    kinds = {name: set(map(type, column[name])) for name in MEMBERS}
    if (
        any(values.count(None) < len(rows) for name, values in column.items() if name in IRREGULAR)
        or None in spans
        or not all(column["recording_id"])
        or not kinds["id"] | kinds["recording_id"] <= {str, int}
        or not kinds["text"] | kinds["language"] | kinds["gender"] <= {str, type(None)}
        or {type(None)} & {*map(type, column["start"]), *map(type, column["duration"])}
        or "\r" in "".join(filter(None, column["text"]))
    ):
        raise ValueError("irregular supervisions")
    names = list(map(str, column["id"]))
    if len(set(names)) < len(names) or any(("", name) in seen for name in names):
        raise ValueError("repeated ids")
    segments = segments_of_columns(
        batch.lines,
        list(map(str, column["recording_id"])),
        [text or "" for text in column["text"]],
        [spans[0], None, spans[1]],
        list(map(_properties, rows)),
        utterances=names,
        channels=column["channel"],
        speakers=column["speaker"],
    )
    seen.update(zip(zip(repeat(""), names), segments, strict=True))
    return segments


def _segments(batch: Batch, source: Source, seen: Seen) -> Iterator[Segment]:
    for line, record in batch.each():
        name = record.text_of("type") or ""
        if name.endswith("Cut") and name not in CUTS:
            raise record.required("type").error(f"a cut: {', '.join(CUTS)}")
        if name not in CUTS and not record.has("supervisions"):
            recording = record.required("recording_id").name()
            segment = _supervision(record, recording, 0, line)
            if _is_new(segment, record, seen, ""):
                yield segment
            continue
        source.is_silent = True
        mixture = record.required("id").name() if name == "MixedCut" else ""
        parts = _of_mixture(record, mixture, line) if mixture else _of_cut(record, line)
        yield from (segment for segment, part in parts if _is_new(segment, part, seen, mixture))


def _of_cut(record: JsonValue, line: int | None) -> Iterator[tuple[Segment, JsonValue]]:
    """The supervisions of a cut of one recording."""
    whole = record.get("recording") or record.get("features")
    name = None if whole is None else whole.get("id", "recording_id")
    start = record.required("start").nanoseconds()
    for part in record.elements("supervisions"):
        recording = (name or part.required("recording_id")).name()
        yield _supervision(part, recording, start, line), part


def _of_mixture(
    record: JsonValue, mixture: str, line: int | None
) -> Iterator[tuple[Segment, JsonValue]]:
    """The supervisions of the cuts that are mixed, in the time of the mixture."""
    for track in record.elements("tracks"):
        offset = track.get("offset")
        start = 0 if offset is None else offset.nanoseconds()
        for part in track.required("cut").elements("supervisions"):
            segment = _supervision(part, mixture, start, line)
            origin = part.get("recording_id")
            properties = dict(segment.properties)
            if origin is not None:
                properties["recording_id"] = origin.name()
            yield segment.replace(properties=tuple(sorted(properties.items()))), part


def _is_new(segment: Segment, record: JsonValue, seen: Seen, mixture: str) -> bool:
    """Whether no segment before has this id; one that has must be alike."""
    before = seen.setdefault((mixture, segment.utterance or ""), segment)
    if before is segment:
        return True
    if before == segment:
        record.document.source.log.note(
            "DUPLICATE", f"{quoted(segment.utterance or '')} occurs twice alike: read once"
        )
        return False
    raise record.required("id").error("an id not used before with other content")


def _supervision(record: JsonValue, recording: str, offset: int, line: int | None) -> Segment:
    start = _signed(record.required("start")) + offset
    length = record.required("duration").nanoseconds()
    if start < 0:
        raise record.required("start").error("a start inside the recording")
    channel, text = record.get("channel"), record.text_of("text")
    for name in NAMED:
        record.text_of(name)
    if custom := record.get("custom"):
        dict(custom.members())
    segment = Segment(
        recording or record.document.source.recording,
        tuple(split_words(text.replace("\n", " "))) if text else (),
        utterance=record.required("id").name(),
        channel=None if channel is None else one_channel(channel),
        speaker=record.name_of("speaker"),
        start_ns=start,
        end_ns=start + length,
        properties=_properties(record.value),
        line=line,
    )
    alignment = record.get("alignment")
    if alignment is None:
        return segment
    return _aligned(segment, alignment, offset, has_text=text is not None)


def _properties(members: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    if not any(members.get(name) for name in (*NAMED, "custom")):
        return ()
    values = {**{name: members.get(name) for name in NAMED}, **(members.get("custom") or {})}
    return tuple(sorted((n, text_of(value)) for n, value in values.items() if value is not None))


def _signed(value: JsonValue) -> int:
    """A start, which in a cut may lie before it."""
    if value.number() >= 0:
        return value.nanoseconds()
    from fractions import Fraction

    return round(Fraction(value.number()) * SECOND)


def _aligned(segment: Segment, alignment: JsonValue, offset: int, *, has_text: bool) -> Segment:
    """The segment with the times of its words."""
    log = alignment.document.source.log
    for name, _ in alignment.members():
        if name != "word":
            log.note("LHOTSE-ALIGNMENT", f"the alignment {quoted(name)} is not read")
    tokens = [_item(item, offset) for item in alignment.elements("word")]
    tokens = [token for token in tokens if token.text]
    if not tokens:
        return segment
    if not has_text:
        return segment.with_items(tokens)
    if len(tokens) != len(segment.words):
        log.warn(
            "LHOTSE-WORDS",
            f"{alignment.path}: {len(segment.words)} words in the text, {len(tokens)} in the "
            "alignment: words stay without times",
        )
        return segment
    said = zip(segment.words, tokens, strict=True)
    return segment.with_items(token.replace(text=word) for word, token in said)


def _item(item: JsonValue, offset: int) -> Token:
    """One word of an alignment: a list, or an object as before version 1.8."""
    if isinstance(item.value, dict):
        symbol, start, length = (item.required(n) for n in ("symbol", "start", "duration"))
        score = item.get("score")
    else:
        parts = list(item.elements())
        if len(parts) not in (3, 4):
            raise item.error("symbol, start, duration and perhaps a score")
        symbol, start, length = parts[:3]
        score = parts[3] if len(parts) == 4 and parts[3].value is not None else None
    begin = _signed(start) + offset
    sure = None if score is None else score.confidence()
    texts = split_words(symbol.text())
    if len(texts) > 1:
        raise symbol.error("one word")
    return Token(texts[0] if texts else "", begin, begin + length.nanoseconds(), sure)


def write(segments: SegmentSource, sink: Sink, *, precision: int = FINEST) -> None:
    """Write one supervision per line."""
    path = segments.source
    seen: set[str] = set()
    for segment in segments:
        start, end = segment.start_ns, segment.end_ns
        if start is None or end is None or segment.utterance is None:
            raise LossError(
                path=path, line=segment.line, expected="a segment with times and id", found="none"
            )
        if segment.utterance in seen:
            raise LossError(
                path=path,
                line=segment.line,
                expected="an id not used before",
                found=quoted(segment.utterance),
            )
        seen.add(segment.utterance)
        sink.write(dump(_record(segment, sink, path, precision)) + "\n")


def _record(segment: Segment, sink: Sink, path: str | None, precision: int) -> dict[str, object]:
    start, length = _stretch(segment.start_ns, segment.end_ns, segment, sink, path, precision)
    record: dict[str, object] = {
        "id": segment.utterance,
        "recording_id": segment.recording,
        "start": start,
        "duration": length,
    }
    if segment.channel is not None:
        numbers = segment.channel.split(",")
        if not all(
            n.isascii() and n.isdigit() and len(n) < 19 and str(int(n)) == n for n in numbers
        ):
            raise LossError(
                path=path,
                line=segment.line,
                expected="a channel that is a number",
                found=quoted(segment.channel),
            )
        record["channel"] = int(numbers[0]) if len(numbers) == 1 else [int(n) for n in numbers]
    record["text"] = joined_words(segment, path)
    if segment.speaker is not None:
        record["speaker"] = segment.speaker
    record.update((name, text) for name, text in segment.properties if name in NAMED)
    custom = {name: text for name, text in segment.properties if name not in NAMED}
    if custom:
        record["custom"] = custom
    tokens = first_tokens(segment)
    if tokens and segment.is_timed:
        record["alignment"] = {
            "word": [_written(t, segment, sink, path, precision) for t in tokens]
        }
    else:
        timed = sum(1 for token in tokens if token.start_ns is not None)
        sink.losses.add("word times", timed, "not all words have them", path, segment.line)
        sure = sum(1 for token in tokens if token.confidence is not None)
        sink.losses.add("confidences", sure, "", path, segment.line)
    return record


def _written(
    token: Token, segment: Segment, sink: Sink, path: str | None, precision: int
) -> list[object]:
    times = _stretch(token.start_ns, token.end_ns, segment, sink, path, precision)
    sure = [] if token.confidence is None else [token.confidence]
    return [token.text, *times, *sure]


def _stretch(
    start: int | None,
    end: int | None,
    segment: Segment,
    sink: Sink,
    path: str | None,
    precision: int,
) -> tuple[float, float]:
    """Start and duration, the latter between rounded ends."""
    given = start or 0, end or 0
    first, last = (round_time(time, precision) for time in given)
    changed = (first != given[0]) + (last != given[1])
    sink.losses.add("decimals of times", changed, f"rounded to {precision}", path, segment.line)
    return first / SECOND, (last - first) / SECOND


SPEC = FormatSpec(
    title="Lhotse's supervisions and cuts: timed segments as JSON lines or YAML",
    sign='"recording_id" and "duration", or "supervisions"',
    read=read,
    write=write,
    holds=("words", "recordings", "channels", "speakers", "utterance ids",
           "segment times", "word times", "confidences", "properties", "empty segments",
           "segment boundaries"),
    needs=("recordings", "utterance ids", "segment times"),
    write_options=(Option("precision", FINEST, "decimals of times", tuple(range(10))),),
    streams=True,
    manual="One object per line, or in a list: id, recording_id, start, duration, text, speaker.",
)  # fmt: skip
