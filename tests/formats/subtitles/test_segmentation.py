"""Cutting segments into cues that fit the limits."""

from io import BytesIO, StringIO
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import formats
from formats import FormatError, Segment, Transcript
from formats.detection import all_formats
from formats.schema.diagnostics import gathered
from formats.subtitles.segmentation import wrapped
from tests.each_case import each_case
from tests.formats.checks import codes, message_of
from tests.formats.conftest import RunCommand, WriteFile
from tests.remarks import printed


def fitted(segments: list[Segment], **options: Any) -> tuple[Transcript, list[str]]:
    output = StringIO()
    transcript = Transcript(segments, source="rec")
    losses = formats.write(transcript, output, "srt", cues="fitted", **options)
    output.seek(0)
    return formats.read(output, "srt", recording="rec"), [str(loss) for loss in losses]


SENTENCES = [
    "this", "is", "a", "first", "sentence", "of", "a", "long", "talk.", "and", "here,", "as",
    "one", "may", "expect,", "is", "another", "one", "that", "goes", "on", "for", "longer",
    "than", "the", "first",
]  # fmt: skip


def test_one_cue_per_segment_by_default() -> None:
    output = StringIO()
    formats.write(
        Transcript([Segment.of("rec", SENTENCES, start=0.0, end=60.0)], source="rec"), output, "srt"
    )
    assert output.getvalue().count("-->") == 1


def test_a_long_segment_is_cut_after_its_sentence() -> None:
    found, losses = fitted([Segment.of("rec", SENTENCES, start=0.0, end=12.0)])
    assert [" ".join(s.words) for s in found] == [
        "this is a first sentence of a long talk.",
        "and here, as one may expect, is another one that goes on for longer",
        "than the first",
    ]
    assert tuple(w for s in found for w in s.words) == tuple(SENTENCES)
    assert losses[:1] == ["segments cut: 1 (the segments exceed the limits of a cue)"]
    assert losses[1].startswith("cue times invented: ")
    for segment in found:
        assert segment.duration is not None
        assert segment.duration <= 7
        lines = (segment.get("lines") or " ".join(segment.words)).split("\n")
        assert len(lines) <= 2
        assert max(map(len, lines)) <= 42


def test_word_times_decide_the_times_of_cues() -> None:
    words = [f"w{n}" for n in range(10)]
    starts = [float(n) + (2.0 if n > 3 else 0.0) for n in range(10)]
    segment = Segment.of(
        "rec", words, start=0.0, end=12.0, starts=starts, ends=[s + 0.5 for s in starts]
    )
    found, losses = fitted([segment])
    assert [s.words[0] for s in found] == ["w0", "w4"]
    assert (found[0].end, found[1].start) == (3.5, 6.0)
    assert not any("invented" in loss for loss in losses)


def test_brief_cues_last_longer_up_to_the_next() -> None:
    segments = [
        Segment.of("rec", ["a"], start=0.0, end=0.2),
        Segment.of("rec", ["b"], start=0.5, end=0.7),
        Segment.of("rec", ["c"], start=5.0, end=5.1),
    ]
    found, losses = fitted(segments)
    assert [(s.start, s.end) for s in found] == [(0.0, 0.5), (0.5, 1.5), (5.0, 6.0)]
    assert losses == ["cues lengthened: 3 (lengthened to the shortest duration)"]
    found, losses = fitted(segments, cue_shortest=0.0)
    assert [(s.start, s.end) for s in found] == [(0.0, 0.2), (0.5, 0.7), (5.0, 5.1)]
    assert losses == []


def test_words_of_a_cue_are_limited() -> None:
    segment = Segment.of("rec", SENTENCES, start=0.0, end=12.0)
    for most in (1, 3, 5):
        found, _ = fitted([segment], cue_words=most, cue_shortest=0.0)
        assert max(len(cue.words) for cue in found) == most
        assert tuple(word for cue in found for word in cue.words) == tuple(SENTENCES)
    assert fitted([segment], cue_words=0) == fitted([segment])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"cue_words": -1}, "expected 0 or more words of a cue, found -1"),
        ({"cue_lines": 0}, "expected cues of at least one line of one character, found 0 lines of 42"),
        ({"cue_shortest": 8.0}, "expected 0 <= shortest <= longest cue in seconds, found 8.0 and 7.0"),
        ({"cue_longest": float("nan")}, "expected 0 <= shortest <= longest cue in seconds, found 1.0 and nan"),
    ],
)  # fmt: skip
def test_limits_that_cannot_be(options: dict[str, object], message: str) -> None:
    assert (
        message_of(
            FormatError, lambda: fitted([Segment.of("rec", ["a"], start=0.0, end=1.0)], **options)
        )
        == message
    )


@given(
    words=st.lists(st.text("abc.", min_size=1, max_size=12), max_size=40),
    lines=st.integers(1, 4),
    length=st.integers(5, 50),
)
def test_wrapped_lines_hold_all_words_and_fit_where_they_can(
    words: list[str], lines: int, length: int
) -> None:
    made = wrapped(words, lines, length)
    assert " ".join(made).split() == words
    assert len(made) <= lines
    total = len(" ".join(words))
    if total <= length and words:
        assert made == [" ".join(words)]


@given(
    words=st.lists(st.text("abc,.", min_size=1, max_size=12), min_size=1, max_size=60),
    seconds=st.integers(1, 60),
)
def test_cues_are_within_the_limits(words: list[str], seconds: int) -> None:
    found, _ = fitted([Segment.of("rec", words, start=0.0, end=float(seconds))], cue_shortest=0.0)
    assert [w for s in found for w in s.words] == words
    for segment in found:
        lines = (segment.get("lines") or " ".join(segment.words)).split("\n")
        assert len(lines) <= 2
        assert max(map(len, lines)) <= 42
        assert len(segment.words) == 1 or (segment.duration or 0) <= 7.001


ASS = (
    "[Events]\nFormat: Layer, Start, End, Text\n"
    "Dialogue: 0,0:00:05.00,0:00:06.00,b\nDialogue: 0,0:00:01.00,0:00:02.00,a\n"
)
"""Its events may be in any order."""
SUBTITLES = [s.name for s in all_formats() if any(o.name == "cues" for o in s.write_options)]


@each_case("name", SUBTITLES)
def test_subtitles_are_written_in_order_of_begin(name: str) -> None:
    anna, late, ben = (
        Segment.of("rec", [word], speaker=who, start=start, end=end)
        for word, who, start, end in (
            ("one", "anna", 0.0, 2.0),
            ("three", "anna", 5.0, 8.0),
            ("two", "ben", 2.0, 4.5),
        )
    )
    options: dict[str, Any] = {"fps": "25"} if name == "microdvd" else {}

    def written(*segments: Segment) -> tuple[BytesIO, list[str]]:
        output = BytesIO()
        losses = formats.write(Transcript(segments, source="rec"), output, name, **options)
        return BytesIO(output.getvalue()), [str(loss) for loss in losses]

    file, losses = written(anna, late, ben)
    again = formats.read(file, name, **options)
    assert [s.words for s in again if s.words] == [("one",), ("two",), ("three",)]
    assert "order of segments: 2 (sorted by start)" in losses
    assert "CUE-ORDER" not in codes(again)
    assert not any("order" in loss for loss in written(anna, ben, late)[1])


def test_validate_names_the_first_cue_out_of_order(
    write_file: WriteFile, run_command: RunCommand
) -> None:
    cue = "{}\n00:00:0{},000 --> 00:00:0{},500\na {}\n\n"
    text = "".join(cue.format(n, time, time, time) for n, time in enumerate((5, 1, 3, 2), 1))
    status, _, errors = run_command("validate", write_file("talk.srt", text))
    assert status == 3
    [remark] = gathered(formats.read("talk.srt").diagnostics)
    assert (remark.code, dict(remark.value.fields)) == ("CUE-ORDER", {"times": 2, "first": 6})
    assert errors == f"formats: {printed(str(remark))}\n"
    assert run_command("validate", write_file("talk.ass", ASS))[0] == 0
