"""Clusters with masters and workers of their own on this machine, whose parts are killed."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as parquet
import pytest

import scoring
from tests.scoring.score.engines.test_clusters import needed

pytestmark = pytest.mark.release
FILES, ROWS = 8, 20_000
SECONDS = 180
CALL = [sys.executable, "-m", "scoring", "wer", "data", "--reference-column", "text"]
OPTIONS = ["--missing", "skip", "--by", "accent", "--confidence-interval", "--replications", "50"]
ENVIRONMENT = {
    **os.environ,
    "PYTHONPATH": str(Path(scoring.__file__).parents[1]),
    "PYSPARK_PYTHON": sys.executable,
    "SPARK_LOCAL_IP": "127.0.0.1",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Tables in files of the same size, and their sums by this process."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data").mkdir()
    words = ["the", "cat", "sat", "on", "a", "mat", "while", "it", "rained"]
    for number in range(FILES):
        rows = range(number * ROWS, (number + 1) * ROWS)
        table = {
            "id": [f"u{row}" for row in rows],
            "text": [" ".join(words[row % 3 : 4 + row % 5] * 5) for row in rows],
            "pred_text": [" ".join(words[row % 4 : 4 + row % 5] * 5) for row in rows],
            "accent": [f"a{row % 7}" for row in rows],
        }
        hypotheses = pa.array(table["pred_text"], mask=[row % 997 == 0 for row in rows])
        parquet.write_table(pa.table({**table, "pred_text": hypotheses}), f"data/{number}.parquet")
    run("local", ["--scored-table", "local.parquet"])
    return tmp_path


def run(engine: str, more: Sequence[str] = ()) -> None:
    """Score the tables, and write `ENGINE.json`."""
    command = [*CALL, *OPTIONS, "--engine", engine, "--json", f"{engine}.json", *more]
    ended = subprocess.run(command, capture_output=True, env=ENVIRONMENT, timeout=SECONDS)
    assert ended.returncode == 0, ended.stderr[-2000:]


def assert_same(engine: str) -> None:
    """Sums are those of this process, and so is every row."""
    assert Path(f"{engine}.json").read_bytes() == Path("local.json").read_bytes()
    own, other = (parquet.read_table(f"{name}.parquet") for name in ("local", engine))
    # the files of the folder are in the order of the rows
    assert other.equals(own)
    assert not list(Path().glob("*.unfinished"))


def wait_for(ready: Callable[[], object]) -> None:
    """Wait until something is there."""
    end = time.monotonic() + SECONDS
    while not ready():
        assert time.monotonic() < end
        time.sleep(0.02)


def assert_survives(engine: str, address: str, kill_worker: Callable[[], object]) -> None:
    """A driver that is killed is resumed, and a worker that is killed changes nothing."""
    scored, unfinished = f"{engine}.parquet", Path(f"{engine}.parquet.unfinished")
    common = ["--master", address, "--scored-table", scored, "--cluster-timeout", "120"]
    command = [*CALL, *OPTIONS, "--engine", engine, "--json", f"{engine}.json", *common]
    with subprocess.Popen(
        command, env=ENVIRONMENT, stderr=subprocess.DEVNULL, start_new_session=True
    ) as driver:
        wait_for(lambda: any(unfinished.rglob("*.parquet")))
        os.killpg(driver.pid, signal.SIGKILL)
    assert not Path(scored).exists()
    assert not Path(f"{engine}.json").exists()
    kept = {path.name: path.stat().st_mtime_ns for path in unfinished.rglob("*.parquet")}
    run(engine, [*common, "--resume"])
    assert_same(engine)
    # a worker may have replaced a part that it had begun before its driver was killed
    assert any(Path(scored, name).stat().st_mtime_ns == kept[name] for name in kept)
    with subprocess.Popen(
        [*command, "--overwrite"], env=ENVIRONMENT, stderr=subprocess.PIPE
    ) as driver:
        wait_for(lambda: any(unfinished.rglob("*.parquet")))
        kill_worker()
        _, errors = driver.communicate(timeout=SECONDS)
    assert driver.returncode == 0, errors[-2000:]
    assert_same(engine)


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


def is_served(port: int) -> bool:
    with socket.socket() as caller:
        return caller.connect_ex(("127.0.0.1", port)) == 0


@contextmanager
def daemon(home: Path, *command: str) -> Iterator[subprocess.Popen[bytes]]:
    """A process of Spark, which is killed in the end with all that it started."""
    program = str(home / "bin" / "spark-class")
    environment = {**ENVIRONMENT, "SPARK_HOME": str(home), "SPARK_WORKER_DIR": os.getcwd()}
    process = subprocess.Popen(
        [program, *command],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        kill(process)
        process.wait()


def kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and all that it started."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)


def test_a_cluster_of_spark(folder: Path) -> None:
    home = Path(needed("pyspark", "java").__file__).parent
    port = free_port()
    address = f"spark://127.0.0.1:{port}"
    package = "org.apache.spark.deploy"
    host = ["--host", "127.0.0.1", "--webui-port", "0"]
    worker = [f"{package}.worker.Worker", *host, "--cores", "1", "--memory", "1g", address]
    with daemon(home, f"{package}.master.Master", *host, "--port", str(port)):
        wait_for(lambda: is_served(port))
        assert_refuses("spark", address, "a free worker")
        with daemon(home, *worker), daemon(home, *worker) as second:
            assert_survives("spark", address, lambda: kill(second))
    assert_refuses("spark", address, "a cluster of spark")


def test_spark_connect_scores_rows_and_meetings(folder: Path) -> None:
    home = Path(needed("pyspark", "java").__file__).parent
    needed("zstandard")
    port = free_port()
    server = "org.apache.spark.sql.connect.service.SparkConnectServer"
    setting = f"spark.connect.grpc.binding.port={port}"
    run_server = ["org.apache.spark.deploy.SparkSubmit", "--master", "local[2]", "--class", server]
    engine = ["--engine", "spark", "--master", f"sc://127.0.0.1:{port}"]
    Path("m.stm").write_text("m1 1 A 0 2 one two\nm1 1 B 2 3 three\nm2 1 A 0 1 four\n")
    Path("h.stm").write_text("m1 1 x 0 2 one too\nm1 1 y 2 3 three\nm2 1 x 0 1 for\n")
    meeting = [*CALL[:4], "m.stm", "h.stm", "--meeting", "cp", "--json"]
    with daemon(home, *run_server, "--conf", setting, "spark-internal"):
        wait_for(lambda: is_served(port))
        run("spark", [*engine[2:], "--scored-table", "spark.parquet"])
        for command in ([*meeting, "one.json"], [*meeting, "two.json", *engine]):
            subprocess.run(command, env=ENVIRONMENT, timeout=SECONDS, check=True)
    assert_same("spark")
    assert Path("one.json").read_bytes() == Path("two.json").read_bytes()


@pytest.mark.parametrize("engine", ["spark", "ray"])
def test_a_server_that_never_answers_is_no_cluster(folder: Path, engine: str) -> None:
    needed(*{"spark": ("pyspark", "java"), "ray": ("ray.data",)}[engine])
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"127.0.0.1:{silent.getsockname()[1]}"
        if engine == "spark":
            address = f"spark://{address}"
        answer = f"an answer of the {engine} cluster within 3 s"
        assert_refuses(engine, address, answer, seconds="3")


def test_a_cluster_of_ray(folder: Path) -> None:
    needed("ray.data")
    cluster_utils: Any = needed("ray.cluster_utils")
    cluster = cluster_utils.Cluster(
        initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False}
    )
    address = cluster.address
    try:
        assert_refuses("ray", address, "a free worker")
        cluster.add_node(num_cpus=1)
        second = cluster.add_node(num_cpus=1)
        assert_survives(
            "ray",
            address,
            lambda: cluster.remove_node(second, allow_graceful=False),
        )
    finally:
        cluster.shutdown()
    assert_refuses("ray", address, "a cluster of ray")


def assert_refuses(engine: str, address: str, expected: str, seconds: str = "30") -> None:
    """A cluster that lacks something is refused in one line that names its address."""
    command = [*CALL, "--engine", engine, "--master", address, "--cluster-timeout", seconds]
    ended = subprocess.run(
        command, capture_output=True, env=ENVIRONMENT, text=True, timeout=SECONDS
    )
    assert ended.returncode == 2
    assert ended.stdout == ""
    # java writes to standard error, too
    [line] = [line for line in ended.stderr.splitlines() if line.startswith("scoring: ")]
    assert line.startswith(f"scoring: error: {address}: expected {expected}")
