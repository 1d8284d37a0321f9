"""The scored region, cut at every border of a turn, and the times of all kinds of error.

A piece is a time span in which no turn begins or ends. Sums are in order of time. Lengths are
integer nanoseconds, or doubles as in md-eval.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from scoring.model.errors import ScoringError
from scoring.tasks.speakers.der.spans import ScoredSpans

SpeakerCounts: TypeAlias = Mapping[int, int]
REGION = 2  # beside the sides 0 and 1
LONGEST = 2**53
"""Nanoseconds (104 days); sums of shorter times are also exact in the doubles that solvers take."""


class TimesTooFarError(ScoringError):
    """Times too far apart for exact sums."""

    status = 2


class Pieces(NamedTuple):
    """Pieces of the region by time.

    Each side has for each piece the number of turns of every speaker who speaks in it.
    """

    begins: list[float]
    ends: list[float]
    reference: list[SpeakerCounts]
    hypothesis: list[SpeakerCounts]

    @property
    def lengths(self) -> list[float]:
        """The lengths of the pieces, in the unit of the times."""
        return [end - begin for begin, end in zip(self.begins, self.ends, strict=True)]

    def spoken(self) -> Iterable[tuple[float, SpeakerCounts, SpeakerCounts]]:
        """Return the length of each piece, and the turns of both sides in it."""
        return zip(self.lengths, self.reference, self.hypothesis, strict=True)


class Times(NamedTuple):
    """The lengths of scored time and of its errors, in the unit of the input."""

    scored: float  # length of the region
    speech: float  # where somebody speaks in the reference
    missed_speech: float  # where somebody speaks in the reference only
    false_alarm_speech: float  # where somebody speaks in the hypothesis only
    speakers: float  # time of the reference's speakers, those that speak at once added up
    missed: float  # speakers too few, times the length
    false_alarm: float
    confusion: float


def cut(
    region: ScoredSpans, reference: Sequence[ScoredSpans], hypothesis: Sequence[ScoredSpans]
) -> Pieces:
    """Cut a region of disjoint spans into pieces, in order."""
    groups = [(0, reference), (1, hypothesis), (REGION, [region])]
    borders = [
        border
        for side, speakers in groups
        for speaker, spans in enumerate(speakers)
        for begin, end in spans
        for border in ((begin, side, speaker, 1), (end, side, speaker, -1))
    ]
    borders.sort()
    if borders and borders[-1][0] - borders[0][0] >= LONGEST:
        raise TimesTooFarError("expected times within 104 days of each other, found more")
    pieces = Pieces([], [], [], [])
    # pieces share the counts that do not change between them
    active: list[dict[int, int]] = [{}, {}, {}]
    before = 0
    for time, side, speaker, step in borders:
        if time != before:
            if active[REGION]:
                pieces.begins.append(before)
                pieces.ends.append(time)
                pieces.reference.append(active[0])
                pieces.hypothesis.append(active[1])
            before = time
        counts = active[side] = active[side].copy()
        depth = counts.pop(speaker, 0) + step
        if depth:
            counts[speaker] = depth
    return pieces


def overlaps_of(pieces: Pieces) -> dict[tuple[int, int], float]:
    """Return the common time of each overlapping pair of speakers, by their indices."""
    overlaps: dict[tuple[int, int], float] = {}
    for length, spoken, heard in pieces.spoken():
        for left, number in spoken.items():
            for right, partners in heard.items():
                pair = left, right
                overlaps[pair] = overlaps.get(pair, 0) + length * (number * partners)
    return dict(sorted(overlaps.items()))


def counts_of(pieces: Pieces, mapping: Mapping[int, int]) -> Iterator[tuple[float, int, int, int]]:
    """Yield the length of each piece, and its counts for `times_of`."""
    for length, spoken, heard in pieces.spoken():
        correct = sum(
            min(number, heard.get(mapping[left], 0))
            for left, number in spoken.items()
            if left in mapping
        )
        yield length, sum(spoken.values()), sum(heard.values()), correct


def times_of(counts: Iterable[tuple[float, int, int, int]]) -> Times:
    """Return the times of all kinds of error.

    `counts` has for each piece its length, the numbers of speakers in the reference and in the
    hypothesis, and how many of the former speak in both under the name of their partner.
    """
    scored: float = 0
    speech = missed_speech = false_alarm_speech = speakers = scored
    missed = false_alarm = confusion = scored
    for length, here, there, correct in counts:
        scored += length
        speech += length * (here > 0)
        missed_speech += length * (here > 0 and there == 0)
        false_alarm_speech += length * (there > 0 and here == 0)
        speakers += length * here
        missed += length * max(here - there, 0)
        false_alarm += length * max(there - here, 0)
        confusion += length * (min(here, there) - correct)
    speech_times = scored, speech, missed_speech, false_alarm_speech
    return Times(*speech_times, speakers, missed, false_alarm, confusion)


def speaker_times(pieces: Pieces, mapping: Mapping[int, int]) -> dict[int, tuple[float, float]]:
    """Return the time of each reference speaker, and how much of it the partner speaks, too."""
    times: dict[int, tuple[float, float]] = {}
    for length, spoken, heard in pieces.spoken():
        for left, number in spoken.items():
            common = min(number, heard.get(mapping[left], 0)) if left in mapping else 0
            whole, shared = times.get(left, (0, 0))
            times[left] = whole + length * number, shared + length * common
    return times


def speakers_in(counts: Iterable[SpeakerCounts]) -> list[int]:
    """Return the indices of the speakers of a side who speak in any piece, in order."""
    return sorted({speaker for piece in counts for speaker in piece})


def total(numbers: Iterable[float]) -> float:
    """Return the sum, added in order so that the doubles equal md-eval's."""
    result: float = 0
    for number in numbers:  # `sum` of a later Python corrects the rounding
        result += number
    return result
