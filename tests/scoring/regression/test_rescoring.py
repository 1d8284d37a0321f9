"""A record's options and reference: what is refused, with which reason and way out."""

import json
import re
from pathlib import Path

import pytest

import scoring
from scoring.cli.messages import OTHER_RULES
from scoring.cli.scoring import main
from scoring.model.errors import StatisticsError
from scoring.regression.messages import OTHER_FILE
from scoring.regression.rescoring import RescoringError
from scoring.text.pipeline_files import as_pipeline, pipeline_of_record, recorded_pipeline
from tests import programs
from tests.remarks import says

FILES = {
    "ref.trn": "The white paper was read. (a_1)\n50 cats sat (b_1)\n",
    "old.trn": "the whitepaper was read (a_1)\nfifty cats sat (b_1)\n",
    "new.trn": "the whitepaper was read (a_1)\nfifty cats spat (b_1)\n",
}


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        Path(name).write_text(text)


def recorded(*options: str, name: str = "old.json") -> str:
    assert main(["wer", "ref.trn", "old.trn", *options, "--json", name, "--quiet"]) == 0
    return name


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    capsys.readouterr()
    return programs.refused(capsys, "compare", *arguments)


def test_merged_compounds_pass_on_neither_side_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["wer", "ref.trn", "new.trn", "--merge-compounds", "--json", "new.json"]) == 0
    gate = ["--fail-increase", "0pt"]
    for sides in (["old.trn", "new.json"], [recorded("--merge-compounds"), "new.trn"]):
        capsys.readouterr()
        assert main(["compare", *sides, *gate]) == 3
        assert "errors                   3      4      +1" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "beside", "text"),
    [
        (["--normalize", "plain"], ["--normalize", "casefold"], "--normalize: expected plain#"),
        (["--unit", "char"], ["--unit", "word"], "--unit: expected char, as"),
        ([], ["--ignore-case"], "--ignore-case: expected False, as"),
        ([], ["--merge-compounds"], "--merge-compounds: expected False, as"),
        (["--profile", "kaldi"], ["--profile", "sclite"], "--profile: expected kaldi, as"),
        (["--like", "kaldi"], ["--like", "jiwer"], "--like: expected kaldi@5.5, as"),
    ],
)
def test_an_option_beside_is_that_of_the_record(
    options: list[str], beside: list[str], text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    record = recorded(*options)
    assert text in refused(capsys, record, "new.trn", *beside)
    assert text in refused(capsys, "new.trn", record, *beside)
    assert main(["compare", record, "new.trn", *options]) == 0


def test_other_rules_are_allowed_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    """Each side keeps its own rules, and a note names both."""
    old = recorded()
    assert main(["wer", "ref.trn", "new.trn", "--profile", "kaldi", "--json", "k.json"]) == 0
    assert main(["wer", "ref.trn", "new.trn", "--unit", "char", "--json", "char.json"]) == 0
    capsys.readouterr()
    assert main(["compare", old, "k.json", "--allow", "rules", "--json", "c.json"]) == 0
    assert says(capsys.readouterr().err, OTHER_RULES)
    total = json.loads(Path("c.json").read_text())["overall"]
    for side, name in (("baseline", old), ("new", "k.json")):
        [system] = json.loads(Path(name).read_text())["systems"]
        assert total[side]["errors"] == system["counts"]["errors"]
    assert main(["compare", old, "char.json"]) == 2
    assert main(["compare", old, "char.json", "--allow", "rules"]) == 0


def test_rules_that_have_changed(capsys: pytest.CaptureFixture[str]) -> None:
    Path("rules.glm").write_text('* name = "x"\n* format = "NIST1"\n[50] => [fifty] / [ ] __ [ ]\n')
    record = recorded("--normalize", "rules.glm")
    assert main(["compare", record, "new.trn"]) == 0
    Path("kept.glm").write_text(Path("rules.glm").read_text())
    Path("rules.glm").write_text('* name = "x"\n* format = "NIST1"\n[50] => [five] / [ ] __ [ ]\n')
    text = refused(capsys, record, "new.trn")
    assert "normalize: expected the rules rules.glm#" in text
    assert "a table has changed since (restore it, or record the run again)" in text
    Path("rules.glm").unlink()
    assert "the step glm of the record: rules.glm: expected a readable file" in refused(
        capsys, record, "new.trn"
    )
    # the same rules elsewhere are given beside; other rules are none of the record
    assert main(["compare", record, "new.trn", "--normalize", "kept.glm"]) == 2


def test_a_function_and_a_recipe_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    rates = scoring.wer(Path("ref.trn"), Path("old.trn"), normalize=str.lower)
    rates.save("old.json")
    assert "scored with the function str.lower, which cannot be loaded" in refused(
        capsys, "old.json", "new.trn"
    )
    record = json.loads(Path(recorded("--like", "kaldi")).read_text())
    record["systems"][0]["options"]["like"] = {"name": "kaldi@9", "hash": "0"}
    Path("old.json").write_text(json.dumps(record))
    assert "the recipe kaldi@9 is not installed" in refused(capsys, "old.json", "new.trn")
    record["systems"][0]["options"]["like"] = {"name": "kaldi@5.5", "hash": "0"}
    Path("old.json").write_text(json.dumps(record))
    assert "expected the recipe kaldi@5.5#0, found #" in refused(capsys, "old.json", "new.trn")


def test_the_reference_given_again(capsys: pytest.CaptureFixture[str]) -> None:
    record = recorded("--normalize", "plain")
    assert main(["compare", record, "new.trn", "--reference", "ref.trn"]) == 0
    Path("copy.trn").write_text(";; the same words\n" + FILES["ref.trn"])
    assert main(["compare", record, "new.trn", "--reference", "copy.trn"]) == 0
    Path("other.trn").write_text(FILES["ref.trn"].replace("cats", "dogs"))
    text = refused(capsys, record, "new.trn", "--reference", "other.trn")
    assert says(text, OTHER_FILE, other="old.json", reference="ref.trn")
    files = ["--reference", "other.trn", "--allow", "references"]
    assert main(["compare", record, "new.trn", *files]) == 0
    content = json.loads(Path(record).read_text())
    del content["systems"][0]["options"], content["systems"][0]["reference_sides"]
    Path(record).write_text(json.dumps(content))
    assert "expected a record with its options" in refused(capsys, record, "new.trn")


def test_three_files_are_the_reference_and_both_sides(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "ref.trn", "old.trn", "new.trn"]) == 0
    assert "errors                   5      6      +1" in capsys.readouterr().out
    assert "`scoring compare REF BASELINE NEW`" in refused(capsys, "old.trn", "new.trn")
    assert "expected one reference, found ref.trn" in refused(capsys, *FILES, "-r", "ref.trn")
    assert main(["compare", "-h"]) == 0
    assert re.search("-r(?: REF)?, --reference REF", capsys.readouterr().out)


def test_results_in_python_have_the_same_guard() -> None:
    old = scoring.wer(Path("ref.trn"), Path("old.trn"), normalize="plain")
    comparison = scoring.compare(old, Path("new.trn"))
    assert comparison.bootstrap is not None
    assert comparison.bootstrap.difference.estimate == 1 / 8
    same = scoring.compare(old, Path("old.trn"), reference=Path("ref.trn"), normalize="plain")
    assert same.bootstrap is not None
    assert same.bootstrap.difference.estimate == 0
    with pytest.raises(RescoringError, match="--unit: expected word, as the result was scored"):
        scoring.compare(old, Path("new.trn"), unit="char")
    with pytest.raises(StatisticsError, match="expected results of the same rules, found norm"):
        scoring.compare(old, scoring.wer(Path("ref.trn"), Path("new.trn")))


@pytest.mark.parametrize(("references", "kind"), [(1, "csv"), (1, "parquet"), (2, "parquet")])
@pytest.mark.parametrize("options", [[], ["--normalize", "plain"], ["--by", "speaker"]])
def test_columns_of_tables_are_baselines(
    references: int, kind: str, options: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    pandas = pytest.importorskip("pandas")
    if kind == "parquet":
        pytest.importorskip("pyarrow")
    for name, last in (("old", "we met there"), ("new", "we zz there")):
        columns = {
            "id": ["u1", "u2"],
            "speaker": ["a", "b"],
            "ref": ["The cat sat.", "we met there"],
            "further": ["A cat sat.", "we met there"],
            "heard": ["The cat sad.", last],
        }
        frame = pandas.DataFrame(columns)
        frame.to_csv("old.csv".replace("old", name), index=False)
        if kind == "parquet":
            frame.to_parquet(f"{name}.parquet")
    named = ["ref", "further"][:references]
    flags = [part for column in named for part in ("--reference-column", column)]
    command = ["wer", f"old.{kind}", *flags, "--hypothesis-column", "heard", *options]
    assert main([*command, "--record", "runs.db", "--quiet"]) == 0
    gate = ["--fail-increase", "0pt"]
    assert main(["compare", "runs.db", f"old.{kind}", *gate]) == 0
    capsys.readouterr()
    assert main(["compare", "runs.db", f"new.{kind}", *gate]) == 3
    assert "errors                   1      2      +1" in capsys.readouterr().out


@pytest.mark.parametrize(
    "steps",
    [
        *("casefold:lang=tr", "punctuation:keep=apostrophe+number,symbols=true", "plain"),
        *("fillers:policy=optional", "regex:search=a+,replace=b", "whisper-basic", "numbers"),
        ["plain", "contractions"],
    ],
)
def test_steps_are_built_again(steps: str | list[str]) -> None:
    pipeline = as_pipeline(steps)
    record = json.loads(json.dumps(recorded_pipeline(pipeline)))
    again = pipeline_of_record(record)
    assert (again.signature, again.steps()) == (pipeline.signature, pipeline.steps())


def test_words_in_no_segment_and_other_segments(capsys: pytest.CaptureFixture[str]) -> None:
    Path("ref.stm").write_text("talk A ann 0 2 good morning\ntalk A bob 4 6 we met there\n")
    words = ["good 0.2", "morning 0.6", "we 4.2", "met 4.6", "there 5"]
    for name, more in (("old", []), ("new", ["er 3"])):
        pairs = sorted(map(str.split, [*words, *more]), key=lambda pair: float(pair[1]))
        lines = [f"talk A {start} 0.2 {word}\n" for word, start in pairs]
        Path(f"{name}.ctm").write_text("".join(lines))
    cue = "{}\n00:00:0{},000 --> 00:00:0{},000\n{}\n\n"
    cues = [(1, 0, 2, "good morning"), (2, 4, 6, "we met there")]
    Path("old.srt").write_text("".join(cue.format(*each) for each in cues))
    cues = [(1, 0, 1, "good"), (2, 1, 2, "morning we"), (3, 4, 6, "zz there")]
    Path("new.srt").write_text("".join(cue.format(*each) for each in cues))
    gate = ["--fail-increase", "0pt"]
    for kind, cut in (("ctm", "time"), ("srt", "hypothesis")):
        for name in ("old", "new"):
            command = ["wer", "ref.stm", f"{name}.{kind}", "--cut", cut, "--json", f"{name}.json"]
            assert main([*command, "--quiet"]) == 0
        for new, status, errors in (
            (f"old.{kind}", 0, "errors 0 0 +0"),
            (f"new.{kind}", 3, "errors 0 1 +1"),
            ("new.json", 3, "errors 0 1 +1"),
        ):
            capsys.readouterr()
            assert main(["compare", "old.json", new, *gate]) == status
            assert errors in " ".join(capsys.readouterr().out.split())
        assert main(["compare", "new.json", f"old.{kind}", *gate]) == 0
