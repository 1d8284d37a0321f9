"""Odd srt files, one by one, and what they are said to be."""

from functools import partial
from io import BytesIO, StringIO

import pytest

import formats
from formats import FormatError, Segment, Transcript
from formats.subtitles.messages import (
    CUE_BESIDE,
    CUE_EMPTY,
    CUE_END,
    CUE_ENDLESS,
    CUE_NO_END,
    CUE_NO_START,
    CUE_ORDER,
    SRT_BLANK_LINE,
    SRT_BLANKS,
    SRT_COUNTER,
    SRT_LOOSE,
    SRT_NO_TIMES,
    SRT_SKIPPED,
    SRT_TEXT,
)
from formats.subtitles.srt import _SrtReader
from tests.each_case import each_case
from tests.formats import checks
from tests.formats.checks import codes, message_of, message_text, remark_line, remarks
from tests.formats.conftest import ReadText, WriteFile
from tests.formats.json.reading import refusal
from tests.remarks import plain
from tests.tables import table_of

TIMES = "00:00:01,000 --> 00:00:02,000"


written = partial(checks.written, "srt")


@each_case(
    ("line", "start", "end"),
    [
        (TIMES, 1.0, 2.0),
        ("00:00:01.000 --> 00:00:02.000", 1.0, 2.0),
        ("\t00:00:01,000   -->00:00:02,000  ", 1.0, 2.0),
        ("100:00:01,000 --> 12345:00:02,000", 360001.0, 44442002.0),
        ("00:01,000 --> 00:02,000", 1.0, 2.0),
        ("00:00:01,123456789 --> 00:00:02,000", 1.123456789, 2.0),
    ],
)
def test_times(line: str, start: float, end: float, read_text: ReadText) -> None:
    transcript = read_text(f"1\n{line}\nhello\n", "srt")
    assert [(s.start, s.end, s.words) for s in transcript] == [(start, end, ("hello",))]
    assert remarks(transcript) == []


@pytest.mark.parametrize(
    "line",
    [
        "0:0:1,5 --> 0:0:2", "00:00:01,500->00:00:02,000", "00:00:01,5 --> 00:00:2",
        "00:00:01,500 --> 00:00:02,000.",
    ],
)  # fmt: skip
def test_loose_times_are_read_with_a_warning(line: str, read_text: ReadText) -> None:
    transcript = read_text(f"1\n{line}\nhello\n", "srt")
    assert [(s.start, s.end, s.words) for s in transcript] == [(1.5, 2.0, ("hello",))]
    assert remarks(transcript) == [remark_line(SRT_LOOSE, 2)]


@pytest.mark.parametrize("end", ["", f"\n3\n{TIMES}\nend\n"])
def test_a_counter_without_times_draws_a_warning(end: str, read_text: ReadText) -> None:
    transcript = read_text(f"1\n{TIMES}\nhello\n\n2\nthere\n{end}", "srt")
    assert transcript[0].words == ("hello", "2", "there")
    assert remark_line(SRT_NO_TIMES, 5, counter="2") in remarks(transcript)


def test_a_number_in_a_text_is_no_counter(read_text: ReadText) -> None:
    transcript = read_text(f"1\n{TIMES}\nhello\n2\nthere\n\n7\nagain\n", "srt")
    assert not any("NO-TIMES" in remark for remark in remarks(transcript))


def test_blanks_inside_a_time_draw_a_warning(read_text: ReadText) -> None:
    transcript = read_text("1\n00:00:01, 500 --> 00:00:02,000\nhello\n", "srt")
    assert transcript[0].start == 1.5
    assert remarks(transcript) == [remark_line(SRT_BLANKS, 2)]


@each_case(
    ("line", "message"),
    table_of(__file__, "times_that_are_none"),
)  # fmt: skip
def test_times_that_are_none(line: str, message: str, read_text: ReadText) -> None:
    text = f"1\n{line}\nhello\n\n2\n{TIMES}\nworld\n"
    assert refusal(text, "srt") == f"<stream>:{message}"
    transcript = read_text(text, "srt", tolerance="lenient")
    assert [s.words for s in transcript] == [("world",)]
    place, _, what = message.partition(": ")
    assert remarks(transcript) == [
        f"<stream>:{place}: error: record skipped: {what} [SRT-SYNTAX]",
        remark_line(SRT_SKIPPED, 3, text="hello"),
    ]


def test_a_file_without_any_cue_is_an_error(read_text: ReadText) -> None:
    assert refusal("\njust some\nlines\n", "srt") == (
        "<stream>:2: expected a timing line like 00:00:01,000 --> 00:00:02,500, found no cue"
    )
    with pytest.raises(FormatError, match="found no cue"):
        read_text("a line\n" * 20_000, "srt")
    assert len(read_text("\n \n", "srt")) == 0


def test_ttml_is_not_taken_for_srt(write_file: WriteFile) -> None:
    path = write_file(
        "talk.xml",
        '<tt xmlns="http://www.w3.org/2006/10/ttaf1"><body><div>\n'
        '<p begin="00:00:01.000" end="00:00:02.000">hello</p>\n</div></body></tt>\n',
    )
    assert formats.detect(path) == "ttml"
    assert formats.read(path)[0].words == ("hello",)


def test_no_counters_and_no_blank_lines(read_text: ReadText) -> None:
    text = f"{TIMES}\nhello\n00:00:02,000 --> 00:00:03,000\nworld\n3\n00:00:03,000 --> 00:00:04,000\nagain\n"
    transcript = read_text(text, "srt")
    assert [s.words for s in transcript] == [("hello",), ("world",), ("again",)]
    assert remarks(transcript) == []


def test_numbers_are_text_unless_a_timing_line_follows(read_text: ReadText) -> None:
    text = (
        f"1\n{TIMES}\n1984\n\n2\n00:00:02,000 --> 00:00:03,000\nin\n1984\n\n"
        "7\n00:00:03,000 --> 00:00:04,000\n42"
    )
    transcript = read_text(text, "srt")
    assert [s.words for s in transcript] == [("1984",), ("in", "1984"), ("42",)]
    assert remarks(transcript) == [remark_line(SRT_COUNTER, 10, counter=3, found="7")]


def test_blank_lines_inside_a_text(read_text: ReadText) -> None:
    transcript = read_text(f"1\n{TIMES}\nhello\n\nworld\n\n2\n{TIMES}\nagain\n", "srt")
    assert [s.words for s in transcript] == [("hello", "world"), ("again",)]
    assert remarks(transcript) == [remark_line(SRT_BLANK_LINE, 2)]


def test_text_may_be_behind_the_times(read_text: ReadText) -> None:
    transcript = read_text(f"1\n{TIMES} so it was\n\n2\n{TIMES} X1:9 Y1:8\nyes\n", "srt")
    assert [(s.words, s.properties) for s in transcript] == [
        (("so", "it", "was"), ()),
        (("yes",), (("position", "X1:9 Y1:8"),)),
    ]
    assert remarks(transcript) == [remark_line(CUE_BESIDE, 2, text="so it was")]


def test_text_before_the_first_cue(read_text: ReadText) -> None:
    transcript = read_text(f"a title\n1\n{TIMES}\nhello\n", "srt")
    assert remarks(transcript) == [remark_line(SRT_TEXT, 1, text="a title")]


def test_a_cue_that_ends_before_it_begins_keeps_its_words(read_text: ReadText) -> None:
    text = "1\n00:00:05,000 --> 00:00:01,000\nhello\n"
    transcript = read_text(text, "srt")
    (segment,) = transcript
    assert (segment.words, segment.start, segment.end) == (("hello",), None, None)
    assert segment.get("times") == "00:00:05,000 --> 00:00:01,000"
    message = message_text(CUE_END, shown="00:00:05,000 --> 00:00:01,000")
    assert remarks(transcript) == [f"<stream>:2: warning: {message} [CUE-END]"]
    assert refusal(text, "srt", tolerance="strict") == f"<stream>:2: {message} [CUE-END]"


@each_case("time", ["99:99:99,999", "00:75:02,000", "00:01:60,680", "999999999:00:00,000"])
def test_a_cue_with_an_end_that_no_clock_shows_has_its_start(
    read_text: ReadText, time: str
) -> None:
    line = f"00:00:05,000 --> {time}"
    transcript = read_text(f"1\n{line}\nhello\n\n2\n{TIMES}\nworld\n", "srt")
    first, second = transcript
    assert (first.words, first.start, first.end) == (("hello",), 5, None)
    assert (second.words, second.end is None) == (("world",), False)
    assert remarks(transcript)[0] == remark_line(CUE_NO_END, 2, shown=line)
    assert remarks(read_text(f"WEBVTT\n\n{line.replace(',', '.')}\nhello\n", "vtt"))[0] == (
        remark_line(CUE_NO_END, 3, shown=line.replace(",", "."))
    )


@each_case("start", ["99:99:99,999", "00:01:60,680"])
def test_a_cue_with_a_start_that_no_clock_shows_has_no_times(
    read_text: ReadText, start: str
) -> None:
    line = f"{start} --> 00:02:05,000"
    transcript = read_text(f"1\n{line}\nhello\n", "srt")
    (segment,) = transcript
    assert (segment.words, segment.start, segment.end) == (("hello",), None, None)
    assert segment.get("times") == line
    assert remarks(transcript)[0] == remark_line(CUE_NO_START, 2, shown=line)


@each_case("end", ["00:00:00,000", "00:00:00", "0:00:00.0"])
def test_an_end_at_zero_is_no_end(read_text: ReadText, end: str) -> None:
    transcript = read_text(f"1\n00:00:05,000 --> {end}\nhello\n", "srt")
    (segment,) = transcript
    assert (segment.words, segment.start, segment.end) == (("hello",), 5, None)
    assert remarks(transcript)[-1] == remark_line(CUE_ENDLESS, 2, shown=f"00:00:05,000 --> {end}")
    (at_zero,) = read_text(f"1\n00:00:00,000 --> {end}\nhello\n", "srt")
    assert (at_zero.start, at_zero.end) == (0, 0)


def test_cues_out_of_order_and_without_text_are_noted(read_text: ReadText) -> None:
    transcript = read_text(f"1\n00:00:05,000 --> 00:00:06,000\n\n2\n{TIMES}\nhello\n", "srt")
    assert remarks(transcript) == [
        remark_line(CUE_EMPTY, 2),
        remark_line(CUE_ORDER, 5),
    ]
    assert [len(s.words) for s in transcript] == [0, 1]


@each_case(("text", "words"), table_of(__file__, "marks_are_no_words_and_all_else_is"))
def test_marks_are_no_words_and_all_else_is(
    text: str, words: list[str], read_text: ReadText
) -> None:
    transcript = read_text(f"1\n{TIMES}\n{text}\n", "srt")
    assert list(transcript[0].words) == words
    assert transcript[0].get("raw") == (text if "<i>" in text or "\\an8" in text else None)
    assert written(*transcript) == (f"1\n{TIMES}\n{text}\n\n", [])


def test_entities_are_decoded_when_asked_for(read_text: ReadText) -> None:
    (segment,) = read_text(f"1\n{TIMES}\nfish &amp; &#67;hips&#13;x\n", "srt", entities=True)
    assert segment.words == ("fish", "&", "Chips", "x")


def test_coordinates_are_kept_and_lost_on_writing(read_text: ReadText) -> None:
    transcript = read_text(f"1\n{TIMES} X1:10 X2:20 Y1:30 Y2:40\nhello\n", "srt")
    assert transcript[0].get("position") == "X1:10 X2:20 Y1:30 Y2:40"
    assert written(*transcript) == (f"1\n{TIMES}\nhello\n\n", ["properties: 1"])


def test_code_pages_need_to_be_named(write_file: WriteFile) -> None:
    path = write_file("talk.srt", f"1\n{TIMES}\nd\xe9j\xe0 vu\n".encode("cp1252"))
    with pytest.raises(formats.EncodingFormatError) as caught:
        formats.read(path)
    assert (caught.value.line, caught.value.column) == (3, 2)
    assert formats.read(path, encoding="cp1252")[0].words == ("déjà", "vu")


def test_what_looks_like_times_or_marks_is_refused_or_left_out() -> None:
    timing = Segment.of("rec", ["0:00:01", "-->", "0:00:02"], start=1.0, end=2.0, line=7)
    assert message_of(formats.LossError, lambda: written(timing)) == (
        'rec:7: expected a text without lines that look like times, found "0:00:01 --> 0:00:02"'
    )
    lines = timing.replace(
        words=("a", *timing.words), properties=(("lines", "a\n0:00:01 --> 0:00:02"),)
    )
    text, losses = written(lines, allow_loss=True)
    assert text == f"1\n{TIMES}\na\n\n"
    assert losses == ["lines that look like times: 1 (dropped)"]
    marked = Segment.of("rec", ["a", "<i>", "{\\b1}"], start=1.0, end=2.0)
    assert (
        message_of(formats.LossError, lambda: written(marked))
        == 'rec: expected words that are no marks of srt, found "<i>"'
    )
    assert written(marked, escape_markup=True)[0] == f"1\n{TIMES}\na ＜i＞ ｛＼b1｝\n\n"
    hard_space = Segment.of("rec", ["x\\hy"], start=1.0, end=2.0)
    with pytest.raises(formats.LossError, match="expected words that are no marks of srt"):
        written(hard_space)
    assert written(hard_space, escape_markup=True)[0] == f"1\n{TIMES}\nx＼hy\n\n"


def test_speakers_are_written_into_the_text_when_asked_for(read_text: ReadText) -> None:
    segment = Segment.of("rec", ["hello"], speaker="ANNE", start=1.0, end=2.0)
    text, losses = written(segment)
    assert text == f"1\n{TIMES}\nhello\n\n"
    assert losses == ["speakers: 1 (--speaker-prefix writes them into the text)"]
    text, losses = written(segment, speaker_prefix=True)
    assert (text, losses) == (f"1\n{TIMES}\nANNE: hello\n\n", [])
    assert read_text(text, "srt", subtitle_clean="1").segments == (segment,)


def test_times_are_rounded_half_to_even_and_counted() -> None:
    text, losses = written(Segment("rec", ("a",), start_ns=500_000, end_ns=1_001_500_000))
    assert text == "1\n00:00:00,000 --> 00:00:01,002\na\n\n"
    assert losses == ["decimals of times: 2 (rounded to 3 decimals)"]


def test_points_without_a_head_are_srt_unless_the_suffix_says_vtt(write_file: WriteFile) -> None:
    text = "00:00:01.000 --> 00:00:02.000\nhello\n"
    assert formats.detect(write_file("talk.vtt", text)) == "vtt"
    assert formats.detect(write_file("talk.srt", text)) == "srt"
    assert formats.detect(write_file("talk", text)) == "srt"
    late = "\n".join([*map(str, "abcdefg"), text])
    with pytest.raises(formats.UnknownFormatError) as caught:
        formats.detect(write_file("late", late))
    assert caught.value.value is not None
    assert list(map(plain, caught.value.value.fields["likely"]))[:2] == [
        "srt (likely)",
        "vtt (likely)",
    ]


def test_a_hard_space_is_a_blank_and_no_two_letters(read_text: ReadText) -> None:
    transcript = read_text("1\n00:00:01,000 --> 00:00:02,000\n\\h\\hnever\\hbreak C:\\x\n", "srt")
    assert transcript[0].words == ("never", "break", "C:\\x")
    output = BytesIO()
    formats.write(transcript, output, "srt")
    assert b"\\h\\hnever\\hbreak" in output.getvalue()


def test_blanks_between_han_characters_may_be_left_out() -> None:
    words = ["今日", "は", "いい", "です。", "AWS", "Cloud", "雲"]
    transcript = Transcript([Segment.of("r", words, start=0.0, end=1.0)])
    sink = StringIO()
    losses = formats.write(transcript, sink, "srt", han_blanks=False)
    assert "今日はいいです。 AWS Cloud 雲\n" in sink.getvalue()
    assert "blanks between words: 3 (no blanks are written between Han characters or kana)" in map(
        str, losses
    )


@each_case(
    "change",
    [
        ("", ""),
        ("hello", "- hello\n<i>you</i> {\\an8}\\h"),
        ("hello", ""),
        ("hello", " \nhello"),
        ("hello", "hello \n\t"),
        ("hello\n\n3", "hello\n\n\n3"),
        ("hello\n\n3", "hello\n\n03"),
        ("hello\n\n3", "hello\n\n4"),
        ("hello\n\n3\n", "hello\n\n"),
        ("hello", "00:00:02,000 -> 00:00:03,000"),
        ("hello", "0:aa:02 --> x"),
        ("hello", "00:00:02,000 \u2013> 00:00:03,000"),
        ("hello", "00:00:02,000 - > 00:00:03,000"),
        ("00:00:03,000 -->", "0:00:03.000 -->"),
        ("00:00:03,000 -->", "00:00:09,000 -->"),
    ],
)
def test_cues_in_the_usual_form_are_read_as_line_by_line(
    change: tuple[str, str], read_text: ReadText, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = "\n".join(
        f"{n}\n00:00:0{n},000 --> 00:00:0{n},900\n{text}\n"
        for n, text in enumerate(("one\ntwo", "hello", "and", "all"), 1)
    )
    texts = [usual.replace(*change), usual.replace(*change).replace("\n\n", "\n \n")]
    transcripts = [read_text(text, "srt", tolerance="lenient") for text in texts]
    monkeypatch.setattr(_SrtReader, "plain_cue", lambda *_: None)
    slow = [read_text(text, "srt", tolerance="lenient") for text in texts]
    for ours, line_by_line in zip(transcripts, slow, strict=True):
        assert [*ours] == [*line_by_line]
        assert [s.line for s in ours] == [s.line for s in line_by_line]
        assert ours.diagnostics == line_by_line.diagnostics


@pytest.mark.parametrize(
    "text",
    [
        'one\\Ntwo<br>three <span style="x">four</span>',
        "<c.yellow>one</c> {i}two{/i} <p>three</p> four",
    ],
)
def test_marks_of_other_formats_are_no_words(text: str, read_text: ReadText) -> None:
    (segment,) = read_text(f"1\n{TIMES}\n{text}\n", "srt")
    assert segment.words == ("one", "two", "three", "four")
    assert segment.get("raw") == text


@each_case(
    ("first", "second"),
    [("Cue 1", "Cue 2"), ("#1", "#2"), ("1.", "2."), ("0", "1"), ("001", "002")],
)
def test_counters_with_a_name_or_a_sign_are_no_words(
    first: str, second: str, read_text: ReadText
) -> None:
    transcript = read_text(f"{first}\n\n{TIMES}\nhello\n\n{second}\n{TIMES}\nworld\n", "srt")
    assert [s.words for s in transcript] == [("hello",), ("world",)]


def test_a_last_counter_without_a_cue_is_no_word(read_text: ReadText) -> None:
    transcript = read_text(f"1\n{TIMES}\nhello\n\n2\n", "srt")
    assert [s.words for s in transcript] == [("hello",)]
    assert codes(transcript) == ["SRT-COUNTER"]


@pytest.mark.parametrize(
    "line",
    [
        "00:00:01:000 --> 00:00:02:000",
        "00:00:01;000 --> 00:00:02;000",
        "00:00:01,000 \u2013> 00:00:02,000",
        "00:00:01,000 -- > 00:00:02,000",
    ],
)
def test_times_in_other_signs_are_read(line: str, read_text: ReadText) -> None:
    (segment,) = read_text(f"1\n{line}\nhello\n", "srt")
    assert (segment.start, segment.end, segment.words) == (1.0, 2.0, ("hello",))


def test_one_voice_is_a_speaker(read_text: ReadText) -> None:
    (segment,) = read_text(f"1\n{TIMES}\n<v Anne>hello</v>\n", "srt")
    assert (segment.speaker, segment.words) == ("Anne", ("hello",))


def test_what_is_no_speech_is_told(read_text: ReadText) -> None:
    for text in (
        "[music]",
        "(laughs) so",
        "so *laughs*",
        "\u266a la la \u266a",
        ">> so it was",
        "{{a}} so",
        "so / it",
        "ANNE: so",
    ):
        assert "CUE-SIGNS" in codes(read_text(f"1\n{TIMES}\n{text}\n", "srt"))
    for text in ("so (as he said", "a*b*c", "a > b", "x[0]"):
        assert "CUE-SIGNS" not in codes(read_text(f"1\n{TIMES}\n{text}\n", "srt"))


def test_overlapping_cues_of_two_scripts_are_told(read_text: ReadText) -> None:
    text = "".join(
        f"{2 * n + 1}\n00:00:{n:02},000 --> 00:00:{n:02},900\nso it was\n\n"
        f"{2 * n + 2}\n00:00:{n:02},100 --> 00:00:{n:02},950\nтак было\n\n"
        for n in range(8)
    )
    assert "CUE-LANGUAGES" in codes(read_text(text, "srt"))
    assert "CUE-LANGUAGES" not in codes(read_text(text.replace("так было", "well"), "srt"))


def test_two_lines_of_each_language_in_a_cue_are_two_languages(read_text: ReadText) -> None:
    texts = (
        "so it was\n是这样的",
        "so it was and\nthen they went\n是这样的\n然后",
        "well\nso\n是的",
    ) * 4
    rows = [f"{n}\n00:00:{n:02},000 --> 00:00:{n:02},900\n{x}\n\n" for n, x in enumerate(texts, 1)]
    assert "CUE-LANGUAGES" in codes(read_text("".join(rows), "srt"))
    plain_rows = [
        row.replace("是", "so ").replace("的", "was").replace("然后", "it") for row in rows
    ]
    assert "CUE-LANGUAGES" not in codes(read_text("".join(plain_rows), "srt"))


def test_credits_of_a_song_are_told(read_text: ReadText) -> None:
    text = "[00:00.00]作词 : 安\n[00:01.00]作曲 : 安\n[00:02.00]so it was\n"
    assert "LRC-CREDITS" in codes(read_text(text, "lrc"))
    said = "[00:04.00]so it was\n[00:08.00]and so it is\n"
    for first in ("[00:00.00]Ann Ex - The Sea\n", "[00:00.50]晴天 - 安娜\n[00:01.00]词：安娜\n"):
        assert "LRC-CREDITS" in codes(read_text(first + said, "lrc"))
    for first in (
        "[00:03.00]Ann Ex - The Sea\n",
        "[00:00.00]so - it is.\n",
        "[00:00.00]so-so it\n",
    ):
        assert "LRC-CREDITS" not in codes(read_text(first + said, "lrc"))
    assert "LRC-CREDITS" not in codes(read_text("[00:00.00]so: it was\n[00:01.00]so\n", "lrc"))


def test_lines_inside_cues_that_all_have_a_name_begin_with_no_other_name(
    read_text: ReadText,
) -> None:
    names = ["Ann", "Ben"] * 5
    text = "".join(
        f"{n}\n00:00:{n:02},000 --> 00:00:{n:02},900\n<b>{name}</b>: it says {n}\nError: no {n}\n"
        f"Error: bad {n}\n\n"
        for n, name in enumerate(names, 1)
    )
    transcript = read_text(text, "srt")
    assert [s.speaker for s in transcript] == names
    assert " ".join(transcript[0].words) == "it says 1 Error: no 1 Error: bad 1"
    both = text.replace("Error: bad", "Ben: well")
    assert {s.speaker for s in read_text(both, "srt")} == {"Ann", "Ben"}
    assert len(read_text(both, "srt")) > len(names)
