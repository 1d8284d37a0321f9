"""Odd TTML documents, one by one, and what they are said to be."""

from functools import partial
from io import BytesIO

import pytest

from formats import FormatError, Segment, Transcript, write
from formats.subtitles.messages import (
    CUE_END,
    TTML_CLOCK,
    TTML_ID,
    TTML_ID_TWICE,
    TTML_NAMESPACE,
    TTML_OPEN,
    TTML_RATE,
    TTML_SMPTE,
    TTML_SMPTE_START,
    TTML_TEXT,
)
from formats.subtitles.ttml_times import Clock
from tests.each_case import each_case
from tests.formats import checks
from tests.formats.checks import message_of, message_text, remark_line, remarks
from tests.formats.conftest import ReadText
from tests.formats.json.reading import refusal
from tests.tables import table_of

NAMESPACES = 'xmlns:ttp="http://www.w3.org/ns/ttml#parameter" xmlns:tts="http://www.w3.org/ns/ttml#styling" xmlns:ttm="http://www.w3.org/ns/ttml#metadata"'


def document(body: str, head: str = "", attributes: str = "") -> str:
    return (
        f'<tt xmlns="http://www.w3.org/ns/ttml" {NAMESPACES} {attributes}>\n<head>{head}</head>\n'
        f"<body>{body}</body></tt>\n"
    )


written = partial(checks.written, "ttml")


@each_case(
    ("parameters", "text", "value"),
    table_of(__file__, "time_expressions"),
)  # fmt: skip
def test_time_expressions(parameters: dict[str, str], text: str, value: int) -> None:
    assert Clock(parameters).parse(text) == value


@each_case(
    "text", ["", "1", "1:2", "1 s", "3:60", "00:75:00", "00:00:01:30", "-1s", "1e3s", "nans", "٣s", "9" * 18 + "h"]
)  # fmt: skip
def test_time_expressions_that_are_none(text: str, read_text: ReadText) -> None:
    with pytest.raises(ValueError):
        Clock({}).parse(text)
    with pytest.raises(FormatError) as caught:
        read_text(document(f'<div>\n<p begin="{text}">hello</p></div>'), "ttml")
    what = "begin of 0 or more"
    if not text.startswith("-"):
        what = "begin as hh:mm:ss.fff, hh:mm:ss:ff or a number with h, m, s, ms, f, t"
    assert str(caught.value) == f'<stream>:4: expected {what}, found "{text}"'


@pytest.mark.parametrize(
    ("attribute", "message"),
    [
        ('ttp:frameRate="0"', '<stream>:1: expected a frameRate of a positive number, found frameRate="0"'),
        ('ttp:tickRate="x"', '<stream>:1: expected a tickRate of a positive number, found tickRate="x"'),
        ('ttp:frameRateMultiplier="9000 1"', '<stream>:1: expected a frameRateMultiplier for at most 1000 frames per second, found frameRateMultiplier="9000 1"'),
        ('ttp:frameRateMultiplier="1"', '<stream>:1: expected a frameRateMultiplier of two positive numbers, found frameRateMultiplier="1"'),
    ],
)  # fmt: skip
def test_rates_that_are_none(attribute: str, message: str) -> None:
    assert refusal(document("", attributes=attribute), "ttml") == message


@pytest.mark.parametrize("multiplier", ["1001 1000", "1000 0001"])
def test_rates_that_no_video_has_are_those_of_ntsc(multiplier: str, read_text: ReadText) -> None:
    attributes = f'ttp:frameRate="30" ttp:frameRateMultiplier="{multiplier}" ttp:timeBase="smpte"'
    body = '<div><p begin="00:00:10:00" end="00:00:20:00">hello</p></div>'
    transcript = read_text(document(body, attributes=attributes), "ttml")
    assert [(s.start, s.end) for s in transcript] == [(10.01, 20.02)]
    assert remark_line(TTML_RATE, 1, written=multiplier, fps="29.97003") in remarks(transcript)


@pytest.mark.parametrize(
    "namespace",
    ["http://www.w3.org/2006/10/ttaf1", "http://www.w3.org/2006/04/ttaf1", "http://www.w3.org/ns/ttml", None],
)  # fmt: skip
def test_namespaces_read_alike(namespace: str | None, read_text: ReadText) -> None:
    attribute = "" if namespace is None else f'xmlns="{namespace}"'
    text = (
        f"<tt {attribute}><head/><body><div>"
        '<p begin="0:00:01.24" end="00:00:02.5" id="b1">hello<br/>you</p></div></body></tt>'
    )
    transcript = read_text(text, "ttml")
    (segment,) = transcript
    assert (segment.words, segment.start, segment.end) == (("hello", "you"), 1.24, 2.5)
    assert dict(segment.properties) == {"id": "b1", "lines": "hello\nyou"}
    shown = "none" if namespace is None else f'"{namespace}"'
    expected = [remark_line(TTML_NAMESPACE, 1, name=shown)]
    assert remarks(transcript) == ([] if namespace == "http://www.w3.org/ns/ttml" else expected)


def times(transcript: Transcript) -> list[tuple[str, float | None, float | None]]:
    return [(" ".join(s.words), s.start, s.end) for s in transcript]


def test_times_count_from_those_around(read_text: ReadText) -> None:
    body = '<div begin="10s" end="20s"><p begin="1s" dur="2s">a</p><p begin="1s" end="30s">b</p><p>c</p><p begin="1s" end="5s" dur="2s">d</p></div>'
    transcript = read_text(document(body), "ttml")
    assert times(transcript) == [("a", 11, 13), ("b", 11, 20), ("c", 10, 20), ("d", 11, 13)]


def test_sequences(read_text: ReadText) -> None:
    body = '<div timeContainer="seq" begin="10s"><p dur="1s">a</p><p begin="1s" dur="2s">b</p></div><div><p begin=\'0s\' end=\'1s\'>c</p></div>'
    assert times(read_text(document(body), "ttml")) == [("a", 10, 11), ("b", 12, 14), ("c", 0, 1)]
    nested = document(f"<div>{body}</div>").replace("<body>", '<body timeContainer="seq">')
    assert times(read_text(nested, "ttml"))[0] == ("a", 10, 11)
    two = '<div><p begin="1s" dur="1s">a</p></div><div><p begin="1s" dur="1s">b</p></div>'
    seq = document(two).replace("<body>", '<body timeContainer="seq">')
    assert times(read_text(seq, "ttml")) == [("a", 1, 2), ("b", 3, 4)]


def test_an_open_end_draws_a_warning(read_text: ReadText) -> None:
    transcript = read_text(document('<div>\n<p begin="1s">hello</p></div>'), "ttml")
    assert times(transcript) == [("hello", 1, None)]
    assert remarks(transcript) == [remark_line(TTML_OPEN, 4)]


def test_a_cue_that_ends_before_it_begins_keeps_its_words(read_text: ReadText) -> None:
    transcript = read_text(document('<div>\n<p begin="5s" end="2s">hello</p></div>'), "ttml")
    assert times(transcript) == [("hello", None, None)]
    assert remarks(transcript) == [remark_line(CUE_END, 4, shown="5.000 to 2.000")]


SPANS = '<div><p begin="10s" end="20s">so <span begin="1s" end="2s">we</span> <span begin="2s" dur="1s">go on</span> now</p></div>'


def test_timed_spans_are_segments_and_the_rest_goes_to_the_neighbour(read_text: ReadText) -> None:
    assert times(read_text(document(SPANS), "ttml")) == [("so we", 11, 12), ("go on now", 12, 13)]


def test_timed_spans_of_single_words_are_words(read_text: ReadText) -> None:
    body = SPANS.replace("so <", "<").replace("go on", "go").replace(" now", " ")
    (segment,) = read_text(document(body), "ttml")
    assert (segment.start, segment.end, segment.starts, segment.ends) == (
        10,
        20,
        (11, 12),
        (12, 13),
    )
    transcript = read_text(document(body), "ttml", timed_spans="segments")
    assert times(transcript) == [("we", 11, 12), ("go", 12, 13)]


def test_agents_are_speakers(read_text: ReadText) -> None:
    head = (
        '<metadata><ttm:agent xml:id="a1" type="person"><ttm:name type="full">Anne\n Lee</ttm:name>'
        '</ttm:agent><ttm:agent xml:id="a2"/></metadata>'
    )
    body = (
        '<div ttm:agent="a2"><p begin="0s" end="1s" ttm:agent="a1">one</p><p begin="1s" end="2s">two'
        '</p><p begin="2s" end="3s" ttm:agent="a1 a3">three <span ttm:agent="a2">four</span></p></div>'
    )
    transcript = read_text(document(body, head), "ttml")
    assert [(s.speaker, " ".join(s.words)) for s in transcript] == [
        ("Anne Lee", "one"), ("a2", "two"), ("Anne Lee, a3", "three"), ("a2", "four"),
    ]  # fmt: skip


def test_colours_may_tell_speakers_apart(read_text: ReadText) -> None:
    head = '<styling><style xml:id="s1" tts:color="yellow"/><style xml:id="s2" style="s1 s2 s3"/><style xml:id="s4" tts:color="#00ff00"/></styling>'
    body = '<div><p begin="0s" end="1s" tts:color="white">one <span style="s2">two</span></p><p begin="1s" end="2s" style="s1 s4">three</p></div>'
    transcript = read_text(document(body, head), "ttml", speaker_from="color")
    assert [(s.speaker, " ".join(s.words)) for s in transcript] == [
        ("white", "one"), ("yellow", "two"), ("#00ff00", "three"),
    ]  # fmt: skip
    transcript = read_text(document(body, head), "ttml")
    assert [s.speaker for s in transcript] == [None, None]
    assert transcript[1].get("color") == "#00ff00"
    assert transcript[1].get("style") == "s1 s4"


def test_white_space(read_text: ReadText) -> None:
    body = (
        '<div>\n<p begin="0s" end="1s">\n   one\n  <span> two </span>\n <br/>\n three\n</p>\n'
        '<p begin="1s" end="2s" xml:space="preserve">one\ntwo</p></div>'
    )
    transcript = read_text(document(body), "ttml")
    assert [s.get("lines") for s in transcript] == ["one two\nthree", "one\ntwo"]


def test_what_is_no_text(read_text: ReadText) -> None:
    body = (
        '<div><p begin="0s" end="1s" region="r1" ttm:role="caption x"><metadata><ttm:desc>no</ttm:desc>'
        '</metadata><set tts:color="red"/>{yes} \\N <span tts:ruby="container"><span tts:ruby="base">'
        'kan</span><span tts:ruby="text">a</span></span><!-- no --></p></div>'
    )
    (segment,) = read_text(document(body), "ttml")
    assert segment.words == ("{yes}", "\\N", "kan")
    assert dict(segment.properties) == {"region": "r1", "role": "caption x", "ruby": "a"}


def test_text_outside_of_paragraphs_is_told(read_text: ReadText) -> None:
    body = (
        '<div>before\n one<p begin="0s" end="1s">a</p>after <metadata>no</metadata>'
        '<q begin="1s">not <b>known</b></q><p begin="1s" end="2s">b</p>last</div>'
    )
    transcript = read_text(document(body).replace("\n", " "), "ttml")
    assert [s.words for s in transcript] == [("a",), ("b",)]
    assert remarks(transcript) == [
        remark_line(TTML_TEXT, 1, element=where, text=text)
        for where, text in (
            ("div", "before one"), ("div", "after"), ("q", "not"), ("b", "known"), ("div", "last")
        )
    ]  # fmt: skip


def test_languages(read_text: ReadText) -> None:
    body = '<div xml:lang="fr"><p begin="0s" end="1s">a</p></div><div><p begin="1s" end="2s">b</p></div>'
    transcript = read_text(document(body, attributes='xml:lang="en"'), "ttml")
    assert dict(transcript.properties) == {"language": "en"}
    assert [s.get("language") for s in transcript] == ["fr", None]


@pytest.mark.parametrize(
    "body", ['<div smpte:backgroundImage="#i" xmlns:smpte="urn:s" begin="0s"/>', "<div><image src='a.png'/></div>"]
)  # fmt: skip
def test_images_are_no_text(body: str) -> None:
    message = "<stream>:1: expected subtitles of text, found images only: no text"
    assert refusal(document(body), "ttml") == message


@pytest.mark.parametrize(
    ("attributes", "expected"),
    [
        ('ttp:timeBase="clock"', [remark_line(TTML_CLOCK, 1)]),
        (
            'ttp:timeBase="smpte" ttp:markerMode="discontinuous" ttp:frameRate="25"',
            [remark_line(TTML_SMPTE, 1), remark_line(TTML_SMPTE_START, 3, seconds="36000.000")],
        ),
    ],
)
def test_time_bases(attributes: str, expected: list[str], read_text: ReadText) -> None:
    body = '<div><p begin="10:00:00:00" end="10:00:01:00">hello</p></div>'
    transcript = read_text(document(body, attributes=attributes), "ttml", offset="-10:00:00")
    assert times(transcript) == [("hello", 0, 1)]
    assert remarks(transcript) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<html><body/></html>", '<stream>:1: expected a root element "tt", found "html"'),
        ('<!DOCTYPE tt [<!ENTITY a "b">]><tt><body/></tt>', "<stream>:1: expected XML without a DTD inside the file, found a DOCTYPE that defines entities or elements"),
    ],
)  # fmt: skip
def test_what_is_no_ttml(text: str, message: str) -> None:
    assert refusal(text, "ttml") == message


def test_a_bad_paragraph_is_skipped_in_lenient_reading(read_text: ReadText) -> None:
    body = '<div><p begin="soon">a</p><p begin="1s" end="2s">b</p></div>'
    assert times(read_text(document(body), "ttml", tolerance="lenient")) == [("b", 1, 2)]
    inner = '<p begin="0s" end="1s"><span begin="x">a</span></p>\n<p begin="1s" end="2s">b</p>'
    assert times(read_text(document(inner), "ttml", tolerance="lenient")) == [("b", 1, 2)]


def test_deep_spans(read_text: ReadText) -> None:
    body = f'<div><p begin="0s" end="1s">{"<span>" * 200}hello{"</span>" * 200}</p></div>'
    assert read_text(document(body), "ttml")[0].words == ("hello",)


def test_words_with_times_are_spans(read_text: ReadText) -> None:
    segment = Segment.of(
        "rec", ["a<", "&b"], start=1.0, end=4.0, starts=[1.0, 3.0], ends=[3.5, 4.0]
    )
    assert written(segment, word_times=True)[1] == [
        "word times: 2 (some words of the segment have no times, overlap or exceed it)"
    ]
    segment = segment.replace(ends_ns=(2 * 10**9, 4 * 10**9))
    text, losses = written(segment, word_times=True)
    assert losses == []
    assert (
        '<p begin="00:00:01.000" end="00:00:04.000"><span begin="00:00:00.000" end="00:00:01.000">a&lt;</span> <span begin="00:00:02.000" end="00:00:03.000">&amp;b</span></p>'
    ) in text
    assert read_text(text, "ttml").segments == (segment,)


def test_speakers_become_agents(read_text: ReadText) -> None:
    segments = (
        Segment.of("rec", ["a"], speaker='B & "C"', start=1.0, end=2.0),
        Segment.of("rec", ["b"], speaker="anne", start=2.0, end=3.0),
        Segment.of("rec", ["c"], speaker='B & "C"', start=3.0, end=4.0),
    )
    text, losses = written(*segments)
    assert losses == []
    assert text.count("<ttm:agent ") == 2
    assert read_text(text, "ttml").segments == segments


def test_what_xml_cannot_hold() -> None:
    assert (
        message_of(
            FormatError, lambda: written(Segment.of("rec", ["a\x01b"], start=1.0, end=2.0, line=3))
        )
        == "rec:3: expected characters of XML, found U+0001"
    )
    segment = Segment.of(
        "rec", ["a"], speaker="", start=1.0, end=2.0,
        properties={"id": "1 2", "color": "a b", "language": "?", "role": ""},
    )  # fmt: skip
    assert written(segment)[1] == [
        "properties: 1 (XML cannot hold the value of id)",
        "speakers: 1 (the name of the speaker is empty)",
        "properties: 1 (TTML cannot hold the value of language)",
        "properties: 1 (TTML cannot hold the value of color)",
        "properties: 1 (TTML cannot hold the value of role)",
    ]


def test_times_may_have_more_decimals(read_text: ReadText) -> None:
    segment = Segment.of("rec", ["a"], start=1.00025, end=2.0)
    assert written(segment)[1] == ["decimals of times: 1 (rounded to 3 decimals)"]
    text, losses = written(segment, precision=5)
    assert losses == []
    assert read_text(text, "ttml").segments == (segment,)


def test_identifiers_that_are_no_names_are_a_warning_and_refuse_nothing(
    read_text: ReadText,
) -> None:
    text = '<tt><body><div xml:id="a"><p xml:id="1" begin="0s" end="1s">one</p><p xml:id="a" begin="1s" end="2s">two</p></div></body></tt>'
    transcript = read_text(text, "ttml")
    assert [segment.words for segment in transcript] == [("one",), ("two",)]
    told = [d.message for d in transcript.diagnostics if d.code == "TTML-ID"]
    assert told == [message_text(TTML_ID, name="1"), message_text(TTML_ID_TWICE, name="a")]


def test_the_times_of_songs_are_not_relative_to_what_is_around_them(read_text: ReadText) -> None:
    text = (
        '<tt xmlns="http://www.w3.org/ns/ttml" xmlns:itunes="http://music.apple.com/lyric-ttml-'
        'internal"><body dur="3:58.640"><div begin="19.764" end="1:00.5">'
        '<p begin="19.764" end="21.9"><span begin="19.764" end="20.1">When</span> '
        '<span begin="20.1" end="21.9">you</span></p><p begin="59.0" end="1:00.5">were</p>'
        "</div></body></tt>"
    )
    transcript = read_text(text, "ttml")
    assert [(s.start, s.end) for s in transcript] == [(19.764, 21.9), (59.0, 60.5)]
    assert transcript[0].starts == (19.764, 20.1)
    assert read_text(text.replace("music.apple", "example"), "ttml")[0].start == 39.528


def test_blanks_that_readers_of_xml_join_are_counted(read_text: ReadText) -> None:
    segment = Segment.of("rec", ["a", "b", "c"], start=0, end=1, properties={"lines": "a\tb\nc"})
    output = BytesIO()
    losses = write(Transcript([segment], source="rec"), output, "ttml")
    assert [str(loss) for loss in losses] == ["properties: 1 (TTML cannot hold the value of lines)"]
    [found] = read_text(output.getvalue().decode(), "ttml")
    assert found.get("lines") == "a b\nc"
