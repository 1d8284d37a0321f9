"""What clusters are checked for, without any: addresses, time limits, versions, Java."""

import os
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from formats.schema import VERSION
from scoring.cli.scoring import main
from scoring.score.engines import messages
from scoring.score.engines.cluster import Cluster, ClusterChecks, checked_work, version_probe
from scoring.score.engines.plan import EngineError
from scoring.score.engines.spark import _environment
from tests.remarks import pattern_of


@pytest.fixture
def port() -> Iterator[int]:
    """A port that somebody has, who does not serve it."""
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        yield silent.getsockname()[1]


def checks(address: str = "", timeout: float = 5.0) -> ClusterChecks:
    return ClusterChecks("spark", Cluster(address, timeout))


def test_an_address_that_nobody_serves_is_named(port: int) -> None:
    address = f"spark://127.0.0.1:{port}"
    with pytest.raises(EngineError) as caught:
        checks(address).connect()
    assert caught.value.value is not None
    assert caught.value.value.entry == messages.NO_CLUSTER
    assert str(caught.value).startswith(f"{address}: ")
    assert "\n" not in str(caught.value)


def test_one_host_of_several_is_enough(port: int) -> None:
    with socket.create_server(("127.0.0.1", 0)) as served:
        checks(f"spark://127.0.0.1:{port},127.0.0.1:{served.getsockname()[1]}").connect()
    checks("local[2]").connect()  # which names no host


def test_what_takes_too_long_is_reported_with_the_option_that_waits_longer() -> None:
    with pytest.raises(EngineError, match=pattern_of(messages.NO_WORKER)) as caught:
        checks("spark://one:7077", 0.01).within(messages.NO_WORKER, lambda: time.sleep(2))
    assert "--cluster-timeout" in str(caught.value)
    assert checks().within(messages.NO_WORKER, lambda: 5) == 5
    with pytest.raises(ZeroDivisionError):
        checks().within(messages.NO_WORKER, lambda: 1 // 0)


def test_workers_have_the_same_version() -> None:
    checks().check_version(version_probe()())
    for version, entry in (("0.0.1", messages.OTHER_VERSION), ("", messages.NO_PACKAGE)):
        with pytest.raises(EngineError, match=pattern_of(entry)):
            checks().check_version(version)
    assert checked_work(list)("ab") == ["a", "b"]
    with pytest.raises(RuntimeError, match=f"0.0.1 on the workers, found {VERSION}"):
        checked_work(list, "0.0.1")("ab")


def test_java_is_looked_for_where_spark_looks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(EngineError, match=pattern_of(messages.NO_JAVA)):
        checks().check_java()
    program = tmp_path / "bin" / "java"
    program.parent.mkdir()
    program.touch(0o755)
    checks().check_java()


def test_options_need_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["wer", "t.parquet", "--reference-column", "text", "--engine", "spark"]
    for option in ("--overwrite", "--resume"):
        assert main([*command, option]) == 2
        assert f"{option} needs --scored-table" in capsys.readouterr().err


def test_variables_for_a_local_session_are_removed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OWN_POOL", "2")
    monkeypatch.delenv("NEW_POOL", raising=False)
    before = dict(os.environ)
    with _environment({"OWN_POOL": "1", "NEW_POOL": "1"}):
        assert dict(os.environ) == {**before, "NEW_POOL": "1"}
    assert dict(os.environ) == before
