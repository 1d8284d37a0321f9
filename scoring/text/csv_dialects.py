r"""The two CSV dialects of BenchmarkSTT's rule files.

Both quote with `"` (doubled inside quotes), take `#` for a comment where a field could begin, drop
empty lines, and trim blanks, tabs and line ends around fields that are not quoted. The default
dialect separates fields by commas; in the spaced dialect any run of blanks and tabs separates.

>>> [list(row) for row in read_rows('a, " b "\n# nothing\nc,\n')]
[['a', ' b '], ['c', '']]
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

QUOTE, TRIMMED = '"', " \t\r\n"
_SKIPPED = re.compile(r"[ \t]*(?:#[^\r\n]*)?")
_QUOTED = re.compile(r'"([^"]*(?:""[^"]*)*)"(?!")([ \t]*)')
_UNQUOTED = {False: re.compile(r'[^,"\r\n]*'), True: re.compile(r'[^ \t"\r\n]*')}
_LINE_END = re.compile(r"\r\n?|\n")


class CSVParserError(ValueError):
    """Text that breaks the dialect's grammar: what, and the line, character and index, from 1."""

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

    def __new__(cls, fields: Sequence[str], line: int = 1) -> CsvRow:
        """Return a row with its place."""
        row = super().__new__(cls, fields)
        row.line = line
        return row


def read_rows(text: str, spaced: bool = False) -> Iterator[CsvRow]:
    """Yield the rows of a text that have fields; an initial byte order mark is dropped."""
    text = text.removeprefix("\ufeff")
    begin, line = 0, 1
    while begin < len(text):
        fields, end = _row(text, begin, spaced)
        if fields:
            yield CsvRow(fields, line)
        line_end = _LINE_END.match(text, end)
        end = end if line_end is None else line_end.end()
        line += len(_LINE_END.findall(text, begin, end))
        begin = end


def read_file(path: str, encoding: str = "utf-8", spaced: bool = False) -> list[CsvRow]:
    """Return the rows of a file."""
    with open(path, encoding=encoding, newline="") as stream:
        return list(read_rows(stream.read(), spaced))


def _row(text: str, begin: int, spaced: bool) -> tuple[list[str], int]:
    """Return the fields up to the end of the line, and where that is."""
    fields: list[str] = []
    end, promised = begin, False  # a delimiter promises a field
    while True:
        end = _end(_SKIPPED, text, end)
        if text[end : end + 1] in "\r\n":
            return [*fields, ""] if promised else fields, end
        if text[end] == QUOTE:
            quoted = _QUOTED.match(text, end)
            if quoted is None:
                raise UnclosedQuoteError("Unexpected end", *_place(text, end))
            fields.append(quoted[1].replace(2 * QUOTE, QUOTE))
            end = quoted.end()
            following = text[end : end + 1]
            if following not in "\r\n#" and not (quoted[2] if spaced else following == ","):
                message = "Single quote inside quoted field"
                raise UnallowedQuoteError(message, *_place(text, end))
        else:
            begin, end = end, _end(_UNQUOTED[spaced], text, end)
            if text[end : end + 1] == QUOTE:
                raise UnallowedQuoteError("Quote not allowed here", *_place(text, end))
            fields.append(text[begin:end].strip(TRIMMED))
        promised = not spaced and text[end : end + 1] == ","
        end += promised


def _end(pattern: re.Pattern[str], text: str, begin: int) -> int:
    """Return the end of the match of a pattern that always matches."""
    match = pattern.match(text, begin)
    assert match is not None
    return match.end()


def _place(text: str, index: int) -> tuple[int, int, int]:
    """Line, character and index, from 1."""
    ends = [match.end() for match in _LINE_END.finditer(text, 0, index)]
    return len(ends) + 1, index - (ends[-1] if ends else 0) + 1, index + 1
