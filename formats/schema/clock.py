"""Parsing and formatting of clock times, such as ``01:02:03,456``."""

from __future__ import annotations

from functools import lru_cache

from formats.schema import compiled, lazy_pattern
from formats.schema.times import SECOND, UNITS, round_time

MINUTE = 60 * SECOND
MINUTES = lazy_pattern(r"(?:([0-9]{1,6}):)?([0-9]{1,2})\Z")
LONGEST_MINUTES = len("999999:59")
POINTS = ("", ".", ",")
_compiled_clock = compiled("plain_clock")
_compiled_span = compiled("plain_span")
CLOCK = lazy_pattern(r"(?:([0-9]{1,9}):)?([0-9]{1,2}):([0-9]{1,2})(?:[.,]([0-9]*))?\Z")


def parse_clock(text: str) -> int:
    """Parse ``[hours:]minutes:seconds[.fraction]``, with point or comma; return nanoseconds."""
    plain = plain_clock(text)
    if plain is not None:
        return plain
    match = CLOCK.match(text)
    if match is None or not text.isascii():
        raise ValueError(f"not a time: {text!r}")
    hour, minute, second, fraction = match.groups()
    if int(minute) > 59 or int(second) > 59:
        raise ValueError(f"minutes and seconds are below 60: {text!r}")
    whole = (int(hour or 0) * 60 + int(minute)) * 60 + int(second)
    if whole > 2**63 // SECOND - 1:
        raise ValueError(f"not within 292 years: {text!r}")
    digits = (fraction or "").ljust(9, "0")
    return whole * SECOND + int(digits[:9])


def plain_clock(text: str) -> int | None:
    """Parse a clock time like ``01:02:03,456``; return nanoseconds.

    Return `None` if the text has another form, which `parse_clock` may accept.
    """
    if _compiled_clock is not None:
        return _compiled_clock(text)  # type: ignore[no-any-return]
    minutes, _, seconds = text.rpartition(":")
    digits = seconds[:2] + seconds[3:]
    decimals = len(digits) - 2
    has_shape = 0 <= decimals < 10 and seconds[2:3] in POINTS and len(seconds) != 3
    if has_shape and len(minutes) <= LONGEST_MINUTES and digits.isdigit() and digits.isascii():
        before, after = _whole_minutes(minutes), int(digits) * UNITS[decimals]
        if before is not None and after < MINUTE:
            return before + after
    return None


@lru_cache(maxsize=1024)
def _whole_minutes(text: str) -> int | None:
    """Parse ``[hours:]minutes``; return nanoseconds.

    The result is cached, because many times share the minutes.
    """
    match = MINUTES.match(text)
    if match is None or int(match[2]) > 59:
        return None
    return (int(match[1] or 0) * 60 + int(match[2])) * MINUTE


def plain_span(line: str, point: str) -> tuple[int, int] | None:
    """Parse a timing line of a cue in the usual form; return start and end in nanoseconds.

    Return `None` for a line in any other form, even if it is valid.
    """
    if _compiled_span and (span := _compiled_span(line, point)) is not None:
        return span  # type: ignore[no-any-return]
    if len(line) != 29 or line[12:17] != " --> " or not line[8] == line[25] == point:
        return None
    start, end = plain_clock(line[:12]), plain_clock(line[17:])
    return None if start is None or end is None or end < start else (start, end)


def format_clock(value: int, *, decimals: int = 3, point: str = ".", hour_digits: int = 2) -> str:
    """Format nanoseconds as ``hh:mm:ss.fff``, rounded half to even.

    Hours have as many digits as necessary.
    """
    if value < 0:
        raise ValueError("a time of day is not negative")
    whole, rest = divmod(round_time(value, decimals), SECOND)
    fraction = f"{point}{rest // 10 ** (9 - decimals):0{decimals}d}" if decimals else ""
    minutes, seconds = divmod(whole, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours:0{hour_digits}d}:{minutes:02d}:{seconds:02d}{fraction}"
