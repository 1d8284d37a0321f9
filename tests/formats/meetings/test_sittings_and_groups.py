"""Sittings with names in capitals, choruses, persons who speak together, and turns with an arrow."""

from __future__ import annotations

import formats
from formats.meetings.turns.choice import Trust, choice_of
from tests.each_case import each_case
from tests.formats.meetings.said import named, turns

SITTING = """GRAND ASSEMBLY OF THE NORTH

Sitting of 4 May

PRESIDENT{0}I open the tenth sitting.

There are enough members present, and we begin.

The first word belongs to Mr. Holm.

JAN PETER HOLM (Coast){0}Madam President, I greet you all.

Our hospitals are old, and they are too few.

We built two of them in ten years.

PRESIDENT{0}Thank you, Mr. Holm.

JAN PETER HOLM (Continuing){0}Then I thank you.

PRESIDENT{0}The second word belongs to Ms. Weiss.

ANNA WEISS (Hills){0}Thank you, Madam President.

Our roads are bad.

When will they be mended?

PRESIDENT{0}Thank you.
"""
SPEAKERS = ["PRESIDENT", "JAN PETER HOLM"] * 2 + ["PRESIDENT", "ANNA WEISS", "PRESIDENT"]
PLAY = [
    ("CREON", "Who comes to the gate so late?"),
    ("CHORUS", "An old man comes, and he is alone."),
    ("ANTIGONE", "It is my uncle. Let him in."),
    ("CHORUS", "We let him in, and we are afraid."),
    ("CREON", "Why are you afraid of an old man?"),
    ("ANTIGONE", "They know what you have done."),
    ("CHORUS", "We know it, and we say nothing."),
]


@each_case("sign", [" - ", " -", ". "])
def test_sittings_have_many_paragraphs_for_each_name(sign: str) -> None:
    heard = turns(SITTING.format(sign))
    assert [speaker for speaker, _, _ in heard] == SPEAKERS
    assert heard[1][2].endswith("We built two of them in ten years.")


def test_titles_of_other_languages_are_no_names() -> None:
    names = {
        "PRESIDENT{0}": "O SR. PRESIDENTE (Jan Stein){0}", "JAN PETER HOLM": "O SR. JAN HOLM",
        "ANNA WEISS": "A SRA. ANNA WEISS",
    }  # fmt: skip
    text = SITTING
    for name, other in names.items():
        text = text.replace(name, other)
    heard = [speaker for speaker, _, _ in turns(text.format(" - "))]
    assert heard[3:6] == ["O SR. JAN HOLM", "O SR. PRESIDENTE", "A SRA. ANNA WEISS"]


def test_french_titles_are_before_names() -> None:
    names = {
        "PRESIDENT": "M. le président", "JAN PETER HOLM (Coast)": "M. Jan Holm",
        "JAN PETER HOLM (Continuing)": "M. Jan Holm", "ANNA WEISS (Hills)": "Mme Anna Weiss",
    }  # fmt: skip
    text = SITTING
    for name, other in names.items():
        text = text.replace(name, other)
    heard = [speaker for speaker, _, _ in turns(text.format(". "))]
    assert heard == [
        *("M. le président", "M. Jan Holm") * 2, "M. le président", "Mme Anna Weiss",
        "M. le président",
    ]  # fmt: skip


def test_names_of_one_word_in_capitals_may_be_notes() -> None:
    words = {"JAN PETER HOLM (Coast)": "NOTE", "JAN PETER HOLM (Continuing)": "WARNING"}
    text = SITTING.format(" - ").replace("ANNA WEISS (Hills)", "NOTE")
    for name, word in words.items():
        text = text.replace(name, word)
    assert choice_of(list(enumerate(text.splitlines(), 1))).trust < Trust.SURE


@each_case("form", ["{}:\n{}\n\n", "{}\n{}\n\n", "{}: {}\n", "{}.\n{}\n\n"])
@each_case("name", ["CHORUS", "CORO"])
def test_a_chorus_speaks_in_a_play(form: str, name: str) -> None:
    said = [(speaker.replace("CHORUS", name), text) for speaker, text in PLAY]
    text = "".join(form.format(*turn) for turn in said)
    assert [(speaker, text) for speaker, _, text in turns(text)] == said


def test_a_chorus_among_verses_is_a_part_of_a_song() -> None:
    parts = ["Verse 1", "Chorus", "Verse 2", "Chorus"]
    text = "".join(f"{part}:\nRow, row, my friend,\nto the other side\n\n" for part in parts)
    assert {speaker for speaker, _, _ in turns(text)} == {None}


@each_case("everybody", ["Everyone", "All", "Alle", "Todos"])
def test_several_persons_speak_together_among_names_alone(everybody: str) -> None:
    talk = [("Mike", "Shall we stop?"), ("Sarah", "One more thing."), ("Mike", "Go on.")]
    text = "".join(f"**{name}**\n{words}\n\n" for name, words in talk)
    text = f"{text}{everybody}: Please!\n\n**Sarah**\nThe road is open.\n"
    heard = [(speaker, words) for speaker, _, words in turns(text)]
    assert heard == [*talk, (everybody, "Please!"), ("Sarah", "The road is open.")]


def test_a_name_with_a_colon_alone_is_above_a_list() -> None:
    asked = ["Who made it?", "Does it stand?", "When was it mended?"]
    text = "".join(f'### Q: {question}\n\n**A:** "Not I."\n\n' for question in asked)
    text = text.replace('**A:** "Not I."', "**A:**\n\n- my uncle\n- a smith", 1)
    heard = [(speaker, words) for speaker, _, words in turns(text)]
    assert heard[:2] == [("Q", "Who made it?"), ("A", "- my uncle - a smith")]
    assert len(heard) == 6


@each_case("form", ["{}->{}: {}\n", "{} -> {}: {}\n", "{} → {}: {}\n"])
def test_the_name_before_an_arrow_speaks(form: str) -> None:
    talk = [
        ("Mia", "Tom", "So we begin with the map."), ("Tom", "Mia", "Yes, please."),
        ("Mia", "Ann", "Where is the key?"), ("Ann", "Mia", "It is on the left."),
        ("Tom", "All", "I see it."), ("Mia", "All", "Then we go."),
    ]  # fmt: skip
    heard = turns("".join(form.format(*turn) for turn in talk))
    assert [(speaker, words) for speaker, _, words in heard] == [
        (name, words) for name, _, words in talk
    ]


def test_phrases_below_each_heading_are_fields() -> None:
    part = (
        "## {0}. Scene\n\n**Scene note:** The boat {0} lies at the quay.\n\n"
        "**Other text:** A boat {0}.\n\n**English text:** A boat, morning light.\n\n"
    )
    text = "".join(map(part.format, range(1, 7)))
    assert choice_of(list(enumerate(text.splitlines(), 1))).trust < Trust.SURE


def test_persons_below_each_heading_speak() -> None:
    part = (
        "### Round {0}\n\n**Ann:** I say that river {0} is long.\n\n"
        "**Ben:** And I say that it is not.\n\n**Judge:** Ann has the point.\n\n"
    )
    text = "".join(map(part.format, range(1, 6)))
    transcript = formats.read(named(text))
    assert [s.speaker for s in transcript] == ["Ann", "Ben", "Judge"] * 5
