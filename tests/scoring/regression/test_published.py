"""Published tables: leaderboards and folders of results, each number beside ours."""

import json
from pathlib import Path

import pytest

from scoring.cli.scoring import main
from scoring.regression.published import PublishedNumber, table_of
from tests.scoring.regression.test_results import ERRS, RECOGS, SPEECHBRAIN, WENET

ROWS = [
    ("the black board is here", "the black bored is here", 2.0, 0.5),
    ("come in", "come", 1.0, 0.25),
]
# What the leaderboard's script of 2025 prints of these files.
PRINTED = """\
********************************************************************************
Results per dataset:
********************************************************************************
sea/tide-1 | tests_ami_test: WER = 28.57 %, RTFx = 4.00
sea/tide-1 | tests_voxpopuli_test: WER = 28.57 %, RTFx = 4.00

Composite Results:
sea/tide-1: WER = 28.57 %
sea/tide-1: RTFx = 4.00
"""
CSV = """\
model,Avg. WER,RTFx,License,AMI WER,Voxpopuli WER,Tedlium WER
sea/tide-1,28.57,4,Open,28.57,28.5,3.0
other/model,1,2,Open,3,4,5
"""
RESULTS_MD = """\
# RESULTS
## exp/asr_tide
### WER

|dataset|Snt|Wrd|Corr|Sub|Del|Ins|Err|S.Err|
|---|---|---|---|---|---|---|---|---|
|decode_ave/test|2|6|66.7|16.7|16.7|16.7|50.0|100.0|
|decode_ave/absent|2|6|66.7|16.7|16.7|16.7|50.0|100.0|
"""


@pytest.fixture
def leaderboard(tmp_path: Path) -> Path:
    """A folder with one system and two sets, the second in chunks of a session."""
    folder = tmp_path / "results" / "transformers"
    folder.mkdir(parents=True)
    names = ("text", "pred_text", "duration", "time")
    rows = [dict(zip(names, row, strict=True)) for row in ROWS]
    (folder / "MODEL_sea-tide-1_DATASET_tests_ami_test.jsonl").write_text(_lines(rows))
    text, answers = " ".join(row[0] for row in ROWS), [row[1] for row in ROWS]
    chunks = [
        {
            **rows[index],
            "text": text,
            "pred_text": answers[index],
            "parent_id": "a",
            "chunk_index": index,
        }
        for index in (1, 0)
    ]
    (folder / "MODEL_sea-tide-1_DATASET_tests_voxpopuli_test.jsonl").write_text(_lines(chunks))
    return tmp_path / "results"


def _lines(rows: list[dict[str, object]]) -> str:
    return "".join(f"{json.dumps(row)}\n" for row in rows)


def test_a_leaderboard_of_what_its_script_prints(leaderboard: Path, tmp_path: Path) -> None:
    (tmp_path / "printed.txt").write_text(PRINTED)
    cells = table_of("open-asr", str(leaderboard), str(tmp_path / "printed.txt"), "evaluate")
    assert len(cells) == 6
    assert all(cell.equal for cell in cells)
    assert PublishedNumber("sea/tide-1", "average", "28.57", "28.57") in cells


def test_a_leaderboard_of_its_csv(
    leaderboard: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "table.csv").write_text(CSV)
    command = ["recipes", "table", "open-asr", str(leaderboard), "--recipe", "evaluate"]
    assert main([*command, "--published", str(tmp_path / "table.csv")]) == 3
    printed = capsys.readouterr().out
    assert "(published numbers: 4, equal: 3)" in printed
    [row] = [line.split() for line in printed.splitlines() if line.endswith("no")]
    assert row == ["sea/tide-1", "tests_voxpopuli_test", "28.50", "28.57", "no"]
    assert main(command) == 0
    assert "(published numbers: 0, equal: 0)" in capsys.readouterr().out
    (tmp_path / "table.csv").write_text("nothing")
    assert main([*command, "--published", str(tmp_path / "table.csv")]) == 2
    assert "expected a CSV of the leaderboard, or the lines" in capsys.readouterr().err


def test_folders_of_toolkits(tmp_path: Path) -> None:
    for place in ("icefall/greedy", "speechbrain", "wenet"):
        (tmp_path / place).mkdir(parents=True)
    for kind in ("recogs", "errs"):
        name = f"{kind}-test-tide-greedy_search-epoch-3.txt"
        (tmp_path / "icefall/greedy" / name).write_text(RECOGS if kind == "recogs" else ERRS)
    summary = tmp_path / "icefall/greedy/wer-summary-test-tide-epoch-3.txt"
    summary.write_text("settings\tWER\ngreedy_search\t50.0\n")
    (tmp_path / "speechbrain/wer_test.txt").write_text(SPEECHBRAIN)
    (tmp_path / "speechbrain/notes.txt").write_text("nothing")
    (tmp_path / "wenet/result.wer").write_text(WENET)
    for kind, compared in (("icefall", 2), ("speechbrain", 2), ("wenet", 2)):
        cells = table_of(kind, str(tmp_path / kind))
        assert [cell.equal for cell in cells].count(True) == compared
        assert not [cell for cell in cells if cell.equal is False]
        assert cells[0][1:4] == ("WER", "", "50.00")
    (tmp_path / "wenet/result.wer").write_text(WENET.replace("S=1 D=1 I=0", "S=2 D=1 I=0"))
    different = [cell for cell in table_of("wenet", str(tmp_path)) if cell.equal is False]
    recorded = {cell.column.rpartition(": ")[2]: cell[2:4] for cell in different}
    numbers = "WER: 50.00 % N=4 C=2 S={} D=1 I=0"
    assert recorded["sea-1-0"] == (numbers.format(2), numbers.format(1))


def test_a_result_that_cannot_be_opened_is_listed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "good.wer").write_text(WENET)
    (tmp_path / "bad.wer").write_text(WENET.replace("N=4", "N=5"))
    cells = {cell.row: cell for cell in table_of("wenet", str(tmp_path))}
    assert cells["bad.wer"].unchecked
    assert cells["bad.wer"].equal is None
    assert main(["recipes", "table", "wenet", str(tmp_path)]) == 0
    assert "not checked: 1" in capsys.readouterr().out
    (tmp_path / "good.wer").unlink()
    assert main(["recipes", "table", "wenet", str(tmp_path)]) == 2


def test_rows_of_espnet(tmp_path: Path) -> None:
    folder = tmp_path / "exp/asr_tide/decode_ave/test/score_wer"
    folder.mkdir(parents=True)
    (folder / "ref.trn").write_text("the tide is let's (sea-1)\nhigh now (sea-2)\n")
    (folder / "hyp.trn").write_text("the side is (sea-1)\nhigh and now (sea-2)\n")
    (tmp_path / "RESULTS.md").write_text(RESULTS_MD)
    cells = table_of("espnet", str(tmp_path))
    columns = ["Snt", "Wrd", "Corr", "Sub", "Del", "Ins", "Err", "S.Err"]
    assert [cell.column for cell in cells if cell.equal] == columns


def test_lines_of_nemo(tmp_path: Path) -> None:
    rows = [
        {"text": a, "pred_text": b, "wer": wer}
        for (a, b, *_), wer in zip(ROWS, (0.2, 0.4), strict=True)
    ]
    (tmp_path / "tide.json").write_text(_lines(rows))
    [total, lines, other] = table_of("nemo", str(tmp_path))
    assert total[1:4] == ("WER", "", "28.57")
    assert lines[1:4] == ("tide.json (wer): numbers", "2", "1")
    assert other[1:3] == ("tide.json (wer): line 2", "0.4000")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["table", "icefall"], "expected table KIND FOLDER, with KIND one of open-asr, espnet"),
        (["table", "x", "."], "expected table KIND FOLDER"),
        (["table", "icefall", "."], "expected results of icefall, found none"),
        (["show", "kaldi", "--published", "a"], "--published, --recipe: expected after table"),
    ],
)
def test_commands_that_mean_nothing(
    words: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["recipes", *words]) == 2
    assert message in capsys.readouterr().err
