"""Align segments with streams if both may be word graphs, in plain Python.

`scoring._native.speakers` has the same functions, many times faster. A side has the four columns of
`plain_speakers`, with an arc of a word graph in place of each word, and three more: the marks of
the arcs (bytes, as in `plain_network`), where the predecessors of each arc begin (int32, one entry
more than arcs), and the predecessors (int32): 0 for the beginning of the sequence, or the number of
one of its arcs, from 1. A sequence ends with its last arc.

Chains of segments, streams and assignments are explained in `plain_speakers.combine`. An edit costs
1. After a wildcard, words of the other side that may be paired with it are free.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from itertools import pairwise, product
from math import prod
from typing import NamedTuple, TypeAlias

from scoring.alignment.arguments import buffer, require, unexpected, whole
from scoring.alignment.plain_network import JOINED, JOINED_ALIKE, NULL_WORD, WILDCARD
from scoring.alignment.plain_speakers import StreamCosts, moved_greedily, moved_once, side_columns

# ids, begins, ends, bounds, marks, offsets of predecessors, predecessors
GraphArrays: TypeAlias = tuple[object, object, object, object, object, object, object]
# The cost of what cannot be; a sum of several is below 2**31.
FAR = 1 << 28


class _Graph(NamedTuple):
    """A sequence as a graph.

    `before` and `after` list the positions before and after each arc, and at position 0.
    """

    ids: Sequence[int]
    times: Sequence[tuple[int, int]] | None
    marks: Sequence[int]
    before: Sequence[Sequence[int]]
    after: Sequence[Sequence[int]]

    @property
    def size(self) -> int:
        """The number of arcs, which is also the last position."""
        return len(self.ids)


class _Prices(NamedTuple):
    """Costs of an unpaired left arc, of an unpaired right arc, and of a pair of different arcs."""

    deletion: int = 1
    insertion: int = 1
    substitution: int = 1


_UNIT = _Prices()


def align_graphs(
    left: GraphArrays, right: GraphArrays, prefers_length: object
) -> tuple[bytes, bytes]:
    """Return the cheapest pair of paths through each left sequence and its partner on the right.

    Returns pairs of arcs (int32; 0: no partner), and where the pairs of each sequence begin
    (int64). Of equally cheap paths, the longest left path wins if `prefers_length` is true. All
    remaining ties follow the aligner's rules, which prefer a pair of arcs to an unpaired right arc.
    """
    lefts, rights = _both(left, right)
    require(len(lefts) == len(rights), "right: expected as many sequences as left")
    prefers = whole(prefers_length, "prefers_length", 0, 1)
    steps, bounds = array("i"), array("q", [0])
    for graph, facing_graph in zip(lefts, rights, strict=True):
        prices = _UNIT
        if prefers:
            # an edit weighs more than any difference in length
            edit = 2 << (graph.size + facing_graph.size).bit_length()
            prices = _Prices(edit - 1, edit + 1, edit)
        rows = _laid(_start(graph, facing_graph, prices), graph, facing_graph, prices)
        path = list(
            _walked_back(rows, graph, facing_graph, prices, (graph.size, facing_graph.size), 0)
        )
        for step in reversed(path):
            steps.extend(step)
        bounds.append(len(steps) // 2)
    return steps.tobytes(), bounds.tobytes()


def combine_graphs(
    left: GraphArrays,
    chains: object,
    right: GraphArrays,
    alone: bool,
    most_updates: int,
    most_bytes: int,
) -> tuple[int, bytes] | None:
    """Return the cheapest assignment of segments to streams, as `combine` does, for word graphs.

    Ties are resolved from the end: the segment of the first chain goes to the first stream.
    """
    segments, streams = _both(left, right)
    chain_of = buffer(chains, "int32", "chains")
    require(len(chain_of) == len(segments), "chains: expected one for each segment")
    require(bool(streams and segments), "right: expected a stream, and a segment on the left")
    numbers = [whole(number, "chains", 0, len(chain_of) - 1) for number in chain_of]
    grouped: list[list[_Graph]] = [[] for _ in range(max(numbers) + 1)]
    for number, segment in zip(numbers, segments, strict=True):
        grouped[number].append(segment)
    has_arcs = segments[0].times is None or all(segment.ids for segment in segments)
    require(has_arcs, "left: expected words in each timed segment")
    require(not alone or len(grouped) == 1, "chains: expected a single one")
    require(all(grouped), "chains: expected segments of each")
    sizes = [stream.size + 1 for stream in streams] + [len(chain) + 1 for chain in grouped]
    limits = (
        whole(most_updates, "most_updates", 0, 2**62),
        whole(most_bytes, "most_bytes", 0, 2**62),
    )
    if prod(sizes) > min(limits):
        return None
    return _States(grouped, streams).solve()


class _States:
    """Cost tables over the positions in all streams, for each state.

    A state is the number of processed segments of each chain.
    """

    def __init__(self, chains: Sequence[Sequence[_Graph]], streams: Sequence[_Graph]) -> None:
        self.chains, self.streams = chains, streams
        self.tables: dict[tuple[int, ...], dict[tuple[int, ...], int]] = {}

    def solve(self) -> tuple[int, bytes]:
        """Return the least cost and its assignment."""
        inserted = [_start(_NOTHING, stream, _UNIT) for stream in self.streams]
        cells = list(product(*(range(len(row)) for row in inserted)))
        counts = [range(len(chain) + 1) for chain in reversed(self.chains)]
        state: tuple[int, ...] = ()
        for reversed_state in product(*counts):
            state = reversed_state[::-1]
            if not any(state):
                self.tables[state] = {
                    cell: sum(row[spot] for row, spot in zip(inserted, cell, strict=True))
                    for cell in cells
                }
                continue
            table = dict.fromkeys(cells, FAR)
            for _, before, segment in self._steps(state):
                for number, stream in enumerate(self.streams):
                    for cell in cells:
                        if cell[number]:
                            continue
                        places = list(_moved_along(cell, number, stream))
                        row = [self.tables[before][spot] for spot in places]
                        laid = _laid(row, segment, stream, _UNIT)[-1]
                        for spot, cost in zip(places, laid, strict=True):
                            table[spot] = min(table[spot], cost)
            self.tables[state] = table
        return self.tables[state][cells[-1]], self._traced(state, cells[-1])

    def _steps(self, state: tuple[int, ...]) -> Iterator[tuple[int, tuple[int, ...], _Graph]]:
        """Yield each possible last step to `state`: chain, preceding state, and segment."""
        for chain, number in enumerate(state):
            if number:
                before = (*state[:chain], number - 1, *state[chain + 1 :])
                yield chain, before, self.chains[chain][number - 1]

    def _traced(self, state: tuple[int, ...], cell: tuple[int, ...]) -> bytes:
        """Return the chain and stream of each segment, found by tracing back from the end."""
        way: list[int] = []
        while any(state):
            steps = product(self._steps(state), enumerate(self.streams))
            for step, (number, stream) in steps:
                chain, before, segment = step
                places = list(_moved_along(cell, number, stream))
                rows = _laid([self.tables[before][spot] for spot in places], segment, stream, _UNIT)
                if rows[-1][cell[number]] == self.tables[state][cell]:
                    break
            end = segment.size, cell[number]
            spot = end[1]
            for begin, _ in _walk(rows, segment, stream, _UNIT, end):
                spot = begin[1]
            cell = places[spot]
            state = before
            way += [number, chain]
        return array("i", way[::-1]).tobytes()


def _moved_along(cell: tuple[int, ...], number: int, stream: _Graph) -> Iterator[tuple[int, ...]]:
    """Yield a cell at every position of stream `number`.

    Positions of other streams are unchanged.
    """
    for spot in range(stream.size + 1):
        yield (*cell[:number], spot, *cell[number + 1 :])


def combine_graphs_greedily(
    left: GraphArrays, right: GraphArrays, start: object
) -> tuple[int, bytes]:
    """Return a good assignment of segments to streams of word graphs; see `combine_greedily`."""
    segments, streams = _both(left, right)

    def move(choice: list[int], substitution: int) -> list[int]:
        return _moved(segments, streams, choice, _Prices(substitution=substitution))

    return moved_greedily(start, len(segments), len(streams), move)


def _moved(
    segments: Sequence[_Graph], streams: Sequence[_Graph], choice: list[int], prices: _Prices
) -> list[int]:
    """Move each segment at most once to a better stream, changing `choice` in place.

    Return the costs of the streams.
    """
    backward = [[_end(stream, prices)] for stream in streams]
    for number in range(len(segments) - 1, -1, -1):
        s = choice[number]
        backward[s].append(_laid_back(backward[s][-1], segments[number], streams[s], prices))

    def add(column: StreamCosts, segment: int, stream: int) -> StreamCosts:
        return _laid(column, segments[segment], streams[stream], prices)[-1]

    forward = [_start(_NOTHING, stream, prices) for stream in streams]
    return moved_once(choice, forward, backward, add)


def _may_pair(graph: _Graph, arc: int, facing_graph: _Graph, facing: int) -> bool:
    if graph.times is None or facing_graph.times is None:
        return True
    (begin, end), (start, finish) = graph.times[arc - 1], facing_graph.times[facing - 1]
    return begin < finish and start < end


def _alone(graph: _Graph, arc: int, facing_graph: _Graph, spot: int, price: int) -> int:
    """Return the cost of leaving an arc unpaired at position `spot` of the other side."""
    mark = graph.marks[arc - 1]
    if mark:
        return 0 if mark in (NULL_WORD, WILDCARD) else FAR
    is_after_wildcard = spot and facing_graph.marks[spot - 1] == WILDCARD
    return 0 if is_after_wildcard and _may_pair(graph, arc, facing_graph, spot) else price


def _facing(left: _Graph, arc: int, right: _Graph, spot: int, substitution: int) -> int:
    """Return the cost of pairing an arc with the arc at position `spot` of the other side."""
    marks = left.marks[arc - 1], right.marks[spot - 1]
    if {NULL_WORD, WILDCARD}.intersection(marks) or marks == (JOINED, JOINED):
        return FAR
    if not _may_pair(left, arc, right, spot):
        return FAR
    if left.ids[arc - 1] == right.ids[spot - 1]:
        return 0
    return FAR if any(marks) else substitution


def _start(left: _Graph, stream: _Graph, prices: _Prices) -> StreamCosts:
    """Return, for each position in a stream, the cost of leaving all arcs up to it unpaired."""
    row = [0]
    for spot in range(1, stream.size + 1):
        least = min(row[q] for q in stream.before[spot])
        row.append(min(FAR, least + _alone(stream, spot, left, 0, prices.insertion)))
    return row


def _end(stream: _Graph, prices: _Prices) -> StreamCosts:
    """Return, for each position in a stream, the cost of leaving all later arcs unpaired."""
    row = [0] * (stream.size + 1)
    for spot in range(stream.size - 1, -1, -1):
        ways = (
            row[q] + _alone(stream, q, _NOTHING, 0, prices.insertion) for q in stream.after[spot]
        )
        row[spot] = min(FAR, *ways)
    return row


def _laid(row: StreamCosts, segment: _Graph, stream: _Graph, prices: _Prices) -> list[StreamCosts]:
    """Return, for each position in a stream, the costs before and inside a segment.

    Row k has the costs after the first k arcs of the segment.
    """
    rows = [row]
    for arc in range(1, segment.size + 1):
        costs_here: StreamCosts = []
        for spot in range(stream.size + 1):
            ways = [
                cost for cost, _ in _ways(rows, costs_here, segment, stream, prices, (arc, spot))
            ]
            costs_here.append(min(FAR, *ways))
        rows.append(costs_here)
    return rows


def _ways(
    rows: Sequence[StreamCosts],
    costs_here: StreamCosts,
    segment: _Graph,
    stream: _Graph,
    prices: _Prices,
    cell: tuple[int, int],
) -> Iterator[tuple[int, tuple[int, int]]]:
    """Yield each step into a cell: the cost, and the cell from which it comes.

    `costs_here` is the part of the cell's row that is already known.
    """
    arc, spot = cell
    if spot and arc:
        price = _facing(segment, arc, stream, spot, prices.substitution)
        for p, q in product(segment.before[arc], stream.before[spot]):
            yield rows[p][q] + price, (p, q)
    if spot:
        price = _alone(stream, spot, segment, arc, prices.insertion)
        for q in stream.before[spot]:
            yield costs_here[q] + price, (arc, q)
    if arc:
        price = _alone(segment, arc, stream, spot, prices.deletion)
        for p in segment.before[arc]:
            yield rows[p][spot] + price, (p, spot)


def _walk(
    rows: Sequence[StreamCosts],
    segment: _Graph,
    stream: _Graph,
    prices: _Prices,
    end: tuple[int, int],
) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Yield the cells on the best path, from `end` back to the segment's start.

    Each cell is paired with its successor.
    """
    cell = end
    while cell[0]:
        costs_here = rows[cell[0]]
        ways = _ways(rows, costs_here, segment, stream, prices, cell)
        before = next(before for cost, before in ways if cost == costs_here[cell[1]])
        yield before, cell
        cell = before


def _walked_back(
    rows: Sequence[StreamCosts],
    left: _Graph,
    right: _Graph,
    prices: _Prices,
    end: tuple[int, int],
    last: int,
) -> Iterator[tuple[int, int]]:
    """Yield pairs of aligned arcs, from the end to the start of both sequences."""
    spot = end[1]
    for before, cell in _walk(rows, left, right, prices, end):
        yield cell[0] if before[0] != cell[0] else 0, cell[1] if before[1] != cell[1] else 0
        spot = before[1]
    while spot > last:
        price = _alone(right, spot, _NOTHING, 0, prices.insertion)
        before_place = next(q for q in right.before[spot] if rows[0][q] + price == rows[0][spot])
        yield 0, spot
        spot = before_place


def _laid_back(row: StreamCosts, segment: _Graph, stream: _Graph, prices: _Prices) -> StreamCosts:
    """Return, for each position in a stream, the cost of a segment and the rest of the stream.

    `row` has, for each position, the cost of what follows the segment.
    """
    if not segment.size:
        return row
    rows: list[StreamCosts] = [[] for _ in range(segment.size + 1)]
    for arc in range(segment.size, -1, -1):
        costs_here = rows[arc] = [FAR] * (stream.size + 1)
        for spot in range(stream.size, -1, -1):
            ways = [row[spot]] if arc == segment.size else []
            for q in stream.after[spot]:
                ways.append(costs_here[q] + _alone(stream, q, segment, arc, prices.insertion))
            for p in segment.after[arc]:
                ways.append(rows[p][spot] + _alone(segment, p, stream, spot, prices.deletion))
                ways += (
                    rows[p][q] + _facing(segment, p, stream, q, prices.substitution)
                    for q in stream.after[spot]
                )
            costs_here[spot] = min(FAR, *ways)
    return rows[0]


_NOTHING = _Graph((), None, (), ((),), ((),))


def _both(left: GraphArrays, right: GraphArrays) -> tuple[list[_Graph], list[_Graph]]:
    sides = [_columns(left, "left"), _columns(right, "right")]
    is_empty = any(not len(side[0]) for side in sides)
    timed = [len(side[1]) > 0 for side in sides]
    require(timed[0] == timed[1] or is_empty, "right: expected times where the left side has them")
    lefts, rights = (list(_sequences(side, any(timed))) for side in sides)
    return lefts, rights


def _sequences(
    side: tuple[list[int], list[int], list[int], list[int], bytes, list[int], list[int]],
    is_timed: bool,
) -> Iterator[_Graph]:
    ids, begins, ends, bounds, marks, offsets, predecessors = side
    for first, last in pairwise(bounds):
        before: list[list[int]] = [[]]
        after: list[list[int]] = [[] for _ in range(last - first + 1)]
        for arc in range(first, last):
            before.append(predecessors[offsets[arc] : offsets[arc + 1]])
            for spot in before[-1]:
                after[spot].append(arc - first + 1)
        times = list(zip(begins[first:last], ends[first:last], strict=True))
        yield _Graph(ids[first:last], times if is_timed else None, marks[first:last], before, after)


def _columns(
    side: object, name: str
) -> tuple[list[int], list[int], list[int], list[int], bytes, list[int], list[int]]:
    if not isinstance(side, tuple) or len(side) != 7:
        raise unexpected(name, "seven columns", side)
    ids, begins, ends, bounds = side_columns(side[:4], name)
    marks = bytes(buffer(side[4], "bytes", f"{name}.marks"))
    offsets = list(buffer(side[5], "int32", f"{name}.offsets"))
    predecessors = list(buffer(side[6], "int32", f"{name}.predecessors"))
    require(len(marks) == len(ids), f"{name}.marks: expected one for each arc")
    require(all(mark <= JOINED_ALIKE for mark in marks), f"{name}.marks: expected numbers to 4")
    fits = len(offsets) == len(ids) + 1 and offsets[0] == 0 and offsets[-1] == len(predecessors)
    require(fits, f"{name}.offsets: expected numbers from 0 to that of the predecessors")
    for first, last in pairwise(bounds):
        for arc in range(first, last):
            costs_here = predecessors[offsets[arc] : offsets[arc + 1]]
            has_own = bool(costs_here) and 0 <= offsets[arc] < offsets[arc + 1] <= len(predecessors)
            require(has_own, f"{name}.predecessors: expected one of each arc")
            in_range = all(0 <= spot <= arc - first for spot in costs_here)
            require(in_range, f"{name}.predecessors: expected earlier arcs of the sequence")
    return ids, begins, ends, bounds, marks, offsets, predecessors
