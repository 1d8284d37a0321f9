"""The walk through a regression in docs/regression.md happens as it is told."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from doctest import ELLIPSIS, OutputChecker
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
PAGE = ROOT / "docs" / "regression.md"
COMMAND = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)


def commands() -> list[tuple[str, str]]:
    text = PAGE.read_text("utf-8")
    blocks = re.findall(r"```console\n(.*?)```", text, re.DOTALL)
    return [found for block in blocks for found in COMMAND.findall(block.replace("\\\n", ""))]


def test_the_walk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands one after the other, in the root of the repository; files go to another place."""
    status = 0
    ran = 0
    for command, expected in commands():
        if command == "echo $?":
            assert expected == f"{status}\n"
            continue
        words = shlex.split(command.replace("/tmp/", f"{tmp_path}/"))
        assert words.pop(0) == "scoring"
        done = subprocess.run(
            [sys.executable, "-m", "scoring", *words],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        status = done.returncode
        output = done.stdout.decode("utf-8").replace(f"{tmp_path}/", "/tmp/")
        assert OutputChecker().check_output(expected, output, ELLIPSIS), output
        ran += 1
    assert ran >= 4
    assert (tmp_path / "report.md").read_text("utf-8").startswith("# resources/demo/kaldi\\_new")
