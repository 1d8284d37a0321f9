"""First rows of tables that are surely no names of columns."""

from collections.abc import Sequence

from formats.tables.cells import sure_value
from formats.tables.messages import NO_HEADER
from tests.each_case import each_case
from tests.formats.conftest import ReadText
from tests.remarks import fields_of

LONG = (
    "so it was that we went down to the river and nobody said a word until the sun was up again {}"
)


@each_case(
    ("rows", "words"),
    [
        ([f"a{n},{LONG.format(n)}" for n in range(3)], 66),
        ([f'{n * 9},"So it was, {n}."' for n in range(4)], 16),
        ([f"lord_talk:reply{n},So it is at {n} again." for n in range(5)], 30),
    ],
)
def test_a_first_row_of_values_is_read(
    read_text: ReadText, rows: Sequence[str], words: int
) -> None:
    result = read_text("\n".join(rows) + "\n", "csv")
    assert result.word_count == words
    assert len(fields_of(result.diagnostics, NO_HEADER)) == 1


@each_case(
    "names",
    [
        ["file_name", "text"], ["utt_id", "what was said"], ["0", "1"],
        ["id", "What did the person in the video say, in your own words, and please be brief?"],
    ],
)  # fmt: skip
def test_names_above_values_are_no_values(names: Sequence[str]) -> None:
    rows = [[f"file_{n}", f"So it was, {n}."] for n in range(5)]
    assert not sure_value(names, rows)
