"""Errors of form alone, and functions of users as measures."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import ModuleType

import pytest

import scoring
from scoring.cli.scoring import main
from scoring.measures import forms
from scoring.model.errors import InputError


class Stemmer(ModuleType):
    """Stands for snowballstemmer: takes a final s off."""

    @staticmethod
    def algorithms() -> list[str]:
        return ["english"]

    @staticmethod
    def stemmer(language: str) -> Stemmer:
        if language != "english":
            raise KeyError(language)
        return Stemmer("stemmer")

    @staticmethod
    def stemWord(word: str) -> str:  # noqa: N802 -- as the package calls it
        return word.removesuffix("s")


@pytest.fixture(autouse=True)
def stemmer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "snowballstemmer", Stemmer("snowballstemmer"))
    forms._stemmer.cache_clear()


SIDES = "the Cats saw five 25 dogs run", "the cat saw 5 twenty-five frogs ran"


def test_inflections_and_numbers_are_counted() -> None:
    part = scoring.wer(*SIDES, measures=["forms"], measure_options={"stem": "English"})
    measured = part.measured["forms"]
    assert part.counts.errors == 5
    totals = measured.columns.totals()
    assert (totals["inflections"], totals["numbers"]) == (1, 2)
    assert measured["wer_stem"] == pytest.approx(4 / 7)
    assert measured["wer_number"] == pytest.approx(3 / 7)
    assert measured["inflection_share"] == pytest.approx(1 / 5)
    assert measured.signature == "forms(stem:english)"
    silent = scoring.wer("", "a", measures=["forms"], measure_options={"stem": "English"})
    assert silent.measured["forms"]["inflection_share"] == 0


def test_the_real_stemmer_is_called_the_same_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "snowballstemmer")
    pytest.importorskip("snowballstemmer")
    part = scoring.wer(
        "das Haus", "des Hauses", measures=["forms"], measure_options={"stem": "german"}
    )
    assert part.measured["forms"]["wer_stem"] == 0.5


def test_stemmers_that_are_not_there(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = [str(tmp_path / name) for name in ("ref.txt", "hyp.txt")]
    for path, text in zip(paths, SIDES, strict=True):
        Path(path).write_text(text + "\n")
    assert main(["wer", *paths, "--stem", "english"]) == 0
    assert "error rate without inflections %  57.14" in capsys.readouterr().out
    assert main(["wer", *paths, "--stem", "klingon"]) == 2
    assert "stem: expected one of english, found 'klingon'" in capsys.readouterr().err
    forms._stemmer.cache_clear()
    monkeypatch.setitem(sys.modules, "snowballstemmer", None)
    assert main(["wer", *paths, "--stem", "english"]) == 2
    assert "pip install snowballstemmer" in capsys.readouterr().err


FUNCTIONS = '''
"""Scores of my own."""

__version__ = "3"


def lengths(references, hypotheses):
    "How much longer an answer is."
    return [len(h) / len(r) if r else None for r, h in zip(references, hypotheses)]


def sides(references, hypotheses):
    return [{"a": len(r), "b": len(h), "weight": 1} for r, h in zip(references, hypotheses)]


def columns(references, hypotheses):
    return {"b": list(map(len, hypotheses)), "a": list(map(len, references)), "weight": [1, 1, 1]}


columns.figures = ("a", "b")


def broken(references, hypotheses):
    return [1 / len(text) for text in references]


def wrong(references, hypotheses):
    return ["much" for text in references]


def negative(references, hypotheses):
    return [{"score": 1, "weight": -1} for text in references]


def huge(references, hypotheses):
    return [1e300 for text in references]


def leaving(references, hypotheses):
    raise SystemExit(3)
'''


@pytest.fixture
def functions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "my_scores.py").write_text(FUNCTIONS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "my_scores", raising=False)
    (tmp_path / "ref.txt").write_text("a b (u1)\nlong (u2)\n (u3)\n")
    (tmp_path / "hyp.txt").write_text("a b (u1)\nlonglong (u2)\n (u3)\n")
    return tmp_path


def test_a_function_is_a_measure(functions: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = [str(functions / f"{side}.txt") for side in ("ref", "hyp")]
    formats = ["--reference-format", "trn", "--hypothesis-format", "trn"]
    record = str(functions / "result.json")
    names = ["my_scores:lengths", "my_scores:sides", "my_scores:columns"]
    flags = [f"--measure-function={name}" for name in names]
    table = functions / "table.csv"
    limit = ["--fail-measure", "my_scores:sides.b=4"]
    outputs = ["--json", record, "--csv", str(table)]
    assert main(["wer", *paths, *formats, *flags, *outputs, *limit]) == 0
    assert "my_scores:sides.b,my_scores:sides.b_weight" in table.read_text()
    text = capsys.readouterr().out
    assert "measure: my_scores:lengths@3" in text
    # one word of two and one: (2·1 + 1·2) / 3
    assert "1.3333" in text
    measures = json.loads(Path(record).read_text())["systems"][0]["measures"]
    for name in names[1:]:
        assert measures[name]["values"] == pytest.approx({"a": 7 / 3, "b": 11 / 3})
    assert scoring.cer(["a b"], ["a c"], measures=names[1:2]).measured[names[1]]["a"] == 3
    # a record of a function is read without the function
    sys.modules["my_scores"] = None  # type: ignore[assignment]
    loaded = scoring.load(record)
    assert loaded.measured["my_scores:sides"].values == measures["my_scores:sides"]["values"]
    assert list(loaded.measured) == names


@pytest.mark.parametrize(
    ("function", "problem"),
    [
        ("my_scores:broken", "utterance 'u3': ZeroDivisionError"),
        ("my_scores:wrong", "utterance 'u1': expected a number, found score='much'"),
        ("my_scores:negative", "utterance 'u1': expected a number, found weight=-1"),
        ("my_scores:huge", "huge: the numbers 'score' are too large"),
        ("my_scores:leaving", "utterance 'u1': SystemExit: 3"),
    ],
)
def test_errors_name_the_utterance(functions: Path, function: str, problem: str) -> None:
    sides = [scoring.File(functions / f"{side}.txt", format="trn") for side in ("ref", "hyp")]
    with pytest.raises(InputError, match=problem):
        scoring.wer(*sides, measures=[function])


def test_functions_that_are_not_there(functions: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (functions / "broken_module.py").write_text("raise RuntimeError('no model')")
    names = ["my_scores:none", "no_such_module:f", "my_scores:__version__", "broken_module:f", ":f"]
    for name in names:
        assert main(["wer", "ref.txt", "hyp.txt", "--measure-function", name]) == 2
        assert "--measure-function: expected" in capsys.readouterr().err
