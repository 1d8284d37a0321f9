"""Turns in texts without times: lists in calls, narration, sections of lessons, names in a line."""

import formats
from tests.each_case import each_case
from tests.formats.checks import codes
from tests.formats.meetings.said import SAID, turns
from tests.formats.meetings.said import named as named_file

TALK = [("Ann" if n % 2 == 0 else "Bob", None, line) for n, line in enumerate(SAID)]


def named(form: str, names: tuple[str, str] = ("Ann", "Bob")) -> str:
    """Return the lines of a talk of two persons in a form."""
    return "".join(form.format(n=names[n % 2], x=line) for n, line in enumerate(SAID))


@each_case(
    "form",
    [
        '{n} "{x}"\n',
        "{n} “{x}”\n",
        "[Speaker: {n}, calm] {x}\n",
        "[Speaker: {n}] {x}\n",
        "<{n}> {x}\n",
    ],
)
def test_signs_around_names(form: str) -> None:
    """Quotation marks, brackets and angles around names and texts are no words."""
    assert turns(named(form)) == TALK


def test_names_of_chats_in_small_letters() -> None:
    """In angle brackets, names have no capitals; notices of the channel are no words."""
    text = "* cy joined the channel\n".join(
        f"<{'ann' if n % 2 == 0 else 'bob'}> {line}\n" for n, line in enumerate(SAID)
    )
    assert turns(text) == [(name.lower(), None, line) for name, _, line in TALK]
    assert turns("<p> So it was.\n<li> And so on.\n<p> Well then.\n<li> No, it was not.\n") != TALK


@each_case(
    "paragraph",
    [
        "Ann goes to the window and looks at the rain.",
        "He puts the letter on the table. Bob smiles.",
        "She smiles, and Bob takes the\ncoat from the chair.",
    ],
)
@each_case("form", ["{n}: {x}\n\n", "{n}\n{x}\n\n"])
def test_paragraphs_about_the_speakers_are_not_spoken(form: str, paragraph: str) -> None:
    """A paragraph between turns that tells what persons do, and addresses nobody, is no speech."""
    said = ["I think you are late.", "Do you remember me?", "We have no time."] * 4
    text = ""
    for n, line in enumerate(said):
        text += form.format(n=("Ann", "Bob")[n % 2], x=line)
        text += f"{paragraph}\n\n" if n % 3 == 1 else ""
    assert [words for *_, words in turns(text)] == said


def test_paragraphs_that_address_somebody_are_spoken() -> None:
    """A second paragraph of a turn is speech if one of these addresses somebody."""
    said = ["I think you are late.", "Do you remember me?", "We have no time."] * 4
    text = ""
    for n, line in enumerate(said):
        text += f"{('Ann', 'Bob')[n % 2]}: {line}\n\n"
        text += "Ann goes to school, and I like it.\n\n" if n % 3 == 1 else ""
    assert sum("school" in words for *_, words in turns(text)) == 4


@each_case(
    "scene",
    ["INT. KITCHEN - NIGHT", "〇公園・昼", "#1. 부엌, 아침", "第一场 书房 日 内"],
)
def test_narration_below_headings_of_scenes(scene: str) -> None:
    """Where scenes have headings, a paragraph between turns may tell anything."""
    text = f"{scene}\n\n" + named("{n}: {x}\n\n") + "The clock strikes nine.\n\nAnn: I am cold.\n"
    assert turns(text) == [*TALK, ("Ann", None, "I am cold.")]


def test_calls_with_lists_and_titles() -> None:
    """Names in capitals before sentences are turns, also among titles and lists."""
    points = "".join(
        f"Point {n} of the plan:\n- more rivers\n- fewer bridges\n\n" for n in range(9)
    )
    text = (
        "Date: May 4\nCompany: Example Inc.\nParticipants: Ann Ex (CEO)\n\n"
        "OPERATOR: Good morning, and welcome to the call.\n\n"
        f"ANN EX, CEO: Thank you. It was a good year.\n\n{points}"
    )
    text += "Q: Do you see more rivers?\n\nA: We do, in every country.\n\n" * 3
    read = turns(text)
    assert [name for name, *_ in read] == ["OPERATOR", "ANN EX", *["Q", "A"] * 3]


def test_names_above_paragraphs_that_occur_once() -> None:
    """One name three times and another twice are enough for names that occur once."""
    text = "Example Foods\nThird quarter\n\n" + "".join(
        f"{name}\n{line}\n\n"
        for name, line in zip(
            ("Operator", "Ann Ex", "Bob Lee", "Operator", "Cy Doe", "Bob Lee", "Operator"),
            SAID,
            strict=False,
        )
    )
    names = [name for name, *_ in turns(text)]
    assert names == ["Operator", "Ann Ex", "Bob Lee", "Operator", "Cy Doe", "Bob Lee", "Operator"]


@each_case("title", ["Vocabulary", "Wortschatz", "Ejercicios", "単語", "生词", "Evaluation:"])
def test_sections_below_a_dialogue(title: str) -> None:
    """Words to learn and marks below a dialogue are no speech."""
    assert turns(named("{n}: {x}\n") + f"\n{title}\nriver: water that runs\nroad: a way\n") == TALK


def test_tasks_of_persons_below_a_talk() -> None:
    """Brief items below a section of minutes are no turns, although the names are those above."""
    text = "## Notes\n\n" + named("- {n}: {x}\n")
    text += "\n## Action items\n\n- Ann: call the bank\n- Bob: write to Cy\n"
    assert turns(text) == TALK


@each_case("name", ["SOUND", "MUSIC", "SFX"])
def test_sounds_of_radio_plays(name: str) -> None:
    """Nobody speaks under the names of sounds."""
    assert turns(named("{n}: {x}\n\n" + f"{name}: Rain on a roof.\n\n")) == TALK


def test_turns_with_letters_that_count() -> None:
    """``T1``, ``C1``, ``T2`` count the turns of two speakers."""
    text = "Session 3\nProblem: sleep\n\n" + "".join(
        f"{'TC'[n % 2]}{n // 2 + 1}: {line}\n" for n, line in enumerate(SAID)
    )
    assert [name for name, *_ in turns(text)] == ["TC"[n % 2] for n in range(len(SAID))]


def test_participants_with_a_letter_keep_their_numbers() -> None:
    """``P1`` and ``P2`` are two persons."""
    text = "".join(f"P{n % 3 + 1}: {line}\n" for n, line in enumerate(SAID))
    assert {name for name, *_ in turns(text)} == {"P1", "P2", "P3"}


@each_case(
    "form",
    ["User: {x} Assistant: {x} ", "[S1] {x} [S2] {x} ", "<s>[INST] {x} [/INST] {x} </s>"],
)
def test_turns_of_one_line(form: str) -> None:
    """Roles inside a line begin turns if the line begins with one."""
    text = "".join(form.format(x=line) for line in SAID[:4])
    assert [words for *_, words in turns(text)] == [line for line in SAID[:4] for _ in range(2)]


@each_case("form", ["{n}: {x} {m}: {x}\n", "{n}: {x} {m}: {x} "])
def test_names_of_two_turns_on_a_line(form: str) -> None:
    """Names behind sentences begin turns if the lines begin with such names, which return."""
    lines = ["Where is the key?", "There is no hook.", "I see the nail. No key."]
    text = "".join(form.format(n="Lena", m="Tom", x=line) for line in lines)
    assert [(name, words) for name, _, words in turns(text)] == [
        (name, line) for line in lines for name in ("Lena", "Tom")
    ]


@each_case("text", ["Ann: a list: one\nBob: two\nAnn: so it was\nBob: no\n"])
def test_colons_inside_turns_are_words(text: str) -> None:
    """A colon behind words of a sentence begins no turn."""
    assert turns(text)[0] == ("Ann", None, "a list: one")


@each_case(
    "form",
    ["{n} {x}\n", '<speaker name="{n}">{x}</speaker>\n', "{n}: {x}\n"],
)
def test_generic_names(form: str) -> None:
    """Generic names begin turns without a sign, and in the attributes of tags."""
    text = named(form, ("Speaker 1", "Speaker 2"))
    assert [name for name, *_ in turns(text)] == [f"Speaker {n % 2 + 1}" for n in range(len(SAID))]


def test_stars_directly_before_paragraphs_are_no_words() -> None:
    """A star before the first word of each paragraph is the sign of an item."""
    text = "".join(f"*{line}\n\n" for line in SAID)
    assert [words for *_, words in turns(text)] == [" ".join(SAID)]


def test_verses_of_a_book_are_no_times() -> None:
    """``(Ec 3:11)`` is a place in a book, and no time that a layout left."""
    read = formats.read(named_file("So it was said (Ec 3:11), and so it is. " * 9))
    assert "MARKS-LEFT" not in codes(read)


def test_a_sitting_in_one_line() -> None:
    """Names in capitals behind sentences begin turns in a text of one long line."""
    names = ["El señor PRESIDENTE", "La señora GARCÍA LÓPEZ (Grupo Mixto)", "El señor PÉREZ"]
    text = " ".join(f"{names[n % 3]}: {line} {line}" for n, line in enumerate(SAID * 3))
    read = turns(text)
    assert len(read) == 3 * len(SAID)
    assert {name for name, *_ in read} >= {"El señor PRESIDENTE", "El señor PÉREZ"}


def test_sections_between_rules_that_begin_with_names() -> None:
    """Lists with colons inside sections are words if each section begins with a name."""
    text = ""
    for n in range(3):
        text += f"我：你好，第{n}次问你。\n------\n你：好的。\n格式：\nFILE_{n}.png: files_{n}.png\n------\n"
    assert [name for name, *_ in turns(text)] == ["我", "你"] * 3


def test_numbers_above_parts_are_fields() -> None:
    """``Chat ID: 12`` above each chat is nobody's turn."""
    text = "".join(f"Chat ID: {n}\n" + named("{n}: {x}\n") + "\n" for n in range(3))
    assert turns(text) == TALK * 3


def test_lines_of_a_court_with_numbers() -> None:
    """Numbers in the margin of one page are no words."""
    lines = ["EXAMINATION", "BY MS. EX:"] + [f"{'QA'[n % 2]}.  {x}" for n, x in enumerate(SAID)]
    text = "".join(f"{n}       {line}\n" for n, line in enumerate(lines, 1))
    assert [name for name, *_ in turns(text)] == ["QA"[n % 2] for n in range(len(SAID))]


def test_notes_of_a_book_between_acts() -> None:
    """Names in italics with a full stop are turns of a printed play, below its first act."""
    text = "ACT I.\n\n" + named("  _{n}._ {x}\n\n") + "END OF ACT FIRST.\n\nNotes\n\nAct I\n\n"
    text += "    [Footnote 1: _So_] This is _i.e._ so.]\n\n"
    text += "ACT II.\n\n" + named("  _{n}._ {x}\n\n")
    assert turns(text) == TALK * 2


def test_chats_copied_with_a_dash_on_its_line() -> None:
    """A name, a dash and a time of day on three lines begin a message."""
    text = "".join(
        f"{'ann' if n % 2 == 0 else 'bob'}\n — \nToday at 3:{n + 10} PM\n{line}\n"
        for n, line in enumerate(SAID)
    )
    assert [(name, words) for name, _, words in turns(text)] == [
        (name.lower(), line) for name, _, line in TALK
    ]


def test_titles_above_sentences_are_told() -> None:
    """A remark reports a first paragraph of two titles above sentences."""
    text = "The lost coin\nAnn Ex\n\nSo it was.\n\nNobody knows.\n"
    assert "TXT-HEAD" in codes(formats.read(named_file(text)))
