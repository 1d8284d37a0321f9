"""Counts of utterances and words by speaker, the raw material of the summaries."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from scoring.alignment.arguments import require, whole, whole_numbers
from scoring.alignment.system import System
from scoring.model import Counts
from scoring.native import load


class Tally(NamedTuple):
    """What happened in some utterances: words by kind of edit, and utterances having any."""

    utterances: int = 0
    correct: int = 0
    substitutions: int = 0
    deletions: int = 0
    insertions: int = 0
    utterances_with_errors: int = 0
    utterances_with_substitutions: int = 0
    utterances_with_deletions: int = 0
    utterances_with_insertions: int = 0

    @property
    def counts(self) -> Counts:
        """The words only."""
        return Counts(self.correct, self.substitutions, self.deletions, self.insertions)


def total(tallies: Sequence[Tally]) -> Tally:
    """All of them together.

    Examples
    --------
    >>> total([Tally(1, 5), Tally(2, 7, 1, utterances_with_errors=1)])[:3]
    (3, 12, 1)
    """
    return Tally(*(sum(column) for column in zip(*tallies, strict=True)))


def sum_by_speaker(
    counts: Sequence[int], speakers: Sequence[int], number_of_speakers: int
) -> list[tuple[int, ...]]:
    """The fields of a `Tally` for every speaker."""
    numbers = whole_numbers(counts, "counts")
    owners = whole_numbers(speakers, "speakers")
    sums = [[0] * len(Tally._fields) for _ in range(checked_speakers(number_of_speakers))]
    require(len(numbers) == 4 * len(owners), "expected four counts per utterance")
    fours = iter(numbers)
    for speaker, correct, substitutions, deletions, insertions in zip(
        owners, fours, fours, fours, fours, strict=True
    ):
        own = sums[speaker_of(speaker, sums)]
        four = (correct, substitutions, deletions, insertions)
        require(
            all(0 <= count < 2**31 for count in four),
            "expected counts from 0 and less than 2**31",
        )
        own[0] += 1
        own[1] += correct
        own[2] += substitutions
        own[3] += deletions
        own[4] += insertions
        own[5] += (substitutions or deletions or insertions) > 0
        own[6] += substitutions > 0
        own[7] += deletions > 0
        own[8] += insertions > 0
    return [tuple(own) for own in sums]


def checked_speakers(number: int) -> int:
    """A number of speakers."""
    return whole(number, "number_of_speakers", 0, 2**31 - 1)


def speaker_of(speaker: int, listed: Sequence[object]) -> int:
    """A speaker, who must be one of those listed."""
    if not 0 <= speaker < len(listed):
        raise IndexError("an utterance is of a speaker that is not listed")
    return speaker


def by_speaker(system: System) -> list[Tally]:
    """A tally for every speaker of a system, in order."""
    native = load("blocks")
    summed = native.sum_by_speaker if native else sum_by_speaker
    rows = summed(system.counts, system.utterances.speakers, len(system.speakers))
    return [Tally(*row) for row in rows]
