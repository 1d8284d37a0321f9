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
from typing import TYPE_CHECKING, NamedTuple

from formats.schema.errors import FormatError
from scoring.model.errors import ScoringError

if TYPE_CHECKING:
    from scoring.results.record import Shard
    from scoring.score.engines.cluster import Cluster
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
    """Return the sums of tables by an engine: `local`, `spark` or `ray`; a shard by `local`."""
    jobs = plan.options.jobs
    plan = replace(plan, options=plan.options.changed(jobs=1))
    if engine == "local":
        from scoring.score.engines.local import summarize_files as summarize

        target = scored and scored.path
        return summarize(paths, plan, summing, target, progress, jobs, shard)
    _check_tables(paths, plan)
    module = __getattr__(engine)
    folder = None if scored is None else scored.begun()
    try:
        sums: TableSums = module.summarize_files(paths, cluster, plan, summing, folder)
        _check_gaps(paths, plan, sums)
    except (FormatError, ScoringError):
        if scored is not None:
            scored.drop()  # the new folder of rows that are rejected
        raise
    if scored is not None:
        scored.finish()
    return sums


def _check_gaps(paths: Sequence[str], plan: Plan, sums: TableSums) -> None:
    """Reject rows with a text on one side only, as a score without an engine does."""
    from scoring.score.engines.local import gaps_of
    from scoring.score.from_tables import name_of

    plan.check_gaps(name_of(paths), *gaps_of(paths, plan, sums.total))


class ScoredRows(NamedTuple):
    """The file, or on a cluster the folder, that rows with their scores go to.

    A folder on this machine gets its name when it is complete: until then its name ends in
    `.unfinished`, and what a killed run left there is replaced by the next.
    """

    path: str
    overwrite: bool = False

    @property
    def _unfinished(self) -> str:
        return self.path if "://" in self.path else f"{self.path.rstrip('/')}.unfinished"

    def begun(self) -> str:
        """Return the name of the folder during the run."""
        if os.path.lexists(self.path) and not self.overwrite:
            from formats.schema.messages import Message
            from scoring.score.engines.messages import OUTPUT_EXISTS
            from scoring.score.engines.plan import EngineError

            raise EngineError(Message(OUTPUT_EXISTS, {"path": self.path}))
        self.drop()
        return os.path.abspath(self._unfinished) if "://" not in self.path else self.path

    def drop(self) -> None:
        """Remove the unfinished folder."""
        rmtree(self._unfinished, ignore_errors=True)

    def finish(self) -> None:
        """Rename the finished folder to its final name."""
        if self._unfinished == self.path:
            return
        if os.path.isdir(self.path) and not os.path.islink(self.path):
            rmtree(self.path)
        os.replace(self._unfinished, self.path)


def _check_tables(paths: Sequence[str], plan: Plan) -> None:
    """Reject tables on this machine without the columns of texts, which engines take for nulls."""
    from scoring.score.from_tables import TableInputs, of_this_machine

    for table in TableInputs(of_this_machine(paths)):
        for side in plan.sides:
            table.check_texts(side)


def __getattr__(name: str) -> ModuleType:
    if name not in ("spark", "ray"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return import_module(f"{__name__}.{name}")
