"""Words of several speakers against those of several streams, as numbers: the plain twin.

`scoring._native.speakers` has the same functions, many times faster. A side is four columns: the
words as numbers from 0 on (int32), when each begins and ends (int64; both empty where times do not
matter), and where each sequence of words begins, with the end of the last. Times are ranks: two
words may be paired if each begins before the other ends, and nothing else is asked of them.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import accumulate, pairwise, product
from typing import NamedTuple, TypeAlias

from scoring.alignment.arguments import buffer, require, unexpected, whole

# ids, begins, ends, bounds
Side: TypeAlias = tuple[object, object, object, object]
# What a place costs, and the way there: pairs of chain and stream.
Cell: TypeAlias = tuple[int, tuple[tuple[int, int], ...]]
MOST_PASSES = 49
DELETION, INSERTION = 2, 3
MOST_IDS = 2**26


class _Words(NamedTuple):
    """A sequence: its words, and when each begins and ends; None without times."""

    ids: Sequence[int]
    times: Sequence[tuple[int, int]] | None


def rank_times(numerators: object, denominators: object) -> bytes:
    """Ranks of fractions (int64), from 0 on; equal ones have equal ranks.

    Denominators lie below 2**31.
    """
    above, below = (
        buffer(one, "int64", name)
        for one, name in ((numerators, "numerators"), (denominators, "denominators"))
    )
    require(len(above) == len(below), "denominators: expected one for each numerator")
    fits = all(0 < one < 2**31 for one in below)
    require(fits, "denominators: expected numbers from 1 to below 2**31")
    values = list(map(Fraction, above, below))
    ranks = {value: rank for rank, value in enumerate(sorted(set(values)))}
    return array("q", [ranks[value] for value in values]).tobytes()


def distances(left: Side, right: Side) -> bytes:
    """The fewest edits (int64) between each sequence on the left and each on the right."""
    lefts, rights = _both(left, right)
    return array("q", [_rows(one, other)[-1][-1] for one in lefts for other in rights]).tobytes()


def align_timed(left: Side, right: Side) -> tuple[bytes, bytes]:
    """Edits of each sequence on the left with its partner, as of `scoring.Edit`; their bounds.

    Walking back from the end, an insertion is taken where one is cheapest, else a deletion, else a
    pair.
    """
    lefts, rights = _both(left, right)
    require(len(lefts) == len(rights), "right: expected as many sequences as left")
    timed = not any(one.times is None for one in (*lefts, *rights))
    require(timed or not _words_of(lefts) or not _words_of(rights), "left: expected times")
    edits = bytearray()
    bounds = [0]
    for one, other in zip(lefts, rights, strict=True):
        rows = _rows(one, other)
        i, j = len(one.ids), len(other.ids)
        found = bytearray()
        while i or j:
            if j and (not i or rows[i][j] == rows[i][j - 1] + 1):
                found.append(INSERTION)
                j -= 1
            elif not j or rows[i][j] == rows[i - 1][j] + 1:
                found.append(DELETION)
                i -= 1
            else:
                i, j = i - 1, j - 1
                found.append(one.ids[i] != other.ids[j])
        edits += found[::-1]
        bounds.append(len(edits))
    return bytes(edits), array("q", bounds).tobytes()


def combine(
    left: Side, chains: object, right: Side, alone: bool, most_updates: int, most_bytes: int
) -> tuple[int, bytes] | None:
    """The cheapest way to lay segments on streams, whose words then stand one after the other.

    Parameters
    ----------
    left, right
        Segments, and streams.
    chains
        Of each segment to which chain it belongs (int32), whose order is kept; segments of
        different chains may stand in any order.
    alone
        There is one chain, and a timed segment does not go to a stream that says nothing at its
        time, unless no stream does.
    most_updates, most_bytes
        Cells that may be worked out, and memory they may take.

    Returns
    -------
    tuple
        The cost, and the way: pairs of chain and stream (int32), in the order the segments are
        laid down. None: it would take more than is allowed. Of equally cheap ways that one is
        taken which meeteval takes; with times the compiled core alone does so.
    """
    segments, streams = _both(left, right)
    of = buffer(chains, "int32", "chains")
    require(len(of) == len(segments), "chains: expected one for each segment")
    require(bool(streams and segments), "right: expected a stream, and a segment on the left")
    numbers = [whole(one, "chains", 0, len(of) - 1) for one in of]
    grouped: list[list[_Words]] = [[] for _ in range(max(numbers) + 1)]
    for number, segment in zip(numbers, segments, strict=True):
        grouped[number].append(segment)
    timed = segments[0].times is not None
    require(
        not timed or all(one.ids for one in segments), "left: expected words in each timed segment"
    )
    require(not alone or len(grouped) == 1, "chains: expected a single one")
    require(all(grouped), "chains: expected segments of each")
    sizes = [len(stream.ids) + 1 for stream in streams]
    cells = 1
    for size in (*sizes, *(len(chain) + 1 for chain in grouped)):
        cells *= size
    allowed = min(
        whole(most_updates, "most_updates", 0, 2**62), whole(most_bytes, "most_bytes", 0, 2**62)
    )
    if cells > allowed:
        return None
    return _Grid(grouped, streams, alone and timed).solve()


class _Grid:
    """All states, each a table from places of the streams to a cost and the way there."""

    def __init__(
        self, chains: Sequence[Sequence[_Words]], streams: Sequence[_Words], skips: bool
    ) -> None:
        self.chains, self.streams, self.skips = chains, streams, skips

    def solve(self) -> tuple[int, bytes]:
        """The cheapest of all ways."""
        every = list(product(*(range(len(stream.ids) + 1) for stream in self.streams)))
        none = tuple(0 for _ in self.chains)
        states: dict[tuple[int, ...], dict[tuple[int, ...], Cell]] = {
            none: {places: (sum(places), ()) for places in every}
        }
        counts = [range(len(chain) + 1) for chain in reversed(self.chains)]
        for reversed_used in product(*counts):
            used = reversed_used[::-1]
            if used == none:
                continue
            found: dict[tuple[int, ...], Cell] = {}
            for chain, number in enumerate(used):
                if not number:
                    continue
                before = states[(*used[:chain], number - 1, *used[chain + 1 :])]
                segment = self.chains[chain][number - 1]
                for at, stream in enumerate(self.streams):
                    if not self._takes(segment, at):
                        continue
                    for start in every:
                        if start[at]:
                            continue
                        places = [
                            (*start[:at], place, *start[at + 1 :])
                            for place in range(len(stream.ids) + 1)
                        ]
                        row = [before[one] for one in places]
                        for one, (cost, way) in zip(
                            places, _forward(row, segment, stream), strict=True
                        ):
                            if one not in found or cost < found[one][0]:
                                found[one] = (cost, (*way, (chain, at)))
            states[used] = found
        cost, way = found[every[-1]]
        return cost, array("i", [number for step in way for number in step]).tobytes()

    def _takes(self, segment: _Words, at: int) -> bool:
        if not self.skips:
            return True
        speaking = [_speaks(segment, stream) for stream in self.streams]
        return speaking[at] if any(speaking) else at == len(speaking) - 1


def _speaks(segment: _Words, stream: _Words) -> bool:
    """Whether a stream has a word that may be paired with one of a segment."""
    assert segment.times is not None
    assert stream.times is not None
    begin, end = min(one[0] for one in segment.times), max(one[1] for one in segment.times)
    return any(begin <= ends and begins < end for begins, ends in stream.times)


def _forward(row: Sequence[Cell], segment: _Words, stream: _Words) -> Sequence[Cell]:
    """A row after the words of a segment, each cell with the way it was come by."""
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


def combine_greedily(left: Side, right: Side, start: object) -> tuple[int, bytes]:
    """A good way to lay segments on streams: they are moved one by one as long as that helps.

    Parameters
    ----------
    start
        The stream of each segment to start from (int32).

    Returns
    -------
    tuple
        The cost, and the stream of each segment (int32).
    """
    segments, streams = _both(left, right)
    first = buffer(start, "int32", "start")
    require(len(first) == len(segments), "start: expected a stream of each segment")
    choice = list(first)
    known = all(0 <= one < len(streams) for one in choice)
    require(known, "start: expected numbers of streams")
    costs = [0] * len(streams)
    for substitution in (2, 1):
        for _ in range(MOST_PASSES):
            before = list(choice)
            costs = _moved(segments, streams, choice, substitution)
            if before == choice:
                break
    return sum(costs), array("i", choice).tobytes()


def _moved(
    segments: Sequence[_Words], streams: Sequence[_Words], choice: list[int], substitution: int
) -> list[int]:
    """One pass over the segments; `choice` is changed. The costs of the streams."""
    backward = [[list(range(len(stream.ids), -1, -1))] for stream in streams]
    for at in range(len(segments) - 1, -1, -1):
        s = choice[at]
        mirrored = _column(
            backward[s][-1][::-1], _reversed(streams[s]), _reversed(segments[at]), substitution
        )
        backward[s].append(mirrored[::-1])
    costs = [columns[-1][0] for columns in backward]
    forward = [list(range(len(stream.ids) + 1)) for stream in streams]
    for at, segment in enumerate(segments):
        current = choice[at]
        updated = [
            _column(column, stream, segment, substitution)
            for column, stream in zip(forward, streams, strict=True)
        ]
        with_it = [
            min(map(sum, zip(updated[s], backward[s][-1], strict=True)))
            for s in range(len(streams))
        ]
        without = list(costs)
        with_it[current] = costs[current]
        without[current] = min(map(sum, zip(forward[current], backward[current][-2], strict=True)))
        gains = [one - other for one, other in zip(with_it, without, strict=True)]
        best = current if min(gains) == gains[current] else gains.index(min(gains))
        forward[best] = updated[best]
        backward[current].pop()
        if best != current:
            costs[best], costs[current] = with_it[best], without[current]
            choice[at] = best
    return costs


def _reversed(words: _Words) -> _Words:
    return _Words(words.ids[::-1], None if words.times is None else words.times[::-1])


def _may_pair(one: _Words, i: int, other: _Words, j: int) -> bool:
    if one.times is None or other.times is None:
        return True
    return one.times[i][0] < other.times[j][1] and other.times[j][0] < one.times[i][1]


def _column(column: Sequence[int], stream: _Words, segment: _Words, substitution: int) -> list[int]:
    """The costs up to each place of a stream, after the words of a segment too."""
    return _each_row(column, segment, stream, substitution, lambda row: None)


def _rows(one: _Words, other: _Words) -> list[list[int]]:
    """The whole grid of two sequences."""
    rows: list[list[int]] = [list(range(len(other.ids) + 1))]
    _each_row(rows[0], one, other, 1, rows.append)
    return rows


def _each_row(
    row: Sequence[int],
    one: _Words,
    other: _Words,
    substitution: int,
    keep: Callable[[list[int]], None],
) -> list[int]:
    last = list(row)
    for i in range(len(one.ids)):
        following = [last[0] + 1]
        for j, same in enumerate(other.ids):
            best = min(following[j], last[j + 1]) + 1
            if _may_pair(one, i, other, j):
                best = min(best, last[j] + (0 if one.ids[i] == same else substitution))
            following.append(best)
        last = following
        keep(last)
    return last


def _both(left: Side, right: Side) -> tuple[list[_Words], list[_Words]]:
    sides = [_columns(left, "left"), _columns(right, "right")]
    (ids, begins, *_), (others, other_begins, *_) = sides
    same = (len(begins) > 0) == (len(other_begins) > 0) or not len(ids) or not len(others)
    require(same, "right: expected times where the left side has them")
    timed = len(begins) > 0 or len(other_begins) > 0
    found = [
        [
            _Words(
                ids[first:last],
                list(zip(begins[first:last], ends[first:last], strict=True)) if timed else None,
            )
            for first, last in pairwise(bounds)
        ]
        for ids, begins, ends, bounds in sides
    ]
    return found[0], found[1]


def _columns(
    side: object, name: str
) -> tuple[Sequence[int], Sequence[int], Sequence[int], Sequence[int]]:
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
    ascending = list(accumulate(bounds, max)) == bounds
    require(ascending, f"{name}.bounds: expected them in ascending order")
    known = all(0 <= one < MOST_IDS for one in ids)
    require(known, f"{name}.ids: expected numbers from 0 to below 2**26")
    return ids, begins, ends, bounds


def _words_of(sequences: Sequence[_Words]) -> int:
    return sum(len(one.ids) for one in sequences)
