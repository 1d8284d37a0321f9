"""Benchmark of the engines that score a table, against a user's own function with rapidfuzz.

Run it from the root of the repository. All rows together need pyspark with Java, ray, pandas and
rapidfuzz::

    python benchmarks/engines.py --rows 1000000 --engines local,spark,ray

Both sides run alternately in one session, on two cores. The figures are processor time (of this
process and of all processes that it started, including Java) and elapsed time. Each is the lowest
of several runs. The first run does not count, because in it Java compiles and workers start. The
program needs Linux.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import scoring

ROOT = Path(__file__).resolve().parents[1]
CORES = 2
WORDS = 20
Total = tuple[int, int]  # errors and words


def write_tables(folder: Path, rows: int) -> list[str]:
    """Write Parquet files with rows of 20 words and 9 % errors; return their names."""
    import pyarrow as pa
    import pyarrow.parquet as parquet

    chooser = Random(5)
    words = [f"w{number:x}" for number in range(1000)]
    references, hypotheses = [], []
    for _ in range(5000):
        reference = chooser.choices(words, k=WORDS)
        heard = [chooser.choice(words) if chooser.random() < 0.05 else word for word in reference]
        hypotheses.append(" ".join(word for word in heard if chooser.random() > 0.04))
        references.append(" ".join(reference))
    names = []
    for number in range(8):
        places = [chooser.randrange(len(references)) for _ in range(rows // 8)]
        names.append(str(folder / f"{number}.parquet"))
        columns = {
            "text": [references[place] for place in places],
            "pred_text": [hypotheses[place] for place in places],
        }
        parquet.write_table(pa.table(columns), names[-1], row_group_size=50_000)
    return names


def processor_time() -> float:
    """Return the processor seconds of this process and of all processes that it started."""
    ticks: dict[int, int] = {}
    children: dict[int, list[int]] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                fields = (folder / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue  # it has ended
            children.setdefault(int(fields[1]), []).append(int(folder.name))
            ticks[int(folder.name)] = sum(map(int, fields[11:15]))
    family = [os.getpid()]
    for process in family:
        family += children.get(process, [])
    return sum(ticks.get(process, 0) for process in family) / os.sysconf("SC_CLK_TCK")


def errors_of(references: Any, hypotheses: Any) -> Total:
    """Sum the errors and the reference words of two columns of texts, with rapidfuzz."""
    distance = import_module("rapidfuzz.distance").Levenshtein.distance
    errors = total = 0
    for reference, hypothesis in zip(references, hypotheses, strict=True):
        words = reference.split()
        total += len(words)
        errors += distance(words, hypothesis.split())
    return errors, total


def local(paths: list[str]) -> Iterator[Callable[[], Total]]:
    """Yield the user's function, then ours; both run in this process."""
    import pyarrow.parquet as parquet

    from scoring.score.engines.local import summarize_files
    from scoring.score.engines.plan import Plan, Summing

    def own() -> Total:
        table = parquet.read_table(paths, columns=["text", "pred_text"])
        return errors_of(table["text"].to_pylist(), table["pred_text"].to_pylist())

    def ours() -> Total:
        counts = summarize_files(paths, Plan.of(profile="levenshtein"), Summing()).total.counts
        return counts.errors, counts.reference_tokens

    yield own
    yield ours


def spark(paths: list[str]) -> Iterator[Callable[[], Total]]:
    """Yield the user's function, then ours; both run in a session of Spark."""
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["PYTHONPATH"] = str(ROOT)
    functions = import_module("pyspark.sql.functions")
    builder = import_module("pyspark.sql").SparkSession.builder.master(f"local[{CORES}]")
    session = builder.config("spark.ui.enabled", "false").getOrCreate()
    frame = session.read.parquet(*paths)

    def partial(batches: Any) -> Any:
        import pandas

        for batch in batches:
            errors, words = errors_of(batch.text, batch.pred_text)
            yield pandas.DataFrame({"errors": [errors], "words": [words]})

    def own() -> Total:
        texts = frame.select("text", "pred_text")
        parts = texts.mapInPandas(partial, "errors long, words long")
        [row] = parts.agg(functions.sum("errors"), functions.sum("words")).collect()
        return int(row[0]), int(row[1])

    def ours() -> Total:
        counts = scoring.spark.wer(frame, profile="levenshtein").total.counts
        return counts.errors, counts.reference_tokens

    yield own
    yield ours
    session.stop()


def ray(paths: list[str]) -> Iterator[Callable[[], Total]]:
    """Yield the user's function, then ours; both run in a session of Ray."""
    os.environ["PYTHONPATH"] = str(ROOT)
    # the time of a worker that ends between two looks would be lost
    os.environ["RAY_idle_worker_killing_time_threshold_ms"] = "1000000000"  # noqa: SIM112
    engine = import_module("ray")
    data = import_module("ray.data")
    engine.init(num_cpus=CORES, include_dashboard=False, log_to_driver=False)
    data.DataContext.get_current().enable_progress_bars = False

    def partial(batch: Any) -> Any:
        errors, words = errors_of(batch["text"], batch["pred_text"])
        return {"errors": [errors], "words": [words]}

    def own() -> Total:
        texts = data.read_parquet(paths).select_columns(["text", "pred_text"])
        # Dataset.sum shuffles: its actors wait for processors that the tasks of the reading hold
        parts = texts.map_batches(partial).take_all()
        return sum(part["errors"] for part in parts), sum(part["words"] for part in parts)

    def ours() -> Total:
        rows = data.read_parquet(paths)
        counts = scoring.ray.wer(rows, profile="levenshtein").total.counts
        return counts.errors, counts.reference_tokens

    yield own
    yield ours
    engine.shutdown()


ENGINES = {"local": local, "spark": spark, "ray": ray}


def main() -> None:
    """Measure the engines, and print a row for each."""
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("--rows", type=int, default=1_000_000)
    options.add_argument("--turns", type=int, default=3, help="after the first")
    options.add_argument("--engines", default=",".join(ENGINES))
    arguments = options.parse_args()
    with tempfile.TemporaryDirectory() as name:
        paths = write_tables(Path(name), arguments.rows)
        print(f"{'':8}{'processor time s':^31}{'wall time s':^31}")
        print(f"{'engine':8}" + f"{'rapidfuzz':>13}{'ours':>10}{'ratio':>8}" * 2)
        for engine in arguments.engines.split(","):
            sides = ENGINES[engine](paths)
            pair = [next(sides), next(sides)]
            spent: list[list[float]] = [[], []]
            passed: list[list[float]] = [[], []]
            for turn in range(arguments.turns + 1):
                totals = []
                for side, work in enumerate(pair):
                    before, begin = processor_time(), perf_counter()
                    totals.append(work())
                    if turn:
                        passed[side].append(perf_counter() - begin)
                        spent[side].append(processor_time() - before)
                if totals[0] != totals[1]:
                    raise SystemExit(f"{engine}: expected equal sums, found {totals}")
            next(sides, None)
            row = f"{engine:8}"
            for own, ours in (map(min, spent), map(min, passed)):
                row += f"{own:13.2f}{ours:10.2f}{own / ours:8.2f}"
            print(row, flush=True)


if __name__ == "__main__":
    main()
