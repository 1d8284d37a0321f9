"""Oddities of transcripts in XML, of Partitur files and of the Montreal Forced Aligner."""

import json

import pytest

from formats.annotation.messages import (
    FLEXTEXT_EMPTY,
    ITS_RECORDINGS,
    PARTITUR_RATE,
    PARTITUR_TIERS,
    TEI_ORDER,
    TEI_STAGES,
)
from tests.each_case import each_case
from tests.formats.annotation.tool_cases import PARTITUR
from tests.formats.checks import message_text
from tests.formats.json.reading import read, refusal, said
from tests.remarks import fields_of
from tests.tables import table_of

TEI_NAMESPACE = 'xmlns="http://www.tei-c.org/ns/1.0"'
POINTS = (
    '<when xml:id="a" absolute="1.0"/><when xml:id="x"/><when xml:id="b" absolute="00:00:02.0"/>'
    '<when xml:id="c" interval="1.5" since="#b"/><when xml:id="d" interval="0.5"/>'
    '<when xml:id="e" interval="-1" since="#b"/>'
)


def tei(body: str, points: str = POINTS, unit: str = "s", head: str = "") -> str:
    return (
        f'<TEI {TEI_NAMESPACE}><teiHeader>{head}</teiHeader><text><timeline unit="{unit}">{points}'
        f"</timeline><body>{body}</body></text></TEI>"
    )


def test_plays_of_tei() -> None:
    """Speakers are persons, roles, names in `who`, or written; directions are no words."""
    persons = '<person xml:id="ann"><persName>Anna Berg</persName></person>'
    play = (
        "<castList><castItem><role xml:id='tom'>Tom, her <emph>son</emph></role></castItem></castList>"
        "<div><head>ACT I</head><stage>A garden.</stage>"
        "<sp who='#ann #tom'><speaker>ANNA.</speaker><l>Who goes <stage>aside</stage> there,</l><l>and why?</l></sp>"
        "<sp who='#tom'><speaker>TOM</speaker><p>Me<note>Tom</note>.</p></sp>"
        "<sp who='THE  MAYOR'><speaker>MAYOR.</speaker><ab>Silence!</ab></sp>"
        "<sp><speaker>A voice:</speaker><p><s>Oh.</s><s>No.</s></p></sp></div>"
    )
    transcript = read(tei(play, head=persons), "tei")
    assert [(s.speaker, " ".join(s.words)) for s in transcript] == [
        ("Anna Berg", "Who goes there, and why?"),
        ("Tom, her son", "Me."),
        ("THE MAYOR", "Silence!"),
        ("A voice", "Oh. No."),
    ]
    assert fields_of(transcript.diagnostics, TEI_STAGES) == [{"stages": 2}]


def test_points_of_tei() -> None:
    body = "".join(f'<u start="#{p}">w</u>' for p in "axbcde")
    transcript = read(tei(body), "tei")
    assert [s.start for s in transcript] == [1.0, None, 2.0, 3.5, 4.0, None]
    text = tei('<u synch="a,b">w</u>', '<when xml:id="a" absolute="1500"/><when xml:id="b"/>', "ms")
    assert read(text, "tei")[0].start == 1.5
    text = tei('<u synch="#a">w</u>', '<when xml:id="a"/>').replace(
        "<timeline", '<timeline origin="#a"'
    )
    assert read(text, "tei")[0].start == 0.0


def test_anchors_cut_words() -> None:
    body = '<u start="#a" end="#c">good mor<anchor synch="#x"/>ning <anchor synch="#b"/>Bob</u>'
    [segment] = read(tei(body), "tei")
    assert segment.words == ("good", "morning", "Bob")
    assert (segment.starts, segment.ends) == ((1.0, 1.5, 2.0), (1.5, 2.0, 3.5))
    assert read(tei("<u>good day</u>"), "tei")[0].starts is None


def test_markup_of_tei() -> None:
    body = (
        '<u start="#a" who="#p"><w>a</w><pc>,</pc> <choice><orig>b</orig><reg>x</reg></choice> '
        "<unclear>c <del>x</del></unclear><pause/><vocal><desc>laughs</desc></vocal><note>x</note></u>"
    )
    names = (
        '<particDesc><person xml:id="p"><persName>Ann\n Example</persName></person></particDesc>'
    )
    segment, event = read(tei(body, head=names), "tei")
    assert (segment.words, segment.displays, segment.speaker) == (
        ("a", "b", "c"), ("a,", None, None), "Ann Example",
    )  # fmt: skip
    assert (event.kind, event.words, event.start) == ("event", ("laughs",), 1.0)


def test_annotation_blocks_and_recordings_of_tei() -> None:
    head = '<recording type="audio"><media url="file:///x/talk.wav"/></recording>'
    body = '<annotationBlock who="#q" start="#a" end="#b"><u><seg>hi</seg></u><spanGrp>x</spanGrp></annotationBlock>'
    [segment] = read(tei(body, head=head), "tei")
    assert (segment.recording, segment.speaker, segment.words) == ("talk", "q", ("hi",))
    assert (segment.start, segment.end) == (1.0, 2.0)


def test_words_of_tei_that_end_before_they_begin() -> None:
    transcript = read(tei('<u><w synch="#b #a">x</w></u>'), "tei")
    assert transcript[0].starts is None
    assert message_text(TEI_ORDER, backward=1) in said(transcript)[0]


@each_case(
    ("text", "message"),
    [
        (tei(""), "expected speech in u, or a play in sp, found none"),
        (tei("<u>a</u>", '<when xml:id="a" absolute="x"/>'), 'expected a time, found "x"'),
        (tei("<u>a</u>", '<when absolute="1"/>'), "expected a point in time with an id"),
        (tei("<u>a</u>", unit="y"), 'expected a unit ms, s, min, h, found "y"'),
        (tei('<u start="#b" end="#a">a</u>'), "expected an end not before its begin at 2 s"),
        ("<TEI.2/>", 'found "TEI.2"'),
    ],
)
def test_bad_tei(text: str, message: str) -> None:
    assert message in refusal(text, "tei")


def test_levels_of_folker() -> None:
    points = "".join(f'<timepoint timepoint-id="T{n}" absolute-time="{n}.0"/>' for n in range(4))
    contributions = (
        '<contribution speaker-reference="A" start-reference="T0" end-reference="T2">'
        '<segment start-reference="T0" end-reference="T1">hi</segment>'
        '<segment start-reference="T1" end-reference="T2">you</segment></contribution>'
        '<contribution start-reference="T2" end-reference="T3">'
        '<non-phonological description="door"/></contribution>'
        '<contribution speaker-reference="B" start-reference="T2" end-reference="T3"><line>'
        "<uncertain><w>a</w><alternative><w>x</w></alternative></uncertain>"
        '<w>b<time timepoint-reference="T3"/></w><breathe/></line></contribution>'
    )
    text = (
        "<folker-transcription><speakers><speaker speaker-id='A'><name>Anne</name></speaker></speakers>"
        rf'<recording path="C:\x\talk.wav"/><timeline>{points}</timeline>{contributions}'
        "</folker-transcription>"
    )
    transcript = read(text, "folker")
    assert [(s.kind, s.speaker, s.words) for s in transcript] == [
        ("segment", "Anne", ("hi", "you")), ("event", None, ("door",)), ("segment", "B", ("a", "b")),
    ]  # fmt: skip
    assert transcript[0].ends == (1.0, 2.0)
    assert transcript[0].recording == "talk"


def flextext(phrases: str, more: str = "") -> str:
    return f"<document><interlinear-text>{more}<paragraphs><paragraph><phrases>{phrases}</phrases></paragraph></paragraphs></interlinear-text></document>"


def test_scripts_punctuation_and_media_of_flextext() -> None:
    words = (
        '<word><item type="punct">“</item></word><word><item type="txt" lang="a">x</item>'
        '<item type="txt" lang="b">y</item></word><word><item type="punct">.”</item></word><word>z</word>'
    )
    more = '<media-files><media guid="m" location="C:\\a\\talk.wav"/></media-files><languages><language lang="a"/><language lang="b" vernacular="true"/></languages>'
    text = flextext(f"<phrase><words>{words}</words></phrase>", more)
    [segment] = read(text, "flextext")
    assert (segment.words, segment.displays) == (("y", "z"), ("“y.”", None))
    assert segment.recording == "talk"
    assert read(text, "flextext", language="a")[0].words == ("x", "z")


def test_what_a_phrase_of_flextext_is_glossed_with() -> None:
    words = '<words><word><item type="txt"> </item></word><word>a</word><word/></words>'
    [segment] = read(flextext(f'<phrase>{words}<item type="gls">one</item></phrase>'), "flextext")
    assert (segment.words, segment.properties) == (("a",), (("gloss", "one"),))


def test_phrases_of_flextext_without_words() -> None:
    transcript = read(flextext('<phrase><item type="segnum">1</item></phrase>'), "flextext")
    assert (len(transcript), said(transcript)) == (
        0, [("note: " + message_text(FLEXTEXT_EMPTY, empty=1) + ' [FLEXTEXT-EMPTY]')],
    )  # fmt: skip


@pytest.mark.parametrize(
    ("begin", "end", "message"),
    [("1.5", "2", "expected a begin-time-offset in whole milliseconds"),
     ("2", "1", "expected an end not before 2, found 1")],
)  # fmt: skip
def test_bad_offsets_of_flextext(begin: str, end: str, message: str) -> None:
    word = "<words><word>a</word></words>"
    text = flextext(
        f'<phrase begin-time-offset="{begin}" end-time-offset="{end}">{word}</phrase><phrase>{word}</phrase>'
    )
    assert message in refusal(text, "flextext")
    assert len(read(text, "flextext", "lenient")) == 1


def test_what_lena_says() -> None:
    segments = (
        '<Recording num="1"><Segment spkr="CHN" startTime="PT0.00S" endTime="P1.50S" childUttCnt="1"/>'
        '</Recording><Recording num="2"><Segment spkr="TVF" startTime="PT1.50S" endTime="PT2.00S"/></Recording>'
    )
    transcript = read(f"<ITS>{segments}</ITS>", "its")
    assert [(s.kind, s.speaker, s.words, s.end) for s in transcript] == [
        ("segment", "CHN", (), 1.5), ("event", None, ("TVF",), 2.0),
    ]  # fmt: skip
    assert transcript[0].get("childUttCnt") == "1"
    assert said(transcript) == [
        ("note: " + message_text(ITS_RECORDINGS, recordings=2) + " [ITS-RECORDINGS]")
    ]


@pytest.mark.parametrize(
    ("attributes", "message"),
    [
        ('spkr="CHN" startTime="1" endTime="PT2S"', "expected a startTime such as PT1.50S"),
        ('spkr="CHN" startTime="PT3S" endTime="PT2S"', "expected an endTime not before PT3S"),
        ('startTime="PT1S" endTime="PT2S"', 'expected a Segment with "spkr", found none'),
    ],
)
def test_bad_segments_of_lena(attributes: str, message: str) -> None:
    assert message in refusal(f"<ITS><Segment {attributes}/></ITS>", "its")


def test_words_of_partitur_by_their_segments() -> None:
    text = (
        "LHD: Partitur 1.3\nREP: here\nSAM: 1000\nSPN: AB\nLBD:\nORT:\t0\tgood\nORT: 1 day\nKAN: 1 d eI\n"
        "MAU: 100 99 0 g\nMAU: 200 99 0 d\nMAU: 300 99 -1 <p:>\nMAU: 400 99 1 d\nPOS: 0 ADJ\n"
    )
    segment, event = read(text, "partitur")
    assert (segment.starts, segment.ends) == ((0.1, 0.4), (0.3, 0.5))
    assert (segment.speaker, segment.get("canonical")) == ("AB", "- | d eI")
    assert (event.kind, event.words, event.start, event.end) == ("event", ("<p:>",), 0.3, 0.4)
    assert said(read(text, "partitur")) == [
        ("note: " + message_text(PARTITUR_TIERS, tiers=["POS (1)"]) + " [PARTITUR-TIERS]")
    ]


def test_items_of_partitur_that_touch_without_a_sample_between() -> None:
    text = "LBD:\nSAM: 1000\nORT: 0 a\nORT: 1 b\nWOR: 0 100 0 a\nWOR: 100 100 1 b\n"
    assert read(text, "partitur")[0].ends == (0.1, 0.2)


def test_turns_of_partitur_share_the_words_out() -> None:
    text = PARTITUR.replace("ORT: 2 good", "ORT: 2 good\nORT: 5 more").replace("SAM: 16000\n", "")
    transcript = read(text, "partitur", rate=16000)
    assert [s.words for s in transcript] == [("hello", "wörld"), ("good",), ("more",)]
    assert refusal(text, "partitur") == f"<stream>: {message_text(PARTITUR_RATE)}"
    assert "TRN without times" in said(read("LBD:\nORT: 0 a\nTRN: 0,1 a b\n", "partitur"))[0]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("hello", '<stream>:2:1: expected a key of three letters: KEY:, found "hello"'),
        ("SAM: x", 'expected samples per second, found "x"'),
        ("ORT: x a", "expected the numbers of words, as 0 or 0,1"),
        ("WOR: 1 x 0 a", "expected begin and length in samples, the number of a word, text"),
    ],
)
def test_bad_lines_of_partitur(line: str, message: str) -> None:
    assert message in refusal(f"LHD: 1\n{line}\n", "partitur")
    assert len(read(f"LHD: 1\n{line}\nORT: 0 a\n", "partitur", "lenient")) == 1


def test_tiers_of_mfa_in_json() -> None:
    tiers = {
        "anne - words": {
            "type": "interval",
            "entries": [[0, 0.5, "a"], [0.5, 1, "<eps>"], [1, 2, "b"]],
        },
        "anne - phones": {"type": "interval", "entries": [[0, 0.5, "spn"]]},
        "marks": {"type": "point", "entries": [[1.5, "x"]]},
    }
    transcript = read(json.dumps({"start": 0, "end": 2, "tiers": tiers}), "mfa")
    assert [(s.kind, s.speaker, s.words) for s in transcript] == [
        ("segment", "anne", ("a", "b")), ("event", "anne", ("spn",)), ("event", None, ("x",)),
    ]  # fmt: skip


def test_utterances_of_mfa_own_their_words() -> None:
    text = (
        "Begin,End,Label,Type,Speaker\n0,1,a,words,s\n1,2,b,words,s\n"
        '0,2,"A, b",utterances,s\n3,4,c,words,\n'
    )
    transcript = read(text, "mfa")
    assert [(s.speaker, s.words, s.starts) for s in transcript][-2:] == [
        ("s", ("a", "b"), (0.0, 1.0)), (None, ("c",), (3.0,)),
    ]  # fmt: skip


@each_case(
    ("text", "message"),
    table_of(__file__, "bad_alignments_of_mfa"),
)  # fmt: skip
def test_bad_alignments_of_mfa(text: str, message: str) -> None:
    assert message in refusal(text, "mfa")


@pytest.mark.parametrize(("name", "speaker"), [("unknown", None), ("AB", "AB"), ("", None)])
def test_an_unknown_speaker_of_partitur_is_nobody(name: str, speaker: str | None) -> None:
    text = f"LHD: Partitur 1.3\nSAM: 1000\nSPN: {name}\nLBD:\nORT: 0 good\nWOR: 0 99 0 good\n"
    assert [s.speaker for s in read(text, "partitur")] == [speaker]
