"""Nested columns by their paths, and lists of tokens as texts, at every door for tables."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.dataset
import pyarrow.parquet as parquet
import pytest

import scoring
from formats.tables.arrow import ArrowFile
from formats.tables.messages import TABLE_TOKENS
from formats.tables.nested import column_at, column_path, selected, texts_of
from scoring.cli.scoring import main
from scoring.score.engines.plan import Plan
from tests.remarks import says

ROWS: list[dict[str, Any]] = [
    {
        "id": f"u{number}",
        "meta": None if number == 5 else {"text": "a b c", "accent": "xy"[number % 2], "n": 1},
        "result": {"best": [{"word": "a"}, {"word": "x"}], "other": {"text": "a b"}},
        "tokens": ["a", "b", "c"],
    }
    for number in range(6)
]
SIDES: dict[str, Any] = {"reference": "meta.text", "hypothesis": "result.best.word"}
COLUMNS = ["--reference-column", "meta.text", "--hypothesis-column", "result.best.word"]


@pytest.fixture
def path(tmp_path: Path) -> str:
    name = str(tmp_path / "t.parquet")
    parquet.write_table(pa.Table.from_pylist(ROWS), name, row_group_size=4)
    (tmp_path / "t.jsonl").write_text("\n".join(map(json.dumps, ROWS)) + "\n")
    return name


def test_names_come_before_paths() -> None:
    inner = pa.array([{"b.c": "1", "b": {"c": "2"}}, None])
    batch = pa.record_batch({"a": inner, "a.b": pa.array([{"c": "3"}, None])})
    assert column_at(batch, "a.b.c").to_pylist() == ["3", None]
    assert column_at(batch.select(["a"]), "a.b.c").to_pylist() == ["1", None]
    assert column_at(batch, "a.b").type == batch.schema.field("a.b").type
    for name in ("a.c", "b", "a.b.c.d"):
        with pytest.raises(ValueError, match=f"expected a column '{name}', found a.b.c, "):
            column_path(batch.schema, name)
    twice = pa.record_batch([[1], [2]], names=["n", "n"])
    with pytest.raises(ValueError, match="'n'"):
        column_at(twice, "n")


@pytest.mark.parametrize("kind", [pa.list_, pa.large_list])
def test_lists_keep_their_places(kind: Any) -> None:
    rows = [[{"w": "x"}], [{"w": "a"}, {"w": None}, {"w": "b c"}], None, []]
    column = pa.array(rows, kind(pa.struct({"w": pa.string()}))).slice(1)
    batch = selected(pa.record_batch({"s": column}), ["s.w"])
    assert batch.schema.field("s.w").type == kind(pa.string()) == column_at(batch, "s.w").type
    assert batch.column(0).to_pylist() == [["a", None, "b c"], None, []]
    # a token of null is none
    assert texts_of(batch.column(0)).to_pylist() == ["a  b c", None, ""]


def test_only_leaves_are_read(path: str) -> None:
    table = ArrowFile(path, path, b"PAR1")
    read: list[Any] = []
    with pytest.MonkeyPatch.context() as patch:
        original = parquet.ParquetFile
        patch.setattr(
            parquet, "ParquetFile", lambda *given, **more: _Spy(original, given, more, read)
        )
        [batch, *_] = table.batches(["meta.text", "result.best.word", "id"])
    assert read == [["meta.text", "result.best.list.element.word", "id"]]
    assert batch.schema.names == ["meta.text", "result.best.word", "id"]


class _Spy:
    """A reader of Parquet that notes the columns it reads."""

    def __init__(self, kind: Any, given: Any, more: Any, read: list[Any]) -> None:
        self.read = read
        self._file = kind(*given, **more)

    def iter_batches(self, *given: Any, **more: Any) -> Any:
        self.read.append(more["columns"])
        return self._file.iter_batches(*given, **more)


def test_every_door_has_the_same_counts(path: str, tmp_path: Path) -> None:
    import duckdb
    import pandas
    import polars

    table = parquet.read_table(path)
    polar: Any = polars.read_parquet(path)
    tables = [
        *(table, table.to_reader(), iter(table.to_batches()), pyarrow.dataset.dataset(path)),
        *(polar, polar.lazy(), pandas.DataFrame(ROWS), duckdb.sql(f"select * from '{path}'")),
    ]
    for keep in (["meta.accent", "id"], None):
        for number, rows in enumerate(tables):
            if keep is None and number in (1, 2):
                continue  # which were read
            scored = scoring.score_columns(rows, keep=keep, allow_unmatched=True, **SIDES)
            made = scored.to_arrow()
            assert scored.counts["wer"] == (5, 5, 5, 0), number
            first = ["meta.accent", "id"] if keep else table.column_names
            assert made.column_names == [*first, "wer", *made.column_names[len(first) + 1 :]]
            if keep:
                assert made["meta.accent"].to_pylist() == ["x", "y", "x", "y", "x", None]
            else:
                assert made["meta"].to_pylist() == table["meta"].to_pylist()
    with pytest.raises(ValueError, match=r"'meta\.txt', found .*; did you mean meta\.text"):
        scoring.score_columns(table, reference="meta.txt", hypothesis="tokens")
    with pytest.raises(TypeError, match=r"'meta\.n': expected texts, found numbers"):
        scoring.score_columns(table, reference="meta.n", hypothesis="tokens")
    files = [
        scoring.File(name, options={"field": field})
        for name in (path, str(tmp_path / "t.jsonl"))
        for field in ("meta.text", "result.other.text", "tokens")
    ]
    for reference, text, tokens in (files[:3], files[3:]):
        rates = scoring.wer(reference, text, allow_unmatched=True)
        # null is no utterance in Parquet, and one without words in JSON
        assert rates.counts[:3] == (10, 0, 5)
        assert scoring.wer(tokens, tokens).counts == (18, 0, 0, 0)


def test_commands_take_paths(path: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    common = ["wer", path, *COLUMNS, "--allow-unmatched", "--by", "meta.accent"]
    shown = []
    scored = str(tmp_path / "scored.parquet")
    for more in ([], ["--engine", "local"], ["--engine", "local", "--scored-table", scored]):
        assert main([*common, *more, *([] if more else ["-o", "sum"])]) == 0
        captured = capsys.readouterr()
        assert "%WER 66.67 [ 10 / 15, 0 ins, 5 del, 5 sub ]" in captured.out
        shown.append([line for line in captured.out.splitlines() if line.startswith("sig")])
    assert shown[0] == shown[1] == shown[2]
    assert parquet.read_table(scored)["meta"].to_pylist() == [row["meta"] for row in ROWS]
    names = str(tmp_path / "t.jsonl")
    assert main(["wer", names, *COLUMNS]) == 0
    assert "%WER 80.00 [ 12 / 15, 2 ins, 5 del, 5 sub ]" in capsys.readouterr().out
    for name in (path, names):
        for own in ([], ["--engine", "local"])[: 1 + (name == path)]:
            lacking = ["--reference-column", "meta.txt", "--hypothesis-column", "tokens", *own]
            assert main(["wer", name, *lacking]) == 2
            error = capsys.readouterr().err
            assert error.startswith(f'scoring: error: {name}: expected a column "meta.txt", found ')
            assert 'did you mean "meta.text"' in error


def test_tokens_that_are_no_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = pa.table({"text": [["a b", "c", ""]] * 3, "pred_text": [["a", "b", "c"]] * 3})
    path = str(tmp_path / "t.parquet")
    parquet.write_table(table, path)
    common = ["wer", path, "--reference-column", "text"]
    for more in ([], ["--engine", "local"], ["--plan"]):
        assert main([*common, *more]) == 0
        captured = capsys.readouterr()
        said = captured.out if more == ["--plan"] else captured.err
        assert says(said, TABLE_TOKENS, path=f"{path}:text", tokens=6, total=9)
    assert main(["wer", path]) == 0
    assert says(capsys.readouterr().err, TABLE_TOKENS, path=path, tokens=6, total=9)
    [batch] = Plan().scored(table.to_batches())
    assert batch.column("wer_correct").to_pylist() == [3, 3, 3]
    assert batch.column("text").to_pylist() == table["text"].to_pylist()
