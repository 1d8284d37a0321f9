"""Scenarist's closed captions: what is beyond the contract of all formats."""

from io import BytesIO

import pytest

import formats
from formats import FormatError, LossError, Segment, Transcript
from formats.schema.messages import Message
from formats.subtitles.messages import SCC_ROWS
from formats.subtitles.scc import frame_of, time_code
from tests.formats.checks import codes
from tests.formats.conftest import ReadText
from tests.formats.subtitles.caption_cases import with_parity

HEAD = "Scenarist_SCC V1.0\n\n"


def scc(*lines: str) -> bytes:
    return with_parity(HEAD + "\n\n".join(line.replace(" ", "\t", 1) for line in lines) + "\n")


def said(transcript: Transcript) -> list[tuple[float | None, float | None, str]]:
    return [(s.start, s.end, " ".join(s.words)) for s in transcript]


def test_a_caption_is_shown_when_its_last_pair_arrives(read_text: ReadText) -> None:
    text = (
        f"{HEAD}00:00:01;00\t9420 9420 94ae 94ae 9470 9470 c845 4c4c 4f80 942f 942f\n\n"
        "00:00:03;00\t942c 942c\n"
    )
    assert said(read_text(text, "scc")) == [(1.3013, 3.003, "HELLO")]
    assert codes(read_text(text.replace(";00\t", ":00 "), "scc")) == []


@pytest.mark.parametrize("drops", [True, False])
def test_time_codes_and_frames(drops: bool) -> None:
    assert frame_of(1, 0, 0, 0, drops=drops) * 1001 / 30000 == (3599.9964 if drops else 3603.6)
    for frame in (0, 1799, 1800, 3597, 3598, 17981, 17982, 17983, 107892, 1_234_567):
        code = time_code(frame, drops=drops)
        hours, minutes, seconds, frames = (int(code[n : n + 2]) for n in (0, 3, 6, 9))
        assert frame_of(hours, minutes, seconds, frames, drops=drops) == frame


def test_state_goes_on_from_line_to_line(read_text: ReadText) -> None:
    transcript = read_text(
        scc(
            "00:00:01:00 9420 1470 {one}",
            "00:00:02:00 942f 9420 1470 {two} 942c 8080 942f",
            "00:00:03:00 9420 1470 {three} 942f",
            "00:00:04:00 9420 1470 {never}",
        ),
        "scc",
    )
    assert [(round(s.start or 0, 2), s.words[0]) for s in transcript] == [
        (2.0, "one"), (2.24, "two"), (3.17, "three"),
    ]  # fmt: skip
    assert [s.end is None for s in transcript] == [False, False, True]
    assert codes(transcript) == ["CUE-OPEN", "SCC-NEVER-SHOWN"]
    assert '"never"' in transcript.diagnostics[-1].message


def test_rows_that_roll_are_said_once(read_text: ReadText) -> None:
    transcript = read_text(
        scc(
            "00:00:01;00 9426 9426 94ad 94ad 1470 1470 {first row}",
            "00:00:03;00 9426 9426 94ad 94ad 1470 1470 {second}",
            "00:00:05;00 942c 942c",
        ),
        "scc",
    )
    assert [" ".join(s.words) for s in transcript] == ["first row", "second"]
    assert [round(s.end or 0, 1) for s in transcript] == [3.1, 5.0]


def test_signs(read_text: ReadText) -> None:
    one = "00:00:01;00 9420 1470 {} 942f 942f 942c"
    for data, text in (
        ("9137 9137 9137 9137 {x}", "♪♪x"),
        ("{E} 9221 9221 {a}", "Éa"),
        ("9220 9220 92a1 92a2 92a7", "ÁÉÓ¡"),
        ("{ab} 91ae 91ae {c} 97a1 97a1 {d}", "ab c d"),
        ("{ab} 94a1 94a1 {c}", "ac"),
        ("2a5c 7ef0", "áéñp"),
    ):
        assert " ".join(read_text(scc(one.replace("{}", data)), "scc")[0].words) == text


def test_the_second_channel_and_odd_bytes(read_text: ReadText) -> None:
    transcript = read_text(
        scc("00:00:01;00 1c20 1c70 {zwei} 1c2f 9420 1470 {one} 942f 942c 1c2c").replace(
            b"1c20", b"9c20"
        ),
        "scc",
    )
    found = {s.words[0]: s.get("caption_channel") for s in transcript}
    assert found == {"zwei": "CC2", "one": None}
    assert codes(transcript) == ["SCC-PARITY", "CUE-ORDER"]
    plain = f"{HEAD}00:00:01;00\t1420 1470 6162 142f 142c\n"
    assert codes(read_text(plain, "scc")) == ["SCC-PARITY"]
    assert read_text(plain, "scc")[0].words == ("ab",)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("00:00:01;30 9420", ":3:1: expected minutes and seconds below 60, frames below 30"),
        ("00:00:01;00 942", r":3:13: expected four hexadecimal digits, found \"942\""),
        ("hello", ":3:1: expected a time code like"),
    ],
)
def test_wrong_lines_are_refused(read_text: ReadText, line: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read_text(f"{HEAD}{line}\n", "scc")
    assert codes(read_text(f"{HEAD}00:01:00;00 942c\n", "scc")) == ["SCC-DROP", "SCC-PARITY"][:1]


def segment(start: float, end: float, text: str) -> Segment:
    return Segment.of("rec", text.split(), start=start, end=end)


def written(*segments: Segment, **options: object) -> tuple[str, dict[str, int]]:
    output = BytesIO()
    losses = formats.write(Transcript(segments), output, "scc", **options)  # type: ignore[arg-type]
    return output.getvalue().decode(), {loss.what: loss.count for loss in losses}


def test_what_is_written_is_sent_before_it_is_shown(read_text: ReadText) -> None:
    text, _ = written(segment(2.002, 4.004, "Éa ♪"), segment(4.1041, 5.005, "b"), drop_frame=False)
    assert text == (
        f"{HEAD}00:00:01:18\t9420 9420 94ae 94ae 9470 9470 4580 92a1 92a1 6120 9137 9137 942f 942f\n"
        "\n00:00:03:24\t9420 9420 94ae 94ae 9470 9470 942c 942c 6280 942f 942f\n"
        "\n00:00:05:00\t942c 942c\n"
    )
    again = read_text(text, "scc")
    assert [(s.start, s.words) for s in again] == [(2.002, ("Éa", "♪")), (4.1041, ("b",))]
    assert [round((s.end or 0) * 30000 / 1001) for s in again] == [120, 150]


def test_a_caption_that_cannot_be_sent_in_time_is_moved(read_text: ReadText) -> None:
    text, losses = written(segment(0.0, 2.002, "hello"))
    assert losses["begins of captions"] == 1
    assert said(read_text(text, "scc")) == [(0.3003, 2.002, "hello")]


@pytest.mark.parametrize(
    ("segments", "message"),
    [
        ([segment(1, 3, "a"), segment(2, 4, "b")], "segments one after the other"),
        ([segment(1, 3, "日")], r"characters of CEA-608, found U\+65E5"),
    ],
)
def test_what_cannot_be_sent_is_refused(segments: list[Segment], message: str) -> None:
    with pytest.raises(LossError, match=message):
        written(*segments)


def test_too_many_characters_in_a_line_are_refused_with_the_options_that_help() -> None:
    with pytest.raises(LossError) as caught:
        written(segment(1, 3, "a " * 20))
    assert caught.value.value == Message(
        SCC_ROWS, {"most": 4, "columns": 32, "lines": 1, "longest": 39}
    )
    assert [advice.flag for advice in caught.value.value.advice] == [
        "--cues fitted",
        "--cue-line-length 32",
    ]
