"""A page as Markdown with tables (GitHub's kind)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scoring.labels.reports.page import Block, Page, Table
from scoring.labels.reports.text import LABELS
from scoring.model import Alignment
from scoring.pages.terminal import alignment_lines, shown

_SPECIAL = str.maketrans({mark: f"\\{mark}" for mark in "\\`*_{}[]<>()#+!|~&$"})
_WIDTH = 100


def markdown(page: Page) -> str:
    """The page; nothing in a label is taken for markup."""
    return "".join(f"{line}\n" for line in _lines(page))


def escaped(text: str) -> str:
    r"""Text that Markdown shows as it is.

    >>> print(escaped("a|b <i>"))
    a\|b \<i\>
    """
    return shown(text).translate(_SPECIAL)


def _lines(page: Page) -> Iterator[str]:
    reference, hypothesis = map(escaped, page.names)
    yield f"# {page.title}: {hypothesis} against {reference}"
    if page.remarks:
        yield ""
    for remark in page.remarks:
        yield f"- {escaped(remark)}"
    for section in page.sections:
        yield from ("", f"## {section.title}")
        for block in section.blocks:
            if block.heading is not None:
                yield from ("", f"### {escaped(block.heading)}")
            yield ""
            yield from _body(block)
        if section.note is not None:
            yield from ("", escaped(section.note))


def _body(block: Block) -> Iterator[str]:
    if isinstance(block.body, Alignment):
        # indented text is code whatever it holds, a fence could end within
        yield from ("    " + line for line in alignment_lines(block.body, LABELS, _WIDTH, False))
        return
    yield from table_lines(block.body)


def table_lines(body: Table) -> Iterator[str]:
    """A table; one without headings gets empty ones, as there is no other kind."""
    width = len(body.rows[0]) if body.rows else len(body.headings)
    yield _row(body.headings or [""] * width)
    yield _row(["---" if place < body.text_columns else "---:" for place in range(width)], raw=True)
    for row in body.rows:
        yield _row(row)


def _row(cells: Sequence[str], *, raw: bool = False) -> str:
    return "| " + " | ".join(cells if raw else map(escaped, cells)) + " |"
