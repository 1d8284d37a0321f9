"""Chunks of the leaderboard's manifests are one recording each."""

import json
from pathlib import Path
from typing import Any

import formats
from scoring import wer
from tests.formats.json.reading import read

ROWS: list[dict[str, Any]] = [
    {"text": "hello there world how are you", "pred_text": "hello there"},
    {"text": "", "pred_text": "world how"},
    {"text": "", "pred_text": "are you"},
]


def manifest(rows: list[dict[str, Any]], order: tuple[int, ...] = (0, 1, 2)) -> str:
    lines = [
        {"audio_filepath": f"sample_{n}", "duration": 2.5, "time": 0.5, **rows[n],
         "parent_id": "talk", "chunk_index": n}
        for n in order
    ]  # fmt: skip
    alone = {"audio_filepath": "x.wav", "duration": 1.0, "text": "so", "pred_text": "so"}
    return "".join(f"{json.dumps(line)}\n" for line in [*lines, alone])


def test_chunks_are_joined_in_their_order() -> None:
    for order in ((0, 1, 2), (2, 0, 1)):
        alone, whole = transcript = read(manifest(ROWS, order), "nemo")
        assert alone.recording == "x"
        assert (whole.recording, whole.words) == ("talk", tuple(ROWS[0]["text"].split()))
        assert (whole.start, whole.end, whole.get("time")) == (0.0, 7.5, "1.5")
        assert whole.get("pred_text") == "hello there world how are you"
        assert whole.get("chunk_index") is None
        assert [d.code for d in transcript.diagnostics] == ["CHUNKS"]


def test_the_file_is_both_sides(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    path.write_text(manifest(ROWS), "utf-8")
    assert wer(path, path).corpus_rate == 0.0


def test_a_reference_that_all_chunks_repeat_counts_once_and_an_answer_never() -> None:
    rows = [{"text": "yes yes", "pred_text": "yes"}] * 2
    [_, whole] = read(manifest(rows, (0, 1)), "nemo")
    assert (whole.words, whole.get("pred_text")) == (("yes", "yes"), "yes yes")
    [_, answer] = read(manifest(rows, (0, 1)), "nemo", field="pred_text")
    assert answer.words == ("yes", "yes")


def test_gaps_in_the_numbers_are_warned_of() -> None:
    transcript = read(manifest(ROWS, (0, 2)), "nemo")
    assert [str(d.severity) for d in transcript.diagnostics] == ["warning", "note"]
    assert "0, 2" in transcript.diagnostics[0].message
    assert formats.write(transcript, "/dev/null", "jsonl") == ()
