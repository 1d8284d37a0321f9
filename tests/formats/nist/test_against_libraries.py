"""MeetEval reads the turns and regions that we write as we do."""

from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import formats
from formats import Segment, Transcript

meeteval_io: Any = pytest.importorskip("meeteval.io")

few = settings(
    max_examples=50,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)

NAMES = st.text("abcXYZ019_-é", min_size=1, max_size=5)
TIMES = st.integers(0, 10**7).map(lambda n: n * 10**6)


@given(turns=st.lists(st.tuples(NAMES, NAMES, TIMES, TIMES.filter(bool)), min_size=1, max_size=6))
@few
def test_rttm(tmp_path: Path, turns: list[tuple[str, str, int, int]]) -> None:
    segments = [
        Segment(recording, (), channel="1", speaker=speaker, start_ns=start, end_ns=start + length)
        for recording, speaker, start, length in turns
    ]
    output = StringIO()
    formats.write(Transcript(segments), output, "rttm")
    lines = [x for x in output.getvalue().splitlines(True) if x.startswith("SPEAKER")]
    path = tmp_path / "x.rttm"
    path.write_text("".join(lines), "utf-8")
    theirs = {
        (t.filename, t.speaker_id, round(t.begin_time * 1000), round(t.duration * 1000))
        for t in meeteval_io.RTTM.load(path)
    }
    ours = {
        (s.recording, s.speaker, round((s.start or 0) * 1000), round((s.duration or 0) * 1000))
        for s in formats.read(path)
    }
    assert ours == theirs == {(r, s, b // 10**6, d // 10**6) for r, s, b, d in turns}


@given(regions=st.dictionaries(NAMES, st.tuples(TIMES, TIMES.filter(bool)), min_size=1, max_size=5))
@few
def test_uem(tmp_path: Path, regions: dict[str, tuple[int, int]]) -> None:
    """One region for each recording: MeetEval does not take several."""
    segments = [
        Segment(name, (), channel="1", start_ns=start, end_ns=start + length, kind="scored")
        for name, (start, length) in regions.items()
    ]
    path = tmp_path / "x.uem"
    formats.write(Transcript(segments), path)
    theirs = {(x.filename, x.begin_time, x.end_time) for x in meeteval_io.UEM.load(path)}
    expected = {(s.recording, s.start_ns, s.end_ns) for s in segments}
    assert {(name, begin * 10**9, end * 10**9) for name, begin, end in theirs} == expected
    assert {(s.recording, s.start_ns, s.end_ns) for s in formats.read(path)} == expected
