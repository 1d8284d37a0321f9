"""Times and confidences in JSON, written as numbers or text."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache

from formats.reading.time_values import seconds_of
from formats.schema import compiled
from formats.schema.times import SECOND, parse_time, plain_times

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

LATEST = (2**63 - 1) // SECOND
CERTAIN = 2.0**49
"""Nanoseconds up to which a double times a power of ten is off by less than an eighth."""
NUMBERS = frozenset((int, float, str))
NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]{1,9})?\Z")
_plain_nanoseconds = compiled("plain_nanoseconds_of")
_parsed = lru_cache(1 << 12)(parse_time)

OptionalTimes = Sequence[int | None]


def nanoseconds(number: float | str, per_second: int = 1) -> int:
    """Convert a time to nanoseconds. A `ValueError` says what was expected."""
    if type(number) is float:
        product = number * (SECOND // per_second)
        if 0 <= product < CERTAIN:
            whole = round(product)
            if -0.25 < product - whole < 0.25:
                return whole
    elif type(number) is str:
        try:
            time = _parsed(number)
        except ValueError:
            raise ValueError("a number") from None
        if per_second == 1 and time >= 0:
            return time
    elif type(number) is int and 0 <= number <= LATEST * per_second:
        return number * (SECOND // per_second)
    if type(number) not in NUMBERS:
        raise ValueError("a number")
    if isinstance(number, float) and not math.isfinite(number):
        raise ValueError("a finite number")
    from fractions import Fraction

    exact = Fraction(repr(number) if isinstance(number, float) else number)
    if exact < 0:
        raise ValueError("a time of 0 or more")
    if exact > LATEST * per_second:
        raise ValueError("a time within 292 years")
    return round(exact * (SECOND // per_second))


def times(values: list[Any], per_second: int = 1) -> OptionalTimes | None:
    """Convert numbers to nanoseconds, and keep `None` for missing times.

    Return `None` for the whole list if any value is irregular.
    """
    plain = None if _plain_nanoseconds is None else _plain_nanoseconds(values, per_second)
    if plain is not None:
        return plain  # type: ignore[no-any-return]
    kinds = set(map(type, values))
    if kinds == {str} and per_second == 1:
        return plain_times(values)
    if not kinds <= {*NUMBERS, type(None)}:
        return None
    with suppress(ValueError):
        return [None if value is None else nanoseconds(value, per_second) for value in values]
    return None


def confidence(value: float | str) -> float | None:
    """Return a confidence, which may be written as text; `None` for NaN and infinity."""
    if type(value) is not float:
        if type(value) not in NUMBERS or (type(value) is str and not NUMBER.match(value)):
            raise ValueError("a number")
        try:
            value = float(value)
        except OverflowError:
            return None
    return value if math.isfinite(value) else None


def checked_text(value: object) -> str:
    """Return the value if it is a text; raise `ValueError` otherwise."""
    if type(value) is str:
        return value
    raise ValueError("a text")


def name_text(value: object) -> str:
    """Return a text unchanged, or a whole number as text."""
    if type(value) is str or type(value) is int:
        return str(value)
    raise ValueError("a text or a whole number")


def number_text(value: object) -> str:
    """Return the text of a number for a message."""
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if value != value else "Infinity" if value > 0 else "-Infinity"
    return str(value)


def clock_nanoseconds(value: float | str, per_second: int = 1) -> int:
    """Convert a time, possibly a clock time, to nanoseconds.

    Clock times and durations written as text have no unit: `per_second` does not apply to them.
    """
    if type(value) is not str:
        return nanoseconds(value, per_second)
    seconds = seconds_of(value)
    if seconds is None:
        raise ValueError("a time")
    return nanoseconds(seconds, per_second if value.strip() == seconds else 1)
