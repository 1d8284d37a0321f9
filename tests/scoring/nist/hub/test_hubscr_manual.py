"""The console sessions of docs/hubscr.md are run, in a copy of the demonstration."""

import shutil
import subprocess
from pathlib import Path

import pytest

from scoring.cli.nist.sctk import PROGRAMS
from scoring.cli.nist.sctk import main as sctk
from tests.console import console_steps

ROOT = Path(__file__).resolve().parents[4]
DOCS = ROOT / "docs"


@pytest.mark.skipif(shutil.which("grep") is None, reason="needs a shell and grep")
def test_the_sessions_run(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert sctk(["install", "--into", str(tmp_path / "bin")]) == 0
    for name in ("demo.glm", "reference.stm", "baseline.ctm", "improved.ctm"):
        shutil.copy(ROOT / "resources" / "demo" / name, tmp_path)
    text = (DOCS / "hubscr.md").read_text("utf-8")
    commands = 0
    for command, shown in console_steps(text):
        done = subprocess.run(
            ["sh", "-c", command],
            cwd=tmp_path,
            env={"PATH": f"{tmp_path / 'bin'}:/usr/bin:/bin"},
            capture_output=True,
            text=True,
        )
        assert done.stdout == shown, command
        commands += 1
    assert commands == 3


def test_the_page_for_those_who_come_from_sctk_names_every_program() -> None:
    text = (DOCS / "from-sctk.md").read_text("utf-8")
    assert [name for name in PROGRAMS if f"`{name}`" not in text] == []
