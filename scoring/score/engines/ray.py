"""Scores of data sets of Ray, by its own `map_batches`; ray[data] is needed (extra `ray`)."""

from __future__ import annotations

import logging
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from scoring.score.engines.plan import (
    Plan,
    PlanChoices,
    Summing,
    SummingChoices,
    engine_errors,
    on_columns,
)
from scoring.score.engines.summary import TableSums

if TYPE_CHECKING:
    from ray.data import Dataset
    from typing_extensions import Unpack


def score(dataset: Dataset, **choices: Unpack[PlanChoices]) -> Dataset:
    """Append to each row of a data set its scores, as `scoring.spark.score` does to a data frame.

    Raises
    ------
    ValueError, TypeError
        As in `scoring.score_columns`, before any row is scored.
    """
    return _scored(dataset, Plan.of(**choices))


def _scored(dataset: Any, plan: Plan) -> Any:
    schema = dataset.schema().base_schema
    plan.schema(schema)
    return _mapped(dataset, plan.scored)


def _mapped(dataset: Any, work: Any) -> Any:
    """Apply `work` to the record batches of each block."""

    def on_table(table: Any) -> Any:
        import pyarrow as pa

        batches = list(work(table.to_batches() or [pa.RecordBatch.from_pylist([], table.schema)]))
        return pa.Table.from_batches(batches)

    return dataset.map_batches(
        on_table, batch_format="pyarrow", batch_size=None, zero_copy_batch=True
    )


def summarize(
    dataset: Dataset, signature: str = "", **choices: Unpack[SummingChoices]
) -> TableSums:
    """Return the sums of a data set with the scores of `score`; as `scoring.spark.summarize`."""
    summing = Summing(**choices)
    summing.check(dataset.columns() or [])
    return _summed(dataset, summing, signature)


def _summed(dataset: Any, summing: Summing, signature: str) -> TableSums:
    return summing.merged(_mapped(dataset, summing.partial).take_all(), signature)


def summarize_files(
    paths: Sequence[str], master: str, plan: Plan, summing: Summing, scored: str | None = None
) -> TableSums:
    """Return sums of Parquet files, on a cluster or here; `scored`: a new folder for all rows."""
    # what Ray says of its cluster goes to standard output, even without logs: that is for results
    with engine_errors("ray"), redirect_stdout(sys.stderr):
        import ray

        # a session of the caller is used, and kept
        is_ours = not ray.is_initialized()
        if is_ours:
            ray.init(
                address=master or None,
                include_dashboard=False,
                log_to_driver=False,
                logging_level="ERROR",
            )
        try:
            ray.data.DataContext.get_current().enable_progress_bars = False
            logging.getLogger("ray.data").setLevel(logging.ERROR)
            dataset = ray.data.read_parquet(list(paths))
            adapted, summing = on_columns(plan, summing, dataset.columns() or [])
            if scored is None:
                dataset = _scored(dataset, adapted)
            else:
                _scored(dataset, replace(adapted, keep=None)).write_parquet(scored)
                dataset = ray.data.read_parquet(scored)
            return _summed(dataset, summing, plan.signature(summing.measure))
        finally:
            if is_ours:
                ray.shutdown()
