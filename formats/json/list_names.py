"""Times in lists of JSON, as numbers or texts."""

from __future__ import annotations

from formats.json.numbers import nanoseconds
from formats.reading.member_names import seconds_of

MOST_TRIED = 200
"""Elements that names of members are taken from."""


def clock_nanoseconds(value: float | str, per_second: int = 1) -> int:
    """Return a time in nanoseconds; clock times and durations as texts are in no unit."""
    if type(value) is not str:
        return nanoseconds(value, per_second)
    seconds = seconds_of(value)
    if seconds is None:
        raise ValueError("a time")
    return nanoseconds(seconds, per_second if value.strip() == seconds else 1)
