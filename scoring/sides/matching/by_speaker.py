"""Assignment of each speaker's words to the stream that costs least (cpWER).

`Problem` holds both sides of a session as numbers; `by_segment` assigns single segments.
"""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import Any, NamedTuple

from scoring.alignment.kernel import (
    align_timed,
    align_token_pairs,
    combine,
    combine_greedily,
    distances,
    tie_number,
)
from scoring.alignment.plain_speakers import SideArrays
from scoring.model.counts import UNIT_COSTS, Edit
from scoring.sides.matching.outcome import DeclinedError, Partner
from scoring.sides.matching.word_times import Turn, WordTiming
from scoring.sides.messages import TOO_MANY_SPEAKERS, Message

MOST_SPEAKERS = 200
_EXCHANGED = bytes.maketrans(
    bytes([Edit.DELETION, Edit.INSERTION]), bytes([Edit.INSERTION, Edit.DELETION])
)


class TooManySpeakersError(DeclinedError):
    """Raised if a session has more speakers than a measure accepts."""


class AssignedPair(NamedTuple):
    """A speaker and a stream to align (None: no partner), with the positions of their turns."""

    speaker: str | None
    stream: str | None
    references: tuple[int, ...] = ()
    hypotheses: tuple[int, ...] = ()


class Assigned(NamedTuple):
    """The pairs of speakers and streams that a measure aligns."""

    errors: int  # the fewest, or the fewest that a greedy search reached
    pairs: list[AssignedPair]  # every word of both sides is in one pair
    # As meeteval writes it: pairs of speaker and stream, or of each segment its stream
    assignment: list[Partner]
    exact: bool  # whether no other assignment has fewer errors
    bound: int  # no assignment has fewer errors than this
    # Segments of the hypothesis were assigned: of equally cheap alignments the one is chosen that
    # would be chosen with both sides exchanged, as meeteval does
    exchanged: bool = False


class SegmentSearch(NamedTuple):
    """Segments to be assigned to streams, with the functions that search for an assignment."""

    left: Any
    right: Any
    combine: Callable[..., tuple[int, bytes] | None]
    combine_greedily: Callable[..., tuple[int, bytes]]

    def exactly(
        self, chains: array[int], alone: bool, most_updates: int, most_bytes: int
    ) -> tuple[int, bytes] | None:
        """Return the fewest errors, and the chain and stream of each step.

        None if a limit is exceeded.
        """
        return self.combine(self.left, chains, self.right, alone, most_updates, most_bytes)

    def greedily(self, start: array[int]) -> tuple[int, bytes]:
        """Return the number of errors and the stream of each segment from a greedy search."""
        return self.combine_greedily(self.left, self.right, start)


class Problem:
    """Both sides of a session, with words as integers."""

    def __init__(
        self,
        reference: Sequence[Turn],
        hypothesis: Sequence[Turn],
        clock: WordTiming | None = None,
        costs: list[list[int]] | None = None,
    ) -> None:
        self.reference, self.hypothesis, self.clock = reference, hypothesis, clock
        self._costs = costs  # those that decided which paths were taken
        self.sides = reference, hypothesis
        numbers: defaultdict[str, int] = defaultdict()
        numbers.default_factory = numbers.__len__
        self._ids = [
            [array("i", map(numbers.__getitem__, turn.words)) for turn in side]
            for side in self.sides
        ]
        self.words = [sum(map(len, ids)) for ids in self._ids]
        self._times: list[list[tuple[array[int], array[int]]]] = [[], []]
        if clock is not None:
            starts, ends = clock.ranks(reference, hypothesis)
            begin = 0
            for side, times in zip(self.sides, self._times, strict=True):
                for turn in side:
                    end = begin + len(turn.words)
                    times.append((starts[begin:end], ends[begin:end]))
                    begin = end

    @cached_property
    def speakers(self) -> dict[str, list[int]]:
        """The positions of each speaker's turns, in order of first appearance."""
        return positions_by_speaker(self.reference)

    @cached_property
    def streams(self) -> dict[str, list[int]]:
        """The positions of each stream's turns."""
        return positions_by_speaker(self.hypothesis)

    def side(self, number: int, groups: Iterable[Sequence[int]]) -> SideArrays:
        """Return columns for the aligners: words for each group of turns of side 0 or 1."""
        ids, times = self._ids[number], self._times[number]
        words, starts, ends, bounds = array("i"), array("q"), array("q"), array("q", [0])
        for group in groups:
            for position in group:
                words += ids[position]
                if self.clock is not None:
                    starts += times[position][0]
                    ends += times[position][1]
            bounds.append(len(words))
        return words, starts, ends, bounds

    def search(
        self, moving: int, segments: Iterable[Sequence[int]], streams: Iterable[Sequence[int]]
    ) -> SegmentSearch:
        """Return the search that assigns segments of one side to streams of the other."""
        sides = self.side(moving, segments), self.side(1 - moving, streams)
        return SegmentSearch(*sides, combine, combine_greedily)

    def untimed(self) -> Problem:
        """Return the problem without times."""
        return Problem(*self.sides)

    def says_something(self, number: int, position: int) -> bool:
        """Return True if a turn has words."""
        return bool(self.sides[number][position].words)

    def occurrences(self, number: int) -> tuple[Mapping[str, int], Mapping[str, int]]:
        """Return the least and the greatest number of occurrences of each word of a side."""
        words = chain.from_iterable(turn.words for turn in self.sides[number])
        return (counts := Counter(words)), counts

    @cached_property
    def costs(self) -> list[list[int]]:
        """The errors of each speaker (row) if aligned with each stream (column).

        Added rows or columns make the table square; they mean "no partner".
        """
        if self._costs is not None:
            return self._costs
        speakers, streams = list(self.speakers.values()), list(self.streams.values())
        size = check_speakers(len(speakers), len(streams))
        lengths = [
            [sum(len(ids[position]) for position in group) for group in groups]
            + [0] * (size - len(groups))
            for ids, groups in zip(self._ids, (speakers, streams), strict=True)
        ]
        table = [[deleted + inserted for inserted in lengths[1]] for deleted in lengths[0]]
        if speakers and streams:
            errors = array("q", distances(self.side(0, speakers), self.side(1, streams)))
            width = len(streams)
            for row in range(len(speakers)):
                table[row][:width] = errors[row * width : (row + 1) * width]
        return table

    @cached_property
    def columns(self) -> list[int]:
        """The column assigned to each row of `costs` at the least total cost."""
        return cheapest_columns(self.costs)


def check_speakers(speakers: int, streams: int) -> int:
    """Return the larger number of speakers; raise TooManySpeakersError above the limit."""
    if max(speakers, streams) > MOST_SPEAKERS:
        fields = {"most": MOST_SPEAKERS, "speakers": speakers, "streams": streams}
        raise TooManySpeakersError(Message(TOO_MANY_SPEAKERS, fields))
    return max(speakers, streams)


def positions_by_speaker(turns: Sequence[Turn]) -> dict[str, list[int]]:
    """Return the positions of turns by speaker, in order of first appearance."""
    positions: dict[str, list[int]] = {}
    for position, turn in enumerate(turns):
        positions.setdefault(turn.speaker, []).append(position)
    return positions


def cheapest_columns(costs: Sequence[Sequence[int]]) -> list[int]:
    """Assign a different column to each row of a square cost table, at the least total cost.

    The algorithm uses shortest augmenting paths. Of several nearest columns, it takes the last free
    column; if none is free, the first column. Ties are therefore resolved as in scipy's
    `linear_sum_assignment` and in meeteval.

    >>> cheapest_columns([[4, 1, 3], [2, 0, 5], [3, 2, 2]])
    [1, 0, 2]
    """
    size = len(costs)
    column_of, row_of = [-1] * size, [-1] * size
    row_prices, column_prices = [0] * size, [0] * size
    for start in range(size):
        paths: list[float] = [float("inf")] * size
        previous = [-1] * size
        waiting, visited = list(range(size))[::-1], list[int]()
        row, length = start, 0
        while row >= 0:
            for column in waiting:
                path = length + costs[row][column] - row_prices[row] - column_prices[column]
                if path < paths[column]:
                    paths[column], previous[column] = path, row
            length = int(min(map(paths.__getitem__, waiting)))
            nearest = [index for index, column in enumerate(waiting) if paths[column] == length]
            free = [index for index in nearest if row_of[waiting[index]] < 0]
            index = free[-1] if free else nearest[0]
            visited.append(waiting[index])
            row = row_of[waiting[index]]
            waiting[index] = waiting[-1]
            waiting.pop()
        row_prices[start] += length
        for column in visited:
            gain = length - int(paths[column])
            column_prices[column] -= gain
            if row_of[column] >= 0:
                row_prices[row_of[column]] += gain
        column = visited[-1]
        while column >= 0:
            row = previous[column]
            row_of[column] = row
            column_of[row], column = column, column_of[row]
    return column_of


def assign_speakers(problem: Problem) -> Assigned:
    """Assign at most one stream to each speaker, and one speaker to each stream, at least cost."""
    speakers, streams = list(problem.speakers.items()), list(problem.streams.items())
    pairs: list[AssignedPair] = []
    for row, column in enumerate(problem.columns):
        speaker, references = speakers[row] if row < len(speakers) else (None, [])
        stream, hypotheses = streams[column] if column < len(streams) else (None, [])
        pairs.append(AssignedPair(speaker, stream, tuple(references), tuple(hypotheses)))
    errors = sum(problem.costs[row][column] for row, column in enumerate(problem.columns))
    return Assigned(errors, pairs, [pair[:2] for pair in pairs], True, errors)


def edits_of(
    problem: Problem, assigned: Assigned, compounds: str = ""
) -> tuple[bytes, Sequence[int]]:
    """Return the `Edit` bytes of all pairs, and the offset of each pair, with the total last.

    With `compounds` (as in `Options`), compounds written as one word or several may match; times
    are then ignored.

    Ties are resolved as in compute-wer, kaldialign and meeteval: going back from the end, an
    insertion is preferred to a deletion, and a deletion to a pair.
    """
    positions = [
        [pair.references for pair in assigned.pairs],
        [pair.hypotheses for pair in assigned.pairs],
    ]
    if problem.clock is not None:
        sides = [problem.side(number, groups) for number, groups in enumerate(positions)]
        left, right = sides[::-1] if assigned.exchanged else sides
        edits, bounds = align_timed(left, right)
    else:
        texts = [
            [
                tuple(chain.from_iterable(turns[position].words for position in group))
                for group in groups
            ]
            for turns, groups in zip(problem.sides, positions, strict=True)
        ]
        words, others = texts[::-1] if assigned.exchanged else texts
        prices = *UNIT_COSTS, tie_number("compute-wer"), 1
        edits, bounds, counts = align_token_pairs(words, others, *prices)
        if compounds:
            from scoring.alignment.compounds import merge_compounds
            from scoring.alignment.results import Alignments, CountsTable

            pairs = words, others, edits, array("q", bounds), CountsTable(counts), UNIT_COSTS
            merged = merge_compounds(Alignments(*pairs), compounds, ignore_case=False)
            return merged.edits, merged.offsets
    if assigned.exchanged:
        edits = edits.translate(_EXCHANGED)
    return edits, array("q", bounds)
