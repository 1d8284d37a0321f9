"""Odd WebVTT files, one by one, and what they are said to be."""

from functools import partial
from io import BytesIO

import pytest

import formats
from formats import Segment
from formats.subtitles.messages import (
    CUE_BESIDE,
    CUE_EMPTY,
    VTT_BLANK_LINE,
    VTT_BLOCK,
    VTT_COMMA,
    VTT_DEEP,
    VTT_HEAD,
    VTT_HEADER,
    VTT_LESS_THAN,
    VTT_NO_BLANK,
    VTT_NOTE,
    VTT_NOTE_CUE,
    VTT_REGION,
    VTT_SECONDS,
    VTT_STAMP_ORDER,
    VTT_STYLE,
    VTT_TAG,
    VTT_TEXT_BEFORE,
    VTT_TIMESTAMP_MAP,
)
from tests.formats import checks
from tests.formats.checks import remark_line, remarks
from tests.formats.conftest import ReadText
from tests.formats.json.reading import refusal

TIMES = "00:00:01.000 --> 00:00:04.000"


written = partial(checks.written, "vtt")


def cue(text: str) -> str:
    return f"WEBVTT\n\n{TIMES}\n{text}\n"


def test_every_voice_is_a_segment(read_text: ReadText) -> None:
    transcript = read_text(
        cue("<v Anne>hello</v> <v.loud.far Bob &amp; Co>hi <i>there</i>\n<v Anne>bye</v> all"),
        "vtt",
    )
    assert [(s.speaker, s.words, s.start, s.end) for s in transcript] == [
        ("Anne", ("hello",), 1.0, 4.0),
        ("Bob & Co", ("hi", "there"), 1.0, 4.0),
        ("Anne", ("bye",), 1.0, 4.0),
        (None, ("all",), 1.0, 4.0),
    ]
    assert transcript[1].get("classes") == "loud far"


def test_languages_classes_ruby(read_text: ReadText) -> None:
    text = "<c.yellow>we</c> <lang fr>voici</lang> <ruby>kan<rt>a</rt></ruby>"
    (segment,) = read_text(cue(text), "vtt")
    assert segment.words == ("we", "voici", "kan")
    assert dict(segment.properties) == {"classes": "yellow", "language": "fr", "ruby": "a"}


def test_references_are_decoded_after_the_tags(read_text: ReadText) -> None:
    (segment,) = read_text(cue("&lt;i&gt; &amp;lt; a&nbsp;b &#x41; x&#10;y"), "vtt")
    assert segment.words == ("<i>", "&lt;", "a", "b", "A", "x", "y")


def test_words_with_times(read_text: ReadText) -> None:
    (segment,) = read_text(cue("one <00:02.000>two <00:00:03.000>three"), "vtt")
    assert (segment.starts, segment.ends) == ((1.0, 2.0, 3.0), (2.0, 3.0, 4.0))


def test_a_word_may_have_several_times(read_text: ReadText) -> None:
    (segment,) = read_text(cue("hal<00:02.000>lo <00:03.000>you"), "vtt")
    assert (segment.words, segment.starts) == (("hallo", "you"), (1.0, 3.0))
    assert segment.ends == (3.0, 4.0)


def test_pieces_of_several_words_are_segments(read_text: ReadText) -> None:
    transcript = read_text(cue("so we <00:02.000>go <00:03.000>on and on"), "vtt")
    assert [(s.words, s.start, s.end, s.starts) for s in transcript] == [
        (("so", "we"), 1.0, 2.0, None),
        (("go",), 2.0, 3.0, None),
        (("on", "and", "on"), 3.0, 4.0, None),
    ]


@pytest.mark.parametrize("stamp", ["00:09.000", "00:00.500"])
def test_times_outside_of_the_cue_draw_a_warning(stamp: str, read_text: ReadText) -> None:
    transcript = read_text(cue(f"one <{stamp}>two"), "vtt")
    assert transcript[0].words == ("one", "two")
    assert remarks(transcript) == [remark_line(VTT_STAMP_ORDER, 3, text=f"<{stamp}>")]


def test_seconds_alone_draw_warnings(read_text: ReadText) -> None:
    text = "WEBVTT\n\n0.250 --> 71.5\nhello\n\n1:12.000 --> 73.125 align:start\nworld\n"
    transcript = read_text(text, "vtt")
    assert [(s.start, s.end) for s in transcript] == [(0.25, 71.5), (72.0, 73.125)]
    places = (3, 1), (3, 11), (6, 14)
    assert remarks(transcript) == [remark_line(VTT_SECONDS, *place) for place in places]


def test_commas_draw_a_warning(read_text: ReadText) -> None:
    transcript = read_text(
        "WEBVTT\n\n00:01,500 --> 00:02,000\nhello\n\n00:03,0 --> 00:04,0\nx\n", "vtt"
    )
    assert [s.start for s in transcript] == [1.5, 3.0]
    places = (3, 1), (3, 15), (6, 1), (6, 13)
    assert remarks(transcript) == [remark_line(VTT_COMMA, *place) for place in places]


def test_a_missing_head_draws_a_warning(read_text: ReadText) -> None:
    transcript = read_text(f"c1\n{TIMES}\nhello\n", "vtt")
    assert (transcript[0].words, transcript[0].get("id")) == (("hello",), "c1")
    assert remarks(transcript) == [remark_line(VTT_HEAD, 1, 1)]
    assert refusal("something else\n", "vtt") == (
        '<stream>:1: expected "WEBVTT", or a timing line like 00:00:01.000 --> 00:00:02.500, found no cue'
    )


def test_hours_of_many_digits(read_text: ReadText) -> None:
    (segment,) = read_text("WEBVTT\n\n100:00:01.000 --> 1000:00:02.000\nhello\n", "vtt")
    assert (segment.start, segment.end) == (360001.0, 3600002.0)
    assert "100:00:01.000 --> 1000:00:02.000" in written(segment)[0]


def test_blocks_that_are_no_cues(read_text: ReadText) -> None:
    text = (
        "WEBVTT\n\nNOTE a --> b\nmore\n\nNOTE\n00:01.000 --> 00:02.000\nhidden\n\nSTYLE\n::cue {}\n\n"
        f"REGION\nid:r\n\nlost text\n\n{TIMES}\nhello\n"
    )
    transcript = read_text(text, "vtt")
    assert [s.words for s in transcript] == [("hello",)]
    assert remarks(transcript) == [
        remark_line(VTT_NOTE, 3),
        remark_line(VTT_NOTE_CUE, 6),
        remark_line(VTT_STYLE, 10),
        remark_line(VTT_REGION, 13),
        remark_line(VTT_TEXT_BEFORE, 16, text="lost text"),
    ]


def test_cues_without_blank_lines_between_them(read_text: ReadText) -> None:
    transcript = read_text(f"WEBVTT\n\nc1\n{TIMES}\nhello\n{TIMES}\nworld\n", "vtt")
    assert [(s.words, s.get("id")) for s in transcript] == [(("hello",), "c1"), (("world",), None)]
    assert remarks(transcript) == [remark_line(VTT_NO_BLANK, 6)]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("00:01.000 --> soon", '3:1: expected a timing line like 00:00:01.000 --> 00:00:02.500, found "00:01.000 --> soon"'),
        ("-00:01.000 --> 00:02.000", '3:1: expected a time of 0 or more, found "-00:01.000"'),
    ],
)  # fmt: skip
def test_times_that_are_none(line: str, message: str) -> None:
    assert refusal(f"WEBVTT\n\n{line}\nhello\n", "vtt") == f"<stream>:{message}"


def test_a_line_that_begins_with_a_time_is_text(read_text: ReadText) -> None:
    (segment,) = read_text(cue("one\n<00:02.000>two"), "vtt")
    assert (segment.words, segment.starts) == (("one", "two"), (1.0, 2.0))


def test_loose_less_than_and_unknown_tags(read_text: ReadText) -> None:
    transcript = read_text(cue("a < b <font x>c</font>"), "vtt")
    assert transcript[0].words == ("a", "<", "b", "c")
    assert remarks(transcript) == [
        remark_line(VTT_LESS_THAN, 3),
        remark_line(VTT_TAG, 3, name="<font>"),
        remark_line(VTT_TAG, 3, name="<font>"),
    ]


def test_settings_known_or_not_are_kept_and_an_empty_cue_too(read_text: ReadText) -> None:
    transcript = read_text(f"WEBVTT\n\n{TIMES} align:start what:ever\n\n", "vtt")
    assert transcript[0].get("settings") == "align:start what:ever"
    assert [d.code for d in transcript.diagnostics] == ["CUE-EMPTY", "NO-WORDS"]
    assert written(*transcript)[0] == f"WEBVTT\n\n{TIMES} align:start what:ever\n"


HLS = f"WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:900000,LOCAL:00:00:02.000\n\n{TIMES}\nhello <00:02.000>you\n"


def test_the_timestamp_map_is_reported_and_applied_when_asked_for(read_text: ReadText) -> None:
    transcript = read_text(HLS, "vtt")
    assert transcript[0].start == 1.0
    assert remarks(transcript) == [remark_line(VTT_TIMESTAMP_MAP, 2, seconds=8.0)]
    (segment,) = read_text(HLS, "vtt", apply_timestamp_map=True)
    assert (segment.start, segment.starts) == (9.0, (9.0, 10.0))


def test_a_broken_timestamp_map_is_an_error() -> None:
    assert refusal(HLS.replace("MPEGTS:", "MPEG:"), "vtt") == (
        '<stream>:2: expected X-TIMESTAMP-MAP=LOCAL:hh:mm:ss.mmm,MPEGTS:ticks, found "MPEG:900000,LOCAL:00:00:02.000"'
    )


def test_the_head_says_language_and_kind(read_text: ReadText) -> None:
    text = f"WEBVTT - a talk\nLanguage: en-GB\nKind: captions\nX-Other: 1\n\n{TIMES}\nhello\n"
    transcript = read_text(text, "vtt")
    assert dict(transcript.properties) == {
        "language": "en-GB",
        "kind": "captions",
        "title": "- a talk",
    }
    assert remarks(transcript) == [remark_line(VTT_HEADER, 4, text="X-Other: 1")]
    output = BytesIO()
    formats.write(transcript, output, "vtt")
    assert (
        output.getvalue()
        .decode()
        .startswith("WEBVTT - a talk\nKind: captions\nLanguage: en-GB\n\n")
    )


def test_names_in_small_letters_among_names_of_nearly_all_cues(read_text: ReadText) -> None:
    def cues(texts: list[str]) -> str:
        spans = (f"00:{k:02}.000 --> 00:{k:02}.900\n{text}\n" for k, text in enumerate(texts))
        return "WEBVTT\n\n" + "\n".join(spans)

    texts = ["Ann Ex: so it was", "Ben Hill: and then: nothing", "cleo ray: we went: home"] * 4
    names = ["Ann Ex", "Ben Hill", "cleo ray"] * 4
    segments = read_text(cues(texts), "vtt").segments
    assert [segment.speaker for segment in segments] == names
    assert " ".join(segments[2].words) == "we went: home"
    some = [*texts, *texts[:2] * 4, *["so it was"] * 4]
    assert {s.speaker for s in read_text(cues(some), "vtt").segments} == {*names[:2], None}


def test_everything_that_is_markup_is_escaped(read_text: ReadText) -> None:
    segment = Segment.of(
        "rec", ["<v", "Bob>", "&amp;", "-->"], speaker="A > B & C", start=1.0, end=4.0
    )
    text, losses = written(segment)
    assert text == (f"WEBVTT\n\n{TIMES}\n<v A &gt; B &amp; C>&lt;v Bob&gt; &amp;amp; --&gt;</v>\n")
    assert losses == []
    assert read_text(text, "vtt").segments == (segment,)


def test_word_times_are_written_when_asked_for_and_counted_otherwise(read_text: ReadText) -> None:
    segment = Segment.of("rec", ["a", "b"], start=1.0, end=4.0, starts=[1.0, 2.5], ends=[2.0, 4.0])
    assert written(segment)[1] == ["word times: 2 (--word-times writes them)"]
    text, losses = written(segment, word_times=True)
    assert text == f"WEBVTT\n\n{TIMES}\na<00:00:02.000> <00:00:02.500>b\n"
    assert losses == []
    assert read_text(text, "vtt").segments == (segment,)


def test_word_times_that_overlap_are_counted_lost() -> None:
    segment = Segment.of("rec", ["a", "b"], start=1.0, end=4.0, starts=[1.0, 2.0], ends=[3.0, 4.0])
    text, losses = written(segment, word_times=True)
    assert text == f"WEBVTT\n\n{TIMES}\na b\n"
    assert losses == [
        "word times: 2 (some words of the segment have no times, overlap or exceed it)"
    ]


def test_what_a_cue_cannot_hold_is_counted() -> None:
    segment = Segment.of(
        "rec", ["a"], speaker="A  B", start=1.0, end=4.0,
        properties={"id": "a --> b", "settings": "x\ny", "classes": "a.b", "language": " "},
    )  # fmt: skip
    text, losses = written(segment)
    assert text == f"WEBVTT\n\n{TIMES}\n<v A B>a</v>\n"
    assert losses == [
        "properties: 1 (WebVTT cannot hold the value of settings)",
        "properties: 1 (WebVTT cannot hold the value of id)",
        "properties: 1 (WebVTT cannot hold the value of classes)",
        "properties: 1 (WebVTT cannot hold the value of language)",
        "blanks of speakers' names: 1 (several blanks are written as one)",
    ]


def test_tags_nested_beyond_reason(read_text: ReadText) -> None:
    transcript = read_text(cue("<i>" * 10_000 + "hello"), "vtt")
    assert transcript[0].words == ("hello",)
    assert remarks(transcript)[0] == (remark_line(VTT_DEEP, 3, levels=200))


def test_an_arrow_ends_a_cue_and_is_no_text_of_it(read_text: ReadText) -> None:
    timing = "00:00.000 --> 00:01.000"
    text = f"WEBVTT\n\nfoo-->\n{timing}\none\n-->bar\nlost\n{timing}\ntwo\n\n{timing}\nthree\n"
    transcript = read_text(text, "vtt")
    assert [segment.words for segment in transcript] == [("one",), ("two",), ("three",)]
    assert [d.line for d in transcript.diagnostics if d.code == "VTT-ARROW"] == [3, 6]
    assert transcript[0].get("id") is None


def test_nul_is_a_replacement_character() -> None:
    data = b"WEBVTT\n\n00:00.000 --> 00:01.000\na\x00b\n\n00:01.000 --> 00:02.000\x00x\nc\n"
    transcript = formats.read(BytesIO(data))
    assert transcript.format == "vtt"
    assert [segment.words for segment in transcript] == [("a\ufffdb",), ("c",)]


def test_text_behind_a_blank_line_belongs_to_the_cue_above(read_text: ReadText) -> None:
    transcript = read_text(
        f"WEBVTT\n\n1\n{TIMES}\nhello\n\nthere\n\n2\n\n{TIMES}\nworld\n\nmore\n", "vtt"
    )
    assert [(s.words, s.get("id")) for s in transcript] == [
        (("hello", "there"), "1"), (("world", "more"), "2"),
    ]  # fmt: skip
    assert remarks(transcript) == [
        remark_line(VTT_BLANK_LINE, 7, text="there"),
        remark_line(VTT_BLANK_LINE, 14, text="more"),
    ]


def test_marks_of_ass_are_no_words(read_text: ReadText) -> None:
    (segment,) = read_text(f"WEBVTT\n\n{TIMES}\n{{\\an8}}hello\n", "vtt")
    assert segment.words == ("hello",)


def test_a_block_with_a_broken_timing_line_is_not_the_text_of_the_cue_above(
    read_text: ReadText,
) -> None:
    transcript = read_text(f"WEBVTT\n\n{TIMES}\nhello\n\n-->\nlost\n\n- -->\nlost\n", "vtt")
    assert [s.words for s in transcript] == [("hello",)]
    assert remarks(transcript) == [
        remark_line(VTT_BLOCK, 6, text="-->"), remark_line(VTT_BLOCK, 9, text="- -->"),
    ]  # fmt: skip


@pytest.mark.parametrize("text", ["so it was, and so on", "Anne: well then", "yes"])
def test_text_may_be_behind_the_times(text: str, read_text: ReadText) -> None:
    transcript = read_text(f"WEBVTT\n\n{TIMES} {text}\n\n{TIMES}\nno\n", "vtt")
    assert [" ".join(s.words) for s in transcript] == [text, "no"]
    assert transcript[0].get("settings") is None
    assert remarks(transcript) == [remark_line(CUE_BESIDE, 3, text=text)]


@pytest.mark.parametrize("after", ["align:start position:0%", "line: 5%", "D:vertical A:start"])
def test_settings_behind_the_times_of_an_empty_cue_are_no_text(
    after: str, read_text: ReadText
) -> None:
    transcript = read_text(f"WEBVTT\n\n{TIMES} {after}\n\n{TIMES}\nno\n", "vtt")
    assert [(s.words, s.get("settings")) for s in transcript] == [((), after), (("no",), None)]
    assert remarks(transcript) == [remark_line(CUE_EMPTY, 3)]


def test_what_would_be_read_as_text_is_not_written_behind_the_times() -> None:
    segment = Segment.of("rec", [], start=0.0, end=1.0, properties={"settings": "so it was"})
    text, losses = written(segment)
    assert "so it was" not in text
    assert losses == ["properties: 1 (WebVTT cannot hold the value of settings)"]
