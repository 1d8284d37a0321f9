"""What is done with partitions, without any cluster: the same however rows are dealt out."""

import json
import random
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as parquet
import pytest

import scoring
from scoring.cli.messages import NOTHING_SCORED
from scoring.cli.scoring import main
from scoring.model.counts import Counts
from scoring.model.errors import InputError
from scoring.score.engines.groups import GroupSum
from scoring.score.engines.plan import (
    EngineError,
    Plan,
    Summing,
    engine_errors,
    on_columns,
    sums_of_rows,
)
from scoring.score.engines.summary import TableSums
from scoring.sides.matching import MatchingError
from scoring.stats.bootstrapping import bootstrap
from scoring.stats.intervals import Resampling
from scoring.stats.poisson import weighted_sums
from tests.formats.checks import message_text
from tests.programs import apart

COUNTS = [f"wer_{name}" for name in scoring.Counts._fields]


def table_of(rows: int, seed: int = 3) -> Any:
    chooser = random.Random(seed)
    texts = [" ".join(chooser.choices("abcd", k=chooser.randint(0, 9))) for _ in range(50)]
    return pa.table(
        {
            "id": [f"u{at}" for at in range(rows)],
            "text": [chooser.choice([*texts, None]) for _ in range(rows)],
            "pred_text": [chooser.choice([*texts, None]) for _ in range(rows)],
            "speaker_id": chooser.choices(["s1", "s2", "s3"], k=rows),
            "accent": chooser.choices(["de", None], k=rows),
        }
    )


def summed(partitions: list[list[Any]], plan: Plan, summing: Summing) -> dict[str, Any]:
    parts = [part for batches in partitions for part in sums_of_rows(plan, summing)(batches)]
    return summing.merged(parts, plan.signature(summing.measure)).to_dict()


def test_sums_do_not_depend_on_partitions() -> None:
    table = table_of(1000)
    plan = Plan.of(normalize="lowercase", measures=["wer", "cer"])
    summing = Summing(by=["speaker_id", "accent"], resampling=Resampling(100, 4, 0.9), block="id")
    chooser = random.Random(8)
    told = set()
    for count in (1, 7, 64):
        batches = table.to_batches(chooser.randint(5, 300))
        chooser.shuffle(batches)
        told.add(json.dumps(summed([batches[at::count] for at in range(count)], plan, summing)))
    assert len(told) == 1
    found = json.loads(told.pop())
    known = table.to_pandas().dropna(subset=["text"]).fillna({"pred_text": ""})
    whole = scoring.wer(list(known["text"]), list(known["pred_text"]), normalize="lowercase")
    assert (found["rows"], found["failed_rows"]) == (1000, 1000 - len(known))
    assert found["counts"]["errors"] == whole.counts.errors
    assert found["with_errors"] == whole.sentence_errors
    assert len(found["groups"]) == 6
    assert sum(one["errors"] for one in found["groups"]) == whole.counts.errors
    exact = bootstrap(
        [[one.errors, one.reference_tokens] for one in whole.per_utterance], level=0.9
    )
    interval = found["interval"]
    # a tenth of a standard error for the quantiles of 100 replications would be too strict
    for name in ("low", "high"):
        assert abs(interval[name] - getattr(exact.percentile, name)) < exact.standard_error


@pytest.mark.parametrize("speakers", [7, 1500])
def test_many_groups_are_listed_where_they_meet(speakers: int) -> None:
    """What reports list of groups is the same whether all of them or few leave a cluster."""
    rows = 3 * speakers
    speaker = [f"s{row % speakers}" if row % 9 else None for row in range(rows)]
    table = table_of(rows).set_column(3, "speaker_id", pa.array(speaker, pa.string()))
    plan = Plan.of(measures=["wer", "loops"], ignore_case=True)
    summing = Summing(
        by=["speaker_id", "accent"], resampling=Resampling(100), block="id", counted=["loops"]
    )
    parts = [
        part
        for batch in table.to_batches(speakers // 2)
        for part in sums_of_rows(plan, summing)([batch])
    ]
    whole = summing.merged(parts, "s")
    # a speaker's rows meet in one of three partitions, as after a shuffle
    whose = pa.Table.from_batches(parts)
    place = pc.fill_null(pc.utf8_length(whose["by_0"]), 0).to_numpy() % 3
    met = [whose.filter(pa.array(place == number)) for number in range(4)]
    listed = [batch for part in met for batch in summing.listed(part.to_batches())]
    few = summing.merged_listed(pa.Table.from_batches(listed, summing.listed_schema()), "s")
    assert list(few.lines()) == list(whole.lines())
    assert list(few.blocks()) == list(whole.blocks())
    assert few.group_count == whole.group_count > speakers
    assert len(few.groups) == (whole.group_count if speakers < 1000 else 100)


def test_rows_that_fail_say_why() -> None:
    odd = pa.array([b"a b", b"a\xff", b"c", None, b"a refused"], pa.binary()).view(pa.string())
    table = pa.table({"text": ["a b", "b", None, "d", "a"], "pred_text": odd, "other": range(5)})

    def step(text: str) -> str:
        if "refused" in text:
            raise ValueError("a word that is refused")
        return text.upper()

    plan = Plan.of(normalize=step, edits=True, keep=["other"], missing="skip")
    [made] = plan.scored(table.to_batches())
    assert made.schema.equals(plan.schema(table.schema))
    assert made.column("wer_edits").to_pylist() == ["CC", None, None, None, None]
    assert made.column("other").to_pylist() == list(range(5))
    problems = made.column("problem").to_pylist()
    assert problems[:4] == [
        None,
        "pred_text: expected UTF-8, found other bytes",
        "text: expected a text, found null",
        "pred_text: expected a text, found null",
    ]
    assert problems[4].endswith("a word that is refused")
    for name in COUNTS:
        assert made.column(name).is_null().to_pylist() == [False, True, True, True, True]
    for deleting in (Plan.of(missing="delete"), Plan()):
        [deleted] = deleting.scored(table.to_batches())
        assert deleted.column("wer_deletions").to_pylist() == [0, None, None, 1, 0]


def test_sums_of_rows_that_lack_a_text_are_rejected_as_by_options() -> None:
    lacking = GroupSum((), 3, 0, 1, 1, 0, Counts(2, 0, 1, 0))
    sums = TableSums("wer", (), [lacking])
    assert Plan.of().checked(sums) is sums
    with pytest.raises(MatchingError, match=r"^rows:pred_text: .* 1$"):
        Plan.of(missing="error").checked(sums)
    extra = TableSums("wer", (), [lacking._replace(missing=0, extra=2)])
    with pytest.raises(MatchingError):
        Plan.of().checked(extra)


@pytest.mark.parametrize(("unit", "things"), [("word", "words"), ("char+space", "characters")])
def test_sums_are_said_in_a_sentence(unit: str, things: str) -> None:
    group = GroupSum((), 3, 0, 1, 1, 0, Counts(6, 1, 2, 0))
    sums = TableSums(f"wer|unit:{unit}|norm:none", (), [group])
    assert sums.sentence == f"3 of 9 {things} are wrong: 33.3 %"


def test_an_error_that_no_text_causes_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    batches = pa.table({"text": ["a b", None], "pred_text": ["a", "b"]}).to_batches()
    settings: dict[str, Any] = {"measure_options": {"script": "Latn"}}
    [scored] = Plan.of(measures=["wer", "cer", "script"], **settings).scored(batches)
    assert scored.column("script_letters").to_pylist() == [1, None]

    def broken(*_: object, **__: object) -> None:
        raise ValueError("the program is broken")

    monkeypatch.setattr("scoring.score.score_columns.score", broken)
    with pytest.raises(pa.ArrowException, match="the program is broken"):
        list(Plan().scored(batches))


def test_a_row_of_a_million_words() -> None:
    table = pa.table({"text": ["a " * 10**6, "b"], "pred_text": ["a " * (10**6 - 1), "b"]})
    [made] = Plan().scored(table.to_batches())
    assert made.column("wer_deletions").to_pylist() == [1, 0]


def test_names_that_are_not_there() -> None:
    table = table_of(3)
    with pytest.raises(ValueError, match=r"'pred', found .*; did you mean pred_text"):
        Plan(hypothesis="pred").schema(table.schema)
    with pytest.raises(ValueError, match="without a column 'problem'"):
        Plan().schema(table.append_column("problem", pa.array(["", "", ""])).schema)
    [scored] = Plan().scored(table.to_batches())
    for summing, problem in (
        (Summing(by=["acent"]), "'acent', found .*; did you mean accent"),
        (Summing(measure="cer"), "'cer_correct'"),
        (Summing(measure="ser"), "wer or cer"),
        (Summing(resampling=Resampling(100, 0, 0.9)), "block: expected the column"),
    ):
        with pytest.raises(ValueError, match=problem):
            summing.check(scored.schema)
    plan, summing = on_columns(
        Plan(), Summing(by=["speaker"], block="utterance"), table.column_names
    )
    assert (summing.by, summing.block, summing.sides) == (["speaker_id"], "id", plan.sides)
    assert plan.keep == ["speaker_id", "id", *plan.sides]
    nameless = Summing(block="id", resampling=Resampling(100, 0, 0.9))
    [lacking] = Plan(keep=["id"]).scored(
        pa.table(
            {"id": pa.array([None], pa.string()), "text": ["a"], "pred_text": ["a"]}
        ).to_batches()
    )
    with pytest.raises(ValueError, match="names in the column 'id' of all rows, found null"):
        list(nameless.partial([lacking]))


def test_draws_hang_on_names_alone() -> None:
    numbers = np.random.default_rng(1).integers(0, 30, (3000, 2))
    names = [f"u{at}" for at in range(3000)]
    whole = weighted_sums(names, numbers, replications=400, seed=9)
    order = np.random.default_rng(2).permutation(3000)
    parts = [order[:10], order[10:1700], order[1700:]]
    sums = [
        weighted_sums([names[at] for at in part], numbers[part], replications=400, seed=9)
        for part in parts
    ]
    assert (np.sum(sums, axis=0) == whole).all()
    # replications that are there anyhow stay the same where more are asked for
    assert (weighted_sums(names, numbers, replications=401, seed=9)[:400] == whole).all()
    assert (weighted_sums(names, numbers, replications=400, seed=10) != whole).any()
    total, spread = numbers.sum(axis=0), np.sqrt((numbers.astype(float) ** 2).sum(axis=0))
    assert (np.abs(whole.mean(axis=0) - total) < 5 * spread / np.sqrt(400)).all()
    assert (np.abs(whole.std(axis=0) / spread - 1) < 0.2).all()
    huge = weighted_sums(["u"], np.array([[1 << 40]]), replications=9, seed=0)
    assert (huge % (1 << 40) == 0).all()
    for wrong in ({"replications": 0, "seed": 0}, {"replications": 9, "seed": -1}):
        with pytest.raises(ValueError, match="expected"):
            weighted_sums(names, numbers, **wrong)


def test_what_engines_say_is_one_line() -> None:
    with pytest.raises(EngineError) as caught, engine_errors("spark"):
        raise RuntimeError(
            "\x1b[36mJob\x1b[39m aborted\n at x.java\nCaused by: ValueError: no such thing\n"
        )
    assert str(caught.value) == "spark: Job aborted Caused by: ValueError: no such thing"
    with pytest.raises(EngineError, match="the extra ray"), engine_errors("ray"):
        raise ImportError("No module named 'ray'")
    with pytest.raises(InputError, match="as it is"), engine_errors("ray"):
        raise InputError("f", None, None, "as it is")


def test_what_ray_prints_is_not_among_the_results(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its warnings go to `sys.stdout` even without logs; with `--json -` they would be in it."""
    parquet.write_table(table_of(30), tmp_path / "p.parquet")

    class Cluster(ModuleType):
        def is_initialized(self) -> bool:
            return False

        def init(self, **_: Any) -> None:
            print("WARNING: 8 worker processes have been started")

        def shutdown(self) -> None:
            print("WARNING: a node is gone")

        def read_parquet(self, paths: Sequence[str]) -> None:
            raise RuntimeError(f"no worker for {len(paths)} file")

    cluster = Cluster("ray")
    cluster.data = cluster  # type: ignore[attr-defined]
    cluster.DataContext = cluster  # type: ignore[attr-defined]
    cluster.get_current = lambda: cluster  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "ray", cluster)
    assert main(["wer", str(tmp_path), "--reference-column", "text", "--engine", "ray"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert "8 worker processes" in said.err
    assert "a node is gone" in said.err
    assert "ray: no worker for 1 file" in said.err


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = table_of(300)
    for at in range(3):
        parquet.write_table(table.slice(at * 100, 100), tmp_path / f"p-{at}.parquet")
    common = ["wer", str(tmp_path), "--reference-column", "text", "--engine", "local"]
    common += ["--missing", "skip", "--allow-unmatched"]
    many = [*common, "--by", "speaker", "--confidence-interval", "--replications", "200"]
    found = tmp_path / "sums.json"
    assert main([*many, "--json", str(found)]) == 0
    shown = capsys.readouterr().out
    told = json.loads(found.read_text())
    assert (
        f"rows: {300 - told['failed_rows']} scored, {told['failed_rows']} without scores" in shown
    )
    assert "Poisson percentile bootstrap" in shown
    assert [one["group"] for one in told["groups"]] == [
        {"speaker_id": f"s{at}"} for at in (1, 2, 3)
    ]
    assert main([*common, "--fail-above", "1"]) == 3
    capsys.readouterr()
    assert main([*common, "--unit", "char", "--json", "-"]) == 0
    assert "|unit:char|" in json.loads(capsys.readouterr().out)["signature"]
    there = tmp_path / "other" / "x.parquet"
    there.mkdir(parents=True)
    for arguments, problem in (
        (["--by", "acent"], "acent"),
        (["--hypothesis-column", "pred"], 'did you mean "pred_text"'),
        (
            ["-o", "sum", "pralign"],
            apart(report="-o pralign", engine="--engine local"),
        ),
        (["--csv", "x.csv"], apart(csv="--csv", engine="--engine local")),
        (["--engine", "ray", "--jobs", "2"], "--jobs does not apply to --engine ray"),
        (["--scored-table", "x.csv"], "ends in .parquet, found 'x.csv'"),
        (["--engine", "spark", "--scored-table", str(there)], "a new folder"),
        (["--scored-table", f"{tmp_path}/p-0.parquet"], "it is one of the inputs"),
        (["--hypothesis-column", "a", "--hypothesis-column", "b"], "takes one hypothesis"),
    ):
        try:
            status = main([*common, *arguments])
        except SystemExit as end:
            status = int(end.code or 0)
        assert status == 2, arguments
        assert problem in capsys.readouterr().err.splitlines()[0]


@pytest.mark.parametrize("more", [[], ["--by", "speaker"], ["--confidence-interval"]])
def test_a_table_without_rows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], more: list[str]
) -> None:
    path = tmp_path / "none.parquet"
    parquet.write_table(table_of(1).slice(0, 0), path)
    command = ["wer", str(path), "--reference-column", "text", "--engine", "local", *more]
    assert main(command) == 2
    said = capsys.readouterr().err.splitlines()
    assert (
        said[-1]
        == f"scoring: error: {message_text(NOTHING_SCORED, path=path)} [{NOTHING_SCORED.code}]"
    )
    assert main([*command, "--allow-empty", "--json", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["rows"] == 0


def test_a_worker_loads_no_pandas() -> None:
    """Which would be a third of its memory, and most of its start."""
    code = """if True:
        import sys
        import pyarrow as pa
        from scoring.score.engines.plan import Summing, Plan, on_columns, sums_of_rows
        from scoring.stats.intervals import Resampling
        texts = pa.Array.from_buffers(pa.string(), 2, [None, pa.py_buffer(bytes(12)), pa.py_buffer(b"")])
        table = pa.table([texts, texts, texts], names=["id", "text", "pred_text"])
        summing = Summing(by=["id"], resampling=Resampling(9), block="id")
        plan, summing = on_columns(Plan(), summing, table.column_names)
        parts = list(sums_of_rows(plan, summing)(table.to_batches()))
        list(summing.listed(parts))
        print("pandas" in sys.modules)
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("False\n", "")
