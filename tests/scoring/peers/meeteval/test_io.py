"""meeteval's `io`: what its documentation shows; files were compared with those of meeteval 0.4.3."""

import json
from decimal import Decimal
from pathlib import Path

import pytest

import sclite_kit.compat.meeteval as meeteval
from formats import FormatError

LINES = """
    recordingA 1 Alice 0 1 The quick brown fox jumps over the lazy dog
    recordingB 1 Bob 0 1.5 The quick brown fox jumps over the lazy dog
"""
HEARD = LINES.replace("Alice", "spk-1").replace("Bob", "spk-1").replace("quick", "kwick")


def test_parsed_segments_are_sides() -> None:
    reference, hypothesis = map(meeteval.io.STM.parse, (LINES, HEARD))
    rates = meeteval.wer.tcpwer(reference, hypothesis, collar=5)
    assert {name: rate.errors for name, rate in rates.items()} == {"recordingA": 1, "recordingB": 1}
    assert meeteval.wer.combine_error_rates(rates).length == 18
    with pytest.raises(FormatError):
        meeteval.io.STM.parse("talk 1 anne x y hello")


def test_files_are_read_changed_and_written(tmp_path: Path) -> None:
    meeteval.io.dump(meeteval.io.STM.parse(LINES), tmp_path / "a.stm")
    data = meeteval.io.load(tmp_path / "a.stm").to_seglst()
    assert data[1]["end_time"] == Decimal("1.5")
    for segment in data:
        segment["speaker"] = segment["speaker"].lower()
    data.dump(tmp_path / "a.rttm")
    assert "SPEAKER recordingB 1 0.000 1.500 <NA> <NA> bob" in (tmp_path / "a.rttm").read_text()
    meeteval.io.dump(data, tmp_path / "a.json")
    again = meeteval.io.load(tmp_path / "a.json")
    assert [segment["speaker"] for segment in again] == ["alice", "bob"]
    assert json.loads((tmp_path / "a.json").read_text())[0]["end_time"] == 1.0
    assert meeteval.io.load([tmp_path / "a.stm", tmp_path / "a.stm"]).unique("speaker") == {
        "Alice",
        "Bob",
    }
    with pytest.raises(ValueError, match="session_id"):
        meeteval.io.dump([{"words": "hello"}], tmp_path / "b.stm")
    assert not (tmp_path / "b.stm").exists()


def test_containers() -> None:
    data = meeteval.io.SegLST(
        {"session_id": name, "speaker": "x", "words": word}
        for name, word in (("b", "two"), ("a", "one"), ("b", "three"))
    )
    assert list(data.groupby("filename")) == ["b", "a"]
    assert [one["words"] for one in data.sorted("session_id")] == ["one", "two", "three"]
    assert len(data[1:] + data.filter(lambda segment: segment["session_id"] == "a")) == 3
    assert data.map(dict) == data == meeteval.io.asseglst(list(data))
    assert data.flatmap(lambda segment: [segment] * 2)[5]["words"] == "three"
