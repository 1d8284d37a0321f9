"""The console sessions of docs/kaldi.md are run; its Python is run by tests/test_docs.py."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[4]
MANUAL = ROOT / "docs" / "kaldi.md"


def steps() -> Iterator[tuple[str, str]]:
    """Commands with what is shown below them."""
    text = MANUAL.read_text("utf-8")
    for block in re.findall(r"^```console\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
        for step in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, shown = step.partition("\n")
            yield command, shown


@pytest.mark.skipif(not os.path.exists("/bin/sh"), reason="needs a shell")
def test_the_sessions_run(tmp_path: Path) -> None:
    work, programs = tmp_path / "work", tmp_path / "programs"
    work.mkdir()
    programs.mkdir()
    command_file = programs / "scoring"
    command_file.write_text(f"#!/bin/sh\nexec '{sys.executable}' -m scoring.cli.scoring \"$@\"\n")
    command_file.chmod(0o755)
    environment = {"PATH": f"{programs}:/usr/bin:/bin", "PYTHONPATH": str(ROOT)}
    commands = 0
    for command, shown in steps():
        if re.fullmatch(r"cat \w+", command):
            (work / command.split()[1]).write_text(shown, "utf-8")
            continue
        if command.startswith("PATH="):
            environment["PATH"] = f"{work / 'tools'}:{environment['PATH']}"
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
    assert commands == 10
