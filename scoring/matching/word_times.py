"""When each word of a segment is said, where only the segment's times are known; and who may meet.

A segment from `b` to `e` with words of `l1 … ln` characters:

=====================  ==========================================================
characters             parts in proportion to the words' lengths
characters-points      the middle of each of those, without length
equal, equal-points    parts of the same length, or their middles
segment                the whole segment for each word
words                  the times the words have themselves
=====================  ==========================================================

A word of the hypothesis reaches as far as the collar beyond its times, and two words may be paired
if each begins before the other ends. That is decided in whole numbers, never rounded; meeteval
decides in floating point, where borders that touch may overlap by a bit.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import accumulate, pairwise
from typing import Any, NamedTuple, TypeAlias

from scoring.alignment.speakers import rank_times

CHARACTERS, CHARACTER_POINTS, SEGMENT, WORDS = "characters", "characters-points", "segment", "words"
EQUAL, EQUAL_POINTS = "equal", "equal-points"
WORD_TIMES = (CHARACTERS, CHARACTER_POINTS, EQUAL, EQUAL_POINTS, SEGMENT, WORDS)
# Beyond these a fraction is compared by Python, whose numbers have no end.
MOST_NUMERATOR, MOST_DENOMINATOR = 2**62, 2**31
# A number of whole nanoseconds, or seconds of any type for those who reckon as meeteval does.
Time: TypeAlias = Any


class Turn(NamedTuple):
    """A segment of speech.

    Attributes
    ----------
    speaker
        Who speaks, or the stream.
    words
        What is said.
    start, end
        When; None: not known.
    times
        Start and end of each word; None: not known.
    place
        Of the segment in its file, for messages; None where that means nothing.
    """

    speaker: str
    words: tuple[str, ...]
    start: Time = None
    end: Time = None
    times: Sequence[tuple[Time, Time]] | None = None
    place: int | None = None


class NoWordTimesError(ValueError):
    """A segment whose words have no times, where these are asked for."""


def borders(turn: Turn, how: str, collar: int = 0) -> Iterable[tuple[int, int, int]]:
    """Start and end of each word: numerators, and their common denominator.

    >>> list(borders(Turn("a", ("abc", "d"), 0, 8), "characters"))
    [(0, 48, 8), (48, 64, 8)]
    """
    if how == WORDS:
        return [(2 * (start - collar), 2 * (end + collar), 2) for start, end in _own(turn)]
    start, length = turn.start, turn.end - turn.start
    count = len(turn.words)
    if how == SEGMENT:
        return [(2 * (start - collar), 2 * (turn.end + collar), 2)] * count
    parts = list(accumulate(map(len, turn.words), initial=0))
    if how in (EQUAL, EQUAL_POINTS):
        parts = list(range(count + 1))
    whole = 2 * parts[-1]
    first, reach = start * whole, collar * whole
    if how in (CHARACTER_POINTS, EQUAL_POINTS):
        middles = [first + length * (one + other) for one, other in pairwise(parts)]
        return [(middle - reach, middle + reach, whole) for middle in middles]
    doubled = 2 * length
    edges = [first + doubled * part for part in parts]
    return [(one - reach, other + reach, whole) for one, other in pairwise(edges)]


def _own(turn: Turn) -> Sequence[tuple[Time, Time]]:
    if turn.times is not None:
        return turn.times
    if len(turn.words) == 1 and turn.start is not None:
        return [(turn.start, turn.end)]
    raise NoWordTimesError(
        f"expected times of each of the {len(turn.words)} words of a segment of {turn.speaker!r}, "
        "found none"
    )


def rounded(turn: Turn, how: str, collar: Time = 0) -> list[tuple[float, float]]:
    """Start and end of each word as meeteval reckons them, from times of any type of number.

    >>> rounded(Turn("a", ("a", "a", "a"), 0, 0.3), "equal")[0]
    (0.0, 0.09999999999999999)
    """
    start, end, count = turn.start, turn.end, len(turn.words)
    found: list[tuple[Time, Time]]
    if how == WORDS:
        found = list(_own(turn))
    elif how == SEGMENT or (count == 1 and how in (CHARACTERS, EQUAL)):
        found = [(start, end)] * count
    elif how == EQUAL_POINTS and count == 1:
        found = [((start + end) / 2,) * 2]
    elif how in (EQUAL, EQUAL_POINTS):
        part = (end - start) / count
        if how == EQUAL:
            found = [(start + k * part, start + (k + 1) * part) for k in range(count)]
        else:
            found = [(start + k * part + part / 2,) * 2 for k in range(count)]
    else:
        places = list(accumulate(map(len, turn.words), initial=0))
        part = (end - start) / places[-1]
        found = [(start + part * one, start + part * other) for one, other in pairwise(places)]
        if count == 1:
            found = [(start, end)]
        if how == CHARACTER_POINTS:
            found = [((other + one) / 2,) * 2 for one, other in found]
    if not collar:
        return [(float(one), float(other)) for one, other in found]
    apart = Decimal(str(collar)) if found and isinstance(found[0][0], Decimal) else collar
    return [(float(one - apart), float(other + apart)) for one, other in found]


class Clock(NamedTuple):
    """How words of both sides get their times.

    Attributes
    ----------
    collar
        How far words of the hypothesis reach beyond their times, in the unit of the times.
    reference, hypothesis
        One of `WORD_TIMES` each.
    like_meeteval
        Reckon in floating point.
    collar_on_reference
        The collar widens the words of the reference instead, as meeteval does where it exchanges
        the sides; that only matters in floating point.
    """

    collar: Time
    reference: str = CHARACTERS
    hypothesis: str = CHARACTER_POINTS
    like_meeteval: bool = False
    collar_on_reference: bool = False

    def ranks(
        self, reference: Sequence[Turn], hypothesis: Sequence[Turn]
    ) -> tuple[array[int], array[int], int]:
        """Ranks of all starts and of all ends, in the order of the words; of the reference first.

        Returns
        -------
        tuple
            Starts, ends, and how many words are the reference's.
        """
        apart, across = (self.collar, 0) if self.collar_on_reference else (0, self.collar)
        sides = (reference, self.reference, apart), (hypothesis, self.hypothesis, across)
        spoken = [
            (turn, how, collar) for turns, how, collar in sides for turn in turns if turn.words
        ]
        count = sum(len(turn.words) for turn in reference)
        if self.like_meeteval:
            times = [one for each in spoken for one in rounded(*each)]
            every = [one for one, _ in times] + [other for _, other in times]
            places = {value: rank for rank, value in enumerate(sorted(set(every)))}
            ranks = array("q", [places[value] for value in every])
        else:
            found = [one for each in spoken for one in borders(*each)]
            starts, ends, wholes = zip(*found, strict=True) if found else ((), (), ())
            ranks = _ranked((*starts, *ends), (*wholes, *wholes))
        middle = len(ranks) // 2
        return ranks[:middle], ranks[middle:], count


def _ranked(numerators: Sequence[int], denominators: Sequence[int]) -> array[int]:
    """The ranks of fractions, however large."""
    most = max(map(abs, numerators), default=0)
    if most < MOST_NUMERATOR and max(denominators, default=1) < MOST_DENOMINATOR:
        ranks = array("q", rank_times(array("q", numerators), array("q", denominators)))
        return ranks
    values = list(map(Fraction, numerators, denominators))
    places = {value: rank for rank, value in enumerate(sorted(set(values)))}
    return array("q", [places[value] for value in values])
