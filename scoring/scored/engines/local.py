"""Tables summed in this process, a batch at a time: as the clusters do, without one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from scoring.scored.engines.plan import Plan, Summing, on_columns
from scoring.scored.engines.summary import Summary
from scoring.scored.from_tables import Tables


def summarize_files(
    paths: Sequence[str],
    plan: Plan,
    summing: Summing,
    progress: Callable[[int, float], object] = lambda rows, share: None,
) -> Summary:
    """The sums of files of Parquet and Arrow, folders and patterns, each a partition.

    Parameters
    ----------
    progress
        As of `scoring.scored.from_tables.wer_of_tables`.

    Raises
    ------
    FormatError
        If a file cannot be read, or lacks a column.
    """
    tables = Tables(paths)

    def batches(table: Any, columns: Sequence[str]) -> Iterator[Any]:
        for batch in table.batches(columns):
            yield batch
            progress(tables.rows, tables.read(len(batch)))

    parts: list[dict[str, Any]] = []
    for table in tables:
        for side in plan.sides:
            table.check_texts(side)
        own, summing = on_columns(plan, summing, table.schema.names)
        columns = list(dict.fromkeys((*plan.sides, *(own.keep or ()))))
        for name in columns:
            table.place(name)
        for made in summing.partial(own.scored(batches(table, columns))):
            parts += made.to_pylist()
    return summing.merged(parts, plan.signature(summing.measure))
