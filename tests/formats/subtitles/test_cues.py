"""What all subtitle readers share: offsets, rolling captions, cleaning, counting."""

import re
from io import BytesIO

import pytest

import formats
from formats import FormatError, Segment
from formats.subtitles.cleaning import clean
from formats.subtitles.cue_reading import parse_offset
from formats.subtitles.cues import spoken_words
from formats.subtitles.messages import (
    CUE_DASHES,
    CUE_FIELDS,
    CUE_LETTERS,
    CUE_OFFSET,
    CUES_WITHOUT_WORDS,
    ROLLING,
    ROLLING_DROPPED,
    SUBTITLE_CLEAN,
    SUBTITLE_MARKS,
)
from tests.each_case import each_case
from tests.formats.checks import message_text, remark_line, remarks, written
from tests.formats.conftest import ReadText
from tests.formats.json.reading import refusal
from tests.remarks import fields_of
from tests.tables import table_of


def srt(*cues: tuple[float, float, str]) -> str:
    def clock(seconds: float) -> str:
        whole, rest = divmod(round(seconds * 1000), 1000)
        return f"{whole // 3600:02d}:{whole // 60 % 60:02d}:{whole % 60:02d},{rest:03d}"

    blocks = (
        f"{n}\n{clock(a)} --> {clock(b)}\n{text}\n\n" for n, (a, b, text) in enumerate(cues, 1)
    )
    return "".join(blocks)


ROLLING_CUES = srt(
    (0, 2, "so here we are"),
    (2, 4, "so here we are\nand this is new"),
    (4, 4.01, "and this is new"),
    (4.01, 6, "and this is new\nand so on"),
    (6, 8, "and so on\nuntil the end"),
)


def test_rolling_captions_are_told_of(read_text: ReadText) -> None:
    transcript = read_text(ROLLING_CUES, "srt")
    assert transcript.word_count == 4 + 8 + 4 + 7 + 6
    assert remarks(transcript) == [remark_line(ROLLING, cues=4, total=5)]


def test_rolling_captions_are_left_out_when_asked_for(read_text: ReadText) -> None:
    transcript = read_text(ROLLING_CUES, "srt", dedupe_rolling=True)
    assert [" ".join(s.words) for s in transcript] == [
        "so here we are", "and this is new", "and so on", "until the end",
    ]  # fmt: skip
    assert [s.end for s in transcript] == [2.0, 4.01, 6.0, 8.0]
    assert remarks(transcript) == [remark_line(ROLLING_DROPPED, lines=4, cues=1)]


def test_a_word_or_a_sound_that_returns_is_no_rolling_caption(read_text: ReadText) -> None:
    for text in ("música", "[slow music]", "♪"):
        transcript = read_text(srt(*((n, n + 1, text) for n in range(9))), "srt")
        assert "ROLLING" not in [d.code for d in transcript.diagnostics]


def test_a_line_highlighted_word_by_word_is_said_once(read_text: ReadText) -> None:
    words = ["one", "two", "three", "four"]
    text = srt(
        *(
            (n, n + 1, " ".join(f"<b>{w}</b>" if k == n else w for k, w in enumerate(words)))
            for n in range(4)
        )
    )
    assert read_text(text, "srt").word_count == 16
    assert [d.code for d in read_text(text, "srt").diagnostics] == ["ROLLING"]
    (only,) = read_text(text, "srt", dedupe_rolling=True)
    assert (only.words, only.start, only.end) == (tuple(words), 0.0, 4.0)


def test_a_sentence_said_again_later_does_not_roll(read_text: ReadText) -> None:
    text = srt(*((10 * n, 10 * n + 2, "no") for n in range(6)))
    transcript = read_text(text, "srt", dedupe_rolling=True)
    assert len(transcript) == 6
    assert remarks(transcript) == []


def test_rolling_lines_with_word_times(read_text: ReadText) -> None:
    text = (
        "WEBVTT\n\n00:00.000 --> 00:02.000\nwe<00:01.000><c> go</c>\n\n"
        "00:02.000 --> 00:02.010\nwe go\n\n"
        "00:02.010 --> 00:04.000\nwe go\nand<00:03.000><c> on</c>\n"
    )
    transcript = read_text(text, "vtt", dedupe_rolling=True)
    assert [(s.words, s.starts) for s in transcript] == [
        (("we", "go"), (0.0, 1.0)),
        (("and", "on"), (2.01, 3.0)),
    ]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", 0),
        ("12.5", 12_500_000_000),
        ("-3", -3_000_000_000),
        ("-10:00:00", -36_000_000_000_000),
    ],
)
def test_offsets(text: str, value: int) -> None:
    assert parse_offset(text) == value


@each_case("text", ["", "-", "--3", "1e", "soon", "1:2", "nan"])
def test_offsets_that_are_none(text: str) -> None:
    if text == "1:2":
        assert parse_offset(text) == 62_000_000_000
        return
    assert refusal(srt((1, 2, "x")), "srt", offset=text) == (
        f'expected an offset in seconds or hours:minutes:seconds, found "{text}"'
    )


def test_an_offset_moves_all_times(read_text: ReadText) -> None:
    text = "WEBVTT\n\n10:00:01.000 --> 10:00:03.000\none <10:00:02.000>two\n"
    (segment,) = read_text(text, "vtt", offset="-10:00:00")
    assert (segment.start, segment.end, segment.starts) == (1.0, 3.0, (1.0, 2.0))


@pytest.mark.parametrize(
    ("stretch", "expected"),
    [
        ("24/25", (96.0, 192.0)),
        ("0.96", (96.0, 192.0)),
        ("25/23.976", (104.271, 208.542)),
        ("30/29.97", (100.1, 200.2)),
    ],
)
def test_times_are_stretched_before_the_offset(
    read_text: ReadText, stretch: str, expected: tuple[float, float]
) -> None:
    (segment,) = read_text(srt((100, 200, "one two")), "srt", stretch=stretch)
    assert (segment.start, segment.end) == expected
    (segment,) = read_text(srt((100, 200, "one two")), "srt", stretch=stretch, offset="-3")
    assert (segment.start, segment.end) == pytest.approx([time - 3 for time in expected])


def test_times_of_words_are_stretched(read_text: ReadText) -> None:
    text = "WEBVTT\n\n00:01.000 --> 00:03.000\none <00:02.000>two\n"
    (segment,) = read_text(text, "vtt", stretch="0.5")
    assert (segment.start, segment.end, segment.starts) == (0.5, 1.5, (0.5, 1.0))


@each_case("text", ["", "0", "-1", "x", "24/", "/25", "24/0", "1e3", "1000", "1/2/3"])
def test_factors_that_are_none(text: str) -> None:
    expected = f'expected a factor of times such as 24/25 or 0.96, found "{text}"'
    assert refusal(srt((1, 2, "x")), "srt", stretch=text) == expected


def test_an_offset_does_not_lead_before_the_beginning(read_text: ReadText) -> None:
    text = srt((1, 2, "early"), (3, 4, "late"))
    expected = message_text(CUE_OFFSET, start="1.000", offset="-2.500")
    assert refusal(text, "srt", offset="-2.5") == f"<stream>:2: {expected}"
    assert len(read_text(text, "srt", offset="-2.5", tolerance="lenient")) == 1


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("srt", srt((1, 2, "<i></i>"), (2, 3, "{\\an8}"))),
        ("vtt", "WEBVTT\n\n00:01.000 --> 00:02.000\n<c></c>\n\n00:02.000 --> 00:03.000\n<b>\n"),
        (
            "ttml",
            '<tt><body><div><p begin="0s" end="1s"/><p begin="1s" end="2s"/></div></body></tt>',
        ),
        ("microdvd", "{1}{1}25\n{12}{14}{y:i}\n{15}{16}\n"),
    ],
)
def test_cues_without_any_word_are_a_warning(name: str, text: str, read_text: ReadText) -> None:
    transcript = read_text(text, name)
    assert len(transcript) == 2
    assert remark_line(CUES_WITHOUT_WORDS, cues=2) in remarks(transcript)
    with pytest.raises(FormatError, match=re.escape(message_text(CUES_WITHOUT_WORDS, cues=2))):
        read_text(text, name, tolerance="strict")


DIALOGUE = "1\n00:00:01,000 --> 00:00:02,000\n- So it is.\n–No, -5 - or 6.\n\n"
SINGLE = "2\n00:00:03,000 --> 00:00:04,000\n- Is it?\n\n3\n00:00:05,000 --> 00:00:06,000\n-ish\n"


def test_dashes_of_turns_are_no_words(read_text: ReadText) -> None:
    transcript = read_text(DIALOGUE + SINGLE, "srt")
    spoken = [" ".join(segment.words) for segment in transcript]
    assert spoken == ["So it is. No, -5 or 6.", "Is it?", "-ish"]
    assert spoken_words("two - or - -1") == ["two", "or", "-", "-1"]
    assert remark_line(CUE_DASHES, cues=2) in remarks(transcript)
    assert "- So it is.\n–No, -5 - or 6.\n" in written("vtt", *transcript)[0]


def test_dashes_written_as_words_are_counted() -> None:
    segment = Segment.of("rec", ["-", "so", "-ish"], start=1.0, end=2.0)
    assert written("srt", segment)[1] == [
        "words: 1 (dashes that are read back as signs of another speaker)"
    ]


def said(text: str) -> list[tuple[str, str | None, str]]:
    lines = {"lines": text} if "\n" in text else {}
    words = spoken_words(text)
    segment = Segment.of("rec", words, start=1.0, end=2.0, speaker="old", properties=lines)
    made = clean(segment)
    assert {(s.start, s.end) for s in made} == {(1.0, 2.0)}
    return [(s.kind, s.speaker, " ".join(s.words)) for s in made]


@each_case(
    ("text", "expected"),
    table_of(__file__, "cleaning"),
)  # fmt: skip
def test_cleaning(text: str, expected: list[tuple[str, str | None, str]]) -> None:
    assert said(text) == expected


def test_cleaning_keeps_times_of_words() -> None:
    segment = Segment.of(
        "rec", ["ANNE:", "one", "[cough]", "two"], start=0.0, end=4.0,
        starts=[0.0, 1.0, 2.0, 3.0], ends=[1.0, 2.0, 3.0, 4.0],
    )  # fmt: skip
    words, event = clean(segment)
    assert (words.words, words.starts) == (("one", "two"), (1.0, 3.0))
    assert (event.kind, event.words) == ("event", ("cough",))


def test_cleaning_is_opt_in_and_counted(read_text: ReadText) -> None:
    text = srt((0, 1, "ANNE: hello (laughs)"))
    assert read_text(text, "srt")[0].words == ("ANNE:", "hello", "(laughs)")
    transcript = read_text(text, "srt", subtitle_clean="1")
    assert [s.kind for s in transcript] == ["segment", "event"]
    assert remarks(transcript) == [remark_line(SUBTITLE_CLEAN, version="1", events=1, speakers=1)]
    with pytest.raises(FormatError, match="subtitle_clean out of none, 1, 2, found"):
        read_text(text, "srt", subtitle_clean="3")


def test_marks_of_display_belong_to_words_unless_version_2_is_asked_for(
    read_text: ReadText,
) -> None:
    text = srt((0, 1, "\u202bשלום\u202c so\xadft\n\u200e\nمی\u200cخواهم\u200f"), (1, 2, "plain"))
    assert read_text(text, "srt", subtitle_clean="1")[0].words[0] == "\u202bשלום\u202c"
    transcript = read_text(text, "srt", subtitle_clean="2")
    assert [s.words for s in transcript] == [("שלום", "soft", "می\u200cخواهم"), ("plain",)]
    assert remarks(transcript) == [
        remark_line(SUBTITLE_MARKS, version="2", events=0, speakers=0, segments=1)
    ]


@each_case("before", ["Default,,0,0,0,,", "0,Default,,0,0,0,,", "4,0,Default,,0000,0000,0000,fx,"])
def test_fields_of_substation_before_texts_are_no_words(before: str, read_text: ReadText) -> None:
    texts = ["so, it was", "and so on", "here we are"]
    cues = [(2.0 * n, 2.0 * n + 1, before + text) for n, text in enumerate(texts)]
    result = read_text(srt(*cues), "srt")
    assert [" ".join(segment.words) for segment in result] == texts
    assert fields_of(result.diagnostics, CUE_FIELDS) == [{"cues": 3, "total": 3, "text": before}]


def test_the_name_among_such_fields_is_the_speaker(read_text: ReadText) -> None:
    (segment, _) = read_text(srt((0, 1, "A,Ann,0,0,0,,so"), (1, 2, "A,Ben,0,0,0,,no")), "srt")
    assert (segment.speaker, segment.words) == ("Ann", ("so",))


def test_cues_of_single_letters_are_warned_of(read_text: ReadText) -> None:
    letters = "overtheriverandthroughthewoods"
    cues = [(float(n), n + 1.0, letter) for n, letter in enumerate(letters)]
    total = len(letters)
    remarks = read_text(srt(*cues), "srt").diagnostics
    assert fields_of(remarks, CUE_LETTERS) == [{"cues": total, "total": total, "text": "o"}]


def test_signs_of_a_song_alone_are_told_and_removed_by_cleaning() -> None:
    cues = "1\n00:00:01,000 --> 00:00:03,000\n<i># down the river</i>\nwe are #1 #\n"
    (segment,) = formats.read(BytesIO(cues.encode()), "srt").segments
    assert segment.words == ("#", "down", "the", "river", "we", "are", "#1", "#")
    read = formats.read(BytesIO(cues.encode()), "srt", subtitle_clean="2")
    assert [s.words for s in read.segments if s.kind != "event"] == [
        ("down", "the", "river", "we", "are", "#1")
    ]
    assert any(
        d.code == "CUE-SIGNS" for d in formats.read(BytesIO(cues.encode()), "srt").diagnostics
    )
