"""At most one label on each side of a segment."""

from __future__ import annotations

import pickle

import pytest

from formats import Label
from scoring.labels.aligners import ActiveStretch, LabelError
from scoring.labels.aligners.segments import flattened
from scoring.model import Edit

A, B, C = Label("a", 0, 9), Label("b", 0, 9), Label("c", 0, 9)


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


@pytest.mark.parametrize(
    ("segment", "message"),
    [
        (
            ActiveStretch(1, 2, [A, B]),
            r"Overlapping labels in reference\. \('a' from 0 to 9 s and 'b' from 0 to 9 s overlap "
            "from 1 to 2 s",
        ),
        (ActiveStretch(1, 2, [A], [B, C]), r"Overlapping labels in hypothesis\. \('b' from"),
    ],
)
def test_overlap_is_refused_by_name(segment: ActiveStretch, message: str) -> None:
    with pytest.raises(LabelError, match=message):
        flattened([segment])


@pytest.mark.parametrize(
    ("reference", "hypothesis", "pairs"),
    [
        ([A, B], [B], [(B, B), (A, None)]),
        ([A, B], [C, A], [(A, A), (B, C)]),
        ([A, A], [A], [(A, A), (A, None)]),
        ([], [A, B], [(None, A), (None, B)]),
        ([C], [A, B], [(C, A), (None, B)]),
    ],
)
def test_overlap_matched(
    reference: list[Label],
    hypothesis: list[Label],
    pairs: list[tuple[Label | None, Label | None]],
) -> None:
    found = flattened([ActiveStretch(1, 2, reference, hypothesis)], "match")
    assert found == [ActiveStretch(1, 2, *pair) for pair in pairs]


class Caseless:
    """A label of another package, equal to one whose value differs in case only."""

    start, end = 0.0, 9.0

    def __init__(self, value: str) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Caseless) and self.value.lower() == other.value.lower()

    def __hash__(self) -> int:
        return hash(self.value.lower())


def test_labels_are_told_apart_by_value_not_by_what_they_think_equal() -> None:
    upper, lower = Caseless("A"), Caseless("a")
    found = flattened([ActiveStretch(1, 2, [Caseless("a")], [upper, lower])], "match")
    assert [pair.ref is None for pair in found] == [False, True]
    assert found[0].hyp is lower
    assert found[1].hyp is upper


def test_no_such_way() -> None:
    with pytest.raises(ValueError, match="overlaps: expected one of refuse, match, found 'drop'"):
        flattened([], "drop")


def test_pairs_are_ordered_values() -> None:
    pair = ActiveStretch(0, 1.5, A, None)
    assert pickle.loads(pickle.dumps(pair)) == pair
    assert repr(pair) == "0 - 1.5 REF: a HYP: None"
    assert pair.nanoseconds == 1_500_000_000
    assert sorted(
        [ActiveStretch(0, 1, B), ActiveStretch(0, 1, A), ActiveStretch(0, 1, None, A)]
    ) == [
        ActiveStretch(0, 1, None, A),
        ActiveStretch(0, 1, A),
        ActiveStretch(0, 1, B),
    ]
    assert [ActiveStretch(0, 1, *pair).edit for pair in ((A, A), (A, B), (A, None), (None, A))] == [
        Edit.CORRECT,
        Edit.SUBSTITUTION,
        Edit.DELETION,
        Edit.INSERTION,
    ]
    with pytest.raises(ValueError, match="without labels"):
        _ = ActiveStretch(0, 1).edit
    with pytest.raises(LabelError, match="expected the duration of the utterance, found none to"):
        _ = ActiveStretch(0, float("inf"), A).nanoseconds
