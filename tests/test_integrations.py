"""The functions of the page on trackers and evaluation tools run with those that are installed."""

import importlib
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import sclite_kit as sk

ROOT = Path(__file__).resolve().parents[1]
DEMO = ROOT / "resources" / "demo"
SIDES = DEMO / "reference.stm", DEMO / "improved.ctm"
PAGE = (ROOT / "docs" / "integrations.md").read_text("utf-8")
EXAMPLES = dict(
    re.findall(r"^## ([^\n]*)\n.*?```python\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
)
REFERENCE = {"u1": "the cat sat", "u2": "on the mat", "u3": "so it did"}
HYPOTHESIS = {"u1": "The cat sat.", "u2": "On a mat", "u3": "so it did"}


def names_of(tool: str) -> SimpleNamespace:
    """What the code of the page defines."""
    names: dict[str, Any] = {}
    exec(EXAMPLES[tool], names)
    return SimpleNamespace(**names)


def is_report(path: Path) -> bool:
    return path.read_text("utf-8").startswith("<!doctype html>")


def test_functions_are_short() -> None:
    assert len(EXAMPLES) == 4
    for code in EXAMPLES.values():
        functions = re.split(r"^(?=def |@)", code, flags=re.MULTILINE)
        assert max(function.rstrip().count("\n") + 1 for function in functions) <= 20


def test_weights_and_biases(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wandb = pytest.importorskip("wandb")
    monkeypatch.setenv("WANDB_SILENT", "true")
    monkeypatch.setenv("WANDB_DATA_DIR", str(tmp_path))
    with wandb.init(project="asr", mode="offline", dir=str(tmp_path)) as run:
        rates = names_of("Weights & Biases").log_wer(run, *SIDES)
        logged = dict(run.summary)
    assert logged["wer"] == rates.error_rate == sk.wer(*SIDES).error_rate
    assert logged["wer/substitutions"] == rates.counts.substitutions
    panels = [
        path.read_text("utf-8") for path in tmp_path.glob("wandb/*/files/media/html/**/*.html")
    ]
    assert panels
    assert all("<!doctype html>" in panel for panel in panels)


def test_mlflow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mlflow = pytest.importorskip("mlflow")
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    mlflow.set_tracking_uri(tmp_path.as_uri())
    mlflow.set_experiment("asr")
    with mlflow.start_run() as run:
        rates = names_of("MLflow").log_wer(*SIDES)
    data = mlflow.MlflowClient().get_run(run.info.run_id).data
    assert data.metrics == {"wer": rates.error_rate, **rates.counts._asdict()}
    assert data.tags["wer.signature"] == rates.signature
    [folder] = tmp_path.glob("*/*/artifacts/wer")
    assert is_report(folder / "report.html")
    assert sk.load(folder / "wer.json.gz").counts == rates.counts


def test_inspect(tmp_path: Path) -> None:
    inspect_ai = pytest.importorskip("inspect_ai")
    from_model = importlib.import_module("inspect_ai.model").ModelOutput.from_content
    sample = importlib.import_module("inspect_ai.dataset").Sample

    async def solve(state: Any, _generate: Any) -> Any:
        state.output = from_model("recogniser", HYPOTHESIS[state.sample_id])
        return state

    recogniser = importlib.import_module("inspect_ai.solver").solver(name="recogniser")(
        lambda: solve
    )

    names = names_of("Inspect")
    samples = [sample(id=name, input=name, target=text) for name, text in REFERENCE.items()]
    task = inspect_ai.Task(
        dataset=samples, solver=recogniser(), scorer=names.wer(normalize="plain")
    )
    [log] = inspect_ai.eval(task, model="mockllm/model", log_dir=str(tmp_path), display="none")
    assert log.status == "success", log.error
    expected = sk.wer(REFERENCE, HYPOTHESIS, normalize="plain")
    [score] = log.results.scores
    assert score.metrics["corpus_wer"].value == expected.error_rate == 1 / 9
    assert [sample.scores["wer"].value for sample in log.samples] == [0, 1, 0]
    names.report(log, tmp_path / "report.html", normalize="plain")
    assert is_report(tmp_path / "report.html")


def test_lighteval(tmp_path: Path) -> None:
    requests = pytest.importorskip("lighteval.tasks.requests")
    response = importlib.import_module("lighteval.models.model_output").ModelResponse
    metric = names_of("lighteval").wer_metric(tmp_path / "report.html", normalize="plain")
    items = [
        metric.compute_sample(
            doc=requests.Doc(query=name, choices=[text], gold_index=0),
            model_response=response(text=[HYPOTHESIS[name]]),
        )["wer"]
        for name, text in REFERENCE.items()
    ]
    corpus = metric.get_corpus_aggregations()["wer"]
    assert corpus(items) == 1 / 9
    assert corpus(items[:1]) == 0.0  # a sample for the standard error
    whole = sk.wer(
        [*REFERENCE.values()], [*HYPOTHESIS.values()], keep_sources=True, normalize="plain"
    )
    sk.html_report(whole, tmp_path / "whole.html")
    assert (tmp_path / "report.html").read_bytes() == (tmp_path / "whole.html").read_bytes()
