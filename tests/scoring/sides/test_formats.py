"""Files of any format, on either side."""

from pathlib import Path

import pytest

from formats import FormatError
from formats.schema.messages import Message
from scoring import wer
from scoring.model.counts import Counts
from scoring.sides.matching.identifier import MatchingError
from tests.remarks import said

STM = "rec1 1 anne 0.500 2.250 hello world\nrec1 1 bob 2.250 3.900 how are you\n"
JSONL = (
    '{"recording": "talk", "start": 0.5, "end": 2.25, "text": "hello word"}\n'
    '{"recording": "talk", "kind": "event", "start": 2.0, "end": 2.1, "text": "noise"}\n'
    '{"recording": "talk", "start": 2.25, "end": 3.9, "text": "how are you"}\n'
)
NEMO = '{"audio_filepath": "a.wav", "uniq_id": "u1", "text": "a b", "pred_text": "a c"}\n'
AUDACITY = "0.5\t2.25\thello word\n2.25\t3.9\thow are\n"


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, "utf-8")
    return path


def test_missing_times_are_worked_out_when_told(tmp_path: Path) -> None:
    reference = write(tmp_path, "rec1.stm", STM)
    hypothesis = write(tmp_path, "rec1.jsonl", JSONL.replace("talk", "rec1"))
    rates = wer(reference=reference, hypothesis=hypothesis)
    assert (rates.counts, rates.matching_summary.matched_by) == (Counts(4, 1, 0, 0), "recording")
    rates = wer(reference=reference, hypothesis=hypothesis, interpolate="uniform")
    assert (rates.counts, rates.matching_summary.matched_by) == (Counts(4, 1, 0, 0), "time")
    about = {"path": str(hypothesis)}
    assert said(rates.remarks) == [
        ("INTERPOLATED", {**about, "words": 5, "way": "uniform"}),
        ("NOT-WORDS", {**about, "segments": 1}),
    ]
    [estimated, _] = rates.remarks
    assert isinstance(estimated, Message)
    assert estimated.advice == (("interpolate", "uniform"),)


def test_a_recording_named_by_its_file_is_any_recording(tmp_path: Path) -> None:
    reference = write(tmp_path, "rec1.stm", STM)
    other = write(tmp_path, "system.txt", AUDACITY)
    rates = wer(reference=reference, hypothesis=other, interpolate="chars")
    assert rates.counts == Counts(3, 1, 1, 0)
    about = {"path": str(other)}
    assert said(rates.remarks) == [
        ("INTERPOLATED", {**about, "words": 4, "way": "chars"}),
        ("ONLY-RECORDING", {**about, "recording": "system", "target": "rec1"}),
    ]
    second = write(tmp_path, "two.stm", STM + "rec2 1 bob 0 1 yes\n")
    with pytest.raises(MatchingError, match="found others"):
        wer(reference=second, hypothesis=other, interpolate="chars")


def test_one_manifest_has_both_sides(tmp_path: Path) -> None:
    path = write(tmp_path, "dev.manifest", NEMO)
    assert wer(reference=path, hypothesis=path).counts == Counts(1, 1, 0, 0)
    options = {"field": "text"}
    assert wer(reference=path, hypothesis=path, hypothesis_options=options).counts.errors == 0


def test_an_unknown_option_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path, "rec1.stm", STM)
    with pytest.raises(FormatError, match="options to read stm"):
        wer(reference=path, hypothesis=path, reference_options={"field": "x"})
    with pytest.raises(ValueError, match="interpolate: expected none, uniform or chars"):
        wer(reference=path, hypothesis=path, interpolate="no")  # type: ignore[call-overload]


@pytest.mark.parametrize(
    ("side", "text"), [("reference", ""), ("reference", "{}"), ("hypothesis", "{}")]
)
def test_the_option_that_names_a_format_is_told_by_its_name(
    side: str, text: str, tmp_path: Path
) -> None:
    sides = {"reference": tmp_path / "a.trn", "hypothesis": tmp_path / "b.trn"}
    for path in sides.values():
        path.write_text("a (s_1)\n")
    sides[side] = tmp_path / "unknown"
    sides[side].write_text(text)
    with pytest.raises(FormatError, match=rf"name one \(--{side}-format\)"):
        wer(reference=sides["reference"], hypothesis=sides["hypothesis"])
