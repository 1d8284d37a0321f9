"""Aligning labels: values with a place in time, be they events, segments, keywords or words.

The names are those of the Python package evalmate, which first had these aligners;
docs/evaluators.md lists what differs.

==================================  ==============================================================
`BipartiteMatchingAligner`          one to one, by overlap and value, the cheapest of all ways
`FullMatchingAligner`               many to many, everything that overlaps
`LevenshteinAligner`                by order alone, times are not looked at
`InvariantSegmentAligner`           stretches of time in which nothing begins or ends
`OverlapCandidateFinder`            which labels may be paired: those that overlap
`StartEndCandidateFinder`           which labels may be paired: those that begin and end alike
`LabelPair`, `ActiveStretch`        what comes out; `Segment` is another name of the second
`overlap_time`                      seconds two labels have in common
`overlap_percentage`                the same as a share of the first
==================================  ==============================================================

>>> from formats import Label
>>> from scoring.labels.aligners import LevenshteinAligner
>>> LevenshteinAligner().align([Label("a"), Label("b")], [Label("b"), Label("c")])
[LabelPair(a, -), LabelPair(b, b), LabelPair(-, c)]
"""

from __future__ import annotations

from scoring.labels.aligners.bipartite import BipartiteMatchingAligner, FullMatchingAligner
from scoring.labels.aligners.candidates import (
    CandidateFinder,
    Candidates,
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
