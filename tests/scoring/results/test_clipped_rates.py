"""Rates of utterances that are at most 100 %."""

import csv
import json
from pathlib import Path

import pytest

import scoring
from scoring.cli.scoring import main


def test_rates_of_utterances_are_clipped_and_counts_are_not() -> None:
    sides = ["a", "a b", ""], ["x y z", "a c", "d"]
    plain, clipped = (scoring.wer(*sides, clip_rate=clip) for clip in (False, True))
    assert clipped.counts == plain.counts
    assert clipped.corpus_rate == plain.corpus_rate == 5 / 3
    assert plain.mean_of_utterances == (3 + 0.5) / 2
    assert clipped.mean_of_utterances == (1 + 0.5) / 2
    assert [clipped.rate_at(row) for row in range(3)] == [1.0, 0.5, None]
    assert "|rate:clipped|" in clipped.signature
    assert "clipped" not in plain.signature


def test_reports_have_the_clipped_rate(
    current_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("r.trn").write_text("a (u-1)\n")
    Path("h.trn").write_text("x y z (u-1)\n")
    command = ["wer", "r.trn", "h.trn", "--clip-rate", "--per-utterance", "--json", "out.json"]
    assert main([*command, "--csv", "out.csv"]) == 0
    text = capsys.readouterr().out
    assert "3 errors in 1 word, 100.00 %" in text
    assert "mean of utterances 100.00 %" in text
    [system] = json.loads(Path("out.json").read_text())["systems"]
    assert (system["utterances"][0]["error_rate"], system["rates"]["error_rate"]) == (1.0, 3.0)
    with open("out.csv", encoding="utf-8", newline="") as file:
        assert "1.0" in list(csv.reader(file))[1]
