"""Files are read below the root only, whatever names them, and code comes from nowhere else."""

import ast
import importlib
import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scoring.model.special_errors import FORBIDDEN, SecurityError
from scoring.serve.access import guarded
from scoring.serve.errors import InvalidParamsError, MethodError
from scoring.serve.methods import Methods
from tests.each_case import each_case

PACKAGES = Path(__file__).resolve().parents[3] / "scoring"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory with rules, links out of it, and a neighbour whose name begins the same."""
    inside, outside = tmp_path / "data", tmp_path / "data-evil"
    for folder in (inside, outside, inside / "deep"):
        folder.mkdir()
    (outside / "x.csv").write_text("a,SECRET\n", "utf-8")
    (outside / "x.conf").write_text("[normalization]\nlowercase\n", "utf-8")
    (inside / "rules.csv").write_text("a,b\n", "utf-8")
    (inside / "deep" / "more.csv").write_text("b,c\n", "utf-8")
    (inside / "rules.conf").write_text(
        "[normalization]\nreplace rules.csv\nreplace deep/more.csv\n", "utf-8"
    )
    (inside / "leading.conf").write_text("[normalization]\nreplace ../data-evil/x.csv\n", "utf-8")
    (inside / "leading.toml").write_text(
        'steps = [{step = "file", normalizer = "replace", file = "../data-evil/x.csv"}]', "utf-8"
    )
    (inside / "entities.json").write_text('{"a": 1}', "utf-8")
    (inside / "link.csv").symlink_to(outside / "x.csv")
    (inside / "folder").symlink_to(outside)
    (inside / "inner.csv").symlink_to(inside / "rules.csv")
    monkeypatch.chdir(inside)
    return inside


def outside_names(root: Path) -> list[str]:
    return [
        "../data-evil/x.csv",
        "deep/../../data-evil/x.csv",
        str(root.parent / "data-evil" / "x.csv"),
        str(root) + "-evil/x.csv",
        "link.csv",
        "folder/x.csv",
        "/etc/hosts",
        "/proc/self/environ",
        "",
        "x\0.csv",
    ]


def test_root_that_is_a_link(root: Path) -> None:
    (root.parent / "alias").symlink_to(root)
    with guarded(str(root.parent / "alias")), open("rules.csv", encoding="utf-8") as file:
        assert file.read() == "a,b\n"


def test_steps_read_files_below_the_root_only(root: Path) -> None:
    methods = Methods(str(root))

    def replaced(name: str) -> str:
        rule = {"step": "file", "normalizer": "replace", "file": name}
        return str(methods("normalize", {"text": "a", "normalize": rule})["text"])

    for name in outside_names(root):
        with pytest.raises(InvalidParamsError) as caught:
            replaced(name)
        assert "SECRET" not in json.dumps(caught.value.as_error())
    assert replaced("deep/../rules.csv") == replaced("inner.csv") == "b"


def forbidden(methods: Methods, name: str, params: dict[str, Any] | list[Any]) -> str:
    with pytest.raises(InvalidParamsError) as caught:
        methods(name, params)
    data = caught.value.as_error()["data"]
    record = data if isinstance(data, dict) else json.loads(data)
    assert record["message"] == FORBIDDEN
    return str(record.get("field", ""))


def test_files_of_the_original_methods(root: Path) -> None:
    methods = Methods(str(root))
    for name in outside_names(root):
        params = {"text": "a", "normalizer": "replace", "file": name}
        assert forbidden(methods, "normalization.file", params) == "file"
        assert forbidden(methods, "normalization.config", {"text": "a", "file": name}) == "file"
        beer = {"ref": "a", "hyp": "a", "entities_file": name}
        assert forbidden(methods, "metrics.beer", beer) == "entities_file"
        assert forbidden(methods, "benchmark.beer", beer) == "entities_file"


def test_files_by_place_are_judged_as_well(root: Path) -> None:
    methods = Methods(str(root))
    outside = "../data-evil/x.csv"
    assert forbidden(methods, "normalization.file", ["a", "replace", outside]) == "file"
    assert forbidden(methods, "normalization.file", ["a", "replace", "x", None, "/etc"]) == "path"
    assert forbidden(methods, "metrics.beer", ["a", "a", outside]) == "entities_file"
    assert forbidden(Methods(), "metrics.beer", ["a", "a", "entities.json"]) == "entities_file"


def test_files_below_the_root_are_read(root: Path) -> None:
    methods = Methods(str(root))
    params = {"text": "a", "normalizer": "replace", "file": "rules.csv"}
    assert methods("normalization.file", params) == {"text": "b"}
    assert methods("normalization.config", {"text": "a", "file": "rules.conf"}) == {"text": "c"}
    beer = methods("metrics.beer", {"ref": "a", "hyp": "a", "entities_file": "entities.json"})
    assert beer["a"]["occurrence_ref"] == 1
    for rules in ("rules.conf", {"step": "config", "file": "rules.conf"}):
        assert methods("normalize", {"text": "a", "normalize": [rules]})["text"] == "c"


def test_no_file_is_read_without_a_root(root: Path) -> None:
    methods = Methods()
    for name in ("rules.csv", str(root / "rules.csv"), *outside_names(root)):
        params = {"text": "a", "normalizer": "replace", "file": name}
        assert forbidden(methods, "normalization.file", params) == "file"
        rules = {"step": "file", "normalizer": "replace", "file": name or "x"}
        if "\0" in name:
            with pytest.raises(InvalidParamsError, match="embedded null"):
                methods("normalize", {"text": "a", "normalize": [rules]})
        else:
            forbidden(methods, "normalize", {"text": "a", "normalize": [rules]})
    forbidden(methods, "normalize", {"text": "a", "normalize": "rules.conf"})
    config = {"ref": "a", "hyp": "a", "config": "[normalization]\nreplace rules.csv"}
    assert forbidden(methods, "benchmark.wer", config) == "config"


@pytest.mark.parametrize("name", ["../data-evil/x.csv", "link.csv", "folder/x.csv", "/etc/hosts"])
def test_config_text_leads_nowhere_else(root: Path, name: str) -> None:
    methods = Methods(str(root))
    for line in (f"replace {name}", f"regex {name}", f"config {name}", f"file replace {name}"):
        config = {"ref": "a", "hyp": "a", "config": f"[normalization]\n{line}"}
        assert forbidden(methods, "benchmark.wer", config) == "config"


@pytest.mark.parametrize("name", ["leading.conf", "leading.toml"])
def test_files_below_the_root_lead_nowhere_else(root: Path, name: str) -> None:
    methods = Methods(str(root))
    with pytest.raises(MethodError) as caught:
        methods("normalize", {"text": "a", "normalize": name})
    assert "SECRET" not in json.dumps(caught.value.as_error())
    assert FORBIDDEN in json.dumps(caught.value.as_error())


@pytest.mark.parametrize("step", ["glm", "fillers", "spoken-forms", "config", "file"])
def test_every_step_that_takes_a_file(root: Path, step: str) -> None:
    argument = {"fillers": "words", "spoken-forms": "rows"}.get(step, "file")
    more = ",normalizer=replace" if step == "file" else ""
    for methods in (Methods(), Methods(str(root))):
        rules = [f"{step}:{argument}=/etc/hosts{more}"]
        forbidden(methods, "normalize", {"text": "a", "normalize": rules})


@pytest.mark.parametrize("name", ["none.conf", "rule.conf"])
def test_a_missing_file_tells_no_names_of_other_files(root: Path, name: str) -> None:
    with pytest.raises(InvalidParamsError) as caught:
        Methods(str(root))("normalize", {"text": "a", "normalize": name})
    assert caught.value.as_error()["data"] == {
        "message": "expected a readable file, found no such file",
        "field": "normalize",
        "file": name,
    }


def test_compiled_modules_may_be_elsewhere(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = root.parent / "compiled"
    compiled.mkdir()
    for name in ("a.pyc", "a.csv"):
        (compiled / name).write_bytes(b"")
    # modules may lie above, such as a plugin of pytest in the folder of all temporary files
    apart = [path for path in sys.path if not compiled.is_relative_to(os.path.realpath(path))]
    monkeypatch.setattr(sys, "path", apart)
    monkeypatch.setattr(sys, "pycache_prefix", None)
    with guarded(str(root)), pytest.raises(SecurityError):
        (compiled / "a.pyc").read_bytes()
    monkeypatch.setattr(sys, "pycache_prefix", str(compiled))
    with guarded(str(root)):
        assert (compiled / "a.pyc").read_bytes() == b""
    with guarded(str(root)), pytest.raises(SecurityError):
        (compiled / "a.csv").read_bytes()


def test_modules_load_where_nothing_is_compiled(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / "rarely_loaded.py").write_text("value = 1\n", "utf-8")
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(sys, "pycache_prefix", str(root.parent / "compiled"))
    monkeypatch.syspath_prepend(root)
    with guarded(str(root)):
        module = importlib.import_module("rarely_loaded")
    monkeypatch.delitem(sys.modules, "rarely_loaded")
    assert module.value == 1
    assert not (root.parent / "compiled").exists()


def test_guard_refuses_what_no_method_needs(root: Path) -> None:
    attempts: list[Callable[[], object]] = [
        lambda: Path("/etc/hosts").read_text("utf-8"),
        lambda: os.open("/etc/hosts", os.O_RDONLY),
        lambda: Path("new.txt").write_text("x", "utf-8"),
        lambda: os.remove("rules.csv"),
        lambda: os.system("true"),
        lambda: subprocess.run(["true"], check=False),
        lambda: socket.create_connection(("127.0.0.1", 9), timeout=1),
        lambda: os.rename("rules.csv", "other.csv"),
        lambda: os.mkdir("folder2"),
    ]
    for attempt in attempts:
        with guarded(str(root)), pytest.raises((SecurityError, PermissionError)):
            attempt()
    with guarded(str(root)), open("rules.csv", encoding="utf-8") as file:
        assert file.read() == "a,b\n"
    with guarded(None), pytest.raises(SecurityError):
        Path("rules.csv").read_text("utf-8")
    assert sorted(path.name for path in root.iterdir() if path.name.startswith("new")) == []
    with open("/etc/hosts", encoding="utf-8") as file:
        assert file.read()


REFUSED_CALLS = {"eval", "exec", "compile", "__import__", "execfile"}
REFUSED_MODULES = {"pickle", "marshal", "shelve", "dill", "runpy", "code", "imp"}
# Load what the operator names with `--load`, and nothing that a request says.
# And what the caller in Python or the command line names, which requests are refused.
LOADERS = {
    "scoring/peers/benchmarkstt/factory.py",
    "scoring/peers/benchmarkstt/modules.py",
    "scoring/text/named_functions.py",
}


@each_case(
    "path",
    [
        path
        for room in ("serve", "peers/benchmarkstt", "text")
        for path in sorted((PACKAGES / room).rglob("*.py"))
    ],
)
def test_nothing_is_evaluated(path: Path) -> None:
    nodes = list(ast.walk(ast.parse(path.read_text("utf-8"))))
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    assert REFUSED_CALLS.isdisjoint(ast.unparse(call.func) for call in calls)
    assert not any(keyword.arg == "shell" for call in calls for keyword in call.keywords)
    modules = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    modules |= {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}
    assert REFUSED_MODULES.isdisjoint(module.partition(".")[0] for module in modules)
    if path.relative_to(PACKAGES.parent).as_posix() not in LOADERS:
        loads = [call for call in calls if ast.unparse(call.func).endswith("import_module")]
        assert all(isinstance(call.args[0], ast.Constant) for call in loads)
