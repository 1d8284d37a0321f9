"""Scores of tables by engines that distribute rows over machines: Spark and Ray.

`scoring.spark.score` and `scoring.ray.score` append scores to the rows of a data frame or data set,
and their `summarize` sums the scores. `scoring.score.engines.plan` scores a partition.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from types import ModuleType
from typing import TYPE_CHECKING

from formats.schema.errors import FormatError
from scoring.model.errors import ScoringError

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from scoring.results.record import Shard
    from scoring.score.engines.cluster import Cluster
    from scoring.score.engines.parts import ScoredRows
    from scoring.score.engines.plan import Plan, Summing
    from scoring.score.engines.summary import TableSums


def summarize_files(
    engine: str,
    paths: Sequence[str],
    cluster: Cluster,
    plan: Plan,
    summing: Summing,
    scored: ScoredRows | None = None,
    progress: Callable[[int, float], object] = lambda rows, share: None,
    shard: Shard | None = None,
) -> TableSums:
    """Return the sums of tables by an engine: `local`, `spark` or `ray`."""
    jobs = plan.options.jobs
    plan = replace(plan, options=plan.options.changed(jobs=1))
    is_resumed = scored is not None and scored.is_resumed
    if engine == "local" and not is_resumed:
        from scoring.score.engines.local import summarize_files as summarize

        target = scored and scored.path
        return summarize(paths, plan, summing, target, progress, jobs, shard)
    _check_tables(paths, plan)
    if scored is None:
        sums: TableSums = __getattr__(engine).summarize_files(paths, cluster, plan, summing)
        _check_gaps(paths, plan, sums)
        return sums
    scored.check_is_new()
    parts = scored.begun(paths, plan, summing, shard)
    try:
        if engine == "local":
            from scoring.score.engines.local import summarize_parts

            sums = summarize_parts(parts, progress, jobs, shard)
        else:
            sums = __getattr__(engine).summarize_files(paths, cluster, plan, summing, parts)
        _check_gaps(paths, plan, sums, shard)
    except (FormatError, ScoringError) as problem:
        scored.fail(parts, problem)
        raise
    scored.finish(parts)
    return sums


def meetings_on(engine: str, cluster: Cluster) -> AbstractContextManager[None]:
    """Let the workers of `spark` or `ray` score all sessions within a `with` block.

    The cluster is checked first.
    """
    context: AbstractContextManager[None] = __getattr__(engine).sessions_on(cluster)
    return context


def _check_gaps(
    paths: Sequence[str], plan: Plan, sums: TableSums, shard: Shard | None = None
) -> None:
    """Reject rows with a text on only one side, as a score without an engine does."""
    from scoring.score.engines.local import gaps_of
    from scoring.score.table_inputs import name_of

    plan.check_gaps(name_of(paths), *gaps_of(paths, plan, sums.total, shard))


def _check_tables(paths: Sequence[str], plan: Plan) -> None:
    """Reject local tables without the text columns: engines would read such columns as nulls."""
    from scoring.score.table_inputs import TableInputs, check_columns, of_this_machine

    for table in TableInputs(of_this_machine(paths)):
        check_columns(table, [plan.reference], [plan.hypothesis])


def __getattr__(name: str) -> ModuleType:
    if name not in ("spark", "ray"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return import_module(f"{__name__}.{name}")
