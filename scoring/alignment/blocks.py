"""The longest common stretch of two sequences, then those beside it, in bounded time."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Hashable, Iterator, Sequence
from heapq import heappop, heappush
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Most pairs of equal items of both sides; each takes about a microsecond and eight bytes.
MOST_PAIRS = 1 << 25
_BITS = 21
_SPAN = 1 << _BITS
_CHUNK = 1 << 16


def matching_blocks(
    reference: Sequence[Hashable], hypothesis: Sequence[Hashable]
) -> list[tuple[int, int, int]]:
    """The blocks of `difflib.SequenceMatcher(None, …, autojunk=False)`, without the empty last one.

    That searches each part anew, which takes the cube of the length where words repeat. Here the
    common stretches are listed once, the longest are taken first, and what the blocks leave of the
    others is cut out of them.

    Examples
    --------
    >>> matching_blocks("abxcd", "abcd")
    [(0, 0, 2), (3, 2, 2)]
    """
    blocks: list[tuple[int, int, int]] = []
    # what lies between the blocks: begins and ends in both sides
    begins, gaps = [0], [(len(reference), 0, len(hypothesis))]
    parts: list[int] = []
    for key in _merged(_runs(reference, hypothesis), parts):
        if not gaps:
            break
        size, at, other = _SPAN - 1 - (key >> 2 * _BITS), key >> _BITS & _SPAN - 1, key & _SPAN - 1
        shift, place = other - at, max(0, bisect_right(begins, at) - 1)
        while place < len(gaps) and begins[place] < at + size:
            end, low, high = gaps[place]
            first, last = max(at, begins[place], low - shift), min(at + size, end, high - shift)
            if last - first == size:
                blocks.append((at, other, size))
                beside = [
                    (begins[place], at, low, other),
                    (last, end, other + size, high),
                ]
                left = [gap for gap in beside if gap[0] < gap[1] and gap[2] < gap[3]]
                begins[place : place + 1] = [gap[0] for gap in left]
                gaps[place : place + 1] = [gap[1:] for gap in left]
                break
            if last > first:
                heappush(parts, _key(last - first, first, first + shift))
            place += 1
    return sorted(blocks)


def _key(size: int, at: int, other: int) -> int:
    """A number that orders stretches: long ones first, then by their begins."""
    return (_SPAN - 1 - size) << 2 * _BITS | at << _BITS | other


def _merged(keys: NDArray[np.int64], parts: list[int]) -> Iterator[int]:
    """The sorted keys and those that the heap `parts` gets meanwhile, in order."""
    for begin in range(0, len(keys), _CHUNK):
        for key in keys[begin : begin + _CHUNK].tolist():
            while parts and parts[0] < key:
                yield heappop(parts)
            yield key
    while parts:
        yield heappop(parts)


def _runs(reference: Sequence[Hashable], hypothesis: Sequence[Hashable]) -> NDArray[np.int64]:
    """The keys of all common stretches that cannot be extended, sorted."""
    import numpy as np

    places: dict[Hashable, list[int]] = {}
    for at, item in enumerate(hypothesis):
        places.setdefault(item, []).append(at)
    pairs = sum(len(places.get(item, ())) for item in reference)
    if pairs > MOST_PAIRS or max(len(reference), len(hypothesis)) >= _SPAN:
        raise ValueError(
            f"expected at most {MOST_PAIRS} pairs of equal words and {_SPAN - 1} words a side, "
            f"found {pairs} pairs of {len(reference)} and {len(hypothesis)} words: cut the text"
        )
    keys = array("q")
    before: dict[int, int] = {}
    for at in range(len(reference) + 1):
        row: dict[int, int] = {}
        if at < len(reference):
            for other in places.get(reference[at], ()):
                row[other] = before.get(other - 1, 0) + 1
        keys.extend(
            _key(size, at - size, other + 1 - size)
            for other, size in before.items()
            if other + 1 not in row
        )
        before = row
    runs = np.array(keys, np.int64)
    runs.sort()
    return runs
