"""Times: decimal seconds in files, whole nanoseconds inside, float seconds in the API.

Nanoseconds are integers, so that a start plus a duration is exact and adjacent words stay adjacent.
As a float in seconds, a time such as ``12.34`` is the double that C's `atof` returns for this text,
if it is less than 97 days.
"""

from __future__ import annotations

from functools import lru_cache

from formats.schema import LARGEST as LARGEST
from formats.schema import compiled, lazy_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from decimal import Decimal
    from fractions import Fraction

SECOND = 1_000_000_000
# Beyond, the product of a double and 10⁹ may be off by a whole nanosecond.
EXACT_PRODUCTS = 2**51
_compiled_time = compiled("plain_time")
_compiled_times = compiled("plain_times_of")
UNITS: tuple[int, ...] = tuple(10 ** (9 - decimals) for decimals in range(10))
"""Nanoseconds in a unit of the last of so many decimals."""


SCIENTIFIC = lazy_pattern(r"(-?)([0-9]{1,20})(?:\.([0-9]{0,20}))?[eE]([-+]?[0-9]{1,3})\Z")
"""A number with an exponent, as Python and awk print small and large ones."""


def parse_time(text: str) -> int:
    """Parse a decimal number of seconds by the grammar of NIST formats; return nanoseconds.

    The grammar is ``-?digits[.digits?]`` or ``-?.digits`` in ASCII; the first form may have an
    exponent, ``9.5e-05``. ``nan``, ``inf``, plus signs, underscores and decimal commas are
    rejected. (sclite itself uses C's `atof`, which reads any text as 0.) Digits after the ninth are
    rounded, half to even.

    >>> parse_time("12.34"), parse_time(".5"), parse_time("9.5e-05"), parse_time("1e0")
    (12340000000, 500000000, 95000, 1000000000)
    """
    plain = plain_time(text)
    if plain is not None:
        return plain
    if scientific := SCIENTIFIC.match(text):
        return parse_time(_without_exponent(*scientific.groups(default="")))
    digits = text[1:] if text.startswith("-") else text
    whole, _, fraction = digits.partition(".")
    if not (digits.isascii() and (whole + fraction).isdigit()):
        raise ValueError(f"not a decimal number: {text!r}")
    if len(whole) > 10:
        whole = whole.lstrip("0")
        if len(whole) > 10:
            raise ValueError(f"not within 292 years: {text!r}")
    value = int(whole + fraction[:9].ljust(9, "0"))
    if len(fraction) > 9:
        rest = fraction[9:].rstrip("0")
        if rest > "5" or (rest == "5" and value % 2):
            value += 1
    if value > LARGEST:
        raise ValueError(f"not within 292 years: {text!r}")
    return -value if digits is not text else value


def _without_exponent(sign: str, whole: str, fraction: str, exponent: str) -> str:
    """Convert the parts of a number with an exponent to decimal notation without one."""
    point = len(whole) + int(exponent)
    digits = "0" * max(0, 1 - point) + (whole + fraction).ljust(point, "0")
    point = max(1, point)
    return f"{sign}{digits[:point]}.{digits[point:]}"


def plain_time(text: str) -> int | None:
    """Parse a time such as ``12.34``; return `None` if only `parse_time` can read the text."""
    if _compiled_time is not None:
        return _compiled_time(text)  # type: ignore[no-any-return]
    whole, point, fraction = text.partition(".")
    decimals = len(fraction)
    if decimals < 10 > len(whole) and text.isascii() and whole.isdigit():
        if fraction.isdigit():
            return int(whole + fraction) * UNITS[decimals]
        if not point:
            return int(whole) * SECOND
    return None


def plain_span(start: str | None, end: str | None) -> tuple[int, int] | None:
    """Parse a start and an end; return `None` if only `parse_time` can read one of them."""
    if _compiled_times is not None:
        return _compiled_times(start or "", end or "")  # type: ignore[no-any-return]
    first, last = plain_time(start or ""), plain_time(end or "")
    return None if first is None or last is None or last < first else (first, last)


def plain_times(texts: Sequence[str]) -> list[int] | None:
    """Parse times; return `None` if any is negative, or if only `parse_time` can read it.

    Each text is read as a JSON number with exponent 9: as whole nanoseconds, which a double holds
    exactly.

    >>> plain_times(["12.34", "0.5"]), plain_times(["12.34", ".5"]), plain_times([" 1"])
    ([12340000000, 500000000], None, None)
    """
    if not texts:
        return []
    import msgspec  # a hundred lines cost as much as loading it

    if max(map(len, texts)) > 10 and any(text.rfind(".") < len(text) - 10 > 0 for text in texts):
        return None
    joined = "e9,".join(texts)
    if any(blank in joined for blank in " \t\n\r"):  # which may stand before numbers of JSON
        return None
    try:
        times = msgspec.json.decode(f"[{joined}e9]", type=list[int], strict=False)
    except (msgspec.MsgspecError, UnicodeEncodeError):
        return None
    is_plain = len(times) == len(texts) and min(times) >= 0 and max(times) < EXACT_PRODUCTS
    return times if is_plain else None


def is_time(text: str) -> bool:
    """Return True if `parse_time` accepts the text."""
    try:
        parse_time(text)
    except ValueError:
        return False
    return True


def is_finer_than_a_nanosecond(text: str) -> bool:
    """Return True if a time has more decimals than nanoseconds, so that it would be rounded."""
    return bool(text.partition(".")[2][9:].strip("0"))


def nanoseconds(value: float | Decimal | Fraction) -> int:
    """Convert seconds to nanoseconds, rounded to the nearest whole number."""
    try:
        result = round(value * SECOND)
        if isinstance(value, float) and abs(result) > EXACT_PRODUCTS:
            from fractions import Fraction

            result = round(Fraction(float.__repr__(value)) * SECOND)
    except OverflowError:
        raise ValueError(f"not within 292 years: {value!r}") from None
    if abs(result) > LARGEST:
        raise ValueError(f"not within 292 years: {value!r}")
    return result


def seconds(value: int) -> float:
    """Convert nanoseconds to seconds as a float, correctly rounded."""
    return value / SECOND


def round_time(value: int, precision: int) -> int:
    """Round nanoseconds to `precision` decimals of a second (0 to 9), half to even."""
    if precision >= 9:
        return value
    unit: int = 10 ** (9 - precision)
    quotient, rest = divmod(value, unit)
    if rest * 2 > unit or (rest * 2 == unit and quotient % 2):
        quotient += 1
    return quotient * unit


def format_time(value: int, precision: int = 3) -> str:
    """Format nanoseconds as seconds with `precision` decimals (0 to 9), half to even."""
    unit: int = 10 ** (9 - precision)
    count = round_time(value, precision) // unit
    sign = "-" if count < 0 else ""
    if precision == 0:
        return f"{sign}{abs(count)}"
    whole, fraction = divmod(abs(count), 10**precision)
    return f"{sign}{whole}.{fraction:0{precision}d}"


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


def plain_cue_span(line: str, point: str) -> tuple[int, int] | None:
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
