"""Candidate finders: their thresholds, and that the sweep finds what all pairs would."""

from __future__ import annotations

import random
from math import inf

import pytest

from formats import Label
from scoring.labels.aligners import (
    Candidates,
    LabelError,
    OverlapCandidateFinder,
    StartEndCandidateFinder,
    overlap_time,
)


def labels(*spans: tuple[float, float | None]) -> list[Label]:
    return [Label("x", start, end) for start, end in spans]


def test_overlap() -> None:
    reference = labels((0, 1), (1, 2), (5, 6))
    hypothesis = labels((0.5, 1.5), (7, 8), (1.98, 2.5))
    assert OverlapCandidateFinder().find(reference, hypothesis) == Candidates(
        [(0, 0), (1, 0)], {2}, {1, 2}
    )


def test_the_least_overlap_counts() -> None:
    """The original looks for 0.05 seconds whatever it is told."""
    reference, hypothesis = labels((0, 1)), labels((0.6, 2))
    for least, candidates in ((0.01, True), (0.4, True), (0.41, False), (1, False)):
        pairs = OverlapCandidateFinder(least).find(reference, hypothesis).pairs
        assert bool(pairs) == candidates, least


def test_an_overlap_of_just_the_least_is_enough_anywhere_in_time() -> None:
    """As floats 2.05 - 2 is less than 0.05, 1.05 - 1 is more."""
    for start in range(1000):
        pairs = (
            OverlapCandidateFinder()
            .find(labels((start, start + 0.05)), labels((start - 1, start + 7)))
            .pairs
        )
        assert pairs == [(0, 0)], start


def test_none_asked_for_means_any_but_not_none() -> None:
    """In the original 0 would accept labels far apart."""
    finder = OverlapCandidateFinder(0)
    reference = labels((0, 1))
    assert finder.find(reference, labels((0.999999, 2))).pairs == [(0, 0)]
    assert finder.find(reference, labels((1, 2), (50, 51))).pairs == []
    assert finder.find(labels((0.5, 0.5)), reference).pairs == []


def test_open_ends_overlap() -> None:
    candidates = OverlapCandidateFinder().find(labels((0, None), (3, -1)), labels((9, inf), (1, 2)))
    assert candidates == Candidates([(0, 0), (0, 1), (1, 0)], set(), set())


@pytest.mark.parametrize("seed", range(60))
def test_the_sweep_finds_what_all_pairs_would(seed: int) -> None:
    rng = random.Random(seed)
    sides = []
    for _ in range(2):
        side = []
        for _ in range(rng.randrange(25)):
            start = rng.randrange(40) / 20
            end = None if rng.random() < 0.05 else start + rng.randrange(20) / 20
            side.append(Label("x", start, end))
        sides.append(side)
    least = rng.choice([0, 0.05, 0.2])
    expected = [
        (i, j)
        for i, left in enumerate(sides[0])
        for j, right in enumerate(sides[1])
        if overlap_time(left, right) >= least and overlap_time(left, right) > 0
    ]
    candidates = OverlapCandidateFinder(least).find(*sides)
    assert candidates.pairs == expected
    assert candidates.unmatched_reference == set(range(len(sides[0]))) - {i for i, _ in expected}
    assert candidates.unmatched_hypothesis == set(range(len(sides[1]))) - {j for _, j in expected}


def test_starts() -> None:
    reference, hypothesis = labels((1, 2), (5, 9)), labels((5.5, 6), (1.1, 7), (0.9, 1), (5, 5))
    assert StartEndCandidateFinder(0.1).find(reference, hypothesis) == Candidates(
        [(0, 1), (0, 2), (1, 3)], set(), {0}
    )


def test_ends_that_differ_by_just_the_threshold_match() -> None:
    """In the original they do not, so 0 matches nothing."""
    reference = labels((1, 2))
    hypothesis = labels((1, 2.1), (1, 1.9), (1, 2.11), (1, 2))
    assert StartEndCandidateFinder(0, 0.1).find(reference, hypothesis).pairs == [
        (0, 0),
        (0, 1),
        (0, 3),
    ]
    assert StartEndCandidateFinder(0, 0).find(reference, hypothesis).pairs == [(0, 3)]


def test_open_ends_are_alike() -> None:
    """In the original their difference is not a number, and they never match."""
    finder = StartEndCandidateFinder(0.5, 0.5)
    candidates = finder.find(labels((1, None), (1, inf), (1, 3)), labels((1, -1), (1, 2.5)))
    assert candidates.pairs == [(0, 0), (1, 0), (2, 1)]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: OverlapCandidateFinder(-0.1), "min_overlap: expected seconds from 0, found -0.1"),
        (lambda: OverlapCandidateFinder(float("nan")), "min_overlap: expected seconds"),
        (lambda: StartEndCandidateFinder(-1), "start_delta_threshold: expected seconds from 0"),
        (lambda: StartEndCandidateFinder(1, float("nan")), "end_delta_threshold: expected"),
    ],
)
def test_impossible_thresholds(make: type, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make()


def test_labels_need_times() -> None:
    for finder in (OverlapCandidateFinder(), StartEndCandidateFinder(1)):
        with pytest.raises(LabelError, match="expected a label with a start, found 'x' without"):
            finder.find([Label("x")], labels((0, 1)))
