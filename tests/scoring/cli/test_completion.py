"""Completion in a shell, asked as bash asks argcomplete."""

import os
from pathlib import Path

import pytest

from tests.programs import ROOT, forked, python

pytest.importorskip("argcomplete")


def completions(line: str, folder: Path, *, as_fork: bool = True) -> list[str]:
    """What completes a command line; the program prints nothing else and runs nothing."""
    name = line.split(" ")[0]
    entry = {"sclite": "sclite", "md-eval.pl": "md_eval", "formats": "formats"}
    entry |= {"benchmarkstt": "benchmarkstt", "benchmarkstt-tools": "benchmarkstt_tools"}
    answer = folder / "answer"
    asked = {
        "_ARGCOMPLETE": "1",
        "_ARGCOMPLETE_STDOUT_FILENAME": str(answer),
        "_ARGCOMPLETE_IFS": "\n",
        "COMP_LINE": line,
        "COMP_POINT": str(len(line)),
        "COMP_TYPE": "9",
    }
    function, environment = entry.get(name, "scoring"), {**os.environ, **asked}
    if as_fork:
        done = forked(folder, "scoring.cli.start", function=function, environment=environment)
    else:
        code = f"from scoring.cli.start import {function} as run\nrun()"
        done = python("-c", code, cwd=folder, env={**environment, "PYTHONPATH": str(ROOT)})
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    return sorted(word.strip() for word in answer.read_text().split("\n"))


def test_a_program_completes_a_line_in_a_process_of_its_own(tmp_path: Path) -> None:
    assert completions("scoring wer --unit mix", tmp_path, as_fork=False) == ["mixed"]


@pytest.mark.share(2)
@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("scoring conf", ["conformance"]),
        ("sclite-kit benc", ["bench"]),
        ("scoring wer --measure-", ["--measure-function", "--measure-option"]),
        ("scoring compat inst", ["install"]),
        ("scoring compat install --in", ["--into"]),
        ("scoring compat install kald", ["kaldialign"]),
        ("scoring wer a.trn b.trn --like jiw", ["jiwer@4"]),
        ("scoring wer --measures lat", ["latency"]),
        ("scoring measures lat", ["latency"]),
        ("scoring wer --unit mix", ["mixed"]),
        ("scoring wer --reference-format rtt", ["rttm"]),
        ("scoring wer --hypothesis-format textg", ["textgrid"]),
        ("scoring wer --normalize lowerc", ["lowercase"]),
        ("scoring wer --normalize talk", ["talk.stm"]),
        ("scoring wer -o rsu", ["rsum"]),
        ("formats convert talk.stm x --to rtt", ["rttm"]),
        ("scoring wer --csv x --measure-f", ["--measure-function"]),
        ("formats conv", ["convert"]),
        ("formats convert a b --explain", ["--explain-loss"]),
        ("benchmarkstt --work", []),
        ("benchmarkstt --wordd", ["--worddiffs"]),
        ("benchmarkstt-tools norm", ["normalization"]),
        ("sclite --plo", ["--plots"]),
        ("scoring wer talk.s", ["talk.stm"]),
        ("scoring sctk scli", []),
    ],
)
def test_what_completes_a_line(line: str, expected: list[str], tmp_path: Path) -> None:
    (tmp_path / "talk.stm").write_text("")
    assert [word for word in completions(line, tmp_path) if word] == expected


def test_options_of_programs_of_nist(tmp_path: Path) -> None:
    assert {"-r", "-h", "-o", "-i"} <= set(completions("sclite -", tmp_path))
    assert {"-r", "-s", "-c"} <= set(completions("md-eval.pl -", tmp_path))
