"""The compiled assignment of words to streams, its plain twin, and all ways there are."""

import random
from array import array
from collections.abc import Callable, Sequence
from itertools import accumulate, permutations, product
from types import ModuleType

import pytest

from scoring import alignment
from scoring.alignment import plain_speakers
from tests.each_case import each_case

NO_LIMIT = 2**62


def compiled() -> ModuleType:
    return alignment.load_core() or pytest.skip("no compiled core")


Sequences = Sequence[Sequence[tuple[int, int, int]]]


def side(sequences: Sequences, timed: bool) -> plain_speakers.SideArrays:
    words = [word for sequence in sequences for word in sequence]
    bounds = array("q", accumulate(map(len, sequences), initial=0))
    return (
        array("i", [word[0] for word in words]),
        array("q", [word[1] for word in words] if timed else []),
        array("q", [word[2] for word in words] if timed else []),
        bounds,
    )


def sequences(chance: random.Random, count: int, most: int, least: int = 0) -> Sequences:
    found = []
    for _ in range(count):
        starts = sorted(chance.randrange(12) for _ in range(chance.randint(least, most)))
        if chance.random() < 0.2:
            chance.shuffle(starts)
        found.append([(chance.randrange(3), one, one + chance.randrange(5)) for one in starts])
    return found


def distance(one: Sequence[tuple[int, int, int]], other: Sequence[tuple[int, int, int]]) -> int:
    """By definition, untimed where all words may meet."""
    row = list(range(len(other) + 1))
    for word, begin, end in one:
        last, row = row, [row[0] + 1]
        for j, (same, start, finish) in enumerate(other):
            best = min(row[j], last[j + 1]) + 1
            if begin < finish and start < end:
                best = min(best, last[j] + (word != same))
            row.append(best)
    return row[-1]


@pytest.mark.parametrize("timed", [False, True])
def test_distances_and_alignments(timed: bool) -> None:
    native_core = compiled()
    chance = random.Random(5)
    for _ in range(150):
        count = chance.randint(1, 3)
        left, right = (sequences(chance, count, 9) for _ in range(2))
        both = side(left, timed), side(right, timed)
        found = native_core.distances(*both)
        assert found == plain_speakers.distances(*both)
        if timed:
            assert list(array("q", found)) == [distance(a, b) for a in left for b in right]
            assert native_core.align_timed(*both) == plain_speakers.align_timed(*both)


@each_case(("left", "right"), [(63, 64), (64, 65), (130, 200), (1, 129), (300, 2)])
def test_distances_across_words_of_bits(left: int, right: int) -> None:
    chance = random.Random(left)
    both = [
        side([[(chance.randrange(4), 0, 1) for _ in range(size)]], False) for size in (left, right)
    ]
    assert compiled().distances(*both) == plain_speakers.distances(*both)


def brute(segments: Sequences, chains: Sequence[int], streams: Sequences) -> int:
    """The least cost over all orders that keep each chain's, and all choices of streams."""
    best = NO_LIMIT
    numbers = range(len(segments))
    for order in permutations(numbers):
        kept = all(
            [at for at in order if chains[at] == chain]
            == [n for n in numbers if chains[n] == chain]
            for chain in set(chains)
        )
        if not kept:
            continue
        for where in product(range(len(streams)), repeat=len(segments)):
            laid: list[list[tuple[int, int, int]]] = [[] for _ in streams]
            for at in order:
                laid[where[at]] += segments[at]
            best = min(best, sum(map(distance, laid, streams)))
    return best


@pytest.mark.parametrize("timed", [False, True])
@pytest.mark.parametrize("alone", [False, True])
def test_combinations_against_all_ways(timed: bool, alone: bool) -> None:
    native_core = compiled()
    chance = random.Random(11)
    for _ in range(60):
        segments = sequences(chance, chance.randint(1, 4), 3, 1)
        streams = sequences(chance, chance.randint(1, 3), 5)
        if not timed:
            segments, streams = (
                [[(word, 0, 1) for word, _, _ in one] for one in group]
                for group in (segments, streams)
            )
        chains = [0 if alone else chance.randrange(2) for _ in segments]
        chains = [sorted(set(chains)).index(one) for one in chains]
        given = side(segments, timed), array("i", chains), side(streams, timed), alone
        cost, path = native_core.combine(*given, NO_LIMIT, NO_LIMIT)
        assert cost == brute(segments, chains, streams)
        plain = plain_speakers.combine(*given, NO_LIMIT, NO_LIMIT)
        assert plain is not None
        assert plain[0] == cost
        if not timed:
            assert plain[1] == path
        if not any(segments) or not any(streams):
            continue
        steps = array("i", path)
        order = sorted(range(len(segments)), key=lambda at: chains[at])
        waiting = {chain: [at for at in order if chains[at] == chain] for chain in chains}
        laid: list[list[tuple[int, int, int]]] = [[] for _ in streams]
        for chain, stream in zip(steps[::2], steps[1::2], strict=True):
            laid[stream] += segments[waiting[chain].pop(0)]
        assert sum(map(distance, laid, streams)) == cost


@pytest.mark.parametrize("timed", [False, True])
def test_greedy_combinations(timed: bool) -> None:
    native_core = compiled()
    chance = random.Random(3)
    for _ in range(80):
        segments = sequences(chance, chance.randint(1, 6), 3)
        streams = sequences(chance, chance.randint(1, 3), 8)
        start = array("i", [chance.randrange(len(streams)) for _ in segments])
        given = side(segments, timed), side(streams, timed), start
        assert native_core.combine_greedily(*given) == plain_speakers.combine_greedily(*given)


@each_case("size", [63, 64, 65, 127, 128, 129])
def test_greedy_combinations_across_words_of_bits(size: int) -> None:
    native_core = compiled()
    chance = random.Random(size)
    streams = [
        [(chance.randrange(5), 0, 1) for _ in range(count)] for count in (size, 0, 64, size // 2)
    ]
    segments = [
        [(chance.randrange(6), 0, 1) for _ in range(chance.randrange(30))] for _ in range(7)
    ]
    # some of what is heard, word by word, so that moving a segment pays
    segments += [streams[0][at : at + 17] for at in range(0, size, 17)]
    start = array("i", [chance.randrange(len(streams)) for _ in segments])
    given = side(segments, False), side(streams, False), start
    assert native_core.combine_greedily(*given) == plain_speakers.combine_greedily(*given)


def test_a_long_combination_needs_wide_numbers() -> None:
    words = [(at % 7, 0, 1) for at in range(32_800)]
    given = side([words[:40]], False), array("i", [0]), side([words, words[:1]], False), True
    assert compiled().combine(*given, NO_LIMIT, NO_LIMIT)[0] == 32_800 - 40 + 1


def test_a_single_stream_takes_everything() -> None:
    words = [(at % 7, 0, 1) for at in range(9000)]
    given = side([words[:4500], words[4500:]], False), array("i", [0, 0]), side([words], False)
    found = compiled().combine(*given, True, NO_LIMIT, NO_LIMIT)
    assert found == (0, array("i", [0, 0, 0, 0]).tobytes())


@pytest.mark.parametrize("core", [plain_speakers, None])
def test_refusals(core: ModuleType | None) -> None:
    core = core or compiled()
    one = side([[(0, 0, 1)]], False)
    timed = side([[(0, 0, 1)]], True)
    wrongs: list[tuple[Callable[[], object], str]] = [
        (lambda: core.distances(one, timed), "right: expected times where the left side has them"),
        (lambda: core.distances(one[:3], one), "left: expected four columns, found tuple"),
        (
            lambda: core.combine(one, array("i", [1]), one, True, 9, 9),
            "chains: expected a whole number from 0 to 0, found 1",
        ),
        (
            lambda: core.combine_greedily(one, one, array("i", [1])),
            "start: expected numbers of streams",
        ),
        (lambda: core.align_timed(one, one), "left: expected times"),
        (
            lambda: core.distances((array("i", [-1]), one[1], one[2], one[3]), one),
            "left.ids: expected numbers from 0",
        ),
    ]
    for wrong, message in wrongs:
        with pytest.raises((TypeError, ValueError), match=message):
            wrong()
    two = side([[(0, 0, 1)], [(0, 0, 1)]], False)
    assert core.combine(one, array("i", [0]), two, True, 0, 0) is None
