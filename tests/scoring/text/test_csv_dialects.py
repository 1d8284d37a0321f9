import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.text.csv_dialects import (
    CSVParserError,
    CsvRow,
    UnallowedQuoteError,
    UnclosedQuoteError,
    read_rows,
)
from tests.each_case import each_case
from tests.tables import table_of


def rows(text: str, spaced: bool = False) -> list[list[str]]:
    return [list(row) for row in read_rows(text, spaced)]


@each_case(("text", "expected"), table_of(__file__, "default_dialect"))
def test_default_dialect(text: str, expected: list[list[str]]) -> None:
    assert rows(text) == expected


@each_case(("text", "expected"), table_of(__file__, "whitespace_dialect"))
def test_spaced_dialect(text: str, expected: list[list[str]]) -> None:
    assert rows(text, spaced=True) == expected


@each_case(
    ("text", "spaced", "kind", "message", "position"),
    [
        ('"a', False, UnclosedQuoteError, "Unexpected end", (1, 1, 1)),
        ('a"b,c', False, UnallowedQuoteError, "Quote not allowed here", (1, 2, 2)),
        ('"a" x,b', False, UnallowedQuoteError, "Single quote inside quoted field", (1, 5, 5)),
        ('"a"b', True, UnallowedQuoteError, "Single quote inside quoted field", (1, 4, 4)),
        ('x,y\n z, "a', False, UnclosedQuoteError, "Unexpected end", (2, 5, 9)),
        ('x\r\n"a\r\nb" c', False, UnallowedQuoteError, "Single quote", (3, 4, 11)),
    ],
)
def test_errors_name_the_place(
    text: str,
    spaced: bool,
    kind: type[CSVParserError],
    message: str,
    position: tuple[int, int, int],
) -> None:
    with pytest.raises(kind) as caught:
        rows(text, spaced)
    error = caught.value
    assert error.message.startswith(message)
    assert (error.line, error.char, error.index) == position
    assert isinstance(error, ValueError)
    copy = pickle.loads(pickle.dumps(error))
    assert (str(copy), copy.index) == (str(error), error.index)


def test_lines_of_rows() -> None:
    found = list(read_rows('a\n\n"b\nc",d\ne'))
    assert [row.line for row in found] == [1, 3, 5]
    found = list(read_rows("a\r\nb\r\nc"))
    assert [row.line for row in found] == [1, 2, 3]
    assert pickle.loads(pickle.dumps(found[1])).line == 2


def quoted(field: str) -> str:
    return '"' + field.replace('"', '""') + '"'


@given(st.lists(st.lists(st.text(max_size=5), min_size=1, max_size=4), max_size=4))
def test_quoted_fields_come_back(table: list[list[str]]) -> None:
    for delimiter in ", ":
        text = "\n".join(delimiter.join(map(quoted, row)) for row in table)
        assert rows(text, spaced=delimiter == " ") == table


@given(st.text(alphabet='ab",# \t\r\n[]'), st.booleans())
def test_any_text_gives_rows_or_a_placed_error(text: str, spaced: bool) -> None:
    refused: CSVParserError | None = None
    found: list[CsvRow] = []
    try:
        found = list(read_rows(text, spaced))
    except CSVParserError as error:
        refused = error
    assert all(found)
    if refused is not None:
        assert 1 <= refused.index <= len(text)
        lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        assert 1 <= refused.char <= len(lines[refused.line - 1]) + 1
