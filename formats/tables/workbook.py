"""xlsx: Excel workbooks with one utterance per row and the columns of csv tables.

The reader uses the only sheet whose first row names a column of words; if there are several such
sheets, the option ``sheet`` chooses one. The text of a cell is the text that Excel writes to a CSV
file, except that times of day have all decimals. A formula gives its saved value. openpyxl (the
extra ``excel``) reads the files.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime, time, timedelta
from typing import Any, TypeAlias

from formats.detection.head import Head
from formats.detection.spec import FormatSpec, Option, Sniff
from formats.io.errors import SizeLimitError
from formats.io.source import LARGEST_TEXT, Source
from formats.manifests.roles import has_text
from formats.reading.member_names import columns_or_members
from formats.schema.errors import FormatError, OptionError, close_names, quoted
from formats.schema.messages import Message
from formats.schema.model import Segment
from formats.tables.cells import RowBatches
from formats.tables.csv_file import ROWS
from formats.tables.delimited import READ_OPTIONS
from formats.tables.messages import XLSX_COLUMNS, XLSX_SEVERAL, XLSX_SHEETS
from formats.tables.table import ColumnsRead, segments_of_rows

PART = "xl/workbook.xml"
LARGEST_RATIO = 200
RATIO_COUNTS_FROM = 1 << 24
HeaderTest: TypeAlias = Callable[[list[str]], bool]


def read(
    source: Source, *, sheet: str = "", field: str = "text", time_unit: str = "auto",
    columns: str = "", member: str = "", fps: str = "",
) -> Iterator[Segment]:  # fmt: skip
    """Yield one segment per row."""
    names, member = columns_or_members(columns, member)
    chosen = ColumnsRead(field, time_unit, names, member, fps=fps)
    batches = sheet_batches(source, sheet, lambda header: field in header or has_text(header))
    yield from segments_of_rows(source, batches, chosen)


def sheet_rows(source: Source) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of the only sheet that is not empty, with their numbers.

    The first row has the names.
    """
    for numbers, rows in sheet_batches(source, "", lambda _: True):
        yield from zip(numbers, rows, strict=True)


def sheet_batches(source: Source, name: str, fits: HeaderTest) -> RowBatches:
    """Yield batches of rows from the named sheet, or from the only sheet whose header fits."""
    data = source.data()
    if not data:
        return
    _check_size(source, data)
    try:
        from openpyxl import load_workbook
    except ImportError:
        raise OptionError(
            path=source.name,
            expected="openpyxl to read a workbook (pip install 'sclite-kit[excel]'), "
            "or the sheet saved as CSV",
            found="neither",
        ) from None
    book = _guarded(source, lambda: load_workbook(io.BytesIO(data), read_only=True, data_only=True))
    try:
        chosen = _guarded(source, lambda: _chosen_sheet(source, book, name, fits))
        if chosen is not None:
            yield from _batches(source, chosen)
    finally:
        book.close()


def _check_size(source: Source, data: bytes) -> None:
    """Raise `SizeLimitError` if an archive member would expand beyond the limit for tables."""

    def parts() -> list[zipfile.ZipInfo]:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return archive.infolist()

    infos = _guarded(source, parts)
    if not any(info.filename == PART for info in infos):
        raise source.syntax_error(None, f"a zip archive with {PART}", "another one")
    most = min(LARGEST_TEXT, max(RATIO_COUNTS_FROM, len(data) * LARGEST_RATIO))
    if sum(info.file_size for info in infos) > most:
        raise SizeLimitError("expands beyond what a table does", path=source.name)


def _guarded(source: Source, function: Callable[[], Any]) -> Any:
    """Call a function; convert errors of openpyxl to `FormatError`."""
    try:
        return function()
    except (FormatError, MemoryError, RecursionError):
        raise
    except Exception as problem:
        reason = " ".join(str(problem).split())[:200] or type(problem).__name__
        expected, found = "a workbook of Excel (.xlsx)", f"damage ({reason})"
        raise source.syntax_error(None, expected, found) from None


def _chosen_sheet(source: Source, book: Any, name: str, fits: HeaderTest) -> Any:
    """Return the sheet to read, or `None` if no sheet has rows."""
    sheets = {sheet.title: sheet for sheet in book.worksheets}
    if name:
        if name not in sheets:
            likely = close_names(name, list(sheets)) or list(sheets)
            raise OptionError(
                path=source.name,
                expected=f"the name of a sheet ({', '.join(map(quoted, likely))})",
                found=f"sheet={quoted(name)}",
            )
        return sheets[name]
    headers = {title: _first_row(sheet) for title, sheet in sheets.items()}
    filled = [title for title, header in headers.items() if header]
    titles = [title for title in filled if fits(headers[title])] or filled
    if len(titles) > 1:
        fields = {"sheets": len(titles), "names": titles, "first": titles[0]}
        raise OptionError(value=Message(XLSX_SEVERAL, fields, source.log.side), path=source.name)
    if len(filled) > 1:
        others = [title for title in filled if title not in titles]
        source.log.say(XLSX_SHEETS, name=titles[0], others=others)
    return sheets[titles[0]] if titles else None


def _first_row(sheet: Any) -> list[str]:
    """Return the texts of the first non-empty row."""
    return next(
        (row for cells in sheet.iter_rows(values_only=True) if any(row := _texts(cells))), []
    )


def _batches(source: Source, sheet: Any) -> RowBatches:
    """Yield batches of non-empty rows, with only the cells of columns that have names."""
    numbers: list[int] = []
    rows: list[list[str]] = []
    places: list[int] = []
    unnamed = 0
    cells = enumerate(sheet.iter_rows(values_only=True), 1)
    while (numbered := _guarded(source, lambda: next(cells, None))) is not None:
        texts = _texts(numbered[1])
        if not any(texts):
            continue
        places = places or [place for place, text in enumerate(texts) if text]
        row = [texts[place] if place < len(texts) else "" for place in places]
        unnamed += sum(map(bool, texts)) > sum(map(bool, row))
        numbers.append(numbered[0])
        rows.append(row)
        if len(rows) == ROWS:
            yield numbers, rows
            numbers, rows = [], []
    if rows:
        yield numbers, rows
    if unnamed:
        source.log.say(XLSX_COLUMNS, rows=unnamed)


def _texts(cells: Sequence[object]) -> list[str]:
    return [cell if isinstance(cell, str) else _text(cell) for cell in cells]


def _text(cell: object) -> str:
    """Return the text of a cell, as Excel would write it to a CSV file."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return str(cell).upper()
    if isinstance(cell, float):
        return f"{cell:.15g}"
    if isinstance(cell, timedelta):
        minutes, seconds = divmod(cell.total_seconds(), 60)
        return f"{int(minutes) // 60:02}:{int(minutes) % 60:02}:{seconds:09.6f}"
    if isinstance(cell, datetime | date | time):
        return cell.isoformat()
    return str(cell)


def sniff(head: Head) -> Sniff:
    """Return `SURE` for a zip archive that contains a workbook."""
    return Sniff.SURE if PART in head.parts else Sniff.NO


SPEC = FormatSpec(
    title="workbooks of Excel: one utterance per row",
    sign="a zip archive with xl/workbook.xml",
    read=read,
    sniff=sniff,
    read_options=(
        *READ_OPTIONS,
        Option("sheet", "", "sheet of a workbook to read, if several have a column of words"),
    ),
)
