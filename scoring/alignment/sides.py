"""Aligning whole files: the utterances of two sides, their words in columns.

Most utterances are plain sequences and go to the linear aligner in one batch. Those with
alternations, null words or optional words, and all of them under word weights or time-mediated
costs, are aligned one by one as word graphs.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Callable, Sequence
from enum import IntEnum
from itertools import groupby
from typing import NamedTuple

from scoring.alignment import kernel
from scoring.alignment.network import NO_INTEGERS, NO_NUMBERS, Graph, Network, build
from scoring.model import SCLITE_COSTS, Edit
from scoring.side import Arcs, Side
from scoring.system import WordType

NULL_COST = 0.001
OPTIONAL_COST = 2.0
WORD_COST = 3.0
UNPAIRED = frozenset({Edit.DELETION, Edit.INSERTION})


class CostMode(IntEnum):
    """Where the costs of edits come from.

    FIXED
        substitution 4, insertion and deletion 3, of an optional word 2, of a null word 0.001.
    WEIGHTS
        the weight of a word; a substitution costs both weights.
    TIMES
        the duration of a word; a pair costs how far its begins and its ends lie apart.
    """

    FIXED = 0
    WEIGHTS = 1
    TIMES = 2


class Edits(NamedTuple):
    """The alignments of all utterances.

    Attributes
    ----------
    edits
        `Edit` bytes of all utterances, one after the other.
    offsets
        int64, one more than there are utterances: where each one's edits begin.
    counts
        int32, four per utterance: correct, substitutions, deletions, insertions.
    null_pairs
        Utterances in which two null words were paired, once per pair (possible under weights).
    """

    edits: bytes
    offsets: array[int]
    counts: array[int]
    null_pairs: list[int]


class WordCosts:
    """What words cost, and which of them match.

    Parameters
    ----------
    types
        The meaning of every word number.
    mode
        Where costs come from.
    weights
        double per word number, under `CostMode.WEIGHTS`, for sides that have no weights of their
        own.
    matches
        Decides about pairs with a fragment; None without `-F`.
    """

    def __init__(
        self,
        types: Sequence[WordType],
        mode: CostMode = CostMode.FIXED,
        weights: Sequence[float] | None = None,
        matches: Callable[[WordType, WordType], bool] | None = None,
    ) -> None:
        self.types = types
        self.mode = mode
        self._matches = matches
        numbers: dict[str, int] = {}
        self.values = array("i", [numbers.setdefault(t.value, n) for n, t in enumerate(types)])
        self.plain = len(numbers) == len(types)
        self._nulls = bytes(word.null for word in types)
        self._weights: Sequence[float] = () if weights is None else weights
        self._singles = [self._single(number) for number in range(len(types))]

    def _single(self, number: int) -> float:
        """Cost of a word without a partner, where neither times nor weights decide."""
        word = self.types[number]
        if word.null:
            return NULL_COST
        return OPTIONAL_COST if word.optional else WORD_COST

    def special(self) -> frozenset[int]:
        """Words that keep an utterance from being a plain sequence."""
        return frozenset(
            number
            for number, word in enumerate(self.types)
            if word.null or word.optional or word.fragment
        )

    def match(self, reference: int, hypothesis: int) -> bool:
        """Do two words count as the same?"""
        if self._matches is not None:
            mine, theirs = self.types[reference], self.types[hypothesis]
            if mine.fragment or theirs.fragment:
                return self._matches(mine, theirs)
        return self.values[reference] == self.values[hypothesis]

    def network(self, side: Side, utterance: int) -> tuple[Network, Sequence[int]]:
        """The word graph of an utterance, and the position of the word on each of its arcs."""
        graph = side.graphs.get(utterance)
        if graph is None:
            positions: Sequence[int] = range(side.begins[utterance], side.ends[utterance])
            shape = Graph(NO_INTEGERS, NO_INTEGERS, NO_INTEGERS, NO_INTEGERS)
        else:
            shape = Graph(*graph) if isinstance(graph, Arcs) else build(graph)
            positions = shape.types
        numbers = [side.types[position] for position in positions]
        values = array("i", map(self.values.__getitem__, numbers))
        nulls = bytes(map(self._nulls.__getitem__, numbers))
        shape = shape._replace(types=values)
        if self.mode == CostMode.TIMES:
            return shape.network(nulls, *self._timed(side, positions, nulls)), positions
        if self.mode == CostMode.WEIGHTS:
            return shape.network(nulls, *self._weighted(side, positions, numbers)), positions
        singles = array("d", map(self._singles.__getitem__, numbers))
        return shape.network(nulls, singles), positions

    def _weighted(
        self, side: Side, positions: Sequence[int], numbers: Sequence[int]
    ) -> tuple[array[float], array[float]]:
        """Cost of each word without a partner, and its weight."""
        if side.weights is None:
            weights = array("d", map(self._weights.__getitem__, numbers))
        else:
            weights = array("d", map(side.weights.__getitem__, positions))
        nulls = map(self._nulls.__getitem__, numbers)
        single = [
            NULL_COST if null else weight for null, weight in zip(nulls, weights, strict=True)
        ]
        return array("d", single), weights

    def _timed(
        self, side: Side, positions: Sequence[int], nulls: bytes
    ) -> tuple[array[float], Sequence[float], array[float], array[float]]:
        if side.starts is None or side.finishes is None:
            raise ValueError("time-mediated costs need words with times")
        starts = array("d", map(side.starts.__getitem__, positions))
        finishes = array("d", map(side.finishes.__getitem__, positions))
        singles = array(
            "d",
            [
                NULL_COST if null else finish - start
                for null, start, finish in zip(nulls, starts, finishes, strict=True)
            ],
        )
        return singles, NO_NUMBERS, starts, finishes

    def match_table(
        self, reference: Side, mine: Sequence[int], hypothesis: Side, theirs: Sequence[int]
    ) -> bytes | None:
        """A byte per pair of words, 1 if they match; None if equal values tell it."""
        if self._matches is None:
            return None
        left = [reference.types[position] for position in mine]
        right = [hypothesis.types[position] for position in theirs]
        if not any(self.types[number].fragment for number in (*left, *right)):
            return None
        return bytes([self.match(one, other) for one in left for other in right])


def align_sides(
    reference: Side, hypothesis: Side, costs: WordCosts, *, by_time: bool = False, threads: int = 0
) -> Edits:
    """Align utterance by utterance; utterance u of one side belongs to u of the other.

    The sides are changed so that each utterance consists of the words its alignment uses.

    Parameters
    ----------
    by_time
        Sort every run of neighbouring deletions and insertions by start time (ctm with ctm).
    """
    everything = by_time or costs.mode != CostMode.FIXED
    special = range(len(reference.begins)) if everything else _special(reference, hypothesis, costs)
    plain = _align_plain(reference, hypothesis, costs, special, threads)
    if not special:
        return plain
    solver = _GraphAligner(reference, hypothesis, costs, by_time)
    return _merged(plain, special, solver)


def _special(reference: Side, hypothesis: Side, costs: WordCosts) -> list[int]:
    found = set(reference.graphs) | set(hypothesis.graphs)
    words = costs.special()
    if words:
        for side in (reference, hypothesis):
            spans = zip(side.begins, side.ends, range(len(side.begins)), strict=True)
            filled = sorted(span for span in spans if span[0] < span[1])
            begins = [begin for begin, _, _ in filled]
            for position, number in enumerate(side.types):
                if number in words:
                    at = bisect_right(begins, position) - 1
                    if at >= 0 and position < filled[at][1]:
                        found.add(filled[at][2])
    return sorted(found)


def _align_plain(
    reference: Side, hypothesis: Side, costs: WordCosts, special: Sequence[int], threads: int
) -> Edits:
    columns: list[array[int]] = []
    for side in (reference, hypothesis):
        begins, ends = side.begins, side.ends
        if special:
            begins, ends = begins[:], ends[:]
            for utterance in special:
                begins[utterance] = ends[utterance] = 0
        types = side.types
        if not costs.plain:
            types = array("i", map(costs.values.__getitem__, types))
        columns += [types, begins, ends]
    edits, offsets, counts = kernel.align_linear(
        columns[0],
        columns[1],
        columns[2],
        columns[3],
        columns[4],
        columns[5],
        *SCLITE_COSTS,
        0,
        threads,
    )
    return Edits(edits, array("q", offsets), array("i", counts), [])


def _merged(plain: Edits, special: Sequence[int], solver: _GraphAligner) -> Edits:
    pieces: list[bytes] = []
    offsets = array("q", [0])
    counts = plain.counts
    null_pairs: list[int] = []
    done = length = 0
    for utterance in [*special, len(plain.offsets) - 1]:
        # the plain utterances up to here
        begin, end = plain.offsets[done], plain.offsets[utterance]
        pieces.append(plain.edits[begin:end])
        shift = length - begin
        offsets.extend([offset + shift for offset in plain.offsets[done + 1 : utterance + 1]])
        length += end - begin
        if utterance == len(plain.offsets) - 1:
            break
        edits, dropped = solver.align(utterance)
        null_pairs += [utterance] * dropped
        pieces.append(edits)
        length += len(edits)
        offsets.append(length)
        counts[4 * utterance : 4 * utterance + 4] = array("i", _tally(edits))
        done = utterance + 1
    return Edits(b"".join(pieces), offsets, counts, null_pairs)


def _tally(edits: bytes) -> list[int]:
    skipped = edits.count(Edit.SKIPPED_REFERENCE) + edits.count(Edit.SKIPPED_HYPOTHESIS)
    count = edits.count
    return [
        count(Edit.CORRECT) + skipped,
        count(Edit.SUBSTITUTION),
        count(Edit.DELETION),
        count(Edit.INSERTION),
    ]


class _GraphAligner:
    """Aligns single utterances as word graphs."""

    def __init__(self, reference: Side, hypothesis: Side, costs: WordCosts, by_time: bool) -> None:
        self._reference = reference
        self._hypothesis = hypothesis
        self._costs = costs
        self._by_time = by_time

    def align(self, utterance: int) -> tuple[bytes, int]:
        """Edits of one utterance, and how many pairs of null words were dropped."""
        left, mine = self._costs.network(self._reference, utterance)
        right, theirs = self._costs.network(self._hypothesis, utterance)
        table = self._costs.match_table(self._reference, mine, self._hypothesis, theirs)
        steps = array("i", kernel.align_network(left, right, int(self._costs.mode), table)[0])
        places: list[_Place] = []
        null_pairs = 0
        for a, b in zip(steps[::2], steps[1::2], strict=True):
            place = _Place(mine[a - 1] if a else None, theirs[b - 1] if b else None)
            edit = self._edit(place)
            if edit is not None:
                places.append(place._replace(edit=edit))
            elif a and b:
                null_pairs += 1
        if self._by_time:
            places = self._sorted(places)
        self._reference.keep(utterance, [p.reference for p in places if p.reference is not None])
        self._hypothesis.keep(utterance, [p.hypothesis for p in places if p.hypothesis is not None])
        return bytes([place.edit for place in places]), null_pairs

    def _edit(self, place: _Place) -> int | None:
        """What a place counts as; None for null words without a partner or with each other."""
        types = self._costs.types
        mine = None if place.reference is None else self._reference.types[place.reference]
        theirs = None if place.hypothesis is None else self._hypothesis.types[place.hypothesis]
        if mine is not None and theirs is not None:
            if types[mine].null and types[theirs].null:
                return None
            return Edit.CORRECT if self._costs.match(mine, theirs) else Edit.SUBSTITUTION
        if mine is not None:
            word = types[mine]
            edit = Edit.SKIPPED_REFERENCE if word.optional else Edit.DELETION
        else:
            assert theirs is not None
            word = types[theirs]
            edit = Edit.SKIPPED_HYPOTHESIS if word.optional else Edit.INSERTION
        return None if word.null else edit

    def _sorted(self, places: list[_Place]) -> list[_Place]:
        """Runs of neighbouring deletions and insertions sorted by start time, stably."""
        ordered: list[_Place] = []
        for unpaired, places_of_run in groupby(places, key=lambda place: place.edit in UNPAIRED):
            run = list(places_of_run)
            ordered += sorted(run, key=self._start) if unpaired else run
        return ordered

    def _start(self, place: _Place) -> float:
        side, position = (
            (self._reference, place.reference)
            if place.reference is not None
            else (self._hypothesis, place.hypothesis)
        )
        assert side.starts is not None
        assert position is not None
        return side.starts[position]


class _Place(NamedTuple):
    """A step of an alignment: positions of words, None without a partner."""

    reference: int | None
    hypothesis: int | None
    edit: int = Edit.CORRECT
