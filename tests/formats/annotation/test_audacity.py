"""audacity: labels, points, frequencies, commas, words."""

from functools import partial
from io import BytesIO

import pytest

import formats
from formats import LossError, Segment, SyntaxFormatError, Transcript
from formats.annotation.messages import AUDACITY_BANDS, AUDACITY_COMMA, AUDACITY_POINT
from formats.detection import by_name
from formats.detection.head import Head
from formats.detection.spec import Sniff
from tests.each_case import each_case
from tests.formats import checks
from tests.formats.checks import message_of, remark_line
from tests.formats.conftest import ReadText, WriteFile
from tests.tables import table_of

written = partial(checks.written, "audacity")


def test_labels(read_text: ReadText) -> None:
    text = (
        "0.5\t2.25\thello\tbrave  world\n\\\t200.0\t4000\n2.25\t2.25\tclick\n3\t3\t\n"
        "4.000000\t5.000000\n"
    )
    transcript = read_text(text, "audacity")
    assert [(s.words, s.start, s.end, s.kind) for s in transcript] == [
        (("hello", "brave", "world"), 0.5, 2.25, "segment"),
        (("click",), 2.25, 2.25, "segment"),
        ((), 3.0, 3.0, "event"),
        ((), 4.0, 5.0, "segment"),
    ]
    assert transcript[0].properties == (("frequencies", "200.0 4000"),)
    assert transcript.diagnostics == ()


def test_an_open_end_is_a_point(read_text: ReadText) -> None:
    transcript = read_text("0.5\t-1\thello\n2.25\t-1.000000\tyou\n", None)
    assert transcript.format == "audacity"
    assert [(s.start, s.end) for s in transcript] == [(0.5, 0.5), (2.25, 2.25)]
    assert [d.code for d in transcript.diagnostics] == ["AUDACITY-OPEN"] * 2


def test_decimal_commas(read_text: ReadText) -> None:
    transcript = read_text("0,5\t2,25\ta, b\n3\t4,0\tc\n", "audacity")
    assert [(s.start, s.end) for s in transcript] == [(0.5, 2.25), (3.0, 4.0)]
    assert transcript[0].words == ("a,", "b")
    assert [str(d) for d in transcript.diagnostics] == [remark_line(AUDACITY_COMMA, 1, 1)]


def test_labels_as_words(read_text: ReadText) -> None:
    text = "0.5\t1\thello\n1\t2\tbig world\n\\\t1\t2\n3\t3\t\n"
    transcript = read_text(text, "audacity", level="word")
    (segment,) = transcript
    assert (segment.words, segment.starts) == (("hello", "big", "world"), (0.5, 1.0, 1.5))
    assert segment.interpolated == (False, True, True)
    assert [str(d) for d in transcript.diagnostics] == [
        remark_line(AUDACITY_BANDS, 2),
        remark_line(AUDACITY_POINT, 4),
    ]


@each_case(
    ("text", "message"),
    table_of(__file__, "refusals"),
)  # fmt: skip
def test_refusals(read_text: ReadText, text: str, message: str) -> None:
    assert (
        message_of(SyntaxFormatError, lambda: read_text(text, "audacity")) == f"<stream>:{message}"
    )


def test_writing() -> None:
    turn = Segment.of(
        "rec", ["a", "b"], speaker="anne", start=0.5, end=1.25, starts=[0.5, 1], ends=[1, 1.25]
    )
    assert written(turn) == (
        "0.500000\t1.250000\ta b\n", ["speakers: 1", "word times: 2 (--level word keeps them)"],
    )  # fmt: skip
    assert written(turn, speaker_prefix=True)[0] == "0.500000\t1.250000\tanne: a b\n"
    assert written(turn, level="word", precision=2)[0] == "0.50\t1.00\ta\n1.00\t1.25\tb\n"
    noise = Segment.of("rec", ["noise"], start=1, end=2, kind="event")
    assert written(noise) == ("1.000000\t2.000000\tnoise\n", ["events: 1 (written as labels)"])


def test_what_cannot_be_written() -> None:
    assert (
        message_of(LossError, lambda: written(Segment.of("rec", ["a"], line=3)))
        == "rec:3: expected times in order for a label, found none"
    )


def test_content_wins_over_the_suffix_of_plain_text(write_file: WriteFile) -> None:
    transcript = formats.read(write_file("labels.txt", "0.5\t1.5\thello\n"))
    assert (transcript.format, transcript.diagnostics) == ("audacity", ())


@each_case(
    ("lines", "answer"),
    [
        (["0.5\t1\ta", "\\\t1\t2"], Sniff.SURE),
        (["0,5\t1"], Sniff.SURE),
        (["0.5\t1\ta"] * 18 + ["x"], Sniff.NO),
        (["0.5 1 a"], Sniff.NO),
        (["0\t900\tso it was", "950\t2400\tand then we go on to town"] * 2, Sniff.NO),
        (["0\t2900\t今天我们谈谈大海和它的波浪", "3000\t5400\t然后我们就回家了"] * 2, Sniff.NO),
        (["0\t2\tso it was", "3\t8\tand then we go on to town"] * 2, Sniff.SURE),
        ([], Sniff.NO),
    ],
)
def test_sniff(lines: list[str], answer: Sniff) -> None:
    assert by_name("audacity").sniff(Head(lines)) is answer


def test_labels_of_whisperx_name_their_speakers(read_text: ReadText) -> None:
    transcript = read_text("0\t1\t[[SPEAKER_00]]hello\n1\t2\t[[x]]\n", "audacity")
    assert [(s.speaker, s.words) for s in transcript] == [
        ("SPEAKER_00", ("hello",)),
        (None, ("[[x]]",)),
    ]
    with pytest.raises(LossError, match="a name in two brackets"):
        formats.write(
            Transcript([Segment.of("rec", ["[[x]]a"], start=0, end=1)]), BytesIO(), "audacity"
        )
