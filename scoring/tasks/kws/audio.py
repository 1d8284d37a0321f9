"""Scored audio: excerpts, the times inside them, and their lengths.

A place is the index of a channel of a file, or -1 for a channel without excerpts.
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from formats.keywords.ecf import AUDIO_ENDING
from formats.keywords.model import Excerpt
from scoring.tasks.kws.parameters import KeywordSearchError, SearchRules

if TYPE_CHECKING:
    from scoring.results.record import Shard

HALF = "splitcts"
NANOSECONDS = 1_000_000_000
TEN_THOUSANDTH = 100_000  # nanoseconds
LARGEST_EXACT = 1e9
"""Seconds; twice the nanoseconds of two such times are an integer of 64 bits."""


class TimeArithmetic(NamedTuple):
    """Arithmetic of times: in integer ticks, or in doubles like the original program.

    `ticks` is the number of ticks per second: 1 for doubles in seconds, otherwise two per
    nanosecond, so that the middle of a detection is an integer, too. Integer ticks are exact up to
    52 days.
    """

    ticks: int

    @property
    def is_exact(self) -> bool:
        """True if sums are exact, without rounding errors of binary numbers."""
        return self.ticks != 1

    def time(self, seconds: float) -> float:
        """Convert a time to ticks."""
        if not self.is_exact:
            return seconds
        return float(2 * round(seconds * NANOSECONDS))

    def times(self, seconds: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Convert times in seconds to ticks."""
        if not self.is_exact:
            return seconds
        return np.asarray(2.0 * np.rint(seconds * float(NANOSECONDS)), dtype=np.float64)

    def end(self, begin: float, duration: float) -> float:
        """Convert the end of a word or excerpt to ticks, rounded to 0.0001 seconds."""
        if not self.is_exact:
            return float(f"{begin + duration:.4f}")
        return self._rounded(round(begin * NANOSECONDS) + round(duration * NANOSECONDS))

    def gap(self, end: float, begin: float) -> float:
        """Return the seconds between two times in ticks, rounded to 0.0001 seconds."""
        if not self.is_exact:
            return float(f"{begin - end:.4f}")
        return self._rounded(round((begin - end) / 2)) / self.ticks

    def ends(
        self, begins: npt.NDArray[np.float64], durations: npt.NDArray[np.float64]
    ) -> npt.NDArray[np.float64]:
        """Convert the ends of words to ticks, rounded as `end` rounds."""
        largest = max(np.abs(begins).max(initial=0), np.abs(durations).max(initial=0))
        if not self.is_exact or largest > LARGEST_EXACT:
            ends = map(self.end, begins.tolist(), durations.tolist())
            return np.fromiter(ends, np.float64, len(begins))
        begins, durations = (np.rint(x * float(NANOSECONDS)) for x in (begins, durations))
        return self._all_rounded(begins.astype(np.int64) + durations.astype(np.int64))

    def gaps(
        self, ends: npt.NDArray[np.float64], begins: npt.NDArray[np.float64]
    ) -> npt.NDArray[np.float64]:
        """Return the seconds between times in ticks, rounded as `gap` rounds."""
        largest = max(np.abs(begins).max(initial=0), np.abs(ends).max(initial=0)) / self.ticks
        if not self.is_exact or largest > LARGEST_EXACT:
            gaps = map(self.gap, ends.tolist(), begins.tolist())
            return np.fromiter(gaps, np.float64, len(begins))
        return self._all_rounded(np.rint((begins - ends) / 2).astype(np.int64)) / self.ticks

    @staticmethod
    def _all_rounded(nanoseconds: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        """Return times in ticks, rounded as `_rounded` rounds."""
        quotients, rests = np.divmod(nanoseconds, TEN_THOUSANDTH)
        is_half = (rests * 2 == TEN_THOUSANDTH) & (quotients % 2 == 1)
        quotients += (rests * 2 > TEN_THOUSANDTH) | is_half
        return np.asarray(2 * quotients * TEN_THOUSANDTH, dtype=np.float64)

    @staticmethod
    def _rounded(nanoseconds: int) -> float:
        quotient, rest = divmod(nanoseconds, TEN_THOUSANDTH)
        if rest * 2 > TEN_THOUSANDTH or (rest * 2 == TEN_THOUSANDTH and quotient % 2):
            quotient += 1
        return float(2 * quotient * TEN_THOUSANDTH)

    def seconds(self, ticks: float) -> float:
        """Convert a time in ticks to seconds."""
        return ticks / self.ticks


EXACT = TimeArithmetic(2 * NANOSECONDS)
BINARY = TimeArithmetic(1)


def excerpt_file(name: str, rules: SearchRules) -> str:
    """Return an excerpt's file name without folders and without the ending of audio files.

    By F4DE's rules, everything after the last dot is removed instead.
    """
    base = name.rpartition("/")[2]
    if not rules.first_dot_ends_names:
        return AUDIO_ENDING.sub("", base)
    stem, dot, _ = base.rpartition(".")
    return stem if dot else base


def detection_file(name: str, rules: SearchRules) -> str:
    """Return a detection's file name without folders and without the ending of audio files.

    By F4DE's rules, only ``.sph`` is removed, and only if the first dot begins it.
    """
    base = name.rpartition("/")[2]
    if not rules.first_dot_ends_names:
        return AUDIO_ENDING.sub("", base)
    stem, _, ending = base.partition(".")
    return stem if ending == "sph" else base


class AudioStretch(NamedTuple):
    """An excerpt, in ticks, with the index of its channel."""

    file: str
    place: int
    begin: float
    end: float
    source_type: str


class Audio:
    """The excerpts of an experiment; immutable."""

    def __init__(
        self,
        excerpts: Iterable[Excerpt],
        rules: SearchRules,
        only: Sequence[str] = (),
        shard: Shard | None = None,
    ) -> None:
        self.rules = rules
        self.clock: TimeArithmetic = BINARY if rules.binary_times else EXACT
        self.places: dict[tuple[str, str], int] = {}
        self.left_out = 0
        stretches: list[AudioStretch] = []
        patterns = [compiled(part) for pattern in only for part in _listed(pattern)]
        for excerpt in excerpts:
            file = excerpt_file(excerpt.file, rules)
            name = f"{file}/{excerpt.channel}"
            if patterns and not any(pattern.fullmatch(name) for pattern in patterns):
                self.left_out += 1
                continue
            number = self.places.setdefault((file, excerpt.channel), len(self.places))
            begin = self.clock.time(excerpt.begin)
            end = self.clock.end(excerpt.begin, excerpt.duration)
            stretches.append(AudioStretch(file, number, begin, end, excerpt.source_type))
        self.stretches = tuple(stretches)
        by_place: list[list[int]] = [[] for _ in self.places]
        for index, stretch in enumerate(stretches):
            by_place[stretch.place].append(index)
        self.by_place = tuple(map(tuple, by_place))
        # of each channel by begin: begins, ends, the latest ends up to there, indices
        self._in_time: list[tuple[npt.NDArray[np.float64], ...]] = []
        for indices in by_place:
            order = sorted(indices, key=lambda index: stretches[index].begin)
            begins = np.array([stretches[index].begin for index in order])
            ends = np.array([stretches[index].end for index in order])
            self._in_time.append((begins, ends, np.maximum.accumulate(ends), np.array(order)))
        first, last = (0, len(by_place)) if shard is None else shard.bounds(len(by_place))
        # the places of a shard; what lies in no place belongs to the first one
        self.own = range(first - (shard is None or shard.number == 1), last)
        self.nested = self._nested()

    def __repr__(self) -> str:
        return f"<Audio: {len(self.stretches)} excerpts, {self.duration():g} seconds>"

    def holding(
        self,
        places: npt.NDArray[np.int64],
        begins: npt.NDArray[np.float64],
        ends: npt.NDArray[np.float64],
    ) -> npt.NDArray[np.int64]:
        """Return for each time span the index of the first excerpt that contains it, or -1.

        Times are in ticks. No excerpt contains a span in place -1.
        """
        nothing = len(self.stretches)
        holders = np.full(len(places), nothing, dtype=np.int64)
        order = np.argsort(places, kind="stable")
        bounds = np.searchsorted(places[order], np.arange(len(self.by_place) + 1))
        for number, (starts, stops, latest, indices) in enumerate(self._in_time):
            rows = order[bounds[number] : bounds[number + 1]]
            low = np.searchsorted(latest, ends[rows], side="left")
            high = np.searchsorted(starts, begins[rows], side="right")
            while len(rows):
                is_open = low < high
                rows, low, high = rows[is_open], low[is_open], high[is_open]
                is_inside = stops[low] >= ends[rows]
                holders[rows] = np.where(
                    is_inside, np.minimum(indices[low], holders[rows]), holders[rows]
                )
                low += 1
        return np.where(holders == nothing, -1, holders)

    def duration(self, source_types: Sequence[str] | None = None) -> float:
        """Return the seconds of audio; optionally only of excerpts whose type matches a pattern.

        Time is counted per file: time that several excerpts or channels of a file cover counts
        once. The last excerpt to begin decides about this time: it counts half if the type is
        ``splitcts``.
        """
        by_file: dict[str, list[AudioStretch]] = {}
        patterns = None if source_types is None else [compiled(t) for t in source_types]
        for stretch in self.stretches:
            if patterns is None or any(p.fullmatch(stretch.source_type) for p in patterns):
                by_file.setdefault(stretch.file, []).append(stretch)
        total = 0.0
        measure = _cut_short if self.rules.nested_excerpts_lose_time else _covered
        for stretches in by_file.values():
            total += measure(sorted(stretches, key=lambda s: (s.begin, s.end)))
        return self.clock.seconds(total)

    def _nested(self) -> int:
        by_file: dict[str, list[AudioStretch]] = {}
        for stretch in self.stretches:
            by_file.setdefault(stretch.file, []).append(stretch)
        nested = 0
        for stretches in by_file.values():
            furthest = begin_of_it = float("-inf")
            for stretch in sorted(stretches, key=lambda s: (s.begin, s.end)):
                if stretch.end < furthest and stretch.begin > begin_of_it:
                    nested += 1
                if stretch.end > furthest:
                    furthest, begin_of_it = stretch.end, stretch.begin
        return nested


def compiled(pattern: str, flags: int = re.IGNORECASE) -> re.Pattern[str]:
    """Compile a regular expression from an option."""
    try:
        return re.compile(pattern, flags)
    except (re.error, OverflowError, RecursionError) as problem:
        raise KeywordSearchError(
            f"expected a regular expression, found {pattern!r}: {problem}"
        ) from None


def _listed(pattern: str) -> list[str]:
    """Return the patterns of a comma-separated list; commas within brackets belong to a pattern.

    The original reads the whole list as one pattern, which then matches nothing.

    >>> _listed("a/1,b/1"), _listed("a{1,2}/[1,2]")
    (['a/1', 'b/1'], ['a{1,2}/[1,2]'])
    """
    parts, depth = [""], 0
    for mark in re.findall(r"\\.|.", pattern, re.DOTALL):
        depth += (mark in "([{") - (mark in ")]}")
        if mark == "," and depth <= 0:
            parts.append("")
        else:
            parts[-1] += mark
    return parts


def _factor(stretch: AudioStretch) -> float:
    return 0.5 if stretch.source_type == HALF else 1.0


def _cut_short(stretches: Sequence[AudioStretch]) -> float:
    """Return the duration by the original's rule: an excerpt ends where the next excerpt begins."""
    total = 0.0
    for index, stretch in enumerate(stretches):
        end = stretch.end
        if index + 1 < len(stretches):
            end = min(end, stretches[index + 1].begin)
        total += (end - stretch.begin) * _factor(stretch)
    return total


def _covered(stretches: Sequence[AudioStretch]) -> float:
    """Return the duration of all excerpts.

    Time in several excerpts counts once, by the last of them.
    """
    cuts = sorted({cut for stretch in stretches for cut in (stretch.begin, stretch.end)})
    begun: list[tuple[int, float, float]] = []
    coming = 0
    total = 0.0
    for begin, end in pairwise(cuts):
        while coming < len(stretches) and stretches[coming].begin <= begin:
            stretch = stretches[coming]
            heapq.heappush(begun, (-coming, stretch.end, _factor(stretch)))
            coming += 1
        while begun and begun[0][1] <= begin:
            heapq.heappop(begun)
        if begun:
            total += (end - begin) * begun[0][2]
    return total
