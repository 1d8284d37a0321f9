"""Lambda CAP: screens, marks of type, readings, and what is no mark."""

import pytest

from formats.io.messages import FRAMES_ASSUMED
from formats.schema.errors import SyntaxFormatError
from formats.subtitles.messages import LAMBDA_STYLES
from tests.each_case import each_case
from tests.formats.checks import remark_line, remarks
from tests.formats.conftest import ReadText

HEAD = 'Lambda字幕V4\tDF1+1\tSCENE"x"\n\n'


@each_case(
    ("text", "shown", "ruby"),
    [
        ("＠斜３［so ＠ルビ下［it｜↑］＠ was］＠ then", "so it was then", "↑"),
        ("a＠ルビ右［b｜ビー\u3000\u3000］＠＠幅広［―］＠", "ab―", "ビー"),
        ("＿h_a＿", "h a", None),
        ("a＠＠＠b ＠_＠ c", "a＠b _ c", None),
        ("so @縦右 ＠間 it", "so @縦右 ＠間 it", None),
        ("so ＠縦右 ＠行頭！", "so", None),
        ("＠斜［so it", "so it", None),
        ("＠ルビ［so｜it", "soit", None),
        ("so］＠ it｜was", "so］＠ it｜was", None),
        ("\t\t", "", None),
    ],
)
def test_marks_are_no_words(read_text: ReadText, text: str, shown: str, ruby: str | None) -> None:
    (segment,) = read_text(f"{HEAD}１２Ｂ\t００000015／00000115\t{text}\n", "lambda-cap", fps="30")
    assert (segment.start, segment.end, " ".join(segment.words)) == (0.5, 1.5, shown)
    assert segment.get("ruby") == ruby


def test_lines_below_are_of_the_screen_above(read_text: ReadText) -> None:
    text = f"{HEAD}60\t00000015/00000115\tso\t＠縦右 ＠行頭\n\t\t\t\t２ it\n00000200/00000300 was\n"
    transcript = read_text(text, "lambda-cap")
    assert [" ".join(s.words) for s in transcript] == ["so ２ it", "was"]
    assert transcript[0].get("lines") == "so\n２ it"
    assert remarks(transcript) == [
        remark_line(FRAMES_ASSUMED, fps="30"), remark_line(LAMBDA_STYLES, marks=2)
    ]  # fmt: skip
    assert dict(transcript.properties) == {"drop_frame_flags": "DF1+1"}


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("hello\n", (1, None)),
        (f"{HEAD}1\t00000030/00000115\tso\n", (3, 1)),
        (f"{HEAD}hello\n", (3, 1)),
        (f"{HEAD}\thello\n", (3, 2)),
    ],
)
def test_faults_have_places(read_text: ReadText, text: str, place: tuple[int, int | None]) -> None:
    with pytest.raises(SyntaxFormatError) as caught:
        read_text(text, "lambda-cap")
    assert (caught.value.line, caught.value.column) == place
