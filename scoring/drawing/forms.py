"""The forms a page can have: text for terminals, Markdown, reStructuredText, HTML."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from scoring.drawing.text import USUAL, Appearance, text_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from scoring.drawing.blocks import Block

TERMINAL, JSON = "terminal", "json"
FORMS = (TERMINAL, "restructuredtext", "markdown", "html")


def lines_of(
    blocks: Iterable[Block], form: str, title: str, look: Appearance = USUAL
) -> Iterator[str]:
    """Return the lines of a page in one of `FORMS`; terminals show no title."""
    if form == TERMINAL:
        return text_lines(blocks, look)
    from scoring.drawing import markup

    if form == "html":
        return markup.html_lines(blocks, title)
    lines = markup.markdown_lines if form == "markdown" else markup.restructured_lines
    return lines(blocks, title, look.columns)


def encoded(lines: Iterable[str]) -> Iterator[bytes]:
    """Encode lines as UTF-8, each with a line end.

    Lone surrogates, which stand for bytes that are not text, become escapes.
    """
    return (line.encode("utf-8", "backslashreplace") + b"\n" for line in lines)
