"""What keeps the page from being exported, in a message each."""

from pathlib import Path

import pytest

from scoring.cli.scoring import main
from scoring.serve.browser import export


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


@pytest.mark.parametrize(
    ("npm", "message"),
    [
        ("echo 'npm error network is down' >&2; exit 1",
         "npm could not fetch a package: npm error network is down"),
        (f"echo another > {export.RUNTIME[0]}", "expected the sha512 d18bd7c4485f"),
        ("", "expected npm to be installed"),
    ],
)  # fmt: skip
def test_packages_are_fetched_and_verified(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
    npm: str, message: str,
) -> None:  # fmt: skip
    if npm:
        (tmp_path / "npm").write_text(f"#!/bin/sh\n{npm}\n")
        (tmp_path / "npm").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main(["ui", "--export", str(tmp_path / "page.zip")]) == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "page.zip").exists()


@pytest.mark.parametrize(
    ("node", "message"),
    [
        ("echo 'SyntaxError: Unexpected token' >&2; exit 1",
         "node could not compile the modules of the page: SyntaxError: Unexpected token"),
        ("", "expected node to be installed"),
    ],
)  # fmt: skip
def test_the_runtime_compiles_the_modules(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
    node: str, message: str,
) -> None:  # fmt: skip
    if node:
        (tmp_path / "node").write_text(f"#!/bin/sh\n{node}\n")
        (tmp_path / "node").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    runtime = dict.fromkeys(export.RUNTIME_FILES, b"")
    monkeypatch.setattr(export, "_runtime", lambda _: iter(runtime.items()))
    assert main(["ui", "--export", str(tmp_path / "page.zip")]) == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "page.zip").exists()


def test_other_machines_need_a_list_of_names(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ui", "--host", "192.0.2.1"]) == 2
    assert "expected --allow-host" in capsys.readouterr().err
