"""Talks as pages publish them: titles above names, roles, directions, escapes, prompts, fields."""

import pytest

import formats
from formats.meetings.messages import TURNS_BETWEEN
from tests.each_case import each_case
from tests.formats.meetings.said import SAID, named, turns
from tests.formats.meetings.test_documents import ASKED, spoken, typed
from tests.remarks import fields_of


@each_case("title", ["The road to the mill", "Why it was closed", "Questions", "Budget and plans"])
@pytest.mark.parametrize("form", ["{}: {}\n\n", "{}\n{}\n\n", "**{}:** {}\n\n"])
def test_titles_directly_above_turns_are_no_words(title: str, form: str) -> None:
    talk = [(name, f"{text}\n\n{text}") for name, text in ASKED]
    text = f"{typed(talk, form)}{title}\n{typed(talk, form)}"
    read = formats.read(named(text))
    expected = [(name, " ".join(text.split())) for name, text in talk * 2]
    assert [(s.speaker, " ".join(s.words)) for s in read.segments] == expected
    assert fields_of(read.diagnostics, TURNS_BETWEEN)[0]["lines"] == 1


def test_times_are_between_a_title_and_a_turn() -> None:
    part = f"\n{typed(ASKED)}"
    text = f"0:00 - 2:00 | The plan\n{part}The rest of the day\n2:00 - 4:00 | Lunch\n{part}"
    read = formats.read(named(text))
    assert [(s.speaker, " ".join(s.words)) for s in read.segments] == ASKED * 2
    assert fields_of(read.diagnostics, TURNS_BETWEEN)[0]["lines"] == 3


@each_case("role", ["MODERATOR", "Moderator", "Host of the evening"])
@pytest.mark.parametrize("names", [("ANN EX", "ROE", "LEE"), ("Ann Ex", "Bob Roe", "Cy Lee")])
def test_a_blank_line_is_between_a_name_with_its_role_and_the_text(
    role: str, names: tuple[str, str, str]
) -> None:
    first, *others = names
    talk = [(name, text) for text in SAID for name in (first, *others)]
    text = "".join(
        f"{name}\n{f'{role}' if name == first else ''}\n{words}\n" for name, words in talk
    )
    text = text.replace(f"{role}\n", f"{role}\n\n")
    assert spoken(text) == talk


@each_case("direction", ["(Applause)", "[laughs]", "*(laughs)*", "(a long pause)"])
@pytest.mark.parametrize("form", ["{}: {}\n", "{}: {}\n\n", "**{}:** {}\n\n", "[{}]: {}\n"])
def test_a_direction_may_be_before_a_name(direction: str, form: str) -> None:
    lines = [form.format(name, text) for name, text in ASKED]
    lines[3] = f"{direction} {lines[3]}"
    (speaker, text) = spoken("".join(lines))[3]
    assert speaker == "Bob"
    assert text.endswith(ASKED[3][1])


@each_case("end", ["(APPLAUSE)", "[laughter]", "well.”", "and so –", "no."])
def test_names_in_capitals_begin_turns_behind_a_direction(end: str) -> None:
    talk = [(name.upper(), text) for name, text in ASKED]
    text = f"{typed(talk)}ANN: so {end} BOB: {SAID[0]}\n"
    assert spoken(text)[-2:] == [("ANN", f"so {end}"), ("BOB", SAID[0])]


@each_case("line", ["Bob; {}", "Bob. {}"])
def test_another_sign_is_in_the_place_of_a_colon(line: str) -> None:
    lines = [*typed(ASKED * 2, "{}: {}\n").splitlines(), line.format(SAID[0])]
    assert spoken("\n".join(lines))[-1] == ("Bob", SAID[0])


@each_case("name", ["학생2", "P2", "BOB"])
def test_the_colon_behind_a_name_without_small_letters_is_missing(name: str) -> None:
    talk = [(name if speaker == "Bob" else "M1", text) for speaker, text in ASKED * 2]
    text = typed(talk, "{}: {}\n")
    assert spoken(f"{text}{name} {SAID[0]}\n")[-1] == (name, SAID[0])


def test_escaped_marks_are_no_words() -> None:
    talk = [(name, f"\\[Ann\\] {text} \\* it\\_was 1\\. so") for name, text in ASKED]
    first, second = typed(talk[:4], "**{}:** {}\\\n\n"), typed(talk[4:], "**{}:** {}\n\n")
    text = f"{first}\\* \\* \\*\n\n{second}"
    assert spoken(text) == [(name, f"[Ann] {words} * it_was 1. so") for name, words in ASKED]


PROMPTS = ("System", "Request", "Answer")


def test_names_that_return_in_one_order_are_those_of_a_chat() -> None:
    said = [SAID[0], SAID[1], f"{SAID[3]}\n\nAction items: one\n\nStep 1: two\n\nRisk: three"]
    talk = list(zip(PROMPTS * 8, [*said, *SAID[:6]] * 2 + [*SAID[:6]], strict=True))
    text = "".join(f"{name}: {text}\n{chr(10) * (name == 'Answer')}" for name, text in talk)
    assert spoken(text) == [(name, " ".join(text.split())) for name, text in talk]
    pairs = list(zip(["User", "Assistant"] * 4, [said[0], said[2]] * 4, strict=True))
    assert spoken(typed(pairs)) == [(name, " ".join(text.split())) for name, text in pairs]


@each_case(
    "behind",
    ["(at the proper time and place, after the bell was rung by the clerk of the town council)",
     ", Executive Vice President of the Bridges of the Northern and Eastern Counties"],
)  # fmt: skip
def test_what_is_behind_a_long_name_is_a_role(behind: str) -> None:
    text = f"Ann Ex {behind}".replace(" ,", ",")
    talk = [("Ann Ex" if name == "Ann" else name, said) for name, said in ASKED]
    read = formats.read(named(typed([(text, talk[0][1]), *talk[1:]])))
    first = read.segments[0]
    assert (first.speaker, dict(first.properties)) == ("Ann Ex", {"role": behind.strip("(), ")})


@each_case("end", ["Tags: mill, road", "About the host: She lives here.", "Links:\n- one\n- two"])
@pytest.mark.parametrize("form", ["{}: {}\n\n", "{}\n{}\n\n"])
def test_what_a_page_says_below_a_talk_is_no_speech(end: str, form: str) -> None:
    assert spoken(f"{typed(ASKED, form)}{end}\n") == ASKED


@each_case(
    "line",
    ["Commercial Break", "(COMMERCIAL BREAK)", "Story Continued Below", "**Break:** [02:22]"],
)
def test_breaks_are_no_speech(line: str) -> None:
    read = formats.read(named(f"{typed(ASKED)}{line}\n\n{typed(ASKED)}"))
    assert [(s.speaker, " ".join(s.words)) for s in read.segments] == ASKED * 2
    assert fields_of(read.diagnostics, TURNS_BETWEEN)[0]["lines"] == 1


def test_fields_and_links_below_headings_are_no_speech() -> None:
    part = "## The {}\nPresenter: Ann Ex (AE)\n\n- [slides](https://example.org/{})\n\n"
    text = "".join(
        f"{part.format(n, n)}{typed(ASKED)}### Conclusion/Resolution\n\nNone.\n\n" for n in (1, 2)
    )
    assert spoken(text) == ASKED * 2


def test_points_of_a_speaker_are_no_names() -> None:
    talk = [("Ann", "Two things."), *ASKED[1:]]
    text = typed(talk).replace("Two things.", "Two things.\n\nOne: the mill.\n\nTwo: the road.")
    assert [name for name, _ in spoken(text)] == [name for name, _ in talk]


def test_a_full_name_may_return_as_initials() -> None:
    talk = [("Ann Ex", SAID[0]), ("Bob Roe", SAID[1]), *zip(["AE", "BR"] * 4, SAID, strict=True)]
    assert {name for name, _ in spoken(typed(talk))} == {"AE", "BR"}


def test_everyone_answers_below_names_alone_and_lists_are_no_turns() -> None:
    talk = [("Ann (host)", SAID[0]), ("Bob (guest)", SAID[1])] * 3
    text = typed(talk[:5], "{}:\n{}\n\n") + "Everyone: No.\n\n" + typed(talk[5:], "{}:\n{}\n")
    read = spoken(f"{text}- Ann: mends the roof\n- Bob: pays\n")
    assert [name for name, _ in read] == ["Ann", "Bob", "Ann", "Bob", "Ann", "Everyone", "Bob"]


def test_the_head_of_pages_is_no_name_though_the_first_page_has_none() -> None:
    names = ["Ann Ex", "Ben Roe"]
    pages = []
    for page in range(1, 10):
        head = "Bridge Company Limited\n4 May 2024\n" if page > 1 else ""
        said = "".join(f"{names[n % 2]}: {page} {line}\n" for n, line in enumerate(SAID))
        pages.append(f"{head}{said}Page {page} of 9\n")
    read = turns("".join(pages))
    assert {name for name, _, _ in read} == {*names}
    assert [text for _, _, text in read] == [f"{n} {x}" for n in range(1, 10) for x in SAID]
