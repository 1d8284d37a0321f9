"""The remote methods as functions: results, logs, errors, and which files they may read."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from scoring.peers.benchmarkstt import callbacks
from scoring.peers.benchmarkstt.file_access import (
    SecurityError,
    is_safe_path,
    read_text,
    restricted,
)
from scoring.serve.benchmarkstt import call, methods
from scoring.serve.errors import InvalidParamsError, MethodError, MethodNotFoundError
from tests.each_case import each_case
from tests.tables import table_of

TEXTS = {"ref": "Hello darkness my OLD friend", "hyp": "Hello darkness my old foe"}
CONFIG = "[normalization]\n# lower case only\nLowercase"
CHANGED = '<span class="delete"> OLD friend</span><span class="insert"> old foe</span>'
FOUND = {"beer": 0.0, "occurrence_ref": 1}
NORMALIZERS = ["config", "file", "lowercase", "regex", "replace", "replacewords", "unidecode"]
METRICS = ["beer", "cer", "diffcounts", "wer", "worddiffs"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    inside = tmp_path / "data"
    inside.mkdir()
    monkeypatch.chdir(inside)
    (inside / "rules.csv").write_text("a b,c\n")
    (inside / "good.conf").write_text("[normalization]\nreplace rules.csv\n[up]\nreplace up.csv\n")
    (inside / "bad.conf").write_text('[normalization]\nreplace "rules.csv\n')
    (inside / "entities.json").write_text('{"darkness": 1}')
    (tmp_path / "data-evil").mkdir()
    (tmp_path / "data-evil" / "rules.csv").write_text("a,b\n")
    (inside / "link.csv").symlink_to(tmp_path / "data-evil" / "rules.csv")
    return inside


def refused(name: str, params: Any = ()) -> MethodError:
    with pytest.raises(MethodError) as caught:
        call(name, params)
    return caught.value


def test_all_methods_in_order() -> None:
    expected = ["version", "list.normalization", *(f"normalization.{note}" for note in NORMALIZERS)]
    expected += ["list.metrics", *(f"metrics.{note}" for note in METRICS)]
    expected += ["list.benchmark", *(f"benchmark.{note}" for note in METRICS), "help"]
    assert list(methods()) == expected
    described = call("help")
    assert list(described) == expected
    assert all(described.values())


def test_version_and_lists() -> None:
    assert call("version") == "1.1"
    assert list(call("list.normalization")) == NORMALIZERS
    assert list(call("list.metrics")) == list(call("list.benchmark")) == METRICS
    assert call("list.metrics", {})["wer"].startswith("Word error rate")


@pytest.mark.parametrize(("name", "params", "text"), table_of(__file__, "normalization"))
def test_normalization(name: str, params: Mapping[str, Any], text: str) -> None:
    assert call(f"normalization.{name}", params) == {"text": text}


def test_normalization_with_logs() -> None:
    params = {"text": "Nudge nudge!", "search": "nudge", "replace": "wink", "return_logs": True}
    insert, delete = '<span class="insert">', '<span class="delete">'
    assert call("normalization.replace", params) == {
        "text": "Nudge wink!",
        "logs": [
            {
                "title": None,
                "stack": ["Replace"],
                "diff": f"Nudge {insert}wi</span>n{delete}udge</span>{insert}k</span>!",
            }
        ],
    }
    assert call("normalization.lowercase", {"text": "a", "return_logs": "on"})["logs"] == []
    assert "logs" not in call("normalization.lowercase", {"text": "A", "return_logs": False})


@pytest.mark.parametrize(
    ("name", "options", "value"),
    [
        ("wer", {}, 0.4),
        ("wer", {"mode": "hunt"}, 0.4),
        ("cer", {}, 0.2916666666666666),
        ("diffcounts", {}, {"equal": 3, "replace": 2, "insert": 0, "delete": 0}),
        ("worddiffs", {"dialect": "html"}, f" Hello darkness my{CHANGED}"),
        ("beer", {"entities_file": "entities.json"}, {"darkness": FOUND, "w_av_beer": FOUND}),
        ("beer", {}, {"Error": "Missing .json input file"}),
    ],
)
def test_metrics_and_benchmark(name: str, options: Mapping[str, Any], value: Any) -> None:
    if name == "cer":
        value = pytest.approx(value)
    assert call(f"metrics.{name}", {**TEXTS, **options}) == value
    assert call(f"benchmark.{name}", {**TEXTS, **options}) == {name: value}
    assert call(f"benchmark.{name}", {**TEXTS, **options, "config": " \n"}) == {name: value}


def test_benchmark_with_config_and_logs() -> None:
    result = call("benchmark.wer", {**TEXTS, "config": CONFIG, "return_logs": "on"})
    assert result["wer"] == 0.2
    reference = (
        '<span class="delete">H</span><span class="insert">h</span>ello darkness my '
        '<span class="delete">OLD</span><span class="insert">old</span> friend'
    )
    hypothesis = (
        '<span class="delete">H</span><span class="insert">h</span>ello darkness my old foe'
    )
    stack = ["Config", "[normalization]", "Lowercase"]
    assert result["logs"] == [
        {"title": title, "stack": stack[:length], "diff": difference}
        for title, difference in (("Reference", reference), ("Hypothesis", hypothesis))
        for length in (3, 2, 1)
    ]
    counted = call("benchmark.diffcounts", {**TEXTS, "config": CONFIG})
    assert counted == {"diffcounts": {"equal": 4, "replace": 1, "insert": 0, "delete": 0}}


def test_parameters_in_order() -> None:
    assert call("metrics.wer", ["a b", "a c"]) == 0.5
    assert call("metrics.wer", ["a b", "a", "hunt"]) == 0.25
    assert call("normalization.replace", ["Nudge", "dge", "x"]) == {"text": "Nux"}
    assert call("normalization.lowercase", ["A", True])["logs"]
    assert call("benchmark.wer", ["A", "a", None, None, CONFIG]) == {"wer": 0.0}


def test_unknown_methods() -> None:
    error = refused("metrics.nope")
    assert isinstance(error, MethodNotFoundError)
    assert error.status == 404
    assert error.as_error() == {
        "code": -32601,
        "message": "Method not found",
        "data": "metrics.nope",
    }


@pytest.mark.parametrize(
    ("name", "params", "data"),
    [
        ("metrics.wer", {"ref": "a"}, "missing a required argument: 'hyp'"),
        ("metrics.wer", {**TEXTS, "bogus": 1}, "got an unexpected keyword argument 'bogus'"),
        ("metrics.wer", ["a"] * 5, "too many positional arguments"),
        ("version", [1], "too many positional arguments"),
        ("help", {"a": 1}, "got an unexpected keyword argument 'a'"),
        ("normalization.replace", {"text": "a", "search": "a"}, "missing a required argument: 're"),
        ("metrics.wer", {"ref": 1, "hyp": ""}, "expected a text, found a number"),
        ("metrics.wer", {"ref": None, "hyp": ""}, "expected a text, found null"),
        ("normalization.config", {"text": "a", "file": 3}, "expected a text, found a number"),
    ],
)
def test_parameters_that_do_not_fit(name: str, params: Any, data: str) -> None:
    error = refused(name, params)
    assert isinstance(error, InvalidParamsError)
    assert (error.code, error.message, error.status) == (-32602, "Invalid parameters", 400)
    message = error.data["message"] if isinstance(error.data, dict) else error.data
    assert message.startswith(data)


def test_another_directory(tmp_path: Path) -> None:
    params = {"text": "a", "normalizer": "replace", "file": str(tmp_path / "data-evil/rules.csv")}
    assert call("normalization.file", params, root=tmp_path) == {"text": "b"}


def test_a_config_that_is_no_csv() -> None:
    for name, params in (
        ("normalization.config", {"text": "a", "file": "bad.conf"}),
        ("benchmark.wer", {**TEXTS, "config": '[normalization]\nreplace "rules.csv\n'}),
    ):
        error = refused(name, params)
        assert isinstance(error, InvalidParamsError)
        data = json.loads(error.data or "")
        assert {key: data[key] for key in ("line", "char", "index", "field")} == {
            "line": 2,
            "char": 9,
            "index": 25,
            "field": "config",
        }
        assert data["message"].endswith("\nUnexpected end\non line 2, character 9")


@pytest.mark.parametrize(
    ("name", "params", "message", "field", "char"),
    [
        ("metrics.worddiffs", {**TEXTS, "dialect": "x"}, "Unknown diff dialect x", "dialect", 0),
        ("metrics.wer", {**TEXTS, "differ_class": "x"}, "Could not find cl", "differ_class", 0),
        ("metrics.cer", {**TEXTS, "mode": "x"}, "CER is only implemented for", "mode", 0),
        ("normalization.regex", ["a", "b(", "x"], "missing ), unterminated sub", "search", 2),
        ("normalization.regex", ["a", "ba{5,99999999999}", "x"], "the repetition", "search", 3),
        ("normalization.regex", ["a", "(" * 5000 + ")" * 5000, "x"], "too many gr", "search", 1),
        ("normalization.regex", ["a", "b", "x\\"], "bad escape (end of", "replace", 2),
        ("normalization.replace", ["a", "", "x"], "search: expected a text", "search", 0),
        ("normalization.config", ["a", "none.conf"], "No such file", "file", 0),
        ("normalization.config", ["a", "good.conf", "x"], "expected a section", "section", 0),
        ("normalization.config", ["a", "good.conf", "up"], "No such file", "file", 0),
        ("benchmark.wer", {**TEXTS, "config": "[normalization]\nx"}, "Unknown nor", "config", 0),
    ],
)
def test_what_cannot_be_meant_is_an_error_of_the_request(
    name: str, params: Any, message: str, field: str, char: int
) -> None:
    """BenchmarkSTT has it for a fault of its own, with status 500."""
    error = refused(name, params)
    assert isinstance(error, InvalidParamsError)
    assert (error.code, error.message, error.status) == (-32602, "Invalid parameters", 400)
    data = json.loads(error.data or "")
    assert data.pop("message").startswith(message)
    assert data == ({"field": field, "char": char} if char else {"field": field})


@each_case("wrong", [0, -1, 1.5, True, [], ["a"], {}, {"a": "b"}])
@each_case("field", ["search", "replace"])
def test_texts_of_another_kind_are_named(field: str, wrong: Any) -> None:
    params = {"text": "a", "search": "a", "replace": "b", field: wrong}
    for name in ("regex", "replace", "replacewords"):
        error = refused(f"normalization.{name}", params)
        assert isinstance(error, InvalidParamsError)
        data = error.as_error()["data"]
        assert data["field"] == field
        assert data["message"].startswith("expected a text, found ")


def test_the_text_of_unexpected_errors_stays_inside(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("secret")

    monkeypatch.setattr(callbacks, "metrics", broken)
    assert refused("metrics.wer", TEXTS).data == "RuntimeError"


@pytest.mark.parametrize(
    ("path", "safe"),
    [
        *((inside, True) for inside in (".", "a/b", "rules.csv", "a/../b", "")),
        *((outside, False) for outside in ("..", "/", "link.csv", "../data-evil")),
    ],
)
def test_safe_paths(folder: Path, path: str, safe: bool) -> None:
    assert is_safe_path(path) is safe
    assert is_safe_path(folder / path, folder) is safe


def test_reading_is_restricted_within_the_block(folder: Path) -> None:
    with restricted(folder):
        assert read_text("rules.csv") == "a b,c\n"
        with pytest.raises(SecurityError, match="Access to unallowed file attempted"):
            read_text("link.csv")
    assert read_text("link.csv") == "a,b\n"
