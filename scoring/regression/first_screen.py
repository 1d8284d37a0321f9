"""The short reports of a comparison: the first screen of a terminal, and the text of a log."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from formats.schema.messages import Advice
from scoring.drawing import p_text
from scoring.drawing.blocks import Block, Heading, Items
from scoring.drawing.text import Appearance, text_lines
from scoring.regression.report import (
    conditions_of,
    contributions_of,
    groups_of,
    measures_of,
    overall_of,
    plot_of,
    recorded_of,
    runs_of,
    size_text,
    units_table,
    units_text,
    utterances_of,
    verdict_of,
)

if TYPE_CHECKING:
    from scoring.regression.unit_changes import Changes, UnitChange
    from scoring.regression.verdict import Finding

LINES = 22
"""Largest number of lines: a terminal of 24, minus the lines of the command and next prompt."""
_LISTED = 3  # units in each table of a log
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


def log_of(
    changes: Changes, findings: Sequence[Finding], shown: int | None = None
) -> Iterator[Block]:
    """Yield the text for a pipe: the verdict, the tables of numbers, and where it changed.

    `shown` is the number of worse, and of better, units with their words; None: only the names of
    those that changed most.
    """
    yield verdict_of(changes, findings)
    yield from conditions_of(changes, findings)
    yield from plot_of(changes)
    yield from contributions_of(changes, examples=bool(shown))
    yield from overall_of(changes, is_short=True)
    yield from measures_of(changes)
    yield from runs_of(changes)
    yield from groups_of(changes)
    for title, group in (("Worse", changes.worse), ("Better", changes.better)):
        if shown is None:
            yield from _changed_most(title, group[:_LISTED], len(group), changes)
        else:
            yield from utterances_of(title, group, changes, shown)
    yield from recorded_of((changes.baseline, changes.new), is_short=True)
    yield _more()


def _more() -> Items:
    """Return the options that show more."""
    whole, page = Advice("details"), Advice("html", "FILE")
    return Items([f"all tests, alignments and records: {whole.flag}; as a page: {page.flag}"])


def _changed_most(
    title: str, rows: Sequence[UnitChange], number: int, changes: Changes
) -> Iterator[Block]:
    """Yield a table of the worse or the better units; `number` is the number of all."""
    if not rows:
        return
    noun = f"{changes.noun}s" if number > 1 else changes.noun
    yield Heading(title, remark=f"{number:,} {noun}, those that changed most")
    marks = {(row, 4): title == "Better" for row in range(len(rows))}
    yield units_table(rows, changes, marks)


def _blocks(
    changes: Changes, findings: Sequence[Finding], most: tuple[int, int, int, int], shown: int
) -> Iterator[Block]:
    """Yield the first screen; `most` and `shown` limit the number of rows in its parts."""
    groups, parts, *units = most
    yield verdict_of(changes, findings)
    yield Items(list(_basis(changes)))
    # of many conditions those that failed
    listed = findings if units[0] > 1 else [each for each in findings if each.failed]
    yield from conditions_of(changes, listed)
    if changes.groups and groups:
        yield Heading("Groups")
        yield from plot_of(changes, groups)
    if parts:
        yield from contributions_of(changes, parts, examples=False)
    for good, group, number in zip(
        (False, True), (changes.worse, changes.better), units, strict=True
    ):
        title, rows = "Better" if good else "Worse", group[: min(number, shown)]
        yield from _changed_most(title, rows, len(group), changes)
    yield _more()


def _basis(changes: Changes) -> Iterator[str]:
    """Yield the basis of the verdict: how many data there are, and the test."""
    total, task = changes.total, changes.baseline.layout.task
    if len(changes.units):
        size = f" with {size_text(total.baseline, total.runs[0])} {task.counted}"
        yield (
            f"{units_text(changes)}{'' if task.is_value else size}: "
            f"{len(changes.worse):,} worse, {len(changes.better):,} better"
        )
    for test in changes.tests[:1]:
        value = "not made" if test.p_value is None else p_text(test.p_value)
        yield f"test: {test.name}, {value}"
