"""ELAN's tab-delimited export: forms of times, tiers in rows or columns, repeated values."""

import pytest

from formats import SyntaxFormatError
from formats.annotation.messages import ELAN_COLUMNS, ELAN_REPEATED
from tests.each_case import each_case
from tests.formats.conftest import ReadText

RU = "Время начала - чч:мм:сс.мс\tВремя окончания - чч:мм:сс.мс"
EN = "Begin Time - hh:mm:ss.ms\tEnd Time - hh:mm:ss.ms"
ROW = "00:00:00.500\t00:00:02.000"


@each_case(
    ("text", "span"),
    [
        ("anne\t\t00:00:00.500\t0.5\t00:00:02.000\t2.0\t00:00:01.500\t1.5\thi\n", (0.5, 2.0)),
        ("anne\t00:00:00.500\t00:00:02.000\t00:00:01.500\thi\n", (0.5, 2.0)),
        ("anne\tAnne\t0.5\t500\t2.0\t2000\thi\n", (0.5, 2.0)),
        ("Tier\tBegin Time - msec\tEnd Time - msec\tText\nanne\t500\t2000\thi\n", (0.5, 2.0)),
        (f"{EN}\tanne\n{ROW}\thi\n", (0.5, 2.0)),
        (f"{RU}\tanne\n{ROW}\thi\n", (0.5, 2.0)),
        (f'"#file:///a/b.eaf"\n{EN}\tanne\n{ROW}\thi\n', (0.5, 2.0)),
        (
            "Begin Time - ss.msec\tDuration - ss.msec\tanne\n0.5\t1.5\thi\n",
            (0.5, 2.0),
        ),
        ("anne\t00:00:00:12\t0.5\t00:00:02:00\t2.0\thi\n", (0.5, 2.0)),
    ],
)
def test_times_in_any_form(read_text: ReadText, text: str, span: tuple[float, float]) -> None:
    (segment,) = read_text(text, "elan-tab")
    assert (segment.start, segment.end, segment.words, segment.tier) == (*span, ("hi",), "anne")


@each_case(
    "order",
    ["{tier}\t{text}\t{span}\n", "{span}\t{text}\t{tier}\n", "{span}\t{tier}\t{text}\n"],
)
def test_tier_and_text_may_be_in_any_order(read_text: ReadText, order: str) -> None:
    rows = [("anne", "so it is then"), ("bob", "well then"), ("anne", "no, it is not")]
    lines = [
        order.format(tier=tier, text=text, span=f"00:00:0{n}.500\t00:00:0{n + 1}.000\t00:00:00.500")
        for n, (tier, text) in enumerate(rows)
    ]
    segments = sorted(read_text("".join(lines), "elan-tab"), key=lambda segment: segment.start or 0)
    assert [(s.tier, " ".join(s.words)) for s in segments] == rows


def test_columns_of_times_may_be_apart(read_text: ReadText) -> None:
    header = "Begin Time - ss.msec\tanne\tbob\tEnd Time - ss.msec\n"
    text = f"{header}0.5\thi\t\t2.0\n2.5\t\tyes\t3.0\n"
    assert [(s.tier, s.start, s.end, s.words) for s in read_text(text, "elan-tab")] == [
        ("anne", 0.5, 2.0, ("hi",)),
        ("bob", 2.5, 3.0, ("yes",)),
    ]


def test_what_a_row_repeats_of_another_is_not_read_again(read_text: ReadText) -> None:
    text = (
        f"{EN}\tanne\tbob\n"
        "00:00:01.000\t00:00:01.500\tso it was\tyes\n"
        "00:00:00.500\t00:00:04.000\tso it was\t\n"
        "00:00:05.000\t00:00:06.000\tso it was\t\n"
    )
    read = read_text(text, "elan-tab")
    assert [(s.speaker, s.start) for s in read] == [("anne", 0.5), ("anne", 5.0), ("bob", 1.0)]
    assert [(d.value.entry, d.value.fields) for d in read.diagnostics] == [
        (ELAN_REPEATED, {"rows": 1})
    ]


def test_a_row_per_annotation_is_read_as_often_as_it_is_there(read_text: ReadText) -> None:
    row = "anne\t00:00:00.500\t00:00:02.000\t00:00:01.500\thi\n"
    assert [s.words for s in read_text(row * 2, "elan-tab")] == [("hi",), ("hi",)]


def test_glosses_are_no_speech(read_text: ReadText) -> None:
    rows = [f"{name}\tAnne\t{ROW}\t00:00:01.500\thi\n" for name in ("anne", "gloss", "translation")]
    read = read_text("".join(rows), "elan-tab")
    assert [(s.speaker, s.kind) for s in read] == [
        ("Anne", "segment"), ("Anne", "event"), ("Anne", "event")
    ]  # fmt: skip


def test_several_files_are_recordings_and_other_columns_are_told(read_text: ReadText) -> None:
    text = f"anne\t{ROW}\t00:00:01.500\thi\tgreeting\t/a/b.eaf\n"
    read = read_text(text, "elan-tab")
    assert [s.recording for s in read] == ["b"]
    assert [(d.value.entry, d.value.fields) for d in read.diagnostics] == [
        (ELAN_COLUMNS, {"names": ["column 6"]})
    ]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (f"{EN}\tanne\n" + f"{ROW}\thi\n" * 12 + "00:00:03.000\tx\thi\n", 14),
        (f"{EN}\tanne\n" + f"{ROW}\thi\n" * 12 + "00:00:03.000\n", 14),
        (f"{EN}\tanne\n" + f"{ROW}\thi\n" * 3 + "00:00:03.000\t00:00:02.000\thi\n", 5),
        ("so it was\n", 1),
    ],
)
def test_malformed_rows_are_errors(read_text: ReadText, text: str, line: int) -> None:
    with pytest.raises(SyntaxFormatError) as caught:
        read_text(text, "elan-tab", tolerance="strict")
    assert caught.value.line == line


def test_names_of_two_words_are_no_channel_and_speaker(read_text: ReadText) -> None:
    text = "".join(f"ann-text\tAnn Lee\t{n}.5\t{n}.9\tso it was\n" for n in range(4))
    transcript = read_text(text, None)
    assert transcript.format == "elan-tab"
    assert {segment.speaker for segment in transcript} == {"Ann Lee"}
