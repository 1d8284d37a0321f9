"""Titles, dates and names above a text: what surely nobody says is no word."""

from __future__ import annotations

from formats.nist.messages import TXT_TITLES
from formats.nist.titles_above import titles_above
from tests.each_case import each_case
from tests.formats.conftest import ReadText
from tests.remarks import said

SENTENCES = [
    "So the bridge is closed again. They told me that on Monday, too.",
    "I take the long way round. It is half an hour more every day!",
    "Did anybody say when it opens? Not before the summer, I am afraid.",
]
SMALL = ["so the bridge is closed again", "they told me that on monday too", "i take the long way"]
TITLES = """
    The Lost Coin of Bern
    THE LOST COIN
    Der Weg nach Bern
    Ann Example
    Introduction
    Einleitung
    17-04-2025
    Monday, 5 May 2024
    Transcription of CS Project-
    Time -
    Interview with Ann Ex
    Lecture 3
    Episode 12: why bridges fall
    Chapter One
"""
SPEECH = """
    Good Evening Bern
    Hello Everyone
    Dear Friends:
    Meine Damen und Herren
    Ladies and Gentlemen
    Mr. President
    Thank You
    Ich bin Ann
    Our show: a talk with Ann
    How to use the bridge
    Silence
    A day
    Ann said:
    Welcome to Bern
    So It Was.
    This Is It
"""


@each_case("title", filter(None, map(str.strip, TITLES.splitlines())))
def test_titles_above_sentences_are_no_words(title: str, read_text: ReadText) -> None:
    transcript = read_text("\n\n".join([title, *SENTENCES]), "txt")
    assert " ".join(transcript[0].words) == " ".join(SENTENCES)
    assert said(transcript.diagnostics) == [(TXT_TITLES["titles"].key, {"lines": 1, "text": title})]


@each_case("line", filter(None, map(str.strip, SPEECH.splitlines())))
def test_what_may_be_said_is_read(line: str, read_text: ReadText) -> None:
    for rest in (SENTENCES, SMALL):
        transcript = read_text("\n\n".join([line, *rest]), "txt")
        assert " ".join(transcript[0].words) == " ".join([line, *rest])


def test_several_titles_are_left_out_together(read_text: ReadText) -> None:
    above = ["The Lost Coin", "by Ann Ex", "5 May 2021"]
    (segment,) = read_text("\n".join([*above, "", "\n\n".join(SENTENCES)]), "txt")
    assert " ".join(segment.words) == " ".join(SENTENCES)


@each_case("form", ["ANN EX ():\n\n{}", "Ann Ex:\n{}", "Speaker 1\n{}", "**Ann Ex:**\n\n{}"])
def test_the_only_name_above_a_text_is_that_of_its_speaker(form: str, read_text: ReadText) -> None:
    (segment,) = read_text(form.format(" ".join(SENTENCES)), "txt")
    assert (segment.speaker or "").lower() in ("ann ex", "speaker 1")
    assert " ".join(segment.words) == " ".join(SENTENCES)


def test_titles_of_small_letters_above_a_recognised_text(read_text: ReadText) -> None:
    """A title with capitals stands out from a text without sentences; a date is none of it."""
    rest = "\n".join(SMALL * 3)
    for title in ("The Lost Coin", "17-04-2025"):
        (segment,) = read_text(f"{title}\n\n{rest}", "txt")
        assert " ".join(segment.words) == " ".join(SMALL * 3)


def test_titles_need_a_text_below_that_is_apart_and_longer() -> None:
    assert not titles_above(["The Lost Coin", *SENTENCES]).lines
    assert titles_above(["The Lost Coin", *SENTENCES * 4]).lines
    assert not titles_above(["The Lost Coin", "", "So it was."]).lines
    assert not titles_above(["The Lost Coin", "", "The River Song", "The Mill"]).lines
    assert not titles_above(["The Lost Coin", "", *["The river runs below the town"] * 3]).lines


def test_a_generic_name_before_the_only_turn_is_its_speaker(read_text: ReadText) -> None:
    text = " ".join(SENTENCES)
    (segment,) = read_text(f"Speaker 1: {text}", "txt")
    assert (segment.speaker, " ".join(segment.words)) == ("Speaker 1", text)
    for first in ("Ann: so", "Note: so", "Speaker 1: so. Speaker 2: no", "The speaker 1: so"):
        (segment,) = read_text(f"{first} {text}", "txt")
        assert (segment.speaker, " ".join(segment.words)) == (None, f"{first} {text}")


def test_one_of_several_names_alone_is_not_the_only_speaker(read_text: ReadText) -> None:
    (segment,) = read_text(f"Ann Ex:\n{SENTENCES[0]}\n\nBen Lee:\n{SENTENCES[1]}", "txt")
    assert segment.speaker is None
