"""Segments out of runs of timed words."""

from io import BytesIO

import formats
from formats import NULL, Alternation, Segment, Token, Transcript
from formats.schema.grouping import group_by_pause, group_by_recording, span
from formats.schema.loss import Losses


def timed(*texts: str, recording: str = "f", begin: float = 0.0, **changes: object) -> Segment:
    starts = [begin + n for n in range(len(texts))]
    ends = [s + 0.6 for s in starts]
    return Segment.of(recording, texts, channel="1", starts=starts, ends=ends).replace(**changes)


def test_span() -> None:
    assert span(Token("a", 1, 2)) == (1, 2)
    assert span(Alternation([[Token("a", 3, 4)], [Token("b", 1, 2)], []])) == (1, 4)
    assert span(NULL) is None


def test_a_pause_as_long_as_the_limit_does_not_cut() -> None:
    segment = timed("a", "b", "c")
    assert len(list(group_by_pause(segment, 400_000_000))) == 1
    pieces = list(group_by_pause(segment, 399_999_999))
    assert [(p.words, p.start, p.end) for p in pieces] == [
        (("a",), 0.0, 0.6), (("b",), 1.0, 1.6), (("c",), 2.0, 2.6),
    ]  # fmt: skip


def test_a_long_word_bridges_short_ones() -> None:
    segment = Segment.of("f", ["a", "b", "c"], starts=[0, 1, 5], ends=[4.8, 1.5, 6])
    assert [p.words for p in group_by_pause(segment, 500_000_000)] == [("a", "b", "c")]


def test_null_words_stay_with_the_words_before_them() -> None:
    items: list[Token | Alternation] = [Token("a", 0, 1), NULL, Token("b", 10**10, 10**10 + 1)]
    segment = Segment.from_items("f", items)
    assert [p.tokens for p in group_by_pause(segment, 1)] == [(items[0], NULL), (items[2],)]


def test_recordings_are_joined() -> None:
    segments = [
        timed("a", speaker="x"), timed("b", begin=5.0, speaker="y"), timed("c", recording="g"),
        Segment.of("g", ["untimed"], utterance="u"),
    ]  # fmt: skip
    losses = Losses()
    joined = list(group_by_recording(iter(segments), losses, "talk"))
    assert [str(loss) for loss in losses.entries()] == [
        "segment boundaries: 1 (joined by recording)",
        "speakers: 2 (not of the whole recording)",
    ]
    assert [(s.utterance, s.words, s.speaker) for s in joined] == [
        ("f", ("a", "b"), None), ("g", ("c",), None), ("u", ("untimed",), None),
    ]  # fmt: skip
    assert (joined[0].start, joined[0].end) == (0.0, 5.6)


def test_what_is_no_timed_word_is_not_joined_and_keeps_its_kind() -> None:
    segments = [Segment.of("f", kind="ignored"), Segment.of("f", tier="x"), timed("a", tier="y")]
    losses = Losses()
    joined = list(group_by_recording(iter(segments), losses, None))
    assert joined[:2] == segments[:2]
    assert (joined[2].tier, joined[2].utterance) == ("y", "f")
    assert losses.entries() == ()


def test_an_end_without_a_begin_is_counted() -> None:
    segment = Segment.of("rec", ["a"], starts=[0.5], ends=[1.0]).replace(end_ns=2 * 10**9)
    for group in ("pause", "recording"):
        losses = formats.write(Transcript([segment]), BytesIO(), "audacity", group=group)
        assert {loss.what: loss.count for loss in losses}["segment times"] == 1
