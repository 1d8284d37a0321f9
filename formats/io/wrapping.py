r"""Texts in a wrapping: a block of code in Markdown, or line ends that are written as ``\n``."""

from __future__ import annotations

from formats.schema import lazy_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from formats.schema.diagnostics import DiagnosticLog

FENCE = "```"
FENCE_ALONE = lazy_pattern(r"```[ \t]{0,3}[\w.+-]{0,20}\s{0,3}\Z")
"""What a block of code in Markdown begins and ends with, and the first line of a block."""
TEXT_ENDINGS = (".txt", ".text", ".md")
"""Endings of files of texts; in other formats ``\\n`` may be part of the format."""
WRITTEN_END = "\\n"
WRITTEN_ENDS = lazy_pattern(r"(?:\\r)?\\n")
"""A line end that is written with letters."""
OTHER_ESCAPE = lazy_pattern(r"\\[^nrt\"'/\\]")
"""A backslash that is not before a sign that programs write so: a command of TeX, a path."""
ESCAPED_QUOTE = lazy_pattern(r"\\([\"'/])")
FEWEST_ENDS = 2
NO_TEXT = ("{", "[", "<")
"""Beginnings of JSON and XML."""


def unwrapped(blocks: Iterator[str], name: str, log: DiagnosticLog) -> Iterator[str]:
    """Yield the text of a file without its wrapping, with a note; other texts unchanged.

    `name` is the name of the file. The text is read as a whole only if it may have a wrapping.
    """
    first = next(blocks, None)
    if first is None:
        return
    is_text = WRITTEN_END in first and name.lower().endswith(TEXT_ENDINGS)
    if not (first.startswith(FENCE) or is_text):
        yield first
        yield from blocks
        return
    text = first + "".join(blocks)
    inside = _without_fence(text)
    if inside != text:
        from formats.io.messages import FENCED

        log.say(FENCED, 1)
    count = _written_ends(inside) if is_text else 0
    if count:
        from formats.io.messages import WRITTEN_LINE_ENDS

        log.say(WRITTEN_LINE_ENDS, None, count=count)
        inside = ESCAPED_QUOTE.sub(r"\1", WRITTEN_ENDS.sub("\n", inside))
    yield inside


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
