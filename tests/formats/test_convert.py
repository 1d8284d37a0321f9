"""Fitting one format to another: what is invented, what is lost, what is refused."""

from collections.abc import Callable
from io import BytesIO, StringIO
from typing import Any

import pytest

import formats
from formats import (
    Alternation,
    ConversionError,
    Definition,
    LossError,
    OptionError,
    Segment,
    Token,
    Transcript,
)
from formats.detection import all_formats
from formats.io.messages import NAME_WITH_BLANKS, NO_END, NO_TIMES, NO_WORD_TIMES, WORDS_WITH_BLANKS
from formats.schema.messages import Entry, Message
from formats.writing.convert import ConvertOptions
from tests.each_case import each_case
from tests.formats.checks import message_text

ReadText = Callable[..., Transcript]


def converted(transcript: Transcript, to: str, **options: object) -> tuple[str, list[str]]:
    output = StringIO()
    losses = formats.write(transcript, output, to, **options)  # type: ignore[arg-type]
    return output.getvalue(), [str(loss) for loss in losses]


def test_stm_to_trn_numbers_utterances_as_sclite_does(read_text: ReadText) -> None:
    stm = read_text(
        "f 1 anne 0 1 <o,x> a\nf 1 bob 1 2 b\nf 1 anne 2 3 c\n"
        "f 1 bob 3 4 IGNORE_TIME_SEGMENT_IN_SCORING\n",
        "stm",
    )
    text, losses = converted(stm, "trn")
    assert text == "a (anne-000)\nb (bob-000)\nc (anne-001)\n"
    assert losses == [
        "recordings: 1",
        "channels: 3",
        "segment times: 3",
        "labels: 2",
        "utterance ids invented: 3 (written as numbers)",
        "ignored regions: 1 (dropped)",
    ]


def test_names_with_blanks_are_joined(read_text: ReadText) -> None:
    vtt = read_text("WEBVTT\n\n00:01.000 --> 00:02.000\n<v Anne  Lee>hello you\n", "vtt")
    with pytest.raises(LossError) as caught:
        converted(vtt, "stm", inner_space="error")
    text = message_text(NAME_WITH_BLANKS, what="a speaker", name="Anne Lee")
    assert str(caught.value) == f"<stream>:3: {text}"
    for target, line in (
        ("stm", "rec 1 Anne_Lee 1.000 2.000 hello you\n"),
        ("kaldi-segments", "Anne_Lee-000 rec 1.000 2.000\n"),
    ):
        text, losses = converted(vtt, target)
        assert text == line
        assert "names with blanks: 1 (joined by _)" in losses
    text, losses = converted(vtt, "trs")
    assert 'name="Anne Lee"' in text
    assert "names with blanks: 1 (joined by _)" not in losses


def test_gaps_become_segments_like_others(read_text: ReadText) -> None:
    stm = read_text("f 1 inter_segment_gap 0 1\nf 1 bob 1 2 b\n", "stm")
    assert converted(stm, "stm")[1] == []
    text, losses = converted(stm, "vtt")
    assert "<v inter_segment_gap>" in text
    assert "gaps: 1 (written as segments)" in losses
    assert "empty segments: 1 (dropped)" in converted(stm, "srt")[1]
    assert "gaps: 1 (written as segments)" not in converted(stm, "srt")[1]


@pytest.mark.parametrize(
    ("text", "source", "target", "rule"),
    [
        ("1\n00:00:01,000 --> 00:00:02,000\n<i>a</i>\n", "srt", "microdvd", "MicroDVD"),
        ("{1}{1}25\n{25}{50}{y:i}a\n", "microdvd", "srt", "srt"),
    ],
)
def test_marks_of_another_kind_of_subtitles_are_counted(
    text: str, source: str, target: str, rule: str, read_text: ReadText
) -> None:
    options = {"fps": "25"} if target == "microdvd" else {}
    output, losses = converted(read_text(text, source), target, **options)
    assert output.rstrip("\n").endswith("}a" if target == "microdvd" else "\na")
    assert losses[1:] == [f"properties: 1 ({rule} cannot hold the value of raw)"]


def test_ctm_to_stm_groups_by_pause_and_speaker(read_text: ReadText) -> None:
    ctm = read_text(
        "f 1 0 0.5 a 1 lex anne\nf 1 1 0.5 b 1 lex anne\nf 1 1.6 0.5 c 1 lex bob\n"
        "f 1 9 0.5 d 1 lex bob\n",
        "ctm",
    )
    text, losses = converted(ctm, "stm")
    assert text == ("f 1 anne 0.000 1.500 a b\nf 1 bob 1.600 2.100 c\nf 1 bob 9.000 9.500 d\n")
    assert losses == [
        "segments made from words: 3 (cut at pauses over 0.5 s)",
        "word times: 4",
        "confidences: 4",
    ]
    assert converted(ctm, "stm", group="speaker")[0] == (
        "f 1 anne 0.000 1.500 a b\nf 1 bob 1.600 9.500 c d\n"
    )
    assert converted(ctm, "stm", pause=0.4)[0].count("\n") == 4


def test_ctm_of_utterances_to_trn(read_text: ReadText) -> None:
    ctm = read_text("utt-1 1 0 1 a\nutt-1 1 9 1 b\nutt-2 A 0 1 c\n", "ctm")
    text, losses = converted(ctm, "trn", group="recording")
    assert text == "a b (utt-1)\nc (utt-2-A)\n"
    assert "utterance ids invented: 3 (written as numbers)" not in losses
    assert converted(ctm, "trn")[0] == "a (utt-1-1-0000)\nb (utt-1-1-0001)\nc (utt-2-A-0000)\n"


def test_missing_channels_and_speakers_are_invented_and_told() -> None:
    text, losses = converted(Transcript([Segment.of("f", ["a"], start=0.0, end=1.0)]), "stm")
    assert text == "f 1 f-1 0.000 1.000 a\n"
    assert losses == [
        "channels invented: 1 (written as channel 1)",
        "speakers invented: 1 (created from recording and channel)",
    ]


@pytest.mark.parametrize(
    ("text", "source", "target", "entry"),
    [
        ("a (s-1)\n", "trn", "ctm", NO_WORD_TIMES),
        ("a (s-1)\n", "trn", "stm", NO_TIMES),
        ("a\n", "txt", "stm", NO_TIMES),
    ],
)
def test_times_are_not_invented_unasked(
    read_text: ReadText, text: str, source: str, target: str, entry: Entry
) -> None:
    with pytest.raises(ConversionError) as caught:
        converted(read_text(text, source), target)
    assert caught.value.value == Message(entry, {"format": target})
    assert str(caught.value) == f"<stream>:1: {message_text(entry, format=target)}"


def test_an_end_that_lacks_is_invented_by_the_pace(read_text: ReadText) -> None:
    lyrics = read_text("[00:01.00]abcd\n[00:03.00]ef\n[00:04.00]\n[00:05.00]a bcd\n", "lrc")
    with pytest.raises(ConversionError) as caught:
        converted(lyrics, "srt")
    assert caught.value.value == Message(NO_END, {"format": "srt"})
    # six letters took three seconds
    text, losses = converted(lyrics, "srt", interpolate="chars")
    assert text.splitlines()[-3:-1] == ["00:00:05,000 --> 00:00:07,000", "a bcd"]
    invented = "segment ends invented: 1 (estimated from the speaking rate of the segments above)"
    assert losses == ["recordings: 1", invented]
    text, losses = converted(lyrics, "ctm", interpolate="uniform")
    assert text.splitlines()[-2:] == ["rec 1 5.000 1.000 a", "rec 1 6.000 1.000 bcd"]
    assert invented in losses
    alone = Transcript([Segment.of("f", ["abcd"], start=1.0)])
    assert "f 1 f-1 1.000 1.280 abcd" in converted(alone, "stm", interpolate="chars")[0]
    with pytest.raises(ConversionError) as caught:
        converted(Transcript([Segment.of("f", ["a"], end=1.0)]), "stm", interpolate="chars")
    assert caught.value.value == Message(NO_TIMES, {"format": "stm"})


def test_interpolation_needs_a_stretch_of_time(read_text: ReadText) -> None:
    with pytest.raises(ConversionError) as caught:
        converted(read_text("a (s-1)\n", "trn"), "ctm", interpolate="uniform")
    assert str(caught.value) == (
        "<stream>:1: word times cannot be invented, because the segment has no times to share among its words"
    )


def test_stm_to_ctm_with_invented_times(read_text: ReadText) -> None:
    stm = read_text("f 1 s 1 2 a bbb\nf 1 s 2 3 { c / dd e }\nf 1 s 3 4\n", "stm")
    text, losses = converted(stm, "ctm", interpolate="uniform")
    assert text == (
        "f 1 1.000 0.500 a\nf 1 1.500 0.500 bbb\nf 1 * * <ALT_BEGIN>\nf 1 2.000 1.000 c\n"
        "f 1 * * <ALT>\nf 1 2.000 0.500 dd\nf 1 2.500 0.500 e\nf 1 * * <ALT_END>\n"
    )
    assert losses == [
        "word times invented: 5 (uniform)",
        "segment times: 2",
        "empty segments: 1 (dropped)",
        "speakers: 2 (--all-columns keeps them)",
    ]
    chars, _ = converted(stm, "ctm", interpolate="chars")
    assert chars.startswith("f 1 1.000 0.250 a\nf 1 1.250 0.750 bbb\n")


@pytest.mark.parametrize(
    ("inner_space", "words", "starts"),
    [("split", ["new", "york"], [0.0, 3 / 7]), ("underscore", ["new_york"], [0.0])],
)
def test_words_with_blanks(inner_space: str, words: list[str], starts: list[float]) -> None:
    segment = Segment.of(
        "f", [" new\u0020 york"], channel="1", starts=[0.0], ends=[1.0], confidences=[0.5]
    )
    text, losses = converted(Transcript([segment]), "ctm", inner_space=inner_space, precision=9)
    rows = [line.split() for line in text.splitlines()]
    assert [row[4] for row in rows] == words
    assert [float(row[2]) for row in rows] == pytest.approx(starts)
    assert {row[5] for row in rows} == {"0.5"}
    assert losses[0] == f"words with blanks: 1 ({inner_space})"


def test_words_with_blanks_inside_alternations_and_without_times() -> None:
    segment = Segment.from_items("r", [Alternation([[Token("a b")], []])], utterance="s-1")
    assert converted(Transcript([segment]), "trn")[0] == "{ a b / @ } (s-1)\n"


def test_words_with_blanks_can_be_refused() -> None:
    segment = Segment.of("r", ["a b"], utterance="s-1", line=5)
    with pytest.raises(LossError) as caught:
        converted(Transcript([segment], source="x.json"), "trn", inner_space="error")
    assert str(caught.value) == f"x.json:5: {message_text(WORDS_WITH_BLANKS, words=1)}"


@each_case(
    ("format_name", "lost"),
    [("jsonl", 0), ("parquet", 0), ("stm", 0), ("csv", 2), ("speaker-text", 2), ("markdown", 2)],
)
def test_tokens_of_a_model_are_kept_or_counted(format_name: str, lost: int) -> None:
    segment = Segment.of("r", ["<|en|>", "so", "it<|0.50|>"], speaker="anne", start=0.0, end=1.0)
    output = BytesIO()
    losses = formats.write(Transcript([segment]), output, format_name)
    assert sum(loss.count for loss in losses if loss.what == "tokens of a model") == lost
    [found] = formats.read(BytesIO(output.getvalue()), format_name)
    assert found.words == (segment.words if not lost else ("so", "it"))


def test_definitions_are_counted(read_text: ReadText) -> None:
    transcript = Transcript(
        [Segment.of("r", ["a"])], [Definition("LABEL", "o", "", "")], source="r.x"
    )
    assert converted(transcript, "txt")[1] == ["definitions: 1"]


def test_strict_refuses_any_loss(read_text: ReadText) -> None:
    with pytest.raises(LossError) as caught:
        converted(read_text("a (s-1)\n", "trn"), "txt", tolerance="strict")
    assert str(caught.value) == (
        "<stream>:1: txt cannot hold recordings: 1; speakers: 1; utterance ids: 1"
    )


@each_case(
    ("options", "message"),
    [
        ({"interpolate": "x"}, 'expected interpolate none, uniform, chars, found "x"'),
        ({"group": "x"}, 'expected group pause, speaker, recording, found "x"'),
        ({"inner_space": "x"}, 'expected inner_space split, underscore, error, found "x"'),
        ({"pause": -1.0}, "expected a pause of 0 seconds or more, found -1.0"),
        ({"pause": float("nan")}, "expected a pause of 0 seconds or more, found nan"),
    ],
)
def test_bad_options(options: dict[str, str], message: str) -> None:
    with pytest.raises(OptionError) as caught:
        ConvertOptions(**options)  # type: ignore[arg-type]
    assert str(caught.value) == message


def test_words_as_spoken_are_lost_where_display_forms_are_written() -> None:
    shown = Segment.of("rec1", ["twenty", "five", "yes"], displays=["25", "", None])
    output = StringIO()
    losses = formats.write(Transcript([shown]), output, "jsonl", text_view="display")
    assert '"text": "25 yes"' in output.getvalue()
    assert [str(loss) for loss in losses] == ["spoken forms: 2 (the display forms are kept)"]


def test_two_recordings_never_run_into_one_file_of_one_recording() -> None:
    for spec in all_formats():
        if spec.write is None or not spec.has_one_recording:
            continue
        both = [
            formats.Segment.of(name, ["a"], start=0, end=1, starts=[0], ends=[1], channel="1")
            for name in ("one", "two")
        ]
        options: dict[str, Any] = {"fps": "25"} if spec.name == "microdvd" else {}
        with pytest.raises(formats.ConversionError, match="--only-recording"):
            formats.write(formats.Transcript(both), BytesIO(), spec.name, **options)
