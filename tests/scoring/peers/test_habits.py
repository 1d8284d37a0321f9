"""What people from pytest, torchmetrics and evaluate are used to."""

import math
from configparser import ConfigParser
from pathlib import Path

import pytest

import scoring
from scoring.model.errors import NoReferenceError
from scoring.peers.metrics import CharErrorRate, WordErrorRate, load
from scoring.regression.assertions import check_wer
from tests.programs import python

ROOT = Path(__file__).resolve().parents[3]
PREDICTIONS = ["the cat sat", "", "hello big world"]
TARGETS = ["the cat sat down", "on a mat", "hello world"]


def test_no_reference_words_are_nan_for_those_who_ask() -> None:
    metric = load("wer", empty="nan")
    assert math.isnan(metric.compute(predictions=["a"], references=[""]))
    assert metric.compute(predictions=["a"], references=["a"], concatenate_texts=True) == 0
    with pytest.raises(NoReferenceError):
        load("wer").compute(predictions=["a"], references=[""])
    with pytest.raises(ValueError, match="expected 'error' or 'nan'"):
        load("wer", empty="none")  # type: ignore[arg-type]


def test_a_limit_that_is_kept_gives_the_result() -> None:
    assert check_wer("a b c d", "a b c x", below=0.26).counts.errors == 1
    with pytest.raises(scoring.NoReferenceError):
        check_wer("", "a", below=1)


def test_a_failure_shows_the_words() -> None:
    with pytest.raises(AssertionError) as caught:
        check_wer({"u1": "a b c d", "u2": "e"}, {"u1": "a b c x", "u2": "e"}, below=0.2)
    told = str(caught.value)
    assert told.startswith("expected an error rate below 20.00%, found 20.00%\nutterances ")
    assert "\nREF:  a b c d\nHYP:  a b c x\n" in told
    assert "u2" not in told
    with pytest.raises(TypeError):
        check_wer("a", "a", below=1, unti="char")  # type: ignore[call-arg]


def test_the_fixture_has_the_gates_of_compare() -> None:
    old, new = "a b c d e f g h i j", "a b c d e f g h x y"
    assert check_wer(old, old, baseline=new, fail_increase=["0pt", "5%"]) == 0
    with pytest.raises(AssertionError) as caught:
        check_wer(old, new, baseline=old, fail_increase="max(5pt, 5%)")
    message = "fail increase max(5pt, 5%): the new error rate of 20.00 % is above 5.00 %\n"
    assert str(caught.value).startswith(message)
    check_wer(old, new, baseline=old, fail_increase="5pt", fail_above="30", fail_when="all")
    with pytest.raises(AssertionError, match=r"speaker anne: 20\.00 % is above"):
        check_wer(
            {"anne-1": old},
            {"anne-1": new},
            baseline={"anne-1": old},
            speakers={"anne-1": "anne"},
            by=["speaker"],
            fail_group_increase="5pt",
            group_words=10,
        )
    for choices, words in (
        ({}, "expected a condition, such as below=0.12"),
        ({"fail_increase": "5%"}, "expected baseline="),
        ({"fail_increase": "5", "baseline": old}, "which of 5% and 5pt is meant"),
    ):
        with pytest.raises(ValueError, match=words):
            check_wer(old, new, **choices)  # type: ignore[arg-type]


def test_the_fixture_in_a_run_of_pytest(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(
        "def test_good(assert_wer):\n    assert assert_wer('a b', 'a b', below=0.1) < 0.1\n"
        "def test_bad(assert_wer):\n    assert_wer('a b', 'a c', below=0.1, unit='word')\n"
    )
    (tmp_path / "conftest.py").write_text('pytest_plugins = ["scoring.peers.pytest_plugin"]\n')
    done = python(
        "-m pytest -q -p no:cacheprovider",
        "--rootdir",
        ".",
        str(tmp_path),
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        text=True,
    )
    assert "1 failed, 1 passed" in done.stdout, done.stdout + done.stderr
    assert (
        "E       AssertionError: expected an error rate below 10.00%, found 50.00%" in done.stdout
    )


def test_pytest_loads_the_plugin_only_where_a_test_asks_for_it() -> None:
    configuration = ConfigParser()
    configuration.read(ROOT / "setup.cfg", "utf-8")
    assert "pytest11" not in configuration["options.entry_points"]


@pytest.mark.parametrize("options", [{}, {"profile": "sclite"}])
def test_batches_add_up(options: dict[str, str]) -> None:
    metric = WordErrorRate(**options)  # type: ignore[arg-type]
    for prediction, target in zip(PREDICTIONS, TARGETS, strict=True):
        metric.update(prediction, target)
    whole = scoring.wer(TARGETS, PREDICTIONS, **{"profile": "levenshtein", **options})  # type: ignore[call-overload]
    assert (metric.counts, metric.compute()) == (whole.counts, whole.error_rate)
    halves = [WordErrorRate(**options), WordErrorRate(**options)]  # type: ignore[arg-type]
    halves[0].update(PREDICTIONS[:1], TARGETS[:1])
    assert halves[1](PREDICTIONS[1:], TARGETS[1:]) == halves[1].compute()
    assert halves[0].counts + halves[1].counts == whole.counts
    metric.reset()
    metric.update([], [])
    with pytest.raises(scoring.NoReferenceError, match="update first"):
        metric.compute()


def test_a_call_gives_the_batch_and_counts_it() -> None:
    metric = WordErrorRate()
    assert metric("a b", "a c") == 0.5
    assert metric("a", "a") == 0.0
    assert metric.compute() == 1 / 3
    with pytest.raises(scoring.NoReferenceError):
        metric("x", "")
    assert metric.counts.insertions == 1


def test_unequal_batches_are_refused_and_not_counted() -> None:
    metric = WordErrorRate()
    with pytest.raises(ValueError, match="2"):
        metric.update(["a"], ["a", "b"])
    assert metric.counts == scoring.Counts()


def test_what_evaluate_computes_is_forgotten() -> None:
    metric = load("wer")
    whole = scoring.wer(TARGETS, PREDICTIONS, profile="levenshtein").error_rate
    assert metric.compute(predictions=PREDICTIONS, references=TARGETS) == whole
    metric.add_batch(predictions=PREDICTIONS[:2], references=TARGETS[:2])
    assert metric.compute(predictions=PREDICTIONS[2:], references=TARGETS[2:]) == whole
    for prediction, target in zip(PREDICTIONS, TARGETS, strict=True):
        metric.add(prediction=prediction, reference=target)
    assert metric.compute() == whole
    with pytest.raises(scoring.NoReferenceError, match="update first"):
        metric.compute()
    together = metric.compute(
        predictions=["a b", "c"], references=["a", "c"], concatenate_texts=True
    )
    assert together == 0.5
    metric.add(prediction="a", reference="a")
    with pytest.raises(ValueError, match="1"):
        metric.compute(predictions=["a"], references=[])
    assert metric.compute() == 0.0
    assert load("cer").compute(predictions=["the hat"], references=["the cat"]) == 1 / 7
    with pytest.raises(ValueError, match="expected wer, cer, mer, found 'bleu'"):
        load("bleu")  # type: ignore[arg-type]


def test_characters() -> None:
    metric = CharErrorRate(ignore_case=True)
    metric.update(["The hat"], ["the cat"])
    assert metric.compute() == 1 / 7
    assert CharErrorRate(options=scoring.Options(unit="grapheme")).options.unit == "grapheme"


def test_evaluates_match_error_rate() -> None:
    metric = load("mer")
    rate = metric.compute(predictions=["a b c d", "x"], references=["a c d e f", "x"])
    assert rate == scoring.wer(["a c d e f", "x"], ["a b c d", "x"], like="jiwer").match_error_rate
    with pytest.raises(ValueError, match="expected wer, cer, mer, found 'bleu'"):
        load("bleu")  # type: ignore[arg-type]
    with pytest.raises(scoring.NoReferenceError):
        metric.compute(predictions=["a"], references=[""])
