"""The systems that are compared, and what several comparisons need of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from scoring.alignment.system import System
from scoring.model.aliases import Say
from scoring.nist.report.rounding import percentage
from scoring.nist.report.tallies import Tally, by_speaker
from scoring.stats.sample import left_to_right, ranks

NOBODY = Tally()


class Ensemble:
    """Several systems.

    Where the original matches speakers by position the first system names them; a system that
    has fewer counts as having no words there (the original reads what memory holds).
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
        """Every system with every later one, by position."""
        count = len(self.systems)
        return [(first, second) for first in range(count) for second in range(first + 1, count)]

    @cached_property
    def tallies(self) -> list[list[Tally]]:
        """For every system a tally for each of its speakers."""
        return [by_speaker(system) for system in self.systems]

    @cached_property
    def speakers(self) -> list[str]:
        """The names of the rows of `rates`."""
        count = max((len(system.speakers) for system in self.systems), default=0)
        names = list(self.systems[0].speakers) if self.systems else []
        return names + [""] * (count - len(names))

    @cached_property
    def rates(self) -> list[list[float]]:
        """Word error rates in percent, a row for every speaker, a column for every system."""
        rows = []
        for speaker in range(len(self.speakers)):
            tallies = [
                of_system[speaker] if speaker < len(of_system) else NOBODY
                for of_system in self.tallies
            ]
            rows.append([error_rate(tally) for tally in tallies])
        return rows

    def column(self, system: int) -> list[float]:
        """Return the rates of one system."""
        return [row[system] for row in self.rates]

    @cached_property
    def system_ranks(self) -> list[list[float]]:
        """For every speaker the ranks of the systems."""
        return [ranks(row) for row in self.rates]

    @cached_property
    def speaker_ranks(self) -> list[list[float]]:
        """For every system the ranks of the speakers."""
        return [ranks(self.column(system)) for system in range(len(self.systems))]

    @cached_property
    def system_order(self) -> list[int]:
        """The systems by the sum of their rates, the best first."""
        sums = [left_to_right(self.column(system)) for system in range(len(self.systems))]
        return sorted(range(len(sums)), key=sums.__getitem__)

    @cached_property
    def speaker_order(self) -> list[int]:
        """The speakers by the sum of their rates, the best recognised first."""
        sums = [left_to_right(row) for row in self.rates]
        return sorted(range(len(sums)), key=sums.__getitem__)

    def matched(self, first: int, second: int, warn: Say) -> Iterator[tuple[int, list[int]]]:
        """Yield the utterances of one system with those of the same name in another."""
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
    """Return errors in percent of the reference words, 0 without any."""
    return percentage(tally.counts.errors, tally.counts.reference_tokens)
