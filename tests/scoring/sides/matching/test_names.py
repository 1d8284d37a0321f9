"""Folders of transcripts whose names have media endings and language tags, in several formats."""

import json
from pathlib import Path

import pytest

import formats
import scoring
from formats.io.messages import FILES_SKIPPED
from scoring.cli.scoring import main
from scoring.model.counts import Counts
from scoring.model.errors import InputError, ScoringError
from tests.each_case import each_case
from tests.formats.checks import remark_line
from tests.remarks import printed

SAID = {
    "talk": ("the cat sat on the mat", "the hat sat on the mat"),
    "news": ("a dog ran off", "a dog ran"),
    "show": ("hello there world now", "hello there big world then"),
}
FOUR = Counts(11, 2, 1, 1)


def whisper(text: str) -> str:
    segment = {"id": 0, "seek": 0, "start": 0.0, "end": 4.0, "text": f" {text}", "tokens": [1]}
    more = {"temperature": 0.0, "avg_logprob": -0.1, "compression_ratio": 1.0}
    segments = [{**segment, **more, "no_speech_prob": 0.1}]
    return json.dumps({"text": text, "segments": segments, "language": "en"})


def cues(text: str) -> str:
    return f"1\n00:00:00,000 --> 00:00:04,000\n{text}\n"


WRITERS = {
    "txt": lambda text: f"{text}\n",
    "srt": cues,
    "vtt": lambda text: "WEBVTT\n\n00:00.000 --> 00:04.000\n" + text + "\n",
    "tsv": lambda text: f"start\tend\ttext\n0\t4000\t{text}\n",
    "json": whisper,
}


def folder(path: Path, *endings: str, is_reference: bool = False) -> Path:
    path.mkdir()
    for name, (reference, hypothesis) in SAID.items():
        for ending in endings:
            text = WRITERS[ending.rpartition(".")[2]](reference if is_reference else hypothesis)
            (path / f"{name}{ending}").write_text(text)
    return path


@each_case("other", [".txt", ".en.txt", ".wav.txt"])
@each_case("ending", [".srt", ".en.srt", ".wav.json", ".pt-BR.vtt", ".mp3.en.srt"])
def test_names_match_without_media_endings_and_languages(
    tmp_path: Path, other: str, ending: str
) -> None:
    reference = folder(tmp_path / "ref", other, is_reference=True)
    rates = scoring.wer(reference, folder(tmp_path / "hyp", ending))
    assert (rates.counts, rates.matching_summary.matched_by) == (FOUR, "recording")
    notes = [remark for remark in rates.remarks if remark.code == "RECORDINGS-MATCHED"]
    assert len(notes) == (other.rpartition(".")[0] != ending.rpartition(".")[0])


def test_names_of_files_are_identifiers_of_the_other_side(tmp_path: Path) -> None:
    text = "".join(f"{reference} ({name})\n" for name, (reference, _) in SAID.items())
    (tmp_path / "ref.trn").write_text(text)
    assert scoring.wer(tmp_path / "ref.trn", folder(tmp_path / "hyp", ".en.srt")).counts == FOUR


@pytest.mark.parametrize(
    ("endings", "read"),
    [
        ((".json", ".srt", ".tsv", ".txt", ".vtt"), "json"),
        ((".srt", ".vtt"), "srt"),
        ((".txt", ".tsv"), "tsv"),
    ],
)
def test_one_format_of_several_is_read(
    tmp_path: Path, endings: tuple[str, ...], read: str, capsys: pytest.CaptureFixture[str]
) -> None:
    reference = folder(tmp_path / "ref", ".txt", is_reference=True)
    hypothesis = folder(tmp_path / "whisper", *endings)
    assert scoring.wer(reference, hypothesis).counts == FOUR
    assert main(["wer", str(reference), str(hypothesis)]) == 0
    others = ", ".join(f"3 {one}" for one in endings if one != f".{read}")
    fields = {"read": f"3 .{read}", "skipped": others}
    note = remark_line(FILES_SKIPPED, file=str(hypothesis), **fields)
    assert printed(note) in capsys.readouterr().err
    named = endings[-1].removeprefix(".")
    assert scoring.wer(reference, hypothesis, hypothesis_format=named).counts == FOUR
    assert len(formats.read(hypothesis)) == 3


def test_a_format_that_one_stem_lacks_is_not_read(tmp_path: Path) -> None:
    reference = folder(tmp_path / "ref", ".txt", is_reference=True)
    hypothesis = folder(tmp_path / "hyp", ".json", ".srt")
    (hypothesis / "talk.json").unlink()
    assert scoring.wer(reference, hypothesis).counts == FOUR
    (hypothesis / "news.srt").unlink()
    with pytest.raises(formats.AmbiguousFormatError, match="expected files of one format"):
        scoring.wer(reference, hypothesis)


def test_two_languages_of_one_stem(tmp_path: Path) -> None:
    hypothesis = folder(tmp_path / "hyp", ".en.srt", ".de.srt")
    plain = folder(tmp_path / "plain", ".txt", is_reference=True)
    for sides in ((plain, hypothesis), (hypothesis, plain)):
        with pytest.raises(InputError) as refused:
            scoring.wer(*sides)
        assert str(refused.value) == (
            f"{hypothesis}: expected one language of 'news', found 'news.de' and 'news.en': a "
            "pattern such as '*.en.*' names the files of one"
        )
    english = folder(tmp_path / "english", ".en.txt", is_reference=True)
    with pytest.warns(scoring.UnscoredHypothesisWarning, match=r"news\.de"):
        assert scoring.wer(english, hypothesis).counts == FOUR
    assert scoring.wer(plain, scoring.File(tmp_path / "hyp" / "*.en.*")).counts == FOUR


def test_other_names_do_not_match(tmp_path: Path) -> None:
    reference = folder(tmp_path / "ref", ".txt", is_reference=True)
    hypothesis = tmp_path / "hyp"
    hypothesis.mkdir()
    for name in ("a", "b"):
        (hypothesis / f"{name}.en.srt").write_text(cues("x"))
    with pytest.raises(ScoringError):
        scoring.wer(reference, hypothesis)
