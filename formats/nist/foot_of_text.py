"""The last lines of a plain text that nobody speaks: its end, its maker, remarks of a program."""

from __future__ import annotations

from formats.nist.titles_above import FIELD_ALONE
from formats.schema import is_installed, lazy_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_OF_FOOT, LONGEST_OF_FOOT = 3, 200
"""The most lines of a foot, and the characters of one."""
LIKELY = lazy_pattern(
    r"(?i)[\[(*_. -]{0,4}(?:the end|end\b|finis|fine?\b|ende\b|koniec|конец|終|完|transcri|this "
    r"|subtitles|captions|recording|interview|translated|generated|exported|retrieved|copyright|©"
    r"|\(c\)|npr |curtain)"
)
"""How the foot of a document begins; `formats.meetings.turns.lines` has its whole forms."""
OFFER = lazy_pattern(
    r"(?i)(?:please )?(?:let me know|feel free|is there anything|if you (?:need|have|would))\b"
    r".{0,160}\Z"
)
"""What a language model writes below a text that it was asked for."""
PROMISE = lazy_pattern(
    r"(?i)(?:sure|certainly|of course|absolutely|okay|here(?:['’]s| is| are))\b.{0,120}:\Z"
)
"""What it writes above such a text."""


def foot_of(lines: Sequence[str], first: str) -> int:
    """Return how many of the last lines of a text are its foot; `first` is the first line.

    >>> foot_of(["So it was.", "END"], "So"), foot_of(["So it was.", "Confidence: 0.93"], "So")
    (1, 1)
    >>> foot_of(["So it was.", "Let me know if you need more!"], "Here is the transcript:")
    1
    >>> foot_of(["So it was.", "In the end we went home."], "So")
    0
    """
    count = 0
    for line in reversed([line.strip() for line in lines]):
        is_offer = OFFER.match(line) is not None and PROMISE.match(first.strip()) is not None
        if not (is_offer or FIELD_ALONE.match(line) or _is_footer(line)):
            break
        count += 1
    return count


def _is_footer(line: str) -> bool:
    """Return True for a line such as ``END`` or ``Transcribed by Ann Ex``."""
    if (
        len(line) > LONGEST_OF_FOOT
        or not LIKELY.match(line)
        or not is_installed("formats.meetings")
    ):
        return False
    from formats.meetings.turns.lines import FOOTER

    return FOOTER.match(line) is not None
