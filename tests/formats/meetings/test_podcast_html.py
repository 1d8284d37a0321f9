"""Transcripts of podcasts in HTML."""

from io import BytesIO

import pytest

import formats
from formats import Segment
from formats.meetings.messages import PODCAST_TEXT, TIME_BACK, TURN_EMPTY
from tests.each_case import each_case
from tests.formats.case import sample
from tests.formats.checks import message_text, remark_line
from tests.formats.json.reading import read, refusal, said
from tests.remarks import fields_of
from tests.tables import table_of

PAGE = sample("podcast-html-page.txt")


def rows(segments: object) -> list[tuple[str | None, float | None, float | None, str]]:
    assert isinstance(segments, formats.Transcript)
    return [(s.speaker, s.start, s.end, " ".join(s.words)) for s in segments]


def test_names_and_times_hold_for_one_turn() -> None:
    transcript = read(PAGE.replace("<p>Yes", "<p>Yes</p>"), "podcast-html")
    assert rows(transcript) == [
        ("Kevin", 0.0, None, "We have an update planned\xa0where we"),
        (None, 9.0, None, "You're in Moby Dick. Right?"),
        ("Alban", None, None, "Yes"),
        ("Kevin", 3602.0, None, ""),
    ]
    assert [s.line for s in transcript] == [1, 6, 8, 10]
    assert said(transcript) == [remark_line(TURN_EMPTY, 10, file=None)]


@each_case(("text", "turns"), table_of(__file__, "names_and_times_in_a_paragraph"))
def test_names_and_times_in_a_paragraph(
    text: str, turns: list[tuple[str | None, float | None, str]]
) -> None:
    transcript = read(text, "podcast-html")
    assert [(s.speaker, s.start, " ".join(s.words)) for s in transcript] == turns


def test_gaps_are_closed_where_times_are_known() -> None:
    transcript = read(PAGE, "podcast-html", close_gaps=True)
    assert [segment.end for segment in transcript][:2] == [9.0, None]


@each_case(
    ("text", "name"),
    table_of(__file__, "a_page_of_another_kind_is_not_recognised"),
)  # fmt: skip
def test_a_page_of_another_kind_is_not_recognised(text: str, name: str) -> None:
    stream = BytesIO(text.encode())
    stream.name = "talk.html"
    if name:
        assert formats.detect(stream) == name
    else:
        with pytest.raises(formats.UnknownFormatError):
            formats.detect(stream)


def test_other_texts_are_counted() -> None:
    text = "<html><title>T</title><h1>Talk</h1><cite>Ann</cite><p>a</p><div>b</div></html>"
    transcript = read(text, "podcast-html")
    assert rows(transcript) == [("Ann", None, None, "a")]
    assert said(transcript) == [
        ("note: " + message_text(PODCAST_TEXT, texts=2) + " [PODCAST-TEXT]")
    ]


@each_case(("text", "words"), table_of(__file__, "comments_and_scripts_are_no_text"))
def test_comments_and_scripts_are_no_text(text: str, words: tuple[str, ...]) -> None:
    assert [segment.words for segment in read(text, "podcast-html")] == [words]


def test_a_time_that_is_none_costs_the_time() -> None:
    text = "<cite>Ann</cite>\n<time>5 May</time>\n<p>a</p><time>0:75</time><p>b</p>"
    assert refusal(text, "podcast-html") == (
        '<stream>:2: expected a time as 0:53 or 1:00:53, found "5 May"'
    )
    transcript = read(text, "podcast-html", "lenient")
    assert rows(transcript) == [("Ann", None, None, "a"), (None, None, None, "b")]
    assert [d.severity for d in transcript.diagnostics] == ["error", "error"]


def test_times_that_go_back_are_noted() -> None:
    text = "".join(f"<time>0:0{n}</time><p>a</p>" for n in (1, 5, 3, 7, 2))
    assert fields_of(read(text, "podcast-html").diagnostics, TIME_BACK) == [{"turns": 2}]


def test_segments_convert(tmp_path: object) -> None:
    for suffix in ("stm", "srt", "TextGrid"):
        transcript = read(
            "<cite>Ann:</cite><time>0:00</time><p>a b</p><time>0:02</time><p>c</p>", "podcast-html"
        )
        path = f"{tmp_path}/a.{suffix}"
        formats.write(transcript, path, interpolate="chars")
        assert [w for segment in formats.read(path) for w in segment.words] == ["a", "b", "c"]
        assert isinstance(transcript[0], Segment)
