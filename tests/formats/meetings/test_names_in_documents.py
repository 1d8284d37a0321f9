"""Names that are beside, above or inside other parts of a document."""

import itertools
from io import BytesIO

import pytest

import formats
from formats.meetings.messages import (
    LINES_LEFT,
    MINUTES_LEFT,
    SPEAKER_TEXT_FOOTER,
    TURNS_ABOVE,
    TURNS_BETWEEN,
)
from formats.nist.messages import TXT_MARKDOWN
from tests.each_case import each_case
from tests.formats.meetings.said import SAID, named, turns
from tests.formats.meetings.test_documents import ASKED, spoken, typed
from tests.remarks import fields_of


def marked(text: str, name: str = "a.md") -> BytesIO:
    source = named(text)
    source.name = name
    return source


TITLES = ("opening", "answer", "Doubt")
ROLES = list(zip(["Agent", "Caller"] * 4, SAID, strict=True))


@pytest.mark.parametrize(
    "head",
    [
        "Caller: Bob Roe\nAgent: Ann Ex\nDate: 4 May 2024\n",
        "Agent: Ann Ex\nDate: 4 May 2024\nCaller: Bob Roe\n\n---\n",
        "Agent: Ann Ex\nCaller: Bob Roe\n",
        "Legend: [..] is a pause\n\nAgent: Ann Ex\nCaller: Bob Roe\n",
    ],
)
def test_fields_above_have_the_names_of_speakers(head: str) -> None:
    assert spoken(f"{head}\n{typed(ROLES)}") == ROLES
    assert spoken(f"{head}\n{typed(ROLES, '{}: {}' + chr(10))}") == ROLES


def test_first_turns_may_be_brief() -> None:
    brief = [("Ann", "Hello"), ("Bob", "Good day"), ("Cy", "Hello Bob")]
    assert spoken(typed([*brief, *ASKED])) == [*brief, *ASKED]


@pytest.mark.parametrize("name", ["[Both]", "(Several voices)", "[Bob, off]"])
def test_a_name_in_brackets_before_a_colon_is_one_of_the_names(name: str) -> None:
    talk = [*ASKED, (name, "Yes, so it was.")]
    assert spoken(typed(talk))[-1] == (name.strip("[()]"), "Yes, so it was.")


@pytest.mark.parametrize("form", ["`{}`: {}\n\n", "**{}**：{}\n\n", "**{}：**{}\n\n", "_{}_: {}\n"])
def test_names_in_other_marks(form: str) -> None:
    assert spoken(typed(ASKED, form)) == ASKED
    upper = [(name.upper(), text) for name, text in ASKED]
    assert spoken(typed(upper, form)) == upper


@pytest.mark.parametrize(
    ("form", "names"),
    [
        ("【{}】{}\n", ("主持人", "王小明")),
        ("{}「{}」\n\n", ("田中", "佐藤")),
        ("{}\n{}\n\n", ("主持人", "王小明")),
        ("{}\n\n{}\n\n", ("사회자", "김철수")),
        ("{}：{}\n", ("المذيع", "أحمد")),
    ],
)
def test_names_of_scripts_without_capitals(form: str, names: tuple[str, str]) -> None:
    talk = [(names[n % 2], text) for n, text in enumerate(SAID)]
    assert spoken(typed(talk, form)) == talk


@pytest.mark.parametrize("title", ["Dialogue {}", "Call {}: at the shop", "## Talk {}", "{}. Home"])
def test_titles_that_count_the_parts_are_no_words(title: str) -> None:
    parts = [f"{title.format(n)}\n\n{typed(ASKED)}" for n in (1, 2, 3)]
    assert spoken("".join(parts)) == ASKED * 3
    labels = [(f"Speaker {n}", text) for n, text in enumerate(SAID[:2] * 3, 1)]
    assert spoken(typed(labels)) == labels


@pytest.mark.parametrize(
    "part",
    [
        "Step 1: open it.\nStep 2: wait.",
        "Pros: it is cheap.\nCons: it is slow.",
        "Summary: it was so.",
        "Output: nothing at all.",
    ],
)
def test_names_inside_paragraphs_are_words_of_the_turn(part: str) -> None:
    talk = [(name, f"{text}\n{part}" if n in (3, 5) else text)
            for n, (name, text) in enumerate(ASKED)]  # fmt: skip
    assert spoken(typed(talk)) == [(name, " ".join(text.split())) for name, text in talk]


def test_those_who_ask_first_in_paragraphs_are_answered_inside() -> None:
    pairs = list(zip(["Cy", "Ann", "Di", "Ann"] * 2, SAID, strict=True))
    text = "\n".join(f"{n}: {x}" + "\n" * (n == "Ann") for n, x in pairs)
    assert spoken(text) == pairs


def test_a_phrase_with_a_pronoun_is_no_name() -> None:
    inside = f"{typed(ASKED[:5])}And then I said: go home.\n\n{typed(ASKED[5:])}"
    assert {name for name, _ in spoken(inside)} == {"Ann", "Bob"}


def test_questions_of_reporters_have_a_letter_alone() -> None:
    talk = [(("Q", "THE MAYOR")[n % 2], text) for n, text in enumerate(SAID)]
    lines = [f"Q   {text}" if name == "Q" else f"{name}:  {text}" for name, text in talk]
    assert spoken("\n\n".join(lines)) == talk


def test_two_turns_of_each_line() -> None:
    pairs = list(itertools.pairwise(SAID))
    text = "".join(f"Guide: {x} Farmer: {y}\n" for x, y in pairs)
    both = [turn for x, y in pairs for turn in (("Guide", x), ("Farmer", y))]
    assert spoken(text) == both


def test_members_of_parliament_above_paragraphs() -> None:
    rows = [
        ("Ann Ex (Leeds and York) (Green)", "Ann Ex"),
        ("The Under-Secretary of State for Roads, Bridges and Canals (Bob Roe)", "Bob Roe"),
        ("Ann Ex", "Ann Ex"),
        ("Bob Roe", "Bob Roe"),
        ("Mr Cy Poe (Kent) (Blue)", "Mr Cy Poe"),
        ("Bob Roe", "Bob Roe"),
        ("Madam Speaker", "Madam Speaker"),
    ]
    text = "".join(f"{line}\n\n{x}\n\n" for (line, _), x in zip(rows, SAID, strict=False))
    talk = [(name, x) for (_, name), x in zip(rows, SAID, strict=False)]
    assert spoken(f"{text}Printed by the house.\n")[:6] == talk[:6]


def test_a_title_over_a_line_is_no_name() -> None:
    names = ["Ms. Ex", "Senator Roe", "Ms. Ex", "Mrs. Poe"] * 2
    talk = list(zip(names, SAID, strict=True))
    title = "The Old Mill, Part 4\nA talk in March at the mill.\n\n"
    assert spoken(f"{title}{typed(talk, '{}' + chr(10) + '{}' + chr(10) * 2)}") == talk


def test_what_a_person_does_is_beside_the_name() -> None:
    acts = [
        "ANN",
        "BOB (off)",
        "ANN (to Bob)",
        "BOB [sits down]",
        "ANN (to Bob)",
        "BOB",
        "ANN",
        "BOB",
    ]
    talk = list(zip(acts, SAID, strict=True))
    assert [name for name, _ in spoken(typed(talk))] == ["ANN", "BOB"] * 4


@pytest.mark.parametrize("line", ["{A door opens}", "<silence>", "![a map](map.jpg)"])
def test_directions_between_turns_have_other_brackets(line: str) -> None:
    read = formats.read(named(f"{typed(ASKED)}{line}\n\n{typed(ASKED)}"))
    assert [(s.speaker, " ".join(s.words)) for s in read.segments] == ASKED * 2
    assert fields_of(read.diagnostics, TURNS_BETWEEN)


def test_a_list_of_points_below_the_turns_is_of_the_minutes() -> None:
    read = formats.read(named(f"{typed(ASKED)}Key points:\n1. The roof\n2. The road\n"))
    assert [(s.speaker, " ".join(s.words)) for s in read.segments] == ASKED
    assert fields_of(read.diagnostics, MINUTES_LEFT)


def test_an_examination_announces_no_list() -> None:
    text = "BY MR. POE:\n\nMR. POE: Who was it?\n\n"
    read = spoken(f"{typed([(n.upper(), x) for n, x in ASKED])}{text}THE WITNESS: So it was.\n")
    assert [name for name, _ in read[-2:]] == ["MR. POE", "THE WITNESS"]


def test_an_empty_transcript_in_markdown_has_no_words() -> None:
    head = "# A meeting\n**Date**: 4 May\n**Id**: 7\n\n## Transcript\n"
    assert [s.words for s in formats.read(marked(head)).segments] == [()]


def test_pictures_in_markdown_are_no_words() -> None:
    text = "# A talk\n\n![00.12 the plan](a/b.jpg)\n\nSo it was. [![seal](s.png)](https://x.y)\n"
    read = formats.read(marked(text))
    assert [" ".join(s.words) for s in read.segments] == ["So it was."]
    assert fields_of(read.diagnostics, TXT_MARKDOWN)


def test_a_file_of_a_transcript_is_a_text() -> None:
    assert formats.detect(marked("so it was\nand so on\n", "talk.transcript")) == "txt"
    assert turns("so it was\n")[0][0] is None


@each_case("rule", ["─" * 40, "=" * 40, "-----"])
@each_case("form", ["{}: [{}]", "{}: (the {})", "{} : [{} of the talk]"])
@each_case("labels", ["Claim 1: {}\n\nSeen by: all", "{}\n\nSeen by: all", "{}"])
def test_names_and_titles_between_rules_begin_turns(rule: str, form: str, labels: str) -> None:
    text = "".join(
        f"{rule}\n{form.format(name, title)}\n{rule}\n\n{labels.format(line)}\n\n"
        for (name, line), title in zip(ROLES, itertools.cycle(TITLES), strict=False)
    )
    read = formats.read(named(f"The question\n\nWho was at the mill?\n\n{text}"))
    assert [s.speaker for s in read.segments] == [name for name, _ in ROLES]
    said = [" ".join(s.words) for s in read.segments]
    assert said == [" ".join(labels.format(line).split()) for _, line in ROLES]
    assert fields_of(read.diagnostics, TURNS_BETWEEN)[0]["lines"] == len(ROLES)
    assert fields_of(read.diagnostics, TURNS_ABOVE)[0]["lines"] == 2


@each_case("name", ["理由如下", "兩者的差別", "三、安全與前途", "目前大約是1", "問題包括"])
def test_a_clause_in_chinese_before_a_colon_is_no_name(name: str) -> None:
    talk = [
        ("主席", "現在開會。"),
        ("陳委員", "謝謝主席，我有問題。"),
        ("林部長", "好，請說。"),
    ] * 3
    lines = [f"{speaker}：{text}" for speaker, text in talk]
    lines.insert(5, f"{name}：我們需要時間。")
    read = formats.read(named("\n".join(lines)))
    assert [s.speaker for s in read.segments] == [speaker for speaker, _ in talk]
    assert fields_of(read.diagnostics, LINES_LEFT)[0]["count"] == 1


@each_case("head", ["Date: 4 May", "# The mill\nDate: 4 May", "Meeting Title: The mill"])
def test_lines_above_turns_are_counted_by_default(head: str) -> None:
    read = formats.read(named(f"{head}\n\n{typed(ASKED)}"))
    assert [(s.speaker, " ".join(s.words)) for s in read.segments] == ASKED
    (remark,) = [x for x in read.diagnostics if x.value.entry.key == TURNS_ABOVE.key]
    assert remark.is_shown
    assert fields_of(read.diagnostics, TURNS_ABOVE)[0]["lines"] == head.count("\n") + 1


def test_the_end_of_a_meeting_is_told_by_default() -> None:
    read = formats.read(named(f"{typed(ASKED)}[End of meeting]\n"))
    (remark,) = [x for x in read.diagnostics if x.value.entry.key == SPEAKER_TEXT_FOOTER.key]
    assert remark.is_shown


@each_case("title", ["-------- Transcript --------", "## Transcript"])
def test_one_name_below_a_title_of_the_speech_is_of_a_speaker(title: str) -> None:
    head = "Written by:\nState: open\n\nForm:\nU1: the first | U2: the second\n\n\n"
    talk = [("U1", text) for _, text in zip(range(20), itertools.cycle(SAID))]
    lines = "".join(f"{name}: {text} []\n" for name, text in talk)
    read = formats.read(named(f"{head}{title}\n\n{lines}"))
    expected = [(name, f"{text} []") for name, text in talk]
    assert [(s.speaker, " ".join(s.words)) for s in read.segments] == expected


@pytest.mark.parametrize(
    "field", ["session id: voip-0{}a-7", "Call ID: 2013{}", "Dialogue number: ab-{}"]
)
def test_identifiers_above_talks_and_numbered_fields_below_them_are_no_turns(field: str) -> None:
    talks = [
        f"{field.format(n)}\nTask 0{n}4: Find a road in the north.\n{typed(ROLES)}"
        for n in range(1, 6)
    ]
    assert spoken("\n".join(talks)) == ROLES * 5


def test_numbers_in_names_of_speakers_below_identifiers_are_kept() -> None:
    talk = "Call ID: x12\nSpeaker 1: so it was\nSpeaker 2: Well then, we go home.\n"
    names = [name for name, _ in spoken(talk + talk.replace("x12", "x13"))]
    assert names == ["Speaker 1", "Speaker 2"] * 2


@pytest.mark.parametrize(
    ("short", "long"),
    [
        (("Bo", "Cy", "Di"), "{} Roe"),
        (("叶", "灯", "先生"), "今 {}"),
        (("AR", "BR", "CR"), "{0[0]}nn {0[1]}oe"),
    ],
)
def test_first_lines_with_the_full_names_are_no_turns(short: tuple[str, ...], long: str) -> None:
    said = list(zip(short * 3, SAID + SAID[:1], strict=True))
    legend = "".join(f"{name}: {long.format(name)}\n" for name in short)
    assert spoken(f"{legend}\n{typed(said)}") == said


def test_first_turns_in_which_persons_say_their_names_are_turns() -> None:
    said = [("Bo", "I am Bo Roe."), ("Cy", "And Cy."), ("Di", "Di is here, too!")] + [
        (name, text) for name, text in zip(("Bo", "Cy", "Di") * 2, SAID, strict=False)
    ]
    assert spoken(typed(said)) == said
