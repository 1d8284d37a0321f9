"""Confidences: cases of scikit-learn, NeMo, torchmetrics, netcal and scipy, and invalid values."""

import json
import math
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import scoring
from scoring.cli.scoring import main
from scoring.drawing.blocks import Note
from scoring.measures import measure
from scoring.measures.calibration import bins_of, reliability
from scoring.measures.ranking import best_risk, risks
from scoring.results.measured import MeasuredValues
from scoring.score.rates import ErrorRates
from tests.each_case import each_case
from tests.scoring.measures.golden import cases


def scored(folder: Path, correct: Sequence[int], confidence: Sequence[float | None]) -> ErrorRates:
    """Words with these confidences, two in each utterance; the wrong ones are substituted."""
    paths = [folder / "reference.jsonl", folder / "hypothesis.jsonl"]
    for side, path in enumerate(paths):
        lines = []
        for row in range(0, len(correct), 2):
            numbers = range(row, min(row + 2, len(correct)))
            words = [f"w{n}" if side or correct[n] else f"x{n}" for n in numbers]
            items = [
                [word, row + n, 0.5, *([] if confidence[n] is None else [confidence[n]])]
                for word, n in zip(words, numbers, strict=True)
            ]
            line = {"id": f"u{row}", "recording_id": "r", "start": row, "duration": 9, "channel": 0}
            line |= {"text": " ".join(words), "alignment": {"word": items}}
            lines.append(json.dumps(line) + "\n")
        path.write_text("".join(lines))
    rates: ErrorRates = scoring.wer(*paths, keep_sources=True)
    assert [rates.counts.correct, rates.counts.errors] == [
        sum(correct),
        len(correct) - sum(correct),
    ]
    return rates


def values(folder: Path, given: dict[str, Any]) -> dict[str, Any]:
    rates = scored(folder, given["correct"], given["confidence"])
    calibration = measure(rates, "calibration", {"mce-min": 1})  # as torchmetrics
    return {**calibration.values, **measure(rates, "confidence-order").values}


EQUAL = {
    "brier": "sklearn.brier_score_loss",
    "auc": "sklearn.roc_auc_score",
    "auc_pr": "sklearn.average_precision_score",
    "auc_nt": "nemo.auc_nt",
    "nce": "nist.nce (formula of sclite-reports.md 326, doubles)",
    "ece10": "torchmetrics.BinaryCalibrationError(n_bins=10,norm=l1)",
    "ece15": "torchmetrics.BinaryCalibrationError(n_bins=15,norm=l1)",
    "mce10": "torchmetrics.BinaryCalibrationError(n_bins=10,norm=max)",
}


@each_case(("name", "given", "expected"), cases("confidence"))
def test_cases(name: str, given: Any, expected: Any, tmp_path: Path) -> None:
    ours = values(tmp_path, given)
    c, y = given["confidence"], given["correct"]
    on_border = any(abs(n * x - round(n * x)) < 1e-6 for x in c for n in (10, 15))
    one_class = len(set(y)) == 1
    for key, call in EQUAL.items():
        theirs = expected[call]
        if one_class and key in ("auc", "nce", "auc_nt"):
            # no number: the tools give 0, 0.5, infinity or an error
            assert ours[key] is None or (key == "auc_nt" and not any(y))
            continue
        if key.startswith(("ece", "mce")) and on_border and name not in ("ten-words",):
            continue  # torchmetrics has borders of single precision, and a bin for 1
        assert ours[key] == pytest.approx(theirs, abs=1e-7), key
    clipped = [min(max(x, 1e-7), 1 - 1e-7) for x in c]
    losses = [-math.log(x if right else 1 - x) for x, right in zip(clipped, y, strict=True)]
    assert ours["log_loss"] == pytest.approx(sum(losses) / len(losses), rel=1e-12)


@pytest.mark.parametrize(("name", "given", "expected"), cases("confidence-temperature"))
def test_temperature(name: str, given: Any, expected: Any, tmp_path: Path) -> None:
    ours = values(tmp_path, given)["temperature"]
    assert math.log(ours) == pytest.approx(math.log(expected["temperature"]), abs=2e-5)


@each_case(("name", "given", "expected"), cases("own-definitions", "risk-coverage/"))
def test_risk_and_coverage(name: str, given: Any, expected: Any, tmp_path: Path) -> None:
    ours = values(tmp_path, given)
    assert ours["aurc"] == pytest.approx(expected["aurc"], rel=1e-12)
    assert ours["aurc_excess"] == pytest.approx(expected["excess"], abs=1e-12)
    y = np.array(given["correct"], bool)
    c = np.array(given["confidence"])
    order = np.lexsort((y, c))
    assert risks(c[order], y[order]).tolist() == pytest.approx(expected["risk"])
    assert best_risk(int((~y).sum()), len(y)) == pytest.approx(expected["best_possible"])


def plain(correct: Sequence[int], confidence: Sequence[float]) -> MeasuredValues:
    """Some of the numbers, computed pair by pair and border by border."""
    pairs = list(zip(confidence, correct, strict=True))
    right = [c for c, y in pairs if y]
    wrong = [c for c, y in pairs if not y]
    better = sum((a > b) + (a == b) / 2 for a in right for b in wrong)
    gaps = []
    for k in range(10):
        inside = [(c, y) for c, y in pairs if k / 10 <= c and (c < (k + 1) / 10 or k == 9)]
        gaps.append(abs(sum(c for c, _ in inside) - sum(y for _, y in inside)))
    return {
        "auc": better / (len(right) * len(wrong)) if right and wrong else None,
        "brier": sum((c - y) ** 2 for c, y in pairs) / len(pairs),
        "ece10": sum(gaps) / len(pairs),
    }


def test_random_words_against_plain_computations(tmp_path: Path) -> None:
    draw = random.Random(8)
    for _ in range(12):
        number = draw.randrange(1, 40)
        correct = [int(draw.random() < 0.7) for _ in range(number)]
        confidence = [draw.randrange(21) / 20 for _ in range(number)]
        ours = values(tmp_path, {"correct": correct, "confidence": confidence})
        for key, value in plain(correct, confidence).items():
            assert ours[key] == (None if value is None else pytest.approx(value, abs=1e-12)), key


def test_borders_and_words_without_confidence(tmp_path: Path) -> None:
    rates = scored(tmp_path, [1, 1, 0, 1], [0.6, 0.7, 1.0, None])
    totals = measure(rates, "calibration").columns.totals()
    assert [place for place, *_ in bins_of(totals, 10)] == [6, 7, 9]
    assert (totals["words"], totals["unknown"]) == (3, 1)
    assert list(reliability(totals))[-1] == Note("without confidence, not counted: 1")


def test_confidences_of_utterances(tmp_path: Path) -> None:
    """An utterance counts with its segment; one of several segments has no confidence."""
    texts = {"u1": [("a b", 0.9)], "u2": [("a c", 0.6)], "u3": [("a", 0.5), ("b", 0.5)]}
    (tmp_path / "answers").mkdir()
    for name, parts in texts.items():
        answers = [
            {"alternatives": [{"transcript": text, "confidence": sure}]} for text, sure in parts
        ]
        (tmp_path / f"answers/{name}.json").write_text(json.dumps({"results": answers}))
    (tmp_path / "said.txt").write_text("".join(f"{name} a b\n" for name in texts))
    rates = scoring.wer(tmp_path / "said.txt", tmp_path / "answers", keep_sources=True)
    part = measure(rates, "calibration", {"confidence-unit": "utterance"})
    totals = part.columns.totals()
    assert [totals[name] for name in ("words", "right", "unknown")] == [2, 1, 1]
    assert part["brier"] == pytest.approx((0.1**2 + 0.6**2) / 2)
    assert part["mce10"] is None
    with pytest.raises(scoring.ScoringError, match="confidences of the hypothesis, found"):
        measure(rates, "calibration")


def test_other_numbers_of_bins(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Records, shards and groups without words have them; results of other bins do not compare."""
    rates = scored(tmp_path, [1, 0, 1, 1, 0], [0.31, 0.34, 0.38, 0.9, 1])
    names, paths = (
        ["calibration", "confidence-order"],
        [rates.reference.path, rates.hypothesis.path],
    )
    flags = ["--measures", ",".join(names), "--measure-option", "ece-bins=20,4"]
    files = [str(tmp_path / f"{number}.json") for number in range(4)]
    for number, file in enumerate(files[:3], 1):
        assert main(["wer", *paths, *flags, "--shard", f"{number}/3", "--shard-output", file]) == 0
    limits = [f"--fail-measure=calibration.{limit}" for limit in ("ece20=0.61", "ece4=0.38")]
    assert main(["merge", *files[:3], "--json", files[3], *limits]) == 0
    whole = scoring.load(files[3])
    ours = {
        name: number for part in whole.measured.values() for name, number in part.values.items()
    }
    assert ours["ece20"] == pytest.approx((0.35 + 0.62 + 0.1 + 1) / 5)
    assert ours["ece4"] == pytest.approx((2 - 1.03 + 0.9) / 5)
    assert ours["ece4_mass"] == pytest.approx((0.69 + 0.34 + 0.62 + 0.9) / 5)
    assert whole.measured["calibration"].select([])["ece20"] is None
    scoring.wer(*map(Path, paths), measures=names).save(files[0])
    capsys.readouterr()
    assert main(["compare", files[3], files[0]]) == 2
    problem = "expected the measure calibration(ece-bins:(4, 20)) of "
    assert problem in capsys.readouterr().err
    for wrong in ("0", "101", "x", ""):
        with pytest.raises(ValueError, match="ece-bins: expected a whole number from 1 to 100"):
            measure(rates, "calibration", {"ece-bins": wrong})


def test_invalid_and_missing_confidences(tmp_path: Path) -> None:
    rates = scored(tmp_path, [1, 1], [0.5, -0.25])
    advice = r"from 0 to 1, found -0\.25 for 'w1' in 'u0' \(--measure-option confidence-log=yes"
    with pytest.raises(scoring.ScoringError, match=advice):
        measure(rates, "calibration")
    with pytest.raises(scoring.ScoringError, match=r"logarithms of confidences, found 0\.5 of"):
        measure(rates, "calibration", {"confidence-log": True})
    with pytest.raises(scoring.ScoringError, match=r"found 1\.9 of 'w0' in 'u0'$"):
        measure(scored(tmp_path, [1], [1.9]), "calibration")
    logs = measure(
        scored(tmp_path, [1, 1], [-0.1, -0.25]), "calibration", {"confidence-log": "yes"}
    )
    assert logs["brier"] == pytest.approx(
        ((1 - math.exp(-0.1)) ** 2 + (1 - math.exp(-0.25)) ** 2) / 2
    )
    with pytest.raises(scoring.ScoringError, match="expected confidences of the hypothesis"):
        measure(scoring.wer("a b", "a b"), "calibration")
    with pytest.raises(ValueError, match="confidence-log: expected yes or no, found 'maybe'"):
        measure(rates, "calibration", {"confidence-log": "maybe"})


def test_a_word_that_became_two_counts_once(tmp_path: Path) -> None:
    rates = scored(tmp_path, [1, 1], [0.9, 0.2])
    paths = [Path(rates.reference.path), Path(rates.hypothesis.path)]
    for path in paths:
        path.write_text(path.read_text().replace("w0", "twenty-one"))
    text = scoring.wer(
        *paths, normalize=lambda text: text.replace("-", " "), measures=["calibration"]
    )
    totals = text.measured["calibration"].columns.totals()
    assert (totals["words"], totals["right"]) == (2, 2)


def test_a_chosen_alternative_has_the_confidence_of_its_word(tmp_path: Path) -> None:
    (tmp_path / "r.stm").write_text("r 1 a 0 2 do not go\n")
    (tmp_path / "h.ctm").write_text("r 1 0 1 don't 0.9\nr 1 1 1 go 0.5\n")
    sides = tmp_path / "r.stm", tmp_path / "h.ctm"
    rates = scoring.wer(*sides, normalize=["contractions"], measures=["calibration"])
    assert rates.counts.errors == 0
    totals = rates.measured["calibration"].columns.totals()
    assert (totals["words"], totals["right"], totals["unknown"]) == (2, 2, 0)
