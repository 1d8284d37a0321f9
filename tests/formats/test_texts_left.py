"""Regular structure that is left in texts, names and times is reported, whatever the format."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import formats
from formats.io.messages import BRACKETS_LEFT, DATA_LEFT, MARKS_LEFT, TEXTS_LEFT
from formats.nist.messages import TXT_ALONE
from formats.reading.audit import RowOfReading, residues_of
from formats.reading.member_values import name_beside_id
from formats.schema.messages import Entry
from tests.each_case import each_case

SENTENCES = (
    "Well, I have been here since Monday.",
    "Did you see the new bridge?",
    "Not yet, but Ben told me about it.",
    "It is longer than the old one.",
    "They opened it with a band and a cake.",
    "I would have liked the cake.",
    "Everybody would. There was none left.",
    "Then tell me about the band.",
    "It played until the rain came.",
    "So you got wet, all of you.",
    "Only the drums did, we had a roof.",
    "Yes, that is what a bridge is for.",
)
WORDS = ("river", "stone", "apple", "cloud", "paper", "horse", "candle")
NAMES = ("Ann", "Ben")
Turn = tuple[str, str]


def turns(texts: list[str] | tuple[str, ...]) -> list[Turn]:
    return [(NAMES[n % 2], text) for n, text in enumerate(texts)]


def entries_of(
    folder: Path, name: str, rows: list[Turn], starts: list[float] | None = None
) -> set[Entry]:
    """Write turns as a JSON list, a table or a text, and return the entries of the remarks."""
    path = folder / name
    if name.endswith(".json"):
        items = [{"speaker": speaker, "text": text} for speaker, text in rows]
        for item, start in zip(items, starts or (), strict=False):
            item["start"] = start  # type: ignore[assignment]
        path.write_text(json.dumps(items), encoding="utf-8")
    elif name.endswith(".tsv"):
        lines = ["speaker\ttext", *(f"{speaker}\t{text}" for speaker, text in rows)]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    else:
        lines = [f"{speaker}: {text}" for speaker, text in rows]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    diagnostics = formats.read(path).diagnostics
    return {diagnostic.value.entry for diagnostic in diagnostics}


def kinds(entries: set[Entry]) -> set[str]:
    return {entry.variant for entry in entries if entry.code == "TEXTS-LEFT"}


@each_case("name", ["a.json", "a.tsv", "a.txt"])
@each_case(
    ("kind", "texts"),
    [
        ("last", [f"{text} profile picture" for text in SENTENCES]),
        ("last", [f"{text} Guest" if n % 3 else text for n, text in enumerate(SENTENCES)]),
        ("first", [f"[cam 2] {text}" for text in SENTENCES]),
        ("again", [*SENTENCES, *["Error, the server does not answer now."] * 6]),
        ("repeated", [*SENTENCES, *SENTENCES[:9]]),
        ("rolling", [f"{a} {b}" for a, b in pairwise(SENTENCES)]),
        ("rolling", [x for a, b in pairwise(SENTENCES) for x in (f"{a} {b}", b)]),
        ("gaps", [text.replace("the", "____", 1) for text in SENTENCES]),
        ("times", [f"{text} So 0:{10 + 3 * n} it was." for n, text in enumerate(SENTENCES)]),
        ("counted", [f"{text} {n + 2}) A new part" for n, text in enumerate(SENTENCES)]),
        ("known", [*SENTENCES[:8], "It is so. Ben: No.", "I see. Ben: Well then."]),
    ],
)
def test_what_texts_share_is_reported(
    kind: str, texts: list[str], name: str, tmp_path: Path
) -> None:
    found = entries_of(tmp_path, name, turns(texts))
    codes = {entry.code for entry in found}
    is_said = kind in kinds(found) or not codes.isdisjoint(
        ("SPEAKER-TEXT-INSIDE", "MARKS-LEFT", "SPEAKER-TEXT-OTHER", "BRACKETS-LEFT")
    )
    assert is_said
    if name != "a.txt":
        assert kind in kinds(found)


@each_case("name", ["a.json", "a.tsv", "a.txt"])
@each_case(
    "texts",
    [
        list(SENTENCES),
        ["Yes."] * 8 + list(SENTENCES) + ["No."] * 4,
        ["Thank you.", "Thank you very much."] * 3 + list(SENTENCES),
        [f"I think that the {word} is there, you know." for word in WORDS[:4]] + list(SENTENCES),
        [f"What is the {word} for, Ben?" for word in WORDS] + list(SENTENCES),
        ["We met at 10:30 and left at 9:15.", *SENTENCES],
        ["There are 3. There are 4.", *SENTENCES],
    ],
)
def test_dialogues_have_no_structure_left(texts: list[str], name: str, tmp_path: Path) -> None:
    assert kinds(entries_of(tmp_path, name, turns(texts))) == set()


@each_case(
    ("kind", "speakers"),
    [
        ("titles", [f"Part {n}" for n in range(1, 7)]),
        ("titles", [f"Lesson no. {n}" for n in range(2, 9)]),
        ("small", ["and so", "battle"]),
        ("fields", ["Full text"]),
        ("fields", ["Start time", "Role"]),
        (
            "long",
            [
                "So it was all along the river",
                "What I say is this to you",
                "It is a word that means so much",
            ],
        ),
    ],
)
def test_names_that_are_no_speakers_are_reported(
    kind: str, speakers: list[str], tmp_path: Path
) -> None:
    rows = turns([f"{a} {b}" for a in SENTENCES[:6] for b in SENTENCES])
    odd = [(speaker, SENTENCES[n % 12]) for n, speaker in enumerate(speakers)]
    every = len(rows) // (len(odd) + 1)
    for n, row in enumerate(odd):
        rows.insert((n + 1) * every, row)
    assert kinds(entries_of(tmp_path, "a.json", rows)) == {kind}
    assert kinds(entries_of(tmp_path, "a.tsv", rows)) == {kind}


def test_a_speaker_without_words_is_reported(tmp_path: Path) -> None:
    rows = turns(SENTENCES)
    rows[5:5] = [("Break", "")]
    assert "silent" in kinds(entries_of(tmp_path, "a.json", rows))
    rows[5] = ("Ben", "")
    for name in ("a.json", "a.tsv"):
        assert kinds(entries_of(tmp_path, name, rows)) == {"empty"}


def test_names_of_speakers_at_the_edges_of_texts_are_reported(tmp_path: Path) -> None:
    texts = [f"{text} Cleo" if n % 2 else f"Cleo {text}" for n, text in enumerate(SENTENCES)]
    rows = [*turns(SENTENCES), *turns(texts), ("Cleo", SENTENCES[0])]
    assert not kinds(entries_of(tmp_path, "a.json", rows)).isdisjoint(("edges", "last", "first"))
    spoken = [f"{text} Is it so, Ben?" for text in SENTENCES]
    assert "edges" not in kinds(entries_of(tmp_path, "a.json", turns(spoken)))


@each_case(
    ("kind", "starts"),
    [
        ("clocks", [float(521 + n // 3) for n in range(12)]),
        ("same", [30.0] * 12),
        ("falling", [600.0 - 7 * n for n in range(12)]),
        (None, [float(7 * n) for n in range(12)]),
        (None, [521.25 + 7 * n for n in range(12)]),
    ],
)
def test_times_of_a_day_are_reported(kind: str | None, starts: list[float], tmp_path: Path) -> None:
    rows = [(starts[n], *turn) for n, turn in enumerate(turns(SENTENCES))]
    path = tmp_path / "a.csv"
    lines = [f'{start},{name},"{text}"' for start, name, text in rows]
    path.write_text("\n".join(("timestamp,nickname,text", *lines)), encoding="utf-8")
    entries = {diagnostic.value.entry for diagnostic in formats.read(path).diagnostics}
    assert kinds(entries) == ({kind} if kind else set())


def test_dates_as_times_are_reported() -> None:
    date = 1_600_000_000 * 10**9
    rows = [RowOfReading(("so",), "Ann", date + step) for step in (9, 0, 4)]
    assert [residue.kind for residue in residues_of(rows, {"Ann": 3})] == ["dates"]
    assert not list(residues_of([RowOfReading(("so",), "Ann", 10**12)], {"Ann": 1}))


def test_texts_of_two_languages_in_turn_are_reported(tmp_path: Path) -> None:
    other = (
        "橋はもう見ましたか",
        "まだです",
        "話は聞きました",
        "長い橋です",
        "音楽もありました",
        "雨が降りました",
    )
    texts = [text for pair in zip(SENTENCES, other, strict=False) for text in pair]
    found = entries_of(tmp_path, "a.json", [("Ann", text) for text in texts])
    assert "languages" in kinds(found)
    assert TEXTS_LEFT["languages"] in found


def test_a_colon_alone_is_a_mark(tmp_path: Path) -> None:
    texts = [f"{text} : And so on." for text in SENTENCES]
    assert MARKS_LEFT in entries_of(tmp_path, "a.json", turns(texts))
    french = [f"{text[:-1]} : voilà ?" for text in SENTENCES]
    assert MARKS_LEFT not in entries_of(tmp_path, "a.json", turns(french))


@each_case(
    ("kind", "ids"),
    [
        ("recordings", [f"line{n}" for n in range(12)]),
        ("recordings", [f"scene-{n // 4}-{n % 4}" for n in range(12)]),
        (None, ["talk"] * 12),
        (None, [f"talk{n // 6}" for n in range(12)]),
    ],
)
def test_turns_that_are_recordings_are_reported(
    kind: str | None, ids: list[str], tmp_path: Path
) -> None:
    lines = [f"{ids[n]}\t{name}\t{text}" for n, (name, text) in enumerate(turns(SENTENCES))]
    path = tmp_path / "a.tsv"
    path.write_text("\n".join(("recording\tspeaker\ttext", *lines)) + "\n", encoding="utf-8")
    entries = {diagnostic.value.entry for diagnostic in formats.read(path).diagnostics}
    assert kinds(entries) == ({kind} if kind else set())


@each_case(
    ("kind", "starts"),
    [("steps", range(12)), ("steps", range(1, 13)), (None, range(0, 60, 5))],
)
def test_numbers_of_lines_as_times_are_reported(
    kind: str | None, starts: range, tmp_path: Path
) -> None:
    turns_of = turns(SENTENCES)
    path = tmp_path / "a.tsv"
    lines = [
        f"{start}\t{name}\t{text}" for start, (name, text) in zip(starts, turns_of, strict=True)
    ]
    path.write_text("\n".join(("start\tspeaker\ttext", *lines)) + "\n", encoding="utf-8")
    entries = {diagnostic.value.entry for diagnostic in formats.read(path).diagnostics}
    assert kinds(entries) == ({kind} if kind else set())


def test_names_with_colons_alone_are_headings_of_a_plain_text(tmp_path: Path) -> None:
    rows = ["Newton:", '"So it was."', "Galileo：", '"And so it is."', "Kelvin:", '"Well, no."']
    path = tmp_path / "a.txt"
    path.write_text("\n".join(["Words below a picture", *rows, "000", "111"]), encoding="utf-8")
    entries = {
        diagnostic.value.entry for diagnostic in formats.read(path, format="txt").diagnostics
    }
    assert TXT_ALONE["headings"] in entries


def test_one_line_longer_than_the_beginning_of_a_file_has_remarks(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("A talk\n" + "so it was [Ann] and on " * 6000, encoding="utf-8")
    entries = {
        diagnostic.value.entry for diagnostic in formats.read(path, format="txt").diagnostics
    }
    assert BRACKETS_LEFT in entries


def test_commands_are_no_speech(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text(
        "python score.py 'so it was' 0.5\npython score.py 'and so' 3\n", encoding="utf-8"
    )
    entries = {diagnostic.value.entry for diagnostic in formats.read(path).diagnostics}
    assert DATA_LEFT in entries
    path.write_text("python snakes are long\ngit is what they call him\n", encoding="utf-8")
    entries = {diagnostic.value.entry for diagnostic in formats.read(path).diagnostics}
    assert DATA_LEFT not in entries


@each_case(
    ("names", "is_said"),
    [
        (("Ms Fox", "Mr Lee", "Ms Fox", "Mr Lee"), True),
        (("He says", "She says", "He says", "She says"), False),
        (("Says", "Asks", "Says", "Asks"), False),
        (("Говорит", "Отвечает", "Думает", "Говорит", "Спрашивает"), False),
        (("The CHAIR", "Mr FOX", "The CHAIR", "Ms RAY", "Mr LEE"), True),
        (("Note", "Example", "Result", "Remark"), False),
        (("First", "Second", "Note", "Note"), False),
    ],
)
def test_names_inside_one_text_are_reported(
    names: tuple[str, ...], is_said: bool, tmp_path: Path
) -> None:
    path = tmp_path / "a.txt"
    pairs = zip(names, SENTENCES[1:], strict=False)
    path.write_text(" ".join([SENTENCES[0], *(f"{name}: {text}" for name, text in pairs)]) + "\n")
    read = {remark.value.entry for remark in formats.read(path).diagnostics}
    assert ("known" in kinds(read)) == is_said


def test_texts_without_a_speaker_among_turns_are_reported(tmp_path: Path) -> None:
    rows = [*turns(SENTENCES), ("", "cara Lee Yes."), ("", "cara Lee No.")]
    assert "unnamed" in kinds(entries_of(tmp_path, "a.json", rows))
    assert "unnamed" not in kinds(entries_of(tmp_path, "a.json", rows[:-1]))
    half = [(name if n % 2 else "", text) for n, (name, text) in enumerate(rows)]
    assert "unnamed" not in kinds(entries_of(tmp_path, "a.json", half))


def test_narration_among_turns_is_reported(tmp_path: Path) -> None:
    rows = turns(SENTENCES)
    told = [(name, f"{text} {name} looks away." if n > 6 else text) for n, (name, text) in
            enumerate(rows)]  # fmt: skip
    assert "own" in kinds(entries_of(tmp_path, "a.json", told))
    other = [(name, text.replace("away", "away, Ann and Ben.") if n == 8 else text)
             for n, (name, text) in enumerate(rows)]  # fmt: skip
    assert "own" not in kinds(entries_of(tmp_path, "a.json", other))


@each_case(
    ("is_known", "text"),
    [
        (
            True,
            "Press one. Guest:Hello? Host:Hi, what is it? Guest:My bag. Host:Well. "
            "Guest:It is red. Host:I see it.",
        ),
        (
            True,
            "Guest: Hello, who is it? Host: It is me. Guest: So late. Host: Yes. "
            "Guest: Come in. Host: No.",
        ),
        (False, "First: we go. Second: we stay. He said: go. He said: stay."),
        (False, "See Note: no. At 10:30 and 11:30 it was. At 12:30, too. See Part: one."),
    ],
)
def test_names_of_one_word_in_a_text_are_reported(is_known: bool, text: str) -> None:
    rows = [RowOfReading(tuple(text.split()), None, None)]
    found = {residue.kind for residue in residues_of(rows, {})}
    assert ("known" in found) is is_known


def test_labels_of_classes_before_nearly_all_texts_are_reported(tmp_path: Path) -> None:
    labels = ("question", "statement", "greeting")
    rows = turns([f"{labels[n % 3]} {text.lower()}" for n, text in enumerate(SENTENCES * 2)])
    assert "labels" in kinds(entries_of(tmp_path, "a.json", rows))
    rows = turns([text.lower() for text in SENTENCES * 2])
    assert "labels" not in kinds(entries_of(tmp_path, "b.json", rows))


def test_fields_with_values_as_turns_are_reported(tmp_path: Path) -> None:
    fields = ("batch_size", "Model", "num_epochs", "best_wer")
    rows = [(fields[n % 4], "" if n % 4 == 1 else f"{n}.5") for n in range(24)]
    read = [RowOfReading(tuple(text.split()), name, None) for name, text in rows]
    assert "values" in {residue.kind for residue in residues_of(read, {"batch_size": 6})}
    silent = [row._replace(words=()) for row in read]
    assert "values" not in {residue.kind for residue in residues_of(silent, {"S1": 24})}
    rows = turns(["Yes.", "No.", "Well?", "So it was."] * 5)
    assert "values" not in kinds(entries_of(tmp_path, "b.json", rows))


def test_turns_without_any_word_are_reported(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("".join(f"0:00:{n}2 - 0:00:{n}8: SPEAKER_0{n % 2}\n" for n in range(6)))
    read = formats.read(path)
    assert [one.code for one in read.diagnostics if one.code == "NO-TEXT"] == ["NO-TEXT"]
    assert not any(segment.words for segment in read)


def test_names_of_persons_are_read_beside_labels() -> None:
    labels = ["SPEAKER_00", "KNOWN_b9"]
    for names, used in ((["Ann Lee"] * 2, "speakerName"), (["Unknown"] * 2, "speaker")):
        assert name_beside_id("speaker", {"speaker": labels, "speakerName": names}) == used


def test_brief_turns_are_counted_in_characters_without_blanks() -> None:
    texts = ("今日は先週の報告を続けて紹介します。", "先週紹介したのはこの遊び方です。")
    rows = [RowOfReading((text,), f"a_{n % 2}", None) for n, text in enumerate(texts * 9)]
    assert "values" not in {residue.kind for residue in residues_of(rows, {"a_0": 9, "a_1": 9})}
