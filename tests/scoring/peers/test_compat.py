"""`sclite_kit.compat`: every system in place of its original, and stubs of its name."""

import os
import subprocess
import sys
import types
from importlib import import_module
from pathlib import Path

import pytest

from scoring.cli.scoring import main
from scoring.peers.espnet import SEARCH, ErrorCalculatorTransducer
from scoring.peers.stubs import PARTS, YIELDING, compat_folder, stub_files, systems
from tests.each_case import each_case
from tests.programs import python, refused
from tests.tables import table_of

# module of the original: names that programs import from it
MODULES = table_of(__file__, "modules")
SYSTEMS = sorted(systems())


def names_of(package: str) -> list[tuple[str, list[str]]]:
    return [(module, names) for module, names in MODULES if module.split(".")[0] == package]


def test_every_system_is_here() -> None:
    listed = {module.split(".")[0] for module, _ in MODULES}
    assert listed == {package for packages in systems().values() for package in packages}
    assert set(PARTS) <= listed


@each_case(("module", "names"), MODULES, ids=lambda value: str(value)[:40])
def test_names_are_at_the_paths_of_the_original(module: str, names: list[str]) -> None:
    ours = import_module(f"sclite_kit.compat.{module}")
    for name in names:
        assert getattr(ours, name) is not None
    with pytest.raises(AttributeError):
        _ = ours.no_such_name


def test_modules_only_import() -> None:
    """No module of `compat` has code of its own, so that a class has one place."""
    for path in compat_folder().rglob("*.py"):
        text = path.read_text("utf-8")
        assert "\ndef " not in text, path
        assert "\nclass " not in text, path


@pytest.mark.share(3)
@pytest.mark.parametrize("name", SYSTEMS)
def test_a_stub_runs_ours(name: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["compat", "install", name, "--into", str(tmp_path)]) == 0
    packages = systems()[name]
    assert [line.split()[:2] for line in capfd.readouterr().out.splitlines()[:-1]] == [
        ["wrote", str(tmp_path / package)] for package in packages
    ]
    code = ["import sys"]
    for module, names in (row for package in packages for row in names_of(package)):
        for wanted in names:
            code.append(f"from {module} import {wanted} as name")
            code.append(f"from sclite_kit.compat.{module} import {wanted} as ours")
            if module not in YIELDING:  # theirs, if meeteval is installed
                code.append("own = getattr(name, '__name__', None) in sys.modules")
                code.append(f"assert own or name is ours, ({module!r}, {wanted!r})")
        if "." in module:
            code.append(f"import {module}")
    run_with(tmp_path, "\n".join(code))
    assert main(["compat", "install", name, "--into", str(tmp_path), "--undo"]) == 0
    assert list(tmp_path.iterdir()) == []


def run_with(folder: Path, code: str) -> str:
    """What a program prints that finds packages of a folder first."""
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_other_names_of_a_stub_are_those_of_the_original(tmp_path: Path) -> None:
    original = tmp_path / "site" / "evaluate"
    (original / "utils").mkdir(parents=True)
    (original / "__init__.py").write_text("from .loading import load, other\n")
    (original / "loading.py").write_text("other = 'theirs'\n\n\ndef load(name):\n    return name\n")
    (original / "utils" / "__init__.py").write_text("")
    (original / "utils" / "file.py").write_text("place = 'theirs'\n")
    for file in stub_files("evaluate", str(tmp_path / "stubs")):
        file.install()
    code = (
        f"import sys; sys.path.append({str(original.parent)!r})\n"
        "import evaluate, evaluate.utils.file\n"
        "print(evaluate.other, evaluate.utils.file.place, evaluate.load('bleu'))\n"
        "print(type(evaluate.load('wer')).__name__)\n"
        "import sclite_kit.compat.evaluate as ours\n"
        "print(ours.other)\n"
    )
    assert run_with(tmp_path / "stubs", code) == "theirs theirs bleu\nLoadedMetric\ntheirs\n"


def test_a_module_that_a_package_brings_has_other_names_too(tmp_path: Path) -> None:
    original = tmp_path / "site" / "meeteval" / "wer" / "wer"
    original.mkdir(parents=True)
    for module in ("meeteval", "meeteval.wer", "meeteval.wer.wer", *PARTS["meeteval"]):
        path = tmp_path.joinpath("site", *module.split("."))
        path.parent.mkdir(exist_ok=True)
        (path / "__init__.py" if path.is_dir() else path.with_suffix(".py")).write_text("")
    (original / "time_constrained.py").write_text("align = 'theirs'\ntcpwer = 'theirs'\n")
    for file in stub_files("meeteval", str(tmp_path / "stubs")):
        file.install()
    code = (
        f"import sys; sys.path.insert(2, {str(tmp_path / 'site')!r})\n"
        "import inspect, meeteval\n"
        "module = meeteval.wer.wer.time_constrained\n"
        "print(module.__name__, module.align, module.tcpwer.__module__)\n"
        "print(inspect.signature(meeteval.wer.orcwer))\n"
    )
    assert run_with(tmp_path / "stubs", code).splitlines() == [
        "meeteval.wer.wer.time_constrained theirs scoring.peers.meeteval.wer",
        "(reference, hypothesis, regex=None, reference_sort='segment_if_available', "
        "hypothesis_sort='segment_if_available', uem=None, partial=False, normalizer=None)",
    ]


def test_an_original_that_a_stub_runs_reads_files_beside_itself(tmp_path: Path) -> None:
    original = tmp_path / "site" / "espnet"
    original.mkdir(parents=True)
    (original / "version.txt").write_text("202511")
    (original / "__init__.py").write_text(
        "import pathlib\n"
        "__version__ = pathlib.Path(__file__).with_name('version.txt').read_text()\n"
    )
    for file in stub_files("espnet", str(tmp_path / "stubs")):
        file.install()
    code = (
        f"import sys; sys.path.append({str(original.parent)!r})\n"
        "import espnet\n"
        "from espnet.nets.e2e_asr_common import ErrorCalculator\n"
        "print(espnet.__version__, ErrorCalculator.__module__)\n"
    )
    assert run_with(tmp_path / "stubs", code) == "202511 scoring.peers.espnet\n"


def test_the_search_of_espnet_is_made_as_espnet_makes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[dict[str, object]] = []

    class Search:
        def __init__(self, decoder: str, joint_network: str, **arguments: object) -> None:
            made.append({"decoder": decoder, "joint_network": joint_network, **arguments})

    module = types.ModuleType(SEARCH)
    vars(module)["BeamSearchTransducer"] = Search
    monkeypatch.setitem(sys.modules, SEARCH, module)
    for parent in ("espnet2", "espnet2.asr", "espnet2.asr.transducer"):
        monkeypatch.setitem(sys.modules, parent, types.ModuleType(parent))
    ErrorCalculatorTransducer("decoder", "joint", ["<blank>", "a"], "<space>", "<blank>")
    assert made == [
        {
            "decoder": "decoder",
            "joint_network": "joint",
            "beam_size": 2,
            "score_norm": False,
        }
    ]


def test_no_package_of_others_is_replaced(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    package = tmp_path / "jiwer"
    package.mkdir()
    (package / "__init__.py").write_text("version = 1\n")
    for words in ([], ["--undo"], ["--dry-run"]):
        line = refused(capfd, "compat", "install", "jiwer", "--into", str(tmp_path), *words)
        assert line == (
            f"scoring: error: {package}: expected a new folder or a stub of ours, found another package: "
            "write to another folder and put it before this one on PYTHONPATH\n"
        )
    assert [path.name for path in package.iterdir()] == ["__init__.py"]


def test_wrong_names_and_dry_runs(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    line = refused(capfd, "compat", "install", "evalmat", "--into", str(tmp_path))
    assert line.endswith("found 'evalmat'; did you mean evalmate?\n")
    assert main(["compat", "install", "espnet", "--into", str(tmp_path), "--dry-run"]) == 0
    lines = capfd.readouterr().out.splitlines()
    assert lines[:2] == [f"would write {tmp_path / name}" for name in ("espnet", "espnet2")]
    assert list(tmp_path.iterdir()) == []
    assert main(["compat", "list"]) == 0
    assert "jiwer: import sclite_kit.compat.jiwer as jiwer" in capfd.readouterr().out


def test_modules_that_load_the_original_by_name(tmp_path: Path) -> None:
    """`--load` of a module that imports BenchmarkSTT."""
    assert main(["compat", "install", "benchmarkstt", "--into", str(tmp_path)]) == 0
    (tmp_path / "shouting.py").write_text(
        "from benchmarkstt.normalization import Normalizer\n\n\n"
        "class Shout(Normalizer):\n"
        "    '''Upper case'''\n\n"
        "    def _normalize(self, text):\n"
        "        return text.upper()\n"
    )
    sides = ["-r", "hi", "-rt", "argument", "-h", "HI", "-ht", "argument"]
    done = python(
        "-m",
        "scoring.cli.peers.benchmarkstt",
        *sides,
        *("--load", "shouting", "--shout", "--wer"),
        text=True,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        cwd=tmp_path,
    )
    assert done.stdout == "wer\n===\n\n0.000000\n\n"


def test_a_stub_runs_as_a_program(tmp_path: Path) -> None:
    """`python -m fstalign`, as scripts call the command."""
    assert main(["compat", "install", "fstalign", "--into", str(tmp_path)]) == 0
    for side in ("ref.txt", "hyp.txt"):
        (tmp_path / side).write_text("a b\n")
    done = subprocess.run(
        [sys.executable, "-m", "fstalign", "wer", "--ref", "ref.txt", "--hyp", "hyp.txt"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "best WER: 0/2 = 0.0000" in done.stdout


def test_a_closed_pipe_is_no_failure_to_write() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    command = ["-c", "from scoring.cli.start import scoring; scoring()", "compat", "list"]
    done = subprocess.run(
        [sys.executable, *command], stdout=writing, stderr=subprocess.PIPE, text=True
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (141, "")


def test_files_of_meeteval_are_those_of_an_installed_one(tmp_path: Path) -> None:
    for place, text in (("io", "STM = 'theirs'\n"), ("", "from . import io\n")):
        original = tmp_path / "site" / "meeteval" / place / "__init__.py"
        original.parent.mkdir(parents=True, exist_ok=True)
        original.write_text(text)
    for file in stub_files("meeteval", str(tmp_path / "stubs")):
        file.install()
    path = f"import sys; sys.path.insert(2, {str(tmp_path / 'site')!r})\n"
    code = f"{path}import meeteval; print(meeteval.io.STM, meeteval.wer.cpwer.__module__)"
    assert run_with(tmp_path / "stubs", code) == "theirs scoring.peers.meeteval.wer\n"
