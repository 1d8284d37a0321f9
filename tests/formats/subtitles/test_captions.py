"""SubViewer, MPL2, LRC, SAMI: what is beyond the contract of all formats."""

from io import BytesIO

import pytest

import formats
from formats import FormatError, LossError, Segment, Transcript
from tests.formats.checks import codes
from tests.formats.conftest import ReadText


def said(transcript: Transcript) -> list[tuple[float | None, float | None, str]]:
    return [(s.start, s.end, " ".join(s.words)) for s in transcript]


def written(name: str, *segments: Segment, **options: object) -> str:
    output = BytesIO()
    formats.write(Transcript(segments, source="rec"), output, name, **options)  # type: ignore[arg-type]
    return output.getvalue().decode()


def test_subviewer_without_head_fields_and_with_an_end(read_text: ReadText) -> None:
    text = "[SUBTITLE]\n\n00:00:00.000,00:00:02.680\n{\\i1}a[br]b\n\n00:00:02.7,00:00:03.05\nc\n\n[END SUBTITLE]"
    assert said(read_text(text, "subviewer")) == [(0.0, 2.68, "a b"), (2.7, 3.05, "c")]
    assert formats.detect(BytesIO(text.encode())) == "subviewer"
    assert formats.detect(BytesIO(text[12:].encode())) == "sbv"


def test_the_head_of_subviewer(read_text: ReadText) -> None:
    head = "[INFORMATION]\n[TITLE]\nA talk\n[DELAY]5\n[END INFORMATION]\n[SUBTITLE]\n[COLF]&H,[SIZE]8\n"
    transcript = read_text(f"{head}00:00:01.00,00:00:02.00\na\n", "subviewer")
    assert dict(transcript.properties) == {"title": "A talk"}
    assert "SUBVIEWER-DELAY" in codes(transcript)
    with pytest.raises(FormatError, match=r":1:1: expected a head like \[INFORMATION\]"):
        read_text("hello\n", "subviewer")


def test_subviewer_1(read_text: ReadText) -> None:
    text = (
        "[TITLE]\n\n[BEGIN]\n******** START SCRIPT ********\n[00:00:01]\nhow|are\n[00:00:03]\n\n"
        "[00:00:05]\n[00:00:06]\n[00:00:09]\nyou\n[00:00:08]\n[end]\n******** END SCRIPT ********\n"
    )
    transcript = read_text(text, "subviewer")
    assert said(transcript) == [(1.0, 3.0, "how are"), (5.0, 6.0, ""), (None, None, "you")]
    assert transcript[0].get("lines") == "how\nare"
    assert formats.detect(BytesIO(text.encode())) == "subviewer"
    with pytest.raises(FormatError, match=r":9: expected a time that ends the cue"):
        read_text(text[: text.index("[00:00:06]")], "subviewer")


def test_mpl2(read_text: ReadText) -> None:
    transcript = read_text(
        "[ 10 ][25]/hello| /world\n[50][]and/or [this]\n[60][70]x\n[90][80]y\n", "mpl2"
    )
    assert said(transcript) == [
        (1.0, 2.5, "hello world"), (5.0, 6.0, "and/or [this]"), (6.0, 7.0, "x"), (None, None, "y"),
    ]  # fmt: skip
    assert transcript[0].get("raw") == "/hello| /world"
    with pytest.raises(FormatError, match=r":2:1: expected \[begin\]\[end\]text .* found \"\[-1\]"):
        read_text("[1][2]a\n[-1][2]a\n", "mpl2")


@pytest.mark.parametrize("text", ["a|b", "/a"])
def test_what_mpl2_cannot_hold_is_refused(text: str) -> None:
    segment = Segment.of("rec", [text], start=0.0, end=1.0)
    with pytest.raises(LossError, match=r"expected text without \|"):
        written("mpl2", segment)
    if "|" in text:
        assert written("mpl2", segment, escape_markup=True) == "[0][10]a｜b\n"


def test_lrc_with_times_of_words_and_repeated_lines(read_text: ReadText) -> None:
    transcript = read_text(
        "[ti:Example]\n[length: 2:50]\n[00:00.50]<00:00.50>hello <00:00.90>world<00:02.25>\n"
        "[00:02.25][00:09.00]again\n[00:03.90]\n[00:05.000] one [00:06.000] two\n",
        "lrc",
    )
    assert said(transcript) == [
        (0.5, 2.25, "hello world"), (2.25, 3.9, "again"), (5.0, 9.0, "one two"), (9.0, None, "again"),
    ]  # fmt: skip
    assert (transcript[0].starts, transcript[0].ends) == ((0.5, 0.9), (0.9, 2.25))
    assert (transcript[2].starts, transcript[2].ends) == ((5.0, 6.0), (6.0, 9.0))
    assert dict(transcript.properties) == {"length": "2:50", "title": "Example"}
    assert codes(transcript) == ["CUE-OPEN"]
    assert transcript.diagnostics[0].severity == "note"  # lyrics have no other ends


@pytest.mark.parametrize(
    ("rule", "starts"), [("sooner", [0.5, 2.0]), ("later", [2.5, 4.0]), ("ignore", [1.5, 3.0])]
)
def test_the_offset_of_lrc_is_told(read_text: ReadText, rule: str, starts: list[float]) -> None:
    transcript = read_text("[offset: +1000ms]\n[00:01.50]a\n[00:03:00]b\n", "lrc", lrc_offset=rule)
    assert [s.start for s in transcript] == starts
    assert codes(transcript) == ["LRC-OFFSET", "CUE-OPEN"]


def test_an_offset_of_lrc_that_is_no_number_is_none(read_text: ReadText) -> None:
    transcript = read_text("[offset:moves all times]\n[00:01.50]a\n[00:03.00]\n", "lrc")
    assert said(transcript) == [(1.5, 3.0, "a")]
    assert codes(transcript) == ["LRC-OFFSET-TEXT"]


def test_lines_of_lrc_at_one_time_and_in_any_order(read_text: ReadText) -> None:
    transcript = read_text("[00:05.00]c\n[00:01.00]a\n[00:01.00]b\n[01:02:03.00]\n", "lrc")
    assert said(transcript) == [(1.0, 5.0, "a"), (1.0, 5.0, "b"), (5.0, 3723.0, "c")]
    assert "CUE-ORDER" in codes(transcript)
    with pytest.raises(FormatError, match=r":1: expected a line with a time"):
        read_text("only words\n", "lrc")


def test_rounding_of_lrc_carries_and_overlap_is_counted() -> None:
    assert (
        written("lrc", Segment.of("rec", ["a"], start=59.996, end=6000.0))
        == "[01:00.00]a\n[100:00.00]\n"
    )
    output = BytesIO()
    segments = [Segment.of("rec", [w], start=s, end=9.0) for s, w in ((2.0, "b"), (1.0, "a"))]
    losses = formats.write(Transcript(segments), output, "lrc")
    assert output.getvalue() == b"[00:01.00]a\n[00:02.00]b\n[00:09.00]\n"
    assert {loss.what for loss in losses} >= {"ends of segments", "order of segments"}
    with pytest.raises(LossError, match="text without times in brackets"):
        written("lrc", Segment.of("rec", ["<1:00.5>"], start=0.0, end=1.0))


def test_lyrics_are_no_turns_and_turns_no_lyrics() -> None:
    turns = "[00:12] Ann: hello\n[00:15] Bob: hi\n[00:19] Ann: so\n"
    assert formats.detect(BytesIO(turns.encode())) == "speaker-text"
    assert formats.detect(BytesIO(turns.replace("] ", ".00]").encode())) == "lrc"
    inside = "Talk\n\n[00:00:00] The [00:00:01] fox [00:00:02]\n\n[00:00:02] jumps\n\n[00:00:04]\n"
    assert formats.detect(BytesIO(inside.encode())) == "speaker-text"


def test_sami_that_closes_nothing(read_text: ReadText) -> None:
    transcript = read_text(
        "<sami><head><style><!-- .KRCC {Name:K; lang:ko-KR;} --></style></head><body>\n"
        "<SYNC Start=1000><P Class=KRCC>fish &amp; <b>chips</b><br>  and\nmore&nbsp\n"
        "<!-- <SYNC Start=1500><P>gone --><SYNC Start=\"2000ms\"><P Class='KRCC'>&nbsp;\n"
        "<SYNC start=3000.7><P Class=KRCC>a&#160;b\n",
        "sami",
    )
    assert said(transcript) == [(1.0, 2.0, "fish & chips and more"), (3.0, None, "a\xa0b")]
    assert transcript[0].get("lines") == "fish & chips\nand more"
    assert dict(transcript.properties) == {"language": "ko-KR"}


def test_two_classes_are_two_tiers(read_text: ReadText) -> None:
    transcript = read_text(
        "<SAMI><STYLE>.EN {lang: en;} .FR {lang: fr;}</STYLE><BODY><SYNC Start=1><P Class=EN ID=Source>"
        "Ann<P Class=EN>hi<P Class=FR>salut<SYNC Start=5><P Class=EN>&nbsp;<SYNC Start=9><P Class=FR>",
        "sami",
    )
    assert [(s.tier, s.speaker, s.words, s.end, s.get("language")) for s in transcript] == [
        ("EN", "Ann", ("hi",), 0.005, "en"),
        ("FR", "Ann", ("salut",), 0.009, "fr"),
    ]


def test_odd_times_and_text_of_sami(read_text: ReadText) -> None:
    text = (
        "<SAMI><BODY>x<SYNC Start=9><P>b<SYNC Start=5><P>a<SYNC Start=12>c<SYNC Start=20><P></BODY>"
    )
    transcript = read_text(text, "sami")
    assert [s.words for s in transcript] == [("a",), ("b",), ("c",)]
    assert codes(transcript) == ["SAMI-TEXT", "SAMI-TEXT", "CUE-ORDER"]
    with pytest.raises(FormatError, match=r':2: expected <SYNC Start=milliseconds>, found "x"'):
        read_text("<SAMI><BODY>\n<SYNC Start=x><P>a", "sami")
    with pytest.raises(FormatError, match="expected <SAMI>"):
        read_text("<smil><body/></smil>", "sami")
