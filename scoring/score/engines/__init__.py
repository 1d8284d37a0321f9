"""The scores of tables by engines that spread rows over processes and machines: Spark, Ray.

`scoring.spark.score` and `scoring.ray.score` append scores to the rows of a data frame or a data
set, `summarize` of both sums them; what they do with a partition is `scoring.score.engines.plan`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from shutil import rmtree
from types import ModuleType
from typing import TYPE_CHECKING

from scoring.model.errors import ScoringError

if TYPE_CHECKING:
    from scoring.score.engines.plan import Plan, Summing
    from scoring.score.engines.summary import TableSums


def summarize_files(
    engine: str,
    paths: Sequence[str],
    master: str,
    plan: Plan,
    summing: Summing,
    scored: str | None = None,
    progress: Callable[[int, float], object] = lambda rows, share: None,
) -> TableSums:
    """Return the sums of tables by an engine: `local`, `spark` or `ray`."""
    jobs = plan.options.jobs
    plan = replace(plan, options=plan.options.changed(jobs=1))
    if engine == "local":
        from scoring.score.engines.local import summarize_files as summarize

        return summarize(paths, plan, summing, scored, progress, jobs)
    _check_tables(paths, plan)
    module = __getattr__(engine)
    sums: TableSums = module.summarize_files(paths, master, plan, summing, scored)
    try:
        _check_gaps(paths, plan, sums)
    except ScoringError:
        if scored is not None:
            rmtree(scored, ignore_errors=True)  # the new folder of rows that are rejected
        raise
    return sums


def _check_gaps(paths: Sequence[str], plan: Plan, sums: TableSums) -> None:
    """Reject rows with a text on one side alone as without an engine, by their number."""
    from scoring.score.from_tables import name_of
    from scoring.sides.corpus import ListedNames

    total = sums.total
    plan.check_gaps(name_of(paths), ListedNames(total.missing), ListedNames(total.extra))


def _check_tables(paths: Sequence[str], plan: Plan) -> None:
    """Reject tables on this machine without the columns of texts, which engines take for nulls."""
    from scoring.score.from_tables import TableInputs

    for table in TableInputs([path for path in paths if os.path.exists(path)]):
        for side in plan.sides:
            table.check_texts(side)


def __getattr__(name: str) -> ModuleType:
    if name not in ("spark", "ray"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return import_module(f"{__name__}.{name}")
