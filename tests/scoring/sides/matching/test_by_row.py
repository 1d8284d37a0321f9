"""Manifests without common identifiers are matched by their audio files, or row by row."""

import json
from pathlib import Path
from typing import Any

import pytest

import scoring
from formats.schema.errors import FormatError
from scoring.cli.scoring import main
from scoring.model.counts import Counts
from scoring.sides.matching import DifferentLengthsError
from scoring.sides.messages import COLUMN
from tests.each_case import each_case
from tests.formats.checks import message_text
from tests.tables import table_of

Row = dict[str, Any]


def write(path: Path, *rows: Row) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def said(name: str, text: str, **more: Any) -> Row:
    return {"audio_filepath": f"clips/{name}.wav", "duration": 2.0, "text": text, **more}


BOTH = [("hello world", "hello word"), ("good day", "good"), ("yes", "yes")]


@each_case(
    ("member", "by"),
    table_of(__file__, "json_lines_with_text_and_prediction_are_paired_without_identifiers"),
    ids=["audio", "object", "audio_filepath", "none", "one file"],
)
@each_case("name", ["prediction", "pred_text", "hypothesis"])
def test_json_lines_with_text_and_prediction_are_paired_without_identifiers(
    tmp_path: Path, member: Row, by: str, name: str
) -> None:
    filled = [json.loads(json.dumps(member).replace("%", letter)) for letter in "abc"]
    rows = [
        {**audio, "text": text, name: found}
        for audio, (text, found) in zip(filled, BOTH, strict=True)
    ]
    path = write(tmp_path / "predictions.jsonl", *rows)
    rates = scoring.wer(path, path)
    assert rates.matching_summary.matched_by == "position"  # whatever names the rows of one table
    assert [counts for _, _, counts in rates] == [Counts(1, 1, 0, 0), Counts(1, 0, 1, 0), Counts(1)]
    assert list(rates.identifiers) == (
        ["a", "b", "c"] if by == "audio" else ["000001", "000002", "000003"]
    )
    assert rates.remarks == ()
    kept = scoring.wer(path, path, keep_sources=True)
    assert kept.sources is not None
    assert [one.words for one in kept.sources.references] == list(rates.aligned.references)


def test_a_table_is_paired_as_json_lines_are(tmp_path: Path) -> None:
    path = tmp_path / "predictions.csv"
    path.write_text("path,text,prediction\na.wav,hello world,hello\nb.wav,good,good\n")
    assert scoring.wer(path, path).counts == Counts(2, 0, 1, 0)


def test_nemo_without_uniq_id_is_matched_by_audio_filepath_in_any_order(tmp_path: Path) -> None:
    reference = write(tmp_path / "r.manifest", said("a", "hello world"), said("b", "good day"))
    hypothesis = write(
        tmp_path / "h.manifest",
        {"audio_filepath": "/other/folder/b.flac", "text": "good way"},
        said("a", "hello world"),
    )
    rates = scoring.wer(reference, hypothesis)
    assert rates.matching_summary.matched_by == "audio"
    assert [counts for _, _, counts in rates] == [Counts(2), Counts(1, 1, 0, 0)]


@pytest.mark.parametrize("swapped", [False, True])
def test_nemo_with_uniq_id_on_one_side_only_is_matched_by_audio_filepath(
    tmp_path: Path, swapped: bool
) -> None:
    named = write(tmp_path / "a.manifest", said("a", "x", uniq_id="1"), said("b", "y", uniq_id="2"))
    bare = write(tmp_path / "b.manifest", said("b", "y"), said("a", "x"))
    sides = (bare, named) if swapped else (named, bare)
    rates = scoring.wer(*sides)
    assert (rates.matching_summary.matched_by, rates.corpus_rate) == ("audio", 0.0)
    assert scoring.wer(
        named, named, hypothesis_options={"field": "text"}
    ).matching_summary.matched_by == ("position")


def test_stretches_of_one_audio_file_are_matched_by_their_times(tmp_path: Path) -> None:
    rows = [
        {"audio_filepath": "a.wav", "offset": at, "duration": 2, "text": text}
        for at, text in ((0, "a b"), (2, "c"), (4.5, "d e"))
    ]
    reference = write(tmp_path / "r.manifest", *rows)
    rates = scoring.wer(reference, write(tmp_path / "h.manifest", *rows[::-1]))
    assert (rates.matching_summary.matched_by, rates.corpus_rate) == ("audio", 0.0)
    assert list(rates.identifiers) == ["a-1-0.0", "a-1-2.0", "a-1-4.5"]
    rates = scoring.wer(reference, write(tmp_path / "f.manifest", rows[0], rows[2]))
    assert rates.matching_summary.reference_only.identifiers == ("a-1-2.0",)
    assert rates.counts == Counts(4, 0, 1, 0)


def test_another_segmentation_of_the_same_audio_is_never_paired_row_by_row(tmp_path: Path) -> None:
    def halves(cut: float) -> list[Row]:
        return [
            {"audio_filepath": "a.wav", "offset": 0, "duration": cut, "text": "a b"},
            {"audio_filepath": "a.wav", "offset": cut, "duration": 9 - cut, "text": "c"},
        ]

    reference = write(tmp_path / "r.manifest", *halves(2))
    hypothesis = write(tmp_path / "h.manifest", *halves(4))
    rates = scoring.wer(reference, hypothesis)
    assert (rates.matching_summary.matched_by, rates.corpus_rate) == ("recording", 0.0)
    assert (
        scoring.wer(reference, hypothesis, interpolate="chars").matching_summary.matched_by
        == "time"
    )


def test_rows_that_name_nothing_must_be_as_many(tmp_path: Path) -> None:
    reference = write(tmp_path / "r.jsonl", {"text": "a"}, {"text": "b"})
    hypothesis = write(tmp_path / "h.jsonl", {"text": "a"})
    with pytest.raises(DifferentLengthsError, match=r"expected 2 .*r\.jsonl, .*found 1"):
        scoring.wer(reference, hypothesis)
    assert scoring.wer(reference, hypothesis, missing="delete").counts == Counts(1, 0, 1, 0)


def test_rows_that_name_other_audio_files_are_not_paired(tmp_path: Path) -> None:
    reference = write(tmp_path / "r.jsonl", {"audio": "a.wav", "text": "a"})
    other = {"audio": "c.wav", "text": "a"}
    hypothesis = write(tmp_path / "h.jsonl", other, {"audio": "d.wav", "text": "b"})
    with pytest.raises(scoring.ScoringError):
        scoring.wer(reference, hypothesis)


def test_what_was_recognised_is_scored_and_not_the_reference_beside_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write(Path("r.manifest"), said("a", "hello world"))
    write(Path("out.manifest"), said("a", "hello world", pred_text="hello word"))
    assert main(["wer", "r.manifest", "out.manifest"]) == 0
    found = capsys.readouterr()
    assert "%WER 50.00" in found.out
    note = message_text(COLUMN, path="out.manifest", column="pred_text")
    assert found.err == f"scoring: note: {note} [{COLUMN.code}]\n"
    assert main(["wer", "r.manifest", "out.manifest", "--hypothesis-option", "field=text"]) == 0
    assert "%WER 0.00" in capsys.readouterr().out
    monkeypatch.setattr("sys.stdin", open("out.manifest"))  # noqa: SIM115
    assert main(["wer", "r.manifest", "-", "--hypothesis-format", "nemo"]) == 0
    found = capsys.readouterr()
    assert "%WER 50.00" in found.out
    note = message_text(COLUMN, path="<stdin>", column="pred_text")
    assert found.err == f"scoring: note: {note} [{COLUMN.code}]\n"


def test_a_manifest_without_predictions_is_not_scored_against_itself(tmp_path: Path) -> None:
    for name in ("r.manifest", "r.jsonl"):
        path = write(tmp_path / name, said("a", "hello world"))
        with pytest.raises(FormatError, match="pred_text"):
            scoring.wer(path, path)


NULLS = [("a b c", "a b c", "x"), ("d e f", None, "y"), (None, None, "x"), ("g h i", "g h i", "x")]


@each_case("suffix", ["parquet", "arrow"])
@each_case(("missing", "errors", "words"), [(None, 3, 9), ("delete", 3, 9), ("skip", 0, 6)])
def test_rows_after_a_null_keep_their_partners(
    tmp_path: Path, suffix: str, missing: Any, errors: int, words: int
) -> None:
    pa = pytest.importorskip("pyarrow")
    table = pa.table(
        dict(zip(("transcript", "asr", "accent"), zip(*NULLS, strict=True), strict=True))
    )
    path = tmp_path / f"eval.{suffix}"
    if suffix == "parquet":
        import pyarrow.parquet as parquet

        parquet.write_table(table, path)
    else:
        import pyarrow.feather as feather

        feather.write_feather(table, path)
    for match in (None, "position"):
        rates = scoring.wer(path, path, missing=missing, match=match)
        assert (rates.counts.errors, rates.counts.reference_tokens) == (errors, words)
    # the last row has no hypothesis, so a table of its own does not know that it had one
    left, right = tmp_path / "r.parquet", tmp_path / "h.parquet"
    import pyarrow.parquet as parquet

    parquet.write_table(table.select(["transcript"]), left)
    parquet.write_table(table.select(["asr"]), right)
    rates = scoring.wer(left, right, missing=missing)
    assert (rates.counts.errors, rates.counts.reference_tokens) == (errors, words)


def test_a_null_reference_is_an_error_unless_it_is_allowed(tmp_path: Path) -> None:
    pa, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "eval.parquet"
    texts = {"transcript": ["a b", None, "c"], "asr": ["a b", "x y", "c"]}
    parquet.write_table(pa.table(texts), path)
    with pytest.raises(scoring.MatchingError):
        scoring.wer(path, path)
    assert scoring.wer(path, path, allow_unmatched=True).counts == Counts(correct=3)


def test_rows_of_several_tables_keep_their_partners(tmp_path: Path) -> None:
    pa, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    for name, predicted in (("a", ["so it", None]), ("b", [None, "was then"])):
        texts = {"transcript": ["so it", "was then"], "asr": predicted}
        parquet.write_table(pa.table(texts), tmp_path / f"{name}.parquet")
    rates = scoring.wer(tmp_path, tmp_path)
    assert rates.counts == Counts(correct=4, deletions=4)
