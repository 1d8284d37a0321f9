"""The scores of tables by engines that spread rows over processes and machines: Spark, Ray.

`scoring.spark.score` and `scoring.ray.score` append scores to the rows of a data frame or a data
set, `summarize` of both sums them; what they do with a partition is `scoring.scored.engines.plan`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scoring.scored.engines.plan import Plan, Summing
    from scoring.scored.engines.summary import TableSums


def summarize_files(
    engine: str,
    paths: Sequence[str],
    master: str,
    plan: Plan,
    summing: Summing,
    scored: str | None = None,
    progress: Callable[[int, float], object] = lambda rows, share: None,
) -> TableSums:
    """The sums of tables by an engine: `local`, `spark` or `ray`.

    Parameters
    ----------
    master
        The cluster's address; empty: one on this machine.
    scored
        Where all rows go with their scores: a Parquet file, of a cluster a new folder of such.
    progress
        Of the local engine, as of `scoring.scored.from_tables.wer_of_tables`, as are the `jobs` of
        the plan's options: threads that each read and score a row group.

    Raises
    ------
    FormatError, ScoringError
        If a file cannot be read, or lacks a column; if the engine fails.
    ValueError
        If columns do not fit together.
    """
    jobs = plan.options.jobs
    plan = replace(plan, options=plan.options.changed(jobs=1))
    if engine == "local":
        from scoring.scored.engines.local import summarize_files as summarize

        return summarize(paths, plan, summing, scored, progress, jobs)
    _check_tables(paths, plan)
    module = __getattr__(engine)
    found: TableSums = module.summarize_files(paths, master, plan, summing, scored)
    return found


def _check_tables(paths: Sequence[str], plan: Plan) -> None:
    """Reject tables on this machine without the columns of texts, which engines take for nulls."""
    from scoring.scored.from_tables import TableInputs

    for table in TableInputs([path for path in paths if os.path.exists(path)]):
        for side in plan.sides:
            table.check_texts(side)


def __getattr__(name: str) -> ModuleType:
    if name not in ("spark", "ray"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return import_module(f"{__name__}.{name}")
