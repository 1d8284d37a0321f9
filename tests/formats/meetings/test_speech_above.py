"""Speech above the first turn, and words outside of turns that a warning counts."""

import pytest

import formats
from formats.meetings.messages import (
    LONG_ABOVE,
    LONG_BETWEEN,
    SPEECH_ABOVE,
    TURNS_ABOVE,
    TURNS_BETWEEN,
)
from tests.each_case import each_case
from tests.formats.meetings.said import SAID, named, turns
from tests.formats.meetings.test_documents import ASKED, spoken, typed
from tests.remarks import fields_of

LONG = "We came to the old town in May, and my mother told us of the river."
PARAGRAPH = " ".join([LONG] * 4)
TALK = [("Ann Ex", "11:00"), ("Bob Roe", "11:20"), ("Ann Ex", "11:45"), ("Bob Roe", "12:10")]
TIMED = "".join(f"{name} ({at}):\n{text}\n" for (name, at), text in zip(TALK, SAID, strict=False))
SPEECH = f"{PARAGRAPH}\n" * 15
"""960 words, which fill eleven minutes."""


def test_sentences_that_fill_the_time_above_the_first_turn_are_speech() -> None:
    read = formats.read(named(SPEECH + TIMED))
    first, second = read.segments[:2]
    assert (first.speaker, first.end, len(first.words)) == (None, 660.0, 960)
    assert (second.speaker, second.start) == ("Ann Ex", 660.0)
    assert fields_of(read.diagnostics, SPEECH_ABOVE)


@each_case(
    "above",
    [
        f"The old town\n{SPEECH}",  # a title
        f"# The old town\n{SPEECH}",
        f"{SPEECH}Guests:\n",
        f"{PARAGRAPH}\n",  # sixty words in eleven minutes
        SPEECH * 10,  # nobody speaks as fast as this
        f"{SPEECH}- https://example.org/town\n",
    ],
)
def test_other_words_above_the_first_turn_are_a_head(above: str) -> None:
    read = formats.read(named(above + TIMED))
    assert [s.speaker for s in read.segments] == [name for name, _ in TALK]
    assert fields_of(read.diagnostics, LONG_ABOVE)
    assert not fields_of(read.diagnostics, SPEECH_ABOVE)


def test_a_description_above_an_early_time_is_no_speech() -> None:
    talk = TIMED.replace("(11:", "(0:").replace("(12:", "(1:").replace("(0:00)", "(0:20)", 1)
    assert turns(f"{PARAGRAPH}\n{talk}")[0][0] == "Ann Ex"


def test_a_name_alone_at_the_top_in_another_case_begins_a_turn() -> None:
    talk = [("ME", LONG), *(("Me" if n == "Bob" else n, text) for n, text in ASKED)]
    assert spoken(typed(talk, "{}:\n{}\n\n")) == talk


@each_case("field", ["PLACE: Old Town", "CALLER: 5 May"])
def test_fields_in_capitals_begin_no_turn(field: str) -> None:
    assert spoken(f"{field}\n\n{typed(ASKED)}") == ASKED
    name = field.partition(":")[0].title()
    talk = [("Ann" if n == "Ann" else name, text) for n, text in ASKED]
    assert spoken(f"{field}\n\n{typed(talk)}") == talk


@each_case(
    ("above", "words"),
    [
        ("A talk of May\n\n", 0),
        (f"{LONG} {LONG}\n\n", 32),  # many for a short text
        (f"{LONG}\n\n", 0),
        (f"A talk of May\n\n{PARAGRAPH}\n\n", 64),
        ("Notes\n\nWe met.\n\n", 0),
        ("A talk\n\n" + "- We met in the old town again.\n" * 12 + "\n", 0),  # a list
        ("A talk\n\n" + "The old town\n" * 5 + "\n", 0),
        ("A talk\n\n" + "(We met in the old town in May.)\n" * 9 + "\n", 0),  # notes
        ("A talk\n\n" + "See https://example.org/old/town and its page.\n" * 9 + "\n", 0),
    ],
)
def test_words_in_sentences_above_the_first_turn_are_counted(above: str, words: int) -> None:
    read = formats.read(named(above + typed(ASKED)))
    assert [(s.speaker, " ".join(s.words)) for s in read.segments] == ASKED
    assert [x["words"] for x in fields_of(read.diagnostics, LONG_ABOVE)] == [words] * bool(words)
    assert len(fields_of(read.diagnostics, TURNS_ABOVE)) == (not words)


def test_in_a_long_text_a_sentence_above_is_a_note() -> None:
    read = formats.read(named(f"{LONG} {LONG}\n\n{typed(ASKED * 19)}"))
    assert fields_of(read.diagnostics, TURNS_ABOVE)
    assert not fields_of(read.diagnostics, LONG_ABOVE)


@pytest.mark.parametrize("below", [PARAGRAPH, "The old town\n\nIn May"])
def test_words_below_the_last_rule_are_counted(below: str) -> None:
    head = "".join(f"{name}: {text}\n\n" for name, text in ASKED)
    read = formats.read(named(f"# Part 1\n\n{head}# Part 2\n\n{head}# Epilogue\n\n{below}\n"))
    assert len(read.segments) == 2 * len(ASKED)
    counted = [x["words"] for x in fields_of(read.diagnostics, LONG_BETWEEN)]
    assert counted == ([64] if below == PARAGRAPH else [])
    assert bool(fields_of(read.diagnostics, TURNS_BETWEEN)) == (below != PARAGRAPH)


def test_plays_above_the_first_act_of_another_are_read() -> None:
    """A print of several plays: only the last has acts, and other persons speak in each."""
    notes = "Two Plays\n\nThe persons of both are old, and the author was young.\n\n"
    text, expected = notes, []
    for title, people in (("THE ROAD", ("CARL", "DORA")), ("THE BRIDGE", ("ANNA", "BRUNO"))):
        text += f"{title}\n\nPERSONS\n\n{people[0]}, a guard\n\n{people[1]}, his wife\n\n"
        text += "ACT I\n\n" if "ANNA" in people else ""
        for n, line in enumerate(SAID):
            text += f"{people[n % 2]}. {line}\n\n"
            expected.append((people[n % 2], line))
        text += "ACT II\n\n" if "ANNA" in people else ""
    for n, line in enumerate(SAID):
        text += f"{('ANNA', 'BRUNO')[n % 2]}. {line}\n\n"
        expected.append((("ANNA", "BRUNO")[n % 2], line))
    assert [name for name, _ in spoken(text)] == [name for name, _ in expected]


@pytest.mark.parametrize(("above", "is_read"), [(SAID[0], True), ("The bridge", False)])
def test_sentences_before_the_first_time_of_a_paragraph_are_speech(
    above: str, is_read: bool
) -> None:
    times = "".join(
        f" [00:{n}] {said}" for n, said in zip((12, 30, 42, 55), SAID[1:], strict=False)
    )
    found = turns(f"{above}{times}\n")
    assert (found[0] == (None, None, above)) == is_read
    assert [start for _, start, _ in found if start is not None] == [12.0, 30.0, 42.0, 55.0]


CAPTIONS = "0:02\nof the old town so we might\n0:05\ngo down to the river\n0:09\nand see it\n"


@pytest.mark.parametrize(
    ("above", "is_read"),
    [
        ("I want to tell you a bit more", True),
        ("so this is a talk", True),
        ("ich erzähle heute mehr", True),
        ("A Talk On The Old Town", False),
        ("so this is a talk " * 8, False),  # nobody speaks as fast as this
        ("talk", False),
    ],
)
def test_captions_that_go_on_below_the_first_time_are_speech(above: str, is_read: bool) -> None:
    found = turns(f"{above}\n{CAPTIONS}")
    assert (" ".join(found[0][2].split()) == above) == is_read
    assert [start for _, start, _ in found if start is not None] == [2.0, 5.0, 9.0]
