"""Texts in a block of code, and texts whose line ends are written with letters."""

from pathlib import Path

import pytest

import formats
from tests.each_case import each_case
from tests.formats.checks import codes

CUES = "1\n00:00:00,000 --> 00:00:02,000\nso it is\n\n2\n00:00:02,000 --> 00:00:04,000\nno\n"
CONTENTS = {
    "srt": CUES,
    "vtt": "WEBVTT\n\n00:00.000 --> 00:02.000\nso it is\n\n00:02.000 --> 00:04.000\nno\n",
    "json": '[{"text": "so it is", "start": 0.0, "end": 2.5}, {"text": "no", "start": 2.0}]\n',
    "csv": "start,end,text\n0.0,2.0,so it is\n2.0,4.0,no\n",
}


def said(transcript: formats.Transcript) -> list[tuple[float | None, str]]:
    return [(segment.start, " ".join(segment.words)) for segment in transcript]


@each_case("kind", CONTENTS)
@each_case("opening", ["```", "```{kind}"])
def test_a_block_of_code_is_what_is_in_it(kind: str, opening: str, tmp_path: Path) -> None:
    path = tmp_path / "talk.txt"
    path.write_text(f"{opening.format(kind=kind)}\n{CONTENTS[kind]}```\n")
    transcript = formats.read(path)
    assert said(transcript) == [(0.0, "so it is"), (2.0, "no")]
    assert "FENCE" in codes(transcript)


def test_two_blocks_of_code_are_a_document(tmp_path: Path) -> None:
    path = tmp_path / "talk.txt"
    path.write_text("```\nso it is\n```\nand then\n```\nno\n```\n")
    assert "FENCE" not in codes(formats.read(path))


@pytest.mark.parametrize("end", ["\\n", "\\r\\n", "\\n\\n"])
def test_line_ends_that_are_written_with_letters_are_line_ends(end: str, tmp_path: Path) -> None:
    turns = ["Ann: so it is", "Ben: no, it is not", "Ann: well then", "Ben: and \\'so\\' it was"]
    path = tmp_path / "talk.txt"
    path.write_text(end.join(turns) + "\n")
    transcript = formats.read(path)
    assert [(s.speaker, " ".join(s.words)) for s in transcript] == [
        ("Ann", "so it is"),
        ("Ben", "no, it is not"),
        ("Ann", "well then"),
        ("Ben", "and 'so' it was"),
    ]
    assert "LINE-ENDS" in codes(transcript)


@pytest.mark.parametrize(
    "text", ["\\newline so \\noindent it \\be is\n", "so\\n it\nis\nand\nso\\n on\nno\n"]
)
def test_other_signs_with_letters_are_no_line_ends(text: str, tmp_path: Path) -> None:
    path = tmp_path / "talk.txt"
    path.write_text(text)
    assert "LINE-ENDS" not in codes(formats.read(path))
