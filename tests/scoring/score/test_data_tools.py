"""The examples of the section on other tools' tables run, with those tools that are installed."""

import re
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.dataset as dataset
import pytest

import sclite_kit as sk
from tests.each_case import each_case
from tests.scoring.cli.test_table_shards import table_of, write

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "tables.md").read_text("utf-8")
EXAMPLES = dict(
    re.findall(r"^### ([^\n]*)\n\n```python\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
)


def write_iceberg(table: Any) -> None:
    sql = pytest.importorskip("pyiceberg.catalog.sql")
    Path("warehouse").mkdir()
    place = {"uri": "sqlite:///warehouse/catalog.db", "warehouse": "file:warehouse"}
    catalog = sql.SqlCatalog("here", **place)
    catalog.create_namespace("speech")
    catalog.create_table("speech.results", schema=table.schema).append(table)


@each_case("tool", EXAMPLES)
def test_five_lines(tool: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = EXAMPLES[tool]
    for module in re.findall(r"^(?:import|from) ([\w.]+)", code, re.MULTILINE):
        pytest.importorskip(module)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    Path("data").mkdir()
    table = pa.concat_tables([table_of(9, number) for number in (0, 1)])
    write(tmp_path / "data" / "0.parquet", table.slice(0, 9), 4)
    write(tmp_path / "data" / "1.parquet", table.slice(9), 4)
    if "deltalake" in code:
        pytest.importorskip("deltalake").write_deltalake("data.delta", table)
    elif "lance" in code:
        pytest.importorskip("lance").write_dataset(table, "data.lance")
    elif "pyiceberg" in code:
        write_iceberg(table)
    names: dict[str, Any] = {}
    exec(code, names)
    rows = dataset.dataset("data")
    scored = sk.score_columns(rows, reference="text", hypothesis="pred_text", keep=["id"])
    expected = scored.to_arrow()
    if "totals" in names:
        counts = expected.column("wer_correct").to_pylist()
        assert names["totals"]["wer_correct"] == sum(counts)
        return
    assert names["scored"].sort_by("id").to_pylist() == expected.sort_by("id").to_pylist()
