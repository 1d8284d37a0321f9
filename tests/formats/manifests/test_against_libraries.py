"""Other programs read what we write of manifests as we meant it."""

import csv
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import formats
from formats import Segment, Transcript
from tests.formats.manifests.cases import seglst_segments, table_segments


@given(segments=seglst_segments())
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_meeteval_reads_seglst(segments: list[Segment], tmp_path: Path) -> None:
    # MeetEval needs it for this format, and does not say so.
    pytest.importorskip("simplejson")
    io: Any = pytest.importorskip("meeteval.io")
    path = tmp_path / "talk.json"
    formats.write(Transcript(segments), path, "seglst", extra=True)
    found = io.SegLST.load(path).segments
    assert [one["session_id"] for one in found] == [s.recording for s in segments]
    assert [one.get("speaker") for one in found] == [s.speaker for s in segments]
    assert [one["words"] for one in found] == [" ".join(s.words) for s in segments]
    assert [(float(one["start_time"]), float(one["end_time"])) for one in found] == [
        (s.start, s.end) for s in segments
    ]


def test_we_read_what_meeteval_writes(tmp_path: Path) -> None:
    # MeetEval needs it for this format, and does not say so.
    pytest.importorskip("simplejson")
    io: Any = pytest.importorskip("meeteval.io")
    path = tmp_path / "talk.json"
    segments = [
        {"session_id": "rec1", "speaker": "anne", "start_time": 0.5, "end_time": 2.25, "words": "a b"},
        {"session_id": "rec1", "speaker": "bob", "start_time": 2.25, "end_time": 3.9, "words": ""},
    ]  # fmt: skip
    io.SegLST(segments).dump(path)
    transcript = formats.read(path)
    assert transcript.format == "seglst"
    assert [(s.recording, s.speaker, s.start, s.end, s.words) for s in transcript] == [
        ("rec1", "anne", 0.5, 2.25, ("a", "b")), ("rec1", "bob", 2.25, 3.9, ()),
    ]  # fmt: skip


@pytest.mark.parametrize(("name", "dialect"), [("csv", "excel"), ("tsv", "excel-tab")])
@given(data=st.data())
@settings(max_examples=40, deadline=None)
def test_the_csv_module_reads_tables(name: str, dialect: str, data: st.DataObject) -> None:
    segments = data.draw(table_segments())
    output = BytesIO()
    formats.write(Transcript(segments), output, name)
    rows = list(csv.DictReader(StringIO(output.getvalue().decode(), newline=""), dialect=dialect))
    assert [row["recording"] for row in rows] == [s.recording for s in segments]
    assert [row["text"] for row in rows] == [" ".join(s.words) for s in segments]
