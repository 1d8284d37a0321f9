"""Examples of marks inside texts that are no words."""

from __future__ import annotations

from collections import Counter

from formats.reading.marks import (
    brackets_in,
    codes_in,
    dashes_of_changes,
    is_mark,
    without_entities,
)


def test_brackets_in() -> None:
    assert brackets_in(["so [laughs] it was", "[laughs] yes (of course) (Applause.)"]) == Counter(
        {"[laughs]": 2, "(Applause.)": 1}
    )


def test_without_entities() -> None:
    assert list(without_entities([(1, "&gt;&gt; so it&#39;s"), (2, "R&D")])) == [
        (1, ">> so it's"),
        (2, "R&D"),
    ]


def test_codes_in() -> None:
    assert codes_in(["1:2.5", "b_a", "82tUO", "so"] * 4)[:3] == ["1:2.5", "b_a", "82tUO"]


def test_is_mark() -> None:
    assert [
        word for word in ["so", "</b>", "it", ">>", "is", "//", "then", "[0:12]"] if is_mark(word)
    ] == ["</b>", ">>", "//", "[0:12]"]


def test_dashes_of_changes() -> None:
    assert dashes_of_changes(
        ["-", "Oh,", "hi.", "-", "Hi", "Jim", "-", "my", "friend.", "-", "Yes?"]
    ) == ["-", "-", "-"]
