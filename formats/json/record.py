"""Typed records of JSON: what a member may be is said once, and checked as values are taken."""

from __future__ import annotations

import math
import re
from functools import lru_cache
from operator import attrgetter, gt, sub
from typing import Any, ClassVar

import msgspec

from formats.errors import quoted
from formats.native import compiled
from formats.times import SECOND, parse_time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    Times = Sequence[int | None]

__all__ = [
    "Name",
    "Number",
    "Record",
    "WrongError",
    "confidence",
    "confidences_of",
    "first_of",
    "nanoseconds",
    "spans_at_once",
    "spans_of",
    "times_at_once",
]

Number = int | float | str | None
"""A time or a confidence, which some services write as a text."""
Name = str | int | None
"""An identifier, which some services write as a number."""
_compiled_spans = compiled("spans")
LATEST = (2**63 - 1) // SECOND
CERTAIN = 2.0**49
"""Nanoseconds up to which a double times a power of ten is off by less than an eighth."""
_parsed = lru_cache(1 << 16)(parse_time)
"""Services say the time of a word in several places."""
NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]{1,9})?\Z")


class WrongError(ValueError):
    """A member of a record is not what it should be; who knows its place makes the message of it.

    Attributes
    ----------
    member: its name, as the record has it; of the record itself, `None`.
    expected, found: as in messages; `found` is `None` for the value as it is.
    record: the record, or `None` for the outermost one that is looked at.
    """

    def __init__(
        self,
        member: str | None,
        expected: str,
        found: str | None = None,
        record: Record | None = None,
    ) -> None:
        super().__init__(expected)
        self.member = member
        self.expected = expected
        self.found = found
        self.record = record


class Record(msgspec.Struct, gc=False):
    """An object with typed members; one without a default must be there.

    Attributes
    ----------
    unread: names of members that are known and not read; `None` where any others are welcome.
    lists: members that are lists of records, and of which, for unknown ones in these.
    """

    unread: ClassVar[frozenset[str] | None] = None
    lists: ClassVar[tuple[tuple[str, type[Record]], ...]] = ()

    @classmethod
    def encoded(cls, name: str) -> str:
        """What a member is called in the file."""
        return cls.__struct_encode_fields__[cls.__struct_fields__.index(name)]

    def steps_to(self, inner: Record) -> tuple[str | int, ...] | None:
        """The members and indices, as the file has them, that lead to a record inside this one."""
        if inner is self:
            return ()
        for name in self.__struct_fields__:
            value = getattr(self, name)
            for index, one in enumerate(value if isinstance(value, list) else (value,)):
                found = one.steps_to(inner) if isinstance(one, Record) else None
                if found is not None:
                    return (self.encoded(name), *([index] if value is not one else []), *found)
        return None

    def required(self, *names: str) -> Any:
        """The first of these members that is there.

        Raises
        ------
        WrongError: none is.
        """
        for name in names:
            value = getattr(self, name)
            if value is not None:
                return value
        shown = " or ".join(quoted(self.encoded(name)) for name in names)
        raise WrongError(None, f"a member {shown}", "none", self)

    def name_of(self, member: str) -> str | None:
        """A text, or a whole number as its digits: identifiers are written both ways."""
        value = getattr(self, member)
        return None if value is None else str(value)

    def time_of(self, name: str, per_second: int = 1) -> int | None:
        """A time in nanoseconds, or `None`; `per_second` units make a second.

        Raises
        ------
        WrongError: no number, negative, or beyond 292 years.
        """
        value = getattr(self, name)
        if value is None:
            return None
        try:
            return nanoseconds(value, per_second)
        except ValueError as problem:
            raise WrongError(name, str(problem), record=self) from None

    def span(
        self, start: str = "start", end: str = "end", per_second: int = 1
    ) -> tuple[int | None, int | None]:
        """Start and end in nanoseconds, `None` where missing.

        Raises
        ------
        WrongError: no times, or an end before its start.
        """
        first, last = getattr(self, start), getattr(self, end)
        try:
            start_ns = None if first is None else nanoseconds(first, per_second)
            end_ns = None if last is None else nanoseconds(last, per_second)
        except ValueError:
            # One of the two raises again, with its name.
            start_ns, end_ns = self.time_of(start, per_second), self.time_of(end, per_second)
        if start_ns is not None and end_ns is not None and end_ns < start_ns:
            shown = text_of_number(first)
            raise WrongError(end, f"an end not before its start {shown}", record=self)
        return start_ns, end_ns

    def sureness(self, name: str = "confidence") -> float | None:
        """A confidence, or `None`.

        Raises
        ------
        WrongError: no number.
        """
        value = getattr(self, name)
        if value is None:
            return None
        try:
            return confidence(value)
        except ValueError as problem:
            raise WrongError(name, str(problem), record=self) from None


def spans_of(
    records: Sequence[Record], start: str = "start", end: str = "end", per_second: int = 1
) -> tuple[Times, Times]:
    """Starts and ends of many records in nanoseconds, as `Record.span` has those of one.

    Raises
    ------
    WrongError: as `Record.span`, of the first record that is wrong.
    """
    given = [list(map(attrgetter(name), records)) for name in (start, end)]
    times = spans_at_once(given[0], given[1], per_second)
    if times is not None:
        return times
    spans = [one.span(start, end, per_second) for one in records]
    return [first for first, _ in spans], [last for _, last in spans]


def spans_at_once(
    starts: list[Any], ends: list[Any], per_second: int = 1
) -> tuple[Times, Times] | None:
    """Numbers and texts of digits as `nanoseconds`; `None` where a pair wants a closer look."""
    if _compiled_spans is not None:
        times: tuple[Times, Times] | None = _compiled_spans(starts, ends, per_second)
        if times is not None:
            return times
    firsts, lasts = (times_at_once(values, per_second) for values in (starts, ends))
    if firsts is None or lasts is None:
        return None
    timed = (firsts, lasts)
    if None in firsts or None in lasts:
        pairs = [pair for pair in zip(firsts, lasts, strict=True) if None not in pair]
        timed = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    return None if any(map(gt, *timed)) else (firsts, lasts)  # type: ignore[arg-type]


def first_of(records: Sequence[Record], *names: str) -> list[Any]:
    """Of each record the first of these members that it has, or `None`."""
    for name in names:
        values = list(map(attrgetter(name), records))
        missing = values.count(None)
        if not missing:
            return values
        if missing < len(values):
            return [
                next(
                    (value for value in map(one.__getattribute__, names) if value is not None), None
                )
                for one in records
            ]
    return values


def confidences_of(records: Sequence[Record], *names: str) -> Sequence[float | None]:
    """The confidence of each record: the first of these members that it has.

    Raises
    ------
    WrongError: as `Record.sureness`.
    """
    values = first_of(records, *names)
    kinds = set(map(type, values))
    if kinds == {type(None)}:
        return values
    made = _plain_numbers(values, kinds)
    if made is not None:
        return made
    return [
        one.sureness(next((name for name in names if getattr(one, name) is not None), names[0]))
        for one in records
    ]


def _plain_numbers(values: list[Any], kinds: set[type]) -> list[float] | None:
    """Finite numbers, or texts of digits, as doubles; `None` where one is anything else."""
    if kinds == {str}:
        text = "\n".join(values)
        digits = text.replace("\n", "").replace(".", "")
        if not (digits.isascii() and digits.isdigit()) or "\n." in text or text[0] == ".":
            return None
    elif not kinds <= {float, int}:
        return None
    try:
        made = values if kinds == {float} else list(map(float, values))
    except (ValueError, OverflowError):
        return None
    return made if math.isfinite(sum(made)) else None


def times_at_once(values: list[Any], per_second: int = 1) -> Times | None:
    """`nanoseconds` of many numbers, or `None` where one of them wants a closer look."""
    at_once = compiled("times")
    found: Times | None = at_once(values, per_second) if at_once else None
    if found is not None:
        return found
    kinds = set(map(type, values))
    if type(None) in kinds:
        known = times_at_once([value for value in values if value is not None], per_second)
        if known is None:
            return None
        following = iter(known)
        return [None if value is None else next(following) for value in values]
    if kinds == {int}:
        units = SECOND // per_second
        is_plain = min(values) >= 0 and max(values) * units < CERTAIN
        return [value * units for value in values] if is_plain else None
    numbers = _plain_numbers(values, kinds)
    if not numbers:
        return None if numbers is None else []
    scale = float(SECOND // per_second)
    products = [number * scale for number in numbers]
    if min(products) < 0 or max(products) >= CERTAIN:
        return None
    made = list(map(round, products))
    if per_second == 1 and [whole / SECOND for whole in made] == numbers:
        return made
    gaps = list(map(sub, products, made))
    return made if max(gaps) < 0.25 and min(gaps) > -0.25 else None


def nanoseconds(number: float | str, per_second: int = 1) -> int:
    """A time as nanoseconds; `per_second` units make a second (1000 for ms).

    >>> nanoseconds(1500, 1000), nanoseconds("1.5"), nanoseconds(0.1)
    (1500000000, 1500000000, 100000000)

    Raises
    ------
    ValueError: no number, negative, or beyond 292 years; its text says what was expected.
    """
    if type(number) is float:
        product = number * (SECOND // per_second)
        if 0 <= product < CERTAIN:
            whole = round(product)
            if -0.25 < product - whole < 0.25:
                return whole
    elif type(number) is str:
        try:
            made = _parsed(number)
        except ValueError:
            raise ValueError("a number") from None
        if per_second == 1 and made >= 0:
            return made
    elif type(number) is int and 0 <= number <= LATEST * per_second:
        return number * (SECOND // per_second)
    if isinstance(number, float) and not math.isfinite(number):
        raise ValueError("a finite number")
    from fractions import Fraction

    exact = Fraction(repr(number) if isinstance(number, float) else number)
    if exact < 0:
        raise ValueError("a time of 0 or more")
    if exact > LATEST * per_second:
        raise ValueError("a time within 292 years")
    return round(exact * (SECOND // per_second))


def confidence(value: float | str) -> float | None:
    """A confidence, also written as a text; a NaN or infinity is `None`.

    Raises
    ------
    ValueError: no number; its text says what was expected.
    """
    if type(value) is not float:
        if isinstance(value, str) and not NUMBER.match(value):
            raise ValueError("a number")
        try:
            value = float(value)
        except OverflowError:
            return None
    return value if math.isfinite(value) else None


def text_of_number(value: object) -> str:
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if value != value else "Infinity" if value > 0 else "-Infinity"
    return str(value)
