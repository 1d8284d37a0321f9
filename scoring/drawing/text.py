"""Blocks as text for terminals; control characters in texts are escaped."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence

from formats.console import SIGNS, shown
from formats.console.terminal import coloured, table, width
from scoring.drawing import USUAL as USUAL
from scoring.drawing import Appearance as Appearance
from scoring.drawing.blocks import (
    Block,
    ChangePlot,
    Drawing,
    Fact,
    Heading,
    Items,
    Lead,
    Note,
    RateCurve,
    Rows,
    Running,
    Sentence,
    Table,
    Timelines,
    TrendLine,
    Versions,
)

LEAST_ROOM = 12
"""Columns that a wrapped text has at least."""
_BOLD, _GREEN, _RED = "1", "32", "31"


def screen_look() -> Appearance:
    """Return the appearance of text on standard output, for commands without width options."""
    from formats.console import screen_width
    from formats.console.command_line import shows_colour

    columns = screen_width(sys.stdout)
    return USUAL if columns is None else Appearance(columns, shows_colour(), is_screen=True)


def text_lines(blocks: Iterable[Block], look: Appearance = USUAL, title: str = "") -> Iterator[str]:
    r"""Yield the lines of a page.

    >>> print(*text_lines([Heading("Words"), Table((), [("right", "12")])]), sep="\n")
    Words
    right  12
    """
    if title:
        yield coloured(shown(title), _BOLD, look.colour)
    first, after_table = not title, False
    draw = _screen_lines if look.is_screen else _lines
    for block in blocks:
        is_apart = isinstance(block, Heading) and block.apart and not first
        if is_apart or (after_table and isinstance(block, Table)):
            yield ""
        first, after_table = False, isinstance(block, Table)
        yield from draw(block, look)


def _screen_lines(block: Block, look: Appearance) -> Iterator[str]:
    """Yield the lines of a block, wrapped to the width of the terminal."""
    from formats.console.screen import table_lines, wrapped

    columns, colour = look.columns, look.colour
    match block:
        case Table(headings, rows, text_columns, marks, _, spare) if rows:
            cells = [list(map(shown, row)) for row in rows]
            yield from table_lines(
                headings, cells, columns, text_columns, marks, colour=colour, spare=spare
            )
        case Lead(text, good):
            sign = "" if good is None else SIGNS[good]
            for line in wrapped(sign + shown(text), columns, len(sign)):
                yield coloured(line, _code(good), colour)
        case Items(lines, lead, good):
            for text in lines:
                for line in wrapped((lead + shown(text)).rstrip(), columns, 2):
                    yield line if good is None else coloured(line, _code(good), colour)
        case Heading(text, _, remark):
            head = shown(text)
            first, *rest = wrapped(f"{head}: {shown(remark)}" if remark else head, columns, 2)
            if first.startswith(head):
                yield coloured(head, _BOLD, colour) + first[len(head) :]
            else:
                yield coloured(first, _BOLD, colour)
            yield from rest
        case ChangePlot():
            from scoring.drawing.plots import plot_lines

            yield from plot_lines(block, columns, colour=colour)
        case TrendLine():
            from scoring.drawing.trend import trend_text

            yield from wrapped(trend_text(block, columns), columns, 2)
        case Sentence() | Note() | Fact():
            for line in _lines(block, look):
                yield from wrapped(line, columns, 2)
        case _:
            yield from _lines(block, look)


def _wrapped_rows(rows: Sequence[Sequence[str]], texts: int, columns: int) -> Iterator[list[str]]:
    """Yield rows whose first `texts` cells are wrapped so that rows fit the columns."""
    from itertools import zip_longest
    from textwrap import wrap

    widths = [max(map(width, column)) for column in zip(*rows, strict=True)]
    room = columns - sum(widths[texts:]) - 2 * (len(widths) - 1)
    narrow_first = sorted(range(texts), key=widths.__getitem__)
    for left, column in zip(range(texts, 0, -1), narrow_first, strict=True):
        widths[column] = max(min(widths[column], room // left), LEAST_ROOM)
        room -= widths[column]
    for row in rows:
        parts = [wrap(shown(text), room) for text, room in zip(row[:texts], widths, strict=False)]
        numbers = list(row[texts:])
        for cells in zip_longest(*parts, fillvalue="") if any(parts) else [("",) * texts]:
            yield [*cells, *numbers]
            numbers = [""] * len(numbers)


def _lines(block: Block, look: Appearance) -> Iterator[str]:
    match block:
        case Heading(text, level, remark):
            heading = coloured(shown(text), _BOLD, look.colour)
            yield f"{heading}: {shown(remark)}" if remark else heading
            if look.rule and level == 2:
                yield look.rule * width(shown(text))
        case Lead(text, good):
            yield coloured(shown(text), _code(good), look.colour)
        case Table(rows=rows, is_prose=True) if rows:
            wrapped = _wrapped_rows([block.headings, *rows], block.text_columns, look.columns)
            yield from table(list(wrapped), text_columns=block.text_columns)
        case Sentence(text):
            yield shown(text)
        case Note(text):
            yield f"({shown(text)})"
        case Fact(name, value):
            yield f"{name}: {shown(value)}"
        case Items(lines, lead, good):
            for line in lines:
                text = (lead + shown(line)).rstrip()
                yield text if good is None else coloured(text, _code(good), look.colour)
        case Table(headings, rows, text_columns):
            cells = [headings, *rows] if headings else rows
            yield from table(cells, text_columns=text_columns) if rows else ["(nothing)"]
        case Rows(alignment, labels):
            from scoring.drawing.terminal import alignment_lines

            yield from alignment_lines(alignment, labels, look.columns, look.colour)
        case Running(alignment, context):
            from scoring.drawing.running import inline_lines

            yield from inline_lines(
                alignment, look.columns, look.colour, indent="  ", context=context
            )
        case TrendLine():
            from scoring.drawing.trend import trend_text

            yield trend_text(block)
        case Versions():
            from scoring.drawing.terminal import versions_lines

            yield from versions_lines(block, look.columns, look.colour)
        case ChangePlot():
            from scoring.drawing.plots import plot_lines

            yield from plot_lines(block)
        case Timelines() | RateCurve() | Drawing():
            pass


def _code(good: bool | None) -> str:
    """Return the terminal code of a colour: green for good news, red for bad news; None: bold."""
    return _BOLD if good is None else _GREEN if good else _RED
