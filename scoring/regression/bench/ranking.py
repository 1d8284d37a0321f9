"""Systems ranked by the mean of the rates of their sets, with intervals and tests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from scoring.drawing.numbers import p_text
from scoring.model.arrays import Floats, Integers
from scoring.model.errors import StatisticsError
from scoring.regression.bench.runs import ScoredCell, Speed
from scoring.regression.significance import decide
from scoring.score.table import BlockName, ScoreTable, blocks_of, matched_places
from scoring.stats.bootstrapping import (
    METHOD,
    Bootstrap,
    at_least,
    described,
    weighted_sum,
    with_limits_of_rate,
)
from scoring.stats.deciding import (
    DEFAULT_TEST,
    ResamplingTest,
    is_significant,
    level_of_tests,
)
from scoring.stats.intervals import Resampling
from scoring.stats.paired_tests import holm
from scoring.stats.random_words import below, stream_starts, words_of
from scoring.stats.randomisation import exchange_differences
from scoring.stats.resampling import resampled_sums
from scoring.stats.units import error_rate, make_units, score_of
from scoring.text.recipes import recipe_named

# The seed of draws of runs differs from that of utterances in these bits.
_RUNS = 0x72756E73


def ratio(part: float, whole: float) -> float | None:
    """Return a share; None of nothing."""
    return part / whole if whole else None


class SetResult(NamedTuple):
    """A system on a set: the mean over its runs."""

    runs: Sequence[ScoredCell]
    errors: float  # mean of the runs
    words: int
    utterances: int
    empty: float  # answers without words, mean of the runs
    looping: float  # answers with a loop, mean of the runs
    rates: tuple[float | None, ...]  # of each run
    headline: float | None  # mean of the runs as the recipe's original prints it
    interval: Bootstrap | None  # None without words, or with too few utterances
    speed: Speed
    table: ScoreTable  # mean errors and words of each utterance
    draws: Floats | None  # errors and words of each replication

    @property
    def rate(self) -> float | None:
        """Errors per reference word."""
        return ratio(self.errors, self.words)

    @property
    def loop_rate(self) -> float | None:
        """Share of answers with a loop."""
        return ratio(self.looping, self.utterances)

    @property
    def deviation(self) -> float | None:
        """Standard deviation between runs; None of a single run."""
        rates = [rate for rate in self.rates if rate is not None]
        return float(np.std(rates, ddof=1)) if len(rates) > 1 else None


class SystemResult(NamedTuple):
    """A system on all sets by one recipe."""

    system: str
    sets: dict[str, SetResult]
    # All are None if a set is missing
    macro: float | None = None  # mean of the rates of the sets
    macro_interval: Bootstrap | None = None
    headline: float | None = None  # of all sets as the recipe's original averages them
    ranks: tuple[int, int] | None = None  # best and worst rank that the tests allow

    @property
    def micro(self) -> float | None:
        """Errors per reference word of all sets together."""
        return ratio(self.total("errors"), self.total("words"))

    @property
    def speed(self) -> Speed:
        """Audio and time of all sets."""
        return Speed.total(row.speed for row in self.sets.values())

    def total(self, name: str) -> float:
        """Return the sum of a number over the sets."""
        return float(sum(getattr(row, name) for row in self.sets.values()))


class TestedPair(NamedTuple):
    """The test of two systems: the difference of their macro rates."""

    systems: tuple[str, str]
    difference: float
    p_value: float | None  # None where a pair cannot be tested
    adjusted: float | None


class RecipeRanking(NamedTuple):
    """The systems by one recipe, the best first, those without a set last."""

    recipe: str
    signature: str
    sets: tuple[str, ...]
    systems: tuple[SystemResult, ...]
    pairs: tuple[TestedPair, ...]
    resampling: Resampling
    block: BlockName
    test: ResamplingTest

    @property
    def level(self) -> float:
        """What adjusted p-values are compared with."""
        return level_of_tests(self.resampling.level)

    def p_of(self, one: str, other: str) -> str:
        """Return the adjusted p-value of two systems as text."""
        values = [pair.adjusted for pair in self.pairs if {*pair.systems} == {one, other}]
        return "not tested" if values in ([], [None]) else p_text(values[0] or 0.0)


def ranking_of(
    cells: Sequence[ScoredCell],
    sets: Sequence[str],
    resampling: Resampling,
    block: BlockName,
    test: ResamplingTest = DEFAULT_TEST,
) -> RecipeRanking:
    """Rank the systems of one recipe.

    Draws are made in each set by itself. Every two systems are compared by approximate
    randomisation: outputs of an utterance are exchanged within each set, and the difference of
    the macro rates is computed again. Or by the paired bootstrap, whose draws are those of each
    set. Holm's method adjusts the p-values.
    """
    runs: dict[str, dict[str, list[ScoredCell]]] = {}
    for scored in cells:
        runs.setdefault(scored.cell.system, {}).setdefault(scored.cell.set, []).append(scored)
    systems = {
        name: {
            entry: _set_result(of_sets[entry], _resampling_of_set(resampling, number), block)
            for number, entry in enumerate(sets)
            if entry in of_sets
        }
        for name, of_sets in runs.items()
    }
    whole = {
        name: list(rows.values())
        for name, rows in systems.items()
        if len(rows) == len(sets) and all(row.words for row in rows.values())
    }
    pairs = _pairs(whole, resampling, block, test)
    wins, losses = Counter[str](), Counter[str]()
    for pair in pairs:
        if is_significant(pair.adjusted, level_of_tests(resampling.level)):
            losses[pair.systems[pair.difference > 0]] += 1
            wins[pair.systems[pair.difference <= 0]] += 1
    recipe, signature = cells[0].cell.recipe, str(cells[0].run.summary["signature"])
    results = {name: SystemResult(name, rows) for name, rows in systems.items()}
    for name, rows in whole.items():
        ranks = 1 + losses[name], len(whole) - wins[name]
        macro, headline = _macro(rows, resampling), _headline(rows, recipe)
        results[name] = SystemResult(name, systems[name], *macro, headline, ranks)
    order = sorted(results.values(), key=lambda row: (row.macro is None, row.macro or 0.0))
    return RecipeRanking(
        recipe, signature, tuple(sets), tuple(order), tuple(pairs), resampling, block, test
    )


def _resampling_of_set(resampling: Resampling, number: int) -> Resampling:
    """Return the resampling of a set, whose draws do not depend on those of the others."""
    return resampling._replace(seed=(resampling.seed + number) % (1 << 64))


def _set_result(runs: Sequence[ScoredCell], resampling: Resampling, block: BlockName) -> SetResult:
    """Return a system on a set, from one or several runs over the same utterances."""
    table = runs[0].table
    errors = np.column_stack(
        [run.table.statistics[matched_places(table, run.table), 0] for run in runs]
    )
    words = table.statistics[:, 1]
    means = np.column_stack([errors.mean(axis=1), words])
    interval, draws = None, None
    total, mean = int(words.sum()), float(errors.sum()) / len(runs)
    numbers = [run.run.summary["rates"].get("headline") for run in runs]
    try:
        blocks = blocks_of(table._replace(statistics=means), block)
        draws = _draws(errors, words, blocks.labels, resampling)
        scores = score_of(error_rate, draws, "replications")
        interval = blocks.mark(_interval(means, blocks.labels, scores, resampling, len(runs)))
    except StatisticsError:
        draws = None
    return SetResult(
        runs,
        mean,
        total,
        len(words),
        sum(run.empty for run in runs) / len(runs),
        sum(run.looping for run in runs) / len(runs),
        tuple(run.run.rate if total else None for run in runs),
        None if None in numbers else sum(numbers) / len(numbers),
        interval,
        Speed.total(run.speed for run in runs),
        table._replace(statistics=means),
        draws,
    )


def _interval(
    means: Floats,
    labels: Sequence[Hashable] | None,
    scores: Floats,
    resampling: Resampling,
    runs: int,
) -> Bootstrap:
    """Return the interval of the mean rate of runs from its replications."""
    [units] = make_units([means], labels)
    values, number = units.values(units.numbers), len(units.numbers)
    estimate = float(means[:, 0].sum() / means[:, 1].sum())
    choices = resampling.level, number, resampling.seed, METHOD, resampling.interval
    found = described(estimate, scores, *choices)
    if resampling.interval == "percentile":
        return found
    # runs vary, too: their part of the error is in the replications only
    error = None if runs == 1 else found.standard_error * (number / (number - 1)) ** 0.5
    return with_limits_of_rate(found, means[:, 0], values, error=error)


def _draws(
    errors: Integers,
    words: Integers,
    blocks: Sequence[Hashable] | None,
    resampling: Resampling,
) -> Floats:
    """Return errors and words of each replication; runs are drawn with replacement, too."""
    [units] = make_units([np.column_stack([errors, words])], blocks)
    trials, seed = resampling.replications, resampling.seed
    sums = units.values(resampled_sums(units.numbers, replications=trials, seed=seed))
    number = errors.shape[1]
    starts = stream_starts(seed ^ _RUNS, 0, trials)[:, None]
    drawn = below(number, words_of(starts, np.arange(number)[None]))
    means = np.take_along_axis(sums[:, :number], drawn, axis=1).mean(axis=1)
    return np.column_stack([means, sums[:, number]])


def _headline(rows: Sequence[SetResult], recipe: str) -> float | None:
    """Return the mean of the numbers of the sets, where a recipe says how to round it."""
    numbers = [row.headline for row in rows if row.headline is not None]
    if not recipe or len(numbers) < len(rows):
        return None
    headline = recipe_named(recipe).headline
    return headline.mean(numbers) if headline.sets == "mean" else None


def _macro(
    rows: Sequence[SetResult], resampling: Resampling
) -> tuple[float | None, Bootstrap | None]:
    """Return the mean of the rates of the sets, and its interval."""
    macro = sum(row.errors / row.words for row in rows) / len(rows)
    draws = [error_rate(row.draws) for row in rows if row.draws is not None]
    parts = [row.interval for row in rows if row.interval is not None]
    if len(draws) < len(rows) or len(parts) < len(rows):
        return macro, None
    found = weighted_sum(parts, [1 / len(parts)] * len(parts), np.mean(draws, axis=0))
    return macro, found._replace(seed=resampling.seed)


def _pairs(
    systems: Mapping[str, Sequence[SetResult]],
    resampling: Resampling,
    block: BlockName,
    test: ResamplingTest,
) -> list[TestedPair]:
    """Return the tests of every two systems that have all sets."""
    pairs = []
    for (left, ours), (right, theirs) in combinations(systems.items(), 2):
        difference = sum(
            b.errors / b.words - a.errors / a.words for a, b in zip(ours, theirs, strict=True)
        )
        try:
            p_value = _p_value(ours, theirs, difference, resampling, block, test)
        except StatisticsError:
            p_value = None
        pairs.append(TestedPair((left, right), difference / len(ours), p_value, None))
    adjusted = holm([pair.p_value for pair in pairs])
    return [pair._replace(adjusted=value) for pair, value in zip(pairs, adjusted, strict=True)]


def _p_value(
    ours: Sequence[SetResult],
    theirs: Sequence[SetResult],
    difference: float,
    resampling: Resampling,
    block: BlockName,
    test: ResamplingTest,
) -> float | None:
    """Return the p-value of the difference of two systems, summed over their sets."""
    changes = np.zeros(resampling.replications)
    for number, (a, b) in enumerate(zip(ours, theirs, strict=True)):
        places = matched_places(a.table, b.table)
        other = b.table._replace(statistics=b.table.statistics[places])
        own = _resampling_of_set(resampling, number)
        if len(ours) == 1:
            # the very test of `compare`, which tries all exchanges if there are few
            other = a.table._replace(statistics=other.statistics)
            return decide(a.table, other, test, block, own)[0].p_value
        labels = blocks_of(a.table, block, other.statistics).labels
        before, after = make_units([a.table.statistics, other.statistics], labels)
        if test == "randomisation":
            changes += exchange_differences(before, after, error_rate, len(changes), own.seed)
            continue
        both = np.hstack([before.numbers, after.numbers])
        sums = resampled_sums(both, replications=len(changes), seed=own.seed)
        sides = before.values(sums[:, :2]), after.values(sums[:, 2:])
        old, new = (score_of(error_rate, side, "replications") for side in sides)
        changes += new - old - (b.errors / b.words - a.errors / a.words)
    greater = int(np.count_nonzero(at_least(changes, difference)))
    return (1 + greater) / (1 + len(changes))
