"""Documents in Rich Text Format."""

import io
import sys
from pathlib import Path
from typing import Any

import pytest

import formats
from formats.meetings.messages import RTF_DROPPED
from formats.schema.errors import FormatError
from tests.formats.checks import remark_line, remarks

HEAD = r"{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\fnil\fcharset0 Arial;}}"


def read(body: str, **options: Any) -> formats.Transcript:
    stream = io.BytesIO((HEAD + body + "}").encode("latin-1"))
    stream.name = "talk.rtf"
    return formats.read(stream, **options)


def texts(transcript: formats.Transcript) -> list[tuple[str | None, str]]:
    return [(segment.speaker, " ".join(segment.words)) for segment in transcript]


def test_a_text_without_turns_is_one_segment() -> None:
    transcript = read(r"One sentence w\'f6rld.\par Another sentence.\par")
    assert transcript.format == "rtf"
    assert texts(transcript) == [(None, "One sentence wörld. Another sentence.")]


def test_deleted_and_hidden_text_is_no_words_and_is_counted() -> None:
    transcript = read(r"Ann: a {\deleted b }c\par Bob: {\v d}e {\deleted0 f}\par Ann: g\par")
    assert texts(transcript) == [("Ann", "a c"), ("Bob", "e f"), ("Ann", "g")]
    assert remark_line(RTF_DROPPED, file="talk.rtf", deleted=1, hidden=1) in remarks(transcript)


def test_cells_of_a_row_are_a_line() -> None:
    row = r"\trowd\cellx100\cellx200 0:0{}\cell Ann\cell some words\cell\row "
    segments = list(read("".join(row.format(n) for n in (1, 3, 5)).replace("{}", "")))
    assert [" ".join(segment.words) for segment in segments] == ["some words"] * 3
    assert [segment.start_ns for segment in segments] == [10**9, 3 * 10**9, 5 * 10**9]


def test_the_address_of_a_link_is_no_word() -> None:
    link = r'{\field{\*\fldinst{HYPERLINK "http://example.org"}}{\fldrslt here}}'
    assert texts(read(rf"See {link} now.\par")) == [(None, "See here now.")]


def test_cues_of_subrip_are_cues() -> None:
    (segment,) = read(r"1\par 00:00:01,000 --> 00:00:02,500\par hello\par")
    assert (segment.start_ns, segment.end_ns) == (10**9, 2_500_000_000)


def test_a_pattern_describes_the_text() -> None:
    transcript = read(
        r"<1.5> Ann = hello\par <3> Bob = yes\par", pattern="<{start}> {speaker} = {text}"
    )
    assert texts(transcript) == [("Ann", "hello"), ("Bob", "yes")]


@pytest.mark.parametrize("body", [r"\u99999999?", r"{\fonttbl{\f0\fcharset128 M;}}\f0 \'81 x"])
def test_damage_is_an_error(body: str) -> None:
    with pytest.raises(FormatError) as caught:
        read(body)
    assert caught.value.path == "talk.rtf"


def test_another_file_is_no_rtf(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("hello\n")
    with pytest.raises(FormatError) as caught:
        formats.read(path, format="rtf")
    assert caught.value.line == 1


def test_without_striprtf_the_message_names_both_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "striprtf", None)
    monkeypatch.setitem(sys.modules, "striprtf.striprtf", None)
    with pytest.raises(FormatError) as caught:
        read(r"hello\par")
    assert "sclite-kit[rtf]" in str(caught.value)
