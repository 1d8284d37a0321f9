"""Layouts that are in no table: the lines of the text give the pattern."""

from io import BytesIO

import pytest

import formats
from tests.each_case import each_case
from tests.formats.meetings.said import SAID, turns
from tests.formats.meetings.test_names_and_times import NAMES, filled

TIMED = [(name, 3.0 * n, text) for n, (name, text) in enumerate(zip(NAMES, SAID, strict=True))]


def detected(text: str) -> str:
    source = BytesIO(text.encode())
    source.name = "a.txt"
    return formats.detect(source)


@each_case(
    "template",
    [
        "T+00:{s:02} ~ {n} ~ {x}\n",
        "00:{s:02} (Turn {i}) {n} => {x}\n",
        "#{i} | {n} | 00:{s:02} -> 00:{t:02}\n{x}\n\n",
        "Part {i}: 00:{s:02} / {n} / {x}\n",
        "<00:{s:02}> ({n}) {x}\n",
        "00:{s:02} min {n}; {x}\n",
    ],
)
def test_signs_of_any_kind_stand_around_times_and_names(template: str) -> None:
    assert turns(filled(template)) == TIMED


@pytest.mark.parametrize(
    "template",
    ["[TURN {i}] {n}: {x}\n\nAnd so on.\n\nAnd on.\n\n", "({i}) {n} ~ {x}\nAnd so on. And on.\n"],
)
def test_numbers_before_names_mark_turns_of_several_paragraphs(template: str) -> None:
    expected = [(name, None, f"{text} And so on. And on.") for name, _, text in TIMED]
    assert turns(filled(template)) == expected


def test_names_may_be_behind_times_without_a_sign() -> None:
    names = [name.split()[0] for name in NAMES]
    expected = [(name.split()[0], start, text) for name, start, text in TIMED]
    assert turns(filled("00:{s:02} {n} {x}\n", names)) == expected


def test_first_words_of_sentences_are_no_names() -> None:
    lines = [
        "We saw it.",
        "You said so.",
        "We went on.",
        "You know, we did.",
        "We and you.",
        "You.",
    ]
    text = "".join(f"0:{3 * n:02} {line}\n" for n, line in enumerate(lines))
    assert all(name is None for name, _, _ in turns(text))


@pytest.mark.parametrize(
    "text",
    [
        "".join(
            f"2024-05-01 10:00:0{n} | {'INFO' if n % 2 else 'WARN'} | {x}\n"
            for n, x in enumerate(SAID)
        ),
        "".join(f"{n}.{n % 3}: {line}\n" for n, line in enumerate(SAID)),
    ],
)
def test_logs_and_numbered_lists_have_no_layout(text: str) -> None:
    assert detected(text) != "speaker-text"


def test_messages_of_chats_are_no_minutes_and_have_any_blank_before_am() -> None:
    text = "".join(
        f"2/6/21, 11:{n:02}\u202fAM - {name}: {'Summary' if n == 3 else line}\n"
        for n, (name, _, line) in enumerate(TIMED)
    ).replace("Summary", "Summary:\nAction items:")
    assert [turn[0] for turn in turns(text)] == NAMES
    assert "Action items:" in turns(text)[3][2]


def test_a_table_of_contents_above_turns_is_not_read_as_words() -> None:
    contents = "".join(f"00:{10 * n:02} The part number {n}\n" for n in range(3))
    text = contents + filled("00:{s:02} {x}\n") + filled("01:{s:02} {x}\n")
    assert [turn[1] for turn in turns(text)][:2] == [0.0, 3.0]
    assert len(turns(text)) == 2 * len(SAID)


def test_long_directions_in_brackets_between_turns_are_explained() -> None:
    direction = f"({'They walk along the road. ' * 12})\n"
    text = filled("{n}: {x}\n") + direction * 5
    assert [
        turn[0] for turn in turns(direction.join(filled("{n}: {x}\n").splitlines(True)))
    ] == NAMES
    assert len(turns(text)) == len(SAID)


def test_times_in_numbers_and_words_may_stand_close_to_wrapped_texts() -> None:
    text = filled("2:{s:02}2 minutes, {s} seconds{x}\nand so on\n").replace(
        " 0 seconds", " 0 seconds"
    )
    expected = [(None, 120 + start, f"{said} and so on") for _, start, said in TIMED]
    assert turns(text) == expected


@each_case("head", ["（チノ）", "【校长】", "[Anna]", "(Иван)"])
def test_one_name_in_brackets_before_all_lines_is_that_of_one_person(head: str) -> None:
    lines = [f"{SAID[n % len(SAID)]} {n}" for n in range(30)]
    assert turns("".join(f"{head}{line}\n" for line in lines)) == [
        (head[1:-1], None, line) for line in lines
    ]


@each_case("head", ["(Applause) ", "[ZH]", "[ERROR] ", "[to] "])
def test_sounds_and_codes_in_brackets_before_all_lines_are_no_person(head: str) -> None:
    assert detected("".join(f"{head}{SAID[n % len(SAID)]}\n" for n in range(30))) == "txt"


def test_a_name_in_brackets_before_few_lines_is_no_person() -> None:
    assert detected("".join(f"（チノ）{line}\n" for line in SAID[:5])) == "txt"
