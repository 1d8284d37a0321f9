"""The matcher of Ratcliff and Obershelp: longest common stretch first, then left and right of it.

It finds what `difflib.SequenceMatcher(None, a, b, autojunk=False)` finds, ties included, and is
not minimal: an alignment of least errors may have fewer. Rows with many candidates are worked on as
arrays, which makes a difference where a few words are frequent, as they are in every language.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Hashable, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from scoring.pages.diff.opcodes import DELETE, EQUAL, INSERT, REPLACE, Opcode

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Places: TypeAlias = NDArray[np.int64]

# Candidates per row from which rows as arrays are faster than loops.
_MANY = 12


class Block(NamedTuple):
    """A common stretch: where it begins on both sides, and its length."""

    reference: int
    hypothesis: int
    size: int


def differences(reference: Sequence[Hashable], hypothesis: Sequence[Hashable]) -> list[Opcode]:
    """How to turn a reference into a hypothesis.

    Examples
    --------
    >>> [tuple(one) for one in differences("abx", "axc")]
    [('equal', 0, 1, 0, 1), ('delete', 1, 2, 1, 1), ('equal', 2, 3, 1, 2), ('insert', 3, 3, 2, 3)]
    """
    found: list[Opcode] = []
    old = new = 0
    for block in common_stretches(reference, hypothesis):
        if old < block.reference and new < block.hypothesis:
            found.append(Opcode(REPLACE, old, block.reference, new, block.hypothesis))
        elif old < block.reference:
            found.append(Opcode(DELETE, old, block.reference, new, new))
        elif new < block.hypothesis:
            found.append(Opcode(INSERT, old, old, new, block.hypothesis))
        old, new = block.reference + block.size, block.hypothesis + block.size
        if block.size:
            found.append(Opcode(EQUAL, block.reference, old, block.hypothesis, new))
    return found


def common_stretches(reference: Sequence[Hashable], hypothesis: Sequence[Hashable]) -> list[Block]:
    """The common stretches in order, and an empty one at the end of both sides."""
    matcher = _Matcher(reference, hypothesis)
    pending = [(0, len(reference), 0, len(hypothesis))]
    blocks = []
    while pending:
        begin, end, first, last = pending.pop()
        block = matcher.longest(begin, end, first, last)
        if not block.size:
            continue
        blocks.append(block)
        if begin < block.reference and first < block.hypothesis:
            pending.append((begin, block.reference, first, block.hypothesis))
        behind, beside = block.reference + block.size, block.hypothesis + block.size
        if behind < end and beside < last:
            pending.append((behind, end, beside, last))
    return _joined(sorted(blocks), Block(len(reference), len(hypothesis), 0))


def _joined(blocks: Sequence[Block], final: Block) -> list[Block]:
    joined: list[Block] = []
    for block in blocks:
        if joined:
            before = joined[-1]
            touch = (before.reference + before.size, before.hypothesis + before.size)
            if touch == (block.reference, block.hypothesis):
                joined[-1] = before._replace(size=before.size + block.size)
                continue
        joined.append(block)
    return [*joined, final]


class _Matcher:
    """Where the items of one side stand on the other."""

    def __init__(self, reference: Sequence[Hashable], hypothesis: Sequence[Hashable]) -> None:
        places: dict[Hashable, list[int]] = {}
        for place, item in enumerate(hypothesis):
            places.setdefault(item, []).append(place)
        nowhere: list[int] = []
        self._places = [places.get(item, nowhere) for item in reference]
        self._width = max(len(hypothesis), 1)
        self._candidates = [0, *accumulate(map(len, self._places))]
        self._arrays: dict[int, Places] = {}

    def longest(self, begin: int, end: int, first: int, last: int) -> Block:
        """The longest common stretch within bounds.

        Of several the first on the reference's side, of these the first on the hypothesis's.
        """
        rows = end - begin
        candidates = self._candidates[end] - self._candidates[begin]
        if rows and candidates * (last - first) > _MANY * rows * self._width and rows > 1:
            return self._longest_by_arrays(begin, end, first, last)
        best = Block(begin, first, 0)
        lengths: dict[int, int] = {}
        for place in range(begin, end):
            row: dict[int, int] = {}
            others = self._places[place]
            at = bisect_left(others, first)
            while at < len(others) and others[at] < last:
                other = others[at]
                length = row[other] = lengths.get(other - 1, 0) + 1
                if length > best.size:
                    best = Block(place - length + 1, other - length + 1, length)
                at += 1
            lengths = row
        return best

    def _array(self, place: int) -> Places:
        import numpy as np

        others = self._places[place]
        key = id(others)  # the lists live as long as this object
        if key not in self._arrays:
            self._arrays[key] = np.array(others, np.int64)
        return self._arrays[key]

    def _longest_by_arrays(self, begin: int, end: int, first: int, last: int) -> Block:
        import numpy as np

        best = Block(begin, first, 0)
        # lengths[k]: of the stretch that ends just before the k-th item from `first`
        lengths = np.zeros(last - first + 1, np.int32)
        before: Places = np.zeros(0, np.int64)
        for place in range(begin, end):
            others = self._array(place)
            if len(others) and (others[0] < first or others[-1] >= last):
                others = others[np.searchsorted(others, first) : np.searchsorted(others, last)]
            others = others - first
            found = lengths[others] + 1
            lengths[before] = 0
            if len(others):
                lengths[others + 1] = found
                at = int(found.argmax())
                length = int(found[at])
                if length > best.size:
                    other = first + int(others[at])
                    best = Block(place - length + 1, other - length + 1, length)
            before = others + 1
        return best
