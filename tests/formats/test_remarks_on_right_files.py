"""Remarks about tables and JSON that are right: dates, codes, one column, the order of advice."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import formats
from formats import FormatError
from formats.detection.head import Head
from formats.detection.spec import Sniff
from formats.io.messages import MARKS_LEFT
from formats.json.any_list import sniff
from formats.json.messages import TIMES_OF_DATE
from formats.reading.dates import date_of
from formats.tables.messages import COLUMNS_LEFT
from tests.remarks import fields_of

SAID = ("so it is", "and well it was", "no, never", "come in here", "so we are", "yes, so it is")


def codes(transcript: formats.Transcript) -> list[str]:
    """Return the codes of the remarks."""
    return [diagnostic.code for diagnostic in transcript.diagnostics]


@pytest.mark.parametrize("suffix", ["csv", "json"])
def test_the_first_time_of_a_chat_is_told_as_a_date(suffix: str, tmp_path: Path) -> None:
    rows = [
        {"speaker": "AB"[n % 2], "timestamp": f"2023-05-04T10:0{n}:00", "text": text}
        for n, text in enumerate(SAID)
    ]
    path = tmp_path / f"talk.{suffix}"
    if suffix == "json":
        path.write_text(json.dumps({"messages": rows}), encoding="utf-8")
    else:
        lines = [f'{r["speaker"]},{r["timestamp"]},"{r["text"]}"\n' for r in rows]
        path.write_text("speaker,timestamp,text\n" + "".join(lines), encoding="utf-8")
    (fields,) = fields_of(formats.read(path).diagnostics, TIMES_OF_DATE)
    assert fields["first"] == "2023-05-04 10:00:00"


def test_dates_beyond_the_calendar_are_told_as_its_end() -> None:
    assert date_of(1e15) == "9999-12-31 23:59:59.999"


def test_codes_of_a_program_are_no_texts(tmp_path: Path) -> None:
    segments = [{"start": n, "end": n + 1, "text": text} for n, text in enumerate(SAID)]
    path = tmp_path / "talk.json"
    history = "sp=.5 mg=.3+3 ml=9 cm /"
    path.write_text(json.dumps({"segments": segments, "steps": history}), encoding="utf-8")
    assert "JSON-TEXT" not in codes(formats.read(path))
    plain = {"segments": segments, "steps": "then they all went home and slept"}
    path.write_text(json.dumps(plain), encoding="utf-8")
    assert "JSON-TEXT" in codes(formats.read(path))


def test_one_column_is_one(tmp_path: Path) -> None:
    path = tmp_path / "talk.csv"
    rows = "".join(f'{n},"{text}","{text} then"\n' for n, text in enumerate(SAID))
    path.write_text(f"no,reference,vendor\n{rows}", encoding="utf-8")
    (fields,) = fields_of(formats.read(path).diagnostics, COLUMNS_LEFT)
    assert fields["columns"] == len(fields["names"]) == 1


@pytest.mark.parametrize("suffix", ["csv", "json"])
def test_advice_names_the_first_of_numbered_texts_before_titles(
    suffix: str, tmp_path: Path
) -> None:
    rows = [
        {
            "goal": f"{text} and long words of an aim {n}",
            "variant_1": text,
            "variant_2": f"{text} as well",
        }
        for n, text in enumerate(SAID)
    ]
    path = tmp_path / f"lines.{suffix}"
    if suffix == "json":
        path.write_text(json.dumps(rows), encoding="utf-8")
    else:
        lines = [",".join(f'"{cell}"' for cell in row.values()) + "\n" for row in rows]
        path.write_text(",".join(rows[0]) + "\n" + "".join(lines), encoding="utf-8")
    with pytest.raises(FormatError, match="variant_1"):
        formats.read(path)


def test_a_list_whose_last_record_is_cut_by_the_beginning_is_detected() -> None:
    turns = [{"speaker": "AB"[n % 2], "start": n, "end": n + 1, "text": text}
             for n, text in enumerate(SAID)]  # fmt: skip
    calls = [
        {"call": f"c{n}", "file": f"c{n}.wav", "note": "x" * (n % 7), "turns": turns}
        for n in range(9)
    ]
    lines = json.dumps(calls, indent=1).split("\n")
    size = len(lines) // len(calls)
    assert {sniff(Head(lines[:cut])) for cut in range(3 * size, 4 * size)} == {Sniff.MAYBE}


def test_a_time_of_other_objects_is_told_without_advice_that_fails(tmp_path: Path) -> None:
    turns = [{"role": "AB"[n % 2], "content": text} for n, text in enumerate(SAID)]
    calls = [{"timestamp": 7.5 + n, "turns": turns[n:]} for n in range(3)]
    path = tmp_path / "calls.json"
    path.write_text(json.dumps(calls), encoding="utf-8")
    values = [d.value for d in formats.read(path).diagnostics if d.code == "JSON-TIME"]
    assert [value.advice for value in values] == [()]


@pytest.mark.parametrize("suffix", ["csv", "json"])
def test_commands_of_a_program_among_texts_are_told(suffix: str, tmp_path: Path) -> None:
    commands = ("G.showHint", "G.hide_hint", "game.wait(3)")
    rows = [text for pair in zip(SAID, commands, strict=False) for text in pair]
    path = tmp_path / f"talk.{suffix}"
    if suffix == "json":
        listed = [{"speaker": "AB"[n % 2], "text": text} for n, text in enumerate(rows)]
        path.write_text(json.dumps(listed), encoding="utf-8")
    else:
        lines = [f'{"AB"[n % 2]},"{text}"\n' for n, text in enumerate(rows)]
        path.write_text("speaker,text\n" + "".join(lines), encoding="utf-8")
    (fields,) = fields_of(formats.read(path).diagnostics, MARKS_LEFT)
    assert fields["count"] == len(commands)


def test_songs_in_a_column_with_a_chinese_name_are_read(tmp_path: Path) -> None:
    path = tmp_path / "songs.csv"
    path.write_text("歌名,歌词\n山,我们走在山上\n水,我们走在水边\n", encoding="utf-8")
    assert [" ".join(s.words) for s in formats.read(path)] == ["我们走在山上", "我们走在水边"]


PLACES = ("river", "bridge", "market", "station", "tower", "harbour", "school", "garden", "mill")
RETURNING = [
    f"{begin} the {place} before noon and saw {end}"
    for begin, place, end in zip(
        ("we left", "she knew", "they built", "he sold", "I liked", "you found", "so near",
         "nobody owned", "then behind"), PLACES, reversed(PLACES), strict=True,
    )
]  # fmt: skip


def remarks_of(path: Path, text: str) -> dict[str, str]:
    """Write a text and return the fields of the remarks on it by the key of their entry."""
    path.write_text(text, encoding="utf-8")
    values = [diagnostic.value for diagnostic in formats.read(path).diagnostics]
    return {value.entry.key: str(value.fields) for value in values}


def as_json(texts: list[str]) -> str:
    """Return texts as a list of turns of two persons."""
    return json.dumps([{"speaker": "AB"[n % 2], "text": text} for n, text in enumerate(texts)])


def as_calls(texts: list[str]) -> str:
    """Return texts as segments with times."""
    rows = [{"start": n, "end": n + 1, "text": text} for n, text in enumerate(texts)]
    return json.dumps({"segments": rows})


@pytest.mark.parametrize(
    "texts",
    [
        [f"{n} है और {place * n} वह {place} है" for n, place in enumerate(PLACES)],
        [f"{text}. Thank you. And then {n}. Thank you." for n, text in enumerate(RETURNING)],
        [*RETURNING, *(f"कैसे {place} तुम {n} {place}" for n, place in enumerate(PLACES))],
        [f"{text} {place[:3]}ing" for text, place in zip(RETURNING, PLACES, strict=True)],
    ],
)
def test_speech_may_begin_and_end_alike(texts: list[str], tmp_path: Path) -> None:
    told = remarks_of(tmp_path / "a.json", as_json(texts))
    assert told.keys().isdisjoint(("TEXTS-LEFT.first", "TEXTS-LEFT.last", "MARKS-LEFT"))


@pytest.mark.parametrize("end", ["user avatar", "Reply", "seen by Ann"])
def test_what_a_page_wrote_behind_texts_is_reported(end: str, tmp_path: Path) -> None:
    told = remarks_of(tmp_path / "a.json", as_json([f"{text}. {end}" for text in RETURNING]))
    assert end in told["TEXTS-LEFT.last"]


def test_a_title_glued_to_the_last_words_is_reported(tmp_path: Path) -> None:
    glued = [f"{text}{n}Embed" for n, text in enumerate(RETURNING)]
    assert "Embed" in remarks_of(tmp_path / "a.json", as_json(glued))["MARKS-LEFT"]


def test_headings_and_links_hide_no_words(tmp_path: Path) -> None:
    page = "**Plan** so we go on ### Steps then [GLS](#gls) and ### 2. Ends here"
    assert "MASKED" not in remarks_of(tmp_path / "a.json", as_calls([page, *RETURNING]))
    for text in ("my number is ### thanks", "[NAME] speaking", "call ###-12 now", "you f**k"):
        assert "MASKED" in remarks_of(tmp_path / "a.json", as_calls([text, *RETURNING])), text


def test_a_length_is_no_start(tmp_path: Path) -> None:
    for name, value in (("duration", "PT3M1{}S"), ("dauer", "PT{}M"), ("onset", "0:0{}")):
        rows = "".join(f'"{x}",{value.format(n)}\n' for n, x in enumerate(RETURNING))
        told = remarks_of(tmp_path / "a.csv", f"text,{name}\n{rows}")
        assert not any(name in fields for fields in told.values()) or name == "onset"
    assert formats.read(tmp_path / "a.csv").segments[1].start_ns is not None


def test_clauses_before_a_colon_are_no_names(tmp_path: Path) -> None:
    lines = [f"{text}." for text in RETURNING * 6]
    lines[5:5] = ["It goes like this: we went", "Primero: el puente", "My question: why"]
    assert "SPEAKER-TEXT?.names" not in remarks_of(tmp_path / "a.txt", "\n".join(lines))


def test_an_unfinished_sentence_is_no_title(tmp_path: Path) -> None:
    lines = [f"{text.capitalize()}." for text in RETURNING * 2]
    for said in (
        "WHERE ARE YOU?",
        "Thank you",
        "This will be the end of what we knew",
        "7, 8, 9, 10, 11",
    ):
        told = remarks_of(tmp_path / "a.txt", "\n".join([*lines, said, *lines[::-1]]))
        assert not [key for key in told if key.startswith("TXT-UNLIKE")], said
    for title in ("The Old Bridge", "030 123-45-67"):
        told = remarks_of(tmp_path / "a.txt", "\n".join([*lines, title, *lines[::-1]]))
        assert [key for key in told if key.startswith("TXT-UNLIKE")], title


def test_a_line_at_the_end_that_is_left_is_not_said_to_be_read(tmp_path: Path) -> None:
    told = remarks_of(tmp_path / "a.txt", "\n".join([*RETURNING, "[END]"]))
    assert "TXT-LEFT.foot" in told
    assert "BRACKETS-LEFT" not in told


def test_notices_of_a_chat_are_no_speech(tmp_path: Path) -> None:
    above = "03/02/24 10:0{} - Pesan ini aman dan tidak ada orang lain yang dapat membacanya.\n"
    turn = "03/02/24 10:1{} - {}: {}\n"
    head = above.format(1) + above.format(2)
    turns = [turn.format(n, ("Ann", "Ben")[n % 2], text) for n, text in enumerate(RETURNING)]
    assert "SPEAKER-TEXT-HEAD.lines" in remarks_of(tmp_path / "a.txt", head + "".join(turns))


def test_clauses_that_begin_paragraphs_are_no_names(tmp_path: Path) -> None:
    begin = ("Why it matters", "First of all things", "Here is the plan", "One last big theme")
    prose = "\n\n".join(f"{x}: {text}." for x, text in zip(begin, RETURNING, strict=False))
    names = ("Ann", "Ben", "Ann Example", "Cleo", "Ben", "Ann")
    talk = "\n\n".join(f"{x}: {text}." for x, text in zip(names, RETURNING, strict=False))
    plain = "\n\n".join(f"{text}." for text in RETURNING)
    for text, is_told in ((prose, False), (talk, True)):
        path = tmp_path / "a.txt"
        path.write_text(f"{text}\n\n{plain}\n", encoding="utf-8")
        told = [x.code for x in formats.read(path, format="txt").diagnostics]
        assert ("SPEAKER-TEXT?" in told) is is_told


def test_a_column_of_brief_labels_is_no_text(tmp_path: Path) -> None:
    for name, value, is_told in (
        ("part", "S2 E{}", False),
        ("other", "wir gingen vor dem Mittag {} mal zum Fluss", True),
    ):
        rows = "".join(f'"{text}.",{value.format(n)}\n' for n, text in enumerate(RETURNING))
        told = remarks_of(tmp_path / "a.csv", f"text,{name}\n{rows}")
        assert ("COLUMNS-LEFT" in told) is is_told


def test_three_who_speak_after_each_other_may_talk(tmp_path: Path) -> None:
    rows = [{"speaker": "ABC"[n // 3], "text": text} for n, text in enumerate(RETURNING)]
    told = remarks_of(tmp_path / "a.json", json.dumps(rows))
    assert "TEXTS-LEFT.apart" not in told
    many = [{"speaker": "ABCDE"[n // 3], "text": f"{n} {RETURNING[n % 9]}"} for n in range(15)]
    assert "TEXTS-LEFT.apart" in remarks_of(tmp_path / "b.json", json.dumps(many))


def test_answers_that_return_are_no_translations(tmp_path: Path) -> None:
    russian = [f"мы шли к мосту {n} раз и не видели его" for n in range(9)]
    english = [f"we went to the {place} and did not see the {place}" for place in PLACES]
    for other, is_told in ((english, True), (["we will do that and tell you"] * 9, False)):
        rows = [text for pair in zip(russian, other, strict=True) for text in pair]
        told = remarks_of(tmp_path / "a.json", as_json(rows))
        assert ("TEXTS-LEFT.languages" in told) is is_told
