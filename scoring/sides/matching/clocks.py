"""Comparison of the clocks of both sides by means of common words.

A word that each side has once in a channel is an anchor. If many anchors of the hypothesis are far
from the reference's segments, a line through their times gives the factor and the shift of the
clock. If no word of an anchor has times, as in subtitles, the estimated middles of the words are
compared, too: two cues may be seconds apart and still overlap.

Texts that repeat themselves have few such words. For whole recordings without times of words, the
anchors are then the correct words of an alignment of all words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, islice, permutations

from formats.schema import NamedTuple

TYPE_CHECKING = False
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
# How far the estimated middles of a word may be apart: cues cut alike need less than others.
_REACHES_OF_MIDDLES = (_REACH, 200_000_000)
# The share of anchors in their segments above which the clocks agree.
_AGREE = 0.9
# The share that another clock must reach, and by how much it must be better.
_FIT, _BETTER = 0.75, 0.15
# Words of a side that are aligned, and the share of them that must be correct.
_MOST_ALIGNED, _ALIGNED_ALIKE = 2_000, 0.75
# The share of anchors that a simpler clock may miss.
_SIMPLER = 0.03
# Usual frame rates by their names, and how near to their quotient a factor must be.
RATES = {"23.976": 24000 / 1001, "24": 24.0, "25": 25.0, "29.97": 30000 / 1001, "30": 30.0}
_NEAR_RATES = 0.0006


class Anchor(NamedTuple):
    """A word that both sides have, with its times on both sides in nanoseconds."""

    low: int  # of the reference: the word, or its segment
    high: int
    reference: float  # the middle of the word, which is estimated if only its segment has times
    start: int  # of the hypothesis
    end: int
    hypothesis: float
    channel: int

    @property
    def between_middles(self) -> Anchor:
        """The same anchor, with the middle of its word in place of its segment's borders."""
        ours, theirs = round(self.reference), round(self.hypothesis)
        return self._replace(low=ours, high=ours, start=theirs, end=theirs)


class _Times(NamedTuple):
    """Start, end and middle of a word in nanoseconds; estimates if only its segment has times."""

    start: int
    end: int
    middle: float
    is_estimated: bool


class Clocks(NamedTuple):
    """How the clocks of both sides differ.

    Times of the hypothesis are reference times multiplied by `factor`, plus `shift_ns`.
    """

    anchors: int
    inside: int  # anchors at their time
    fitting: int  # anchors at their time under this clock
    factor: float = 1.0
    shift_ns: float = 0.0
    are_estimated: bool = False  # no word of the anchors has times
    segments: tuple[int, int, int] = (0, 0, 0)  # of the hypothesis: as `anchors` and so on

    @property
    def frame_rates(self) -> tuple[str, str] | None:
        """Usual frame rates whose quotient is the factor; None if there are none.

        Captions that were made for the first rate and are shown at the second have this factor.
        """
        return next(
            (pair for pair, factor in _frame_factors(self.factor) if factor == self.factor), None
        )

    @property
    def agree(self) -> bool:
        """True if the clocks of both sides agree."""
        return self.factor == 1 and not self.shift_ns


def measured_clocks(
    channels: Sequence[tuple[Sequence[Segment], Sequence[Segment]]], by_middles: bool = False
) -> Clocks | None:
    """Return how the clocks of both sides differ in the given channels; None if unknown.

    An anchor is at its time if it is inside its segment. With `by_middles`, anchors without
    times of words are first compared by the estimated middles of the words, and all words are
    aligned if too few words occur once.
    """
    pairs = list(islice(_anchors(channels), MOST_ANCHORS))
    if by_middles and len(pairs) < FEWEST:
        pairs = list(islice(_aligned_anchors(channels), MOST_ANCHORS))
    if len(pairs) < FEWEST:
        return None
    anchors = [anchor for anchor, _ in pairs]
    are_estimated = all(is_estimated for _, is_estimated in pairs)
    tries = [(anchors, _REACH)]
    if by_middles and are_estimated:
        middles = [anchor.between_middles for anchor in anchors]
        tries = [*((middles, reach) for reach in _REACHES_OF_MIDDLES), *tries]
    for tried, reach in tries:
        clocks = _fitted(tried, reach)
        if not clocks.agree:
            break
    lines = ((1.0, 0.0), (clocks.factor, clocks.shift_ns))
    inside, fitting = (_segments_inside(anchors, _flags(tried, reach, *line)) for line in lines)
    segments = len({_segment_of(anchor) for anchor in anchors}), inside, fitting
    return clocks._replace(are_estimated=are_estimated, segments=segments)


def _segment_of(anchor: Anchor) -> tuple[int, int, int]:
    """Return what distinguishes the segment of the hypothesis with the word, if it has no times."""
    return anchor.channel, anchor.start, anchor.end


def _segments_inside(anchors: Sequence[Anchor], flags: Sequence[bool]) -> int:
    """Return how many segments of the hypothesis have more than half of their anchors inside."""
    balance: Counter[tuple[int, int, int]] = Counter()
    for anchor, is_inside in zip(anchors, flags, strict=True):
        balance[_segment_of(anchor)] += 1 if is_inside else -1
    return sum(number > 0 for number in balance.values())


def _fitted(anchors: Sequence[Anchor], reach: int) -> Clocks:
    """Return the clock for which most anchors are at their time.

    If no clock is clearly better, the clocks of both sides count as equal.
    """
    number = len(anchors)
    inside = _inside(anchors, reach, 1.0, 0.0)
    same = Clocks(number, inside, inside)
    if inside >= _AGREE * number:
        return same
    fits = [(_inside(anchors, reach, *line), line) for line in _lines(anchors)]
    best = max(fitting for fitting, _ in fits)
    if best < max(_FIT * number, inside + _BETTER * number, inside + FEWEST // 2):
        return same
    # the simplest is the first
    fitting, line = next(fit for fit in fits if fit[0] >= best - _SIMPLER * number)
    return Clocks(number, inside, fitting, *line)


def _anchors(
    channels: Sequence[tuple[Sequence[Segment], Sequence[Segment]]],
) -> Iterator[tuple[Anchor, bool]]:
    """Yield each anchor, and True if both of its words have only the times of their segments."""
    for number, (ours, theirs) in enumerate(channels):
        said, heard = _once(ours), _once(theirs)
        for word in said.keys() & heard.keys():
            yield _anchor(said[word], heard[word], number)


def _anchor(left: _Times, right: _Times, channel: int) -> tuple[Anchor, bool]:
    """Return the anchor of a word, and True if both words have only the times of their segments."""
    times = left.start, left.end, left.middle, right.start, right.end, right.middle
    return Anchor(*times, channel), left.is_estimated and right.is_estimated


def _aligned_anchors(
    channels: Sequence[tuple[Sequence[Segment], Sequence[Segment]]],
) -> Iterator[tuple[Anchor, bool]]:
    """Yield the anchors of correct words in alignments of all words of a channel.

    If too few words are correct, a channel has no anchors.
    """
    from scoring.alignment.sequences import align

    for number, (ours, theirs) in enumerate(channels):
        said, heard = _timed_words(ours), _timed_words(theirs)
        edits = align([word for word, _ in said], [word for word, _ in heard]).letters
        if edits.count("C") < _ALIGNED_ALIKE * max(len(said), len(heard)):
            continue
        lefts, rights = iter(said), iter(heard)
        for letter in edits:
            left = next(lefts)[1] if letter != "I" else None
            right = next(rights)[1] if letter != "D" else None
            if letter == "C" and left is not None and right is not None:
                yield _anchor(left, right, number)


def _timed_words(group: Sequence[Segment]) -> list[tuple[str, _Times | None]]:
    """Return the first words of a channel in small letters, with their times."""
    words = (
        (word.casefold(), _times(segment, position))
        for segment in group
        for position, word in enumerate(segment.words)
    )
    return list(islice(words, _MOST_ALIGNED))


def _once(group: Sequence[Segment]) -> Mapping[str, _Times]:
    """Return the times of words that occur once in a channel."""
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
    once: dict[str, _Times] = {}
    for segment, words in zip(group, texts, strict=False):
        for position, word in enumerate(words):
            if counts[word] == 1 and folded[key := word.casefold()] == 1:
                times = _times(segment, position)
                if times is not None:
                    once[key] = times
    return once


def _times(segment: Segment, position: int) -> _Times | None:
    """Return the times of a word, or else those of its segment; None if both have no times."""
    if segment.starts_ns is not None and segment.ends_ns is not None:
        start, end = segment.starts_ns[position], segment.ends_ns[position]
        if start is not None and end is not None:
            return _Times(start, end, (start + end) / 2, False)
    first, last = segment.start_ns, segment.end_ns
    if first is None or last is None:
        return None
    share = (position + 0.5) / len(segment.words)
    return _Times(first, last, first + (last - first) * share, True)


def _inside(anchors: Sequence[Anchor], reach: int, factor: float, shift: float) -> int:
    """Return how many anchors are inside their segments after correction of the clock."""
    return sum(_flags(anchors, reach, factor, shift))


def _flags(anchors: Sequence[Anchor], reach: int, factor: float, shift: float) -> list[bool]:
    """Return for each anchor whether it is inside its segment after correction of the clock.

    An anchor may be `reach` nanoseconds away from its segment.
    """
    return [
        (anchor.start - shift) / factor <= anchor.high + reach
        and (anchor.end - shift) / factor >= anchor.low - reach
        for anchor in anchors
    ]


def _frame_factors(factor: float) -> list[tuple[tuple[str, str], float]]:
    """Return the pairs of usual frame rates with a quotient near to a factor, the nearest first."""
    pairs = (
        ((made, shown), above / below)
        for (made, above), (shown, below) in permutations(RATES.items(), 2)
    )
    near = [pair for pair in pairs if abs(pair[1] / factor - 1) < _NEAR_RATES]
    return sorted(near, key=lambda pair: abs(pair[1] - factor))


def _lines(anchors: Sequence[Anchor]) -> list[tuple[float, float]]:
    """Return pairs of factor and shift that may fit the anchors, the simplest first."""
    shift = _median(anchor.hypothesis - anchor.reference for anchor in anchors)
    lines = [(1.0, shift)]
    ratios = [anchor.hypothesis / anchor.reference for anchor in anchors if anchor.reference > 0]
    if ratios and (ratio := _median(ratios)) > 0:
        lines += [(factor, 0.0) for _, factor in _frame_factors(ratio)]
        lines.append((ratio, 0.0))
    step = -(-len(anchors) // _LINE)
    slopes = [
        (right.hypothesis - left.hypothesis) / (right.reference - left.reference)
        for left, right in combinations(sorted(anchors, key=lambda row: row.reference)[::step], 2)
        if left.channel == right.channel and right.reference > left.reference
    ]
    if slopes and (slope := _median(slopes)) > 0:
        for factor in (*(factor for _, factor in _frame_factors(slope)), slope):
            rest = _median(anchor.hypothesis - factor * anchor.reference for anchor in anchors)
            lines.append((factor, rest))
    return lines


def _median(numbers: Iterable[float]) -> float:
    """Return the upper median of at least one number."""
    ordered = sorted(numbers)
    return ordered[len(ordered) // 2]
