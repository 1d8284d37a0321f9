"""Scores of Ray data sets by Ray's `map_batches`; needs ray[data] (extra `ray`)."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, redirect_stdout
from functools import partial
from typing import TYPE_CHECKING, Any

from formats.tables.nested import column_path
from scoring.options import Options
from scoring.score.engines import messages
from scoring.score.engines.cluster import Cluster, ClusterChecks, checked_work, version_probe
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
    from ray.data import Dataset
    from typing_extensions import Unpack

    from scoring.options import Choices
    from scoring.score.engines.parts import PartsOfTables
    from scoring.score.engines.plan import PlanChoices, SumsChoices

# Sums of so many groups of all partitions are merged on the cluster, not by the driver.
MANY_SUMS = 100_000


def score(dataset: Dataset, **choices: Unpack[PlanChoices]) -> Dataset:
    """Append scores to each row of a Ray data set, like `scoring.spark.score`.

    Raises
    ------
    ValueError, TypeError
        As in `scoring.score_columns`, before any row is scored.
    """
    scored: Dataset = _scored(dataset, Plan.of(**choices))
    return scored


def _scored(dataset: Any, plan: Plan) -> Any:
    schema = dataset.schema().base_schema
    plan.schema(schema)
    return _mapped(dataset, plan.scored)


def _mapped(dataset: Any, work: Any) -> Any:
    """Apply `work` to the record batches of each block of a data set."""
    checked = checked_work(work)

    def on_table(table: Any) -> Any:
        import pyarrow as pa

        batches = list(
            checked(table.to_batches() or [pa.RecordBatch.from_pylist([], table.schema)])
        )
        return pa.Table.from_batches(batches)

    return dataset.map_batches(
        on_table, batch_format="pyarrow", batch_size=None, zero_copy_batch=True
    )


def summarize(
    dataset: Dataset, signature: str = "", **choices: Unpack[SummingChoices]
) -> TableSums:
    """Return the sums of a data set with the scores of `score`, like `scoring.spark.summarize`."""
    summing = Summing(**choices)
    summing.check(dataset.schema().base_schema)
    return _merged(dataset, summing.partial, summing, signature)


def wer(dataset: Dataset, **choices: Unpack[SumsChoices]) -> TableSums:
    """Return the sums of a data set in one pass, like `scoring.spark.wer`."""
    plan, summing = plan_of_sums(**choices)
    return plan.checked(_sums(dataset, plan, summing))


def meetings(
    reference: Dataset,
    hypothesis: Dataset,
    *,
    session: str = "recording",
    order: str = "start",
    options: Options | None = None,
    **choices: Unpack[Choices],
) -> TableSums:
    """Return the sums of meetings with one group per meeting, like `scoring.spark.meetings`.

    Raises
    ------
    ValueError, TypeError
        If an option has an invalid value, or a column is missing.
    ScoringError
        If a side lacks meetings and the options reject this.
    """
    plan = MeetingPlan.of(session, order, (options or Options()).changed(**choices))
    signature, summing = plan.signature(), plan.summing
    rows = _rows_of_both(reference, hypothesis, plan).materialize()
    met = rows.repartition(max(1, rows.num_blocks()), keys=[session])
    scored = _mapped(met, plan.scored_each)
    return plan.checked(_merged(scored, summing.partial, summing, signature))


def _rows_of_both(reference: Any, hypothesis: Any, plan: MeetingPlan) -> Any:
    """Return the rows of both sides in one data set, with a column that names the side."""
    import pyarrow as pa

    schemas = [side.schema().base_schema for side in (reference, hypothesis)]
    for schema in schemas:
        plan.check(schema.names)
    whole = pa.unify_schemas(schemas)

    def on_side(name: str) -> Any:
        def with_side(table: Any) -> Any:
            columns = [
                table.column(field.name)
                if field.name in table.column_names
                else pa.nulls(len(table), field.type)
                for field in whole
            ]
            named = pa.table(columns, whole.names).cast(whole)
            return named.append_column(SIDE, pa.array([name] * len(table), pa.string()))

        return with_side

    sides = [
        side.map_batches(on_side(name), batch_format="pyarrow", zero_copy_batch=True)
        for name, side in (("reference", reference), ("hypothesis", hypothesis))
    ]
    return sides[0].union(sides[1])


def _sums(dataset: Any, plan: Plan, summing: Summing) -> TableSums:
    """Score and sum rows in one stage. Only needed columns are read, but structs completely."""
    schema = dataset.schema().base_schema
    adapted, summing = on_columns(plan, summing, schema.names)
    assert adapted.keep is not None
    summing.check(adapted.schema(schema))
    paths = [column_path(schema, name).names for name in adapted.keep]
    needed = dataset.select_columns(list(dict.fromkeys(path[0] for path in paths)))
    work = sums_of_rows(adapted, summing)
    return _merged(needed, work, summing, plan.signature(summing.measure))


def _merged(dataset: Any, work: Any, summing: Summing, signature: str) -> TableSums:
    """Return the sums of all blocks. If there are many groups, workers merge them first."""
    parts = _mapped(dataset, work).materialize()
    if summing.by and parts.count() > MANY_SUMS:
        blocks = max(1, min(parts.num_blocks(), parts.count() // MANY_SUMS + 1))
        met = parts.repartition(blocks, keys=summing.keys)
        if summing.is_listed:
            import pyarrow as pa

            schema = summing.listed_schema()
            listed = _batches(_mapped(met, summing.listed), schema)
            return summing.merged_listed(pa.Table.from_batches(listed, schema), signature)
        parts = _mapped(met, summing.reduced)
    return summing.merged(_batches(parts, summing.schema()), signature)


def _batches(dataset: Any, schema: Any) -> Iterator[Any]:
    """Yield the record batches of a data set, cast to a schema."""
    for table in dataset.iter_batches(batch_format="pyarrow", batch_size=None):
        yield from table.cast(schema).to_batches()


@contextmanager
def sessions_on(cluster: Cluster) -> Iterator[None]:
    """Let workers score the sessions of meetings within a `with` block, as for Spark."""
    with ExitStack() as stack:
        with engine_errors("ray"):
            # for results: what Ray says of its cluster goes there, even without logs
            stack.enter_context(redirect_stdout(sys.stderr))
            ray = stack.enter_context(_session(cluster))
        stack.enter_context(scored_by(partial(_answers, ray)))
        yield


def _answers(ray: Any, work: Callable[[bytes], bytes], items: Sequence[bytes]) -> Iterator[bytes]:
    """Yield the result of a function for each item, in order."""
    with engine_errors("ray"):
        task = ray.remote(checked_work(work))
        for answer in [task.remote(item) for item in items]:
            yield ray.get(answer)


@contextmanager
def _session(cluster: Cluster) -> Iterator[Any]:
    """Connect Ray to a checked cluster within a `with` block; use the caller's session, if any."""
    import ray

    if ray.is_initialized():
        yield ray
        return
    checks = ClusterChecks("ray", cluster)

    def begin() -> None:
        ray.init(
            address=cluster.address or None,
            include_dashboard=None if cluster.address else False,
            log_to_driver=False,
            logging_level=logging.ERROR,
        )

    try:
        if not cluster.address:
            begin()
        else:
            checks.connect()
            checks.within(messages.NO_ANSWER, begin)
            probe = ray.remote(version_probe()).remote()
            ready, _ = ray.wait([probe], timeout=checks.seconds)
            if not ready:
                raise checks.problem(messages.NO_WORKER)
            checks.check_version(ray.get(probe))
        yield ray
    finally:
        ray.shutdown()


def summarize_files(
    paths: Sequence[str],
    cluster: Cluster,
    plan: Plan,
    summing: Summing,
    parts: PartsOfTables | None = None,
) -> TableSums:
    """Return the sums of Parquet files, or of parts; workers read and write the files."""
    # what Ray says of its cluster goes to standard output, even without logs: that is for results
    with engine_errors("ray"), redirect_stdout(sys.stderr), _session(cluster) as ray:
        ray.data.DataContext.get_current().enable_progress_bars = False
        logging.getLogger("ray.data").setLevel(logging.ERROR)
        if parts is None:
            return _sums(ray.data.read_parquet(list(paths)), plan, summing)
        size, signature = len(parts.parts), plan.signature(summing.measure)
        numbers = ray.data.range(size, override_num_blocks=size)
        return _merged(numbers, parts.work, parts.summing, signature)
