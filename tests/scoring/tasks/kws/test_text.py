import pytest

from scoring.tasks.kws.text import Splitting, lowered, split_keyword, split_token
from tests.each_case import each_case
from tests.tables import table_of


@each_case(
    ("text", "characters", "glued", "without_hyphens", "both"), table_of(__file__, "splitting")
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
