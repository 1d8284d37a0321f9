"""Sums of other programs: read, remembered, and compared as far as sums go."""

import json
import re
from pathlib import Path

import pytest

import scoring
from scoring.cli.messages import ROUNDED
from scoring.cli.scoring import main
from scoring.regression.evidence import EvidenceError
from scoring.regression.history import History
from scoring.regression.messages import (
    NO_TEST,
    NOTHING_CHECKED,
    OTHER_RULES_OF_RUNS,
    OTHER_SIZE,
    OTHER_UNIT,
    TAGS_OF_RUNS,
)
from scoring.regression.sums import read_sums
from tests.each_case import each_case
from tests.formats.checks import message_text
from tests.remarks import pattern_of, says
from tests.scoring.score.test_schema import check

ROOT = Path(__file__).resolve().parents[3]
DEMO = ROOT / "resources" / "demo"
SUMS = ROOT / "tests" / "golden" / "sums"
KINDS = scoring.Counts(466, 78, 20, 18)  # of the demo's baseline


@each_case(
    ("path", "source", "counts", "utterances", "wrong"),
    [
        (SUMS / "demo.raw", "sclite", KINDS, 60, 52),
        (SUMS / "demo.sys", "sclite", KINDS, 60, 52),
        (SUMS / "demo.dtl", "sclite", KINDS, 60, 52),
        (SUMS / "long.raw", "sclite", scoring.Counts(17836, 1589, 575, 395), 2000, 1495),
        (SUMS / "jiwer.txt", "jiwer", KINDS, 60, None),
        (SUMS / "jiwer.json", "jiwer", KINDS, None, None),
        (
            DEMO / "kaldi_baseline" / "scoring_kaldi" / "best_wer",
            "Kaldi",
            scoring.Counts(499, 46, 19, 14),
            None,
            None,
        ),
    ],
    ids=lambda value: value.name if isinstance(value, Path) else "",
)
def test_sums_of_a_file(
    path: Path, source: str, counts: scoring.Counts, utterances: int | None, wrong: int | None
) -> None:
    [sums] = read_sums(path.read_text(), str(path))
    assert (sums.source, sums.counts, sums.utterances, sums.wrong) == (
        source,
        counts,
        utterances,
        wrong,
    )
    assert (sums.words, sums.errors) == (counts.reference_tokens, counts.errors)
    assert (sums.unit, sums.rounded) == ("word", False)


def test_percentages_of_many_words_are_rounded() -> None:
    [exact] = read_sums((SUMS / "long.raw").read_text(), "long.raw")
    [sums] = read_sums((SUMS / "long.sys").read_text(), "long.sys")
    assert sums.rounded
    assert sums.counts is not None
    assert sums.words == exact.words == sums.counts.reference_tokens
    assert abs(sums.errors - exact.errors) <= 0.0005 * exact.words


def test_characters_of_jiwer() -> None:
    [sums] = read_sums((SUMS / "jiwer-characters.txt").read_text(), "c.txt")
    assert (sums.unit, sums.errors, sums.words) == ("char", 322, 2746)


def test_lines_of_several_files_are_several_results() -> None:
    line = "%WER 20.57 [ 116 / 564, 18 ins, 20 del, 78 sub ]"
    results = read_sums(f"{line} exp/a/wer_9\n{line} exp/a/cer_10\n", "RESULTS")
    assert [(sums.name, sums.unit) for sums in results] == [
        ("exp/a/wer_9", "word"),
        ("exp/a/cer_10", "char"),
    ]
    with pytest.raises(
        EvidenceError, match=r"^RESULTS:2: expected one %WER line, or several that each"
    ):
        read_sums(f"{line} exp/a/wer_9\n{line}\n", "RESULTS")


def test_rows_of_csv_are_results_with_tags() -> None:
    text = "System;Date;Words;Errors;Sub;Del;Ins;model\na;2026-01-31;9;3;1;1;1;v1\nb;;9;2;;;;\n"
    first, second = read_sums(text, "s.csv")
    assert (first.name, first.recorded_at, first.tags) == (
        "a",
        "2026-01-31T00:00:00Z",
        {"model": "v1"},
    )
    assert first.counts == scoring.Counts(7, 1, 1, 1)
    assert (second.words, second.errors, second.counts, second.tags) == (9, 2, None, {})


@each_case(
    ("text", "problem"),
    {
        "words,errors\n9,1.5\n": "s:2: expected a whole number of errors, found '1.5'",
        "words,errors,sub,del,ins\n9,3,1,1,0\n": "s:2: expected numbers that add up",
        "words,errors\n9\n": "s:2: expected 2 cells, found 1",
        "words,errors\n,1\n": "s:2: expected numbers of words and of errors, found too few",
        "date,words,errors\nlast May,9,1\n": "s:2: expected a day such as 2026-01-31, found 'last",
        "wer\n0.25\n": "expected runs that `scoring history export` wrote, or totals",
        '{"wer": 0.25}': "expected runs that `scoring history export` wrote, or totals",
    }.items(),
)
def test_files_without_sums(text: str, problem: str) -> None:
    with pytest.raises(EvidenceError, match=problem):
        read_sums(text, "s")


def run(capsys: pytest.CaptureFixture[str], *words: str | Path) -> tuple[int, str, str]:
    return main(list(map(str, words))), *capsys.readouterr()


@pytest.fixture
def history(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """Imported sums (run 1), and a run without words (run 2)."""
    path = tmp_path / "runs.db"
    flags = ["--tag", "model=v1", "--recorded", "2020-01-31"]
    assert main(["history", "import", str(path), str(SUMS / "demo.raw"), *flags]) == 0
    sides = [str(DEMO / "reference.trn"), str(DEMO / "improved.trn")]
    record = ["--record", str(path), "--without-alignments", "--tag", "model=v2"]
    assert main(["wer", *sides, *record]) == 0
    capsys.readouterr()
    return path


def test_imported_sums_are_runs(
    history: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    again = run(capsys, "history", "import", history, SUMS / "demo.raw", "--tag", "model=v1")
    assert again[1] == f"{SUMS / 'demo.raw'}: 0 new runs, 1 known\n"
    shown = run(capsys, "history", "show", history, "1")[1]
    assert "rate: 20.57 %: 116 errors in 564 words (78 sub, 20 del, 18 ins)" in shown
    assert "imported: sums of sclite only\n" in shown
    assert "None" not in shown
    trend = run(capsys, "history", "trend", history)[1].splitlines()
    assert trend[0] == "Run 2 against run 1: -6.56 points, no test: sums only"
    assert trend[1] == "█▁  20.57 → 14.01 %, lowest 14.01 % (run 2)"
    assert trend[3].split()[-1] == "n/a"
    assert trend[4].split()[-3:] == ["-6.56", "sums", "only"]
    status, output, _ = run(capsys, "history", "compare", history, "1", "2")
    assert status == 0
    assert "error rate %        20.57  14.01   -6.56" in output
    assert f"no interval and no test: {history}, run 1" in output
    moved = tmp_path / "moved.db"
    lines = run(capsys, "history", "export", history)[1]
    (tmp_path / "runs.jsonl").write_text(lines)
    assert run(capsys, "history", "import", moved, tmp_path / "runs.jsonl")[0] == 0
    with History(history) as old, History(moved) as new:
        assert [item[1:] for item in old.runs()] == [item[1:] for item in new.runs()]
    status, _, problem = run(
        capsys, "history", "import", moved, tmp_path / "runs.jsonl", "--tag", "a=b"
    )
    assert (status, says(problem, TAGS_OF_RUNS)) == (2, True)


def test_rounded_sums_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "runs.db"
    problem = run(capsys, "history", "import", path, SUMS / "long.sys")[2]
    assert f"note: {message_text(ROUNDED, path=SUMS / 'long.sys')}" in problem
    shown = run(capsys, "history", "show", path)[1]
    assert "imported: sums of sclite only, computed from rounded percentages" in shown


def test_sums_are_a_baseline(
    history: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    new = DEMO / "improved.trn"
    sides = ("compare", history, new, "--baseline-tag", "model=v1")
    reference = ("--reference", DEMO / "reference.trn")
    output = tmp_path / "c.json"
    status, page, _ = run(capsys, *sides, *reference, "--fail-increase", "0pt", "--json", output)
    assert (status, "PASS fail increase 0pt" in page) == (0, True)
    assert "imported sums of sclite; rules of scoring not recorded" in page
    record = check(output, "comparison-1.json")
    assert (record["overall"]["error_change"], record["difference"], record["tests"]) == (
        -37,
        None,
        [],
    )
    assert run(capsys, *sides, *reference, "--fail-above", "14")[0] == 3
    assert "a transcript needs a reference" in run(capsys, *sides)[2]
    for flags, problem in {
        ("--fail-if-significant",): pattern_of(NO_TEST, condition="--fail-if-significant"),
        ("--fail-if-recorded-differs",): pattern_of(NOTHING_CHECKED),
        ("--measures", "loops"): "--measures and --meeting need words",
    }.items():
        status, _, errors = run(capsys, *sides, *reference, *flags)
        assert status == 2
        assert re.search(problem, errors)


def test_other_words_are_not_compared(
    history: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "s.csv").write_text("name,words,errors\nx,600,100\n")
    assert main(["history", "import", str(history), str(tmp_path / "s.csv")]) == 0
    sides = ("compare", history, history, "--baseline-tag", "1", "--new-tag", "3")
    status, _, problem = run(capsys, *sides)
    assert (status, says(problem, OTHER_SIZE, expected=564)) == (2, True)
    status, page, _ = run(capsys, *sides, "--allow", "references", "--fail-increase", "0pt")
    assert (status, "substitutions" in page) == (0, False)
    (tmp_path / "characters.txt").write_text((SUMS / "jiwer-characters.txt").read_text())
    assert main(["history", "import", str(history), str(tmp_path / "characters.txt")]) == 0
    status, _, problem = run(capsys, *sides[:-1], "4")
    assert (status, says(problem, OTHER_UNIT, expected="wer")) == (2, True)


def test_runs_without_words_have_tests(history: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sides = ("compare", history, DEMO / "baseline.trn", "--baseline-tag", "model=v2")
    reference = ("--reference", DEMO / "reference.trn")
    status, page, _ = run(capsys, *sides, *reference, "--fail-if-significant")
    assert status == 3
    assert "FAIL fail if significant: more errors than the baseline, p = 0.0042" in page
    assert "change of the error rate: +6.56 points, interval +2.45 to +11.01" in page
    command = (*sides, *reference, "--profile", "kaldi", "--remarks", "json")
    status, _, problem = run(capsys, *command)
    assert (status, json.loads(problem)["code"]) == (2, OTHER_RULES_OF_RUNS.code)


def test_trend_by_tag(history: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["history", "import", str(history), str(SUMS / "long.raw")]) == 0
    capsys.readouterr()
    page = run(capsys, "history", "trend", history, "--by-tag", "model")[1]
    headings = [line for line in page.splitlines() if line in ("no model", "model=v1", "model=v2")]
    assert headings == ["no model", "model=v1", "model=v2"]
    drawing = run(capsys, "history", "trend", history, "--html", "-")[1]
    assert drawing.count("<circle ") == 3 * 3  # for three widths of screens
    assert re.search("<title>run 2 [^<]*: 14.01 %, interval [^<]*, sums only</title>", drawing)
    markdown = run(capsys, "history", "trend", history, "--markdown", "-")[1]
    assert "lowest 12.80 % (run 3)" in markdown


def test_a_run_without_speakers_has_no_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, text in (("r", "a b\n"), ("h", "a c\n")):
        (tmp_path / f"{name}.txt").write_text(text)
    path = tmp_path / "runs.db"
    assert (
        main(["wer", str(tmp_path / "r.txt"), str(tmp_path / "h.txt"), "--record", str(path)]) == 0
    )
    capsys.readouterr()
    shown = run(capsys, "history", "show", path)[1]
    assert "By speaker" not in shown
    [record] = json.loads(run(capsys, "history", "show", path, "--json", "-")[1])["runs"]
    assert record["speakers"]
