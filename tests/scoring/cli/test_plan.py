"""`scoring wer --plan`, and folders of results: each is scored by its own rules."""

import json
import re
import shutil
from pathlib import Path

import pytest

from scoring.cli.scoring import main
from scoring.options import Options
from scoring.regression.messages import FOLDER_SKIPPED
from scoring.score.messages import OTHER_RULE, SUITABLE
from scoring.score.plan import CHARACTERS, plan_of, source_of
from scoring.sides.corpus import Brought, Corpus
from scoring.sides.given import resolve
from tests.formats.checks import message_text

DEMO = Path(__file__).resolve().parents[3] / "resources/demo"
FOLDER = DEMO / "kaldi_baseline"


@pytest.fixture
def swept(tmp_path: Path) -> Path:
    """Two folders of Kaldi, in one of which an alignment depends on the costs, and one without."""
    for name in ("mono", "tri1"):
        shutil.copytree(FOLDER, tmp_path / "exp" / name / "decode")
    for path in (tmp_path / "exp/tri1/decode/scoring_kaldi").rglob("best_wer"):
        path.write_text(path.read_text().replace("14.01 [ 79 /", "13.83 [ 78 /"))
    (tmp_path / "exp/nnet/decode").mkdir(parents=True)
    return tmp_path


def test_a_folder_has_its_own_rules(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Five substitutions cost sclite more than three deletions and three insertions."""
    details = tmp_path / "decode/scoring_kaldi/wer_details"
    details.mkdir(parents=True)
    details.joinpath("per_utt").write_text(
        "u ref x y z a b\nu hyp a b p q r\nu op S S S S S\nu #csid 0 5 0 0\n"
    )
    folder = str(tmp_path / "decode")
    printed: list[str] = []
    for flags in ([], ["--profile", "kaldi"], ["--profile", "sclite"]):
        assert main(["wer", folder, *flags]) == 0
        shown = capsys.readouterr()
        printed.append(shown.out.splitlines()[0])
        rules = {"option": "profile", "recorded": "kaldi", "chosen": "sclite"}
        is_noted = message_text(OTHER_RULE, path=folder, **rules) in shown.err
        assert is_noted == (flags[1:] == ["sclite"])
    assert printed[0] == printed[1] == "%WER 100.00 [ 5 / 5, 0 ins, 0 del, 5 sub ]"
    assert printed[2] == "%WER 120.00 [ 6 / 5, 3 ins, 3 del, 0 sub ]"
    compared = tmp_path / "c.json"
    flags = ["--replications", "40", "--json", str(compared)]
    assert main(["compare", folder, folder, *flags]) == 0
    total = json.loads(compared.read_bytes())["overall"]["new"]
    assert (total["errors"], total["reference_count"]) == (5, 5)


def test_folders_are_a_table(swept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folders = [str(swept / f"exp/{name}/decode") for name in ("mono", "tri1", "nnet")]
    assert main(["wer", *folders, "--remarks", "json"]) == 0
    shown = capsys.readouterr()
    [remark] = map(json.loads, shown.err.splitlines())
    assert (remark["code"], remark["fields"]["path"]) == (FOLDER_SKIPPED.code, folders[2])
    rows = [line.split() for line in shown.out.splitlines() if " 8_0.0 " in line]
    numbers = ["8_0.0", "79", "564", "14", "19", "46", "14.01"]
    assert rows == [
        [folders[0], *numbers, "14.01", "equal"],
        [folders[1], *numbers, "13.83", "differs", "(1", "of", "10", "records)"],
    ]
    path = swept / "all.json"
    assert main(["wer", *folders, "--json", str(path), "--fail-above", "10"]) == 3
    systems = json.loads(path.read_bytes())["systems"]
    assert [system["hypothesis"]["path"] for system in systems] == folders[:2]


def test_folders_are_planned_and_none_is_scored(
    swept: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folders = [str(swept / f"exp/{name}/decode") for name in ("mono", "tri1", "nnet")]
    alone, path = swept / "alone.json", swept / "plan.json"
    assert main(["wer", folders[0], "--plan", "--json", str(alone)]) == 0
    monkeypatch.setattr("scoring.regression.result_folders.score_systems", None)
    assert main(["wer", *folders, "--plan", "--json", str(path), "--remarks", "json"]) == 0
    shown = capsys.readouterr()
    assert json.loads(shown.err.splitlines()[-1])["code"] == FOLDER_SKIPPED.code
    for folder in folders[:2]:
        assert re.search(rf"--profile +kaldi +recorded in {folder}", shown.out)
    plans = json.loads(path.read_bytes())["plans"]
    assert len(plans) == 2
    expected = json.loads(alone.read_bytes())
    assert plans[0] == {name: expected[name] for name in plans[0]}


def test_the_plan_is_printed_and_nothing_is_scored(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["wer", str(FOLDER), "--plan", "--normalize", "plain"]) == 0
    printed = capsys.readouterr().out
    assert "%WER" not in printed
    assert re.search(rf"--profile +kaldi +recorded in {FOLDER}", printed)
    assert re.search(r"--normalize +plain#\w{8} +chosen", printed)
    files = [str(DEMO / name) for name in ("reference.stm", "baseline.ctm")]
    path = tmp_path / "plan.json"
    assert main(["wer", *files, "--plan", "--like", "kaldi", "--json", str(path)]) == 0
    document = json.loads(path.read_bytes())
    assert document["schema"] == "sclite-kit/score-plan"
    assert [side["format"] for side in document["sides"]] == ["stm", "ctm"]
    [system] = document["systems"]
    assert system["matched_by"] == "time"
    assert "by the middle of each word" in system["cut"]
    sources = {option["option"]: option["source"] for option in document["options"]}
    assert sources["--profile"] == "recipe kaldi@5.5"
    scored = tmp_path / "scored.json"
    assert main(["wer", *files, "--like", "kaldi", "--json", str(scored)]) == 0
    [rates] = json.loads(scored.read_bytes())["systems"]
    assert rates["signature"] == system["signature"]
    assert main(["wer", *files, "--plan", "--meeting", "auto"]) == 0
    assert message_text(SUITABLE["tcorc"], title="tcORC-WER") in capsys.readouterr().out


def test_what_decides_a_rule() -> None:
    side = resolve({"u": "a b"}, "reference")
    assert isinstance(side, Corpus)
    brought = side._replace(brought=Brought({"profile": "kaldi", "missing": "skip"}, "exp/d"))
    plan = plan_of(Options(), brought)
    assert (plan.rules.profile, plan.rules.missing) == ("kaldi", "skip")
    assert source_of(plan, "profile") == "recorded in exp/d"
    assert (source_of(plan, "unit"), plan.notes) == ("default", ())
    # a choice wins and is noted, a recipe wins and is not
    chosen = plan_of(Options(profile="jiwer"), brought)
    assert (chosen.rules.profile, len(chosen.notes)) == ("jiwer", 1)
    recipe = plan_of(Options(like="jiwer"), brought)
    assert (recipe.rules.profile, recipe.notes) == ("jiwer", ())
    assert source_of(recipe, "profile") == "recipe jiwer@4"
    # what a side brings is nearer than what a command counts
    characters = plan_of(Options(), brought, usual=CHARACTERS)
    assert (characters.rules.profile, characters.rules.unit) == ("kaldi", "char+space")
    assert plan_of(Options(), usual=CHARACTERS).rules.profile == "levenshtein"
