"""Several runs of each version: a recogniser that gives other results each time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from scoring.model.counts import Counts
from scoring.model.errors import StatisticsError
from scoring.options import Options
from scoring.regression.changes import Change, Changes, Request, find_changes
from scoring.regression.comparison import SignificanceTest
from scoring.regression.evidence import ScoredVersion
from scoring.regression.group_changes import changes_by_group, members_of
from scoring.regression.version_runs import RepeatedRuns, VersionRuns
from scoring.score.rates import ErrorRates
from scoring.sides.matching.identifier import MatchingError
from scoring.stats.blocks import Blocks, choose_blocks, measured
from scoring.stats.intervals import ConfidenceInterval, Resampling
from scoring.stats.spread import SpreadTest, spread_test

if TYPE_CHECKING:
    from scoring.measures.intervals import FigureChange

TEST = "repeated-runs"
RunPlaces = tuple[ErrorRates, Sequence[int]]
"""A run, and the places of the common utterances in it."""


class PairedRuns(NamedTuple):
    """The runs of both versions on the same utterances."""

    baseline: Sequence[RunPlaces]
    new: Sequence[RunPlaces]
    units: Sequence[object]  # of each common utterance: itself, or its speaker
    block: str  # `utterance` or `speaker`
    level: float

    def sum_over(self, places: Sequence[int]) -> Change:
        """Return the sums of some utterances over all runs."""
        sums = [sum((_sum(run, places) for run in side), Counts()) for side in self[:2]]
        return Change("", sums[0], sums[1], (len(self.baseline), len(self.new)))

    def test(self, places: Sequence[int]) -> tuple[SpreadTest | None, SignificanceTest]:
        """Return the difference of the means over some utterances."""
        units = [self.units[place] for place in places]
        matrices = (_matrix(side, places, units) for side in self[:2])
        try:
            result = spread_test(*matrices, level=self.level)
        except StatisticsError as problem:
            return None, SignificanceTest(TEST, None, None, str(problem))
        remark = (
            f"Student's t with {result.freedom:.1f} degrees of freedom, {len(set(units)):,} "
            f"{self.block}s, {len(self.baseline)} against {len(self.new)} runs"
        )
        return result, SignificanceTest(TEST, result.p_value, None, remark)


def compare_runs(
    baselines: Sequence[ScoredVersion],
    news: Sequence[ScoredVersion],
    request: Request,
    options: Options,
) -> Changes:
    """Compare the mean of the runs of two versions; the changes have no utterances of their own.

    Every run must have the utterances and the reference words of the first baseline. Groups are
    those that `by` and `metadata` of the options name.
    """
    against_first = [find_changes(baselines[0], new, request) for new in news]
    others = [find_changes(baseline, news[0], request) for baseline in baselines[1:]]
    first = against_first[0]
    if first.of_sessions:
        raise MatchingError(
            "several runs of a system can be compared by utterance only, found a measure of "
            "sessions"
        )
    names = [first.baseline_rates.identifiers[a] for a, _ in first.common]
    pairs = PairedRuns(
        [_places(changes.baseline_rates, names) for changes in (first, *others)],
        [_places(changes.new_rates, names) for changes in against_first],
        range(len(names)),
        request.block,
        (request.resampling or Resampling()).level,
    )
    everything = range(len(names))
    blocks = _blocks(first, request, [_matrix(side, everything, everything) for side in pairs[:2]])
    pairs = pairs._replace(units=blocks.labels or everything, block=blocks.name)
    speakers: dict[str | None, list[int]] = {}
    for place, (a, _) in enumerate(first.common):
        speakers.setdefault(first.baseline_rates.speakers[a], []).append(place)
    if None in speakers:
        speakers = {}
    difference, test = pairs.test(everything)
    runs = [
        VersionRuns(
            [side.name for side in evidence], [_sum(run, everything).error_rate for run in side]
        )
        for evidence, side in zip((baselines, news), pairs[:2], strict=True)
    ]
    members = members_of(first, options) if options.by or options.metadata else []
    return first._replace(
        total=pairs.sum_over(everything)._replace(name="total"),
        speakers=[
            pairs.sum_over(places)._replace(name=str(name)) for name, places in speakers.items()
        ],
        worse=[],
        better=[],
        comparison=first.comparison._replace(bootstrap=None, reason="several runs"),
        tests=[test],
        measures=_mean_measures([first, *others], against_first),
        groups=changes_by_group(members, pairs.sum_over, pairs.test),
        repeated=RepeatedRuns(runs[0], runs[1], difference, pairs.block),
    )


def _places(rates: ErrorRates, names: Sequence[str]) -> RunPlaces:
    places = {name: place for place, name in enumerate(rates.identifiers)}
    missing = [name for name in names if name not in places]
    if missing:
        raise MatchingError(
            f"{rates.hypothesis.title}: expected the utterances of the other runs, missing "
            f"{missing[0]!r}"
        )
    return rates, [places[name] for name in names]


def _sum(run: RunPlaces, places: Sequence[int]) -> Counts:
    rates, positions = run
    return rates.sum_of([positions[place] for place in places])


def _blocks(changes: Changes, request: Request, sides: Sequence[NDArray[np.int64]]) -> Blocks:
    """The unit of the common utterances; `find_changes` has refused those without speakers."""
    speakers = [changes.baseline_rates.speakers[a] for a, _ in changes.common]
    if request.block == "speaker":
        return Blocks(speakers, "speaker")
    rows = [side.mean(axis=0) for side in sides]
    decide = choose_blocks if request.block == "auto" else measured
    return decide(rows, None if None in speakers else speakers)


def _matrix(
    side: Sequence[RunPlaces], places: Sequence[int], units: Sequence[object]
) -> NDArray[np.int64]:
    """Errors and reference words by run and unit."""
    numbers = {unit: number for number, unit in enumerate(dict.fromkeys(units))}
    of_unit = [numbers[unit] for unit in units]
    sums = np.zeros((len(side), len(numbers), 2), np.int64)
    for run, (rates, positions) in enumerate(side):
        counts = [rates.per_utterance[positions[place]] for place in places]
        rows = [(count.errors, count.reference_tokens) for count in counts]
        np.add.at(sums[run], of_unit, np.array(rows, np.int64).reshape(-1, 2))
    return sums


def _mean_measures(baselines: Sequence[Changes], news: Sequence[Changes]) -> Sequence[FigureChange]:
    """Return the means over runs of the numbers of measures; None where a run has no number."""
    measures: list[FigureChange] = []
    for number, change in enumerate(news[0].measures):
        means = []
        for name, runs in (("baseline", baselines), ("new", news)):
            values = [getattr(run.measures[number], name) for run in runs]
            means.append(None if None in values else sum(values) / len(values))
        interval = ConfidenceInterval(change.measure, "run", None, "several runs")
        measures.append(change._replace(baseline=means[0], new=means[1], interval=interval))
    return measures
