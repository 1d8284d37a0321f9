"""Texts in which speech is a part of a document: titles, page marks, lists of persons, a result."""

from itertools import repeat

import pytest

import formats
from formats.meetings.messages import NAMES_ODD, TIMES_BELOW, TURNS_ABOVE, TURNS_BETWEEN
from tests.each_case import each_case
from tests.formats.meetings.said import SAID, named, turns
from tests.remarks import fields_of

ASKED = list(zip(["Ann", "Bob"] * 4, SAID, strict=True))


def typed(pairs: list[tuple[str, str]], template: str = "{}: {}\n\n") -> str:
    return "".join(template.format(name, text) for name, text in pairs)


def spoken(text: str) -> list[tuple[str | None, str]]:
    return [(name, words) for name, _, words in turns(text)]


@each_case(
    "mark",
    ["Page 1, Line {}", "*(Page {} · Line 7)*", "Seite {}", "Page {} of 12", "- page {} -"],
)
def test_marks_of_pages_between_turns_are_no_words(mark: str) -> None:
    pages = [f"{mark.format(n)}\n\n{name}: {text}\n\n" for n, (name, text) in enumerate(ASKED, 3)]
    read = formats.read(named("".join(pages)))
    assert [(s.speaker, " ".join(s.words)) for s in read.segments] == ASKED
    assert fields_of(read.diagnostics, TURNS_BETWEEN)


def test_a_page_that_someone_speaks_of_is_speech() -> None:
    assert spoken(typed([*ASKED, ("Ann", "Page 3")]))[-1] == ("Ann", "Page 3")


@pytest.mark.parametrize(
    "title", ["## Transcript", "---- Transcript ----", "# Full transcript:", "=== TRANSCRIPT ==="]
)
def test_speech_begins_below_its_title(title: str) -> None:
    legend = "Legend:\nAnn: the host | Bob: the guest\nBob: he is a guest\n\n"
    read = formats.read(named(f"{legend}{title}\n\n{typed(ASKED)}"))
    assert [(s.speaker, " ".join(s.words)) for s in read.segments] == ASKED
    (above,) = fields_of(read.diagnostics, TURNS_ABOVE)
    assert above["lines"] >= 3


def test_a_result_below_the_last_rule_is_no_turn() -> None:
    result = "---\n\nRating:\n- spoke well: 9/10\n\nResult: next round on Monday\n"
    read = formats.read(named(typed(ASKED) + result))
    assert [(s.speaker, " ".join(s.words)) for s in read.segments] == ASKED
    assert fields_of(read.diagnostics, TURNS_BETWEEN)


def test_names_with_long_roles_are_read_without_them() -> None:
    roles = {
        "Ann": "Ann Ex, Senior Vice President and Chief Financial Officer, Example Corporation",
        "Bob": "Bob Roe, Analyst, Example Bank",
    }
    lines = [f"{roles[name]}: {text}\n\nAnd so it goes on.\n\n" for name, text in ASKED]
    found = spoken("".join(lines))
    assert [name for name, _ in found] == ["Ann Ex", "Bob Roe"] * 4
    assert [text for _, text in found] == [f"{text} And so it goes on." for text in SAID]


def test_names_over_their_texts_may_have_a_role_behind_dashes() -> None:
    names = ["Ann Ex -- Chief Executive Officer", "Operator", "Bob Roe -- Example Bank -- Analyst"]
    order = [1, 0, 1, 2, 0, 2, 0, 1]
    pairs = [(names[n], text) for n, text in zip(order, SAID, strict=True)] * 2
    once = ("Cy Doe -- Analyst", "May I ask one thing?")
    found = spoken("The call of May\n\n" + typed([*pairs, once], "{}\n\n{}\n\n"))
    assert found == [(name.split(" -- ")[0], text) for name, text in [*pairs, once]]


def test_lines_with_dashes_that_differ_are_no_names() -> None:
    parts = "".join(f"Part One - item {n}\n\n{text}\n\n" for n, text in enumerate(SAID))
    assert [name for name, _ in spoken(parts)] == [None]


def test_a_short_name_that_the_first_turn_introduces() -> None:
    first = [("Sales Agent (SA)", SAID[0]), ("Likely Client (LC)", SAID[1])]
    rest = list(zip(["SA", "LC"] * 3, SAID[2:], strict=True))
    head = "Date: 4 May\nTime: 10 AM\n"
    expected = [("SA", SAID[0]), ("LC", SAID[1]), *rest]
    assert spoken(head + typed([*first, *rest], "{}: {}\n")) == expected


def test_participants_may_have_one_turn_each() -> None:
    names = ["Ann", "Bob", "Cy", "Dee"]
    pairs = list(zip(names, SAID[:4], strict=True))
    assert spoken(f"Team call\nParticipants: {', '.join(names)}\n\n{typed(pairs)}") == pairs


def test_a_long_remark_behind_a_name_is_not_of_the_name() -> None:
    remark = "(after taking the chair and striking the gavel on the table, as it is usual here)"
    found = spoken(typed([(f"Chair Ex {remark}", "Order."), *[("Chair Ex", "Yes."), *ASKED]]))
    assert found == [("Chair Ex", "Order."), ("Chair Ex", "Yes."), *ASKED]


def test_names_with_the_title_of_one_who_returns_are_not_doubted() -> None:
    names = ["Chair Ex", "Member Ash", "Member Birch", "Chair Ex", "Member Ash", "Member Elm"]
    names += ["Member Fir", "Member Oak"]
    read = formats.read(named(typed(list(zip(names, SAID, strict=True)))))
    assert [s.speaker for s in read.segments] == names
    assert not fields_of(read.diagnostics, NAMES_ODD)


def test_seconds_with_their_unit_are_not_read_as_hours() -> None:
    text = "".join(f"[00{n}.00s] {' '.join(repeat('so it was', 9))}\n" for n in range(9))
    assert [start for _, start, _ in turns(text)] == [float(n) for n in range(9)]


def test_the_end_of_a_text_with_times_is_no_speech() -> None:
    lines = "".join(f"[0{n}:10] {text}\n\n" for n, text in enumerate(SAID))
    assert turns(f"{lines}End of lecture\n")[-1][2] == SAID[-1]


def test_a_title_between_rules_is_no_name() -> None:
    middle = f"--- Topic: the next thing ---\n\n{typed(ASKED)}"
    read = formats.read(named(typed(ASKED) + middle))
    assert [(s.speaker, " ".join(s.words)) for s in read.segments] == ASKED * 2
    assert fields_of(read.diagnostics, TURNS_BETWEEN)


def test_a_long_text_below_the_last_rule_is_speech() -> None:
    lecture = " ".join(SAID)
    assert lecture in spoken(f"{typed(ASKED)}-----\n\n{lecture}\n\n{lecture}\n")[-1][1]


def test_questions_and_answers_with_numbers_are_of_two_persons() -> None:
    lines = [f"{'QA'[n % 2]}{n // 2 + 1}: {text}\n\n" for n, text in enumerate(SAID)]
    assert spoken("".join(lines)) == list(zip(["Q", "A"] * 4, SAID, strict=True))


def test_a_name_with_a_role_behind_a_time_of_day() -> None:
    names = ["Ann (Lead)", "Bob"] * 4
    lines = [f"6:3{n} AM — {name}: {SAID[n]}\n\n" for n, name in enumerate(names)]
    assert turns("".join(lines)) == [
        (name.removesuffix(" (Lead)"), 60.0 * n, SAID[n]) for n, name in enumerate(names)
    ]  # fmt: skip


def test_names_in_a_script_without_capitals_are_not_in_capitals() -> None:
    pairs = list(zip(["김하나", "이둘"] * 4, SAID, strict=True))
    summary = "1.  **품목**: 하나\n2.  **시간**: 둘\n"
    assert {name for name, _ in spoken(typed(pairs) + summary)} == {"김하나", "이둘"}


def test_the_first_time_of_a_copied_page_has_no_words() -> None:
    page = "0:00So it was\n" + "".join(f"0:1{n}1{n} secondesand so on\n" for n in range(2, 6))
    starts = [start for _, start, _ in turns(page)]
    assert starts == [0.0, 12.0, 13.0, 14.0, 15.0]


@pytest.mark.parametrize(
    "title", ["BY MR. ROE:", "CROSS-EXAMINATION", "FURTHER EXAMINATION BY MS. DOE:"]
)
def test_titles_of_courts_are_no_words(title: str) -> None:
    pairs = list(zip("QAQAQAQA", SAID, strict=True))
    read = formats.read(named(f"{typed(pairs)}{title}\n{typed(pairs)}"))
    assert [(s.speaker, " ".join(s.words)) for s in read.segments] == pairs * 2
    assert fields_of(read.diagnostics, TURNS_BETWEEN)


def test_names_over_texts_may_be_below_a_list_of_persons() -> None:
    people = "".join(f"    {name} Ex (of the road)\n\n" for name in ("Ann", "Bob", "Cy", "Dee"))
    pairs = [*((f"{name} Ex", text) for name, text in ASKED), ("Cy Ex", "I go on with it.")]
    extra = "And one more line of it.\n\nAnd yet another one.\n"
    talk = typed(pairs * 2, "{}:\n{}\n\n")
    found = spoken(f"Date: 4 May\n\nPresent:\n\n{people}{talk}{extra}")
    assert [name for name, _ in found] == [name for name, _ in pairs * 2]


def test_slow_speech_with_hours_and_minutes_is_no_fast_speech_with_seconds() -> None:
    lines = [f"[09:{3 * n:02}] Ann: {' '.join(repeat('so it was', 12))}\n" for n in range(9)]
    assert [start for _, start, _ in turns("".join(lines))] == [180.0 * n for n in range(9)]


@pytest.mark.parametrize("template", ["**{}:** {}\n\n", "**{}:**\n{}\n\n", "{}:\n{}\n\n"])
def test_an_appendix_below_a_heading_is_no_speech(template: str) -> None:
    talk = typed(ASKED, template)
    appendix = "---\n\n## Timeline\n\n- 1952: born by the sea.\n- 1990: went home.\n\n"
    text = f"# A life\n\n## First part\n\n{talk}## Second part\n\n{talk}{appendix * 3}"
    read = formats.read(named(text))
    assert [(s.speaker, " ".join(s.words)) for s in read.segments] == ASKED * 2
    (between,) = fields_of(read.diagnostics, TURNS_BETWEEN)
    assert between["lines"] >= 6


def test_speech_goes_on_below_a_heading_if_it_did_so_before() -> None:
    talk = typed(ASKED, "**{}:** {}\n\n")
    text = f"{talk}## Second part\n\nSo we went on.\n\n{talk}## Third part\n\nAnd on we went.\n"
    assert spoken(text)[-1] == ("Bob", f"{SAID[-1]} And on we went.")


def test_a_sentence_with_a_direction_behind_it_is_no_field_of_the_document() -> None:
    first = ("Old Voice", "There was a road to the sea. [A road is seen.]")
    assert spoken(f"The road\n{typed([first, *ASKED], '{}: {}' + chr(10))}") == [first, *ASKED]


def test_the_day_of_a_message_is_its_date_and_not_the_name_before_it() -> None:
    line = "{}, 2025-03-20T13:4{n}:00Z, 2025-03-20T13:4{n}:30Z => {}\n"
    text = "".join(line.format(name, said, n=n) for n, (name, said) in enumerate(ASKED))
    assert [start for _, start, _ in turns(text)] == [60.0 * n for n in range(len(ASKED))]


@pytest.mark.parametrize(
    "form", ["{n} {name}: {text}\n", "{n:03} {name}: {text}\n", "{n}\t{name}: {text}\n"]
)
def test_numbers_that_count_turns_are_no_words(form: str) -> None:
    text = "".join(form.format(n=n, name=x, text=said) for n, (x, said) in enumerate(ASKED, 1))
    assert spoken(text) == ASKED
    back = text.replace("Ann: ", "").replace("Bob: ", "")
    assert all(name is None for name, _ in spoken(back))


@pytest.mark.parametrize("time", ["00:{n:02}:05", "(0:{n:02}:05 - 0:{n:02}:50)", "[{n}:05]"])
def test_a_time_below_each_text_is_its_time(time: str) -> None:
    text = "".join(f"{said}\n{time.format(n=n)}\n\n" for n, said in enumerate(SAID))
    read = formats.read(named(text))
    assert [(s.start, " ".join(s.words)) for s in read.segments] == [
        (60.0 * n + 5, said) for n, said in enumerate(SAID)
    ]
    assert fields_of(read.diagnostics, TIMES_BELOW)


def test_titles_of_parts_with_a_time_below_are_no_speech_before_it() -> None:
    parts = "".join(f"Part {n}\n0:0{n}:00\n\n{said}\n\n" for n, said in enumerate(SAID))
    assert not fields_of(formats.read(named(parts)).diagnostics, TIMES_BELOW)


@pytest.mark.parametrize("other", ["{} - {}\n", "{} > {}\n", "[{}] {}\n", "[00:09] {}: {}\n"])
def test_turns_of_the_same_speakers_may_begin_in_two_forms(other: str) -> None:
    assert spoken(typed(ASKED, "{}: {}\n") + typed(ASKED[:4], other)) == [*ASKED, *ASKED[:4]]


def test_one_line_in_another_form_is_text_of_the_turn_above() -> None:
    text = typed(ASKED, "{}: {}\n") + "Ann - so it was\n"
    assert spoken(text)[-1] == ("Bob", f"{SAID[-1]} Ann - so it was")


def test_a_list_in_a_turn_has_no_speakers() -> None:
    parts = "Phase 1: the road, the bridge\nPhase 2: the harbour\nPhase 3: the sea\n\n"
    plan = ("Ann", f"{SAID[6]}\n\n{parts}Plan: a year for all of it.")
    talk = [*ASKED * 2, *ASKED[:6], plan, *ASKED[7:]]
    found = spoken(f"Participants: Ann, Bob\n\n{typed(talk)}")
    assert [name for name, _ in found] == [name for name, _ in ASKED * 3]
    assert found[22][1].endswith("Phase 3: the sea Plan: a year for all of it.")
    assert [name for name, _ in spoken(typed(talk)) if name not in ("Ann", "Bob")] == ["Plan"]


@each_case(
    "foot",
    [
        *("© 2024 The Council of Leeds", "Copyright 2024 Ann Ex", "(c) 2024 Ann Ex"),
        *("End of interview. Recording stopped at 12:40.", "Recording ended at 12:40"),
    ],
)
def test_the_foot_of_a_document_is_no_speech(foot: str) -> None:
    for form in ("{}: {}\n", "{}\n{}\n\n"):
        assert spoken(f"{typed(ASKED, form)}\n\n---\n\n{foot}\n") == ASKED
