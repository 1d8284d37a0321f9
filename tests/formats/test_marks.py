"""Examples of marks inside texts that are no words."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import formats
from formats.reading.marks import (
    brackets_in,
    codes_in,
    dashes_of_changes,
    is_mark,
    without_entities,
)
from tests.each_case import each_case


def test_brackets_in() -> None:
    assert brackets_in(["so [laughs] it was", "[laughs] yes (of course) (Applause.)"]) == Counter(
        {"[laughs]": 2, "(Applause.)": 1}
    )


def test_without_entities() -> None:
    assert list(without_entities([(1, "&gt;&gt; so it&#39;s"), (2, "R&D")])) == [
        (1, ">> so it's"),
        (2, "R&D"),
    ]


def test_codes_in() -> None:
    assert codes_in(["1:2.5", "b_a", "82tUO", "so"] * 4)[:3] == ["1:2.5", "b_a", "82tUO"]


def test_is_mark() -> None:
    assert [
        word for word in ["so", "</b>", "it", ">>", "is", "//", "then", "[0:12]"] if is_mark(word)
    ] == ["</b>", ">>", "//", "[0:12]"]


def test_dashes_of_changes() -> None:
    assert dashes_of_changes(
        ["-", "Oh,", "hi.", "-", "Hi", "Jim", "-", "my", "friend.", "-", "Yes?"]
    ) == ["-", "-", "-"]


GLUED = [
    "is it late#no it is early",
    r"is it late?\No it is early",
    "so%20it%20is%20late now",
    "so+it+is+late now",
    "a1;Is it late.;c3",
    "(4,3,0,'Is it late.'),(4,0,3,'No it is early.')",
    "is it late¶no it is early",
]


@each_case("text", GLUED)
@each_case("suffix", ["txt", "json", "jsonl", "csv"])
def test_words_that_a_sign_joins_are_reported(tmp_path: Path, text: str, suffix: str) -> None:
    assert "MARKS-LEFT" in codes_of(tmp_path, text, suffix)


@each_case(
    "text",
    [
        "the C# and F#m of AT&T",
        "rock'n'roll and so; it was (3,4)",
        "he said 'well', 'so'; and \"it\"",
        "今日は#1です",
        "50%20 or so +1",
    ],
)
@each_case("suffix", ["txt", "json", "jsonl", "csv"])
def test_signs_of_texts_are_not_reported(tmp_path: Path, text: str, suffix: str) -> None:
    assert "MARKS-LEFT" not in codes_of(tmp_path, text, suffix)


def codes_of(tmp_path: Path, text: str, suffix: str) -> list[str]:
    texts = [f"{text} {word}" for word in ("then", "again", "here", "there")]
    rows = [{"id": n, "text": text} for n, text in enumerate(texts)]
    written = {
        "txt": "\n".join(texts),
        "json": json.dumps(rows),
        "jsonl": "\n".join(map(json.dumps, rows)),
        "csv": "id,text\n" + "\n".join(
            f'{row["id"]},"{str(row["text"]).replace(chr(34), 2 * chr(34))}"' for row in rows
        ),
    }  # fmt: skip
    path = tmp_path / f"a.{suffix}"
    path.write_text(f"{written[suffix]}\n", encoding="utf-8")
    return [note.code for note in formats.read(path).diagnostics]


@each_case(
    "direction",
    [
        "(Applaus von der linken Seite des Saales)",
        "(Beifall bei der einen und der anderen Fraktion)",
        "(orta sıralardan alkışlar)",
        "(Аплодисменты в зале, голоса с мест)",
        "(oklaski na sali)",
    ],
)
def test_sounds_of_parliaments_are_no_words(tmp_path: Path, direction: str) -> None:
    turns = [f"{name}: So it was. {direction} Then it was late." for name in ("Ann", "Ben") * 3]
    path = tmp_path / "a.txt"
    path.write_text("\n".join(turns), encoding="utf-8")
    assert {segment.words for segment in formats.read(path)} == {
        ("So", "it", "was.", "Then", "it", "was", "late.")
    }


@each_case(
    "part",
    ["(as I said in the hall at noon today)", "(Shumaya and the others)", "(Las Palmas in May)"],
)
def test_other_parts_in_brackets_stay(tmp_path: Path, part: str) -> None:
    turns = [f"{name}: So it was. {part} Then it was late." for name in ("Ann", "Ben") * 3]
    path = tmp_path / "a.txt"
    path.write_text("\n".join(turns), encoding="utf-8")
    assert all(part in " ".join(segment.words) for segment in formats.read(path))
