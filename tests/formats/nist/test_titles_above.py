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
    The Lost Coin - Ann Ex
    The Good Shepherd
    John 3:16-18
    **Ann Ex**
    Detected language: English
    桥与路
    الجسر والطريق
"""
SPEECH = """
    大家好
    أيها الإخوة
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
    Chapter One
    Part 2
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


TEXT = " ".join(SENTENCES)


@each_case(
    "form, speaker",
    [
        ("Host: {}\n\nSo it is.", "Host"),
        ("NARRATOR: {}\nSo it is.", "NARRATOR"),
        ("HOST:\n{}\n\nSo it is.", "HOST"),
        ("Transcript: {}\nSo it is.\nConfidence: 0.93", None),
        ("Text: {} So it is.", None),
        ("Language: en\n{} So it is.", None),
        ("{}\n\nSo it is.\n\nEND", None),
        ("{} So it is.\n\n[End of recording]", None),
        ("{} So it is.\n\nTranscribed by Ann Ex, 5 May 2024", None),
        ("Sure! Here is the transcript of the audio:\n\n{} So it is.", None),
        ("Here is the transcription:\n\n{} So it is.\n\nLet me know if I can help!", None),
    ],
)
def test_labels_and_feet_of_a_text_are_no_words(
    form: str, speaker: str | None, read_text: ReadText
) -> None:
    (segment,) = read_text(form.format(TEXT), "txt")
    assert (segment.speaker, " ".join(segment.words)) == (speaker, f"{TEXT} So it is.")


@each_case("line", ["Let me know if I can help!", "In the end we went home.", "This is it."])
def test_sentences_at_the_end_are_read(line: str, read_text: ReadText) -> None:
    (segment,) = read_text(f"{TEXT}\n\n{line}", "txt")
    assert " ".join(segment.words) == f"{TEXT} {line}"


def test_titles_above_parts_of_a_song(read_text: ReadText) -> None:
    song = "Ann Ex\nThe Lost Coin\n\n[Verse 1]\n{0}\n\n[Verse 2]\n{0}\n".format("\n".join(SMALL))
    assert " ".join(read_text(song, "txt")[0].words) == " ".join(SMALL * 2)


def test_a_host_may_be_a_field_of_the_head(read_text: ReadText) -> None:
    (segment,) = read_text(f"Host: Ann Ex\nGuest: Ben Lee\n\n{TEXT}", "txt")
    assert (segment.speaker, " ".join(segment.words)) == (None, TEXT)
