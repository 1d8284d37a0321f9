"""What we write for Whisper's readers, read by one of them."""

from __future__ import annotations

import json
from io import BytesIO

import pytest
from hypothesis import given, settings

import formats
from formats import Segment, Transcript
from tests.formats.json.recogniser_cases import STRATEGIES

pysubs2 = pytest.importorskip("pysubs2")


@pytest.mark.parametrize("name", ["whisper", "whisperx"])
@given(segments=STRATEGIES["whisper"])
@settings(max_examples=100, deadline=None)
def test_pysubs2_reads_segments_as_we_write_them(name: str, segments: list[Segment]) -> None:
    output = BytesIO()
    formats.write(Transcript(segments, source="rec"), output, name)
    subtitles = pysubs2.load_from_whisper(json.loads(output.getvalue()))
    assert len(subtitles) == len(segments)
    for event, segment in zip(subtitles, segments, strict=True):
        expected = pysubs2.SSAEvent()
        expected.plaintext = " ".join(segment.words).strip()
        assert event.plaintext == expected.plaintext
        assert (event.start * 10**6, event.end * 10**6) == (segment.start_ns, segment.end_ns)
