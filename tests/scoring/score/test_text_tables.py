"""Tables of text with the words of both sides: CSV, TSV and JSON lines."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import scoring
from formats.schema.errors import FormatError
from scoring.cli.scoring import main
from scoring.model.counts import Counts
from scoring.model.errors import ScoringError
from tests.each_case import each_case

ROWS = (
    ("the cat sat on the mat", "the hat sat on the mat"),
    ("a dog ran off", "a dog ran"),
    ("hello there world now", "hello there big world then"),
)
FOUR = Counts(11, 2, 1, 1)
RATE = "%WER 28.57 [ 4 / 14, 1 ins, 1 del, 2 sub ]"
Row = dict[str, str]


def separated(sign: str) -> Callable[[list[Row]], str]:
    def write(rows: list[Row]) -> str:
        return "".join(sign.join(one) + "\n" for one in (rows[0], *(r.values() for r in rows)))

    return write


WRITERS: dict[str, Callable[[list[Row]], str]] = {
    "csv": separated(","),
    "tsv": separated("\t"),
    "jsonl": lambda rows: "".join(json.dumps(row) + "\n" for row in rows),
}


def table(folder: Path, ending: str, *names: str, title: str = "table") -> Path:
    """A table of rows with these columns; those after the second repeat the reference."""
    rows = [dict(zip(names, (*row, *[row[0]] * 9), strict=False)) for row in ROWS]
    path = folder / f"{title}.{ending}"
    path.write_text(WRITERS[ending](rows), encoding="utf-8")
    return path


Capture = pytest.CaptureFixture[str]


@pytest.mark.share(len(WRITERS))
@pytest.mark.parametrize("turn", range(len(WRITERS)))
@each_case(
    ("number", "name"),
    enumerate(["reference", "ref", "text", "transcript", "transcription", "sentence"]),
)
@each_case(
    ("place", "other"), enumerate(["hypothesis", "hyp", "pred", "pred_text", "asr", "asr_text"])
)
def test_the_usual_names_are_both_sides(
    tmp_path: Path, number: int, name: str, place: int, other: str, turn: int, capsys: Capture
) -> None:
    """Each pair in one kind of table, in turn; in a release in all of them.

    The command reads tables as `wer` does: it has each name once.
    """
    ending = [*WRITERS][(number + place + turn) % len(WRITERS)]
    path = table(tmp_path, ending, name, other)
    assert scoring.wer(path, path).counts == FOUR
    if number != place:
        return
    assert main(["wer", str(path)]) == 0
    assert RATE in capsys.readouterr().out


def test_one_table_serves_every_command(tmp_path: Path, capsys: Capture) -> None:
    path = table(tmp_path, "csv", "Sentence", "Prediction")
    assert main(["diff", str(path)]) in (0, 3)
    assert "28.57 %" in capsys.readouterr().out
    assert main(["compare", str(path), str(path)]) == 0


@pytest.mark.parametrize("ending", list(WRITERS))
def test_columns_are_named(tmp_path: Path, ending: str, capsys: Capture) -> None:
    path = str(table(tmp_path, ending, "truth", "mine", "yours"))
    columns = ["--reference-column", "truth", "--hypothesis-column", "mine"]
    assert main(["wer", path, *columns, "--hypothesis-column", "yours"]) == 0
    out = capsys.readouterr().out
    assert RATE in out
    assert "%WER 0.00 [ 0 / 14" in out
    other = str(table(tmp_path, "csv", "truth", "mine", title="more"))
    assert main(["wer", path, other, *columns]) == 0
    assert "%WER 28.57 [ 8 / 28, 2 ins, 2 del, 4 sub ]" in capsys.readouterr().out


def test_the_hypothesis_column_has_usual_names(tmp_path: Path, capsys: Capture) -> None:
    path = str(table(tmp_path, "csv", "ref", "hyp"))
    assert main(["wer", path, "--reference-column", "ref"]) == 0
    assert RATE in capsys.readouterr().out
    path = str(table(tmp_path, "csv", "ref", "mine"))
    assert main(["wer", path, "--reference-column", "ref"]) == 2
    assert "--hypothesis-column NAME" in capsys.readouterr().err


def test_identifiers_and_groups_of_rows(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "t.csv"
    path.write_text("id,accent,truth,mine\nu1,uk,a b,a c\nu2,us,d,d\n")
    columns = ["--reference-column", "truth", "--hypothesis-column", "mine"]
    assert main(["wer", str(path), *columns, "--by", "accent", "--json", "-"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert "uk" in json.dumps(document)
    assert '"u2"' in json.dumps(document)
    path.write_text("id,truth,mine\nu1,a b,a c\nu1,d,d\n")
    assert main(["wer", str(path), *columns]) == 2
    assert "expected an identifier not used before, found 'u1'" in capsys.readouterr().err


def refusal(reference: Path, hypothesis: Path) -> str:
    with pytest.raises((ScoringError, FormatError)) as refused:
        scoring.wer(reference, hypothesis)
    return str(refused.value)


@pytest.mark.parametrize("ending", list(WRITERS))
def test_several_columns_of_one_side_are_rejected(
    tmp_path: Path, ending: str, capsys: Capture
) -> None:
    several = "expected one column of words, found several"
    both = table(tmp_path, ending, "text", "hyp", "sentence")
    option = "--reference-option field=sentence"
    assert refusal(both, both) == f"{both}: {several} ({option} reads that one)"
    assert main(["wer", str(both), "--reference-option", "field=text"]) == 0
    assert RATE in capsys.readouterr().out
    two = table(tmp_path, ending, "ref", "hyp", "prediction", title="two")
    option = "--hypothesis-option field=prediction"
    assert refusal(two, two) == f"{two}: {several} ({option} reads that one)"
    assert main(["wer", str(two), "--hypothesis-option", "field=hyp"]) == 0
    assert RATE in capsys.readouterr().out
    one = table(tmp_path, ending, "text", "hyp", "ref", title="one")
    assert several in refusal(one, two)
    assert main(["wer", str(one), "--reference-column", "ref", "--hypothesis-column", "hyp"]) == 0


def test_messages_name_options_of_the_command(tmp_path: Path, capsys: Capture) -> None:
    path = table(tmp_path, "csv", "truth", "mine")
    assert "(--reference-option field=truth reads the first)" in refusal(path, path)
    for left, right, option in (
        ("text", "mine", "--reference-column"),
        ("truth", "pred_text", "--hypothesis-column"),
    ):
        columns = ("--reference-column", left, "--hypothesis-column", right)
        assert main(["wer", str(path), *columns]) == 2
        told = capsys.readouterr().err
        assert f"{option} NAME" in told
        assert "--field" not in told
    assert main(["convert", str(path), "-", "--to", "trn"]) == 2
    capsys.readouterr()
    segments = tmp_path / "a.stm"
    segments.write_text("rec 1 anne 0 5 hello there\n")
    assert main(["wer", str(segments), "--reference-column", "a"]) == 2
    assert capsys.readouterr().err == (
        f"scoring: error: {segments}: expected a table (CSV, TSV, Excel, JSON lines, Parquet or Arrow), found stm\n"
    )
    missing = ["--reference-column", "truth", "--hypothesis-column", "nobody"]
    assert main(["wer", str(path), *missing]) == 2
    assert 'expected a column "nobody", found "truth", "mine"' in capsys.readouterr().err


def test_compare_takes_columns_of_tables(tmp_path: Path, capsys: Capture) -> None:
    path = str(table(tmp_path, "csv", "truth", "mine", "yours"))
    other = str(table(tmp_path, "csv", "truth", "mine", "yours", title="more"))
    reference = ["--reference-column", "truth"]
    assert main(["wer", path, *reference, "--hypothesis-column", "mine"]) == 0
    signature = capsys.readouterr().out.partition("signature: ")[2].splitlines()[0]
    assert main(["compare", path, other, *reference, "--hypothesis-column", "mine"]) == 0
    assert f"signature: {signature}\n" in capsys.readouterr().out
    both = ["--hypothesis-column", "mine", "--hypothesis-column", "yours"]
    for files in ([path], [path, other], [path, path, other]):
        assert main(["compare", *files, *reference, *both]) == 0
        out = capsys.readouterr().out
        assert f"signature: {signature}\n" in out
        assert "baseline: mine" in out
        assert "28.57" in out
        assert "-28.57" in out


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("--hypothesis-column a --hypothesis-column b --hypothesis-column c", "at most 2, found a"),
        ("--hypothesis-column a --hypothesis-column a", "a column is named twice"),
        ("--reference-column a --reference-column b", "--reference-column: expected at most 1"),
    ],
)
def test_compare_refuses_more_columns(
    tmp_path: Path, capsys: Capture, words: str, text: str
) -> None:
    path = str(table(tmp_path, "csv", "truth", "mine"))
    assert main(["compare", path, path, *words.split()]) == 2
    assert text in capsys.readouterr().err
