"""A reference without anything to score is status 2 in every command, unless that is asked for."""

from pathlib import Path

import pytest

from formats.io.messages import EMPTY
from scoring.cli.messages import NOTHING_SCORED
from scoring.cli.scoring import main
from scoring.results.messages import UNSCORED
from tests.formats.checks import message_text, remark_line
from tests.remarks import printed

FOUND = message_text(NOTHING_SCORED, path="").removeprefix(": ")
COMMANDS = {
    "wer": ["wer", "r.trn", "h.trn"],
    "several": ["wer", "r.trn", "h.trn", "h2.trn"],
    "diff": ["diff", "r.trn", "h.trn"],
    "beer": ["beer", "r.trn", "h.trn", "--entity-weights", "e.json"],
    "beer without its entities": ["beer", "full.trn", "h.trn", "--entity-weights", "other.json"],
    "compare": ["compare", "h.trn", "h2.trn", "--reference", "r.trn"],
    "per": ["per", "r.trn", "h.trn", "--lexicon", "lexicon.txt"],
    "per, unknown words": ["per", "full.trn", "h.trn", "--lexicon", "l2.txt", "--unknown", "skip"],
    "normalize": [
        "normalize", "--normalize", "lowercase", "--show-steps", "--reference", "r.trn", "--hypothesis", "h.trn",
    ],
    "emptied": ["wer", "dots.trn", "h.trn", "--normalize", "plain"],
    "skipped": ["wer", "full.trn", "none.trn", "--hypothesis-format", "trn", "--missing", "skip"],
    "empty files": ["wer", "none.trn", "none.trn", "--cut", "plain-alignment"],
}  # fmt: skip


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in {
        "r.trn": "(x-1)\n(x-2)\n",
        "full.trn": "a b (x-1)\nb (x-2)\n",
        "dots.trn": ". . (x-1)\n! (x-2)\n",
        "none.trn": "",
        "h.trn": "a (x-1)\nb (x-2)\n",
        "h2.trn": "b (x-1)\nb (x-2)\n",
        "e.json": '{"a": 1}',
        "other.json": '{"moon": 1}',
        "lexicon.txt": "a x\nb y\n",
        "l2.txt": "c z\n",
    }.items():
        Path(name).write_text(text)


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_nothing_scored_is_status_2_unless_asked_for(
    command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(command) == 2
    found = capsys.readouterr()
    assert found.out == ""
    assert FOUND in found.err.splitlines()[-1]
    assert main([*command, "--allow-empty"]) == 0
    assert capsys.readouterr().out


def test_no_report_is_written_of_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    reports = ["--json", "a.json", "--csv", "a.csv", "--pairs", "b.csv", "--html", "a.html"]
    assert main([*COMMANDS["wer"], *reports]) == 2
    assert main([*COMMANDS["wer"], "--shard", "1/2", "--shard-output", "part.json"]) == 2
    assert main([*COMMANDS["diff"], "--output", "diff.txt"]) == 2
    assert main([*COMMANDS["compare"], "--json", "c.json"]) == 2
    assert main([*COMMANDS["per"], "--json", "p.json"]) == 2
    assert capsys.readouterr().err.count(FOUND) == 5
    assert {path.name for path in Path().glob("*.[jch]*")} == {"e.json", "other.json"}
    assert not Path("diff.txt").exists()


def test_shards_of_nothing_are_merged_only_where_that_is_asked_for(
    capsys: pytest.CaptureFixture[str],
) -> None:
    parts = ["1.json", "2.json"]
    for number, part in enumerate(parts, 1):
        shard = ["--shard", f"{number}/2", "--shard-output", part, "--allow-empty"]
        assert main([*COMMANDS["wer"], *shard]) == 0
    assert main(["merge", *parts]) == 2
    assert FOUND in capsys.readouterr().err
    assert main(["merge", *parts, "--allow-empty"]) == 0


def test_a_shard_without_words_of_a_reference_with_some_is_in_order() -> None:
    Path("half.trn").write_text("a (x-1)\n(x-2)\n")
    for number in (1, 2):
        shard = ["--shard", f"{number}/2", "--shard-output", f"{number}.json"]
        assert main(["wer", "half.trn", "h.trn", *shard]) == 0
    assert main(["merge", "1.json", "2.json"]) == 0


def test_a_hypothesis_without_words_is_scored(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["wer", "full.trn", "none.trn", "--hypothesis-format", "trn"]) == 0
    assert "%WER 100.00 [ 3 / 3, 0 ins, 3 del, 0 sub ]" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("cut", "name"),
    [
        ([], "talk-1"),
        (["--cut", "plain-alignment"], "talk"),
        (["--cut", "time"], "talk-1"),
        (["--cut", "hypothesis"], "talk"),
    ],
)
def test_words_without_a_reference_are_counted(
    cut: list[str], name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("h.ctm").write_text("talk 1 0.1 0.3 good\ntalk 1 0.5 0.2 evening\n")
    assert main(["wer", "none.trn", "h.ctm", *cut]) == 2
    errors = capsys.readouterr().err
    assert printed(remark_line(EMPTY, file="none.trn")) in errors
    fields = {"words": 2, "unit": "word", "number": 1, "names": [name]}
    assert message_text(UNSCORED, path="h.ctm", **fields) in errors
    assert FOUND in errors.splitlines()[-1]


def test_nothing_in_common_is_nothing_compared(capsys: pytest.CaptureFixture[str]) -> None:
    Path("r.trn").write_text("a (x-1)\n(x-2)\n")
    Path("h.trn").write_text("a (x-1)\n")
    Path("h2.trn").write_text("a (x-2)\n")
    command = [*COMMANDS["compare"], "--allow", "missing"]
    assert main(command) == 2
    assert capsys.readouterr().out == ""
    Path("r.trn").write_text("(x-1)\nb (x-2)\nc (x-3)\n")
    Path("h.trn").write_text("(x-1)\nb (x-2)\n")
    Path("h2.trn").write_text("(x-1)\nc (x-3)\n")
    assert main(command) == 2
    found = capsys.readouterr()
    assert found.out == ""
    assert f"scoring: error: utterances of both h.trn and h2.trn: {FOUND}" in found.err
    assert main([*command, "--allow-empty"]) == 0
