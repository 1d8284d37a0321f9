"""The command `scoring der`: its reports, remarks and exit statuses."""

import csv
import json
from pathlib import Path

import pytest

import scoring
from scoring.cli.scoring import main
from scoring.tasks.messages import (
    DROPPED,
    FEW_RECORDINGS,
    NO_INTERVAL,
    NOT_IN_BOTH,
    ONE_SIDED,
    TOO_FEW_RECORDINGS,
    WITHOUT_REGION,
)
from tests.formats.checks import message_text

REFERENCE = """\
SPEAKER talk 1 0 10 <NA> <NA> anne <NA> <NA>
SPEAKER talk 1 10 10 <NA> <NA> bob <NA> <NA>
SPEAKER walk 1 1 4 <NA> <NA> anne <NA> <NA>
"""
HYPOTHESIS = """\
SPEAKER talk 1 0 12 <NA> <NA> x <NA> <NA>
SPEAKER talk 1 12 12 <NA> <NA> y <NA> <NA>
SPEAKER walk 1 1 3 <NA> <NA> x <NA> <NA>
SPEAKER walk 1 4.5 1 <NA> <NA> z <NA> <NA>
"""


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("r.rttm").write_text(REFERENCE)
    Path("h.rttm").write_text(HYPOTHESIS)


def test_text(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["der", "r.rttm", "h.rttm", "--speaker-confusions"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    lead, blank, *lines = out.splitlines()
    kinds = "missed 0.5 s, false alarm 4.5 s, confusion 2.5 s"
    assert (lead, blank) == (f"31.25 % of the speaker time is wrong: {kinds}", "")
    assert lines[:5] == [
        "Diarisation errors: 31.25 % of speaker time",
        "recording  scored s  missed s  false alarm s  confusion s  DER %  JER %",
        "talk         20.000     0.000          4.000        2.000  30.00  29.76",
        "walk          4.000     0.500          0.500        0.500  37.50  25.00",
        "sum          24.000     0.500          4.500        2.500  31.25  28.17",
    ]
    assert [line.split() for line in lines[8:11]] == [
        ["talk", "anne", "x", "10.000", "0.000", "0.00", "12.000", "2.000", "16.67"],
        ["talk", "bob", "y", "10.000", "2.000", "20.00", "14.000", "6.000", "42.86"],
        ["walk", "anne", "x", "4.000", "1.000", "25.00", "4.000", "1.000", "25.00"],
    ]
    assert lines[11].split() == ["walk", "(nobody)", "z"]
    assert lines[12:14] == ["", "Speech detection, clusters"]
    assert lines[-1].startswith("signature: der|like:sclite-kit|collar:0s each-side|")


def test_a_collar_has_its_name_in_python_too(capsys: pytest.CaptureFixture[str]) -> None:
    shown = []
    for option in ("--boundary-collar=0.25s", "--collar=0.25"):
        assert main(["der", "r.rttm", "h.rttm", option]) == 0
        shown.append(capsys.readouterr())
    assert shown[0] == shown[1]
    assert "|collar:0.25s each-side|" in shown[0].out


def test_json_and_csv(capsys: pytest.CaptureFixture[str]) -> None:
    options = [
        "--boundary-collar",
        "0.25s",
        "--skip-overlap",
        "--explain-difference",
        "--like",
        "dscore",
    ]
    assert main(["der", "r.rttm", "h.rttm", "--json", "-", "--csv", "x.csv", *options]) == 0
    [record] = json.loads(capsys.readouterr().out)["systems"]
    first = record["recordings"][0]
    assert list(first)[:12] == [
        "recording", "scored_seconds", "missed_seconds", "false_alarm_seconds", "confusion_seconds",
        "error_rate", "jaccard_error_rate", "purity", "coverage", "detection_accuracy",
        "detection_cost", "mapping",
    ]  # fmt: skip
    assert first["mapping"] == {"anne": "x", "bob": "y"}
    assert (first["scored_seconds"], first["false_alarm_seconds"]) == (19.0, 3.75)
    assert record["overall"]["scored_seconds"] == 22.5
    assert list(record["by_other_rules"]) == ["md-eval", "dscore", "pyannote", "meeteval", "spyder"]
    steps = record["by_other_rules"]["dscore"]["steps"]
    moved = sum(step["false_alarm_seconds"] for step in steps)
    own = record["by_other_rules"]["md-eval"]["false_alarm_seconds"]
    assert own + moved == record["overall"]["false_alarm_seconds"]
    [row, _] = csv.DictReader(Path("x.csv").read_text().splitlines())
    assert (row["recording"], row["scored_seconds"], row["present_in"]) == ("talk", "19.0", "both")


def test_all_rates_and_mappings(capsys: pytest.CaptureFixture[str]) -> None:
    options = [
        "--all-rates",
        "--mapping",
        "names",
        "--speaking",
        "single",
        "--change-tolerance",
        "2s",
    ]
    assert main(["der", "r.rttm", "h.rttm", *options]) == 0
    out = capsys.readouterr().out
    assert out.splitlines()[6].split() == [
        "sum",
        "24.000",
        "0.500",
        "0.000",
        "23.500",
        "100.00",
        "100.00",
    ]
    assert "talk           100.00      100.00       100.00          n/a" in out
    assert "Information in frames of 10 ms" in out
    assert out.splitlines()[-1].endswith("|mapping:names|speaking:single|tolerance:2s")
    assert main(["der", "r.rttm", "h.rttm", "--csv", "-"]) == 0
    [row, _] = csv.DictReader(capsys.readouterr().out.splitlines())
    assert (row["b3_recall"], row["change_f1"]) == ("0.8666666666666667", "0.0")


def test_pages(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--markdown", "-", "--html", "x.html", "--explain-difference"]
    assert main(["der", "r.rttm", "h.rttm", *arguments]) == 0
    out = capsys.readouterr().out
    assert "# h.rttm against r.rttm" in out
    assert "| md-eval |" in out
    assert "From md-eval to pyannote" in Path("x.html").read_text()


def test_pages_count_warnings_of_a_kind(capsys: pytest.CaptureFixture[str]) -> None:
    turns = [f"SPEAKER talk 1 {2 * turn} 3 <NA> <NA> anne <NA> <NA>\n" for turn in range(26)]
    Path("r.rttm").write_text("".join(turns))
    arguments = ["--unpaired", "score", "--markdown", "-"]
    assert main(["der", "r.rttm", "h.rttm", *arguments]) == 0
    found = capsys.readouterr()
    for text in (found.out, found.err):
        [line] = [line for line in text.splitlines() if "merge=true" in line]
        assert "25 " in line


def test_a_limit_and_an_interval(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["der", "r.rttm", "h.rttm", "--fail-above", "31.25"]) == 0
    arguments = ["--fail-above", "31.2", "--confidence-interval"]
    assert main(["der", "r.rttm", "h.rttm", *arguments]) == 3
    out, err = capsys.readouterr()
    assert "% (only 2 recordings) (95 % Student's t of the log rate, 2 units by recording)" in out
    assert message_text(FEW_RECORDINGS, recordings=2) in err
    assert "h.rttm: diarisation error rate 31.25 % is above 31.2 %" in err


def test_recordings_of_one_side(capsys: pytest.CaptureFixture[str]) -> None:
    Path("h.rttm").write_text(HYPOTHESIS.replace("walk", "walk2"))
    assert main(["der", "r.rttm", "h.rttm"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    missing = message_text(NOT_IN_BOTH, side="hypothesis", names=["walk"])
    assert err == f"scoring: error: r.rttm: {missing} [{NOT_IN_BOTH.code}]\n"
    assert main(["der", "r.rttm", "h.rttm", "--unpaired", "score", "--like", "md-eval"]) == 0
    err = capsys.readouterr().err
    assert message_text(ONE_SIDED, side="hypothesis", number=1, names=["walk2"]) in err
    assert message_text(DROPPED, tool="md-eval", names=["walk2"]) in err


def test_a_region_file(capsys: pytest.CaptureFixture[str]) -> None:
    Path("x.uem").write_text("talk 1 0 12\n")
    assert main(["der", "r.rttm", "h.rttm", "--region", "x.uem", "--json", "-"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["systems"][0]["overall"]["scored_seconds"] == 12.0
    assert (
        err
        == f"scoring: warning: {message_text(WITHOUT_REGION, names=['walk'])} [{WITHOUT_REGION.code}]\n"
    )
    Path("x.uem").write_text("talk 1 30 40\n")
    assert main(["der", "r.rttm", "h.rttm", "--region", "x.uem"]) == 2
    assert "r.rttm: expected speech to score, found none" in capsys.readouterr().err
    assert main(["der", "r.rttm", "h.rttm", "--region", "x.uem", "--allow-empty"]) == 0


@pytest.mark.parametrize("collar", ["-1", "0.25ms", "nan", "1e", ""])
def test_collars_that_are_none(collar: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["der", "r.rttm", "h.rttm", f"--boundary-collar={collar}"]) == 2
    assert f"expected seconds such as 0.25s, found {collar!r}" in capsys.readouterr().err


def test_channels_apart(capsys: pytest.CaptureFixture[str]) -> None:
    Path("r.rttm").write_text(REFERENCE + "SPEAKER talk 2 0 5 <NA> <NA> anne <NA> <NA>\n")
    Path("h.rttm").write_text(HYPOTHESIS + "SPEAKER talk 2 1 4 <NA> <NA> y <NA> <NA>\n")
    Path("x.uem").write_text("talk 1 0 20\ntalk 2 0 4\nwalk 1 0 9\n")
    options = ["--subtotals", "channel", "--region", "x.uem"]
    assert main(["der", "r.rttm", "h.rttm", *options, "--json", "x.json"]) == 0
    lines = list(filter(None, capsys.readouterr().out.splitlines()[2:]))
    assert [line.split() for line in lines[2:9]] == [
        ["talk", "1", "20.000", "0.000", "0.000", "2.000", "10.00", "18.33"],
        ["walk", "1", "4.000", "0.500", "0.500", "0.500", "37.50", "25.00"],
        ["talk", "2", "4.000", "1.000", "0.000", "0.000", "25.00", "25.00"],
        ["sum", "28.000", "1.500", "0.500", "2.500", "16.07", "21.67"],
        ["channel", *lines[1].split()[1:]],
        ["1", "24.000", "0.500", "0.500", "2.500", "14.58", "20.56"],
        ["2", "4.000", "1.000", "0.000", "0.000", "25.00", "25.00"],
    ]
    [record] = json.loads(Path("x.json").read_text())["systems"]
    assert [one["channel"] for one in record["recordings"]] == ["1", "1", "2"]
    assert [(one["name"], one["missed_seconds"]) for one in record["groups"]] == [
        ("1", 0.5),
        ("2", 1.0),
    ]
    assert record["signature"].endswith("|by:channel")
    with pytest.raises(ValueError, match="by: expected channel or speakers, found 'label'"):
        scoring.der("r.rttm", "h.rttm", by="label")  # type: ignore[arg-type]


def test_sums_by_the_number_of_speakers() -> None:
    turns = {"a": [("x", 0.0, 2.0)], "b": [("x", 0.0, 2.0), ("y", 2.0, 4.0)]}
    errors = scoring.der(turns, {"a": turns["a"], "b": [("x", 0.0, 4.0)]}, by="speakers")
    groups = errors.per_group
    assert list(groups) == ["1", "2"]
    assert groups["1"].error_rate == 0
    assert groups["2"].error_rate == errors.recordings[1].error_rate
    assert groups["2"].amounts.wrong > 0


def test_why_there_is_no_interval_is_a_message(capsys: pytest.CaptureFixture[str]) -> None:
    for path in ("r.rttm", "h.rttm"):
        lines = Path(path).read_text().splitlines(keepends=True)
        first = next(line.split()[1] for line in lines if line.startswith("SPEAKER"))
        Path(path).write_text("".join(line for line in lines if line.split()[1] == first))
    flags = ["--confidence-interval", "--remarks", "json"]
    assert main(["der", "r.rttm", "h.rttm", *flags]) == 0
    records = map(json.loads, capsys.readouterr().err.splitlines())
    [found] = [each["fields"] for each in records if each["code"] == NO_INTERVAL.code]
    assert found["reason"]["variant"] == TOO_FEW_RECORDINGS.variant
    assert found["reason"]["fields"] == {"number": 1}


TURNS = (("r1", 0, 10, "A"), ("r1", 10, 10, "B"), ("r2", 0, 8, "A"), ("r2", 9, 6, "B"))


def turn_files(folder: Path) -> list[str]:
    """Write a reference and two systems, whose first turns begin 1 and 2 s late."""
    paths = []
    for late in (0, 1, 2):
        path = folder / f"{late}.rttm"
        path.write_text(
            "".join(
                f"SPEAKER {name} 1 {begin + late * (row == 0)} {size - late * (row == 0)} "
                f"<NA> <NA> {speaker} <NA> <NA>\n"
                for row, (name, begin, size, speaker) in enumerate(TURNS)
            )
        )
        paths.append(str(path))
    return paths


def test_several_systems_are_compared_with_the_first(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    reference, *systems = turn_files(tmp_path)
    found = tmp_path / "found.json"
    assert main(["der", reference, *systems, "--json", str(found)]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines() if "rttm " in line]
    assert [row[:6] for row in rows[1:]] == [
        [systems[0], "34.000", "1.000", "0.000", "0.000", "2.94"],
        [systems[1], "34.000", "2.000", "0.000", "0.000", "5.88"],
    ]
    change, low, to, high = rows[2][7:11]
    assert (change, to) == ("+2.94", "to")
    assert float(low) < 2.94 < float(high)
    record = json.loads(found.read_text())
    assert [system["hypothesis"] for system in record["systems"]] == systems
    assert main(["der", reference, *systems, "--fail-above", "5"]) == 3
    assert f"{systems[1]}: " in capsys.readouterr().err
    assert main(["der", reference, *systems, "--csv", "-"]) == 2
    assert "--csv: expected one hypothesis, found 2" in capsys.readouterr().err


def test_turns_are_compared_as_their_results_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    reference, *systems = turn_files(tmp_path)
    parts = [str(tmp_path / f"{number}.json") for number in (1, 2)]
    for path, part in zip(systems, parts, strict=True):
        assert main(["der", reference, path, "--json", part]) == 0
    capsys.readouterr()
    assert main(["compare", *parts]) == 0
    wanted = capsys.readouterr().out
    assert main(["compare", reference, *systems]) == 0
    output = capsys.readouterr().out
    for path, part in zip(systems, parts, strict=True):
        output = output.replace(path, part)
    assert output == wanted
