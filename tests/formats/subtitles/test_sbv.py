"""Captions of YouTube: what is beyond the contract of all formats."""

import pytest

from formats import FormatError
from tests.formats.conftest import ReadText

BROKEN = "0:75:00.000,0:76:00.000\nno cue\n0:00:01.000,0:00:02.000\na\n\nb[br]c\n"


def test_line_breaks_and_blank_lines_stay_inside_a_cue(read_text: ReadText) -> None:
    (cue,) = read_text("\n0:00:01.000,0:00:02.000\na\n\nb[br]c\n", "sbv").segments
    assert (cue.words, cue.start, cue.end) == (("a", "b", "c"), 1.0, 2.0)
    assert cue.get("lines") == "a\nb\nc"


@pytest.mark.parametrize("text", [BROKEN, "hello\n", "hello\n0:00:01.000,0:00:02.000\na\n"])
def test_what_is_no_cue_is_refused_with_its_line(read_text: ReadText, text: str) -> None:
    with pytest.raises(FormatError, match=r":1:1: expected times like .* found"):
        read_text(text, "sbv")


def test_lenient_reading_tells_each_line_that_it_skips(read_text: ReadText) -> None:
    transcript = read_text(BROKEN, "sbv", tolerance="lenient")
    assert [s.words for s in transcript] == [("a", "b", "c")]
    assert [(d.severity, d.line) for d in transcript.diagnostics] == [("error", 1), ("error", 2)]
