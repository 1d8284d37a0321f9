r"""The two CSV dialects of BenchmarkSTT's rule files.

Both quote with `"` (doubled inside quotes), take `#` for a comment where a field could begin, drop
empty lines, and trim blanks, tabs and line ends around fields that are not quoted. The default
dialect separates fields by commas; in the whitespace dialect any run of blanks and tabs separates.

>>> [list(row) for row in read_rows('a, " b "\n# nothing\nc,\n')]
[['a', ' b '], ['c', '']]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

COMMENT, QUOTE, LINE_ENDS, BLANKS = "#", '"', "\r\n", " \t"
TRIMMED = BLANKS + LINE_ENDS


class Dialect(NamedTuple):
    """How fields are separated."""

    name: str  # as people write it
    delimiters: str  # each character separates
    runs: bool  # whether a run of them separates once, and at the ends of a line not at all


DEFAULT = Dialect("default", ",", False)
WHITESPACE = Dialect("whitespace", BLANKS, True)
DIALECTS = (DEFAULT, WHITESPACE)


class UnknownDialectError(ValueError):
    """There is no dialect of that name."""


class InvalidDialectError(ValueError):
    """Something is given as a dialect that is none."""


class CSVParserError(ValueError):
    """Text that breaks the dialect's grammar."""

    def __init__(self, message: str, line: int, char: int, index: int) -> None:
        super().__init__(message, line, char, index)
        self.message = message
        self.line = line
        self.char = char
        self.index = index

    def __str__(self) -> str:
        return f"{self.message} on line {self.line}, character {self.char}"


class UnclosedQuoteError(CSVParserError):
    """A quote is opened and never closed; the place is that of the opening quote."""


class UnallowedQuoteError(CSVParserError):
    """A quote stands inside a field, or something stands after a closing quote."""


class CsvRow(tuple[str, ...]):
    """The fields of a row."""

    line: int  # on which line the row begins, counted from 1
    end_line: int  # what BenchmarkSTT calls the row's line

    def __new__(cls, fields: Sequence[str], line: int, end_line: int) -> CsvRow:
        """A row with its place."""
        row = super().__new__(cls, fields)
        row.line = line
        row.end_line = end_line
        return row

    def __getnewargs__(self) -> tuple[tuple[str, ...], int, int]:
        return tuple(self), self.line, self.end_line


def dialect_named(dialect: str | Dialect | None) -> Dialect:
    """The dialect of a name; None is the default one."""
    if dialect is None:
        return DEFAULT
    if isinstance(dialect, str):
        for candidate in DIALECTS:
            if candidate.name == dialect.lower():
                return candidate
        names = ", ".join(candidate.name for candidate in DIALECTS)
        raise UnknownDialectError(f"dialect: expected one of {names}, found {dialect!r}")
    value: object = dialect
    if not isinstance(value, Dialect):
        raise InvalidDialectError(f"dialect: expected a Dialect, found {type(value).__name__}")
    return value


def read_rows(text: str, dialect: str | Dialect | None = None) -> Iterator[CsvRow]:
    """The rows of a text that have fields; an initial byte order mark is dropped."""
    return _Reader(text.removeprefix("\ufeff"), dialect_named(dialect)).rows()


class _Reader:
    """A position in a text, which moves on."""

    def __init__(self, text: str, dialect: Dialect) -> None:
        self._text = text
        self._dialect = dialect
        self._at = 0
        self._line = 1
        self._line_start = 0
        self._line_ends = 0

    def rows(self) -> Iterator[CsvRow]:
        """All rows that have fields."""
        while self._at < len(self._text):
            line = self._line
            fields = self._row()
            ended = self._end_line()
            if fields:
                yield CsvRow(fields, line, self._line_ends + 1)
            if ended == "\r" and self._peek() == "\n":
                self._at += 1
                self._line_ends += 1
                self._line_start = self._at

    def _peek(self) -> str:
        return self._text[self._at : self._at + 1]

    def _at_end(self) -> bool:
        return self._at >= len(self._text) or self._text[self._at] in LINE_ENDS

    def _end_line(self) -> str:
        """Go over the line end, if there is one; which."""
        line_end = self._peek()
        if line_end:
            self._at += 1
            self._line += 1
            self._line_ends += 1
            self._line_start = self._at
        return line_end

    def _skip(self, characters: str) -> bool:
        start = self._at
        while self._at < len(self._text) and self._text[self._at] in characters:
            self._at += 1
        return self._at > start

    def _row(self) -> list[str]:
        """The fields up to the end of the line, which is not gone over."""
        fields: list[str] = []
        pending = False  # a delimiter promised a field
        while True:
            self._skip(BLANKS)
            if self._peek() == COMMENT:
                while not self._at_end():
                    self._at += 1
            if self._at_end():
                return [*fields, ""] if pending else fields
            if self._peek() == QUOTE:
                fields.append(self._quoted())
            else:
                fields.append(self._unquoted())
            pending = self._separated()

    def _separated(self) -> bool:
        """Go over what separates from the next field; whether that promises one."""
        if self._dialect.runs:
            return False
        is_delimiter = self._peek() != "" and self._peek() in self._dialect.delimiters
        self._at += is_delimiter
        return is_delimiter

    def _unquoted(self) -> str:
        start = self._at
        while not self._at_end() and self._text[self._at] not in self._dialect.delimiters:
            if self._text[self._at] == QUOTE:
                raise UnallowedQuoteError("Quote not allowed here", *self._place(self._at))
            self._at += 1
        return self._text[start : self._at].strip(TRIMMED)

    def _quoted(self) -> str:
        opening = self._place(self._at)
        pieces: list[str] = []
        while True:
            closing = self._text.find(QUOTE, self._at + 1)
            if closing < 0:
                raise UnclosedQuoteError("Unexpected end", *opening)
            piece = self._text[self._at + 1 : closing]
            pieces.append(piece)
            self._count_lines(piece, self._at + 1)
            self._at = closing + 1
            if self._peek() != QUOTE:
                break
        blank = self._skip(BLANKS)
        if self._ends_field(blank):
            return QUOTE.join(pieces)
        raise UnallowedQuoteError("Single quote inside quoted field", *self._place(self._at))

    def _ends_field(self, after_blank: bool) -> bool:
        if self._at_end() or self._peek() == COMMENT:
            return True
        if self._dialect.runs:
            return after_blank
        return self._peek() in self._dialect.delimiters

    def _count_lines(self, piece: str, start: int) -> None:
        self._line_ends += piece.count("\r") + piece.count("\n")
        lines = piece.replace("\r\n", "\n").replace("\r", "\n").count("\n")
        if lines:
            self._line += lines
            self._line_start = start + max(piece.rfind("\r"), piece.rfind("\n")) + 1

    def _place(self, position: int) -> tuple[int, int, int]:
        return self._line, position - self._line_start + 1, position + 1
