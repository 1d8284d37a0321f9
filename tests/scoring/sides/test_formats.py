"""Files of any format, on either side."""

import io
import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from formats import FormatError
from formats.io.messages import EMPTY_UNKNOWN, NO_SENTENCE
from formats.schema.messages import Message
from scoring import File, wer
from scoring.model.counts import Counts
from scoring.model.errors import InputError
from scoring.sides.matching import MatchingError
from tests.each_case import each_case
from tests.remarks import pattern_of, said

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
    with pytest.raises(MatchingError, match=r"none .*of the"):
        wer(reference=second, hypothesis=other, interpolate="chars")


def test_one_manifest_has_both_sides(tmp_path: Path) -> None:
    path = write(tmp_path, "dev.manifest", NEMO)
    assert wer(reference=path, hypothesis=path).counts == Counts(1, 1, 0, 0)
    options = {"field": "text"}
    assert wer(reference=path, hypothesis=path, hypothesis_options=options).counts.errors == 0


PREDICTED = (
    *("prediction", "pred", "hypothesis", "hyp", "pred_text", "asr", "output", "generated"),
    "recognized",
)


def tables(folder: Path, columns: Mapping[str, list[str]]) -> list[Path]:
    """The same rows as JSON lines, CSV and Parquet."""
    pa = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    rows = list(zip(*columns.values(), strict=True))
    lines = [json.dumps(dict(zip(columns, row, strict=True))) for row in rows]
    binary = folder / "rows.parquet"
    parquet.write_table(pa.table(columns), binary)
    return [
        write(folder, "rows.jsonl", "\n".join(lines) + "\n"),
        write(folder, "rows.csv", "\n".join(map(",".join, (columns, *rows))) + "\n"),
        binary,
    ]


@each_case("name", PREDICTED)
def test_rows_with_a_prediction_are_a_hypothesis(tmp_path: Path, name: str) -> None:
    said_words, heard = ["one two three", "four five"], ["one too three", "four"]
    reference = write(tmp_path, "reference.csv", "id,text\na,one two three\nb,four five\n")
    for path in tables(tmp_path, {"id": ["a", "b"], name: heard}):
        rates = wer(reference=reference, hypothesis=path)
        assert (rates.counts, rates.matching_summary.matched_by) == (
            Counts(3, 1, 1, 0),
            "identifier",
        )
        with pytest.raises(FormatError) as caught:
            wer(reference=path, hypothesis=reference)
        assert caught.value.value is not None
        assert caught.value.value.code == "NO-TEXT-NAME"
    for path in tables(tmp_path, {"id": ["a", "b"], "text": said_words, name: heard}):
        rates = wer(reference=reference, hypothesis=path)
        assert rates.counts == Counts(3, 1, 1, 0)
        assert ("COLUMN", {"path": str(path), "column": name}) in said(rates.remarks)
        assert wer(reference=path, hypothesis=path).counts == Counts(3, 1, 1, 0)


@pytest.mark.parametrize("name", ["pred", "output"])
@pytest.mark.parametrize("both", [False, True])
def test_rows_with_a_prediction_come_through_a_pipe(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, both: bool
) -> None:
    reference = write(tmp_path, "reference.csv", "id,text\na,one two three\nb,four five\n")
    columns = {
        "id": ["a", "b"],
        "text": ["one two three", "four five"],
        name: ["one too three", ""],
    }
    if not both:
        columns.pop("text")
    for path in tables(tmp_path, columns)[:2]:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(path.read_bytes())))
        rates = wer(reference, File("-", format=path.suffix[1:]))
        assert rates.counts == Counts(2, 1, 2, 0)
        notes = [("COLUMN", {"path": "<stdin>", "column": name})] * both
        assert said(rates.remarks) == notes


def test_a_vague_name_gives_way_to_a_certain_one(tmp_path: Path) -> None:
    row = {"id": "a", "text": "one two", "output": "noise", "pred_text": "one too"}
    path = write(tmp_path, "rows.jsonl", json.dumps(row) + "\n")
    reference = write(tmp_path, "reference.csv", "id,text\na,one two\n")
    rates = wer(reference=reference, hypothesis=path)
    assert rates.counts == Counts(1, 1, 0, 0)
    assert said(rates.remarks) == [("COLUMN", {"path": str(path), "column": "pred_text"})]
    both = write(tmp_path, "both.jsonl", json.dumps({**row, "hyp": "one"}) + "\n")
    with pytest.raises(InputError, match="expected one column of words, found several"):
        wer(reference=reference, hypothesis=both)


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
    with pytest.raises(FormatError, match=pattern_of(NO_SENTENCE if text else EMPTY_UNKNOWN, side)):
        wer(reference=sides["reference"], hypothesis=sides["hypothesis"])


def test_a_title_counts_on_both_sides(tmp_path: Path) -> None:
    text = "The Lost Coin\n\nSo it was. Nobody knew the old bridge, and the river had no name.\n"
    reference = write(tmp_path, "a.txt", text)
    hypothesis = write(tmp_path, "b.txt", text.lower().replace("\n\n", "\n"))
    rates = wer(reference=reference, hypothesis=hypothesis, normalize="plain")
    assert rates.counts == Counts(17, 0, 0, 0)
    below = write(tmp_path, "c.txt", text.partition("\n\n")[2])
    rates = wer(reference=reference, hypothesis=below, reference_options={"titles": "false"})
    assert rates.counts == Counts(14, 0, 0, 0)
