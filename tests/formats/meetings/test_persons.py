"""Persons named in two ways, titles beside times, continued lines, and marks of speaker changes."""

import pytest

from formats.meetings.messages import SAME_PERSONS
from formats.nist.messages import TXT_COUNTED, TXT_TIMES
from tests.each_case import each_case
from tests.formats.conftest import ReadText

BROADCAST = """ANN WEST, NEWS ANCHOR: Good evening from the studio.
JOE SAMPLE, MAYOR OF THE CITY OF THE NORTH: We will see.
WEST: Let us go on.
SAMPLE: Thank you, I have one thing to say.
LIZ OTHER (voice-over): It was late.
WEST: What is it?
OTHER: We go on.
SAMPLE: Nothing at all.
OTHER: So be it.
"""


def test_a_title_at_the_first_turn_belongs_to_the_speaker_who_returns(read_text: ReadText) -> None:
    read = read_text(BROADCAST, None)
    names = ["WEST", "SAMPLE", "WEST", "SAMPLE", "OTHER", "WEST", "OTHER"]
    assert [s.speaker for s in read.segments] == [*names, "SAMPLE", "OTHER"]
    (note,) = [d for d in read.diagnostics if d.value.entry is SAME_PERSONS]
    assert note.value.fields["count"] == 3


def test_a_last_name_of_two_persons_stays_as_it_is(read_text: ReadText) -> None:
    names = ["ANN EX", "BOB EX", "EX", "LEE", "EX", "LEE", "EX", "LEE"]
    read = read_text("".join(f"{name}: We go on with it.\n" for name in names), "speaker-text")
    assert [s.speaker for s in read.segments] == names


def test_a_name_with_two_roles_may_be_of_two_persons(read_text: ReadText) -> None:
    names = ["Ann (Bern)", "Ann (Rome)", "Bob", "Ann", "Bob", "Ann"]
    read = read_text("".join(f"{name}: We go on with it.\n" for name in names), "speaker-text")
    assert [s.speaker for s in read.segments] == names


@each_case(
    "form",
    ["{n} ({r}): {t}\n", "{n}, {r}: {t}\n", "**{n} ({r}):** {t}\n", "{n} ({r})\n{t}\n\n",
     "{n}, {r}\n{t}\n\n", "{n} -- {r}\n{t}\n\n", "{n} ({r}):\n{t}\n\n"],
)  # fmt: skip
def test_a_role_beside_a_name_is_a_property_in_every_layout(form: str, read_text: ReadText) -> None:
    persons = [("Carol Hart", "Labour"), ("Bob Lee", "Green"), ("Eve Day", "Labour")] * 4
    said = ["What is it that we do now?", "We go on with the roof.", "I think that you can."]
    text = "".join(form.format(n=n, r=r, t=said[k % 3]) for k, (n, r) in enumerate(persons))
    read = read_text(text, None)
    assert [(s.speaker, dict(s.properties).get("role")) for s in read.segments] == persons
    assert [" ".join(s.words) for s in read.segments] == said * 4


def test_one_word_before_a_comma_is_a_last_name_unless_others_have_the_same_role(
    read_text: ReadText,
) -> None:
    form = "{}: We go on with it, as you know.\n"
    names = ["Smith, John", "Lee, Ann"] * 3
    read = read_text("".join(map(form.format, names)), None)
    assert [s.speaker for s in read.segments] == names
    read = read_text("".join(map(form.format, ["Smith, Labour", "Lee, Labour"] * 3)), None)
    assert [s.speaker for s in read.segments] == ["Smith", "Lee"] * 3


def test_persons_who_speak_together_are_no_roles(read_text: ReadText) -> None:
    names = ["Ann Ex", "Bob Lee", "Ann Ex, Bob Lee", "Ann Ex", "Bob Lee", "Ann Ex"]
    read = read_text("".join(f"{name}: We go on with it.\n" for name in names), None)
    assert [s.speaker for s in read.segments] == names


def test_names_that_differ_in_capitals_alone_are_one_speaker(read_text: ReadText) -> None:
    names = ["Ms. SAWYER", "Mr. Roe", "Ms. Sawyer", "Mr. Roe", "Ms. Sawyer", "Mr. Roe"]
    read = read_text("".join(f"{name}: I go on with it.\n" for name in names), None)
    assert [s.speaker for s in read.segments] == ["Ms. Sawyer", "Mr. Roe"] * 3
    assert SAME_PERSONS in [d.value.entry for d in read.diagnostics]


def test_names_over_rules_speak_the_stamped_lines_below(read_text: ReadText) -> None:
    part = "Speaker {k}\n---------\n[0:0{s} - 0:0{t}] so it is\n[0:0{t} - 0:0{e}] and was\n\n"
    text = "".join(part.format(k=n % 2 + 1, s=3 * n, t=3 * n + 1, e=3 * n + 2) for n in range(3))
    read = read_text(text, None)
    names = ["Speaker 1"] * 2 + ["Speaker 2"] * 2 + ["Speaker 1"] * 2
    assert [s.speaker for s in read.segments] == names
    assert sum(len(s.words) for s in read.segments) == 3 * 5


def test_titles_beside_times_are_no_speakers_and_no_words(read_text: ReadText) -> None:
    titles = ["Introduction", "The history of bees", "Honey and wax", "Questions"]
    below = "Well, it was a long year for all of them, and we went on for a while then.\n\n"
    text = "".join(f"{title} - 0:{10 * n:02}\n{below}" for n, title in enumerate(titles))
    read = read_text(text, None)
    assert [s.start_ns for s in read.segments] == [0, 10**10, 2 * 10**10, 3 * 10**10]
    assert not any(s.speaker for s in read.segments)
    assert "bees" not in {word for s in read.segments for word in s.words}


def test_indented_lines_continue_the_turn(read_text: ReadText) -> None:
    turn = "{}: So the first thing that we have to do is\n   to look at it\n   and then\n"
    read = read_text("".join(map(turn.format, ("Ann Ex", "Bob Lee", "Ann Ex"))), None)
    assert [(s.speaker, len(s.words)) for s in read.segments] == [
        ("Ann Ex", 16), ("Bob Lee", 16), ("Ann Ex", 16),
    ]  # fmt: skip


def test_signs_of_speaker_changes_begin_turns(read_text: ReadText) -> None:
    text = ">> Good evening.\n>> ANN: Thank you.\nand so on\n>> Second.\n>> All in favor? >> Aye.\n"
    read = read_text(text, None)
    assert [(s.speaker, " ".join(s.words)) for s in read.segments] == [
        (None, "Good evening."), ("ANN", "Thank you. and so on"), (None, "Second."),
        (None, "All in favor? Aye."),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "entry"),
    [
        ("".join(f"{n}那天我们走了\n" for n in range(1, 8)) + "好\n", TXT_COUNTED),
        (
            "so it went\non and on 0:12\nfor a while\n" + "no 0:40\nand\nwell\n" + "so 1:20\n",
            TXT_TIMES,
        ),
    ],
)
def test_numbers_and_times_that_are_read_as_words_are_warned_of(
    text: str, entry: object, read_text: ReadText
) -> None:
    read = read_text(text, "txt")
    assert entry in [d.value.entry for d in read.diagnostics]


def test_a_clause_of_chinese_before_a_colon_is_no_name(read_text: ReadText) -> None:
    turns = "王小明：我们今天开始。\n李大：好的。\n" * 6
    read = read_text(turns + "另外，上次会议的时候，有人说：这样不行。\n" + turns, None)
    assert {s.speaker for s in read.segments} == {"王小明", "李大"}
