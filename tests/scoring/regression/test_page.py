"""The walks through regressions, histories and pipelines in docs happen as they are told."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from doctest import ELLIPSIS, OutputChecker
from pathlib import Path

import pytest

from tests.console import console_steps

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.parametrize(
    ("page", "least"),
    [("first-score", 4), ("regression", 4), ("history", 8), ("continuous-integration", 1)],
)
def test_the_walk(page: str, least: int, tmp_path: Path) -> None:
    """Commands one after the other, in the root of the repository; files go to another place."""
    status = 0
    ran = 0
    environment = {name: value for name, value in os.environ.items() if name[:7] != "GITHUB_"}
    for command, expected in console_steps((ROOT / "docs" / f"{page}.md").read_text("utf-8")):
        if command == "echo $?":
            assert expected == f"{status}\n"
            continue
        words = shlex.split(command.replace("/tmp/", f"{tmp_path}/"))
        program = words.pop(0)
        assert program in ("scoring", "python")
        done = subprocess.run(
            [sys.executable, *(["-m", "scoring"] if program == "scoring" else []), *words],
            cwd=ROOT,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        status = done.returncode
        output = done.stdout.decode("utf-8").replace(f"{tmp_path}/", "/tmp/")
        assert OutputChecker().check_output(expected, output, ELLIPSIS), output
        ran += 1
    assert ran >= least
    if page == "regression":
        report = (tmp_path / "report.md").read_text("utf-8")
        assert report.startswith("# resources/demo/kaldi\\_new")
