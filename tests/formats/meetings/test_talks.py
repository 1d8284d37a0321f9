"""Texts with names whose other lines, titles or marks are easily taken for names."""

import pytest

from formats.meetings.turns.accounts import TurnText
from formats.meetings.turns.plain import SAMPLE, Lines, if_in_sample
from tests.each_case import each_case
from tests.formats.meetings.said import SAID, turns

PAIRS = [("Ann", "Ben")[n % 2] for n in range(len(SAID))]


WRITERS = ["Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Ida"]


def text_of(form: str, said: list[str] | None = None) -> str:
    """Return the turns of two persons in a form of names and texts."""
    texts = SAID if said is None else said
    return "".join(form.format(n=n, x=x) for n, x in zip(PAIRS, texts, strict=True))


def spoken(text: str) -> list[tuple[str | None, str]]:
    """Return the speaker and the words of each turn."""
    return [(speaker, words) for speaker, _, words in turns(text)]


@pytest.mark.parametrize("form", ["### {n}\n\n{x}\n\n", "--- {n} ---\n{x}\n\n"])
def test_notes_below_the_last_heading_of_a_speaker_are_no_speech(form: str) -> None:
    notes = "---\nNotes:\n- Send the report\n- Next call on Friday\n"
    assert spoken(text_of(form) + notes) == list(zip(PAIRS, SAID, strict=True))


def test_headings_of_another_level_are_titles() -> None:
    titled = "## The bridge\n\n" + text_of("### {n}\n\n{x}\n\n")
    titled = titled.replace("### Ann\n\nThank", "## The road\n\n### Ann\n\nThank")
    assert {speaker for speaker, _ in spoken(titled)} == {"Ann", "Ben"}


def test_a_text_with_a_colon_below_a_name_and_a_blank_line_is_no_turn() -> None:
    said = [*SAID[:5], "One thing: the road is not open.", *SAID[6:]]
    assert spoken(text_of("{n}:\n\n{x}\n\n", said)) == list(zip(PAIRS, said, strict=True))


def test_remarks_among_listed_participants_are_no_speakers() -> None:
    text = "Attendees: Ann (host), Ben, Cy\n\n" + text_of("{n}: {x}\n")
    text += "Decision: We open in May.\nRisk: It may rain.\nDecision: We meet again.\n"
    text += "Ann: I agree with that.\n"
    assert [speaker for speaker, _ in spoken(text)] == [*PAIRS, "Ann"]


def test_numbers_and_names_of_programs_belong_to_the_name() -> None:
    lines = [f"00:00:{n:02} Speaker {n % 2} {x}\n" for n, x in enumerate(SAID)]
    assert [speaker for speaker, _ in spoken("".join(lines))] == ["Speaker 0", "Speaker 1"] * 4
    lines = [f"[00:{n:02}] **{('qx()', 'Ann')[n % 2]}**: {x}\n" for n, x in enumerate(SAID)]
    assert [speaker for speaker, _ in spoken("".join(lines))] == ["qx()", "Ann"] * 4


def test_all_turns_may_be_of_an_unknown_speaker() -> None:
    text = "".join(f"Unknown: {x}\n" for x in SAID)
    assert {speaker for speaker, _ in spoken(text)} == {"Unknown"}


@pytest.mark.parametrize("form", ["{n} - {x}\n\n", "<{n}> {x}\n\n", "{n} > {x}\n\n"])
def test_paragraphs_without_a_name_continue_turns_that_alternate(form: str) -> None:
    said = [x if n % 3 else f"{x}\n\nAnd there was more to say." for n, x in enumerate(SAID)]
    want = [" ".join(x.split()) for x in said]
    assert spoken(text_of(form, said)) == list(zip(PAIRS, want, strict=True))


def test_persons_of_a_chat_may_write_once_each() -> None:
    text = "".join(
        f"2023-11-05 10:{n:02}:00 From {name} to Everyone:\n\t{x}\n"
        for n, (name, x) in enumerate(zip(WRITERS, SAID, strict=True))
    )
    assert [speaker for speaker, _ in spoken(text)] == WRITERS


def test_brief_messages_of_a_chat_are_words_even_if_they_look_like_names() -> None:
    said = ["Iceland", "Ann: yes", "Good evening", "Iceland", "4 May", "Good evening", "Ben: no"]
    said += ["Results:", "Ann: yes", "Iceland", "Results:", "It is late", "Ben: never", "== so =="]
    names = ["Ann", "Ben", "Eva Roe", "Ann", "Ben", "Ann", "Eva Roe"] * 2
    text = "".join(
        f"10:{n:02}:00 From {name} to Everyone:\n\t{x}\n"
        for n, (name, x) in enumerate(zip(names, said, strict=True))
    )
    last = "Good night, and thank you."
    assert spoken(f"{text}10:40:00 From Ben to Everyone:\n\t{last}\n") == [
        *zip(names, said, strict=True), ("Ben", last),
    ]  # fmt: skip


def test_what_a_page_writes_behind_names_of_a_chat_is_no_part_of_them() -> None:
    said = [*SAID[:3], "When it rains:\nWe wait.", *SAID[4:]]
    text = text_of("{n} said:\n{x}\n", said).replace("Ann", "You").replace("Ben", "ChatGPT")
    assert [speaker for speaker, _ in spoken(text)] == ["You", "ChatGPT"] * 4


def test_a_question_about_a_layout_does_not_change_the_text() -> None:
    roles = {"Ann": "farmer", "Ben": "teacher"}
    lines = "".join(f"{n}:\n{roles[n]}\n{x}\n\n" for n, x in zip(PAIRS, SAID, strict=True))
    text = TurnText(list(enumerate(lines.splitlines(), 1)))
    before = set(text.is_rule)
    assert len(text.rules("Name: text") - before) == len(SAID)
    assert text.is_rule == before


def test_notes_directly_below_a_rule_are_no_part_of_a_short_text() -> None:
    turns_of_two = "".join(f"{n}: {x}\n" for n, x in list(zip(PAIRS, SAID, strict=True))[:4])
    text = f"Attendees: Ann, Ben\n\n{turns_of_two}\n---\nNotes:\n- Send the report\n- Call Cy\n"
    assert spoken(text) == list(zip(PAIRS, SAID, strict=True))[:4]


def test_each_speaker_may_have_one_turn_with_a_time() -> None:
    lines = [
        f"[00:00:{3 * n:02}] {w}: {x}\n" for n, (w, x) in enumerate(zip(WRITERS, SAID, strict=True))
    ]
    assert spoken("".join(lines)) == list(zip(WRITERS, SAID, strict=True))


def test_numbers_of_participants_are_part_of_their_names() -> None:
    forms = ["{n}: {x}\n", "**{n}:** {x}\n\n", "[0:0{t}] {n}: {x}\n"]
    names = ["P1", "P2", "P3", "P1", "P3", "P2", "P1", "P2"]
    for form in forms:
        rows = enumerate(zip(names, SAID, strict=True))
        read = spoken("".join(form.format(n=n, x=x, t=t) for t, (n, x) in rows))
        assert read == list(zip(names, SAID, strict=True))
    numbered = [f"{'QA'[n % 2]}{n // 2 + 1}" for n in range(len(SAID))]
    read = spoken("".join(f"{n}: {x}\n" for n, x in zip(numbered, SAID, strict=True)))
    assert read == list(zip("QA" * 4, SAID, strict=True))


@each_case(
    "form",
    [
        "*{n}:* {x}\n\n",
        "*{n}*: {x}\n\n",
        "*{n}* {x}\n\n",
        "**{n}.** {x}\n\n",
        "#### {n}:\n{x}\n\n",
        "> **{n}:** {x}\n>\n",
        "| {n} | {x} |\n",
    ],
)
def test_names_are_emphasised_or_in_quotes_and_tables(form: str) -> None:
    assert spoken(text_of(form)) == list(zip(PAIRS, SAID, strict=True))


@each_case(
    "form",
    [
        "[0:0{t}] **{n}** {x}\n\n",
        "**{n}** *0:0{t}*\n{x}\n\n",
        "{n} at 0:0{t}: {x}\n",
        "0:0{t}\n{x}\nSpeaker: {n}\n",
        "0:0{t}\n\n{x}\n\nSpeaker: {n}\n\n",
    ],
)
def test_names_and_times_are_in_several_places(form: str) -> None:
    rows = list(enumerate(zip(PAIRS, SAID, strict=True)))
    read = turns("".join(form.format(n=n, x=x, t=t) for t, (n, x) in rows))
    assert read == [(n, float(t), x) for t, (n, x) in rows]


@pytest.mark.parametrize("form", ["[0:0{t} {n}] {x}\n", "({n}, 0:0{t}) {x}\n"])
def test_persons_beside_times_may_speak_once(form: str) -> None:
    rows = list(enumerate(zip(WRITERS, SAID, strict=True)))
    read = turns("".join(form.format(n=n, x=x, t=t) for t, (n, x) in rows))
    assert read == [(n, float(t), x) for t, (n, x) in rows]


@each_case("form", ["{n}: {x}\n\n", "{n}\n0:0{t}\n{x}\n\n", "**{n}**\n{x}\n\n"])
@each_case("title", ["The old bridge", "**The old bridge**"])
def test_a_single_title_between_turns_is_not_read(form: str, title: str) -> None:
    rows = list(enumerate(zip(PAIRS, SAID, strict=True)))
    parts = [form.format(n=n, x=x, t=t) for t, (n, x) in rows]
    text = "".join([*parts[:4], "" if "\n{x}" in form else "\n", f"{title}\n\n", *parts[4:]])
    assert spoken(text) == list(zip(PAIRS, SAID, strict=True))
    # a brief text among such texts is no title
    brief = [x.rstrip("?.") if n % 2 else x for n, (_, (_, x)) in enumerate(rows)]
    brief[2] = "And so it is. \n\nYes"
    read = spoken(text_of("{n}: {x}\n\n", brief))
    assert read[2][1].endswith("Yes")


def test_names_alone_may_end_with_a_number() -> None:
    names = ["HOST", "GUEST 1", "GUEST 2", "HOST", "GUEST 1", "GUEST 2", "HOST", "GUEST 1"]
    read = spoken("".join(f"{n}\n{x}\n\n" for n, x in zip(names, SAID, strict=True)) + "\n")
    assert read == list(zip(names, SAID, strict=True))


def test_numbers_alone_above_turns_and_titles_of_the_speech_are_no_words() -> None:
    pairs = zip(SAID[::2], SAID[1::2], strict=True)
    text = "".join(f"{7 + 2 * n}\nQ: {a}\nA: {b}\n" for n, (a, b) in enumerate(pairs))
    assert spoken(text) == list(zip("QA" * 4, SAID, strict=True))
    lines = "".join(
        f"[0:0{n}] {p}: {x}\n" for n, (p, x) in enumerate(zip(PAIRS, SAID, strict=True))
    )
    assert spoken(f"FULL TRANSCRIPT:\n\n{lines}") == list(zip(PAIRS, SAID, strict=True))


def test_times_below_texts_are_read_in_a_long_text() -> None:
    lines = "".join(f"{x}\n[{n // 60}:{n % 60:02}]\n\n" for n, x in enumerate(SAID * 126))
    assert [start for _, start, _ in turns(lines)] == list(range(126 * len(SAID)))


def test_what_a_sample_does_not_have_is_not_looked_for_in_a_long_text() -> None:
    sizes: list[int] = []

    def look(lines: Lines) -> Lines:
        sizes.append(len(lines))
        return lines

    lines = [(n, "So it was.") for n in range(3 * SAMPLE)]
    assert if_in_sample(look)(lines) is lines
    assert sizes == [SAMPLE]


def test_a_scene_ends_at_the_next_turn_of_a_new_speaker() -> None:
    new = [("Cy", "Did you see the bridge?"), ("Di", "I saw it, and it was closed.")] * 2
    text = text_of("{n}: {x}\n") + "Scene: A house\n" + "".join(f"{n}: {x}\n" for n, x in new)
    assert spoken(text) == [*zip(PAIRS, SAID, strict=True), *new]


@each_case(
    "form",
    [
        "[0:0{t}] {n} (92%): {x}\n",
        "[0:0{t}] {n} (4s): {x}\n",
        "0:0{t}\t0:0{t}.5\t{n}\t{x}\n",
        "{n}: {x} (0:0{t} - 0:0{t}.5)\n",
        "0:0{t}\n{n}\n{x}\n\n",
        "{n} from {t}.0s to {t}.5s: {x}\n",
    ],
)
@each_case("names", [["Ann Lee", "Ben"], ["ann", "ben"], WRITERS])
def test_names_are_beside_confidences_and_times(form: str, names: list[str]) -> None:
    rows = [(names[n % len(names)], x) for n, x in enumerate(SAID)]
    text = "".join(form.format(n=n, x=x, t=t) for t, (n, x) in enumerate(rows))
    assert turns(text) == [(n, float(t), x) for t, (n, x) in enumerate(rows)]


def test_numbers_of_turns_and_directions_are_no_words() -> None:
    text = text_of("{n}: {x}\n")
    direction = '[MUSIC] (a short sound, like a soft "whoosh")'
    assert spoken(f"{text}{direction}\n{text}") == 2 * list(zip(PAIRS, SAID, strict=True))
    rows = enumerate(zip(PAIRS, SAID, strict=True), 1)
    assert spoken("".join(f"#{k} {n}: {x}\n" for k, (n, x) in rows)) == spoken(text)


def test_bold_questions_among_bold_names_are_no_speakers() -> None:
    text = text_of("**{n}**\n\n{x}\n\n") * 2
    text = text.replace("**Ben**", "**What happens here**\n\nThis is it.\n\n**Ben**", 1)
    assert {name for name, _ in spoken(text)} == {"Ann", "Ben"}


def test_a_single_level_of_a_log_above_turns_is_a_head() -> None:
    text = "INFO: 8/6/15, the town hall\n\n" + text_of("{n}: {x}\n\n") * 4
    assert spoken(text) == 4 * list(zip(PAIRS, SAID, strict=True))


@each_case("form", ["{n} said:\n{x}\n\n", "----------\n{n}\n{x}\n", "{n}:\n{x}\n\n"])
@each_case("names", [["Guest 1", "Chair", "Ben"], PAIRS])
def test_names_over_texts_are_of_several_kinds(form: str, names: list[str]) -> None:
    rows = [(names[n % len(names)], x) for n, x in enumerate(SAID)] * 2
    assert spoken("".join(form.format(n=n, x=x) for n, x in rows)) == rows


def test_titles_stand_between_persons_who_speak_once() -> None:
    rows = list(enumerate(zip(WRITERS, SAID, strict=True)))
    parts = [f"[0.{t} - 0.{t}] {n}: {x}\n" for t, (n, x) in rows]
    parts = [part.replace("0.", f"{2 * t}.", 1) for t, part in enumerate(parts)]
    parts = [part.replace("- 0.", f"- {2 * t + 1}.", 1) for t, part in enumerate(parts)]
    text = "".join([*parts[:4], "\nThe old bridge\n\n", *parts[4:]])
    assert spoken(text) == list(zip(WRITERS, SAID, strict=True))


@each_case(
    "form",
    [
        "- **[0:{t:02}]** {x}\n",
        "{x} - 0:{t:02}\n",
        "{x} (0:{t:02}-0:{e:02})\n",
        "00:00:{t:02} to 00:00:{e:02} {x}\n",
        "Transcript: [{t}.25 --> {e}.25] {x}\n",
        "0:{t:02} {x}\n0:{e:02} \n",
        "{x}\n0:{t:02}\n",
        "[00:{t:02} | 00:{e:02}] {x}\n",
        "{n}. [{t}.00s - {e}.00s] {x}\n",
        "[00:00:{t:02}..00:00:{e:02}] {x}\n",
    ],
)
def test_times_of_texts_without_speakers_are_no_words(form: str) -> None:
    said = "".join(form.format(n=n, t=4 * n, e=4 * n + 4, x=x) for n, x in enumerate(SAID))
    read = turns(said)
    assert [(speaker, words) for speaker, _, words in read] == [(None, x) for x in SAID]
    assert [int(start or 0) for _, start, _ in read] == [4 * n for n in range(len(SAID))]


def test_confidences_below_transcripts_are_no_words() -> None:
    assert spoken("".join(f"Transcript: {x}\nConfidence: 0.93\n\n" for x in SAID)) == [
        (None, x) for x in SAID
    ]


def test_what_a_program_writes_below_a_text_is_no_word() -> None:
    said = "".join(f"[0:{4 * n:02}] {x}\n" for n, x in enumerate(SAID))
    assert spoken(f"{said}\nTotal words: 92\nDone in 12.3 seconds.\n") == [(None, x) for x in SAID]


def test_times_of_day_before_texts_are_no_words() -> None:
    said = "".join(f"10:{n:02} AM {x}\n" for n, x in enumerate(SAID))
    assert turns(said) == [(None, 60.0 * n, x) for n, x in enumerate(SAID)]


@pytest.mark.parametrize("form", ["Sentence {n}: {x}\n", "You said: {x}\n", "Segment {n}: {x}\n\n"])
def test_counted_texts_have_no_speakers(form: str) -> None:
    said = "".join(form.format(n=n, x=x) for n, x in enumerate(SAID))
    assert spoken(said) == [(None, x) for x in SAID]


def test_answers_to_choose_from_are_no_speakers() -> None:
    answers = "A. The old bridge.\nB. The new road.\nC. None of them.\n"
    text = "".join(f"{n}. What did we find there?\n{answers}\n" for n in range(1, 5))
    assert {speaker for speaker, _ in spoken(text)} == {None}
    talk = "".join(f"{'ABC'[n % 3]}: {x}\n" for n, x in enumerate(SAID))
    assert {speaker for speaker, _ in spoken(talk)} == {*"ABC"}


@pytest.mark.parametrize(
    "form",
    [
        "{n}  0:{t:02}\n{x}\n\n",
        "0:{t:02}, {n}, {x}\n",
        "{t}. {n}: {x}\n",
        "{n}  10:{t:02} AM\n{x}\n\n",
    ],
)
def test_names_of_users_are_in_small_letters(form: str) -> None:
    names = ["cat-lover", "Ben", "moss"]
    rows = [(names[n % 3], x) for n, x in enumerate(SAID * 2)]
    text = "".join(form.format(n=n, t=t + 1, x=x) for t, (n, x) in enumerate(rows))
    assert spoken(text) == rows


@pytest.mark.parametrize("form", ["[0:{t:02}] {n}: {x}\n", "{n} (0:{t:02}): {x}\n"])
def test_three_persons_with_numbers_may_speak_once(form: str) -> None:
    rows = list(zip(["P1", "Guest 2", "I1"], SAID, strict=False))
    text = "".join(form.format(n=n, t=4 * t, x=x) for t, (n, x) in enumerate(rows))
    assert spoken(text) == rows


def test_listed_participants_may_speak_once() -> None:
    rows = list(zip(WRITERS, SAID, strict=True))
    parts = [f"### [0:{4 * t:02}] {n}\n{x}\n\n" for t, (n, x) in enumerate(rows)]
    assert spoken(f"Participants: {', '.join(WRITERS)}\n\n{''.join(parts)}") == rows


def test_a_day_above_turns_is_no_name() -> None:
    head = "Transcript generated on 2024-05-04 10:22:31\nLength: 00:12:40\n\n"
    rows = list(zip(PAIRS, SAID, strict=True))
    text = "".join(f"{n}  0:{4 * t:02}\n{x}\n\n" for t, (n, x) in enumerate(rows))
    assert spoken(head + text) == rows


def test_numbers_before_names_stand_among_titles() -> None:
    parts = [f"{n}\t{name}: {x}\n" for n, (name, x) in enumerate(zip(PAIRS, SAID, strict=True))]
    parts[3:3] = ["\nThe old bridge\n\n"]
    assert spoken("".join(parts)) == list(zip(PAIRS, SAID, strict=True))


@pytest.mark.parametrize("form", ["[{n}] {t}.26-{e}.57: {x}\n", "{n} {t}.26-{e}.57: {x}\n"])
@pytest.mark.parametrize("name", ["SPEAKER_00", "Unknown"])
def test_one_speaker_may_be_before_all_times(form: str, name: str) -> None:
    said = "".join(form.format(n=name, t=4 * t, e=4 * t + 3, x=x) for t, x in enumerate(SAID))
    assert turns(said) == [(name, 4 * t + 0.26, x) for t, x in enumerate(SAID)]


def test_names_of_a_chat_may_be_long_and_have_signs() -> None:
    roe = "Ben Roe (he/him) House of Bridges / bridges.example / Friends of the Old Road"
    names = {"Ann": "Ann Lee", "Ben": roe}
    said = ["If you want : look", *SAID[1:]]
    text = "".join(
        f"10:{n:02}:00\t From {names[name]} : {x}\n"
        for n, (name, x) in enumerate(zip(PAIRS, said, strict=True))
    )
    assert spoken(text) == [(names[name], x) for name, x in zip(PAIRS, said, strict=True)]


def test_blank_lines_may_be_between_the_names_and_the_messages_of_a_chat() -> None:
    said = [SAID[0], 'Reacted to "Good morning, and..." with \U0001f44d', *SAID[2:]] * 2
    heard = [SAID[0], "", *SAID[2:]] * 2  # nobody says what the program quotes
    rows = list(zip(PAIRS * 2, said, strict=True))
    text = "".join(
        f"10:{n:02}:00 From {name} to Everyone:\n\n\t{x}\n" for n, (name, x) in enumerate(rows)
    )
    assert spoken(text) == list(zip(PAIRS * 2, heard, strict=True))


def test_a_chat_may_have_points_in_times_and_brackets_in_names() -> None:
    names = {"Ann": "Ann (choir)", "Ben": "Ben Roe"}
    rows = [(names[name], x) for name, x in zip(PAIRS * 2, SAID * 2, strict=True)]
    text = "08/01/26 14.14 - Messages of this chat are encrypted.\n" + "".join(
        f"08/01/26 14.{n + 20} - {name}: {x}\n" for n, (name, x) in enumerate(rows)
    )
    assert spoken(text) == rows


def test_a_brief_first_paragraph_below_speech_is_a_turn_and_no_field() -> None:
    text = (
        "ANN LEE: Good evening, and welcome.\n\nEVA SAMPLE: Thanks, Ann,\n\n"
        "It was a long road to this bridge.\n\n"
        + "".join(f"{name}: {x}\n\n" for name, x in zip(["LEE", "ROE"] * 4, SAID, strict=True))
    )
    assert [name for name, _ in spoken(text)[:3]] == ["LEE", "EVA SAMPLE", "LEE"]


def test_the_context_of_an_interview_is_no_speaker() -> None:
    head = "An interview\nProduct: a map of roads\nContext: Has used it for a week. Likes maps.\n\n"
    text = "".join(f"{name}: {x}\n" for name, x in zip(PAIRS, SAID, strict=True))
    assert spoken(head + text) == list(zip(PAIRS, SAID, strict=True))


def test_a_direction_behind_a_name_is_no_part_of_it() -> None:
    behind = ["", "", "", " (nods)", " (sitting down)", " (nods again)", "(calm)", ""]
    text = "".join(
        f"{name}{part}: {x}\n" for name, part, x in zip(PAIRS, behind, SAID, strict=True)
    )
    assert spoken(text) == list(zip(PAIRS, SAID, strict=True))


ANSWER = (
    "It has four parts.\n\n## The road\n\nNote: it is long.\n\n* one\n* two\n\nSummary\n\nGo on."
)


@each_case(
    ("person", "program", "form"),
    [
        ("User", "ChatGPT", "{n}\n{x}\n\n"),
        ("You", "Claude", "{n}\n\n{x}\n\n"),
        ("**User**", "**ChatGPT**", "{n}\n\n{x}\n\n"),
        ("用户", "助手", "{n}\n{x}\n\n"),
    ],
)
def test_a_program_may_answer_in_many_paragraphs(person: str, program: str, form: str) -> None:
    said = [(person, SAID[0]), (program, ANSWER), (person, SAID[2]), (program, ANSWER)]
    text = "".join(form.format(n=name, x=x) for name, x in said)
    names = [person.strip("*"), program.strip("*")] * 2
    assert [speaker for speaker, _ in spoken(text)] == names


def test_parts_of_a_document_named_as_parties_are_no_turns() -> None:
    text = "The parts.\n\nUser\n\nA user has a name.\n\nAssistant\n\nIt writes.\n\nSystem\n\nIt sends.\n"
    assert [speaker for speaker, _ in spoken(text)] == [None]


@each_case(
    ("question", "answer"),
    [
        ("### Question {n}\n{x}\n\n", "### Answer\n{x}\n\n"),
        ("## Question {n}\n\n{x}\n\n", "## Answer {n}\n\n{x}\n\n"),
        ("### Question {n}: {x}\n", "**Answer:** {x}\n\n"),
        ("Question {n}\n{x}\n\n", "Answer\n{x}\n\n"),
        ("Frage {n}\n{x}\n\n", "Antwort\n{x}\n\n"),
    ],
)
def test_numbers_of_questions_are_no_part_of_a_name(question: str, answer: str) -> None:
    asked = ["So when was it?", "And who came?", "What is next?"]
    text = "".join(
        (question + answer.replace("{x}", "{y}")).format(n=n, x=x, y=SAID[n])
        for n, x in enumerate(asked, 1)
    )
    names = {speaker for speaker, _ in spoken("# A talk\n\n" + text)}
    assert names in ({"Question", "Answer"}, {"Frage", "Antwort"})


def test_a_text_may_be_directly_below_a_heading_that_is_a_name() -> None:
    said = list(zip(PAIRS, SAID, strict=True))
    text = "# Transcript\n\n" + "".join(f"### {n}\n\n{x}\n\n" for n, x in said)
    text = text.replace("### Ann\n\nGood", "### Ann\nGood").replace(
        "### Ben\n\nOne", "### Ben\nOne"
    )
    assert spoken(text) == said


def test_headings_in_the_answers_of_a_program_are_no_names() -> None:
    said = [("User", SAID[0]), ("Assistant", ANSWER.replace("## ", "### "))] * 2
    text = "".join(f"## {name}\n\n{x}\n\n" for name, x in said)
    assert [speaker for speaker, _ in spoken(text)] == ["User", "Assistant"] * 2


@each_case(
    "form",
    [
        "**{n}** _({d}):_\n{x}\n\n", "**{n}** *({d})*: {x}\n\n", "**{n}** ({d}): {x}\n\n",
        "__{n}__ ({d}):\n{x}\n\n",
    ],
)  # fmt: skip
def test_a_direction_may_be_between_a_bold_name_and_its_colon(form: str) -> None:
    directions = ["softly", "", "", "at the door", "", "", "nods", ""]
    rows = list(zip(PAIRS, directions, SAID, strict=True))
    text = "".join(form.format(n=n, d=d, x=x) if d else f"**{n}:** {x}\n\n" for n, d, x in rows)
    assert spoken(text) == list(zip(PAIRS, SAID, strict=True))


def test_a_sign_of_bold_may_be_lost_before_a_name() -> None:
    text = "Notes on the show.\n\n" + text_of("**{n}:** {x}\n\n").replace("**Ann", "Ann", 1)
    assert spoken(text) == list(zip(PAIRS, SAID, strict=True))


def test_a_part_of_a_sentence_between_turns_is_no_title() -> None:
    said = list(zip(["Speaker 0", "Speaker 1"] * 4, SAID, strict=True))
    more = "\n\nAnd there is more to say of it.\n\nSo we go on with that.\n\n"
    text = "".join(f"{n}: {x}{more}" for n, x in said).replace(
        "that.\n\nSp", "that.\n\nWhy does pausing\n\nSp", 1
    )
    assert "Why does pausing" in " ".join(x for _, x in spoken(text))


def test_languages_and_tags_of_thoughts_are_no_words() -> None:
    said = list(zip(["CLIENT", "AGENT"] * 4, SAID, strict=True))
    assert spoken("".join(f"[{n}] [English] {x}\n" for n, x in said)) == said
    text = "".join(f"{n}: <thought>So.</thought>\n{x}\n" for n, x in zip(PAIRS, SAID, strict=True))
    assert [words for _, words in spoken(text)] == [f"So. {x}" for x in SAID]
