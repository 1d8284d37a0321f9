"""YouTube's captions: what is beyond the contract of all formats."""

import json
from itertools import pairwise
from typing import Any

import pytest

from formats import FormatError
from formats.subtitles.messages import YOUTUBE_ROLLING
from tests.formats.case import sample
from tests.formats.checks import codes, remark_line
from tests.formats.conftest import ReadText

ROLLING = sample("youtube-rolling.txt")


def json3(*events: dict[str, Any]) -> str:
    return json.dumps({"events": events})


def row(start: int, *texts: str, **others: Any) -> dict[str, Any]:
    return {"tStartMs": start, "segs": [{"utf8": text} for text in texts], **others}


def test_what_rolls_is_said_once_and_what_is_said_twice_stays(read_text: ReadText) -> None:
    transcript = read_text(ROLLING, "vtt")
    assert [" ".join(s.words) for s in transcript] == ["hi every one", "no no", "no no"]
    assert [s.starts for s in transcript] == [(0.24, 0.48, 0.8), (1.92, 2.3), None]
    assert [s.ends for s in transcript][:2] == [(0.48, 0.8, 1.91), (2.3, 3.0)]
    assert [str(d) for d in transcript.diagnostics] == [
        remark_line(YOUTUBE_ROLLING, before=19, after=7)
    ]
    assert read_text(ROLLING, "vtt", dedupe_youtube=False).word_count == 19


def test_it_is_known_in_what_was_made_of_it(read_text: ReadText) -> None:
    blocks = ROLLING.partition("\n\n")[2].split("\n\n")
    text = "\n\n".join(
        f"{number}\n{block}".replace(" align:start position:0%", "").replace(".", ",")
        for number, block in enumerate(filter(str.strip, blocks), 1)
    )
    text = text.replace("<c>", "").replace("</c>", "")
    for stamp in ("00,480", "00,800", "02,300"):
        text = text.replace(f"<00:00:{stamp}>", "")
    assert [s.words[0] for s in read_text(text, "srt")] == ["hi", "no", "no"]


@pytest.mark.parametrize(("shown", "count"), [("好きな町です", 2), ("町の好きです", 6)])
def test_a_finished_line_may_lack_characters(read_text: ReadText, shown: str, count: int) -> None:
    text = "WEBVTT\n\n" + "".join(
        f"{times}\n{lines}\n\n" for times, lines in [
            ("00:01.000 --> 00:02.000", "大好<00:01.500><c>きな町です</c>"),
            ("00:02.000 --> 00:02.010", shown),
            ("00:02.010 --> 00:03.000", f"{shown}\nそう<00:02.500><c>ですね</c>"),
            ("00:03.000 --> 00:03.010", "そうですね"),
        ]
    )  # fmt: skip
    assert read_text(text, "vtt").word_count == count


def test_captions_somebody_typed_stay_untouched(read_text: ReadText) -> None:
    text = "WEBVTT\nKind: captions\n\n" + "".join(
        f"00:0{n}.000 --> 00:0{n}.900 align:start position:0%\nno\nno\n\n" for n in range(9)
    )
    assert read_text(text, "vtt", dedupe_youtube=True).word_count == 18


def test_a_row_ends_where_the_next_of_its_window_begins(read_text: ReadText) -> None:
    text = json3(
        row(0, "a", wWinId=1, dDurationMs=5000),
        row(1000, "\n", wWinId=1, aAppend=1),
        row(1200, "b", wWinId=2, dDurationMs=5000),
        row(1500, "c", wWinId=1),
    )
    times = [(s.start, s.end) for s in read_text(text, "json3")]
    assert times == [(0.0, 1.0), (1.2, 6.2), (1.5, None)]


def test_typed_rows_may_overlap_and_have_lines(read_text: ReadText) -> None:
    text = json3(row(0, "a\nb", dDurationMs=3000), row(1000, "c", dDurationMs=500))
    first, second = read_text(text, "json3")
    assert (first.words, first.end, first.get("lines")) == (("a", "b"), 3.0, "a\nb")
    assert (second.starts, second.end) == (None, 1.5)


def test_rows_of_three_seconds_each_end_at_the_next(read_text: ReadText) -> None:
    rows = [
        row(start, f"w{start}", dDurationMs=3000, wWinId=1) for start in (0, 1000, 9000, 9500, 9900)
    ]
    transcript = read_text(json3(*rows), "json3")
    assert [s.end for s in transcript] == [1.0, 9.0, 9.5, 9.9, 12.9]
    assert codes(transcript) == ["YOUTUBE-DURATION"]


@pytest.mark.parametrize(
    ("pieces", "words"),
    [
        (("hel", "lo", " you"), ("hello", "you")),
        (("一", "二", "三"), ("一", "二", "三")),
        (("a", " [ __ ]"), ("a", "[", "__", "]")),
    ],
)
def test_words_of_pieces(
    read_text: ReadText, pieces: tuple[str, ...], words: tuple[str, ...]
) -> None:
    spans = [{"utf8": text, "tOffsetMs": 100 * n} for n, text in enumerate(pieces)]
    (segment,) = read_text(json3({"tStartMs": 0, "dDurationMs": 500, "segs": spans}), "json3")
    assert segment.words == words
    assert segment.starts is not None
    assert segment.ends is not None
    assert all((a or 0.0) < (b or 0.0) for a, b in pairwise(segment.starts))
    assert segment.ends[-1] == 0.5


def test_confidences_of_zero_are_none(read_text: ReadText) -> None:
    def one(*sure: int) -> tuple[float | None, ...] | None:
        spans = [{"utf8": f" {n}", "tOffsetMs": n, "acAsrConf": n} for n in sure]
        return read_text(json3({"tStartMs": 0, "segs": spans}), "json3")[0].confidences

    assert one(0, 0) is None
    assert one(0, 51, 300) == (0.0, 0.2, None)


def test_words_that_go_back_have_no_times(read_text: ReadText) -> None:
    spans = [{"utf8": "a"}, {"utf8": " b", "tOffsetMs": 200}, {"utf8": " c", "tOffsetMs": 100}]
    transcript = read_text(json3({"tStartMs": 0, "segs": spans}, row(900, "d")), "json3")
    assert transcript[0].starts is None
    assert "YOUTUBE-ORDER" in codes(transcript)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            json3(row(0, "a"), {"segs": [{"utf8": "b"}]}),
            r'expected a member "tStartMs", found none',
        ),
        (json3(row(-1, "a")), r"\$\.events\[0\]\.tStartMs: expected a time of 0 or more"),
        ('{"events": 3}', "expected a list"),
        ("{}", 'expected a member "events"'),
    ],
)
def test_wrong_json3_is_refused(read_text: ReadText, text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read_text(text, "json3")


def test_srv1_is_decoded_twice_and_cut_at_the_next_row(read_text: ReadText) -> None:
    transcript = read_text(
        '<transcript><text start="0.5" dur="9">Tom &amp;amp; &amp;lt;font c=&amp;quot;#F&amp;quot;&amp;gt;it&amp;#39;s</text><text start="2,5">x &lt; y</text></transcript>',
        "srv",
    )
    assert [(s.words, s.start, s.end) for s in transcript] == [
        (("Tom", "&", "it's"), 0.5, 2.5),
        (("x", "<", "y"), 2.5, None),
    ]
    assert codes(transcript) == ["YOUTUBE-COMMA", "YOUTUBE-ESCAPES", "CUE-OPEN"]


def test_formatting_in_srv1_is_no_word(read_text: ReadText) -> None:
    (segment,) = read_text(
        '<transcript><text start="0" dur="1">&lt;b>Is&lt;/b> &lt;i>not&lt;/i> &lt;bold> b</text></transcript>',
        "srv",
    )
    assert segment.words == ("Is", "not", "<bold>", "b")


def test_srv2_and_styled_srv3(read_text: ReadText) -> None:
    (old,) = read_text(
        '<timedtext><window t="0" id="1"/><text t="5538" d="2536" w="1">a b</text></timedtext>',
        "srv",
    )
    assert (old.words, old.start, old.end) == (("a", "b"), 5.538, 8.074)
    (new,) = read_text(
        '<timedtext format="3"><head><pen id="1" rb="1"/><pen id="4" rb="4"/></head><body><p t="0" '
        'd="9"><s p="1">漢</s><s>(</s><s p="4">kan</s><s>)</s>\u200b x<br/>y</p></body></timedtext>',
        "srv",
    )
    assert (new.words, new.get("ruby"), new.get("lines")) == (("漢", "x", "y"), "kan", "漢 x\ny")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<transcript_list/>", "a list of tracks, without text"),
        ("<timedtext><body><p>a</p></body></timedtext>", 'expected an attribute "t", found none'),
        ('<transcript><text start="x">a</text></transcript>', "expected start as a number"),
    ],
)
def test_wrong_srv_is_refused(read_text: ReadText, text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read_text(text, "srv")


def test_three_cues_of_youtube_are_enough(read_text: ReadText) -> None:
    text = (
        "WEBVTT\n\n00:00:00.000 --> 00:00:02.000\nhello<00:00:00.500><c> there</c>\n\n"
        "00:00:02.000 --> 00:00:02.010\nhello there\n\n"
        "00:00:02.010 --> 00:00:04.000\nhello there\nhow<00:00:02.500><c> are</c>\n"
    )
    transcript = read_text(text, "vtt")
    assert [segment.words for segment in transcript] == [("hello", "there"), ("how", "are")]
    without_times = text.replace("<00:00:00.500><c> there</c>", " there")
    assert read_text(without_times, "vtt").word_count == 8


def test_brief_cues_may_be_empty_and_blanks_may_be_inside_words(read_text: ReadText) -> None:
    said = ["so we came ", "to the town ", "below the hill ", "and saw it ", "from the bridge "]
    text, before, time = "WEBVTT\n\n", "", 1
    for n, line in enumerate(said):
        first, *others = line.split()
        words = "".join(f"<00:{time:02}.{k}00><c>{w} </c>" for k, w in enumerate(others, 2))
        shown = before if n != 3 else " "
        text += f"00:{time:02}.000 --> 00:{time + 1:02}.000\n{shown}\n{first} {words}\n\n"
        before = line.strip()
        brief = before if n != 2 else " "
        text += f"00:{time + 1:02}.000 --> 00:{time + 1:02}.010\n{brief}\n \n\n"
        time += 1
    assert [" ".join(s.words) for s in read_text(text, "vtt")] == [x.strip() for x in said]
