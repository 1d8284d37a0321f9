"""jsonl: one JSON object per utterance; our own, which keeps everything, and those of data sets.

Members by their usual names (`formats.manifests.roles`): the words (``text``, ``sentence``, …;
with ``field="pred_text"`` those of a recogniser), ``id``, ``recording`` or an audio file,
``speaker``, ``channel``, ``start`` and ``end`` or ``duration`` in seconds. What has no role is
a property. ``audio`` may be an object with ``path``; sound inside the file is not looked at.

What `write` writes keeps all of a segment: words with times, confidences, kinds and display forms
are listed in ``words``, alternations among them as ``{"alternation": [[…], […]]}``, and the further
members ``kind``, ``tier``, ``labels``, ``confidence``, ``nbest``, ``properties`` stand where they
say something. In objects with a ``recording`` they are read as what they are.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from formats.beginning import Head
from formats.json.displays import cut_text
from formats.json.members import one_channel
from formats.json.numbers import times
from formats.json.value import Batch, JsonValue, batches_of_lines
from formats.lines import split_words
from formats.manifests.records import (
    MOST_SHAPES,
    dump,
    first_words,
    names_of_columns,
    properties_of_columns,
    recording_of_audio,
    recordings_of_columns,
    seconds_number,
    segments_of_columns,
    text_of,
)
from formats.manifests.roles import Roles, has_text
from formats.model import SEGMENT_KINDS, Segment
from formats.sink import Sink
from formats.source import Source
from formats.spec import FEATURES, TEXT_FIELD, FormatSpec, Option, SegmentSource, Sniff, decimals
from formats.times import SECOND
from formats.words import Alternation, Token

TIMES = ("start", "end", "duration")
TIME_UNITS = {"s": 1, "ms": 1000, "us": 1_000_000}
OURS = frozenset({"words", "kind", "tier", "labels", "confidence", "nbest", "properties"})


def read(
    source: Source, *, field: str = "text", time_unit: str = "s", stringify: bool = False
) -> Iterator[Segment]:
    """One segment per object; a JSON list of objects is read, too."""
    shapes = _Shapes(source, field, TIME_UNITS[time_unit], stringify)
    for batch in batches_of_lines(source):
        segments = shapes.segments(batch)
        if segments is not None:
            yield from segments
            continue
        for line, record in batch.each():
            if not isinstance(record.value, dict):
                raise record.error("an object")
            yield shapes.rows_like(record.value, line).segment(record, line)


class _Shapes:
    """How to read objects, by the names of their members."""

    def __init__(self, source: Source, field: str, per_second: int, stringify: bool) -> None:
        self._source = source
        self._field = field
        self._settings = per_second, stringify
        self._rows: dict[tuple[str, ...], Rows] = {}

    def rows_like(self, members: dict[str, Any], line: int | None) -> Rows:
        """How objects with such members are read."""
        names = tuple(members)
        rows = self._rows.get(names)
        if rows is None:
            known = list(names)
            if "words" in members and self._field == "text" and not has_text(names):
                known.append("text")
            roles = Roles(known, self._field, self._source, line)
            rows = Rows(names, roles, self._source, *self._settings)
            if len(self._rows) < MOST_SHAPES:
                self._rows[names] = rows
        return rows

    def segments(self, batch: Batch) -> list[Segment] | None:
        """The segments of objects with names seen before; `None` if one is irregular."""
        if set(map(type, batch.values)) != {dict}:
            return None
        by_names: dict[tuple[str, ...], list[int]] = {}
        for place, names in enumerate(map(tuple, batch.values)):
            by_names.setdefault(names, []).append(place)
        if len(by_names) == 1:
            self.rows_like(batch.values[0], batch.lines[0])
        segments: list[Any] = [None] * len(batch.values)
        try:
            for names, places in by_names.items():
                members = zip(*[batch.values[place].values() for place in places], strict=True)
                columns = dict(zip(names, map(list, members), strict=True))
                lines = [batch.lines[place] for place in places]
                rows = self._rows[names].segments(columns, lines)
                for place, segment in zip(places, rows, strict=True):
                    segments[place] = segment
        except (KeyError, ValueError):
            return None
        return segments


class Rows:
    """How to read objects with members of the same names, or the rows of a table."""

    def __init__(
        self,
        names: Collection[str],
        roles: Roles,
        source: Source,
        per_second: int,
        stringify: bool = False,
    ) -> None:
        self.source = source
        self.per_second = per_second
        self.stringify = stringify
        self.by_role = roles.by_role
        self.times = [self.by_role.get(role) for role in TIMES]
        others = frozenset(names).difference(self.by_role.values(), ("audio",))
        self.own = others & OURS
        self.properties = sorted(others)
        self.properties_of_ours = sorted(others - OURS)

    def segments(
        self, columns: Mapping[str, list[Any]], lines: Sequence[int | None]
    ) -> list[Segment]:
        """What many of them say, given by columns."""
        if "recording" in columns and not self.own.isdisjoint(columns):
            raise ValueError("members of our own")
        spans: list[Sequence[int | None] | None] = [None] * len(TIMES)
        for place, name in enumerate(self.times):
            if name is not None and name in columns:
                spans[place] = times(columns[name], self.per_second)
                if spans[place] is None:
                    raise ValueError("times and others")
        texts = columns.get(self.by_role["text"], [])
        if set(map(type, texts)) != {str}:
            raise ValueError("texts and others")
        return segments_of_columns(
            lines,
            recordings_of_columns(columns, self.by_role, self.source.recording),
            texts,
            spans,
            properties_of_columns(columns, self.properties),
            **names_of_columns(columns, self.by_role),
        )

    def segment(self, record: JsonValue, line: int | None) -> Segment:
        """What one of them says."""
        # What we write has names of its own, where the object is like ours.
        is_ours = self.own and isinstance(record.value.get("recording"), str)
        own: frozenset[str] = self.own if is_ours else frozenset()
        start, end, duration = (
            None if name is None else record.time_of(name, per_second=self.per_second)
            for name in self.times
        )
        if duration is not None and end is None:
            start = start or 0
            end = start + duration
        channel = self._value(record, "channel")
        utterance, speaker = (self._value(record, role) for role in ("id", "speaker"))
        items = list(self._items(record)) if "words" in own else []
        made = Segment(
            self._recording(record),
            () if items else self._words(record, line),
            utterance=None if utterance is None else utterance.name(),
            channel=None if channel is None else one_channel(channel),
            speaker=None if speaker is None else speaker.name(),
            start_ns=start,
            end_ns=end,
            properties=self._properties(record, own) if self.properties else (),
            line=line,
        )
        if own:
            made = made.replace(**self._own(record))
        return made.with_items(items) if items else made

    def _value(self, record: JsonValue, role: str) -> JsonValue | None:
        name = self.by_role.get(role)
        return None if name is None else record.get(name)

    def _recording(self, record: JsonValue) -> str:
        found = self._value(record, "recording")
        if found is None:
            return self.source.recording
        name = found.name_of("path") if isinstance(found.value, dict) else found.name()
        is_audio = self.by_role["recording"] not in ("recording", "recording_id")
        return (recording_of_audio(name) if name and is_audio else name) or self.source.recording

    def _properties(self, record: JsonValue, own: frozenset[str]) -> tuple[tuple[str, str], ...]:
        names = self.properties_of_ours if own else self.properties
        member = record.value.get
        found = tuple([(n, text_of(value)) for n in names if (value := member(n)) is not None])
        more = record.get("properties") if "properties" in own else None
        if more is None:
            return found
        inner = {name: text_of(value.value) for name, value in more.members()}
        return tuple(sorted({**dict(found), **inner}.items()))

    def _own(self, record: JsonValue) -> dict[str, Any]:
        """What only our objects say, but for words and properties."""
        sure, tier = record.confidence_of("confidence"), record.text_of("tier")
        kind = record.text_of("kind") or "segment"
        if kind not in SEGMENT_KINDS:
            raise record.required("kind").error(f"one of {', '.join(SEGMENT_KINDS)}")
        labels = tuple(label.text() for label in record.elements("labels"))
        nbest = tuple(map(self._hypothesis, record.elements("nbest")))
        return {"confidence": sure, "tier": tier, "kind": kind, "labels": labels, "nbest": nbest}

    def _hypothesis(self, value: JsonValue) -> tuple[float | None, tuple[str, ...]]:
        score = value.get("score")
        words = tuple(word.text() for word in value.elements("words"))
        return None if score is None else score.confidence(), words

    def _items(self, record: JsonValue) -> Iterator[Token | Alternation]:
        words = record.get("words")
        if self.by_role["text"] != "text" or words is None or not isinstance(words.value, list):
            return
        for word in words.elements():
            yield self._item(word)

    def _item(self, word: JsonValue) -> Token | Alternation:
        if isinstance(word.value, str):
            return Token(word.value)
        choice = word.get("alternation")
        if choice is not None:
            branches = [[self._item(w) for w in branch.elements()] for branch in choice.elements()]
            if not branches:
                raise choice.error("one branch or more")
            return Alternation(branches)
        start, end, sure = (word.get(name) for name in ("start", "end", "confidence"))
        kind, display = word.get("type"), word.get("display")
        optional, made = word.get("optional"), word.get("interpolated")
        return Token(
            word.required("word", "text").text(),
            None if start is None else start.nanoseconds(per_second=self.per_second),
            None if end is None else end.nanoseconds(per_second=self.per_second),
            None if sure is None else sure.confidence(),
            None if kind is None else kind.text(),
            optional is not None and optional.flag(),
            None if display is None else display.text(),
            made is not None and made.flag(),
        )

    def _words(self, record: JsonValue, line: int | None) -> tuple[str, ...]:
        role = self.by_role["text"]
        text = record.value.get(role)
        if isinstance(text, str):
            return tuple(cut_text(text))
        if text is None:
            if role in record.value:
                self.source.log.note("JSONL-NULL", "a text of null is read as empty", line)
            return ()
        if not self.stringify or isinstance(text, (dict, list)):
            raise record.required(role).error("a text (or --stringify)")
        return tuple(split_words(text_of(text)))


def write(segments: SegmentSource, sink: Sink, *, precision: int = 9) -> None:
    """Write one object per line, with all that a segment says."""
    path = segments.source
    for segment in segments:
        sink.write(dump(record_of_segment(segment, sink, path, precision)) + "\n")


def record_of_segment(
    segment: Segment, sink: Sink, path: str | None, precision: int
) -> dict[str, object]:
    """The object that says a segment; members that would say nothing are not there."""
    record: dict[str, object] = {"recording": segment.recording}
    for name, text in (
        ("id", segment.utterance),
        ("channel", segment.channel),
        ("speaker", segment.speaker),
        ("tier", segment.tier),
    ):
        if text is not None:
            record[name] = text
    for name, time in (("start", segment.start_ns), ("end", segment.end_ns)):
        if time is not None:
            record[name] = seconds_number(time, precision, sink, segment, path)
    if segment.kind != "segment":
        record["kind"] = segment.kind
    record["text"] = " ".join(first_words(segment))
    if not _says_all(segment):
        record["words"] = _written_words(segment, sink, path, precision)
    for name, value in (
        ("labels", list(segment.labels)),
        ("confidence", segment.confidence),
        ("nbest", [_written_hypothesis(score, words) for score, words in segment.nbest]),
        ("properties", dict(segment.properties)),
    ):
        if value not in ([], {}, None):
            record[name] = value
    return record


def _says_all(segment: Segment) -> bool:
    """Whether the text alone gives the words back."""
    columns = (segment.starts_ns, segment.ends_ns, segment.confidences, segment.kinds)
    more = (segment.optional, segment.displays, segment.interpolated)
    if segment.alternations or any(column is not None for column in (*columns, *more)):
        return False
    words = segment.words
    text = " ".join(words)
    return "\n" not in text and "\r" not in text and tuple(split_words(text)) == words


def _written_hypothesis(score: float | None, words: tuple[str, ...]) -> dict[str, object]:
    return {"words": list(words)} if score is None else {"score": score, "words": list(words)}


def _written_words(
    segment: Segment, sink: Sink, path: str | None, precision: int
) -> list[dict[str, object]]:
    """The words column by column, with the alternations between them."""

    def seconds(times: Sequence[int | None]) -> list[float | None]:
        if precision >= 9:
            return [None if time is None else time / SECOND for time in times]
        made = (
            t if t is None else seconds_number(t, precision, sink, segment, path) for t in times
        )
        return list(made)

    columns: dict[str, Sequence[object] | None] = {
        "word": segment.words,
        "start": segment.starts_ns and seconds(segment.starts_ns),
        "end": segment.ends_ns and seconds(segment.ends_ns),
        "confidence": segment.confidences,
        "type": segment.kinds,
        "display": segment.displays,
        "optional": segment.optional and [flag or None for flag in segment.optional],
        "interpolated": segment.interpolated and [flag or None for flag in segment.interpolated],
    }
    names, present = zip(*((n, c) for n, c in columns.items() if c is not None), strict=True)
    made: list[dict[str, object]] = [
        dict(zip(names, row, strict=True)) for row in zip(*present, strict=True)
    ]
    for name, column in zip(names, present, strict=True):
        if None in column:
            for record in made:
                if record[name] is None:
                    del record[name]
    for position, choice in reversed(segment.alternations):
        branches = (segment.with_items(branch) for branch in choice.branches)
        written = [_written_words(branch, sink, path, precision) for branch in branches]
        made.insert(position, {"alternation": written})
    return made


def sniff(head: Head) -> Sniff:
    """Possible: rows of a data set, with a text of some usual name.

    A row is an object in a line of its own, or in a list; one alone has no objects inside but
    ``audio``: what has is somebody's transcript of a whole recording.
    """
    first = head.first_object
    texts = [value for name, value in first.items() if has_text((name,))]
    if not texts or any(isinstance(value, (dict, list)) for value in texts):
        return Sniff.NO
    if isinstance(head.json, dict):
        lines = (line for line in head if line.strip())
        if not _is_object(next(lines)):
            return Sniff.NO
        if next(lines, None) is not None:
            return Sniff.MAYBE
    inner = [value for name, value in first.items() if name != "audio"]
    return Sniff.NO if any(map(_holds_objects, inner)) else Sniff.MAYBE


def _is_object(line: str) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def _holds_objects(value: object) -> bool:
    is_list = isinstance(value, list) and any(isinstance(v, (dict, list)) for v in value)
    return isinstance(value, dict) or is_list


SPEC = FormatSpec(
    title="JSON lines: one object per utterance, ours or those of data sets",
    sign='lines of objects with a "text"',
    read=read,
    write=write,
    sniff=sniff,
    holds=tuple(name for name in FEATURES if name not in ("definitions", "comments")),
    read_options=(
        TEXT_FIELD,
        Option("time_unit", "s", "unit of times", tuple(TIME_UNITS)),
        Option("stringify", False, "take numbers for texts", (False, True)),
    ),
    write_options=(decimals(9),),
    streams=True,
    manual="One JSON object per utterance: recording, start, end, text, words and more.",
)
