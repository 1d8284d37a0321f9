"""Rows as CSV and as JSON have the same answer; what is above a table, and what a file says."""

import csv
import json
from io import BytesIO, StringIO
from typing import Any

import pytest

import formats
from formats.schema.model import Segment
from tests.formats.checks import codes

Row = dict[str, Any]
TALK = ["so it is, then", "well, that was late", "and what did they say?", "they went home"]


def read(kind: str | None, text: str) -> tuple[list[Segment], list[str]]:
    """The segments of a file and the codes of its messages."""
    stream = formats.read(BytesIO(text.encode()), kind)
    segments = list(stream)
    return segments, codes(stream)


def as_csv(rows: list[Row]) -> str:
    """The rows as a table."""
    out = StringIO()
    writer = csv.DictWriter(out, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def both(rows: list[Row]) -> list[tuple[list[Segment], list[str]]]:
    """What each door makes of rows: a table, and a list of objects."""
    return [read("csv", as_csv(rows)), read(None, json.dumps(rows))]


LESSONS: list[Row] = [
    {"lesson": lesson, "dialogue_id": talk, "speaker": "AB"[n % 2], "text": f"{TALK[n]} {lesson}"}
    for lesson in (1, 2)
    for talk in (1, 2)
    for n in range(4)
]
KEYED: list[Row] = [
    {"speaker": "Ellie", "text": "IntroV4 (so it is, then)"},
    {"speaker": "Guest", "text": "well, that was late (laughs)"},
    {"speaker": "Ellie", "text": "what_they_said (and what did they say?)"},
    {"speaker": "Guest", "text": "they went home"},
    {"speaker": "Ellie", "text": "bye (goodbye)"},
]


def test_talks_are_counted_within_lessons() -> None:
    """A number of a talk that begins again in each lesson names a recording with the lesson."""
    for segments, _ in both(LESSONS):
        assert list(dict.fromkeys(s.recording for s in segments)) == ["1-1", "1-2", "2-1", "2-2"]
        assert [" ".join(s.words) for s in segments] == [row["text"] for row in LESSONS]


def test_talks_of_one_lesson_are_named_by_their_numbers() -> None:
    """Without lessons whose talks begin again, the number alone is the name."""
    for segments, _ in both(LESSONS[:8]):
        assert list(dict.fromkeys(s.recording for s in segments)) == ["1", "2"]


def test_keys_of_prompts_are_no_words() -> None:
    """Of a key with the words in brackets behind it, the words are read; laughs stay."""
    for segments, said in both(KEYED):
        assert [" ".join(s.words) for s in segments] == [
            "so it is, then", "well, that was late (laughs)", "and what did they say?",
            "they went home", "goodbye",
        ]  # fmt: skip
        assert "TAG" in said


def test_messages_of_the_system_are_no_turns() -> None:
    """The instructions to a model are left out beside those of a bot and a user."""
    roles = ["system", "bot", "user", "bot"]
    rows = [{"role": role, "text": text} for role, text in zip(roles, TALK, strict=True)]
    for segments, said in both(rows):
        assert [s.speaker for s in segments] == roles[1:]
        assert "WRAPPED" in said


def test_chats_with_the_newest_first_are_turned_round() -> None:
    """Messages whose dates go back are read from the last to the first."""
    rows = [
        {"sender": "Ann" if n % 2 else "Ben", "date": f"2024-05-01 10:0{n}:00", "message": TALK[n]}
        for n in (3, 2, 1, 0)
    ]
    for segments, said in both(rows):
        assert [" ".join(s.words) for s in segments] == TALK
        assert said.count("TIME-OF-DAY") == 2


def test_languages_of_one_text_are_warned_of() -> None:
    """A warning reports ids with a row in each language, but no rows whose ids all differ."""
    rows = [
        {"id": n, "lang": lang, "text": f"{TALK[n]} {lang}"}
        for n in range(4)
        for lang in ("en", "de")
    ]
    for number, expected in ((0, True), (1, False)):
        several = [row | {"id": n if number else row["id"]} for n, row in enumerate(rows)]
        _, said = read("csv", as_csv(several))
        assert ("ROLE" in said) is expected


@pytest.mark.parametrize(
    "above",
    ["Meeting,Weekly\nDate,12 May\nSpeaker,\n\n", "Weekly talk\n\n", "Date,12 May,,\n,,,\n", ""],
)
def test_rows_above_a_table_say_what_it_is(above: str) -> None:
    """Pairs of a name and a value above the names of columns are no rows."""
    segments, _ = read("csv", f"{above}Speaker,Start,End,Text\nAnn,0.5,2,so it is\nBen,2,3,no\n")
    assert [(s.speaker, " ".join(s.words)) for s in segments] == [
        ("Ann", "so it is"),
        ("Ben", "no"),
    ]


def test_a_row_that_names_a_role_is_a_row() -> None:
    """A row of two cells in a table of two columns is no name of columns."""
    segments, _ = read("csv", "Speaker,Text\nAnn,so it is\nStart,we begin\nBen,yes\n")
    assert [s.speaker for s in segments] == ["Ann", "Start", "Ben"]


def test_marks_without_a_pair_are_parts_of_texts_with_tabs() -> None:
    """A quotation mark at the beginning of a field is a sign if it is not closed."""
    segments, _ = read("tsv", 'speaker\ttext\nAnn\t"so it is\nBen\tsaid "no\nAnn\t5" long\n')
    assert [" ".join(s.words) for s in segments] == ['"so it is', 'said "no', '5" long']
    segments, _ = read("tsv", 'id\ttext\n1\t"so it is,\nand so on"\n2\t"no, never"\n')
    assert [" ".join(s.words) for s in segments] == ["so it is, and so on", "no, never"]


def talk_of(value: Any) -> tuple[list[tuple[str | None, str]], list[str]]:
    """The speakers and texts of a JSON file, and the codes of its messages."""
    segments, said = read(None, json.dumps(value))
    return [(s.speaker, " ".join(s.words)) for s in segments], said


def test_the_language_of_the_file_chooses_the_text() -> None:
    """Of turns with a text in each language, that of the file's language is read."""
    turns = [{"speaker": "Ann", "en": text, "de": f"ja {text}"} for text in TALK]
    said, _ = talk_of({"language": "de", "turns": turns})
    assert said == [("Ann", f"ja {text}") for text in TALK]


def test_one_person_with_lines_is_the_speaker() -> None:
    """The name beside a list of lines is the speaker; a title with small letters is none."""
    said, _ = talk_of({"name": "Guard", "age": 40, "dialogue": TALK})
    assert said == [("Guard", text) for text in TALK]
    said, _ = talk_of({"name": "At the market", "dialogue": TALK})
    assert said == [(None, text) for text in TALK]


def test_objects_of_parties_are_one_talk() -> None:
    """Turns in an object for each party are sorted by their times; plain members are left."""
    first, second = (
        [{"start": n, "end": n + 1, "text": TALK[n]} for n in some] for some in ((0, 2), (1, 3))
    )
    value = {
        "call": "c1",
        "agent": {"line": 0, "segments": first},
        "customer": {"segments": second},
    }
    assert talk_of(value)[0] == [*zip(["agent", "customer"] * 2, TALK, strict=True)]


def test_moments_beside_transcripts_are_no_turns() -> None:
    """Rows of other kinds than the transcripts that most rows are, are left."""
    names = ["Ann", "Ben"] * 2
    pairs = [*zip(names, TALK, strict=True)]
    lines = [{"type": "transcript", "name": name, "content": text} for name, text in pairs]
    moment = {"type": "ai_moment", "name": "Ann", "content": "positive"}
    assert talk_of({"lines": [*lines, moment]})[0] == pairs


def test_times_and_parties_of_calls_are_known() -> None:
    """Names of services for the time in a call and for the party."""
    rows = [
        {
            "participantPurpose": "internal" if n % 2 else "external",
            "text": text,
            "time_in_call_secs": n,
        }
        for n, text in enumerate(TALK)
    ]
    segments, _ = read(None, json.dumps({"phrases": rows}))
    assert [s.start_ns for s in segments] == [n * 10**9 for n in range(4)]
    assert [s.speaker for s in segments] == ["external", "internal"] * 2


def test_talks_with_members_of_their_own_are_read() -> None:
    """Lists of turns beside each other are talks, also if only some turns have a further member."""
    turns = [{"speaker": "Ann" if n % 2 else "Ben", "text": text} for n, text in enumerate(TALK)]
    intro = [{**turn, "next": n} for n, turn in enumerate(turns[:2])]
    said, _ = talk_of({"scenes": {"intro": intro, "garden": turns[2:]}})
    assert said == [(turn["speaker"], turn["text"]) for turn in turns]


def test_a_row_of_sums_is_no_turn() -> None:
    """A last row that begins with the word for a sum and has no start is not read."""
    rows = "Speaker,Start,Text\n" + "".join(f"Ann,{n},so it is\n" for n in range(4))
    segments, said = read("csv", f"{rows}Total,,4 turns\n")
    assert (len(segments), "ROWS-LEFT" in said) == (4, True)
    segments, _ = read("csv", f"{rows}Total,9,that was all\n")
    assert len(segments) == 5


def test_questions_and_answers_of_a_type_are_speakers() -> None:
    """Rows of the types Q and A are turns of two speakers."""
    rows = [{"type": "QA"[n % 2], "text": text} for n, text in enumerate(TALK)]
    assert talk_of({"transcript": rows})[0] == [*zip("QAQA", TALK, strict=True)]
