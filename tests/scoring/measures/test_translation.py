"""BLEU, chrF and TER against sacrebleu, of segments and of recordings that are cut."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

import scoring
from scoring.cli.scoring import main
from scoring.drawing.text import text_lines
from scoring.measures import translation
from tests.scoring.measures.corpora import counted

GOLDEN = json.loads(
    Path(__file__)
    .parents[2]
    .joinpath("golden/measures/translation-sacrebleu.json")
    .read_text("utf-8")
)


def check(case: dict[str, Any]) -> None:
    sides = [
        {f"u{row:02d}": text for row, text in enumerate(case[side])} for side in ("refs", "hyps")
    ]
    part = counted("translation", *sides, bleu_tokenize=case["tokenize"])
    # `sum` of Python 3.12 and later rounds the sums of fractions differently
    tolerance = 0 if sys.version_info < (3, 12) else 1e-13
    assert [part[name] for name in ("bleu", "chrf", "ter")] == [
        pytest.approx(case[name], rel=tolerance, abs=0) for name in ("bleu", "chrf", "ter")
    ]


def test_scores_are_those_of_sacrebleu_to_the_last_digit() -> None:
    pytest.importorskip("sacrebleu")
    assert GOLDEN["cases"]
    for case in GOLDEN["cases"]:
        check(case)


def test_signatures_are_those_of_sacrebleu() -> None:
    sacrebleu = pytest.importorskip("sacrebleu")
    case = GOLDEN["cases"][0]
    part = counted("translation", case["refs"], case["hyps"], bleu_tokenize=case["tokenize"])
    text = "\n".join(text_lines(list(part.measure.details(part.columns.totals()))))
    for signature in case["signatures"]:
        version = f"version:{GOLDEN['versions']['sacrebleu']}"
        assert signature.replace(version, f"version:{sacrebleu.__version__}") in text


def test_a_recording_is_cut_at_the_segments_of_the_reference(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    metrics = pytest.importorskip("sacrebleu.metrics")
    reference, hypothesis = tmp_path / "r.stm", tmp_path / "h.stm"
    texts = (
        ["The cat sat on the mat.", "It left us at noon."],
        "The cat sat on a mat. It left at noon.",
    )
    reference.write_text(
        "".join(f"talk 1 a {5 * row} {5 * row + 4} {text}\n" for row, text in enumerate(texts[0]))
    )
    hypothesis.write_text(f"talk 1 a 0 9 {texts[1]}\n")
    options = [
        "--cut",
        "alignment",
        "--measures",
        "translation",
        "--json",
        str(tmp_path / "x.json"),
    ]
    assert main(["wer", str(reference), str(hypothesis), *options]) == 0
    [system] = json.loads((tmp_path / "x.json").read_text())["systems"]
    cut = ["The cat sat on a mat.", "It left at noon."]
    expected = metrics.BLEU().corpus_score(cut, [texts[0]]).score
    assert system["measures"]["translation"]["values"]["bleu"] == expected
    assert "BLEU of sacrebleu: nrefs:1|case:mixed|eff:no|tok:13a" in capsys.readouterr().out


def test_subtitles_have_the_scores_of_suber(tmp_path: Path) -> None:
    pytest.importorskip("sacrebleu")
    path = Path(__file__).parents[2].joinpath("golden/measures/translation-suber.json")
    cases = json.loads(path.read_text("utf-8"))["cases"]
    assert cases
    files = tmp_path / "r.srt", tmp_path / "h.srt"
    for case in cases:
        for file, side in zip(files, ("reference", "hypothesis"), strict=True):
            file.write_text(case[side], "utf-8")
        part = scoring.wer(*files, cut="plain-alignment", measures=["translation"]).measured[
            "translation"
        ]
        values = {name: part[name] for name in ("bleu", "chrf", "ter")}
        values["length_ratio"] = 100 * (part["length_ratio"] or 0)
        assert {name: round(value or 0, 3) for name, value in values.items()} == case["expected"]


def test_nothing_has_no_score_and_a_wrong_tokenizer_is_an_error() -> None:
    pytest.importorskip("sacrebleu")
    empty = counted("translation", {"u1": ""}, {"u1": "a cat"})
    assert set(empty.values.values()) == {None}
    silent = counted("translation", {"u1": "a cat"}, {"u1": ""})
    assert (silent["bleu"], silent["chrf"], silent["ter"], silent["length_ratio"]) == (0, 0, 100, 0)
    with pytest.raises(
        ValueError, match="bleu_tokenize: expected a tokenizer of sacrebleu such as"
    ):
        counted("translation", "a", "a", bleu_tokenize="words")


def test_without_sacrebleu_the_error_names_the_command(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "sacrebleu", None)
    translation._metrics.cache_clear()
    path = tmp_path / "a.txt"
    path.write_text("the cat\n")
    assert main(["wer", str(path), str(path), "--measures", "translation"]) == 2
    assert "expected an installed sacrebleu, found none (pip install" in capsys.readouterr().err
    translation._metrics.cache_clear()
    assert scoring.wer("a", "a").error_rate == 0
