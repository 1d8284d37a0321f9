"""UltraStar: beats, lines, players, notes that go on."""

import pytest

from formats import SyntaxFormatError
from tests.each_case import each_case
from tests.formats.conftest import ReadText

HEAD = "#TITLE:A\n#ARTIST:B\n#BPM:300\n#GAP:1000\n"
"""A beat of this is 50 ms."""


def test_syllables_make_words_and_go_on(read_text: ReadText) -> None:
    text = f"{HEAD}: 0 4 60 hel\n: 4 4 60 lo\n: 8 4 60 ~\n* 20 2 60  you\nR 22 2 0 ~o \n- 30\nE\n"
    (segment,) = read_text(text, "ultrastar")
    assert segment.words == ("hello", "youo")
    assert (segment.starts, segment.ends) == ((1.0, 2.0), (1.6, 2.2))


def test_relative_beats_decimal_commas_and_a_file_without_end(read_text: ReadText) -> None:
    text = "#TITLE:A\n#BPM:150,00\n#GAP:0,5\n#RELATIVE:YES\n: 0 10 1 a\n- 20 30\n: 0 10 1 b\n"
    assert [s.start for s in read_text(text, "ultrastar")] == [0.0005, 3.0005]


def test_players_are_speakers_by_their_names(read_text: ReadText) -> None:
    text = f"#P1:Anne\n{HEAD}P1\n: 0 4 60 a\n- 4\nP 2\n: 0 4 60 b\nE\n"
    assert [(s.speaker, s.words) for s in read_text(text, "ultrastar")] == [
        ("Anne", ("a",)), ("P2", ("b",))
    ]  # fmt: skip


@each_case(
    ("text", "line"),
    [
        ("#TITLE:A\n: 0 4 60 a\n", 2),
        ("#BPM:x\n", 1),
        ("#BPM:0\n", 1),
        (f"{HEAD}: 0 4 a\n", 5),
        (f"{HEAD}B 4 200\n", 5),
        (f"{HEAD}: -100 4 60 a\n", 5),
    ],
)
def test_malformed_songs_are_errors(read_text: ReadText, text: str, line: int) -> None:
    with pytest.raises(SyntaxFormatError) as caught:
        read_text(text, "ultrastar", tolerance="strict")
    assert caught.value.line == line
