"""The matcher finds what the standard library's finds, ties included."""

from __future__ import annotations

from difflib import SequenceMatcher

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.model import Alignment
from scoring.pages.diff import ratcliff_obershelp
from scoring.pages.diff.opcodes import Opcode, OpcodeCounts, count_opcodes, opcodes_of
from scoring.pages.diff.ratcliff_obershelp import common_stretches, differences

WORDS = st.lists(st.sampled_from("abc"), max_size=40)


def by_standard_library(a: list[str], b: list[str]) -> list[tuple[str, int, int, int, int]]:
    return [*SequenceMatcher(None, a, b, autojunk=False).get_opcodes()]


@given(WORDS, WORDS)
def test_agrees_with_the_standard_library(a: list[str], b: list[str]) -> None:
    assert [tuple(one) for one in differences(a, b)] == by_standard_library(a, b)


@pytest.mark.parametrize("many", [0, 1, 10**9])
@given(a=WORDS, b=WORDS)
def test_arrays_and_loops_agree(many: int, a: list[str], b: list[str]) -> None:
    before = ratcliff_obershelp._MANY
    ratcliff_obershelp._MANY = many
    try:
        assert [tuple(one) for one in differences(a, b)] == by_standard_library(a, b)
    finally:
        ratcliff_obershelp._MANY = before


def test_frequent_words_are_anchors_too() -> None:
    # the library's own habit of leaving frequent items out of long sequences would lose these
    a, b = ["the"] * 300, ["the"] * 299 + ["end"]
    assert count_opcodes(differences(a, b)) == OpcodeCounts(299, 1, 0, 0)


@pytest.mark.parametrize(("a", "b"), [([], []), (["x"], []), ([], ["x"]), (["x"], ["y"])])
def test_ends_with_an_empty_stretch(a: list[str], b: list[str]) -> None:
    assert [tuple(one) for one in common_stretches(a, b)] == [(len(a), len(b), 0)]


def test_touching_stretches_are_one() -> None:
    assert len(common_stretches("abcabc", "abcabc")) == 2


@pytest.mark.parametrize(
    ("reference", "hypothesis", "counts"),
    [
        ("one two three", "one and two three", (3, 0, 1, 0)),
        ("one two three", "one three", (2, 0, 0, 1)),
        ("one two three", "one too three", (2, 1, 0, 0)),
        ("", "three new words", (0, 0, 3, 0)),
        ("three old words", "", (0, 0, 0, 3)),
        ("a b c d e f g h i", "a b c c c d f g i", (7, 0, 2, 2)),
        ("HELLO CRUEL WORLD OF MINE", "GOODBYE WORLD OF MINE", (3, 1, 0, 1)),
    ],
)
def test_counts(reference: str, hypothesis: str, counts: tuple[int, int, int, int]) -> None:
    assert count_opcodes(differences(reference.split(), hypothesis.split())) == counts


def test_an_unknown_tag_is_refused() -> None:
    with pytest.raises(ValueError, match="expected one of equal, replace, insert, delete"):
        count_opcodes([("moved", 0, 1, 0, 1)])


def test_stretches_of_an_alignment() -> None:
    alignment = Alignment(bytes([0, 1, 2, 0, 3]), "abcd", "axdy", 0)
    assert opcodes_of(alignment) == [
        Opcode("equal", 0, 1, 0, 1),
        Opcode("replace", 1, 3, 1, 2),
        Opcode("equal", 3, 4, 2, 3),
        Opcode("insert", 4, 4, 3, 4),
    ]
