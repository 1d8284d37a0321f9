"""Text for terminals: widths, isolation, wrapping, no control characters."""

import re

from hypothesis import given
from hypothesis import strategies as st

import scoring
from formats.console import shown
from formats.console.terminal import padded, table, width
from scoring.drawing.terminal import alignment_lines

LABELS = ("reference:", "hypothesis:")
SGR = re.compile(r"\x1b\[[0-9]*m")
WORDS = st.lists(st.sampled_from(["a", "bb", "ccc", "日本", "e\u0301", "שלום"]), max_size=30)


@given(WORDS, WORDS, st.integers(30, 80))
def test_rows_of_a_wrapped_alignment_are_in_line(
    reference: list[str], hypothesis: list[str], columns: int
) -> None:
    lines = list(alignment_lines(scoring.align(reference, hypothesis), LABELS, columns, False))
    assert all(width(line) <= columns for line in lines)
    for label in LABELS:
        words = [
            word.strip("\u2068\u2069")
            for line in lines
            if line.startswith(label)
            for word in line[len(label) :].split()
            if word != "***"
        ]
        assert words == (reference if label == "reference:" else hypothesis)


def test_an_empty_alignment_has_its_rows() -> None:
    lines = list(alignment_lines(scoring.align([], []), LABELS, 80, False))
    assert lines == ["reference:", "hypothesis:"]


def test_colour_changes_nothing_but_colour() -> None:
    alignment = scoring.align(list("abcd"), list("axcde"))
    plain = list(alignment_lines(alignment, LABELS, 80, False))
    coloured = list(alignment_lines(alignment, LABELS, 80, True))
    assert coloured != plain
    assert [SGR.sub("", line).rstrip() for line in coloured] == plain


def test_wide_words_are_in_line() -> None:
    lines = list(alignment_lines(scoring.align(["日本", "b"], ["c", "b"]), LABELS, 80, False))
    assert lines == ["reference:   日本 b", "hypothesis:  c    b", "             S"]


def test_words_from_right_to_left_are_kept_apart() -> None:
    assert padded("שלום", 6) == "\u2068שלום\u2069  "


def test_nothing_moves_the_cursor() -> None:
    assert shown("a\x1b[2J\x07\u2028b\x9b") == "a\\x1b[2J\\x07\\u2028b\\x9b"
    assert table([["a\nb", "1"]]) == ["a\\nb  1"]
    assert shown("\udcff") == "\\udcff"


def test_controls_of_direction_are_escaped_and_joiners_kept() -> None:
    controls = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
    assert shown(f"a{controls}b") == (r"a\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069b")
    assert shown("\u0646\u200c\u0647") == "\u0646\u200c\u0647"
