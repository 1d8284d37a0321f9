"""Odd MicroDVD files, one by one, and what they are said to be."""

from functools import partial
from io import BytesIO

import pytest

import formats
from formats import FormatError, Segment
from formats.io.messages import FRAME_RATE
from formats.reading.frames import parse_rate
from formats.schema.messages import Message
from formats.subtitles.messages import (
    CUE_OPEN,
    MICRODVD_DECIMALS,
    MICRODVD_DEFAULT,
    MICRODVD_RATE,
    MICRODVD_RATE_GIVEN,
    MICRODVD_RATE_NEEDED,
    MICRODVD_RATE_OPEN,
)
from tests.each_case import each_case
from tests.formats import checks
from tests.formats.checks import message_of, message_text, remark_line, remarks
from tests.formats.conftest import ReadText, RunCommand, WriteFile
from tests.formats.json.reading import refusal
from tests.tables import table_of

written = partial(checks.written, "microdvd")


@each_case(
    ("text", "rate"),
    [
        ("25", (25, 1)), ("29.97", (30000, 1001)), ("23.976", (24000, 1001)), ("23.98", (1199, 50)),
        ("59.94", (60000, 1001)), ("12.5", (25, 2)), ("30000/1001", (30000, 1001)),
    ],
)  # fmt: skip
def test_rates(text: str, rate: tuple[int, int]) -> None:
    assert parse_rate(text) == rate


@each_case("text", ["0", "nan", "1e3", "-25", "2000", "25/0", "", "٢٥", "0.5"])
def test_rates_that_are_none(text: str) -> None:
    with pytest.raises(ValueError, match="not a frame rate"):
        parse_rate(text)


@pytest.mark.parametrize("first", ["{1}{1}25", "{0}{0}25.000", "{1}{1} 25 ", "{0}{1}25"])
def test_the_first_cue_says_the_rate(first: str, read_text: ReadText) -> None:
    transcript = read_text(f"{first}\n{{25}}{{50}}1984\n", "microdvd")
    assert [(s.words, s.start, s.end) for s in transcript] == [(("1984",), 1.0, 2.0)]
    assert dict(transcript.properties)["fps"] == first.rpartition("}")[2].strip()


def test_frames_may_have_decimals(read_text: ReadText) -> None:
    transcript = read_text(
        "{1}{1}25\n{12.5}{0030.25}so\n{0.5}{1.}no\n", "microdvd", tolerance="lenient"
    )
    assert [(s.words, s.start, s.end) for s in transcript] == [(("so",), 0.5, 1.21)]
    assert remark_line(MICRODVD_DECIMALS, 2) in remarks(transcript)


def test_without_a_rate_nothing_is_guessed(read_text: ReadText) -> None:
    assert message_of(formats.OptionError, lambda: read_text("{25}{50}hello\n", "microdvd")) == (
        f"<stream>:1: {message_text(MICRODVD_RATE_OPEN, text='{25}{50}hello')}"
    )
    assert read_text("{24}{48}hello\n", "microdvd", fps="24")[0].end == 2.0


def test_the_rate_of_the_file_wins(read_text: ReadText) -> None:
    transcript = read_text("{1}{1}25\n{25}{50}hello\n", "microdvd", fps="30")
    assert transcript[0].start == 1.0
    assert remarks(transcript) == [remark_line(MICRODVD_RATE_GIVEN, 1, text="25")]


def test_a_rate_behind_the_first_line_is_text(read_text: ReadText) -> None:
    transcript = read_text("{1}{1}25\n{1}{1}30\n{25}{50}hello\n", "microdvd")
    assert [s.words for s in transcript] == [("30",), ("hello",)]
    assert remarks(transcript) == [remark_line(MICRODVD_RATE, 2, text="{1}{1}30")]


def test_an_open_end_is_the_begin_of_the_next(read_text: ReadText) -> None:
    transcript = read_text("{1}{1}25\n{25}{}one\n{50}{75}two\n{100}{}three\n", "microdvd")
    assert [(s.start, s.end) for s in transcript] == [(1.0, 2.0), (2.0, 3.0), (4.0, None)]
    assert remarks(transcript) == [remark_line(CUE_OPEN, 4)]


def test_frames_of_ntsc_are_exact(read_text: ReadText) -> None:
    (segment,) = read_text("{1}{1}23.976\n{24000}{48000}x\n", "microdvd")
    assert (segment.start, segment.end) == (1001.0, 2002.0)
    assert written(segment, fps="23.976") == ("{1}{1}23.976\n{24000}{48000}x\n", [])


@each_case(("text", "words"), table_of(__file__, "text"))
def test_text(text: str, words: list[str], read_text: ReadText) -> None:
    (segment,) = read_text(f"{{1}}{{1}}25\n{{25}}{{50}}{text}\n", "microdvd")
    assert list(segment.words) == words
    if "{y:" in text or "P:" in text:
        assert written(segment, fps="25")[0] == f"{{1}}{{1}}25\n{{25}}{{50}}{text}\n"


def test_lines_of_something_else(read_text: ReadText) -> None:
    text = "{1}{1}25\n{DEFAULT}{C:$FF}\nhello\n{25}{50}you\n"
    assert refusal(text, "microdvd") == '<stream>:3:1: expected {frame}{frame}text, found "hello"'
    transcript = read_text(text, "microdvd", tolerance="lenient")
    assert [s.words for s in transcript] == [("you",)]
    assert remarks(transcript)[0] == remark_line(MICRODVD_DEFAULT, 2)


def test_frames_beyond_all_time() -> None:
    message = f'<stream>:2: expected a frame within 292 years, found "{"9" * 30}"'
    assert refusal("{1}{1}25\n{25}{" + "9" * 30 + "}x\n", "microdvd") == message


@pytest.mark.parametrize("fps", ["", "x"])
def test_writing_needs_a_rate(fps: str) -> None:
    with pytest.raises(formats.OptionError) as caught:
        written(Segment.of("rec", ["a"], start=1.0, end=2.0), fps=fps)
    if fps:
        assert caught.value.value == Message(FRAME_RATE, {"text": "x"})
    else:
        assert caught.value.value == Message(MICRODVD_RATE_NEEDED)
    assert "--fps" in str(caught.value)


def test_the_rate_of_the_source_is_written_again(read_text: ReadText) -> None:
    text = "{1}{1}12.5\n{25}{50}hello\n"
    output = BytesIO()
    assert formats.write(read_text(text, "microdvd"), output, "microdvd")[0].what == "recordings"
    assert output.getvalue().decode() == text


def test_times_are_rounded_to_frames() -> None:
    text, losses = written(Segment.of("rec", ["a"], start=1.01, end=2.0), fps="25")
    assert text == "{1}{1}25\n{25}{50}a\n"
    assert losses == ["decimals of times: 1 (rounded to a frame)"]
    assert written(fps="30000/1001")[0] == "{1}{1}29.97003\n"


def test_marks_in_words_are_refused_or_replaced() -> None:
    segment = Segment.of("rec", ["a|b", "{c}"], start=1.0, end=2.0)
    assert (
        message_of(FormatError, lambda: written(segment, fps="25"))
        == 'rec: expected words without braces and |, found "a|b"'
    )
    assert written(segment, fps="25", escape_markup=True)[0] == "{1}{1}25\n{25}{50}a｜b ｛c｝\n"


def test_speakers_are_written_into_the_text_when_asked_for() -> None:
    segment = Segment.of(
        "rec", ["a", "b"], speaker="ANNE", start=1.0, end=2.0, properties={"lines": "a\nb"}
    )
    assert written(segment, fps="25", speaker_prefix=True) == ("{1}{1}25\n{25}{50}ANNE: a|b\n", [])
    assert written(segment, fps="25")[1] == [
        "speakers: 1 (--speaker-prefix writes them into the text)"
    ]


def test_subviewer_is_no_microdvd_though_its_name_says_so(write_file: WriteFile) -> None:
    text = "[SUBTITLE]\n\n00:00:01.00,00:00:02.50\nhello[br]you\n"
    assert formats.detect(write_file("talk.sub", text)) == "subviewer"
    assert formats.detect(write_file("talk.sub", "{1}{1}25\n{5}{9}a\n")) == "microdvd"


def test_the_rate_of_a_stream_is_kept(write_file: WriteFile, run_command: RunCommand) -> None:
    name = write_file("a.sub", "{1}{1}23.976\n{24}{48}hello\n")
    status, output, _ = run_command("convert", name, "-", "--to", "microdvd")
    assert (status, output) == (0, "{1}{1}23.976\n{24}{48}hello\n")


def test_codes_in_braces_are_no_words_of_mpl2(read_text: ReadText) -> None:
    transcript = read_text("[10][25]{c:$0000ff}so|/{y:u}it was\n[30][40]{sighs}\n", "mpl2")
    assert [segment.words for segment in transcript] == [("so", "it", "was"), ("{sighs}",)]
    assert transcript[0].get("raw") == "{c:$0000ff}so|/{y:u}it was"
