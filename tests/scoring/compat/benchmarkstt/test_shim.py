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


def test_metrics() -> None:
    text = of("input.core.PlainText")
    wer = of("metrics.core.WER")
    modes = wer.MODE_STRICT, wer.MODE_HUNT, wer.MODE_LEVENSHTEIN
    sides = text("aa bb cc dd"), text("aa aa bb cc dd dd")
    assert [wer(mode=mode).compare(*sides) for mode in modes] == [0.5, 0.25, 0.5]
    assert of("metrics.core.CER")().compare(text("ab"), text("ac")) == 0.5
    counts = of("metrics.core.DiffCounts")().compare(*sides)
    assert counts == of("metrics.core.OpcodeCounts")(4, 0, 2, 0)
    beer = of("metrics.core.BEER")()
    beer.set_entities(["aa"])
    beer.set_weight([1])
    assert beer.compare(*sides)["w_av_beer"] == {"beer": 1.0, "occurrence_ref": 1}
    assert of("metrics.factory")["wer"] is wer
    assert issubclass(wer, of("metrics.Metric"))
    differences = of("metrics.core.WordDiffs")("html").compare(text("a"), text("a"))
    assert differences == " a"


def test_differences() -> None:
    formatter = of("diff.formatter.DiffFormatter")
    key = of("diff.formatter.ANSIDiffDialect")().color_key
    assert formatter("ansi").diff("a", "a") == key + "a"
    assert of("diff.formatter.format_diff")("a", "b", dialect="text") == "a\u0338b\u0359"
    differ = of("diff.core.RatcliffObershelp")
    assert issubclass(differ, of("diff.Differ"))
    assert of("diff.factory")["RatcliffObershelp"] is differ
    assert of("helpers.make_printable")(" \t") == "·␉"


def test_normalization(tmp_path: Path) -> None:
    rules = tmp_path / "rules.csv"
    rules.write_text("a,b\n")
    aggregate = of("normalization.NormalizationAggregate")()
    for name in ("Lowercase", "Unidecode"):
        aggregate.add(of(f"normalization.core.{name}")())
    for name in ("Replace", "ReplaceWords", "Regex"):
        aggregate.add(of(f"normalization.core.{name}")("x", "a"))
    aggregate.add(of("normalization.File")(of("normalization.core.Replace"), str(rules)))
    assert aggregate.normalize("X Ä") == "b b"
    config = of("normalization.core.Config")
    assert config(StringIO("lowercase"), section=config.MAIN_SECTION).normalize("A") == "a"
    assert config._default_section == "normalization"
    with pytest.raises(of("normalization.core.ConfigSectionNotFoundError")):
        config(StringIO(""))
    with pytest.raises(importlib.import_module("csvlike.csv").UnclosedQuoteError):
        config(StringIO('"'))
    factory = of("normalization.factory")
    assert factory.is_valid(of("normalization.Normalizer"))
    assert all(type(one) is of("factory.ClassConfig") for one in factory)
    assert issubclass(of("normalization.core.Regex"), of("normalization.NormalizerWithFileSupport"))
    files = of("normalization.FileFactory")(of("normalization.Normalizer"))
    assert isinstance(files, of("factory.CoreFactory"))


def test_schema_segmentation_and_output(capsys: pytest.CaptureFixture[str]) -> None:
    schema, item = of("schema.Schema"), of("schema.Item")
    assert schema.loads('[{"a": 1}]') == schema([item(a=1)])
    assert json.dumps(schema([item(a=1)]), cls=of("schema.JSONEncoder")) == '[{"a": 1}]'
    with pytest.raises(of("schema.SchemaJSONError")):
        schema.loads("3")
    with pytest.raises(of("schema.SchemaInvalidItemError")):
        schema.loads("[3]")
    with pytest.raises(of("schema.SchemaError")):
        schema().append(3)
    simple = of("segmentation.core.Simple")
    assert issubclass(simple, of("segmentation.Segmenter"))
    assert issubclass(of("input.core.File"), of("input.Input"))
    assert list(simple("a")) == [{"item": "a", "type": "word", "@raw": "a"}]
    with of("output.factory").create("markdown") as printer:
        printer.result("a", 1)
    assert isinstance(printer, of("output.Output"))
    assert capsys.readouterr().out == "# a\n\n1\n\n"


def test_callbacks() -> None:
    replace = of("normalization.core.Replace")
    assert of("api.entrypoints.normalization.callback")(replace, "ab", True, "b", "c") == {
        "text": "ac",
        "logs": [
            {
                "title": None,
                "stack": ["Replace"],
                "diff": 'a<span class="delete">b</span><span class="insert">c</span>',
            }
        ],
    }
    wer = of("metrics.core.WER")
    assert of("api.entrypoints.metrics.callback")(wer, "a b", "a c") == 0.5
    assert of("api.entrypoints.benchmark.callback")(wer, "a b", "a c") == {"wer": 0.5}


def test_commands(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    class Shout(of("normalization.Normalizer")):  # type: ignore[misc]
        def _normalize(self, text: str) -> str:
            return text.upper()

    factory = of("normalization.factory")
    factory.register(Shout)
    given = ["-r", "a b", "-rt", "argument", "-h", "A b", "-ht", "argument", "--wer"]
    try:
        for program, arguments in (
            ("cli.main.run", ["benchmarkstt", *given, "--shout"]),
            ("cli.tools.run", ["benchmarkstt-tools", "metrics", *given]),
        ):
            monkeypatch.setattr(sys, "argv", arguments)
            with pytest.raises(SystemExit) as caught:
                of(program)()
            assert caught.value.code == 0
    finally:
        del factory[Shout]
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
        "normalization.Normalizer._normalize",
        "metrics.Metric.compare",
        "diff.Differ.get_opcodes",
        "segmentation.Segmenter.__iter__",
        "input.Input.__iter__",
    ],
)
def test_methods_of_base_classes_are_not_implemented(path: str) -> None:
    base, _, method = path.rpartition(".")
    function = getattr(of(base), method)
    with pytest.raises(NotImplementedError):
        function(*[None] * len(inspect.signature(function).parameters))
