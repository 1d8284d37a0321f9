"""The console sessions of docs/keyword-search.md are run; its Python by tests/test_docs.py."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from scoring.kws.parameters import SearchRules
from tests.console import console_steps

ROOT = Path(__file__).resolve().parents[3]
MANUAL = ROOT / "docs" / "keyword-search.md"
DEMO = ROOT / "resources" / "demo" / "keyword_search"


@pytest.mark.skipif(shutil.which("sh") is None, reason="needs a shell")
def test_the_sessions_run() -> None:
    commands = 0
    for command, shown in console_steps(MANUAL.read_text("utf-8")):
        assert command.startswith("scoring kws ")
        done = subprocess.run(
            ["sh", "-c", command.replace("scoring kws", f"'{sys.executable}' -m scoring kws", 1)],
            cwd=DEMO,
            env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        assert done.stdout.decode() == shown, command
        commands += 1
    assert commands == 6


def test_every_rule_has_a_row() -> None:
    table = MANUAL.read_text("utf-8").partition("## F4DE's rules")[2]
    rows = re.findall(r"^\| (?!\||-)(.+?) \|", table, re.MULTILINE)
    # one rule, on names of files, takes two rows
    assert len(rows) == len(SearchRules._fields) + 1
