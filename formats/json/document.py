"""Reading JSON: values that know where they stand, exact numbers, limits.

What the adapters of JSON formats rely on: UTF-8 text, numbers as `decimal.Decimal` and not binary
fractions, at most 64 levels of nesting, keys that occur twice reported, several values in a row
accepted where a service streams them, and an error with line, column and path for every member
that is missing or of the wrong type::

    talk.json:1:57: $.words[3].start: expected a number of seconds, found "x"

JSON's ``null`` is treated as absence.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import repeat

from formats.errors import SyntaxFormatError, quoted
from formats.json.text import BLANKS, decoder_of, lines_at, locate, parse_values, starts_in
from formats.times import SECOND, parse_time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, TypeAlias

    from formats.source import Source

    Steps: TypeAlias = "tuple[str | int, ...]"

__all__ = ["JsonDocument", "JsonValue", "json_lines", "plain_confidence", "plain_nanoseconds"]

LARGEST = 1 << 28
MOST_PLACES = 200
NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]{1,9})?\Z")
LATEST = (2**63 - 1) // SECOND
NAMES = {dict: "an object", list: "a list", str: "a text", bool: "true or false"}


class JsonDocument:
    """The JSON values of one input.

    Attributes
    ----------
    values: the top-level values, in order; one, unless several follow one another.
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
        self._places = 0
        self._unknown: dict[str, tuple[int, str]] = {}
        self._starts: list[int] = []
        parsed = parse_values(self._text, source, 1, streams, self._starts)
        self.values = [JsonValue(value, self, None, n) for n, value in enumerate(parsed)]

    def numbered_values(self) -> Iterator[tuple[int, JsonValue]]:
        """The top-level values, each with the line it begins in."""
        lines = lines_at(self._text, self._starts, self._first_line)
        yield from zip(lines, self.values, strict=True)

    def lines_of_elements(self, steps: Steps) -> Iterator[int | None]:
        """The lines that the elements of the list begin in that `steps` lead to."""
        if "\n" not in self._text:
            return repeat(self._first_line)
        start = locate(self._text, steps)
        if start is None:
            return repeat(None)
        return lines_at(self._text, starts_in(self._text, start), self._first_line)

    def note_unknown(self) -> None:
        """Remark, once per name, the members that `JsonValue.expect_members` did not know."""
        for name, (count, path) in self._unknown.items():
            self.source.log.note(
                "JSON-UNKNOWN", f"{count} members {quoted(name)} are not read, first in {path}"
            )
        self._unknown.clear()

    def count_unknown(self, name: str, owner: JsonValue) -> None:
        """Count one member of `owner` that nobody reads."""
        count, first = self._unknown.get(name) or (0, owner.path)
        self._unknown[name] = count + 1, first

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


def json_lines(source: Source) -> Iterator[tuple[int, JsonValue]]:
    """One value per line, with its line number; lines of blanks are passed over.

    Bad lines are given to ``source.log.reject``: errors, or skipped in lenient reading.
    """
    decoder = decoder_of(source)
    for number, line in source.lines():
        if not line.strip(BLANKS):
            continue
        document = _Line(source, number, line)
        try:
            values = parse_values(line, source, number, False, None, decoder)
        except SyntaxFormatError as error:
            source.log.reject("JSON", error)
            continue
        yield number, JsonValue(values[0], document)


class _Line(JsonDocument):
    """One line of a file of JSON lines."""

    def __init__(self, source: Source, number: int, line: str) -> None:
        self.source = source
        self._text = line
        self._first_line = number
        self._places = 0
        self._unknown = {}
        self.values = []


class JsonValue:
    """A value and where it stands.

    Attributes
    ----------
    value: as Python has it: `dict`, `list`, `str`, `bool`, `int`, `decimal.Decimal`, `None`.
    document: what it belongs to.
    """

    __slots__ = ("_parent", "_step", "document", "value")

    def __init__(
        self,
        value: Any,
        document: JsonDocument,
        parent: JsonValue | None = None,
        step: str | int | None = None,
    ) -> None:
        self.value = value
        self.document = document
        self._parent = parent
        self._step = step

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
        start = f"$[{first}]" if first and len(self.document.values) > 1 else "$"
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
        return str(self.value)[:80]

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
        values, document = owner._of_type(list), owner.document
        return (JsonValue(value, document, owner, index) for index, value in enumerate(values))

    def numbered_elements(self, *names: str) -> Iterator[tuple[int | None, JsonValue]]:
        """As `elements`, each with the line it begins in: cheap, unlike `line` for each."""
        owner = self.get(*names) if names else self
        if owner is not None:
            values = owner._of_type(list)
            lines = owner.document.lines_of_elements(owner.steps)
            for index, value in enumerate(values):
                yield next(lines, None), JsonValue(value, owner.document, owner, index)

    def embedded(self) -> JsonValue:
        """What a text holds that is JSON itself; the value as it is, if it is no text.

        Raises
        ------
        SyntaxFormatError: the text is no JSON.
        """
        if not isinstance(self.value, str):
            return self
        try:
            values = parse_values(self.value, self.document.source, 1, False)
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

    def number(self) -> Any:
        """The number, an `int` or a `decimal.Decimal`, finite; texts of digits are taken, too."""
        from decimal import Decimal

        value = self.value
        if isinstance(value, str):
            try:
                parse_time(value)
            except ValueError:
                raise self.error("a number") from None
            return Decimal(value)
        if isinstance(value, bool) or not isinstance(value, (int, Decimal)):
            raise self.error("a number")
        if isinstance(value, Decimal) and not value.is_finite():
            raise self.error("a finite number")
        return value

    def nanoseconds(self, *, per_second: int = 1) -> int:
        """A time as nanoseconds, exactly; `per_second` units make a second (1000 for ms).

        Raises
        ------
        SyntaxFormatError: no number, or negative, or beyond 292 years.
        """
        made = plain_nanoseconds(self.value, per_second)
        if made is not None:
            return made
        number = self.number()
        if number < 0:
            raise self.error("a time of 0 or more")
        made = plain_nanoseconds(number, per_second)
        if made is None:
            raise self.error("a time within 292 years")
        return made

    def confidence(self) -> float | None:
        """A confidence, also written as a text; a NaN or infinity is `None`, with a note."""
        value = self.value
        made = plain_confidence(value)
        if made is not None:
            return made
        import math
        from decimal import Decimal

        if isinstance(value, str) and NUMBER.match(value):
            value = Decimal(value)
        if isinstance(value, bool) or not isinstance(value, (int, Decimal)):
            raise self.error("a number")
        try:
            number = float(value)
        except OverflowError:
            number = math.inf
        if math.isfinite(number):
            return number
        self.document.source.log.note("JSON-NAN", f"{self.path}: {value} is no confidence")
        return None

    def __repr__(self) -> str:
        return f"<{self.path} {self._shown()}>"


@cache
def _exact() -> Any:
    """Arithmetic that rounds half to even at the fiftieth digit and raises nothing."""
    from decimal import Context

    return Context(prec=50, traps=[])


@cache
def _decimal() -> tuple[Any, Any]:
    """The type of numbers with a point, and how to multiply them."""
    from decimal import Decimal

    return Decimal, _exact().multiply


def plain_nanoseconds(number: object, per_second: int = 1) -> int | None:
    """A JSON number that is a time, as `JsonValue.nanoseconds` has it; `None` for all else.

    The quick way for the many times of a long file, where what is odd is then looked at again.

    >>> plain_nanoseconds(1500, 1000), plain_nanoseconds("1.5")
    (1500000000, None)
    """
    kind = type(number)
    if kind is int:
        is_time = 0 <= number <= LATEST * per_second  # type: ignore[operator]
        return number * (SECOND // per_second) if is_time else None  # type: ignore[operator]
    if number is None or kind is str:
        return None
    decimal, multiply = _decimal()
    if kind is not decimal or not number.is_finite():  # type: ignore[attr-defined]
        return None
    if not 0 <= number <= LATEST * per_second:  # type: ignore[operator]
        return None
    return int(multiply(number, SECOND // per_second).to_integral_value())


def plain_confidence(number: object) -> float | None:
    """A JSON number between -1 and 1, `None` for all else: see `plain_nanoseconds`."""
    kind = type(number)
    if number is None or kind is str:
        return None
    decimal, _ = _decimal()
    if kind is not int and (kind is not decimal or not number.is_finite()):  # type: ignore[attr-defined]
        return None
    return float(number) if -1 <= number <= 1 else None  # type: ignore[arg-type,operator]
