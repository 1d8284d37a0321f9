"""The compared systems, and the values that several tests need."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from scoring.alignment.system import System
from scoring.model.counts import left_to_right
from scoring.nist.report.rounding import Tally, by_speaker, percentage
from scoring.stats.sample import ranks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from scoring.model.aliases import Say

NOBODY = Tally()


class Ensemble:
    """Several systems scored on the same reference.

    As in sc_stats, some tests match speakers by position. Their names are then those of the first
    system. A system with fewer speakers has no words for the missing speakers; sc_stats itself
    reads undefined memory.
    """

    def __init__(self, systems: Sequence[System], description: str) -> None:
        self.systems = systems
        self.description = description

    @property
    def titles(self) -> list[str]:
        """The titles of the systems."""
        return [system.title for system in self.systems]

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """All pairs of systems, by position."""
        count = len(self.systems)
        return [(first, second) for first in range(count) for second in range(first + 1, count)]

    @cached_property
    def tallies(self) -> list[list[Tally]]:
        """For each system, a list with one tally per speaker."""
        return [by_speaker(system) for system in self.systems]

    @cached_property
    def speakers(self) -> list[str]:
        """The speakers of the rows of `rates`: those of the first system, then empty names."""
        count = max((len(system.speakers) for system in self.systems), default=0)
        names = list(self.systems[0].speakers) if self.systems else []
        return names + [""] * (count - len(names))

    @cached_property
    def rates(self) -> list[list[float]]:
        """Word error rates in percent: one row per speaker, one column per system."""
        rows = []
        for speaker in range(len(self.speakers)):
            tallies = [
                of_system[speaker] if speaker < len(of_system) else NOBODY
                for of_system in self.tallies
            ]
            rows.append([error_rate(tally) for tally in tallies])
        return rows

    def column(self, system: int) -> list[float]:
        """Return the error rates of one system, in percent."""
        return [row[system] for row in self.rates]

    @cached_property
    def system_ranks(self) -> list[list[float]]:
        """For each speaker, the ranks of the systems."""
        return [ranks(row) for row in self.rates]

    @cached_property
    def speaker_ranks(self) -> list[list[float]]:
        """For each system, the ranks of the speakers."""
        return [ranks(self.column(system)) for system in range(len(self.systems))]

    @cached_property
    def system_order(self) -> list[int]:
        """The positions of the systems, sorted by the sum of their error rates, lowest first."""
        sums = [left_to_right(self.column(system)) for system in range(len(self.systems))]
        return sorted(range(len(sums)), key=sums.__getitem__)

    @cached_property
    def speaker_order(self) -> list[int]:
        """The positions of the speakers, sorted by the sum of their error rates, lowest first."""
        sums = [left_to_right(row) for row in self.rates]
        return sorted(range(len(sums)), key=sums.__getitem__)

    def matched(self, first: int, second: int, warn: Say) -> Iterator[tuple[int, list[int]]]:
        """Yield each utterance of one system, and the second system's utterances with its name.

        Speakers that the second system lacks are skipped with a warning.
        """
        left, right = self.systems[first], self.systems[second]
        speakers = {name: number for number, name in enumerate(right.speakers)}
        for name, group in zip(left.speakers, left.utterances_of, strict=True):
            counterpart = speakers.get(name)
            if counterpart is None:
                warn(
                    f"Warning: Speaker {name} is in system {left.title} but not system "
                    f"{right.title}\n"
                )
                continue
            named: dict[str, list[int]] = {}
            identifiers = right.utterances.identifiers
            for utterance in right.utterances_of[counterpart]:
                named.setdefault(identifiers[utterance], []).append(utterance)
            identifiers = left.utterances.identifiers
            for utterance in group:
                yield utterance, named.get(identifiers[utterance], [])


def error_rate(tally: Tally) -> float:
    """Return errors in percent of the reference words, 0 without reference words."""
    return percentage(tally.counts.errors, tally.counts.reference_tokens)
