"""Aligners for labels, which are values with times: events, segments, keywords or words.

The names are those of the Python package evalmate; docs/evaluators.md lists the differences.

>>> from formats import Label
>>> from scoring.tasks.labels.aligners import LevenshteinAligner
>>> LevenshteinAligner().align([Label("a"), Label("b")], [Label("b"), Label("c")])
[LabelPair(a, -), LabelPair(b, b), LabelPair(-, c)]
"""

from __future__ import annotations

from scoring.tasks.labels.aligners.bipartite import (
    BipartiteMatchingAligner,
    CandidateFinder,
    Candidates,
    FullMatchingAligner,
    OverlapCandidateFinder,
    StartEndCandidateFinder,
)
from scoring.tasks.labels.aligners.levenshtein import LevenshteinAligner
from scoring.tasks.labels.aligners.pairs import (
    ActiveStretch,
    EventAligner,
    LabelPair,
    SegmentAligner,
)
from scoring.tasks.labels.aligners.pairs import ActiveStretch as Segment  # evalmate's name
from scoring.tasks.labels.aligners.segments import InvariantSegmentAligner
from scoring.tasks.labels.aligners.spans import LabelError, overlap_percentage, overlap_time

__all__ = [
    "ActiveStretch",
    "BipartiteMatchingAligner",
    "CandidateFinder",
    "Candidates",
    "EventAligner",
    "FullMatchingAligner",
    "InvariantSegmentAligner",
    "LabelError",
    "LabelPair",
    "LevenshteinAligner",
    "OverlapCandidateFinder",
    "Segment",
    "SegmentAligner",
    "StartEndCandidateFinder",
    "overlap_percentage",
    "overlap_time",
]
