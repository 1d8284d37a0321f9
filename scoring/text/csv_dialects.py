r"""The two CSV dialects of BenchmarkSTT's rule files.

In both dialects, fields are quoted with `"` (doubled inside quotes), `#` at the beginning of a
field starts a comment, empty lines are dropped, and blanks, tabs and line ends around unquoted
fields are trimmed. The default dialect separates fields by commas; in the spaced dialect any run of
blanks and tabs separates.

>>> [list(row) for row in read_rows('a, " b "\n# nothing\nc,\n')]
[['a', ' b '], ['c', '']]
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

_LINE_END = re.compile(r"\r\n?|\n")
_NEVER = re.compile(r"(?!)")


class CsvGrammar(NamedTuple):
    """The characters of a dialect: delimiters, quotes, comment signs, and characters to trim.

    A field is None if no character has this role.
    """

    delimiter: str = ","
    quote: str | None = '"'
    comment: str | None = "#"
    trimmed_left: str | None = " \t\r\n"
    trimmed_right: str | None = " \t\r\n"

    @property
    def is_spaced(self) -> bool:
        """True if a run of delimiters separates two fields, because delimiters are blanks."""
        return self.delimiter.isspace()


COMMAS, BLANKS = CsvGrammar(), CsvGrammar(" \t")


class _Patterns(NamedTuple):
    """The regular expressions of a grammar."""

    skipped: re.Pattern[str]
    quoted: re.Pattern[str]
    unquoted: re.Pattern[str]


@lru_cache
def _patterns(grammar: CsvGrammar) -> _Patterns:
    left, right = (
        re.escape((trimmed or "").replace("\r", "").replace("\n", ""))
        for trimmed in (grammar.trimmed_left, grammar.trimmed_right)
    )
    comment = re.escape(grammar.comment or "")
    quote = re.escape(grammar.quote or "")
    return _Patterns(
        re.compile(
            (f"[{left}]*" if left else "") + (f"(?:[{comment}][^\r\n]*)?" if comment else "")
        ),
        re.compile(
            f"{quote}([^{quote}]*(?:{2 * quote}[^{quote}]*)*){quote}(?!{quote})"
            + (f"([{right}]*)" if right else "()")
        )
        if quote
        else _NEVER,
        re.compile(f"[^{re.escape(grammar.delimiter)}{quote}\r\n]*"),
    )


class CSVParserError(ValueError):
    """Raised for text that breaks the grammar of a dialect.

    Line, character and index count from 1.
    """

    def __init__(self, message: str, line: int, char: int, index: int) -> None:
        super().__init__(message, line, char, index)
        self.message = message
        self.line = line
        self.char = char
        self.index = index

    def __str__(self) -> str:
        return f"{self.message} on line {self.line}, character {self.char}"


class UnclosedQuoteError(CSVParserError):
    """A quote is not closed; the position is that of the opening quote."""


class UnallowedQuoteError(CSVParserError):
    """A quote occurs inside an unquoted field, or text follows a closing quote."""


class CsvRow(tuple[str, ...]):
    """The fields of a row."""

    line: int  # on which line the row begins, counted from 1

    def __new__(cls, fields: Sequence[str], line: int = 1) -> CsvRow:
        """Return a row with its line number."""
        row = super().__new__(cls, fields)
        row.line = line
        return row


def read_rows(
    text: str, spaced: bool = False, grammar: CsvGrammar | None = None
) -> Iterator[CsvRow]:
    """Yield the rows of a text that have fields; skip a byte order mark at the beginning.

    The grammar is one of the two dialects above, or another grammar.
    """
    grammar = grammar or (BLANKS if spaced else COMMAS)
    text = text.removeprefix("\ufeff")
    begin, line = 0, 1
    while begin < len(text):
        fields, end = _row(text, begin, grammar)
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


def _row(text: str, begin: int, grammar: CsvGrammar) -> tuple[list[str], int]:
    """Return the fields of a row, and the position of the end of its line."""
    skipped, quoted_field, unquoted = _patterns(grammar)
    delimiter, quote = grammar.delimiter, grammar.quote or "\0\0"
    closing = f"\r\n{grammar.comment or ''}"
    fields: list[str] = []
    end, promised = begin, False  # a delimiter promises a field
    while True:
        end = _end(skipped, text, end)
        if text[end : end + 1] in "\r\n":
            return [*fields, ""] if promised else fields, end
        if text[end] == quote:
            quoted = quoted_field.match(text, end)
            if quoted is None:
                raise UnclosedQuoteError("Unexpected end", *_place(text, end))
            fields.append(quoted[1].replace(2 * quote, quote))
            end = quoted.end()
            following = text[end : end + 1]
            is_separated = quoted[2] if grammar.is_spaced else following in delimiter
            if following not in closing and not is_separated:
                message = "Single quote inside quoted field"
                raise UnallowedQuoteError(message, *_place(text, end))
        else:
            begin, end = end, _end(unquoted, text, end)
            if text[end : end + 1] == quote:
                raise UnallowedQuoteError("Quote not allowed here", *_place(text, end))
            fields.append(_trimmed(text[begin:end], grammar))
        following = text[end : end + 1]
        promised = not grammar.is_spaced and following != "" and following in delimiter
        end += promised


def _trimmed(field: str, grammar: CsvGrammar) -> str:
    """Return a field without the characters that the grammar trims at its ends."""
    return field.lstrip(grammar.trimmed_left or "").rstrip(grammar.trimmed_right or "")


def _end(pattern: re.Pattern[str], text: str, begin: int) -> int:
    """Return the position after the match of a pattern at `begin`. The pattern must match there."""
    match = pattern.match(text, begin)
    assert match is not None
    return match.end()


def _place(text: str, index: int) -> tuple[int, int, int]:
    """Return the line, the character in the line and the index in the text, all from 1."""
    ends = [match.end() for match in _LINE_END.finditer(text, 0, index)]
    return len(ends) + 1, index - (ends[-1] if ends else 0) + 1, index + 1
