"""Aligning labels: values with a place in time, be they events, segments, keywords or words.

The names are those of the Python package evalmate, which first had these aligners;
docs/evaluators.md lists what differs.

>>> from formats import Label
>>> from scoring.labels.aligners import LevenshteinAligner
>>> LevenshteinAligner().align([Label("a"), Label("b")], [Label("b"), Label("c")])
[LabelPair(a, -), LabelPair(b, b), LabelPair(-, c)]
"""

from __future__ import annotations

from scoring.labels.aligners.bipartite import (
    BipartiteMatchingAligner,
    CandidateFinder,
    Candidates,
    FullMatchingAligner,
    OverlapCandidateFinder,
    StartEndCandidateFinder,
)
from scoring.labels.aligners.levenshtein import LevenshteinAligner
from scoring.labels.aligners.pairs import (
    ActiveStretch,
    EventAligner,
    LabelPair,
    Segment,
    SegmentAligner,
)
from scoring.labels.aligners.segments import InvariantSegmentAligner
from scoring.labels.aligners.spans import LabelError, overlap_percentage, overlap_time

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
