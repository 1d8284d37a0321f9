"""`scoring bench`: rankings over sets, the history as cache, files of leaderboards, the gate."""

import gzip
import json
from pathlib import Path

import numpy as np
import pytest
import yaml

from scoring.cli.messages import AS_KALDI_FILES
from scoring.cli.scoring import main
from scoring.model.combinations import CombinationError
from scoring.model.errors import InputError
from scoring.regression.bench.plan import read_benchmark
from scoring.regression.bench.ranking import RecipeRanking, ranking_of
from scoring.regression.bench.runs import scored_cells
from scoring.regression.messages import CELLS, CHUNKS, OF_TEXTS
from scoring.regression.missing import MissingHypotheses, lines_on_missing
from scoring.regression.paper import table_of_ranking
from scoring.score import score
from scoring.score.engines.sums_files import SCHEMA
from scoring.stats.intervals import Resampling
from tests.each_case import each_case
from tests.formats.checks import message_text
from tests.remarks import says
from tests.scoring.score.test_schema import check

TALKS = [f"{a} {b} {c} d" for a in "abc" for b in "xyz" for c in "mno"]
SYSTEMS = {"good": "d", "bad": "e"}  # the last word of every answer


def cells(plan: Path, new: int, old: int) -> str:
    """The note of how many sets were scored, and how many known."""
    return f"note: {message_text(CELLS, path=plan.parent / 'plan.db', new=new, old=old)}"


def lines(words: list[str]) -> str:
    return "".join(f"{text} (u-{number})\n" for number, text in enumerate(words))


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    """Two systems on two sets: one has all words right, one every fourth wrong."""
    (tmp_path / "talks.trn").write_text(lines(TALKS))
    (tmp_path / "calls.trn").write_text(lines(TALKS[:9]))
    text = '[sets.talks]\nreference = "talks.trn"\ndataset = "demo/talks"\n'
    text += '[sets.calls]\nreference = "calls.trn"\n'
    for system, last in SYSTEMS.items():
        answers = [text[:-1] + last for text in TALKS]
        (tmp_path / f"{system}-talks.trn").write_text(lines(answers))
        (tmp_path / f"{system}-calls.trn").write_text(lines(answers[:9]))
        text += f'[systems.{system}]\ntalks = "{system}-talks.trn"\ncalls = "{system}-calls.trn"\n'
    path = tmp_path / "plan.toml"
    path.write_text(text)
    return path


def ranking(path: Path, replications: int = 200) -> RecipeRanking:
    benchmark = read_benchmark(str(path))
    cells = list(scored_cells(benchmark))
    return ranking_of(cells, benchmark.sets, Resampling(replications), "utterance")


def test_systems_are_ranked_by_the_mean_of_their_sets(plan: Path) -> None:
    result = ranking(plan)
    assert [(row.system, row.macro, row.ranks) for row in result.systems] == [
        ("good", 0.0, (1, 1)),
        ("bad", 0.25, (2, 2)),
    ]
    [pair] = result.pairs()
    assert (pair["systems"], pair["difference"]) == (["good", "bad"], 0.25)
    assert pair["p_value"] == 1 / 201


def results(folder: Path, name: str, names: str, *rows: tuple[object, ...]) -> Path:
    """A plan of files of the leaderboard, and one of them."""
    lines = (json.dumps(dict(zip(names.split(), row, strict=True))) for row in rows)
    # a mark of the byte order and lines of blanks do not hide the times
    text = "\ufeff" + "\n \n".join(lines)
    (folder / f"MODEL_us-model_DATASET_{name}.jsonl").write_text(text)
    (folder / "plan.toml").write_text('results = ["MODEL_*.jsonl"]')
    return folder / "plan.toml"


def test_macro_and_micro_weigh_sets_in_their_own_way(tmp_path: Path) -> None:
    # a golden of the leaderboard's table: 1 error in 10 words, 1 in 2
    names = "audio_filepath text pred_text duration time"
    results(tmp_path, "long", names, ("0", "a b c d e f g h i j", "a b c d e f g h i x", 100.0, 1))
    path = results(tmp_path, "short", names, ("0", "a b", "a c", 2.0, 0.5))
    [system] = ranking(path).systems
    assert system.system == "us/model"
    assert system.macro == pytest.approx(0.3)
    assert system.micro == pytest.approx(2 / 12)
    assert system.speed == (102.0, 1.5, 0)
    assert system.speed.factor == pytest.approx(68.0)
    assert system.macro_interval is None  # of one utterance there is none
    assert main(["bench", str(path), "--fail-above", "90", "--fail-on", "upper"]) == 3


def test_a_system_without_a_set_has_no_rank(plan: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plan.write_text(plan.read_text().replace('calls = "bad-calls.trn"\n', ""))
    assert main(["bench", str(plan), "--replications", "100"]) == 0
    output, errors = capsys.readouterr()
    assert "bad: no macro rate and no rank, because it has no rate on calls" in output
    # a rate that is missing does not pass
    assert main(["bench", str(plan), "--quiet", "--fail-above", "90"]) == 3
    assert "bad: --fail-above needs the macro rate" in capsys.readouterr().err
    assert cells(plan, 3, 0) in errors
    [good, bad] = ranking(plan).systems
    assert (good.ranks, bad.ranks, bad.macro) == ((1, 1), None, None)


def test_a_system_without_some_hypotheses_is_marked(
    plan: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its rate counts the deleted words, so each table of rates says so below."""
    answers = (tmp_path / "good-calls.trn").read_text().splitlines(keepends=True)
    (tmp_path / "good-calls.trn").write_text("".join(answers[2:]))
    table, html = tmp_path / "t.md", tmp_path / "b.html"
    flags = ["--quiet", "--latex", str(table), "--html", str(html), "--json", str(tmp_path / "j")]
    assert main(["bench", str(plan), *flags]) == 0
    [line] = lines_on_missing(
        [("good", MissingHypotheses({"talks": 0, "calls": 2}, is_skipped=False))]
    )
    output = capsys.readouterr().out
    for text in (output, html.read_text(), table.read_text()):
        assert f"† {line}" in text
        assert text.count("good †") == (1 if text.startswith("|") else 3)
    record = json.loads((tmp_path / "j").read_text())
    systems = {row["system"]: row["sets"] for row in record["rankings"][0]["systems"]}
    numbers = {name: [row["missing_hypotheses"] for row in rows] for name, rows in systems.items()}
    assert numbers == {"good": [0, 2], "bad": [0, 0]}
    latex = table_of_ranking(ranking(plan)).to_latex()
    assert latex.count(r"$^{\dagger}$") == 2


def test_an_interrupted_run_goes_on_where_it_stopped(
    plan: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    calls: list[object] = []

    def interrupted(*sides: object) -> object:
        calls.append(sides)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return score(*sides)  # type: ignore[arg-type]

    monkeypatch.setattr("scoring.regression.bench.runs.score", interrupted)
    with pytest.raises(KeyboardInterrupt):
        ranking(plan)
    assert main(["bench", str(plan), "--replications", "100"]) == 0
    assert cells(plan, 2, 2) in capsys.readouterr().err
    assert len(calls) == 5
    # what changed is scored again, and nothing else
    (plan.parent / "bad-calls.trn").write_text(lines([*TALKS[:8], "a"]))
    assert main(["bench", str(plan), "--replications", "100"]) == 0
    assert cells(plan, 1, 3) in capsys.readouterr().err


def test_one_note_for_all_files_that_are_read_as_kaldi_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("ref", "old", "new"):
        Path(f"{name}.txt").write_text("".join(f"u-{row} a b {name}\n" for row in range(4)))
    systems = "".join(f'[systems.{name}]\ncalls = "{name}.txt"\n' for name in ("old", "new"))
    Path("plan.toml").write_text(f'[sets.calls]\nreference = "ref.txt"\n{systems}')
    for _ in range(2):  # the second time from the history
        assert main(["bench", "plan.toml"]) == 0
        errors = capsys.readouterr().err
        assert says(errors, AS_KALDI_FILES, path="ref.txt", number=2)
        assert errors.count("READ-AS") == 1


def test_files_of_options_are_part_of_the_cache(
    plan: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(plan.parent)
    files = {
        "names.txt": "a\n",
        "bench_score.py": "def score(left, right): return [1] * len(left)\n",
    }
    for name, text in files.items():
        Path(name).write_text(text)
    options = '[options]\nmeasures = ["words", "bench_score:score"]\n'
    options += '[options.measure_options]\nwords = "names.txt"\n'
    plan.write_text(options + plan.read_text())
    for name in ("", *files):
        if name:
            Path(name).write_text(files[name] + "\n# more\n")
        assert main(["bench", str(plan), "--replications", "100"]) == 0
        assert cells(plan, 4, 0) in capsys.readouterr().err
    assert main(["bench", str(plan), "--replications", "100"]) == 0
    assert cells(plan, 0, 4) in capsys.readouterr().err


def test_runs_of_one_system_are_repeats(plan: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plan.write_text(
        plan.read_text().replace('"good-talks.trn"', '["good-talks.trn", "bad-talks.trn"]')
    )
    [good, bad] = ranking(plan).systems
    talks, calls = good.sets["talks"], good.sets["calls"]
    assert talks.interval is not None
    assert (talks.rates, talks.rate) == ((0.0, 0.25), 0.125)
    assert talks.deviation == pytest.approx(np.std([0.0, 0.25], ddof=1))
    # utterances are all alike: what the interval shows is the difference of the runs
    assert talks.interval.percentile == (0.0, 0.25)
    assert (calls.deviation, bad.macro) == (None, 0.25)
    # a row of CSV has the numbers of its run
    answers = ["", *(text[:-1] + "e" for text in TALKS[1:])]
    (plan.parent / "bad-talks.trn").write_text(lines(answers))
    assert main(["bench", str(plan), "--quiet", "--replications", "9", "--csv", "-"]) == 0
    rows = [line.split(",")[1:8] for line in capsys.readouterr().out.splitlines()]
    assert [row[3:] for row in rows if row[:2] == ["good", "talks"]] == [
        ["27", "108", "0.0", "0"], ["27", "108", str(30 / 108), "1"],
    ]  # fmt: skip


@pytest.mark.parametrize(("fail_on", "limit", "status"), [
    ("estimate", "12", 0), ("estimate", "5", 3), ("upper", "12", 3), ("upper", "50", 0),
])  # fmt: skip
def test_the_gate_compares_the_estimate_or_the_upper_bound(
    plan: Path, fail_on: str, limit: str, status: int
) -> None:
    # every third utterance has an error: the upper bound is about twice the rate
    for name, texts in (("talks", TALKS), ("calls", TALKS[:9])):
        third = len(texts) * 2 // 3
        answers = [*texts[:third], *(text[:-1] + "e" for text in texts[third:])]
        for system in SYSTEMS:
            (plan.parent / f"{system}-{name}.trn").write_text(lines(answers))
    command = ["bench", str(plan), "--fail-above", limit, "--fail-on", fail_on]
    assert main([*command, "--replications", "100", "--quiet"]) == status
    if fail_on == "upper":
        assert main(["bench", str(plan), "--fail-on", fail_on]) == 2


def test_results_for_model_pages(plan: Path, tmp_path: Path) -> None:
    folder, data = tmp_path / "pages", tmp_path / "all.json"
    command = ["bench", str(plan), "--eval-results", str(folder), "--json", str(data)]
    assert main([*command, "--html", str(tmp_path / "all.html"), "--replications", "100"]) == 0
    files = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.yaml"))
    # calls names no dataset
    assert files == ["bad/.eval_results/talks.yaml", "good/.eval_results/talks.yaml"]
    [entry] = yaml.safe_load((folder / files[0]).read_text())
    assert entry["dataset"] == {"id": "demo/talks", "task_id": "talks"}
    assert entry["value"] == 25.0
    record = check(data, "benchmark-1.json")["rankings"][0]["systems"]
    assert [(row["system"], row["macro"]) for row in record] == [("good", 0.0), ("bad", 0.25)]
    page = (tmp_path / "all.html").read_text()
    assert "<table" in page
    # the rates with their intervals, without signs and colours of changes
    chart = page.partition('<svg class="chart changes')[2].partition("</svg>")[0]
    assert "macro error rate in % (95 % interval): good 0.00" in chart
    assert "; bad 25.00" in chart
    assert chart.count('<circle class="dot"') == 2
    assert "+" not in chart
    assert 'class="worse"' not in chart


@each_case(("text", "problem"), [
    ("", "expected [systems] with files of [sets], found none"),
    ("sets = 3", "sets: expected object, found int"),
    ("title = Three systems\n",
     "plan.toml:1:9: the plan of the benchmark: invalid value (a text needs quotation marks)"),
    ("[sets.a\n", "plan.toml:1:8: the plan of the benchmark: "),
    ("\ncolour = 1", "plan.toml:2:1: expected a key of a benchmark, found 'colour'"),
    ('[sets.a]\nrefrence = "r"', "plan.toml:2:1: expected a key of a set, found 'refrence' (did you mean reference?)"),
    ('[sets.a]\ntask = "r"', 'plan.toml:1:1: sets.a: expected the member "reference", found none'),
    ('[sets.a]\nreference = 3', "plan.toml:2:1: sets.a: reference: expected str, found int"),
    ('[sets.a]\nreference = "r"\n[systems.x]\na = 3', "plan.toml:4:1: systems.x.a: expected str | array"),
    ('[sets.a]\nreference = "plan.tom"\n[systems.x]\na = "b"', "plan.tom: expected a readable file, found no such file (did you mean "),
    ('[systems.x]\na = "b"', "plan.toml:2: systems.x: expected a set of [sets], found 'a'"),
    ('[sets.talks]\nreference = "r"\n[systems.x]\ntalk = "b"', "(did you mean talks?)"),
    ('[sets.a]\nreference = "gone"\n[systems.x]\na = "b"', "plan.toml:2:1: "),
    ('results = ["none-*"]', "results: expected files none-*, found none"),
    ('options = {measures = ["no:f"]}\n[sets.a]\nreference = "r"\n[systems.x]\na = "b"', "options: expected module:"),
    *((f'{line}\n[sets.a]\nreference = "r"\n[systems.x]\na = "b"', f"plan.toml:1: options: {problem}")
      for line, problem in (
        ('options = {unit = "syllable"}', "unit: expected word"),
        ('options = {measures = 3}', "measures: expected a list of names"),
        ('options = {normalise = "x"}', "normalise: expected a field of Options, found 'normalise' (did"),
        ('options = {normalize = "no-such"}', "normalize: expected the name of a step"),
        ('options = {jobs = "3"}', "jobs: expected at least 1, found '3'"),
        ('recipes = ["no-such"]', "like: expected the name of a recipe"),
      )),
])  # fmt: skip
def test_a_plan_that_cannot_be_run(
    text: str, problem: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "plan.toml"
    path.write_text(text)
    with pytest.raises(InputError, match=r"plan\.toml"):
        read_benchmark(str(path))
    assert main(["bench", str(path)]) == 2
    assert problem in capsys.readouterr().err
    assert not (tmp_path / "plan.db").exists()


@pytest.mark.parametrize("names", [["talks.trn"], ["talks.trn", "good-talks.trn"]])
def test_texts_belong_to_another_command(
    names: list[str], plan: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bench", *(str(plan.parent / name) for name in names)]) == 2
    errors = capsys.readouterr().err
    assert "CONFIG.toml, found " in errors
    assert OF_TEXTS in errors


@pytest.mark.parametrize("name", ["sums.json", "sums.json.gz"])
def test_sums_are_refused_with_the_reason_of_the_table(plan: Path, name: str) -> None:
    text = json.dumps({"schema": SCHEMA, "version": 1, "signature": "wer", "rows": 1}).encode()
    (plan.parent / name).write_bytes(gzip.compress(text) if name.endswith(".gz") else text)
    plan.write_text(plan.read_text().replace("good-talks.trn", name))
    with pytest.raises(CombinationError) as error:
        ranking(plan)
    assert error.value.value is not None
    assert error.value.value.entry.variant == "sums bench"
    assert error.value.value.fields["option"] == str(plan.parent / name)


def test_each_recipe_has_its_ranking(plan: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plan.write_text('recipes = ["sclite", "jiwer", "kaldi"]\n' + plan.read_text())
    (plan.parent / "bad-calls.trn").write_text(lines(["a " * 12, *TALKS[1:9]]))
    assert main(["bench", str(plan), "--replications", "100", "--csv", "-"]) == 0
    output, errors = capsys.readouterr()
    assert [row.split(",")[0] for row in output.splitlines()[1::4]] == ["sclite", "jiwer", "kaldi"]
    assert cells(plan, 12, 0) in errors
    assert main(["bench", str(plan), "--replications", "100"]) == 0
    output, errors = capsys.readouterr()
    assert output.count("signature: wer|like:") == 3
    # loops are found in what was read: one of 36 answers
    assert [line.split()[-1] for line in output.splitlines() if line.startswith("bad  ")][1::4] == [
        "2.78"
    ] * 3
    # the columns of sets and counts are a table of their own
    headings = [line for line in output.splitlines() if line.startswith("system  rank")]
    assert [line.endswith("p against the first  micro %") for line in headings] == [True] * 3
    assert cells(plan, 0, 12) in errors


def test_chunks_of_a_session_are_one_answer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names, text = "parent_id chunk_index pred_text text duration time", "a b c d e f"
    chunks = ("call", 2, "e f"), ("call", 0, "a b"), ("walk", 0, None)
    path = results(tmp_path, "d", names, *((*chunk, text, 10.0, 2.0) for chunk in chunks))
    [system] = ranking(path).systems
    [result] = system.sets.values()
    assert (result.words, result.errors, result.empty) == (12, 8, 1)
    assert system.speed.factor == 5
    assert main(["bench", str(path), "--replications", "100"]) == 0
    answers = tmp_path / "MODEL_us-model_DATASET_d.jsonl"
    chunks_found = message_text(CHUNKS, path=answers, session="call", last=1, chunks=[0, 2])
    assert f"warning: {chunks_found}" in capsys.readouterr().err


def test_ten_words_without_errors_prove_no_rate(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [f"{number}" for number in range(10)]
    for name in ("ref", "hyp"):
        (tmp_path / f"{name}.trn").write_text(lines(words))
    path = tmp_path / "plan.toml"
    path.write_text('[sets.s]\nreference = "ref.trn"\n[systems.a]\ns = "hyp.trn"\n')
    command = ["bench", str(path), "--fail-above", "1", "--fail-on", "upper"]
    assert main(command) == 3
    output, errors = capsys.readouterr()
    assert "0.00 to 36.89" in output
    assert "a: upper bound of the macro rate 36.89 % is above 1 %" in errors
    assert main([*command, "--interval", "percentile"]) == 0
    assert "0.00 to 0.00" in capsys.readouterr().out


def test_intervals_of_small_sets_are_flagged(plan: Path, tmp_path: Path) -> None:
    data = tmp_path / "all.json"
    command = ["bench", str(plan), "--json", str(data), "--markdown", str(tmp_path / "all.md")]
    assert main([*command, "--replications", "100"]) == 0
    [_, bad] = check(data, "benchmark-1.json")["rankings"][0]["systems"]
    assert bad["macro_interval"]["flag"] == "only 9 utterances"
    assert [row["interval"]["flag"] for row in bad["sets"]] == [None, "only 9 utterances"]
    assert "(only 9 utterances)" in (tmp_path / "all.md").read_text()
