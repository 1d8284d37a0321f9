"""Bootstrap intervals of measures, for one result or for the difference of two results."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from formats.schema.messages import Message
from scoring.model.arrays import Integers
from scoring.model.errors import StatisticsError
from scoring.results.counted import CountedColumns, Sums
from scoring.results.measured import Figure, Measured
from scoring.stats.blocks import Blocks
from scoring.stats.bootstrapping import METHOD, PAIRED, described
from scoring.stats.intervals import ConfidenceInterval, Resampling
from scoring.stats.messages import TOO_FEW
from scoring.stats.random_words import below, stream_starts, words_of
from scoring.stats.resampling import check_numbers, resampled_sums
from scoring.stats.units import make_units

MOST_VALUES, MOST_NUMBERS, FEWEST = 20_000_000, 10_000_000_000, 200
"""Values of samples and sums that are drawn in all, and the fewest replications."""


class FigureChange(NamedTuple):
    """A figure of two systems on the same utterances, with the interval of the difference."""

    measure: str
    figure: Figure
    baseline: float | None
    new: float | None
    interval: ConfidenceInterval

    @property
    def difference(self) -> float | None:
        """The new system's figure minus the baseline's; None if either is missing."""
        return _difference([self.baseline, self.new])

    def record(self) -> dict[str, object]:
        """Return the numbers for JSON."""
        return {
            "measure": self.measure,
            "metric": self.figure.name,
            "direction": self.figure.better,
            "baseline": self.baseline,
            "new": self.new,
            "change": self.difference,
            "interval": self.interval.record(),
        }


def with_intervals(item: Measured, resampling: Resampling, blocks: Blocks) -> Measured:
    """Return the measure with an interval for each figure that has one."""
    return replace(item, intervals=_intervals([item], resampling, blocks))


def changes_of(
    old: Measured,
    new: Measured,
    resampling: Resampling,
    blocks: Blocks,
) -> list[FigureChange]:
    """Return the change of each figure between two results of the same utterances."""
    intervals = _intervals([old, new], resampling, blocks)
    before, after = old.values, new.values
    return [
        FigureChange(old.measure.name, figure, before[name], after[name], intervals[name])
        for name, figure in ((figure.name, figure) for figure in old.measure.figures)
    ]


def _intervals(
    items: Sequence[Measured], resampling: Resampling, blocks: Blocks
) -> dict[str, ConfidenceInterval]:
    """Return the interval of each figure of a result, or of its change between two results."""
    measure, systems = items[0].measure, [item.columns for item in items]
    rows, failure = [[item.values for item in items]], ""
    try:
        rows += [
            list(map(measure.value, sums)) for sums in _draws(systems, blocks.labels, resampling)
        ]
    except StatisticsError as problem:
        failure = str(problem)
    labels = blocks.labels
    units = systems[0].utterances if labels is None else len(set(labels))
    method = METHOD if len(items) == 1 else PAIRED
    intervals = {}
    for name in rows[0][0]:
        estimate, *draws = (_difference([values[name] for values in row]) for row in rows)
        bootstrap, reason = None, failure
        if estimate is None:
            reason = "there is no number"
        elif None in draws:
            reason = f"{draws.count(None)} of {len(draws)} replications have no number"
        elif not reason:
            scores = np.array(draws, np.float64)
            choices = resampling.level, units, resampling.seed, method, resampling.interval
            bootstrap = blocks.mark(described(estimate, scores, *choices))
        intervals[name] = ConfidenceInterval(measure.title, blocks.name, bootstrap, reason or None)
    return intervals


def _difference(numbers: Sequence[float | None]) -> float | None:
    """Return the last number minus the first, or the only number; None if a number is missing."""
    total: float = 0
    for sign, number in zip((1, -1), reversed(numbers), strict=False):
        if number is None:
            return None
        total += sign * number
    return total


def _draws(
    systems: Sequence[CountedColumns], blocks: Sequence[Hashable] | None, resampling: Resampling
) -> Iterator[tuple[Sums, ...]]:
    """Yield the sums of each system over units drawn with replacement.

    The same units are drawn for all systems.
    """
    check_numbers(resampling.replications, resampling.seed)
    if any(columns.samples for columns in systems):
        yield from _sampled(systems, blocks, resampling)
        return
    names = [sorted(columns.sums) for columns in systems]
    bounds = np.cumsum([0, *map(len, names)])
    matrix = np.hstack([part.matrix(own) for part, own in zip(systems, names, strict=True)])
    if not matrix.shape[1]:
        raise StatisticsError("nothing was counted")
    [units] = make_units([matrix], blocks)
    number = min(resampling.replications, max(FEWEST, MOST_NUMBERS // units.numbers.size))
    sums = resampled_sums(units.numbers, replications=number, seed=resampling.seed)
    for row in sums.tolist():
        yield tuple(
            Sums(dict(zip(own, row[begin:], strict=False)))
            for own, begin in zip(names, bounds.tolist(), strict=False)
        )


def _sampled(
    systems: Sequence[CountedColumns], blocks: Sequence[Hashable] | None, resampling: Resampling
) -> Iterator[tuple[Sums, ...]]:
    """Yield replications of measures whose columns are samples.

    There are fewer replications if the samples have many values.
    """
    members = _members(systems[0].utterances, blocks)
    if len(members) < 2:
        raise StatisticsError(Message(TOO_FEW, {"unit": "unit", "number": len(members)}))
    values = sum(len(part.values) for columns in systems for part in columns.samples.values())
    number = min(resampling.replications, max(FEWEST, MOST_VALUES // max(1, values)))
    for replication in range(number):
        state = stream_starts(resampling.seed, replication, replication + 1)
        chosen = below(len(members), words_of(state, np.arange(len(members))))
        positions = np.concatenate([members[unit] for unit in chosen.tolist()])
        yield tuple(columns.totals(positions) for columns in systems)


def _members(utterances: int, blocks: Sequence[Hashable] | None) -> Sequence[Integers]:
    """Return the positions of the utterances in each resampling unit."""
    if blocks is None:
        return list(np.arange(utterances)[:, None])
    units: Mapping[Hashable, list[int]] = {block: [] for block in blocks}
    for position, block in enumerate(blocks):
        units[block].append(position)
    return [np.array(positions) for positions in units.values()]
