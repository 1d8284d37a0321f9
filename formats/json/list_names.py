"""Names of JSON members without their units, and times as numbers or texts."""

from __future__ import annotations

import re
from typing import Any

from formats.schema.clock import parse_clock
from formats.schema.times import SECOND

UNITS = dict.fromkeys(("s", "sec", "secs", "seconds"), 1)
UNITS |= dict.fromkeys(("ms", "millis", "milliseconds"), 1000)
ISO = re.compile(r"P?T?(?:(\d+)H)?(?:(\d+)M)?(\d+(?:\.\d*)?)S\Z", re.IGNORECASE)
LARGEST = 1 << 63
MOST_TRIED = 200
"""Elements that names of members are taken from."""


def plain_name(name: str) -> tuple[str, int | None]:
    """A name without case, underscores and unit, and its units per second, if any."""
    parts = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|[-_ ]+", " ", name).lower().split()
    if len(parts) > 1 and parts[-1] in UNITS:
        return "".join(parts[:-1]), UNITS[parts[-1]]
    return "".join(parts), None


def is_time(value: Any) -> bool:
    """True if a value is a number or a text that `seconds_of` reads."""
    if isinstance(value, str):
        return seconds_of(value) is not None
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def seconds_of(text: str) -> str | None:
    """A clock time or duration as a number of seconds; `None` for another text."""
    text = text.strip()
    try:
        if ":" in text:
            time = parse_clock(text)
        elif parts := ISO.match(text):
            hours, minutes, rest = parts.groups()
            whole, _, fraction = rest.partition(".")
            time = (int(hours or 0) * 60 + int(minutes or 0)) * 60 + int(whole)
            time = time * SECOND + int(fraction.ljust(9, "0")[:9])
        else:
            return text if re.fullmatch(r"[0-9]{1,15}(?:\.[0-9]*)?", text) else None
    except ValueError:
        return None
    return f"{time // SECOND}.{time % SECOND:09d}"


def number_of(value: object) -> float | None:
    """A number that a time may be, also one written as a text; whole ones stay whole."""
    if isinstance(value, str) and value.isascii() and value.replace(".", "", 1).isdigit():
        return float(value) if "." in value else int(value[:18])
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return value if is_number and abs(value) < LARGEST else None  # type: ignore[return-value, arg-type]
