"""A page as text for terminals."""

from __future__ import annotations

from collections.abc import Iterator

from scoring.labels.reports.page import Block, Page, Table
from scoring.model import Alignment
from scoring.pages.terminal import alignment_lines, coloured, shown, table

LABELS = ("reference:", "hypothesis:")


def text(page: Page, columns: int = 100, colour: bool = False) -> str:
    """The page; control characters in labels are escaped."""
    return "".join(f"{line}\n" for line in _lines(page, columns, colour))


def _lines(page: Page, columns: int, colour: bool) -> Iterator[str]:
    reference, hypothesis = map(shown, page.names)
    yield coloured(f"{page.title}: {hypothesis} against {reference}", "1", colour)
    for remark in page.remarks:
        yield f"note: {shown(remark)}"
    for section in page.sections:
        yield ""
        yield coloured(section.title, "1", colour)
        yield "#" * len(section.title)
        for block in section.blocks:
            if block.heading is not None:
                yield ""
                yield coloured(shown(block.heading), "1", colour)
            yield from _body(block, columns, colour)
        if section.note is not None:
            yield f"({section.note})"


def _body(block: Block, columns: int, colour: bool) -> Iterator[str]:
    if isinstance(block.body, Alignment):
        yield from alignment_lines(block.body, LABELS, columns, colour)
        return
    yield from table_lines(block.body)


def table_lines(body: Table) -> list[str]:
    """A table in line; empty if it has no rows."""
    rows = [body.headings, *body.rows] if body.headings else [*body.rows]
    return table(rows, text_columns=body.text_columns) if body.rows else ["(nothing)"]
