"""Groups of utterances: columns that say to what each belongs, and sums over equal values."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from scoring.errors import InputError
from scoring.model import Counts

if TYPE_CHECKING:
    from formats.model import Segment
    from scoring.alignment.results import CountsTable

# By name: of each utterance its value, None where there is none.
Groups: TypeAlias = Mapping[str, Sequence[str | None]]
SPEAKER, LABEL = "speaker", "label"
BETWEEN_LABELS = ","


class Group(NamedTuple):
    """The utterances with the same values, one of each column, and the sum of their counts."""

    values: tuple[str | None, ...]
    positions: Sequence[int]
    counts: Counts


def read_groups(
    names: Iterable[str],
    speakers: Sequence[str | None],
    segments: Sequence[Segment] | None,
    path: str,
) -> Groups:
    """The columns of these names, from the utterances of the reference."""
    columns: dict[str, Sequence[str | None]] = {}
    for name in names:
        if name == SPEAKER:
            columns[name] = speakers
            continue
        columns[name] = column = [_value(segment, name) for segment in segments or ()]
        if not any(value is not None for value in column):
            keys = {key for segment in segments or () for key, _ in segment.properties}
            expected = ", ".join([SPEAKER, "recording", "channel", LABEL, *sorted(keys)])
            raise InputError(
                path,
                None,
                None,
                f"expected utterances with {name!r} to group them by, found none (known may be "
                f"{expected})",
            )
    return columns


def _value(segment: Segment, name: str) -> str | None:
    if name == "recording":
        return None if segment.recording == "-" else segment.recording
    if name == "channel":
        return segment.channel
    if name == LABEL:
        return BETWEEN_LABELS.join(segment.labels) or None
    return segment.get(name)


def groups_of(groups: Groups, counts: CountsTable) -> list[Group]:
    """The sums over utterances with equal values, in order of first appearance, the first column's.

    An utterance with several labels is in the group of each.

    Examples
    --------
    >>> from scoring import wer
    >>> rates = wer({"u1": "a b", "u2": "c"}, {"u1": "a", "u2": "c"}, by=["speaker"],
    ...     speakers={"u1": "anne", "u2": "ben"})
    >>> groups = groups_of(rates.groups, rates.per_utterance)
    >>> [(one.values, one.counts.error_rate) for one in groups]
    [(('anne',), 0.5), (('ben',), 0.0)]
    """
    several = LABEL in groups
    columns: list[Sequence[Any]] = [
        [(None,) if value is None else value.split(BETWEEN_LABELS) for value in column]
        if name == LABEL
        else [(value,) for value in column]
        if several
        else column
        for name, column in groups.items()
    ]
    places: list[dict[str | None, int]] = [{} for _ in columns]
    positions: dict[tuple[str | None, ...], array[int]] = {}
    for position, row in enumerate(zip(*columns, strict=True)):
        for values in product(*row) if several else (row,):
            positions.setdefault(values, array("q")).append(position)
            for ranks, value in zip(places, values, strict=True):
                ranks.setdefault(value, len(ranks))
    ordered = sorted(
        positions,
        key=lambda values: [ranks[value] for ranks, value in zip(places, values, strict=True)],
    )
    return [
        Group(values, rows, sum((counts[row] for row in rows), Counts()))
        for values, rows in ((values, positions[values]) for values in ordered)
    ]


def group_names(groups: Groups) -> list[str | None]:
    """What each utterance belongs to, in one word for all columns; None where nothing is known."""
    return [
        None if not any(values) else "/".join(value or "-" for value in values)
        for values in zip(*groups.values(), strict=True)
    ]
