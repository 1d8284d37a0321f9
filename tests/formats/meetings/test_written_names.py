"""Names cut off by a fixed sign, behind numbers in plays, inside lines, and marks of a merge."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

import formats
from formats.meetings.layouts import NAME_AND_ROLE, NAME_OF_PLAY
from formats.meetings.messages import NAMES_BEFORE_SIGN, TAGS_LEFT
from formats.meetings.turns.accounts import TurnText
from formats.meetings.turns.written_names import merge_marks, sign_of_names
from formats.reading.names_inside import names_inside
from formats.reading.part_titles import verse_numbers
from tests.remarks import fields_of

SPOKEN = (
    "Did you lock the gate last night?",
    "I thought that you had the key.",
    "Then somebody was in the garden.",
    "Nobody is ever in our garden.",
    "The lamp in the shed is still warm.",
)


def read(tmp_path: Path, text: str) -> formats.Transcript:
    path = tmp_path / "talk.txt"
    path.write_text(text, encoding="utf-8")
    return formats.read(path)


def talk_with(sign: str) -> list[str]:
    names = ("Mara", "???", "Old Tom", "Mara", "Old Tom", "Old Tom")
    return [f"{names[n % len(names)]}{sign}{SPOKEN[n % 5]} {'So. ' * (n // 5)}" for n in range(30)]


@pytest.mark.parametrize("sign", ["[line]", "<sep>", "{say}", " => ", "^"])
def test_a_fixed_sign_cuts_names_off(tmp_path: Path, sign: str) -> None:
    transcript = read(tmp_path, "\n".join(talk_with(sign)))
    speakers = [segment.speaker for segment in transcript.segments]
    assert len(speakers) == 30
    assert speakers[:3] == ["Mara", None, "Old Tom"]
    assert " ".join(map(str, transcript.segments[0].words)) == SPOKEN[0]
    assert fields_of(transcript.diagnostics, NAMES_BEFORE_SIGN) == [{"sign": sign.strip()}]


@pytest.mark.parametrize(
    "lines",
    [
        [f"{('ham', 'spam')[n % 2]}|{SPOKEN[n % 5]} {n}" for n in range(30)],
        [f"{('Size', 'Depth')[n % 2]}=>{n} cm" for n in range(30)],
        [f"Ann|Bern|{SPOKEN[n % 5]} {n}" for n in range(30)],
        [f"Item {n}|{SPOKEN[n % 5]}" for n in range(30)],
        [f"INFO|{SPOKEN[n % 5]} {n}" for n in range(15)] * 2,
        talk_with("[line]")[:5],
    ],
)
def test_other_columns_are_no_names(lines: Sequence[str]) -> None:
    assert sign_of_names(lines) == ""


def play(names: Sequence[str]) -> str:
    return "\n\n".join(f"{name}\n{SPOKEN[n % 5]}" for n, name in enumerate(names))


def test_names_of_plays_have_numbers_and_several_words(tmp_path: Path) -> None:
    names = ["Varro.", "Livia.", "1 Guard.", "2 Guard.", "Varro.", "Lady Flavia.", "Livia."] * 4
    transcript = read(tmp_path, play(names))
    assert [segment.speaker for segment in transcript.segments] == [x[:-1] for x in names]


def test_a_single_sentence_in_a_play_is_no_name(tmp_path: Path) -> None:
    names = ["Varro.", "Livia."] * 10 + ["Old Rome.", "3 Days."]
    transcript = read(tmp_path, play(names))
    assert {segment.speaker for segment in transcript.segments} == {"Varro", "Livia"}


def test_numbers_of_verses_behind_one_blank_are_no_words() -> None:
    verses = [f"And so the evening fell{f' {n}' if n % 5 == 0 else ''}" for n in range(1, 60)]
    titled = ["Act I, Scene 3", *verses, "Act I, Scene 4"]
    number = verse_numbers(titled)
    assert number is not None
    assert number.sub("", verses[24]) == "And so the evening fell"
    assert verse_numbers([*verses, *("We were 25", "They were 40") * 3]) is None
    assert verse_numbers(verses[:40]) is None
    assert verse_numbers(f"so it was then {n}" for n in range(60)) is None
    assert verse_numbers(f"so {n}" for n in range(0, 300, 5)) is None


def test_names_begin_turns_directly_behind_sentences() -> None:
    text = "Ann Ex: So it is late.Bob Lee: It was.Ann Ex: We go..Bob Lee: Yes.Ann Ex: Well. Go on."
    inside = names_inside([text])
    assert inside is not None
    assert inside.divided(text).split("\n")[1:3] == ["Bob Lee: It was.", "Ann Ex: We go.."]


def test_marks_of_a_merge_are_no_words(tmp_path: Path) -> None:
    lines = [f"{('Ann', 'Ben')[n % 2]}: {SPOKEN[n % 5]}" for n in range(10)]
    marked = [*lines[:3], "<<<<<<< HEAD", *lines[3:5], "=======", lines[5], ">>>>>>> 1a2b (new)"]
    transcript = read(tmp_path, "\n".join([*marked, *lines[6:]]))
    assert [" ".join(map(str, x.words)) for x in transcript.segments] == [*SPOKEN, *SPOKEN]
    assert fields_of(transcript.diagnostics, TAGS_LEFT) == [{"count": 3, "text": "<<<<<<< HEAD"}]
    assert merge_marks([(1, ">>>>>>> Ann"), (2, "=======")]) == []


def test_names_in_capitals_of_several_words_are_left_to_their_own_layout() -> None:
    names = ["VARRO.", "LIVIA.", "VARRO.", "FIRST GUARD.", "LIVIA.", "FIRST GUARD."] * 5
    text = TurnText(list(enumerate(play(names).splitlines(), 1)))
    assert {head.name for head in text.heads(NAME_AND_ROLE).values()} == {"VARRO", "LIVIA"}
    assert "FIRST GUARD" in {head.name for head in text.heads(NAME_OF_PLAY).values()}
