"""The score of names without times: speakers, or the names of lists, records, logs and prose."""

from __future__ import annotations

import pytest

from formats.meetings.turns.accounts import TurnText
from formats.meetings.turns.choice import Trust, choice_of
from formats.meetings.turns.evidence import WEIGHTS, evidence_of
from formats.meetings.turns.heads import OF_LINES
from formats.meetings.turns.timed import WEIGHTS_OF_TIMES, evidence_of_times, score_of_times
from tests.formats.meetings.said import turns

SAID = (
    "Good morning, shall we begin with the roof?",
    "I called the builder, and he comes on Friday.",
    "Then we need the key of the barn.",
    "It hangs behind the door.",
    "Who can be there at eight?",
    "I can, if somebody takes my shift.",
    "You have mine, I owe you one.",
    "Thank you, that helps us a lot.",
)
NEW = ("Ann", "Ben", "Chloe", "Dan", "Eve", "Fay", "Gus", "Hal")


def trust_of(text: str) -> Trust:
    """Return how sure the reader is that a text has turns."""
    return choice_of(list(enumerate(text.splitlines(), 1))).trust


def lines_of(form: str, names: tuple[str, ...]) -> str:
    """Return a text in which the names say the sentences in turn."""
    return "".join(
        form.format(n=n, name=names[n % len(names)], text=text) for n, text in enumerate(SAID)
    )


def test_each_sign_has_a_weight() -> None:
    text = TurnText(list(enumerate(lines_of("{name}: {text}\n", ("Ann", "Ben")).splitlines(), 1)))
    for layout in text.layouts:
        assert set(evidence_of(layout, text)) == set(WEIGHTS)


def test_each_sign_of_times_has_a_weight() -> None:
    lines = lines_of("[0:{n:02}] {name}: {text}\n", ("Ann", "Ben")).splitlines()
    text = TurnText(list(enumerate(lines, 1)))
    layout = text.layouts[0]
    assert set(evidence_of_times(layout, text)) == set(WEIGHTS_OF_TIMES)
    assert score_of_times(layout, text) > 0


@pytest.mark.parametrize(
    "text",
    [
        "".join(f"So it was. [0:{n}0] And so it went on for us. " for n in range(1, 6)) + "\n",
        "".join(f"0:{n}0\n\nAnn: So it was.\n\nBen: And on it went.\n\n" for n in range(6)),
    ],
)
def test_times_inside_paragraphs_and_over_names_have_the_same_measure(text: str) -> None:
    choice = choice_of(list(enumerate(text.splitlines(), 1)))
    assert choice.layout is not None
    assert choice.layout.pattern in OF_LINES
    assert choice.text is not None
    assert set(evidence_of_times(choice.layout, choice.text)) == set(WEIGHTS_OF_TIMES)
    assert score_of_times(choice.layout, choice.text) > 0
    assert choice.trust is Trust.SURE


def test_a_caption_may_begin_with_a_clock_in_a_text_without_paragraphs() -> None:
    texts = ["7:30 in the morning on" if n % 40 == 7 else "most days we open" for n in range(400)]
    lines = [f"[00:{n // 20:02}:{n % 20 * 3:02}] {text}" for n, text in enumerate(texts)]
    text = TurnText(list(enumerate(lines, 1)))
    for layout in text.layouts:
        signs = evidence_of_times(layout, text)
        assert [name for name, value in signs.items() if not 0 <= value <= 1] == []
    assert [speaker for speaker, _, _ in turns("\n".join(lines))] == [None] * 400


def test_times_in_brackets_that_go_back_begin_no_turns() -> None:
    times = (1, 5, 2, 4, 3, 1)
    text = "".join(f"So it was, I think, and then [0:{n}0] it went on.\n\n" for n in times)
    assert trust_of(text) < Trust.SURE


@pytest.mark.parametrize(
    "line",
    [
        "0{n}:00 ERROR {text}\n",  # the records of a log
        "so it was, and so on, and on\n\n" * 3 + "0{n}:00 lunch\n\n",
    ],
)
def test_times_of_other_texts_begin_no_turns(line: str) -> None:
    assert trust_of(lines_of(line, NEW)) < Trust.SURE


@pytest.mark.parametrize(
    ("form", "names"),
    [
        ("{name}: {text}\n", NEW),
        ("[{name}] {text}\n", ("anna_92", "BigBen")),
        ("{n}. {name}: {text}\n\nSo it is.\n\n", ("Ann Miller", "Ben Okafor", "Cy Lee")),
        ("<{name}> {text}\n", NEW[:7]),
    ],
)
def test_names_that_persons_have_are_speakers(form: str, names: tuple[str, ...]) -> None:
    assert trust_of(lines_of(form, names)) is Trust.SURE


@pytest.mark.parametrize(
    "line",
    [
        'fast-{n} = "What they heard" -> 0.{n}00\nslow = "What he heard" -> 0.{n}50\n',
        "The {n}th point is this: we begin.\nOne more thing of day {n}: we end.\n",
        "Files: src/{n}/*\nCopyright: 20{n}0 Ann\nLicense: MIT\n\n",
    ],
)
def test_names_of_other_texts_are_no_speakers(line: str) -> None:
    assert trust_of("".join(line.format(n=n) for n in range(1, 9))) < Trust.SURE


def test_a_chinese_name_may_end_like_a_verb_of_saying() -> None:
    names = ["林正道", "王芳"] * 3
    said = [
        "你好，今天天气很好。",
        "是的，我们走吧。",
        "好的，去公园。",
        "现在就去。",
        "花开了。",
        "真好！",
    ]
    text = "".join(f"{name}：{words}\n" for name, words in zip(names, said, strict=True))
    assert [name for name, *_ in turns(text)] == names


WORDS = ("Anvil", "Bellows", "Chisel", "Drill", "Easel", "File", "Gimlet", "Hammer")


@pytest.mark.parametrize("words", [WORDS, WORDS[4:] + WORDS[:4]])
def test_words_and_what_they_mean_are_no_turns(words: tuple[str, ...]) -> None:
    means = "a tool of iron that the smith has beside the fire."
    assert trust_of("".join(f"{word}: {means}\n" for word in words)) < Trust.SURE


def test_pairs_of_fields_are_no_turns() -> None:
    assert trust_of(lines_of("{name}: {text}\n", ("Input", "Output"))) < Trust.SURE


def test_listed_persons_may_say_less_than_the_head_of_the_minutes() -> None:
    head = "The Barn\n\nDate: 5 May\n\nAttendees:\nAnn\nBen\nChloe\n\nDiscussion:\n\n"
    said = "".join(f"{name}:\n{text}\n\n" for name, text in zip(NEW[:3], SAID, strict=False))
    items = "Action items:\n\n- Ann calls the builder.\n- Ben brings the key.\n"
    read = turns(head + said + items)
    assert [(speaker, text) for speaker, _, text in read] == list(zip(NEW, SAID[:3], strict=False))


def test_a_role_below_the_first_name_of_each_person_is_no_speech() -> None:
    persons = {"Carol Hart": "Labour", "Bob Lee": "Leeds North", "Eve Day": "Chair"}
    text, begun = "", set()
    for n, said in enumerate(SAID):
        name = list(persons)[n % 3]
        text += f"{name}\n" + ("" if name in begun else f"{persons[name]}\n") + f"{said}\n\n"
        begun.add(name)
    assert [(speaker, x) for speaker, _, x in turns(text)] == [
        (list(persons)[n % 3], said) for n, said in enumerate(SAID)
    ]


def test_counted_turns_may_have_many_speakers() -> None:
    text = "".join(
        f"[TURN {n}] {name}: {said}\n"
        for n, (name, said) in enumerate(zip((*NEW[:6], *NEW[:2]), SAID, strict=True), 1)
    )
    assert [speaker for speaker, _, _ in turns(text)] == [*NEW[:6], *NEW[:2]]


def test_turns_of_several_paragraphs_have_no_sentences_for_titles() -> None:
    text = "".join(f"{name}: {said}\n\nAnd so it was, I think.\n\n" for name, said in zip(
        ("Ann", "Ben") * 4, SAID, strict=True))  # fmt: skip
    text = text.replace("Ann: Who", "All the better for them\n\nThe Barn\n\nAnn: Who")
    words = " ".join(said for _, _, said in turns(text))
    assert "All the better for them" in words
    assert "The Barn" not in words


def test_names_in_capitals_begin_turns_inside_lines() -> None:
    names = ("ANN EX", "BEN") * 4
    text = "".join(f"{name}: {said}\n" for name, said in zip(names, SAID, strict=True))
    read = turns(text.replace("\nBEN: I called", " BEN: I called"))
    assert [(speaker, said) for speaker, _, said in read] == list(zip(names, SAID, strict=True))


def test_two_dashes_are_between_a_name_and_a_role() -> None:
    persons = ("Ann Ex--Chief Officer", "Bob Roe--Analyst", "Operator")
    text = "".join(f"{persons[n % 3]}\n\n{said}\n\n" for n, said in enumerate(SAID))
    expected = [persons[n % 3].partition("--")[0] for n in range(len(SAID))]
    assert [speaker for speaker, _, _ in turns(text)] == expected


def test_labels_of_minutes_in_chinese_are_no_speakers() -> None:
    parts = (
        "讨论主题：\n屋顶和道路的维修。\n未解决的问题：\n谁来付钱？\n布置任务：\n写信给木匠。\n\n"
        * 4
    )
    assert {name for name, *_ in turns(parts)} == {None}
    talk = "主持人：\n屋顶怎么样？\n木匠：\n我星期五来。\n\n" * 4
    assert {name for name, *_ in turns(talk)} == {"主持人", "木匠"}


def test_headings_inside_answers_that_return_in_one_order_are_no_speakers() -> None:
    answer = "\n\n".join(
        f"{name} View: This view says that the bridge should {verb} today."
        for name, verb in (("Duty", "stay"), ("Use", "go"), ("Virtue", "wait"))
    )
    text = "".join(
        f"## {said}\n\nThat can be seen in several ways.\n\n{answer}\n\nMany would wait.\n\nSo it is.\n\n"
        for said in SAID[:5]
    )
    assert {name for name, *_ in turns(text)} == {None}


def test_titles_show_names_over_few_paragraphs() -> None:
    names = ("Hon. Ann Weir", "Dr. B. Orr", "Hon. Speaker", "Dr. B. Orr", "Hon. Ann Weir")
    report = "The report has nine parts.\n\nWe have a table of the mills.\n\n" * 6
    text = "".join(
        f"**{name}:** {said}\n\n{report if n in (0, 4) else ''}"
        for n, (name, said) in enumerate(zip(names, SAID, strict=False))
    )
    assert [name for name, *_ in turns(text)] == list(names)


def test_numbers_in_the_names_of_two_kinds_of_turns_are_removed() -> None:
    text = "".join(
        f"{'Question' if n % 2 == 0 else 'Answer'} {n // 2 + 1}: {said}\n"
        for n, said in enumerate(SAID[:8])
    )
    assert [name for name, *_ in turns(text)] == ["Question", "Answer"] * 4


def test_titles_of_minutes_inside_turns_below_headings_are_words() -> None:
    names = ("User", "Model") * 3
    text = "".join(f"## {name}\n\n{said}\n\n" for name, said in zip(names, SAID, strict=False))
    text = text.replace(f"{SAID[2]}\n\n", f"{SAID[2]}\n\nExample:\n\nWe write it down.\n\n", 1)
    read = turns(text)
    assert [name for name, *_ in read] == list(names)
    assert "We write it down." in read[2][2]


def test_the_end_of_a_conversation_is_no_speech() -> None:
    names = ("Ann", "Ben") * 3
    text = "".join(f"{name}: {said}\n\n" for name, said in zip(names, SAID, strict=False))
    assert turns(f"{text}End of conversation\n") == turns(text)


BETWEEN = "\n\n".join(f"{said}\nThe barn was built in {1900 + n}." for n, said in enumerate(SAID))


@pytest.mark.parametrize(
    ("person", "program"), [("Human", "AI"), ("User", "Assistant"), ("USER", "ChatGPT")]
)
def test_a_program_may_answer_one_long_message(person: str, program: str) -> None:
    text = f"{person}: Here are some notes about the barn.\n\n{BETWEEN}\n\n{program}: Thanks, I read it.\n"
    read = turns(text)
    assert [name for name, *_ in read] == [person, program]
    assert read[1][2] == "Thanks, I read it."
    assert "The barn was built in 1907." in read[0][2]


@pytest.mark.parametrize(
    ("first", "last"),
    [
        ("User: ann", "AI: on"),  # fields of a program
        ("Interviewer: Ann Example of the Barn", "Interviewee: Ben Lee of the Roof"),
        ("Note: This is about the barn and roof.", "AI: This is the last part of it."),
        ("It began.\n\nUser: Tell me about the barn.", "AI: It is an old and red one."),
        ("User: Tell me about the barn.", "Teacher: It is an old and red one."),
    ],
)
def test_two_names_in_a_long_text_are_no_chat_with_a_program(first: str, last: str) -> None:
    assert trust_of(f"{first}\n\n{BETWEEN}\n\n{last}\n") is not Trust.SURE
