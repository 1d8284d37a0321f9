"""Number formats of keyword-search reports, and tables with headings over several columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import isnan
from typing import NamedTuple

from formats.console import shown
from scoring.drawing.markup import html_table

GAP = 2
NA = "NA"
Path = tuple[str, str]


class _Heading(NamedTuple):
    """A heading over adjacent columns: its label, its width, and the widths of the columns."""

    label: str
    width: int
    columns: tuple[int, ...]


class HeadedTable:
    """Rows of texts under two lines of headings; `labelled` rows have labels of two levels.

    Columns are in the order in which they were first named. If columns with the same heading are
    not adjacent, the heading is repeated.
    """

    def __init__(self, *, labelled: bool = False) -> None:
        self.labelled = labelled
        self._columns: dict[Path, int] = {}
        self._rows: list[tuple[Path, dict[Path, str]]] = []
        self._totals: list[dict[Path, str]] = []

    def name_columns(self, columns: Sequence[Path]) -> None:
        """Create the columns, each with its heading and label."""
        for column in columns:
            self._columns.setdefault(column, len(self._columns))

    def add(self, cells: Mapping[Path, str], label: Path = ("", "")) -> None:
        """Add a row; missing cells are empty."""
        self.name_columns(list(cells))
        self._rows.append((label, dict(cells)))

    def merge(self, cells: Mapping[Path, str], label: Path) -> None:
        """Add cells to the row with this label, or add a new row; existing cells are kept."""
        for row_label, row in self._rows:
            if row_label == label:
                self.name_columns(list(cells))
                row.update({path: text for path, text in cells.items() if path not in row})
                return
        self.add(cells, label)

    def add_totals(self, cells: Mapping[Path, str]) -> None:
        """Add a row of totals below a line."""
        self._totals.append(dict(cells))

    @property
    def rows(self) -> Sequence[tuple[Path, Mapping[Path, str]]]:
        """The rows, with their labels."""
        return self._rows

    def _headings(self) -> list[_Heading]:
        rows = [*(row for _, row in self._rows), *self._totals]
        groups: list[tuple[str, list[int]]] = []
        for heading, label in self._columns:
            longest = max((len(row.get((heading, label), "")) for row in rows), default=0)
            width = max(len(label), longest) + 2 * GAP
            if groups and groups[-1][0] == heading:
                groups[-1][1].append(width)
            else:
                groups.append((heading, [width]))
        headings = []
        for label, widths in groups:
            total = sum(widths) + len(widths) - 1
            surplus = max(len(label) + 2 * GAP - total, 0)
            share, rest = divmod(surplus, len(widths))
            widths = [width + share for width in widths]
            widths[-1] += rest
            headings.append(_Heading(label, total + surplus, tuple(widths)))
        return headings

    def text_lines(self) -> Iterator[str]:
        """Yield the table for terminals; control characters are escaped."""
        table = HeadedTable(labelled=self.labelled)
        table.name_columns([(shown(heading), shown(label)) for heading, label in self._columns])
        for (group, name), row in self._rows:
            table.add(_escaped(row), (shown(group), shown(name)))
        for row in self._totals:
            table.add_totals(_escaped(row))
        yield from table._text_lines()

    def _text_lines(self) -> Iterator[str]:
        headings = self._headings()
        widths = [width for heading in headings for width in heading.columns]
        first, second = (
            max((len(label[level]) + GAP for label, _ in self._rows), default=GAP)
            for level in (0, 1)
        )
        margin = " " * (first + second) * self.labelled
        yield margin + _line(_centred(heading.label, heading.width) for heading in headings)
        labels = zip(self._columns, widths, strict=True)
        yield margin + _line(_centred(label, width) for (_, label), width in labels)
        rule = "-" * len(margin) + "+" if self.labelled else "|"
        rule += "".join("-" * width + "+" for width in widths)
        yield rule
        group = ""
        for (heading, label), row in self._rows:
            start = f"{heading * (heading != group):<{first}}{label:<{second}}" * self.labelled
            group = heading
            yield start + self._cells(row, widths)
        if self._totals:
            yield rule
        for row in self._totals:
            yield margin + self._cells(row, widths)

    def _cells(self, row: Mapping[Path, str], widths: Sequence[int]) -> str:
        return _line(
            f" {row.get(path, ''):>{width - 2}} "
            for path, width in zip(self._columns, widths, strict=True)
        )

    def records(self) -> Iterator[list[str | None]]:
        """Yield the column names, then each row with its label; None for a missing cell."""
        names = ["|".join(path) for path in self._columns]
        yield [*["MasterKey"] * self.labelled, *names]
        for label, row in [*self._rows, *((("", ""), row) for row in self._totals)]:
            yield [*["|".join(label)] * self.labelled, *map(row.get, self._columns)]

    def csv_lines(self) -> Iterator[str]:
        """Yield the table for spreadsheets; all fields are quoted, missing fields are empty."""
        for record in self.records():
            quoted = (
                "" if text is None else '"' + text.replace('"', '""') + '"' for text in record
            )
            yield ",".join(quoted)

    def html_lines(self) -> Iterator[str]:
        """Yield the table for browsers."""
        names, *rows = ([(text or "").strip() for text in record] for record in self.records())
        yield html_table(names, rows)


def _escaped(row: Mapping[Path, str]) -> dict[Path, str]:
    return {(shown(heading), shown(label)): shown(text) for (heading, label), text in row.items()}


def _line(cells: Iterator[str]) -> str:
    return "|" + "|".join(cells) + "|"


def _centred(label: str, width: int) -> str:
    left = (width - len(label)) // 2
    return " " * left + label + " " * (width - len(label) - left)


# How these are printed: probabilities of false alarms and of misses, term-weighted values (and the
# threshold of the actual decisions), average precisions.
FALSE_ALARM, MISS, VALUE, PRECISION = ".5f", "6.3f", ".4f", ".2f"


def formatted(value: float | None, form: str) -> str:
    """Format a number with a format specification; NA for None."""
    return NA if value is None else f"{value:{form}}"


def threshold(value: float | None) -> str:
    """Format a threshold with three decimals and at least six characters; ``NaN`` for no score."""
    return "NaN" if value is not None and isnan(value) else formatted(value, MISS)


def count_mean(total: int, of: int) -> str:
    """Round a mean of counts to a whole number, half to even."""
    return f"{total / of:.0f}" if of else "0"


def plain(value: float) -> str:
    """Format a number with up to 15 digits, without trailing zeros."""
    return f"{value:.15g}"
