"""Bootstrap intervals of measures, of one result or of the difference of two."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from scoring.errors import StatisticsError
from scoring.rates.counted import CountedColumns, Integers, Sums
from scoring.rates.measured import Figure, Measured
from scoring.stats.bootstrapping import Bootstrap, described
from scoring.stats.intervals import ConfidenceInterval, Resampling
from scoring.stats.random_words import below, stream_starts, words_of
from scoring.stats.resampling import check_numbers, resampled_sums
from scoring.stats.units import make_units

MOST_VALUES, MOST_NUMBERS, FEWEST = 20_000_000, 10_000_000_000, 200
"""Values of samples and sums that are drawn in all, and the fewest replications."""


class FigureChange(NamedTuple):
    """A number of two systems on the same utterances, and the interval of the difference."""

    measure: str
    figure: Figure
    baseline: float | None
    new: float | None
    interval: ConfidenceInterval

    @property
    def difference(self) -> float | None:
        """The new number less the baseline's; None where one is missing."""
        missing = self.baseline is None or self.new is None
        return None if missing else self.new - self.baseline  # type: ignore[operator]

    def record(self) -> dict[str, object]:
        """The numbers for JSON."""
        return {
            "measure": self.measure,
            "number": self.figure.name,
            "better": self.figure.better,
            "baseline": self.baseline,
            "new": self.new,
            "difference": self.difference,
            "interval": self.interval.record(),
        }


def with_intervals(
    item: Measured, resampling: Resampling, blocks: Sequence[Hashable] | None, block: str
) -> Measured:
    """The measure with an interval of each number; `blocks` names the unit of each utterance."""
    try:
        draws = [item.measure.value(sums) for (sums,) in _draws([item.columns], blocks, resampling)]
        reason = ""
    except StatisticsError as problem:
        draws, reason = [], str(problem)
    values = item.values
    intervals = {
        figure.name: _interval(
            values[figure.name],
            [draw[figure.name] for draw in draws],
            reason,
            (item.measure.title, block),
            resampling,
            _units(item.columns, blocks),
        )
        for figure in item.measure.figures
    }
    return replace(item, intervals=intervals)


def changes_of(
    old: Measured,
    new: Measured,
    resampling: Resampling,
    blocks: Sequence[Hashable] | None,
    block: str,
) -> list[FigureChange]:
    """Each number of a measure in two results of the same utterances, in the same order."""
    value, reason = old.measure.value, ""
    try:
        columns = [old.columns, new.columns]
        draws = [(value(a), value(b)) for a, b in _draws(columns, blocks, resampling)]
    except StatisticsError as problem:
        draws, reason = [], str(problem)
    before, after = old.values, new.values
    changes = []
    for figure in old.measure.figures:
        name = figure.name
        drawn = [_less(b[name], a[name]) for a, b in draws]
        difference = _less(after[name], before[name])
        titles = (old.measure.title, block)
        units = _units(old.columns, blocks)
        interval = _interval(difference, drawn, reason, titles, resampling, units)
        changes.append(FigureChange(old.measure.name, figure, before[name], after[name], interval))
    return changes


def _less(number: float | None, other: float | None) -> float | None:
    return None if number is None or other is None else number - other


def _units(columns: CountedColumns, blocks: Sequence[Hashable] | None) -> int:
    return columns.utterances if blocks is None else len(set(blocks))


def _interval(
    estimate: float | None,
    draws: Sequence[float | None],
    reason: str,
    titles: tuple[str, str],
    resampling: Resampling,
    units: int,
) -> ConfidenceInterval:
    undefined = sum(draw is None for draw in draws)
    if estimate is None:
        reason = "there is no number"
    elif undefined:
        reason = f"{undefined} of {len(draws)} replications have no number"
    bootstrap: Bootstrap | None = None
    if not reason and estimate is not None:
        scores = np.array(draws, np.float64)
        bootstrap = described(estimate, scores, resampling.level, units, resampling.seed)
    return ConfidenceInterval(*titles, bootstrap, reason or None)


def _draws(
    systems: Sequence[CountedColumns],
    blocks: Sequence[Hashable] | None,
    resampling: Resampling,
) -> Iterator[tuple[Sums, ...]]:
    """Sums of each system over units drawn with replacement, the same units for all systems."""
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
    systems: Sequence[CountedColumns],
    blocks: Sequence[Hashable] | None,
    resampling: Resampling,
) -> Iterator[tuple[Sums, ...]]:
    """As `_draws`, of measures with samples, in fewer replications if there are many values."""
    members = _members(systems[0].utterances, blocks)
    if len(members) < 2:
        raise StatisticsError(f"expected at least two units, found {len(members)}")
    values = sum(len(part.values) for columns in systems for part in columns.samples.values())
    number = min(resampling.replications, max(FEWEST, MOST_VALUES // max(1, values)))
    for replication in range(number):
        state = stream_starts(resampling.seed, replication, replication + 1)
        chosen = below(len(members), words_of(state, np.arange(len(members))))
        positions = np.concatenate([members[unit] for unit in chosen.tolist()])
        yield tuple(columns.totals(positions) for columns in systems)


def _members(utterances: int, blocks: Sequence[Hashable] | None) -> Sequence[Integers]:
    """The positions of the utterances of each unit."""
    if blocks is None:
        return list(np.arange(utterances)[:, None])
    units: Mapping[Hashable, list[int]] = {block: [] for block in blocks}
    for position, block in enumerate(blocks):
        units[block].append(position)
    return [np.array(positions) for positions in units.values()]
