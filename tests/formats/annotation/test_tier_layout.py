"""Segments of any layout in time come back from tiers, whatever overlaps or has no length."""

import io

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import formats
from formats import Segment, Transcript

TIMES = st.integers(0, 12).map(lambda n: n * 250_000_000)
WORDS = st.sampled_from(["a", "b", "c", "hello"])


@st.composite
def tangled(draw: st.DrawFn) -> list[Segment]:
    """Segments that overlap, repeat and have no length; words out of order or without times."""
    made = []
    for _ in range(draw(st.integers(1, 6))):
        begin, end = sorted((draw(TIMES), draw(TIMES)))
        words = draw(st.lists(WORDS, min_size=1, max_size=4))
        spans: list[tuple[int | None, int | None]] = []
        for _ in words:
            first, last = sorted((draw(TIMES), draw(TIMES)))
            spans.append((first, last) if draw(st.booleans()) else (None, None))
        is_timed = draw(st.booleans())
        made.append(
            Segment(
                "rec",
                tuple(words),
                speaker=draw(st.sampled_from(["anne", "bob", "Tokyo", None])),
                start_ns=begin,
                end_ns=end,
                starts_ns=tuple(first for first, _ in spans) if is_timed else None,
                ends_ns=tuple(last for _, last in spans) if is_timed else None,
                tier=draw(
                    st.sampled_from([None, "anne", "words", "turns", "anne#2", "bob#points"])
                ),
            )
        )
    return made


def said(segments: Transcript | list[Segment]) -> list[tuple[str, ...]]:
    return sorted(segment.words for segment in segments if segment.kind == "segment")


@given(segments=tangled())
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_no_speech_is_lost_or_said_twice(segments: list[Segment]) -> None:
    for name in ("textgrid", "eaf"):
        output = io.StringIO()
        losses = formats.write(Transcript(segments, source="rec"), output, name)
        found = formats.read(io.StringIO(output.getvalue()), name, recording="rec")
        assert said(found) == said(segments)
        assert all(segment.kind == "segment" for segment in found)
        lost = {loss.what for loss in losses}
        assert not [d for d in found.diagnostics if d.severity != "note"]
        if not lost & {"segment times", "segments without length"}:
            assert sorted((s.start_ns, s.end_ns) for s in found) == sorted(
                (s.start_ns, s.end_ns) for s in segments
            )
        if not lost & {"speakers", "speakers invented"}:
            assert sorted(s.speaker or "" for s in found) == sorted(
                s.speaker or "" for s in segments
            )
        if "word times" not in lost:
            times = [(s.words, s.starts, s.ends) for s in segments if _has_times(s)]
            assert sorted(times, key=str) == sorted(
                ((s.words, s.starts, s.ends) for s in found if _has_times(s)), key=str
            )


def _has_times(segment: Segment) -> bool:
    return segment.starts is not None and any(time is not None for time in segment.starts)
