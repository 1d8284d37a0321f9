"""The boxed tables of sclite's summaries and of its labelled-utterance report.

One routine of sclite draws all tables and keeps its state from one table to the next, even across
hypothesis files. Some bytes of a report therefore depend on the reports before it in the same run.
A `TableDrawer` keeps this state; each run of a command has one drawer.
"""

from __future__ import annotations

from formats.schema import NamedTuple
from scoring.nist.report.rounding import rounded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

PAGE_WIDTH = 80
LINE_WIDTH = 1000  # of alignments, unless option `-l` says another
_BLANK = " "


class ReportRow(NamedTuple):
    """One row of a table."""

    # A letter per column, each perhaps followed by its separator `|` or `=` (drawn `||`); no
    # separator is a blank. Letters: `l` left, `c` centred, `r` right, `a` joined to the column on
    # its left
    layout: str
    texts: Sequence[str]  # one per column that is not joined. `//` breaks a text into lines
    before: str = ""  # rules above and below the row, a character each: `-`, `=` or a blank
    after: str = ""


class _Layout(NamedTuple):
    """The layout of a row: for each column its letter, separator, and number of joined columns."""

    letters: str
    separators: list[str]
    joined: list[int]


class _Cell(NamedTuple):
    """The columns of a cell: the first and last index, and the width of the text."""

    column: int
    last: int
    letter: str
    text_width: int
    width: int


def _parse_layout(layout: str) -> _Layout:
    """Parse the layout of a row into letters, each with the separator after it."""
    letters = ""
    separators: list[str] = []
    for character in layout:
        if character in "|=":
            separators[-1] = character
        else:
            letters += character
            separators.append(_BLANK)
    joined = [0] * len(letters)
    for column in range(len(letters) - 2, -1, -1):
        if letters[column + 1] == "a":
            joined[column] = joined[column + 1] + 1
    return _Layout(letters, separators, joined)


def text_width(text: str) -> int:
    """Return the length of a cell's longest line; `//` and an optional blank separate lines.

    >>> text_width("Female// speakers"), text_width("")
    (8, 0)
    """
    if "//" not in text:
        return len(text)
    first, *others = text.split("//")
    return max(len(first), *(len(piece.removeprefix(_BLANK)) for piece in others))


def centred(text: str, width: int) -> str:
    """Centre a text in `width` columns; if the blanks cannot be halved, one more follows the text.

    >>> centred("abc", 6)
    ' abc  '
    """
    return (_BLANK * ((width - len(text)) // 2) + text).ljust(width)


class TableDrawer:
    """Draws tables and keeps sclite's state between tables."""

    __slots__ = ("_cells", "_separators", "centring")

    def __init__(self) -> None:
        # Tables narrower than 80 columns are centred. Off at first; the summaries switch it on for
        # good, the labelled-utterance report leaves it as it is
        self.centring = False
        # Text by (column, row), never cleared: a joined column is measured by the text that an
        # earlier table left in its place.
        self._cells: dict[tuple[int, int], str] = {}
        # Separators by layout slot: a layout overwrites those of its own columns only, and rules
        # look at the previous row's slot beyond the columns of its layout.
        self._separators: list[list[str]] = []

    def draw(self, rows: Sequence[ReportRow], padding: int) -> Iterator[str]:
        """Yield the lines of a table, with newlines; cells have `padding` blanks at both ends."""
        layouts = {row.layout: _parse_layout(row.layout) for row in rows}
        slots = self._assign_slots(layouts)
        for number, row in enumerate(rows):
            texts = iter(row.texts)
            for column, letter in enumerate(layouts[row.layout].letters):
                if letter != "a":
                    self._cells[column, number] = next(texts)
        widths = self._column_widths(rows, layouts, padding)
        total = max(_layout_width(layout, widths, padding) for layout in layouts.values())
        margin = _BLANK * ((PAGE_WIDTH - total) // 2 if self.centring and total < PAGE_WIDTH else 0)
        edge = "-" * (total - 2)
        yield f"{margin},{edge}.\n"
        cells = {
            name: list(_stretched(layout, widths[len(layout.letters)], total, padding))
            for name, layout in layouts.items()
        }
        rules: dict[tuple[str, str, str], str] = {}
        above = rows[0].layout
        for number, row in enumerate(rows):
            own, separators = cells[row.layout], layouts[row.layout].separators
            for character in row.before + row.after:
                if (character, row.layout, above) not in rules:
                    other = self._separators[slots[above]]
                    rule = _rule(character, own, separators, other)
                    rules[character, row.layout, above] = margin + rule
            for character in row.before:
                yield rules[character, row.layout, above]
            for line in self._text_lines(number, own, separators):
                yield margin + line
            for character in row.after:
                yield rules[character, row.layout, above]
            above = row.layout
        yield f"{margin}`{edge}'\n"

    def _assign_slots(self, layouts: Mapping[str, _Layout]) -> dict[str, int]:
        """Return the number of each layout, and store the separators under the number.

        Layouts are numbered by their first use in the table.
        """
        slots: dict[str, int] = {}
        for slot, (name, layout) in enumerate(layouts.items()):
            slots[name] = slot
            if slot == len(self._separators):
                self._separators.append([])
            self._separators[slot][: len(layout.separators)] = layout.separators
        return slots

    def _column_widths(
        self, rows: Sequence[ReportRow], layouts: Mapping[str, _Layout], padding: int
    ) -> dict[int, list[int]]:
        """Return lists of the widths of columns, by the number of columns.

        There is a list for each number of columns that any row has.
        """
        widths = {len(layout.letters): [0] * len(layout.letters) for layout in layouts.values()}
        for number, row in enumerate(rows):
            layout = layouts[row.layout]
            column_widths = widths[len(layout.letters)]
            for column, joined in enumerate(layout.joined):
                if not joined:
                    # of a joined column too: by the text that happens to be in the store
                    width = text_width(self._cells.get((column, number), ""))
                    column_widths[column] = max(column_widths[column], width)
        for number, row in enumerate(rows):
            layout = layouts[row.layout]
            column_widths = widths[len(layout.letters)]
            for column, joined in enumerate(layout.joined):
                if joined and layout.letters[column] != "a":
                    _widen(
                        column_widths,
                        column,
                        joined,
                        text_width(self._cells[column, number]),
                        padding,
                    )
        return widths

    def _text_lines(
        self, number: int, cells: Sequence[_Cell], separators: Sequence[str]
    ) -> Iterator[str]:
        columns = [_broken(self._cells[cell.column, number], cell.text_width) for cell in cells]
        between = [separators[cell.last].replace("=", "||") for cell in cells[:-1]] + ["|\n"]
        for line in range(max(map(len, columns))):
            parts = ["|"]
            for cell, pieces, separator in zip(cells, columns, between, strict=True):
                text = pieces[line] if line < len(pieces) else ""
                width = cell.text_width
                place = {"l": str.ljust, "r": str.rjust}.get(cell.letter, centred)
                before = _BLANK * ((cell.width - width) // 2)
                parts += [(before + place(text, width)).ljust(cell.width), separator]
            yield "".join(parts)


def _widen(widths: list[int], column: int, joined: int, needed: int, padding: int) -> None:
    """Widen a column, and the columns joined to it, so that their text of width `needed` fits."""
    last = column + joined
    available = sum(widths[i] + 1 + 2 * padding for i in range(column, last)) + widths[last]
    for i in range(column, last + 1):
        if needed <= available:
            break
        missing = needed - available
        added = missing if i == last else int(rounded(missing / (joined + 1), 0))
        widths[i] += added
        available += added


def _layout_width(layout: _Layout, widths: dict[int, list[int]], padding: int) -> int:
    column_widths = widths[len(layout.letters)]
    doubled = layout.separators[:-1].count("=")
    return (
        2 + sum(width + 2 * padding for width in column_widths) + doubled + len(column_widths) - 1
    )


def _stretched(layout: _Layout, widths: list[int], total: int, padding: int) -> Iterator[_Cell]:
    """Yield the cells of a row, widened so that the row has the width of the table."""
    count = len(widths)
    extra = total - _layout_width(layout, {count: widths}, padding)
    used = 0
    for column, letter in enumerate(layout.letters):
        if letter == "a":
            continue
        joined = layout.joined[column]
        last = column + joined
        if column == count - 1:
            adjustment = extra - used
        else:
            adjustment = int(rounded(extra / count * (last + 1), 0)) - used
        used += adjustment
        shared = sum(widths[i] + 2 * padding + 1 for i in range(column + 1, last + 1))
        yield _Cell(
            column,
            last,
            letter,
            widths[column] + shared,
            2 * padding + widths[column] + adjustment + shared,
        )


def _rule(
    character: str, cells: Sequence[_Cell], separators: Sequence[str], above: Sequence[str]
) -> str:
    parts = ["|"]
    for cell in cells:
        parts.append(character * cell.width)
        if cell is not cells[-1]:
            separator = separators[cell.last]
            upper = above[cell.last] if cell.last < len(above) else _BLANK
            mark = character
            if separator != _BLANK and character == _BLANK:
                mark = "|"
            elif separator != _BLANK and character == "-" and upper != _BLANK:
                mark = "+"
            parts.append(mark * (1 + (separator == "=")))
    parts.append("|\n")
    return "".join(parts)


def _broken(text: str, width: int) -> list[str]:
    """Divide the text of a cell into lines."""
    if len(text) <= width and "//" not in text:
        return [text]
    pieces: list[str] = []
    rest = text
    while rest:
        piece, separator, following = rest.partition("//")
        if len(piece) > width:
            cut = piece.rfind(_BLANK, 0, width + 1)
            cut = cut if cut > 0 else width
            pieces.append(piece[:cut])
            rest = rest[cut:].removeprefix(_BLANK)
            continue
        pieces.append(piece)
        rest = following if separator else ""
    return pieces or [""]
