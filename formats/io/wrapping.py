r"""Texts in a wrapping: a block of code in Markdown, or line ends that are written as ``\n``."""

from __future__ import annotations

from formats.io.messages import FENCED, WRITTEN_LINE_ENDS
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


def unwrapped(text: str, log: DiagnosticLog, *, may_have_ends: bool) -> str:
    r"""Return a text without its wrapping, with a note; other texts unchanged.

    `may_have_ends` is False for formats in which ``\n`` may be part of the format.
    """
    inside = _without_fence(text)
    if inside != text:
        log.say(FENCED, 1)
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
