"""The metric for ESPnet3's evaluator: files and lists, rates, translation, the full result."""

import json
import sys
from abc import ABC, abstractmethod
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import pytest

import scoring
from formats import FormatError
from scoring.model.errors import ScoringError
from scoring.peers.espnet3 import Scores

REFERENCES = {"u1": "The cat sat.", "u2": "We left at noon."}
HYPOTHESES = {"u1": "the cat sat.", "u2": "We left noon."}


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    paths = {}
    for name, side in (("ref", REFERENCES), ("hyp", HYPOTHESES)):
        paths[name] = tmp_path / f"{name}.scp"
        paths[name].write_text("".join(f"{key} {text}\n" for key, text in side.items()))
    return paths


def test_files_and_lists_have_the_same_numbers(files: dict[str, Path], tmp_path: Path) -> None:
    lists = {"ref": list(REFERENCES.values()), "hyp": list(HYPOTHESES.values())}
    expected = scoring.wer(REFERENCES, HYPOTHESES)
    characters = scoring.cer(REFERENCES, HYPOTHESES)
    for data in (files, lists):
        found = Scores()(data, "test", None)
        assert found == {
            "wer": 100 * expected.error_rate,
            "cer": 100 * characters.error_rate,
            "ser": 100.0,
        }
    assert Scores(normalize="lowercase")(files, "test", None)["wer"] == pytest.approx(100 / 7)
    assert not (tmp_path / "test").exists()


def test_the_full_result_is_written(files: dict[str, Path], tmp_path: Path) -> None:
    numbers = Scores()(files, "test-other", tmp_path / "exp")
    document = json.loads((tmp_path / "exp/test-other/sclite_kit.json").read_text("utf-8"))
    [system] = document["systems"]
    assert 100 * system["measures"]["characters"]["values"]["cer"] == numbers["cer"]


def test_batches_of_several_processes_add_up(files: dict[str, Path]) -> None:
    metric = Scores()
    states = []
    for key in REFERENCES:
        metric.reset()
        metric.update(ref=[REFERENCES[key]], hyp=[HYPOTHESES[key]])
        states.append(metric.state())
    metric.load_state(metric.merge_states(states))
    assert metric.compute() == metric(files, "test", None)


def test_translation_is_that_of_sacrebleu(files: dict[str, Path]) -> None:
    metrics = pytest.importorskip("sacrebleu.metrics")
    metric = Scores("text_ref", "text", translation=True)
    assert metric.input_sources() == {"ref": "text_ref", "hyp": "text"}
    found = metric({"text_ref": files["ref"], "text": files["hyp"]}, "test", None)
    sides = list(HYPOTHESES.values()), [list(REFERENCES.values())]
    assert found["bleu"] == metrics.BLEU().corpus_score(*sides).score
    assert found["chrf"] == metrics.CHRF().corpus_score(*sides).score
    assert found["ter"] == metrics.TER().corpus_score(*sides).score


def test_it_is_a_metric_of_an_installed_espnet(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its evaluator takes instances of its own class only, and asks for its own fields."""
    assert [field.kind for field in Scores().outputs] == ["number"] * 3

    class Field(NamedTuple):
        name: str
        kind: str
        label: str = ""

    class BaseMetric(ABC):
        @abstractmethod
        def __call__(self) -> None: ...

    inference, base = "espnet3.contract", "espnet3.components.metrics.base_metric"
    packages = ("espnet3", "espnet3.components", "espnet3.components.metrics")
    modules: dict[str, Any] = {name: ModuleType(name) for name in (*packages, inference, base)}
    for name in packages:
        modules[name].__path__ = []
    modules[inference].Field, modules[base].BaseMetric = Field, BaseMetric
    for name, module in modules.items():
        monkeypatch.setitem(sys.modules, name, module)
    metric = Scores()
    assert metric.inputs == (Field("ref", "text"), Field("hyp", "text"))
    assert isinstance(metric, BaseMetric)


def test_wrong_inputs_are_errors(files: dict[str, Path], tmp_path: Path) -> None:
    with pytest.raises(KeyError, match="hyp"):
        Scores()({"ref": files["ref"]}, "test", None)
    with pytest.raises(TypeError, match="no_option"):
        Scores(no_option=1)
    with pytest.raises(FormatError, match=r"none\.scp: expected a readable file"):
        Scores()({"ref": files["ref"], "hyp": tmp_path / "none.scp"}, "test", tmp_path)
    with pytest.raises(ScoringError):
        Scores()({"ref": ["a", "b"], "hyp": ["a"]}, "test", tmp_path)
    assert not (tmp_path / "test").exists()
