"""Spark and Ray on this machine: results do not depend on partitions, nor on workers that die."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute
import pyarrow.parquet as parquet
import pytest

import scoring
from scoring.cli.scoring import main
from scoring.measures import all_measures
from scoring.model.counts import Counts
from scoring.model.errors import ScoringError
from scoring.options import Options
from scoring.score.engines.plan import Plan, Summing, on_columns
from scoring.stats.intervals import Resampling
from tests.scoring.score.engines.test_meetings import COMMANDS, outcome, random_side
from tests.scoring.score.engines.test_meetings import assert_equal as assert_meetings_equal
from tests.scoring.test_doors import OPTIONS
from tests.scoring.test_doors import ROWS as ROWS_OF_DOORS
from tests.scoring.test_option_laws import flags_of

ROWS = int(os.environ.get("SCORING_CLUSTER_ROWS", "1000000"))
PARTITIONS = (1, 7, 64)
COUNTED = [
    measure.name
    for measure in all_measures()
    # those of texts, which need no list of words
    if measure.kind != "sample"
    and not measure.needs - {"raw"}
    and measure.name not in ("words", "vocabulary")
    and measure.corpus_setting in (None, "", "script")
]
CHOICES: dict[str, Any] = {
    "ignore_case": True,
    "measures": ["wer", "cer", *COUNTED],
    "edits": True,
    "measure_options": {"script": "Latn"},
}
SUMS: dict[str, Any] = {
    "by": ["accent"],
    "block": "id",
    "resampling": Resampling(100, 7, 0.9),
    "counted": COUNTED,
}

SMALL = pa.schema({"a": pa.string(), "n": pa.int32(), "f": pa.float64()})


def needed(name: str, *programs: str) -> Any:
    """A module that is not there everywhere, and programs; where they are promised they are there.

    `SCORING_REQUIRE_CLUSTERS` promises.
    """
    if os.environ.get("SCORING_REQUIRE_CLUSTERS"):
        assert all(map(shutil.which, programs)), programs
        return import_module(name)
    for program in programs:
        if shutil.which(program) is None:
            pytest.skip(f"needs {program}")
    return pytest.importorskip(name)


@pytest.fixture(scope="module")
def table() -> Any:
    chooser = np.random.default_rng(5)
    words = ["hello", "Wörld", "a", "日本", "x" * 30]
    texts = [" ".join(chooser.choice(words, size)) for size in chooser.integers(0, 10, 500)]

    def column(values: list[str | None], share_of_null: float) -> Any:
        places = chooser.integers(0, len(values), ROWS)
        return pa.array(values).take(pa.array(places, mask=chooser.random(ROWS) < share_of_null))

    return pa.table(
        {
            "id": [f"u{number}" for number in range(ROWS)],
            "text": column([*texts], 0.001),
            "pred_text": column([*texts], 0.002),
            "accent": column(["de", "en", None], 0),
            "speaker": column(["s1", "s2", None], 0),
        }
    )


@pytest.fixture(scope="module")
def path(table: Any, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The table as a file of row groups, which Spark reads where it scores them."""
    name = str(tmp_path_factory.mktemp("clusters") / "t.parquet")
    parquet.write_table(table, name, row_group_size=-(-ROWS // 64))
    return name


def digesting() -> Any:
    """A function that sums up hashes of all that rows say, whatever their order and layout.

    It knows nothing of this module, which workers need not have.
    """

    def digest(batches: Any) -> Any:
        import polars
        import pyarrow

        rows = total = 0
        for batch in batches:
            hashes = polars.DataFrame(pyarrow.Table.from_batches([batch])).hash_rows().to_list()
            rows, total = rows + len(hashes), total + sum(hashes)
        yield pyarrow.RecordBatch.from_pylist([{"rows": rows, "digest": str(total)}])

    return digest


def digest_of(parts: Any) -> tuple[int, int]:
    """What digests of parts give together."""
    told = [(int(one["rows"]), int(one["digest"])) for one in parts]
    return sum(rows for rows, _ in told), sum(total for _, total in told)


def digest_here(batches: Any) -> tuple[int, int]:
    return digest_of(row for part in digesting()(batches) for row in part.to_pylist())


@pytest.fixture(scope="module")
def wanted(table: Any) -> tuple[tuple[int, int], str]:
    """The digest of all scored rows, and their sums."""
    plan, summing = Plan.of(**CHOICES), Summing(**SUMS)
    batches = list(plan.scored(table.to_batches(1 << 16)))
    return digest_here(batches), json.dumps(summing.merged(summing.partial(batches), "s").to_dict())


def test_the_digest_sees_every_value() -> None:
    rows: list[dict[str, Any]] = [{"a": "x", "n": 1, "f": 0.5}, dict.fromkeys("anf")]
    changes: list[dict[str, Any]] = [{}, {"a": "y"}, {"n": 2}, {"f": 0.25}]
    tables = [
        pa.Table.from_pylist(
            [{**row, **(more if at == place else {})} for at, row in enumerate(rows)]
        )
        .select(SMALL.names)
        .cast(SMALL)
        for place in range(2)
        for more in changes
    ]
    whole, *others = (digest_here(one.to_batches()) for one in tables)
    assert [one == whole for one in others] == [False] * 3 + [True] + [False] * 3
    wide = tables[0].cast(SMALL.set(0, pa.field("a", pa.large_string())))
    assert digest_here(wide.take([1, 0]).to_batches(1)) == whole


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
    sql = needed("pyspark.sql", "java")
    os.environ["PYSPARK_PYTHON"] = sys.executable
    made = (
        sql.SparkSession.builder.master("local[2,4]")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.memory", "2g")
        .getOrCreate()
    )
    yield made
    made.stop()


@pytest.mark.parametrize("partitions", PARTITIONS)
def test_spark(session: Any, path: str, wanted: tuple[Any, str], partitions: int) -> None:
    frame = session.read.parquet(path).repartition(partitions)
    assert frame.rdd.getNumPartitions() == partitions
    scored = scoring.spark.score(frame, **CHOICES)
    digests = scored.mapInArrow(digesting(), "rows long, digest string").collect()
    assert digest_of(digests) == wanted[0]
    assert json.dumps(scoring.spark.summarize(scored, "s", **SUMS).to_dict()) == wanted[1]


@pytest.fixture
def rows_of_doors(tmp_path: Path) -> str:
    """The table of `tests/scoring/test_doors.py`."""
    rows = [dict(zip(("id", "text", "pred_text"), row, strict=True)) for row in ROWS_OF_DOORS]
    name = str(tmp_path / "rows.parquet")
    parquet.write_table(pa.Table.from_pylist(rows), name)
    return name


def answer_of(
    path: str, engine: str, flags: Sequence[str], capsys: pytest.CaptureFixture[str]
) -> tuple[int, str, Sequence[Any], Any]:
    """The status of a command, its text, its remarks, and its sums."""
    output = Path(path).with_suffix(".json")
    output.unlink(missing_ok=True)
    capsys.readouterr()
    command = ["wer", path, "--reference-column", "text", "--engine", engine, *flags]
    status = main([*command, "--remarks", "json", "--json", str(output)])
    text, lines = capsys.readouterr()
    # clusters write to standard error, too
    remarks = [json.loads(line) for line in lines.splitlines() if line.startswith("{")]
    return status, text, remarks, json.loads(output.read_bytes()) if output.exists() else None


def assert_agrees(
    engine: str, path: str, options: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    """An engine has the counts and the signature of every other door; else both refuse.

    Status, text and remarks are those of `local`.
    """
    sides = [pa.array([row[column] for row in ROWS_OF_DOORS]) for column in (1, 2)]
    try:
        rates = scoring.wer(*sides, options=Options(**options))
    except (ValueError, ScoringError):
        rates = None
    flags = list(flags_of(options))
    answer = answer_of(path, engine, flags, capsys)
    assert answer == answer_of(path, "local", flags, capsys)
    status, _, _, document = answer
    assert (status == 2) == (rates is None)
    if rates is not None:
        assert document["signature"] == rates.signature
        assert [document["counts"][kind] for kind in Counts._fields] == list(rates.counts)


# A third of the sets of options, because each asks a cluster anew.
OF_DOORS = [options for options in OPTIONS if not options.keys() & {"variants", "cut"}][::3]
# What gates and rules make of tables with gaps, odd letters, nothing at all.
ODD_TABLES: dict[str, tuple[list[str | None], list[str | None]]] = {
    "crashed": (["a b c d"] * 100, ["a b c d" if row % 10 == 0 else None for row in range(100)]),
    "extra": (["a b", None, "c"], ["a b", "x", "d"]),
    "neither": (["a b", None, "c d"], ["a", None, "c d"]),
    "garbled": (["schön grün"] * 30, ["schÃ¶n grÃ¼n"] * 30),
    "swapped": (["a b c d e f g h"] * 30, ["v w x y z"] * 30),
    "empty": ([], []),
    "silent": (["", ""], ["a", ""]),
}
GATES: tuple[list[str], ...] = (
    [],
    ["--missing", "error", "--fail-above", "20"],
    ["--missing", "skip", "--fail-above", "20"],
    ["--allow-unmatched", "--fail-above", "20"],
    ["--like", "jiwer", "--fail-above", "20"],
    ["--like", "torchmetrics", "--allow-empty"],
    ["--normalize", "plain", "--measures", "loops", "--fail-measure", "loops.loop_rate=1"],
)


def assert_judges(engine: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An engine judges every odd table as `local` does: status, text, remarks and sums."""
    seen = set()
    for name, columns in ODD_TABLES.items():
        path = str(folder / f"{name}.parquet")
        kinds = pa.schema({"text": pa.string(), "pred_text": pa.string()})
        parquet.write_table(pa.table(list(columns), schema=kinds), path)
        for flags in GATES:
            answer = answer_of(path, engine, flags, capsys)
            assert answer == answer_of(path, "local", flags, capsys), (name, flags)
            seen.add(answer[0])
    assert seen == {0, 2, 3}


@pytest.mark.parametrize("options", OF_DOORS, ids=str)
def test_spark_is_a_door(
    session: Any,
    rows_of_doors: str,
    options: dict[str, Any],
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert_agrees("spark", rows_of_doors, options, capsys)


@pytest.mark.release
def test_spark_judges_as_one_machine(
    session: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert_judges("spark", tmp_path, capsys)


def test_spark_reads_needed_columns_alone(
    session: Any, path: str, wanted: tuple[Any, str], capsys: pytest.CaptureFixture[str]
) -> None:
    frame = session.read.parquet(path)
    choices: Any = {name: CHOICES[name] for name in ("ignore_case", "measures", "measure_options")}
    sums: Any = {name: SUMS[name] for name in ("by", "block", "resampling")}
    record = scoring.spark.wer(frame, allow_unmatched=True, **choices, **sums).to_dict()
    assert record.pop("signature").startswith("wer|")
    # rows without a text are counted, since their texts are at hand
    assert record["rows_without_hypothesis"] + record["rows_without_reference"] > 0
    for part in (record, *record["groups"]):
        part.pop("rows_without_hypothesis", None)
        part.pop("rows_without_reference", None)
    expected = json.loads(wanted[1])
    assert record == {name: expected[name] for name in record}
    # what is selected before rows are scored reaches the files
    plan, _ = on_columns(Plan(), Summing(by=["accent"]), frame.columns)
    selected = frame.select(list(plan.keep or ()))
    selected.mapInArrow(lambda batches: batches, selected.schema).explain()
    [columns] = re.findall(r"ReadSchema: struct<(.*?)>", capsys.readouterr().out)
    assert set(columns.split(",")) == {"text:string", "pred_text:string", "accent:string"}


def test_spark_reads_members_of_structs_alone(
    session: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from scoring.score.engines.spark import _selected

    row = {"meta": {"a": "x", "b": "y"}, "turns": [{"a": "p q", "b": "r"}], "m.a": "own"}
    parquet.write_table(pa.Table.from_pylist([row]), tmp_path / "t.parquet")
    frame = session.read.parquet(str(tmp_path / "t.parquet"))
    selected = _selected(frame, ["meta.b", "turns.a", "m.a"])
    assert selected.toArrow().to_pylist() == [{"meta.b": "y", "turns.a": ["p q"], "m.a": "own"}]
    selected.explain()
    [columns] = re.findall(r"ReadSchema: struct<(.*)>", capsys.readouterr().out)
    assert columns == "meta:struct<b:string>,turns:array<struct<a:string>>,m.a:string"
    choices: Any = {"reference": "meta.b", "hypothesis": "turns.a", "by": ["m.a"]}
    assert scoring.spark.wer(frame, **choices).total.counts == (0, 1, 0, 1)
    scored = scoring.spark.score(frame, reference="meta.b", hypothesis="turns.a")
    assert scoring.spark.summarize(scored, by=["m.a"]).total.counts == (0, 1, 0, 1)


def test_spark_loses_a_worker(
    session: Any, path: str, wanted: tuple[Any, str], tmp_path: Path
) -> None:
    die = killer(tmp_path / "died")

    def dying(batches: Iterator[Any]) -> Iterator[Any]:
        for batch in batches:
            yield batch
            die()

    frame = session.read.parquet(path).repartition(4)
    frame = frame.mapInArrow(dying, frame.schema)
    summary = scoring.spark.summarize(scoring.spark.score(frame, **CHOICES), "s", **SUMS)
    assert (tmp_path / "died").exists()
    assert json.dumps(summary.to_dict()) == wanted[1]


def test_spark_says_what_is_wrong(session: Any) -> None:
    frame = session.createDataFrame([("a", 1)], ["text", "pred"])
    with pytest.raises(ValueError, match="expected a column 'pred_text'"):
        scoring.spark.score(frame)
    with pytest.raises(TypeError, match="'pred': expected texts, found numbers"):
        scoring.spark.score(frame, hypothesis="pred")


@pytest.fixture(scope="module")
def ray() -> Iterator[Any]:
    needed("ray.data")
    ray = needed("ray")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    ray.data.DataContext.get_current().enable_progress_bars = False
    yield ray
    ray.shutdown()


def cut(table: Any, partitions: int) -> list[Any]:
    bounds = [ROWS * at // partitions for at in range(partitions + 1)]
    return [table.slice(begin, end - begin) for begin, end in pairwise(bounds)]


@pytest.mark.parametrize("partitions", PARTITIONS)
def test_ray(ray: Any, table: Any, wanted: tuple[Any, str], partitions: int) -> None:
    scored = scoring.ray.score(ray.data.from_arrow(cut(table, partitions)), **CHOICES)
    digest = digesting()

    def work(block: Any) -> Any:
        return pa.Table.from_batches(digest(block.to_batches()))

    digests = scored.map_batches(work, batch_format="pyarrow", batch_size=None).take_all()
    assert digest_of(digests) == wanted[0]
    assert json.dumps(scoring.ray.summarize(scored, "s", **SUMS).to_dict()) == wanted[1]


@pytest.mark.parametrize("options", OF_DOORS, ids=str)
def test_ray_is_a_door(
    ray: Any,
    rows_of_doors: str,
    options: dict[str, Any],
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert_agrees("ray", rows_of_doors, options, capsys)


@pytest.mark.release
def test_ray_judges_as_one_machine(
    ray: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert_judges("ray", tmp_path, capsys)


def test_ray_loses_a_worker(ray: Any, table: Any, wanted: tuple[Any, str], tmp_path: Path) -> None:
    die = killer(tmp_path / "died")

    def dying(block: Any) -> Any:
        die()
        return block

    dataset = ray.data.from_arrow(cut(table, 4)).map_batches(
        dying, batch_format="pyarrow", batch_size=None
    )
    summary = scoring.ray.summarize(scoring.ray.score(dataset, **CHOICES), "s", **SUMS)
    assert (tmp_path / "died").exists()
    assert json.dumps(summary.to_dict()) == wanted[1]


def sides_of_meetings() -> list[Any]:
    """Random meetings; one has no hypothesis, and the tables have other columns."""
    rng = Random(4)
    sides = [random_side(rng, "ab", 9), random_side(rng, "xyz", 9, 3)]
    return [sides[0], sides[1].append_column("score", pa.array([0.5] * len(sides[1])))]


def test_spark_scores_meetings(session: Any, tmp_path: Path) -> None:
    sides = sides_of_meetings()
    frames = [session.createDataFrame(side).repartition(3) for side in sides]
    sums = scoring.spark.meetings(*frames, meeting="cp")
    assert_meetings_equal(sums, sides, tmp_path, Options(meeting="cp"))


def test_ray_scores_meetings(ray: Any, tmp_path: Path) -> None:
    sides = sides_of_meetings()
    sets = [ray.data.from_arrow([side.slice(0, 20), side.slice(20)]) for side in sides]
    sums = scoring.ray.meetings(*sets, meeting="tcp", collar="1s")
    assert_meetings_equal(sums, sides, tmp_path, Options(meeting="tcp", collar="1s"))


def assert_scores_sessions(
    engine: str, folder: Path, flags: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """An engine gives what this process gives: status, text, remarks and files."""
    known = outcome(folder, flags, capsys)
    assert outcome(folder, f"{flags} --engine {engine}", capsys) == known


@pytest.mark.parametrize("flags", COMMANDS)
def test_spark_scores_meetings_of_files(
    session: Any, flags: str, meetings: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert_scores_sessions("spark", meetings, flags, capsys)


@pytest.mark.parametrize("flags", COMMANDS)
def test_ray_scores_meetings_of_files(
    ray: Any, flags: str, meetings: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert_scores_sessions("ray", meetings, flags, capsys)


@pytest.fixture(params=["spark", "ray"])
def engine(request: pytest.FixtureRequest) -> str:
    name = str(request.param)
    needed(*(("pyspark", "java") if name == "spark" else ("ray.data",)))
    return name


def test_the_command(engine: str, table: Any, tmp_path: Path) -> None:
    """In processes of their own, where nobody has a session yet."""
    few = min(ROWS, 30_000) // 3
    for at in range(3):
        rows = table.slice(at * few, few)
        meta = pa.StructArray.from_arrays([rows["accent"].combine_chunks()] * 2, ["a", "b"])
        rows = rows.append_column("meta", meta)
        parquet.write_table(rows, tmp_path / f"part-{at}.parquet")
    files = [str(path) for path in sorted(tmp_path.glob("*.parquet"))]
    common = [sys.executable, "-m", "scoring", "wer", *files, "--reference-column", "text"]
    common += ["--by", "meta.b", "--normalize", "lowercase", "--missing", "skip"]
    common += ["--allow-unmatched", "--measures", "loops,punctuation"]
    common += ["--confidence-interval", "--replications", "100"]
    environment = {**os.environ, "PYTHONPATH": str(Path(scoring.__file__).parents[1])}
    texts = []
    for name in ("local", engine):
        record = str(tmp_path / f"{name}.json")
        scored = str(tmp_path / f"{name}.parquet")
        command = [*common, "--engine", name, "--json", record, "--scored-table", scored]
        made = subprocess.run(command, capture_output=True, env=environment)
        assert made.returncode == 0, made.stderr
        texts.append(made.stdout)
    assert texts[0] == texts[1]
    assert b"[PARTIAL]" in texts[0]
    first, second = (tmp_path / f"{name}.json" for name in ("local", engine))
    assert first.read_bytes() == second.read_bytes()
    rows = [parquet.read_table(tmp_path / f"{name}.parquet") for name in ("local", engine)]
    assert rows[1].equals(rows[0])
    assert rows[0]["row_number"].to_pylist() == list(range(1, 3 * few + 1))


@pytest.mark.parametrize(
    ("flags", "reference"),
    [
        (["--missing", "error"], "c"),
        (["--like", "torchmetrics"], "c"),
        (["--missing", "skip"], None),
    ],
)
def test_gaps_are_refused_as_without_a_cluster(
    engine: str, flags: list[str], reference: str | None, tmp_path: Path
) -> None:
    gaps = [None if row % 10 else "a b" for row in range(100)]
    texts = {"text": ["a b"] * 100 + [reference], "pred_text": [*gaps, "a"]}
    parquet.write_table(pa.table(texts), tmp_path / "t.parquet")
    common = [sys.executable, "-m", "scoring", "wer", "t.parquet", *flags]
    common += ["--reference-column", "text", "--fail-above", "20"]
    environment = {**os.environ, "PYTHONPATH": str(Path(scoring.__file__).parents[1])}
    told = []
    for name in ("local", engine):
        scored = tmp_path / f"{name}.parquet"
        command = [*common, "--engine", name, "--scored-table", scored.name]
        made = subprocess.run(
            command, capture_output=True, env=environment, text=True, cwd=tmp_path
        )
        assert made.returncode == 2, made.stderr
        assert made.stdout == ""
        assert not scored.exists()
        # java writes to standard error, too
        [refusal] = [line for line in made.stderr.splitlines() if line.startswith("scoring: ")]
        told.append(re.sub(r", first in row \d+|: 0000\d\d.*", "", refusal))
    assert told[0] == told[1]
