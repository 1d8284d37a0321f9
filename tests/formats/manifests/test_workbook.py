"""Workbooks of Excel: cells as texts, sheets, columns, damage, and scoring them."""

import datetime
import io
import sys
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import openpyxl
import pytest

import formats
from formats import FormatError
from formats.schema.errors import OptionError
from formats.schema.messages import Advice, Message
from formats.tables import workbook
from formats.tables.csv_file import ROWS
from formats.tables.messages import XLSX_SEVERAL, XLSX_SHEETS
from scoring import File, wer
from tests.each_case import each_case
from tests.formats.checks import remark_line
from tests.formats.manifests.cases import workbook as packed
from tests.remarks import said

Rows = Sequence[Sequence[Any]]
TIME = datetime.time(0, 1, 2, 500_000)


def write_book(path: Path, sheets: Mapping[str, Rows]) -> str:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    book.save(path)
    return str(path)


def refusal(target: Any, **options: Any) -> str:
    with pytest.raises(FormatError) as caught:
        formats.read(target, **options)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@each_case(
    ("cell", "text"),
    [
        ("two words", "two words"),
        (7, "7"),
        (7.0, "7"),
        (0.1 + 0.2, "0.3"),
        (True, "TRUE"),
        (datetime.date(2026, 1, 2), "2026-01-02T00:00:00"),
        (TIME, "00:01:02.500000"),
        ("=1+1", ""),
        ("#N/A", "#N/A"),
    ],
)
def test_a_cell_is_the_text_that_csv_has(tmp_path: Path, cell: object, text: str) -> None:
    path = write_book(tmp_path / "a.xlsx", {"S": [["id", "text", "age"], ["u1", cell, 3]]})
    (segment,) = formats.read(path)
    assert (" ".join(segment.words), segment.utterance) == (text, "u1")
    assert segment.properties == (("age", "3"),)


def test_times_are_seconds_times_of_the_day_and_stretches(tmp_path: Path) -> None:
    times = [0.5, "1.25", "00:01:02.5", TIME, datetime.timedelta(hours=25, seconds=1.5)]
    rows: Rows = [["text", "start"], *(["a", time] for time in times)]
    transcript = formats.read(write_book(tmp_path / "a.xlsx", {"S": rows}))
    starts = [(segment.start_ns or 0) / 1e9 for segment in transcript]
    assert starts == [0.5, 1.25, 62.5, 62.5, 90001.5]


def test_columns_have_the_rules_of_csv(tmp_path: Path) -> None:
    rows = [["wer", "was"], ["anne", "a b"], ["bob", "c"]]
    path = write_book(tmp_path / "a.xlsx", {"S": rows})
    read = formats.read(path, member="speaker=wer,text=was")
    assert [(segment.speaker, segment.words) for segment in read] == [
        ("anne", ("a", "b")),
        ("bob", ("c",)),
    ]
    assert [segment.words for segment in formats.read(path, field="wer")] == [("anne",), ("bob",)]
    named = formats.read(path, columns="speaker,text")
    assert [segment.words for segment in named] == [("was",), ("a", "b"), ("c",)]


def test_blank_rows_and_columns_without_a_name_are_no_data(tmp_path: Path) -> None:
    rows: Rows = [[None, None], [None, "text", None], [], ["x", "a"], [None, "b", "y"], [None, "c"]]
    transcript = formats.read(write_book(tmp_path / "a.xlsx", {"S": rows}))
    assert [segment.words for segment in transcript] == [("a",), ("b",), ("c",)]
    assert said(transcript.diagnostics) == [("XLSX-COLUMNS", {"rows": 2})]


def test_many_rows_are_read_in_batches(tmp_path: Path) -> None:
    rows = [["id", "text"], *([f"u{n}", f"word {n}"] for n in range(2 * ROWS + 1))]
    transcript = formats.read(write_book(tmp_path / "a.xlsx", {"S": rows}))
    assert [segment.words[1] for segment in transcript] == [str(n) for n in range(2 * ROWS + 1)]


def test_the_sheet_with_words_is_read(tmp_path: Path) -> None:
    sheets: dict[str, Rows] = {"Notes": [["who"], ["me"]], "Talk": [["text"], ["a b"]], "Empty": []}
    path = write_book(tmp_path / "a.xlsx", sheets)
    transcript = formats.read(path)
    assert [segment.words for segment in transcript] == [("a", "b")]
    assert [str(note) for note in transcript.diagnostics] == [
        remark_line(XLSX_SHEETS, file=path, name="Talk", others=["Notes"])
    ]
    other = formats.read(path, sheet="Notes", field="who")
    assert [segment.words for segment in other] == [("me",)]


def test_of_two_sheets_with_words_one_is_to_be_named(tmp_path: Path) -> None:
    path = write_book(tmp_path / "a.xlsx", {"A": [["text"], ["a"]], "B": [["text"], ["b"]]})
    expected = Message(XLSX_SEVERAL, {"sheets": 2, "names": ["A", "B"], "first": "A"})
    assert refusal(path) == f"{path}: {expected}"
    assert [advice.flag for advice in expected.advice] == ["--sheet A"]
    assert refusal(path, sheet="C") == (
        f'{path}: expected the name of a sheet ("A", "B"), found sheet="C"'
    )
    blank = write_book(tmp_path / "c.xlsx", {"My talk": [["text"], ["a"]], "B": [["text"], ["b"]]})
    with pytest.raises(OptionError, match="--sheet 'My talk'") as caught:
        formats.read(blank)
    assert caught.value.value is not None
    assert caught.value.value.advice == (Advice("sheet", "My talk"),)
    other = tmp_path / "b.csv"
    other.write_text("text,who\na,x\n")
    with pytest.raises(FormatError, match=r"--reference-option sheet=A\b"):
        wer(reference=File(path), hypothesis=File(other))
    named = File(path, options={"sheet": "A"})
    assert wer(reference=named, hypothesis=File(other)).counts.errors == 0


def test_a_workbook_is_known_by_its_content(tmp_path: Path) -> None:
    data = packed("id,text\nu1,a b\n")
    assert formats.read(io.BytesIO(data))[0].words == ("a", "b")
    path = tmp_path / "talk.docx"
    path.write_bytes(data)
    transcript = formats.read(path)
    assert transcript.format == "xlsx"
    assert [note.code for note in transcript.diagnostics] == ["FORMAT-SUFFIX"]


def test_a_workbook_without_rows_is_empty(tmp_path: Path) -> None:
    assert not list(formats.read(write_book(tmp_path / "a.xlsx", {"S": []})))


def test_damage_and_other_archives_are_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("xl/workbook.xml", "<workbook>")
    path = tmp_path / "a.xlsx"
    path.write_bytes(made.getvalue())
    assert "expected a workbook of Excel (.xlsx), found damage (" in refusal(path)
    assert "expected a workbook of Excel (.xlsx), found damage (" in refusal(
        io.BytesIO(b"PK\3\4"), format="xlsx"
    )
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.txt", "a")
    assert "expected a zip archive with xl/workbook.xml, found another one" in refusal(
        path, format="xlsx"
    )
    monkeypatch.setattr(workbook, "RATIO_COUNTS_FROM", 10)
    monkeypatch.setattr(workbook, "LARGEST_RATIO", 1)
    path.write_bytes(packed("text\n" + "a b c\n" * 9000))
    assert refusal(path) == f"{path}: expands beyond what a table does"


def test_without_openpyxl_the_message_names_both_ways(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_book(tmp_path / "a.xlsx", {"S": [["text"], ["a"]]})
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    assert refusal(path) == (
        f"{path}: expected openpyxl to read a workbook (pip install 'sclite-kit[excel]'), "
        "or the sheet saved as CSV, found neither"
    )


def test_workbooks_are_scored_as_csv_is(tmp_path: Path) -> None:
    """Both columns of one workbook, two workbooks, and metadata in one."""
    rows = [["id", "transcript", "asr", "accent"], ["u1", "a b", "a c", "n"], ["u2", "d", "d", "s"]]
    both = write_book(tmp_path / "both.xlsx", {"S": rows})
    table = tmp_path / "both.csv"
    table.write_text("".join(f"{','.join(row)}\n" for row in rows))
    scores = [wer(reference=File(name), hypothesis=File(name)) for name in (both, str(table))]
    assert scores[0].counts == scores[1].counts
    assert scores[0].counts.errors == 1
    file = File(table)
    grouped = wer(reference=file, hypothesis=file, metadata=both, by=["accent"])
    assert [group.counts.errors for group in grouped.per_group()] == [1, 0]


@pytest.mark.parametrize("kind", ["parquet", "feather", "excel"])
def test_tables_that_pandas_writes_are_read(tmp_path: Path, kind: str) -> None:
    pandas = pytest.importorskip("pandas")
    rows = {"file": ["a", "b"], "transcription": ["so it", "is"], "start": [0.5, 2.0]}
    path = tmp_path / f"table.{'xlsx' if kind == 'excel' else kind}"
    getattr(pandas.DataFrame({**rows, "speaker": ["x", None]}), f"to_{kind}")(path)
    transcript = formats.read(path)
    assert transcript.format == {"excel": "xlsx", "feather": "arrow"}.get(kind, kind)
    assert [(s.recording, s.start, s.speaker, s.words) for s in transcript] == [
        ("a", 0.5, "x", ("so", "it")),
        ("b", 2.0, None, ("is",)),
    ]


def test_a_workbook_without_texts_does_not_look_like_a_document(tmp_path: Path) -> None:
    path = write_book(tmp_path / "sales.xlsx", {"one": [("year", "sales"), (2020, 5)]})
    assert "docx" not in refusal(path)
