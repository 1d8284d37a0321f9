"""Names beside what typists add: initials, titles of parts, signs between turns, numbers of lines."""

import pytest

from tests.formats.meetings.said import SAID
from tests.formats.meetings.test_documents import ASKED, spoken, typed

INITIALS = list(zip(["J.B.", "A. Ex"] * 4, SAID, strict=True))


@pytest.mark.parametrize(
    "form", ["{}: {}\n", "{}: {}\n\n", "**{}:** {}\n\n", ">> {}: {}\n", "[{}]: {}\n", "{}:\n{}\n\n"]
)
def test_initials_are_names(form: str) -> None:
    assert spoken(typed(INITIALS, form)) == INITIALS


@pytest.mark.parametrize("title", ["PART TWO", "Part 2: The road", "**The War Years**", "Scene 2"])
@pytest.mark.parametrize("end", ["\n", "\n\n"])
def test_titles_of_parts_between_turns_are_no_words(title: str, end: str) -> None:
    text = f"{typed(ASKED, '{}: {}' + end)}{title}{end}{typed(ASKED, '{}: {}' + end)}"
    assert spoken(text) == ASKED * 2


@pytest.mark.parametrize("sign", ["*", "#", "•", "((coughs))"])
@pytest.mark.parametrize("end", ["\n", "\n\n"])
def test_signs_between_turns_are_no_words(sign: str, end: str) -> None:
    text = f"{typed(ASKED, '{}: {}' + end)}{sign}{end}{typed(ASKED, '{}: {}' + end)}"
    assert spoken(text) == ASKED * 2


def test_brief_answers_below_names_alone_are_no_names() -> None:
    talk = [("Ann", SAID[0]), ("Bob", "OK"), ("Ann", SAID[1]), ("Bob", "Right"), *ASKED]
    assert spoken(typed(talk, "{}\n\n{}\n\n")) == talk


def test_numbers_of_wrapped_lines_are_no_words() -> None:
    lines = [line for name, text in ASKED for line in (f"{name}: {text[:20]}", text[20:]) if line]
    text = "".join(f"{n:>3}  {line}\n" for n, line in enumerate(lines, 1))
    words = [(name, " ".join(f"{text[:20]} {text[20:]}".split())) for name, text in ASKED]
    assert spoken(text) == words


def test_turns_have_numbers_and_fields_above_have_none() -> None:
    lines = [f"{n}\t{name}: {text}\n\n" for n, (name, text) in enumerate(ASKED, 1)]
    assert spoken("Legend: [..] is a pause\n\n" + "".join(lines)) == ASKED


def test_names_in_small_letters_in_bold_above_texts() -> None:
    talk = [(name.lower(), text) for name, text in ASKED]
    assert spoken(typed(talk, "**{}**\n\n{}\n\n")) == talk
