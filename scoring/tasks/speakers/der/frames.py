"""Turns on dscore's frames of 10 ms: B³, mutual information, and the pieces for its JER.

dscore assigns a frame to a turn by comparing doubles: the frame's number times 0.01, and the turn's
begin and begin plus duration. These functions do the same, so that frames at borders are assigned
as in dscore.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from formats.schema.times import SECOND
from scoring.tasks.speakers.der.pieces import Pieces, cut
from scoring.tasks.speakers.der.spans import ScoredSpan, ScoredSpans, covered

STEP = 0.01
FRAME_NS = 10_000_000


class FrameSums(NamedTuple):
    """Sums over a contingency table of frames.

    A row is a set of reference speakers, and a column is a set of hypothesis speakers. The empty
    set is silence. `n` is the number of frames in a cell, and `row` and `column` are the
    totals of its row and column. The fields are numbers of frames and sets, and sums of n² / row,
    n² / column, row², column², and of n, row and column times their logarithms. Sums of recordings
    can be added, because recordings share no sets of speakers.
    """

    frames: int = 0
    reference_sets: int = 0
    hypothesis_sets: int = 0
    by_row: float = 0.0
    by_column: float = 0.0
    row_squares: int = 0
    column_squares: int = 0
    cell_logs: float = 0.0
    row_logs: float = 0.0
    column_logs: float = 0.0

    @property
    def b3_precision(self) -> float | None:
        """The mean of B³ precision over all frames.

        The precision of a frame is computed from all frames with its set of hypothesis speakers: it
        is the share of them that also have the set of reference speakers of this frame.
        """
        return self.by_column / self.frames if self.frames else None

    @property
    def b3_recall(self) -> float | None:
        """The mean of B³ recall over all frames.

        The recall of a frame is computed from all frames with its set of reference speakers: it is
        the share of them that also have the set of hypothesis speakers of this frame.
        """
        return self.by_row / self.frames if self.frames else None

    @property
    def tau_of_hypothesis(self) -> float | None:
        """Goodman and Kruskal's tau: how well the reference predicts the hypothesis, 0 to 1."""
        return self._tau(self.hypothesis_sets, self.column_squares, self.b3_recall)

    @property
    def tau_of_reference(self) -> float | None:
        """Goodman and Kruskal's tau: how well the hypothesis predicts the reference, 0 to 1."""
        return self._tau(self.reference_sets, self.row_squares, self.b3_precision)

    def _tau(self, sets: int, squares: int, share: float | None) -> float | None:
        if share is None or sets == 1:
            return None if share is None else 1.0
        variation = 1 - squares / self.frames**2
        return (variation - 1 + share) / variation

    @property
    def entropy_of_reference(self) -> float | None:
        """The conditional entropy of the reference given the hypothesis, in bits."""
        return (self.column_logs - self.cell_logs) / self.frames if self.frames else None

    @property
    def entropy_of_hypothesis(self) -> float | None:
        """The conditional entropy of the hypothesis given the reference, in bits."""
        return (self.row_logs - self.cell_logs) / self.frames if self.frames else None

    @property
    def mutual_information(self) -> float | None:
        """The mutual information of the two sides in bits, at least 0; None without frames."""
        if not self.frames:
            return None
        if 1 in (self.reference_sets, self.hypothesis_sets):
            return 0.0
        logs = self.cell_logs - self.row_logs - self.column_logs
        return max(logs / self.frames + math.log2(self.frames), 0.0)

    @property
    def normalized_mutual_information(self) -> float | None:
        """Mutual information divided by the geometric mean of both sides' entropies, 0 to 1."""
        shared = self.mutual_information
        if shared is None or 1 in (self.reference_sets, self.hypothesis_sets):
            same = self.reference_sets == self.hypothesis_sets
            return None if shared is None else float(same)
        entropies = [
            math.log2(self.frames) - logs / self.frames
            for logs in (self.row_logs, self.column_logs)
        ]
        return min(shared / math.sqrt(entropies[0] * entropies[1]), 1.0)


def frame_pieces(
    sides: Sequence[Sequence[ScoredSpans]], region: ScoredSpans, is_extent: bool
) -> Pieces:
    """Return the pieces of a region in frames, with the turns of both sides by speaker.

    With `is_extent`, the region is the extent of the turns; its end is then rounded like the end of
    a turn.
    """
    ends: dict[int, float] = {}
    if is_extent:
        for begin, end in (span for side in sides for spans in side for span in spans):
            ends[end] = max(ends.get(end, 0.0), _end(begin, end))
    borders = [(begin / SECOND, ends.get(end, end / SECOND)) for begin, end in region]
    number = int(max((end for _, end in borders), default=0) / STEP)
    frames = [
        [covered(_clipped(begin / SECOND, _end(begin, end), number) for begin, end in spans)
         for spans in side]
        for side in sides
    ]  # fmt: skip
    return cut(covered(_clipped(begin, end, number) for begin, end in borders), *frames)


def _end(begin: int, end: int) -> float:
    """Return the end of a turn in seconds: begin plus duration as doubles, as in an rttm file."""
    return begin / SECOND + (end - begin) / SECOND


def _clipped(begin: float, end: float, number: int) -> ScoredSpan:
    return min(_frame(begin), number), min(_frame(end), number)


def _frame(time: float) -> int:
    """Return the first frame that begins at or after a time."""
    frame = max(int(time / STEP) - 2, 0)
    while STEP * frame < time:
        frame += 1
    return frame


def frame_sums(pieces: Pieces) -> FrameSums:
    """Return the sums over the frames of a recording."""
    if not pieces.begins:
        return FrameSums()
    cells: dict[tuple[frozenset[int], frozenset[int]], int] = {}
    for length, spoken, heard in pieces.spoken():
        cell = frozenset(spoken), frozenset(heard)
        cells[cell] = cells.get(cell, 0) + int(length)
    sums: tuple[dict[frozenset[int], int], dict[frozenset[int], int]] = ({}, {})
    for pair, number in cells.items():
        for side in (0, 1):
            sums[side][pair[side]] = sums[side].get(pair[side], 0) + number
    return FrameSums(
        frames=sum(cells.values()),
        reference_sets=len(sums[0]),
        hypothesis_sets=len(sums[1]),
        by_row=math.fsum(number**2 / sums[0][row] for (row, _), number in cells.items()),
        by_column=math.fsum(number**2 / sums[1][column] for (_, column), number in cells.items()),
        row_squares=sum(number**2 for number in sums[0].values()),
        column_squares=sum(number**2 for number in sums[1].values()),
        cell_logs=_logs(cells.values()),
        row_logs=_logs(sums[0].values()),
        column_logs=_logs(sums[1].values()),
    )


def _logs(numbers: Iterable[int]) -> float:
    return math.fsum(number * math.log2(number) for number in numbers)
