"""The layout that is chosen for a text: one answer for detection, reading, remarks and rules."""

from __future__ import annotations

from pathlib import Path

import pytest

import formats
from formats.meetings.turns.choice import Trust, choice_of
from formats.meetings.turns.description import description_of
from tests.each_case import each_case
from tests.formats.meetings.said import SAID, named, turns

VERSES = "".join(f"{{}} {n // 8 + 1}:{n % 8 + 1} {said}\n" for n, said in enumerate(SAID * 2))


def test_trust_grows_with_the_lines_that_a_layout_explains() -> None:
    texts = {
        Trust.PLAIN: "so it was\nand so on\n",
        Trust.LIKELY: "Ann: so\n" * 4 + "and more\n" * 6,
        Trust.NAMED: "Ann: so\n",
        Trust.DOUBTFUL: "category: so\ntext: it was\n" * 4,
        Trust.SURE: "Ann: so it was\nBob: no\n" * 4,
    }
    for trust, text in texts.items():
        lines = list(enumerate(text.splitlines(), 1))
        assert choice_of(lines).trust is trust
        assert bool(description_of(lines)) is (trust >= Trust.NAMED)


@pytest.mark.parametrize("book", ["1 Kings", "Gen", "2 Sam."])
def test_the_numbers_of_verses_are_no_speakers(book: str) -> None:
    transcript = formats.read(named(VERSES.format(*[book] * 16)))
    assert {segment.speaker for segment in transcript} == {None}
    assert any(entry.severity == "warning" for entry in transcript.diagnostics)


@pytest.mark.parametrize("between", ["\n", "\n\n", "\n   "])
def test_a_number_may_count_a_question_and_its_answer(between: str) -> None:
    text = "".join(
        f"{n // 2 + 1}. Question: {SAID[n]}{between}Answer: {SAID[n + 1]}\n" for n in (0, 2, 4, 6)
    )
    names = ("Question", "Answer") * 4
    assert turns(text) == [(name, None, said) for name, said in zip(names, SAID, strict=True)]


@pytest.mark.parametrize("between", ["\n", "\n\n"])
def test_roles_below_names_are_no_words(between: str) -> None:
    persons = ("Ann Lee\nChief of Sales", "Bob Roe\nAnalyst, Example Bank") * 4
    text = "".join(f"{x}{between}{said}.\n\n" for x, said in zip(persons, SAID, strict=True))
    assert turns(text)[:2] == [("Ann Lee", None, f"{SAID[0]}."), ("Bob Roe", None, f"{SAID[1]}.")]


def test_the_letter_of_a_voice_is_no_part_of_the_name() -> None:
    text = "".join(f"[0:0{n}] <v {'AB'[n % 2]}nn> {said}\n" for n, said in enumerate(SAID))
    assert turns(text) == [("AB"[n % 2] + "nn", n, said) for n, said in enumerate(SAID)]
    assert turns("<v Ann>so\n<v Bob>no\n") == [("Ann", None, "so"), ("Bob", None, "no")]


def test_tracks_of_an_editing_program_are_no_speakers() -> None:
    text = "".join(f"00:00:{n:02}:00 - 00:00:{n:02}:20\nV8, 1\n{x}\n\n" for n, x in enumerate(SAID))
    assert turns(text) == [(None, n, said) for n, said in enumerate(SAID)]


@pytest.mark.parametrize("names", [("partial", "final"), ("LRC", "LRC"), ("interim", "final")])
def test_fields_are_no_speakers_and_neither_reading_is_guessed(names: tuple[str, str]) -> None:
    text = "".join(f"{names[n % 2]}: {said}\n" for n, said in enumerate(SAID))
    with pytest.raises(formats.AmbiguousFormatError):
        formats.read(named(text))


def test_segments_of_kaldi_are_no_turns(tmp_path: Path) -> None:
    """The times begin again with each speaker, as in a file that is sorted by identifier."""
    path = tmp_path / "segments"
    lines = [f"s{n}-{k:03} rec {3 * k + n}.5 {3 * k + n}.9\n" for n in range(2) for k in range(12)]
    path.write_text("".join(lines))
    assert formats.detect(path) == "kaldi-segments"


@pytest.mark.parametrize(
    "form",
    [
        "(0:0{n}) {name}: {text}\n",
        "14:0{n}:00 {name}\n{text}\n\n",
    ],
)
@pytest.mark.parametrize("names", [("Ann Lee", "Bob Roe (she/her)"), ("Ann Lee (Acme)", "Bob Roe")])
def test_a_role_in_brackets_is_no_part_of_a_name_beside_a_time(
    form: str, names: tuple[str, str]
) -> None:
    text = "".join(form.format(n=n, name=names[n % 2], text=x) for n, x in enumerate(SAID))
    assert turns(text) == [
        (names[n % 2].partition(" (")[0], n * (60 if "14:" in form else 1), x)
        for n, x in enumerate(SAID)
    ]


@pytest.mark.parametrize("form", ["{} - [0:0{}]\n{}\n\n", "({1:02}:00) - {0}\n\n{2}\n\n"])
def test_a_dash_may_be_between_a_name_and_a_time(form: str) -> None:
    text = "".join(form.format(("Ann", "Bob")[n % 2], n, x) for n, x in enumerate(SAID))
    assert [(name, x) for name, _, x in turns(text)] == [
        (("Ann", "Bob")[n % 2], x) for n, x in enumerate(SAID)
    ]


def test_signs_for_a_person_whom_nobody_knows_are_in_the_place_of_a_name() -> None:
    names = ["Ann Lee", "Bob Roe", "??", "Bob Roe"] * 2
    text = "".join(f"0:0{n} {names[n]} (Acme)\n{x}\n\n" for n, x in enumerate(SAID))
    text = text.replace("?? (Acme)", "??")
    assert [name for name, *_ in turns(text)] == names


@each_case("end", ["END", "(END)", "- The End -", "Transcribed automatically."])
@each_case("form", ["[0:0{n}] {text}\n", "Ann ({n}:00): {text}\n", "0:0{n}\n{text}\n"])
def test_the_end_of_a_document_is_no_speech(form: str, end: str) -> None:
    text = "".join(form.format(n=n, text=x) for n, x in enumerate(SAID))
    assert [said for *_, said in turns(f"{text}\n{end}\n")] == SAID


def test_times_behind_chinese_texts_are_starts() -> None:
    said = ["第一个问题是图书馆。", "是的。", "花不了多少钱。", "太好了。"]
    text = "".join(f"发言人 {n % 2 + 1}: {x} (00:0{n})\n\n" for n, x in enumerate(said))
    assert turns(text) == [(f"发言人 {n % 2 + 1}", n, x) for n, x in enumerate(said)]


def test_an_end_at_the_last_time_ends_the_last_turn() -> None:
    text = "".join(f"0:0{n} {x}\n" for n, x in enumerate(SAID))
    for end in ("End", "[END]", "Recording stopped."):
        *_, last = formats.read(named(f"{text}0:09 {end}\n"))
        assert (" ".join(last.words), last.end) == (SAID[-1], 9.0)


def test_a_person_may_have_the_name_of_an_end() -> None:
    text = "".join(f"0:0{n} {('Fin', 'Ann')[n % 2]}: {x}\n" for n, x in enumerate(SAID))
    assert turns(text) == [(("Fin", "Ann")[n % 2], n, x) for n, x in enumerate(SAID)]


@each_case(
    "form",
    ["{name}  0:0{n}\n{text}\n\n", "[0:0{n}] {name}: {text}\n", "{name} • 0:0{n}\n{text}\n\n"],
)
@each_case("names", [("Ann P.", "Ben Roe"), ("Ann Lee", "Ben van der Roe Jr.")])
def test_names_may_end_with_an_abbreviation(form: str, names: tuple[str, str]) -> None:
    text = "".join(form.format(n=n, name=names[n % 2], text=x) for n, x in enumerate(SAID))
    assert turns(text) == [(names[n % 2], n, x) for n, x in enumerate(SAID)]


def test_roles_of_names_behind_times_in_brackets() -> None:
    names = ("Ann Lee (she/her)", "Unknown Speaker")
    text = "".join(f"[0:0{n}]\t{names[n % 2]}\n{x}\n\n" for n, x in enumerate(SAID))
    without = ("Ann Lee", "Unknown Speaker")
    assert turns(text) == [(without[n % 2], n, x) for n, x in enumerate(SAID)]
    ends = "".join(f"{names[n % 2]}: {x} #00:00:0{n}-5#\n\n" for n, x in enumerate(SAID))
    assert [(name, x) for name, _, x in turns(ends)] == [
        (without[n % 2], x) for n, x in enumerate(SAID)
    ]


@each_case(
    "form",
    [
        "{text} (0:0{n} — 0:0{m})\n",
        "{text} ({n}.00 -> {m}.00)\n",
        "{n}.00s~{m}.00s: {text}\n",
        "0分0{n}秒 {text}\n",
        "[0分{n}秒] {text}\n",
        "0:0{n}{text}\n",
        "  0:0{n}\n  {n} seconds\n  {text}\n",
    ],
)
def test_times_behind_texts_or_without_a_blank(form: str) -> None:
    said = ["¿Por qué no?", *SAID[1:4], "¡No!", "(laughter)", *SAID[6:]]
    text = "".join(form.format(n=n, m=n + 1, text=x) for n, x in enumerate(said))
    assert turns(text) == [(None, n, x) for n, x in enumerate(said)]


def test_directions_with_a_time_of_their_own_are_words_as_in_subtitles() -> None:
    said = [*SAID[:3], "[Music]", *SAID[3:]]
    rows = [f"00:00:0{n},000 --> 00:00:0{n + 1},000\n{x}\n\n" for n, x in enumerate(said)]
    forms = ["".join(f"0:0{n} {x}\n" for n, x in enumerate(said))]
    forms.append("".join(f"0:0{n}\n{x}\n\n" for n, x in enumerate(said)))
    forms.append("".join(f"{n}\n{row}" for n, row in enumerate(rows, 1)))
    for text in forms:
        assert [x for *_, x in turns(text)] == said


def test_times_with_a_word_beside_them_are_above_paragraphs_and_slides() -> None:
    said = " ".join(SAID * 3)
    parts = [said, "\n\n".join([said] * 6)] * 3
    slide = "```\nslide: the plan\n\n  what to do\n```"
    text = "".join(f"[Time 0:0{2 * n}:00]\n\n{slide}\n\n{part}\n\n" for n, part in enumerate(parts))
    assert turns(f"# The bridge\n\n{text}") == [
        (None, 120 * n, " ".join(part.split())) for n, part in enumerate(parts)
    ]


def test_a_talk_between_fences_is_no_code() -> None:
    text = "".join(f"[0:0{n}] {x}\n" for n, x in enumerate(SAID))
    assert turns(f"```\n{text}```\n") == [(None, n, x) for n, x in enumerate(SAID)]


def test_escaped_marks_of_direction_are_no_words() -> None:
    text = "".join(
        f"\\u200e[3.01.2025, 09:0{n}:11] {('Ann', 'Bob')[n % 2]}: {x}\n" for n, x in enumerate(SAID)
    )
    assert [(name, x) for name, _, x in turns(text)] == [
        (("Ann", "Bob")[n % 2], x) for n, x in enumerate(SAID)
    ]
