"""`scoring serve` on the command line, and the sub-command `api` of BenchmarkSTT's tools."""

import argparse
import os
import socket
from pathlib import Path
from typing import TypeAlias

import pytest

from scoring.cli.scoring import main
from scoring.serve import benchmarkstt_tools
from scoring.serve.methods import descriptions
from scoring.serve.settings import Settings
from scoring.serve.transport import ListenError, listening
from tests.each_case import each_case
from tests.tables import table_of

Served: TypeAlias = list[tuple[Settings, str, int, str]]


def test_list_methods(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--list-methods"]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("version\n-------\n\n")
    for name, text in descriptions().items():
        assert f"{name}\n{'-' * len(name)}\n\n{text}\n\n" in printed


@each_case("arguments", table_of(__file__, "wrong_usage"))
def test_wrong_usage(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", *arguments]) == 2
    message = capsys.readouterr().err
    assert "expected" in message or "invalid choice" in message or "unrecognized" in message
    assert "Traceback" not in message


def test_port_that_is_taken(capsys: pytest.CaptureFixture[str]) -> None:
    environment = dict(os.environ)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["serve", "--port", str(port), "--log-level", "error"]) == 2
    assert f"127.0.0.1:{port}: cannot listen at this address: " in capsys.readouterr().err
    assert os.environ == environment  # processes that others start are not concerned


@pytest.mark.parametrize("host", ["203.0.113.7", "no.such.host.invalid", "a" * 300])
def test_address_that_is_not_ours(host: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--host", host, "--port", "0", "--log-level", "error"]) == 2
    assert "cannot listen at this address" in capsys.readouterr().err


def test_port_beyond_the_last() -> None:
    with pytest.raises(ListenError, match="port must be 0-65535"):
        listening("127.0.0.1", 70_000)


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> Served:
    """What would have been served; all but the first end with another status."""
    calls: Served = []

    def fake(settings: Settings, host: str, port: int, level: str) -> int:
        calls.append((settings, host, port, level))
        return len(calls) - 1

    monkeypatch.setattr("scoring.serve.transport.serve", fake)
    return calls


def test_flags_become_settings(served: Served, tmp_path: Path) -> None:
    flags = (
        "--host ::1 --port 9 --entrypoint /x --workers 3 --queue 0 --connections 7 --max-batch 2"
    )
    more = "--max-body 4 --memory 600 --timeout 1.5 --grace 2 --allow-host Scores.Example"
    arguments = [*flags.split(), *more.split(), "--rules-folder", str(tmp_path), "--with-explorer"]
    assert main(["serve", *arguments]) == 0
    [(settings, *address)] = served
    assert address == ["::1", 9, "INFO"]
    assert settings[:6] == ("/x", True, str(tmp_path), 3, ("scores.example",), ())
    assert settings.grace == 2
    limits = settings.limits
    assert (limits.queue, limits.connections, limits.batch) == (0, 7, 2)
    assert (limits.body, limits.memory, limits.seconds) == (4 << 20, 600 << 20, 1.5)


def test_api_of_the_tools(served: Served, current_folder: Path) -> None:
    given = argparse.Namespace(
        host=None, port=8080, entrypoint="/api", with_explorer=True, debug=True, load=["mine"]
    )
    benchmarkstt_tools.serve(given)
    [(settings, *address)] = served
    assert address == ["127.0.0.1", 8080, "DEBUG"]
    assert settings.root == str(current_folder)
    assert settings.modules == ("mine",)
    with pytest.raises(SystemExit) as caught:
        benchmarkstt_tools.serve(given)
    assert caught.value.code == 1


def test_without_the_packages(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import sys

    for name in [one for one in sys.modules if one.startswith(("uvicorn", "starlette"))]:
        monkeypatch.delitem(sys.modules, name)
    loaded = ("transport", "application", "runs", "browser.service")
    for name in loaded:
        monkeypatch.delitem(sys.modules, f"scoring.serve.{name}", raising=False)
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    needs = "scoring: error: the service needs the {}: pip install 'sclite-kit[server]'\n"
    assert main(["serve"]) == 2
    assert capsys.readouterr().err == needs.format("package uvicorn")
    # both packages are one message, of the page, too
    monkeypatch.setitem(sys.modules, "starlette", None)
    for words in (["serve"], ["ui", "--no-open"]):
        assert main(words) == 2
        assert capsys.readouterr().err == needs.format("packages starlette and uvicorn")
