"""Gates of all commands: groups, repeated runs, all or any, tasks, the line of JSON."""

import json
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy

from formats.console.telling import told_to
from scoring.cli.gates import say_failed
from scoring.cli.messages import GUESSED_TEXT
from scoring.cli.scoring import main
from scoring.regression.evidence import DIFFERS, EQUAL, NOT_CHECKED
from scoring.regression.messages import (
    MISSING_UNITS,
    NO_GROUPS,
    NOTHING_CHECKED,
    OTHER_REFERENCE,
    OTHER_RULES,
    SMALL_GROUPS,
)
from scoring.regression.opening import open_version
from tests import programs
from tests.formats.checks import message_text
from tests.remarks import says
from tests.scoring.score.test_schema import check

DEMO = Path(__file__).resolve().parents[3] / "resources" / "demo"
KALDI = ["kaldi_baseline", "kaldi_new.txt", "--hypothesis-format", "kaldi-text"]
STM = ["reference.stm", "baseline.ctm", "improved.ctm"]
QUICK = ["--replications", "400", "--show", "0"]
NAMES = [f"u{number}" for number in range(12)]


def test_a_gate_does_not_guess_the_column_of_the_text(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without a gate, the only column of sentences is the text, with a note."""
    files = []
    for name, column in (("ref", "text"), ("old", "text"), ("new", "spoke")):
        rows = [{"id": f"u{row}", column: f"some words of {row}"} for row in range(9)]
        files.append(str(tmp_path / f"{name}.jsonl"))
        Path(files[-1]).write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    for command in (["compare", *files, *QUICK], ["wer", files[0], files[2]]):
        assert main(command) == 0
        limit = ["--fail-increase", "5%"] if command[0] == "compare" else ["--fail-above", "50"]
        capsys.readouterr()
        assert main([*command, *limit]) == 2
        assert says(
            capsys.readouterr().err, GUESSED_TEXT, "hypothesis", path=files[2], name="spoke"
        )


@pytest.fixture(autouse=True)
def in_the_demo(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(DEMO)


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    return programs.told(capsys, *arguments)


def compared(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    return told(capsys, "compare", *arguments, *QUICK)


@pytest.mark.parametrize(
    ("gate", "status"),
    [
        # the new rate is 2.48 points and 17.72 % above 14.01 %
        (["--fail-increase", "max(2.4pt, 5%)"], 3),
        (["--fail-increase", "max(2.4pt, 18%)"], 0),
        (["--fail-increase", "min(2.4pt, 18%)"], 3),
        (["--fail-increase", "5%:significant"], 3),
        (["--fail-increase", "5%:significant", "--significance", "0.00001"], 0),
        (["--fail-increase", "5%", "--fail-above", "20"], 3),
        (["--fail-increase", "5%", "--fail-above", "20", "--fail-when", "all"], 0),
        (["--fail-increase", "5%", "--fail-above", "15", "--fail-when", "all"], 3),
        (["--fail-increase", "5%", "--fail-if-significant", "--fail-when", "all"], 3),
        (["--by", "speaker", "--fail-group-increase", "5pt"], 3),
        (["--by", "speaker", "--fail-group-increase", "7pt"], 0),
        (["--by", "speaker", "--fail-group-increase", "5pt", "--group-words", "135"], 0),
        (["--by", "speaker", "--fail-group-above", "27"], 3),
        (["--by", "speaker", "--fail-group-above", "28"], 0),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else str(value),
)
def test_conditions(gate: list[str], status: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert compared(capsys, *KALDI, *gate)[0] == status


def test_a_group_that_falls_is_named_with_its_interval(capsys: pytest.CaptureFixture[str]) -> None:
    gate = ["--by", "speaker", "--fail-group-increase", "max(5pt, 10%)", "--group-words", "140"]
    status, output, errors = compared(capsys, *KALDI, *gate)
    assert status == 0
    assert "0 of 2 groups fail (2 with fewer than 140 words not judged)" in output
    status, output, errors = compared(capsys, *KALDI, *gate[:4])
    assert status == 3
    expected = "1 of 4 groups fail; speaker dan: 27.69 % is above 26.54 % (baseline 21.54 %, change"
    assert f"{expected} +6.15 points, interval +" in output
    name = "fail group increase max(5pt, 10%)"
    assert errors == f"scoring: error: not passed: {name} (the report has the reasons)\n"
    assert "Groups by speaker\nspeaker  words  baseline %  new %  change (pt)" in output


def test_groups_come_from_a_table_where_a_side_is_a_result(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "accents.csv"
    table.write_text("speaker,accent\nanna,north\nben,south\ncarla,north\ndan,south\n")
    gate = ["--metadata", str(table), "--by", "accent", "--fail-group-increase", "3pt"]
    status, output, errors = compared(capsys, *KALDI, *gate)
    assert status == 3
    assert "1 of 2 groups fail; accent south: 24.28 % is above" in output
    status, _, errors = compared(capsys, *KALDI, "--by", "room")
    assert status == 2
    assert says(errors, NO_GROUPS, unit="utterance", name="room", found="speaker")


def test_what_a_gate_needs(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, words in (
        (["--fail-increase", "5"], "which of 5% and 5pt is meant?"),
        (["--fail-group-above", "5"], "--fail-group-above 5 needs --by or --metadata"),
        (
            ["--by", "speaker", "--fail-group-above", "5", "--group-words", "999"],
            message_text(SMALL_GROUPS, least=999, groups=4),
        ),
    ):
        status, _, errors = compared(capsys, *KALDI, *arguments)
        assert status == 2
        assert words in errors


def test_the_line_of_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = tmp_path / "gate.json"
    status, _, _ = compared(capsys, *KALDI, "--fail-increase", "5%", "--summary-json", str(line))
    assert status == 3
    assert line.read_text().count("\n") == 1
    value = check(line, "gate-1.json")
    assert value["passed"] is False
    assert (value["baseline_value"], value["new_value"]) == (79 / 564, 93 / 564)
    verdict, empty, headings, _, row = value["comment"].splitlines()
    assert verdict.startswith("**FAIL** fail increase 5%: the new error rate of 16.49 %")
    assert (empty, headings) == ("", "|  | baseline | new | change | interval | p |")
    assert row.startswith(r"| kaldi\_new.txt | 14.01 % | 16.49 % | +2.48 | +")
    # a result by itself, too
    status, output, _ = told(
        capsys, "wer", *STM[:2], "--fail-above", "30", "--summary-json", "-", "--quiet"
    )
    assert status == 0
    assert json.loads(output)["systems"][0]["metrics"]["error_rate"] == 116 / 566


def runs(folder: Path, name: str, errors: list[list[int]]) -> list[str]:
    """A transcript for each run, with so many of ten words of each utterance wrong."""
    files = []
    for number, run in enumerate(errors):
        files.append(str(folder / f"{name}{number}.trn"))
        lines = [
            " ".join(["x"] * wrong + ["a"] * (10 - wrong)) + f" (s-{utterance})"
            for utterance, wrong in zip(NAMES, run, strict=True)
        ]
        Path(files[-1]).write_text("\n".join(lines) + "\n")
    return files


def test_repeated_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    reference = runs(tmp_path, "ref", [[0] * 12])[0]
    old = runs(tmp_path, "old", [[1] * 12, [2] * 12, [1] * 6 + [2] * 6])
    new = runs(tmp_path, "new", [[3] * 12, [2] * 12])
    flags = [part for path in old for part in ("--baseline", path)]
    flags += [part for path in new for part in ("--new", path)]
    output = tmp_path / "out.json"
    gate = ["--fail-increase", "5pt", "--by", "speaker"]
    status, text, _ = told(capsys, "compare", reference, *flags, *gate, "--json", str(output))
    assert status == 3
    assert "mean error rate %     15.00  25.00  +10.00" in text
    assert "baseline     3   15.00                5.00" in text
    value = check(output, "comparison-1.json")
    assert value["repeated_runs"]["new"]["mean"] == pytest.approx(0.25)
    assert value["repeated_runs"]["baseline"]["standard_deviation"] == pytest.approx(0.05)
    [test] = value["tests"]
    assert test["name"] == "repeated-runs"
    # the runs differ as much as the versions: no significant change
    assert test["p_value"] > 0.05
    significant = ["--fail-increase", "5pt:significant", "--fail-if-significant"]
    assert told(capsys, "compare", reference, *flags, *significant)[0] == 0
    # the same files by place
    by_place = [reference, old[0], new[0], *flags[2:6], *flags[8:]]
    assert told(capsys, "compare", *by_place, *gate)[1] == text


def test_a_third_file_is_the_reference(capsys: pytest.CaptureFixture[str]) -> None:
    by_flag = compared(capsys, "--reference", *STM)
    assert by_flag[0] == 0
    assert compared(capsys, *STM) == by_flag


TURNS = {
    "ref": [("a", 0, 5, "x"), ("a", 5, 3, "y"), ("b", 0, 5, "x")],
    "old": [("a", 0, 6, "x"), ("a", 6, 2, "y"), ("b", 0, 5, "x")],
    "new": [("a", 0, 7, "x"), ("a", 7, 1, "y"), ("b", 0, 5, "x")],
}


def turns(folder: Path) -> list[str]:
    files = []
    for name, rows in TURNS.items():
        files.append(str(folder / f"{name}.rttm"))
        lines = [
            f"SPEAKER {file} 1 {start} {duration} <NA> <NA> {speaker} <NA>\n"
            for file, start, duration, speaker in rows
        ]
        Path(files[-1]).write_text("".join(lines))
    return files


def labelled(folder: Path) -> list[str]:
    texts = ("bell bark bell", "bell knock bell", "bell knock knock")
    files = []
    for name, text in zip(("ref", "old", "new"), texts, strict=True):
        files.append(str(folder / f"{name}.ctm"))
        lines = [f"rec{at} 1 {at}.0 1.0 {word}\n" for at, word in enumerate(text.split())]
        Path(files[-1]).write_text("".join(lines))
    return files


def spoken(folder: Path) -> list[str]:
    texts = (
        "hello (s-1)\nhello (s-2)\n",
        "h e l o (s-1)\nh e l o (s-2)\n",
        "h e (s-1)\nh e l o (s-2)\n",
    )
    files = []
    for name, text in zip(("ref", "old", "new"), texts, strict=True):
        files.append(str(folder / f"{name}.trn"))
        Path(files[-1]).write_text(text)
    (folder / "lexicon.txt").write_text("hello h e l o\n")
    return files


def json_of(
    task: str, folder: Path, capsys: pytest.CaptureFixture[str], *gate: str
) -> tuple[list[str], int, str]:
    """The JSON of both systems, and the status and messages of the new one's gate."""
    more: list[str] = []
    files = {"der": turns, "events": labelled, "per": spoken}[task](folder)
    if task == "per":
        more = ["--lexicon", str(folder / "lexicon.txt")]
    outputs = [str(folder / "old.json"), str(folder / "new.json")]
    assert told(capsys, task, files[0], files[1], *more, "--json", outputs[0])[0] == 0
    status, _, errors = told(capsys, task, files[0], files[2], *more, "--json", outputs[1], *gate)
    return outputs, status, errors


@pytest.mark.parametrize(
    ("task", "limit", "passes", "baseline", "new", "failing", "passing"),
    [
        ("der", "confusion_rate=15", "purity=80", 1 / 13, 2 / 13, "7pt", "max(8pt, 5%)"),
        ("events", "f_measure=40", "recall=30", 1 / 3, 2 / 3, "max(30pt, 50%)", "34pt"),
        ("per", "error_rate=20", "sentence_error_rate=50", 0, 0.25, "5%", "25pt"),
    ],
)
def test_tasks(
    task: str,
    limit: str,
    passes: str,
    baseline: float,
    new: float,
    failing: str,
    passing: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    sides, status, errors = json_of(task, tmp_path, capsys, "--fail-measure", limit)
    assert status == 3
    assert "is above" in errors or "is below" in errors
    both = ["--fail-measure", limit, "--fail-measure", passes, "--fail-when", "all"]
    assert json_of(task, tmp_path, capsys, *both)[1] == 0
    output = tmp_path / "out.json"
    status, text, _ = compared(capsys, *sides, "--fail-increase", failing, "--json", str(output))
    assert (status, text.count("\nFAIL fail increase")) == (3, 1)
    value = check(output, "task-comparison-1.json")
    main = value["metrics"][0]
    assert (main["baseline"], main["new"]) == pytest.approx((baseline, new))
    assert main["change"] == pytest.approx(new - baseline)
    assert compared(capsys, *sides, "--fail-increase", passing)[0] == 0
    # its own file is no change
    same: tuple[int, str, str] = compared(
        capsys, sides[0], sides[0], "--fail-increase", "0pt", "--fail-if-significant"
    )
    assert same[0] == 0


def keyword_search(folder: Path, capsys: pytest.CaptureFixture[str], name: str, text: str) -> str:
    files = {key: f"keyword_search/demo.{key}.xml" for key in ("ecf", "kwlist")}
    path, output = folder / f"{name}.kwslist.xml", str(folder / f"{name}.json")
    path.write_text(text)
    flags = ["--ecf", files["ecf"], "--kwlist", files["kwlist"], "--kwslist", str(path)]
    flags += ["--rttm", "keyword_search/demo.rttm", "--json", output]
    assert told(capsys, "kws", *flags, "--fail-measure", "p_fa=1")[0] == 0
    assert told(capsys, "kws", *flags, "--fail-measure", "stwv=1.5")[0] == 3
    return output


def test_keyword_search(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = Path("keyword_search/demo.kwslist.xml").read_text()
    # the new system misses a detection
    lines = text.splitlines(keepends=True)
    detected = next(place for place, line in enumerate(lines) if '"YES"' in line)
    without = "".join(lines[:detected] + lines[detected + 1 :])
    old = keyword_search(tmp_path, capsys, "old", text)
    new = keyword_search(tmp_path, capsys, "new", without)
    values: list[dict[str, Any]] = [json.loads(Path(path).read_text()) for path in (old, new)]
    before, after = (value["systems"][0]["overall"]["actual"]["twv"] for value in values)
    assert after < before
    status, output, errors = compared(capsys, old, new, "--fail-measure", "kws.atwv=+0.0001")
    assert status == 3
    assert f"the new actual term-weighted value {after:.4f} is below" in output
    assert compared(capsys, old, new, "--fail-measure", "kws.atwv=+5")[0] == 0
    assert compared(capsys, new, old, "--fail-increase", "0%", "--fail-if-significant")[0] == 0
    status, _, errors = compared(capsys, old, new, "--fail-above", "40")
    assert status == 2
    assert "a greater value is better, see --fail-measure kws.atwv=0.4" in errors


def test_results_that_do_not_belong_together(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sides, _, _ = json_of("der", tmp_path, capsys)
    document = json.loads(Path(sides[1]).read_text())
    [system] = document["systems"]
    changed = tmp_path / "changed.json"
    for change, entry in (
        ({"signature": "der|other"}, OTHER_RULES),
        ({"recordings": system["recordings"][:1]}, MISSING_UNITS),
        (
            {"recordings": [{**row, "scored_seconds": 1} for row in system["recordings"]]},
            OTHER_REFERENCE,
        ),
    ):
        changed.write_text(json.dumps(document | {"systems": [system | change]}))
        status, _, errors = compared(capsys, sides[0], str(changed), "--remarks", "json")
        assert status == 2
        error = json.loads(errors)
        assert (error["code"], error.get("variant", "")) == (entry.code, entry.variant)
    status, _, errors = compared(capsys, sides[0], "improved.trn")
    assert status == 2
    assert "expected two results of a task, found der and words" in errors


def test_recorded_numbers_of_tasks_are_checked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sides, _, _ = json_of("der", tmp_path, capsys)
    status, output, _ = compared(capsys, *sides, "--fail-if-recorded-differs")
    assert (status, output.count("PASS recorded numbers")) == (0, 2)
    document = json.loads(Path(sides[1]).read_text())
    document["systems"][0]["overall"]["error_rate"] += 0.001
    changed = tmp_path / "changed.json"
    changed.write_text(json.dumps(document))
    status, output, errors = compared(capsys, sides[0], str(changed), "--fail-if-recorded-differs")
    assert status == 3
    assert f"recorded numbers: {changed}: 1 of 6 differ; not checked: 1\n" in output
    assert "  diarisation error rate: recorded 0.15484" in output
    # nothing but the turns gives some numbers, and a result does not keep these
    status, _, errors = compared(capsys, *sides, "--fail-if-unchecked")
    assert status == 2
    assert f"cannot pass: {sides[0]} (other numbers): " in errors


def test_what_a_record_says_of_utterances_without_partner_is_checked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Names are cut after ten; words that were not scored are not in the record."""
    reference = "".join(f"a b (s-{number})\n" for number in range(30))
    (tmp_path / "r.trn").write_text(reference)
    (tmp_path / "h.trn").write_text("a b (s-0)\na (s-1)\n" + "c (t-1)\n")
    files = [str(tmp_path / name) for name in ("r.trn", "h.trn")]
    for missing in ("delete", "skip"):
        record = tmp_path / f"{missing}.json"
        options = ["--missing", missing, "--allow-unmatched", "--json", str(record)]
        assert main(["wer", *files, *options]) == 0
        names = [check.state for check in open_version(str(record)).checks]
        assert names == [EQUAL, EQUAL, NOT_CHECKED]
        text = record.read_text("utf-8")
        for old in (
            '"matched": 2',
            '"count": 28',
            '"reference_utterances": 30',
            '"hypothesis_utterances": 3',
        ):
            assert text.count(old) == 1
            record.write_text(text.replace(old, old + "1"), "utf-8")
            assert DIFFERS in {check.state for check in open_version(str(record)).checks}, old
    capsys.readouterr()


def test_a_check_of_nothing_does_not_pass(capsys: pytest.CaptureFixture[str]) -> None:
    sides = ["reference.trn", "baseline.trn", "improved.trn"]
    status, output, errors = compared(capsys, *sides, "--fail-if-recorded-differs")
    assert (status, "PASS" in output) == (2, False)
    names = {"paths": ["baseline.trn", "improved.trn"]}
    assert (
        errors
        == f"scoring: error: {message_text(NOTHING_CHECKED, **names)} [{NOTHING_CHECKED.code}]\n"
    )


def test_what_the_data_cannot_tell_does_not_pass(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A change that may be chance is beyond a limit: neither PASS nor FAIL, unless asked for."""
    files = {name: str(tmp_path / name) for name in ("summary.json", "junit.xml", "out.json")}
    gate = [*KALDI, "--fail-increase", "5%:significant", "--significance", "0.00001"]
    gate += ["--summary-json", files["summary.json"], "--junit", files["junit.xml"]]
    status, output, errors = compared(capsys, *gate, "--json", files["out.json"])
    assert (status, errors) == (0, "")
    row = next(line for line in output.splitlines() if "fail increase" in line)
    assert row.startswith("UNDECIDED fail increase 5%:significant: the new error rate of 16.49 %")
    # 5.3 standard errors, which are 2.8 at a level of 5 %
    assert re.search(r"; 60 utterances could have shown [23]\.\d points$", row)
    summary = check(Path(files["summary.json"]), "gate-1.json")
    assert summary["passed"]
    assert summary["comment"].startswith("**UNDECIDED**")
    assert 'skipped="1"' in Path(files["junit.xml"]).read_text()
    [finding] = check(Path(files["out.json"]), "comparison-1.json")["findings"]
    assert (finding["has_failed"], finding["is_undecided"]) == (False, True)
    status, output, _ = compared(capsys, *gate, "--undecided", "fail")
    assert (status, "FAIL fail increase 5%:significant" in output) == (3, True)
    # one condition may decide for itself
    gate[gate.index("5%:significant")] += ":undecided-fails"
    assert compared(capsys, *gate)[0] == 3
    gate[gate.index("5%:significant:undecided-fails")] = "5%:significant:undecided-passes"
    assert compared(capsys, *gate, "--undecided", "fail")[0] == 0
    # within the limit there is nothing to decide
    inside = [*KALDI, "--fail-increase", "50%:significant", "--undecided", "fail"]
    assert compared(capsys, *inside)[0] == 0


def test_groups_of_tasks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sides, _, _ = json_of("der", tmp_path, capsys)
    groups = ["--by", "recording", "--fail-group-increase"]
    status, output, _ = compared(capsys, *sides, *groups, "11pt")
    # of eight seconds of `a`, one more is confused
    assert status == 3
    assert "1 of 2 groups fail; recording a: 25.00 % is above 23.50 % (baseline 12.50 %" in output
    row = next(line for line in output.splitlines() if line.startswith("a  "))
    assert row.split()[:5] == ["a", "8", "12.50", "25.00", "+12.50"]
    assert compared(capsys, *sides, *groups, "13pt")[0] == 0
    (tmp_path / "rooms.csv").write_text("recording,room\na,hall\nb,hall\n")
    table = ["--metadata", str(tmp_path / "rooms.csv"), "--by", "room"]
    assert "1 of 1 groups fail" in compared(capsys, *sides, *table, "--fail-group-above", "15")[1]


def test_several_runs_of_tasks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sides, _, _ = json_of("per", tmp_path, capsys)
    output = tmp_path / "out.json"
    several = [*sides, "--new", sides[0], "--json", str(output), "--fail-increase", "10pt"]
    status, text, _ = told(capsys, "compare", *several)
    assert (status, "mean phoneme error rate %" in text) == (3, True)
    value = check(output, "task-comparison-1.json")
    assert [run["value"] for run in value["repeated_runs"]["new"]["runs"]] == [0.25, 0]
    assert value["metrics"][0]["new"] == 0.125


def test_the_tests_are_scipy_s(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """P-values of a comparison of twelve utterances, from scipy's exact tests."""
    old = [1, 0, 2, 3, 0, 1, 4, 0, 2, 1, 0, 0]
    new = [2, 0, 3, 3, 1, 1, 6, 1, 4, 1, 2, 1]
    files = [runs(tmp_path, *side)[0] for side in (("ref", [[0] * 12]), ("o", [old]), ("n", [new]))]
    output = tmp_path / "out.json"
    flags = ["--replications", "5000", "--interval", "percentile", "--json", str(output)]
    assert told(capsys, "compare", *files, *flags)[0] == 0
    p_values = {row["name"]: row["p_value"] for row in json.loads(output.read_text())["tests"]}
    wrong = [(a > 0, b > 0) for a, b in zip(old, new, strict=True)]
    discordant = wrong.count((True, False)), wrong.count((False, True))
    assert p_values["mcnemar"] == pytest.approx(
        scipy.stats.binomtest(discordant[0], sum(discordant)).pvalue
    )
    exact = scipy.stats.permutation_test(
        (new, old),
        lambda a, b, axis: a.mean(axis=axis) - b.mean(axis=axis),
        permutation_type="samples",
        n_resamples=5000,
        vectorized=True,
    )
    assert p_values["randomisation"] == pytest.approx(exact.pvalue)
    interval = scipy.stats.bootstrap(
        ([b - a for a, b in zip(old, new, strict=True)],),
        lambda change, axis: change.mean(axis=axis) / 10,
        n_resamples=5000,
        method="percentile",
        rng=np.random.default_rng(1),
    ).confidence_interval
    difference = json.loads(output.read_text())["difference"]
    bounds = (difference["low"], difference["high"])
    assert bounds == pytest.approx((interval.low, interval.high), abs=0.006)


@pytest.mark.parametrize("is_printed", [True, False])
@pytest.mark.parametrize("is_terminal", [True, False])
def test_a_failure_is_printed_once_on_a_terminal(
    is_printed: bool,
    is_terminal: bool,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for stream in (sys.stdout, sys.stderr):
        monkeypatch.setattr(stream, "isatty", lambda: is_terminal)
    heard: list[str] = []
    with told_to(lambda message, _: heard.append(str(message))):
        say_failed([("fail above", "the error rate is above 5 %")], is_printed=is_printed)
    assert heard == ["fail above: the error rate is above 5 %"]
    errors = capsys.readouterr().err
    assert ("the error rate is above 5 %" in errors) == (not is_printed)
    # a log still names the condition if standard output is in another file
    assert ("fail above" in errors) == (not (is_printed and is_terminal))


def test_a_single_result_has_limits_of_groups(capsys: pytest.CaptureFixture[str]) -> None:
    files = [str(DEMO / name) for name in STM[:2]]

    def run(*options: str) -> tuple[int, str]:
        status = main(["wer", *files, *options])
        done = capsys.readouterr()
        return status, done.out + done.err

    status, text = run("--by", "speaker", "--fail-group-above", "22")
    assert status == 3
    assert "1 of 4 groups fail; speaker dan: 33.33 % is above 22.00 %" in text
    assert run("--by", "speaker", "--fail-group-above", "40")[0] == 0
    assert run("--by", "speaker", "--fail-group-above", "speaker=dan: 22")[0] == 3
    assert run("--by", "speaker", "--fail-group-above", "speaker=anna: 22")[0] == 0
    status, text = run("--by", "speaker", "--fail-group-above", "speaker=eve: 22")
    assert status == 2
    assert "speaker anna, speaker ben, speaker carla, speaker dan" in text
    status, text = run("--by", "speaker", "--fail-group-above", "22", "--group-words", "9999")
    assert status == 2
    assert "SMALL-GROUPS" in text
    status, text = run("--fail-group-above", "22")
    assert status == 2
    assert "--fail-group-above 22 needs --by or --metadata" in text


def test_the_worst_utterances_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    files = [str(DEMO / name) for name in STM[:2]]
    assert main(["wer", *files, "--worst", "2"]) == 0
    lines = capsys.readouterr().out.splitlines()
    errors = [int(found[1]) for line in lines if (found := re.search(r": (\d+) errors in", line))]
    assert len(errors) == 2
    assert errors == sorted(errors, reverse=True)
    assert lines[-1].endswith("utterances with errors, most errors first")
