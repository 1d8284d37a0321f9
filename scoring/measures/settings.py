"""Parsers for the settings of measures; each takes a text or a parsed value."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from scoring.results.measured import MeasureSetting


def choice_of(name: str, choices: Sequence[str], text: str) -> MeasureSetting:
    """Return a setting that accepts one of `choices`; the default is the first choice."""

    def read(value: Any) -> str:
        if value not in choices:
            raise ValueError(f"expected {' or '.join(choices)}, found {value!r}")
        return str(value)

    return MeasureSetting(name, choices[0], read, text)


def flag(value: Any) -> bool:
    """Parse a truth value: a bool, or yes, no, true or false."""
    if (text := str(value).lower()) not in ("yes", "no", "true", "false"):
        raise ValueError(f"expected yes or no, found {value!r}")
    return text in ("yes", "true")


def items_of(value: Any) -> list[str]:
    """Return the items of a list, or the parts of a text between commas, as texts."""
    parts = value.split(",") if isinstance(value, str) else value
    return [str(part).strip() for part in (parts if isinstance(parts, Iterable) else [parts])]


def whole_from(least: int, most: float = math.inf) -> Callable[[Any], int]:
    """Return a parser of whole numbers within limits."""
    limits = f"from {least}" if most == math.inf else f"from {least} to {most}"

    def read(value: Any) -> int:
        if not str(value).isdecimal() or not least <= int(str(value)) <= most:
            raise ValueError(f"expected a whole number {limits}, found {value!r}")
        return int(str(value))

    return read
