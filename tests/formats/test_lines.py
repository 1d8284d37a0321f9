"""Fields, comments, definitions and times of line formats."""

from io import StringIO

import pytest

from formats import Definition, LossError, SyntaxFormatError
from formats.io.messages import COMMENT, COMMENT_MARK, DEFINITION
from formats.io.source import open_source
from formats.reading.lines import (
    column_of_field,
    data_lines,
    definition_line,
    read_time,
    split_fields,
    split_words,
    write_definition,
)
from tests.each_case import each_case
from tests.formats.checks import remark_line


@pytest.mark.parametrize(
    ("line", "fields"),
    [
        ("", []),
        (" a  b\tc ", ["a", "b", "c"]),
        ("a\xa0b c\u3000d", ["a\xa0b", "c\u3000d"]),
        ("a\vb\fc\x1cd e", ["a\vb\fc\x1cd", "e"]),
    ],
)
def test_fields_are_cut_at_blanks_and_tabs_only(line: str, fields: list[str]) -> None:
    assert split_fields(line) == fields


def test_words_are_cut_at_vertical_tab_and_form_feed_too() -> None:
    assert split_words("a\vb\fc\x1cd\xa0e \tf") == ["a", "b", "c\x1cd\xa0e", "f"]


def test_column_of_field() -> None:
    assert [column_of_field(" ab  c\td", index) for index in range(4)] == [2, 6, 8, 9]


@each_case(
    ("line", "expected"),
    [
        (';; LABEL "o" "t" "d"', Definition("LABEL", "o", "t", "d")),
        (';; CATEGORY id="0" title="" desc="d" x', Definition("CATEGORY", "0", "", "d")),
        (';; LABEL "o" "t"', None),
        (';;LABEL "o" "t" "d"', None),
        (';; label "o" "t" "d"', None),
        (';; LABELS "o" "t" "d"', None),
    ],
)
def test_definition_line(line: str, expected: Definition | None) -> None:
    assert definition_line(line) == expected


def test_data_lines_leave_out_comments_and_say_so() -> None:
    text = (
        ';; LABEL "o" "t" "d"\n;; LABEL "o" "t" "d"\n;; LABEL "x"\n;;x\n**y\n \t\n'
        " ;; z\n;a\n*b\nc\n"
    )
    with open_source(StringIO(text)) as source:
        records = [(line.number, line.text) for line in data_lines(source)]
        assert records == [(7, " ;; z"), (8, ";a"), (9, "*b"), (10, "c")]
        assert source.definitions == [Definition("LABEL", "o", "t", "d")]
        assert [str(d) for d in source.log.entries()] == [
            remark_line(DEFINITION, 3),
            remark_line(COMMENT, 4),
            remark_line(COMMENT, 5),
            remark_line(COMMENT_MARK, 8, 1, mark=";"),
            remark_line(COMMENT_MARK, 9, 1, mark="*"),
        ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("abc", 'expected end time in seconds, found "abc"'),
        ("1,5", 'expected end time in seconds with a point, not a comma, found "1,5"'),
        ("-0.5", 'expected end time of 0 or more, found "-0.5"'),
        ("nan", 'expected end time in seconds, found "nan"'),
    ],
)
def test_read_time_refuses_with_a_column(text: str, message: str) -> None:
    with open_source(StringIO("")) as source, pytest.raises(SyntaxFormatError) as caught:
        read_time(source, 4, f"a  {text}", 1, text, "end time")
    assert str(caught.value) == f"<stream>:4:4: {message}"


def test_digits_below_a_nanosecond_are_noted() -> None:
    with open_source(StringIO("")) as source:
        assert (
            read_time(source, 1, "0.30000000000000004", 0, "0.30000000000000004", "x") == 3 * 10**8
        )
        assert [d.code for d in source.log.entries()] == ["TIME-DIGITS"]


def test_write_definition() -> None:
    definition = Definition("CATEGORY", "0", "", "a b")
    line = write_definition(definition)
    assert line == ';; CATEGORY "0" "" "a b"\n'
    assert definition_line(line) == definition
    with pytest.raises(LossError) as caught:
        write_definition(Definition("LABEL", "o", 'a "b"', ""))
    assert str(caught.value) == (
        'expected a LABEL definition without quotes and line ends, found "a "b""'
    )
