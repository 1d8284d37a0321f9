"""Reader of JSON objects or table rows as utterances; each member has a role, such as speaker.

Rows are parsed in batches, as columns. A batch with an irregular row is parsed one row at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from operator import itemgetter
from typing import Any

from formats.io.source import Source
from formats.json.displays import cut_text, untagged
from formats.json.messages import CHANNELS, SPEAKERS_AGAIN, TAG
from formats.json.numbers import nanoseconds, times
from formats.json.value import Batch, JsonValue, batches_of_lines
from formats.manifests.documents_within import DocumentsWithin, NamesWithin, documents_in
from formats.manifests.records import recording_of_audio, segments_of_columns, text_of
from formats.reading.speakers import without_own_names
from formats.reading.time_values import number_of, seconds_of
from formats.schema.model import Segment
from formats.schema.times import LARGEST
from formats.schema.words import Properties

ColumnsByName = Mapping[str, Sequence[Any]]

SPAN = ("start", "end", "duration")
LATEST = LARGEST // 2


def read_rows(
    source: Source,
    in_columns: Callable[[Batch], list[Segment]],
    one: Callable[[JsonValue], Iterable[Segment]],
    kept: Callable[[Iterable[Segment]], Iterable[Segment]] = iter,
) -> Iterator[Segment]:
    """Yield the segments of rows, as far as `kept` yields them.

    `in_columns` reads a batch of rows. If it raises `ValueError`, `one` reads each row of the
    batch.
    """
    return rows_in(source, batches_of_lines(source), in_columns, one, kept)


def rows_in(
    source: Source,
    batches: Iterable[Batch],
    in_columns: Callable[[Batch], list[Segment]],
    one: Callable[[JsonValue], Iterable[Segment]],
    kept: Callable[[Iterable[Segment]], Iterable[Segment]] = iter,
) -> Iterator[Segment]:
    """Yield the segments of batches of rows, as `read_rows` does."""
    for batch in batches:
        try:
            segments = in_columns(batch)
        except ValueError:
            yield from source.log.accepted("JSON", lambda row: kept(one(row)), batch.places)
        else:
            source.log.accept("JSON", len(segments))
            yield from kept(segments)


def columns_of(rows: Sequence[Any]) -> ColumnsByName:
    """Convert objects to columns by member name; raise `ValueError` if a row is not an object."""
    if set(map(type, rows)) != {dict}:
        raise ValueError("objects and others")
    names = tuple(rows[0])
    if len(names) > 1 and set(map(len, rows)) == {len(names)}:
        with suppress(KeyError):  # most rows have the same members
            return dict(zip(names, zip(*map(itemgetter(*names), rows), strict=True), strict=True))
    return {name: [row.get(name) for row in rows] for name in set().union(*rows)}


class Rows:
    """Reader of rows. `by_role` maps roles to member names.

    Members whose names are not in `known` become properties.
    """

    needs_text = True
    """True if a text that is null is read row by row."""
    unknown: tuple[object, ...] = (None,)
    """Durations that say nothing."""

    def __init__(
        self, source: Source, by_role: Mapping[str, str], known: Collection[str] = (),
        per_second: int = 1,
    ) -> None:  # fmt: skip
        self.source = source
        self.by_role = by_role
        self.known = frozenset((*known, *by_role.values()))
        self.per_second = per_second
        self._documents: DocumentsWithin | NamesWithin | None = None
        self._is_checked = False

    def segments(self, columns: ColumnsByName, lines: Sequence[int | None]) -> list[Segment]:
        """Return the segments of many rows; raise `ValueError` if any row is irregular."""
        texts = columns.get(self.by_role["text"]) or [None] * len(lines)
        kinds = set(map(type, texts))
        if kinds != {str}:
            if self.needs_text or not kinds <= {str, type(None)}:
                raise ValueError("texts and others")
            columns = {**columns, self.by_role["text"]: [text or "" for text in texts]}
        if "recording" not in columns:
            texts, tags = untagged(columns[self.by_role["text"]])
            columns = {**columns, self.by_role["text"]: texts}
            if tags:
                self.source.log.say(TAG, lines[0], count=tags)
        speakers = columns.get(self.by_role.get("speaker", ""))
        if speakers and "recording" not in columns:  # what we wrote is read as it is
            texts, count = without_own_names(columns[self.by_role["text"]], speakers)
            columns = {**columns, self.by_role["text"]: texts}
            if count:
                self.source.log.say(SPEAKERS_AGAIN, lines[0], count=count)
        spans: list[Sequence[int | None] | None] = []
        for role in SPAN:
            column = columns.get(self.by_role[role]) if role in self.by_role else None
            spans.append(None if column is None else times(list(column), self.per_second))
            if (
                column is not None
                and max(filter(None, spans[-1] or (LARGEST,)), default=0) > LATEST
            ):
                raise ValueError("times and others")
        segments = segments_of_columns(
            lines, columns, self.by_role, spans, self.property_names(columns),
            self.recordings(columns),
        )  # fmt: skip
        return self.with_turns(segments, texts)

    def with_turns(self, rows: list[Segment], texts: Sequence[Any]) -> list[Segment]:
        """Return the turns in the texts of rows if these texts are documents; else the rows.

        `texts` are those of the rows. The first rows decide.
        """
        if not self._is_checked and rows:
            self._documents = documents_in(self.source, texts, self.by_role, rows[0].line)
            self._is_checked = True
        return rows if self._documents is None else self._documents.segments(rows, texts)

    def property_names(self, columns: ColumnsByName) -> Sequence[str]:
        """Return the names of the columns that become properties."""
        return sorted(columns.keys() - self.known)

    def recordings(self, columns: ColumnsByName) -> Sequence[str] | str:
        """Return the recording of each row, or the one recording of all rows."""
        return self.source.recording

    def segment(self, row: JsonValue, line: int | None) -> Segment:
        """Return the segment of one row."""
        start, end = (self.time(row, role) for role in SPAN[:2])
        name = self.by_role.get("duration")
        if end is None and name is not None and row.value.get(name) not in self.unknown:
            length = self._time_in(row, name) or 0
            if length or start is not None:  # 0 alone is unknown
                start = start or 0
                end = start + length
            if end is not None and end > LARGEST:
                raise row.required(name).error("an end within 292 years")
        utterance, speaker, channel = (self.member(row, r) for r in ("id", "speaker", "channel"))
        return Segment(
            self.recording(row) or self.source.recording,
            self.words(row, line),
            utterance=None if utterance is None else utterance.name(),
            channel=None if channel is None else one_channel(channel),
            speaker=None if speaker is None else speaker.speaker() or speaker.name(),
            start_ns=start,
            end_ns=end,
            properties=others_of(row, self.known),
            line=line,
        )

    def member(self, row: JsonValue, role: str) -> JsonValue | None:
        """Return the member that has this role, or `None`."""
        name = self.by_role.get(role)
        return None if name is None else row.get(name)

    def time(self, row: JsonValue, role: str) -> int | None:
        """Return the time with this role in nanoseconds, or `None`."""
        name = self.by_role.get(role)
        return None if name is None else self._time_in(row, name)

    def _time_in(self, row: JsonValue, name: str) -> int | None:
        """Return the time in a member, a number or a clock time, in nanoseconds; or `None`."""
        value = row.value.get(name) if isinstance(row.value, dict) else None
        seconds = seconds_of(value) if isinstance(value, str) and number_of(value) is None else None
        if seconds is not None:
            return nanoseconds(seconds)
        return row.time_of(name, per_second=self.per_second)

    def recording(self, row: JsonValue) -> str | None:
        """Return the recording that a row names or that its audio file gives, or `None`."""
        member = self.member(row, "recording")
        if member is None:
            return None
        name = member.name_of("path") if isinstance(member.value, dict) else member.name()
        is_audio = self.by_role["recording"] not in ("recording", "recording_id")
        return recording_of_audio(name) if name and is_audio else name

    def words(self, row: JsonValue, line: int | None) -> tuple[str, ...]:
        """Return the words of a row's text."""
        return tuple(cut_text(row.text_of(self.by_role["text"]) or ""))


def one_channel(value: JsonValue) -> str:
    """Return a channel number or name as text; join several channels with commas, and warn."""
    if isinstance(value.value, list):
        names = ",".join(element.name() for element in value.elements())
        if len(value.value) != 1:
            value.document.source.log.say(CHANNELS, path=value.path, channel=names)
        return names
    return value.name()


def others_of(value: JsonValue, known: frozenset[str]) -> Properties:
    """Return members of an object as properties, without null values and those in `known`."""
    members = value.value
    if known.issuperset(members):
        return ()
    others = members.keys() - known
    return tuple(sorted((n, text_of(members[n])) for n in others if members[n] is not None))
