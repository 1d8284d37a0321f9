from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.normalize.csv_dialects import (
    DEFAULT,
    WHITESPACE,
    CSVParserError,
    CsvRow,
    Dialect,
    InvalidDialectError,
    UnallowedQuoteError,
    UnclosedQuoteError,
    UnknownDialectError,
    dialect_named,
    read_rows,
)
from tests.tables import table_of


def rows(text: str, dialect: str | Dialect | None = None) -> list[list[str]]:
    return [list(row) for row in read_rows(text, dialect)]


@pytest.mark.parametrize(("text", "expected"), table_of(__file__, "default_dialect"))
def test_default_dialect(text: str, expected: list[list[str]]) -> None:
    assert rows(text) == expected


@pytest.mark.parametrize(("text", "expected"), table_of(__file__, "whitespace_dialect"))
def test_whitespace_dialect(text: str, expected: list[list[str]]) -> None:
    assert rows(text, "whitespace") == expected


@pytest.mark.parametrize(
    ("text", "dialect", "kind", "message", "position"),
    [
        ('"a', DEFAULT, UnclosedQuoteError, "Unexpected end", (1, 1, 1)),
        ('a"b,c', DEFAULT, UnallowedQuoteError, "Quote not allowed here", (1, 2, 2)),
        ('"a" x,b', DEFAULT, UnallowedQuoteError, "Single quote inside quoted field", (1, 5, 5)),
        ('"a"b', WHITESPACE, UnallowedQuoteError, "Single quote inside quoted field", (1, 4, 4)),
        ('x,y\n z, "a', DEFAULT, UnclosedQuoteError, "Unexpected end", (2, 5, 9)),
        ('x\r\n"a\r\nb" c', DEFAULT, UnallowedQuoteError, "Single quote", (3, 4, 11)),
    ],
)
def test_errors_name_the_place(
    text: str,
    dialect: Dialect,
    kind: type[CSVParserError],
    message: str,
    position: tuple[int, int, int],
) -> None:
    with pytest.raises(kind) as caught:
        rows(text, dialect)
    error = caught.value
    assert error.message.startswith(message)
    assert (error.line, error.char, error.index) == position
    assert isinstance(error, ValueError)
    copy = pickle.loads(pickle.dumps(error))
    assert (str(copy), copy.index) == (str(error), error.index)


def test_lines_of_rows() -> None:
    found = list(read_rows('a\n\n"b\nc",d\ne'))
    assert [(row.line, row.end_line) for row in found] == [(1, 2), (3, 5), (5, 5)]
    found = list(read_rows("a\r\nb\r\nc"))
    assert [(row.line, row.end_line) for row in found] == [(1, 2), (2, 4), (3, 5)]
    assert pickle.loads(pickle.dumps(found[1])).line == 2


def test_dialects_by_name() -> None:
    assert dialect_named(None) is DEFAULT
    assert dialect_named("Whitespace") is WHITESPACE
    with pytest.raises(UnknownDialectError, match="expected one of default, whitespace"):
        dialect_named("excel")
    with pytest.raises(InvalidDialectError, match="found int"):
        dialect_named(3)  # type: ignore[arg-type]


def quoted(field: str) -> str:
    return '"' + field.replace('"', '""') + '"'


@given(st.lists(st.lists(st.text(max_size=5), min_size=1, max_size=4), max_size=4))
def test_quoted_fields_come_back(table: list[list[str]]) -> None:
    for dialect in (DEFAULT, WHITESPACE):
        text = "\n".join(dialect.delimiters[0].join(map(quoted, row)) for row in table)
        assert rows(text, dialect) == table


@given(st.text(alphabet='ab",# \t\r\n[]'), st.sampled_from([DEFAULT, WHITESPACE]))
def test_any_text_gives_rows_or_a_placed_error(text: str, dialect: Dialect) -> None:
    refused: CSVParserError | None = None
    found: list[CsvRow] = []
    try:
        found = list(read_rows(text, dialect))
    except CSVParserError as error:
        refused = error
    assert all(found)
    if refused is not None:
        assert 1 <= refused.index <= len(text)
        lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        assert 1 <= refused.char <= len(lines[refused.line - 1]) + 1
