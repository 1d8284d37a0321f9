"""Examples of what lines begin with that is no word."""

from __future__ import annotations

from formats.reading.line_beginnings import (
    beginnings_of,
    letters_first,
    names_unmarked,
    names_with_point,
    names_within,
    numbers_first,
    signs_first,
)


def test_names_unmarked() -> None:
    lines = [
        "Operator Thank you.",
        "Ann Lee, Head Thank you.",
        "Operator Next?",
        "Ann Lee, Head It is.",
        "Operator That was all.",
    ]
    assert names_unmarked(lines) == [
        "Operator",
        "Ann Lee, Head",
        "Operator",
        "Ann Lee, Head",
        "Operator",
    ]


def test_names_with_point() -> None:
    assert names_with_point(["Hor. So it was.", "Yes. Oh yes", "Ber. Well.", "P. Queen. No."] * 4)[
        :3
    ] == ["Hor", "Ber", "P. Queen"]


def test_letters_first() -> None:
    assert letters_first(["C she go/ed home.", "E where?", "C home.", "E oh."]) == [
        "C",
        "E",
        "C",
        "E",
    ]


def test_names_within() -> None:
    assert names_within(["so it was. SPEAKER 2: yes", "it was, and SPEAKER 1: no"]) == [
        "SPEAKER 2:",
        "SPEAKER 1:",
    ]


def test_numbers_first() -> None:
    assert numbers_first(["1. What is it?", "It is so.", "2. And that?", "3) And this?"]) == [
        "1.",
        "2.",
        "3)",
    ]
    assert numbers_first(["1. What is it?", "4 dogs came", "2. And that?", "3. And this?"]) == [
        "1.",
        "2.",
        "3.",
    ]


def test_signs_first() -> None:
    assert signs_first(["- so it was", "and then", "[ ] to do", "-- it was"]) == ["-", "[ ]", "--"]


def test_beginnings_of() -> None:
    assert beginnings_of(["(Ann) so it was", "(Bob) yes", "well then", "(Ann) no"] * 3)[:2] == [
        "(Ann)",
        "(Bob)",
    ]
