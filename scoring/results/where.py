"""Conditions that choose which utterances are scored, as in `device=phone` and `duration>6`.

A condition is a name, a sign and values. The signs `=` and `!=` take one or several values, the
signs `<`, `<=`, `>` and `>=` take one number. Texts are compared exactly; two numbers are equal if
their values are equal (`1` and `1.0`). An utterance without a value meets `name=` (no value) and
`name!=value`, and no other condition.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import isfinite
from typing import TYPE_CHECKING, NamedTuple

from formats.schema.errors import close_names
from scoring.model.errors import InputError, OptionTypeError, OptionValueError
from scoring.results.groups import LABEL, SPEAKER, available_groups, value_of
from scoring.results.messages import (
    KEPT,
    NO_PROPERTY,
    NO_PROPERTY_NEAR,
    NO_SUCH_VALUE,
    NONE_KEPT,
    NOT_COMPARABLE,
    VALUELESS_KEPT,
    VALUELESS_LEFT_OUT,
    Message,
)
from scoring.results.value_order import NONE
from scoring.sides.corpus import Corpus, RowNumbers

if TYPE_CHECKING:
    from scoring.options import Options

# The property that times give; its unit is the second.
DURATION = "duration"
# Longer signs first.
SIGNS = ("!=", "<=", ">=", "==", "=", "<", ">")
_ORDERS: dict[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_UNITS = {"ms": 0.001, "s": 1.0}
MOST_LISTED = 10


class Condition(NamedTuple):
    """A condition of an utterance; its text has one spelling, as signatures show it."""

    name: str
    sign: str
    values: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.name}{self.sign}{','.join(map(_written, self.values))}"

    @property
    def shown(self) -> str:
        """The condition as text, with the unit of a duration."""
        return f"{self} s" if self.name == DURATION and any(self.values) else str(self)

    def meets(self, value: str | None) -> bool:
        """Return True if an utterance with this value meets the condition.

        Raises
        ------
        ValueError
            If the condition compares numbers and the value is no number.
        """
        if value in (None, "", NONE):
            return ("" in self.values) == (self.sign == "=") and self.sign in ("=", "!=")
        assert value is not None
        if self.sign in _ORDERS:
            number = _number(value)
            if number is None:
                raise ValueError(value)
            return _ORDERS[self.sign](number, float(self.values[0]))
        parts = value.split(",") if self.name == LABEL else [value]
        is_one = any(_are_equal(part, wanted) for part in parts for wanted in self.values)
        return is_one == (self.sign == "=")


def _written(value: str) -> str:
    """Return a value as it is written in a condition: in quotes if it has commas or quotes."""
    if not any(sign in value for sign in ',"'):
        return value
    doubled = value.replace('"', '""')
    return f'"{doubled}"'


def _number(value: str) -> float | None:
    try:
        number = float(value)
    except ValueError:
        return None
    return number if isfinite(number) else None


def _are_equal(value: str, wanted: str) -> bool:
    if value == wanted:
        return True
    numbers = _number(value), _number(wanted)
    return numbers[0] is not None and numbers[0] == numbers[1]


def conditions_of(texts: object) -> tuple[Condition, ...]:
    """Parse conditions; a single text is one condition.

    Raises
    ------
    OptionTypeError, OptionValueError
        If the value is no list of texts, or a text is no condition.

    Examples
    --------
    >>> [str(condition) for condition in conditions_of(["region = north,south", "duration>6s"])]
    ['region=north,south', 'duration>6']
    """
    every = [texts] if isinstance(texts, str) else texts
    if not isinstance(every, Iterable) or isinstance(every, Mapping | bytes):
        raise OptionTypeError("where", expected="a list of conditions", found=type(texts).__name__)
    conditions: list[Condition] = []
    for text in every:
        if not isinstance(text, str):
            raise OptionTypeError("where", expected="a list of texts", found=f"{text!r} in it")
        conditions.append(_condition_of(text))
    return tuple(dict.fromkeys(conditions))


def _condition_of(text: str) -> Condition:
    """Parse one condition."""
    places = [place for sign in "!<>=" if (place := text.find(sign)) > 0]
    place = min(places, default=0)
    sign = next((sign for sign in SIGNS if place and text.startswith(sign, place)), "")
    name, rest = text[:place].strip(), text[place + len(sign) :].strip()
    if not (name and sign):
        quoted = "" if places else " (quote a condition with < or >: 'duration>6')"
        raise OptionValueError(
            "where",
            expected="a condition such as device=phone, device!=phone or duration>6",
            found=f"{text!r}{quoted}",
        )
    sign = "=" if sign == "==" else sign
    values = _values(rest)
    if name == DURATION and any(values):
        values = [f"{_duration(value, text):.12g}" for value in values]
    if sign in _ORDERS and (len(values) != 1 or _number(values[0]) is None):
        raise OptionValueError("where", expected=f"one number after {name}{sign}", found=repr(rest))
    return Condition(name, sign, tuple(dict.fromkeys(values)))


def _values(text: str) -> list[str]:
    """Return the values in a text: separated by commas, in quotes if they have commas."""
    if '"' not in text:
        return [value.strip() for value in text.split(",")]
    import csv

    [row] = csv.reader([text], skipinitialspace=True)
    return [value.strip() for value in row]


def _duration(value: str, text: str) -> float:
    """Return a duration in seconds: a number, or a number with its unit `s` or `ms`."""
    unit = next((unit for unit in _UNITS if value.endswith(unit)), "")
    number = _number(value.removesuffix(unit))
    if number is None:
        raise OptionValueError(
            "where", expected="a duration such as 6, 6s or 500ms", found=f"{value!r} in {text!r}"
        )
    return number * _UNITS.get(unit, 1.0)


class RowFilter:
    """Decides which utterances meet all conditions, batch by batch, and counts them.

    Parameters
    ----------
    conditions
        The conditions, or their texts.
    path
        The name of the reference in messages.
    """

    def __init__(self, conditions: Sequence[str], path: str) -> None:
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
            self._valueless[name] += sum(value in (None, "", NONE) for value in columns[name])
        are_kept = list(map(all, zip(*masks, strict=True)))
        self.total += len(are_kept)
        self.kept += sum(are_kept)
        return are_kept

    def _mask_of(self, condition: Condition, column: Sequence[str | None]) -> list[bool]:
        """Return for each value whether it meets a condition; each value is judged once."""
        known: dict[str | None, bool] = {}
        for value in dict.fromkeys(column):
            try:
                known[value] = condition.meets(value)
            except ValueError:
                fields = {"name": condition.name, "condition": condition.shown, "value": value}
                row = self.total + list(column).index(value) + 1
                error = Message(NOT_COMPARABLE, {**fields, "row": row})
                raise InputError(self.path, None, None, error) from None
            self._note(condition, value)
        return [known[value] for value in column]

    def _note(self, condition: Condition, value: str | None) -> None:
        """Record a value for messages, and which values of the condition it equals."""
        if value in (None, "", NONE):
            return
        assert value is not None
        seen = self._seen[condition.name]
        parts = value.split(",") if condition.name == LABEL else [value]
        for part in parts:
            if len(seen) <= MOST_LISTED:
                seen.setdefault(part)
            for wanted in condition.values:
                if _are_equal(part, wanted):
                    self._met.add((condition.name, wanted))

    def sides(self, left: Corpus, right: Corpus) -> tuple[Corpus, Corpus]:
        """Return both sides of a batch with only the rows that meet all conditions."""
        return selected_sides(left, right, self.mask(left.columns))

    def remarks(self) -> list[Message]:
        """Return the note on what was kept, and warnings about values that no utterance has.

        Raises
        ------
        InputError
            If no utterance meets the conditions.
        """
        shown = [condition.shown for condition in self.conditions]
        numbers = {"path": self.path, "kept": self.kept, "total": self.total}
        if not self.kept:
            values = [
                f"{name}: {', '.join(self._listed(name)) or 'no values'}" for name in self.names
            ]
            fields = {"total": self.total, "conditions": shown, "values": values}
            raise InputError(self.path, None, None, Message(NONE_KEPT, fields))
        messages = [Message(KEPT, {**numbers, "conditions": shown})]
        for condition in self.conditions:
            about = {"path": self.path, "name": condition.name, "condition": condition.shown}
            if without := self._valueless[condition.name]:
                entry = VALUELESS_KEPT if condition.meets(None) else VALUELESS_LEFT_OUT
                messages.append(Message(entry, {**about, "number": without}))
            if condition.sign in _ORDERS or condition.name == DURATION:
                continue
            for wanted in filter(None, condition.values):
                if (condition.name, wanted) not in self._met:
                    values = self._listed(condition.name)
                    messages.append(
                        Message(NO_SUCH_VALUE, {**about, "value": wanted, "values": values})
                    )
        return messages

    def _listed(self, name: str) -> list[str]:
        """Return the first values of a property, in order; `…` stands for more values."""
        seen = list(self._seen[name])
        return [*sorted(seen[:MOST_LISTED]), *["…"] * (len(seen) > MOST_LISTED)]


class Selection(NamedTuple):
    """The sides of a score with only the utterances that meet its conditions."""

    left: Corpus
    right: Corpus
    kept: Sequence[int]  # positions in the reference
    remarks: Sequence[Message]
    columns: Mapping[str, Sequence[str | None]]

    @classmethod
    def of(cls, left: Corpus, right: Corpus, options: Options) -> Selection:
        """Return the utterances of the reference that meet `options.where`, with their hypotheses.

        Hypotheses of references that are left out are left out, too; hypotheses without reference
        stay. In both sides, utterances with the same identifier belong together.
        """
        rows = RowFilter(options.where, left.name)
        lacking = [name for name in rows.names if name not in left.columns]
        columns = {**left.columns, **columns_of(left, lacking, options)}
        are_kept = rows.mask(columns)
        kept, _ = positions_of(left, right, are_kept)
        return cls(*selected_sides(left, right, are_kept), kept, rows.remarks(), columns)

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
            [place for place, row in enumerate(side.rows) if are_kept[row - left.begin]]
            for side in (left.identifiers, right.identifiers)
        )
        return reference, hypothesis
    dropped = {
        identifier
        for identifier, is_kept in zip(left.identifiers, are_kept, strict=True)
        if not is_kept
    }
    return (
        [place for place, is_kept in enumerate(are_kept) if is_kept],
        [place for place, name in enumerate(right.identifiers) if name not in dropped],
    )


def selected_sides(left: Corpus, right: Corpus, are_kept: Sequence[bool]) -> tuple[Corpus, Corpus]:
    """Return both sides with only the utterances that are kept; see `positions_of`."""
    positions = positions_of(left, right, are_kept)
    left_out = len(are_kept) - sum(are_kept)
    return selected(left, positions[0], left_out), selected(right, positions[1], left_out)


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
            columns[name] = joined[name]
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
    places = {row - left.begin: place for place, row in enumerate(left.identifiers.rows)}
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


def selected(side: Corpus, positions: Sequence[int], left_out: int) -> Corpus:
    """Return a side with the utterances at some positions; `left_out` rows are not counted."""
    rows = None if side.rows is None else side.rows - left_out
    return side.select(positions)._replace(rows=rows, columns={})
