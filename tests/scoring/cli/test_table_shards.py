"""`--shard` of tables: each reads its own row groups, and merged they are the whole."""

import random
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as parquet
import pytest

from formats.tables.arrow import ArrowFile
from scoring.cli.scoring import main
from scoring.results.messages import SHARD_TWICE, SHARDS_MISSING
from scoring.score.engines.messages import NAMES_REPEAT, TWICE
from tests.remarks import says

COLUMN = ("--reference-column", "text", "--by", "accent")


def table_of(size: int, seed: int) -> Any:
    """Rows of a few words, some without hypothesis or group."""
    chosen = random.Random(seed)
    texts = [" ".join(chosen.choices("abcdef", k=chosen.randint(0, 6))) for _ in range(size)]
    heard = [text[2:] if chosen.random() < 0.8 else None for text in texts]
    groups = [chosen.choice(["x", "y", None]) for _ in texts]
    names = [f"{seed}-{row}" for row in range(size)]
    columns = {"id": names, "text": texts, "pred_text": heard, "accent": groups}
    return pa.table(columns, schema=pa.schema(dict.fromkeys(columns, pa.string())))


def write(path: Path, table: Any, group: int) -> str:
    if path.suffix == ".parquet":
        parquet.write_table(table, path, row_group_size=group)
    else:
        with pa.ipc.new_file(path, table.schema) as file:
            file.write_table(table, max_chunksize=group)
    return str(path)


def shards(folder: Path, of: int, *command: str) -> list[str]:
    paths = [str(folder / f"{number}-{of}.json") for number in range(1, of + 1)]
    for number, path in enumerate(paths, 1):
        assert main([*command, "--shard", f"{number}/{of}", "--shard-output", path]) == 0
    return paths


@pytest.mark.share(2)
@pytest.mark.parametrize("kind", ["parquet", "arrow"])
def test_shards_are_the_whole(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also of one row group, and with more shards than rows."""
    files = [write(tmp_path / f"{at}.{kind}", table_of(4 + at, at), 3 + 9 * at) for at in (0, 1)]
    files += [write(tmp_path / f"plain.{kind}", table_of(2, 2), 1)]
    for options in ([], ["--missing", "skip"], ["--engine", "local", "--confidence-interval"]):
        command = ["wer", *files, *COLUMN, *options]
        whole = str(tmp_path / "whole.json")
        assert main([*command, "--json", whole]) == 0
        shown = capsys.readouterr()
        for of in (2, 12):
            parts = shards(tmp_path, of, *command)
            capsys.readouterr()
            merged = str(tmp_path / "merged.json")
            interval = options[2:]
            assert main(["merge", *parts, "--by", "accent", *interval, "--json", merged]) == 0
            assert capsys.readouterr() == shown
            assert Path(merged).read_bytes() == Path(whole).read_bytes()


def test_only_needed_row_groups_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path / "t.parquet", table_of(40, 0), 5)
    read: list[tuple[int, ...]] = []
    batches = parquet.ParquetFile.iter_batches

    def spied(self: Any, *arguments: Any, row_groups: list[int], **choices: Any) -> Any:
        read.append(tuple(row_groups))
        return batches(self, *arguments, row_groups=row_groups, **choices)

    monkeypatch.setattr(parquet.ParquetFile, "iter_batches", spied)
    shards(tmp_path, 4, "wer", path, *COLUMN)
    assert read == [(0, 1), (2, 3), (4, 5), (6, 7)]
    assert capsys.readouterr() == ("", "")


def test_rows_of_a_part(tmp_path: Path) -> None:
    """Whatever is read at a time: all, a row group, a part of it."""
    path = write(tmp_path / "t.parquet", table_of(10, 0), 4)
    table = ArrowFile(path, path, b"PAR1")
    table.narrow(range(3, 9))
    names = [name for batch in table.batches(["id"]) for name in batch["id"].to_pylist()]
    assert names == [f"0-{row}" for row in range(3, 9)]
    each = [
        [name for batch in table.batches(["id"], group=group) for name in batch["id"].to_pylist()]
        for group in range(table.groups)
    ]
    assert each == [names[:1], names[1:5], names[5:]]
    assert [table.group_rows(group) for group in range(3)] == [1, 4, 1]
    assert (table.rows, table.first) == (6, 3)


def test_parts_that_are_not_the_whole(
    current_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(Path("t.parquet"), table_of(10, 0), 4)
    command = ["wer", path, *COLUMN, "--engine", "local"]
    first, second, third = shards(Path(), 3, *command)
    whole = "whole.json"
    assert main([*command, "--json", whole]) == 0
    capsys.readouterr()
    for parts, entry, fields in (
        ([first, third], SHARDS_MISSING, {"shards": 3, "missing": [2]}),
        ([first, second, first], SHARD_TWICE, {"shard": 1, "other": first}),
        ([first, second, third, whole], TWICE, {"other": first}),
    ):
        assert main(["merge", *parts]) == 2
        assert says(capsys.readouterr().err, entry, table=f"{path}:pred_text", **fields)


def test_an_id_in_two_shards(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As in the whole table."""
    table = pa.concat_tables([table_of(4, 0), table_of(4, 0)])
    path = write(tmp_path / "t.parquet", table, 4)
    parts = shards(tmp_path, 2, "wer", path, *COLUMN)
    assert main(["merge", *parts]) == 2
    told = capsys.readouterr().err
    assert main(["wer", path, *COLUMN]) == 2
    # the reference is a column of the table
    assert told.replace(":text:", ":") == capsys.readouterr().err


def test_names_of_several_rows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An interval of them is that of blocks, which is told; of the sums of shards, too."""
    table = table_of(400, 0)
    once = write(tmp_path / "once.parquet", table, 50)
    names = [f"u{row // 3}" for row in range(len(table))]
    path = write(tmp_path / "t.parquet", table.set_column(0, "id", [names]), 50)
    flags = ["--engine", "local", "--confidence-interval", "--replications", "200"]
    parts = shards(tmp_path, 3, "wer", path, *COLUMN, *flags)
    assert capsys.readouterr().err == ""
    for command in (["wer", path, *COLUMN, *flags], ["merge", *parts]):
        assert main(command) == 0
        told = capsys.readouterr().err
        assert says(told, NAMES_REPEAT, path=f"{path}:pred_text", column="id"), told
    assert main(["wer", once, *COLUMN, *flags]) == 0
    assert NAMES_REPEAT.code not in capsys.readouterr().err
