"""Full matching: everything that overlaps."""

from __future__ import annotations

from formats import Label
from scoring.labels.aligners import FullMatchingAligner


def test_all_pairs_then_deletions_then_insertions() -> None:
    reference = [Label("r1", 0, 2), Label("r2", 9, 10), Label("r3", 1, 3)]
    hypothesis = [Label("h1", 20, 21), Label("h2", 1.5, 4), Label("h3", 0, 0.5)]
    assert repr(FullMatchingAligner().align(reference, hypothesis)) == (
        "[LabelPair(r1, h2), LabelPair(r1, h3), LabelPair(r3, h2), LabelPair(r2, -), "
        "LabelPair(-, h1)]"
    )


def test_the_least_overlap_counts() -> None:
    """The original always takes 0.05 seconds."""
    reference, hypothesis = [Label("a", 0, 1)], [Label("a", 0.98, 2)]
    assert len(FullMatchingAligner().align(reference, hypothesis)) == 1
    assert len(FullMatchingAligner(0.05).align(reference, hypothesis)) == 2
    assert FullMatchingAligner(0.05).min_overlap == 0.05


def test_nothing() -> None:
    assert FullMatchingAligner().align([], []) == []
