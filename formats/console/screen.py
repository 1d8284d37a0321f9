"""Output with the package rich: progress bar, tables, wrapped text, Markdown pages.

Import this module only for output to a terminal, because loading rich takes longer than most
commands need for scoring.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from io import StringIO
from typing import Any

from rich.cells import cell_len
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn
from rich.table import Column, Table
from rich.text import Text

from formats.console import SIGNS

LONGEST_BAR = 30
_STYLES = {True: "green", False: "red"}
_GAP = 2  # between the columns of a table; 1 if words do not fit otherwise
_SHORT = 16  # columns of a text that is not broken if the table fits otherwise
_LONG_NUMBER = re.compile(r"[+-]?\d{4,}")
_NO_BREAK = "\ue000"  # stands for the blank of "12 %" while a text is wrapped
_BRACKETS = re.compile(r"[\[(][^\[\]()]{1,18}[\])]")  # a range or a note that is not broken
_RANGE = re.compile(r"[-+\d.]{1,12} to [-+\d.]{1,12}")  # an interval, as of a rate
_FIELD = re.compile(r"[^|]*\|?")
_FIELDS = re.compile(r"(?<=\|)[^|\s]+(?: [^|\s]+)+(?=\|)")  # of a signature, with blanks
_PIECES = re.compile(r"[^|/,;=]*[|/,;=]?")
_CLAUSE = 0.6  # the share of a line after which a comma or a semicolon may end it


class Bar:
    """A progress bar on standard error, with a text before it and one after it."""

    def __init__(self) -> None:
        # columns that shrink end with an ellipsis; the text after the bar stays whole
        text = Column(no_wrap=True, overflow="ellipsis")
        self._progress = Progress(
            TextColumn("{task.description}", markup=False, table_column=text),
            BarColumn(LONGEST_BAR),
            TextColumn("{task.fields[left]}", markup=False, table_column=Column(no_wrap=True)),
            console=Console(stderr=True),
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
            auto_refresh=False,
        )
        self._task = self._progress.add_task("", total=1.0, left="")

    def show(self, text: str, share: float | None, left: str) -> None:
        """Show the completed share of the work.

        Without a share (`None`), the bar only shows that the work goes on.
        """
        values: dict[str, Any] = (
            {"total": None} if share is None else {"total": 1.0, "completed": share}
        )
        self._progress.update(
            self._task,
            description=text,
            left=left,
            **values,
        )
        self._progress.start()  # no effect on a bar that is shown already
        self._progress.refresh()

    def clear(self) -> None:
        """Remove the bar from the terminal."""
        self._progress.stop()


def page_markdown(text: str) -> None:
    """Show formatted Markdown in the pager."""
    from rich.markdown import Markdown

    console = Console()
    with console.pager():
        console.print(Markdown(text))


def wrapped(text: str, columns: int, hanging: int = 0) -> list[str]:
    """Break a text between words into lines of at most `columns` characters.

    All lines after the first are indented like the first, plus `hanging` columns. If no more lines
    are needed, a line ends after a comma or a semicolon, so that a number stays with its name. A
    word that is longer than a line is broken after ``|``, if that does not help after one of
    ``/,;=``, and otherwise where the line ends.
    """
    body = text.lstrip(" ")
    indent = len(text) - len(body)
    if cell_len(text) <= columns:
        return [text]
    room = max(columns - indent - hanging, 1)
    whole = _whole(body)
    for field in _FIELDS.findall(whole):
        if cell_len(field) < room:
            whole = whole.replace(field, field.replace(" ", _NO_BREAK))
    words: list[str] = []
    for word in whole.split(" "):
        before = cell_len(" ".join(words)) + 1 if words else 0
        used = before if before < room // 2 else 0
        words.append(_cut(word, room, used) if cell_len(word) > room else word)
    rooms = max(columns - indent, 1), room
    lines = _broken(" ".join(words), rooms, ends_clauses=False)
    clauses = _broken(" ".join(words), rooms, ends_clauses=True)
    lines = clauses if len(clauses) <= len(lines) else lines
    lead = " " * indent
    lines = [lead + " " * (hanging if number else 0) + line for number, line in enumerate(lines)]
    return [line.replace(_NO_BREAK, " ") for line in lines]


def _broken(words: str, rooms: tuple[int, int], *, ends_clauses: bool) -> list[str]:
    """Return the lines of a text; `rooms` are the widths of the first line and of all others.

    With `ends_clauses`, a line ends after the last comma or semicolon of its last two fifths.
    """
    console = Console(file=StringIO(), width=max(rooms), color_system=None)
    lines: list[str] = []
    rest = words
    while rest:
        room = rooms[1] if lines else rooms[0]
        # only the beginning, unless its letters have no width
        part = rest[: 8 * room]
        line = Text(part).wrap(console, room, overflow="fold")[0].plain.rstrip()
        rest = rest[len(line) :]
        end = max(line.rfind(", "), line.rfind("; ")) + 1
        if ends_clauses and rest and not rest.startswith("\n") and end > room * _CLAUSE:
            line, rest = line[:end], line[end:] + rest
        if line or not lines:
            lines.append(line)
        rest = rest.lstrip(" ").removeprefix("\n")
    return lines


def _cut(word: str, room: int, used: int = 0) -> str:
    """Insert line breaks after the separators of a long word, so that its pieces fit.

    `used` is the number of columns before the word in its first line.
    """
    pieces = [
        part
        for field in _FIELD.findall(word)
        for part in ([field] if cell_len(field) <= room else _PIECES.findall(field))
    ]
    lines = [""]
    for piece in pieces:
        before = used if len(lines) == 1 else 0
        if (lines[-1] or before) and before + cell_len(lines[-1] + piece) > room:
            lines.append("")
        lines[-1] += piece
    return "\n".join(lines)


def table_lines(
    headings: Sequence[str],
    rows: Sequence[Sequence[str]],
    columns: int,
    text_columns: int = 1,
    marks: Mapping[tuple[int, int], bool] | None = None,
    *,
    colour: bool = False,
    spare: Sequence[Sequence[str]] = (),
) -> list[str]:
    """Return a table as lines that are at most `columns` characters wide.

    The first `text_columns` columns are texts that wrap, all others are numbers. `marks` maps (row,
    column) to True if the value of the cell is good, and to False if it is bad. `spare` has the
    headings of columns that are dropped if all columns do not fit, the first group first; a last
    line names them. If the columns do not fit then, each row becomes a list of its cells.
    """
    marks = marks or {}
    cells = [
        [
            _whole(
                SIGNS[marks[row, column]] + _grouped(cell)
                if (row, column) in marks
                else _grouped(cell)
                if column >= text_columns
                else cell
            )
            for column, cell in enumerate(line)
        ]
        for row, line in enumerate(rows)
    ]
    shown = list(range(len(cells[0]) if cells else len(headings)))
    dropped: list[str] = []
    for group in [(), *spare]:
        dropped += [name for name in group if name in headings]
        shown = [
            column
            for column in shown
            if column < text_columns or not headings or headings[column] not in dropped
        ]
        every = [[line[column] for column in shown] for line in cells]
        titles = [_whole(headings[column]) for column in shown] if headings else []
        gap, floors = _fitting(_choices(titles, every, text_columns), columns)
        if floors:
            break
    if not floors:
        return [line.replace(_NO_BREAK, " ") for line in _listed(headings, cells, columns)]
    kept = {
        (row, shown.index(column)): good for (row, column), good in marks.items() if column in shown
    }
    widths = _shrunk(titles, every, floors, columns - gap * (len(floors) - 1))
    lines = _drawn(titles, every, widths, text_columns, kept, gap, columns, colour=colour)
    if dropped:
        lines += wrapped(f"not shown at this width: {', '.join(dropped)}", columns, 2)
    return lines


def _whole(cell: str) -> str:
    """Protect blanks at which a text must not be broken: before "%", in brackets and in ranges."""
    for pattern in (_BRACKETS, _RANGE):
        cell = pattern.sub(lambda match: match[0].replace(" ", _NO_BREAK), cell)
    return cell.replace(" %", f"{_NO_BREAK}%")


def _choices(
    headings: Sequence[str], rows: Sequence[Sequence[str]], text_columns: int
) -> list[Sequence[int]]:
    """Return the least widths of the columns, the widest first; short texts stay whole."""
    cells = [*([headings] if headings else []), *rows]
    least = [
        max(cell_len(word) for cell in values for word in cell.split(" "))
        for values in zip(*cells, strict=True)
    ]
    sizes = [max(map(cell_len, values)) for values in zip(*(rows or cells), strict=True)]
    numbers = list(map(max, least[text_columns:], sizes[text_columns:]))
    texts = [
        max(size if size <= _SHORT else 0, floor)
        for size, floor in zip(sizes[:text_columns], least[:text_columns], strict=True)
    ]
    breakable = [
        number if number <= _SHORT else floor
        for number, floor in zip(numbers, least[text_columns:], strict=True)
    ]
    return [[*texts, *numbers], [*texts, *breakable]]


def _shrunk(
    headings: Sequence[str], rows: Sequence[Sequence[str]], floors: Sequence[int], room: int
) -> list[int]:
    """Return the widths of columns: those of the cells, the widest shrunk until all fit."""
    cells = [*([headings] if headings else []), *rows]
    widths = [max(map(cell_len, values)) for values in zip(*cells, strict=True)]
    while sum(widths) > room:
        widest = max(
            (column for column, size in enumerate(widths) if size > floors[column]),
            key=widths.__getitem__,
        )
        widths[widest] -= 1
    return widths


def _drawn(
    headings: Sequence[str],
    rows: Sequence[Sequence[str]],
    widths: Sequence[int],
    text_columns: int,
    marks: Mapping[tuple[int, int], bool],
    gap: int,
    columns: int,
    *,
    colour: bool,
) -> list[str]:
    """Return the lines of a table with columns of the given widths."""
    table = Table(box=None, show_header=bool(headings), padding=(0, gap, 0, 0), header_style="")
    for column, size in enumerate(widths):
        table.add_column(
            Text(headings[column], "bold") if headings else "",
            justify="left" if column < text_columns else "right",
            overflow="fold",
            width=size,
        )
    for row, line in enumerate(rows):
        table.add_row(
            *(
                Text(cell, _STYLES[marks[row, column]] if (row, column) in marks else "")
                for column, cell in enumerate(line)
            )
        )
    lines = _printed(table, columns + gap, colour=colour)
    return [line.replace(_NO_BREAK, " ") for line in lines]


def _fitting(choices: Sequence[Sequence[int]], columns: int) -> tuple[int, Sequence[int]]:
    """Return the first widths of columns that fit side by side, with the gap between columns.

    The widths are empty if none fit.
    """
    for widths in choices:
        for gap in (_GAP, 1):
            if sum(widths) + gap * (len(widths) - 1) <= columns:
                return gap, widths
    return 0, ()


def _listed(headings: Sequence[str], rows: Sequence[Sequence[str]], columns: int) -> Iterator[str]:
    """Yield the first cell of each row; below it, the other cells with their headings."""
    for row in rows:
        yield from wrapped(row[0], columns, 2)
        named = [
            f"{headings[place]}: {cell}" if headings and headings[place] else cell
            for place, cell in enumerate(row)
            if place and cell
        ]
        if named:
            yield from wrapped(f"  {'; '.join(named)}", columns, 2)


def _grouped(cell: str) -> str:
    """Separate the thousands of an integer with four or more digits; keep any other text."""
    return f"{int(cell):{'+' * cell.startswith('+')},}" if _LONG_NUMBER.fullmatch(cell) else cell


def _printed(table: Table, columns: int, *, colour: bool) -> list[str]:
    """Return the printed lines of a table, with or without terminal colours."""
    text = StringIO()
    console = Console(
        file=text,
        width=columns,
        height=24,
        color_system="standard" if colour else None,
        force_terminal=colour,
        no_color=not colour,
        legacy_windows=False,
        highlight=False,
    )
    console.print(table)
    return [line.rstrip() for line in text.getvalue().splitlines()]
