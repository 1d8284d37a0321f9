"""Time expressions of TTML, and the times of nested elements."""

import re
from collections.abc import Mapping
from typing import TypeAlias

from formats.reading.frames import FrameRate, nearest
from formats.schema.times import LARGEST, SECOND, parse_clock

TimeSpan: TypeAlias = tuple[int, int | None]
"""Begin and end in nanoseconds; `None` is open."""

CLOCK = re.compile(r"([0-9]{2,9}|[0-9]):([0-9]{1,2}):([0-9]{1,2})(?:\.[0-9]+)?\Z")
FRAMES = re.compile(r"([0-9]{1,9}):([0-9]{1,2}):([0-9]{1,2}):([0-9]{1,4})(?:\.([0-9]{1,4}))?\Z")
OFFSET = re.compile(r"([0-9]{1,18})(?:\.([0-9]{1,30}))?(h|ms|m|s|f|t|)\Z")
MINUTES = re.compile(r"[0-9]{1,9}:(?:[0-5]?[0-9]\.[0-9]{1,30}|[0-5][0-9])\Z")
MULTIPLIER = re.compile(r"([0-9]{1,9})[ :]+([0-9]{1,9})\Z")
UNITS = {"h": 3600 * SECOND, "m": 60 * SECOND, "s": SECOND, "": SECOND, "ms": SECOND // 1000}
TURNED_OVER = ((1001, 1000), (1000, 999))
"""Rates of NTSC above its whole numbers, which no video has: some writers of iTT mix them up."""
NTSC = (1000, 1001)
FASTEST = 1000
"""Frames per second that no video exceeds."""


class Clock:
    """The timing parameters of a document, from the attributes of its root element."""

    def __init__(self, parameters: Mapping[str, str]) -> None:
        self.frame_rate = _positive(parameters, "frameRate", 30)
        self.sub_frame_rate = _positive(parameters, "subFrameRate", 1)
        above, below = 1, 1
        self.is_mended = False
        if "frameRateMultiplier" in parameters:
            numbers = MULTIPLIER.match(parameters["frameRateMultiplier"].strip())
            above, below = map(int, numbers.groups()) if numbers else (0, 0)
            if not above or not below:
                raise ValueError("a frameRateMultiplier of two positive numbers")
            is_too_fast = self.frame_rate * above > FASTEST * below
            if (above, below) in TURNED_OVER or (is_too_fast and above == NTSC[0]):
                above, below = (below, above) if (above, below) in TURNED_OVER else NTSC
                self.is_mended = True
            elif is_too_fast:
                raise ValueError(f"a frameRateMultiplier for at most {FASTEST} frames per second")
        self.rate = FrameRate(self.frame_rate * above, below)
        usual = self.frame_rate * self.sub_frame_rate if "frameRate" in parameters else 1
        self.tick_rate = _positive(parameters, "tickRate", usual)
        self.time_base = parameters.get("timeBase", "media")
        self.drop_mode = parameters.get("dropMode", "nonDrop")

    def parse(self, text: str) -> int:
        """Parse a time expression, or a plain number of seconds; return nanoseconds."""
        text = text.strip()
        if not text.isascii():
            raise ValueError(text)
        offset = OFFSET.match(text)
        if offset is not None and (offset[2] or offset[3]):
            return self._offset(offset[1], offset[2] or "", offset[3])
        frames = FRAMES.match(text)
        if frames is not None:
            return self._frames(*(int(part or 0) for part in frames.groups()))
        if CLOCK.match(text) is None and MINUTES.match(text) is None:
            raise ValueError(text)
        return parse_clock(text)

    def _offset(self, whole: str, decimals: str, unit: str) -> int:
        frame, count = self.rate
        units = {"f": (count * SECOND, frame), "t": (SECOND, self.tick_rate)}
        time, divisor = units.get(unit) or (UNITS[unit], 1)
        return _checked(int(whole + decimals) * time, 10 ** len(decimals) * divisor)

    def _frames(self, hours: int, minutes: int, seconds: int, frame: int, part: int) -> int:
        if minutes > 59 or seconds > 59 or frame >= self.frame_rate:
            raise ValueError("beyond the frame rate")
        whole = (hours * 60 + minutes) * 60 + seconds
        parts = frame * self.sub_frame_rate + part
        if self.time_base == "smpte":
            counted = whole * self.frame_rate - self._dropped(hours, minutes)
            parts += counted * self.sub_frame_rate
            whole = 0
        divisor = self.rate.above * self.sub_frame_rate
        return _checked(parts * self.rate.below * SECOND + whole * SECOND * divisor, divisor)

    def _dropped(self, hours: int, minutes: int) -> int:
        """Return how many frame numbers drop-frame counting has skipped before a time."""
        if self.drop_mode == "dropNTSC":
            return (hours * 54 + minutes - minutes // 10) * 2
        if self.drop_mode == "dropPAL":
            return (hours * 27 + minutes // 2 - minutes // 20) * 4
        return 0


def _checked(dividend: int, divisor: int) -> int:
    """Divide and round to the nearest whole number, half to even.

    Reject times that are too large.
    """
    value = nearest(dividend, divisor)
    if not 0 <= value <= LARGEST:
        raise ValueError("not within 292 years")
    return value


def _positive(parameters: Mapping[str, str], name: str, usual: int) -> int:
    text = parameters.get(name)
    if text is None:
        return usual
    text = text.strip()
    if not (text.isascii() and text.isdigit() and len(text) < 10 and int(text)):
        raise ValueError(f"a {name} of a positive number")
    return int(text)


def span_within(
    outer: TimeSpan, reference: int, begin: int | None, end: int | None, duration: int | None
) -> TimeSpan:
    """Return the times of an element whose parent has the times `outer`.

    `begin` and `end` count from `reference`: the parent's begin, or in a sequence the end of the
    previous element. The element ends at the earliest of its end, its begin plus duration, and the
    parent's end.
    """
    first, last = reference + (begin or 0), outer[1]
    if end is not None and (last is None or reference + end < last):
        last = reference + end
    if duration is not None and (last is None or first + duration < last):
        last = first + duration
    return first, last
