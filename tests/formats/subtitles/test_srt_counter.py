"""A counter that a blank line parts from its times is a counter; numbers that do not go on are text."""

from tests.formats.conftest import ReadText


def test_a_blank_line_below_the_counter(read_text: ReadText) -> None:
    text = (
        "1\n00:00:01,000 --> 00:00:02,000\nhello\n\n"
        "2\n\n00:00:03,000 --> 00:00:04,000\nyou\n\n7\n\n00:00:05,000 --> 00:00:06,000\nall\n"
    )
    transcript = read_text(text, "srt")
    assert [segment.words for segment in transcript] == [("hello",), ("you", "7"), ("all",)]
    assert "SRT-COUNTER" in [d.code for d in transcript.diagnostics]
