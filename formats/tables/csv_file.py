"""Rows of CSV files: the separator of columns, quotes, and fields of any length."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, dropwhile, pairwise
from threading import Lock
from typing import Any

from formats.detection.content import QUOTED_NAMES
from formats.io.errors import SizeLimitError
from formats.io.source import Source
from formats.reading.lines import BAR_RULE, cells_between_bars
from formats.reading.member_names import MOST_TRIED, field_role
from formats.schema import lazy_pattern
from formats.tables import COLUMNS
from formats.tables.cells import (
    MOST_QUOTED,
    MOST_TITLES,
    RowBatches,
    are_returning_names,
    are_texts_alone,
)
from formats.tables.messages import INNER_QUOTES, TABLE_TITLE, TWICE_QUOTED

DELIMITERS = ",;\t"
DECIMAL = lazy_pattern(r"(?<=[0-9]),(?=[0-9]{1,9}(?:[;\t]|\Z))")
"""A decimal comma in a cell before another separator."""
QUOTED_CELL = lazy_pattern(r'(?:\A|(?<=[,;\t|]))"(?:[^"]|"")*"')
"""A cell in quotation marks, whose separators are of its text."""
LONGEST_FIELD = 1 << 26
MOST_ABOVE = 10
"""The most lines above a table in Markdown."""
ROWS = 1 << 10


def delimiter_of(head: Sequence[str]) -> str:
    r"""Return the separator of columns.

    It is a tab or bar if each line below the titles has the same number of them; otherwise the sign
    behind names that return at the beginning of lines, or that is most frequent in the first line.
    The columns that `write` writes are sure.

    >>> delimiter_of(["Ann;well, so, it is", "Ben;yes, and no", "Ann;so", "Ben;well, then"])
    ';'
    """
    lines = [line for line in head if line.strip()][:MOST_TRIED]
    lines = [*dropwhile(lambda line: line[:1] == "#", lines)] or lines
    if lines and QUOTED_NAMES.match(lines[0]):
        return " "
    signed = (without_quoted(line) for line in lines if any(sign in line for sign in DELIMITERS))
    usual = max(DELIMITERS, key=DECIMAL.sub(".", next(signed, "")).count)
    if lines and is_written(lines[0], usual):
        return usual
    for sign in "\t|":
        title = next((n for n, line in enumerate(lines[:MOST_TITLES]) if sign in line), 0)
        counts = {line.count(sign) for line in lines[title:]}
        is_title = title > 0 and sign == "|" and any(map(lines[0].count, DELIMITERS))
        if len(lines) > title + 1 and len(counts) == 1 and 0 not in counts and not is_title:
            return sign
    is_barred = bool(lines) and len([*filter(field_role, lines[0].split("|"))]) > 1
    return "|" if is_barred else next((s for s in ";\t|" if _is_behind_names(lines, s)), usual)


def without_quoted(line: str) -> str:
    """Return a line without what its quoted cells hold, if it has separators outside of them.

    >>> without_quoted('"well; so; it is",Ann'), without_quoted('"Ann, so it is"')
    ('"",Ann', '"Ann, so it is"')
    """
    bare = QUOTED_CELL.sub('""', line) if '"' in line else line
    return bare if any(sign in bare for sign in (*DELIMITERS, "|")) else line


def _is_behind_names(lines: Sequence[str], sign: str) -> bool:
    """Return True if all lines begin with a name that returns and the sign, and no other sign."""
    cells = [line.partition(sign) for line in lines]
    names = [name for name, found, _ in cells if found and not {*name} & {*DELIMITERS}]
    return are_returning_names(names) and len(names) == len(lines)


def header_over_rule(head: Sequence[str]) -> int:
    """Return the number of the line that names the columns of a table in Markdown; 0 without one.

    >>> header_over_rule(["# Talk", "", "| Time | Text |", "|---|---|"])
    3
    """
    pairs = enumerate(pairwise(head[: MOST_ABOVE + 2]), 1)
    rules = (n for n, (line, rule) in pairs if "|" in line and "|" in rule and "-" in rule
             and BAR_RULE.match(rule.strip()) and not BAR_RULE.match(line.strip()))  # fmt: skip
    return next(rules, 0)


def batches_between_bars(source: Source, header: int) -> RowBatches:
    """Yield batches of the rows of a table in Markdown whose columns line `header` names."""
    lines = enumerate(chain.from_iterable(lines for _, lines in source.batches()), 1)
    filled = [(number, line) for number, line in lines if line.strip()]
    if above := [line for number, line in filled if number < header]:
        source.log.say(TABLE_TITLE, 1, rows=len(above), text=above[0].strip())
    rows = [(n, cells_between_bars(line)) for n, line in filled
            if n >= header and not BAR_RULE.match(line.strip())]  # fmt: skip
    for begin in range(0, len(rows), ROWS):
        batch = rows[begin : begin + ROWS]
        yield [number for number, _ in batch], [row for _, row in batch]


def is_written(header: str, delimiter: str) -> bool:
    """Return True if a line has the names of columns that `write` writes, and no others."""
    return {"recording", "text"} <= {*header.split(delimiter)} <= {*COLUMNS}


def csv_rows(source: Source, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Yield rows with their numbers. If `delimiter` is empty, `delimiter_of` finds it."""
    for numbers, rows in csv_batches(source, delimiter or delimiter_of(source.head_lines())):
        yield from zip(numbers, rows, strict=True)


def csv_batches(
    source: Source, delimiter: str, *, is_loose: bool = False, are_quoted: bool = True
) -> RowBatches:
    """Yield batches of rows, with the number of each row's first line.

    Empty lines are skipped.
    """
    lines = chain.from_iterable(lines for _, lines in source.batches())
    quoting = csv.QUOTE_MINIMAL if are_quoted else csv.QUOTE_NONE
    reader = _CsvReader(
        lines, delimiter=delimiter, strict=True, skipinitialspace=is_loose, quoting=quoting
    )
    numbers: list[int] = []
    rows: list[list[str]] = []
    begin = 1
    try:
        for row in reader:
            if row:
                numbers.append(begin)
                rows.append(row)
            begin = reader.line_count + 1
            if len(rows) == ROWS:
                yield numbers, rows
                numbers, rows = [], []
    except csv.Error as problem:
        if rows:
            yield numbers, rows
        if "field limit" in str(problem):
            message = f"field longer than {LONGEST_FIELD} characters"
            raise SizeLimitError(message, path=source.name, line=begin) from None
        expected = "fields quoted as in RFC 4180"
        raise source.syntax_error(begin, expected, f"{problem}") from None
    if rows:
        yield numbers, rows
    if reader.repaired:
        source.log.say(INNER_QUOTES, reader.repaired[0], rows=len(reader.repaired))


def divided_again(source: Source, batches: RowBatches, delimiter: str) -> RowBatches:
    """Yield batches of rows; a row that is a single field, quoted as a whole, is divided again.

    Some programs quote each line with a quote in it once more. The header shows the number of
    fields that a row has.
    """
    size, count = 0, 0
    for numbers, rows in batches:
        if not size:
            size = _size_of_rows(rows[:MOST_TRIED], delimiter)
        if size > 1 and any(_is_single(row) for row in rows):
            again = [_fields_of(row, delimiter) if _is_single(row) else row for row in rows]
            count += sum(len(n) == size and n is not r for r, n in zip(rows, again, strict=True))
            rows = [new if len(new) == size else row for row, new in zip(rows, again, strict=True)]
        yield numbers, rows
    if count:
        source.log.say(TWICE_QUOTED, rows=count)


def _size_of_rows(rows: Sequence[list[str]], delimiter: str) -> int:
    """Return the number of fields of rows, some of which are quoted as a whole; 1 if none is.

    >>> _size_of_rows([["speaker", "text"], ['Ann,"well, so"']], ",")
    2
    >>> _size_of_rows([["well, so it is"], ["no, never, and so on"], ["so, yes"]], ",")
    1
    >>> _size_of_rows([["Well, so it is."], ["No, it is not."], ["So it was."]], ",")
    1
    """
    if are_texts_alone(rows) and not all(map(_is_single, rows)):
        return 1
    header, *others = [_fields_of(row, delimiter) if _is_single(row) else row for row in rows]
    single = [len(new) for row, new in zip(rows[1:], others, strict=True) if _is_single(row)]
    is_same = bool(single) and single.count(len(header)) >= MOST_QUOTED * len(single)
    return len(header) if is_same else 1


def _is_single(row: Sequence[str]) -> bool:
    """Return True if only the first field of a row is filled, and it is not one word."""
    return not any(row[1:]) and any(sign in row[0] for sign in DELIMITERS)


def _fields_of(row: list[str], delimiter: str) -> list[str]:
    """Return the fields in the first field of a row, or the row if it has other quotes."""
    try:
        return next(csv.reader(row[:1], delimiter=delimiter, strict=True), row)
    except csv.Error:
        return row


class _CsvReader:
    """Reads rows from lines; fields may have any length.

    The module `csv` has a limit of 131,072 characters, which applies to the whole process. It is
    raised only while a row with a longer field is read again.
    """

    lock = Lock()

    def __init__(self, lines: Iterable[str], **dialect: Any) -> None:
        self.line_count = 0
        self.repaired: list[int] = []
        """The lines with quotes inside fields that were not written twice."""
        self._lines = iter(lines)
        self._row_lines: list[str] = []
        self._dialect = dialect

    def _next_lines(self) -> Iterator[str]:
        for line in self._lines:
            self._row_lines.append(line)
            yield f"{line}\n"

    def __iter__(self) -> Iterator[list[str]]:
        lines = self._next_lines()
        rows = csv.reader(lines, **self._dialect)
        while True:
            try:
                row = next(rows, None)
            except csv.Error as problem:
                begin = [f"{line}\n" for line in self._row_lines]
                if "field limit" in str(problem):
                    row = self._read_long(chain(begin, lines))
                elif "escapechar" not in self._dialect and any('\\"' in line for line in begin):
                    # as programs in C write quotes; what was read before has none of them
                    self._dialect |= {"escapechar": "\\"}
                    lines = chain(begin, lines)
                    rows = csv.reader(lines, **self._dialect)
                    continue
                elif len(begin) == 1:
                    doubled = with_doubled_quotes(begin[0], self._dialect["delimiter"])
                    row = self._read_long([doubled])
                    self.repaired.append(self.line_count + 1)
                else:
                    raise
            if row is None:
                return
            self.line_count += len(self._row_lines)
            self._row_lines.clear()
            yield row

    def _read_long(self, lines: Iterable[str]) -> list[str]:
        """Read the first row of lines, with fields of any length."""
        with self.lock:
            limit = csv.field_size_limit(LONGEST_FIELD)
            try:
                return next(csv.reader(lines, **self._dialect))
            finally:
                csv.field_size_limit(limit)


def with_doubled_quotes(line: str, delimiter: str) -> str:
    r"""Return the line of a row with the quotes inside its fields written twice.

    A quote ends a field if a separator or the end of the line is behind it.

    >>> with_doubled_quotes('1,"so "it" was",2\n', ",")
    '1,"so ""it"" was",2\n'
    """
    signs, place, is_inside, is_begin = list[str](), 0, False, True
    while place < len(line):
        sign, place = line[place], place + 1
        after = line[place : place + 1]
        if sign == '"' and not is_inside:
            is_inside = is_begin
        elif sign == '"' and after == '"':
            place, sign = place + 1, '""'
        elif sign == '"' and after not in ("", "\n", delimiter):
            sign = '""'
        elif sign == '"':
            is_inside = False
        is_begin = not is_inside and (sign == delimiter or (is_begin and sign == " "))
        signs.append(sign)
    return "".join(signs)
