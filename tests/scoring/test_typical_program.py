"""A typical user's program runs, and type checkers have nothing to say of it in strict mode."""

import doctest
import json
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(__file__).with_name("typical_program.py")


def outcome(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )


def test_it_runs() -> None:
    done = outcome(str(PROGRAM))
    assert (done.returncode, done.stderr) == (0, "")
    assert "improved.ctm: 14.26% (0.1426), 81 errors" in done.stdout
    assert "expected words in the reference, found none in 1 utterances" in done.stdout


MISTAKES = """\
import sclite_kit as sk
sk.wer("a", "a", missing="drop")
sk.wer("a", "a", ignore_cases=True)
sk.cer("a", "a", unit="word")
rate: float = sk.wer("a", "a").corpus_rate
sk.wer("a", "a", meeting="tpc")
sk.wer("a", "a").report("pralgin")
sk.der("a.rttm", "b.rttm", like="mdeval")
sk.ErrorCalculator(["a"], " ", "_", units="char")
sk.wer("a", reference="b", hypothesis="c")
"""
LINES_OF_MISTAKES = [2, 3, 4, 5, 6, 7, 8, 9, 10]


def examples_of(page: str) -> str:
    """The Python examples of a page of the docs, one after the other."""
    examples = doctest.DocTestParser().get_examples((ROOT / "docs" / page).read_text("utf-8"))
    return "".join(example.source for example in examples)


def lines_with_errors(output: str) -> dict[str, list[int]]:
    """The lines that a type checker complains about, by file."""
    lines: dict[str, set[int]] = {}
    for name, number in re.findall(r"(\w+\.py):(\d+)(?::\d+)?:? (?:- )?error", output):
        lines.setdefault(name, set()).add(int(number))
    return {name: sorted(numbers) for name, numbers in lines.items()}


@pytest.mark.release
@pytest.mark.skipif(not find_spec("mypy"), reason="needs mypy")
def test_mypy_sees_mistakes_and_nothing_else(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.py"
    wrong.write_text(MISTAKES)
    page = tmp_path / "from_jiwer.py"
    page.write_text(examples_of("from-jiwer.md"))
    checked = outcome("-m", "mypy", "--strict", str(PROGRAM), str(wrong), str(page))
    assert lines_with_errors(checked.stdout) == {wrong.name: LINES_OF_MISTAKES}, checked.stdout


@pytest.mark.release
@pytest.mark.skipif(not find_spec("basedpyright"), reason="needs basedpyright")
def test_pyright_sees_mistakes_and_nothing_else(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.py"
    wrong.write_text(MISTAKES)
    settings = tmp_path / "pyrightconfig.json"
    included = {"include": [str(PROGRAM), str(wrong)], "extraPaths": [str(ROOT)]}
    settings.write_text(json.dumps({**included, "typeCheckingMode": "strict"}))
    # with the environment of this interpreter, as editors have it
    environment = "--pythonpath", sys.executable
    found = outcome("-m", "basedpyright", "--project", str(settings), *environment)
    assert lines_with_errors(found.stdout) == {wrong.name: LINES_OF_MISTAKES}, found.stdout
