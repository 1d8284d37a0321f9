"""Times of labels, what two have in common, and pairs of them."""

import pickle
from math import inf, nan

import pytest

from formats import Label
from scoring.model.counts import Edit
from scoring.tasks.labels.aligners import LabelError, LabelPair, overlap_percentage, overlap_time
from tests.each_case import each_case


@each_case(
    ("left", "right", "seconds"),
    [
        ((1, 2), (3, 4), 0),
        ((1, 2), (2, 4), 0),
        ((2.5, 4.25), (2, 5), 1.75),
        ((2, 5), (2.5, 4.25), 1.75),
        ((1, 2.25), (2, 5), 0.25),
        ((1, 2), (0.5, 1.5), 0.5),
        ((1, 2), (0, -1), 1),
        ((1, 2), (0, inf), 1),
        ((1, -1), (0, 3), 2),
        ((1, inf), (0, inf), inf),
        ((1, None), (0, -1), inf),
        ((1, 1), (0, 3), 0),
    ],
)
def test_overlap_time(
    left: tuple[float, float], right: tuple[float, float], seconds: float
) -> None:
    assert overlap_time(Label("a", *left), Label("b", *right)) == seconds


def test_overlap_is_without_binary_noise() -> None:
    assert overlap_time(Label("a", 2, 2.05), Label("b", 0, 3)) == 0.05
    assert overlap_time(Label("a", 1, 1.05), Label("b", 0, 3)) == 0.05


@each_case(
    ("reference", "hypothesis", "share"),
    [
        ((0, 4), (3, 9), 0.25),
        ((0, 4), (5, 9), 0),
        ((1, 3), (0, 99), 1),
        ((2, 2), (0, 9), 0),
        ((0, None), (0, None), 1),
        ((0, -1), (5, inf), 1),
        ((0, None), (0, 5), 0),
        ((0, 4), (2, None), 0.5),
    ],
)
def test_overlap_percentage_is_a_share_of_the_reference(
    reference: tuple[float, float], hypothesis: tuple[float, float], share: float
) -> None:
    assert overlap_percentage(Label("a", *reference), Label("b", *hypothesis)) == share


@each_case(
    ("label", "message"),
    [
        (Label("a", 3, 2), r"Label-end 2 is smaller than label-start 3! \(label 'a'\)"),
        (Label("a", nan, 2), "expected times in seconds, found nan and 2 of label 'a'"),
        (Label("a", inf, None), "expected times in seconds, found inf and None"),
        (Label("a", 1, 1e12), "expected times within 4611686018 s, found 1 and 1000000000000.0 of"),
        (Label("a", 1e12, None), "expected times within 4611686018 s, found 1000000000000.0 and"),
        (Label("a"), "expected a label with a start, found 'a' without times"),
    ],
)  # fmt: skip
def test_impossible_times(label: Label, message: str) -> None:
    with pytest.raises(LabelError, match=message):
        overlap_time(label, Label("b", 0, 1))


def test_pairs_are_equal_if_both_sides_are() -> None:
    """In the original (nothing, b) equals (nothing, d)."""
    b, d = Label("b"), Label("d")
    assert LabelPair(None, b) != LabelPair(None, d)
    assert LabelPair(b, None) != LabelPair(d, None)
    assert LabelPair(b, None) != LabelPair(b, d)
    assert LabelPair(b, d) == LabelPair(Label("b"), Label("d"))
    assert hash(LabelPair(b, d)) == hash(LabelPair(Label("b"), Label("d")))


def test_pairs_sort_by_reference_or_else_hypothesis() -> None:
    first = LabelPair(Label("z", 1, 2), None)
    second = LabelPair(None, Label("a", 1.5, 2))
    third = LabelPair(Label("a", 1.5, None), Label("a", 0, 1))
    assert sorted([third, second, first]) == [first, second, third]


def test_edits_of_pairs() -> None:
    a, upper = Label("a"), Label("A")
    pairs = (LabelPair(a, a), LabelPair(a, upper), LabelPair(a, None), LabelPair(None, a))
    assert [pair.edit for pair in pairs] == [
        Edit.CORRECT,
        Edit.SUBSTITUTION,
        Edit.DELETION,
        Edit.INSERTION,
    ]
    with pytest.raises(ValueError, match="a pair needs a label on at least one side, found none"):
        _ = LabelPair(None, None).edit


def test_pairs_are_values() -> None:
    pair = LabelPair(Label("a", 0, 1), None)
    assert pickle.loads(pickle.dumps(pair)) == pair
    assert repr(pair) == "LabelPair(a, -)"
    with pytest.raises(AttributeError, match="cannot assign"):
        pair.ref = None  # type: ignore[misc]
