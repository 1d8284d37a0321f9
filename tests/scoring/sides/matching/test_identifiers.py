"""One verdict on identifiers, whatever the formats: equal, partly equal, none equal, spelled."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

import formats
import scoring
from formats import Segment, Transcript
from scoring.cli.scoring import main
from scoring.sides.matching import DifferentLengthsError, MatchingError
from scoring.sides.matching.spelling import difference
from scoring.sides.messages import OTHER_NAMES_BUT
from tests.each_case import each_case
from tests.remarks import plain, said

TEXTS = ("the cat sat", "a dog ran", "on the mat")
NAMES = ("spk1_utt1", "spk1_utt2", "spk1_utt3")
CASES = {
    "equal": NAMES,
    "partly": (*NAMES[:2], "spk1_utt9"),
    "none": ("x7_r4", "x7_r5", "x8_r6"),
    "spelled": tuple(name.replace("_", "-") for name in NAMES),
}
# Formats that identify utterances, with the names of files; two are decided by the other side.
FILES = {
    "trn": "a.trn", "kaldi": "text", "mlf": "a.mlf", "nemo": "a.manifest", "wenet": "data.list",
    "commonvoice": "cv.tsv", "ljspeech": "lj.csv", "speechbrain": "sb.json", "jsonl": "a.jsonl",
    "csv": "a.csv", "tsv": "a.tsv", "parquet": "a.parquet", "arrow": "a.arrow",
}  # fmt: skip
KINDS = [*FILES, "kaldi.txt", "kaldi.hyp", "mapping.json", "mapping"]


def side(folder: Path, kind: str, names: Sequence[str]) -> Any:
    """What a format has of these identifiers, each with its text."""
    texts = dict(zip(names, TEXTS, strict=True))
    if kind == "mapping":
        return texts
    folder.mkdir(parents=True, exist_ok=True)
    if kind == "mapping.json":
        (folder / "m.json").write_text(json.dumps(texts))
        return folder / "m.json"
    path = folder / FILES.get(kind, kind)
    segments = [Segment("rec", tuple(text.split()), utterance=name) for name, text in texts.items()]
    formats.write(Transcript(segments), path, kind.partition(".")[0])
    return path


@pytest.fixture(scope="module")
def sides(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], Any]:
    """What each format has of the identifiers of each case."""
    folder = tmp_path_factory.mktemp("sides")
    return {
        (kind, case): side(folder / case, kind, names)
        for kind in KINDS
        for case, names in CASES.items()
    }


@pytest.mark.share(4)
@pytest.mark.usefixtures("each_read_once")
@pytest.mark.filterwarnings("ignore::scoring.model.errors.UnscoredHypothesisWarning")
@pytest.mark.parametrize("turn", range(len(CASES)))
@each_case(("number", "kind"), enumerate(KINDS))
def test_every_pair_of_formats_has_the_same_verdict(
    tmp_path: Path, sides: dict[tuple[str, str], Any], number: int, kind: str, turn: int
) -> None:
    """Each pair in one case, in turn; in a release in all of them."""
    reference = side(tmp_path / "reference", kind, NAMES)
    for place, other in enumerate(KINDS):
        case = [*CASES][(number + place + turn) % len(CASES)]
        hypothesis = sides[other, case]
        assert verdict(reference, hypothesis) == VERDICTS[case], (other, case)
        if case in ("none", "spelled"):
            rates = scoring.wer(reference, hypothesis, match="position")
            assert (rates.counts.errors, rates.matching_summary.matched_by) == (0, "position")
            assert list(rates.identifiers) == list(NAMES)


VERDICTS: Mapping[str, Any] = {
    "equal": ("identifier", 9, 0, 3),
    "partly": ("identifier", 6, 3, 2),
    "none": (["spk1_utt1", "spk1_utt2"], ["x7_r4", "x7_r5"], ""),
    "spelled": (["spk1_utt1", "spk1_utt2"], ["spk1-utt1", "spk1-utt2"], "'_' and '-'"),
}


def verdict(reference: Any, hypothesis: Any) -> Any:
    """How the sides are matched and scored, or what the message names."""
    try:
        rates = scoring.wer(reference, hypothesis)
    except MatchingError as refused:
        value = refused.value
        if value is None or value.fields["what"] != "identifiers":
            raise
        head, difference_of = value.fields["path"], value.fields.get("difference", "")
        if head not in (getattr(hypothesis, "name", head), str(hypothesis)):
            raise
        return value.fields["ours"], value.fields["theirs"], plain(difference_of)
    summary = rates.matching_summary
    return summary.matched_by, rates.counts.correct, rates.counts.deletions, summary.matched


@each_case(
    ("ours", "theirs", "rule"),
    [
        (["a_1", "a_2"], ["a-1", "a-2"], "'_' and '-'"),
        (["a-1", "a-2"], ["A-1", "A-2"], "upper and lower case"),
        (["a1", "a2"], ["x/a1", "y/a2"], "the path"),
        (["a1", "a2"], ["a1.wav", "a2.flac"], "the extension"),
        (["a1", "a2"], ["a01", "a002"], "zeros before numbers"),
        (["a1", "a2"], ["w\\A1.WAV", "w\\A2.WAV"], "upper and lower case, the path, the extension"),
        (["a1", "a2"], ["a1-mic", "a2-mic"], "the ending \"-mic\""),
        (["s-a1", "s-a2"], ["a1", "a2"], "the beginning \"s-\""),
        (["a1", "a2", "a3"], ["A1", "b2", "b3"], ""),
        (["1", "2"], ["3", "4"], ""),
        ([], ["a"], ""),
    ],
)  # fmt: skip
def test_the_likeliest_rule(ours: list[str], theirs: list[str], rule: str) -> None:
    found = difference(ours, theirs)
    assert (plain(found) if found else "") == rule


def test_rows_with_other_identifiers_match_by_audio_or_time_with_a_note(tmp_path: Path) -> None:
    def rows(name: str, prefix: str, **more: float) -> Path:
        lines = [
            {"id": f"{prefix}{number}", "recording": f"talk{number}", "text": text, **more}
            for number, text in enumerate(TEXTS)
        ]
        (tmp_path / name).write_text("".join(json.dumps(line) + "\n" for line in lines))
        return tmp_path / name

    for more, by in (({}, "audio"), ({"start": 0.5, "end": 2.0}, "audio")):
        hypothesis = rows("h.jsonl", "v", **more)
        rates = scoring.wer(rows("r.jsonl", "u", **more), hypothesis)
        assert (rates.counts.errors, rates.matching_summary.matched_by) == (0, by)
        assert said(rates.remarks) == [(f"MATCHED-BY.{by}", {"path": str(hypothesis)})]


def test_position_accepts_every_kind_of_side(tmp_path: Path) -> None:
    (tmp_path / "r.stm").write_text("r 1 anne 0 2 the cat\nr 1 anne 2 4 sat\n")
    (tmp_path / "h.csv").write_text("id,text\nx,the cat\ny,sat\n")
    (tmp_path / "h.txt").write_text("the cat\nsat\n")
    for name in ("h.csv", "h.txt"):
        rates = scoring.wer(tmp_path / "r.stm", tmp_path / name, match="position")
        assert (rates.counts.errors, len(rates)) == (0, 2)
        assert rates.signature.count("match:position")
    shorter = {"x": "the cat"}
    with pytest.raises(DifferentLengthsError, match=r"expected 2 .*, found 1"):
        scoring.wer(tmp_path / "h.csv", shorter, match="position")
    rates = scoring.wer(tmp_path / "h.csv", shorter, match="position", missing="delete")
    assert (rates.counts.deletions, list(rates.identifiers)) == (1, ["x", "y"])
    longer = {"p": "the cat", "q": "sat"}
    with pytest.raises(DifferentLengthsError, match="allow_unmatched=True"):
        scoring.wer(shorter, longer, match="position")
    rates = scoring.wer(shorter, longer, match="position", allow_unmatched=True)
    assert rates.matching_summary.hypothesis_only.identifiers == ("000002",)


def test_the_command_names_the_option(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [str(side(tmp_path / case, "kaldi.txt", CASES[case])) for case in ("equal", "spelled")]
    assert main(["wer", *files, "--remarks", "json"]) == 2
    error = json.loads(capsys.readouterr().err)
    assert (error["code"], error["variant"]) == (OTHER_NAMES_BUT.code, OTHER_NAMES_BUT.variant)
    assert error["fields"]["difference"]["fields"] == {"rules": ["'_' and '-'"]}
    assert error["advice"] == [{"option": "match", "value": "position"}]
    assert main(["wer", *files, "--match", "position"]) == 0
    assert "%WER 0.00 [ 0 / 9" in capsys.readouterr().out
    assert main(["wer", *files, "--match", "index"]) == 2
