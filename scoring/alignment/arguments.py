"""Argument checks of the plain Python aligners, with the messages of the compiled core.

`scoring/_native/source/common/arguments.hpp` has the same checks for the compiled core. Both reject
the same arguments with the same messages.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import gcd
from operator import index
from typing import Literal, TypeVar

Token = TypeVar("Token")
GREATEST_COST = 2**62
MOST_THREADS = 2**31 - 1
NumberKind = Literal["int32", "int64", "uint64", "float64", "bytes"]

_FORMATS: dict[NumberKind, tuple[str, int]] = {
    "int32": ("ilq", 4),
    "int64": ("ilq", 8),
    "uint64": ("ILQ", 8),
    "float64": ("d", 8),
    "bytes": ("Bb?c", 1),
}


def whole(value: object, name: str, low: int = -(2**63), high: int = 2**63 - 1) -> int:
    """Return a value as a whole number; raise ValueError unless it is from `low` to `high`.

    The value may be of any type with `__index__`.
    """
    number = _index(value, name)
    if not low <= number <= high:
        text = str(number) if -(2**63) <= number < 2**63 else "one of more than 63 bits"
        raise ValueError(f"{name}: expected a whole number from {low} to {high}, found {text}")
    return number


def checked_costs(
    substitution: object, deletion: object, insertion: object
) -> tuple[int, int, int]:
    """Return costs of edits as whole numbers, divided by their greatest common divisor."""
    first = whole(substitution, "substitution", 0, GREATEST_COST)
    second = whole(deletion, "deletion", 0, GREATEST_COST)
    third = whole(insertion, "insertion", 0, GREATEST_COST)
    factor = gcd(first, second, third) or 1
    return first // factor, second // factor, third // factor


def check_overflow(costs: tuple[int, int, int], words: int) -> None:
    """Raise OverflowError if costs with this many words could exceed the 62 bits of the core."""
    if max(costs) > GREATEST_COST // (words + 2):
        raise OverflowError("costs are too large for sequences of this length")


def whole_word(value: object, name: str) -> int:
    """Return a value as an unsigned 64-bit whole number."""
    number = _index(value, name)
    if not 0 <= number < 2**64:
        raise ValueError(f"{name}: expected a whole number from 0 to {2**64 - 1}")
    return number


def _index(value: object, name: str) -> int:
    try:
        return index(value)  # type: ignore[arg-type]
    except TypeError:
        raise unexpected(name, "a whole number", value) from None


def unexpected(name: str, expected: str, value: object) -> TypeError:
    """Return the TypeError for an argument of the wrong type."""
    return TypeError(f"{name}: expected {expected}, found {type(value).__name__}")


def require(fulfilled: bool, problem: str) -> None:
    """Raise a ValueError with the given text unless a condition is true."""
    if not fulfilled:
        raise ValueError(problem)


def checked_bytes(value: object, name: str) -> bytes:
    """Return a bytes object unchanged; raise TypeError for other types."""
    if not isinstance(value, bytes):
        raise unexpected(name, "bytes", value)
    return value


def tokens(sequence: Iterable[Token], name: str) -> tuple[Token, ...]:
    """Return the tokens of a sequence; raise TypeError for text and bytes."""
    problem = unexpected(name, "a sequence of tokens", sequence)
    if isinstance(sequence, (str, bytes)):
        raise TypeError(f"{problem}; split it into tokens first")
    if not hasattr(type(sequence), "__iter__"):
        try:
            return tuple(iter(sequence))
        except TypeError:
            raise problem from None
    return tuple(sequence)


def buffer(value: object, kind: NumberKind, name: str, dimensions: int = 1) -> memoryview:
    """Return a contiguous buffer of numbers of one type as a view; raise TypeError for others."""
    view = _view(value)
    if view is None or not _holds(view, kind, dimensions):
        rows = "rows" if dimensions == 2 else "a contiguous buffer"
        raise unexpected(name, f"{rows} of {kind}", value)
    return view


def _view(value: object) -> memoryview | None:
    try:
        view = memoryview(value)  # type: ignore[arg-type]
    except Exception:
        return None
    return view if view.c_contiguous else None


def _holds(view: memoryview, kind: NumberKind, dimensions: int) -> bool:
    letters, size = _FORMATS[kind]
    letter = view.format[1:] if view.format[:1] in ("@", "=") else view.format
    fits = len(letter) == 1 and letter in letters and view.itemsize == size
    return fits and view.ndim == dimensions
