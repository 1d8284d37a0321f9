"""Dates of messages in tables and JSON: several days, the order of day and month, newest first."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

import formats
from formats.json.messages import NEWEST_FIRST, TIMES_OF_DATE
from formats.manifests.messages import DATES_LEFT
from formats.schema.transcript import Transcript

SAID = ("Well, so it is then", "No, it is not so", "But I said it was", "Then let us go")


def entries(transcript: Transcript) -> list[object]:
    return [diagnostic.value.entry for diagnostic in transcript.diagnostics]


def read(
    folder: Path, names: str, cells: Sequence[str], *, ending: str = "csv", speakers: str = "abab"
) -> Transcript:
    """Read a table of texts with speakers, or JSON with the same members, and other cells."""
    rows = [
        [*cell.split("|"), speaker, text]
        for cell, speaker, text in zip(cells, speakers, SAID, strict=False)
    ]
    header = [*names.split(","), "author", "message"]
    file = folder / f"talk.{ending}"
    if ending == "csv":
        file.write_text("\n".join(",".join(f'"{c}"' for c in row) for row in [header, *rows]))
    else:
        objects = [dict(zip(header, row, strict=True)) for row in rows]
        lines = "\n".join(map(json.dumps, objects))
        file.write_text(lines if ending == "jsonl" else json.dumps(objects))
    return formats.read(file)


DAYS = ("2023-05-12 10:31:00", "2023-05-12 10:32:00", "2023-06-17 08:01:00")
WRITTEN = [
    DAYS,
    ("12/05/2023 10:31", "12/05/2023 10:32", "17/06/2023 08:01"),
    ("5/12/23, 10:31 AM", "5/12/23, 10:32 AM", "6/17/23, 8:01 AM"),
    ("May 12, 2023 10:31 AM", "May 12, 2023 10:32 AM", "June 17, 2023 8:01 AM"),
    ("12-May-23 10:31 AM", "12-May-23 10:32 AM", "17-Jun-23 08:01 AM"),
    ("Fri, 12 May 2023 10:31:00 +0000", "12 May 2023 10:32:00", "17 June 2023 at 8:01 AM"),
    ("Fri May 12 10:31:00 +0000 2023", "May 12 10:32:00 GMT 2023", "17. Juni 2023, 08:01"),
    ("2023-05-12T10:31:00Z", "2023-05-12T10:32:00.000Z", "2023-06-17T10:01:00+02:00"),
]


@pytest.mark.parametrize("ending", ["csv", "json", "jsonl"])
@pytest.mark.parametrize("dates", WRITTEN, ids=[dates[0] for dates in WRITTEN])
def test_dates_of_a_chat_count_from_the_first_over_days(
    dates: Sequence[str], ending: str, tmp_path: Path
) -> None:
    transcript = read(tmp_path, "Date", dates, ending=ending)
    assert [s.start for s in transcript] == [0, 60, 36 * 86400 - 9000]
    assert [s.speaker for s in transcript] == ["a", "b", "a"]
    assert TIMES_OF_DATE in entries(transcript)


@pytest.mark.parametrize("ending", ["csv", "json"])
@pytest.mark.parametrize(
    "cells",
    [
        ("2023-05-12|23:58", "2023-05-12|23:59", "2023-05-13|00:03", "2023-05-20|10:00"),
        ("5/12/23|11:58 PM", "5/12/23|11:59 PM", "5/13/23|12:03 AM", "5/20/23|10:00 AM"),
        ("May 12, 2023|23:58", "May 12, 2023|23:59", "May 13, 2023|00:03", "May 20, 2023|10:00"),
    ],
)
def test_days_and_times_in_two_columns_are_joined(
    cells: Sequence[str], ending: str, tmp_path: Path
) -> None:
    transcript = read(tmp_path, "Date,Time", cells, ending=ending)
    assert [s.start for s in transcript] == [0, 60, 300, 7 * 86400 + 36120]


def test_rows_of_a_chat_with_the_newest_first_are_turned_round(tmp_path: Path) -> None:
    transcript = read(tmp_path, "created_at", DAYS[::-1])
    assert [s.start for s in transcript] == [0, 60, 36 * 86400 - 9000]
    assert [" ".join(s.words) for s in transcript] == [*SAID[2::-1]]
    assert NEWEST_FIRST in entries(transcript)


@pytest.mark.parametrize("ending", ["csv", "json", "jsonl"])
@pytest.mark.parametrize(
    "cells",
    [
        ("2023-05-12", "2023-05-12", "2023-05-13"),
        ("12.05.2023", "13.05.2023", "14.05.2023"),
        ("May 12, 2023", "May 12, 2023", "May 13, 2023"),
        (DAYS[1], DAYS[0], DAYS[2]),
    ],
)
def test_days_alone_and_dates_in_no_order_are_named(
    cells: Sequence[str], ending: str, tmp_path: Path
) -> None:
    transcript = read(tmp_path, "Date", cells, ending=ending)
    assert {s.start for s in transcript} == {None}
    assert DATES_LEFT in entries(transcript)


def test_dates_of_clips_are_no_times(tmp_path: Path) -> None:
    cells = [f"{name}.wav|{day}" for name, day in zip("xyz", DAYS, strict=True)]
    transcript = read(tmp_path, "path,date", cells)
    assert {s.start for s in transcript} == {None}
    assert not {DATES_LEFT, TIMES_OF_DATE} & {*entries(transcript)}


def test_people_who_say_one_thing_each_on_several_days_have_no_starts(tmp_path: Path) -> None:
    transcript = read(tmp_path, "date", DAYS, speakers="xyz")
    assert {s.start for s in transcript} == {None}
    assert DATES_LEFT in entries(transcript)
