"""Characters beside words, weighted errors, and the tables of edits."""

import json
from pathlib import Path
from typing import Any

import pytest

import scoring
from scoring.cli.scoring import main
from scoring.drawing.text import text_lines
from scoring.pages.edit_tables import characters_of, confusions_of

GOLDEN = json.loads(
    Path(__file__).parents[2].joinpath("golden/measures/weighted-werpy.json").read_text()
)
SIDES = {"u1": "the cat sat", "u2": "the mat"}, {"u1": "the bat sat uh", "u2": "mat"}


def test_the_weighted_rate_is_that_of_werpy() -> None:
    assert GOLDEN["cases"]
    for case in GOLDEN["cases"]:
        sides = ({f"u{n}": text for n, text in enumerate(case[side])} for side in ("ref", "hyp"))
        options = {f"{kind}_weight": weight for kind, weight in case["weights"].items()}
        rates = scoring.wer(
            *sides, profile="levenshtein", measures=["weighted"], measure_options=options
        )
        assert rates.measured["weighted"]["weighted_wer"] == pytest.approx(case["werp"], abs=1e-12)


def test_weights_are_part_of_the_signature_and_checked() -> None:
    options = {"insertion_weight": "0.5"}
    part = scoring.wer(*SIDES, measures=["weighted"], measure_options=options).measured["weighted"]
    assert part.signature == "weighted(insertion_weight:50)"
    assert part["weighted_wer"] == (1 + 1 + 0.5) / 5
    for weight in ("-1", "0.125", "much", "nan"):
        with pytest.raises(ValueError, match="insertion_weight: expected a number from 0 with at"):
            scoring.wer(*SIDES, measures=["weighted"], measure_options={"insertion_weight": weight})


def test_the_rate_of_characters_is_that_of_cer() -> None:
    cases: list[dict[str, Any]] = [{}, {"normalize": "lowercase"}, {"unit": "char"}]
    for options in cases:
        part = scoring.wer(*SIDES, measures=["characters"], **options).measured["characters"]
        unit = {} if "unit" not in options else {"unit": "char", "profile": "levenshtein"}
        expected = scoring.cer(*SIDES, **{**options, **unit})
        assert part["cer"] == expected.corpus_rate
        assert part.columns.totals()["errors"] == expected.counts.errors


def test_with_cer_reports_both_rates(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, side in zip(("r.txt", "h.txt"), SIDES, strict=True):
        Path(name).write_text("".join(f"{key} {text}\n" for key, text in side.items()))
    options = ["--with-cer", "--json", "x.json", "--html", "x.html", "--confusions", "1"]
    assert main(["wer", "r.txt", "h.txt", *options, "--per-character"]) == 0
    out = capsys.readouterr().out
    assert "character error rate %  44.44" in out
    [system] = json.loads(Path("x.json").read_text())["systems"]
    assert system["measures"]["characters"]["values"]["cer"] == 8 / 18
    assert "Character error rate" in Path("x.html").read_text("utf-8")
    assert "cat        bat             1" in out
    assert main(["wer", "r.txt", "h.txt", "--confusions", "0"]) == 2
    assert main(["wer", "r.txt", "h.txt", "--confusions", "2"]) == 0
    assert "at least 2 times: none" in capsys.readouterr().out


def test_tables_of_edits() -> None:
    rates = scoring.wer(
        {"a": "x y x y x", "b": "y"}, {"a": "z y z y x", "b": "q"}, profile="levenshtein"
    )
    text = "\n".join(text_lines(confusions_of(rates, 2)))
    assert "Substitutions: 3 in all, 2 different" in text
    assert "x          z               2" in text
    assert "q" not in text.replace("Deletions", "")
    letters = [line.split() for line in text_lines(characters_of(rates))]
    assert ["x", "3", "1", "2", "0", "0", "66.67"] in letters
    assert ["(blank)", "4", "4", "0", "0", "0", "0.00"] in letters
    jiwer = list(text_lines(characters_of(scoring.wer("ab", "ba", profile="jiwer"))))
    assert ["b", "1", "0", "0", "1", "1", "200.00"] in [line.split() for line in jiwer]
    silent = scoring.wer({"a": ""}, {"a": "x"})
    assert ["x", "0", "0", "0", "0", "1", "n/a"] in [
        line.split() for line in text_lines(characters_of(silent))
    ]
