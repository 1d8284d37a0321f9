"""Align the words of several speakers with those of several streams, in plain Python.

`scoring._native.speakers` has the same functions, many times faster. A side has four columns: the
words as numbers from 0 (int32); their start times and end times (int64; both empty if times are
ignored); and the offset of each sequence of words, with the total last. Times are ranks: only their
order matters. Two words may be paired if each starts before the other one ends.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from itertools import pairwise, product
from math import prod
from typing import NamedTuple, TypeAlias

from scoring.alignment.arguments import buffer, require, unexpected, whole

# ids, begins, ends, bounds
SideArrays: TypeAlias = tuple[object, object, object, object]
# The cost of a cell, and the way there: pairs of chain and stream.
CostCell: TypeAlias = tuple[int, tuple[tuple[int, int], ...]]
CostTable: TypeAlias = dict[tuple[int, ...], CostCell]
# Costs of places of a stream.
StreamCosts: TypeAlias = list[int]
MOST_PASSES = 49
DELETION, INSERTION = 2, 3
MOST_IDS = 2**26


class _Words(NamedTuple):
    """A sequence: its words, and the start and end time of each word; None without times."""

    ids: Sequence[int]
    times: Sequence[tuple[int, int]] | None


def distances(left: SideArrays, right: SideArrays) -> bytes:
    """Return the edit distance (int64) of each left sequence to each right sequence."""
    lefts, rights = _both(left, right)
    pairs = product(lefts, rights)
    return array("q", [_rows(segment, stream)[-1][-1] for segment, stream in pairs]).tobytes()


def align_timed(left: SideArrays, right: SideArrays) -> tuple[bytes, bytes]:
    """Align each left sequence with the right sequence of the same number.

    Returns the `scoring.Edit` bytes of all pairs, and where the edits of each pair begin and the
    last ones end (int64). Ties are resolved from the end: an insertion is preferred to a deletion,
    and a deletion to a pair.
    """
    lefts, rights = _both(left, right)
    require(len(lefts) == len(rights), "right: expected as many sequences as left")
    timed = all(words.times is not None for words in (*lefts, *rights))
    is_empty = not any(words.ids for words in lefts) or not any(words.ids for words in rights)
    require(timed or is_empty, "left: expected times")
    edits = bytearray()
    bounds = [0]
    for left_words, right_words in zip(lefts, rights, strict=True):
        edits += _edits(left_words, right_words)
        bounds.append(len(edits))
    return bytes(edits), array("q", bounds).tobytes()


def _edits(left: _Words, right: _Words) -> bytes:
    rows = _rows(left, right)
    i, j = len(left.ids), len(right.ids)
    edits = bytearray()
    while i or j:
        if j and (not i or rows[i][j] == rows[i][j - 1] + 1):
            edits.append(INSERTION)
            j -= 1
        elif not j or rows[i][j] == rows[i - 1][j] + 1:
            edits.append(DELETION)
            i -= 1
        else:
            i, j = i - 1, j - 1
            edits.append(left.ids[i] != right.ids[j])
    return bytes(edits[::-1])


def combine(
    left: SideArrays,
    chains: object,
    right: SideArrays,
    alone: bool,
    most_updates: int,
    most_bytes: int,
) -> tuple[int, bytes] | None:
    """Return the cheapest assignment of segments to streams.

    The words of a stream are those of its segments, in order. `chains` (int32) has the chain of
    each segment; the segments of a chain keep their order. With `alone` there is one chain, and a
    timed segment goes to a stream that has words at the same time, if there is such a stream.
    `most_updates` limits the number of computed cells, and `most_bytes` the memory.

    Returns the cost, and pairs of chain and stream (int32) in the order of assignment; None if a
    limit is exceeded. Among equally cheap assignments, the result is that of meeteval; with times,
    only the compiled core ensures this.
    """
    segments, streams = _both(left, right)
    chain_of = buffer(chains, "int32", "chains")
    require(len(chain_of) == len(segments), "chains: expected one for each segment")
    require(bool(streams and segments), "right: expected a stream, and a segment on the left")
    numbers = [whole(number, "chains", 0, len(chain_of) - 1) for number in chain_of]
    grouped: list[list[_Words]] = [[] for _ in range(max(numbers) + 1)]
    for number, segment in zip(numbers, segments, strict=True):
        grouped[number].append(segment)
    timed = segments[0].times is not None
    has_words = not timed or all(segment.ids for segment in segments)
    require(has_words, "left: expected words in each timed segment")
    require(not alone or len(grouped) == 1, "chains: expected a single one")
    require(all(grouped), "chains: expected segments of each")
    sizes = [len(words.ids) + 1 for words in streams] + [len(chain) + 1 for chain in grouped]
    limits = (
        whole(most_updates, "most_updates", 0, 2**62),
        whole(most_bytes, "most_bytes", 0, 2**62),
    )
    if prod(sizes) > min(limits):
        return None
    return _Grid(grouped, streams, alone and timed).solve()


class _Grid:
    """The states of the search: tables from positions in the streams to a cost and a step."""

    def __init__(
        self, chains: Sequence[Sequence[_Words]], streams: Sequence[_Words], skips: bool
    ) -> None:
        self.chains, self.streams, self.skips = chains, streams, skips
        self.cells = list(product(*(range(len(stream.ids) + 1) for stream in streams)))

    def solve(self) -> tuple[int, bytes]:
        """Return the cheapest assignment and its cost."""
        start = tuple(0 for _ in self.chains)
        states: dict[tuple[int, ...], CostTable] = {
            start: {cell: (sum(cell), ()) for cell in self.cells}
        }
        counts = [range(len(chain) + 1) for chain in reversed(self.chains)]
        for reversed_state in product(*counts):
            state = reversed_state[::-1]
            if state == start:
                continue
            table: CostTable = {}
            for chain, number in enumerate(state):
                if number:
                    before = states[(*state[:chain], number - 1, *state[chain + 1 :])]
                    self._assign(chain, number - 1, before, table)
            states[state] = table
        cost, way = table[self.cells[-1]]
        return cost, array("i", [number for step in way for number in step]).tobytes()

    def _assign(self, chain: int, number: int, before: CostTable, table: CostTable) -> None:
        """Try a segment in each possible stream; keep the least cost of each cell in `table`."""
        segment = self.chains[chain][number]
        for stream_number, stream in enumerate(self.streams):
            if not self._takes(segment, stream_number):
                continue
            for start in self.cells:
                if start[stream_number]:
                    continue
                head, tail = start[:stream_number], start[stream_number + 1 :]
                cells = [(*head, place, *tail) for place in range(len(stream.ids) + 1)]
                row = _forward([before[cell] for cell in cells], segment, stream)
                for cell, (cost, way) in zip(cells, row, strict=True):
                    if cell not in table or cost < table[cell][0]:
                        table[cell] = (cost, (*way, (chain, stream_number)))

    def _takes(self, segment: _Words, stream: int) -> bool:
        if not self.skips:
            return True
        speaking = [_speaks(segment, words) for words in self.streams]
        return speaking[stream] if any(speaking) else stream == len(speaking) - 1


def _speaks(segment: _Words, stream: _Words) -> bool:
    """Return True if any word of a stream may be paired with any word of a segment."""
    assert segment.times is not None
    assert stream.times is not None
    begin, end = min(begin for begin, _ in segment.times), max(end for _, end in segment.times)
    return any(begin <= ends and begins < end for begins, ends in stream.times)


def _forward(row: Sequence[CostCell], segment: _Words, stream: _Words) -> Sequence[CostCell]:
    """Return the row of costs after the words of a segment, given the row before them.

    A cell is the cost of the best path to it, and the position in `row` where this path starts.
    """
    for i in range(len(segment.ids)):
        following = [(row[0][0] + 1, row[0][1])]
        for j, same in enumerate(stream.ids):
            paired = _may_pair(segment, i, stream, j)
            if paired and segment.ids[i] == same:
                following.append(row[j])
                continue
            best = following[j]
            if row[j + 1][0] < best[0]:
                best = row[j + 1]
            if paired and row[j][0] < best[0]:
                best = row[j]
            following.append((best[0] + 1, best[1]))
        row = following
    return row


def combine_greedily(left: SideArrays, right: SideArrays, start: object) -> tuple[int, bytes]:
    """Return a good assignment of segments to streams: move single segments while the cost falls.

    `start` (int32) has the stream to which each segment is assigned before the search. Returns the
    cost, and the final stream of each segment (int32).
    """
    segments, streams = _both(left, right)

    def move(choice: list[int], substitution: int) -> list[int]:
        return _moved(segments, streams, choice, substitution)

    return moved_greedily(start, len(segments), len(streams), move)


def moved_greedily(
    start: object, segments: int, streams: int, move: Callable[[list[int], int], list[int]]
) -> tuple[int, bytes]:
    """Return the cost and the stream of each segment after passes of `move` from a start.

    `move` changes an assignment in place, at the cost of a substitution, and returns the costs of
    the streams.
    """
    first = buffer(start, "int32", "start")
    require(len(first) == segments, "start: expected a stream of each segment")
    choice = list(first)
    in_range = all(0 <= stream < streams for stream in choice)
    require(in_range, "start: expected numbers of streams")
    costs = [0] * streams
    for substitution in (2, 1):
        for _ in range(MOST_PASSES):
            before = list(choice)
            costs = move(choice, substitution)
            if before == choice:
                break
    return sum(costs), array("i", choice).tobytes()


def _moved(
    segments: Sequence[_Words], streams: Sequence[_Words], choice: list[int], substitution: int
) -> list[int]:
    """Move each segment at most once to a better stream, changing `choice` in place.

    Return the costs of the streams.
    """
    backward = [[list(range(len(stream.ids), -1, -1))] for stream in streams]
    for number in range(len(segments) - 1, -1, -1):
        s = choice[number]
        mirrored = _each_row(
            backward[s][-1][::-1], _reversed(segments[number]), _reversed(streams[s]), substitution
        )
        backward[s].append(mirrored[::-1])

    def add(column: StreamCosts, segment: int, stream: int) -> StreamCosts:
        return _each_row(column, segments[segment], streams[stream], substitution)

    forward = [list(range(len(stream.ids) + 1)) for stream in streams]
    return moved_once(choice, forward, backward, add)


def moved_once(
    choice: list[int],
    forward: list[StreamCosts],
    backward: Sequence[list[StreamCosts]],
    add: Callable[[StreamCosts, int, int], StreamCosts],
) -> list[int]:
    """Move each segment at most once to a better stream, changing `choice` in place.

    `forward` and `backward` have the columns of costs of each stream: those before its first
    segment, and those of its segments from the last to the first. `add` returns the column of a
    stream after one more segment. Returns the costs of the streams.
    """
    costs = [columns[-1][0] for columns in backward]
    for number, current in enumerate(choice):
        updated = [add(column, number, stream) for stream, column in enumerate(forward)]
        including = [
            min(map(sum, zip(column, columns[-1], strict=True)))
            for column, columns in zip(updated, backward, strict=True)
        ]
        without = list(costs)
        including[current] = costs[current]
        without[current] = min(map(sum, zip(forward[current], backward[current][-2], strict=True)))
        gains = [more - less for more, less in zip(including, without, strict=True)]
        best = current if min(gains) == gains[current] else gains.index(min(gains))
        forward[best] = updated[best]
        backward[current].pop()
        if best != current:
            costs[best], costs[current] = including[best], without[current]
            choice[number] = best
    return costs


def _reversed(words: _Words) -> _Words:
    return _Words(words.ids[::-1], None if words.times is None else words.times[::-1])


def _may_pair(left: _Words, i: int, right: _Words, j: int) -> bool:
    if left.times is None or right.times is None:
        return True
    return left.times[i][0] < right.times[j][1] and right.times[j][0] < left.times[i][1]


def _rows(left: _Words, right: _Words) -> list[list[int]]:
    """Return the whole cost table of two sequences."""
    rows: list[list[int]] = [list(range(len(right.ids) + 1))]
    _each_row(rows[0], left, right, 1, rows.append)
    return rows


def _each_row(
    row: Sequence[int],
    left: _Words,
    right: _Words,
    substitution: int,
    keep: Callable[[list[int]], None] = lambda row: None,
) -> list[int]:
    """Return the row of costs after all words of the left side, given the row before them.

    Each intermediate row is passed to `keep`.
    """
    last = list(row)
    for i, word in enumerate(left.ids):
        following = [last[0] + 1]
        for j, facing in enumerate(right.ids):
            best = min(following[j], last[j + 1]) + 1
            if _may_pair(left, i, right, j):
                best = min(best, last[j] + (0 if word == facing else substitution))
            following.append(best)
        last = following
        keep(last)
    return last


def _both(left: SideArrays, right: SideArrays) -> tuple[list[_Words], list[_Words]]:
    sides = [side_columns(left, "left"), side_columns(right, "right")]
    is_empty = any(not len(side[0]) for side in sides)
    timed = [len(side[1]) > 0 for side in sides]
    require(timed[0] == timed[1] or is_empty, "right: expected times where the left side has them")
    lefts, rights = (
        [
            _Words(
                ids[first:last],
                list(zip(begins[first:last], ends[first:last], strict=True))
                if any(timed)
                else None,
            )
            for first, last in pairwise(bounds)
        ]
        for ids, begins, ends, bounds in sides
    )
    return lefts, rights


def side_columns(side: object, name: str) -> tuple[list[int], list[int], list[int], list[int]]:
    """Return the four columns of a side; raise TypeError or ValueError if they are invalid."""
    if not isinstance(side, tuple) or len(side) != 4:
        raise unexpected(name, "four columns", side)
    ids = list(buffer(side[0], "int32", f"{name}.ids"))
    begins = list(buffer(side[1], "int64", f"{name}.begins"))
    ends = list(buffer(side[2], "int64", f"{name}.ends"))
    bounds = list(buffer(side[3], "int64", f"{name}.bounds"))
    fits = len(begins) == len(ends) and len(begins) in (0, len(ids))
    require(fits, f"{name}: expected no times, or two of each word")
    whole_side = bool(bounds) and bounds[0] == 0 and bounds[-1] == len(ids)
    require(whole_side, f"{name}.bounds: expected numbers from 0 to that of the words")
    require(sorted(bounds) == bounds, f"{name}.bounds: expected them in ascending order")
    in_range = all(0 <= number < MOST_IDS for number in ids)
    require(in_range, f"{name}.ids: expected numbers from 0 to below 2**26")
    return ids, begins, ends, bounds
