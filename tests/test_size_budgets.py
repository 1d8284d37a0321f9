"""The house in figures: long functions, vague names, modules that small runs load and enter.

`tests/budgets.json` holds the limits. `python tests/test_size_budgets.py` prints the figures.
Lines are not limited: they are printed, so that a reader sees where the weight is.
"""

import ast
import json
import os
import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.syntax import nodes_of_kind

ROOT = Path(__file__).resolve().parents[1]
BUDGETS = Path(__file__).with_name("budgets.json")
LIMITS: dict[str, Any] = json.loads(BUDGETS.read_text("utf-8"))
LONGEST = 60


def count_lines(folder: str, *endings: str) -> int:
    """Lines of the files below a folder with these endings."""
    files = (path for ending in endings for path in (ROOT / folder).rglob(f"*{ending}"))
    return sum(len(path.read_bytes().splitlines()) for path in files)


@cache
def lines_by_room() -> dict[str, int]:
    """Lines of Python in each folder directly below a package, C++ and tests."""
    sizes: Counter[str] = Counter()
    for package in ("formats", "scoring"):
        for path in (ROOT / package).rglob("*.py"):
            parts = path.relative_to(ROOT).parts
            room = "/".join(parts[:2]) if len(parts) > 2 else package
            sizes[room] += len(path.read_bytes().splitlines())
    sizes["c++"] = sum(count_lines(package, ".cpp", ".hpp") for package in ("formats", "scoring"))
    sizes["tests"] = count_lines("tests", ".py")
    return dict(sizes)


def syntax_nodes(*kinds: type[ast.AST]) -> list[tuple[str, list[Any]]]:
    """The modules of both packages by name, each with its nodes of some kinds."""
    return [
        (path.relative_to(ROOT).as_posix(), nodes_of_kind(path, *kinds))
        for package in ("formats", "scoring")
        for path in sorted((ROOT / package).rglob("*.py"))
    ]


def body_lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines of a function without its docstring."""
    size = (function.end_lineno or function.lineno) - function.lineno + 1
    if ast.get_docstring(function) is not None:
        docstring = function.body[0]
        size -= (docstring.end_lineno or docstring.lineno) - docstring.lineno + 1
    return size


def long_functions() -> list[str]:
    """Functions of more than sixty lines."""
    return [
        f"{module}:{node.name} {body_lines(node)}"
        for module, nodes in syntax_nodes(ast.FunctionDef, ast.AsyncFunctionDef)
        for node in nodes
        if body_lines(node) > LONGEST
    ]


def vague_names() -> tuple[int, Counter[str]]:
    """How many names are bound in all, and how many of each module say nothing."""
    vague: Counter[str] = Counter()
    total = 0
    for (module, nodes), (_, arguments) in zip(
        syntax_nodes(ast.Name), syntax_nodes(ast.arg), strict=True
    ):
        names = [node.id for node in nodes if isinstance(node.ctx, ast.Store)]
        names += [node.arg for node in arguments]
        total += len(names)
        vague[module] += sum(name.strip("_") in LIMITS["vague names"] for name in names)
    return total, vague


def loaded_modules(statement: str) -> int:
    """How many of our modules a program of one statement loads."""
    ours = "sum(name.split('.')[0] in ('formats', 'scoring') for name in sys.modules)"
    code = f"import sys\n{statement}\nprint({ours})"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return int(done.stdout.split()[-1])


def test_functions_are_short() -> None:
    found = long_functions()
    assert len(found) <= LIMITS["long functions"], found


def test_names_say_something() -> None:
    total, vague = vague_names()
    share = 100 * vague.total() / total
    assert share <= LIMITS["vague percent"], f"{share:.2f} %: {vague.most_common(10)}"


@pytest.mark.parametrize("title", LIMITS["loads"])
def test_small_work_loads_few_modules(title: str, tmp_path: Path) -> None:
    (tmp_path / "a.ctm").write_text("a 1 0.0 0.5 hello\n")
    answer = {"jobName": "a", "results": {"transcripts": [{"transcript": "hi"}], "items": []}}
    (tmp_path / "a.json").write_text(json.dumps(answer))
    load = LIMITS["loads"][title]
    assert loaded_modules(load["code"].format(folder=tmp_path)) <= load["most"]


def test_sclite_loads_none_of_the_slow_modules() -> None:
    demo = ROOT / "resources" / "demo"
    paths = [f"{demo}/{name}.trn" for name in ("reference", "baseline")]
    flags = ["-r", paths[0], "-h", paths[1], "-i", "rm", "-o", "sum", "stdout"]
    slow = {"argparse", "contextlib", "dataclasses", "json", "pathlib", "re", "string", "typing"}
    code = (
        "import sys\nfrom scoring.cli.nist.sclite import main\n"
        f"status = main({flags})\nprint()\nprint(status, *{slow} & set(sys.modules))"
    )
    # without the packages of the environment, whose hooks load some of them
    bare = [sys.executable, "-S", "-c", code]
    done = subprocess.run(bare, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "0"


# Modules that work on two short texts does not need when its output is piped.
UNNEEDED = {"csv", "dataclasses", "fractions", "jinja2", "json", "lxml", "numpy"}
UNNEEDED |= {
    "pathlib",
    "pickle",
    "pysubs2",
    "random",
    "regex",
    "rich",
    "shutil",
    "tempfile",
    "yaml",
}


# What a program may load: its import takes longer than the rest of a short run.
UNNEEDED |= {"inspect", "msgspec", "typing_extensions"}


# The verbs of `formats` are subcommands, whose options argparse reads.
UNNEEDED_BY = {"scoring": {"argparse", "difflib", "gettext", "locale"}, "formats": set[str]()}


@pytest.mark.parametrize(
    "command",
    [
        ("scoring", "wer", "reference.txt", "hypothesis.txt"),
        ("scoring", "wer", "reference.trn", "hypothesis.trn"),
        ("formats", "detect", "reference.trn"),
        ("formats", "convert", "reference.srt", "reference.vtt"),
        ("formats", "convert", "reference.trn", "reference.jsonl"),
    ],
    ids=" ".join,
)
def test_small_commands_load_no_unneeded_module(command: tuple[str, ...], tmp_path: Path) -> None:
    for side, name in (("reference", "Anna"), ("hypothesis", "Hannah")):
        (tmp_path / f"{side}.txt").write_text(f"Why, {name} sat down.\nWho saw it?\n")
        (tmp_path / f"{side}.trn").write_text(f"so {name} sat (a_1)\non the mat (a_2)\n")
    (tmp_path / "reference.srt").write_text(
        "1\n00:00:01,000 --> 00:00:02,000\nthe cat\n\n2\n00:00:03,000 --> 00:00:04,000\nsat\n"
    )
    program, *arguments = command
    unneeded = UNNEEDED | UNNEEDED_BY[program]
    if arguments[-1].endswith(".jsonl"):
        unneeded -= {"json"}
    # the hooks and packages of the environment load some of them
    code = (
        "import sys\nbefore = set(sys.modules)\n"
        f"from scoring.cli.{program} import main\nstatus = main({arguments})\n"
        f"print()\nprint(status, *{unneeded} & (set(sys.modules) - before))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines()[-1] == "0"


def _wer_of_lists() -> None:
    import scoring

    scoring.wer(["a b"], ["a c"])


def _sclite() -> None:
    from scoring.cli.nist.sclite import main as sclite

    sides = ("-r", "reference.trn", "-h", "baseline.trn")
    sclite([*sides, "-i", "spu_id", "-o", "sum", "stdout"])


def _wer_of_files() -> None:
    from scoring.cli.scoring import main as command

    command(["wer", "reference.stm", "baseline.ctm"])


RUNS = {
    "wer of two lists": _wer_of_lists,
    "sclite -o sum": _sclite,
    "scoring wer of stm and ctm": _wer_of_files,
}


@pytest.mark.parametrize("title", RUNS)
def test_a_small_run_enters_few_modules(
    title: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT / "resources" / "demo")
    entered: set[str] = set()

    def note(frame: Any, event: str, _argument: object) -> None:
        if event == "call" and frame.f_code.co_name != "<module>":
            entered.add(frame.f_globals.get("__name__", ""))

    RUNS[title]()  # imports what it needs
    sys.setprofile(note)
    try:
        RUNS[title]()
    finally:
        sys.setprofile(None)
    assert capfd.readouterr().out or title == "wer of two lists"
    ours = {name for name in entered if name.startswith(("scoring.", "formats."))}
    assert len(ours) <= LIMITS["enters"][title], sorted(ours)


def main() -> None:
    """Print the figures."""
    for room, size in sorted(lines_by_room().items()):
        print(f"{size:7} lines  {room}")
    total, vague = vague_names()
    share = 100 * vague.total() / total
    print(f"long functions: {', '.join(long_functions()) or 'none'}")
    print(f"names that say nothing: {share:.2f} %, most in {vague.most_common(5)}")


if __name__ == "__main__":
    main()
