"""Reading JSON: values that know where they stand, and lists of typed records.

What the formats in JSON rely on: UTF-8 text, at most 64 levels of nesting, names that occur twice
in an object reported, several values in a row accepted where a service streams them, and an error
with line, column and path for every member that is missing or of the wrong type::

    talk.json:1:57: $.words[3].start: expected a number of seconds, found "x"

JSON's ``null`` is treated as absence. Numbers are doubles, as every other reader of these files
takes them: a time is exact to the nanosecond up to 15 digits.
"""

from __future__ import annotations

import re
from contextlib import suppress
from functools import partial
from itertools import chain, count, islice, repeat
from math import isfinite
from typing import Any, NamedTuple

import msgspec

from formats.errors import SyntaxFormatError, quoted
from formats.json.parsing import (
    BLANKS,
    Inside,
    by_line,
    inside,
    lines_at,
    locate,
    parse_quickly,
    parse_with_care,
)
from formats.json.record import Record, WrongError, confidence, nanoseconds, text_of_number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import TypeAlias, TypeVar

    from formats.source import Source

    Steps: TypeAlias = "tuple[str | int, ...]"
    Kind = TypeVar("Kind", bound=Record)
    Result = TypeVar("Result")
    Columns: TypeAlias = "Sequence[Sequence[object]]"

__all__ = ["JsonDocument", "JsonRows", "JsonValue", "json_rows"]

LARGEST = 1 << 28
MOST_PLACES = 200
MANY = 1 << 12
NAMES = {dict: "an object", list: "a list", str: "a text", bool: "true or false"}
WRONG_TYPE = re.compile(r"Expected `([^`]*)`")
MISSING = re.compile(r"Object missing required field `([^`]*)`")
PLACE = re.compile(r" - at `\$([^`]*)`\Z")
STEP = re.compile(r"\[([0-9]+)\]|\.([^.\[\]]+)")
EXPECTED = {
    "str": "a text",
    "int str": "a text or a whole number",
    "array int str": "a text or a whole number",
    "array str": "a text",
    "int": "a whole number",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
}
"""What is said of the types that a member may have; of any others, "a number"."""
CONFIDENCES = ("confidence", "probability", "score", "conf", "p", "Confidence", "likelihood")
"""Names of members in which a NaN is no error but said and left out."""


class JsonDocument:
    """The JSON values of one input.

    Attributes
    ----------
    top: the top-level values as Python has them, in order; one, unless several follow one another.
    source: the input, for its log.

    Parameters
    ----------
    streams: whether several values may follow one another, with or without commas between them.
    keep_bytes: as for `formats.source.Source.text`.

    Raises
    ------
    SyntaxFormatError: no JSON, or nested more than 64 deep, or several values where one is
        expected (`streams` is `False`).
    SizeLimitError: more than 256 Mi characters.
    """

    def __init__(self, source: Source, *, streams: bool = False, keep_bytes: bool = False) -> None:
        self.source = source
        self._text = source.text(LARGEST, keep_bytes=keep_bytes)
        self._first_line = 1
        self._has_one_line = "\n" not in self._text
        self._tops: list[tuple[int, int]] = []
        self._around: dict[int, tuple[list[str | int], Inside | None]] = {}
        self._places = 0
        self._unknown: dict[str, tuple[int, str]] = {}
        parsed = parse_quickly(self._text, streams)
        self.is_odd = parsed is None
        if parsed is None:
            parsed = parse_with_care(self._text, source, 1, streams)
        self.top, self._starts = parsed
        for value in self.values if self.is_odd else ():
            value.note_not_finite()

    @property
    def values(self) -> list[JsonValue]:
        """The top-level values with their places.

        Made at each call: a document that kept them would stay, with its text, until the garbage
        collector comes round.
        """
        return [JsonValue(value, self, None, n) for n, value in enumerate(self.top)]

    def numbered_values(self) -> Iterator[tuple[int, JsonValue]]:
        """The top-level values, each with the line it begins in."""
        lines = lines_at(self._text, self._starts, self._first_line)
        yield from zip(lines, self.values, strict=True)

    def numbered_messages(self) -> Iterator[tuple[int | None, JsonValue]]:
        """The top-level values, of lists the elements, each with the line it begins in."""
        return ((line, value) for line, value, _ in self.typed_messages(None))

    def typed_messages(
        self, kind: type[Kind] | None
    ) -> Iterator[tuple[int | None, JsonValue, Kind | None]]:
        """As `numbered_messages`, each with its record, or `None` where there is none yet."""
        whole = JsonValue(self.top, self)
        records: Iterable[Kind | None] = (whole.converted(kind) if kind else None) or repeat(None)
        for (line, value), record in zip(self.numbered_values(), records, strict=False):
            if isinstance(value.value, list):
                yield from value.numbered_records(kind)
            else:
                yield line, value, record

    def lines_of_elements(self, steps: Steps) -> Iterator[int | None]:
        """The lines that the elements of the list begin in that `steps` lead to."""
        if self._has_one_line:
            return repeat(self._first_line)
        place = self._place_of(steps)
        lines = None if place is None else self._inside(*place).lines()
        return repeat(None) if lines is None else iter(lines)

    def _inside(self, place: int, line: int) -> Inside:
        return inside(self._text, place, line, self.is_odd or len(self.top) > 1)

    def _place_of(self, steps: Steps) -> tuple[int, int] | None:
        """Where the value begins that `steps` lead to, and in which line; `None` within a text.

        What is around it is remembered, one value of each depth: to look for all values in their
        order takes no longer than going through the text once for each depth.
        """
        *around, step = steps
        if not around:
            tops = zip(self._starts, lines_at(self._text, self._starts, 1), strict=True)
            self._tops = self._tops or list(tops)
            return self._tops[int(step)]
        known, within = self._around.get(len(steps), (None, None))
        if known != around:
            place = self._place_of(tuple(around))
            within = None if place is None else self._inside(*place)
            self._around[len(steps)] = around, within
        return None if within is None else within.find(step)

    def note_unknown(self) -> None:
        """Remark, once per name, the members that `JsonValue.expect_members` did not know."""
        for name, (often, path) in self._unknown.items():
            self.source.log.note(
                "JSON-UNKNOWN", f"{often} members {quoted(name)} are not read, first in {path}"
            )
        self._unknown.clear()

    def count_unknown(self, name: str, owner: JsonValue) -> None:
        """Count one member of `owner` that nobody reads."""
        often, first = self._unknown.get(name) or (0, owner.path)
        self._unknown[name] = often + 1, first

    def place(self, steps: Steps) -> tuple[int | None, int | None]:
        """Line and column of the value that `steps` lead to, for the first 200 that are asked for.

        Each is looked for from the beginning: a file full of errors would take the square of its
        length.
        """
        self._places += 1
        position = locate(self._text, steps) if self._places <= MOST_PLACES else None
        if position is None:
            return None, None
        before = self._text.count("\n", 0, position)
        return self._first_line + before, position - self._text.rfind("\n", 0, position)


class JsonRows(NamedTuple):
    """Values of a list or of lines, many at once, or one.

    Attributes
    ----------
    lines: that they begin in.
    values: as Python has them.
    records: made of them, or `None` where one cannot be made, or none were asked for.
    places: the values with their places, to be taken once.
    """

    lines: Sequence[int | None]
    values: list[Any]
    records: list[Any] | None
    places: Iterable[JsonValue]

    def each(self) -> Iterator[tuple[int | None, JsonValue, Any]]:
        """Each with its line, its place and its record, or `None` for that."""
        return zip(self.lines, self.places, self.records or repeat(None), strict=False)


def json_rows(source: Source, kind: type[Record] | None) -> Iterator[JsonRows]:
    """One value per line, with a record of each; lines of blanks are passed over.

    Bad lines are given to ``source.log.reject``: errors, or skipped in lenient reading. Lines are
    decoded many at a time; what comes before a line that cannot be read is given first.
    """
    for first, text in source.passages():
        decoded = by_line(text)
        numbers: Sequence[int] = range(first, first + text.count("\n") + 1)
        if decoded is None or len(decoded) != len(numbers):
            numbers = [n for n, line in enumerate(text.split("\n"), first) if line.strip(BLANKS)]
        document = _Lines(source, first, text, numbers)
        if decoded is None or len(decoded) != len(numbers):
            for index, number in enumerate(numbers):
                if (value := document.with_care(index, number)) is not None:
                    yield JsonRows([number], [value.value], None, [value])
            continue
        records = None if kind is None else JsonValue(decoded, document).converted(kind)
        places = map(JsonValue, decoded, repeat(document), repeat(None), count())
        yield JsonRows(numbers, decoded, records, places)


class _Lines(JsonDocument):
    """Some lines of a file of JSON lines; the first step to a value is the number of its line.

    Parameters
    ----------
    first: the number of the first line of `text`.
    numbers: those of the lines that are not blank.
    """

    def __init__(self, source: Source, first: int, text: str, numbers: Sequence[int]) -> None:
        self.source = source
        self.top = []
        self._passage = text
        self._texts: list[str] = []
        self._first = first
        self._numbers = numbers
        self._current = -1
        self._unknown = {}

    def _line(self, number: int) -> str:
        self._texts = self._texts or self._passage.split("\n")
        return self._texts[number - self._first]

    def place(self, steps: Steps) -> tuple[int | None, int | None]:
        """Line and column, as for the values of a document."""
        index = int(steps[0])
        if index != self._current:
            self._current, self._places = index, 0
            self._first_line = self._numbers[index]
            self._text = self._line(self._first_line)
        return super().place((0, *steps[1:]))

    def with_care(self, index: int, number: int) -> JsonValue | None:
        """The value of a line; `None` of one that is rejected."""
        line = self._line(number)
        parsed = parse_quickly(line, False)
        try:
            values, _ = parsed or parse_with_care(line, self.source, number, False)
        except SyntaxFormatError as error:
            self.source.log.reject("JSON", error)
            return None
        value = JsonValue(values[0], self, None, index)
        if parsed is None:
            value.note_not_finite()
        return value


def _elements_of(places: Callable[[], Iterable[JsonValue]], name: str) -> Iterator[JsonValue]:
    """The elements of the lists that are a member of these values."""
    return chain.from_iterable(place.elements(name) for place in places())


def _refuse(error: SyntaxFormatError) -> None:
    raise error


class JsonValue(msgspec.Struct, eq=False):
    """A value and where it stands.

    Attributes
    ----------
    value: as Python has it: `dict`, `list`, `str`, `bool`, `int`, `float`, `None`.
    document: what it belongs to.
    """

    value: Any
    document: JsonDocument
    _parent: JsonValue | None = None
    _step: str | int | None = None

    @property
    def steps(self) -> Steps:
        """Names and indices that lead here; the first is the number of the top-level value."""
        if self._parent is None:
            return (self._step or 0,)
        return (*self._parent.steps, self._step)  # type: ignore[arg-type]

    @property
    def path(self) -> str:
        """Where it stands, as in ``$.words[3].start``."""
        first, *rest = self.steps
        start = f"$[{first}]" if first and len(self.document.top) > 1 else "$"
        return start + "".join(f"[{s}]" if isinstance(s, int) else f".{s}" for s in rest)

    @property
    def line(self) -> int | None:
        """The line it stands in; looked up, so not for every value of a long file."""
        return self.document.place(self.steps)[0]

    def error(self, expected: str, found: str | None = None) -> SyntaxFormatError:
        """What to raise when the value is not `expected`."""
        line, column = self.document.place(self.steps)
        return SyntaxFormatError(
            f"{self.path}: expected {expected}, found {found or self._shown()}",
            path=self.document.source.name,
            line=line,
            column=column,
        )

    def _shown(self) -> str:
        if isinstance(self.value, str):
            return quoted(self.value)
        if isinstance(self.value, (dict, list)):
            name = NAMES[type(self.value)]
            return name if self.value else f"an empty {name.split()[1]}"
        if self.value is None or isinstance(self.value, bool):
            return {None: "null", True: "true", False: "false"}[self.value]
        return text_of_number(self.value)[:80]

    def get(self, *names: str) -> JsonValue | None:
        """The first of the members `names` that is there and not null; the value is an object."""
        members = self.value
        if type(members) is not dict:
            raise self.error(NAMES[dict])
        for name in names:
            value = members.get(name)
            if value is not None:
                return JsonValue(value, self.document, self, name)
        return None

    def _raw(self, names: Sequence[str]) -> Any:
        """The value of what `get` gives, without a place; what is no object is told there."""
        members = self.value
        if type(members) is dict:
            for name in names:
                value = members.get(name)
                if value is not None:
                    return value
            return None
        return self

    def required(self, *names: str) -> JsonValue:
        """Like `get`, for a member that must be there.

        Raises
        ------
        SyntaxFormatError
        """
        found = self.get(*names)
        if found is None:
            raise self.error(f"a member {' or '.join(map(quoted, names))}", "none")
        return found

    def has(self, *names: str) -> bool:
        """Whether one of the members is there and not null; `False` for what is no object."""
        members = self.value
        if type(members) is dict:
            for name in names:
                if members.get(name) is not None:
                    return True
        return False

    def elements(self, *names: str) -> Iterator[JsonValue]:
        """The elements of the list, or of the list that is a member; none if that is missing."""
        owner = self.get(*names) if names else self
        if owner is None:
            return iter(())
        return owner._inner()

    def numbered_elements(self, *names: str) -> Iterator[tuple[int | None, JsonValue]]:
        """As `elements`, each with the line it begins in: cheap, unlike `line` for each."""
        return ((line, value) for line, value, _ in self.numbered_records(None, *names))

    def numbered_records(
        self, kind: type[Kind] | None, *names: str
    ) -> Iterator[tuple[int | None, JsonValue, Kind | None]]:
        """As `numbered_elements`, each with its record, or `None` where there is none yet."""
        owner = self.get(*names) if names else self
        return chain.from_iterable(rows.each() for rows in (owner.rows(kind) if owner else ()))

    def rows(self, kind: type[Record] | None) -> Iterator[JsonRows]:
        """The elements of the list, some at a time, with the lines they begin in and records."""
        values = self._of_type(list)
        lines = list(islice(self.document.lines_of_elements(self.steps), len(values)))
        lines += [None] * (len(values) - len(lines))
        records = None if kind is None else self.converted(kind)
        for begin in range(0, len(values), MANY):
            part = slice(begin, begin + MANY)
            places = map(self._at, range(begin, len(values)))
            yield JsonRows(lines[part], values[part], records and records[part], places)

    def _inner(self) -> Iterator[JsonValue]:
        """The elements of the list."""
        values = self._of_type(list)
        return map(JsonValue, values, repeat(self.document), repeat(self), count())

    def embedded(self) -> JsonValue:
        """What a text holds that is JSON itself; the value as it is, if it is no text.

        Raises
        ------
        SyntaxFormatError: the text is no JSON.
        """
        if not isinstance(self.value, str):
            return self
        try:
            parsed = parse_quickly(self.value, False)
            values, _ = parsed or parse_with_care(self.value, self.document.source, 1, False)
        except SyntaxFormatError:
            values = []
        if not values:
            raise self.error("a text that is JSON")
        return JsonValue(values[0], self.document, self._parent, self._step)

    def members(self) -> Iterator[tuple[str, JsonValue]]:
        """Names and values of the object, null left out."""
        for name, value in self._of_type(dict).items():
            if value is not None:
                yield name, JsonValue(value, self.document, self, name)

    def expect_members(self, known: frozenset[str]) -> None:
        """Count the members that are not `known`, for `JsonDocument.note_unknown`."""
        if not known.issuperset(self._of_type(dict)):
            for name in self.value:
                if name not in known:
                    self.document.count_unknown(name, self)

    def _of_type(self, kind: type) -> Any:
        if not isinstance(self.value, kind):
            raise self.error(NAMES[kind])
        return self.value

    def text(self) -> str:
        """The value, which must be a text."""
        if not isinstance(self.value, str):
            raise self.error("a text")
        return self.value

    def name(self) -> str:
        """A text, or a whole number as its digits: ids are written both ways."""
        if isinstance(self.value, int) and not isinstance(self.value, bool):
            return str(self.value)
        if isinstance(self.value, str):
            return self.value
        raise self.error("a text or a whole number")

    def flag(self) -> bool:
        """The value, which must be true or false."""
        return bool(self._of_type(bool))

    def whole(self) -> int:
        """The value, which must be a whole number."""
        if isinstance(self.value, bool) or not isinstance(self.value, int):
            raise self.error("a whole number")
        return self.value

    def number(self) -> float:
        """The number, finite; texts of digits are taken, too."""
        made = self.confidence()
        if made is None:
            raise self.error("a finite number")
        return made

    def confidence(self) -> float | None:
        """A confidence, also written as a text; a NaN or infinity is `None`."""
        value = self.value
        if value is None or isinstance(value, (bool, dict, list)):
            raise self.error("a number")
        try:
            return confidence(value)
        except ValueError as problem:
            raise self.error(str(problem)) from None

    def note_not_finite(self) -> None:
        """Say which confidences inside are no numbers, and so left out."""
        if isinstance(self.value, list):
            for element in self.elements():
                element.note_not_finite()
        elif isinstance(self.value, dict):
            for name, member in self.members():
                member.note_not_finite()
                number = member.value if name in CONFIDENCES else None
                if isinstance(number, float) and not isfinite(number):
                    said = f"{member.path}: {member._shown()} is no confidence"
                    self.document.source.log.note("JSON-NAN", said)

    def nanoseconds(self, *, per_second: int = 1) -> int:
        """A time as nanoseconds; `per_second` units make a second (1000 for ms).

        Raises
        ------
        SyntaxFormatError: no number, or negative, or beyond 292 years.
        """
        value = self.value
        if value is None or isinstance(value, (bool, dict, list)):
            raise self.error("a number")
        try:
            return nanoseconds(value, per_second)
        except ValueError as problem:
            raise self.error(str(problem)) from None

    def text_of(self, *names: str) -> str | None:
        """The text among the members, or `None`."""
        value = self._raw(names)
        return value if value is None or type(value) is str else self.required(*names).text()

    def name_of(self, *names: str) -> str | None:
        """The text or whole number among the members, as a text, or `None`."""
        value = self._raw(names)
        if value is None or type(value) is str:
            return value
        return str(value) if type(value) is int else self.required(*names).name()

    def confidence_of(self, *names: str) -> float | None:
        """The confidence among the members, or `None`."""
        value = self._raw(names)
        return None if value is None else self.required(*names).confidence()

    def time_of(self, *names: str, per_second: int = 1) -> int | None:
        """The time among the members in nanoseconds, or `None`."""
        value = self._raw(names)
        if value is None:
            return None
        try:
            if type(value) is float or type(value) is int:
                return nanoseconds(value, per_second)
        except ValueError:
            pass  # told below, with its place
        return self.required(*names).nanoseconds(per_second=per_second)

    def span_of(
        self, start: str = "start", end: str = "end", *, per_second: int = 1
    ) -> tuple[int | None, int | None]:
        """Start and end out of the members so named, in nanoseconds, `None` where missing.

        Raises
        ------
        SyntaxFormatError: no times, or an end before its start.
        """
        start_ns = self.time_of(start, per_second=per_second)
        end_ns = self.time_of(end, per_second=per_second)
        if start_ns is not None and end_ns is not None and end_ns < start_ns:
            shown = text_of_number(self.required(start).value)
            raise self.required(end).error(f"an end not before its start {shown}")
        return start_ns, end_ns

    def span_of_any(
        self, starts: Sequence[str], ends: Sequence[str], *, per_second: int = 1
    ) -> tuple[int | None, int | None]:
        """As `span_of`, of the first members so named that are there."""
        start_ns = self.time_of(*starts, per_second=per_second)
        end_ns = self.time_of(*ends, per_second=per_second)
        if start_ns is not None and end_ns is not None and end_ns < start_ns:
            shown = text_of_number(self.required(*starts).value)
            raise self.required(*ends).error(f"an end not before its start {shown}")
        return start_ns, end_ns

    def record(self, kind: type[Kind]) -> Kind:
        """The value as a typed record.

        Raises
        ------
        SyntaxFormatError: a member is missing or of a wrong type.
        """
        try:
            made = msgspec.convert(self.value, kind)
        except msgspec.ValidationError as problem:
            raise self._of_problem(problem) from None
        except UnicodeEncodeError:
            raise self.error("names of members in UTF-8", "halves of characters") from None
        if kind.unread is not None or kind.lists:
            self._count_unread([self.value], kind, lambda: [self])
        return made

    def take(self, kind: type[Kind], take: Callable[[Kind], Result]) -> Result:
        """What `take` makes of the value as a typed record; raises as `record` and `checked`."""
        return self.checked(self.record(kind), take)

    def checked(self, record: Kind, take: Callable[[Kind], Result]) -> Result:
        """What `take` makes of a record of this value.

        Raises
        ------
        SyntaxFormatError: for a `WrongError` of `take`.
        """
        try:
            return take(record)
        except WrongError as wrong:
            raise self.wrong(wrong, record) from None

    def converted(self, kind: type[Kind]) -> list[Kind] | None:
        """The elements of the list as typed records, or `None` if one of them cannot be."""
        values = self._of_type(list)
        try:
            made = msgspec.convert(values, list[kind])  # type: ignore[valid-type]
        except (msgspec.ValidationError, UnicodeEncodeError):
            return None
        self._count_unread(values, kind, self.elements)
        return made

    def taken(self, name: str, kind: type[Kind], take: Callable[[Kind], Result]) -> list[Result]:
        """What `take` makes of each record of a list that is a member.

        Raises
        ------
        SyntaxFormatError: the member is no list; as `take` for the first record that is wrong.
        """
        made: list[Result] = []
        self.each_record(kind, lambda record: made.append(take(record)), _refuse, name)
        return made

    def at_once(self, name: str, kind: type[Kind], make: Callable[[list[Kind]], Result]) -> Result:
        """What `make` makes of all the records of a list that is a member.

        Raises
        ------
        SyntaxFormatError: as `taken`.
        """
        owner = self.required(name)
        records = owner.converted(kind)
        with suppress(WrongError):
            if records is not None:
                return make(records)
        for index in range(len(owner.value)):
            place = owner._at(index)
            record = place.record(kind) if records is None else records[index]
            place.checked(record, lambda one: make([one]))
        raise AssertionError("what is wrong of many is wrong of one")

    def each_record(
        self,
        kind: type[Kind],
        take: Callable[..., object],
        reject: Callable[[SyntaxFormatError], None],
        *names: str,
        columns: Callable[[list[Kind]], Columns] | None = None,
        take_all: Callable[..., object] | None = None,
    ) -> None:
        """Call `take` for each record of the list, and `reject` with what is wrong of others.

        Parameters
        ----------
        columns: what `take` gets beside each record, made of all of them at once.
        take_all: called with the columns in place of `take`, if nothing is wrong.

        Raises
        ------
        SyntaxFormatError: a record is wrong, but for lenient reading, which passes it over.
        """
        owner = self.get(*names) if names else self
        if owner is None:
            return
        records = owner.converted(kind)
        made: Iterable[Kind | None] = records or repeat(None, len(owner.value))
        alone: Callable[[Kind], object] = take
        beside: Iterator[Sequence[object]] | None = repeat(())
        if columns is not None:
            of_all = columns
            alone = lambda one: take(one, *[column[0] for column in of_all([one])])  # noqa: E731
            try:
                found = of_all(records) if records else None
                if found is not None and take_all is not None:
                    take_all(*found)
                    return
                beside = zip(*found, strict=True) if found is not None else None
            except WrongError:
                beside = None
        for index, record in enumerate(made):
            try:
                if record is None:
                    owner._at(index).take(kind, alone)
                elif beside is None:
                    alone(record)
                else:
                    take(record, *next(beside))
            except WrongError as wrong:
                assert record is not None
                error = owner._at(index).wrong(wrong, record)
            except SyntaxFormatError as problem:
                error = problem
            else:
                continue
            reject(error)

    def _at(self, index: int) -> JsonValue:
        return JsonValue(self.value[index], self.document, self, index)

    def wrong(self, wrong: WrongError, record: Record) -> SyntaxFormatError:
        """What to raise for this value, of which `record` was made."""
        inner = wrong.record or record
        value = self
        for step in record.steps_to(inner) or ():
            value = JsonValue(value.value[step], self.document, value, step)
        if wrong.member in inner.__struct_fields__:
            value = value.get(inner.encoded(wrong.member)) or value
        return value.error(wrong.expected, wrong.found)

    def _of_problem(self, problem: msgspec.ValidationError) -> SyntaxFormatError:
        """The message for what msgspec found, at its place."""
        said = str(problem)
        place = PLACE.search(said)
        value = self
        for index, name in STEP.findall(place[1]) if place else ():
            step = int(index) if index else name
            value = JsonValue(value.value[step], self.document, value, step)
        missing = MISSING.match(said)
        if missing or (value.value is None and isinstance(value._step, str) and value is not self):
            owner, name = (value, missing[1]) if missing else (value._parent, value._step)
            assert owner is not None
            return owner.error(f"a member {quoted(str(name))}", "none")
        types = WRONG_TYPE.match(said)
        kinds = sorted(set(types[1].split(" | ")) - {"null"}) if types else []
        return value.error(EXPECTED.get(" ".join(kinds), "a number"))

    def _count_unread(
        self,
        values: Sequence[Any],
        kind: type[Record],
        places: Callable[[], Iterable[JsonValue]],
    ) -> None:
        """Count members that `kind` does not know; `places` gives the values with theirs."""
        if kind.unread is not None:
            known = kind.unread.union(kind.__struct_encode_fields__)
            if not known.issuperset(set().union(*values)):
                for place in places():
                    place.expect_members(known)
        for name, inner in kind.lists:
            below = [one for value in values for one in value.get(name) or ()]
            within = partial(_elements_of, places, name)
            self._count_unread(below, inner, within)

    def __repr__(self) -> str:
        return f"<{self.path} {self._shown()}>"
