"""Texts with times: persons who are spoken to, fields as heads, days of chats, times at margins."""

from __future__ import annotations

from io import BytesIO

import formats
from formats.annotation.messages import AUDACITY_NAMES
from formats.meetings.messages import CHAT_OF_DAYS, CHAT_OVER_DAYS
from formats.meetings.turns.completed import without_addressees
from formats.meetings.turns.heads import TurnHead
from formats.schema.messages import Entry
from tests.each_case import each_case
from tests.formats.meetings.said import SAID, named, turns

NAMES = ["Ann Ex", "Ben Hill"]
STARTS = [4, 9, 14, 16, 21, 65, 68, 73]


def clock(time: float) -> str:
    """Return a time as minutes and seconds."""
    return f"{int(time) // 60:02}:{int(time) % 60:02}"


def entries(source: BytesIO) -> list[Entry]:
    """Return the entries of the remarks about a file."""
    return [diagnostic.value.entry for diagnostic in formats.read(source).diagnostics]


def codes(source: BytesIO) -> set[str]:
    """Return the codes of the remarks about a file."""
    return {diagnostic.value.entry.code for diagnostic in formats.read(source).diagnostics}


def talk(form: str) -> str:
    """Return a text in which two persons say the sentences at their times."""
    return "".join(
        form.format(
            n=NAMES[k % 2], o=NAMES[(k + 1) % 2], t=clock(STARTS[k]), e=clock(STARTS[k] + 2), x=x,
            s=STARTS[k], k=k + 1,
        )
        for k, x in enumerate(SAID)
    )  # fmt: skip


TIMED = [(NAMES[k % 2], float(STARTS[k]), x) for k, x in enumerate(SAID)]


@each_case(
    "form",
    [
        "[{t}] {n} → {o}: {x}\n",
        "[{t}] {n} -> All: {x}\n",
        "{t} {n} >> {o}: {x}\n",
        "{t} {n} to Everyone: {x}\n",
        "({t}) {n} to {o}: {x}\n\n",
    ],
)
def test_who_is_spoken_to_is_no_part_of_a_name(form: str) -> None:
    assert turns(talk(form)) == TIMED
    roles = [segment.properties for segment in formats.read(named(talk(form)))]
    assert all(role[0][0] == "role" and role[0][1].startswith("to ") for role in roles)


def test_a_name_with_the_word_to_is_kept_unless_it_leads_to_a_name() -> None:
    heads = {n: TurnHead("Letter to Home", n, None, "so") for n in range(4)}
    assert without_addressees(heads) is heads


@each_case(
    "form",
    [
        "Speaker: {n} | Start: {t} | End: {e}\n{x}: {k}\n\n",
        "Speaker: {n}, Start: {s:.2f}, End: {s:.2f}\n{x}: {k}\n\n",
        "[Speaker: {n}] [Start: {t}] [End: {e}]\n{x}: {k}\n\n",
        "Start: {t} - End: {e} - Speaker: {n}\n{x}: {k}\n\n",
        "{n} | Start: {t} | Duration: 2s\n{x}: {k}\n\n",
        "**Speaker:** {n}  **Time:** {t}\n\n{x}: {k}\n\n",
        "Time: {t}\nSpeaker: {n}\n{x}: {k}\n\n",
        "{t} | Speaker: {n}\n{x}: {k}\n\n",
        "### Speaker: {n} ({t})\n\n{x}: {k}\n\n",
    ],
)
def test_fields_above_texts_with_colons_are_heads(form: str) -> None:
    assert turns(talk(form)) == [
        (name, start, f"{x}: {k}") for k, (name, start, x) in enumerate(TIMED, 1)
    ]


@each_case("form", ["{t} {n}: {x}\n", "{n} {t}\n{x}\n", "{n}\n{x}\n{t}\n\n", "{n}, [{t}]\n{x}\n\n"])
@each_case(
    "days",
    [
        ("12 May 2024", "13 May 2024"),
        ("2024年5月12日 星期日", "2024年5月13日 星期一"),
        ("2024/05/12(日)", "2024/05/13(月)"),
        ("------- 2024년 5월 12일 일요일 -------", "------- 2024년 5월 13일 월요일 -------"),
        ("Yesterday", "Today"),
    ],
)
def test_dates_between_messages_divide_days(form: str, days: tuple[str, str]) -> None:
    text = "".join(
        (f"{days[k // 4]}\n" if k % 4 == 0 else "")
        + form.format(n=NAMES[k % 2], t=f"09:{41 + k % 4:02}", x=x)
        for k, x in enumerate(SAID)
    )
    are_digits = "2024" in days[0] and "May" not in days[0]
    assert turns(text) == [
        (NAMES[k % 2], 86400.0 * (k // 4) + 60 * (k % 4) if are_digits else None, x)
        for k, x in enumerate(SAID)
    ]
    assert (CHAT_OVER_DAYS if are_digits else CHAT_OF_DAYS) in entries(named(text))


def test_dates_above_parts_of_a_recording_divide_no_days() -> None:
    text = "".join(
        (f"{12 + k // 4} May 2024\n" if k % 4 == 0 else "")
        + f"{clock(STARTS[k % 4])} {NAMES[k % 2]}: {x}\n"
        for k, x in enumerate(SAID)
    )
    assert [start for _, start, _ in turns(text)][:4] == [4.0, 9.0, 14.0, 16.0]


@each_case(
    "form",
    [
        "{h:02}:{m:02} {n}: {x}\n\n",
        "{h:02}:{m:02} Uhr {n}: {x}\n\n",
        "{h:02}.{m:02} {n}: {x}\n\n",
        "{h:02}h{m:02} - {n} : {x}\n\n",
        "({h:02}:{m:02}) {n}: {x}\n\n",
    ],
)
def test_times_in_the_morning_at_which_nobody_speaks_so_fast_are_hours(form: str) -> None:
    text = "".join(
        form.format(h=9, m=5 + k // 2, n=NAMES[k % 2], x=f"{x} {x}") for k, x in enumerate(SAID * 2)
    )
    assert turns(text) == [
        (NAMES[k % 2], 60.0 * (k // 2), f"{x} {x}") for k, x in enumerate(SAID * 2)
    ]


def test_messages_with_dates_and_without_names_are_turns() -> None:
    text = "".join(f"12.05.2024, 13:{10 + k} - {x}\n" for k, x in enumerate(SAID))
    assert turns(text) == [(None, 60.0 * k, x) for k, x in enumerate(SAID)]
    korean = "".join(
        f"2024년 5월 12일 오전 9:{10 + k}, {NAMES[k % 2]} : {x}\n" for k, x in enumerate(SAID)
    )
    assert turns(korean) == [(NAMES[k % 2], 60.0 * k, x) for k, x in enumerate(SAID)]


@each_case(
    "name",
    ["{n}:", "## {n}", "**{n}**", "[{n}]", "<{n}>", ">> {n}", "--- {n} ---", "=== {n} ===",
     "Speaker: {n}", "{n}\n----------"],
)  # fmt: skip
def test_names_over_several_times_may_have_one_that_does_not_return(name: str) -> None:
    order = ["Ann Ex", "Ben Hill", "Carla Diaz", "Ann Ex", "Ben Hill"]
    rows = [(order[k // 4], 3.0 * k, SAID[k % len(SAID)]) for k in range(20)]
    text = "".join(
        (f"{name.format(n=speaker)}\n\n" if k % 4 == 0 else "") + f"[{clock(start)}] {x}\n"
        for k, (speaker, start, x) in enumerate(rows)
    )
    assert turns(text) == rows


def test_what_a_program_tells_in_a_chat_is_no_message() -> None:
    for time in ("09:{:02} ", "[10:00:{:02}] ", ""):
        text = "".join(
            f"{time.format(k)}<{'ann' if k % 2 else 'bob'}> {x}\n"
            + (f"{time.format(k)}-!- dora has joined #main\n" if k == 3 else "")
            + (f"{time.format(k)}* ann waves\n" if k == 5 else "")
            for k, x in enumerate(SAID)
        )
        assert [(name, x) for name, _, x in turns(text)] == [
            ("ann" if k % 2 else "bob", x) for k, x in enumerate(SAID)
        ]


@each_case(
    "foot",
    [
        "Duration: 8:47\nChannel: Town TV\nPublished: May 5, 2024\nViews: 847,392\n",
        "Duration: 8:47\nTranscribed by: Jane Doe\n",
        "PART 1 OF 4 ENDS [00:06:04]\n",
        "This transcript was generated automatically. Its accuracy may vary.\n",
    ],
)
def test_fields_below_the_last_turn_are_no_words(foot: str) -> None:
    for form in ("[{t}] {n}: {x}\n", "{n} ({t}):\n{x}\n\n"):
        assert turns(f"{talk(form).rstrip()}\n\n{foot}") == TIMED
    if "ENDS" in foot:
        return
    plain = talk("[{t}] {x}\n")
    assert turns(f"{plain}\n{foot}") == [(None, start, x) for _, start, x in TIMED]


def test_times_at_the_right_margin_are_no_words() -> None:
    lines = []
    for k, x in enumerate(SAID * 2):
        words = x.split()
        lines += [f"{NAMES[k % 2].upper()}: {' '.join(words[:3])}", " ".join(words[3:])]
    lines = [line for line in lines if line]
    text = "".join(f"  {line:50}  10:{k // 60:02}:{k % 60:02}\n" for k, line in enumerate(lines))
    assert [(name, x) for name, _, x in turns(text)] == [
        (NAMES[k % 2].upper(), x) for k, x in enumerate(SAID * 2)
    ]


@each_case("part", ["Subtitle {k}: {t} → {e}\n{x}\n\n", "Cue {k} [{t} - {e}]\n{x}\n\n"])
def test_parts_with_a_number_and_times_are_turns(part: str) -> None:
    assert turns(talk(part)) == [(None, start, x) for _, start, x in TIMED]


def test_times_in_brackets_divide_a_single_line() -> None:
    text = " ".join(f"({clock(3 * k)}) {SAID[k % 8].lower()}" for k in range(12))
    assert turns(f"{text}\n") == [(None, 3.0 * k, SAID[k % 8].lower()) for k in range(12)]
    braces = "".join(
        f"{{{clock(k)}}}\n\nAnn: {SAID[k]}\n\nBen: {SAID[k + 1]}\n\n" for k in range(4)
    )
    assert [start for _, start, _ in turns(braces)] == [0.0, None, 1.0, None, 2.0, None, 3.0, None]


def test_names_before_labels_are_speakers() -> None:
    source = named(
        "".join(f"{s}.000000\t{s + 2}.000000\t{n}: {x}\n" for n, s, x in
                ((NAMES[k % 2], STARTS[k], x) for k, x in enumerate(SAID)))
    )  # fmt: skip
    read = [(x.speaker, x.start, " ".join(x.words)) for x in formats.read(source, "audacity")]
    assert read == TIMED
    source.seek(0)
    assert AUDACITY_NAMES.code in codes(source)


@each_case("form", ["Min {t} {n}: {x}\n", "Minute {t} {n}: {x}\n\n", "— [{t}] {n}: {x}\n",
                    "• [{t}] {n}: {x}\n", "[{n}] [{s:.2f} - {s:.2f}] {x}\n"])  # fmt: skip
def test_words_and_signs_before_times_are_no_names(form: str) -> None:
    assert turns(talk(form)) == TIMED


@each_case("half", ["a. m.", "a.\xa0m.", "a.m."])
def test_halves_of_the_day_may_have_blanks(half: str) -> None:
    text = "".join(f"12/5/24 9:{10 + k} {half} - {NAMES[k % 2]}: {x}\n" for k, x in enumerate(SAID))
    assert turns(text) == [(NAMES[k % 2], 60.0 * k, x) for k, x in enumerate(SAID)]


def test_names_in_quotes_above_the_times_of_cues_are_speakers() -> None:
    cues = "".join(
        f'{k + 1} "{NAMES[k % 2]}" (30{k % 2})\n00:{clock(STARTS[k])}.000 --> '
        f"00:{clock(STARTS[k] + 1)}.000\n{x}\n\n"
        for k, x in enumerate(SAID)
    )
    source = named(f"WEBVTT\n\n{cues}")
    source.name = "a.vtt"
    assert [(x.speaker, x.start, " ".join(x.words)) for x in formats.read(source)] == TIMED
