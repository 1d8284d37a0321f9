"""`scoring wer --engine`: the reports that sums are enough for, all rows scored, threads."""

import json
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pyarrow as pa
import pyarrow.parquet as parquet
import pytest

from formats.manifests.messages import NO_COLUMN, TEXT_COLUMN
from formats.schema.messages import Advice
from scoring.cli.scoring import main
from scoring.pages.messages import ABSENT
from scoring.score.engines.cluster import Cluster
from scoring.score.engines.messages import APART, NUMBERS, TWICE
from scoring.score.engines.parts import PartsOfTables
from scoring.score.engines.plan import Plan, Summing, on_columns
from scoring.score.engines.summary import TableSums
from tests.each_case import each_case
from tests.remarks import pattern_of, says

ROWS = [
    ("u1", "a b c", "a x c", "Anne", ["q"], 1),
    ("u2", "d e", "d", "bob", [], None),
    ("u3", "Ä f", "ä f g", "bob", None, 3),
    ("u4", "", "y", "Ünal", ["r", "s"], 4),
    ("u5", "z  z", "z z", None, [], 5),
]
NAMES = ("id", "text", "pred_text", "speaker_id", "tags", "age")


ALLOWED = ["--missing", "skip", "--allow-unmatched"]


def table_of(rows: list[Any], times: int = 1) -> Any:
    named = [dict(zip(NAMES, row, strict=True)) for row in rows * times]
    return pa.Table.from_pylist(
        [{**one, "id": f"u{at}"} for at, one in enumerate(named)],
        schema=pa.schema(
            {
                **dict.fromkeys(NAMES[:4], pa.string()),
                "tags": pa.list_(pa.string()),
                "age": pa.int16(),
            }
        ),
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two files of several row groups, one of them with rows that cannot be scored."""
    made = tmp_path / "data"
    made.mkdir()
    parquet.write_table(table_of(ROWS, 7), made / "a.parquet", row_group_size=8)
    odd = [*ROWS, ("u6", None, "a", "bob", None, 6), ("u7", "a", None, "bob", None, 7)]
    parquet.write_table(table_of(odd, 5), made / "b.parquet", row_group_size=3)
    return made


def run(*arguments: Any) -> int:
    return main(["wer", *map(str, arguments)])


def test_a_table_by_speaker_needs_speakers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "t.parquet"
    parquet.write_table(table_of(ROWS).drop(["speaker_id"]), path)
    assert run(path, "--reference-column", "text", "--engine", "local", "--per-speaker") == 2
    told = capsys.readouterr().err
    assert told.startswith(f"scoring: error: {path}: ")
    assert says(told, NO_COLUMN, column="speaker")
    assert told.count("\n") == 1


def test_pages(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    common = [folder, "--reference-column", "text", "--engine", "local", "--per-speaker", *ALLOWED]
    pages = [tmp_path / "x.html", tmp_path / "x.md"]
    assert run(*common, "--html", pages[0], "--markdown", pages[1], "--by", "age") == 0
    shown = capsys.readouterr().out
    [bob] = [line.split() for line in shown.splitlines() if line.startswith("bob")]
    assert bob == ["bob", "24", "48", "24", "12", "12", "12", "36", "75.00"]
    for page in pages:
        text = page.read_text()
        assert "Error rates of /" in text
        assert "%WER" in text
        assert ">bob</td>" in text or "| bob |" in text
    assert run(*common, "--html", "-") == 0
    assert capsys.readouterr().out == pages[0].read_text().partition('<div class="wide"')[0] + (
        '<div class="wide"' + pages[0].read_text().rpartition('<div class="wide"')[2]
    )


@pytest.mark.parametrize("jobs", ["2", "5"])
def test_threads_change_nothing(
    folder: Path, tmp_path: Path, jobs: str, capsys: pytest.CaptureFixture[str]
) -> None:
    common = [folder, "--reference-column", "text", "--by", "speaker", "--json", "-"]
    drawn = ["--confidence-interval", "--replications", "100", "--block", "speaker"]
    flags = {
        "engine": ["--engine", "local", "--by", "age", *ALLOWED],
        "all": ["--missing", "delete", "--allow-unmatched"],
        "rows": ["--engine", "local", *ALLOWED],
    }
    parquet.write_table(
        parquet.read_table(folder / "b.parquet").set_column(
            0, "id", pa.array([f"v{at}" for at in range(35)])
        ),
        folder / "b.parquet",
        row_group_size=4,
    )
    for name, own in flags.items():
        found = []
        for number in ("1", jobs):
            scored = tmp_path / f"{number}.parquet"
            more = ["--scored-table", scored] if name == "rows" else []
            assert run(*common, *own, *more, "--jobs", number) == 0
            found.append(capsys.readouterr().out)
            if more:
                found[-1] += str(parquet.read_table(scored).to_pylist())
        assert found[0] == found[1]
        assert json.loads(found[0].partition("[{'")[0])
    assert run(*common, *flags["engine"], *drawn, "--jobs", jobs) == 2
    assert "expected names in the column 'speaker_id' of all rows" in capsys.readouterr().err


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize(
    "flags", [[], ["--missing", "delete"], ALLOWED[:2], ["--missing", "error"]]
)
def test_a_row_with_a_text_on_one_side_is_refused_as_elsewhere(
    folder: Path, tmp_path: Path, flags: list[str], jobs: str, capsys: pytest.CaptureFixture[str]
) -> None:
    ids = parquet.read_table(folder / "b.parquet")
    ids = ids.set_column(0, "id", pa.array([f"v{at}" for at in range(len(ids))]))
    parquet.write_table(ids, folder / "b.parquet", row_group_size=4)
    common = [folder, "--reference-column", "text", "--jobs", jobs, *flags]
    told = []
    scored = tmp_path / "scored.parquet"
    for own in ([], ["--engine", "local"], ["--engine", "local", "--scored-table", scored]):
        assert run(*common, *own) == 2
        shown = capsys.readouterr()
        told.append(shown.err)
        assert not shown.out
    # an engine names a row by its number: 36 rows of another file are before these
    by_number = re.sub(r"\bv(\d+)\b", lambda name: str(int(name[1]) + 36), told[0])
    assert by_number == told[1] == told[2]
    assert re.search(r"\b5\b.* v5 .*\[MISSING-TEXTS\]", told[0])
    assert re.search(r"\b5\b.* 41 .*\[MISSING-TEXTS\]", told[1])
    assert not scored.exists()


@pytest.mark.parametrize("jobs", ["1", "3"])
def test_all_rows_with_their_scores(
    folder: Path, tmp_path: Path, jobs: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "scored.parquet"
    common = [folder, "--reference-column", "text", "--engine", "local", "--jobs", jobs, *ALLOWED]
    assert run(*common, "--scored-table", path, "--by", "age") == 0
    tables = [parquet.read_table(folder / name) for name in ("a.parquet", "b.parquet")]
    wanted = [
        batch for table in tables for batch in Plan.of(missing="skip").scored(table.to_batches())
    ]
    made = parquet.read_table(path)
    assert made["row_number"].to_pylist() == list(range(1, len(made) + 1))
    assert made.drop(["row_number"]).equals(pa.Table.from_batches(wanted))
    assert made.num_rows == 70
    assert made.column_names[:6] == list(NAMES)
    assert made["problem"].drop_null().to_pylist() == [
        *["text: expected a text, found null", "pred_text: expected a text, found null"] * 5
    ]
    before = path.read_bytes()
    capsys.readouterr()
    # what fails in the middle leaves what was there
    data = (folder / "b.parquet").read_bytes()
    (folder / "b.parquet").write_bytes(data[:200] + bytes(len(data) - 1200) + data[-1000:])
    assert run(*common, "--scored-table", path) == 2
    assert "expected a Parquet file, found damage" in capsys.readouterr().err
    parquet.write_table(tables[1].drop(["age"]), folder / "b.parquet")
    assert run(*common, "--scored-table", path) == 2
    told = capsys.readouterr().err
    assert told == (
        f"scoring: error: {folder}/b.parquet: expected the columns of {folder}/a.parquet in their order, "
        "found others: age (int16)\n"
    )
    assert path.read_bytes() == before
    assert sorted(one.name for one in tmp_path.iterdir()) == ["data", "scored.parquet"]


@each_case(
    ("values", "groups"),
    [
        (pa.array([1.0, 2.5, 1.0]), ["1.0", "2.5"]),
        (pa.array([1, 2, 1], pa.int8()), ["1", "2"]),
        (pa.array([0.5, 0.25, 0.5], pa.float32()), ["0.25", "0.5"]),
        (pa.array([True, False, None]), ["false", "true", None]),
        (pa.array([b"x", b"y", b"x"]), ["x", "y"]),
        (pa.array([b"x", b"y", b"x"], pa.large_binary()).dictionary_encode(), ["x", "y"]),
        (pa.array([1, 2, 1], pa.date32()), ["1970-01-02", "1970-01-03"]),
        (pa.array([1500, 2000, 1500], pa.duration("ms")), ["1.5", "2"]),
    ],
)
def test_groups_are_named_alike_with_and_without_engine(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], values: Any, groups: list[str | None]
) -> None:
    path = tmp_path / "t.arrow"
    table = pa.table({"text": ["a b", "c", "d"], "pred_text": ["a b", "c", "e"], "kind": values})
    with pa.ipc.new_file(path, table.schema) as writer:
        writer.write_table(table)
    common = (path, "--reference-column", "text", "--by", "kind", "--json", "-")
    for engine in ((), ("--engine", "local")):
        assert run(*common, *engine) == 0
        record = json.loads(capsys.readouterr().out)
        record = record if engine else record["systems"][0]
        assert {one["group"]["kind"] for one in record["groups"]} == {*groups}


def test_missing_hypotheses_make_a_rate_partial(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "t.parquet"
    parquet.write_table(
        pa.table({"text": ["a b", "c"], "pred_text": ["a", None]}), path, row_group_size=1
    )
    common = (path, "--reference-column", "text", "--missing", "delete")
    lines = []
    for engine in ((), ("--engine", "local"), ("--engine", "local", "--jobs", "2")):
        assert run(*common, *engine) == 0
        output, errors = capsys.readouterr()
        lines.append(output.splitlines()[0])
        assert errors.count("[DELETED]") == 1
        assert not engine or says(errors, ABSENT, path="t:pred_text", number=1)
    assert lines == ["%WER 66.67 [ 2 / 3, 0 ins, 2 del, 0 sub ] [PARTIAL]"] * 3


@pytest.mark.parametrize(("column", "is_noted"), [("snr", True), ("room_id", False)])
def test_groups_of_numbers_are_noted(
    column: str, is_noted: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    numbers = [place / 2 for place in range(30)]
    table = pa.table({"text": ["a"] * 30, "pred_text": ["a"] * 30, column: numbers})
    parquet.write_table(table, tmp_path / "t.parquet")
    flags = ("--reference-column", "text", "--engine", "local", "--by", column)
    assert run(tmp_path / "t.parquet", *flags) == 0
    assert says(capsys.readouterr().err, NUMBERS, column=column) == is_noted


@pytest.mark.parametrize("engine", ["local", "spark", "ray"])
def test_every_file_has_the_columns_of_texts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], engine: str
) -> None:
    parquet.write_table(pa.table({"text": ["a"], "pred_text": ["a"]}), tmp_path / "a.parquet")
    parquet.write_table(pa.table({"text": ["a"], "other": ["a"]}), tmp_path / "b.parquet")
    assert run(tmp_path, "--reference-column", "text", "--engine", engine) == 2
    problem = capsys.readouterr().err.splitlines()[-1]
    assert problem.startswith(f"scoring: error: {tmp_path}/b.parquet: ")
    named = TEXT_COLUMN._replace(advice=(Advice("hypothesis_column", "NAME"),))
    # the column of the reference is similar, but never suggested
    assert says(problem, named, column="pred_text", names=["text", "other"])


@pytest.mark.parametrize("engine", [(), ("--engine", "local"), ("--engine", "spark")])
def test_a_table_that_comes_twice_is_rejected(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], engine: tuple[str, ...]
) -> None:
    path = tmp_path / "a.parquet"
    parquet.write_table(pa.table({"text": ["a"], "pred_text": ["a"]}), path)
    assert run(path, tmp_path, "--reference-column", "text", *engine) == 2
    assert f"{path}: expected each table once, found twice" in capsys.readouterr().err


def test_tables_of_text_are_rejected(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = tmp_path / "t.csv"
    table.write_text("text,pred_text\na b,a c\n")
    command = ["wer", str(table), "--reference-column", "text"]
    assert main([*command, "--engine", "local"]) == 2
    assert "expected Parquet or Arrow, which --engine reads" in capsys.readouterr().err
    assert main(command) == 0
    assert main(["wer", "--help-all"]) == 0
    assert "Parquet or Arrow, not CSV" in " ".join(capsys.readouterr().out.split())


def summarize_like_a_cluster(
    paths: list[str],
    cluster: Cluster,
    plan: Plan,
    summing: Summing,
    written: PartsOfTables | None = None,
) -> TableSums:
    """Sums of the files as Spark and Ray compute them, with no account of single rows."""
    parts: list[Any] = []
    for path in paths:
        table = parquet.read_table(path)
        adapted, summing = on_columns(plan, summing, table.column_names)
        rows = list(adapted.scored(table.to_batches()))
        parts += summing.partial(rows)
    if written is not None:
        parts = [batch for number in range(len(written.parts)) for batch in written.sums(number)]
    return summing.merged(parts, plan.signature(summing.measure))


def _without_rows(remark: dict[str, Any]) -> object:
    """Return a remark about a table without its rows, which not every engine counts."""
    if "fields" not in remark:
        return re.sub(r": 0000\d\d.*", "", remark["text"])
    fields = {name: value for name, value in remark["fields"].items() if name != "row"}
    return remark["severity"], remark["code"], fields


@each_case(
    ("flags", "extra", "status"),
    [
        ([], True, 2),
        (["--like", "torchmetrics"], False, 2),
        (["--missing", "error"], False, 2),
        (["--missing", "error", "--allow-unmatched"], True, 2),
        (["--missing", "skip"], True, 2),
        (["--missing", "delete"], True, 2),
        (["--missing", "skip"], False, 0),
        (["--missing", "skip", "--allow-unmatched"], True, 0),
    ],
)
def test_gaps_are_judged_from_the_sums_of_every_engine(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    flags: list[str],
    extra: bool,
    status: int,
) -> None:
    monkeypatch.setattr(
        "scoring.score.engines.__getattr__",
        lambda name: SimpleNamespace(summarize_files=summarize_like_a_cluster),
    )
    monkeypatch.chdir(tmp_path)
    path, scored = Path("t.parquet"), Path("scored.parquet")
    hypotheses = ["a b" if row % 10 == 0 else None for row in range(1000)]
    references: list[str | None] = ["a b"] * 1000
    if extra:
        references, hypotheses = [*references, None], [*hypotheses, "a"]
    table = {"text": references, "pred_text": hypotheses}
    parquet.write_table(pa.table(table), path)
    common = [path, "--reference-column", "text", "--fail-above", "20", *flags]
    common += ["--remarks", "json"]
    told = []
    for own in (["--engine", "local"], ["--engine", "spark", "--scored-table", scored]):
        assert run(*common, *own) == status
        shown = capsys.readouterr()
        remarks = [json.loads(line) for line in shown.err.splitlines()]
        told.append([_without_rows(remark) for remark in remarks])
        assert bool(shown.out) == (status == 0)
    assert told[0] == told[1]
    assert scored.exists() == (status == 0)


@pytest.fixture
def parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A table in two parts and as a whole, with the sums of each, for two hypotheses."""
    monkeypatch.chdir(tmp_path)
    rows = [
        {
            "id": f"u{at}",
            "text": "a b c d",
            "one": "a x c d" if at % 3 else "a b c",
            "two": "a x c d" if at % 9 == 0 else "a b c d",
            "speaker": f"s{at % 10}",
        }
        for at in range(200)
    ]
    for name, own in (("p0", rows[:80]), ("p1", rows[80:]), ("all", rows)):
        parquet.write_table(pa.Table.from_pylist(own), f"{name}.parquet")
        for column in ("one", "two"):
            command = [f"{name}.parquet", "--reference-column", "text", "--engine", "local"]
            command += ["--hypothesis-column", column, "--by", "speaker", "--measures", "loops"]
            command += ["--confidence-interval", "--replications", "200", "--quiet"]
            assert run(*command, "--json", f"{name}.{column}.json") == 0
    return tmp_path


def test_sums_of_parts_are_those_of_the_whole(parts: Path) -> None:
    assert main(["merge", "p0.one.json", "p1.one.json", "--json", "merged.json"]) == 0
    whole, merged = (json.loads(Path(name).read_text()) for name in ("all.one.json", "merged.json"))
    assert whole.pop("name") == "all.parquet:one"
    assert merged == whole
    assert whole["interval"]["low"] > 0


def test_the_longest_loop_of_parts_is_that_of_the_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A greatest value does not add up: not over batches, groups, or merged parts."""
    monkeypatch.chdir(tmp_path)
    rows = [
        {"id": f"u{at}", "text": "a b", "pred_text": "a " * size + "b", "speaker": speaker}
        for at, (size, speaker) in enumerate([(5, "x"), (9, "y"), (1, "y"), (7, "x"), (6, "x")])
    ]
    for name, own in (("p0", rows[:2]), ("p1", rows[2:]), ("all", rows)):
        parquet.write_table(pa.Table.from_pylist(own), f"{name}.parquet", row_group_size=1)
        command = [f"{name}.parquet", "--reference-column", "text", "--measures", "loops"]
        command += ["--by", "speaker", "--quiet"]
        assert run(*command, "--engine", "local", "--json", f"{name}.json") == 0
        assert run(*command, "--json", f"{name}.rows.json") == 0
    assert main(["merge", "p0.json", "p1.json", "--json", "merged.json"]) == 0
    [rates] = json.loads(Path("all.rows.json").read_text())["systems"]
    expected = {group["group"]["speaker"]: group["measures"]["loops"] for group in rates["groups"]}
    for name in ("all", "merged"):
        record = json.loads(Path(f"{name}.json").read_text())
        assert record["sums"]["loops_longest"] == 9
        assert record["measures"]["loops"] == rates["measures"]["loops"]["values"]
        found = {
            group["group"]["speaker"]: group["measures"]["loops"] for group in record["groups"]
        }
        assert found == expected
    assert rates["measures"]["loops"]["counts"]["longest"] == 9
    assert [expected[name]["longest_loop"] for name in "xy"] == [7, 9]


@pytest.mark.parametrize(
    ("files", "problem"),
    [
        (("p0.one.json", "p0.one.json"), pattern_of(TWICE)),
        (
            ("p0.one.json", "p1.two.json"),
            pattern_of(APART["hypothesis"], other="p0.one.json", expected="one", found="two"),
        ),
        (("p0.one.json", "broken.json"), "groups: expected groups whose sums are those of all"),
    ],
)
def test_parts_that_do_not_belong_together_are_refused(
    parts: Path, files: tuple[str, str], problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    record = json.loads(Path("p1.one.json").read_text())
    record["groups"] = record["groups"][1:]
    Path("broken.json").write_text(json.dumps(record))
    assert main(["merge", *files]) == 2
    assert re.search(problem, capsys.readouterr().err)


def test_gates_take_sums(parts: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plain = ["all.parquet", "--reference-column", "text", "--hypothesis-column", "one"]
    gate = ["--fail-above", "20", "--fail-measure", "loops.loop_rate=50", "--quiet"]
    gate += ["--measures", "loops", "--summary-json", "gate.json"]
    verdicts = []
    for own in ((), ("--engine", "local")):
        status = run(*plain, *gate, *own)
        gate_record = json.loads(Path("gate.json").read_text())
        failed = [finding["has_failed"] for finding in gate_record["findings"]]
        numbers = gate_record["systems"][0]["metrics"]
        verdicts.append((status, gate_record["passed"], numbers, failed))
    assert verdicts[0] == verdicts[1]
    assert verdicts[0][0] == 3
    merged = ["merge", "p0.one.json", "p1.one.json", "--summary-json", "gate.json"]
    assert main([*merged, "--fail-above", "20"]) == 3
    assert main([*merged, "--fail-above", "30"]) == 0


def test_sums_are_baselines(parts: Path, capsys: pytest.CaptureFixture[str]) -> None:
    compare = ["compare", "all.one.json", "all.two.json", "--json", "-"]
    assert main([*compare, "--by", "speaker", "--fail-if-significant"]) == 0
    changes = json.loads(capsys.readouterr().out)
    assert changes["tests"][0]["p_value"] < 0.01
    # beside a record with words, its speakers are the units
    plain = ["all.parquet", "--reference-column", "text", "--hypothesis-column", "two", "--quiet"]
    assert run(*plain, "--json", "record.json") == 0
    capsys.readouterr()
    assert main(["compare", "all.one.json", "record.json", "--json", "-"]) == 0
    beside = json.loads(capsys.readouterr().out)
    assert beside["tests"][0]["p_value"] == changes["tests"][0]["p_value"]
    assert beside["overall"] == changes["overall"]
    assert main(["compare", "all.one.json", "all.two.json", "--measures", "loops"]) == 2
    assert "--measures and --meeting need words" in capsys.readouterr().err


def test_sums_are_runs_of_a_history(parts: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plain = ["all.parquet", "--reference-column", "text", "--hypothesis-column", "two"]
    assert run(*plain, "--engine", "local", "--record", "runs.db", "--tag", "model=two") == 0
    command = ["history", "import", "runs.db", "all.one.json", "--tag", "model=one"]
    assert main(command) == 0
    assert main(command) == 0
    assert "0 new runs, 1 known" in capsys.readouterr().out
    sides = ["runs.db", "runs.db", "--baseline-tag", "model=one", "--new-tag", "model=two"]
    assert main(["compare", *sides, "--json", "-"]) == 0
    changes = json.loads(capsys.readouterr().out)
    rates = [json.loads(Path(f"all.{name}.json").read_text())["counts"] for name in ("one", "two")]
    assert changes["overall"]["baseline"]["errors"] == rates[0]["errors"]
    assert changes["overall"]["new"]["errors"] == rates[1]["errors"]
