"""JSON values that can name their place: line, column and path.

What the formats in JSON rely on: UTF-8 text, at most 64 levels of nesting, names that occur twice
in an object reported, several values in a row accepted where a service streams them, and an error
with line, column and path for every member that is missing or of the wrong type::

    talk.json:1:57: $.words[3].start: expected a number of seconds, found "x"

JSON's ``null`` is treated as absence. Numbers are doubles, as every other reader of these files
takes them: a time is exact to the nanosecond up to 15 digits.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import count, islice, repeat
from math import isfinite
from typing import Any, NamedTuple

import msgspec

from formats.errors import SyntaxFormatError, quoted
from formats.json.numbers import confidence, nanoseconds, number_text
from formats.json.scanning import BLANKS, element_starts, line_starts, locate, parse, parse_lines
from formats.source import Source

LARGEST = 1 << 28
MOST_PLACES = 200
BATCH = 1 << 12
NAMES = {dict: "an object", list: "a list", str: "a text", bool: "true or false"}
CONFIDENCES = ("confidence", "probability", "score", "conf", "p", "Confidence", "likelihood")
"""Names of members in which a NaN is no error but noted and dropped."""

Steps = tuple[str | int, ...]


class JsonDocument:
    """The JSON values of one input; `streams`: several may follow one another.

    `top` are the top-level values as Python has them. A text of more than 256 Mi characters is a
    `SizeLimitError`; `keep_bytes` is that of `formats.source.Source.text`.
    """

    def __init__(self, source: Source, *, streams: bool = False, keep_bytes: bool = False) -> None:
        text = source.text(LARGEST, keep_bytes=keep_bytes)
        top, starts, is_regular = parse(text, source, streams=streams)
        self._set(source, text, 1, top, starts)
        for value in () if is_regular else self.values:
            value.note_not_finite()

    def _set(self, source: Source, text: str, line: int, top: list[Any], starts: list[int]) -> None:
        self.source = source
        self.top = top
        self.text = text
        self.shows_index = len(top) > 1
        self._line = line
        self._starts = starts
        self._places_left = MOST_PLACES
        self._unknown: dict[str, tuple[int, str]] = {}

    @classmethod
    def of_lines(cls, source: Source, text: str, line: int, top: list[Any]) -> JsonDocument:
        """The values of some lines of a file of JSON lines; `line` is the number of the first."""
        document = cls.__new__(cls)
        document._set(source, text, line, top, [])
        document.shows_index = False
        document._places_left = 1 << 60
        return document

    def value_at(self, index: int) -> JsonValue:
        """The top-level value with this index."""
        return JsonValue(self.top[index], self, None, index)

    @property
    def values(self) -> list[JsonValue]:
        """The top-level values with their places."""
        return list(map(self.value_at, range(len(self.top))))

    def numbered_values(self) -> Iterator[tuple[int, JsonValue]]:
        """The top-level values, each with the line it begins in."""
        for (line, start), value in zip(self._lines(self._starts), self.values, strict=True):
            value.start = start
            yield line, value

    def numbered_messages(self) -> Iterator[tuple[int, JsonValue]]:
        """The top-level values, of lists the elements, each with the line it begins in."""
        for line, value in self.numbered_values():
            if isinstance(value.value, list):
                yield from value.numbered_elements()
            else:
                yield line, value

    def _lines(self, starts: Iterable[int]) -> Iterator[tuple[int, int]]:
        """The lines of rising positions, and these."""
        line, before = self._line, 0
        for start in starts:
            line += self.text.count("\n", before, start)
            before = start
            yield line, start

    def numbered(self, value: JsonValue) -> Iterator[tuple[int, int | None]]:
        """Line and position of each element of a list."""
        if "\n" not in self.text:
            return repeat((self._line, None))
        start = self.start_of(value)
        if start is None:  # within a text that is JSON itself
            return repeat((value.line or self._line, None))
        return self._lines(element_starts(self.text, start))

    def start_of(self, value: JsonValue) -> int | None:
        """The position that a value begins at."""
        steps: list[str | int] = []
        inner: JsonValue | None = value
        while inner is not None and inner.start is None and inner.parent is not None:
            steps.append(inner.step)
            inner = inner.parent
        assert inner is not None
        self._starts = self._starts or line_starts(self.text)
        start = self._starts[int(inner.step)] if inner.start is None else inner.start
        return locate(self.text, start, tuple(reversed(steps)))

    def place(self, value: JsonValue) -> tuple[int | None, int | None]:
        """Line and column of a value, for the first 200 that are asked for.

        Each is searched from the beginning: for a file full of errors this would be quadratic.
        """
        self._places_left -= 1
        start = self.start_of(value) if self._places_left >= 0 else None
        if start is None:
            return None, None
        line = self._line + self.text.count("\n", 0, start)
        return line, start - self.text.rfind("\n", 0, start)

    def note_unknown(self) -> None:
        """Note, once per name, the members that `JsonValue.expect_members` did not expect."""
        for name, (number, path) in self._unknown.items():
            self.source.log.note(
                "JSON-UNKNOWN", f"{number} members {quoted(name)} are not read, first in {path}"
            )
        self._unknown.clear()

    def count_unknown(self, name: str, owner: JsonValue, number: int = 1) -> None:
        """Count members that nobody reads; `owner` has the first of them."""
        counted, path = self._unknown.get(name) or (0, owner.path)
        self._unknown[name] = counted + number, path


class Batch(NamedTuple):
    """Values of a list or of lines: the lines they begin in, as Python has them, with places."""

    lines: Sequence[int]
    values: list[Any]
    places: Iterable[JsonValue]

    def each(self) -> Iterator[tuple[int, JsonValue]]:
        """Each value with its line."""
        return zip(self.lines, self.places, strict=False)


def batches_of_lines(source: Source) -> Iterator[Batch]:
    """The values of JSON lines, or of one JSON list, as the file begins; blank lines are skipped.

    Invalid lines are given to ``source.log.reject``: errors, or skipped in lenient reading.
    """
    head = "\n".join(source.head_lines()).lstrip()
    is_pretty = head.startswith("{") and not head.partition("\n")[0].rstrip().endswith("}")
    if head.startswith("[") or is_pretty:
        for line, value in JsonDocument(source, streams=True).numbered_values():
            if isinstance(value.value, list):
                source.is_silent = True
                yield from value.batches()
            else:
                yield Batch([line], [value.value], [value])
        return
    for first, text in source.passages():
        values = parse_lines(text)
        numbers: Sequence[int] = range(first, first + text.count("\n") + 1)
        if values is not None and len(values) != len(numbers):
            numbers = [n for n, row in enumerate(text.split("\n"), first) if row.strip(BLANKS)]
        if values is not None and len(values) == len(numbers):
            document = JsonDocument.of_lines(source, text, first, values)
            yield Batch(numbers, values, map(document.value_at, range(len(values))))
            continue
        for number, row in enumerate(text.split("\n"), first):
            record = _line_with_care(source, number, row) if row.strip(BLANKS) else None
            if record is not None:
                yield Batch([number], [record.value], [record])


def _line_with_care(source: Source, number: int, text: str) -> JsonValue | None:
    """The value of a line; `None` of one that is rejected."""
    try:
        values, _, is_regular = parse(text, source, line=number)
    except SyntaxFormatError as error:
        source.log.reject("JSON", error)
        return None
    (value,) = JsonDocument.of_lines(source, text, number, values).values
    if not is_regular:
        value.note_not_finite()
    return value


def numbered_records(source: Source) -> Iterator[tuple[int, JsonValue]]:
    """The values of JSON lines or of a list, as `batches_of_lines`, each with its line."""
    for batch in batches_of_lines(source):
        yield from batch.each()


class JsonValue(msgspec.Struct, eq=False):
    """A value and where it stands.

    `value` is as Python has it, `start` its position in the text, if it is known.
    """

    value: Any
    document: JsonDocument
    parent: JsonValue | None = None
    step: str | int = 0
    start: int | None = None

    @property
    def path(self) -> str:
        """Its place, as in ``$.words[3].start``; long names are cut, controls escaped."""
        if self.parent is None:
            return f"$[{self.step}]" if self.step and self.document.shows_index else "$"
        step = f"[{self.step}]" if isinstance(self.step, int) else f".{quoted(self.step)[1:-1]}"
        return self.parent.path + step

    @property
    def line(self) -> int | None:
        """The line it stands in; looked up, so not for every value of a long file."""
        return self.document.place(self)[0]

    def error(self, expected: str, found: str | None = None) -> SyntaxFormatError:
        """What to raise when the value is not `expected`."""
        line, column = self.document.place(self)
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
        return number_text(self.value)[:80]

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
        """The value that `get` finds, without its place."""
        members = self.value
        if type(members) is not dict:
            raise self.error(NAMES[dict])
        for name in names:
            value = members.get(name)
            if value is not None:
                return value
        return None

    def required(self, *names: str) -> JsonValue:
        """Like `get`, for a member that must be there."""
        member = self.get(*names)
        if member is None:
            raise self.error(f"a member {' or '.join(map(quoted, names))}", "none")
        return member

    def has(self, *names: str) -> bool:
        """Whether one of the members is there and not null; `False` for what is no object."""
        members = self.value
        if type(members) is dict:
            for name in names:
                if members.get(name) is not None:
                    return True
        return False

    def _of_type(self, kind: type) -> Any:
        if not isinstance(self.value, kind):
            raise self.error(NAMES[kind])
        return self.value

    def elements(self, *names: str) -> Iterator[JsonValue]:
        """The elements of the list, or of the list that is a member; none if that is missing."""
        owner = self.get(*names) if names else self
        if owner is None:
            return iter(())
        return map(JsonValue, owner._of_type(list), repeat(self.document), repeat(owner), count())

    def numbered_elements(self, *names: str) -> Iterator[tuple[int, JsonValue]]:
        """As `elements`, each with the line it begins in: cheap, unlike `line` for each."""
        owner = self.get(*names) if names else self
        if owner is not None:
            values = owner._of_type(list)
            places = islice(self.document.numbered(owner), len(values))
            for number, (value, (line, start)) in enumerate(zip(values, places, strict=True)):
                yield line, JsonValue(value, self.document, owner, number, start)

    def batches(self) -> Iterator[Batch]:
        """The elements of the list in batches."""
        values = self._of_type(list)
        places = self.document.numbered(self)
        for begin in range(0, len(values), BATCH):
            part = values[begin : begin + BATCH]
            lines, starts = zip(*islice(places, len(part)), strict=True)
            inner = map(JsonValue, part, repeat(self.document), repeat(self), count(begin), starts)
            yield Batch(lines, part, inner)

    def members(self) -> Iterator[tuple[str, JsonValue]]:
        """Names and values of the object, null left out."""
        for name, value in self._of_type(dict).items():
            if value is not None:
                yield name, JsonValue(value, self.document, self, name)

    def expect_members(self, names: frozenset[str]) -> None:
        """Count the members with other names, for `JsonDocument.note_unknown`."""
        if not names.issuperset(self._of_type(dict)):
            for name in self.value:
                if name not in names:
                    self.document.count_unknown(name, self)

    def embedded(self) -> JsonValue:
        """The JSON value that a text holds; the value itself, if it is no text."""
        if not isinstance(self.value, str):
            return self
        try:
            values, _, _ = parse(self.value, self.document.source)
        except SyntaxFormatError:
            values = []
        if not values:
            raise self.error("a text that is JSON")
        return JsonValue(values[0], self.document, self.parent, self.step)

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
        """The number, finite; texts of digits are read, too."""
        value = self.confidence()
        if value is None:
            raise self.error("a finite number")
        return value

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
        """Note which confidences inside are no numbers, and so dropped."""
        if isinstance(self.value, list):
            for element in self.elements():
                element.note_not_finite()
        elif isinstance(self.value, dict):
            for name, member in self.members():
                member.note_not_finite()
                number = member.value if name in CONFIDENCES else None
                if isinstance(number, float) and not isfinite(number):
                    message = f"{member.path}: {member._shown()} is no confidence"
                    self.document.source.log.note("JSON-NAN", message)

    def nanoseconds(self, *, per_second: int = 1) -> int:
        """A time of 0 or more, within 292 years; `per_second` units make a second."""
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

    def flag_of(self, *names: str) -> bool:
        """Whether the member is there and true."""
        member = self.get(*names)
        return member is not None and member.flag()

    def confidence_of(self, *names: str) -> float | None:
        """The confidence among the members, or `None`."""
        value = self._raw(names)
        if type(value) is float and isfinite(value):
            return value
        return None if value is None else self.required(*names).confidence()

    def time_of(self, *names: str, per_second: int = 1) -> int | None:
        """The time among the members in nanoseconds, or `None`."""
        value = self._raw(names)
        if value is None:
            return None
        if type(value) is float or type(value) is int:
            with suppress(ValueError):  # raised again below, with its place
                return nanoseconds(value, per_second)
        return self.required(*names).nanoseconds(per_second=per_second)

    def span_of(
        self,
        start: str | Sequence[str] = "start",
        end: str | Sequence[str] = "end",
        *,
        per_second: int = 1,
        is_whole: bool = False,
    ) -> tuple[int | None, int | None]:
        """Start and end in nanoseconds, `None` where missing; of several names the first counts.

        `is_whole`: a fraction is an error, for the unit must be another one.
        """
        starts, ends = ([name] if isinstance(name, str) else name for name in (start, end))
        start_ns = self.time_of(*starts, per_second=per_second)
        end_ns = self.time_of(*ends, per_second=per_second)
        for names in (starts, ends) if is_whole else ():
            time = self.get(*names)
            if time and abs(number := time.number()) < 10**15 and not number.is_integer():
                raise time.error("whole milliseconds", f"{time.value}, which may be seconds")
        if start_ns is not None and end_ns is not None and end_ns < start_ns:
            shown = number_text(self.required(*starts).value)
            raise self.required(*ends).error(f"an end not before its start {shown}")
        return start_ns, end_ns

    def __repr__(self) -> str:
        return f"<{self.path} {self._shown()}>"
