"""Oddities of MOSS: brackets in texts, line ends, segments that are cut off."""

from collections.abc import Callable

import pytest

import formats
from tests.each_case import each_case
from tests.tables import table_of

ReadText = Callable[..., formats.Transcript]


def test_segments_follow_one_another_with_or_without_blanks(read_text: ReadText) -> None:
    text = "\n[0][S01]a [2024] b[1.5][1.5][S02]c\nd[.9]e[2.]\n [3] [S01][4]\n"
    transcript = read_text(text, "moss")
    assert [(s.speaker, s.start, s.end, s.words, s.line) for s in transcript] == [
        ("S01", 0.0, 1.5, ("a", "[2024]", "b"), 2),
        ("S02", 1.5, 2.0, ("c", "d[.9]e"), 2),
        ("S01", 3.0, 4.0, (), 4),
    ]


@each_case(
    ("text", "segments", "message"),
    table_of(__file__, "what_is_no_segment_is_an_error_and_costs_itself"),
)
def test_what_is_no_segment_is_an_error_and_costs_itself(
    text: str, segments: int, message: str, read_text: ReadText
) -> None:
    with pytest.raises(formats.FormatError) as caught:
        read_text(text, "moss")
    assert str(caught.value).endswith(message)
    transcript = read_text(text, "moss", tolerance="lenient")
    assert len(transcript) == segments
    assert [d.code for d in transcript.diagnostics] == ["SEGMENT"]
