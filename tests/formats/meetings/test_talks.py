"""Texts with names whose other lines, titles or marks are easily taken for names."""

import pytest

from formats.meetings.turns.accounts import TurnText
from tests.formats.meetings.said import SAID, turns

PAIRS = [("Ann", "Ben")[n % 2] for n in range(len(SAID))]


WRITERS = ["Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Ida"]


def text_of(form: str, said: list[str] | None = None) -> str:
    """Return the turns of two persons in a form of names and texts."""
    texts = SAID if said is None else said
    return "".join(form.format(n=n, x=x) for n, x in zip(PAIRS, texts, strict=True))


def spoken(text: str) -> list[tuple[str | None, str]]:
    """Return the speaker and the words of each turn."""
    return [(speaker, words) for speaker, _, words in turns(text)]


@pytest.mark.parametrize("form", ["### {n}\n\n{x}\n\n", "--- {n} ---\n{x}\n\n"])
def test_notes_below_the_last_heading_of_a_speaker_are_no_speech(form: str) -> None:
    notes = "---\nNotes:\n- Send the report\n- Next call on Friday\n"
    assert spoken(text_of(form) + notes) == list(zip(PAIRS, SAID, strict=True))


def test_headings_of_another_level_are_titles() -> None:
    titled = "## The bridge\n\n" + text_of("### {n}\n\n{x}\n\n")
    titled = titled.replace("### Ann\n\nThank", "## The road\n\n### Ann\n\nThank")
    assert {speaker for speaker, _ in spoken(titled)} == {"Ann", "Ben"}


def test_a_text_with_a_colon_below_a_name_and_a_blank_line_is_no_turn() -> None:
    said = [*SAID[:5], "One thing: the road is not open.", *SAID[6:]]
    assert spoken(text_of("{n}:\n\n{x}\n\n", said)) == list(zip(PAIRS, said, strict=True))


def test_remarks_among_listed_participants_are_no_speakers() -> None:
    text = "Attendees: Ann (host), Ben, Cy\n\n" + text_of("{n}: {x}\n")
    text += "Decision: We open in May.\nRisk: It may rain.\nDecision: We meet again.\n"
    text += "Ann: I agree with that.\n"
    assert [speaker for speaker, _ in spoken(text)] == [*PAIRS, "Ann"]


def test_numbers_and_names_of_programs_belong_to_the_name() -> None:
    lines = [f"00:00:{n:02} Speaker {n % 2} {x}\n" for n, x in enumerate(SAID)]
    assert [speaker for speaker, _ in spoken("".join(lines))] == ["Speaker 0", "Speaker 1"] * 4
    lines = [f"[00:{n:02}] **{('qx()', 'Ann')[n % 2]}**: {x}\n" for n, x in enumerate(SAID)]
    assert [speaker for speaker, _ in spoken("".join(lines))] == ["qx()", "Ann"] * 4


def test_all_turns_may_be_of_an_unknown_speaker() -> None:
    text = "".join(f"Unknown: {x}\n" for x in SAID)
    assert {speaker for speaker, _ in spoken(text)} == {"Unknown"}


@pytest.mark.parametrize("form", ["{n} - {x}\n\n", "<{n}> {x}\n\n", "{n} > {x}\n\n"])
def test_paragraphs_without_a_name_continue_turns_that_alternate(form: str) -> None:
    said = [x if n % 3 else f"{x}\n\nAnd there was more to say." for n, x in enumerate(SAID)]
    want = [" ".join(x.split()) for x in said]
    assert spoken(text_of(form, said)) == list(zip(PAIRS, want, strict=True))


def test_persons_of_a_chat_may_write_once_each() -> None:
    text = "".join(
        f"2023-11-05 10:{n:02}:00 From {name} to Everyone:\n\t{x}\n"
        for n, (name, x) in enumerate(zip(WRITERS, SAID, strict=True))
    )
    assert [speaker for speaker, _ in spoken(text)] == WRITERS


def test_what_a_page_writes_behind_names_of_a_chat_is_no_part_of_them() -> None:
    said = [*SAID[:3], "When it rains:\nWe wait.", *SAID[4:]]
    text = text_of("{n} said:\n{x}\n", said).replace("Ann", "You").replace("Ben", "ChatGPT")
    assert [speaker for speaker, _ in spoken(text)] == ["You", "ChatGPT"] * 4


def test_a_question_about_a_layout_does_not_change_the_text() -> None:
    roles = {"Ann": "farmer", "Ben": "teacher"}
    lines = "".join(f"{n}:\n{roles[n]}\n{x}\n\n" for n, x in zip(PAIRS, SAID, strict=True))
    text = TurnText(list(enumerate(lines.splitlines(), 1)))
    before = set(text.is_rule)
    assert len(text.rules("Name: text") - before) == len(SAID)
    assert text.is_rule == before


def test_notes_directly_below_a_rule_are_no_part_of_a_short_text() -> None:
    turns_of_two = "".join(f"{n}: {x}\n" for n, x in list(zip(PAIRS, SAID, strict=True))[:4])
    text = f"Attendees: Ann, Ben\n\n{turns_of_two}\n---\nNotes:\n- Send the report\n- Call Cy\n"
    assert spoken(text) == list(zip(PAIRS, SAID, strict=True))[:4]


def test_each_speaker_may_have_one_turn_with_a_time() -> None:
    lines = [
        f"[00:00:{3 * n:02}] {w}: {x}\n" for n, (w, x) in enumerate(zip(WRITERS, SAID, strict=True))
    ]
    assert spoken("".join(lines)) == list(zip(WRITERS, SAID, strict=True))
