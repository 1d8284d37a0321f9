"""Large tables are scored in parts: every output is that of the whole."""

from __future__ import annotations

import csv
import json
import random
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as parquet
import pytest

from formats.tables import arrow
from scoring.cli import wer
from scoring.cli.scoring import main
from scoring.model.errors import InputError
from scoring.options import Options
from scoring.results.streamed import StreamedAlignments
from scoring.score import streaming, text_tables
from scoring.score.from_tables import wer_of_tables
from scoring.score.rates import ErrorRates

WORDS = [
    "the",
    "The",
    "cat.",
    "sat",
    "it's",
    "Ünder",
    "straße",
    "...",
    "dr.",
    "MAT",
    "12",
    "a\u00a0b",
]
COLUMNS = ("--reference-column", "text")


def rows(seed: int, number: int, *, has_gaps: bool) -> list[dict[str, Any]]:
    """Draw rows with every oddity that a message is about."""
    drawn = random.Random(seed)
    found = []
    for place in range(number):
        words = [drawn.choice(WORDS) for _ in range(drawn.randrange(8))]
        heard = [word for word in words if drawn.random() > 0.1]
        if drawn.random() < 0.05:
            heard += ["again"] * 7
        heard = [
            word.lower().replace("ü", "Ã¼") if drawn.random() < 0.3 else word for word in heard
        ]
        row: dict[str, Any] = {"text": " ".join(words), "pred_text": " ".join(heard)}
        row |= {"other": " ".join(words[::-1]), "speaker": drawn.choice(["anne", "bob"])}
        row["accent"] = drawn.choice(["de", None, "en"])
        if has_gaps and place % 7 == 3:
            row["pred_text"] = None
        if has_gaps and place % 11 == 4:
            row["text"] = None
        found.append(row)
    return found


CASES: dict[str, tuple[bool, tuple[str, ...]]] = {
    "plain groups": (False, ("--normalize", "plain", "--by", "speaker,accent")),
    "no steps": (False, ("--per-speaker", "--by", "accent")),
    "systems": (False, ("--hypothesis-column", "pred_text", "--hypothesis-column", "other")),
    "interval": (False, ("--confidence-interval", "--replications", "50", "--block", "speaker")),
    "characters": (False, ("--unit", "grapheme", "--profile", "levenshtein", "--ignore-case")),
    "missing": (True, ("--allow-unmatched", "--by", "accent", "--normalize", "plain")),
    "skipped": (True, ("--allow-unmatched", "--missing", "skip", "--by", "speaker")),
    "no reference": (True, ()),
    "error": (True, ("--allow-unmatched", "--missing", "error")),
    "missing, named": (True, ("--allow-unmatched", "--normalize", "plain")),
    "error, named": (True, ("--allow-unmatched", "--missing", "error")),
    "no reference, named": (True, ()),
    "every word": (False, ("--json", "-")),
    "readings": (False, ("--normalize", "contractions")),
}


# Cases whose words are all in memory: a report of every word, and steps with several readings.
WHOLE = ("every word", "readings")


@pytest.mark.share(5)
@pytest.mark.parametrize("case", CASES)
def test_output_is_that_of_the_whole(
    case: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    has_gaps, options = CASES[case]
    table = pa.Table.from_pylist(rows(3, 150, has_gaps=has_gaps))
    if case.endswith("named"):
        table = table.append_column("id", [[f"u{row}" for row in range(len(table))]])
    for name, part in (("a", table.slice(0, 70)), ("b", table.slice(70))):
        parquet.write_table(part, tmp_path / f"{name}.parquet", row_group_size=40)
    monkeypatch.setattr(arrow, "ROWS", 8)
    results: list[object] = []
    result = streaming.StreamedScore.result

    def noticed(streamed: streaming.StreamedScore) -> ErrorRates | None:
        results.append(streamed)
        return result(streamed)

    monkeypatch.setattr(streaming.StreamedScore, "result", noticed)
    told = []
    for large, part, head in ((10**9, 0, 0), (0, 30, 5_001), (0, 30, 2)):
        monkeypatch.setattr(streaming, "LARGE", large)
        monkeypatch.setattr(streaming, "PART", part)
        monkeypatch.setattr(streaming, "HEAD", head)
        monkeypatch.setattr(streaming, "SAMPLED", max(1, head // 10))
        status = main(["wer", str(tmp_path / "*.parquet"), *COLUMNS, *options])
        told.append((status, *capsys.readouterr()))
    assert bool(results) == (case not in WHOLE)
    assert told[1] == told[0]
    assert told[2] == told[0]


def test_identifiers_are_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Identifiers are there, though only those of the last part are in memory."""
    names = [f"u{row}" for row in range(100)]
    table = pa.Table.from_pylist(rows(5, 100, has_gaps=True)).append_column("id", [names])
    parquet.write_table(table, tmp_path / "a.parquet", row_group_size=40)
    monkeypatch.setattr(arrow, "ROWS", 8)
    monkeypatch.setattr(streaming, "LARGE", 0)
    monkeypatch.setattr(streaming, "PART", 30)
    paths = [str(tmp_path / "a.parquet")]
    choices = Options(allow_unmatched=True)
    [whole] = wer_of_tables(paths, ["text"], ["pred_text"], choices)
    [found] = wer_of_tables(paths, ["text"], ["pred_text"], choices, is_streamed=True)
    assert list(found.identifiers) == list(whole.identifiers)
    assert [found.identifiers[row] for row in (60, 3, 80)] == [
        whole.identifiers[row] for row in (60, 3, 80)
    ]
    parquet.write_table(pa.concat_tables([table, table[:1]]), tmp_path / "a.parquet")
    with pytest.raises(InputError, match="found 'u0'"):
        wer_of_tables(paths, ["text"], ["pred_text"], choices, is_streamed=True)


def test_words_are_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every word and edit of a streamed result is there, though only counts are in memory."""
    table = pa.Table.from_pylist(rows(5, 100, has_gaps=False))
    parquet.write_table(table, tmp_path / "a.parquet", row_group_size=40)
    monkeypatch.setattr(arrow, "ROWS", 8)
    monkeypatch.setattr(streaming, "LARGE", 0)
    monkeypatch.setattr(streaming, "PART", 30)
    monkeypatch.setattr(streaming, "HEAD", 3)
    paths = [str(tmp_path / "a.parquet")]
    choices = Options(normalize="plain", by=["speaker"])
    [whole] = wer_of_tables(paths, ["text"], ["pred_text"], choices)
    [found] = wer_of_tables(paths, ["text"], ["pred_text"], choices, is_streamed=True)
    aligned, expected = found.aligned, whole.aligned
    assert isinstance(aligned, StreamedAlignments)
    assert [aligned[row] for row in (99, 0, 64, 65)] == [expected[row] for row in (99, 0, 64, 65)]
    assert list(aligned) == list(expected)
    assert list(aligned.references) == list(expected.references)
    assert list(aligned.select([70, 2])) == list(expected.select([70, 2]))
    assert (bytes(aligned.edits), list(aligned.offsets)) == (
        bytes(expected.edits),
        list(expected.offsets),
    )
    assert found.groups == whole.groups
    assert found.by("speaker")["bob"].counts == whole.by("speaker")["bob"].counts


def write_as(path: Path, some: list[dict[str, Any]]) -> None:
    """Write rows as Parquet, CSV or JSON lines."""
    if path.suffix == ".parquet":
        parquet.write_table(pa.Table.from_pylist(some), path, row_group_size=40)
    elif path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in some))
    else:
        with path.open("w", newline="") as file:
            writer = csv.DictWriter(file, list(some[0]))
            writer.writeheader()
            writer.writerows(some)


ALONE: dict[str, tuple[str, ...]] = {
    "plain groups": ("--normalize", "plain", "--by", "speaker,accent"),
    "speakers": ("--per-speaker",),
    "interval": ("--confidence-interval", "--replications", "50"),
    "characters": ("--unit", "grapheme", "--profile", "levenshtein", "--ignore-case"),
    "every word": ("--json", "-"),
    "columns": ("--reference-column", "text", "--by", "accent"),
}


@pytest.mark.share(5)
@pytest.mark.parametrize("suffix", [".parquet", ".csv", ".jsonl"])
@pytest.mark.parametrize("case", ALONE)
@pytest.mark.parametrize("is_named", [True, False], ids=["named", "unnamed"])
def test_a_large_table_streams_without_an_option(
    case: str,
    suffix: str,
    is_named: bool,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A table that is named alone has the same numbers, names and signature at any size."""
    some = [{**row, "accent": row["accent"] or "fr"} for row in rows(7, 100, has_gaps=False)]
    some = [{name: row[name] for name in row if name != "other"} for row in some]
    if is_named:
        some = [{"id": f"u{number}", **row} for number, row in enumerate(some)]
    path = tmp_path / f"table{suffix}"
    write_as(path, some)
    monkeypatch.setattr(arrow, "ROWS", 8)
    monkeypatch.setattr(text_tables, "ROWS", 8)
    monkeypatch.setattr(wer, "LEAST_LARGE", 0)
    parts: list[object] = []
    result = streaming.StreamedScore.result

    def noticed(streamed: streaming.StreamedScore) -> ErrorRates | None:
        parts.append(streamed)
        return result(streamed)

    monkeypatch.setattr(streaming.StreamedScore, "result", noticed)
    told = []
    for large, part in ((10**9, 0), (0, 30)):
        monkeypatch.setattr(streaming, "LARGE", large)
        monkeypatch.setattr(streaming, "PART", part)
        status = main(["wer", str(path), *ALONE[case]])
        output, errors = capsys.readouterr()
        codes = [line.rpartition("[")[2] for line in errors.splitlines()]
        told.append((status, output, codes))
    assert bool(parts) == (case != "every word")
    assert told[1] == told[0]


@pytest.mark.parametrize(
    "row",
    [
        {"text": "a", "pred_text": ["b c", "d"]},
        {"text": "a", "pred_text": "b", "recording": "r", "kind": "ignored"},
    ],
    ids=["words with blanks", "not scored"],
)
def test_json_lines_with_more_than_words_are_read_as_a_whole(
    row: dict[str, Any],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = tmp_path / "table.jsonl"
    write_as(path, [*({"text": "a b", "pred_text": "a"} for _ in range(20)), row])
    monkeypatch.setattr(wer, "LEAST_LARGE", 0)
    told = []
    for large in (10**9, 0):
        monkeypatch.setattr(streaming, "LARGE", large)
        told.append((main(["wer", str(path)]), *capsys.readouterr()))
    assert told[1] == told[0]
