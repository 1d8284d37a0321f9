"""Kaldi's scoring directories: every recorded number is computed again, every change is seen."""

import shutil
from pathlib import Path

import pytest

from scoring.cli.scoring import main
from scoring.model.counts import Counts
from scoring.model.errors import InputError
from scoring.regression.evidence import EQUAL, NOT_CHECKED, Difference, EvidenceError
from scoring.regression.kaldi_directory import open_directory
from scoring.regression.messages import (
    BEST_WEIGHTS,
    OTHER_RECORDED_NUMBER,
    OTHER_RECORDED_NUMBERS,
)
from scoring.regression.result_folders import OTHER_RULES
from scoring.sides.messages import SPEAKERS_MISSING
from tests.remarks import says

DEMO = Path(__file__).resolve().parents[3] / "resources" / "demo"
DETAILS = Path("scoring_kaldi/wer_details")
WER = "%WER {} [ {} / 564, 14 ins, 19 del, 46 sub ]"
PRESENT = "0 not present in hyp."
ANNA = "15 149 {} 4.70 1.34 0.67 6.71 33.33"
CHECKED = [
    "scoring_kaldi/wer_details/per_utt",
    "scoring_kaldi/wer_details/per_spk",
    "scoring_kaldi/wer_details/ops",
    "scoring_kaldi/wer_details/wer_bootci",
    "scoring_kaldi/test_filt.txt",
    "scoring_kaldi/penalty_0.0/8.txt",
    "scoring_kaldi/best_wer",
    "wer_8_0.0",
    "wer_7_0.0",
    "wer_9_0.0",
]


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    copy = tmp_path / "baseline"
    shutil.copytree(DEMO / "kaldi_baseline", copy)
    return copy


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")


def unequal(directory: Path) -> dict[str, tuple[Difference, ...]]:
    unlike = {}
    for check in open_directory(str(directory)).checks:
        if not check.equal:
            unlike[Path(check.what).name] = check.differences
    return unlike


def test_the_demo_is_equal_digit_by_digit(directory: Path) -> None:
    evidence = open_directory(str(directory))
    assert [check.what for check in evidence.checks] == [str(directory / name) for name in CHECKED]
    assert all(check.equal and check.compared for check in evidence.checks)
    assert evidence.rates.counts == Counts(499, 46, 19, 14)
    assert evidence.rates.per_speaker().keys() == {"anna", "ben", "carla", "dan"}


def test_a_table_of_folders_says_equal_only_of_every_number(
    directory: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also where only the rate was changed, or how the errors divide into kinds, or a detail."""
    best, line = "scoring_kaldi/best_wer", WER.format("14.01", 79)
    changed = {
        "rate": (best, "14.01", "13.01"),
        "kinds": (best, "14 ins, 19", "15 ins, 18"),
        "detail": (f"{DETAILS}/ops", " 1\n", " 2\n"),
    }
    for name, (file, old, new) in changed.items():
        shutil.copytree(directory, directory.with_name(name))
        edit(directory.with_name(name) / file, old, new)
    folders = [str(directory.with_name(name)) for name in ("baseline", *changed)]
    (directory.with_name("detail") / "wer_99_0.0").write_text(line, "utf-8")
    assert main(["wer", *folders]) == 0
    output = capsys.readouterr().out
    rows = [row.split(maxsplit=9)[-2:] for row in output.splitlines() if " 8_0.0 " in row]
    assert rows == [
        ["14.01", "equal"],
        ["13.01", "differs (1 of 10 records)"],
        ["14.01", "differs (1 of 10 records)"],
        ["14.01", "differs (1 of 11 records)"],
    ]
    kinds = line.replace("14 ins, 19", "15 ins, 18")
    assert f"  %WER: recorded {kinds}, ours {line}\n" in output
    assert "wer_99_0.0: not checked, the text of these weights is not there\n" in output
    assert main(["wer", folders[0]]) == 0
    output, note = capsys.readouterr()
    assert note.count("\n") == 1
    assert "8 (best) " in output
    assert says(note, BEST_WEIGHTS, weights="8_0.0")
    assert main(["wer", folders[2]]) == 0
    errors = capsys.readouterr().err
    assert says(errors, OTHER_RECORDED_NUMBERS, path=folders[2], number=1)
    assert says(errors, OTHER_RECORDED_NUMBER, where="%WER", recorded=kinds, ours=line)
    # by other rules nothing is compared
    assert main(["wer", *folders[2:], "--unit", "char"]) == 0
    assert capsys.readouterr().out.count(f" {OTHER_RULES}\n") == 2


def test_reports_of_several_folders_have_the_tables_of_each(
    directory: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = directory.with_name("other")
    shutil.copytree(directory, copy)
    folders = ["wer", str(directory), str(copy)]
    assert main(folders) == 0
    overview = capsys.readouterr().out
    page = tmp_path / "page.md"
    for options, text in (
        (["--per-speaker", "--markdown", str(page)], "carla "),
        (["--by", "speaker"], "carla "),
        (["--confusions", "1"], "Substitutions: "),
        (["--confidence-interval", "--replications", "100"], "confidence interval: "),
        (["--measures", "characters"], "haracter"),
    ):
        assert main([*folders, *options]) == 0
        shown = capsys.readouterr().out
        assert shown.count(text) >= 2 > overview.count(text)
        assert " 8_0.0 " in shown
    assert page.read_text("utf-8").startswith("# Error rates\n")
    assert page.read_text("utf-8").count("| carla ") == 2


@pytest.mark.parametrize("option", ["--best", "--sort-systems rate", "--test sign"])
def test_several_folders_are_not_ranked(
    option: str, directory: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = directory.with_name("other")
    shutil.copytree(directory, copy)
    assert main(["wer", str(directory), str(copy), *option.split()]) == 2
    assert f"{option.split()[0]} does not apply to several folders" in capsys.readouterr().err


@pytest.mark.parametrize("folder", ["scoring_kaldi", "scoring_kaldi/wer_details"])
def test_parts_of_the_directory_will_do(directory: Path, folder: str) -> None:
    whole, part = open_directory(str(directory)), open_directory(str(directory / folder))
    assert list(part.rates) == list(whole.rates)
    assert len(part.checks) == len(whole.checks)
    assert all(check.equal for check in part.checks)


@pytest.mark.parametrize(
    ("name", "text", "old", "new", "where", "line"),
    [
        ("wer_8_0.0", "%WER {} ", "14.01", "14.02", "%WER", WER.format("{}", 79)),
        ("wer_8_0.0", "%SER {}", "68.33", "68.30", "%SER", "%SER {} [ 41 / 60 ]"),
        ("wer_8_0.0", "Scored {}", "60", "61", "Scored", f"Scored {{}} sentences, {PRESENT}"),
        (
            f"{DETAILS}/per_utt",
            "anna-0002 #csid 10 0 0 {}",
            *("0", "1", "anna-0002", "CCCCCCCCCC 10 0 0 {}"),
        ),
        (f"{DETAILS}/per_spk", "{}", "94.63", "94.64", "anna sys", ANNA),
        ("scoring_kaldi/best_wer", "{} / 564", "79", "78", "%WER", WER.format("14.01", "{}")),
    ],
)
def test_one_digit_is_seen(
    directory: Path, name: str, text: str, old: str, new: str, where: str, line: str
) -> None:
    edit(directory / name, text.format(old), text.format(new))
    difference = Difference(where, line.format(new), line.format(old))
    changed = unequal(directory)
    assert changed.pop(Path(name).name)[0] == difference
    # the best rate is also compared with the least of the sweep
    assert not changed.keys() - {"best_wer"}


@pytest.mark.parametrize(
    ("name", "old", "new", "where"),
    [
        (f"{DETAILS}/ops", " 1\n", " 2\n", None),
        (f"{DETAILS}/wer_bootci", "%WER 13", "%WER 15", "Set1:"),
        ("wer_7_0.0", "%SER ", "%SER 1", "%SER"),
        ("scoring_kaldi/test_filt.txt", "anna-0002 ", "anna-0002 zzq ", "anna-0002"),
        ("scoring_kaldi/penalty_0.0/8.txt", "anna-0002 ", "anna-0002 zzq ", "anna-0002"),
        ("scoring_kaldi/penalty_0.0/9.txt", "anna-0002 ", "anna-0002 zzq ", None),
    ],
)
def test_every_other_record_is_checked(
    directory: Path, name: str, old: str, new: str, where: str | None
) -> None:
    edit(directory / name, old, new)
    changed = unequal(directory)
    assert changed
    if where is not None:
        assert changed[Path(name).name][0].where == where


def test_what_cannot_be_computed_is_not_checked(directory: Path) -> None:
    (directory / "scoring_kaldi/penalty_0.0/9.txt").unlink()
    (directory / DETAILS / "notes").write_text("WER 3\n")
    (directory / "cer_8_0.0").write_text("%WER 1.00 [ 1 / 100, 1 ins, 0 del, 0 sub ]\n")
    states = {Path(check.what).name: check.state for check in open_directory(str(directory)).checks}
    for name in ("wer_9_0.0", "notes", "cer_8_0.0"):
        assert states.pop(name) == NOT_CHECKED
    assert set(states.values()) == {EQUAL}


def test_an_alignment_by_other_ties_is_seen(directory: Path) -> None:
    (directory / DETAILS / "per_utt").write_text(
        "u1 ref  a  b  ***\nu1 hyp  ***  b  c\nu1 op   D  C  I\nu1 #csid 1 0 1 1\n"
    )
    (directory / "scoring_kaldi/test_filt.txt").unlink()
    assert unequal(directory)["per_utt"] == (Difference("u1", "DCI 1 0 1 1", "SS 0 2 0 0"),)


def test_utterances_that_were_not_recognised(directory: Path) -> None:
    """As Kaldi's recipe leaves it: `--mode=present` everywhere."""
    per_utt = directory / DETAILS / "per_utt"
    lines = per_utt.read_text().splitlines(keepends=True)
    per_utt.write_text("".join(line for line in lines if not line.startswith("anna-0002 ")))
    unlike = unequal(directory)
    assert unlike["wer_8_0.0"][0] == Difference(
        "%WER",
        "%WER 14.01 [ 79 / 564, 14 ins, 19 del, 46 sub ]",
        "%WER 14.26 [ 79 / 554, 14 ins, 19 del, 46 sub ] [PARTIAL]",
    )
    assert unlike["wer_8_0.0"][2].ours == "Scored 59 sentences, 1 not present in hyp."


def test_speakers_can_be_named(directory: Path) -> None:
    names = {
        f"{name}-{number:04d}": "all"
        for name in ("anna", "ben", "carla", "dan")
        for number in range(1, 16)
    }
    evidence = open_directory(str(directory), names)
    assert evidence.rates.per_speaker().keys() == {"all"}
    assert not {Path(entry.what).name: entry for entry in evidence.checks}["per_spk"].equal
    with pytest.raises(InputError) as refused:
        open_directory(str(directory), {name: "x" for name in names if name != "dan-0015"})
    assert says(str(refused.value), SPEAKERS_MISSING, number=1, total=60, name="dan-0015")


def test_speakers_that_cannot_be_guessed(directory: Path) -> None:
    per_spk = directory / DETAILS / "per_spk"
    per_spk.write_text(per_spk.read_text().replace("anna ", "anne "))
    evidence = open_directory(str(directory))
    assert evidence.rates.per_speaker().keys() == {None}
    [check] = [entry for entry in evidence.checks if entry.what.endswith("per_spk")]
    assert check.state == EQUAL
    edit(per_spk, "anne            raw         15        149", "anne raw 15 150")
    assert [entry.where for entry in unequal(directory)["per_spk"]] == [
        "anne sys",
        "rows of speakers",
    ]


def test_a_word_in_place_of_the_mark_is_seen(directory: Path) -> None:
    path = directory / DETAILS / "per_utt"
    path.write_text(path.read_text("utf-8").replace("***", "zzq", 1), "utf-8")
    [difference] = unequal(directory)["per_utt"]
    assert (difference.recorded[-3:], difference.ours[-3:]) == ("zzq", "***")


@pytest.mark.parametrize(
    ("name", "old", "new", "problem"),
    [
        (
            "per_utt",
            *("anna-0001 op ", "anna-0001 xx "),
            ":3:1: expected row 'op' of 'anna-0001', found 'anna-0001 xx'",
        ),
        (
            "per_utt",
            *("anna-0001 ref", "\nanna-0001 hyp"),
            ":2:1: expected row 'ref' of an utterance, found 'anna-0001 hyp'",
        ),
        ("per_utt", " D  ", " X  ", ":3: expected operations C, S, D and I, found 'X'"),
        (
            "per_utt",
            *("good  morning", "good"),
            ":3: expected as many words as operations, found 11 in the reference, 12 in the "
            "hypothesis and 12 operations",
        ),
        (
            "per_spk",
            *("raw", "row"),
            ":2:1: expected a speaker, raw or sys, and 8 numbers, found anna row 15",
        ),
    ],
)
def test_malformed_files(directory: Path, name: str, old: str, new: str, problem: str) -> None:
    path = directory / DETAILS / name
    edit(path, old, new)
    with pytest.raises(EvidenceError) as refused:
        open_directory(str(directory))
    assert str(refused.value) == f"{path}{problem}"
    assert refused.value.status == 2


def test_utterances_cut_off_or_repeated(directory: Path) -> None:
    path = directory / DETAILS / "per_utt"
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[:-1]))
    with pytest.raises(EvidenceError, match=":239: expected row '#csid' of 'dan-0015', found the"):
        open_directory(str(directory))
    path.write_text("".join(lines + lines[:4]))
    with pytest.raises(EvidenceError, match=":241:1: expected each utterance once, found 'anna-00"):
        open_directory(str(directory))


def test_another_directory(tmp_path: Path) -> None:
    with pytest.raises(EvidenceError) as refused:
        open_directory(str(tmp_path))
    assert str(refused.value) == (
        f"{tmp_path}: expected Kaldi's scoring directory with wer_details/per_utt, "
        "cer_details/per_utt or hypotheses, found none"
    )


def with_characters(directory: Path) -> Path:
    """The directory with the files of a recipe that scores characters beside those of words."""
    scoring = directory / "scoring_kaldi"
    shutil.copytree(scoring / "wer_details", scoring / "cer_details")
    details = scoring / "cer_details"
    (details / "wer_bootci").rename(details / "cer_bootci")
    for path in (*directory.glob("wer_*"), scoring / "best_wer"):
        shutil.copy(path, path.with_name(path.name.replace("wer", "cer")))
    shutil.copy(scoring / "test_filt.txt", scoring / "test_filt.chars.txt")
    return directory


def test_characters_are_taken_where_they_are_meant(directory: Path) -> None:
    with_characters(directory)
    for text in (directory / "scoring_kaldi/penalty_0.0").glob("*.txt"):
        shutil.copy(text, text.with_suffix(".chars.txt"))
    words = open_directory(str(directory))
    of_words = [str(directory / name) for name in CHECKED]
    of_characters = [
        str(directory / name.replace("wer_8", "cer_8").replace("wer", "cer")) for name in CHECKED
    ]
    of_characters[4:6] = [name.replace(".txt", ".chars.txt") for name in of_characters[4:6]]
    assert [check.what for check in words.checks] == of_words + of_characters
    assert words.rates.rules.unit == "word"
    characters = open_directory(str(directory), of_characters=True)
    assert [check.what for check in characters.checks] == of_characters + of_words
    assert all(check.equal and check.compared for check in characters.checks)
    assert characters.rates.rules.unit == "char"
    assert characters.rates.counts == words.rates.counts


def test_characters_alone_will_do(directory: Path) -> None:
    with_characters(directory)
    scoring = directory / "scoring_kaldi"
    alone = open_directory(str(scoring / "cer_details"))
    shutil.rmtree(scoring / "wer_details")
    shutil.rmtree(scoring / "penalty_0.0")
    assert alone.rates.rules.unit == open_directory(str(directory)).rates.rules.unit == "char"
    edit(directory / "cer_8_0.0", "14.01", "14.02")
    assert list(unequal(directory)) == ["cer_8_0.0"]


def test_weights_that_are_not_recorded(directory: Path) -> None:
    for name in ("lmwt", "wip"):
        (directory / DETAILS / name).unlink(missing_ok=True)
    best = directory / "scoring_kaldi/best_wer"
    assert len(open_directory(str(directory)).checks) == len(CHECKED)
    best.unlink()
    (directory / "wer").write_text("%WER 1.00 [ 1 / 100, 1 ins, 0 del, 0 sub ]\n")
    checks = open_directory(str(directory)).checks
    names = [name for name in CHECKED if "best" not in name and "penalty" not in name]
    assert {check.what for check in checks} == {str(directory / name) for name in names}
    assert all(check.state == EQUAL for check in checks)
