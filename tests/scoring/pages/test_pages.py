"""The console sessions of two pages are run; their Python is run by tests/test_docs.py."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from scoring.version import VERSION

ROOT = Path(__file__).resolve().parents[3]
PROGRAMS = {
    "scoring": "scoring",
    "benchmarkstt": "benchmarkstt",
    "benchmarkstt-tools": "benchmarkstt_tools",
}


def steps(page: str) -> Iterator[tuple[str, str]]:
    """Commands with what is shown below them."""
    text = (ROOT / "docs" / page).read_text("utf-8")
    for block in re.findall(r"^```console\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
        for step in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, shown = step.partition("\n")
            yield command, re.sub(r"(?<=\|v:)[\d.]+", VERSION, shown)


@pytest.mark.skipif(not os.path.exists("/bin/sh"), reason="needs a shell")
@pytest.mark.parametrize(("page", "number"), [("benchmarkstt.md", 7), ("differences.md", 5)])
def test_the_sessions_run(page: str, number: int, tmp_path: Path) -> None:
    work, programs = tmp_path / "work", tmp_path / "programs"
    work.mkdir()
    programs.mkdir()
    for name, module in PROGRAMS.items():
        file = programs / name
        file.write_text(f"#!/bin/sh\nexec '{sys.executable}' -m scoring.cli.{module} \"$@\"\n")
        file.chmod(0o755)
    environment = {
        "PATH": f"{programs}:/usr/bin:/bin",
        "PYTHONPATH": str(ROOT),
        "PYTHONUTF8": "1",
        "SCORING_ALIGN": os.environ.get("SCORING_ALIGN", ""),
    }
    commands = 0
    for command, shown in steps(page):
        if re.fullmatch(r"cat \S+", command):
            (work / command.split()[1]).write_text(shown, "utf-8")
            continue
        done = subprocess.run(
            ["/bin/sh", "-c", command],
            cwd=work,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        assert done.stdout.decode() == shown, command
        assert done.returncode == 0
        commands += 1
    assert commands == number
