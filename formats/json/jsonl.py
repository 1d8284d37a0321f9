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

from formats.lines import split_words
from formats.manifests.records import (
    dump,
    first_words,
    json_records,
    one_channel,
    recording_of_audio,
    seconds_number,
    text_of,
)
from formats.manifests.roles import Roles, has_text
from formats.model import SEGMENT_KINDS, Segment
from formats.spec import FEATURES, FormatSpec, Option, Sniff
from formats.times import SECOND
from formats.words import Alternation, Token

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from formats.head import Head
    from formats.json.document import JsonValue
    from formats.sink import Sink
    from formats.source import Source
    from formats.spec import SegmentSource

__all__ = [
    "SPEC",
    "TIME_UNITS",
    "read",
    "record_of_segment",
    "segment_of_record",
    "sniff",
    "write",
]

TIME_UNITS = {"s": 1, "ms": 1000, "us": 1_000_000}
MOST_SHAPES = 1000
OURS = frozenset({"words", "kind", "tier", "labels", "confidence", "nbest", "properties"})


def read(
    source: Source, *, field: str = "text", time_unit: str = "s", stringify: bool = False
) -> Iterator[Segment]:
    """One segment per object; a JSON list of objects is read, too.

    Parameters
    ----------
    field: which side's words to read, ``text`` or ``pred_text``, or the name of the member.
    time_unit: of starts, ends and durations: ``s``, ``ms``, ``us``.
    stringify: take numbers for texts, instead of refusing them.

    Raises
    ------
    SyntaxFormatError: no JSON, no member that means a text, wrong types.
    """
    known: dict[tuple[str, ...], Roles] = {}
    for line, record in json_records(source):
        if not isinstance(record.value, dict):
            raise record.error("an object")
        names = tuple(record.value)
        roles = known.get(names)
        if roles is None:
            roles = _roles(record, field, source, line)
            if len(known) < MOST_SHAPES:
                known[names] = roles
        yield _Record(record, roles, source, line, TIME_UNITS[time_unit], stringify).segment()


def _roles(record: JsonValue, field: str, source: Source, line: int | None) -> Roles:
    names = list(record.value)
    if "words" in record.value and field == "text" and not has_text(names):
        names.append("text")
    return Roles(names, field, source, line)


def segment_of_record(
    record: JsonValue, roles: Roles, source: Source, line: int | None, per_second: int
) -> Segment:
    """What one object says, or a row of a table with members of the same names."""
    return _Record(record, roles, source, line, per_second, False).segment()


class _Record:
    """One object and how to read it."""

    def __init__(
        self,
        record: JsonValue,
        roles: Roles,
        source: Source,
        line: int | None,
        per_second: int,
        stringify: bool,
    ) -> None:
        self.record = record
        self.roles = roles
        self.source = source
        self.line = line
        self.per_second = per_second
        self.stringify = stringify
        self.is_ours = isinstance(record.value.get("recording"), str)

    def _get(self, role: str) -> JsonValue | None:
        name = self.roles.by_role.get(role)
        return None if name is None else self.record.get(name)

    def _name(self, role: str) -> str | None:
        value = self._get(role)
        return None if value is None else value.name()

    def _time(self, role: str) -> int | None:
        value = self._get(role)
        return None if value is None else value.nanoseconds(per_second=self.per_second)

    def segment(self) -> Segment:
        """What the object says."""
        start, end, duration = (self._time(role) for role in ("start", "end", "duration"))
        if duration is not None and end is None:
            start = start or 0
            end = start + duration
        channel = self._get("channel")
        sure, tier, kind = (self._own(name) for name in ("confidence", "tier", "kind"))
        labels, nbest = self._own("labels"), self._own("nbest")
        if kind is not None and kind.value not in SEGMENT_KINDS:
            raise kind.error(f"one of {', '.join(SEGMENT_KINDS)}")
        made = Segment(
            self._recording(),
            (),
            utterance=self._name("id"),
            channel=None if channel is None else one_channel(channel),
            speaker=self._name("speaker"),
            start_ns=start,
            end_ns=end,
            labels=() if labels is None else tuple(x.text() for x in labels.elements()),
            confidence=None if sure is None else sure.confidence(),
            tier=None if tier is None else tier.text(),
            properties=self._properties(),
            nbest=() if nbest is None else tuple(map(self._hypothesis, nbest.elements())),
            kind="segment" if kind is None else kind.text(),
            line=self.line,
        )
        items = list(self._items())
        return made.with_items(items) if items else made.replace(words=self._words())

    def _own(self, name: str) -> JsonValue | None:
        """A member of the names that `write` uses, where the object is like ours."""
        return self.record.get(name) if self.is_ours else None

    def _recording(self) -> str:
        value = self._get("recording")
        if value is not None and isinstance(value.value, dict):
            value = value.get("path")
        if value is None:
            return self.source.recording
        name = value.name()
        is_audio = self.roles.by_role["recording"] not in ("recording", "recording_id")
        return (recording_of_audio(name) if is_audio else name) or self.source.recording

    def _properties(self) -> tuple[tuple[str, str], ...]:
        taken = set(self.roles.by_role.values()) | (OURS if self.is_ours else set())
        found = {n: text_of(v) for n, v in self.record.members() if n not in taken and n != "audio"}
        own = self._own("properties")
        if own is not None:
            found.update((name, text_of(value)) for name, value in own.members())
        return tuple(sorted(found.items()))

    def _hypothesis(self, value: JsonValue) -> tuple[float | None, tuple[str, ...]]:
        score = value.get("score")
        words = tuple(word.text() for word in value.elements("words"))
        return None if score is None else score.confidence(), words

    def _items(self) -> Iterator[Token | Alternation]:
        if self.roles.by_role["text"] != "text":
            return
        words = self._own("words")
        if words is None or not isinstance(words.value, list):
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

    def _words(self) -> tuple[str, ...]:
        text = self._get("text")
        if text is None:
            if self.roles.by_role["text"] in self.record.value:
                self.source.log.note("JSONL-NULL", "a text of null is read as empty", self.line)
            return ()
        if not isinstance(text.value, str):
            if not self.stringify or isinstance(text.value, (dict, list)):
                raise text.error("a text (or --stringify)")
            return tuple(split_words(text_of(text)))
        return tuple(split_words(text.value.replace("\n", " ").replace("\r", " ")))


def write(segments: SegmentSource, sink: Sink, *, precision: int = 9) -> None:
    """Write one object per line, with all that a segment says.

    Parameters
    ----------
    precision: most decimals of the times, 0 to 9.
    """
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
    """Sure of our own lines; rows of a data set, with a text of some usual name, are possible.

    A row is an object in a line of its own, or in a list; one alone has no objects inside but
    ``audio``: what has is somebody's transcript of a whole recording.
    """
    first = head.first_object
    if isinstance(first.get("recording"), str) and "text" in first:
        return Sniff.SURE
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
        Option("field", "text", "name of the member or column that holds the words"),
        Option("time_unit", "s", "unit of times", tuple(TIME_UNITS)),
        Option("stringify", False, "take numbers for texts", (False, True)),
    ),
    write_options=(Option("precision", 9, "decimals of times", tuple(range(10))),),
    streams=True,
    manual="One JSON object per utterance: recording, start, end, text, words and more.",
)
