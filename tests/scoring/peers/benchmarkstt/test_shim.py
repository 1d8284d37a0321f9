"""A package `benchmarkstt` that only re-exports: every name programs and tests of it import."""

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

# Modules of BenchmarkSTT, ours, and the names that are used of them; `a=b`: a is our b.
MODULES = """
cli
cli.entrypoints
api
api.entrypoints
cli.main main run argparser
cli.tools tools run argparser
cli.entrypoints.normalization tools argparser
diff diff Differ factory
diff.core diff RatcliffObershelp
diff.formatter diff ANSIDiffDialect DiffFormatter format_diff
input input Input
input.core input PlainText File
metrics metrics Metric factory
metrics.core metrics WER CER DiffCounts WordDiffs BEER OpcodeCounts
normalization normalization Normalizer NormalizerWithFileSupport NormalizationAggregate File
normalization normalization FileFactory factory
normalization.core normalization Replace ReplaceWords Regex Lowercase Unidecode Config
normalization.core normalization ConfigSectionNotFoundError
output output Output factory
schema schema Schema Item JSONEncoder SchemaError SchemaJSONError SchemaInvalidItemError
segmentation segmentation Segmenter
segmentation.core segmentation Simple
factory factory CoreFactory ClassConfig
helpers helpers make_printable
csv normalization UnclosedQuoteError
__meta__ . __version__=COMPATIBLE_VERSION
api.entrypoints.normalization callbacks callback=normalization
api.entrypoints.metrics callbacks callback=metrics
api.entrypoints.benchmark callbacks callback=benchmark
"""


def put_module(name: str) -> ModuleType:
    if name in sys.modules:
        return sys.modules[name]
    module = sys.modules[name] = ModuleType(name)
    module.__path__ = []
    parent, _, leaf = name.rpartition(".")
    if parent:
        setattr(sys.modules[parent], leaf, module)
    return module


@pytest.fixture(autouse=True)
def shim() -> Iterator[None]:
    before = set(sys.modules)
    put_module("benchmarkstt")
    for name, *rest in map(str.split, MODULES.strip().splitlines()):
        module = put_module(f"benchmarkstt.{name}")
        for alias, _, ours in (entry.partition("=") for entry in rest[1:]):
            home = importlib.import_module(f"scoring.peers.benchmarkstt.{rest[0]}".rstrip("."))
            setattr(module, alias, getattr(home, ours or alias))
    yield
    for name in set(sys.modules) - before:
        if name.partition(".")[0] == "benchmarkstt":
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
    with pytest.raises(of("csv.UnclosedQuoteError")):
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


def test_create_app(current_folder: Path) -> None:
    pytest.importorskip("starlette")
    from functools import partial

    from scoring.serve import create_app

    # Files of the working directory may be read, as in the original.
    module = put_module("benchmarkstt.cli.entrypoints.api")
    vars(module)["create_app"] = partial(create_app, root=str(current_folder))
    client = of("cli.entrypoints.api.create_app")().test_client()
    answer = client.post("/api", json={"jsonrpc": "2.0", "method": "version", "id": 1})
    assert (answer.status_code, json.loads(answer.data)["result"]) == (200, "1.1")
    outside = {"text": "a", "file": "/etc/hostname", "normalizer": "replace"}
    answer = client.post(
        "/api", json={"jsonrpc": "2.0", "method": "normalization.file", "params": outside, "id": 2}
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
