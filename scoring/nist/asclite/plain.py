"""asclite's grid in plain Python: the fallback for the compiled grid, and the oracle of its tests.

Each hypothesis stream and each reference speaker is one axis. A step takes one word of one axis, or
a word of a stream together with a word of a speaker. Under `multiple`, a step may take words of any
axes together. The alignment is the cheapest path. Ties are resolved as in asclite.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import TypeAlias

from scoring.alignment.limits import look
from scoring.nist.asclite.grid import NEVER, Axis, Prices, same_text

GridPlace: TypeAlias = tuple[int, ...]


def align_grid(
    axes: Sequence[Axis],
    streams: int,  # so many of the axes, the first ones, are those of hypotheses
    prices: Prices,
    texts: Sequence[bytes],
    parts: bytes,  # of each text `WHOLE`, `BEGINNING` or `END`
    wrong: bytes,
    slow: int,  # how the compiled grid is laid out; they change nothing here
    fast: int,
    block: int,
) -> tuple[int, bytes]:
    """Return the cost of the cheapest path, and its steps.

    A step is a row of int32: for each axis, the number of the word that the step takes, or 0.

    >>> words = array("i", [0, 1])
    >>> times = array("q", [-1, -1])
    >>> chain = (array("q", [0, 1, 2]), array("i", [0, 1]), array("i", [2]))
    >>> axis = Axis(words, times, times, array("q", [300, 300]), bytes(2), *chain)
    >>> cost, path = align_grid(
    ...     [axis, axis], 1, Prices(400, 100), [b"a", b"b"], bytes(2), b"", 0, 1, 1
    ... )
    >>> cost, array("i", path).tolist()
    (0, [1, 1, 2, 2])
    """
    if sum(sum(axis.singles) for axis in axes) * (len(axes) if prices.multiple else 1) >= NEVER:
        raise ValueError("axes: the costs are too large")
    return _Grid(axes, streams, prices, texts, parts, wrong).align()


@dataclass(slots=True)
class _Grid:
    _axes: Sequence[Axis]
    _streams: int
    _prices: Prices
    _texts: Sequence[bytes]
    _parts: bytes
    _wrong: bytes
    _before: list[list[list[int]]] = field(init=False)
    _costs: dict[GridPlace, int] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        self._before = [
            [
                list(axis.before[axis.offsets[word] : axis.offsets[word + 1]])
                for word in range(len(axis.texts))
            ]
            for axis in self._axes
        ]

    def align(self) -> tuple[int, bytes]:
        sizes = [range(len(axis.texts) + 1) for axis in self._axes]
        for count, at in enumerate(product(*sizes)):
            if count % 10_000 == 0:
                look()
            steps = [self._costs[start] + price for start, price in self._steps(at)]
            self._costs[at] = min(steps, default=NEVER if any(at) else 0)
        ends = list(product(*(list(axis.lasts) or [0] for axis in reversed(self._axes))))
        at = min(reversed([end[::-1] for end in ends]), key=self._costs.__getitem__)
        cost = self._costs[at]
        rows: list[GridPlace] = []
        while (best := self._best(at)) is not None:
            rows.append(tuple(0 if b == a else a for a, b in zip(at, best, strict=True)))
            at = best
        return cost, array("i", [word for row in reversed(rows) for word in row]).tobytes()

    def _best(self, cell: GridPlace) -> GridPlace | None:
        best: GridPlace | None = None
        least = most = 0
        paired = False
        for start, price in self._steps(cell):
            cost = self._costs[start] + price
            changed = sum(a != b for a, b in zip(cell, start, strict=True))
            better = best is None or cost < least
            if self._prices.multiple:
                tied = cost == least and changed > most
                most = changed if tied and not better else most
            else:
                tied = cost == least and changed == 2 and not paired
            if better or tied:
                best, least, paired = start, cost, changed == 2
        return best

    def _steps(self, cell: GridPlace) -> Iterator[tuple[GridPlace, int]]:
        """Yield each step to a cell in asclite's order: the cell where it starts, and its cost."""
        if self._prices.multiple:
            yield from self._multiple_steps(cell)
            return
        streams = range(self._streams - 1, -1, -1)
        for stream in streams:
            yield from self._alone(cell, stream)
        for speaker in range(len(self._axes) - 1, self._streams - 1, -1):
            if not cell[speaker]:
                continue
            for start in reversed(self._before[speaker][cell[speaker] - 1]):
                half = (*cell[:speaker], start, *cell[speaker + 1 :])
                for stream in streams:
                    price = self._pair(stream, cell[stream], speaker, cell[speaker])
                    if price >= NEVER:
                        continue
                    for before in reversed(self._before[stream][cell[stream] - 1]):
                        yield (*half[:stream], before, *half[stream + 1 :]), price
                yield from self._alone(cell, speaker, [start])

    def _alone(
        self, cell: GridPlace, axis: int, starts: Sequence[int] | None = None
    ) -> Iterator[tuple[GridPlace, int]]:
        word = cell[axis]
        if not word or (self._prices.prune >= 0 and self._prunable(cell, axis)):
            return
        price = self._axes[axis].singles[word - 1]
        for start in self._before[axis][word - 1][::-1] if starts is None else starts:
            yield (*cell[:axis], start, *cell[axis + 1 :]), price

    def _prunable(self, cell: GridPlace, axis: int) -> bool:
        stream_axis, word = self._axes[axis], cell[axis] - 1
        begin, end = stream_axis.begins[word], stream_axis.ends[word]
        if not stream_axis.loose[word] or begin < 0 or end < 0:
            return False
        for axis_beside, number in enumerate(cell):
            if axis_beside == axis:
                continue
            if not number:
                return False
            first, last = (
                self._axes[axis_beside].begins[number - 1],
                self._axes[axis_beside].ends[number - 1],
            )
            if first < 0 or last < 0:
                return False
            if begin < first and max(first - end, begin - last, 0) > self._prices.prune:
                return True
        return False

    def _pair(self, stream: int, i: int, speaker: int, j: int) -> int:
        """Return the cost of pairing word `i` of a stream with word `j` of a speaker.

        The cost is `NEVER` if they must not be paired.
        """
        if not i or not j:
            return NEVER
        prices, left, right = self._prices, self._axes[stream], self._axes[speaker]
        begins, ends = (
            (left.begins[i - 1], right.begins[j - 1]),
            (left.ends[i - 1], right.ends[j - 1]),
        )
        are_timed = min(*begins, *ends) >= 0
        gap = max(begins[1] - ends[0], begins[0] - ends[1], 0) if are_timed else 0
        if gap > prices.widest >= 0:
            return NEVER
        place = stream * (len(self._axes) - self._streams) + speaker - self._streams
        extra = prices.wrong_speaker if self._wrong and self._wrong[place] else 0
        if prices.divider > 0:
            apart = abs(begins[0] - begins[1]) + abs(ends[0] - ends[1])
            return min(NEVER, (prices.substitution * apart + extra) // prices.divider)
        left_text, right_text = left.texts[i - 1], right.texts[j - 1]
        if self._same(left_text, right_text):
            cost = extra
        else:
            cost = prices.substitution
            if prices.letters:
                cost += _letters_apart(self._texts[left_text], self._texts[right_text])
        if prices.nearness > 0:
            cost += prices.nearness * gap // prices.duration
        return min(NEVER, cost)

    def _same(self, left: int, right: int) -> bool:
        if not self._prices.fragments:
            return left == right
        return same_text(
            self._texts[left], self._parts[left], self._texts[right], self._parts[right]
        )

    def _multiple_steps(self, cell: GridPlace) -> Iterator[tuple[GridPlace, int]]:
        choices = []
        for axis, word in enumerate(cell):
            words = [word]
            for start in self._before[axis][word - 1] if word else ():
                if start != words[-1]:
                    words.append(start)
            choices.append(words)
        places = [place[::-1] for place in product(*reversed(choices))]
        for other in reversed(places[1:]):
            yield other, self._together(cell, other)

    def _together(self, cell: GridPlace, start: GridPlace) -> int:
        counts: list[list[int]] = []
        single, changed = self._prices.optional, 0
        begins, ends = [], []
        for axis, (word, before) in enumerate(zip(cell, start, strict=True)):
            if word == before:
                continue
            changed += 1
            single = self._axes[axis].singles[word - 1]
            begins.append(self._axes[axis].begins[word - 1])
            ends.append(self._axes[axis].ends[word - 1])
            text = self._axes[axis].texts[word - 1]
            like = [count for count in counts if self._same(text, count[0])]
            if like:
                like[-1][1] += 1
            else:
                counts.append([text, 1])
        if self._prices.divider > 0:
            # asclite looks at the last of the words alone
            whole = max(ends) - min(begins)
            cost = single * (len(cell) - changed) * whole
            cost += self._prices.substitution * (whole - ends[-1] + begins[-1])
            return max(0, min(cost // self._prices.divider, NEVER - 1))
        most = max(count for _, count in counts)
        return single * (len(cell) - changed) + self._prices.substitution * (changed - most)


def _letters_apart(left: bytes, right: bytes) -> int:
    if not left or not right:
        return 0
    row = list(range(len(right) + 1))
    for i, letter in enumerate(left, 1):
        corner, row[0] = row[0], i
        for j, right_letter in enumerate(right, 1):
            corner, row[j] = (
                row[j],
                min(row[j] + 1, row[j - 1] + 1, corner + (letter != right_letter)),
            )
    return row[-1]
