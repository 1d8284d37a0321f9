"""Texts of rows that are documents: dialogues and subtitles in cells and members."""

import json
from pathlib import Path

import pytest

import formats
from formats.meetings.turns import accounts
from formats.meetings.turns.headed import HeadedLines

CALL = "Agent: good morning\nCaller: hello there\nAgent: how are you\nCaller: fine thanks"
OTHER = "Agent: yes please\nCaller: my bill is wrong\nAgent: i see"
CUES = "1\n00:00:00,500 --> 00:00:01,500\nso it is\n\n2\n00:00:02,000 --> 00:00:03,000\nwell then\n"


def turns(path: Path) -> list[tuple[str, str | None, str]]:
    segments = formats.read(path).segments
    return [(s.recording, s.speaker, " ".join(s.words)) for s in segments]


def csv(path: Path, *cells: tuple[str, str], names: str = "call_id,transcript") -> Path:
    rows = (f'{name},"{text}"' for name, text in cells)
    path.write_text("\n".join([names, *rows]) + "\n", encoding="utf-8")
    return path


def test_a_call_in_each_cell_becomes_its_turns(tmp_path: Path) -> None:
    path = csv(tmp_path / "calls.csv", ("c1", CALL), ("c2", OTHER))
    assert turns(path)[3:6] == [
        ("c1", "Caller", "fine thanks"),
        ("c2", "Agent", "yes please"),
        ("c2", "Caller", "my bill is wrong"),
    ]


def test_a_call_in_each_line_of_json_becomes_its_turns(tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"
    rows = [{"call_id": "c1", "transcript": CALL}, {"call_id": "c2", "transcript": OTHER}]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    assert turns(path)[4] == ("c2", "Agent", "yes please")
    path.write_text(json.dumps(rows[0], indent=1), encoding="utf-8")
    assert turns(path)[0] == ("calls", "Agent", "good morning")


@pytest.mark.parametrize(
    "text",
    [
        "[00:00-00:06] Agent: good morning\n[00:06-00:09] Caller: hello there\n[00:09-00:10] Agent: so",
        r"Agent: good morning\nCaller: hello there\nAgent: how are you",
        "Agent: good morning. Caller: hello there. Agent: how are you.",
    ],
)
def test_stamps_and_line_ends_of_turns_are_no_words(tmp_path: Path, text: str) -> None:
    path = csv(tmp_path / "calls.csv", ("c1", text), ("c2", text))
    assert [(speaker, words.rstrip(".")) for _, speaker, words in turns(path)[:2]] == [
        ("Agent", "good morning"),
        ("Caller", "hello there"),
    ]


def test_subtitles_in_cells_have_their_times(tmp_path: Path) -> None:
    segments = formats.read(csv(tmp_path / "a.csv", ("c1", CUES), ("c2", CUES)), "csv").segments
    assert [(s.recording, s.start_ns, s.words) for s in segments][1::2] == [
        ("c1", 2_000_000_000, ("well", "then")),
        ("c2", 2_000_000_000, ("well", "then")),
    ]


def test_a_plain_text_among_calls_stays_whole_and_is_told(tmp_path: Path) -> None:
    cells = [(f"c{n}", CALL) for n in range(9)]
    transcript = formats.read(csv(tmp_path / "a.csv", *cells, ("c9", "nobody was there")))
    assert transcript.segments[-1].words == ("nobody", "was", "there")
    assert "TURNS-PLAIN" in {entry.code for entry in transcript.diagnostics}


def test_a_talk_of_several_speakers_is_not_what_the_speaker_of_its_row_said(
    tmp_path: Path,
) -> None:
    path = csv(tmp_path / "a.csv", ("Ann", CALL), ("Ben", OTHER), names="speaker,text")
    transcript = formats.read(path)
    assert [segment.speaker for segment in transcript.segments][:2] == ["Agent", "Caller"]
    assert ("speaker", "Ben") in transcript[-1].properties
    assert "TURNS-IN-TEXT" not in {entry.code for entry in transcript.diagnostics}


def test_rows_with_speakers_keep_texts_of_one_name_and_a_warning_tells(tmp_path: Path) -> None:
    notes = "Agent: so it is\nAgent: well then\nAgent: and so on"
    path = csv(tmp_path / "a.csv", ("Ann", notes), ("Ben", notes), names="speaker,text")
    transcript = formats.read(path)
    assert [segment.speaker for segment in transcript.segments] == ["Ann", "Ben"]
    assert "TURNS-IN-TEXT" in {entry.code for entry in transcript.diagnostics}


def test_notes_with_a_colon_are_no_dialogue(tmp_path: Path) -> None:
    path = csv(tmp_path / "a.csv", ("u1", "note: so it is"), ("u2", "well: never\nagain"))
    assert [speaker for _, speaker, _ in turns(path)] == [None, None]


SHORT = [
    "Agent: good morning\nCaller: my card was stopped",
    "Caller: hello there\nAgent: how can i help",
    "Agent: so it is done\nCaller: thanks",
    "Caller: where is my parcel\nAgent: it is on its way\nCaller: well then",
]


def test_brief_calls_are_read_as_the_calls_beside_them(tmp_path: Path) -> None:
    cells = [(f"c{n}", text) for n, text in enumerate(SHORT * 2)]
    read = turns(csv(tmp_path / "a.csv", *cells))
    assert read[:4] == [
        ("c0", "Agent", "good morning"),
        ("c0", "Caller", "my card was stopped"),
        ("c1", "Caller", "hello there"),
        ("c1", "Agent", "how can i help"),
    ]
    assert len(read) == 18


def test_a_name_alone_in_a_text_is_a_speaker_only_if_it_is_a_role(tmp_path: Path) -> None:
    cells = [(f"c{n}", text) for n, text in enumerate(SHORT * 3)]
    path = csv(tmp_path / "a.csv", *cells, ("c12", "Agent: nobody there"), ("c13", "Lost: a cat"))
    assert turns(path)[-2:] == [("c12", "Agent", "nobody there"), ("a", None, "Lost: a cat")]


def test_layouts_are_asked_once_for_all_texts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    likely = accounts._likely

    def counted(text: HeadedLines) -> list[str]:
        asked.append(len(text.lines))
        return likely(text)

    monkeypatch.setattr(accounts, "_likely", counted)
    for name in ("a.json", "a.jsonl"):
        asked.clear()
        rows = [{"call": n, "transcript": CALL.replace("fine", f"{name} {n}")} for n in range(80)]
        text = json.dumps(rows) if name == "a.json" else "\n".join(map(json.dumps, rows))
        (tmp_path / name).write_text(text, encoding="utf-8")
        assert len(formats.read(tmp_path / name).segments) == 320
        assert len(asked) == 1, name


def test_roles_alone_above_what_they_say_begin_turns(tmp_path: Path) -> None:
    chats = [
        "USER\nis it late\nBOT\nyes it is late now\n\nand dark\nUSER\nthanks",
        "USER\nwhere are we\nBOT\nwe are at home",
    ]
    read = turns(csv(tmp_path / "a.csv", *((f"c{n}", text) for n, text in enumerate(chats * 2))))
    assert read[:4] == [
        ("c0", "USER", "is it late"),
        ("c0", "BOT", "yes it is late now and dark"),
        ("c0", "USER", "thanks"),
        ("c1", "USER", "where are we"),
    ]


def test_a_doubtful_layout_of_all_texts_is_told_once(tmp_path: Path) -> None:
    said = [
        f"{name}: It is late and dark."
        for name in ("Ben Lee", "Cy Orr", "Dan Poe", "Eve Rae", "Fay Sun")
    ]
    cells = [
        ("c1", "\n".join(["Ann Ex: Is it to begin here today?", *said[:2]])),
        ("c2", "\n".join([*said[2:], "So it was."])),
    ]
    told = formats.read(csv(tmp_path / "a.csv", *cells)).diagnostics
    assert [e.value.fields["heads"] for e in told if e.code == "TURNS-DOUBT"] == [6]
    calls = formats.read(csv(tmp_path / "b.csv", ("c1", CALL), ("c2", OTHER))).diagnostics
    assert "TURNS-DOUBT" not in {e.code for e in calls}


COMPLAINTS = [
    f"Citizen: The {thing} in our street is broken. Executive: {answer}"
    for thing, answer in (
        ("lamp", "We will send a team."),
        ("pipe", "It is noted."),
        ("bench", "Your complaint has a number."),
        ("clock", "Time will tell."),
    )
]
CHATS = [
    "User: tell me a joke Assistant: Why did the duck wait? User: no idea",
    "User: what is a fjord Assistant: A long arm of the sea. User: well",
]


@pytest.mark.parametrize(
    ("texts", "first"),
    [
        (COMPLAINTS, ("Citizen", "The lamp in our street is broken.")),
        ([text.replace(" Executive", " | Executive") for text in COMPLAINTS], ("Citizen",)),
        ([text.replace(" Executive", "\nExecutive") for text in COMPLAINTS], ("Citizen",)),
        ([f" {text}" for text in COMPLAINTS], ("Citizen",)),
        (CHATS, ("User", "tell me a joke")),
        (["Speaker 1: so it is Speaker 2: well Speaker 1: yes"] * 2, ("Speaker 1", "so it is")),
        ([CALL.replace(": ", ":")], ("Agent", "good morning")),
    ],
)
def test_names_inside_texts_of_tables_and_of_json_begin_turns(
    texts: list[str], first: tuple[str, ...], tmp_path: Path
) -> None:
    table = turns(csv(tmp_path / "a.csv", *((f"c{n}", text) for n, text in enumerate(texts))))
    assert table[0][1:][: len(first)] == first
    (tmp_path / "a.json").write_text(json.dumps(texts), encoding="utf-8")
    assert [turn[1:] for turn in turns(tmp_path / "a.json")] == [turn[1:] for turn in table]
    assert len(table) > len(texts)


@pytest.mark.parametrize(("first", "speaker"), [("We record this call.", None), ("Call 12", "")])
def test_a_first_sentence_without_a_name_is_speech_and_a_title_is_none(
    first: str, speaker: str | None, tmp_path: Path
) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps([f"{first}\n{CALL}"]), encoding="utf-8")
    transcript = formats.read(path)
    names = [segment.speaker for segment in transcript.segments]
    assert names == [*([] if speaker == "" else [None]), *(["Agent", "Caller"] * 2)]
    is_told = "SPEAKER-TEXT-HEAD" in {entry.code for entry in transcript.diagnostics}
    assert is_told is (speaker == "")


def test_parties_inside_texts_that_begin_with_a_sentence_begin_turns(tmp_path: Path) -> None:
    text = "Police, good evening. Caller: The river is here. Dispatcher: Where? Caller: In bed."
    read = turns(csv(tmp_path / "a.csv", ("c1", text), ("c2", text)))
    assert [name for _, name, _ in read] == [None, "Caller", "Dispatcher", "Caller"] * 2


@pytest.mark.parametrize(
    ("form", "code"),
    [
        ("History: The {} fell. Findings: The foot is blue. Impression: So.", "TURNS-IN-TEXT"),
        ("Subject: The {}\nBody: It is broken.", "TURNS-IN-TEXT"),
        ("Pros: The {} is light. Cons: It costs too much.", "TURNS-DOUBT"),
    ],
)
def test_the_fields_of_a_form_in_each_text_are_told(form: str, code: str, tmp_path: Path) -> None:
    cells = [(f"c{n}", form.format(thing)) for n, thing in enumerate(("lamp", "pipe", "clock"))]
    transcript = formats.read(csv(tmp_path / "a.csv", *cells))
    assert code in {entry.code for entry in transcript.diagnostics}


def test_names_in_bold_inside_a_cell_begin_turns(tmp_path: Path) -> None:
    talks = ["**Vet:** So? **Owner** He limps. **Vet** Since when? **Owner:** Monday."] * 3
    path = csv(tmp_path / "talks.csv", *((f"t{n}", talk) for n, talk in enumerate(talks)))
    assert turns(path)[1:3] == [("t0", "Owner", "He limps."), ("t0", "Vet", "Since when?")]


def test_names_in_bold_inside_lines_begin_turns(tmp_path: Path) -> None:
    path = tmp_path / "talk.txt"
    line = "**Vet** So, **really** now? ---**Owner** He limps. I told **Vet** so.**Vet:** When?\n"
    path.write_text(line * 5, encoding="utf-8")
    assert turns(path)[:3] == [
        ("talk", "Vet", "So, **really** now?"),
        ("talk", "Owner", "He limps. I told **Vet** so."),
        ("talk", "Vet", "When?"),
    ]


def test_bold_words_inside_lines_are_no_names(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("**Tip** Go on. **Note** It is late. **Hint** So. **Tip** No.\n" * 4)
    assert {speaker for _, speaker, _ in turns(path)} == {None}


def test_seconds_and_names_in_brackets_before_strings_are_no_words(tmp_path: Path) -> None:
    path = tmp_path / "call.json"
    lines = ["[0000.880][AGENT] Good day.", "[0005.828][CALLER] Hello.", "[0011.349][AGENT] So?"]
    path.write_text(json.dumps([*lines, "[0012.100][CALLER] My lamp is out."]))
    first, second, *_ = formats.read(path).segments
    assert (first.speaker, first.start, second.speaker, second.start) == (
        "AGENT", 0.88, "CALLER", 5.828,
    )  # fmt: skip


def test_names_with_identifiers_in_cells_are_speakers(tmp_path: Path) -> None:
    call = "the guest (room_12): hello,\nthe guest (room_12): the key is lost.\ndesk_03: oh no."
    alone = "desk_03: hello,\ndesk_03: is she\ndesk_03: in today?"
    path = csv(tmp_path / "calls.csv", ("c1", call), ("c2", alone), ("c3", call), ("c4", call))
    read = turns(path)
    assert read[2:4] == [("c1", "desk_03", "oh no."), ("c2", "desk_03", "hello,")]
    assert read[0] == ("c1", "the guest", "hello,")
