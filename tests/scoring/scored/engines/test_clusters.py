"""Spark and Ray on this machine: results do not depend on partitions, nor on workers that die."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute
import pyarrow.parquet as parquet
import pytest

import scoring
from scoring.regression.comparison import Resampling
from scoring.scored.engines.plan import Plan, Summing

ROWS = int(os.environ.get("SCORING_CLUSTER_ROWS", "100000"))
CHOICES: dict[str, Any] = {"normalize": "lowercase", "measures": ["wer", "cer"], "edits": True}
SUMS: dict[str, Any] = {"by": ["accent"], "block": "id", "resampling": Resampling(200, 7, 0.9)}


@pytest.fixture(scope="module")
def table() -> Any:
    chooser = random.Random(5)
    words = ["hello", "Wörld", "a", "日本", "x" * 30]
    texts = [" ".join(chooser.choices(words, k=chooser.randint(0, 9))) for _ in range(500)]
    return pa.table(
        {
            "id": [f"u{number}" for number in range(ROWS)],
            "text": [chooser.choice(texts) if number % 997 else None for number in range(ROWS)],
            "pred_text": [
                chooser.choice(texts) if number % 991 else None for number in range(ROWS)
            ],
            "accent": chooser.choices(["de", "en", None], k=ROWS),
        }
    )


@pytest.fixture(scope="module")
def wanted(table: Any) -> tuple[Any, Any]:
    plan, summing = Plan.of(**CHOICES), Summing(**SUMS)
    batches = list(plan.scored(table.to_batches()))
    parts = [row for part in summing.partial(batches) for row in part.to_pylist()]
    return pa.Table.from_batches(batches), summing.merged(parts, "s").to_dict()


def in_order(table: Any, names: list[str]) -> Any:
    return table.select(names).take(pa.compute.sort_indices(table["id"])).combine_chunks()


def assert_same_rows(found: Any, wanted: Any) -> None:
    """Byte by byte, but for how wide offsets are."""
    left, right = (in_order(one, wanted.column_names) for one in (found, wanted))
    assert left.cast(right.schema).equals(right)


def killer(marker: Path) -> Any:
    """A function that ends its process the first time it is called anywhere."""
    name = str(marker)

    def once() -> None:
        try:
            os.close(os.open(name, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            return
        os.kill(os.getpid(), signal.SIGKILL)

    return once


@pytest.fixture(scope="module")
def session() -> Iterator[Any]:
    sql = pytest.importorskip("pyspark.sql")
    if shutil.which("java") is None:
        pytest.skip("needs Java")
    os.environ["PYSPARK_PYTHON"] = sys.executable
    made = (
        sql.SparkSession.builder.master("local[2,4]")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.memory", "2g")
        .getOrCreate()
    )
    yield made
    made.stop()


@pytest.mark.parametrize("partitions", [1, 7, 64])
def test_spark(session: Any, table: Any, wanted: Any, partitions: int, tmp_path: Path) -> None:
    parquet.write_table(table, tmp_path / "t.parquet")
    frame = session.read.parquet(str(tmp_path / "t.parquet")).repartition(partitions)
    assert frame.rdd.getNumPartitions() == partitions
    scored = scoring.spark.score(frame, **CHOICES)
    assert_same_rows(scored.toArrow(), wanted[0])
    summary = scoring.spark.summarize(scored, "s", **SUMS)
    assert json.dumps(summary.to_dict()) == json.dumps(wanted[1])


def test_spark_loses_a_worker(session: Any, table: Any, wanted: Any, tmp_path: Path) -> None:
    die = killer(tmp_path / "died")

    def dying(batches: Iterator[Any]) -> Iterator[Any]:
        for batch in batches:
            yield batch
            die()

    parquet.write_table(table, tmp_path / "t.parquet")
    frame = session.read.parquet(str(tmp_path / "t.parquet")).repartition(4)
    frame = frame.mapInArrow(dying, frame.schema)
    scored = scoring.spark.score(frame, **CHOICES)
    summary = scoring.spark.summarize(scored, "s", **SUMS)
    assert (tmp_path / "died").exists()
    assert json.dumps(summary.to_dict()) == json.dumps(wanted[1])


def test_spark_says_what_is_wrong(session: Any, table: Any) -> None:
    frame = session.createDataFrame([("a", 1)], ["text", "pred"])
    with pytest.raises(ValueError, match="expected a column 'pred_text'"):
        scoring.spark.score(frame)
    with pytest.raises(TypeError, match="'pred': expected texts, found numbers"):
        scoring.spark.score(frame, hypothesis="pred")


@pytest.fixture(scope="module")
def ray() -> Iterator[Any]:
    ray = pytest.importorskip("ray")
    pytest.importorskip("ray.data")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    ray.data.DataContext.get_current().enable_progress_bars = False
    yield ray
    ray.shutdown()


@pytest.mark.parametrize("partitions", [1, 7, 64])
def test_ray(ray: Any, table: Any, wanted: Any, partitions: int) -> None:
    blocks = [
        table.slice(
            ROWS * at // partitions, ROWS * (at + 1) // partitions - ROWS * at // partitions
        )
        for at in range(partitions)
    ]
    scored = scoring.ray.score(ray.data.from_arrow(blocks), **CHOICES).materialize()
    assert_same_rows(pa.concat_tables(ray.get(scored.to_arrow_refs())), wanted[0])
    summary = scoring.ray.summarize(scored, "s", **SUMS)
    assert json.dumps(summary.to_dict()) == json.dumps(wanted[1])


def test_ray_loses_a_worker(ray: Any, table: Any, wanted: Any, tmp_path: Path) -> None:
    die = killer(tmp_path / "died")

    def dying(block: Any) -> Any:
        die()
        return block

    blocks = [table.slice(at * ROWS // 4, (at + 1) * ROWS // 4 - at * ROWS // 4) for at in range(4)]
    dataset = ray.data.from_arrow(blocks).map_batches(
        dying, batch_format="pyarrow", batch_size=None
    )
    scored = scoring.ray.score(dataset, **CHOICES)
    summary = scoring.ray.summarize(scored, "s", **SUMS)
    assert (tmp_path / "died").exists()
    assert json.dumps(summary.to_dict()) == json.dumps(wanted[1])


@pytest.fixture(params=["spark", "ray"])
def engine(request: pytest.FixtureRequest) -> str:
    name = str(request.param)
    pytest.importorskip("pyspark" if name == "spark" else "ray.data")
    if name == "spark" and shutil.which("java") is None:
        pytest.skip("needs Java")
    return name


def test_the_command(engine: str, table: Any, tmp_path: Path) -> None:
    """In processes of their own, where nobody has a session yet."""
    for at in range(3):
        part = table.slice(at * ROWS // 3, ROWS // 3)
        parquet.write_table(part, tmp_path / f"part-{at}.parquet")
    files = [str(path) for path in sorted(tmp_path.glob("*.parquet"))]
    common = [sys.executable, "-m", "scoring", "wer", *files, "--reference-column", "text"]
    common += ["--by", "accent", "--normalize", "lowercase"]
    common += ["--confidence-interval", "--replications", "100"]
    environment = {**os.environ, "PYTHONPATH": str(Path(scoring.__file__).parents[1])}
    texts = []
    for name in ("local", engine):
        record = str(tmp_path / f"{name}.json")
        command = [*common, "--engine", name, "--json", record]
        made = subprocess.run(command, capture_output=True, check=True, env=environment)
        texts.append(made.stdout)
    assert texts[0] == texts[1]
    first, second = (tmp_path / f"{name}.json" for name in ("local", engine))
    assert first.read_bytes() == second.read_bytes()
