"""Spruce STL: what is beyond the contract of all formats."""

from io import BytesIO

import pytest

import formats
from formats import SyntaxFormatError
from formats.subtitles.messages import SPRUCE_TIME
from tests.formats.conftest import ReadText
from tests.remarks import pattern_of

TEXT = """//Font select
$FontName = Arial
01:02:17:10 , 01:02:20:10 , ^IYes^I, we're | here.
"""


def test_settings_are_noted_and_frames_are_times(read_text: ReadText) -> None:
    (cue,) = transcript = read_text(TEXT, "spruce")
    assert (cue.words, cue.start, cue.end) == (("Yes,", "we're", "here."), 3737.4, 3740.4)
    assert [d.code for d in transcript.diagnostics] == ["SPRUCE-SETTING", "SPRUCE-SETTING"]
    assert formats.detect(BytesIO(TEXT.encode())) == "spruce"
    (cue,) = read_text(TEXT, "spruce", fps="29.97")
    assert cue.start == pytest.approx((3737 * 30 + 10) * 1001 / 30000)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("00:00:01:25 , 00:00:02:00 , a", pattern_of(SPRUCE_TIME, frames=25)),
        ("00:61:01:00 , 00:62:02:00 , a", pattern_of(SPRUCE_TIME)),
        ("hello", '1:1: expected begin , end , text in hh:mm:ss:ff, found "hello"'),
    ],
)  # fmt: skip
def test_lines_that_are_no_cues(read_text: ReadText, line: str, message: str) -> None:
    with pytest.raises(SyntaxFormatError, match=message):
        read_text(f"{line}\n", "spruce")
    assert len(read_text(f"{line}\n", "spruce", tolerance="lenient")) == 0
