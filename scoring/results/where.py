"""The utterances that are scored: those whose properties meet the conditions of `Options.where`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import compress
from typing import TYPE_CHECKING, NamedTuple

from formats.schema.errors import close_names
from formats.schema.messages import Entry
from scoring.model.errors import InputError
from scoring.model.row_conditions import DURATION, ORDERS, RowCondition, are_equal, conditions_of
from scoring.results.groups import SPEAKER, available_groups, value_of
from scoring.results.messages import (
    KEPT,
    KEPT_RECORDINGS,
    NO_DURATION,
    NO_PROPERTY,
    NO_PROPERTY_NEAR,
    NO_RECORDING_KEPT,
    NO_SUCH_VALUE,
    NONE_KEPT,
    NOT_COMPARABLE,
    RECORDINGS_VALUELESS_DROPPED,
    RECORDINGS_VALUELESS_KEPT,
    SEVERAL_VALUES,
    VALUELESS_DROPPED,
    VALUELESS_KEPT,
    Message,
)
from scoring.results.value_order import NONE
from scoring.sides.corpus import Corpus, RowNumbers

if TYPE_CHECKING:
    from formats.schema.model import Segment
    from scoring.options import Options

MOST_LISTED = 10


class _Remarks(NamedTuple):
    """The messages about utterances, or about recordings, that a filter keeps or drops."""

    kept: Entry
    none_kept: Entry
    valueless_kept: Entry
    valueless_dropped: Entry


_OF_UTTERANCES = _Remarks(KEPT, NONE_KEPT, VALUELESS_KEPT, VALUELESS_DROPPED)
_OF_RECORDINGS = _Remarks(
    KEPT_RECORDINGS, NO_RECORDING_KEPT, RECORDINGS_VALUELESS_KEPT, RECORDINGS_VALUELESS_DROPPED
)


class RowFilter:
    """Decides which utterances meet all conditions, batch by batch, and counts them.

    Parameters
    ----------
    conditions
        The conditions, or their texts.
    path
        The name of the reference in messages.
    has_recordings
        Whether each row is a recording, not an utterance.
    """

    def __init__(
        self, conditions: Sequence[str], path: str, *, has_recordings: bool = False
    ) -> None:
        self._entries = _OF_RECORDINGS if has_recordings else _OF_UTTERANCES
        self.conditions = conditions_of(conditions)
        self.path = path
        self.kept = self.total = 0
        self._seen: dict[str, dict[str, None]] = {name: {} for name in self.names}
        self._valueless = dict.fromkeys(self.names, 0)
        self._met: set[tuple[str, str]] = set()

    @property
    def names(self) -> list[str]:
        """The names of the properties that the conditions need."""
        return list(dict.fromkeys(condition.name for condition in self.conditions))

    def mask(self, columns: Mapping[str, Sequence[str | None]]) -> list[bool]:
        """Return for each row of a batch whether it meets all conditions.

        Raises
        ------
        InputError
            If a condition compares numbers and a value is no number.
        """
        masks = [self._mask_of(each, columns[each.name]) for each in self.conditions]
        for name in self.names:
            self._valueless[name] += sum(not value for value in columns[name])
        are_kept = list(map(all, zip(*masks, strict=True)))
        self.total += len(are_kept)
        self.kept += sum(are_kept)
        return are_kept

    def _mask_of(self, condition: RowCondition, column: Sequence[str | None]) -> list[bool]:
        """Return for each value whether it meets a condition; each value is judged once."""
        answers: dict[str | None, bool] = {}
        for value in dict.fromkeys(column):
            try:
                answers[value] = condition.meets(value)
            except ValueError:
                fields = {"name": condition.name, "condition": condition.shown, "value": value}
                row = self.total + list(column).index(value) + 1
                error = Message(NOT_COMPARABLE, {**fields, "row": row})
                raise InputError(self.path, None, None, error) from None
            self._note(condition, value)
        return [answers[value] for value in column]

    def _note(self, condition: RowCondition, value: str | None) -> None:
        """Record a value for messages, and which values of the condition it equals."""
        if not value:
            return
        seen = self._seen[condition.name]
        for part in condition.parts(value):
            if len(seen) <= MOST_LISTED:
                seen.setdefault(part)
            for required in condition.values:
                if are_equal(part, required):
                    self._met.add((condition.name, required))

    def sides(self, left: Corpus, right: Corpus) -> tuple[Corpus, Corpus]:
        """Return both sides of a batch with only the rows that meet all conditions."""
        return selected_sides(left, right, self.mask(left.columns))

    def remarks(self, *, is_part: bool = False) -> list[Message]:
        """Return the note on what was kept, and warnings about values that no utterance has.

        A part of the rows may have none that meets the conditions, and lack some values.

        Raises
        ------
        InputError
            If no utterance meets the conditions.
        """
        conditions = [condition.shown for condition in self.conditions]
        numbers = {"path": self.path, "kept": self.kept, "total": self.total}
        if not self.kept and not is_part:
            values = [
                f"{name}: {', '.join(self._listed(name)) or 'no values'}" for name in self.names
            ]
            fields = {"total": self.total, "conditions": conditions, "values": values}
            raise InputError(self.path, None, None, Message(self._entries.none_kept, fields))
        messages = [Message(self._entries.kept, {**numbers, "conditions": conditions})]
        for condition in self.conditions:
            about = {"path": self.path, "name": condition.name, "condition": condition.shown}
            if without := self._valueless[condition.name]:
                kept, dropped = self._entries[2:]
                entry = kept if condition.meets(None) else dropped
                messages.append(Message(entry, {**about, "number": without}))
            if condition.sign in ORDERS or condition.name == DURATION or is_part:
                continue
            for required in filter(None, condition.values):
                if (condition.name, required) not in self._met:
                    values = self._listed(condition.name)
                    messages.append(
                        Message(NO_SUCH_VALUE, {**about, "value": required, "values": values})
                    )
        return messages

    def _listed(self, name: str) -> list[str]:
        """Return the first values of a property, in order; `…` stands for more values."""
        seen = list(self._seen[name])
        return [*sorted(seen[:MOST_LISTED]), *["…"] * (len(seen) > MOST_LISTED)]


class KeptUtterances(NamedTuple):
    """The sides of a score with only the utterances that meet its conditions."""

    left: Corpus
    right: Corpus
    kept: Sequence[int]  # positions in the reference
    remarks: Sequence[Message]
    columns: Mapping[str, Sequence[str | None]]

    @classmethod
    def of(
        cls, left: Corpus, right: Corpus, options: Options, *, is_part: bool = False
    ) -> KeptUtterances:
        """Return the utterances of the reference that meet `options.where`, with their hypotheses.

        Hypotheses of dropped references are dropped, too; hypotheses without reference stay. In
        both sides, utterances with the same identifier belong together.
        """
        rows = RowFilter(options.where, left.name)
        lacking = [name for name in rows.names if name not in left.columns]
        columns = {**left.columns, **columns_of(left, lacking, options)}
        are_kept = rows.mask(columns)
        kept, _ = positions_of(left, right, are_kept)
        return cls(
            *selected_sides(left, right, are_kept), kept, rows.remarks(is_part=is_part), columns
        )

    def with_columns(self, read: Sequence[Corpus], options: Options) -> tuple[Corpus, ...]:
        """Return the references as read, with the values that their segments lack.

        So a record has all that is needed to choose the same utterances again.
        """
        first, *others = read
        size = {*map(len, self.columns.values())}
        is_lacking = options.metadata is not None or not first.segments
        if first.columns or not is_lacking or size != {len(first.identifiers)}:
            return tuple(read)
        return (first._replace(columns=self.columns), *others)


class KeptRecordings(NamedTuple):
    """The recordings that are scored, where speakers are assigned in whole recordings."""

    names: set[str]
    remarks: Sequence[Message]
    reference: Corpus  # its segments have the values by which recordings were chosen

    @classmethod
    def of(cls, left: Corpus, options: Options) -> KeptRecordings:
        """Return the recordings of the reference that meet `options.where`.

        Raises
        ------
        InputError
            If segments of a recording have different values: a recording is kept as a whole.
        """
        segments = left.spoken
        rows = RowFilter(options.where, left.name, has_recordings=True)
        names = [f"{segment.recording}:{segment.line}" for segment in segments]
        side = left._replace(
            identifiers=[segment.utterance or names[row] for row, segment in enumerate(segments)],
            speakers=[segment.speaker for segment in segments],
            columns={},
        )
        columns = columns_of(side, rows.names, options)
        for condition in rows.conditions:
            _check_recordings(condition, segments, columns[condition.name], left.name)
        recordings = {segment.recording: row for row, segment in enumerate(segments)}
        are_kept = rows.mask(
            {name: [column[row] for row in recordings.values()] for name, column in columns.items()}
        )
        reference = _with_properties(left, columns) if options.metadata is not None else left
        return cls(set(compress(recordings, are_kept)), rows.remarks(), reference)


def _check_recordings(
    condition: RowCondition, segments: Sequence[Segment], column: Sequence[str | None], path: str
) -> None:
    """Reject a condition if segments of one recording have different values."""
    name, values = condition.name, dict[str, str | None]()
    about = {"name": name, "condition": condition.shown}
    if name == DURATION:  # of a segment, or of a recording: two numbers
        raise InputError(path, None, None, Message(NO_DURATION, about))
    for segment, value in zip(segments, column, strict=True):
        first = values.setdefault(segment.recording, value)
        if first != value:
            pair = [each or "no value" for each in (first, value)]
            fields = {**about, "values": pair, "recording": segment.recording}
            raise InputError(path, None, None, Message(SEVERAL_VALUES, fields))


def _with_properties(left: Corpus, columns: Mapping[str, Sequence[str | None]]) -> Corpus:
    """Return a side whose scored segments have the values of columns as properties.

    So a record has all that is needed to choose the same recordings again.
    """
    rows = zip(*columns.values(), strict=True)
    segments: list[Segment] = []
    for segment in left.segments:
        if segment.kind != "ignored":
            pairs = zip(columns, next(rows), strict=True)
            added = {
                name: value for name, value in pairs if value not in (None, value_of(segment, name))
            }
            segment = segment.replace(properties=(*segment.properties, *added.items()))
        segments.append(segment)
    return left._replace(segments=segments)


def positions_of(
    left: Corpus, right: Corpus, are_kept: Sequence[bool]
) -> tuple[list[int], list[int]]:
    """Return the positions of the utterances of both sides that are kept.

    `are_kept` has a value for each row if both sides are columns, otherwise for each reference.
    """
    if (
        isinstance(left.identifiers, RowNumbers)
        and isinstance(right.identifiers, RowNumbers)
        and len(are_kept) == left.rows
    ):
        reference, hypothesis = (
            [position for position, row in enumerate(side.rows) if are_kept[row - left.begin]]
            for side in (left.identifiers, right.identifiers)
        )
        return reference, hypothesis
    dropped = {
        identifier
        for identifier, is_kept in zip(left.identifiers, are_kept, strict=True)
        if not is_kept
    }
    return (
        [position for position, is_kept in enumerate(are_kept) if is_kept],
        [position for position, name in enumerate(right.identifiers) if name not in dropped],
    )


def selected_sides(left: Corpus, right: Corpus, are_kept: Sequence[bool]) -> tuple[Corpus, Corpus]:
    """Return both sides with only the utterances that are kept; see `positions_of`."""
    positions = positions_of(left, right, are_kept)
    dropped = len(are_kept) - sum(are_kept)
    return selected(left, positions[0], dropped), selected(right, positions[1], dropped)


def columns_of(
    left: Corpus, names: Sequence[str], options: Options
) -> Mapping[str, Sequence[str | None]]:
    """Return the values of properties, one for each utterance of the reference.

    Raises
    ------
    InputError
        If no utterance has a property.
    """
    from scoring.results.metadata import read_metadata

    if not names:
        return {}
    metadata, segments = read_metadata(options), left.spoken
    size = len(left.identifiers)
    joined: Mapping[str, Sequence[str | None]] = {}
    if any(name in metadata.columns for name in names):
        recordings = [value_of(segment, "recording") for segment in segments] or [None] * size
        keys = {"utterance": left.identifiers, "recording": recordings, SPEAKER: left.speakers}
        joined = metadata.values(keys, options.metadata_key)
    columns: dict[str, Sequence[str | None]] = {}
    for name in names:
        if name in joined:
            columns[name] = [None if value == NONE else value for value in joined[name]]
        elif name == SPEAKER:
            columns[name] = left.speakers
        else:
            columns[name] = [value_of(segment, name) for segment in segments] or [None] * size
        if size and name not in joined and not any(value is not None for value in columns[name]):
            available = [*available_groups(left.speakers, segments), *metadata.names]
            raise lacking_property(name, available, left.name)
    if not left.columns or not isinstance(left.identifiers, RowNumbers):
        return columns
    # of a column of texts, rows without a text have no utterance
    places = {row - left.begin: position for position, row in enumerate(left.identifiers.rows)}
    rows = range(left.rows or 0)
    return {
        name: [column[places[row]] if row in places else None for row in rows]
        for name, column in columns.items()
    }


def lacking_property(name: str, available: Sequence[str], path: str) -> InputError:
    """Return the error about a property that no utterance has."""
    near = close_names(name, available)
    fields = {"name": name, "available": available or ["nothing"]}
    value = Message(NO_PROPERTY_NEAR, {**fields, "near": near})
    return InputError(path, None, None, value if near else Message(NO_PROPERTY, fields))


def selected(side: Corpus, positions: Sequence[int], dropped: int) -> Corpus:
    """Return a side with the utterances at some positions; `dropped` rows are not counted."""
    rows = None if side.rows is None else side.rows - dropped
    return side.select(positions)._replace(rows=rows, columns={})
