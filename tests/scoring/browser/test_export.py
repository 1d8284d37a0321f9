"""What keeps the page from being exported, in a message each."""

from __future__ import annotations

from pathlib import Path

import pytest

from scoring.browser import export
from scoring.cli.scoring import main

ARCHIVE = f"pyodide-{export.RUNTIME_VERSION}.tgz"


@pytest.mark.parametrize("is_file", [False, True])
def test_nothing_is_overwritten(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], is_file: bool
) -> None:
    target = tmp_path / "page"
    kept = target if is_file else target / "kept"
    kept.parent.mkdir(exist_ok=True)
    kept.write_text("kept")
    assert main(["ui", "--export", str(target)]) == 2
    assert "expected no file or an empty folder" in capsys.readouterr().err
    assert kept.read_text() == "kept"


def test_the_packages_of_the_runtime_are_verified(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    command = ["ui", "--export", str(tmp_path / "page"), "--runtime", str(tmp_path)]
    assert main(command) == 2
    assert f"{tmp_path}: expected {ARCHIVE}, found none" in capsys.readouterr().err
    (tmp_path / ARCHIVE).write_bytes(b"another")
    assert main(command) == 2
    assert f"{ARCHIVE}: expected the sha512 d18bd7c4485f" in capsys.readouterr().err
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main(command[:3]) == 2
    assert "expected npm to be installed" in capsys.readouterr().err
    assert not (tmp_path / "page").exists()


def test_a_failing_npm_is_quoted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    npm = tmp_path / "npm"
    npm.write_text("#!/bin/sh\necho 'npm error network is down' >&2\nexit 1\n")
    npm.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    assert main(["ui", "--export", str(tmp_path / "page.zip")]) == 2
    assert "npm could not fetch a package: npm error network is down" in capsys.readouterr().err


def test_flags_go_together(capsys: pytest.CaptureFixture[str]) -> None:
    for flags, message in (
        (["--runtime", "x"], "--runtime needs --export"),
        (["--host", "192.0.2.1"], "expected --allow-host"),
    ):
        assert main(["ui", *flags]) == 2
        assert message in capsys.readouterr().err
