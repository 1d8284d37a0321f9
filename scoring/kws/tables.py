"""Tables with headings over several columns, as text, CSV and HTML, in F4DE's layout."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from scoring.drawing.terminal import shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

__all__ = ["HeadedTable"]

GAP = 2
Path = tuple[str, str]


class _Heading(NamedTuple):
    """A heading over neighbouring columns: its label, its width, the widths of the columns."""

    label: str
    width: int
    columns: tuple[int, ...]


class HeadedTable:
    """Rows of texts under two lines of headings."""

    def __init__(self, *, labelled: bool = False) -> None:
        self.labelled = labelled
        self._columns: dict[Path, int] = {}
        self._rows: list[tuple[Path, dict[Path, str]]] = []
        self._totals: list[dict[Path, str]] = []

    def name_columns(self, columns: Sequence[Path]) -> None:
        """Make columns, as (heading, label), before anything is in them."""
        for column in columns:
            self._columns.setdefault(column, len(self._columns))

    def add(self, cells: Mapping[Path, str], label: Path = ("", "")) -> None:
        """Add a row; what it does not mention stays empty."""
        self.name_columns(list(cells))
        self._rows.append((label, dict(cells)))

    def merge(self, cells: Mapping[Path, str], label: Path) -> None:
        """Add to the row of that label, or add the row; cells that are there stay."""
        self.name_columns(list(cells))
        for known, row in self._rows:
            if known == label:
                row.update({path: text for path, text in cells.items() if path not in row})
                return
        self._rows.append((label, dict(cells)))

    def add_totals(self, cells: Mapping[Path, str]) -> None:
        """Add a row below a rule."""
        self._totals.append(dict(cells))

    @property
    def rows(self) -> Sequence[tuple[Path, Mapping[Path, str]]]:
        """The rows, with their labels."""
        return self._rows

    def _all(self) -> list[dict[Path, str]]:
        return [*(row for _, row in self._rows), *self._totals]

    def _headings(self) -> list[_Heading]:
        everything = self._all()
        headings: list[tuple[str, list[int]]] = []
        for heading, label in self._columns:
            longest = max((len(row.get((heading, label), "")) for row in everything), default=0)
            width = max(len(label), longest) + 2 * GAP
            if headings and headings[-1][0] == heading:
                headings[-1][1].append(width)
            else:
                headings.append((heading, [width]))
        made = []
        for label, widths in headings:
            total = sum(widths) + len(widths) - 1
            surplus = len(label) + 2 * GAP - total
            if surplus > 0:
                share = surplus // len(widths)
                widths = [width + share for width in widths]
                widths[-1] += surplus - share * len(widths)
                total += surplus
            made.append(_Heading(label, total, tuple(widths)))
        return made

    def _label_widths(self) -> tuple[int, int]:
        if not self.labelled:
            return 0, 0
        first = max((len(label[0]) for label, _ in self._rows), default=0)
        second = max((len(label[1]) for label, _ in self._rows), default=0)
        return first, second

    def _printable(self) -> HeadedTable:
        """The same with control characters escaped, which identifiers and texts may hold."""
        made = HeadedTable(labelled=self.labelled)
        made.name_columns([(shown(heading), shown(label)) for heading, label in self._columns])
        for (group, name), row in self._rows:
            made.add(_printable_cells(row), (shown(group), shown(name)))
        for row in self._totals:
            made.add_totals(_printable_cells(row))
        return made

    def text_lines(self) -> Iterator[str]:
        """The table for terminals; nothing in it can break a line or move the cursor."""
        yield from self._printable()._drawn()

    def _drawn(self) -> Iterator[str]:
        headings = self._headings()
        widths = [width for heading in headings for width in heading.columns]
        first, second = self._label_widths()
        margin = " " * (first + second + 2 * GAP) if self.labelled else ""
        tops = [_centred(heading.label, heading.width) for heading in headings]
        yield margin + "|" + "|".join(tops) + "|"
        labels = [
            _centred(label, width) for (_, label), width in zip(self._columns, widths, strict=True)
        ]
        yield margin + "|" + "|".join(labels) + "|"
        rule = "".join("-" * width + "+" for width in widths)
        start = "-" * len(margin) + "+" if self.labelled else "|"
        yield start + rule
        above: Path | None = None
        for label, row in self._rows:
            shown = ""
            if self.labelled:
                group = "" if above is not None and above[0] == label[0] else label[0]
                shown = f"{group:<{first + GAP}}{label[1]:<{second + GAP}}"
                above = label
            yield shown + self._cells(row, widths)
        if self._totals:
            yield start + rule
        for row in self._totals:
            yield margin + self._cells(row, widths)

    def _cells(self, row: Mapping[Path, str], widths: Sequence[int]) -> str:
        cells = [
            f" {row.get(path, ''):>{width - 2}} "
            for path, width in zip(self._columns, widths, strict=True)
        ]
        return "|" + "|".join(cells) + "|"

    def csv_lines(self) -> Iterator[str]:
        """The table for spreadsheets: every field quoted, missing ones empty."""
        names = ["|".join(path) for path in self._columns]
        yield ",".join(map(_quoted, ["MasterKey", *names] if self.labelled else names))
        rows = [*self._rows, *((("", ""), row) for row in self._totals)]
        for label, row in rows:
            fields = [_quoted(row[path]) if path in row else "" for path in self._columns]
            if self.labelled:
                fields.insert(0, _quoted("|".join(label)))
            yield ",".join(fields)

    def html_lines(self) -> Iterator[str]:
        """The table for browsers."""
        from html import escape

        yield '<table border="1">'
        corner = '<th rowspan="2" colspan="2"></th>' if self.labelled else ""
        tops = "".join(
            f'<th colspan="{len(heading.columns)}">{escape(heading.label)}</th>'
            for heading in self._headings()
        )
        yield f"<tr>{corner}{tops}</tr>"
        labels = "".join(f"<th>{escape(label)}</th>" for _, label in self._columns)
        yield f"<tr>{labels}</tr>"
        rows = [*self._rows, *((("", ""), row) for row in self._totals)]
        for label, row in rows:
            heads = "".join(f"<th>{escape(part)}</th>" for part in label) if self.labelled else ""
            cells = "".join(
                f'<td align="right">{escape(row.get(path, "").strip())}</td>'
                for path in self._columns
            )
            yield f"<tr>{heads}{cells}</tr>"
        yield "</table>"


def _printable_cells(row: Mapping[Path, str]) -> dict[Path, str]:
    return {(shown(one), shown(other)): shown(text) for (one, other), text in row.items()}


def _centred(label: str, width: int) -> str:
    left = (width - len(label)) // 2
    return " " * left + label + " " * (width - len(label) - left)


def _quoted(text: str) -> str:
    doubled = text.replace('"', '""')
    return f'"{doubled}"'
