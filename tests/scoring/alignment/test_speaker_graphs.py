"""Segments and streams with choices: both cores, and all paths and ways there are."""

import random
from array import array
from collections.abc import Iterator, Sequence
from itertools import product
from types import ModuleType
from typing import TypeAlias

import pytest

from scoring import alignment
from scoring.alignment import plain_speaker_graphs
from scoring.alignment.plain_network import JOINED, NULL_WORD, WILDCARD

NO_LIMIT = 2**62
# Of each arc its word, times, mark and the places it follows.
Arc: TypeAlias = tuple[int, int, int, int, Sequence[int]]
Graph: TypeAlias = Sequence[Arc]


def compiled() -> ModuleType:
    return alignment.load_core() or pytest.skip("no compiled core")


def side(graphs: Sequence[Graph], timed: bool) -> plain_speaker_graphs.GraphArrays:
    ids, begins, ends, bounds = array("i"), array("q"), array("q"), array("q", [0])
    marks, offsets, before = bytearray(), array("i", [0]), array("i")
    for graph in graphs:
        for word, begin, end, mark, places in graph:
            ids.append(word)
            marks.append(mark)
            before.extend(places)
            offsets.append(len(before))
            if timed:
                begins.append(begin)
                ends.append(end)
        bounds.append(len(ids))
    return ids, begins, ends, bounds, bytes(marks), offsets, before


def graph(chance: random.Random, most: int, least: int = 0, marks: Sequence[int] = ()) -> Graph:
    """Arcs of which each place leads to the end."""
    count = chance.randint(least, most)
    start = chance.randrange(9)
    arcs: list[tuple[int, int, int, int, list[int]]] = []
    for place in range(count):
        begin = start + chance.randrange(4)
        mark = chance.choice(marks) if marks and chance.random() < 0.3 else 0
        follows = [place]
        if place and chance.random() < 0.4:
            follows = sorted({place, chance.randrange(place + 1)})
        if place and chance.random() < 0.2:
            follows = [chance.randrange(place + 1)]
        arcs.append((chance.randrange(3), begin, begin + chance.randrange(4), mark, follows))
    reached = {place for arc in arcs for place in arc[4]}
    if arcs:
        arcs[-1][4].extend(place for place in range(count) if place not in reached)
        arcs[-1][4].sort()
    return arcs


def paths(graph: Graph) -> Iterator[list[Arc]]:
    """All paths from the begin to the last arc."""

    def until(place: int) -> Iterator[list[Arc]]:
        if not place:
            yield []
            return
        for before in graph[place - 1][4]:
            for path in until(before):
                yield [*path, graph[place - 1]]

    yield from until(len(graph))


FAR = 10**6


def price(one: Arc | None, other: Arc | None, last: Arc | None, timed: bool) -> int:
    """The cost of two arcs that face each other, or of one alone after one of the other side."""

    def meet(left: Arc, right: Arc) -> bool:
        return not timed or (left[1] < right[2] and right[1] < left[2])

    if one is None or other is None:
        single = one or other
        assert single is not None
        if single[3] in (NULL_WORD, WILDCARD):
            return 0
        if single[3] == JOINED:
            return FAR
        is_free = last is not None and last[3] == WILDCARD and meet(single, last)
        return 0 if is_free else 1
    marks = one[3], other[3]
    if NULL_WORD in marks or WILDCARD in marks or marks == (JOINED, JOINED) or not meet(one, other):
        return FAR
    return 0 if one[0] == other[0] else FAR if any(marks) else 1


def path_distance(one: Sequence[Arc], other: Sequence[Arc], timed: bool) -> int:
    rows = [[0] * (len(other) + 1) for _ in range(len(one) + 1)]
    for i, j in product(range(len(one) + 1), range(len(other) + 1)):
        ways = [0] if not i and not j else []
        before = one[i - 1] if i else None, other[j - 1] if j else None
        if i:
            ways.append(rows[i - 1][j] + price(before[0], None, before[1], timed))
        if j:
            ways.append(rows[i][j - 1] + price(None, before[1], before[0], timed))
        if i and j:
            ways.append(rows[i - 1][j - 1] + price(*before, None, timed))
        rows[i][j] = min(ways)
    return rows[-1][-1]


def distance(segments: Sequence[Graph], stream: Graph, timed: bool) -> int:
    """The cheapest of all paths of segments that follow each other, and of a stream."""
    ways = product(*(list(paths(segment)) for segment in segments))
    lefts = [[arc for part in way for arc in part] for way in ways]
    return min(path_distance(left, right, timed) for left in lefts for right in paths(stream))


def orders(chains: Sequence[Sequence[Graph]]) -> Iterator[list[Graph]]:
    if not any(chains):
        yield []
    for at, chain in enumerate(chains):
        if chain:
            for rest in orders([*chains[:at], chain[1:], *chains[at + 1 :]]):
                yield [chain[0], *rest]


def least(chains: Sequence[Sequence[Graph]], streams: Sequence[Graph], timed: bool) -> int:
    best = FAR
    for order in orders(chains):
        for choice in product(range(len(streams)), repeat=len(order)):
            cost = 0
            for number, stream in enumerate(streams):
                own = [one for one, where in zip(order, choice, strict=True) if where == number]
                cost += distance(own, stream, timed)
            best = min(best, cost)
    return best


MARKS = (NULL_WORD, NULL_WORD, WILDCARD)


@pytest.mark.share(7)
@pytest.mark.parametrize("timed", [False, True])
@pytest.mark.parametrize("seed", range(16))
def test_no_way_is_cheaper(seed: int, timed: bool) -> None:
    native_core = compiled()
    chance = random.Random(f"{seed} {timed}")
    for _ in range(32):
        streams = [graph(chance, 4, marks=MARKS) for _ in range(chance.choice((1, 2, 2, 3)))]
        count = chance.choice((1, 1, 2))
        chains = [
            [graph(chance, 3, int(timed), MARKS) for _ in range(chance.randint(1, 4 - count))]
            for _ in range(count)
        ]
        segments = [one for chain in chains for one in chain]
        numbers = array("i", [at for at, chain in enumerate(chains) for _ in chain])
        given = side(segments, timed), numbers, side(streams, timed), count == 1
        found = native_core.combine_graphs(*given, NO_LIMIT, NO_LIMIT)
        plain = plain_speaker_graphs.combine_graphs(*given, NO_LIMIT, NO_LIMIT)
        assert plain is not None
        assert found[0] == plain[0] == least(chains, streams, timed)
        if not timed:
            assert found == plain
        steps = array("i", found[1])
        waiting = [list(chain) for chain in chains]
        laid: list[list[Graph]] = [[] for _ in streams]
        for chain, stream in zip(steps[::2], steps[1::2], strict=True):
            laid[stream].append(waiting[chain].pop(0))
        assert found[0] == sum(
            distance(own, stream, timed) for own, stream in zip(laid, streams, strict=True)
        )


@pytest.mark.parametrize("timed", [False, True])
def test_paths_are_those_of_the_least_cost(timed: bool) -> None:
    native_core = compiled()
    chance = random.Random(f"paths {timed}")
    marks = (*MARKS, JOINED)
    for number in range(300):
        lefts, rights = ([graph(chance, 5, 1, marks) for _ in range(2)] for _ in range(2))
        for graphs in (lefts, rights):
            for at, one in enumerate(graphs):
                # what is joined can be passed by
                graphs[at] = [
                    (*arc[:4], [*arc[4], *([place] if place not in arc[4] else [])])
                    if arc[3] != JOINED
                    else (*arc[:3], 0, arc[4])
                    for place, arc in enumerate(one)
                ]
        both = side(lefts, timed), side(rights, timed)
        for prefers in (0, 1):
            found = native_core.align_graphs(*both, prefers)
            assert found == plain_speaker_graphs.align_graphs(*both, prefers), number
        steps, bounds = array("i", found[0]), array("q", found[1])
        for at, (left, right) in enumerate(zip(lefts, rights, strict=True)):
            own = steps[2 * bounds[at] : 2 * bounds[at + 1]]
            way = [left[arc - 1] for arc in own[::2] if arc]
            other = [right[arc - 1] for arc in own[1::2] if arc]
            assert way in list(paths(left))
            assert other in list(paths(right))
            assert path_distance(way, other, timed) == distance([left], right, timed)


@pytest.mark.parametrize("timed", [False, True])
def test_long_paths_are_the_same_in_both_cores(timed: bool) -> None:
    chance = random.Random(f"long {timed}")
    both = []
    for _ in range(2):
        arcs: list[Arc] = []
        for _ in range(60):
            shift = len(arcs)
            for word, begin, end, mark, before in graph(chance, 6, 1, (NULL_WORD,)):
                at = begin + 2 * shift
                arcs.append((word, at, at + end - begin + 3, mark, [shift + p for p in before]))
        both.append(side([arcs], timed))
    left, right = both
    found = plain_speaker_graphs.align_graphs(left, right, 0)
    assert compiled().align_graphs(left, right, 0) == found


@pytest.mark.parametrize("timed", [False, True])
def test_greedy_searches_agree(timed: bool) -> None:
    native_core = compiled()
    chance = random.Random(f"greedy {timed}")
    for _ in range(120):
        streams = [graph(chance, 6, marks=MARKS) for _ in range(chance.randint(1, 3))]
        segments = [graph(chance, 3, int(timed), MARKS) for _ in range(chance.randint(1, 5))]
        start = array("i", [chance.randrange(len(streams)) for _ in segments])
        given = side(segments, timed), side(streams, timed), start
        found = native_core.combine_graphs_greedily(*given)
        assert found == plain_speaker_graphs.combine_graphs_greedily(*given)
        choice = array("i", found[1])
        cost = 0
        for number, stream in enumerate(streams):
            own = [one for one, where in zip(segments, choice, strict=True) if where == number]
            cost += distance(own, stream, timed)
        assert found[0] == cost


def test_chains_are_those_of_words() -> None:
    """Without a choice, both kinds of search find as few errors."""
    native_core = compiled()
    chance = random.Random(3)
    for _ in range(60):
        made = [
            [
                [
                    (chance.randrange(3), 0, 0, 0, [place])
                    for place in range(chance.randint(0, most))
                ]
                for _ in range(count)
            ]
            for count, most in ((3, 3), (2, 6))
        ]
        segments, streams = (side(graphs, False) for graphs in made)
        chains = array("i", [0, 0, 0])
        limits = True, NO_LIMIT, NO_LIMIT
        with_graphs = native_core.combine_graphs(segments, chains, streams, *limits)
        with_words = native_core.combine(segments[:4], chains, streams[:4], *limits)
        assert with_graphs[0] == with_words[0]


@pytest.mark.parametrize("size", [7_900, 15_900, 16_100])
def test_long_streams_are_those_of_words(size: int) -> None:
    """Costs of 16 bits do not overflow, and longer streams have costs of 32 bits."""
    native_core = compiled()
    chance = random.Random(size)
    made: list[list[list[Arc]]] = [
        [[(chance.randrange(4), 0, 0, 0, [place]) for place in range(length)] for length in lengths]
        for lengths in ((20, 30, 40), (size,))
    ]
    segments, streams = (side(graphs, False) for graphs in made)
    chains = array("i", [0, 0, 0])
    limits = True, NO_LIMIT, NO_LIMIT
    with_graphs = native_core.combine_graphs(segments, chains, streams, *limits)
    assert with_graphs[0] == native_core.combine(segments[:4], chains, streams[:4], *limits)[0]


def test_bad_arguments() -> None:
    one = side([[(1, 0, 1, 0, [0])]], False)
    for core in (compiled(), plain_speaker_graphs):
        for change, problem in (
            ((4, b""), "left.marks: expected one for each arc"),
            ((4, b"\x09"), "left.marks: expected numbers to 4"),
            ((5, array("i", [0])), "left.offsets: expected numbers from 0"),
            ((6, array("i", [1])), "left.predecessors: expected earlier arcs of the sequence"),
        ):
            bad = (*one[: change[0]], change[1], *one[change[0] + 1 :])
            with pytest.raises(ValueError, match=problem):
                core.align_graphs(bad, one, 0)
        with pytest.raises(TypeError, match="left: expected seven columns, found int"):
            core.align_graphs(1, one, 0)
        with pytest.raises(ValueError, match="right: expected as many sequences as left"):
            core.align_graphs(one, side([], False), 0)
        with pytest.raises(ValueError, match="start: expected numbers of streams"):
            core.combine_graphs_greedily(one, one, array("i", [1]))
        assert (
            core.combine_graphs(
                one, array("i", [0]), side([[(1, 0, 1, 0, [0])]] * 2, False), True, 0, 0
            )
            is None
        )
