"""Search for the longest common runs of two sequences, recursively and in bounded time.

A common run is a range of the reference that equals a range of the hypothesis. A block is a run
that is chosen. Runs are sorted by integer keys, see `_key`. A gap is a range that no chosen block
covers yet.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Hashable, Iterator, Sequence
from heapq import heappop, heappush
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Most pairs of equal items of both sides; each takes at most a tenth of a microsecond and 16 bytes.
MOST_PAIRS = 1 << 25
# So few are listed without numpy, whose import would take longer.
FEW_PAIRS = 1 << 14
_BITS = 21
_SPAN = 1 << _BITS
_CHUNK = 1 << 16


def matching_blocks(
    reference: Sequence[Hashable], hypothesis: Sequence[Hashable]
) -> list[tuple[int, int, int]]:
    """Return the blocks of `difflib.SequenceMatcher`, without junk and the empty last block.

    `difflib` searches each part again, which takes cubic time if words repeat. This function lists
    the common runs once, chooses the longest first, and removes the overlap from shorter runs. If
    words repeat, most runs are inside earlier blocks and are dropped in batches.
    """
    blocks: list[tuple[int, int, int]] = []
    # what lies between the blocks: begins and ends in both sides
    begins, gaps = [0], [(len(reference), 0, len(hypothesis))]
    parts: list[int] = []
    for key in _merged(_runs(reference, hypothesis), parts, begins, gaps):
        if not gaps:
            break
        size, begin = _SPAN - 1 - (key >> 2 * _BITS), key >> _BITS & _SPAN - 1
        facing = key & _SPAN - 1
        shift, number = facing - begin, max(0, bisect_right(begins, begin) - 1)
        while number < len(gaps) and begins[number] < begin + size:
            end, low, high = gaps[number]
            first = max(begin, begins[number], low - shift)
            last = min(begin + size, end, high - shift)
            if last - first == size:
                blocks.append((begin, facing, size))
                rest = [(begins[number], begin, low, facing), (last, end, facing + size, high)]
                rest = [gap for gap in rest if gap[0] < gap[1] and gap[2] < gap[3]]
                begins[number : number + 1] = [gap[0] for gap in rest]
                gaps[number : number + 1] = [gap[1:] for gap in rest]
                break
            if last > first:
                heappush(parts, _key(last - first, first, first + shift))
            number += 1
    return sorted(blocks)


def _key(size: int, begin: int, facing: int) -> int:
    """Return the key by which common runs are sorted: long runs first, then by their starts."""
    return (_SPAN - 1 - size) << 2 * _BITS | begin << _BITS | facing


def _merged(
    keys: array[int], parts: list[int], begins: list[int], gaps: list[tuple[int, int, int]]
) -> Iterator[int]:
    """Yield the sorted `keys` in order, merged with keys that the caller adds to the heap `parts`.

    Keys of runs outside all gaps are skipped: gaps only shrink, so that no later gap contains these
    runs.
    """
    for begin in range(0, len(keys), _CHUNK):
        chunk = keys[begin : begin + _CHUNK]
        for key in chunk.tolist() if len(keys) <= FEW_PAIRS else _reaching(chunk, begins, gaps):
            while parts and parts[0] < key:
                yield heappop(parts)
            yield key
    while parts:
        yield heappop(parts)


def _reaching(
    keys: array[int], begins: list[int], gaps: list[tuple[int, int, int]]
) -> Sequence[int]:
    """Return the keys of runs that may be partly in a gap."""
    if not gaps:
        return ()
    import numpy as np

    values = np.frombuffer(keys, np.int64)
    starts = np.array(begins, np.int64)
    ends, lows, highs = np.array(gaps, np.int64).T
    begin, facing = values >> _BITS & _SPAN - 1, values & _SPAN - 1
    end, shift = begin + (_SPAN - 1 - (values >> 2 * _BITS)), facing - begin
    number = np.maximum(np.searchsorted(starts, begin, "right") - 1, 0)
    first = np.maximum(np.maximum(begin, starts[number]), lows[number] - shift)
    last = np.minimum(np.minimum(end, ends[number]), highs[number] - shift)
    # or into one of the gaps after it
    is_long = np.append(starts, _SPAN)[number + 1] < end
    reaching: list[int] = values[(first < last) | is_long].tolist()
    return reaching


def _runs(reference: Sequence[Hashable], hypothesis: Sequence[Hashable]) -> array[int]:
    """Return the sorted keys of all common runs that cannot be extended."""
    places: dict[Hashable, list[int]] = {}
    for position, item in enumerate(hypothesis):
        places.setdefault(item, []).append(position)
    pairs = sum(len(places.get(item, ())) for item in reference)
    if pairs > MOST_PAIRS or max(len(reference), len(hypothesis)) >= _SPAN:
        raise ValueError(
            f"expected at most {MOST_PAIRS} pairs of equal words and {_SPAN - 1} words a side, "
            f"found {pairs} pairs of {len(reference)} and {len(hypothesis)} words: cut the text"
        )
    if pairs > FEW_PAIRS:
        return _many_runs(reference, hypothesis, places)
    keys = array("q")
    before: dict[int, int] = {}
    for end in range(len(reference) + 1):
        row: dict[int, int] = {}
        if end < len(reference):
            for facing in places.get(reference[end], ()):
                row[facing] = before.get(facing - 1, 0) + 1
        keys.extend(
            _key(size, end - size, facing + 1 - size)
            for facing, size in before.items()
            if facing + 1 not in row
        )
        before = row
    return array("q", sorted(keys))


def _many_runs(
    reference: Sequence[Hashable],
    hypothesis: Sequence[Hashable],
    places: dict[Hashable, list[int]],
) -> array[int]:
    """Return the keys of all maximal common runs, computed for each reference word with numpy."""
    import numpy as np

    numbers = {item: number for number, item in enumerate(places)}
    columns = [np.array(positions, np.int64) for positions in places.values()]
    # at its end the hypothesis has an item of its own, and so has the reference
    items = np.array([*map(numbers.__getitem__, hypothesis), -1], np.int64)
    sizes = np.zeros(len(hypothesis) + 1, np.int64)
    keys = array("q")
    nothing: NDArray[np.int64] = np.zeros(0, np.int64)
    before, lengths = nothing, nothing
    for end in range(len(reference) + 1):
        number = numbers.get(reference[end], -2) if end < len(reference) else -2
        is_over = items[before + 1] != number
        size, begin = lengths[is_over], end - lengths[is_over]
        facing = before[is_over] + 1 - size
        ended = (_SPAN - 1 - size) << 2 * _BITS | begin << _BITS | facing
        keys.frombytes(ended.tobytes())
        row = columns[number] if number >= 0 else nothing
        grown = sizes[row] + 1
        sizes[before + 1] = 0
        sizes[row + 1] = grown
        before, lengths = row, grown
    np.frombuffer(keys, np.int64).sort()  # in place
    return keys
