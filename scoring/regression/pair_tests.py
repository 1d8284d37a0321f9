"""Tests of all pairs of systems in a ranking, on one test set or on several.

`scoring wer` ranks systems on one set of utterances. `scoring bench` ranks systems by their mean
rate over several sets. Both commands use the tests, the adjusted p-values and the texts of this
module.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from itertools import chain, combinations
from typing import NamedTuple

import numpy as np

from scoring.drawing import p_text, probability
from scoring.model.arrays import Floats
from scoring.model.errors import ScoringError
from scoring.regression.significance import TestName, decide
from scoring.score.table import (
    BlockOfUtterances,
    ScoreTable,
    UnitOfTests,
    blocks_of,
    matched_places,
    unit_of_tests,
)
from scoring.stats.bootstrapping import at_least
from scoring.stats.deciding import is_significant
from scoring.stats.intervals import Resampling
from scoring.stats.paired_tests import holm
from scoring.stats.randomisation import exchange_differences
from scoring.stats.resampling import resampled_sums
from scoring.stats.units import error_rate, make_units, score_of

MOST_NAMED = 5  # systems in a line of those that do not clearly differ


class TestOfPair(NamedTuple):
    """The test of two systems: its p-value, the units that it exchanges, and a remark."""

    p_value: float | None  # two-sided; None where it cannot be computed
    units: tuple[str, ...] = ()  # what was exchanged as a whole in each set; empty without a test
    remark: str = ""  # why there is no p-value


class SystemPair(NamedTuple):
    """A pair of systems of a ranking, with the p-values of its test."""

    places: tuple[int, int]  # theirs among the systems that were tested
    p_value: float | None  # two-sided; None where it cannot be computed
    adjusted: float | None  # by Holm over all pairs


class PairTests(NamedTuple):
    """The tests of all pairs of systems."""

    pairs: tuple[SystemPair, ...]
    level: float  # of adjusted p-values
    units: tuple[str, ...] = ()  # what was exchanged as a whole
    remark: str = ""  # why a pair could not be tested; empty where all could be
    unit: UnitOfTests | None = None  # how the unit was chosen

    @property
    def how(self) -> str:
        """The units that the tests exchange, with the reason; empty without a test."""
        reason = self.unit.reason(self.units) if self.unit is not None else ""
        return " or ".join(self.units) + f" ({reason})" * bool(reason)

    @property
    def number(self) -> int:
        """The number of tested pairs."""
        return sum(pair.p_value is not None for pair in self.pairs)

    def differ(self, pair: SystemPair) -> bool:
        """Return True if two systems differ significantly."""
        return is_significant(pair.adjusted, self.level)

    def p_of(self, first: int, second: int) -> str:
        """Return two systems' adjusted p-value as text, or a note if they were not tested."""
        adjusted = self._adjusted(first, second)
        return "not tested" if adjusted is None else p_text(adjusted)

    def p_cell(self, first: int, second: int) -> str:
        """Return the table cell of a p-value; empty for a system with itself."""
        if first == second:
            return ""
        adjusted = self._adjusted(first, second)
        return "not tested" if adjusted is None else probability(adjusted)

    def _adjusted(self, first: int, second: int) -> float | None:
        """Return two systems' adjusted p-value; None if they were not tested."""
        places = tuple(sorted((first, second)))
        return next((pair.adjusted for pair in self.pairs if pair.places == places), None)

    def alike(self, place: int) -> tuple[int, ...]:
        """Return the indices of the systems that do not differ significantly from this system."""
        unclear = (pair.places for pair in self.pairs if not self.differ(pair))
        partners = ({*places} - {place} for places in unclear if place in places)
        return tuple(sorted(chain.from_iterable(partners)))

    def alike_text(self, place: int, names: Sequence[str]) -> str:
        """Return the names of the systems that do not clearly differ from a given system, as text.

        Each name is followed by the p-value of its test against the given system. Of many names,
        those of the nearest ranks are listed.
        """
        alike = self.alike(place)
        if len(alike) <= MOST_NAMED:
            return self.with_p_values(place, alike, names)
        nearest = sorted(sorted(alike, key=lambda other: abs(other - place))[:MOST_NAMED])
        rest = len(alike) - MOST_NAMED
        return f"{self.with_p_values(place, nearest, names)} and {rest} more"

    def with_p_values(self, place: int, others: Sequence[int], names: Sequence[str]) -> str:
        """Return the names of systems, each with its p-value against the given system."""
        return ", ".join(f"{names[other]} ({self.p_of(place, other)})" for other in others)


def decide_pairs(
    systems: Sequence[Sequence[ScoreTable]],
    test: TestName,
    block: Sequence[BlockOfUtterances],
    resampling: Resampling,
    level: float,
    reasons: Sequence[str] = (),
    unit: UnitOfTests | None = None,
) -> PairTests:
    """Test all pairs of systems, and adjust the p-values by Holm's method.

    All tests exchange the same unit: the given one, or the one that the design effect of all pairs
    selects. Otherwise p-values of a table would contradict each other.

    `systems` has, for each system, one table per set.

    `block` has the resampling unit of each system. `reasons` has a text for each system that cannot
    be tested, and an empty text for the other systems.
    """
    if unit is None:
        unit = unit_of_tests(systems, block[0] if block else "auto")
    pairs = list(combinations(range(len(systems)), 2))
    tests = [
        TestOfPair(None, remark=reasons[a])
        if reasons and reasons[a]
        else _tested(systems[a], systems[b], test, unit, resampling)
        for a, b in pairs
    ]
    p_values = [result.p_value for result in tests]
    units = tuple(dict.fromkeys(chain.from_iterable(result.units for result in tests)))
    remark = next((result.remark for result in tests if result.remark), "")
    return PairTests(
        tuple(map(SystemPair, pairs, p_values, holm(p_values))), level, units, remark, unit
    )


def _tested(
    left: Sequence[ScoreTable],
    right: Sequence[ScoreTable],
    test: TestName,
    unit: UnitOfTests,
    resampling: Resampling,
) -> TestOfPair:
    """Test two systems: on one set as `compare` does, on several sets by their mean rates."""
    try:
        if len(left) == 1:
            result, name = decide(left[0], right[0], test, unit.of(left[0]), resampling)
            reason = "" if result.p_value is not None else result.remark
            return TestOfPair(result.p_value, (name,) if name else (), reason)
        return _test_of_means(left, right, test, unit, resampling)
    except (ScoringError, ValueError) as problem:
        return TestOfPair(None, remark=str(problem))


def resampling_of_set(resampling: Resampling, number: int) -> Resampling:
    """Return the resampling of a set, with random numbers independent of other sets."""
    return resampling._replace(seed=(resampling.seed + number) % (1 << 64))


def _test_of_means(
    left: Sequence[ScoreTable],
    right: Sequence[ScoreTable],
    test: TestName,
    unit: UnitOfTests,
    resampling: Resampling,
) -> TestOfPair:
    """Test the difference of the mean rates of sets.

    The test exchanges the outputs of an utterance, or draws utterances, within each set.
    """
    difference = sum(b - a for a, b in zip(_rates(left), _rates(right), strict=True))
    changes = np.zeros(resampling.replications)
    units: dict[str, None] = {}
    for number, (a, b) in enumerate(zip(left, right, strict=True)):
        b = b._replace(statistics=b.statistics[matched_places(a, b)])
        blocks = blocks_of(a, unit.of(a), b.statistics)
        units[blocks.name] = None
        own = resampling_of_set(resampling, number)
        changes += _changes(a, b, test, blocks.labels, own)
    greater = int(np.count_nonzero(at_least(changes, difference)))
    return TestOfPair((1 + greater) / (1 + len(changes)), tuple(units))


def _rates(tables: Sequence[ScoreTable]) -> Iterator[float]:
    for table in tables:
        errors, words = table.statistics.sum(axis=0)
        yield float(errors / words)


def _changes(
    left: ScoreTable,
    right: ScoreTable,
    test: TestName,
    labels: Sequence[Hashable] | None,
    resampling: Resampling,
) -> Floats:
    """Return simulated differences of a set's rates under the null hypothesis."""
    before, after = make_units([left.statistics, right.statistics], labels)
    trials, seed = resampling.replications, resampling.seed
    if test == "randomisation":
        return exchange_differences(before, after, error_rate, trials, seed)
    both = np.hstack([before.numbers, after.numbers])
    sums = resampled_sums(both, replications=trials, seed=seed)
    sides = before.values(sums[:, :2]), after.values(sums[:, 2:])
    old, new = (score_of(error_rate, side, "replications") for side in sides)
    [a], [b] = _rates([left]), _rates([right])
    return new - old - (b - a)
