"""Parts of messages and documents, what models did not say, and rows of named fields."""

import json
from pathlib import Path
from typing import Any

import pytest

import formats
from formats.json.messages import KINDS_LEFT, TAG
from formats.schema.transcript import Transcript

ASKED = "So where was the van parked?"
TOLD = "It was behind the house, I think."
IMAGE = {"type": "image", "src": "van.jpg", "caption": "a red van"}


def read(folder: Path, value: Any, name: str = "talk.json") -> Transcript:
    file = folder / name
    file.write_text(value if isinstance(value, str) else json.dumps(value))
    return formats.read(file)


def turns(transcript: Transcript) -> list[tuple[str | None, str | None, str]]:
    return [(s.recording, s.speaker, " ".join(s.words)) for s in transcript]


def interview(code: str, asked: str, told: str) -> dict[str, Any]:
    parts = [{"type": asked, "text": ASKED}, {"type": told, "text": TOLD}, IMAGE]
    return {"id": code, "excerpt": "Nobody knew where the van was.", "content": parts}


@pytest.mark.parametrize(("asked", "told"), [("question", "answer"), ("question", "paragraph")])
def test_questions_and_answers_among_the_parts_of_interviews_are_turns(
    asked: str, told: str, tmp_path: Path
) -> None:
    value = {"items": [interview("n1", asked, told), interview("n2", asked, told)]}
    transcript = read(tmp_path, value)
    assert turns(transcript) == [
        (code, speaker, text)
        for code in ("n1", "n2")
        for speaker, text in ((asked, ASKED), (told, TOLD))
    ]
    assert KINDS_LEFT in [d.value.entry for d in transcript.diagnostics]


def test_paragraphs_alone_are_pieces_of_one_text(tmp_path: Path) -> None:
    parts = [{"type": "paragraph", "text": text} for text in (ASKED, TOLD)]
    rows = [{"speaker": name, "content": parts} for name in ("Ann", "Ben")]
    assert turns(read(tmp_path, rows)) == [
        ("talk", name, f"{ASKED} {TOLD}") for name in ("Ann", "Ben")
    ]


def test_pictures_and_calls_within_messages_are_no_text(tmp_path: Path) -> None:
    picture = {"type": "image_url", "image_url": {"url": "https://vans.example/a.jpg"}}
    call = {"type": "tool_use", "name": "zoom", "input": {"x": 1}}
    messages = [
        {"role": "user", "content": [{"type": "text", "text": ASKED}, picture]},
        {"role": "assistant", "content": [{"type": "text", "text": TOLD}, call]},
        {"role": "user", "content": "And who drove it?"},
    ]
    transcript = read(tmp_path, messages)
    expected = [("user", ASKED), ("assistant", TOLD), ("user", "And who drove it?")]
    assert turns(transcript) == [("talk", *turn) for turn in expected]


@pytest.mark.parametrize(
    "unsaid",
    [
        "<think>Where may it be?\nBehind the house.</think>",
        '<tool_call>\n{"name": "find"}\n</tool_call>',
        '<STATE>{"van": null}</STATE>',
    ],
)
def test_thoughts_calls_and_data_of_a_model_are_no_words(unsaid: str, tmp_path: Path) -> None:
    rows = [{"role": "user", "content": ASKED}, {"role": "assistant", "content": unsaid + TOLD}]
    transcript = read(tmp_path, rows)
    assert turns(transcript) == [("talk", "user", ASKED), ("talk", "assistant", TOLD)]
    assert TAG in [d.value.entry for d in transcript.diagnostics]


def test_words_between_other_tags_stay(tmp_path: Path) -> None:
    rows = [{"role": "user", "content": "<note>so it is</note>"}, {"role": "bot", "content": TOLD}]
    assert "so it" in turns(read(tmp_path, rows))[0][2]


def test_rows_of_named_fields_are_objects(tmp_path: Path) -> None:
    text = f"user:{ASKED}\tbot:{TOLD}\nuser:And who drove it?\tbot:My brother did.\n"
    assert [turn[1:] for turn in turns(read(tmp_path, text, "talk.txt"))] == [
        ("user", ASKED),
        ("bot", TOLD),
        ("user", "And who drove it?"),
        ("bot", "My brother did."),
    ]


def test_replies_that_the_next_row_repeats_are_read_once(tmp_path: Path) -> None:
    said = [ASKED, TOLD, "And who drove it?"]
    rows = [f"text:{said[0]}\tlabels:{said[1]}", f"text:{said[1]}\tlabels:{said[2]}"]
    episode = "\n".join(rows) + "\tepisode_done:True\n"
    sides = ("text", "labels", "text")
    assert turns(read(tmp_path, episode * 2, "talk.txt")) == [
        (code, *turn) for code in ("1", "2") for turn in zip(sides, said, strict=True)
    ]


def test_names_with_tabs_behind_them_are_no_fields(tmp_path: Path) -> None:
    text = "ann:\tSo it is, I think.\nben:\tWell, no.\n" * 3
    assert {s.speaker for s in read(tmp_path, text, "talk.txt")} == {"ann", "ben"}


ROWS = [{"utt_id": f"u{n}", "prompt": text} for n, text in enumerate((ASKED, TOLD, "No, never."))]
LINES = "\n".join(map(json.dumps, ROWS))
TABLE = "\n".join(["utt_id,prompt", *(f'{r["utt_id"]},"{r["prompt"]}"' for r in ROWS)])
DOORS = {"json": json.dumps(ROWS), "jsonl": LINES, "csv": TABLE}


@pytest.mark.parametrize("name", DOORS)
@pytest.mark.parametrize("suffix", ["txt", "own", "other"])
def test_prompts_beside_ids_are_read_at_each_door(name: str, suffix: str, tmp_path: Path) -> None:
    ends = {"own": name, "other": "csv" if name == "csv" else "json"}
    transcript = read(tmp_path, DOORS[name], f"talk.{ends.get(suffix, suffix)}")
    assert [(s.utterance, " ".join(s.words)) for s in transcript] == [
        (row["utt_id"], row["prompt"]) for row in ROWS
    ]


def test_lines_with_one_comma_are_no_table(tmp_path: Path) -> None:
    text = "Audio, said Ann\nSo it is, well\nAnd so, no\nThen we too, went\n"
    assert not any(s.utterance for s in read(tmp_path, text, "talk.txt"))


def test_short_chunks_of_words_with_a_dash_are_words(tmp_path: Path) -> None:
    said = [" - So", " it", " is.", " - Well,", " no."]
    chunks = [{"text": text, "timestamp": [n / 2, n / 2 + 0.4]} for n, text in enumerate(said)]
    transcript = read(tmp_path, {"text": "".join(said), "chunks": chunks})
    assert [" ".join(s.words) for s in transcript] == ["- So it is. - Well, no."]
