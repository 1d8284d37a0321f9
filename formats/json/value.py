"""JSON values with their line, column and path.

The module ensures the following: text is UTF-8; there are at most 64 levels of nesting; repeated
names in an object are reported; a file may hold several values if a service streams them. A member
that is missing or has the wrong type causes an error with line, column and path::

    talk.json:1:57: $.words[3].start: expected a number of seconds, found "x"

A member that is ``null`` counts as absent. Numbers are doubles, so that times with up to 15 digits
are exact to the nanosecond.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, count, repeat
from math import isfinite
from typing import Any, NamedTuple, TypeVar

import msgspec

from formats.detection.head import without_turn_marks
from formats.detection.python_values import as_json
from formats.io.source import Source
from formats.json.messages import JSON_NAN, JSON_UNKNOWN, PYTHON_VALUES
from formats.json.numbers import checked_text, confidence, name_text, nanoseconds, number_text
from formats.json.scanning import (
    BLANKS,
    element_starts,
    line_starts,
    locate,
    parse,
    parse_lines,
    plain_lines_at,
)
from formats.reading.member_names import NAMES_OF_SPEAKERS
from formats.schema.errors import SyntaxFormatError, quoted
from formats.schema.messages import Entry, Message

T = TypeVar("T")
LARGEST = 1 << 28
MOST_PLACES = 200
BATCH = 1 << 12
NAMES = {dict: "an object", list: "a list", str: "a text", bool: "true or false"}
CONFIDENCES = ("confidence", "probability", "score", "conf", "p", "Confidence", "likelihood")
"""Names of members in which a NaN is no error but noted and dropped."""


class JsonDocument:
    """The JSON values of one input file. `streams` allows several values, one after another."""

    is_regular = True
    has_moved = False
    """True once the values below the first are no longer where the text has them."""

    def __init__(self, source: Source, *, streams: bool = False, keep_bytes: bool = False) -> None:
        text = _with_letters(source, source.text(LARGEST, keep_bytes=keep_bytes))
        text = _in_json(source, without_turn_marks(text))
        text, top, starts, self.is_regular = parse(text, source, streams=streams)
        self._set(source, text, 1, top)
        self._starts[0] = starts
        content: Any = top[0] if source.path_to_answer and len(top) == 1 else None
        for name in source.path_to_answer:
            content = content.get(name) if isinstance(content, dict) else None
        if content is not None:
            # numbers between the messages of a service are codes of its connection
            is_list = isinstance(content, list)
            self.top = [[v for v in content if isinstance(v, (dict, list))] if is_list else content]
            self.has_moved = True
        for value in () if self.is_regular else self.values:
            value.note_not_finite()

    def _set(self, source: Source, text: str, line: int, top: list[Any]) -> None:
        self.source = source
        self.top = top
        self.text = text
        self.shows_index = len(top) > 1
        self._first_line = line
        self._starts: dict[int, Sequence[int | None]] = {}
        self._lines: dict[int, Sequence[int]] = {}
        self._places_left = MOST_PLACES
        self.unknown: dict[str, tuple[int, str]] = {}

    @classmethod
    def of_lines(cls, source: Source, text: str, line: int, top: list[Any]) -> JsonDocument:
        """Return a document for some lines of a file. Each line holds one value.

        `line` is the number of the first line, and `top` the values.
        """
        document = cls.__new__(cls)
        document._set(source, text, line, top)
        document.shows_index = False
        document._places_left = 1 << 60
        return document

    def value_at(self, index: int) -> JsonValue:
        """Return the top-level value with this index."""
        return JsonValue(self.top[index], self, None, index)

    @property
    def values(self) -> list[JsonValue]:
        """The top-level values."""
        return list(map(self.value_at, range(len(self.top))))

    @property
    def messages(self) -> Iterator[JsonValue]:
        """The top-level values, with lists replaced by their elements."""
        for value in self.values:
            yield from value.elements() if isinstance(value.value, list) else (value,)

    def starts_in(self, owner: JsonValue | None) -> Sequence[int | None]:
        """Return where the elements of a list, or the top-level values, begin in the text."""
        key = 0 if owner is None else id(owner.value)
        if key not in self._starts:
            is_known = owner is None or not self.has_moved
            start = 0 if owner is None else self.start_of(owner) if is_known else None
            if owner is None:
                self._starts[key] = line_starts(self.text)
            elif start is None:  # within a text that is JSON itself
                self._starts[key] = [None] * len(owner.value)
            else:
                self._starts[key] = list(element_starts(self.text, start))
        return self._starts[key]

    def start_of(self, value: JsonValue) -> int | None:
        """Return the text position at which a value begins."""
        owner = value.parent
        if owner is not None and self.has_moved:
            return None
        if owner is None or id(owner.value) in self._starts:
            return self.starts_in(owner)[int(value.step)]
        start = self.start_of(owner)
        return None if start is None else locate(self.text, start, value.step, self.is_regular)

    def lines_in(self, owner: JsonValue | None) -> Sequence[int]:
        """Return the line on which each element of a list, or each top-level value, begins."""
        key = 0 if owner is None else id(owner.value)
        if key in self._lines:
            return self._lines[key]
        if "\n" not in self.text:
            self._lines[key] = [self._first_line] * len(self.top if owner is None else owner.value)
            return self._lines[key]
        line, before = self._first_line, 0
        starts = self.starts_in(owner)
        if (numbers := plain_lines_at(self.text, starts, line)) is not None:
            self._lines[key] = numbers
            return numbers
        lines = self._lines[key] = []
        for start in starts:
            line += self.text.count("\n", before, start or 0)
            before = start or 0
            lines.append(line)
        return lines

    def line_of(self, value: JsonValue) -> int:
        """Return the line of the list element or top-level value that contains `value`."""
        while value.parent is not None and not isinstance(value.step, int):
            value = value.parent
        return self.lines_in(value.parent)[int(value.step)]

    def place(self, value: JsonValue) -> tuple[int | None, int | None]:
        """Return the line and column of a value.

        Both are `None` after 200 calls, because each call searches the text.
        """
        self._places_left -= 1
        start = self.start_of(value) if self._places_left >= 0 else None
        if start is None:
            return None, None
        line = self._first_line + self.text.count("\n", 0, start)
        return line, start - self.text.rfind("\n", 0, start)

    def note_unknown(self) -> None:
        """Report each member name once that `JsonValue.expect_members` did not expect."""
        for name, (number, path) in self.unknown.items():
            self.source.log.say(JSON_UNKNOWN, members=number, name=name, path=path)
        self.unknown.clear()


class Batch(NamedTuple):
    """Several values from a list or from lines, with their line numbers."""

    lines: Sequence[int]
    values: list[Any]
    places: Iterable[JsonValue]


def batches_of_lines(source: Source) -> Iterator[Batch]:
    """Yield batches of the values of JSON lines or of a JSON list.

    The errors of invalid lines go to ``source.log.reject``.
    """
    head = as_json(without_turn_marks("\n".join(source.head_lines()))).lstrip()
    is_pretty = head.startswith("{") and not head.partition("\n")[0].rstrip().endswith("}")
    if head.startswith("[") or is_pretty:
        document = JsonDocument(source, streams=True)
        for value, line in zip(document.values, document.lines_in(None), strict=True):
            if isinstance(value.value, list):
                source.is_silent = True
                yield from value.batches()
            else:
                yield Batch([line], [value.value], [value])
        return
    for first, passage in source.passages():
        text = _in_json(source, passage)
        values = parse_lines(text)
        numbers: Sequence[int] = range(first, first + text.count("\n") + 1)
        if values is not None and len(values) != len(numbers):
            numbers = [n for n, row in enumerate(text.split("\n"), first) if row.strip(BLANKS)]
        if values is not None and len(values) == len(numbers):
            document = JsonDocument.of_lines(source, text, first, values)
            document._lines[0] = numbers
            yield Batch(numbers, values, map(document.value_at, range(len(values))))
            continue
        for number, row in enumerate(text.split("\n"), first):
            for record in _line_with_care(source, number, row) if row.strip(BLANKS) else ():
                yield Batch([number], [record.value], [record])


def _with_letters(source: Source, text: str) -> str:
    """Return the text with letters for escapes that are the bytes of letters in UTF-8.

    So Facebook and Instagram write the messages that they hand out. All escapes are such bytes.
    """
    if not any(f"\\u00{digit}" in text for digit in "cdef"):
        return text
    from formats.io.messages import ENCODED_TWICE
    from formats.io.twice_encoded import letters_of_escapes

    meant, first = letters_of_escapes(text)
    if first:
        source.log.say(ENCODED_TWICE, text=first)
    return meant


def _in_json(source: Source, text: str) -> str:
    """Convert a text in Python's syntax to JSON, with a note; return any other text unchanged."""
    written = as_json(text)
    if written is not text:
        source.log.say(PYTHON_VALUES)
    return written


def _line_with_care(source: Source, number: int, text: str) -> list[JsonValue]:
    """Return the values of a line, mostly one; none if the line is rejected."""
    try:
        text, values, _, is_regular = parse(text, source, line=number, streams="}{" in text)
    except SyntaxFormatError as error:
        source.log.reject("JSON", error)
        return []
    places = JsonDocument.of_lines(source, text, number, values).values
    for value in places if not is_regular else ():
        value.note_not_finite()
    return list(places)


def records_of(source: Source) -> Iterator[JsonValue]:
    """Yield the values of JSON lines or of a list; see `batches_of_lines`."""
    return chain.from_iterable(batch.places for batch in batches_of_lines(source))


class JsonValue(msgspec.Struct, eq=False):
    """A JSON value with its position; `step` is its name or index in `parent`."""

    value: Any
    document: JsonDocument
    parent: JsonValue | None = None
    step: str | int = 0

    @property
    def path(self) -> str:
        """The path of the value, such as ``$.words[3].start``; long names are shortened."""
        if self.parent is None:
            return f"$[{self.step}]" if self.step and self.document.shows_index else "$"
        step = f"[{self.step}]" if isinstance(self.step, int) else f".{quoted(self.step)[1:-1]}"
        return self.parent.path + step

    @property
    def line(self) -> int:
        """The line of the list element or top-level value that contains this value."""
        return self.document.line_of(self)

    def error(self, expected: str, found: str | None = None) -> SyntaxFormatError:
        """Create the error for a value that is not `expected`."""
        line, column = self.document.place(self)
        return SyntaxFormatError(
            f"{self.path}: expected {expected}, found {found or self.shown}",
            path=self.document.source.name,
            line=line,
            column=column,
        )

    def error_of(self, entry: Entry, /, **fields: Any) -> SyntaxFormatError:
        """Create an error at the position of this value, with a message of the catalogue."""
        line, column = self.document.place(self)
        source = self.document.source
        value = Message(entry, fields, source.log.side)
        return SyntaxFormatError(value=value, path=source.name, line=line, column=column)

    @property
    def shown(self) -> str:
        """The value as text for a message."""
        if isinstance(self.value, str):
            return quoted(self.value)
        if isinstance(self.value, (dict, list)):
            name = NAMES[type(self.value)]
            return name if self.value else f"an empty {name.split()[1]}"
        if self.value is None or isinstance(self.value, bool):
            return {None: "null", True: "true", False: "false"}[self.value]
        return number_text(self.value)[:80]

    def get(self, *names: str) -> JsonValue | None:
        """Return the first of the given members that is present and not null."""
        members = self.value
        if type(members) is not dict:
            raise self.error(NAMES[dict])
        for name in names:
            value = members.get(name)
            if value is not None:
                return JsonValue(value, self.document, self, name)
        return None

    def inner(self, *names: str) -> JsonValue:
        """Return the first of these members that is present; an empty object if all are missing."""
        return self.get(*names) or JsonValue({}, self.document, self, names[0])

    def at(self, path: str) -> JsonValue:
        """Return the value at a path such as ``a.b``; the path must exist."""
        value = self
        for name in filter(None, path.split(".")):
            value = value.required(name)
        return value

    def element(self, index: int) -> JsonValue:
        """Return an element of the list; the element must exist."""
        values = self._of_type(list)
        if len(values) <= index:
            raise self.error(f"a list of {index + 1} or more")
        return JsonValue(values[index], self.document, self, index)

    def has_path(self, path: str) -> bool:
        """Return True if a path leads to a value. In lists, only the first element is checked."""
        value = self.value
        for name in filter(None, path.split(".")):
            value = value[0] if isinstance(value, list) and value else value
            value = value.get(name) if isinstance(value, dict) else None
        return value is not None

    def required(self, *names: str) -> JsonValue:
        """Return the first of these members that is present; it is an error if all are missing."""
        member = self.get(*names)
        if member is None:
            raise self.error(f"a member {' or '.join(map(quoted, names))}", "none")
        return member

    def has(self, *names: str) -> bool:
        """Return True if any of the members is present and not null; `False` if not an object."""
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
        """Yield the elements of this list, or of the list in the first present member.

        Yield nothing if all these members are missing.
        """
        owner = self.get(*names) if names else self
        if owner is None:
            return iter(())
        return map(JsonValue, owner._of_type(list), repeat(self.document), repeat(owner), count())

    def batches(self) -> Iterator[Batch]:
        """Yield batches of the elements of the list."""
        values, lines = self._of_type(list), self.document.lines_in(self)
        for begin in range(0, len(values), BATCH):
            part = values[begin : begin + BATCH]
            inner = map(JsonValue, part, repeat(self.document), repeat(self), count(begin))
            yield Batch(lines[begin : begin + BATCH], part, inner)

    def members(self) -> Iterator[tuple[str, JsonValue]]:
        """Yield the names and the non-null values of the object."""
        for name, value in self._of_type(dict).items():
            if value is not None:
                yield name, JsonValue(value, self.document, self, name)

    def expect_members(self, names: frozenset[str]) -> None:
        """Count the members whose names are not in `names`.

        `JsonDocument.note_unknown` reports them.
        """
        if not names.issuperset(self._of_type(dict)):
            for name in self.value:
                if name not in names:
                    unknown = self.document.unknown
                    number, path = unknown.get(name) or (0, self.path)
                    unknown[name] = number + 1, path

    def embedded(self) -> JsonValue:
        """Parse a text that holds JSON, and return its value; return any other value unchanged."""
        if not isinstance(self.value, str):
            return self
        try:
            values = parse(self.value, self.document.source).values
        except SyntaxFormatError:
            values = []
        if not values:
            raise self.error("a text that is JSON")
        return JsonValue(values[0], self.document, self.parent, self.step)

    def _converted(self, convert: Callable[..., T], *arguments: int) -> T:
        try:
            return convert(self.value, *arguments)
        except ValueError as problem:
            raise self.error(*problem.args) from None

    def member(self, names: Sequence[str], convert: Callable[..., T], *arguments: int) -> T | None:
        """Convert the first of these members that is present; return `None` if there is none."""
        members = self.value
        if type(members) is not dict:
            raise self.error(NAMES[dict])
        for name in names:
            value = members.get(name)
            if value is not None:
                try:
                    return convert(value, *arguments)
                except ValueError as problem:
                    member = JsonValue(value, self.document, self, name)
                    raise member.error(*problem.args) from None
        return None

    def text(self) -> str:
        """Return the value, which must be a text."""
        return self._converted(checked_text)

    def name(self) -> str:
        """Return the value as text.

        It must be a text or a whole number, because files write ids both ways.
        """
        return self._converted(name_text)

    def speaker(self) -> str:
        """Return the name of a speaker; empty for an object without one, and for an empty list.

        The value is a name or a number, an object that holds one, or a list of one of them.
        """
        value = self
        if value.value == []:
            return ""
        if isinstance(value.value, list) and len(value.value) == 1:
            value = value.element(0)
        if not isinstance(value.value, dict):
            return value.name()
        member = value.get(*NAMES_OF_SPEAKERS)
        return "" if member is None else member.name()

    def flag(self) -> bool:
        """Return the value, which must be true or false."""
        return bool(self._of_type(bool))

    def whole(self) -> int:
        """Return the value, which must be a whole number."""
        if isinstance(self.value, bool) or not isinstance(self.value, int):
            raise self.error("a whole number")
        return self.value

    def number(self) -> float:
        """Return the value as a finite number; it may be written as text."""
        value = self.confidence()
        if value is None:
            raise self.error("a finite number")
        return value

    def confidence(self) -> float | None:
        """Return a confidence, which may be written as text; `None` for NaN and infinity."""
        return self._converted(confidence)

    def note_not_finite(self) -> None:
        """Report the confidences that were dropped because they are NaN or infinite."""
        if isinstance(self.value, list):
            for element in self.elements():
                element.note_not_finite()
        elif isinstance(self.value, dict):
            for name, member in self.members():
                member.note_not_finite()
                number = member.value if name in CONFIDENCES else None
                if isinstance(number, float) and not isfinite(number):
                    self.document.source.log.say(JSON_NAN, path=member.path, found=member.shown)

    def nanoseconds(self, *, per_second: int = 1) -> int:
        """Return a time in nanoseconds (0 to 292 years).

        `per_second` is the number of units per second, such as 1000 for milliseconds.
        """
        return self._converted(nanoseconds, per_second)

    def text_of(self, *names: str) -> str | None:
        """Return the text in the first present member, or `None`."""
        return self.member(names, checked_text)

    def name_of(self, *names: str) -> str | None:
        """Return the text or whole number in the first present member, as text, or `None`."""
        return self.member(names, name_text)

    def flag_of(self, *names: str) -> bool:
        """Return True if the first present member is true."""
        member = self.get(*names)
        return member is not None and member.flag()

    def confidence_of(self, *names: str) -> float | None:
        """Return the confidence in the first present member, or `None`."""
        return self.member(names, confidence)

    def time_of(self, *names: str, per_second: int = 1) -> int | None:
        """Return the time in the first present member in nanoseconds, or `None`."""
        return self.member(names, nanoseconds, per_second)

    def span_of(
        self, start: str = "start", end: str = "end", *, per_second: int = 1
    ) -> tuple[int | None, int | None]:
        """Return start and end in nanoseconds; each is `None` if missing."""
        start_ns = self.time_of(start, per_second=per_second)
        end_ns = self.time_of(end, per_second=per_second)
        if start_ns is not None and end_ns is not None and end_ns < start_ns:
            expected = f"an end not before its start {number_text(self.value[start])}"
            raise self.required(end).error(expected)
        return start_ns, end_ns

    def __repr__(self) -> str:
        return f"<{self.path} {self.shown}>"
