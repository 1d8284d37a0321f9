"""Texts without times in which somebody speaks: names alone, plays, screenplays, what is around."""

from __future__ import annotations

import pytest

import formats
from formats.meetings.turns.choice import Trust, choice_of
from tests.each_case import each_case
from tests.formats.meetings.said import SAID, Turn, named, turns

NAMES = ("Ann", "Ben")


def talk(form: str, names: tuple[str, ...] = NAMES, between: str = "\n\n") -> str:
    """Return a text in which the names say the sentences in turn."""
    return between.join(
        form.format(name=names[n % len(names)], text=text, n=n + 1) for n, text in enumerate(SAID)
    )


def said(names: tuple[str, ...] = NAMES) -> list[Turn]:
    """Return the turns of the same talk."""
    return [(names[n % len(names)], None, text) for n, text in enumerate(SAID)]


@each_case(
    "form",
    [
        "{name} -> {text}", "{name} ~ {text}", "{name} :: {text}", "{name}; {text}",
        "{name}> {text}", "{name}.- {text}", "{name}. {text}", "TURN {n}\n{name}: {text}",
        "[{n}]\n{name}: {text}",
    ],
)  # fmt: skip
def test_signs_between_names_and_texts(form: str) -> None:
    assert turns(talk(form)) == said()


@pytest.mark.parametrize(("first", "second"), [("P", "R"), ("F", "A"), ("В", "О"), ("Q", "A")])
def test_letters_of_questions_and_answers(first: str, second: str) -> None:
    names = (first, second)
    assert turns(talk("{name}. {text}", names)) == said(names)
    assert turns(talk("{name}.- {text}", names)) == said(names)


def test_a_word_of_one_letter_begins_no_answer() -> None:
    names = ("ANN", "BEN")
    text = "A kitchen. Night. A lamp burns.\n\n" + talk("{name}: {text}", names)
    assert turns(text) == said(names)


@pytest.mark.parametrize(
    ("names", "form"),
    [
        (("Ann Ex", "Bob Lee", "Cal Orr", "Dan Poe", "Eve Rae"), "{name}\n{text}"),
        (("Ann", "Ben", "Cal", "Dan", "Eve"), "{name}\n{text}"),
        (("ANN EX", "BEN", "CAL LEE", "DAN", "EVE"), "{name}\n\n{text}"),
    ],
)
def test_names_alone_that_occur_once_or_twice(names: tuple[str, ...], form: str) -> None:
    assert turns(talk(form, names)) == said(names)


@each_case("form", ["{name}\n{text}", "**{name}**\n\n{text}", "### {name}\n{text}"])
@each_case(
    "above",
    [
        "THE TALK\nPlace: Mill Road 2\nhttps://example.org/a\n\n",
        "The Old Mill\nOrt: Bern\n© 2011 The Mill\n",
        "The Old Mill, Side A\nLuogo: Roma, Sala 2\nDate: 4 May 2011\n\n",
    ],
)
def test_titles_and_fields_above_names_alone_are_no_speech(form: str, above: str) -> None:
    names = ("Ann Ex", "Ben Lee")
    assert turns(above + talk(form, names)) == said(names)


@each_case(
    "end",
    ["END", "THE END", "* * *", "[END OF TAPE]", "CURTAIN", "END OF INTERVIEW", "FIN", "- - -",
     "End of Act Two"],
)  # fmt: skip
def test_the_end_is_no_speech(end: str) -> None:
    assert turns(talk("{name}: {text}") + f"\n\n{end}\n") == said()
    assert turns(talk("{name}\n{text}") + f"\n\n{end}\n") == said()


@each_case(
    "title",
    ["ACT II", "Scene 2. A kitchen.", "SCENE 3\n\nA kitchen. Night. A lamp burns.",
     "ACT II\n\nSCENE 1\n\n[Enter a cook.]", "SZENE 4\n\nEine Küche. Nacht."],
)  # fmt: skip
@each_case("form", ["{name}. {text}", "{name}: {text}", "{name}\n{text}"])
def test_titles_of_scenes_between_turns_are_no_speech(form: str, title: str) -> None:
    names = ("ANN", "BEN")
    first, *others = talk(form, names).split("\n\n")
    text = "\n\n".join([first, *others[:3], title, *others[3:]])
    assert turns(text) == said(names)


@pytest.mark.parametrize("page", ["Mill Council   {n}", "- {n} -", "{n} | Mill Council"])
def test_heads_of_pages_with_numbers_are_no_speech(page: str) -> None:
    paragraphs = talk("{name}: {text}").split("\n\n")
    for n in (1, 2):
        paragraphs.insert(4 * n - 1, page.format(n=n))
    assert turns("\n\n".join(paragraphs)) == said()


SCREENPLAY = """FADE IN:

INT. KITCHEN - NIGHT

A lamp burns. The cook looks at the door.

ANN
Who is there?

BEN (O.S.)
(quietly)
It is me. Open the door.

He knocks again.

ANN (CONT'D)
It is open.

CUT TO:

EXT. ROAD - DAY

BEN
You were late.
"""


def test_a_screenplay_whose_indents_are_lost() -> None:
    assert turns(SCREENPLAY) == [
        ("ANN", None, "Who is there?"), ("BEN", None, "It is me. Open the door."),
        ("ANN", None, "It is open."), ("BEN", None, "You were late."),
    ]  # fmt: skip


def test_transitions_of_a_screenplay_are_no_speech() -> None:
    indents = {"ANN": 20, "BEN": 20, "CUT TO:": 50}
    lines = SCREENPLAY.replace("\nYou were", "\nI know, you\nwere").splitlines()
    lines = [
        " " * next((n for x, n in indents.items() if line.startswith(x)), 10 * (above in "AB"))
        + line
        for above, line in zip(["-", *(line[:1] or "-" for line in lines)], lines, strict=False)
    ]
    words = " ".join(text for _, _, text in turns("\n".join(lines)))
    assert "CUT" not in words
    assert "Who is there?" in words


@pytest.mark.parametrize("name", ["4-STAR GENERAL", "2ND COP", "BLACK MAILMAN", "OLD BLACK JOE"])
def test_names_of_a_screenplay_with_numbers_or_colours(name: str) -> None:
    assert turns(SCREENPLAY.replace("\nBEN", f"\n{name}")) == [
        ("ANN", None, "Who is there?"), (name, None, "It is me. Open the door."),
        ("ANN", None, "It is open."), (name, None, "You were late."),
    ]  # fmt: skip
    ends = SCREENPLAY.replace("CUT TO:", "FADE TO BLACK.") + "\nBLACK SCREEN\n"
    assert turns(ends) == turns(SCREENPLAY)


@pytest.mark.parametrize("fields", ["Word Meaning Example", "Title Author Year Abstract"])
def test_fields_in_one_order_are_no_turns(fields: str) -> None:
    records = (
        "\n".join(f"{name}: {text}" for name, text in zip(fields.split(), SAID[n:], strict=False))
        for n in range(4)
    )
    text = "\n\n".join(records)
    assert choice_of(list(enumerate(text.splitlines(), 1))).trust < Trust.SURE


def test_values_behind_equals_signs_are_no_turns() -> None:
    text = "".join(f'{("fast", "slow")[n % 2]} = "{x}" -> 0.{n}\n' for n, x in enumerate(SAID))
    assert {s.speaker for s in formats.read(named(text))} == {None}


def test_the_title_of_a_part_above_the_first_listed_person_is_no_speaker() -> None:
    text = "Attendees:\nAnn\nBen\n\nDiscussion:\n\n" + talk("{name}:\n{text}")
    assert turns(text) == said()
