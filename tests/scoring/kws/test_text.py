from __future__ import annotations

import pytest

from scoring.kws.text import Splitting, lowered, split_keyword, split_token


@pytest.mark.parametrize(
    ("text", "characters", "glued", "without_hyphens", "both"),
    [
        ("abc", "a b c", "abc", "a b c", "abc"),
        ("对症", "对 症", "对 症", "对 症", "对 症"),
        ("ab对", "a b 对", "ab 对", "a b 对", "ab 对"),
        ("a-b", "a - b", "a-b", "a b", "a b"),
        ("-对-症-", "- 对 - 症 -", "- 对 - 症 -", "对 症", "对 症"),
        ("to对", "t o 对", "to 对", "t o 对", "to 对"),
    ],
)
def test_splitting(text: str, characters: str, glued: str, without_hyphens: str, both: str) -> None:
    for splitting, expected in (
        (Splitting(True), characters),
        (Splitting(True, except_ascii=True), glued),
        (Splitting(True, delete_hyphens=True), without_hyphens),
        (Splitting(True, True, True), both),
        (Splitting(False, True, True), text),
    ):
        assert " ".join(split_token(text, splitting)) == expected


@pytest.mark.parametrize("text", ["to go", "a b", "ab cd ef", "abc def"])
def test_blanks_between_words_stay(text: str) -> None:
    assert split_keyword(f"  {text} ", Splitting(True, except_ascii=True)) == text.split()


def test_lower_case_is_that_of_unicode() -> None:
    assert lowered("ÀÉ ΣΑ", "lowercase") == "àé σα"
    assert lowered("ÀÉ", "") == "ÀÉ"
