"""`sclite_kit.compat.fstalign`: fstalign's command, its numbers and its JSON log."""

import json
from pathlib import Path
from typing import Any

import pytest

import sclite_kit.compat.fstalign as fstalign
from scoring.model.errors import OptionValueError
from tests.each_case import each_case
from tests.scoring.measures.golden import cases
from tests.scoring.measures.test_tokens import HEAD, LAST_WORD, NOT_OURS

# What differs, with the reason.
REASONS = {
    "punctuation-as-tokens": "its marks have no speaker, ours have that of their token",
    "unk-for-tag": "a tag is also right as <unk> there",
}
DIFFERENT = {*NOT_OURS, *LAST_WORD, *REASONS}
FLAGS = {"--use-punctuation": "use_punctuation", "--use-case": "use_case"}


def sides(folder: Path, data: Any) -> tuple[Path, Path, dict[str, Any]]:
    """Files of a case, and the arguments."""
    ref, heard = folder / "ref.nlp", data["hyp"]
    ref.write_text("\n".join([HEAD, *data["nlp"]]) + "\n", "utf-8")
    hyp = folder / ("hyp.txt" if isinstance(heard, str) else "hyp.nlp")
    hyp.write_text((heard if isinstance(heard, str) else "\n".join([HEAD, *heard])) + "\n", "utf-8")
    arguments: dict[str, Any] = {FLAGS[flag]: True for flag in data["flags"] if flag in FLAGS}
    if "--speaker-switch-context" in data["flags"]:
        arguments["speaker_switch_context"] = int(data["flags"][1])
    for name, text in (("syn", "\n".join(data.get("syn", []))), ("norm", data.get("norm"))):
        if text:
            path = folder / name
            path.write_text(text if isinstance(text, str) else json.dumps(text), "utf-8")
            arguments["syn" if name == "syn" else "ref_json"] = str(path)
    return ref, hyp, arguments


def without_meta(numbers: Any) -> Any:
    """What the goldens have of a log: no `meta`, no words, and nothing that is empty."""
    if isinstance(numbers, dict):
        kept = {name: without_meta(part) for name, part in numbers.items() if name != "meta"}
        names = ("unigrams", "bigrams")
        return {name: part for name, part in kept.items() if part != {} and name not in names}
    return [without_meta(part) for part in numbers] if isinstance(numbers, list) else numbers


@each_case(
    ("name", "data", "expected"),
    [case for case in cases("entities-fstalign") if case[0] not in DIFFERENT],
)
def test_the_log_is_that_of_fstalign(name: str, data: Any, expected: Any, tmp_path: Path) -> None:
    ref, hyp, arguments = sides(tmp_path, data)
    classes = expected.get("classWER", {})  # synonyms are classes of their own there
    own = {key: part for key, part in classes.items() if not key.startswith("SYN_")}
    kept = {key: part for key, part in expected.items() if key != "caseWER"}
    expected = without_meta(kept | {"classWER": own})
    assert without_meta(fstalign.wer(ref, hyp, **arguments)["wer"]) == expected


GOLDEN = json.loads((Path(__file__).parents[2] / "golden/fstalign/words.json").read_text())


@pytest.fixture
def texts(tmp_path: Path) -> list[str]:
    """The command of two plain texts."""
    for side in ("ref", "hyp"):
        (tmp_path / f"{side}.txt").write_text(GOLDEN[side] + "\n")
    return ["wer", "--ref", str(tmp_path / "ref.txt"), "--hyp", str(tmp_path / "hyp.txt")]


def test_the_command_writes_the_log_and_prints_the_last_lines(
    texts: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Words and pairs of words, too; the options of the search have no effect."""
    log, lines = tmp_path / "log.json", tmp_path / "log.txt"
    search = ["--composition-approach", "standard", "--disable-approx-alignment", "--numbests", "9"]
    assert fstalign.main([*texts, *search, "--json-log", str(log), "--log", str(lines)]) == 0
    assert json.loads(log.read_text()) == GOLDEN["log"]
    printed = capsys.readouterr().out
    assert printed == lines.read_text()
    assert [line.partition(" [wer] ")[2] for line in printed.splitlines()] == [
        "best WER: 3/6 = 0.5000 (Total words in reference: 6)",
        "best WER: INS:1 DEL:1 SUB:1",
        "best WER: Precision:0.666667 Recall:0.666667",
    ]


def test_lines_of_plain_texts_are_one(tmp_path: Path) -> None:
    (tmp_path / "ref").write_text("a b\nc\n")
    (tmp_path / "hyp").write_text("a\nb c\n")
    assert fstalign.wer(tmp_path / "ref", tmp_path / "hyp")["wer"]["bestWER"]["numErrors"] == 0


def test_only_frequent_words_are_listed(texts: list[str]) -> None:
    numbers = fstalign.wer(texts[2], texts[4], pr_threshold=2)["wer"]
    assert set(numbers) == {"bestWER", "classWER"}


def test_without_reference_words_there_is_no_rate(tmp_path: Path) -> None:
    """The original writes infinity, which JSON does not have."""
    (tmp_path / "ref").write_text("")
    (tmp_path / "hyp").write_text("a b\n")
    best = fstalign.wer(tmp_path / "ref", tmp_path / "hyp")["wer"]["bestWER"]
    assert (best["insertions"], best["wer"], best["recall"]) == (2, None, None)


def test_a_window_of_no_words_is_not_counted(tmp_path: Path) -> None:
    (tmp_path / "ref.nlp").write_text(f"{HEAD}\na|1||||LC|[]|[]\nb|2||||LC|[]|[]\n")
    (tmp_path / "hyp.ctm").write_text("x 1 0 1 a\nx 1 1 1 b\n")
    arguments = (tmp_path / "ref.nlp", tmp_path / "hyp.ctm")
    assert "speakerSwitchWER" in fstalign.wer(*arguments)["wer"]
    assert "speakerSwitchWER" not in fstalign.wer(*arguments, speaker_switch_context=0)["wer"]


@pytest.mark.parametrize(
    ("more", "status"),
    [
        (["--hyp", "no-such.ctm"], 1),
        (["--hyp", "lattice.fst"], 1),
        (["--disable-cutoffs"], 1),
        (["--output-nlp", "x"], 2),
        (["--pr_threshold", "x"], 2),
    ],
)
def test_what_cannot_be_done_is_one_line(
    more: list[str], status: int, texts: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert fstalign.main([*texts, *more]) == status
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("fstalign")
    assert "Traceback" not in err


def test_both_options_about_hyphens_or_neither(texts: list[str], tmp_path: Path) -> None:
    (tmp_path / "ref.txt").write_text("long-term\n")
    (tmp_path / "hyp.txt").write_text("long term\n")
    ref, hyp = texts[2], texts[4]
    off: dict[str, Any] = {"disable_cutoffs": True, "disable_hyphen_ignore": True}
    assert fstalign.wer(ref, hyp)["wer"]["bestWER"]["numErrors"] == 0
    assert fstalign.wer(ref, hyp, **off)["wer"]["bestWER"]["numErrors"] == 2
    with pytest.raises(OptionValueError):
        fstalign.wer(ref, hyp, disable_cutoffs=True)
