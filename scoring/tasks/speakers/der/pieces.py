"""The scored region, cut at every border of a turn, and the times of all kinds of error.

A piece is a time span in which no turn begins or ends. Sums are in order of time. Lengths are
integer nanoseconds, or doubles as in md-eval.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from scoring.model.errors import ScoringError
from scoring.tasks.speakers.der.spans import ScoredSpans

TimeColumn: TypeAlias = NDArray[np.int64] | NDArray[np.float64]
SpeakerCounts: TypeAlias = NDArray[np.int32]
LONGEST = 2**53
"""Nanoseconds (104 days); sums of shorter times are also exact in the doubles that solvers take."""


class TimesTooFarError(ScoringError):
    """Times too far apart for exact sums."""

    status = 2


class Pieces(NamedTuple):
    """Pieces of the region by time (rows), with the number of turns of each speaker (columns)."""

    begins: TimeColumn
    ends: TimeColumn
    reference: SpeakerCounts
    hypothesis: SpeakerCounts

    @property
    def lengths(self) -> TimeColumn:
        """The lengths of the pieces, in the unit of the times."""
        return self.ends - self.begins


class Times(NamedTuple):
    """The lengths of scored time and of its errors, in the unit of the input."""

    scored: float  # length of the region
    speech: float  # where somebody speaks in the reference
    missed_speech: float  # where somebody speaks in the reference only
    false_alarm_speech: float  # where somebody speaks in the hypothesis only
    speakers: float  # time of the reference's speakers, those that speak at once added up
    missed: float  # speakers too few, times the length
    false_alarm: float
    confusion: float


def cut(
    region: ScoredSpans, reference: Sequence[ScoredSpans], hypothesis: Sequence[ScoredSpans]
) -> Pieces:
    """Cut a region of disjoint spans into pieces, in order."""
    borders = np.unique(
        np.array(
            [
                time
                for spans in (region, *reference, *hypothesis)
                for span in spans
                for time in span
            ],
            dtype=np.int64,
        )
    )
    if len(borders) and int(borders[-1]) - int(borders[0]) >= LONGEST:
        raise TimesTooFarError("expected times within 104 days of each other, found more")
    inside = _depths(borders, [region])[:, 0] > 0
    return Pieces(
        borders[:-1][inside],
        borders[1:][inside],
        _depths(borders, reference)[inside],
        _depths(borders, hypothesis)[inside],
    )


def _depths(borders: NDArray[np.int64], groups: Sequence[ScoredSpans]) -> SpeakerCounts:
    """Return a table of how many spans of a group cover an interval between two borders.

    A row is an interval, a column is a group.
    """
    steps = np.zeros((max(len(borders), 1), len(groups)), dtype=np.int32)
    for column, spans in enumerate(groups):
        if spans:
            begins, ends = np.searchsorted(borders, np.array(spans, dtype=np.int64)).T
            np.add.at(steps[:, column], begins, 1)
            np.subtract.at(steps[:, column], ends, 1)
    counts: SpeakerCounts = np.cumsum(steps, axis=0, dtype=np.int32)[:-1]
    return counts


def overlaps_of(pieces: Pieces, lengths: TimeColumn) -> dict[tuple[int, int], float]:
    """Return the common time of each overlapping pair of speakers, by their indices."""
    overlaps: dict[tuple[int, int], float] = {}
    for left in range(pieces.reference.shape[1]):
        spoken = pieces.reference[:, left]
        active = spoken > 0
        together = pieces.hypothesis[active] * spoken[active, None]
        for right in np.flatnonzero(together.any(axis=0)).tolist():
            overlaps[left, right] = total(lengths[active] * together[:, right])
    return overlaps


def times_of(pieces: Pieces, lengths: TimeColumn, mapping: Mapping[int, int]) -> Times:
    """Return the times of all kinds of error, given the partner of each reference speaker."""
    here, there = pieces.reference.sum(axis=1), pieces.hypothesis.sum(axis=1)
    correct = np.zeros_like(here)
    for left, right in mapping.items():
        correct += np.minimum(pieces.reference[:, left], pieces.hypothesis[:, right])
    return Times(
        scored=total(lengths),
        speech=total(lengths * (here > 0)),
        missed_speech=total(lengths * ((here > 0) & (there == 0))),
        false_alarm_speech=total(lengths * ((there > 0) & (here == 0))),
        speakers=total(lengths * here),
        missed=total(lengths * np.maximum(here - there, 0)),
        false_alarm=total(lengths * np.maximum(there - here, 0)),
        confusion=total(lengths * (np.minimum(here, there) - correct)),
    )


def speaker_times(pieces: Pieces, left: int, right: int | None) -> tuple[float, float]:
    """Return the time of a reference speaker, and how much of it the partner speaks, too."""
    spoken = pieces.reference[:, left]
    common = 0 * spoken if right is None else np.minimum(spoken, pieces.hypothesis[:, right])
    return total(pieces.lengths * spoken), total(pieces.lengths * common)


def total(numbers: TimeColumn) -> float:
    """Return the sum, added in order so that the doubles equal md-eval's."""
    if not len(numbers):
        return 0
    last: float = np.cumsum(numbers)[-1].item()
    return last
