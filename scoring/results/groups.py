"""Groups of utterances: a column of values for each grouping, and the counts of each group."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any, TypeAlias

from formats.schema.errors import close_names
from formats.schema.values import NamedFields
from scoring.alignment.results import LazyColumn
from scoring.model.counts import Counts
from scoring.model.errors import InputError
from scoring.results.messages import NO_SPEAKERS_TO_GROUP, Message
from scoring.results.value_order import value_order

if TYPE_CHECKING:
    from formats.schema.model import Segment
    from scoring.alignment.results import CountsTable
    from scoring.options import Options

# By name: of each utterance its value, None where there is none.
Groups: TypeAlias = Mapping[str, Sequence[str | None]]
SPEAKER, LABEL, DURATION = "speaker", "label", "duration"


class CodedColumn(LazyColumn["str | None"]):
    """A column with few different values. Each row stores the index of its value.

    >>> CodedColumn(bytes([0, 1, 0]), ["anne", None])[:2]
    ['anne', None]
    """

    __slots__ = ("names",)

    rows: bytes | array[int]

    def __init__(self, rows: bytes | array[int], names: Sequence[str | None]) -> None:
        super().__init__(rows)
        self.names = names

    def value(self, row: int) -> str | None:
        """Return the value at a position."""
        return self.names[row]

    def distinct(self) -> set[str | None]:
        """Return the different values of all rows."""
        return set(map(self.value, set(self.rows)))

    def __eq__(self, other: object) -> bool:
        return list(self) == list(other) if isinstance(other, Sequence) else NotImplemented

    def chosen(self, rows: Sequence[int]) -> CodedColumn:
        """Return the column with the given rows only."""
        return CodedColumn(array("i", map(self.rows.__getitem__, rows)), self.names)


class Group(NamedFields):
    """Utterances with the same value in each grouping column, and the sum of their counts."""

    values: tuple[str | None, ...]
    positions: Sequence[int]
    counts: Counts


def read_groups(
    names: Iterable[str],
    speakers: Sequence[str | None],
    segments: Sequence[Segment],
    path: str,
    known: Sequence[str] = (),
) -> Groups:
    """Return the grouping columns with the given names, from the reference's utterances.

    `known` are the names of metadata columns, for error messages.
    """
    columns: dict[str, Sequence[str | None]] = {}
    for name in names:
        if name == SPEAKER:
            columns[name] = speakers
            continue
        columns[name] = column = [value_of(segment, name) for segment in segments]
        if not any(value is not None for value in column):
            available = [*available_groups(speakers, segments), *known]
            # of all commands, only those that stop here need the table of names
            from formats.reading.member_names import NAMES, plain_name

            plain = plain_name(name)[0]
            if plain in NAMES[SPEAKER].plain and SPEAKER not in available:
                fields = {"name": name, "available": available}
                raise InputError(path, None, None, Message(NO_SPEAKERS_TO_GROUP, fields))
            near = " or ".join(
                [SPEAKER] if plain in NAMES[SPEAKER].plain else close_names(name, available)
            )
            meant = f"; did you mean {near}?" if near else ""
            problem = f"no utterance has {name!r}, so the rates cannot be grouped by it"
            if plain in NAMES["id"].plain:
                problem = f"{name!r} identifies utterances, so each group would be one utterance"
            names_of_groups = ", ".join(available) or "no groups"
            raise InputError(path, None, None, f"{problem} (available: {names_of_groups}){meant}")
    return columns


def available_groups(speakers: Sequence[str | None], segments: Sequence[Segment]) -> Iterator[str]:
    """Yield the names of the columns that may be groups: those with values that are no texts."""
    if any(speaker is not None for speaker in speakers):
        yield SPEAKER
    keys = sorted({key for segment in segments for key, _ in segment.properties})
    for name in dict.fromkeys(("recording", "channel", LABEL, *keys, DURATION)):
        values = [value_of(segment, name) for segment in segments]
        if any(value is not None for value in values) and not _are_texts(values):
            yield name


def _are_texts(values: Sequence[str | None]) -> bool:
    """Return True if most values are texts of several words that hardly repeat."""
    texts = [value for value in values if value is not None and " " in value.strip()]
    return len(set(texts)) * 2 > len(values)


def groups_with_metadata(
    options: Options,
    identifiers: Sequence[str],
    speakers: Sequence[str | None],
    segments: Sequence[Segment],
    path: str,
    words: Sequence[int],
) -> tuple[Groups, tuple[Message, ...]]:
    """Return the grouping columns of the options, with metadata, and notes on the metadata."""
    from scoring.results.metadata import read_metadata

    metadata = read_metadata(options)
    names = [name for name in options.by if name not in metadata.columns]
    groups = read_groups(names, speakers, segments, path, metadata.names)
    recordings = [value_of(segment, "recording") for segment in segments]
    keys = {
        "utterance": identifiers,
        "recording": recordings or [None] * len(identifiers),
        SPEAKER: speakers,
    }
    return metadata.groups(options, groups, keys, words, path)


def value_of(segment: Segment, name: str) -> str | None:
    """Return the value of a property of an utterance; a duration is in seconds."""
    if name == "recording":
        return None if segment.recording == "-" else segment.recording
    if name == "channel":
        return segment.channel
    if name == LABEL:
        return ",".join(segment.labels) or None
    if name == DURATION and None not in (segment.start_ns, segment.end_ns):
        return f"{segment.duration:.9g}"
    return segment.get(name)


def value_rows(groups: Groups) -> Iterator[Iterable[tuple[str | None, ...]]]:
    """Yield, for each utterance, rows with its values in the grouping columns.

    An utterance has one row; an utterance with several labels has one row per label.
    """
    if LABEL not in groups:
        yield from ((row,) for row in zip(*groups.values(), strict=True))
        return
    columns: list[list[Sequence[str | None]]] = [
        [value.split(",") if value is not None and name == LABEL else (value,) for value in column]
        for name, column in groups.items()
    ]
    yield from map(product, *columns)


def groups_of(groups: Groups, counts: CountsTable) -> list[Group]:
    """Sum the counts of utterances with equal values, sorted by `value_order`.

    An utterance with several labels belongs to the group of each label.

    Examples
    --------
    >>> from scoring import wer
    >>> rates = wer({"u1": "a b", "u2": "c"}, {"u1": "a", "u2": "c"}, by=["speaker"],
    ...     speakers={"u1": "anne", "u2": "ben"})
    >>> groups = groups_of(rates.groups, rates.per_utterance)
    >>> [(one.values, one.counts.error_rate) for one in groups]
    [(('anne',), 0.5), (('ben',), 0.0)]
    """
    columns = [column for column in groups.values() if isinstance(column, CodedColumn)]
    if columns and LABEL not in groups and len(columns) == len(groups):
        return list(_groups_by_codes(columns, counts))
    values_of: list[dict[str | None, None]] = [{} for _ in groups]
    positions: dict[tuple[str | None, ...], array[int]] = {}
    for position, rows in enumerate(value_rows(groups)):
        for values in rows:
            members_of = positions.get(values)
            if members_of is None:
                members_of = positions[values] = array("q")
                for seen, value in zip(values_of, values, strict=True):
                    seen.setdefault(value)
            members_of.append(position)
    places = [
        {value: rank for rank, value in enumerate(sorted(seen, key=value_order))}
        for seen in values_of
    ]
    ordered = sorted(
        positions,
        key=lambda values: [ranks[value] for ranks, value in zip(places, values, strict=True)],
    )
    members = ((values, positions[values]) for values in ordered)
    numbers = counts.columns()
    return [
        Group(*group, Counts(*(sum(map(column.__getitem__, group[1])) for column in numbers)))
        for group in members
    ]


_AT_ONCE = 1 << 20  # rows that are summed in one call


class _RowsOfGroup(Sequence[int]):
    """The rows of a group; their positions are computed on access."""

    def __init__(self, keys: Any, key: int, number: int) -> None:
        self._keys, self._key, self._number = keys, key, number
        self._rows: list[int] | None = None

    def __len__(self) -> int:
        return self._number

    def __getitem__(self, index: Any) -> Any:
        if self._rows is None:
            self._rows = (self._keys == self._key).nonzero()[0].tolist()
        return self._rows[index]


def _groups_by_codes(columns: Sequence[CodedColumn], counts: CountsTable) -> Iterator[Group]:
    """Yield the groups of coded columns; fast path of `groups_of`."""
    import numpy as np

    size, keys = len(counts), np.zeros(len(counts), np.int32)
    values: list[tuple[str | None, ...]] = [()]
    for column in columns:
        codes = np.asarray(memoryview(column.rows))
        # of each value the first row: of several that are written, the last one stays
        first = np.full(len(column.names), size, np.int32)
        first[codes[::-1]] = np.arange(size - 1, -1, -1, dtype=np.int32)
        order = [code for code in np.argsort(first, kind="stable") if first[code] < size]
        codes_of = {column.names[code]: code for code in order}
        order = [codes_of[name] for name in sorted(codes_of, key=value_order)]
        number = len(values) * len(order)
        width: Any = np.int32 if number < 1 << 31 else np.int64
        rank = np.zeros(len(column.names), width)
        rank[order] = np.arange(len(order))
        keys = keys.astype(width, copy=False)
        keys *= width(len(order))
        keys += rank[codes]
        # those that are there, in the order of both columns
        present, keys = _compacted(keys, number)
        pairs = (divmod(key, len(order)) for key in present)
        values = [(*values[group], column.names[order[rest]]) for group, rest in pairs]
    sums = np.zeros((len(values), 5), np.int64)
    numbers = np.asarray(counts.array)
    for begin in range(0, size, _AT_ONCE):
        rows = slice(begin, begin + _AT_ONCE)
        weights = [None, *numbers[rows].T]
        for kind, weight in enumerate(weights):
            sums[:, kind] += np.bincount(keys[rows], weight, len(values)).astype(np.int64)
    for key, (number, *kinds) in enumerate(sums.tolist()):
        yield Group(values[key], _RowsOfGroup(keys, key, number), Counts(*kinds))


def _compacted(keys: Any, number: int) -> tuple[list[int], Any]:
    """Return the keys that occur, in order, and the index of each row's key among them."""
    import numpy as np

    if number > len(keys):
        present, places = np.unique(keys, return_inverse=True)
        return present.tolist(), places.reshape(-1).astype(np.int32)
    is_there = np.zeros(number, bool)
    is_there[keys] = True
    return is_there.nonzero()[0].tolist(), (is_there.cumsum(dtype=np.int32) - 1)[keys]


def value_cells(names: Sequence[str], values: Sequence[str | None]) -> list[str]:
    """Return the table cells of a group: its value in each column."""
    pairs = zip(names, values, strict=True)
    return [f"(no {name})" if value is None else value for name, value in pairs]


def group_names(groups: Groups) -> list[str | None]:
    """Return the group of each utterance as one text; None if no value is known."""
    return [
        None if not any(values) else "/".join(value or "-" for value in values)
        for values in zip(*groups.values(), strict=True)
    ]
