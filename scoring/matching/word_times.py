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
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from scoring.alignment.speakers import rank_times

CHARACTERS, CHARACTER_POINTS, SEGMENT, WORDS = "characters", "characters-points", "segment", "words"
EQUAL, EQUAL_POINTS = "equal", "equal-points"
WORD_TIMES = (CHARACTERS, CHARACTER_POINTS, EQUAL, EQUAL_POINTS, SEGMENT, WORDS)
# Beyond these a fraction is compared by Python, whose numbers have no end.
MOST_NUMERATOR, MOST_DENOMINATOR = 2**62, 2**31
# A number of whole nanoseconds, or seconds of any type for those who reckon as meeteval does.
Time: TypeAlias = Any
# Of each word a number: of 64 bits, or of Python.
Column: TypeAlias = np.ndarray[tuple[int, ...], np.dtype[Any]]


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


class _Laid(NamedTuple):
    """Of each word of some segments: columns of equal length.

    Attributes
    ----------
    starts, ends
        Of its segment, or its own.
    before, behind, whole
        How many characters, or words, of the segment stand before it, up to its end, and in all.
    """

    starts: Column
    ends: Column
    before: Column
    behind: Column
    whole: Column


def _laid(turns: Sequence[Turn], how: str) -> _Laid:
    """Of segments that have words."""
    counts = [len(turn.words) for turn in turns]
    by_length = how in (CHARACTERS, CHARACTER_POINTS)
    sizes = np.array([len(word) if by_length else 1 for turn in turns for word in turn.words])
    behind: Column = np.cumsum(sizes)
    first = np.cumsum([0, *counts[:-1]])
    start = np.repeat((behind - sizes)[first], counts)
    whole: Column = np.repeat(np.add.reduceat(sizes, first), counts)
    if how == WORDS:
        times = [one for turn in turns for one in _own(turn)]
        starts, ends = (np.array([one[at] for one in times]) for at in (0, 1))
    else:
        starts = np.repeat(np.array([turn.start for turn in turns]), counts)
        ends = np.repeat(np.array([turn.end for turn in turns]), counts)
    return _Laid(starts, ends, behind - sizes - start, behind - start, whole)


def borders(turns: Sequence[Turn], how: str, collar: int = 0) -> tuple[Column, Column, Column]:
    """Starts and ends of the words of segments that have some: numerators, and denominators.

    >>> starts, ends, wholes = borders([Turn("a", ("abc", "d"), 0, 8)], "characters")
    >>> starts.tolist(), ends.tolist(), wholes.tolist()
    ([0, 48], [48, 64], [8, 8])
    """
    laid = _laid(turns, how)
    most = max(abs(int(laid.starts.min())), abs(int(laid.ends.max())), collar)
    if most * 8 * int(laid.whole.max()) >= MOST_NUMERATOR:
        laid = _Laid(*(column.astype(object) for column in laid))
    wholes = 2 * laid.whole
    if how in (WORDS, SEGMENT):
        wholes = wholes // laid.whole
        return (laid.starts - collar) * wholes, (laid.ends + collar) * wholes, wholes
    first, length, reach = laid.starts * wholes, laid.ends - laid.starts, collar * wholes
    if how in (CHARACTER_POINTS, EQUAL_POINTS):
        middles = first + length * (laid.before + laid.behind)
        return middles - reach, middles + reach, wholes
    edges = first + 2 * length * laid.before, first + 2 * length * laid.behind
    return edges[0] - reach, edges[1] + reach, wholes


def _own(turn: Turn) -> Sequence[tuple[Time, Time]]:
    if turn.times is not None:
        return turn.times
    if len(turn.words) == 1 and turn.start is not None:
        return [(turn.start, turn.end)]
    raise NoWordTimesError(
        f"expected times of each of the {len(turn.words)} words of a segment of {turn.speaker!r}, "
        "found none"
    )


def rounded(turns: Sequence[Turn], how: str, collar: Time = 0) -> tuple[Column, Column]:
    """Starts and ends of the words of segments that have some, as meeteval reckons them.

    Times are of any type of number; what is found are floats.

    >>> rounded([Turn("a", ("a", "a", "a"), 0, 0.3)], "equal")[1].tolist()[0]
    0.09999999999999999
    """
    laid = _laid(turns, how)
    starts, ends = laid.starts, laid.ends
    exact = starts.dtype == object or ends.dtype == object
    kind: type = object if exact else np.float64
    before: Column = laid.before.astype(kind)
    behind: Column = laid.behind.astype(kind)
    if how not in (WORDS, SEGMENT):
        # a word alone has the times of its segment, not what they are rounded to
        alone = laid.before + (laid.behind != laid.whole) == 0
        part = (ends - starts) / laid.whole.astype(kind)
        first = starts
        starts = np.where(alone, first, first + part * before)
        if how == EQUAL_POINTS:
            starts = np.where(alone, (first + ends) / 2, starts + part / 2)
        ends = np.where(alone, ends, first + part * behind)
        if how == CHARACTER_POINTS:
            starts = (ends + starts) / 2
        if how in (CHARACTER_POINTS, EQUAL_POINTS):
            ends = starts
    if collar:
        apart = Decimal(str(collar)) if isinstance(starts.flat[0], Decimal) else collar
        starts, ends = starts - apart, ends + apart
    return starts.astype(np.float64), ends.astype(np.float64)


class WordTiming(NamedTuple):
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
        count = sum(len(turn.words) for turn in reference)
        each = rounded if self.like_meeteval else borders
        found: list[tuple[Column, ...]] = []
        for turns, how, collar in sides:
            spoken = [turn for turn in turns if turn.words]
            if spoken:
                found.append(each(spoken, how, collar))
        if not found:
            return array("q"), array("q"), count
        starts, ends, *wholes = (np.concatenate(columns) for columns in zip(*found, strict=True))
        every = np.concatenate([starts, ends])
        if self.like_meeteval:
            ranks = np.unique(every, return_inverse=True)[1].astype(np.int64)
        else:
            ranks = _ranked(every, np.concatenate([*wholes, *wholes]))
        halves = (array("q", half.tobytes()) for half in np.split(ranks, 2))
        return next(halves), next(halves), count


def _ranked(numerators: Column, denominators: Column) -> Column:
    """The ranks of fractions, however large."""
    most = max(abs(int(numerators.min())), abs(int(numerators.max())))
    if most < MOST_NUMERATOR and int(denominators.max()) < MOST_DENOMINATOR:
        columns = (np.ascontiguousarray(one, dtype=np.int64) for one in (numerators, denominators))
        return np.frombuffer(rank_times(*columns), dtype=np.int64)
    values = list(map(Fraction, numerators.tolist(), denominators.tolist()))
    places = {value: rank for rank, value in enumerate(sorted(set(values)))}
    return np.array([places[value] for value in values])
