"""Data sets of Hugging Face as tables: selected, shuffled and streamed rows."""

import sys
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pyarrow as pa
import pytest

from scoring import score_columns

ROWS = {"id": [1, 2, 3], "text": ["a b", "c", "d e"], "pred_text": ["a", "c", "x e"]}


class Dataset:
    """What `score_columns` uses of a data set; its module has the name of the library."""

    __module__ = "datasets.arrow_dataset"

    def __init__(self, table: Any) -> None:
        self.table = table
        self.features = SimpleNamespace(arrow_schema=table.schema)

    def with_format(self, name: str) -> "Dataset":
        assert name == "arrow"
        return self

    def iter(self, batch_size: int) -> Iterator[Any]:
        assert batch_size > 1
        yield from (self.table.slice(row, 1) for row in range(len(self.table)))


def test_a_data_set_is_a_table() -> None:
    scored = score_columns(Dataset(pa.table(ROWS)), keep=["id"])
    assert scored.to_arrow().column("wer").to_pylist() == [0.5, 0.0, 0.5]
    empty = score_columns(Dataset(pa.table(ROWS).slice(0, 0)), keep=["id"])
    assert len(empty.to_arrow()) == 0


def test_splits_are_named() -> None:
    splits = type("DatasetDict", (dict,), {"__module__": "datasets.dataset_dict"})
    with pytest.raises(TypeError, match="found a DatasetDict of splits: 'train', 'test'"):
        score_columns(splits(train=1, test=2))


def test_the_library_itself() -> None:
    datasets = pytest.importorskip("datasets")
    assert "datasets" in sys.modules
    data = datasets.Dataset.from_dict(ROWS)
    for table, rates in (
        (data, [0.5, 0.0, 0.5]),
        (data.select([2, 1]), [0.5, 0.0]),
        (data.to_iterable_dataset(), [0.5, 0.0, 0.5]),
        (data.with_format("torch"), [0.5, 0.0, 0.5]),
        (data.select([]), []),
    ):
        assert score_columns(table).to_arrow().column("wer").to_pylist() == rates
