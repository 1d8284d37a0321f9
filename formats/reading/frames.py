"""Frame rates, frame numbers and time codes."""

import re
from collections.abc import Sequence
from math import gcd
from typing import NamedTuple

from formats.detection.spec import Option
from formats.io.messages import FRAME_RATE
from formats.schema.errors import OptionError
from formats.schema.messages import Message
from formats.schema.times import SECOND

RATE = re.compile(r"[0-9]{1,4}(?:\.[0-9]{0,9})?\Z")
FRACTION = re.compile(r"([0-9]{1,6})/([0-9]{1,6})\Z")
FPS = Option(
    "fps",
    "",
    "frames per second, for times that count frames, for example 25 or 24000/1001 (default: the "
    "rate of the file)",
)


USUAL_RATES = (25, 30, 60, 100)
"""Frame rates that are tried for time codes, the likeliest first."""


class FrameRate(NamedTuple):
    """A frame rate: the fraction `above` / `below` in frames per second.

    Times are in nanoseconds, rounded half to even.
    """

    above: int
    below: int

    @property
    def nominal(self) -> int:
        """The whole number of frames per second with which time codes count."""
        return -(-self.above // self.below)

    def time(self, frame: int) -> int:
        """Return the start of the frame with this number, in nanoseconds."""
        return nearest(frame * self.below * SECOND, self.above)

    def milliseconds(self, frame: int) -> float:
        """Return the start of a frame in milliseconds, without rounding."""
        return frame * 1000 * self.below / self.above

    def frame(self, time: int) -> int:
        """Return the number of the frame nearest to a time (half to even)."""
        return nearest(time * self.above, self.below * SECOND)

    def frame_upwards(self, time: int) -> int:
        """Return the number of the frame nearest to a time (half up)."""
        return (2 * time * self.above // (self.below * SECOND) + 1) // 2

    def time_of_code(self, hours: str, minutes: str, seconds: str, frames: str) -> int:
        """Return the time of a time code in nanoseconds.

        Raise `ValueError` if a part is too large.
        """
        if int(minutes) > 59 or int(seconds) > 59 or int(frames) >= self.nominal:
            raise ValueError(f"minutes and seconds below 60, frames below {self.nominal}")
        whole = (int(hours) * 60 + int(minutes)) * 60 + int(seconds)
        return self.time(whole * self.nominal + int(frames))


def parse_rate(text: str) -> FrameRate:
    """Parse a frame rate such as ``25`` or ``30000/1001``.

    A number within 0.001 of 24000/1001, 30000/1001 or 60000/1001 means this fraction.
    """
    fraction = FRACTION.match(text)
    if fraction is not None:
        above, below = int(fraction[1]), int(fraction[2])
    elif RATE.match(text):
        whole, _, decimals = text.partition(".")
        above, below = int(whole + decimals), 10 ** len(decimals)
        for nominal in (24_000, 30_000, 60_000):
            # |above/below - nominal/1001| <= 1/1000, in whole numbers
            if abs(above * 1001 - nominal * below) * 1000 <= below * 1001:
                above, below = nominal, 1001
    else:
        raise ValueError(f"not a frame rate: {text!r}")
    if not below or not below <= above <= 1000 * below:
        raise ValueError(f"not a frame rate within 1 to 1000: {text!r}")
    common = gcd(above, below)
    return FrameRate(above // common, below // common)


def rate_text(fps: float) -> str:
    """Return a frame rate as text for `parse_rate`, with at most six decimals."""
    return f"{fps:.6f}".rstrip("0").rstrip(".")


def given_rate(fps: str, side: str = "") -> FrameRate:
    """Parse the value of the option `fps`; return the frame rate."""
    try:
        return parse_rate(fps)
    except ValueError:
        raise OptionError(value=Message(FRAME_RATE, {"text": fps}, side)) from None


def usual_rate(frames: Sequence[int]) -> int:
    """Return the lowest usual rate that fits the frames of time codes, which are less than it."""
    return next((rate for rate in USUAL_RATES if max(frames) < rate), USUAL_RATES[-1])


def nearest(above: int, below: int) -> int:
    """Return the quotient `above` / `below`, rounded to a whole number, half to even."""
    quotient, rest = divmod(above, below)
    return quotient + (rest * 2 > below or (rest * 2 == below and quotient % 2 == 1))
