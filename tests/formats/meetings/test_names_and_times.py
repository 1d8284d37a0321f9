"""Names and times of turns that few layouts have: names in odd places, roles, lists, two lines."""

import contextlib
from io import BytesIO
from pathlib import Path

import pytest

import formats
from formats import FormatError, Transcript
from formats.io.messages import BRACKETS_LEFT
from formats.meetings.messages import (
    LINES_LIKE_TURNS,
    NAMES_INSIDE,
    NAMES_ODD,
    TITLES_JOINED,
    TURNS_ABOVE,
    TURNS_ALIKE,
    TURNS_BETWEEN,
)
from formats.meetings.turns.description import description_of
from formats.nist.messages import SPEAKER_TEXT, TXT_NAMES, TXT_SHAPES
from tests.each_case import each_case
from tests.formats.meetings.said import SAID, Turn, named, turns
from tests.remarks import fields_of
from tests.remarks import said as said_of

NAMES = ["Ann Lee", "Bob Roe", "Ann Lee", "Cy Doe", "Bob Roe", "Ann Lee", "Cy Doe", "Ann Lee"]
CHAIRED = ["THE CHAIR", "MR. ROE", "THE CHAIR", "MS. DOE"] * 2
UNPUNCTUATED = "anne: so it is\nbob: um\ncarl: yes\nbob: no it is not\n"
FAR = "9223372036.854775808"


def read(text: str) -> Transcript:
    return formats.read(named(text))


def filled(template: str, names: list[str] = NAMES) -> str:
    return "".join(
        template.format(n=name, x=text, k=n % 2, s=3 * n, t=3 * n + 2, i=n)
        for n, (name, text) in enumerate(zip(names, SAID, strict=True))
    )


@pytest.mark.parametrize(
    "template",
    [
        "[00:{s:02} - 00:{t:02}] {n}\n{x}\n\n",
        "start={s}.0s stop={t}.0s speaker={n} text= {x}\n",
        "{n} (guest) [{s}.00-{t}.50]: {x}\n",
        "{n}:\n  [00:{s:02}]  {x}\n\n────────\n",
        "0:00:{s:02}.5 **{n}** {x}\n\n",
        "(00:{s:02}) {n} - {x}\n",
        "[00:{s:02}] {x} ({n})\n",
        "1. [00:{s:02}] {n}: {x}\n",
        "00:00:{s:02},000 --> 00:00:{t:02},000 [{n}]: {x}\n",
        "00:00:{s:02},000 --> 00:00:{t:02},000 {n}: {x}\n",
    ],
)
def test_names_and_times_are_read(template: str) -> None:
    found = turns(filled(template))
    assert [(name, text) for name, _, text in found] == list(zip(NAMES, SAID, strict=True))
    assert [int(start or 0) for _, start, _ in found] == [3 * n for n in range(len(SAID))]


def test_labels_with_fractions_are_names_above_texts() -> None:
    text = "".join(f"[00:0{n} - 00:0{n + 1}] 说话人 {n % 2}.0\n大 家 好 {n}\n\n" for n in range(6))
    assert turns(text)[1] == ("说话人 1.0", 1.0, "大 家 好 1")


def test_a_time_without_a_name_goes_on_with_the_name_in_bold() -> None:
    template = "0:00:{s:02}.5 **{n}** {x}\n\n0:00:{t:02}.5 And so on.\n\n"
    found = turns(filled(template))
    assert [name for name, _, _ in found] == [name for name in NAMES for _ in range(2)]


def test_roles_below_names_are_no_words() -> None:
    roles = {"Ann Lee": "Chair", "Bob Roe": "Member for North", "Cy Doe": "Minister of Works"}
    template = "".join(
        f"{name}\n{roles[name]}\n{text}\n\n" for name, text in zip(NAMES * 2, SAID * 2, strict=True)
    )
    transcript = read(template)
    assert [(s.speaker, " ".join(s.words)) for s in transcript] == list(
        zip(NAMES * 2, SAID * 2, strict=True)
    )
    (fields,) = fields_of(transcript.diagnostics, TURNS_BETWEEN)
    assert fields["lines"] == 16


@pytest.mark.parametrize(
    "above",
    [
        "THE HEARING\n\nAPPEARANCES:\n\nMR. ROE: for the state\nMS. DOE: for the city\n"
        "THE CHAIR: Judge Lee\n\n",
        "Participants:\nMR. ROE: Ministry of Works\nMS. DOE: City\n\n",
    ],
)
def test_a_list_of_persons_is_no_speech(above: str) -> None:
    transcript = read(above + filled("{n}: {x}\n\n", CHAIRED))
    assert [s.speaker for s in transcript] == CHAIRED
    (fields,) = fields_of(transcript.diagnostics, TURNS_ABOVE)
    assert fields["lines"] == len(list(filter(None, above.split("\n"))))


@pytest.mark.parametrize(
    "beginning",
    ["The second point is this", "After that, the answer is clear", "Costs and times of it"],
)
def test_sentences_with_a_colon_do_not_begin_turns(beginning: str) -> None:
    text = filled("{n}: {x}\n\n", CHAIRED).replace("\n\nMS.", f"\n\n{beginning}: it is so.\n\nMS.")
    assert {s.speaker for s in read(text)} == set(CHAIRED)


def test_chats_may_have_many_paragraphs_a_turn() -> None:
    answer = "\n\n".join(f"This is the paragraph {n} of a long answer." for n in range(20))
    text = "".join(f"USER: {x}\n\nGEMINI: Let us see.\n\n{answer}\n\n" for x in SAID[:3])
    assert [s.speaker for s in read(text)] == ["USER", "GEMINI"] * 3


def test_numbered_roles_may_have_many_paragraphs_a_turn() -> None:
    names = ["mod1", "player #1", "mod2", "player #2"] * 2
    text = filled("{n}:  {x}\n\nWell, it is.\n\nAnd so on.\n\nYes, it is so.\n\nNo.\n\n", names)
    assert [s.speaker for s in read(text)] == names


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "[00:00] Good morning, this is the first.\n[00:04] And this is the second one.\n",
            [
                (None, 0.0, "Good morning, this is the first."),
                (None, 4.0, "And this is the second one."),
            ],
        ),
        (
            "Speaker 1 (0:00): Good morning to all.\nSpeaker 2 (0:03): Good morning to you.\n",
            [
                ("Speaker 1", 0.0, "Good morning to all."),
                ("Speaker 2", 3.0, "Good morning to you."),
            ],
        ),
        (
            "Alice: Good morning.\nBob: Good morning, Alice. Are you ready?\nCy: I am.\n",
            [
                ("Alice", None, "Good morning."),
                ("Bob", None, "Good morning, Alice. Are you ready?"),
                ("Cy", None, "I am."),
            ],
        ),
    ],
)
def test_few_lines_are_turns_if_each_line_is_one(text: str, expected: list[Turn]) -> None:
    assert turns(text) == expected


def test_names_in_bold_and_without_marks_are_names() -> None:
    text = filled("{n}:\n{x}\n\n") + filled("**{n}:**\n{x}\n\n")
    assert [s.speaker for s in read(text)] == NAMES * 2


def test_titles_in_bold_that_return_far_below_are_no_names() -> None:
    plan = "# The plan\n\n" + "".join(f"{text}\n\n" for text in SAID * 3)
    parts = "".join(f"**Work:**\nThe part {n}.\n\n**Cost:**\nSome.\n\n" for n in range(4))
    assert {s.speaker for s in read(plan + parts)} == {None}


def test_fields_of_events_are_no_turns() -> None:
    event = "- **Date:** Monday\n- **Time:** 10:00 AM - 1:00 PM\n- **Title:** The {n}. part\n\n"
    text = "".join(event.format(n=n) + "**Place:** Room 1\n- **Work:** much\n" for n in range(6))
    with pytest.raises(formats.AmbiguousFormatError):
        read(text)


def test_times_in_parentheses_behind_texts_are_starts() -> None:
    assert turns(filled("{x} (0:{s:02})\n")) == [(None, 3.0 * n, x) for n, x in enumerate(SAID)]


def test_blanks_may_stand_for_some_tabs_behind_identifiers() -> None:
    lines = [f"UTT{n}{'    ' if n == 3 else chr(9)}{text}" for n, text in enumerate(SAID)]
    transcript = read("\n".join(lines) + "\n")
    assert [s.utterance for s in transcript] == [f"UTT{n}" for n in range(len(SAID))]


def test_labels_of_interlinear_texts_are_reported() -> None:
    block = "tx\tkono wame si\nge\tthis house be\nft\tHe is in this house {n}.\n\n"
    transcript = read("".join(block.format(n=n) for n in range(4)))
    (fields,) = fields_of(transcript.diagnostics, TXT_SHAPES["label-and-tab"])
    assert (fields["lines"], fields["total"]) == (12, 12)


def test_plans_are_no_turns() -> None:
    assert turns("10:00 Coffee\n12:00 Lunch\n") == [(None, None, "10:00 Coffee 12:00 Lunch")]


@pytest.mark.parametrize("sign", [" :", ":", " -", " |", " =>"])
def test_names_of_audio_files_before_texts_are_recordings(sign: str) -> None:
    transcript = read("".join(f"wav/a{n}.mp3{sign} {text}\n" for n, text in enumerate(SAID)))
    assert [s.recording for s in transcript] == [f"a{n}" for n in range(len(SAID))]
    assert [" ".join(s.words) for s in transcript] == SAID


@pytest.mark.parametrize(
    "template", ["{t} {n}: {x}\n", "[{t}] {n}: {x}\n", "[{t}] {x}\n", "{n} {t}\n{x}\n\n"]
)
def test_times_after_midnight_go_on(template: str) -> None:
    clocks = ["23:59:50", "23:59:57", "00:00:05", "00:00:11"]
    rows = zip(clocks, ["Ann", "Bob"] * 2, SAID, strict=False)
    text = "".join(template.format(t=clock, n=name, x=said) for clock, name, said in rows)
    assert [start for _, start, _ in turns(text)] == [0.0, 7.0, 15.0, 21.0]


@pytest.mark.parametrize("template", ["[{t}] {n}: {x}\n", "{n} ({t}): {x}\n"])
@pytest.mark.parametrize(
    ("fraction", "first"), [("", 0.0), (".0", 57780.0), (":00", 57780.0)], ids=str
)
def test_whole_seconds_of_an_afternoon_are_times_of_day(
    template: str, fraction: str, first: float
) -> None:
    rows = [(f"16:03:0{n}{fraction}", "Ann" if n % 2 else "Bob", x) for n, x in enumerate(SAID)]
    text = "".join(template.format(t=clock, n=name, x=said) for clock, name, said in rows)
    assert [start for _, start, _ in turns(text)] == [first + n for n in range(len(SAID))]
    described = description_of(list(enumerate(text.splitlines(), 1)))
    assert ("clock" in described) is (first == 0)


def test_fields_above_names_in_capitals_are_no_speakers() -> None:
    head = "CASE ID: X-1\nPLACE: The House\nSEEN BY: Eve\n\n---\n\n"
    said = "EVE: Where is it?\n\nANN: Here, I think.\n\n" * 4
    assert [speaker for speaker, *_ in turns(head + said)] == ["EVE", "ANN"] * 4


def test_clauses_in_chinese_are_no_names() -> None:
    said = "主席：會議開始。\n王委員：謝謝。\n" * 4
    assert {speaker for speaker, *_ in turns(said + "他說：好的。\n")} == {"主席", "王委員"}


@pytest.mark.parametrize(
    "template",
    [
        "  {i} [00:{s:02}] {n}: {x}\n",
        "{i}\n00:{s:02} - 00:{t:02}\n{n}: {x}\n\n",
        "> **{n}** `00:{s:02}`\n> {x}\n\n",
        "[00:{s:02}] {n}: {x}\n<sub>confidence 0.9{i}</sub>\n",
    ],
)
def test_counters_quotation_signs_and_small_print_are_no_words(template: str) -> None:
    found = turns(filled(template))
    assert [(name, text) for name, _, text in found] == list(zip(NAMES, SAID, strict=True))


def test_values_in_parentheses_behind_times_are_no_words() -> None:
    found = turns(filled("[00:00:{s:02}.00 - 00:00:{t:02}.00] (conf=0.{i}) {x}\n"))
    assert [text for *_, text in found] == SAID


def test_names_between_dashes_are_speakers() -> None:
    assert [name for name, *_ in turns(filled("——{n}——\n{x}\n\n"))] == NAMES


def test_lines_with_times_and_texts_are_no_subtitles_without_texts() -> None:
    text = filled("00:00:{s:02},000 --> 00:00:{t:02},000 {x}\n")
    assert [said for *_, said in turns(text)] == SAID


def test_scripts_without_blanks_have_a_pace() -> None:
    lines = [f"話者{'AB'[n % 2]}（00:00:{6 * n:02}）：これは{n}番目の文です。\n" for n in range(8)]
    assert [start for _, start, _ in turns("".join(lines))] == [6.0 * n for n in range(8)]


def test_titles_behind_times_in_headings_are_no_words() -> None:
    transcript = read(filled("### [00:{s:02}] Part {i}\n{x}\n\n"))
    assert [(s.start, " ".join(s.words)) for s in transcript] == [
        (3.0 * n, text) for n, text in enumerate(SAID)
    ]
    (fields,) = fields_of(transcript.diagnostics, TURNS_BETWEEN)
    assert fields["lines"] == len(SAID)


def test_headings_that_hold_all_words_are_read() -> None:
    assert [text for *_, text in turns(filled("### [00:{s:02}] {x}\n\n"))] == SAID


@pytest.mark.parametrize("footer", ["以上内容由AI生成", "Transcript generated by a recogniser"])
def test_who_wrote_the_transcript_is_no_word(footer: str) -> None:
    assert [text for *_, text in turns(filled("{n} 00:{s:02}\n{x}\n\n") + footer)] == SAID


def test_names_in_small_letters_begin_nearly_all_lines() -> None:
    names = ["ann", "bob", "cy", "di"] * 5
    lines = [f"{name}:{'(sighs)' * (n % 3 == 0)} well, so it is." for n, name in enumerate(names)]
    text = "\n".join([*lines, "eve: no, it is not so.", "[the end of it"])
    assert {name for name, *_ in turns(text)} == {"ann", "bob", "cy", "di", "eve"}


def test_front_matter_is_no_turns() -> None:
    front = "---\nid: x\ntitle: The bees\nplace: Leeds\nhost: Ann\nsource: mp3\n---\n\n"
    assert turns(front + "The bees live there.\n\nSo it was.\n")[0][0] is None
    assert [name for name, *_ in turns(front + filled("{n}: {x}\n\n"))] == NAMES


def test_names_inside_lines_are_reported_though_they_begin_no_line() -> None:
    some = "".join(f"Ann: {x}\nBob: {x} Zed: Well, yes.\nCy: {x} {x}\nAnn: {x}\n" for x in SAID)
    text = some + "Ann: so it was.\n" * 3 * len(SAID)
    (fields,) = fields_of(read(text).diagnostics, NAMES_INSIDE)
    assert fields["count"] == len(SAID)


def test_one_name_inside_a_line_is_reported_where_a_turn_may_begin() -> None:
    some = "".join(f"Ann: {x}\nBen: {x}\n" for x in SAID)
    long = "so we went on and on, as one does in the end of a long day. "
    (fields,) = fields_of(read(f"{some}Ann: {long}Ben: It was.\n").diagnostics, NAMES_INSIDE)
    assert "Ben: It was." in fields["text"]
    assert "on and on" not in fields["text"]
    assert not fields_of(read(f"{some}Ann: One for you, Ben: do it.\n").diagnostics, NAMES_INSIDE)


def test_parts_in_brackets_inside_turns_are_reported() -> None:
    transcript = read("".join(f"{n}: {x} [Ann]\n" for n, x in zip(NAMES, SAID, strict=True)))
    (fields,) = fields_of(transcript.diagnostics, BRACKETS_LEFT)
    assert fields == {"count": len(SAID), "text": "[Ann]"}


@pytest.mark.parametrize("title", ["ACT II", "Verse 3", "12", "INT. KITCHEN - DAY"])
def test_headings_and_page_numbers_between_turns_are_reported(title: str) -> None:
    rows = zip(NAMES, SAID, strict=True)
    last = [f"{title}\n" if n < 4 else "" for n in range(len(SAID))]  # above all, it is a label
    transcript = read("".join(f"[0:0{n}] {a}:\n{x}\n{last[n]}\n" for n, (a, x) in enumerate(rows)))
    (fields,) = fields_of(transcript.diagnostics, TITLES_JOINED)
    assert (fields["count"], fields["text"]) == (4, title)


def test_names_that_have_one_turn_each_are_reported() -> None:
    transcript = read("".join(f"Speaker {n}: {x}\n" for n, x in enumerate(SAID)))
    (fields,) = fields_of(transcript.diagnostics, NAMES_ODD)
    assert (fields["count"], fields["total"]) == (len(SAID), len(SAID))


@pytest.mark.parametrize("part", ["(Ann)", "hum"])
def test_turns_that_begin_alike_are_reported(part: str) -> None:
    transcript = read("".join(f"{n}: {part} {x}\n" for n, x in zip(NAMES, SAID, strict=True)))
    (fields,) = fields_of(transcript.diagnostics, TURNS_ALIKE)
    assert fields == {"count": len(SAID), "total": len(SAID), "text": part}


def test_changes_of_speakers_may_be_escaped() -> None:
    transcript = read(
        "".join(f"[0:{n:02}] so it was &gt;&gt; {x}\n" for n, x in enumerate(SAID, 10))
    )
    assert [" ".join(segment.words) for segment in transcript] == [f"so it was {x}" for x in SAID]


def test_a_few_headings_of_notes_are_no_turns() -> None:
    notes = "".join(f"- well, it was {n} of them, and so on it went.\n\n" for n in range(12))
    text = "".join(f"{n}. {name}:\n\n{notes}" for n, name in enumerate(["Method", "Result"] * 3, 1))
    assert {segment.speaker for segment in read(text)} == {None}


CHAT = "1/2/23, 3:0{0}{1} - {2}: {3}\n"


@pytest.mark.parametrize("half", ["", " PM", "\u202fPM"])
def test_notices_of_a_chat_are_no_words(half: str) -> None:
    rows = [CHAT.format(n, half, *row) for n, row in enumerate(zip(NAMES, SAID, strict=True))]
    notice = f"1/2/23, 3:07{half} - Ann Lee added Cy Doe\n"
    transcript = read("".join([rows[0], notice, *rows[1:], notice]))
    assert [" ".join(segment.words) for segment in transcript] == SAID
    assert [fields["lines"] for fields in fields_of(transcript.diagnostics, TURNS_BETWEEN)] == [2]


def test_messages_of_a_chat_may_have_many_lines() -> None:
    rows = list(zip(NAMES, SAID, strict=True)) * 2
    text = "".join(
        CHAT.format(n % 10, "", a, f"{x}\nso it was\nand so on") for n, (a, x) in enumerate(rows)
    )
    transcript = read(text)
    assert [segment.speaker for segment in transcript] == [name for name, _ in rows]
    assert {len(segment.words) for segment in transcript} == {len(x.split()) + 6 for x in SAID}


def test_turns_of_a_talk_have_no_remark() -> None:
    transcript = read(filled("{n}: {x}\n"))
    assert not [d for d in transcript.diagnostics if d.code != "SPEAKER-TEXT"]


def test_fields_of_a_script_are_no_speakers() -> None:
    text = "Description: a man on a cliff\nDialogue: I will go there.\n" * 3
    with pytest.raises(formats.FormatError):
        read(text)


def test_front_matter_may_have_values_of_several_lines() -> None:
    fields = "".join(f"key{n}: value\n" for n in range(12))
    text = f"---\n{fields}long: so\n© the owner of it\n---\n\n{SAID[0]}\n\n{SAID[1]}\n"
    source = BytesIO(text.encode())
    source.name = "a.md"
    assert [" ".join(s.words) for s in formats.read(source)] == [f"{SAID[0]} {SAID[1]}"]


def test_lines_that_look_like_turns_of_another_layout_are_reported() -> None:
    others = "".join(f"00:{n:02} So it was, and on it went.\n\n" for n in range(30, 33))
    transcript = read(filled("{n} (00:{s:02}): {x}\n\n") + others)
    (fields,) = fields_of(transcript.diagnostics, LINES_LIKE_TURNS)
    assert (fields["count"], fields["total"]) == (3, 3 + len(SAID))


def test_two_names_are_reported_if_they_begin_half_of_a_short_text() -> None:
    text = "It was late, and the door stood open.\n\nAnn: Come in.\n\nBob: No, you.\n"
    assert TXT_NAMES.key in {key for key, _ in said_of(read(text).diagnostics)}


def test_chinese_names_with_a_wide_colon_are_reported() -> None:
    said = "主席：會議開始，\n請各位議員發言，然後我們表決，\n接着是下一個議題，\n" * 4
    keys = {key for key, _ in said_of(read(said * 4).diagnostics)}
    assert keys & {SPEAKER_TEXT.key, TXT_NAMES.key}


def test_times_in_links_at_line_ends_are_times() -> None:
    head = "Date: May 5\n\n# The bees\n\n"
    link = "[[00:00:{s:02}](https://a.example/v?t={s}s)]"
    lines = [f"*  {text} {link.format(s=3 * n)}\n" for n, text in enumerate(SAID * 2)]
    assert turns(head + "".join(lines)) == [
        (None, 3.0 * n, text) for n, text in enumerate(SAID * 2)
    ]


def test_the_first_turns_of_a_text_without_full_stops_are_no_heading() -> None:
    transcript = formats.read(BytesIO(UNPUNCTUATED.encode()), "speaker-text")
    assert [s.speaker for s in transcript] == ["anne", "bob", "carl", "bob"]
    titled = formats.read(BytesIO(f"Title: the talk\n\n{UNPUNCTUATED}".encode()), "speaker-text")
    assert [s.speaker for s in titled] == ["anne", "bob", "carl", "bob"]


@each_case(
    "text",
    [
        f"0.50 - {FAR} A: hello\n", "so it is [999999999:10:10]\n[99:12:10] so\n",
        "999999999:10:10 so it is\n999999999:10:12 no\n",
        "start: 999999999:10:10\nspeaker: a\ntext: b\n\nstart: 0:10:10\nspeaker: a\ntext: b\n",
    ],
)  # fmt: skip
@each_case("name", ["speaker-text", "txt", "lrc", None])
def test_times_beyond_292_years_are_no_times(name: str | None, text: str) -> None:
    with contextlib.suppress(FormatError):
        assert all((s.start or 0) < 10**9 for s in formats.read(BytesIO(text.encode()), name))


NOTICES = "[21/11/25, 9:3{0}:35] {1}: {2}\n"


@pytest.mark.parametrize("name", ["Ann 🩷", "Ann Lee"])
def test_what_a_chat_program_says_is_no_message(name: str) -> None:
    names = [name, "Bob Roe"] * 4
    rows = [NOTICES.format(n, *row) for n, row in enumerate(zip(names, SAID, strict=True))]
    rows.insert(3, NOTICES.format(2, name, "\u200eimage omitted"))
    transcript = read("".join(rows))
    assert [segment.speaker for segment in transcript] == names
    assert [" ".join(segment.words) for segment in transcript] == SAID
    assert [fields["lines"] for fields in fields_of(transcript.diagnostics, TURNS_BETWEEN)] == [1]


def test_a_log_in_which_few_lines_have_a_colon_is_no_chat() -> None:
    row = "2025-10-29 11:15:{0:02} Reading part: names\n" + "2025-10-29 11:15:{0:02} Done now\n" * 4
    assert formats.detect(named("".join(row.format(n) for n in range(8)))) == "txt"


def test_sounds_in_brackets_are_no_speakers() -> None:
    text = "".join(f"[APPLAUSE] {x}\nso it was\n[MUSIC] and so on\n" for x in SAID)
    assert {segment.speaker for segment in read(text)} == {None}


def test_what_is_above_the_first_change_of_speaker_is_said() -> None:
    text = "so it was\nand so on\n" + "".join(f">> {x}\nand then\n" for x in SAID)
    said = [" ".join(segment.words) for segment in read(text)]
    assert said == ["so it was and so on", *(f"{x} and then" for x in SAID)]


OPENING = "Welcome to the hearing, where we will speak of the old bridge and the road beside it."


@pytest.mark.parametrize("template", ["[00:00:{s:02}]\n{x}\n\n", "[00:{s:02}] {x}\n\n"])
def test_a_long_sentence_above_the_first_time_is_speech(template: str) -> None:
    lines = "".join(template.format(s=8 + 4 * n, x=x) for n, x in enumerate(SAID))
    transcript = read(f"The bridge\n\n{OPENING}\n\n{lines}")
    first, second, *_ = transcript.segments
    assert (" ".join(first.words), first.start_ns, first.end_ns) == (OPENING, None, 8 * 10**9)
    assert (" ".join(second.words), second.start_ns) == (SAID[0], 8 * 10**9)


@pytest.mark.parametrize("above", ["Recorded by Ann Lee.", f"{OPENING} {OPENING} " * 9])
def test_other_text_above_the_first_time_is_no_speech(above: str) -> None:
    lines = "".join(f"[00:00:{8 + 4 * n:02}]\n{x}\n\n" for n, x in enumerate(SAID))
    assert " ".join(read(f"{above}\n\n{lines}").segments[0].words) == SAID[0]


@pytest.mark.parametrize(
    ("template", "hour", "starts"),
    [
        ("**[{h:02}:29:{s:02}]** {x}\n\n", 1, 5340.0),
        ("**[{h:02}:29:{s:02}]** {x}\n\n", 16, 0.0),
        ("{h:02}:29:{s:02} {n}: {x}\n\n", 1, 5340.0),
        ("{h:02}:29:{s:02} {n}: {x}\n\n", 16, 0.0),
    ],
)
def test_early_times_are_of_a_part_of_a_recording(template: str, hour: int, starts: float) -> None:
    text = "".join(
        template.format(h=hour, s=3 * n, x=x, n=name)
        for n, (x, name) in enumerate(zip(SAID, NAMES, strict=True))
    )
    assert turns(text)[0][1] == starts


def test_dashes_that_mark_another_speaker_are_no_words() -> None:
    text = "".join(f"0:{4 * n:02}\n{'- ' * (n % 2)}{x} - Yes.\n" for n, x in enumerate(SAID))
    assert [" ".join(segment.words) for segment in read(text)] == [f"{x} Yes." for x in SAID]


def test_names_above_the_text_of_all_cues_are_speakers() -> None:
    names = ["Ann Lee", "Bob Roe", "Cy Doe", "Ann Lee", "Bob Roe", "Cy Doe", "Di Poe", "Di Poe"]
    cues = "".join(
        f"00:00:{4 * n:02}.000 --> 00:00:{4 * n + 3:02}.000\n{name}\n{x}\n\n"
        for n, (name, x) in enumerate(zip(names, SAID, strict=True))
    )
    found = formats.read(named(cues), format="srt")
    assert [segment.speaker for segment in found] == names


DELAYS = [4, 1, 12, 3, 7, 2, 9, 5]


def test_delays_before_names_are_no_part_of_them() -> None:
    rows = zip(DELAYS * 2, ["Ann", "Bob"] * 8, SAID * 2, strict=True)
    found = turns("# The play\n" + "".join(f"{n:<3} {name}: {x}\n" for n, name, x in rows))
    assert [name for name, *_ in found] == ["Ann", "Bob"] * 8
    rows = zip([1, 2] * 4, ["Class", "Group"] * 4, SAID, strict=True)
    found = turns("".join(f"{n} {name}: {x}\n" for n, name, x in rows))
    assert {name for name, *_ in found} == {"1 Class", "2 Group"}


def test_names_behind_times_over_text_may_be_several() -> None:
    names = ["Ann", "Bob", "Cy", "Ann"]
    rows = [f"[0:0{2 * n}] {x}\n{SAID[n]}\n\n" for n, x in enumerate(names)]
    assert [name for name, *_ in turns("".join(rows))] == names
    sounds = [f"[0:0{2 * n}] Applause\n{SAID[n]}\n\n" for n in range(4)]
    assert {name for name, *_ in turns("".join(sounds))} == {None}


def test_a_sound_directly_above_a_name_is_no_part_of_a_turn() -> None:
    names = ["Ann", "Bob"] * 4
    above = {2: "[laughter]\n", 5: "(Applause)\n"}
    rows = [f"{above.get(n, '')}{name}\n{SAID[n]}\n\n" for n, name in enumerate(names)]
    found = turns("".join(rows))
    assert [(name, words) for name, _, words in found] == list(zip(names, SAID, strict=True))


@each_case("sign", ["", ":"])
def test_a_colon_in_a_text_does_not_make_its_words_a_name(sign: str) -> None:
    texts = [f"One thing: {x}" if n == 2 else x for n, x in enumerate(SAID)]
    rows = zip(["Ann", "Bob"] * 4, texts, strict=True)
    found = turns("".join(f"{n}.0 {n}.9 {x}{sign} {t}\n" for n, (x, t) in enumerate(rows)))
    assert [words for _, _, words in found] == texts
    assert [name for name, *_ in found] == ["Ann", "Bob"] * 4


DECIMALS = [
    "{s}.25 {x}\n", "{s}.25: {x}\n", "{s}.25 - {x}\n", "{s}.25\t{x}\n", "{s}.25\n{x}\n",
    "{s},25 - {e},50 {x}\n", "{s}.25 {e}.50\n{x}\n",
    "{x}\t{s}.25\t{e}.50\n",
]  # fmt: skip


@pytest.mark.parametrize("form", DECIMALS)
def test_numbers_with_decimals_at_the_pace_of_speech_are_times(form: str) -> None:
    lines = (form.format(n=n, s=3 * n, e=3 * n + 2, x=x) for n, x in enumerate(SAID * 2))
    ends = [3 * n + 2.5 if "{e}" in form else None for n in range(2 * len(SAID))]
    transcript = read("".join(lines))
    assert [(s.start, " ".join(s.words)) for s in transcript] == [
        (3 * n + 0.25, x) for n, x in enumerate(SAID * 2)
    ]
    if "{e}" in form:
        assert [s.end for s in transcript] == ends


@pytest.mark.parametrize("form", ["1.{n} {x}\n", "{n}.1 {x}\n", "{n}.10 {x} {n}.20\n"])
def test_numbers_of_sections_and_prices_are_no_times(form: str) -> None:
    text = "".join(form.format(n=n, x=x) for n, x in enumerate(SAID, 1))
    assert all(start is None for _, start, _ in turns(text))


def test_minutes_and_seconds_with_letters_and_a_colon_are_times() -> None:
    text = filled("[00m:{s:02}s] {x}\n")
    assert turns(text) == [(None, 3.0 * n, x) for n, x in enumerate(SAID)]


@pytest.mark.parametrize(
    "lines",
    [
        "[00:00:226 - 00:12:509]: so it was\n[00:13:026 - 00:22:509]: and we went\n[00:23:026 - 00:32:100]: home\n",
        "00:00:226 --> 00:12:509\nso it was\n\n00:13:026 --> 00:22:509\nand we went\n\n00:23:026 --> 00:32:100\nhome\n",
    ],
)
def test_a_colon_may_stand_before_milliseconds(tmp_path: Path, lines: str) -> None:
    path = tmp_path / "talk.txt"
    path.write_text(lines)
    segments = formats.read(path).segments
    assert [(s.start, s.end) for s in segments] == [
        (0.226, 12.509),
        (13.026, 22.509),
        (23.026, 32.1),
    ]
    assert segments[2].words == ("home",)


@pytest.mark.parametrize("form", ["{}-{}s", "{} - {}s"])
def test_seconds_from_and_to_may_be_alone_above_texts(tmp_path: Path, form: str) -> None:
    path = tmp_path / "talk.txt"
    texts = [f"{form.format(5 * n, 5 * n + 5)}\n{said}\n" for n, said in enumerate(SAID)]
    path.write_text("\n".join(texts))
    segments = formats.read(path).segments
    assert [(s.start, s.end, " ".join(s.words)) for s in segments] == [
        (5.0 * n, 5.0 * n + 5, said) for n, said in enumerate(SAID)
    ]
