r"""Reader of the rows of rule files; a dialect is a class.

>>> from io import StringIO
>>> [list(line) for line in reader(StringIO("a, b\n# nothing\nc,"))]
[['a', 'b'], ['c', '']]
>>> class Semicolons(DefaultDialect):
...     delimiter = ";"
>>> [(line.lineno, list(line)) for line in reader(StringIO("\na; b,c"), Semicolons)]
[(2, ['a', 'b,c'])]
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO, ClassVar

from scoring.text.csv_dialects import CsvGrammar, CsvRow, read_rows
from scoring.text.csv_dialects import CSVParserError as CSVParserError
from scoring.text.csv_dialects import UnallowedQuoteError as UnallowedQuoteError
from scoring.text.csv_dialects import UnclosedQuoteError as UnclosedQuoteError


class InvalidDialectError(ValueError):
    """The dialect is not a class derived from `Dialect`."""


class UnknownDialectError(ValueError):
    """No dialect has the given name."""


class Dialect:
    """Base of dialects; each attribute is a string of characters with one meaning, or None."""

    delimiter: ClassVar[str | None] = None
    quotechar: ClassVar[str | None] = None
    commentchar: ClassVar[str | None] = None
    trimleft: ClassVar[str | None] = None
    trimright: ClassVar[str | None] = None


class DefaultDialect(Dialect):
    """Fields are separated by commas."""

    delimiter = ","
    quotechar = '"'
    commentchar = "#"
    trimleft = " \t\n\r"
    trimright = trimleft
    ignoreemptylines = True


class WhitespaceDialect(DefaultDialect):
    """Fields are separated by blanks and tabs."""

    delimiter = " \t"


known_dialects: dict[str, type[Dialect]] = {
    "default": DefaultDialect,
    "whitespace": WhitespaceDialect,
}


class Line(list[str]):
    """The fields of a row.

    `lineno` is the line on which the row begins, counted from 1.
    """

    def __init__(self, row: CsvRow) -> None:
        super().__init__(row)
        self._line = row.line

    @property
    def lineno(self) -> int:
        """The line on which the row begins."""
        return self._line


class Reader:
    """Iterates over the rows of an open file and skips rows without fields.

    Parameters
    ----------
    dialect
        A class derived from `Dialect` with a delimiter.
    debug
        Has no effect.

    Raises
    ------
    InvalidDialectError
        If `dialect` is not a dialect.
    CSVParserError
        While iterating, if the text breaks the dialect's grammar.
    """

    def __init__(self, file: IO[str], dialect: type[Dialect], debug: object = None) -> None:
        is_dialect: bool = issubclass(dialect, Dialect)
        if not is_dialect or dialect.delimiter is None:
            raise InvalidDialectError("Invalid dialect", dialect)
        self._grammar = CsvGrammar(
            dialect.delimiter,
            dialect.quotechar,
            dialect.commentchar,
            dialect.trimleft,
            dialect.trimright,
        )
        self._file = file
        self.line_num = 0

    def __iter__(self) -> Iterator[Line]:
        for row in read_rows(self._file.read(), grammar=self._grammar):
            self.line_num = row.line
            yield Line(row)


def reader(file: IO[str], dialect: str | type[Dialect] | None = None, **kwargs: object) -> Reader:
    """Return the rows of an open file.

    The dialect is a name or a class (default: `default`). Raises UnknownDialectError for an unknown
    name. All other arguments and errors are those of `Reader`.
    """
    if dialect is None:
        dialect = DefaultDialect
    elif isinstance(dialect, str):
        if dialect not in known_dialects:
            raise UnknownDialectError("Dialect not known", dialect)
        dialect = known_dialects[dialect]
    return Reader(file, dialect, **kwargs)
