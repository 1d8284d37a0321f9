"""The first screen of a comparison on a terminal: verdict, reasons, groups, next commands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from formats.schema.messages import Advice
from scoring.drawing.blocks import Block, Heading, Items
from scoring.drawing.numbers import p_text
from scoring.drawing.text import Appearance, text_lines
from scoring.regression.report import contributions_of, plot_of, size_text, units_table, verdict_of
from scoring.regression.verdict import Findings

if TYPE_CHECKING:
    from scoring.regression.unit_changes import Changes
    from scoring.regression.verdict import Finding

LINES = 22
"""Largest number of lines: a terminal of 24, minus the lines of the command and next prompt."""
_ROWS = (
    *((4, 3, 3, 2), (3, 3, 3, 1), (3, 3, 2, 0), (2, 2, 2, 0), (2, 2, 1, 0), (1, 2, 1, 0)),
    *((1, 1, 1, 0), (0, 1, 1, 0), (0, 1, 0, 0), (0, 0, 0, 0)),
)
"""Numbers of groups, parts of the change, worse and better units; the first that fit are shown."""


def first_screen(
    changes: Changes, findings: Sequence[Finding], look: Appearance, shown: int = LINES
) -> list[Block]:
    """Return the first screen; each part has as many rows as fit on a terminal.

    At most `shown` worse and as many better units are listed.
    """
    blocks: list[Block] = []
    for rows in _ROWS:
        blocks = list(_blocks(changes, findings, rows, shown))
        if sum(1 for _ in text_lines(blocks, look)) <= LINES:
            break
    return blocks


def _blocks(
    changes: Changes, findings: Sequence[Finding], most: tuple[int, int, int, int], shown: int
) -> Iterator[Block]:
    """Yield the first screen; `most` and `shown` limit the number of rows in its parts."""
    groups, parts, *units = most
    yield verdict_of(changes, findings)
    yield Items(list(_basis(changes)))
    # of many conditions those that failed
    listed = findings if units[0] > 1 else [each for each in findings if each.failed]
    yield from Findings(listed).blocks()
    if changes.groups and groups:
        yield Heading("Groups")
        yield from plot_of(changes, groups)
    if parts:
        yield from contributions_of(changes, parts, examples=False)
    for good, group, number in zip(
        (False, True), (changes.worse, changes.better), units, strict=True
    ):
        if rows := group[: min(number, shown)]:
            noun = f"{changes.noun}s" if len(group) > 1 else changes.noun
            remark = f"{len(group):,} {noun}, those that changed most"
            yield Heading("Better" if good else "Worse", remark=remark)
            marks = {(row, 4): good for row in range(len(rows))}
            yield units_table(rows, changes, marks)
    whole, page = Advice("details"), Advice("html", "FILE")
    yield Items([f"all tests, alignments and records: {whole.flag}; as a page: {page.flag}"])


def _basis(changes: Changes) -> Iterator[str]:
    """Yield the basis of the verdict: how many data there are, and the test."""
    total, noun, task = changes.total, changes.noun, changes.baseline.layout.task
    if len(changes.units):
        size = size_text(total.baseline, total.runs[0])
        yield (
            f"{len(changes.units):,} {noun}s with {size} {task.counted}: "
            f"{len(changes.worse):,} worse, {len(changes.better):,} better"
        )
    for test in changes.tests[:1]:
        value = "not made" if test.p_value is None else p_text(test.p_value)
        yield f"test: {test.name}, {value}"
