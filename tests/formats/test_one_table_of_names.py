"""The same names and values mean the same in a table, in a list of JSON and in JSON lines."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

import formats
from formats.schema.errors import FormatError
from formats.schema.model import Segment

ROWS = (
    ("Ann", "hello there my dear friend how are you", 0, 2500),
    ("Bob", "i am fine thank you very much", 2600, 5000),
    ("Ann", "that is good to hear indeed", 5100, 7900),
    ("Bob", "yes it is so very good", 8000, 10000),
)
IN_SECONDS = tuple((name, text, start / 1000, end / 1000) for name, text, start, end in ROWS)
Writer = Callable[[Sequence[str], Sequence[Sequence[Any]]], str]


def as_csv(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    sink = io.StringIO()
    csv.writer(sink, lineterminator="\n").writerows([names, *rows])
    return sink.getvalue()


def as_json(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    return json.dumps([dict(zip(names, row, strict=True)) for row in rows])


def as_lines(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    return "".join(json.dumps(dict(zip(names, row, strict=True))) + "\n" for row in rows)


DOORS = pytest.mark.parametrize(
    ("suffix", "write"), [(".csv", as_csv), (".json", as_json), (".jsonl", as_lines)]
)


def read(folder: Path, suffix: str, text: str, **options: Any) -> tuple[list[Segment], set[str]]:
    """Return the segments of a text, and the entries of the messages."""
    path = folder / f"talk{suffix}"
    path.write_text(text, encoding="utf-8")
    transcript = formats.read(path, **options)
    return list(transcript), {diagnostic.code for diagnostic in transcript.diagnostics}


@DOORS
@pytest.mark.parametrize(
    "names",
    [
        ("speaker", "text", "start", "end"),
        ("role", "content", "begin", "end"),
        ("name", "sentence", "start_time", "end_time"),
        ("speakerLabel", "transcript", "startTime", "endTime"),
    ],
)
def test_names_mean_the_same(
    names: Sequence[str], suffix: str, write: Writer, tmp_path: Path
) -> None:
    segments, _ = read(tmp_path, suffix, write(names, IN_SECONDS))
    assert [(s.speaker, " ".join(s.words), s.start, s.end) for s in segments] == [*IN_SECONDS]


@DOORS
def test_milliseconds_are_known_by_the_pace(suffix: str, write: Writer, tmp_path: Path) -> None:
    text = write(("speaker", "text", "start", "end"), ROWS)
    segments, _ = read(tmp_path, suffix, text)
    assert [(s.start, s.end) for s in segments] == [row[2:] for row in IN_SECONDS]
    segments, _ = read(tmp_path, suffix, text, time_unit="s")
    assert [(s.start, s.end) for s in segments] == [row[2:] for row in ROWS]


@pytest.mark.parametrize(("suffix", "write"), [(".csv", as_csv), (".jsonl", as_lines)])
def test_assumed_milliseconds_are_reported(suffix: str, write: Writer, tmp_path: Path) -> None:
    names = ("speaker", "text", "start", "end")
    assert "TIME-UNIT" in read(tmp_path, suffix, write(names, ROWS))[1]
    assert "TIME-UNIT" not in read(tmp_path, suffix, write(names, IN_SECONDS))[1]
    whole = [(name, text, start // 1000, end // 1000 + 1) for name, text, start, end in ROWS]
    segments, codes = read(tmp_path, suffix, write(names, whole))
    assert (segments[1].start, "TIME-UNIT" in codes) == (2, False)


@pytest.mark.parametrize(("suffix", "write"), [(".csv", as_csv), (".jsonl", as_lines)])
def test_a_column_without_a_name_has_no_role(suffix: str, write: Writer, tmp_path: Path) -> None:
    rows = [(number, text, start, end) for number, (_, text, start, end) in enumerate(IN_SECONDS)]
    segments, _ = read(tmp_path, suffix, write(("", "text", "start", "end"), rows))
    assert {(s.recording, s.speaker, s.channel, s.utterance) for s in segments} == {
        ("talk", None, None, None)
    }


@pytest.mark.parametrize(("suffix", "write"), [(".json", as_json), (".jsonl", as_lines)])
def test_a_speaker_may_be_an_object(suffix: str, write: Writer, tmp_path: Path) -> None:
    rows = [({"id": 7, "name": name}, *others) for name, *others in IN_SECONDS]
    segments, _ = read(tmp_path, suffix, write(("speaker", "text", "start", "end"), rows))
    assert [segment.speaker for segment in segments] == ["Ann", "Bob", "Ann", "Bob"]


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("name", ["transcript", "text"])
def test_an_object_with_a_text_is_read_as_it_is_indented(
    name: str, indent: int | None, tmp_path: Path
) -> None:
    text = json.dumps({name: "hello there", "model": "m"}, indent=indent)
    segments, _ = read(tmp_path, ".json", text)
    assert [segment.words for segment in segments] == [("hello", "there")]


@pytest.mark.parametrize("suffix", [".json", ".jsonl", ".csv"])
def test_a_log_is_no_transcript(suffix: str, tmp_path: Path) -> None:
    write = {".json": as_json, ".jsonl": as_lines, ".csv": as_csv}[suffix]
    rows = [(1_700_000_000 + n, "info", f"request {n} is done now") for n in range(6)]
    with pytest.raises(FormatError):
        read(tmp_path, suffix, write(("time", "level", "message"), rows), format=suffix[1:])


def test_a_text_like_a_log_is_reported(tmp_path: Path) -> None:
    lines = [f"2024-01-01 00:00:0{n},123 INFO app: request done\n" for n in range(6)]
    assert "TXT-SHAPE" in read(tmp_path, ".txt", "".join(lines))[1]


@pytest.mark.parametrize(("suffix", "write"), [(".csv", as_csv), (".jsonl", as_lines)])
def test_results_are_reported(suffix: str, write: Writer, tmp_path: Path) -> None:
    rows = [("base", 0.1, "hello there"), ("small", 0.2, "hello")]
    assert "RESULTS" in read(tmp_path, suffix, write(("model", "wer", "text"), rows))[1]


@pytest.mark.parametrize(("suffix", "write"), [(".json", as_json), (".jsonl", as_lines)])
def test_a_path_leads_to_a_name(suffix: str, write: Writer, tmp_path: Path) -> None:
    rows = [({"who": {"shown": name}}, *others) for name, *others in IN_SECONDS]
    text = write(("by", "line", "b", "e"), rows)
    segments, _ = read(
        tmp_path, suffix, text, format=suffix[1:],
        member="speaker=by.who.shown,text=line,start=b,end=e",
    )  # fmt: skip
    assert [(s.speaker, " ".join(s.words), s.start, s.end) for s in segments] == [*IN_SECONDS]
    with pytest.raises(FormatError):
        read(tmp_path, suffix, text, format=suffix[1:], member="speaker=by.x,text=line,start=b")


def test_columns_have_roles_by_name(tmp_path: Path) -> None:
    text = as_csv(("Who", "Line", "Begin", "Stop"), IN_SECONDS)
    columns = "speaker=Who,text=Line,start=Begin,end=Stop"
    segments, _ = read(tmp_path, ".csv", text, columns=columns)
    assert [(s.speaker, " ".join(s.words), s.start, s.end) for s in segments] == [*IN_SECONDS]


@pytest.mark.parametrize(
    ("starts", "seconds"),
    [
        (("0.000", "700.000", "1400.000", "2100.000"), 700),  # seconds, if slow ones
        (("0", "3", "6", "3602"), 3),  # a long pause
        (("0", "2500", "5000", "7900"), 2.5),  # milliseconds
    ],
)
def test_a_fraction_and_a_pause_leave_seconds(
    starts: Sequence[str], seconds: float, tmp_path: Path
) -> None:
    rows = [(text, start) for (_, text, _, _), start in zip(ROWS, starts, strict=True)]
    segments, _ = read(tmp_path, ".csv", as_csv(("text", "start"), rows))
    assert segments[1].start == seconds
