"""Whole sides: which utterances are sorted by time, and which keep their words."""

from array import array

import pytest

from scoring.alignment.numbered import NumberedSide, WordType
from scoring.alignment.sides import CostMode, WordCosts, align_sides


def timed(words: list[tuple[int, float]]) -> NumberedSide:
    """One utterance of words of one second."""
    starts = array("d", [start for _, start in words])
    return NumberedSide(
        array("i", [word for word, _ in words]),
        array("q", [0]),
        array("q", [len(words)]),
        starts=starts,
        finishes=array("d", [start + 1 for start in starts]),
        confidences=array("d", [0.0] * len(words)),
    )


VOCABULARY = [WordType(text, (None, None), text, False, False, False) for text in "abcd"]


def test_runs_of_unpaired_words_are_sorted_by_time() -> None:
    reference = timed([(0, 0.0), (1, 10.0), (0, 30.0)])
    hypothesis = timed([(0, 0.0), (2, 5.0), (3, 20.0), (0, 30.0)])
    costs = WordCosts(VOCABULARY, CostMode.TIMES)
    found = align_sides(reference, hypothesis, costs, by_time=True)
    assert found.edits == bytes([0, 3, 2, 3, 0])
    assert found.counts.tolist() == [2, 0, 1, 2]


@pytest.mark.parametrize("mode", [CostMode.FIXED, CostMode.TIMES])
def test_words_out_of_order_change_places(mode: CostMode) -> None:
    reference = timed([])
    hypothesis = timed([(2, 7.0), (1, 5.0)])
    found = align_sides(reference, hypothesis, WordCosts(VOCABULARY, mode), by_time=True)
    assert found.edits == bytes([3, 3])
    begin, end = hypothesis.begins[0], hypothesis.ends[0]
    assert hypothesis.types[begin:end].tolist() == [1, 2]


def test_an_utterance_nobody_can_afford_has_no_words_left() -> None:
    reference, hypothesis = timed([(0, 0.0), (1, 1.0)]), timed([(2, 0.0)])
    costs = WordCosts(VOCABULARY, CostMode.WEIGHTS, [600_000.0] * 4)
    assert align_sides(reference, hypothesis, costs).edits == b""
    assert reference.begins == reference.ends
    assert hypothesis.begins == hypothesis.ends
