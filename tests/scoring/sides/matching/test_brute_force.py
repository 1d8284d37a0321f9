"""Every measure of many speakers against all assignments there are, in small sessions.

All is worked out here from the definitions: word times as fractions, distances cell by cell, every
choice of streams and every order tried. Nothing of the product is used but what it says.
"""

import random
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import permutations, product
from typing import TypeAlias

from scoring.sides.matching.by_segment import DI, MIMO, ORC, assign_segments
from scoring.sides.matching.by_speaker import Assigned, Problem, assign_speakers
from scoring.sides.matching.word_times import WORD_TIMES, WORDS, Turn, WordTiming
from tests.each_case import each_case

SESSIONS = 60
# A word, when it begins, and when it ends.
Said: TypeAlias = tuple[str, Fraction, Fraction]
Laid: TypeAlias = Sequence[Sequence[Said]]


def session(chance: random.Random) -> tuple[list[Turn], list[Turn], WordTiming]:
    """Few segments that overlap, with ties, silent segments, and sides without words."""
    sides = []
    for names, most in (("AB", 4), ("xyz", 4)):
        turns = []
        for _ in range(chance.randint(1, most)):
            start = chance.randrange(9)
            words = tuple(
                chance.choice("ab") * chance.randint(1, 2)
                for _ in range(chance.choice((0, 1, 2, 2, 3)))
            )
            turns.append(Turn(chance.choice(names), words, start, start + chance.randrange(5)))
        sides.append(sorted(turns, key=lambda turn: turn.start))
    timings = [one for one in WORD_TIMES if one != WORDS]
    clock = WordTiming(chance.randrange(3), chance.choice(timings), chance.choice(timings))
    return sides[0], sides[1], clock


def said(turn: Turn, how: str, collar: int) -> list[Said]:
    """A segment's words with their times."""
    count = len(turn.words)
    lengths = [len(word) if "characters" in how else 1 for word in turn.words]
    found = []
    for at, word in enumerate(turn.words):
        part = Fraction(turn.end - turn.start, sum(lengths))
        begin, end = (
            turn.start + part * sum(lengths[:at]),
            turn.start + part * sum(lengths[: at + 1]),
        )
        if how == "segment":
            begin, end = Fraction(turn.start), Fraction(turn.end)
        if how.endswith("points"):
            begin = end = (begin + end) / 2
        found.append((word, begin - collar, end + collar))
    assert len(found) == count
    return found


def distance(one: Sequence[Said], other: Sequence[Said], timed: bool) -> int:
    row = list(range(len(other) + 1))
    for word, begin, end in one:
        last, row = row, [row[0] + 1]
        for j, (heard, start, finish) in enumerate(other):
            best = min(row[j], last[j + 1]) + 1
            if not timed or (begin < finish and start < end):
                best = min(best, last[j] + (word != heard))
            row.append(best)
    return row[-1]


def grouped(turns: Sequence[Turn], words: Sequence[list[Said]]) -> dict[str, list[list[Said]]]:
    found: dict[str, list[list[Said]]] = {}
    for turn, own in zip(turns, words, strict=True):
        found.setdefault(turn.speaker, []).append(own)
    return found


def joined(segments: Iterable[Sequence[Said]]) -> list[Said]:
    return [word for segment in segments for word in segment]


def by_speaker(reference: Laid, hypothesis: Laid, timed: bool) -> int:
    size = max(len(reference), len(hypothesis))
    own, other = ([*side, *[[]] * (size - len(side))] for side in (reference, hypothesis))
    return min(
        sum(distance(own[at], other[to], timed) for at, to in enumerate(order))
        for order in permutations(range(size))
    )


def by_segment(segments: Laid, streams: Laid, timed: bool) -> int:
    """Segments in the order given, each on any stream."""
    if not streams:
        return sum(map(len, segments))
    best = None
    for choice in product(range(len(streams)), repeat=len(segments)):
        laid: list[list[Said]] = [[] for _ in streams]
        for segment, stream in zip(segments, choice, strict=True):
            laid[stream] += segment
        cost = sum(distance(one, two, timed) for one, two in zip(laid, streams, strict=True))
        best = cost if best is None else min(best, cost)
    assert best is not None
    return best


def orders(chains: Sequence[Sequence[Sequence[Said]]]) -> Iterator[list[Sequence[Said]]]:
    """All orders of segments that keep that of each chain."""
    if not any(chains):
        yield []
    for at, chain in enumerate(chains):
        if chain:
            for rest in orders([*chains[:at], chain[1:], *chains[at + 1 :]]):
                yield [chain[0], *rest]


@each_case("timed", [False, True])
@each_case("measure", ["cp", ORC, MIMO, DI])
def test_no_assignment_is_better(measure: str, timed: bool) -> None:
    chance = random.Random(f"{measure} {timed}")
    for number in range(SESSIONS):
        reference, hypothesis, clock = session(chance)
        problem = Problem(reference, hypothesis, clock if timed else None)
        words = [said(turn, clock.reference, 0) for turn in reference]
        heard = [said(turn, clock.hypothesis, clock.collar) for turn in hypothesis]
        speakers, streams = grouped(reference, words), grouped(hypothesis, heard)
        own, other = (list(map(joined, side.values())) for side in (speakers, streams))
        found: Assigned
        if measure == "cp":
            found, least = assign_speakers(problem), by_speaker(own, other, timed)
        else:
            found = assign_segments(problem, measure, exact=True)
            if measure == ORC:
                least = by_segment(words, other, timed)
            elif measure == DI:
                least = by_segment(heard, own, timed)
            else:
                every = orders([[one for one in chain if one] for chain in speakers.values()])
                least = min(by_segment(order, other, timed) for order in every)
        assert (found.errors, found.exact) == (least, True), number
        # what it says to lay beside each other has as many errors
        laid = sum(
            distance(
                joined(words[at] for at in one.references),
                joined(heard[at] for at in one.hypotheses),
                timed,
            )
            for one in found.pairs
        )
        assert laid == least, number
        if measure in (ORC, DI):
            greedy = assign_segments(problem, measure, exact=False)
            assert greedy.errors >= least >= greedy.bound, number
