"""Scored tables in parts: numbers of rows, runs that were killed and are resumed."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as parquet
import pytest

import scoring
from scoring.cli.scoring import main
from scoring.score.engines import messages, parts
from scoring.score.engines.parts import NUMBERS, ScoredRows
from scoring.score.engines.plan import EngineError, Plan, Summing
from tests.remarks import pattern_of, says

COMMON = ["wer", "data", "--reference-column", "text", "--by", "meta.accent", "--json", "-"]
COMMON += ["--engine", "local", "--confidence-interval", "--replications", "20"]
SIZES = (25, 0, 30)
# kills the process when it has written some parts
KILLER = """
import os, signal, sys
from scoring.score.engines import parts
sums, parts.ROWS_OF_PART = parts.PartsOfTables.sums, 10
def dying(self, number):
    if number == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return sums(self, number)
parts.PartsOfTables.sums = dying
from scoring.cli.scoring import main
main(sys.argv[1:])
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Three tables of row groups, one without rows; parts of at least ten rows."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(parts, "ROWS_OF_PART", 10)
    Path("data").mkdir()
    row = 0
    for number, size in enumerate(SIZES):
        rows = range(row, row + size)
        table = {
            "id": [f"u{at}" for at in rows],
            "text": [None if at == 7 else f"a b {at % 3}" for at in rows],
            "pred_text": [None if at % 11 == 0 else f"a {at % 2}" for at in rows],
            "meta": [{"accent": "xyz"[at % 3]} for at in rows],
        }
        schema = {**dict.fromkeys(("id", "text", "pred_text"), pa.string())}
        fields = {**schema, "meta": pa.struct({"accent": pa.string()})}
        parquet.write_table(pa.table(table, pa.schema(fields)), f"data/{number}.parquet", 4)
        row += size
    return tmp_path


def run(capsys: pytest.CaptureFixture[str], *more: str) -> str:
    assert main([*COMMON, "--allow-unmatched", *more]) == 0
    return capsys.readouterr().out


def rows_of(path: str) -> list[dict[str, Any]]:
    return list(parquet.read_table(path).to_pylist())


def test_rows_have_their_numbers(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plain = run(capsys)
    for more in ([], ["--jobs", "2"], ["--resume"], ["--resume", "--jobs", "2"]):
        assert run(capsys, "--scored-table", "s.parquet", *more) == plain
        rows = rows_of("s.parquet")
        assert [row[NUMBERS] for row in rows] == list(range(1, sum(SIZES) + 1))
        assert [row["id"] for row in rows] == [f"u{at}" for at in range(sum(SIZES))]
        assert sorted(path.name for path in folder.iterdir()) == ["data", "s.parquet"]
    for own in ([], ["--resume"]):
        shard = ["--shard", "2/3", "--shard-output", "2.json", "--scored-table", "s.parquet"]
        assert main([*COMMON[:6], *COMMON[8:], "--allow-unmatched", *shard, *own]) == 0
        numbers = [row[NUMBERS] for row in rows_of("s.parquet")]
        assert [row["id"] for row in rows_of("s.parquet")] == [f"u{at - 1}" for at in numbers]
        assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
        assert 1 < numbers[0] < numbers[-1] < sum(SIZES)
    # which are rejected, and leave nothing
    assert main([*COMMON, "--scored-table", "t.parquet", "--resume"]) == 2
    assert sorted(path.name for path in folder.iterdir()) == ["2.json", "data", "s.parquet"]
    again = ["wer", "s.parquet", "--reference-column", "text", "--engine", "local"]
    assert main([*again, "--scored-table", "t.parquet"]) == 2
    odd = parquet.read_table("s.parquet").select(["text", "pred_text", NUMBERS])
    parquet.write_table(odd, "n.parquet")
    again[1] = "n.parquet"
    assert main([*again, "--scored-table", "t.parquet"]) == 2
    assert "without a column 'row_number'" in capsys.readouterr().err


def test_a_killed_run_is_resumed(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = run(capsys, "--scored-table", "whole.parquet", "--resume")
    command = [*COMMON, "--allow-unmatched", "--scored-table", "s.parquet", "--resume"]
    environment = {**os.environ, "PYTHONPATH": str(Path(scoring.__file__).parents[1])}
    killed = subprocess.run([sys.executable, "-c", KILLER, *command], env=environment)
    assert killed.returncode == -signal.SIGKILL
    unfinished = folder / "s.parquet.unfinished"
    there = sorted(path.name for path in unfinished.glob("part-*"))
    assert there == [f"part-{number:06d}.parquet" for number in range(3)]
    # a part that lost its end is none
    broken = unfinished / there[1]
    broken.write_bytes(broken.read_bytes()[:-9])
    # other rules and other tables are rejected, and leave the parts
    assert main([*command, "--normalize", "lowercase"]) == 2
    assert says(capsys.readouterr().err, messages.OTHER_RUN, path="s.parquet", part="rules")
    state = os.stat("data/0.parquet")
    os.utime("data/0.parquet", ns=(state.st_atime_ns, state.st_mtime_ns + 1))
    assert main(command) == 2
    assert says(capsys.readouterr().err, messages.OTHER_RUN, path="s.parquet", part="tables")
    os.utime("data/0.parquet", ns=(state.st_atime_ns, state.st_mtime_ns))
    scored = []
    original = Plan.scored

    def noted(plan: Plan, batches: Any) -> Any:
        scored.append(plan)
        return original(plan, batches)

    monkeypatch.setattr(Plan, "scored", noted)
    assert run(capsys, "--scored-table", "s.parquet", "--resume") == whole
    assert len(scored) == 5  # of seven parts, as one of the three is broken
    assert Path("s.parquet").read_bytes() == Path("whole.parquet").read_bytes()
    assert not unfinished.exists()


def test_a_folder_has_its_name_when_it_is_complete(folder: Path) -> None:
    def begun(rows: ScoredRows) -> parts.PartsOfTables:
        rows.check_is_new()
        return rows.begun(["data"], Plan(), Summing())

    rows = ScoredRows("s.parquet")
    written = begun(rows)
    written.sums(0)
    stray = Path(written.folder) / ".sclite-kit-0-0-0.tmp"
    stray.touch()
    assert not Path("s.parquet").exists()
    # what a killed run left is replaced, if it is not resumed
    part = Path(written.path(0))
    assert begun(rows._replace(is_resumed=True)) == written
    assert part.exists()
    begun(rows)
    assert not part.exists()
    written.sums(0)
    # an engine that failed leaves the parts, and rejected rows none
    rows.fail(written, EngineError("lost"))
    assert part.exists()
    rows.fail(written, ValueError())
    assert not part.exists()
    begun(rows)
    rows.fail(written, EngineError("no cluster"))
    assert not Path(written.folder).exists()
    for _ in ("new", "overwritten"):
        written = begun(rows)
        for number in range(len(written.parts)):
            written.sums(number)
        rows.finish(written)
        names = sorted(path.name for path in Path("s.parquet").iterdir())
        assert names == [f"part-{number:06d}.parquet" for number in range(len(written.parts))]
        with pytest.raises(EngineError, match=pattern_of(messages.OUTPUT_EXISTS)):
            begun(rows._replace(overwrite=False))
        rows = rows._replace(overwrite=True)
    assert [row[NUMBERS] for row in rows_of("s.parquet")] == list(range(1, sum(SIZES) + 1))


def test_parts_at_a_url(folder: Path) -> None:
    pytest.importorskip("fsspec")
    rows = ScoredRows("memory://out/s.parquet")
    written = rows.begun(["data"], Plan(), Summing())
    rows.check_is_new()  # because it is unfinished
    for number in range(len(written.parts)):
        written.sums(number)
    assert parts.is_whole(written.path(0), len(written.parts[0].rows))
    assert rows._replace(is_resumed=True).begun(["data"], Plan(), Summing()) == written
    rows.finish(written)
    with pytest.raises(EngineError, match=pattern_of(messages.OUTPUT_EXISTS)):
        rows.check_is_new()
    outputs = ["--scored-table", "memory://out/t.parquet"]
    for more in ([], ["--resume"]):
        assert main([*COMMON, "--allow-unmatched", *outputs, *more]) == 0
    common = ["wer", "memory://out/s.parquet/*.parquet", "--reference-column", "text"]
    assert main([*common, "--allow-unmatched"]) == 0
