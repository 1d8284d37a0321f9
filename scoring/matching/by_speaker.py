"""Speakers with streams: each speaker's words with those of the stream that costs least (cpWER).

`Problem` holds both sides of a session as numbers; `by_segment` lays single segments on streams.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import accumulate, chain
from typing import NamedTuple

import numpy as np

from scoring.alignment.kernel import align_token_pairs, tie_number
from scoring.alignment.plain_speakers import Side
from scoring.alignment.speakers import align_timed, distances
from scoring.matching.outcome import MOST_COUNTED
from scoring.matching.word_times import Turn, WordTiming
from scoring.model import UNIT_COSTS, Edit

MOST_SPEAKERS = 200
_EXCHANGED = bytes.maketrans(
    bytes([Edit.DELETION, Edit.INSERTION]), bytes([Edit.INSERTION, Edit.DELETION])
)


class TooManySpeakersError(ValueError):
    """More speakers than a measure is worked out for."""


class Laid(NamedTuple):
    """What is aligned with what: numbers of turns of each side, in the order of their words.

    Attributes
    ----------
    reference, hypothesis
        Speaker and stream; None: nobody.
    references, hypotheses
        Positions of turns.
    """

    reference: str | None
    hypothesis: str | None
    references: tuple[int, ...]
    hypotheses: tuple[int, ...]


class Assigned(NamedTuple):
    """How a measure lays the words of a session beside each other.

    Attributes
    ----------
    errors
        The fewest, or the fewest that were found.
    pairs
        What is aligned with what: every word of both sides is in one pair.
    assignment
        As meeteval writes it: pairs of speaker and stream, or of each segment its stream.
    exact
        Whether no other way costs less.
    bound
        No way costs less than this.
    exchanged
        Segments of the hypothesis were laid at speakers: of equally cheap alignments that one is
        taken that would be taken with both sides exchanged, as meeteval does.
    """

    errors: int
    pairs: list[Laid]
    assignment: list[object]
    exact: bool
    bound: int
    exchanged: bool = False


class Problem:
    """Both sides of a session, their words as numbers.

    Parameters
    ----------
    reference, hypothesis
        Turns in the order in which their words are put one after the other.
    clock
        When words are said; None: times do not matter.
    """

    def __init__(
        self, reference: Sequence[Turn], hypothesis: Sequence[Turn], clock: WordTiming | None = None
    ) -> None:
        self.reference, self.hypothesis, self.clock = reference, hypothesis, clock
        numbers: defaultdict[str, int] = defaultdict()
        numbers.default_factory = numbers.__len__
        self._ids = [
            [array("i", map(numbers.__getitem__, turn.words)) for turn in side]
            for side in (reference, hypothesis)
        ]
        self._times: list[list[tuple[array[int], array[int]]]] = [[], []]
        if clock is not None:
            starts, ends, _ = clock.ranks(reference, hypothesis)
            place = 0
            for side, found in zip((reference, hypothesis), self._times, strict=True):
                for turn in side:
                    last = place + len(turn.words)
                    found.append((starts[place:last], ends[place:last]))
                    place = last
        self.words = [sum(map(len, ids)) for ids in self._ids]

    @cached_property
    def speakers(self) -> dict[str, list[int]]:
        """The turns of each speaker, in order of first appearance."""
        return grouped(self.reference)

    @cached_property
    def streams(self) -> dict[str, list[int]]:
        """The turns of each stream."""
        return grouped(self.hypothesis)

    def side(self, number: int, sequences: Iterable[Sequence[int]]) -> Side:
        """Columns for the aligners: sequences of turns of side 0, the reference, or 1."""
        groups = list(sequences)
        ids = self._ids[number]
        words, starts, ends = array("i"), array("q"), array("q")
        for group in groups:
            for at in group:
                words += ids[at]
                if self.clock is not None:
                    starts += self._times[number][at][0]
                    ends += self._times[number][at][1]
        lengths = (sum(len(ids[at]) for at in group) for group in groups)
        return words, starts, ends, array("q", accumulate(lengths, initial=0))

    @cached_property
    def costs(self) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
        """Errors of each speaker with each stream; beyond one of both, with nobody."""
        speakers, streams = list(self.speakers.values()), list(self.streams.values())
        size = max(len(speakers), len(streams))
        if size > MOST_SPEAKERS:
            raise TooManySpeakersError(
                f"expected at most {MOST_SPEAKERS} speakers in a session, found {len(speakers)} "
                f"in the reference and {len(streams)} in the hypothesis"
            )
        table = np.zeros((size, size), dtype=np.int64)
        lengths = [
            [sum(len(self._ids[number][at]) for at in group) for group in groups]
            for number, groups in ((0, speakers), (1, streams))
        ]
        table[: len(speakers)] = np.array(lengths[0], dtype=np.int64).reshape(-1, 1)
        table[:, : len(streams)] += np.array(lengths[1], dtype=np.int64)
        if speakers and streams:
            found = distances(self.side(0, speakers), self.side(1, streams))
            shape = len(speakers), len(streams)
            table[: shape[0], : shape[1]] = np.frombuffer(found, np.int64).reshape(shape)
        return table

    @cached_property
    def matching(self) -> list[tuple[int, int]]:
        """Rows and columns of `costs` that are cheapest together, in the order of rows."""
        from scipy.optimize import linear_sum_assignment

        if not self.costs.size:
            return []
        rows, columns = linear_sum_assignment(self.costs)
        return list(zip(rows.tolist(), columns.tolist(), strict=True))


def grouped(turns: Sequence[Turn]) -> dict[str, list[int]]:
    """Positions of turns by speaker, in order of first appearance."""
    found: dict[str, list[int]] = {}
    for at, turn in enumerate(turns):
        found.setdefault(turn.speaker, []).append(at)
    return found


def assign_speakers(problem: Problem) -> Assigned:
    """Every speaker with one stream at most, every stream with one speaker, at the least cost."""
    speakers, streams = list(problem.speakers), list(problem.streams)
    pairs: list[Laid] = []
    errors = 0
    for row, column in problem.matching:
        speaker = speakers[row] if row < len(speakers) else None
        stream = streams[column] if column < len(streams) else None
        errors += int(problem.costs[row, column])
        pairs.append(
            Laid(
                speaker,
                stream,
                tuple(problem.speakers[speaker]) if speaker is not None else (),
                tuple(problem.streams[stream]) if stream is not None else (),
            )
        )
    assignment: list[object] = [(one.reference, one.hypothesis) for one in pairs]
    return Assigned(errors, pairs, assignment, True, errors)


def equally_good(problem: Problem, most: int = MOST_COUNTED) -> int:
    """How many assignments of speakers to streams cost as little as the best, up to `most`.

    Streams left over, or speakers, are not told apart.
    """
    from scipy.optimize import linear_sum_assignment

    costs, least = problem.costs, sum(int(problem.costs[at]) for at in problem.matching)
    real = len(problem.speakers), len(problem.streams)
    seen = 0
    forbidden = int(costs.sum()) + 1
    # a node: pairs that are given, pairs that are forbidden; its best solution parts it in others
    pending: list[tuple[dict[int, int], frozenset[tuple[int, int]]]] = [({}, frozenset())]
    while pending and seen < most:
        given, without = pending.pop()
        table = costs.copy()
        for row, column in given.items():
            kept = table[row, column]
            table[row, :] = forbidden
            table[row, column] = kept
        for row, column in without:
            table[row, column] = forbidden
        rows, columns = linear_sum_assignment(table)
        if int(table[rows, columns].sum()) != least:
            continue
        seen += 1
        held = dict(given)
        for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
            if row in given:
                continue
            if row < real[0]:
                others = {(row, column)}
                if column >= real[1]:
                    others = {(row, at) for at in range(real[1], len(costs))}
                pending.append((dict(held), without | others))
            held[row] = column
    return seen


def next_best(problem: Problem) -> dict[str, tuple[str | None, int, str | None, int]]:
    """Of each speaker its stream and errors, and those of the best of the other streams.

    None in place of a stream is silence.
    """
    streams: list[str | None] = [*problem.streams]
    found: dict[str, tuple[str | None, int, str | None, int]] = {}
    for (row, column), speaker in zip(problem.matching, problem.speakers, strict=False):
        words = sum(len(problem.reference[at].words) for at in problem.speakers[speaker])
        held = streams[column] if column < len(streams) else None
        others = [(int(problem.costs[row, at]), at) for at in range(len(streams)) if at != column]
        if held is not None:
            others.append((words, len(streams)))
        cost, at = min(others, default=(words, len(streams)))
        other = streams[at] if at < len(streams) else None
        found[speaker] = held, int(problem.costs[row, column]), other, cost
    return found


def edits_of(problem: Problem, assigned: Assigned) -> tuple[bytes, array[int]]:
    """The alignment of each pair, as of `scoring.Edit`, and where it begins; with the last end.

    Walking back from the end, an insertion is taken where one is cheapest, else a deletion, else a
    pair: the ties of compute-wer, kaldialign and meeteval.
    """
    pairs = assigned.pairs
    if problem.clock is not None:
        sides = [
            problem.side(0, [one.references for one in pairs]),
            problem.side(1, [one.hypotheses for one in pairs]),
        ]
        left, right = reversed(sides) if assigned.exchanged else sides
        edits, bounds = align_timed(left, right)
    else:
        words, others = words_of(problem, pairs)
        if assigned.exchanged:
            words, others = others, words
        prices = *UNIT_COSTS, tie_number("compute-wer"), 1
        edits, bounds, _ = align_token_pairs(words, others, *prices)
    if assigned.exchanged:
        edits = edits.translate(_EXCHANGED)
    return edits, array("q", bounds)


def words_of(
    problem: Problem, pairs: Sequence[Laid]
) -> tuple[list[tuple[str, ...]], list[tuple[str, ...]]]:
    """The words of both sides of each pair."""

    def side(turns: Sequence[Turn], laid: Iterable[tuple[int, ...]]) -> list[tuple[str, ...]]:
        return [tuple(chain.from_iterable(turns[at].words for at in places)) for places in laid]

    return (
        side(problem.reference, (one.references for one in pairs)),
        side(problem.hypothesis, (one.hypotheses for one in pairs)),
    )
