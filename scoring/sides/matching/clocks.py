"""Compare the clocks of both sides by means of common words.

A word that each side has once in a channel is an anchor. If many anchors of the hypothesis are far
from the reference's segments, a line through their times gives the factor and the shift of the
clock.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, islice
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from formats.schema.model import Segment

# Words of a side in a channel, and anchors of all channels, that are looked at.
MOST_WORDS, MOST_ANCHORS = 10_000, 2_000
# Anchors that give a line through their times; fewer of them measure nothing.
FEWEST = 10
# Pairs of anchors whose slopes are compared.
_LINE = 80
# How far a word may be from the reference's segment, in nanoseconds.
_REACH = 500_000_000
# The share of anchors in their segments above which the clocks agree.
_AGREE = 0.9
# The share that another clock must reach, and by how much it must be better.
_FIT, _BETTER = 0.75, 0.15
# The share of anchors that a simpler clock may miss.
_SIMPLER = 0.03


class Anchor(NamedTuple):
    """A word that both sides have, with its times on both sides in nanoseconds."""

    low: int  # of the reference: the word, or its segment
    high: int
    reference: float  # the middle of the word, which is estimated if only its segment has times
    start: int  # of the hypothesis
    end: int
    hypothesis: float
    channel: int


class Clocks(NamedTuple):
    """Times of the hypothesis as reference times multiplied by `factor`, plus `shift_ns`."""

    anchors: int
    inside: int  # anchors in their segments
    fitting: int  # anchors in their segments under this clock
    factor: float = 1.0
    shift_ns: float = 0.0

    @property
    def agree(self) -> bool:
        """True if the clocks of both sides agree."""
        return self.factor == 1 and not self.shift_ns


def measured_clocks(
    channels: Sequence[tuple[Sequence[Segment], Sequence[Segment]]],
) -> Clocks | None:
    """Return how the clocks of both sides differ in the given channels; None if unknown."""
    anchors = list(islice(_anchors(channels), MOST_ANCHORS))
    if len(anchors) < FEWEST:
        return None
    number = len(anchors)
    inside = _inside(anchors, 1.0, 0.0)
    same = Clocks(number, inside, inside)
    if inside >= _AGREE * number:
        return same
    lines = _lines(anchors)
    fits = [(_inside(anchors, *line), line) for line in lines]
    best = max(fitting for fitting, _ in fits)
    if best < max(_FIT * number, inside + _BETTER * number, inside + FEWEST // 2):
        return same
    # the simplest is the first
    fitting, line = next(fit for fit in fits if fit[0] >= best - _SIMPLER * number)
    return Clocks(number, inside, fitting, *line)


def _anchors(
    channels: Sequence[tuple[Sequence[Segment], Sequence[Segment]]],
) -> Iterator[Anchor]:
    for number, (ours, theirs) in enumerate(channels):
        said, heard = _once(ours), _once(theirs)
        for word in said.keys() & heard.keys():
            low, high, middle = said[word]
            yield Anchor(low, high, middle, *heard[word], number)


def _once(group: Sequence[Segment]) -> Mapping[str, tuple[int, int, float]]:
    """Return start, end and middle of timed words that occur once in a channel."""
    texts: list[tuple[str, ...]] = []
    total = 0
    for segment in group:
        texts.append(segment.words)
        total += len(segment.words)
        if total >= MOST_WORDS:
            break
    counts: Counter[str] = Counter()
    for words in texts:
        counts.update(words)
    folded: Counter[str] = Counter()
    for word, number in counts.items():
        folded[word.casefold()] += number
    once: dict[str, tuple[int, int, float]] = {}
    for segment, words in zip(group, texts, strict=False):
        for position, word in enumerate(words):
            if counts[word] == 1 and folded[key := word.casefold()] == 1:
                times = _times(segment, position)
                if times is not None:
                    once[key] = times
    return once


def _times(segment: Segment, position: int) -> tuple[int, int, float] | None:
    """Return start, end and middle of a word; without times, of its segment with estimated middle.

    Return None if neither has times.
    """
    if segment.starts_ns is not None and segment.ends_ns is not None:
        start, end = segment.starts_ns[position], segment.ends_ns[position]
        if start is not None and end is not None:
            return start, end, (start + end) / 2
    first, last = segment.start_ns, segment.end_ns
    if first is None or last is None:
        return None
    share = (position + 0.5) / len(segment.words)
    return first, last, first + (last - first) * share


def _inside(anchors: Sequence[Anchor], factor: float, shift: float) -> int:
    """Return the number of anchors inside their segments after the clock is corrected."""
    return sum(
        (anchor.start - shift) / factor <= anchor.high + _REACH
        and (anchor.end - shift) / factor >= anchor.low - _REACH
        for anchor in anchors
    )


def _lines(anchors: Sequence[Anchor]) -> list[tuple[float, float]]:
    """Return factors and shifts that may fit the anchors, the simplest first."""
    shift = _median(anchor.hypothesis - anchor.reference for anchor in anchors)
    lines = [(1.0, shift)]
    ratios = [anchor.hypothesis / anchor.reference for anchor in anchors if anchor.reference > 0]
    if ratios and (ratio := _median(ratios)) > 0:
        lines.append((ratio, 0.0))
    step = -(-len(anchors) // _LINE)
    slopes = [
        (right.hypothesis - left.hypothesis) / (right.reference - left.reference)
        for left, right in combinations(sorted(anchors, key=lambda row: row.reference)[::step], 2)
        if left.channel == right.channel and right.reference > left.reference
    ]
    if slopes and (slope := _median(slopes)) > 0:
        rest = _median(anchor.hypothesis - slope * anchor.reference for anchor in anchors)
        lines.append((slope, rest))
    return lines


def _median(numbers: Iterable[float]) -> float:
    """Return the upper median of at least one number."""
    ordered = sorted(numbers)
    return ordered[len(ordered) // 2]
