"""Odd SubStation files, one by one, and what they are said to be."""

from io import BytesIO

import pytest

import formats
from formats import FormatError, Segment, Transcript
from formats.io.messages import NO_TIMES
from formats.subtitles.messages import (
    ASS_DRAWING,
    ASS_EVENT,
    ASS_HOURS,
    ASS_LAYERS,
    ASS_LAYERS_DROPPED,
    ASS_SECTION,
    ASS_TIMER,
)
from tests.each_case import each_case
from tests.formats.checks import message_text, remark_line, remarks
from tests.formats.conftest import ReadText
from tests.formats.json.reading import refusal
from tests.tables import table_of

HEAD = "[Script Info]\nScriptType: v4.00+\n\n[Events]\n"


def written(*segments: Segment, **options: object) -> tuple[list[str], list[str]]:
    output = BytesIO()
    losses = formats.write(Transcript(segments, source="rec"), output, "ass", **options)  # type: ignore[arg-type]
    lines = output.getvalue().decode().split("\n")
    return [x for x in lines if x.startswith("Dialogue")], [str(loss) for loss in losses]


def event(text: str, times: str = "0:00:01.00,0:00:04.00", layer: int = 0, name: str = "") -> str:
    return f"Dialogue: {layer},{times},Default,{name},0,0,0,,{text}\n"


def test_the_order_of_columns_is_that_of_the_format_line(read_text: ReadText) -> None:
    text = (
        f"{HEAD}Format: Start, Actor, End, Text\nDialogue: 0:00:01.00,Anne,0:00:02.50,well, yes\n"
    )
    (segment,) = read_text(text, "ass")
    assert (segment.words, segment.speaker) == (("well,", "yes"), "Anne")
    assert (segment.start, segment.end) == (1.0, 2.5)


def test_ssa_is_read(read_text: ReadText) -> None:
    text = (
        "[Script Info]\nScriptType: v4.00\n[V4 Styles]\nFormat: Name\nStyle: Default\n[Events]\n"
        "Format: Marked, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n"
        "Dialogue: Marked=0,0:00:01.00,0:00:02.00,*Default,NTP,0000,0000,0000,!Effect,hello\n"
    )
    (segment,) = read_text(text, "ass")
    assert (segment.words, segment.speaker) == (("hello",), None)
    assert dict(segment.properties) == {"effect": "!Effect"}


@pytest.mark.parametrize(
    ("times", "start", "end"),
    [
        ("0:00:01.5,0:00:02.250", 1.5, 2.25),
        ("0:00:01:05,0:00:02:50", 1.05, 2.5),
        (" 00:00:01.50 , 0:00:02", 1.5, 2.0),
        ("123:00:01.50,999:00:02.00", 442801.5, 3596402.0),
    ],
)
def test_times(times: str, start: float, end: float, read_text: ReadText) -> None:
    (segment,) = read_text(HEAD + event("hello", times), "ass")
    assert (segment.start, segment.end) == (start, end)


@each_case(
    ("line", "message"),
    [
        (event("x", "0:00:01.00x,0:00:02.00"), '5:13: expected start as hours:minutes:seconds.hundredths, found "0:00:01.00x"'),
        (event("x", "0:00:01.00,0:99:02.00"), '5:24: expected end as hours:minutes:seconds.hundredths, found "0:99:02.00"'),
        (event("x", "-0:00:01.00,0:00:02.00"), '5:13: expected start of 0 or more, found "-0:00:01.00"'),
        ("Dialogue: 0,0:00:01.00\n", "5:23: expected 10 columns, \"layer, start, end, style, name, marginl, marginr, marginv, effect, text\", found 2"),
        ("Format: Start, End\n", '5:8: expected columns with Start and End, each once, and Text as the last, found "Start, End"'),
        ("just text\n", '5:1: expected Dialogue:, Comment: or Format:, found "just text"'),
    ],
)  # fmt: skip
def test_events_that_are_none(line: str, message: str, read_text: ReadText) -> None:
    assert refusal(HEAD + line + event("hello"), "ass") == f"<stream>:{message}"
    transcript = read_text(HEAD + line + event("hello"), "ass", tolerance="lenient")
    assert [s.words for s in transcript] == [("hello",)]


def test_without_events_there_is_no_subtitle() -> None:
    message = "<stream>:1: expected a section [Events], found none"
    assert refusal("[Script Info]\nTitle: x\n" + event("hello"), "ass") == message


def test_comments_are_not_spoken(read_text: ReadText) -> None:
    text = HEAD + event("x").replace("Dialogue", "Comment") + event("hello")
    transcript = read_text(text, "ass")
    assert [s.words for s in transcript] == [("hello",)]
    assert remarks(transcript) == [remark_line(ASS_EVENT, 5, kind="comment")]


@each_case(("text", "words"), table_of(__file__, "text"))
def test_text(text: str, words: list[str], read_text: ReadText) -> None:
    (segment,) = read_text(HEAD + event(text), "ass")
    assert list(segment.words) == words


def test_drawings_alone_are_no_cues(read_text: ReadText) -> None:
    transcript = read_text(HEAD + event("{\\p1}m 0 0 l 9 9") + event("hello"), "ass")
    assert [s.words for s in transcript] == [("hello",)]
    assert remarks(transcript) == [remark_line(ASS_DRAWING, 5)]


def test_karaoke_gives_the_times_of_words(read_text: ReadText) -> None:
    text = "{\\k50}how {\\kf25}{\\K25}a{\\ko10}re {\\k40}you"
    (segment,) = read_text(HEAD + event(text), "ass")
    assert segment.words == ("how", "are", "you")
    assert segment.starts == (1.0, 1.75, 2.1)
    assert segment.ends == (1.5, 2.1, 2.5)


@pytest.mark.parametrize("text", ["how {\\k50}are you", "{\\k50}how are {\\k10}you"])
def test_karaoke_of_some_words_gives_none(text: str, read_text: ReadText) -> None:
    (segment,) = read_text(HEAD + event(text), "ass")
    assert (segment.words, segment.starts) == (("how", "are", "you"), None)


def test_layers_are_counted_and_left_out_when_asked_for(read_text: ReadText) -> None:
    text = (
        HEAD
        + "".join(event(f"{{\\blur{n}}}sign", layer=n) for n in range(10))
        + event("sign", name="A")
    )
    transcript = read_text(text, "ass")
    assert len(transcript) == 11
    assert transcript[3].get("layer") == "3"
    assert remark_line(ASS_LAYERS, events=9) in remarks(transcript)
    transcript = read_text(text, "ass", dedupe=True)
    assert [s.speaker for s in transcript] == [None, "A"]
    assert remark_line(ASS_LAYERS_DROPPED, events=9) in remarks(transcript)


def test_a_timer_draws_a_warning(read_text: ReadText) -> None:
    text = HEAD.replace("ScriptType", "Timer: 105.5000\nScriptType")
    assert remarks(read_text(text + event("hello"), "ass")) == [
        remark_line(ASS_TIMER, 2, percent="105.5000")
    ]
    text = HEAD.replace("ScriptType", "Timer: 100.0000\nScriptType")
    assert remarks(read_text(text + event("hello"), "ass")) == []


def test_events_outside_of_their_section_are_told(read_text: ReadText) -> None:
    lost = "Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,lost"
    transcript = read_text(f"{HEAD}{event('hello')}[Extra]\n{lost}\n", "ass")
    assert [s.words for s in transcript] == [("hello",)]
    line = HEAD.count("\n") + 3
    assert remarks(transcript) == [remark_line(ASS_SECTION, line, text=lost)]


def test_embedded_fonts_are_passed_over(read_text: ReadText) -> None:
    font = "[Fonts]\nfontname: a.ttf\n[%3]0!A#]\nDialogue\n\n"
    transcript = read_text(f"[Script Info]\n{font}[Events]\n{event('hello')}", "ass")
    assert [s.words for s in transcript] == [("hello",)]


def test_writing_counts_what_hundredths_cannot_hold() -> None:
    lines, losses = written(Segment.of("rec", ["a"], start=0.005, end=0.025))
    assert lines == ["Dialogue: 0,0:00:00.00,0:00:00.02,Default,,0,0,0,,a"]
    assert losses == ["decimals of times: 2 (rounded to 2 decimals)"]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"words": ("a", "{b}")}, 'rec: expected words without braces and backslashes, found "{b}"'),
        ({"words": ("a\\b",)}, 'rec: expected words without braces and backslashes, found "a\\\\b"'),
        ({"speaker": "B, A"}, 'rec: expected a speaker without commas, line ends and blanks around it, found "B, A"'),
        ({"start_ns": None}, f"rec: {message_text(NO_TIMES, format='ass')}"),
    ],
)  # fmt: skip
def test_what_cannot_be_written_is_refused(changes: dict[str, object], message: str) -> None:
    segment = Segment.of("rec", ["a"], start=1.0, end=2.0).replace(**changes)
    with pytest.raises(FormatError) as caught:
        written(segment)
    assert str(caught.value).replace("\\\\", "\\") == message.replace("\\\\", "\\")


def test_look_alikes_are_written_when_asked_for() -> None:
    segment = Segment.of("rec", ["{a}", "b\\c,"], speaker="B, A", start=1.0, end=2.0)
    lines, losses = written(segment, escape_markup=True)
    assert lines == ["Dialogue: 0,0:00:01.00,0:00:02.00,Default,B， A,0,0,0,,｛a｝ b＼c,"]
    assert losses == []


def test_hours_beyond_nine_are_written_with_a_warning() -> None:
    from formats.io.sink import open_sink
    from formats.subtitles.ass import SPEC
    from formats.writing.convert import convert

    transcript = Transcript([Segment.of("rec", ["a"], start=36000.0, end=360000.0)], source="rec")
    output = BytesIO()
    with open_sink(output) as sink:
        assert SPEC.write is not None
        SPEC.write(convert(transcript, SPEC, sink.losses), sink)
    assert b"Dialogue: 0,10:00:00.00,100:00:00.00,Default,,0,0,0,,a" in output.getvalue()
    assert [str(d) for d in sink.log.entries()] == [remark_line(ASS_HOURS)]


def test_styles_layers_and_effects_come_back(read_text: ReadText) -> None:
    text = HEAD + "Dialogue: 7,0:00:01.00,0:00:02.00,Sign,Anne,0,0,0,Banner;1,hello\\Nyou\n"
    transcript = read_text(text, "ass")
    output = BytesIO()
    formats.write(transcript, output, "ass")
    assert output.getvalue().decode().count("Style: Sign,Arial") == 1
    assert read_text(output.getvalue(), "ass").segments == transcript.segments


def test_karaoke_with_pauses_is_written(read_text: ReadText) -> None:
    segment = Segment.of("rec", ["a", "b"], start=1.0, end=4.0, starts=[1.5, 3.0], ends=[2.0, 4.0])
    lines, losses = written(segment, word_times=True)
    assert lines == [
        "Dialogue: 0,0:00:01.00,0:00:04.00,Default,,0,0,0,,{\\k50}{\\k50}a {\\k100}{\\k100}b"
    ]
    assert losses == []
    assert read_text(HEAD + lines[0], "ass").segments == (segment,)


def test_a_style_that_is_a_label_is_the_speaker(read_text: ReadText) -> None:
    head = (
        "[Script Info]\n\n[Events]\n"
        "Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n"
    )
    rows = [("Speaker01", ""), ("Speaker02", ""), ("Title", ""), ("Speaker01", "Anna")]
    events = "".join(
        f"Dialogue: 0,0:00:0{n}.00,0:00:0{n}.50,{style},{name},0,0,0,,so it was\n"
        for n, (style, name) in enumerate(rows)
    )
    read = read_text(head + events, "ass")
    assert [segment.speaker for segment in read] == ["Speaker01", "Speaker02", None, "Anna"]


def test_events_of_a_file_without_sections_are_read(read_text: ReadText) -> None:
    text = (
        "Collisions: Normal\nDialogue: Marked=0,0:00:01.00,0:00:02.00,Default,,0,0,0,,so it was\n"
    )
    transcript = read_text(text, "ass")
    assert [(s.words, s.start, s.end) for s in transcript] == [(("so", "it", "was"), 1.0, 2.0)]
