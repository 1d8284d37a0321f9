"""Texts without times whose lines have fields, directions and remarks of programs beside the words."""

from __future__ import annotations

from collections import Counter

import formats
from formats.meetings.messages import FIELDS_LEFT
from formats.meetings.turns.choice import Trust, choice_of
from formats.meetings.turns.persons import shorter_names
from tests.each_case import each_case
from tests.formats.meetings.said import named, turns

SCRIPT = """第3集
3—1 场景：夜，内，茶馆
人：李明，王芳，老周

△雨声。李明推门进来，抖落伞上的水。

李明（喘气，四处张望）：老周在吗？我找他有急事。

王芳(放下茶壶)：他刚出去，你先坐。

△李明坐下。

李明(压低声音，凑近)：昨天晚上有人来过这里，对不对？

王芳（愣住，躲开目光）：没有，昨天我们很早就关门了。

李明：那这把伞是谁的？

老周（画外音）：是我的。

李明(猛地站起)：老周！
"""
HEARD = ["So how did you come to the river?", "With the boat of my uncle.", "And who steered?"]
PERSONS = ["Guest-1", "Guest-2", "Guest-1"]


def test_directions_of_a_screenplay_in_chinese_are_no_part_of_the_names() -> None:
    speakers = [speaker for speaker, _, _ in turns(SCRIPT)]
    assert speakers == ["李明", "王芳", "李明", "王芳", "李明", "老周", "李明"]
    assert turns(SCRIPT)[0][2] == "老周在吗？我找他有急事。"


def test_data_below_a_screenplay_are_no_speech() -> None:
    data = '[{"id":"a1","name":"茶馆","props":["伞","茶壶"]},{"id":"a2","name":"街"}]\n'
    assert turns(f"{SCRIPT}\n{data}") == turns(SCRIPT)


@each_case(
    ("names", "shorter"),
    [
        (["李明(站起)", "李明(坐下)", "李明(离开)"], ["李明"] * 3),
        (["李明(笑)", "李明(哭)", "李明"], ["李明"] * 3),
        (["민수(웃으며)", "민수(앉으며)", "민수"], ["민수"] * 3),
        (
            ["记者(法新社)", "记者(路透社)", "记者(共同社)"],
            ["记者(法新社)", "记者(路透社)", "记者(共同社)"],
        ),
        (["의원(김철수)", "의원(이영희)", "의원"], ["의원(김철수)", "의원(이영희)", "의원"]),
        (["同学(一)", "同学(二)", "同学(三)"], ["同学(一)", "同学(二)", "同学(三)"]),
        (["学生(男生)", "学生(女生)"] * 2, ["学生(男生)", "学生(女生)"] * 2),
    ],
)
def test_directions_differ_and_persons_return(names: list[str], shorter: list[str]) -> None:
    assert [shorter_names(names).get(name, name) for name in names] == shorter


@each_case(
    "form",
    [
        "HEARD:\n\tText={text}\n\tSpeaker ID={name}\n\n",
        "TRANSCRIBED:\n\tText={text}\n\tSpeaker ID={name}\n\n",
        "TRANSCRIBED:\n\tText={text}\n\n\tSpeaker ID={name}\n",
        "Transcription:\n    Text: {text}\n    Speaker ID: {name}\n",
        "Speaker ID: {name}\nOriginal Text: {text}\nTranslated Text: Also, wie war es?\n\n",
    ],
)
def test_records_with_a_title_and_a_translation(form: str) -> None:
    text = "".join(form.format(text=t, name=n) for t, n in zip(HEARD, PERSONS, strict=True))
    expected = [(name, None, text) for name, text in zip(PERSONS, HEARD, strict=True)]
    assert turns(text) == expected


@each_case("field", ["Full text", "Text", "Transcription"])
def test_a_field_before_all_texts_is_no_speaker(field: str) -> None:
    text = "".join(
        f"Chunk {n}:\n{field}:  {heard}\n\nNo times are available for this chunk.\n{30 * '='}\n\n"
        for n, heard in enumerate(HEARD, 1)
    )
    assert turns(text) == [(None, None, heard) for heard in HEARD]
    log = formats.read(named(text)).diagnostics
    assert Counter(d.code for d in log)[FIELDS_LEFT.code] == 1


@each_case(
    ("sentence", "is_read"),
    [
        ("That is all that I know of it.", True),
        ("Thank you for listening and see you next week.", True),
        ("This transcript was made by a machine.", False),
        ("Für diesen Teil gibt es keine Zeitstempel.", False),
    ],
)
def test_a_sentence_above_each_rule_may_be_a_program_s(sentence: str, is_read: bool) -> None:
    part = f"{{}}\n\n{sentence}\n{30 * '='}\n\n"
    text = "".join(map(part.format, ["Ann: So it was.", "Ben: And the road?", "Ann: Closed."]))
    assert all((sentence in words) == is_read for _, _, words in turns(text))


def test_other_sentences_above_rules_are_read() -> None:
    part = "{}\n\nThe chunk has no times.\n==========\n\n"
    text = "".join(map(part.format, ["Ann: So it was.", "Ben: And the road?", "Ann: Closed."]))
    other = text.replace("The chunk has no times.", "That is all.", 1)
    assert turns(other)[0][2] == "So it was. That is all."


def test_a_field_that_ends_with_a_point_is_of_the_head() -> None:
    fields = "Post: Clerk at Bridges Inc.\nPlace: York\nPanel:\nAsker: Ann Ex\nApplicant: Bob Lee\n"
    talk = "".join(f"{name}: {text}\n" for name, text in zip(PERSONS, HEARD, strict=True))
    assert [speaker for speaker, _, _ in turns(fields + talk)] == PERSONS


GUIDE = """**Topics of the interview**

**1. Training**

* May I ask you to tell me of your way?

Probes:

* How did you see the trade as a student?
* LE: What do you like best in your place of work?
* EL: How was the first year in the class? What was hard?

**2. Every day**

Probes:

* Who decides on the topics of the week?
* LE: How much time do you have for parents?
* EL: How do you hear what goes on in the school?
"""


def test_questions_alone_are_a_guide_and_no_interview() -> None:
    choice = choice_of(list(enumerate(GUIDE.splitlines(), 1)))
    assert choice.trust < Trust.SURE or choice.margin < 0


def test_many_questions_by_topic_are_doubtful_turns() -> None:
    topics = ("Roads", "Old Rivers", "Boats")
    lines = [f"{topics[n // 2 % 3]}: What will you do about number {n}?" for n in range(14)]
    text = "\n".join(["Ann:", *lines[:7], "", "Ben:", *lines[7:]])
    for said, is_doubtful in ((text, True), (text.replace("3?", "3."), False)):
        codes = {d.code for d in formats.read(named(said)).diagnostics}
        assert ("SPEAKER-TEXT-DOUBT" in codes) == is_doubtful


ASKED = ("How do I fill it?", "Is there a book?", "Who has the key?", "Does it last?", "And then?")


@each_case("form", ["{}: {}\n", "{}: {}\n\n", "**{}:** {}\n\n", "{}:\n{}\n\n"])
def test_questions_of_persons_are_turns(form: str) -> None:
    names = ["Maria", "Tom", "Maria", "Priya", "Tom"]
    text = "".join(form.format(name, q) for name, q in zip(names, ASKED, strict=True))
    assert [speaker for speaker, _, _ in turns(text)] == names


@each_case("name", ["Image Prompt", "English prompt", "이미지 프롬프트", "画面提示词"])
def test_prompts_are_no_speakers(name: str) -> None:
    text = "".join(
        f"Scene note: The dog waits.\n{name}: A dog in a lane, number {n}.\n\n" for n in range(6)
    )
    choice = choice_of(list(enumerate(text.splitlines(), 1)))
    assert choice.trust < Trust.SURE


CHAT = """05/11/2018, 09:55 - \u202a+44 7400 900123\u202c: We meet at the bridge.
(the old one, not the new one)
05/11/2018, 09:57 - Ann Ex: Which street is that?
05/11/2018, 09:58 - +44 7400 900123: The one by the mill.
05/11/2018, 09:59 - Ann Ex: Then I know it.
"""


def test_a_line_in_brackets_is_of_its_message_and_marks_of_direction_of_no_name() -> None:
    heard = [(speaker, text) for speaker, _, text in turns(CHAT)]
    assert heard[0] == (
        "+44 7400 900123", "We meet at the bridge. (the old one, not the new one)",
    )  # fmt: skip
    assert [speaker for speaker, _ in heard] == ["+44 7400 900123", "Ann Ex"] * 2


def test_a_line_in_brackets_between_turns_is_a_direction() -> None:
    text = "Ann: So it was.\n(She laughs.)\nBen: And then?\nAnn: It was late.\nBen: I see.\n"
    assert turns(text)[0][2] == "So it was."


@each_case("sounds", [("(LAUGHTER)", "(CROSSTALK)"), ("[laughs]", "[applause]")])
def test_sounds_alone_are_no_likely_turns(sounds: tuple[str, str]) -> None:
    said = ["We had no money then.", "So we built it of wood.", "It stood for years.", "It burned."]
    text = "".join(f"{line}\n\n{sounds[n % 2]}\n\n" for n, line in enumerate(said))
    transcript = formats.read(named(text))
    assert "SPEAKER-TEXT?" not in {d.code for d in transcript.diagnostics}
    assert {s.speaker for s in transcript} == {None}
