"""Roles of members and columns by their names, whatever their case, joints, affixes and units."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from formats.detection.spec import Option
from formats.io.messages import MEMBER_ROLE
from formats.schema.clock import parse_clock
from formats.schema.errors import OptionError, quoted
from formats.schema.messages import Message
from formats.schema.times import SECOND

UNITS = dict.fromkeys(("s", "sec", "secs", "second", "seconds"), 1)
UNITS |= dict.fromkeys(("ms", "msec", "millis", "millisecond", "milliseconds"), 1000)
ISO = re.compile(r"P?T?(?:(\d+)H)?(?:(\d+)M)?(\d+(?:\.\d*)?)S\Z", re.IGNORECASE)
JOINTS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[^\w]+|_+")
AFFIXES = frozenset(
    ("utterance", "segment", "word", "sentence", "at", "timestamp", "stamp", "position")
)
"""Parts of names of times that say nothing of whether it is a start or an end."""
LARGEST = 1 << 63
TIMES = {
    "start": ("start", "starttime", "begin", "begintime"),
    "end": ("end", "endtime", "stop", "stoptime"),
}
"""The names of times that affixes may be added to."""
PAIRS = frozenset(("timestamp", "timestamps", "times", "time", "span", "interval", "segment"))
"""Names of members that may be a list of a start and an end."""
ROLES = ("text", "start", "end", "duration", "speaker", "id", "recording", "channel")
"""Roles that ``--member`` maps in tables."""
MEMBER = Option(
    "member", "", "names of members or columns by role, for example start=startMs,text=line"
)


PLAUSIBLE_UNITS = (1, 1000, 100)
"""Units per second that are tried, the likeliest first."""
RATES = (0.3, 10.0)
"""Words per second that people speak, pauses included."""
FEWEST_WORDS = 5
NO_BLANKS = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]")
"""Characters of scripts that leave no blanks between words."""


def plain_name(name: str) -> tuple[str, int | None]:
    """Return a name without case, underscores and unit, and its units per second, if any.

    >>> plain_name("start_time"), plain_name("startMs"), plain_name("End (s)")
    (('starttime', None), ('start', 1000), ('end', 1))
    """
    parts = JOINTS.sub(" ", name).lower().split()
    if len(parts) > 1 and parts[-1] in UNITS:
        return "".join(parts[:-1]), UNITS[parts[-1]]
    return "".join(parts), None


def time_role(name: str) -> str:
    """Return ``start`` or ``end``, if a name means that without its affixes, otherwise empty.

    >>> time_role("start_timestamp"), time_role("utterance_end"), time_role("weekend")
    ('start', 'end', '')
    """
    parts = JOINTS.sub(" ", name).lower().split()
    plain = "".join(part for part in parts if part not in AFFIXES and part not in UNITS)
    return next((role for role, names in TIMES.items() if plain in names), "")


def mapped_members(text: str, roles: Sequence[str] = ROLES, side: str = "") -> dict[str, str]:
    """Return the member of each role in a value of ``--member``: ``start=startMs,text=line``."""
    members: dict[str, str] = {}
    for pair in filter(None, text.split(",")):
        role, is_pair, name = pair.partition("=")
        if role not in roles or not is_pair or not name:
            raise OptionError(value=Message(MEMBER_ROLE, {"roles": [*roles], "text": pair}, side))
        members[role] = name
    return members


def check_members(members: Mapping[str, str], present: Any, path: str) -> None:
    """Raise if a mapped member is in no element."""
    for name in members.values():
        if name not in present:
            listed = ", ".join(map(quoted, list(present)[:10])) or "none"
            raise OptionError(path=path, expected=f"a member {quoted(name)}", found=listed)


def is_time(value: Any) -> bool:
    """Return True if a value is a number or a text that `seconds_of` reads."""
    if isinstance(value, str):
        return seconds_of(value) is not None
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def is_pair(value: Any) -> bool:
    """Return True of two times, of which the second may be missing, and where there are none."""
    if value is None:
        return True
    if not isinstance(value, list) or len(value) != 2 or value[0] is None:
        return False
    return all(time is None or (is_time(time) and not isinstance(time, str)) for time in value)


def seconds_of(text: str) -> str | None:
    """Return a clock time or duration as a number of seconds; `None` for another text."""
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
    """Return a number that a time may be, also one written as a text; whole ones stay whole."""
    if isinstance(value, str) and value.isascii() and value.replace(".", "", 1).isdigit():
        value = float(value) if "." in value else int(value[:18])
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return value if is_number and abs(value) < LARGEST else None  # type: ignore[return-value, arg-type]


def plausible_units(spans: Sequence[tuple[float, float | None, str]]) -> list[int]:
    """Return the units per second of numbers, start, end and text, at which people would speak.

    Without ends a text lasts until the next begins. There are none for fewer than five words.

    >>> plausible_units([(0, 2100, "so we begin with"), (2100, 3000, "the minutes")])
    [1000]
    """
    ended = [(end - start, text) for start, end, text in spans if end is not None]
    seconds = sum(length for length, _ in ended)
    texts = [text for _, text in ended]
    if not ended and spans:
        seconds = spans[-1][0] - spans[0][0]
        texts = [text for _, _, text in spans[:-1]]
    words = sum(map(word_count, texts))
    if words < FEWEST_WORDS or not seconds:
        return []
    return [unit for unit in PLAUSIBLE_UNITS if RATES[0] <= words * unit / seconds <= RATES[1]]


def word_count(text: str) -> float:
    """Words of a text; characters of scripts without blanks count half."""
    without_blanks = len(NO_BLANKS.findall(text))
    return without_blanks / 2 if without_blanks else len(text.split())
