"""A package `benchmarkstt` that only re-exports: every name programs and tests of it import."""

from __future__ import annotations

import importlib
import inspect
import json
import sys
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

# From modules of BenchmarkSTT to ours, and the names that are used of them.
MODULES = {
    "benchmarkstt": ("", ""),
    "benchmarkstt.cli": ("", ""),
    "benchmarkstt.cli.entrypoints": ("", ""),
    "benchmarkstt.api": ("", ""),
    "benchmarkstt.api.entrypoints": ("", ""),
    "csvlike": ("", ""),
    "benchmarkstt.cli.main": ("scoring.compat.benchmarkstt.main", "run argparser"),
    "benchmarkstt.cli.tools": ("scoring.compat.benchmarkstt.tools", "run argparser"),
    "benchmarkstt.cli.entrypoints.normalization": (
        "scoring.compat.benchmarkstt.tools",
        "argparser",
    ),
    "benchmarkstt.diff": (
        "scoring.compat.benchmarkstt.diff",
        "Differ factory",
    ),
    "benchmarkstt.diff.core": ("scoring.compat.benchmarkstt.diff", "RatcliffObershelp"),
    "benchmarkstt.diff.formatter": (
        "scoring.compat.benchmarkstt.diff",
        "ANSIDiffDialect DiffFormatter format_diff",
    ),
    "benchmarkstt.input": ("scoring.compat.benchmarkstt.input", "Input"),
    "benchmarkstt.input.core": ("scoring.compat.benchmarkstt.input", "PlainText File"),
    "benchmarkstt.metrics": ("scoring.compat.benchmarkstt.metrics", "Metric factory"),
    "benchmarkstt.metrics.core": (
        "scoring.compat.benchmarkstt.metrics",
        "WER CER DiffCounts WordDiffs BEER OpcodeCounts",
    ),
    "benchmarkstt.normalization": (
        "scoring.compat.benchmarkstt.normalization",
        "Normalizer NormalizerWithFileSupport NormalizationAggregate File FileFactory factory",
    ),
    "benchmarkstt.normalization.core": (
        "scoring.compat.benchmarkstt.normalization",
        "Replace ReplaceWords Regex Lowercase Unidecode Config ConfigSectionNotFoundError",
    ),
    "benchmarkstt.output": ("scoring.compat.benchmarkstt.output", "Output factory"),
    "benchmarkstt.schema": (
        "scoring.compat.benchmarkstt.schema",
        "Schema Item JSONEncoder SchemaError SchemaJSONError SchemaInvalidItemError",
    ),
    "benchmarkstt.segmentation": ("scoring.compat.benchmarkstt.segmentation", "Segmenter"),
    "benchmarkstt.segmentation.core": ("scoring.compat.benchmarkstt.segmentation", "Simple"),
    "benchmarkstt.factory": ("scoring.compat.benchmarkstt.factory", "CoreFactory ClassConfig"),
    "benchmarkstt.helpers": ("scoring.compat.benchmarkstt.helpers", "make_printable"),
    "csvlike.csv": ("scoring.compat.benchmarkstt.normalization", "UnclosedQuoteError"),
}
RENAMED = {
    ("benchmarkstt.__meta__", "__version__"): ("scoring.compat.benchmarkstt", "COMPATIBLE_VERSION"),
    ("benchmarkstt.api.entrypoints.normalization", "callback"): (
        "scoring.compat.benchmarkstt.callbacks",
        "normalization",
    ),
    ("benchmarkstt.api.entrypoints.metrics", "callback"): (
        "scoring.compat.benchmarkstt.callbacks",
        "metrics",
    ),
    ("benchmarkstt.api.entrypoints.benchmark", "callback"): (
        "scoring.compat.benchmarkstt.callbacks",
        "benchmark",
    ),
}


def put_module(name: str) -> ModuleType:
    module = sys.modules[name] = ModuleType(name)
    module.__path__ = []
    parent, _, leaf = name.rpartition(".")
    if parent:
        setattr(sys.modules[parent], leaf, module)
    return module


@pytest.fixture(autouse=True)
def shim() -> Iterator[None]:
    before = set(sys.modules)
    for name, (home, names) in MODULES.items():
        module = put_module(name)
        for one in names.split():
            setattr(module, one, getattr(importlib.import_module(home), one))
    for (name, alias), (home, one) in RENAMED.items():
        setattr(put_module(name), alias, getattr(importlib.import_module(home), one))
    yield
    for name in set(sys.modules) - before:
        if name.partition(".")[0] in ("benchmarkstt", "csvlike"):
            del sys.modules[name]


def of(path: str) -> Any:
    module, _, name = path.rpartition(".")
    return getattr(importlib.import_module(f"benchmarkstt.{module}"), name)


def test_version() -> None:
    assert of("__meta__.__version__") == "1.1"


def test_every_name_is_the_class_of_its_kind(tmp_path: Path) -> None:
    for base, path in (
        ("metrics.Metric", "metrics.core.WER"),
        ("diff.Differ", "diff.core.RatcliffObershelp"),
        ("normalization.Normalizer", "normalization.core.Lowercase"),
        ("normalization.NormalizerWithFileSupport", "normalization.core.Regex"),
        ("segmentation.Segmenter", "segmentation.core.Simple"),
        ("input.Input", "input.core.File"),
    ):
        assert issubclass(of(path), of(base))
    assert of("metrics.factory")["wer"] is of("metrics.core.WER")
    assert of("diff.factory")["RatcliffObershelp"] is of("diff.core.RatcliffObershelp")
    assert of("diff.formatter.format_diff")("a", "b", dialect="text") == "a\u0338b\u0359"
    assert of("helpers.make_printable")(" \t") == "·␉"
    config = of("normalization.core.Config")
    with pytest.raises(of("normalization.core.ConfigSectionNotFoundError")):
        config(StringIO(""))
    with pytest.raises(importlib.import_module("csvlike.csv").UnclosedQuoteError):
        config(StringIO('"'))
    assert all(type(entry) is of("factory.ClassConfig") for entry in of("normalization.factory"))
    files = of("normalization.FileFactory")(of("normalization.Normalizer"))
    assert isinstance(files, of("factory.CoreFactory"))
    schema, item = of("schema.Schema"), of("schema.Item")
    assert json.dumps(schema([item(a=1)]), cls=of("schema.JSONEncoder")) == '[{"a": 1}]'
    assert isinstance(of("output.factory").create("markdown"), of("output.Output"))


def test_callbacks() -> None:
    replace, wer = of("normalization.core.Replace"), of("metrics.core.WER")
    diff = 'a<span class="delete">b</span><span class="insert">c</span>'
    assert of("api.entrypoints.normalization.callback")(replace, "ab", True, "b", "c") == {
        "text": "ac",
        "logs": [{"title": None, "stack": ["Replace"], "diff": diff}],
    }
    assert of("api.entrypoints.metrics.callback")(wer, "a b", "a c") == 0.5
    assert of("api.entrypoints.benchmark.callback")(wer, "a b", "a c") == {"wer": 0.5}


def test_commands(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    sides = ["-r", "a b", "-rt", "argument", "-h", "A b", "-ht", "argument", "--wer"]
    for program, arguments in (
        ("cli.main.run", ["benchmarkstt", *sides, "--lowercase"]),
        ("cli.tools.run", ["benchmarkstt-tools", "metrics", *sides]),
    ):
        monkeypatch.setattr(sys, "argv", arguments)
        with pytest.raises(SystemExit) as caught:
            of(program)()
        assert caught.value.code == 0
    assert capsys.readouterr().out == "wer\n===\n\n0.000000\n\nwer\n===\n\n0.500000\n\n"
    assert of("cli.entrypoints.normalization.argparser")().prog == "benchmarkstt-tools"


def test_create_app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("starlette")
    from functools import partial

    from scoring.server import create_app

    monkeypatch.chdir(tmp_path)
    # Files of the working directory may be read, as in the original.
    module = put_module("benchmarkstt.cli.entrypoints.api")
    vars(module)["create_app"] = partial(create_app, root=str(tmp_path))
    client = of("cli.entrypoints.api.create_app")().test_client()
    answer = client.post("/api", json={"jsonrpc": "2.0", "method": "version", "id": 1})
    assert (answer.status_code, json.loads(answer.data)["result"]) == (200, "1.1")
    outside = {"text": "a", "file": "/etc/hostname", "normalizer": "replace"}
    answer = client.post(
        "/api",
        json={"jsonrpc": "2.0", "method": "normalization.file", "params": outside, "id": 2},
    )
    assert answer.status_code == 400
    assert "Access to unallowed file attempted" in json.loads(answer.data)["error"]["data"]


@pytest.mark.parametrize(
    "path",
    [
        "normalization.Normalizer._normalize", "metrics.Metric.compare", "diff.Differ.get_opcodes",
        "segmentation.Segmenter.__iter__", "input.Input.__iter__",
    ],
)  # fmt: skip
def test_methods_of_base_classes_are_not_implemented(path: str) -> None:
    base, _, method = path.rpartition(".")
    function = getattr(of(base), method)
    with pytest.raises(NotImplementedError):
        function(*[None] * len(inspect.signature(function).parameters))
