"""Estimated word times for segments that have times but no word times.

A segment from `b` to `e` with words of `l1 … ln` characters:

=====================  ==========================================================
characters             parts in proportion to the words' lengths
characters-points
equal, equal-points    parts of the same length, or their middles
segment                the whole segment for each word
words                  the times the words have themselves
=====================  ==========================================================

The times of a hypothesis word are extended by the collar on both sides. Two words may be paired if
each begins before the other ends. Times are compared exactly. meeteval compares floating-point
numbers, in which borders that only touch may overlap by a bit.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from formats.schema.model import Segment

CHARACTERS, CHARACTER_POINTS, SEGMENT, WORDS = "characters", "characters-points", "segment", "words"
EQUAL, EQUAL_POINTS = "equal", "equal-points"
WORD_TIMES = (CHARACTERS, CHARACTER_POINTS, EQUAL, EQUAL_POINTS, SEGMENT, WORDS)
POINTS = (CHARACTER_POINTS, EQUAL_POINTS)
# Two fractions whose denominators are below 2**32 differ by more than 2**-64: so many binary places
# are enough to compare them.
BINARY_PLACES = 64
# A number of whole nanoseconds; seconds of any type where meeteval's arithmetic is used.
Time: TypeAlias = Any


class Turn(NamedTuple):
    """A segment of speech; `row` has its alternatives as marks, and `written` its original form."""

    speaker: str  # the speaker, or the stream
    words: tuple[str, ...]  # the words, as they are compared
    start: Time = None  # of the segment; None: unknown
    end: Time = None
    times: Sequence[tuple[Time, Time]] | None = None  # start and end of each word; None: unknown
    line: int | None = None  # line of the segment in its file, for messages
    # The words with marks around alternatives, as of `best_paths`; None: there are none
    row: Sequence[str | int] | None = None
    # The same segment in other references
    others: tuple[Sequence[str | int], ...] = ()
    # The segment and those of other references before words were chosen; None: without a choice
    written: tuple[Segment, tuple[Sequence[str | int], ...]] | None = None


class NoWordTimesError(ValueError):
    """Raised if words of a segment have no times, but times are required."""


def _whole_times(turn: Turn, timing: str) -> Sequence[tuple[Time, Time]]:
    """Return the start and end of each word; for `segment`, the times of the turn."""
    if timing == SEGMENT:
        return [(turn.start, turn.end)] * len(turn.words)
    if turn.times is not None:
        return turn.times
    if len(turn.words) == 1 and turn.start is not None:
        return [(turn.start, turn.end)]
    raise NoWordTimesError(
        f"expected times of each of the {len(turn.words)} words of a segment of {turn.speaker!r}, "
        "found none"
    )


def _borders(turn: Turn, timing: str) -> list[int]:
    """Return the sum of word lengths (in characters, or 1 each) before each word, and the total."""
    by_length = timing in (CHARACTERS, CHARACTER_POINTS)
    sizes = map(len, turn.words) if by_length else [1] * len(turn.words)
    return list(accumulate(sizes, initial=0))


def exact_times(turn: Turn, timing: str, collar: int = 0) -> Iterator[tuple[int, int]]:
    """Return start and end of each word in 2**-64 ns, rounded down, so that they remain distinct.

    >>> [(start / 2**64, end / 2**64) for start, end in
    ...  exact_times(Turn("a", ("abc", "d"), 0, 8), "characters")]
    [(0.0, 6.0), (6.0, 8.0)]
    """
    if timing in (SEGMENT, WORDS):
        for start, end in _whole_times(turn, timing):
            yield (start - collar) << BINARY_PLACES, (end + collar) << BINARY_PLACES
        return
    borders = _borders(turn, timing)
    parts, length = 2 * borders[-1], turn.end - turn.start
    for before, behind in pairwise(borders):
        first, last = 2 * before, 2 * behind
        if timing in POINTS:
            first = last = before + behind
        start = (turn.start - collar) * parts + length * first
        end = (turn.start + collar) * parts + length * last
        yield (start << BINARY_PLACES) // parts, (end << BINARY_PLACES) // parts


def rounded_times(turn: Turn, timing: str, collar: Time = 0) -> Iterator[tuple[float, float]]:
    """Return start and end of each word as meeteval computes them, in the number type of the times.

    >>> list(rounded_times(Turn("a", ("a", "a", "a"), 0, 0.3), "equal"))[0]
    (0.0, 0.09999999999999999)
    """
    if timing in (SEGMENT, WORDS):
        times = _whole_times(turn, timing)
    else:
        borders = _borders(turn, timing)
        part = (turn.end - turn.start) / borders[-1]
        times = [
            # a single word has the times of its segment, not what they are rounded to
            (turn.start + part * before, turn.start + part * behind)
            if len(borders) > 2
            else (turn.start, turn.end)
            for before, behind in pairwise(borders)
        ]
        if timing == CHARACTER_POINTS:
            times = [((end + start) / 2,) * 2 for start, end in times]
        elif timing == EQUAL_POINTS and len(borders) > 2:
            times = [(start + part / 2,) * 2 for start, _ in times]
        elif timing == EQUAL_POINTS:
            times = [((turn.start + turn.end) / 2,) * 2]
    for start, end in times:
        reach = Decimal(str(collar)) if collar and isinstance(start, Decimal) else collar
        yield float(start - reach), float(end + reach)


class WordTiming(NamedTuple):
    """The rules for the word times of both sides."""

    # How far words of the hypothesis reach beyond their times, in the unit of the times
    collar: Time
    reference: str = CHARACTERS  # one of `WORD_TIMES` each
    hypothesis: str = CHARACTER_POINTS
    like_meeteval: bool = False  # compare floating-point numbers
    # The collar widens the words of the reference instead, as meeteval does where it exchanges the
    # sides; that only matters in floating point
    collar_on_reference: bool = False

    def ranks(
        self, reference: Sequence[Turn], hypothesis: Sequence[Turn]
    ) -> tuple[array[int], array[int]]:
        """Return the ranks of the starts and of the ends of all words.

        The reference's words come first.
        """
        collars = (self.collar, 0) if self.collar_on_reference else (0, self.collar)
        word_times = rounded_times if self.like_meeteval else exact_times
        starts: list[float] = []
        ends: list[float] = []
        for turns, timing, collar in zip((reference, hypothesis), self[1:3], collars, strict=True):
            for turn in turns:
                for start, end in word_times(turn, timing, collar) if turn.words else ():
                    starts.append(start)
                    ends.append(end)
        ranks = {time: rank for rank, time in enumerate(sorted({*starts, *ends}))}
        return array("q", map(ranks.__getitem__, starts)), array("q", map(ranks.__getitem__, ends))
