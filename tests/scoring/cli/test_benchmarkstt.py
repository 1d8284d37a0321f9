"""The installed commands `benchmarkstt` and `benchmarkstt-tools`: status, streams, one-line errors."""

import os
import subprocess
from configparser import ConfigParser
from pathlib import Path
from typing import Any

import pytest

from scoring.cli.peers import benchmarkstt
from scoring.serve import benchmarkstt_tools
from tests.programs import python

ROOT = Path(__file__).resolve().parents[3]


def started(module: str, *arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"}
    return python("-m", module, *arguments, input=stdin, env=environment)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ref.txt").write_text("a b c d")
    (tmp_path / "hyp.txt").write_text("a b x d")
    (tmp_path / "latin.txt").write_bytes(b"\xe9")
    (tmp_path / "bad.conf").write_text('[normalization]\nreplace "x')
    return tmp_path


def test_entry_points() -> None:
    configuration = ConfigParser()
    configuration.read(ROOT / "setup.cfg")
    scripts = configuration["options.entry_points"]["console_scripts"].split("\n")
    assert "benchmarkstt = scoring.cli.start:benchmarkstt" in scripts
    assert "benchmarkstt-tools = scoring.cli.start:benchmarkstt_tools" in scripts


def test_a_benchmark() -> None:
    done = started(
        "scoring.cli.peers.benchmarkstt",
        "-r",
        "ref.txt",
        "-h",
        "hyp.txt",
        "--wer",
        "--worddiffs",
        "html",
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout == (
        b"wer\n===\n\n0.250000\n\nworddiffs\n=========\n\n"
        b' a b<span class="delete"> c</span><span class="insert"> x</span> d\n\n'
    )


def test_version() -> None:
    assert started("scoring.cli.peers.benchmarkstt", "--version").stdout == b"benchmarkstt: 1.1\n"


def test_standard_input() -> None:
    done = started(
        "scoring.serve.benchmarkstt_tools", "normalization", "--lowercase", stdin=b"IT WORKS!\n"
    )
    assert (done.returncode, done.stdout) == (0, b"it works!\n")


SIDES = ["-r", "ref.txt", "-h", "hyp.txt"]


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["-r", "none.txt", "-h", "hyp.txt", "--wer"], "none.txt: No such file or directory"),
        ([*SIDES, "--worddiffs", "nope"], "Unknown diff dialect: nope"),
        ([*SIDES, "--cer", "hunt"], "CER is only implemented for Levenshtein distance"),
        (["-r", "latin.txt", "-h", "hyp.txt", "--wer"], "expected text in utf-8, found unexpected end of data at byte 1 (DEFAULT_ENCODING"),
        ([*SIDES, "--wer", "--config", "bad.conf"], "Unexpected end on line 2, character 9"),
        ([*SIDES, "--wer", "--regex", "(", "x"], "missing ), unterminated subpattern"),
        ([*SIDES, "--wer", "--load", "nothing_here"], "No module named 'nothing_here'"),
        ([*SIDES, "--wer", "--config", "bad.conf", "s", "nope"], "unknown encoding: nope"),
        (["-r", "a", "-h", "b", "--wer"], "Cannot infer input file type of files without an ext"),
        (["-r", ".", "-rt", "plaintext", "-h", "hyp.txt", "--wer"], ".: Is a directory"),
    ],
)  # fmt: skip
def test_what_cannot_be_served(
    arguments: list[str], line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert benchmarkstt.main(arguments) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith(f"benchmarkstt: error: {line}")
    assert captured.err.count("\n") == 1


def test_no_file_is_overwritten(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["normalization", "-i", "ref.txt", "-o", "hyp.txt", "--lowercase"]
    assert benchmarkstt_tools.main(arguments) == 1
    assert capsys.readouterr().err == "benchmarkstt-tools: error: hyp.txt: File exists\n"
    assert (folder / "hyp.txt").read_text() == "a b x d"


def test_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert benchmarkstt.main([]) == 2
    assert benchmarkstt_tools.main([]) == 2
    assert benchmarkstt.main(["--help"]) == 0
    assert "Traceback" not in capsys.readouterr().err


def test_interruption(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    assert benchmarkstt.status_of("benchmarkstt", interrupted) == 130
    assert capsys.readouterr().err == "benchmarkstt: error: interrupted\n"

    def exhausted() -> None:
        raise MemoryError

    assert benchmarkstt.status_of("benchmarkstt", exhausted) == 1


def test_the_server_gets_what_it_needs(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    transport = pytest.importorskip("scoring.serve.transport", exc_type=ImportError)
    seen: list[tuple[Any, ...]] = []

    def listen(*arguments: Any) -> int:
        seen.append(arguments)
        return 3

    monkeypatch.setattr(transport, "serve", listen)
    given = ["api", "--port", "0", "--entrypoint", "/rpc", "--with-explorer", "--log-level", "WARN"]
    assert benchmarkstt_tools.main(given) == 3
    ((settings, host, port, level),) = seen
    assert settings[:3] == ("/rpc", True, str(folder))
    assert (host, port, level) == ("127.0.0.1", 0, "WARNING")
