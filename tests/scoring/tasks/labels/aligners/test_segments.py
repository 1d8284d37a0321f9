"""Invariant segments: where time is cut, what is active in between, at most one label a side."""

import pickle
import random
from itertools import pairwise
from math import inf

import pytest

from formats import Label
from formats.schema.times import SECOND
from scoring.model.counts import Edit
from scoring.tasks.labels.aligners import ActiveStretch, InvariantSegmentAligner, LabelError
from scoring.tasks.labels.aligners.segments import flattened
from tests.each_case import each_case
from tests.scoring.tasks.labels.aligners.test_bipartite import parsed


def shown(segments: list[ActiveStretch]) -> list[str]:
    return [
        f"{segment.start:g}-{segment.end:g}:"
        + "|".join("".join(label.value for label in side) for side in segment.labels)
        for segment in segments
    ]


@each_case(
    ("reference", "hypothesis", "expected"),
    [
        ("a 0 3, b 3 6, c 7 10", "a 0 3, b 4 8, c 8 10", "0-3:a|a 3-4:b| 4-6:b|b 6-7:|b 7-8:c|b 8-10:c|c"),
        ("a 0 4, b 1 2, c 8 9", "x 1.5 5", "0-1:a| 1-1.5:ab| 1.5-2:ab|x 2-4:a|x 4-5:|x 5-8:| 8-9:c|"),
        ("", "b 4 8", "4-8:|b"),
        ("b 4 8", "", "4-8:b|"),
        # an IndexError in the original
        ("", "", ""),
        # times that are nearly one are one
        ("a 0 3, b 3.005 6", "c 2.999 6.009", "0-2.999:a| 2.999-6:b|c"),
        # 0.01 apart is not closer than 0.01, not even where doubles say so (1.01 - 1 > 0.01)
        ("a 0 1, b 1.01 2", "", "0-1:a| 1-1.01:| 1.01-2:b|"),
        # a label shorter than the threshold stays; in the original it is added twice and never
        # removed, or is not there at all
        ("a 0 0.004, b 1 2", "", "0-0.004:a| 0.004-1:| 1-2:b|"),
        ("a 0 1, b 1 1.003, c 1.003 2", "", "0-1:a| 1-1.003:b| 1.003-2:c|"),
        # the original looks for labels by value, without case, and may remove the wrong one
        ("a 0 5, A 0 2, a 1 3", "", "0-1:aA| 1-2:aAa| 2-3:aa| 3-5:a|"),
        ("a 0 2, a 0 2", "b 1 3", "0-1:aa| 1-2:aa|b 2-3:|b"),
    ],
)  # fmt: skip
def test_cuts(reference: str, hypothesis: str, expected: str) -> None:
    segments = InvariantSegmentAligner().align(parsed(reference), parsed(hypothesis))
    assert shown(segments) == expected.split()


def test_of_a_label_twice_one_ends_and_one_goes_on() -> None:
    twice = Label("a", 0, 2)
    segments = InvariantSegmentAligner().align([twice, twice], [Label("b", 1, 3)])
    assert shown(segments) == ["0-1:aa|", "1-2:aa|b", "2-3:|b"]


class Shifted:
    """A label of another package, which may well lie before the origin of times."""

    def __init__(self, value: str, start: float, end: float) -> None:
        self.value = value
        self.start = start
        self.end = end


def test_a_segment_may_end_at_the_origin_of_times() -> None:
    labels = [Shifted("x", -5, 0), Shifted("y", 0, 1)]
    assert shown(InvariantSegmentAligner().align(labels, [])) == ["-5-0:x|", "0-1:y|"]


def test_groups_chain() -> None:
    reference = [Label("a", 0, 1), Label("b", 0.009, 1), Label("c", 0.018, 1)]
    events = InvariantSegmentAligner.create_event_list(reference, [])
    assert [(time, len(group)) for time, group in events] == [(0, 3), (1, 3)]


def test_events_of_a_group_are_ordered() -> None:
    reference = [Label("a", 0, 1), Label("b", 1, 2)]
    hypothesis = [Label("c", 0.5, 1), Label("d", 1.002, 2)]
    events = InvariantSegmentAligner.create_event_list(reference, hypothesis, time_threshold=0.01)
    assert events[2] == (
        1.0,
        [
            (1.0, "E", 0, reference[0]),
            (1.0, "E", 1, hypothesis[0]),
            (1.0, "S", 0, reference[1]),
            (1.002, "S", 1, hypothesis[1]),
        ],
    )


@pytest.mark.parametrize("end", [None, -1, inf])
def test_open_ends(end: float | None) -> None:
    """The original refuses -1 and goes on for ever with infinity."""
    label = Label("a", 1, end)
    segments = InvariantSegmentAligner().align([label], [Label("b", 2, 3)], duration=5)
    assert shown(segments) == ["1-2:a|", "2-3:a|b", "3-5:a|"]
    assert label.end == end
    assert shown(InvariantSegmentAligner().align([label], [])) == ["1-inf:a|"]
    with pytest.raises(LabelError, match=r"within the 0.5 s of the utterance, found 'a' from 1 s"):
        InvariantSegmentAligner().align([label], [], duration=0.5)


@each_case("seed", range(100))
def test_active_are_just_those_that_last(seed: int) -> None:
    """Against the definition: a label is active in a segment if it covers its middle."""
    rng = random.Random(seed)
    sides = []
    for _ in range(2):
        starts = [rng.randrange(60) / 10 for _ in range(rng.randrange(8))]
        sides.append([Label("x", start, start + rng.randrange(1, 30) / 10) for start in starts])
    segments = InvariantSegmentAligner().align(sides[0], sides[1])
    for left, right in pairwise(segments):
        assert left.end == right.start
    for segment in segments:
        middle = (segment.start + segment.end) / 2
        for active, side in ((segment.ref, sides[0]), (segment.hyp, sides[1])):
            lasting = [label for label in side if (label.start or 0) < middle < (label.end or 0)]
            assert sorted(map(repr, active)) == sorted(map(repr, lasting))
    total = sum(round(segment.duration * SECOND) * len(segment.ref) for segment in segments)
    assert total == sum(
        round(((label.end or 0) - (label.start or 0)) * SECOND) for label in sides[0]
    )


def test_impossible_threshold() -> None:
    with pytest.raises(ValueError, match="time_threshold: expected seconds from 0, found -1"):
        InvariantSegmentAligner(-1)


A, B = Label("a", 0, 9), Label("b", 0, 9)


def test_single_labels_or_none() -> None:
    segments: list[ActiveStretch] = [
        ActiveStretch(0, 1, [A], [B]),
        ActiveStretch(1, 2),
        ActiveStretch(2, 3, (), [B]),
        ActiveStretch(3, 4, [A]),
    ]
    assert flattened(segments) == [
        ActiveStretch(0, 1, A, B),
        ActiveStretch(2, 3, None, B),
        ActiveStretch(3, 4, A, None),
    ]


def test_segments_are_ordered_values() -> None:
    active = ActiveStretch(0, 1, [A], [])
    assert active == ActiveStretch(0, 1, (A,), [])
    several: list[ActiveStretch] = [ActiveStretch(0, 2), active, ActiveStretch(0, 1)]
    assert sorted(several) == [ActiveStretch(0, 1), active, ActiveStretch(0, 2)]
    assert repr(active) == "0 - 1 REF: [a] HYP: []"
    assert ActiveStretch(1, 1.1).duration == 0.1
    pair = ActiveStretch(0, 1.5, A, None)
    assert pickle.loads(pickle.dumps(pair)) == pair
    assert repr(pair) == "0 - 1.5 REF: a HYP: None"
    assert pair.nanoseconds == 1_500_000_000
    assert sorted(
        [ActiveStretch(0, 1, B), ActiveStretch(0, 1, A), ActiveStretch(0, 1, None, A)]
    ) == [ActiveStretch(0, 1, None, A), ActiveStretch(0, 1, A), ActiveStretch(0, 1, B)]
    assert [ActiveStretch(0, 1, *pair).edit for pair in ((A, A), (A, B), (A, None), (None, A))] == [
        Edit.CORRECT,
        Edit.SUBSTITUTION,
        Edit.DELETION,
        Edit.INSERTION,
    ]
    with pytest.raises(ValueError, match="needs a label on at least one side"):
        _ = ActiveStretch(0, 1).edit
    with pytest.raises(LabelError, match="expected the duration of the utterance, because"):
        _ = ActiveStretch(0, float("inf"), A).nanoseconds
