"""Conditions that choose which utterances are scored, as in `device=phone` and `duration>6`.

A condition is a name, a sign and values. The signs `=` and `!=` take one or several values, the
signs `<`, `<=`, `>` and `>=` take one number. Texts are compared exactly; two numbers are equal if
their values are equal (`1` and `1.0`). An utterance without a value meets `name=` (no value) and
`name!=value`, and no other condition.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping
from math import isfinite
from typing import NamedTuple

from scoring.model.errors import OptionTypeError, OptionValueError

LABEL = "label"  # a property with several values, joined by commas
# The property that times give; its unit is the second.
DURATION = "duration"
# Longer signs first.
SIGNS = ("!=", "<=", ">=", "==", "=", "<", ">")
ORDERS: dict[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_UNITS = {"ms": 0.001, "s": 1.0}


class RowCondition(NamedTuple):
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
        if not value:
            return ("" in self.values) == (self.sign == "=") and self.sign in ("=", "!=")
        if self.sign in ORDERS:
            number = _number(value)
            if number is None:
                raise ValueError(value)
            return ORDERS[self.sign](number, float(self.values[0]))
        parts = self.parts(value)
        is_one = any(are_equal(part, required) for part in parts for required in self.values)
        return is_one == (self.sign == "=")

    def parts(self, value: str) -> list[str]:
        """Return the values in a value: an utterance may have several labels."""
        return value.split(",") if self.name == LABEL else [value]


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


def are_equal(value: str, required: str) -> bool:
    """Return True if two values are the same text or the same number."""
    if value == required:
        return True
    numbers = _number(value), _number(required)
    return numbers[0] is not None and numbers[0] == numbers[1]


def conditions_of(texts: object) -> tuple[RowCondition, ...]:
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
    conditions: list[RowCondition] = []
    for text in every:
        if not isinstance(text, str):
            raise OptionTypeError("where", expected="a list of texts", found=f"{text!r} in it")
        conditions.append(_condition_of(text))
    return tuple(dict.fromkeys(conditions))


def _condition_of(text: str) -> RowCondition:
    """Parse one condition."""
    places = [begin for sign in "!<>=" if (begin := text.find(sign)) > 0]
    begin = min(places, default=0)
    sign = next((sign for sign in SIGNS if begin and text.startswith(sign, begin)), "")
    name, rest = text[:begin].strip(), text[begin + len(sign) :].strip()
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
    if sign in ORDERS and (len(values) != 1 or _number(values[0]) is None):
        raise OptionValueError("where", expected=f"one number after {name}{sign}", found=repr(rest))
    return RowCondition(name, sign, tuple(dict.fromkeys(values)))


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
