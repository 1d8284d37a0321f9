r"""Texts in a wrapping: a block of code in Markdown, line ends that are written as ``\n``, or none.

Subtitles whose cues are all on one line, because a program took line ends for blanks, are divided
at their times.
"""

from __future__ import annotations

from itertools import pairwise

from formats.io.decoding import are_cues_joined
from formats.io.messages import CUES_JOINED, FENCED, WRITTEN_LINE_ENDS
from formats.schema import lazy_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from formats.schema.diagnostics import DiagnosticLog

FENCE = "```"
FENCE_ALONE = lazy_pattern(r"```[ \t]{0,3}[\w.+-]{0,20}\s{0,3}\Z")
"""What a block of code in Markdown begins and ends with, and the first line of a block."""
WRITTEN_END = "\\n"
WRITTEN_ENDS = lazy_pattern(r"(?:\\r)?\\n")
"""A line end that is written with letters."""
DOUBLE_END = lazy_pattern(r"(?m)(?<!\\)(?:\\r)?\\n(?=['\"]?[ \t\r]{0,9}$)")
"""The same before a line end."""
OTHER_ESCAPE = lazy_pattern(r"\\[^nrt\"'/\\]")
"""A backslash that is not before a sign that programs write so: a command of TeX, a path."""
ESCAPED_QUOTE = lazy_pattern(r"\\([\"'/])")
FEWEST_ENDS, FEWEST_DOUBLE = 2, 3
NO_TEXT = ("{", "[", "<")
"""Beginnings of JSON and XML."""


_CLOCK = r"(?:[0-9]{1,3}:)?[0-9]{1,2}:[0-9]{2}(?:[.,][0-9]{1,6})?"
_SETTINGS = r"(?:[ \t]+(?:align|position|line|size|region|vertical):[^\s]{1,40}){0,6}"
JOINED_CUE = lazy_pattern(
    rf"(?:(?<!\S)([0-9]{{1,6}})[ \t]{{1,9}})?(?<![0-9:.,])"
    rf"({_CLOCK}[ \t]{{0,9}}-->[ \t]{{0,9}}{_CLOCK}{_SETTINGS})(?![0-9:])[ \t]{{0,9}}"
)
"""The number of a cue, its times and settings, with its text behind them."""
JOINED_CUES = lazy_pattern(rf"\s{{0,9}}(?:WEBVTT\b[^\n>]{{0,200}}?)?\s{{0,9}}{JOINED_CUE.pattern}")
"""The beginning of a file of such cues."""
SHARE_OF_COUNTERS = 0.8
"""The share of numbers that count the cues."""


def cues_on_lines(text: str, log: DiagnosticLog) -> str:
    r"""Write each cue of a line on lines of its own, with a note.

    >>> from formats.schema.diagnostics import DiagnosticLog
    >>> joined = "1 0:01 --> 0:02 so 2 0:03 --> 0:04 it 3 0:05 --> 0:06 was"
    >>> cues_on_lines(joined, DiagnosticLog("x"))
    '\n\n1\n0:01 --> 0:02\nso \n\n2\n0:03 --> 0:04\nit \n\n3\n0:05 --> 0:06\nwas'
    """
    if JOINED_CUES.match(text.removeprefix("\ufeff")) is None:
        return text
    numbers = [int(match[1] or -1) for match in JOINED_CUE.finditer(text)]
    steps = sum(b == a + 1 for a, b in pairwise(numbers))
    are_counters = steps >= SHARE_OF_COUNTERS * (len(numbers) - 1)
    log.say(CUES_JOINED, None, count=len(numbers))
    between = r"\n\n\1\n\2\n" if are_counters else r"\1\n\n\2\n"
    return JOINED_CUE.sub(between, text)


def unwrapped(text: str, log: DiagnosticLog, *, may_have_ends: bool) -> str:
    r"""Return a text without its wrapping, with a note; other texts unchanged.

    `may_have_ends` is False for formats in which ``\n`` may be part of the format.
    """
    inside = _without_fence(text)
    if inside != text:
        log.say(FENCED, 1)
    if WRITTEN_END not in inside and are_cues_joined(inside):
        return cues_on_lines(inside, log)
    if not may_have_ends or WRITTEN_END not in inside:
        return inside
    ends = len(DOUBLE_END.findall(inside))
    if ends >= FEWEST_DOUBLE and 2 * ends > sum(map(bool, map(str.strip, inside.split("\n")))):
        log.say(WRITTEN_LINE_ENDS, None, count=ends)
        return DOUBLE_END.sub("", inside)
    count = _written_ends(inside)
    if not count:
        return inside
    log.say(WRITTEN_LINE_ENDS, None, count=count)
    return ESCAPED_QUOTE.sub(r"\1", WRITTEN_ENDS.sub("\n", inside))


def _without_fence(text: str) -> str:
    r"""Return what is in a block of code that is the whole text, below an empty line.

    >>> _without_fence("```json\n[1]\n```\n"), _without_fence("so ``` it")
    ('\n[1]\n', 'so ``` it')
    """
    opening, _, body = text.partition("\n")
    body = body.rstrip()
    is_block = body.endswith(f"\n{FENCE}") and body.count(FENCE) == 1
    is_block = is_block and FENCE_ALONE.match(opening) is not None
    return f"\n{body.removesuffix(FENCE)}" if is_block else text


def _written_ends(text: str) -> int:
    r"""Return the number of line ends that are written as ``\n``, if a text has no fewer of them.

    >>> _written_ends("Ann: so\\nBen: well\\nAnn: no"), _written_ends("\\newline \\noindent \\b so")
    (2, 0)
    """
    count = text.count(WRITTEN_END)
    lines = sum(map(bool, map(str.strip, text.split("\n"))))
    is_wrapped = count >= FEWEST_ENDS and count >= lines and not text.lstrip().startswith(NO_TEXT)
    return count if is_wrapped and OTHER_ESCAPE.search(text) is None else 0
