"""What Kaldi's tools print, on cases worked out by hand: see tests/golden/kaldi/README.md."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CASES = sorted(path.parent for path in (ROOT / "tests/golden/kaldi").glob("*/command"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_output_is_as_derived(case: Path, tmp_path: Path) -> None:
    shutil.copytree(case, tmp_path, dirs_exist_ok=True)
    stdin = tmp_path / "stdin"
    words = shlex.split((case / "command").read_text("utf-8"))
    done = subprocess.run(
        [sys.executable, "-m", "scoring.cli.kaldi", *words],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"},
        input=stdin.read_bytes() if stdin.exists() else b"",
        capture_output=True,
        check=False,
    )
    assert done.stdout == (case / "stdout").read_bytes()
    assert done.returncode == int((case / "status").read_text("utf-8"))
    assert b"Traceback" not in done.stderr
    assert (done.returncode == 0) or done.stderr


def test_every_case_is_explained() -> None:
    table = (ROOT / "tests/golden/kaldi/README.md").read_text("utf-8")
    assert CASES
    for case in CASES:
        assert f"`{case.name}`" in table
