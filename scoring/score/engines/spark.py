"""Scores of Spark data frames by Spark's `mapInArrow`; needs pyspark (extra `spark`)."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from formats.tables.nested import column_path
from scoring.options import Options
from scoring.score.engines import messages
from scoring.score.engines.cluster import (
    JAVA_TIMEOUT,
    Cluster,
    ClusterChecks,
    checked_work,
    version_probe,
)
from scoring.score.engines.meetings import SIDE, MeetingPlan
from scoring.score.engines.plan import (
    Plan,
    Summing,
    SummingChoices,
    engine_errors,
    on_columns,
    plan_of_sums,
    sums_of_rows,
)
from scoring.score.engines.sessions import scored_by
from scoring.score.engines.summary import TableSums

if TYPE_CHECKING:
    from pyspark.sql import DataFrame
    from typing_extensions import Unpack

    from scoring.options import Choices
    from scoring.score.engines.parts import PartsOfTables
    from scoring.score.engines.plan import PlanChoices, SumsChoices

# Sessions are dealt to at most so many tasks.
_MOST_TASKS = 200
# On this machine Java shares memory with the workers. Java's usual collector keeps the heap it had,
# and its second compiler takes 40 MB for 10 % of the time of rows after the first million.
# `spark.driver.extraJavaOptions` come after these.
SMALL_HEAP = (
    "-Xms16m -Xmn12m -XX:+UseSerialGC -XX:MinHeapFreeRatio=10 -XX:MaxHeapFreeRatio=20 "
    "-XX:TieredStopAtLevel=1 -Dio.netty.allocator.numDirectArenas=1 "
    "-Dio.netty.allocator.numHeapArenas=1"
)
# Java and the workers return memory that they have freed.
_SMALL_POOLS = {"MALLOC_ARENA_MAX": "1", "ARROW_DEFAULT_MEMORY_POOL": "system"}


def score(frame: DataFrame, **choices: Unpack[PlanChoices]) -> DataFrame:
    """Append scores to each row of a data frame, like `scoring.score_columns`.

    No rows are shuffled: each partition is scored in its place, batch by batch. A row that cannot
    be scored raises no error; the column `problem` has the reason (see
    `scoring.score.engines.plan.Plan`).

    Parameters
    ----------
    choices
        `reference`, `hypothesis`, `keep`, `measures`, `edits`, `options` and single options, as in
        `scoring.score_columns`.

    Raises
    ------
    ValueError, TypeError
        As in `scoring.score_columns`, before any row is read.
    """
    scored: DataFrame = _scored(frame, Plan.of(**choices))
    return scored


def _scored(frame: Any, plan: Plan) -> Any:
    return _mapped(frame, plan.scored, plan.schema(_schema_of(frame)))


def _mapped(frame: Any, work: Any, schema: Any) -> Any:
    """Apply `work` to the record batches of each partition of a data frame."""
    from pyspark.sql.pandas.types import from_arrow_schema

    names, checked = frame.columns, checked_work(work)

    def on_named(batches: Any) -> Any:
        return checked(batch.rename_columns(names) for batch in batches)

    numbered = frame.toDF(*[f"column_{number}" for number in range(len(names))])
    return numbered.mapInArrow(on_named, from_arrow_schema(schema))


def summarize(
    frame: DataFrame, signature: str = "", **choices: Unpack[SummingChoices]
) -> TableSums:
    """Return the sums of a data frame with the scores of `score`; rows stay in their partitions.

    `wer` sums without creating scored rows and takes a quarter of the time.

    Parameters
    ----------
    signature
        The signature that is printed with the numbers.
    choices
        `measure`, `by`, `resampling`, `block`, as in `scoring.score.engines.plan.Summing`.

    Raises
    ------
    ValueError
        If a column is missing.
    """
    summing = Summing(**choices)
    summing.check(_schema_of(frame))
    return _merged(frame, summing.partial, summing, signature)


def wer(frame: DataFrame, **choices: Unpack[SumsChoices]) -> TableSums:
    """Score and sum the rows of a data frame in one pass; return the sums.

    Only the required columns are read: texts, groups, and names for an interval.

    Parameters
    ----------
    choices
        `reference`, `hypothesis`, `measures`, `options` and single options, as in `score`, and
        `by`, `resampling` and `block`, as in `summarize`. The first of `measures` is `wer` or
        `cer`.

    Raises
    ------
    ValueError, TypeError
        As in `scoring.score_columns`, before any row is read.
    ScoringError
        If rows lack the text of one side and the options reject this; raised after all rows are
        summed.
    """
    plan, summing = plan_of_sums(**choices)
    return plan.checked(_sums(frame, plan, summing))


def meetings(
    reference: DataFrame,
    hypothesis: DataFrame,
    *,
    session: str = "recording",
    order: str = "start",
    options: Options | None = None,
    **choices: Unpack[Choices],
) -> TableSums:
    """Return the sums of meetings, one group per meeting; a worker scores both sides of a meeting.

    Each row is a segment of one side, with the columns of a table of segments: `speaker`, `text`
    and, for measures with times, `start` and `end` in seconds.

    Parameters
    ----------
    session, order
        The column with the name of the meeting, and the column that orders the segments of a side.
    options, choices
        Options as in `scoring.wer`. `meeting` is required and must not be `auto`.

    Raises
    ------
    ValueError, TypeError
        If an option has an invalid value, or a column is missing.
    ScoringError
        If a side lacks meetings and the options reject this.
    """
    plan = MeetingPlan.of(session, order, (options or Options()).changed(**choices))
    from pyspark.sql import functions
    from pyspark.sql.pandas.types import from_arrow_schema

    signature, summing = plan.signature(), plan.summing
    sides = []
    for name, frame in (("reference", reference), ("hypothesis", hypothesis)):
        plan.check(frame.columns)
        sides.append(frame.withColumn(SIDE, functions.lit(name)))
    rows = sides[0].unionByName(sides[1], allowMissingColumns=True)
    work = checked_work(plan.scored)
    scored = rows.groupBy(session).applyInArrow(work, from_arrow_schema(plan.schema()))
    return plan.checked(_merged(scored, summing.partial, summing, signature))


def _sums(frame: Any, plan: Plan, summing: Summing) -> TableSums:
    """Score and sum the rows in one stage, reading only the needed columns."""
    schema = _schema_of(frame)
    adapted, summing = on_columns(plan, summing, schema.names)
    assert adapted.keep is not None
    summing.check(adapted.schema(schema))
    needed = _selected(frame, adapted.keep)
    work = sums_of_rows(adapted, summing)
    return _merged(needed, work, summing, plan.signature(summing.measure))


def _selected(frame: Any, names: Sequence[str]) -> Any:
    """Select columns by name or path. Of structs, only the needed members are read."""
    from pyspark.sql.functions import col

    def quoted(name: str) -> str:
        return f"`{name.replace('`', '``')}`"

    schema = _schema_of(frame)
    paths = {name: column_path(schema, name).names for name in names}
    return frame.select(
        *[col(".".join(map(quoted, path))).alias(name) for name, path in paths.items()]
    )


def _schema_of(frame: Any) -> Any:
    """Return the `pyarrow.Schema` of a data frame."""
    from pyspark.sql.pandas.types import to_arrow_schema

    return to_arrow_schema(frame.schema)


def _merged(frame: Any, work: Any, summing: Summing, signature: str) -> TableSums:
    """Return the sums of all partitions. Workers merge groups before they reach the driver."""
    schema = summing.schema()
    parts = _mapped(frame, work, schema)
    if not summing.by:
        return summing.merged(parts.toArrow().cast(schema).to_batches(), signature)
    from pyspark.sql import functions

    merged = [
        (functions.max if name in summing.greatest else functions.sum)(name).alias(name)
        for name in summing.numbers
    ]
    # each partition has sums of replications in one of its groups
    drawn = [functions.flatten(functions.collect_list(name)).alias(name) for name in summing.drawn]
    groups = parts.groupBy(*summing.keys).agg(*merged, *drawn)
    if not summing.is_listed:
        return summing.merged(groups.toArrow().to_batches(), signature)
    listed = _mapped(groups, summing.listed, summing.listed_schema())
    return summing.merged_listed(listed.toArrow(), signature)


def _session(cluster: Cluster) -> tuple[Any, bool]:
    """Return a session of a checked cluster, and True if the caller had started it."""
    from pyspark import SparkContext
    from pyspark.sql import SparkSession

    checks = ClusterChecks("spark", cluster)
    session = SparkSession.getActiveSession()
    if session is not None:
        return session, True
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.appName("scoring")
    address = cluster.address
    if address.startswith("sc://"):
        checks.connect()
        session = checks.within(messages.NO_ANSWER, builder.remote(address).getOrCreate)
        return _with_workers(checks, session), False
    checks.check_java()
    builder = builder.config("spark.ui.showConsoleProgress", "false")
    builder = builder.config("spark.log.level", "OFF").master(address or "local[*,4]")
    if not address or address.startswith("local"):
        builder = builder.config("spark.ui.enabled", "false")
        builder = builder.config("spark.driver.defaultJavaOptions", SMALL_HEAP)
        with _environment(_SMALL_POOLS):
            return builder.getOrCreate(), False
    checks.connect()
    # a property starts Java, so that the limit is that of the cluster alone
    start = partial(SparkContext.setSystemProperty, "spark.ui.enabled", "false")
    checks.within(messages.SLOW_JAVA, start, JAVA_TIMEOUT)
    session = checks.within(messages.NO_ANSWER, builder.getOrCreate)
    return _with_workers(checks, session), False


def _with_workers(checks: ClusterChecks, session: Any) -> Any:
    """Check a worker of the cluster, and return the session."""
    version = version_probe()

    def probe(batches: Any) -> Any:
        import pyarrow

        for _ in batches:
            yield pyarrow.RecordBatch.from_pylist([{"version": version()}])

    def versions() -> list[Any]:
        rows = session.range(0, 1, 1, 1).mapInArrow(probe, "version string").collect()
        return [row.version for row in rows]

    [version_there] = checks.within(messages.NO_WORKER, versions)
    checks.check_version(version_there)
    return session


@contextmanager
def _environment(values: Mapping[str, str]) -> Iterator[None]:
    """Set environment variables, unless they are set already, within a `with` block.

    Programs that are started in the block inherit them.
    """
    added = [name for name in values if name not in os.environ]
    os.environ.update({name: values[name] for name in added})
    try:
        yield
    finally:
        for name in added:
            os.environ.pop(name, None)


def summarize_files(
    paths: Sequence[str],
    cluster: Cluster,
    plan: Plan,
    summing: Summing,
    parts: PartsOfTables | None = None,
) -> TableSums:
    """Return the sums of Parquet files, or of parts; workers read and write the files.

    An existing Spark session is used and stays open.
    """
    with engine_errors("spark"):
        session, is_kept = _session(cluster)
        try:
            if parts is None:
                return _sums(session.read.parquet(*paths), plan, summing)
            size, signature = len(parts.parts), plan.signature(summing.measure)
            return _merged(session.range(0, size, 1, size), parts.work, parts.summing, signature)
        finally:
            if not is_kept:
                session.stop()


@contextmanager
def sessions_on(cluster: Cluster) -> Iterator[None]:
    """Let workers score the sessions of meetings within a `with` block.

    An existing Spark session is used and stays open.
    """
    with engine_errors("spark"):
        session, is_kept = _session(cluster)
    try:
        with scored_by(partial(_answers, session)):
            yield
    finally:
        if not is_kept:
            session.stop()


def _answers(session: Any, work: Callable[[bytes], bytes], items: Sequence[bytes]) -> list[bytes]:
    """Return the result of a function for each item, in order."""
    import pyarrow as pa

    if not items:
        return []

    def answered(batches: Iterable[Any]) -> Iterator[Any]:
        for batch in batches:
            for row in batch.to_pylist():
                row["item"] = work(row["item"])
                yield pa.RecordBatch.from_pylist([row], batch.schema)

    with engine_errors("spark"):
        kinds = pa.schema({"number": pa.int64(), "item": pa.binary()})
        table = pa.table([pa.array(range(len(items))), pa.array(items, pa.binary())], schema=kinds)
        frame = session.createDataFrame(table).repartition(min(len(items), _MOST_TASKS))
        done = frame.mapInArrow(checked_work(answered), "number long, item binary").toArrow()
    answers: list[bytes] = done.sort_by("number").column("item").to_pylist()
    return answers
