"""Reads JSON lines: one JSON object per utterance, in our layout or as a row of a data set.

The format and its writer are in `formats.json.json_lines`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from formats.detection.head import Head
from formats.detection.spec import (
    TIME_UNITS,
    Sniff,
)
from formats.io.source import Source
from formats.json.displays import cut_text, untagged
from formats.json.messages import JSONL_NULL, JSONL_TEXT, JSONL_TOKENS
from formats.json.row_kinds import holds_span
from formats.json.row_times import FIRST_DATE, dates_go_on
from formats.json.rows import ColumnsByName, Rows, columns_of, others_of, read_rows
from formats.json.speakers_as_turns import flag_of_party
from formats.json.turn_members import is_said_of_speaker
from formats.json.value import Batch, JsonValue
from formats.manifests.kinds_of_rows import without_unspoken
from formats.manifests.records import (
    name_within,
    text_of,
    without_shared_name,
)
from formats.manifests.roles import Roles, has_text
from formats.reading.data_texts import tokens_of
from formats.reading.dates import DATES_OF_MESSAGES, is_month_first, seconds_of_date
from formats.reading.lines import split_words
from formats.reading.member_names import (
    MOST_TRIED,
    NAMES,
    NO_MEMBERS,
    PAIRS,
    lift_members,
    likely_names,
    mapped_members,
    name_without_unit,
    plain_name,
    role_of_time,
    time_role,
)
from formats.reading.member_values import (
    MADE,
    are_words_that_return,
    is_speech_mark,
    party_names,
)
from formats.reading.time_values import clock_names, is_pair, number_of, seconds_of, times_of_span
from formats.schema.model import SEGMENT_KINDS, Segment
from formats.schema.words import Alternation, Token

FIRST = "$[0]"
"""The path of the first element of a list."""
MOST_SHAPES = 1000
"""Lists of names for which it is remembered what they mean."""
USUAL = frozenset(("start", "begin", "start_time", "begin_time"))
"""Names of starts whose unit is known: seconds."""
SPOKEN = ("text", "transcript", "transcription", "sentence")
"""Names of the text of an object that is a whole file."""
TRANSCRIPTS = ("transcript", "transcription")
"""Those that are sure, whatever else the object has."""
SAID = frozenset(NAMES["text"].plain)
DEEPEST = 8
CLOCKED = frozenset((*NAMES["start"].plain, *NAMES["end"].plain))
SPEAKERS = frozenset(NAMES["speaker"].usual)
OF_RECORDINGS = frozenset(NAMES["recording"].usual)
OURS = frozenset({"words", "kind", "tier", "labels", "confidence", "nbest", "properties"})


def read(
    source: Source, *, field: str = "text", time_unit: str = "auto", stringify: bool = False,
    member: str = "",
) -> Iterator[Segment]:  # fmt: skip
    """Yield one segment per JSON object; the objects may also be elements of one JSON list."""
    members = mapped_members(member, side=source.log.side)
    shapes = RowShapes(source, field, TIME_UNITS.get(time_unit, 0), stringify, members)
    return read_rows(source, shapes.segments, shapes.of_record)


class RowShapes:
    """Creates the readers of objects: one reader for each set of member names."""

    def __init__(
        self, source: Source, field: str, per_second: int, stringify: bool = False,
        members: Mapping[str, str] = NO_MEMBERS,
    ) -> None:  # fmt: skip
        self._source = source
        self._field = field
        self._per_second, self._stringify = per_second, stringify
        self._members = members
        self._lifted = {"text": field, **members}
        self._rows: dict[tuple[str, ...], NamedRows] = {}
        self._some: list[dict[str, Any]] = []
        self._speaker = ""
        """The member with the speaker in other rows, which have further members."""

    def rows_like(self, members: dict[str, Any], line: int | None) -> NamedRows:
        """Return the reader of objects that have the same member names as `members`."""
        names = tuple(members)
        rows = self._rows.get(names)
        if rows is None:
            is_untold = "words" in members and self._field == "text" and not has_text(names)
            with_text = [*names, "text"] if is_untold else names
            is_ours = "recording" in names and not OURS.isdisjoint(names)
            with_text = [name for name in with_text if not (is_ours and name == "tier")]
            some = [row for row in self._some if tuple(row) == names] or [members]
            values = {name: [row[name] for row in some] for name in names}
            roles = Roles(
                with_text, self._field, self._source, line, members=self._members, values=values
            )
            if (
                self._speaker
                and self._speaker in names
                and self._speaker not in roles.by_role.values()
            ):
                roles.by_role.setdefault("speaker", self._speaker)
            self._speaker = self._speaker or roles.by_role.get("speaker", "")
            unit = 1 if is_ours else roles.per_second(self._per_second)
            rows = NamedRows(names, roles, self._source, unit, self._stringify)
            if len(self._rows) < MOST_SHAPES:
                self._rows[names] = rows
        return rows

    def _lift(self, rows: Sequence[Any]) -> None:
        """Copy nested members with a role to the top level of their row; the path is the new name.

        If only some rows have the text, the other rows get null.
        """
        lift_members(rows, self._lifted)
        first, dot, _ = self._field.partition(".")
        objects = [row for row in rows if dot and type(row) is dict and first in row]
        if any(self._field in row for row in objects):
            for row in objects:
                row.setdefault(self._field, None)

    def of_record(self, record: JsonValue) -> Iterator[Segment]:
        """Yield the segment of one JSON object."""
        if record.value is None and record.path == FIRST:
            return  # lists of games begin with null, so that their numbers begin with 1
        if not isinstance(record.value, dict):
            raise record.error("an object")
        self._lift([record.value])
        rows = self.rows_like(record.value, record.line)
        text = record.value.get(rows.by_role["text"])
        yield from rows.with_turns([rows.segment(record, record.line)], [text])

    def segments(self, batch: Batch) -> list[Segment]:
        """Return the segments of objects whose sets of member names occurred before.

        Raise `ValueError` if an object is irregular; the caller then reads one object at a time.
        """
        self._lift(batch.values)
        if not self._some:
            self._some = [row for row in batch.values[:MOST_TRIED] if type(row) is dict]
        by_names: dict[tuple[str, ...], list[int]] = {}
        for number, members in enumerate(batch.values):
            names = tuple(members) if type(members) is dict else ()
            by_names.setdefault(names, []).append(number)
        if len(by_names) == 1 and () not in by_names:
            self.rows_like(batch.values[0], batch.lines[0])
        segments: dict[int, Segment] = {}
        if not self._rows.keys() >= by_names.keys():
            raise ValueError("names not seen before")
        for names, numbers in by_names.items():
            columns = columns_of([batch.values[number] for number in numbers])
            lines = [batch.lines[number] for number in numbers]
            turns = self._rows[names].segments(columns, lines)
            if len(by_names) == 1:
                return turns  # a text may have several
            segments.update(zip(numbers, turns, strict=True))
        return [segments[number] for number in range(len(segments))]


class NamedRows(Rows):
    """Reader of JSON objects with the same member names, or of the rows of a table."""

    def __init__(
        self, names: Collection[str], roles: Roles, source: Source, per_second: int,
        stringify: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(source, roles.by_role, ("audio",), per_second)
        self.stringify = stringify
        self.ours = OURS.intersection(names) - self.known
        self.named_by_folder = roles.named_by_folder
        self.around = roles.around

    def segments(self, columns: ColumnsByName, lines: Sequence[int | None]) -> list[Segment]:
        """Return the segments of many rows, none of which has the lossless layout."""
        if "recording" in columns and not self.ours.isdisjoint(columns):
            raise ValueError("members of our own")
        audio = self.by_role.get("recording", "")
        if self.named_by_folder and all(isinstance(path, str) for path in columns.get(audio, ())):
            shared = self.named_by_folder
            folders = [without_shared_name(path, shared) for path in columns[audio]]
            columns = {**columns, audio: folders}
        if self.around:
            talks = [*map(name_within, columns[self.around], columns[audio])]
            columns = {**columns, audio: talks}
        return super().segments(columns, lines)

    def recording(self, row: JsonValue) -> str | None:
        """Return the recording that a row names, or the folder of its audio file."""
        path = row.value.get(self.by_role.get("recording", ""))
        if self.around:
            return name_within(row.value.get(self.around), path)
        is_named = bool(self.named_by_folder) and isinstance(path, str)
        folder = without_shared_name(path, self.named_by_folder) if is_named else path
        return folder if folder != path else super().recording(row)

    def segment(self, row: JsonValue, line: int | None) -> Segment:
        """Return the segment of one row, which may have the lossless layout."""
        segment = super().segment(row, line)
        if not self.ours or not isinstance(row.value.get("recording"), str):
            return segment
        kind = row.text_of("kind") or "segment"
        if kind not in SEGMENT_KINDS:
            raise row.required("kind").error(f"one of {', '.join(SEGMENT_KINDS)}")
        properties = dict(others_of(row, self.known | OURS))
        if inner := row.get("properties"):
            properties.update((name, text_of(value.value)) for name, value in inner.members())
        segment = segment.replace(
            confidence=row.confidence_of("confidence"),
            tier=row.text_of("tier"),
            kind=kind,
            labels=tuple(label.text() for label in row.elements("labels")),
            nbest=tuple(
                (value.confidence_of("score"), tuple(w.text() for w in value.elements("words")))
                for value in row.elements("nbest")
            ),
            properties=tuple(sorted(properties.items())),
        )
        items = list(self._items(row))
        if not items:
            return segment
        segment = segment.with_items(items)
        if line is not None and tokens_of(segment.words):
            self.source.lines_of_words.add(line)
        return segment

    def words(self, row: JsonValue, line: int | None) -> tuple[str, ...]:
        """Return the words in the row's text member."""
        role = self.by_role["text"]
        text = row.value.get(role)
        if isinstance(text, str):
            return tuple(cut_text(text if "recording" in row.value else untagged([text])[0][0]))
        if isinstance(text, list) and all(isinstance(token, str) for token in text):
            odd = sum(len(token.split()) != 1 for token in text)
            if odd:
                self.source.log.say(JSONL_TOKENS, line, tokens=odd, total=len(text))
            return tuple(cut_text(" ".join(text)))
        if text is None:
            if role in row.value and not any(self._items(row)):
                self.source.log.say(JSONL_NULL, line)
            return ()
        if not self.stringify or isinstance(text, (dict, list)):
            value = row.required(role)
            raise value.error_of(JSONL_TEXT, path=value.path, found=value.shown)
        return tuple(split_words(text_of(text)))

    def _items(self, row: JsonValue) -> Iterator[Token | Alternation]:
        is_ours = "words" in self.ours and isinstance(row.value.get("recording"), str)
        if is_ours and self.by_role["text"] == "text" and isinstance(row.value.get("words"), list):
            yield from map(self._item, row.elements("words"))

    def _item(self, word: JsonValue) -> Token | Alternation:
        if isinstance(word.value, str):
            return Token(word.value)
        choice = word.get("alternation")
        if choice is not None:
            branches = [[self._item(w) for w in branch.elements()] for branch in choice.elements()]
            if not branches:
                raise choice.error("one branch or more")
            return Alternation(branches)
        return Token(
            word.required("word", "text").text(),
            word.time_of("start", per_second=self.per_second),
            word.time_of("end", per_second=self.per_second),
            word.confidence_of("confidence"),
            word.text_of("type"),
            word.flag_of("optional"),
            word.text_of("display"),
            word.flag_of("interpolated"),
        )


def sniff(head: Head) -> Sniff:
    """Return `MAYBE` for rows of a data set that have a text with a usual name."""
    first = head.first_object
    if is_speech_mark(first) or any(isinstance(value, list) for value in head.json_values[1:]):
        return Sniff.NEVER
    named = [name for name in first if has_text((name,))]
    rows = [row for row in head.json_elements or head.json_values if isinstance(row, dict)]
    columns = columns_of(rows or [first])
    # an output is a turn only where most inputs are asked
    parties = party_names(columns if MADE in map(name_without_unit, first) else columns_of([first]))
    if parties:  # beside their texts, a label is none
        named = [
            n for n in named
            if n not in parties and not are_words_that_return(columns.get(n, ()))
        ]  # fmt: skip
    texts = [first[name] for name in named]
    if texts and all(isinstance(e, dict) for v in texts for e in (v if type(v) is list else [v])):
        return Sniff.NEVER if any(texts) else Sniff.NO  # lists of messages
    if not texts and (_has_only_lists(first) or parties):
        return Sniff.NEVER
    if not texts or any(isinstance(value, (dict, list)) for value in texts):
        return Sniff.NO
    if {*first} == {"text"}:
        return Sniff.NO  # Vosk's results, with the same words
    if any(map(holds_span, first.values())) or _has_details(first):
        return Sniff.NEVER
    begins = {name for name in first if time_role(name) == "start"}
    if begins - USUAL or any(_needs_json(name, first[name]) for name in first):
        return Sniff.NEVER
    if clock_names(columns_of(rows)) or _are_dated(rows) or flag_of_party(rows):
        return Sniff.NEVER
    if without_unspoken(rows, Counter(), 1) is not rows:
        return Sniff.NEVER
    if begins & {"start", "begin"} and isinstance(head.json, list):
        return Sniff.NO
    if isinstance(head.json, dict):
        lines = [line for line in head if line.strip()]
        try:
            if not isinstance(json.loads(lines[0]), dict):
                return Sniff.NO
        except (ValueError, RecursionError):
            return _sniff_indented(head.json)
        if len(lines) > 1:
            return Sniff.MAYBE
    inner = [value for name, value in first.items() if name != "audio"]
    lists = (value for value in inner if isinstance(value, list))
    nested = any(isinstance(v, (dict, list)) for value in lists for v in value)
    has_objects = nested or any(isinstance(value, dict) for value in inner)
    if has_objects and (isinstance(head.json, dict) or not {*first}.isdisjoint(TRANSCRIPTS)):
        return _sniff_indented(first)
    return Sniff.NO if has_objects else Sniff.MAYBE


def _has_only_lists(members: Mapping[str, object]) -> bool:
    """Return True if an object has lists of objects, but no text of its own.

    >>> _has_only_lists({"id": 1, "messages": [{"role": "user", "content": "so it is"}]})
    True
    """
    lists = [value for value in members.values() if isinstance(value, list) and value]
    has_text = any(
        isinstance(value, str) and plain_name(name)[0] in SAID for name, value in members.items()
    )
    return not has_text and any(isinstance(row, dict) for rows in lists for row in rows)


def _has_details(members: Mapping[str, object]) -> bool:
    """Return True if a start or a speaker is in an object inside, and in no member itself.

    >>> _has_details({"text": "so", "meta": {"speaker": "Ann"}}), _has_details({"text": "so"})
    (True, False)
    """
    inner = [name for part in members.values() if isinstance(part, dict) for name in part]
    if any(map(is_said_of_speaker, inner)) and not any(n.lower() in SPEAKERS for n in members):
        return True
    return any(map(_is_detail, inner)) and not any(map(_is_detail, members))


def _is_detail(name: str) -> bool:
    return role_of_time(name) == "start" or name.lower() in NAMES["speaker"].usual


def _sniff_indented(value: Mapping[str, object]) -> Sniff:
    """Return `MAYBE` if an object is a single utterance: a text, and members that describe it.

    >>> _sniff_indented({"transcript": "well then", "metadata": {"chunks": 4}}).name
    'MAYBE'
    >>> _sniff_indented({"transcript": "well then", "answer": {"text": "so it is"}}).name
    'NO'
    """
    if any(isinstance(part, dict) and any(map(role_of_time, part)) for part in value.values()):
        return Sniff.NO
    is_text = any(isinstance(value.get(name), str) for name in SPOKEN)
    is_sure = any(isinstance(value.get(name), str) for name in TRANSCRIPTS)
    inner = [value for value in value.values() if isinstance(value, (dict, list))]
    has_others = any(map(_has_speech if is_sure else _has_texts, inner))
    return Sniff.MAYBE if is_text and not has_others else Sniff.NO


def _has_texts(value: object, levels: int = DEEPEST) -> bool:
    """Return True if any nested value is a text of several words.

    A value that is nested too deeply (more than `levels`) to search counts as such a text.
    """
    if isinstance(value, (dict, list)):
        inner = value.values() if isinstance(value, dict) else value
        return not levels or any(_has_texts(part, levels - 1) for part in inner)
    return isinstance(value, str) and len(value.split()) > 1


def _has_speech(value: object, levels: int = DEEPEST) -> bool:
    """Return True if an object may hold speech: a text of several words, or a text and a time."""
    if not isinstance(value, (dict, list)):
        return False
    inner = value.values() if isinstance(value, dict) else value
    texts = value.items() if isinstance(value, dict) else ()
    names = {plain_name(name)[0] for name, _ in texts}
    return (
        not levels
        or not (names.isdisjoint(SAID) or names.isdisjoint(CLOCKED))  # a word with its time
        or any(isinstance(t, str) and " " in t and plain_name(name)[0] in SAID for name, t in texts)
        or any(_has_speech(part, levels - 1) for part in inner)
    )


def _are_dated(rows: Sequence[Mapping[str, Any]]) -> bool:
    """Return True if a time of rows of one recording is a date, which goes on from row to row."""
    has_speakers = bool(rows) and bool(likely_names("speaker", rows[0]))
    clocked = CLOCKED | (DATES_OF_MESSAGES if has_speakers else frozenset())
    for name in rows[0] if rows and OF_RECORDINGS.isdisjoint(map(str.lower, rows[0])) else ():
        texts = [str(row[name]) for row in rows if name in row]
        is_first = is_month_first(texts)
        dates = [seconds_of_date(text, is_month_first=is_first) or 0 for text in texts]
        is_time = plain_name(name)[0] in clocked and min(dates) > FIRST_DATE
        if is_time and len(dates) > 1 and dates_go_on(dates):
            return True
    return False


def _needs_json(name: str, value: object) -> bool:
    """Return True for a clock time, a time with a unit (``1.5s``) or in parts, a list or a date.

    Only the format ``json`` can read these.
    """
    is_clocked = plain_name(name)[0] in CLOCKED
    if is_clocked and (number_of(value) or 0) >= FIRST_DATE:
        return plain_name(name)[1] is None  # the times of a date
    if is_clocked and isinstance(value, dict):
        return True
    is_text = is_clocked and isinstance(value, str)
    if is_text and number_of(value) is None and seconds_of(str(value)) is not None:
        return True
    are_times = isinstance(value, list) and all(type(time) in (int, float) for time in value)
    is_listed = plain_name(name)[0] in PAIRS and bool(value) and (are_times or is_pair(value))
    if is_listed or times_of_span(value):
        return True
    return name in USUAL and isinstance(value, str) and number_of(value) is None
