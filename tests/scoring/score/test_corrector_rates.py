"""Rates of correctors against agwer's, and in the report of `scoring oracle`."""

import json
from pathlib import Path
from typing import Any

import pytest

from scoring.cli.scoring import main
from scoring.options import Options
from scoring.score.corrector_rates import CorrectorRates
from scoring.score.oracle import corrections, oracle

GOLDEN = json.loads(
    Path(__file__).parents[2].joinpath("golden/measures/correctors-agwer.json").read_text("utf-8")
)
JIWER = Options(profile="jiwer")


def rates_of(case: dict[str, Any]) -> CorrectorRates:
    sides = [
        {f"u{row:03d}": text for row, text in enumerate(case[name])}
        for name in ("refs", "nbest", "corrected")
    ]
    best = oracle(sides[0], sides[1], JIWER)
    first = {name: texts[0] for name, texts in sides[1].items()}
    rates = corrections(sides[0], first, sides[2], JIWER, best).rates
    assert rates is not None
    return rates


def check(case: dict[str, Any]) -> None:
    rates, words = rates_of(case), sum(len(text.split()) for text in case["refs"])
    agentic, tokens, heard = case["agentic"], case["tokens"], case["whr"]
    assert rates.recovered_share == pytest.approx(agentic["rir"], abs=1e-12)
    assert rates.utterances.harmful_rate == agentic["her"]
    edits = agentic["edits"]
    assert [*rates.utterances] == [edits["helpful"], edits["harmful"]]
    assert (rates.neutral, rates.unchanged) == (edits["neutral"], edits["no_edit"])
    assert [*rates.words] == [tokens["helpful"], tokens["harmful"]]
    assert (rates.words.harmful_rate, rates.missed) == (tokens["her"], tokens["missed"])
    assert rates.composed == pytest.approx(agentic["wer_compositional"] * words)
    assert [*rates.inventions] == [
        heard["output_tokens"],
        heard["novel_hallucinations"],
        heard["repetition_hallucinations"],
        heard["passed_through_errors"],
        heard["generative_tokens"],
    ]
    # of no words agwer has 0, and we have no rate
    assert (rates.inventions.rate or 0.0) == heard["whr"]


def test_they_are_those_of_agwer() -> None:
    assert GOLDEN["cases"]
    for case in GOLDEN["cases"]:
        check(case)


def test_a_corrector_that_does_nothing_has_no_rate_of_harm() -> None:
    case = {"refs": ["a b"], "nbest": [["a c", "a b"]], "corrected": ["a c"]}
    rates = rates_of(case)
    assert (rates.utterances.harmful_rate, rates.words.harmful_rate) == (None, None)
    assert (rates.recovered_share, rates.unchanged, rates.inventions.passed_through) == (0, 1, 1)
    assert rates_of({**case, "nbest": [["a c"]]}).recovered_share is None


def test_the_report_and_json(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("r.txt").write_text("u1 the cat sat\nu2 we met there\n")
    Path("n.txt").write_text("u1-1 a cat sad\nu1-2 the cat sad\nu2-1 we met there\n")
    Path("c.txt").write_text("u1 the cat sat\nu2 we meet there\n")
    assert main(["oracle", "r.txt", "n.txt", "--corrected", "c.txt", "--json", "x.json"]) == 0
    out = capsys.readouterr().out
    [row] = [line for line in out.splitlines() if line.startswith("recovered share of the oracle")]
    assert row.endswith("1.0000")
    assert "1 harmful, 1 helpful, 0 neutral, 0 unchanged" in out
    rates = json.loads(Path("x.json").read_text())["systems"][0]["corrections"]["rates"]
    assert rates["harmful_edit_rate"] == 0.5
    assert rates["word_hallucination_rate"] == 1 / 6
    assert rates["output_words"] == {
        "word_count": 6, "novel": 1, "repeated": 0, "passed_through": 0, "generated": 1,
    }  # fmt: skip
