"""Latency of streams: against SimulEval, and what logs of results say."""

import json
from pathlib import Path
from typing import Any

import pytest

import scoring
from scoring.cli.scoring import main
from scoring.model.errors import InputError
from scoring.results.measured import Measured
from tests.each_case import each_case
from tests.scoring.measures.golden import name_of, records

FIGURES = {
    "AL": "al",
    "LAAL": "laal",
    "DAL": "dal",
    "AP": "ap",
    "ATD": "atd",
    "StartOffset": "start_offset",
    "EndOffset": "end_offset",
    "RTF": "rtf",
}


def instances(path: Path, case: Any) -> Path:
    """SimulEval's log of one utterance."""
    given = case["input"]
    record = {
        "index": 0,
        "prediction": " ".join(f"w{n}" for n in range(len(given["delays_ms"]))),
        "delays": given["delays_ms"],
        "source": ["talk.wav"],
        "source_length": given["source_ms"],
        "reference": " ".join(f"w{n}" for n in range(given["reference_words"])),
        **({"elapsed": given["elapsed_ms"]} if "elapsed_ms" in given else {}),
    }
    path.write_text(json.dumps(record) + "\n")
    return path


@each_case("case", records("latency-simuleval"), ids=name_of)
def test_figures_are_those_of_simuleval(case: Any, tmp_path: Path) -> None:
    path = instances(tmp_path / "instances.log", case)
    copy = tmp_path / "reference.log"
    copy.write_bytes(path.read_bytes())
    reference = scoring.File(copy, options={"field": "reference"})
    part = scoring.wer(reference, path, measures=["simuleval"]).measured["simuleval"]
    for theirs, ours in FIGURES.items():
        for suffix in ("", "_CA"):
            number, expected = part[ours + suffix.lower()], case["output"].get(theirs + suffix)
            if isinstance(expected, dict) or expected is None:  # raises an error, or no such time
                assert number is None
            else:
                assert number == pytest.approx(expected), theirs + suffix


def test_segments_of_recordings_are_those_of_stream_laal(tmp_path: Path) -> None:
    """The numbers are those of simulstream 1.0.0."""
    reference, hypothesis = tmp_path / "reference.stm", tmp_path / "hypothesis.log"
    reference.write_text("talk 1 a 1.0 3.0 one two three four\ntalk 1 a 3.5 5.0 five six\n")
    log = {
        "index": 0, "prediction": "one two four five six seven", "source": ["talk.wav"],
        "delays": [1500, 2100, 3400, 4100, 5000, 5000],
        "elapsed": [1600, 2300, 3600, 4300, 5300, 5300], "source_length": 5000,
    }  # fmt: skip
    hypothesis.write_text(json.dumps(log) + "\n")
    rates = scoring.wer(reference, hypothesis, measures=["simuleval"], cut="plain-alignment")
    part = rates.measured["simuleval"]
    assert rates.aligned.hypotheses[0] == ("one", "two", "four")
    assert (part["laal"], part["laal_ca"]) == pytest.approx((816 + 2 / 3, 1025))


REFERENCE = {
    "id": "u1", "recording_id": "u1", "start": 0.0, "duration": 3.0, "channel": 0,
    "text": "the hat is here now",
    "alignment": {"word": [
        ["the", 0.2, 0.2, 1.0], ["hat", 0.4, 0.4, 1.0], ["is", 0.9, 0.2, 1.0],
        ["here", 1.4, 0.4, 1.0], ["now", 2.0, 0.4, 1.0],
    ]},
}  # fmt: skip
EVENTS = [
    {"time": 0.8, "final": False, "text": "the cat"},
    {"time": 1.2, "final": False, "text": "the hat is"},
    {"time": 1.6, "final": True, "text": "the hat is", "audio": 3.0},
    {"time": 2.1, "final": False, "text": "here"},
    {"time": 2.6, "final": True, "text": "here now"},
]


def stream(folder: Path, events: list[dict[str, Any]], **settings: str) -> Measured:
    reference, hypothesis = folder / "reference.jsonl", folder / "hypothesis.jsonl"
    silent = {**REFERENCE, "id": "u2", "recording_id": "u2"}
    reference.write_text("".join(f"{json.dumps(record)}\n" for record in (REFERENCE, silent)))
    lines = [json.dumps({"utterance": "u1", **event}) for event in events]
    hypothesis.write_text("".join(f"{line}\n" for line in lines))
    rates = scoring.wer(reference, hypothesis, measures=["latency"], measure_options=settings)
    return rates.measured["latency"]


def test_delays_of_words_and_utterances(tmp_path: Path) -> None:
    part = stream(tmp_path, EVENTS)
    samples = part.columns.totals().samples
    delays = {name: [round(value / 1e6) for value in samples[name].values] for name in samples}
    assert delays == {
        "word": [100, 200, 300, 400, 400],
        "final_word": [200, 500, 800, 800, 1200],
        "first_token": [400],
        "last_token": [200],
        "endpoint": [200],
    }
    assert part["word_p50_ms"] == 300
    assert part["word_mean_ms"] == pytest.approx(280)
    assert part["word_p90_ms"] == pytest.approx(400)
    # shown: the cat, hat is, here, now; retracted: cat
    assert (part["stability"], part["flicker"]) == (6 / 5, 1 / 5)
    assert part["no_output"] == 0.5
    part = stream(tmp_path, EVENTS, first_token="begin", latency_end="audio")
    assert part["first_token_p50_ms"] == 600
    assert (part["last_token_p50_ms"], part["endpoint_p50_ms"]) == (-400, -400)
    events = [{**event, "elapsed": float(str(event["time"])) + 0.5} for event in EVENTS]
    part = stream(tmp_path, events, latency_clock="elapsed")
    assert (part["word_p50_ms"], part["first_token_p50_ms"]) == (800, 900)
    assert (part["last_token_p50_ms"], part["endpoint_p50_ms"]) == (700, None)
    assert stream(tmp_path, EVENTS, latency_clock="elapsed")["word_p50_ms"] is None


def test_results_of_openbench_are_the_same(tmp_path: Path) -> None:
    events = tmp_path / "u1.json"
    record = {
        "interim_results": [" the cat", " the hat is", "the hat is here"],
        "audio_cursor": [0.8, 1.2, 2.1],
        "confirmed_interim_results": [" the hat is", "the hat is here now"],
        "confirmed_audio_cursor": [1.6, 2.6],
        "model_timestamps_hypothesis": None,
    }
    events.write_text(json.dumps(record))
    reference = tmp_path / "reference.jsonl"
    reference.write_text(json.dumps(REFERENCE) + "\n")
    rates = scoring.wer(reference, events, measures=["latency"])
    assert rates.counts.errors == 0
    expected = stream(tmp_path, EVENTS).select([0])
    assert dict(rates.measured["latency"].values) == dict(expected.values)


def test_the_end_may_be_taken_back(tmp_path: Path) -> None:
    part = stream(tmp_path, [*EVENTS, {"time": 3.0, "type": "partial", "text": "er"}])
    assert part["word_p99_ms"] == stream(tmp_path, EVENTS)["word_p99_ms"]
    assert part["flicker"] == 2 / 5


def test_a_log_without_words_has_no_delays(tmp_path: Path) -> None:
    part = stream(tmp_path, [{"time": 0.8, "final": True, "text": ""}])
    assert (part["no_output"], part["word_p50_ms"], part["flicker"]) == (1, None, None)
    with pytest.raises(InputError, match="expected the times when words appeared"):
        scoring.wer("a", "a", measures=["latency"])


def test_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stream(tmp_path, EVENTS)
    paths = [str(tmp_path / f"{name}.jsonl") for name in ("reference", "hypothesis")]
    assert main(["wer", *paths, "--measures", "latency", "--measure-option", "latency_end=x"]) == 2
    assert "latency_end: expected word or audio" in capsys.readouterr().err
    assert main(["wer", *paths, "--measures", "latency"]) == 0
    assert "words retracted per word kept" in capsys.readouterr().out
