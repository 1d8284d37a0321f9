"""Scores of data frames of Spark, by its own `mapInArrow`; pyspark is needed (extra `spark`)."""

from __future__ import annotations

from collections.abc import Sequence
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
    from pyspark.sql import DataFrame
    from typing_extensions import Unpack


def score(frame: DataFrame, **choices: Unpack[PlanChoices]) -> DataFrame:
    """Append to each row of a data frame its scores, as `scoring.score_columns` does.

    Nothing is shuffled: a partition is scored where it lies, batch by batch. A row that cannot be
    scored is no error but says why in the column `problem`, see `scoring.score.engines.plan.Plan`.

    Parameters
    ----------
    choices
        `reference`, `hypothesis`, `keep`, `measures`, `edits`, `options` and single choices, as of
        `scoring.score_columns`.

    Raises
    ------
    ValueError, TypeError
        As in `scoring.score_columns`, before any row is read.
    """
    return _scored(frame, Plan.of(**choices))


def _scored(frame: Any, plan: Plan) -> Any:
    from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema

    schema = plan.schema(to_arrow_schema(frame.schema))
    return frame.mapInArrow(plan.scored, from_arrow_schema(schema))


def summarize(
    frame: DataFrame, signature: str = "", **choices: Unpack[SummingChoices]
) -> TableSums:
    """Return the sums of a data frame with the scores of `score`; only sums leave the partitions.

    Parameters
    ----------
    signature
        Every choice behind the numbers, printed with them.
    choices
        `measure`, `by`, `resampling`, `block`, as of `scoring.score.engines.plan.Summing`.

    Raises
    ------
    ValueError
        If a column is not there.
    """
    return _summed(frame, Summing(**choices), signature)


def _summed(frame: Any, summing: Summing, signature: str) -> TableSums:
    from pyspark.sql.pandas.types import from_arrow_schema

    summing.check(frame.columns)
    parts = frame.mapInArrow(summing.partial, from_arrow_schema(summing.schema())).collect()
    return summing.merged((part.asDict() for part in parts), signature)


def summarize_files(
    paths: Sequence[str], master: str, plan: Plan, summing: Summing, scored: str | None = None
) -> TableSums:
    """Return the sums of Parquet files, in a session of its own; `scored`: folder for all rows."""
    import os
    import sys

    with engine_errors("spark"):
        from pyspark.sql import SparkSession

        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        builder = SparkSession.builder.appName("scoring").config("spark.ui.enabled", "false")
        session = builder.master(master or "local[*,4]").getOrCreate()
        try:
            session.sparkContext.setLogLevel("OFF")
            frame = session.read.parquet(*paths)
            adapted, summing = on_columns(plan, summing, frame.columns)
            if scored is None:
                frame = _scored(frame, adapted)
            else:
                _scored(frame, replace(adapted, keep=None)).write.parquet(scored)
                frame = session.read.parquet(scored)
            return _summed(frame, summing, plan.signature(summing.measure))
        finally:
            session.stop()
